"""A list of one item where a scalar is asked for: read in `lenient` only, with a warning."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import contract

READ = [
    (":int", [3], 3, ["item_from_list"]),
    (":int", ["3"], 3, ["item_from_list", "int_from_string"]),
    (":string", ["a"], "a", ["item_from_list"]),
    (":string?", ["a"], "a", ["item_from_list"]),
    (":bool", [True], True, ["item_from_list"]),
    (":float", [2], 2.0, ["item_from_list"]),
    (":int|:bool", [True], True, ["item_from_list"]),
    (':enum["a" "b"]', ["b"], "b", ["item_from_list"]),
    (":int[1..9]", [3], 3, ["item_from_list"]),
    ("{n :int, s :string}", {"n": [1], "s": ["x"]}, {"n": 1, "s": "x"}, ["item_from_list"] * 2),
    (":map[:int]", {"a": [1]}, {"a": 1}, ["item_from_list"]),
]
REFUSED = [
    (":int", []), (":int", [1, 2]), (":int", [[1]]), (":int?", [None]), (":int", ["x"]),
    (":int[1..9]", [10]), ("[:int]", [[1]]), ("{n :int}", [{"n": 1}]), (":map", [{}]),
    ("#{:string}", [["a"]]), ('{n :enum["a"]}', {"n": ["b"]}),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "sent", "value", "rules"), READ)
def test_the_only_item_of_a_list_is_read_in_lenient(
    hint: str, sent: Any, value: Any, rules: list[str]
) -> None:
    s = typesig.parse(hint)
    # The first calls and the later ones are of different code.
    for _ in range(40):
        outcome = s.validate_and_coerce(sent, "lenient")
        assert value == outcome.value
        assert rules == [warning.rule for warning in outcome.warnings]
    assert not s.validate_and_coerce(sent).ok
    assert not s.validate_and_coerce(sent, "strict").ok


@pytest.mark.parametrize(("hint", "sent"), REFUSED)
def test_another_list_for_a_scalar_is_refused(hint: str, sent: Any) -> None:
    outcome = typesig.parse(hint).validate_and_coerce(sent, "lenient")

    assert outcome.errors
    assert "item_from_list" not in {warning.rule for warning in outcome.warnings}


def test_a_value_that_takes_a_list_stays_a_list() -> None:
    for hint in (":any", "[:string]", ":int|[:int]", ":not[:int]"):
        sent = ["a"] if hint != ":int|[:int]" else [1]
        outcome = typesig.parse(hint).validate_and_coerce(sent, "lenient")
        assert (sent, ()) == (outcome.value, outcome.warnings)


def test_calls_and_answers_are_read_alike() -> None:
    @typesig.tool
    def move(item: str, steps: int = 1, way: Literal["up", "down"] = "up") -> str:
        return f"{item} {steps} {way}"

    for _ in range(40):
        outcome = move.call('{"item": ["a"], "steps": ["2"], "way": ["down"]}', mode="lenient")
        assert "a 2 down" == outcome.value
    assert not move.call({"item": ["a"]}).ok
    assert 3 == contract(int).read("[3]", "lenient").result
    assert not contract(int).read("[3]").ok


@LAW
@given(st.integers() | st.text() | st.booleans())
def test_the_item_is_read_as_it_would_be_alone(item: Any) -> None:
    for hint in (":int", ":string", ":bool", ":int|:string"):
        s = typesig.parse(hint)
        alone, listed = (s.validate_and_coerce(sent, "lenient") for sent in (item, [item]))
        assert alone.ok == listed.ok
        if alone.ok:
            assert (alone.value, len(alone.warnings) + 1) == (listed.value, len(listed.warnings))


def test_the_text_of_an_open_model_is_read_by_the_mode_that_is_given() -> None:
    @typesig.tool
    def add(a: int, b: int) -> int:
        return a + b

    tools = typesig.tools_of([add])
    text = '<tool_call>\n{"name": "add", "arguments": {"a": [1], "b": "2"}}\n</tool_call>'

    def outcomes(**options: Any) -> list[bool]:
        return [call.outcome.ok for call in tools.read(text, **options).calls]

    assert [False] == outcomes()
    assert [True] == outcomes(mode="lenient")
    assert [True] == outcomes(dialect="hermes", mode="lenient")
    assert [False] == outcomes(mode="strict")
