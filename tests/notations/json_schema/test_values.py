"""A `number` of JSON Schema: an int for it keeps its digits and its type."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import contract, from_json_schema

NUMBERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "one": {"type": "number"},
        "some": {"type": "array", "items": {"type": "number"}},
        "maybe": {"type": ["number", "null"]},
    },
}
ARGUMENTS = from_json_schema(NUMBERS, returns=None)
RESULT = from_json_schema(NUMBERS)


@typesig.tool(ARGUMENTS)
def pass_on(**given: Any) -> str:
    return json.dumps(given)


@typesig.tool(ARGUMENTS)
def take_floats(
    one: float = 0.0, some: list[float] | None = None, maybe: float | None = None
) -> str:
    return repr((one, some, maybe))


INTS = st.one_of(st.integers(-(10**30), 10**30), st.sampled_from([0, 42, 2**53 + 1, 10**300]))
DATA = st.fixed_dictionaries(
    {},
    optional={
        "one": INTS,
        "some": st.lists(INTS | st.floats(allow_nan=False, allow_infinity=False), max_size=3),
        "maybe": INTS | st.none(),
    },
)


@LAW
@given(DATA, st.sampled_from(["enabled", "lenient", "strict", "json", "warn_only", "disabled"]))
def test_an_int_for_a_number_stays_as_it_came(data: dict[str, Any], mode: Any) -> None:
    text = json.dumps(data)

    for outcome in (
        ARGUMENTS.validate_input(data, mode),
        RESULT.validate_and_coerce(data, mode),
        contract(RESULT).read(data, mode),
        contract(RESULT).read(text, mode),
        pickle.loads(pickle.dumps(RESULT)).validate_and_coerce(data, mode),
    ):
        assert text == json.dumps(outcome.result) == json.dumps(outcome.value)
        assert () == outcome.warnings
    assert text == pass_on.call(text, mode=mode).value


@LAW
@given(INTS)
def test_an_int_in_quotes_for_a_number_is_that_int(number: int) -> None:
    outcome = RESULT.validate_and_coerce({"one": str(number)})

    assert (number, int) == (outcome.result["one"], type(outcome.result["one"]))
    assert ["float_from_string"] == [warning.rule for warning in outcome.warnings]


@pytest.mark.parametrize(
    ("sent", "read"), [("1e26", 1e26), ("1.0", 1.0), ("-2.50", -2.5), ("7", 7), ("+7", 7)]
)
def test_other_numbers_in_quotes_follow_the_syntax_of_json(sent: str, read: float) -> None:
    result = RESULT.validate_and_coerce({"one": sent}).result["one"]

    assert (read, type(read)) == (result, type(result))


def test_a_hint_of_floats_receives_floats() -> None:
    sent = '{"one": 42, "some": [1, 2.5], "maybe": 7}'

    assert "(42.0, [1.0, 2.5], 7.0)" == take_floats.call(sent).value
    assert not take_floats.call('{"one": 9007199254740993}').ok


def test_a_float_of_other_notations_is_a_float() -> None:
    plain = typesig.parse("{one :float}")
    narrow = from_json_schema(
        {"type": "object", "properties": {"one": {"type": "number"}}}, profile="ptc_runner"
    )

    for s in (plain, narrow):
        result = s.validate_and_coerce({"one": 42}).result["one"]
        assert (42.0, float) == (result, type(result))
    for sent in (9007199254740993, "9007199254740993"):
        assert not plain.validate_and_coerce({"one": sent}).ok
    assert 1e26 == plain.validate_and_coerce({"one": "1e26"}).result["one"]
    assert 1.0 == plain.validate_and_coerce({"one": "1.0"}).result["one"]
    assert RESULT == typesig.parse(str(RESULT))
