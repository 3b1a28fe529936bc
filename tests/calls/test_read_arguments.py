"""Arguments and answers that a plan reads, or that are coerced at once: plain examples."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from typesig import contract, tool
from typesig.calls.decoding import takes_all
from typesig.calls.generated.answer_readers import _read_other
from typesig.extraction.python_types.decoders import ItemsDecoder, LeafDecoder, NullableDecoder
from typesig.extraction.python_types.text_readers import find_text_test
from typesig.validation.policy import ENABLED


@dataclass
class Counted:
    n: int

    def __post_init__(self) -> None:
        self.n += 1


@dataclass
class Item:
    id: int
    names: list[str] | None = None


def two_classes(a: Counted, b: Counted, day: dt.date) -> list[Any]:
    return [a.n, b.n, day.isoformat()]


def beside(tags: list[str], day: dt.date, seen: set[int]) -> list[Any]:
    return [tags, day.isoformat(), sorted(seen)]


def nested(days: list[list[dt.date]]) -> list[int]:
    return [len(days), len(days[0])]


CALLS: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    (two_classes, {"a": {"n": 1}, "b": {"n": 2}, "day": "2026-01-31"}, {"day": "x"}),
    (beside, {"tags": ["a"], "day": "2026-01-31", "seen": [2, 1]}, {"tags": 3}),
    (nested, {"days": [["2026-01-31"]]}, {"days": [["2026-02-30"]]}),
]


@pytest.mark.parametrize(("function", "sent", "wrong"), CALLS)
def test_arguments_are_read_as_the_first_time(
    function: Any, sent: dict[str, Any], wrong: dict[str, Any]
) -> None:
    made = tool(function)
    first = made.call(json.dumps(sent)).result
    refused = made.call({**sent, **wrong}).errors

    assert refused
    for _ in range(6):
        assert first == made.call(json.dumps(sent)).result
        assert first == made.call(sent).result
        assert refused == made.call({**sent, **wrong}).errors


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (Item, '{"id": "x"}'), (Item, '{"id": "3"}'), (Item, '{"id": "x", "id": 3}'), (int, '"7"'), (int, '"x"'),
        (list[Item], '[{"id": 1, "names": [2]}]'), (Item, '{"id": 1.50}'), (dt.date, '"2026-02-30"'),
        (Counted, '{"n": "x"}'), (Decimal, "[1.50]"), (dict[str, int], '{"a": "1"}'),
    ],
)  # fmt: skip
def test_wrong_and_coerced_answers_are_told_as_the_first_time(hint: Any, text: str) -> None:
    def describe(outcome: Any) -> Any:
        told = outcome.errors, outcome.warnings, outcome.stage, outcome.rejected, outcome.unseen
        return told, outcome.ok and outcome.result, outcome.report()

    warm = contract(hint)
    first = describe(warm.read(text))
    for _ in range(30):
        assert first == describe(warm.read(text))


def test_decoders_that_take_all_that_the_check_leaves() -> None:
    leaf = LeafDecoder(int)
    for plan, known in [
        (None, True), (NullableDecoder(None), True), (ItemsDecoder(None), True), (leaf, False),
        (NullableDecoder(leaf), False), (ItemsDecoder(leaf), False), (ItemsDecoder(None, set), False),
        (contract(Item)._host.returns, True), (contract(Counted)._host.returns, False),
    ]:  # fmt: skip
        assert known == takes_all(plan)


def test_a_text_that_is_no_json_is_not_coerced() -> None:
    warm = contract(int)
    about: Any = warm._get_context(ENABLED)
    about.keeps_digits = True

    assert _read_other(about, lambda data: data, "x", None) is None
    assert _read_other(about, lambda data: data, "3", 3) == 3


def test_texts_of_other_formats_have_no_test() -> None:
    assert find_text_test(()) is None
    returns: Any = contract(":string[email]").signature.returns
    assert find_text_test(returns.constraints) is None


def test_the_test_of_a_format_returns_the_text() -> None:
    decimal: Any = contract(":string[decimal]").signature.returns
    day: Any = contract(":string[date]").signature.returns

    test, days = find_text_test(decimal.constraints), find_text_test(day.constraints)

    assert test is not None
    assert test.parse_list is None
    assert test.parse("1.50") == "1.50"
    assert days is not None
    assert days.parse_list is not None
    assert days.parse_list(["2026-01-31"]) == ["2026-01-31"]
