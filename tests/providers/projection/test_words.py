"""Feedback in the words of the notation in which a tool was shown."""

from __future__ import annotations

import copy
import json
import pickle
import re
from datetime import datetime
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Le, MinLen
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, conforming, fields_of, near_misses, signatures
from typesig.algebra.nodes import STRING
from typesig.algebra.rows.values import Keyword
from typesig.algebra.signature import Signature
from typesig.contracts.rehearsals.rehearsal import call_of
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.words import (
    JSON_SCHEMA,
    json_literal,
    translate_text,
    write_answer,
    write_arguments,
)
from typesig.validation.plain_data import to_plain

VENDORS: list[tuple[Any, dict[str, Any]]] = [
    ("openai", {}),
    ("openai", {"strict": True}),
    ("anthropic", {}),
    ("gemini", {}),
    ("mcp", {}),
]

#: What only signatures say, outside of quoted texts.
_ONLY_THERE = re.compile(
    r"\b(nil|map|list|set|keyword|bool|int|float|datetime)\b|(?<!\w):[a-z]|#\{|\}!"
)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def _said_in_signatures(told: str, known: set[str]) -> list[str]:
    """Return what *told* says in the words of signatures, besides names that are *known*."""
    found = [match.group() for match in _ONLY_THERE.finditer(_QUOTED.sub('""', told))]
    return [each for each in found if each not in known]


def _names_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {*value, *[name for each in value.values() for name in _names_in(each)]}
    return (
        {name for each in value for name in _names_in(each)} if isinstance(value, list) else set()
    )


@pytest.mark.parametrize("vendor", VENDORS, ids=str)
@LAW
@given(data=st.data())
def test_what_handle_sends_has_no_words_that_only_signatures_have(
    vendor: Any, data: st.DataObject
) -> None:
    drawn = data.draw(signatures())
    taken = Signature(drawn.params, STRING, drawn.names, drawn.extra)
    fitting = to_plain(data.draw(conforming(taken.arguments, taken.names)))
    wrong = data.draw(near_misses(fitting))
    try:
        sent = json.loads(json.dumps(wrong, allow_nan=False))
    except (TypeError, ValueError):
        return
    run = typesig.tool(taken, name="f")(lambda **sent: "ran")
    provider, options = vendor
    made = typesig.tools_of([run]).project(provider, **options)
    for one in made.tools.values():
        [message] = made.handle(call_of(made.provider, made.profile.api, one.name, sent))
        outcome = one.call(one.encode_arguments(sent) if isinstance(sent, dict) else sent)
        told = one.feedback(sent, outcome)
        known = {field.name for field in fields_of(taken)} | _names_in(sent) | {*taken.names}

        assert [] == _said_in_signatures(told, known)
        assert ("" == told) or told.splitlines()[0] in json.dumps(message)


@LAW
@given(data=st.data())
def test_both_vocabularies_tell_of_the_same_issues(data: st.DataObject) -> None:
    signature = data.draw(signatures())
    fitting = to_plain(data.draw(conforming(signature.arguments, signature.names)))
    found = signature.validate_input(data.draw(near_misses(fitting)))
    one, other = found.report(words="signature"), found.report(words="json_schema")

    assert found.report() == one
    assert len(one.splitlines()) == len(other.splitlines())
    for issue in (*found.errors, *found.warnings):
        where = str(issue)[: len(str(issue)) - len(issue.message)]

        assert issue._write_line(JSON_SCHEMA).startswith(where)


class Item(dict[str, Any]):
    """A map of another class."""


@typesig.tool
def plan(
    room: Literal["Elm", "Fir"],
    seats: Annotated[int, Ge(1), Le(9)],
    price: float | None,
    at: datetime,
    tags: Annotated[list[str], MinLen(1)],
    sizes: dict[str, int],
    both: tuple[int, str],
    extra: bool = False,
) -> str:
    """Plan it."""
    return ""


