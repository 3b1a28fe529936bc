"""The blocks of the page on other libraries run, each where what it imports is installed."""

from __future__ import annotations

import ast
import sys
import types

import pytest

from tests.house.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "migrate.md"
BLOCKS = {line: text for language, text, line in blocks(PAGE) if language == "py"}


def imported(text: str) -> set[str]:
    """Return the packages that a block imports."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found


def test_blocks_of_another_library_import_it() -> None:
    found = set().union(*map(imported, BLOCKS.values()))

    assert {"fastmcp", "instructor", "langchain_core", "typesig"} <= found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", BLOCKS)
def test_a_block_of_another_library_runs(line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in sorted(imported(BLOCKS[line])):
        pytest.importorskip(name)
    if "bridges" in BLOCKS[line]:
        pytest.importorskip("langchain_core")
    if "typesig.mcp" in BLOCKS[line]:
        pytest.importorskip("mcp")
    module = types.ModuleType("page_migrate")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for language, text, at in blocks(PAGE):
        if language == "python" and ">>>" not in text:
            exec(compile(text, f"{PAGE.name}:{at}", "exec"), module.__dict__)
    exec(compile(BLOCKS[line], f"{PAGE.name}:{line}", "exec"), module.__dict__)
