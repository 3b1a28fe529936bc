"""The text of a program is read: its syntax tree, or why there is none."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import Any

from typesig.extraction.callables.syntax import syntax_tree
from typesig.program_limits import MAX_PROGRAM, MAX_PROGRAM_DEPTH
from typesig.programs.checks.flaws import Flaw, Flaws


def lines_of(program: str) -> list[str]:
    """Return the lines of *program* as Python counts them."""
    return program.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def tree_of(program: str, flaws: Flaws) -> ast.Module | None:
    """Return the syntax tree of *program*; without one, *flaws* tell why."""
    if len(program) > MAX_PROGRAM:
        said = f"the program has {len(program)} characters, and may have {MAX_PROGRAM}"
        flaws.errors.append(Flaw("size", said))
        return None
    try:
        tree = _parsed(program)
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
    deep = _too_deep(tree)
    if deep is not None:
        flaws.error("depth", deep, _DEEP)
        return None
    return tree


_DEEP = f"the program nests deeper than {MAX_PROGRAM_DEPTH} levels; use variables for parts of it"


def _parsed(program: str) -> ast.Module:
    with warnings.catch_warnings():
        # A backslash that escapes nothing is only warned of.
        warnings.simplefilter("ignore")
        tree: ast.Module = syntax_tree(program)
    return tree


def _refuse(error: SyntaxError, flaws: Flaws) -> None:
    line, column = error.lineno or 0, error.offset or 1
    if sys.version_info < (3, 12) and error.msg.startswith("f-string"):
        # Later Pythons, and sandboxes, read quotes and comments within the braces.
        said = "this Python cannot read the f-string, so the program was not checked"
        flaws.warnings.append(Flaw("unchecked", said, "", line, 1, ""))
        return
    node: Any = ast.Pass()
    node.lineno, node.end_lineno = line, line
    source = flaws.line(line)
    node.col_offset = len(source[: column - 1].encode(errors="replace"))
    node.end_col_offset = node.col_offset + 1
    flaws.error("syntax", node, f"this is not Python: {error.msg}")


def _too_deep(tree: ast.Module) -> ast.AST | None:
    """Return a node that is nested too deep, or None; the walk itself does not nest."""
    level: list[ast.AST] = [tree]
    for _ in range(MAX_PROGRAM_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return None
    return next((node for node in level if hasattr(node, "lineno")), tree)
