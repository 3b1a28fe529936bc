"""A scalar test is true only for values that the check takes, and leaves as they are."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from annotated_types import Ge, Le, MinLen, MultipleOf

import typesig
from tests.generated_off import switch_off
from typesig.validation.check.check import compile_checker
from typesig.validation.check.value_classes import ItemsTest, find_scalar_test
from typesig.validation.check_state import CheckState
from typesig.validation.policy import ENABLED, LENIENT, STRICT

HINTS: list[Any] = [
    int, float, str, bool, None, Any, datetime, int | None, Literal["a", "b"], Literal[1, 2, "a"],
    Literal[1, None], int | str, int | float, Annotated[int, Ge(1), Le(3)], Annotated[float, Ge(1)],
    Annotated[float, Le(1.5)], Annotated[str, MinLen(2)], Annotated[int, MultipleOf(2)],
    Annotated[int, Ge(1)] | Annotated[str, MinLen(2)], UUID, list[int], dict[str, int],
    Annotated[int, Ge(1)] | Annotated[int, Le(-1)],
]  # fmt: skip

VALUES: list[Any] = [
    0, 1, 2, 5, -1, 10**400, -(10**400), 1.0, 1.5, 2.5, float("nan"), float("inf"), "", "a", "b",
    "ab", "a@b.de", "1", True, False, None, [1], {"a": 1},
]  # fmt: skip


@pytest.mark.parametrize("policy", [ENABLED, STRICT, LENIENT, ENABLED.for_output()])
def test_what_a_test_takes_the_check_leaves_as_it_is(policy: Any) -> None:
    for hint in HINTS:
        t = typesig.contract(hint).signature.returns
        check, items = compile_checker(t, (), policy), ItemsTest(t)
        for value in VALUES:
            test = find_scalar_test(t, type(value))
            is_taken = test is not None and bool(test(value))
            state = CheckState(1)
            made = check(value, state)
            assert not is_taken or (made is value and not state.found)
            assert not items([value] * 3) or is_taken
        for first in VALUES:
            for second in VALUES:
                if items([first, second, first]):
                    assert items([first])
                    assert items([second])


@pytest.mark.parametrize(
    ("hint", "value", "is_taken"),
    [
        (":int", [1, 2], True), (":int", [1, 10**400], False), (":float", [1.5, 2.5], True),
        (":float", [1.5, float("nan")], False), (":int | :string", [1, "a"], True),
        (":int?", [1, None], True), (":int", [], True), (":int", [True], False),
        (":datetime", ["a"], False), ("[:int]", [[1]], False),
    ],
)  # fmt: skip
def test_items_are_tested_at_once(hint: str, value: Any, is_taken: bool) -> None:
    assert ItemsTest(typesig.parse(f"() -> {hint}").returns)(value) is is_taken


@pytest.mark.parametrize("value", [[1], [1, 2] * 9, [1.5] * 9, ["x"] * 9, [None, 1] * 9, [1, "x"]])
def test_results_are_the_same_by_closures(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(hint: Any) -> list[Any]:
        def give() -> Any:
            return value

        give.__annotations__["return"] = hint
        made = typesig.tool(give)
        return [made.call({}).report() for _ in range(6)] + [made.call({}).text()]

    hints = [list[int], list[float], list[str], list[int | None], list[int | str], set[int], list]
    known = [told(hint) for hint in hints]
    switch_off(monkeypatch)

    assert known == [told(hint) for hint in hints]


@pytest.mark.parametrize("mode", ["enabled", "disabled"])
def test_texts_that_need_care_are_left_by_the_first_readings(mode: typesig.ModeName) -> None:
    made = typesig.contract(list[Annotated[float, Le(1.5)]], mode=mode)
    told = [
        made.read(text).report() for _ in range(30) for text in ("[1.50000000000000000001]", "[1")
    ]

    assert told == told[:2] * 30
