"""Answers with other text around them: each reading gives the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TypedDict

import pydantic
import pytest

from typesig import contract


@dataclass
class Item:
    id: int
    title: str
    level: int = 3


@dataclass
class Plain:
    id: int
    title: str


@pytest.mark.parametrize("text", ["```json\nnone\n```", "Here: {", "} and {", "] so: [", "a: } {"])
def test_text_without_a_value_is_refused(text: str) -> None:
    asked = contract(list[Item])

    for _ in range(4):
        assert not asked.read(text).ok


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ('```json\n{"id": 1, "title": "x"}\n```', True),
        ("```json\nnone\n```", False),
        ('Here: {"id": 1, "title": "x"}', True),
        ("Here: nothing", False),
        ('Here: {"id": 1} and {"title": "x"}', False),
    ],
)
def test_an_answer_in_other_text_is_read_each_time_alike(text: str, is_read: bool) -> None:
    class Row(TypedDict):
        id: int
        title: str

    for hint in (Row, Item, Plain):
        asked = contract(hint)
        for _ in range(70):
            assert asked.read('{"id": 1, "title": "x"}').value["title"] == "x"
        for _ in range(8):
            outcome = asked.read(text)
            assert is_read is outcome.ok
            assert not is_read or outcome.value["title"] == "x"


def test_the_value_of_an_answer_in_prose_is_what_was_read() -> None:
    asked, text = contract(list[Item]), '[{"id": 1, "title": "x", "level": 2}]'
    for _ in range(8):
        outcome = asked.read(f"Here it is:\n{text}\nDone.")
        assert [Item(1, "x", 2)] == outcome.result
        assert [{"id": 1, "title": "x", "level": 2}] == outcome.value
        assert outcome.warnings


@dataclass
class Visit:
    guests: pydantic.StrictInt
    day: date = date(2026, 1, 1)


def test_an_answer_with_a_strict_field_is_checked_where_more_than_its_text_is_coerced():
    visits = contract(Visit)
    for _ in range(30):
        outcome = visits.read('{"guests": 1, "day": "2026-01-02", "note": "x"}')
        assert outcome.result == Visit(1, date(2026, 1, 2))
        assert [str(warning) for warning in outcome.warnings] == ["note: unexpected key dropped"]
        wrong = visits.read('{"guests": "1", "day": "2026-01-02", "note": "x"}')
        assert [str(error) for error in wrong.errors] == ['guests: expected int, got string "1"']
