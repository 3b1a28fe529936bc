"""Feedback: each error stands where it is in what was sent; nothing private; a bounded text."""

from __future__ import annotations

import json
import pickle
import re
from datetime import datetime, tzinfo
from typing import Any, TypedDict

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import HIDDEN, LAW, SECRET, hostile, near_misses, signatures, valued
from typesig import Issue, Outcome, Policy, ToolError, contract, tool
from typesig.limits import (
    MAX_COMPLAINT,
    MAX_ECHO_DEPTH,
    MAX_FEEDBACK,
    MAX_FEEDBACK_LINES,
    MAX_REPORT,
)
from typesig.validation import echo, feedback
from typesig.validation.issues import path_text


def answered(text: str, value: Any, mode: Any = None) -> Outcome[Any]:
    return contract(text).read(value, mode)


def after_heading(outcome: Outcome[Any], previous: Outcome[Any] | None = None) -> str:
    """Return the feedback without its first line and its last part."""
    text = outcome.feedback(previous).partition("\n")[2]
    return text.rpartition("\n\n")[0]


@tool
def search(query: str, user: dict[str, int], limit: int = 10, tags: list[str] = []) -> list[int]:  # noqa: B006
    """Find documents."""
    raise AssertionError("it is not called")


def test_arguments_are_echoed_with_each_error_at_its_place() -> None:
    sent = {"qeury": 7, "limit": "x", "tags": ["a", 1], "user": {"a": "no"}}

    assert """\
Tool validation errors:
{
  "qeury": 7,  // unexpected key dropped (did you mean query?)
  "limit": "x",  // expected int, got string "x"
  "tags": [
    "a",
    1  // expected string, got int 1
  ],
  "user": {
    "a": "no"  // expected int, got string "no"
  }
  // missing: query :string
}

A call that fits: search(query :string, user :map[:int], limit :int = 10, tags [:string] = [])\
""" == search.call(sent).feedback()


ROWS: list[tuple[str, Any, str]] = [
    # signature, answer, what stands between the first line and the last
    (":int", '"x"', '"x"  // expected int, got string "x"'),
    (":int", "null", "null  // expected int, got nil"),
    ("[:int]", "[1, true, 2.5]", """\
[
  1,
  true,  // expected int, got bool true
  2.5  // expected int, got float 2.5
]"""),
    ("{a {b [{c :int}]}}", {"a": {"b": [{"c": 1}, {"c": "x"}]}}, """\
{
  "a": {
    "b": [
      {"c": 1},
      {
        "c": "x"  // expected int, got string "x"
      }
    ]
  }
}"""),
    ("{a {b :int, c [:int]}, d :int}", {"d": 1}, """\
{
  "d": 1
  // missing: a {b :int, c [:int]}
}"""),
    ("{a {b :int}}", {"a": {}}, """\
{
  "a": {
    // missing: b :int
  }
}"""),
    ("{name :string}!", {"nmae": {"x": [1]}}, """\
{
  "nmae": {"x": [1]}  // unexpected key (did you mean name?)
  // missing: name :string
}"""),
    ("{user_id :int}", {"user-id": "x"}, """\
{
  "user-id": "x"  // expected int, got string "x"
}"""),
    ("{user_id :int}", {"user-id": 1, "user_id": 2}, """\
{
  "user-id": 1,
  "user_id": 2  // given twice, as "user-id" and "user_id"
}"""),
    ("{a [:int][2..]}", {"a": [1]}, """\
{
  "a": [1]  // expected list[2..], got list [1]
}"""),
    ("{at {b :int}} & {at [:int][2..]}", {"at": {"b": "x"}}, """\
{
  "at": {  // expected list[2..], got map {"b": "x"}
    "b": "x"  // expected int, got string "x"
  }
}"""),
    (':map[:int {a :int}]', {"x": {"a": 1}, "2": {"a": "x"}}, """\
{  // keys are int, got string "x"
  "x": {"a": 1},
  "2": {
    "a": "x"  // expected int, got string "x"
  }
}"""),
    ("[:int]", {"items": [1, "x"]}, """\
[
  1,
  "x"  // expected int, got string "x"
]"""),
    ('{s :enum["pending" "active"]}', {"s": "activ"}, """\
{
  "s": "activ"  // expected one of ["pending", "active"], got "activ" (did you mean "active"?)
}"""),
    ("{a :Tree} where Tree = {left :Tree?, n :int}", {"a": {}}, """\
{
  "a": {
    // missing: n :int
  }
}"""),
    ("{a {x :int}}|{a {y :int, z :int}}", {"a": {"b": 1}}, """\
{
  "a": {
    "b": 1
    // missing: x :int
  }
}"""),
    ("{a {x :int}}|{a {x :string, z :int}}", {"a": {"z": 1}}, """\
{
  "a": {
    "z": 1
    // missing: "x", expected int
  }
}"""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "answer", "shown"), ROWS)
def test_an_answer_is_echoed_with_each_error_at_its_place(text: str, answer: Any, shown: str) -> None:
    assert shown == after_heading(answered(text, answer))


