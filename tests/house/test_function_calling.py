"""The functions of the installed function-calling leaderboard, as the program of tokens lists them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

TOOL = {"name": "book", "description": "Book a room.", "parameters": {"type": "object"}}


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import tokens

    yield tokens
    for name in ("tokens", "function_calling"):
        sys.modules.pop(name, None)


def saved(folder: Path, *rows: dict[str, Any], name: str) -> str:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


LEADERBOARD = {
    "BFCL_v4_simple_python.json": [
        {
            "id": "simple_python_0",
            "question": [[{"role": "user", "content": "Book Elm."}]],
            "function": [{**TOOL, "parameters": {"type": "dict"}}],
        }
    ],
    "BFCL_v4_irrelevance.json": [
        {
            "id": "irrelevance_0",
            "question": [[{"role": "user", "content": "Sing."}]],
            "function": [TOOL, {"name": "go", "parameters": {"type": "HashMap"}}],
        }
    ],
    "BFCL_v4_multi_turn_base.json": [{"id": "multi_turn_base_0", "question": [[], []]}],
    "possible_answer/BFCL_v4_simple_python.json": [
        {"id": "simple_python_0", "ground_truth": [{"book": {"room": ["Elm"], "note": [""]}}]}
    ],
    "possible_answer/BFCL_v4_multi_turn_base.json": [
        {"id": "multi_turn_base_0", "ground_truth": [[]]}
    ],
    "multi_turn_func_doc/files.json": [{"name": "find", "parameters": {"type": "dict"}}, TOOL],
}


@pytest.fixture
def leaderboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bfcl_eval" / "data"
    for name, rows in LEADERBOARD.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        saved(folder, *rows, name=name)
    (folder / "BFCL_v4_format_sensitivity.json").write_text('{\n"simple": []}', "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_the_functions_of_the_installed_leaderboard_are_listed(
    tokens: ModuleType, leaderboard: Path
) -> None:
    listed = list(tokens.from_file(Path("bfcl_eval"), False))
    found = [(tool.server, tool.name) for tool in listed]

    assert [
        ("BFCL_v4_irrelevance 1", "book"),
        ("BFCL_v4_irrelevance 1", "go"),
        ("BFCL_v4_simple_python 1", "book"),
        ("files 1", "find"),
    ] == found


def test_a_leaderboard_that_is_not_installed_is_told(tokens: ModuleType) -> None:
    with pytest.raises(FileNotFoundError, match="pip install --no-deps bfcl-eval"):
        list(tokens.from_file(Path("bfcl_eval"), False))
