"""Programs in TypeScript: only the names of the tools that they call are checked."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from typesig.limits.programs import MAX_PROGRAM
from typesig.programs.checks.flaws import Flaw, Flaws
from typesig.programs.checks.program_check import make_outcome, split_lines
from typesig.validation.issues.excerpt import quote_text
from typesig.validation.outcome.outcome import Outcome


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
            node = _make_node(lines[line_at], line_at + 1, token.at - starts[line_at], token)
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


def _make_node(source: str, line: int, column: int, token: Token) -> Any:
    """Build a placeholder AST node with the position of *token* in the line *source*."""
    node: Any = ast.Pass()
    node.lineno = node.end_lineno = line
    node.col_offset = len(source[:column].encode(errors="replace"))
    width = len(token.text) + (2 if token.kind == "text" else 0)
    node.end_col_offset = node.col_offset + len(
        source[column : column + width].encode(errors="replace")
    )
    return node
