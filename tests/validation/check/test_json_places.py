"""Values that models send in another shape: what is mended in each mode, and what never is."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, valued
from typesig import Policy, contract, tool
from typesig.algebra.nodes import Both, List, Maybe, Not, Record
from typesig.algebra.signature import make_type_signature
from typesig.validation.check.place_coercions import takes_text
from typesig.validation.check_state import CheckState
from typesig.validation.coercions import COERCIONS
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import LENIENT

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "mending" / "rows.txt"
ROWS = [
    [part.strip() for part in line.split("¦")]
    for line in CORPUS.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("mode", "params", "sent", "value", "told"), ROWS)
def test_each_row_is_mended_or_refused_as_it_says(
    mode: Any, params: str, sent: str, value: str, told: str
) -> None:
    head, _, where = params.partition(" where ")
    s = typesig.parse(f"{head} -> :any" + (f" where {where}" if where else ""))
    outcome = s.validate_input(json.loads(sent), mode)

    assert value == ("refused" if outcome.errors else json.dumps(outcome.value, ensure_ascii=False))
    assert told == " ;; ".join(map(str, outcome.errors or outcome.warnings))
    assert value == "refused" or all(warning.rule for warning in outcome.warnings)


def test_the_corpus_has_enough_rows_of_either_sort() -> None:
    refused = [row for row in ROWS if row[3] == "refused"]

    assert len(ROWS) >= 200
    assert len(refused) >= 80


# Calls


@tool
def search(query: str, max_rows: int = 10) -> str:
    return f"{query} {max_rows}"


@tool
def any_name(**options: int) -> int:
    return len(options)


@tool
def nothing() -> str:
    return "ran"


@pytest.mark.parametrize(
    ("arguments", "value", "rules"),
    [
        ('"{\\"query\\": \\"a\\"}"', "a 10", ["arguments_from_string"]),
        ({"search": {"query": "a"}}, "a 10", ["arguments_from_wrapper"]),
        ('{"search": "{\\"query\\": \\"a\\"}"}', "a 10", ["arguments_from_wrapper"]),
        ({"query": "a", "maxRows": 3}, "a 3", ["key_ignoring_case"]),
        ({"query": '{"a": 1}'}, '{"a": 1} 10', []),
    ],
)
def test_a_call_is_mended_with_a_warning(arguments: Any, value: str, rules: list[str]) -> None:
    outcome = search.call(arguments)

    assert value == outcome.value
    assert rules == [warning.rule for warning in outcome.warnings]


@pytest.mark.parametrize(
    "arguments", ['"{\\"query\\": \\"a\\"}"', {"search": {"query": "a"}}, {"Query": "a"}, ""]
)
def test_a_call_in_strict_is_not_mended(arguments: Any) -> None:
    assert search.call(arguments, mode="strict").errors


@pytest.mark.parametrize("arguments", ["", " ", "null", b"", b"null", '""'])
def test_nothing_stands_for_no_arguments(arguments: Any) -> None:
    outcome = nothing.call(arguments)

    assert "ran" == outcome.value
    assert ["arguments_from_nothing"] == [warning.rule for warning in outcome.warnings]
    assert ["query: expected string, got nil (missing)"] == [
        str(error) for error in search.call(arguments).errors
    ]


def test_null_text_stays_no_arguments_in_strict_and_a_host_may_send_none() -> None:
    assert () == nothing.call("null", mode="strict").warnings
    assert "ran" == nothing.call("null", mode="strict").value
    assert () == nothing.call(None).warnings
    assert "ran" == nothing.call("null", mode="disabled").value
    assert nothing.call("", mode="disabled").errors


def test_names_that_go_to_kwargs_are_meant_as_they_are_spelled() -> None:
    @tool
    def both_sorts(max_rows: int = 1, **options: Any) -> str:
        return f"{max_rows} {sorted(options)}"

    assert "1 ['maxRows']" == both_sorts.call({"maxRows": 3}).value
    assert "1 ['input']" == both_sorts.call({"input": {"max_rows": 3}}).value
    assert 1 == any_name.call({"input": 3}).value


def test_injected_and_firewalled_names_take_no_part() -> None:
    @tool
    def act(query: str, input: typesig.Injected[str] = "mine", _key: str = "secret") -> str:
        return f"{query} {input} {_key}"

    assert act.call({"input": {"query": "a"}}).errors
    assert "a mine secret" == act.call({"query": "a", "Input": "x", "KEY": "y"}).value
    (*_, last) = act.call({"query": "a", "_Key": "x"}).warnings
    assert "_key" not in str(last)


# Places


def test_an_answer_is_mended_too() -> None:
    assert [1, 2] == contract(list[int]).read('"[1, 2]"').result
    assert {"a_b": 1} == contract("{a_b :int}").read('{"aB": 1}').result
    assert "[1]" == contract(str).read('"[1]"').result


def test_a_near_name_is_read_for_the_whole_of_an_intersection() -> None:
    s = typesig.from_json_schema(
        {
            "allOf": [
                {"type": "object", "properties": {"dryRun": {"type": "boolean"}}},
                {"type": "object", "properties": {"name": {"type": "string"}}},
            ]
        }
    )
    read = s.validate_and_coerce({"dry_run": True, "name": "a"})

    assert isinstance(s.returns, Both)
    assert {"dryRun": True, "name": "a"} == read.result
    assert ["key_ignoring_case"] == [warning.rule for warning in read.warnings]
    assert {"dryRun": True} == s.validate_and_coerce({"dryRun": True}).result
    assert s.validate_and_coerce(3).errors
    assert not s.validate_and_coerce({"dry_run": 1}, "strict").ok


def test_a_near_name_of_one_member_may_be_a_name_of_another() -> None:
    s = typesig.from_json_schema(
        {
            "allOf": [
                {"type": "object", "properties": {"aB": {"type": "integer"}}},
                {"type": "object", "properties": {"a_b": {"type": "integer"}}},
            ]
        }
    )

    assert {"a_b": 1} == s.validate_and_coerce({"a_b": 1}).result


def test_exactly_one_branch_that_reads_without_a_guess_comes_first() -> None:
    s = typesig.from_json_schema({"oneOf": [{"type": "boolean"}, {"type": "integer"}]})
    guessing = typesig.parse(":one[:int, :string[decimal]]")

    assert s.validate_and_coerce("yes", "lenient").result is True
    assert 3 == s.validate_and_coerce("3", "lenient").result
    assert 4 == typesig.parse(":one[:int, :bool]").validate_and_coerce(4.0, "lenient").result
    assert "4.0" == guessing.validate_and_coerce(4.0, "lenient").result
    assert guessing.validate_and_coerce([], "lenient").errors


def test_a_naive_datetime_is_read_in_the_zone_of_the_policy_only() -> None:
    s = typesig.parse("{at :datetime}")
    sent = {"at": "2026-01-31 10:00"}

    assert s.validate_and_coerce(sent, "lenient").errors
    assert s.validate_and_coerce(sent, Policy(naive_datetime="UTC")).errors
    read = s.validate_and_coerce(sent, LENIENT.changed(naive_datetime="UTC"))
    assert {"at": "2026-01-31T10:00:00Z"} == read.value
    assert s.validate_and_coerce({"at": 3}, LENIENT.changed(naive_datetime="UTC")).errors


def test_the_value_of_a_secret_within_json_text_is_not_shown() -> None:
    outcome = typesig.parse("(x {key :string}) -> :any").validate_input({"x": '{"key": "hidden"}'})

    assert outcome.ok
    assert "hidden" not in outcome.report()


def test_json_text_in_json_text_is_read_once_for_all_branches() -> None:
    s = typesig.parse(
        ":T where T = {a :T}|{a :T, b :int}|{a? :int}",
    )
    sent: Any = {"a": 1}
    for _ in range(12):
        sent = {"a": json.dumps(sent)}

    assert s.validate_and_coerce(sent).ok


def test_text_is_a_value_of_what_is_not_something_else() -> None:
    assert takes_text(Not(List(Record(()))), {})
    assert not takes_text(Maybe(List(Record(()))), {})


# Laws


MODES = ("strict", "enabled", "lenient")


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[Any, Any]:
    """Draw a type and plain data that nearly is a value of it."""
    signature, value = draw(valued())
    value = to_plain(value)
    return signature, draw(_spoilt(value))


@st.composite
def _spoilt(draw: st.DrawFn, value: Any) -> Any:
    match draw(st.integers(0, 5)):
        case 0 if isinstance(value, dict | list):
            return json.dumps(value)
        case 1 if isinstance(value, list) and len(value) == 1:
            return value[0]
        case 2 if isinstance(value, dict):
            return {
                key.upper() if isinstance(key, str) else key: draw(_spoilt(item))
                for key, item in value.items()
            }
        case 3 if value is None or isinstance(value, bool):
            return str(value)
        case _ if isinstance(value, dict):
            return {key: draw(_spoilt(item)) for key, item in value.items()}
        case _ if isinstance(value, list):
            return [draw(_spoilt(item)) for item in value]
        case _:
            return value


@LAW
@given(spoilt())
def test_a_wider_mode_reads_what_a_narrower_mode_reads_with_an_equal_value(case: Any) -> None:
    signature, sent = case
    outcomes = [signature.validate_and_coerce(sent, mode) for mode in MODES]

    for narrow, wide in pairwise(outcomes):
        if narrow.ok:
            assert wide.ok
            assert narrow.result == wide.result


@LAW
@given(spoilt(), st.sampled_from(MODES))
def test_what_is_mended_fits_and_is_not_mended_again(case: Any, mode: Any) -> None:
    signature, sent = case
    read = signature.validate_and_coerce(sent, mode)

    if read.ok:
        assert signature.accepts(read.result)
        again = signature.validate_and_coerce(read.result, mode)
        assert read.result == again.result


@LAW
@given(spoilt())
def test_strict_mends_nothing(case: Any) -> None:
    signature, sent = case

    rules = {warning.rule for warning in signature.validate_and_coerce(sent, "strict").warnings}

    # JSON's form of a scalar is read, and a null takes a default, in every mode.
    assert rules <= {name for name, when in COERCIONS.items() if when == "always"} | {
        "absent_from_null"
    }


@LAW
@given(
    st.recursive(st.integers() | st.text(), lambda t: st.lists(t) | st.dictionaries(st.text(), t))
)
def test_a_text_parameter_stays_text(data: Any) -> None:
    s = make_type_signature(typesig.parse(":string").returns)

    for mode in MODES:
        assert json.dumps(data) == s.validate_and_coerce(json.dumps(data), mode).result


def test_what_is_read_from_a_text_is_kept_while_the_check_runs() -> None:
    run = CheckState(1)
    from typesig.validation.check.place_coercions import _read_once

    text = "[1]"
    assert _read_once(text, run) is _read_once(text, run)


def test_a_key_that_is_kept_changes_no_choice_between_branches() -> None:
    first = typesig.parse("{ab :int}|{ab :int, c? :int}")
    found = first.validate_and_coerce({"ab": 1, "aB": 2})
    assert {"ab": 1, "aB": 2} == found.value
    assert ["aB: unexpected key kept (did you mean ab?)"] == [str(w) for w in found.warnings]
    plain = typesig.parse(":string|{ab :int}").validate_and_coerce({"ab": 1, "aB": 2})
    assert ["aB: unexpected key kept (did you mean ab?)"] == [str(w) for w in plain.warnings]


def test_quotes_side_by_side_at_the_end_of_a_text_are_refused() -> None:
    outcome = typesig.contract("{a :string}").read('{"a": "x """}', mode="lenient")

    assert [
        "the answer is not valid JSON: Expecting ',' delimiter at line 1 column 11 (it is not plain "
        "which quotes belong to a text at line 1 column 7; send JSON text alone)"
    ] == [str(error) for error in outcome.errors]