def test_feedback_of_a_projected_tool_has_the_words_of_json_schema() -> None:
    sent = {
        "room": None,
        "seats": 12,
        "price": {},
        "at": [],
        "tags": [],
        "sizes": {"a": None},
        "both": 2.5,
    }
    one = typesig.tools_of([plan]).project("openai").tools["plan"]

    assert (
        "Tool validation errors:\n"
        "{\n"
        '  "room": null,  // expected one of ["Elm", "Fir"], got null\n'
        '  "seats": 12,  // expected integer (minimum 1, maximum 9), got integer 12\n'
        '  "price": {},  // expected number, got object {}\n'
        '  "at": [],  // expected string (format date-time), got array [] '
        "(write it as YYYY-MM-DDTHH:MM:SSZ)\n"
        '  "tags": [],  // expected array (minItems 1), got array []\n'
        '  "sizes": {\n'
        '    "a": null  // expected integer, got null\n'
        "  },\n"
        '  "both": 2.5  // expected array, got number 2.5\n'
        "}\n\n"
        'A call that fits: plan with {"room": "Elm" or "Fir", '
        '"seats": integer (minimum 1, maximum 9), "price": number or null (optional), '
        '"at": string (format date-time), "tags": array of string (minItems 1), '
        '"sizes": object whose values are integer, "both": [integer, string], '
        '"extra": boolean (optional, default false)}'
    ) == one.feedback(sent, one.call(sent))


def test_a_tool_that_is_called_itself_keeps_the_words_of_signatures() -> None:
    sent = {"seats": None}

    assert "seats: expected int[1..9], got nil" in plan.call(sent).report()
    assert "room: expected one of [" in plan.call(sent).report()
    assert "got nil (missing)" in plan.call(sent).report()


def test_an_answer_that_was_projected_is_told_in_the_words_of_json_schema() -> None:
    made = typesig.contract("{n :int?, kind :enum[:a nil 2], many #{:int}}")
    sent = '{"n": {}, "kind": "c", "many": 1}'
    projected = made.project("anthropic").read(sent)
    read = made.read(sent)

    assert "expected one of [:a, nil, 2]" in read.feedback()
    assert read.feedback(words="json_schema").startswith(
        "Answer validation errors:\n"
        "{\n"
        '  "n": {},  // expected integer, got object {}\n'
        '  "kind": "c",  // expected one of ["a", null, 2], got "c"\n'
        '  "many": 1  // expected array, got integer 1\n'
        "}\n\n"
        'Answer with JSON that fits: {"n": integer or null (optional), '
        '"kind": "a" or null or 2, "many": array of integer, each once}'
    )
    assert 'expected one of ["a", null, 2]' in projected.feedback()
    assert "expected one of [:a, nil, 2]" in projected.feedback(words="signature")


def test_words_that_there_are_not_are_refused() -> None:
    found = plan.call({})

    with pytest.raises(typesig.TypesigError) as raised:
        found.feedback(words="xml")  # type: ignore[arg-type]  # the mistake

    assert "words are 'signature' or 'json_schema', not 'xml'" == str(raised.value)


def test_a_pickled_outcome_keeps_its_words_and_both_texts() -> None:
    one = typesig.tools_of([plan]).project("openai").tools["plan"]
    found = one.call({"room": None})
    again = pickle.loads(pickle.dumps(found))
    [issue, *_] = copy.deepcopy(again).errors

    assert found.report() == again.report()
    assert found.report(words="signature") == again.report(words="signature")
    assert ("nil", "null") == (issue.got, translate_text(issue.got, JSON_SCHEMA))


PHRASES = [
    ("[:nil]", "array of null"),
    ("[:int|:string]", "array of (integer or string)"),
    ("[:enum[1 2]]", "array of (1 or 2)"),
    ("[:int?]", "array of (integer or null)"),
    ("[:int, ** :any]", "[integer, then any number of any value]"),
    (":map[:datetime]", "object whose values are string (format date-time)"),
    ("{a :int}!", '{"a": integer}'),
    ("{a :int, ** :string}", '{"a": integer, other keys: string}'),
    ("{/^x/ :int}", '{keys like "^x": integer}'),
    (":one[:int, :string[3..]]", "integer or string (minLength 3)"),
    ("{a :int} & {b :int}", '{"a": integer} and {"b": integer}'),
    (":not[:nil]", "not null"),
    (":count[2..3 :int]", "array in which at least 2 and at most 3 are integer"),
    (":count[2.. :int]", "array in which at least 2 are integer"),
    ("[:int][unique]", "array of integer (uniqueItems)"),
    (':string[/^a"/]', 'string (pattern "^a\\"")'),
    (":int[>1, <7, %2]", "integer (exclusiveMinimum 1, exclusiveMaximum 7, multipleOf 2)"),
    ('(:int "how many")', "integer"),
    (":Tree where Tree = [:Tree]", "Tree, where Tree is array of Tree"),
    (':enum[[:a, nil] {"b": 1.5}]', '["a", null] or {"b": 1.5}'),
]


