"""A program is checked before it runs; in TypeScript, only the names of the tools."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from typesig.extraction.callables.type_checking_names import parse_syntax
from typesig.limits.programs import MAX_PROGRAM, MAX_PROGRAM_DEPTH
from typesig.programs.checks.expressions import KnownNames
from typesig.programs.checks.flaws import Flaw, Flaws
from typesig.programs.checks.sandbox import Scan
from typesig.programs.checks.statements import StatementChecker
from typesig.validation.issues.excerpt import quote_text
from typesig.validation.outcome.outcome import Outcome

# --- A program is checked before it runs ---

# --- Parsing of a program: its syntax tree, or the reason why there is none ---


def split_lines(program: str) -> list[str]:
    """Return the lines of *program* as Python counts them."""
    return program.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def parse_program(program: str, flaws: Flaws) -> ast.Module | None:
    """Parse *program* into a syntax tree; if that fails, add the error to *flaws*."""
    if len(program) > MAX_PROGRAM:
        said = f"the program has {len(program)} characters, and may have {MAX_PROGRAM}"
        flaws.errors.append(Flaw("size", said))
        return None
    try:
        tree = _parse(program)
    except SyntaxError as error:
        _refuse(error, flaws)
        return None
    except (RecursionError, MemoryError):
        flaws.errors.append(Flaw("depth", _DEEP))
        return None
    except ValueError as error:
        # Before Python 3.12 for a null character, and for a number of very many digits.
        flaws.errors.append(Flaw("syntax", str(error)))
        return None
    deep = _find_too_deep(tree)
    if deep is not None:
        flaws.add_error("depth", deep, _DEEP)
        return None
    return tree


_DEEP = f"the program nests deeper than {MAX_PROGRAM_DEPTH} levels; use variables for parts of it"


def _parse(program: str) -> ast.Module:
    """Parse *program* into a syntax tree, without Python's syntax warnings."""
    with warnings.catch_warnings():
        # A backslash that escapes nothing is only warned of.
        warnings.simplefilter("ignore")
        tree: ast.Module = parse_syntax(program)
    return tree


def _refuse(error: SyntaxError, flaws: Flaws) -> None:
    """Add the syntax error *error* to *flaws*, as a warning if only Python is too old."""
    line, column = error.lineno or 0, error.offset or 1
    if sys.version_info < (3, 12) and error.msg.startswith("f-string"):
        # Later Pythons, and sandboxes, read quotes and comments within the braces.
        said = "this Python cannot read the f-string, so the program was not checked"
        flaws.warnings.append(Flaw("unchecked", said, "", line, 1, ""))
        return
    node = _make_node(flaws.get_line(line), line, column - 1, 1)
    flaws.add_error("syntax", node, f"this is not Python: {error.msg}")


def _make_node(source: str, line: int, column: int, width: int) -> Any:
    """Build a placeholder AST node of *width* characters at *column* of the line *source*."""
    node: Any = ast.Pass()
    node.lineno = node.end_lineno = line
    ends = (source[:column], source[: column + width])
    node.col_offset, node.end_col_offset = (len(text.encode(errors="replace")) for text in ends)
    return node