def test_what_fits_stands_at_the_end_as_the_model_was_shown_it() -> None:
    asked = contract('{user {name :string, _id :int}, tree :T} where T = {sub [:T], _s :int}')
    bare = typesig.parse("(n :int, _key :string) -> :int")

    assert asked.prompt() == asked.read("{}").feedback().splitlines()[-1]
    assert "Arguments that fit: (n :int)" == bare.validate_input({}).feedback().splitlines()[-1]
    assert "A call that fits: x_search(query" in (
        typesig.tools_of([search]).prefixed("x_").call("x_search", {}).feedback()
    )
    many = typesig.parse(f"({', '.join(f'a{n} :int' for n in range(500))}) -> :int")
    assert many.validate_input({}).feedback().endswith("…")


def test_an_outcome_without_errors_has_no_feedback() -> None:
    warned = typesig.parse("(n :int) -> :any").validate_input({"n": "1"})

    assert warned.warnings
    assert "" == warned.feedback() == warned.feedback(warned)


def test_an_error_that_the_outcome_before_had_is_told_to_be_the_same() -> None:
    first = answered("{a :int, b :int, c :int}", {"a": "x", "b": "x"})
    second = answered("{a :int, b :int, c :int}", {"a": "x", "b": "y"})

    assert """\
{
  "a": "x",  // the same error as before: expected int, got string "x"
  "b": "y"  // expected int, got string "y"
  // the same error as before: missing: c :int
}""" == after_heading(second, first)
    with pytest.raises(typesig.TypesigError, match="^previous is the outcome of the call before, not str$"):
        second.feedback("x")  # type: ignore[arg-type]


def test_text_that_is_not_json_is_shown_near_the_fault() -> None:
    text = '{"query": "a\n' + "b" * 100 + '", "limit": 3 "tags": ["a", "b", "c", "d", "e", "f", "g", "h"]}'

    assert """\
Tool validation errors:
- the arguments are not valid JSON: Invalid control character at line 1 column 13
  near: {"query": "a<here> bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…""" == (
        search.call(text).feedback().rpartition("\n\n")[0]
    )
    near = search.call(text.replace("\n", "")).feedback().splitlines()[2]
    assert '  near: …' + "b" * 45 + '", "limit": 3 <here>"tags": ["a", "b", "c", "d", "e", "f", "g", "h"]}' == near


@pytest.mark.parametrize(
    ("answer", "near"),
    [
        ("Here: [1]", "\n  near: <here>Here: [1]"),
        ("```\n[1, \n```", "\n  near: [1, <here>"),
        ("", ""),
        (b"[1, \xff]", "\n  near: [1, <here>\ufffd]"),
        (b"[1, x\xc3\xa9]", "\n  near: [1, <here>x\xe9]"),
        ('{"_token": "zq', ""),
        ("{_token: 'zq'}", ""),
        ("[" * 200, "\n  near: …" + "[" * 60 + "<here>" + "[" * 60 + "…"),
        ("[1, NaN \u202e\x00\U000e0041]", "\n  near: <here>[1, NaN \\u202e\\u0000\\udb40\\udc41]"),
    ],
)
def test_the_text_near_a_fault_shows_nothing_private_and_no_control_characters(
    answer: str | bytes, near: str
) -> None:
    shown = after_heading(answered("[:any]", answer))

    assert near == shown[shown.index("\n") :] if near else "\n" not in shown