@pytest.mark.parametrize(("text", "phrase"), PHRASES)
def test_a_type_is_a_phrase(text: str, phrase: str) -> None:
    assert phrase == write_answer(typesig.parse(text))


def test_a_phrase_is_cut() -> None:
    names = ", ".join(f"a_name_that_is_rather_long_{n} :int" for n in range(60))

    assert write_arguments(typesig.parse(f"({names}) -> :any")).endswith("…")


ISSUES: list[tuple[str, Any, str]] = [
    ("[:int?]", [{1: None}], "[0]: expected integer, got object {1: null}"),
    (":int", 1 << 9_999, "expected integer, got integer of 10000 bits (a number has at most"),
    (":string", {1, None}, "expected string, got array ["),
    (":string", datetime(2026, 1, 2, 3, 4), 'expected string, got string "2026-01-02T03:04:00"'),
    (":nil", Keyword("x"), 'expected null, got string "x"'),
    (":nil", object(), "expected null, got a value that JSON has no form for"),
    (":float", 2**53 + 1, "(no double is this number)"),
    (":int|:string", None, "expected integer or string, got null"),
    ("{k :enum[:a]}|{k :enum[:b nil]}", {"k": "c"}, 'k: expected one of ["a", "b", null], got "c"'),
    (":enum[:apple]", "appel", 'got "appel" (did you mean "apple"?)'),
]


@pytest.mark.parametrize(("text", "value", "line"), ISSUES)
def test_an_issue_is_told_in_the_words_of_json_schema(text: str, value: Any, line: str) -> None:
    [issue] = typesig.parse(text).validate_and_coerce(value).errors

    assert line in issue._write_line(JSON_SCHEMA)


def test_warnings_are_told_in_the_words_of_json_schema() -> None:
    signature = typesig.parse("(a :int?, b :nil, c [:int], d {x :int}, e :int?) -> :any")
    sent = {"a": "1", "b": "null", "c": 3, "d": '{"x": 1}'}
    found = signature.validate_input(sent, "lenient")

    assert (
        "Tool validation warnings:\n"
        '- a: coerced string "1" to integer\n'
        '- b: coerced string "null" to null\n'
        "- c: coerced integer 3 to array\n"
        "- d: JSON text read as object"
    ) == found.report(words="json_schema")


def test_a_null_that_is_taken_as_absent_is_told_in_the_words_of_json_schema() -> None:
    found = typesig.parse("(a :int = 3) -> :any").validate_input({"a": None})

    assert "- a: null taken as absent" in found.report(words="json_schema")
    assert "- a: nil taken as absent" in found.report()


def test_a_constant_is_json() -> None:
    [issue] = typesig.parse(':enum[true :x "y" 1.5]').validate_and_coerce({}).errors
    made = typesig.parse("(a :any = :x) -> :any").params[0].default

    assert 'expected one of [true, "x", "y", 1.5], got {}' == issue._write_message(JSON_SCHEMA)
    assert made is not None
    assert '"x"' == json_literal(made)


def test_a_text_that_is_no_phrase_is_the_same_in_all_words() -> None:
    assert "host: it broke" == Issue("host", ("host",), "", "it broke")._write_line(JSON_SCHEMA)


def test_an_outcome_that_tells_nothing_has_no_words() -> None:
    @typesig.tool
    def half(n: int) -> int:
        """Halve it."""
        return n // 2

    one = typesig.tools_of([half]).project("openai").tools["half"]

    assert ["2"] * 5 == [one.call({"n": 4}).text() for _ in range(5)]
    assert "" == one.call({"n": 4}).report(words="json_schema")


def test_a_call_without_parameters_takes_an_empty_object() -> None:
    assert "{}" == write_arguments(typesig.parse("() -> :any"))
