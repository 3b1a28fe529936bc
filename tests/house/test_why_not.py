"""The page that compares typesig with others has what its program and the other pages say."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def alone() -> Any:
    """The program of the page."""
    kept = sys.path[:]
    from benchmarks import alone

    # It adds its folder, so that its processes find the modules beside it.
    sys.path[:] = kept
    return alone


def table(alone: Any, name: str) -> list[list[str]]:
    """Return the cells of a table of the page, the head first."""
    text = alone.PAGE.read_text(encoding="utf-8")
    part = text.partition(f"<!-- alone: {name} -->")[2].partition("<!-- end -->")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_the_copied_tables_are_those_of_the_other_pages(alone: Any) -> None:
    text = alone.PAGE.read_text(encoding="utf-8")

    assert set(re.findall(r"<!-- alone: (\w+) -->", text)) == {
        "calls", "answers", "hints", "time", "installs",
    }  # fmt: skip
    assert alone.page(text, {}) == text, "run python benchmarks/alone.py --write"


@pytest.mark.parametrize(("name", "cases"), [("calls", "CALLS"), ("answers", "ANSWERS")])
def test_the_page_has_a_row_for_each_mistake(alone: Any, name: str, cases: str) -> None:
    mistakes = [case.name for case in getattr(alone, cases)]

    assert mistakes == [row[0] for row in table(alone, name)[2:]][: len(mistakes)]


def test_the_columns_of_typesig_are_what_it_does(alone: Any) -> None:
    found = alone.verdicts("typesig")
    columns = {**found["answers"], "calls": {**found["calls"], "two": found["both"]}}
    shown = {}
    for name, labels in (("calls", ["typesig"]), ("answers", ["typesig", "typesig, lenient"])):
        head, _, *rows = table(alone, name)
        for label in labels:
            key = name if name == "calls" else label
            shown[key] = [row[head.index(label)] for row in rows]

    assert {key: list(each.values()) for key, each in columns.items()} == shown