def _find_too_deep(tree: ast.Module) -> ast.AST | None:
    """Return a node that is nested too deep, or None; the walk itself does not nest."""
    level: list[ast.AST] = [tree]
    for _ in range(MAX_PROGRAM_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return None
    return next((node for node in level if hasattr(node, "lineno")), tree)


def check_program(program: str, known: KnownNames) -> Outcome[str]:
    """Check *program* without running it; the outcome has the program as its value."""
    lines = split_lines(program)
    flaws = Flaws(lines)
    tree = parse_program(program, flaws)
    if tree is None:
        return make_outcome(program, flaws)
    scan = Scan(tree, known.sandbox, flaws)
    statements = StatementChecker(known, scan, flaws)
    statements.check_program(tree)
    if statements.grows:
        # Once more, with less trust.
        flaws = Flaws(lines)
        scan = Scan(tree, known.sandbox, flaws)
        scan.take_care()
        StatementChecker(known, scan, flaws).check_program(tree)
    return make_outcome(program, flaws)


def make_outcome(program: str, flaws: Flaws) -> Outcome[Any]:
    """Return the outcome for *program* with its *flaws*, in the order of lines."""
    errors, warnings = (
        sorted(found, key=lambda flaw: (flaw.line, flaw.column))
        for found in (flaws.errors, flaws.warnings)
    )
    if errors:
        return Outcome(
            stage="program", errors=errors, warnings=warnings, rejected=program, unseen=flaws.unseen
        )
    return Outcome(program, (), warnings, "program")


# --- Programs in TypeScript: only the names of the tools that they call are checked ---


class Token(NamedTuple):
    """A TypeScript token, a word, string or sign, with its position."""

    kind: str
    text: str
    at: int


def iter_tokens(program: str) -> Iterator[Token]:
    """Yield the words, strings and signs of the TypeScript *program*, without comments.

    Parts of templates in `${…}` are passed, too.  A regular expression is read as signs and words,
    since only a parser can tell it from a division.

    >>> [token.text for token in iter_tokens("tools.find({a: 'x'}) // tools.no")]
    ['tools', '.', 'find', '(', '{', 'a', ':', 'x', '}', ')']
    """
    at, size = 0, len(program)
    while at < size:
        c = program[at]
        if c.isspace():
            at += 1
        elif program.startswith("//", at):
            end = program.find("\n", at)
            at = size if end < 0 else end
        elif program.startswith("/*", at):
            end = program.find("*/", at + 2)
            at = size if end < 0 else end + 2
        elif c in "\"'`":
            end = _end_of_text(program, at)
            yield Token("text", program[at + 1 : end - 1], at)
            at = end
        elif c.isidentifier() or c == "$":
            end = at + 1
            while end < size and (program[end].isidentifier() or program[end] in "$0123456789"):
                end += 1
            yield Token("word", program[at:end], at)
            at = end
        else:
            yield Token("sign", c, at)
            at += 1


def _end_of_text(program: str, at: int) -> int:
    """Return the position behind the string literal that begins at *at*."""
    quote, here = program[at], at + 1
    while here < len(program):
        c = program[here]
        if c == "\\":
            here += 2
        elif c == quote:
            return here + 1
        elif c == "\n" and quote != "`":
            # It is no text after all.
            return here
        else:
            here += 1
    return len(program)


def check_typescript(program: str, names: Collection[str]) -> Outcome[str]:
    """Check that the TypeScript *program* uses only tool names from *names*."""
    lines = split_lines(program)
    flaws = Flaws(lines)
    if len(program) > MAX_PROGRAM:
        said = f"the program has {len(program)} characters, and may have {MAX_PROGRAM}"
        flaws.errors.append(Flaw("size", said))
        return make_outcome(program, flaws)
    plain = "\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    line_at = 0
    for token in _iter_called(plain):
        while starts[line_at + 1] <= token.at:
            line_at += 1
        if token.text not in names:
            width = len(token.text) + (2 if token.kind == "text" else 0)
            node = _make_node(lines[line_at], line_at + 1, token.at - starts[line_at], width)
            near = flaws.suggest_near(token.text, lambda: {name: name for name in names})
            offered = "" if near else f"; there are {', '.join(list(names)[:10])}"
            flaws.add_error(
                "unknown_tool", node, f"there is no tool {quote_text(token.text)}{offered}", near
            )
    return make_outcome(program, flaws)


def _iter_called(program: str) -> Iterator[Token]:
    """Yield the tokens of tool names in *program*: `x` in `tools.x` and `tools["x"]`."""
    last = [Token("sign", "", 0)] * 3
    for token in iter_tokens(program):
        first, second, third = last
        is_whole = first.text != "."
        if is_whole and second == ("word", "tools", second.at) and third.text == "." != token.text:
            if token.kind == "word":
                yield token
        elif is_whole and second.text == "tools" and third.text == "[" and token.kind == "text":
            yield token
        last = [second, third, token]
