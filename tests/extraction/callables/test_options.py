"""The modules of extraction and tools: their imports, and the keywords of their options."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import typesig
from typesig.extraction.callables import options

PACKAGE = Path(typesig.__file__).parent


def imports(room: str) -> dict[str, set[str]]:
    """Return the modules of *room*, each with the modules of the room that it imports anywhere.

    Imports within functions count too, those of names for type checkers do not.
    """
    paths = {f"typesig.{room}.{path.stem}": path for path in (PACKAGE / room).glob("[!_]*.py")}
    return {
        name: {
            module
            for node in _loaded(path)
            if isinstance(node, ast.ImportFrom)
            for module in (node.module, *(f"{node.module}.{each.name}" for each in node.names))
            if module in paths
        }
        for name, path in paths.items()
    }


def _loaded(path: Path) -> Iterator[ast.AST]:
    """Yield the nodes of *path* that are more than names for type checkers."""
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        yield node
        typed = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        pending.extend(() if typed else ast.iter_child_nodes(node))


@pytest.mark.parametrize("room", ["extraction", "tools"])
def test_no_two_modules_of_a_room_need_each_other(room: str) -> None:
    left = imports(room)
    while free := {name for name, needs in left.items() if not needs & left.keys()}:
        left = {name: needs for name, needs in left.items() if name not in free}

    assert {} == left


def test_every_option_is_a_keyword_that_type_checkers_know() -> None:
    tree = ast.parse(Path(options.__file__).read_text(encoding="utf-8"))
    keywords = {
        node.name: [part.target.id for part in node.body if isinstance(part, ast.AnnAssign)]  # type: ignore[union-attr]
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }

    assert list(options.ANSWER_OPTIONS) == keywords["HintKeywords"]
    assert list(options.OPTIONS) == keywords["HintKeywords"] + keywords["OptionKeywords"]