def test_an_error_inside_a_text_that_was_read_stands_at_the_text() -> None:
    issue = Issue("type", ("ids", 1), "int", 'string "x"')
    subject = answered("{ids [:int]}", {"ids": '[1, "x"]'})._subject
    made = Outcome[Any](errors=[issue], stage="answer", subject=subject)

    assert """\
{
  "ids": "[1, \\"x\\"]"  // [1]: expected int, got string "x"
}""" == after_heading(made)


def test_a_warning_about_the_value_of_an_error_explains_it() -> None:
    subject = answered("{ids [:int], n :int}", {"ids": '[1, "x"]', "n": "1"})._subject
    warned = [Issue("coerced", ("ids",), "list", "string"), Issue("coerced", ("n",), "int", "string")]
    error = Issue("type", ("ids", 1), "int", 'string "x"')
    made = Outcome[Any](errors=[error], warnings=warned, stage="answer", subject=subject)

    assert '"[1, \\"x\\"]",  // [1]: expected int, got string "x"; coerced string to list' in made.feedback()
    assert "coerced string to int" not in made.feedback()


def test_what_fits_no_place_is_listed_behind() -> None:
    subject = answered("{a :int}", {"a": "x"})._subject
    errors = [
        Issue("host", ("b", "c"), "", "it is odd\n- forged"),
        Issue("host", ("a", 3), "", "here"),
        Issue("type", (1,), "int", "nil"),
        Issue("type", ("_x", "y"), "int", "nil", hidden=0),
        Issue("type", ("b", "_y"), "int", "nil", hidden=1),
    ]
    made = Outcome[Any](errors=errors, stage="answer", subject=subject, unseen=2)

    assert """\
{
  "a": "x"  // [3]: here
  // <Firewalled>: this value does not conform
}
- b.c: it is odd - forged
- [1]: expected int, got nil
- b.<Firewalled>: this value does not conform
- … and 2 more""" == after_heading(made)


def test_errors_without_what_was_sent_are_listed() -> None:
    before = typesig.coerce("x", ":int")

    assert "Tool validation errors:\n- cannot coerce string \"x\" to integer" == before.feedback()
    assert "- the same error as before: cannot coerce string" in before.feedback(before)
    assert 'there is no tool "serch"; did you mean search?' in (
        typesig.tools_of([search]).call("serch", {}).feedback()
    )


class Row(TypedDict):
    id: int
    _token: str


def test_feedback_on_a_result_tells_that_the_tool_ran_and_shows_no_private_part() -> None:
    @tool
    def fetch() -> list[Row]:
        return [{"id": "x", "_token": "zqsecret"}, {"_token": 5}]  # type: ignore[list-item]

    assert """\
Tool errors and more""" != fetch.call().feedback()
    assert """\
The tool ran; what it returned does not fit its signature.

Tool validation errors:
- [0].id: expected int, got string "x"
- [1].id: expected int, got nil (missing)
- [1].<Firewalled>: this value does not conform""" == fetch.call().feedback()


def test_an_error_of_the_tool_is_listed() -> None:
    @tool
    def fail(n: int) -> int:
        raise ToolError("no such order;\ncall list_orders \u202e" + "x" * 1000)

    first = fail.call({"n": "1"})
    text = first.feedback()

    assert text.startswith("Tool errors:\n- no such order; call list_orders \\u202exxx")
    assert text.endswith("…") and len(text) < MAX_COMPLAINT + 30
    assert "- the same error as before: no such order" in fail.call({"n": 1}).feedback(first)


# What is not shown


def test_the_name_of_a_firewalled_argument_is_told_and_its_value_is_not() -> None:
    sig = typesig.parse("(n :int, in {_b :int?}) -> :any")
    call = Policy().for_call()
    out = sig.validate_input({"n": 1, "_a": "zq", "in": {"-b": "zq", "_c": "zq"}, "x": "zx"}, call)

    assert """\
{
  "n": 1,
  "in": {
    // _b: unexpected key
  },
  "x": "zx"
}""" == after_heading(out)


def test_a_name_in_quotes_is_not_firewalled_and_the_keys_of_a_map_are_data() -> None:
    found = answered('{"_from" :string, tags :map[:int], n :int}', {"_from": "a", "tags": {"_x": 1}})

    assert '  "_from": "a",\n  "tags": {"_x": 1}\n' in found.feedback()


class Login(pydantic.BaseModel):
    word: pydantic.SecretStr
    count: int = 0


class Both(TypedDict):
    login: Login
    logins: list[Login]
    pair: tuple[int, Login]


HUNTER = "hunter"
SECRETS: list[tuple[Any, Any, str]] = [
    (Login, {"word": HUNTER, "count": "x"}, '"word": "<Secret>",\n'),
    (Login, {"word": [HUNTER]}, '"word": "<Secret>"  // expected string, got list\n'),
    (Login, {"Word": HUNTER, "count": 1}, '"Word": "<Secret>"'),
    (Login, [HUNTER], '"<Secret>"  // expected map, got list'),
    (Login, f'"{HUNTER}"', '"<Secret>"  // expected map, got string'),
    (list[Login], [{"word": HUNTER}, {"word": [HUNTER]}, {"count": 1}], '{"word": "<Secret>"}'),
    (list[Login], HUNTER, ""),
    (Both, {"login": [HUNTER], "logins": {HUNTER: HUNTER}, "pair": [1, HUNTER]}, '"pair": [\n'),
    (Both, {"login": {"wrd": HUNTER}, "logins": [HUNTER, [HUNTER]], "pair": [HUNTER]}, '"wrd": "<Secret>"'),
    (pydantic.SecretStr, [HUNTER], '"<Secret>"  // expected string, got list'),
    (dict[str, Login], {"a": HUNTER, "b": {"word": {HUNTER: 1}}}, '"a": "<Secret>",'),
]


@pytest.mark.parametrize(("hint", "sent", "shown"), SECRETS, ids=str)
def test_a_value_that_may_be_a_secret_is_never_echoed(hint: Any, sent: Any, shown: str) -> None:
    def give() -> Any:
        raise AssertionError("it is not called")

    def take(value: Any) -> None:
        raise AssertionError("it is not called")

    give.__annotations__["return"] = hint
    take.__annotations__["value"] = hint
    for found in (contract(hint).read(sent), contract(give).read(sent, "strict")):
        assert found.errors
        assert HUNTER not in found.feedback() + found.report() + repr(found)
    assert shown in contract(hint).read(sent).feedback()
    call = tool(take).call({"value": sent})
    if call.errors:
        assert HUNTER not in call.feedback() + call.report() + repr(call)
    for mistake in ([sent], sent, {"vale": sent}, {"value": [sent, {"x": sent}]}, json.dumps(sent)):
        wrong = tool(take).call(mistake)
        assert wrong.errors
        assert HUNTER not in wrong.feedback() + wrong.report() + repr(wrong)


def test_text_with_secrets_that_is_not_json_is_not_shown() -> None:
    found = contract(Login).read(f'{{"word": "{HUNTER}" "count": 1}}')

    assert "- the answer is not valid JSON: Expecting ',' delimiter at line 1 column 19" == after_heading(found)


@LAW
@given(signatures(), st.data())
def test_no_firewalled_name_or_value_is_in_feedback(signature: Any, data: st.DataObject) -> None:
    sent = data.draw(st.sampled_from([_with_secrets, dict])(  # a call, perhaps with private parts
        data.draw(st.dictionaries(st.sampled_from(["id", "x", "q"]), st.integers(0, 3)))
    ) if False else st.just({}))  # fmt: skip
    del sent
