"""Feedback: each error stands where it is in what was sent; nothing private; a bounded text."""

from __future__ import annotations

import json
import pickle
import re
from datetime import datetime, tzinfo
from typing import Any, TypedDict

import pydantic
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, hostile, near_misses, signatures, valued
from tests.growth import assert_growth
from typesig import Issue, Outcome, Policy, ToolError, contract, tool
from typesig.algebra import Keyword
from typesig.algebra.rows.names import fold_name
from typesig.limits import (
    MAX_COMPLAINT,
    MAX_COMPLAINT_LINES,
    MAX_ECHO_DEPTH,
    MAX_FEEDBACK,
    MAX_FEEDBACK_LINES,
    MAX_NEAR,
    MAX_REPORT,
)
from typesig.notations.texts.quoting import quote
from typesig.validation.issues.excerpt import cut_line
from typesig.validation.outcome import annotated_input, feedback, visibility
from typesig.validation.plain_data import to_plain


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
  "qeury": 7,  // unexpected key (did you mean query?)
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
    ("{a {text :string, n :int}, b :int}", {"a": {"txt": "x", "_text": 1}, "c": 1}, """\
{
  "a": {
    "txt": "x"
    // missing: text :string (did you mean it by "txt"?)
    // missing: n :int
  },
  "c": 1
  // missing: b :int
}"""),
    ("{text :string}", {"txt": 1, **{f"k{n}": n for n in range(3)}}, """\
{
  "txt": 1,
  "k0": 0,
  "k1": 1,
  "k2": 2
  // missing: text :string (did you mean it by "txt"?)
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
{
  "x": {"a": 1},  // keys are int, got string "x"
  "2": {
    "a": "x"  // expected int, got string "x"
  }
}"""),
    ("{at [:int, {b :int}, ** :bool]}", {"at": [1, {"b": "x"}, True, 1, {}]}, """\
{
  "at": [
    1,
    {
      "b": "x"  // expected int, got string "x"
    },
    true,
    1,  // expected bool, got int 1
    {}  // expected bool, got map {}
  ]
}"""),
    ("{at [:int, {b :int}]}", {"at": [1, {}, {"_x": {}}]}, """\
{
  "at": [1, {}, {}]  // expected 2 items, got 3
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
def test_an_answer_is_echoed_with_each_error_at_its_place(
    text: str, answer: Any, shown: str
) -> None:
    assert shown == after_heading(answered(text, answer))


def test_what_fits_stands_at_the_end_as_the_model_was_shown_it() -> None:
    asked = contract("{user {name :string, _id :int}, tree :T} where T = {sub [:T], _s :int}")
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
    with pytest.raises(
        typesig.TypesigError, match=r"^previous is the outcome of the call before, not str$"
    ):
        second.feedback("x")  # type: ignore[arg-type]


def test_text_that_is_not_json_is_shown_near_the_fault() -> None:
    text = (
        '{"query" = "a'
        + "b" * 100
        + '", "limit": 3 "tags": ["a", "b", "c", "d", "e", "f", "g", "h"]}'
    )

    assert """\
Tool validation errors:
- the arguments are not valid JSON: Expecting ':' delimiter at line 1 column 10 \
(an equals sign at line 1 column 10; write a colon between key and value)
  near: {"query" <here>= "abbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…""" == (
        search.call(text).feedback().rpartition("\n\n")[0]
    )
    near = search.call(text.replace(" =", ":")).feedback().splitlines()[2]
    assert (
        "  near: …"
        + "b" * 46
        + '", "limit": 3 <here>"tags": ["a", "b", "c", "d", "e", "f", "g", "h"]}'
        == near
    )


@pytest.mark.parametrize(
    ("answer", "near"),
    [
        ("Here: [1", "\n  near: Here: <here>[1"),
        ("```\n[1, \n```", "\n  near: ``` <here>[1,  ```"),
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
    warned = [
        Issue("coerced", ("ids",), "list", "string"),
        Issue("coerced", ("n",), "int", "string"),
    ]
    error = Issue("type", ("ids", 1), "int", 'string "x"')
    made = Outcome[Any](errors=[error], warnings=warned, stage="answer", subject=subject)

    assert (
        '"[1, \\"x\\"]",  // [1]: expected int, got string "x"; coerced string to list'
        in made.feedback()
    )
    assert "coerced string to int" not in made.feedback()


@pytest.mark.parametrize("most", [0, 2, 1000])
def test_what_is_kept_of_a_type_changes_no_text(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    visibility._get_type_visibility.cache_clear()
    monkeypatch.setattr(visibility, "_MOST_KEPT", most)
    sig = typesig.parse("(user-id :int, _key :string, rows [{at :int, _own :string}]) -> :any")
    sent = [
        {"user-id": "x", "_key": "k1", "rows": [{"at": "y", "_own": "k2"}, {"at": 1}]},
        {"user_id": "x", "key": "k1", "rows": [{"at": 1}, {"at": "y", "own": "k2"}]},
    ]

    first, second = [sig.validate_input(each).feedback() for each in sent]

    assert '"user-id": "x",  // expected int' in first
    assert '"user_id": "x",  // expected int' in second
    assert all('"at": "y"  // expected int' in each for each in (first, second))
    assert not any(each in first + second for each in ("k1", "k2", "_key", "_own"))
    assert [first, second] == [sig.validate_input(each).feedback() for each in sent]
    subject = sig.validate_input(sent[0])._subject
    assert subject is not None
    told = visibility._get_type_visibility(subject.type, subject.definitions, subject.secrets)
    # Names that are spelled in another way, and those that are not declared, are not kept.
    assert (min(most, 5), min(most, 1)) == (len(told.entries), len(told.items))


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

    assert text.startswith("Tool errors:\n- no such order;\n  call list_orders \\u202exxx")
    assert text.endswith("…")
    assert len(text) < MAX_COMPLAINT + 30
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
    found = answered(
        '{"_from" :string, tags :map[:int], n :int}', {"_from": "a", "tags": {"_x": 1}}
    )

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
    (Login, {"Word": HUNTER, "count": "x"}, '"Word": "<Secret>"'),
    (Login, [HUNTER], '"<Secret>"  // expected map, got list'),
    (Login, f'"{HUNTER}"', '"<Secret>"  // expected map, got string'),
    (list[Login], [{"word": HUNTER}, {"word": [HUNTER]}, {"count": 1}], '{"word": "<Secret>"}'),
    (list[Login], HUNTER, ""),
    (Both, {"login": [HUNTER], "logins": {HUNTER: HUNTER}, "pair": [1, HUNTER]}, '"pair": [\n'),
    (
        Both,
        {"login": {"wrd": HUNTER}, "logins": [HUNTER, [HUNTER]], "pair": [HUNTER]},
        '"wrd": "<Secret>"',
    ),
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


def test_an_error_inside_a_text_that_may_be_a_secret_is_told_without_its_place() -> None:
    subject = contract(Login).read([])._subject
    assert subject is not None
    error = Issue("type", ("count", HUNTER), "int", "string")
    read = subject._replace(value=f'{{"count": {{"{HUNTER}": 1}}}}')
    made = Outcome[Any](errors=[error], stage="answer", subject=read)

    assert '"<Secret>"  // expected int, got string' == after_heading(made)


def test_text_with_secrets_that_is_not_json_is_not_shown() -> None:
    found = contract(Login).read(f'{{"word": "{HUNTER}" "count": 1}}')

    assert (
        "- the answer is not valid JSON: Expecting ',' delimiter at line 1 column 19 "
        "(a missing comma at line 1 column 19; write one between two values)"
    ) == after_heading(found)


# Bounds


def test_what_has_no_error_is_cut_and_left_out_first() -> None:
    sent = {
        "a": "x" * 10_000,
        "b": list(range(100)),
        "c": {"d": 1, "e": "x"},
        "f": [[["y"] * 9]] * 99,
    }
    found = answered("{c {e :int}, f [[[:string]]]}", sent)

    assert f"""\
{{
  "a": "{"x" * 60}…",
  "b": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, …],
  "c": {{
    "d": 1,
    "e": "x"  // expected int, got string "x"
  }},
  "f": [[["y", "y", "y", "y", "y", "y", "y", "y", "y"]], [["y", …]], …]
}}""" == after_heading(found)


def test_long_runs_of_parts_without_errors_are_counted() -> None:
    sent = [{"n": n} for n in range(900)]
    sent[3] = sent[500] = sent[503] = {"n": "x"}  # type: ignore[dict-item]
    found = answered("[{n :int}]", sent)

    bad = """\
  {
    "n": "x"  // expected int, got string "x"
  },
"""
    assert f"""\
[
  {{"n": 0}},
  {{"n": 1}},
  {{"n": 2}},
{bad}  … 496 items,
{bad}  {{"n": 501}},
  {{"n": 502}},
{bad}  … 396 items
]""" == after_heading(found)
    many = {**{f"k{n}": "x" * 50 for n in range(200)}, "n": "x", "last": 1}
    assert """\
{
  … 200 keys,
  "n": "x",  // expected int, got string "x"
  "last": 1
}""" == after_heading(answered("{n :int}", many))


def test_of_many_errors_those_that_are_alike_are_one_and_the_others_are_counted() -> None:
    found = answered("[{n :int, m :int}]", [{"n": "x", "m": f"{'y' * 50}{n}"} for n in range(3000)])
    text = found.feedback()

    assert '"n": "x",  // expected int, got string "x" (and in 499 more places)' in text
    assert re.search("\n- … and \\d+ more\n", text)
    assert 3_000 < len(text) <= MAX_FEEDBACK
    assert text.count("\n") < MAX_FEEDBACK_LINES
    shown = text.count("  // ") + 499
    assert f"- … and {6000 - shown} more\n" in text


def test_the_nearest_key_is_looked_for_among_few() -> None:
    for others, is_looked_for in ((MAX_NEAR - 1, True), (MAX_NEAR, False)):
        sent = {"txt": 1} | {f"k{n}": n for n in range(others)}
        assert is_looked_for is ("did you mean" in answered("{text :string}", sent).feedback())


def test_errors_that_have_no_room_are_counted() -> None:
    issues = [Issue("host", (f"k{n}",), "", f"{n}" * 1000) for n in range(40)]
    subject = answered(":map[:int]", {f"k{n}": "x" for n in range(40)})._subject
    made = Outcome[Any](errors=issues, stage="answer", subject=subject)
    text = made.feedback()

    assert len(text) <= MAX_FEEDBACK
    assert 9 == text.count("  // ")
    assert "  … 31 keys\n}\n- … and 31 more\n" in text


def test_an_error_that_is_very_deep_stands_at_a_part_around_it() -> None:
    value: Any = "x"
    t = ":int"
    for _ in range(30):
        value, t = {"a": value}, f"{{a {t}}}"
    text = after_heading(answered(t, value))
    rest = ".".join("a" * (30 - MAX_ECHO_DEPTH))

    assert f"  // {rest}: expected int, got string" in text
    assert 2 * MAX_ECHO_DEPTH + 1 == len(text.splitlines())
    assert '"a": {"a": {…}}' in text


class OddZone(tzinfo):
    def utcoffset(self, _: Any) -> Any:
        raise RuntimeError("no offset")


class OddList(list[Any]):
    def __iter__(self) -> Any:
        raise RuntimeError("no items")

    __len__ = __getitem__ = __iter__  # type: ignore[assignment]


class OddDict(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError("no items")

    keys = __iter__ = __len__ = __getitem__ = items  # type: ignore[assignment]


class OddInt(int):
    def __repr__(self) -> str:
        raise RuntimeError("no text")

    __str__ = __int__ = bit_length = __repr__  # type: ignore[assignment]


def echoed(value: Any, *issues: Issue) -> str:
    subject = answered(":nil", 1)._subject
    assert subject is not None
    made = Outcome[Any](errors=issues, stage="answer", subject=subject._replace(value=value))
    return after_heading(made)


def test_odd_values_are_written_without_their_methods() -> None:
    value = {
        "a": [OddInt(3), 10**500, 10**400, float("nan"), -float("inf"), 1e300, True, None],
        "b": {1, 2},
        "c": OddList([OddDict(x=OddList([1]))]),
        "d": datetime(2026, 1, 1, tzinfo=OddZone()),
        "e": (object(), ("t",), Keyword("k")),
        5: 1,
        True: 2,
        None: 3,
        2.5: 4,
        (1, 2): 5,
        10**500: 6,
    }
    paths: list[tuple[Any, ...]] = [("c", 0, "x", 0), ("e", 1, 0), ("5",), ("e", 9), (5, "z")]

    assert f"""\
{{
  "a": [3, {"…"}, {10**400}, NaN, -Infinity, 1e+300, true, null],
  "b": …,
  "c": [
    {{
      "x": [
        1  // here
      ]
    }}
  ],
  "d": …,
  "e": [
    …,
    [
      "t"  // here
    ],
    "k"
  ],
  "5": 1,  // here
  "true": 2,
  "null": 3,
  "2.5": 4,
  "…": 5,
  "…": 6
}}
- e[9]: here
- [5].z: here""" == echoed(value, *(Issue("host", path, "", "here") for path in paths))


def test_names_that_take_all_the_room_are_left_out() -> None:
    key = "\U000e0041" * 60
    value: Any = "x"
    for _ in range(MAX_ECHO_DEPTH):
        value = {key: value}

    assert "- … and 1 more" == echoed(value, Issue("host", (key,) * MAX_ECHO_DEPTH, "", "here"))


def test_a_value_within_itself_is_cut() -> None:
    value: Any = [1]
    value.append({"a": value})

    assert "[1, {" == echoed(value, Issue("host", (), "", "odd"))[:5]
    assert "…" in echoed(value, Issue("host", (1, "a", 1, "a", 0), "", "odd"))


def test_keys_and_texts_cannot_forge_lines_or_hide_letters() -> None:
    odd = "\n}  // forged\n\u202e\x00\U000e0041\U000e0101\ud800\u2028"
    text = echoed({odd: odd, "a": odd}, Issue("host", ("a",), "", odd))

    assert ["{", "}"] == [text.splitlines()[0], text.splitlines()[-1]]
    assert 4 == len(text.splitlines())
    assert "\\n}  // forged\\n\\u202e\\u0000\\udb40\\udc41\\udb40\\udd01\\ud800\\u2028" in text
    text.replace("\n", "").encode()
    assert text.replace("\n", "").isprintable()


def test_feedback_can_be_given_on_an_outcome_that_was_pickled() -> None:
    found = search.call({"query": 1})

    assert found.feedback() == pickle.loads(pickle.dumps(found)).feedback()


# Laws

_OPENED = re.compile(r"[{\[](?=$|  // )")


def taken_apart(text: str) -> tuple[str, list[tuple[tuple[Any, ...], str]]]:
    """Return an echo without its comments, and each comment with the path to where it stands."""
    decode = json.JSONDecoder().raw_decode
    bare: list[str] = []
    found: list[tuple[tuple[Any, ...], str]] = []
    # The maps and lists around a line: each with its path, and the next index of a list.
    around: list[tuple[tuple[Any, ...], list[int]]] = []
    for written in text.splitlines():
        rest = written.strip()
        if rest.startswith("// "):
            found.append((around[-1][0], rest))
            continue
        bare.append(rest.partition("  // ")[0] if rest[0] in "]}" else "")
        if rest[0] in "]}":
            around.pop()
            continue
        path: tuple[Any, ...] = ()
        if around:
            path, following = around[-1]
            if following:
                path, following[0] = (*path, following[0]), following[0] + 1
            else:
                key, end = decode(rest)
                bare.append(rest[: end + 2])
                path, rest = (*path, key), rest[end + 2 :]
        opened = _OPENED.match(rest)
        end = 1 if opened else decode(rest)[1]
        end += rest[end : end + 1] == ","
        bare.append(rest[:end])
        if rest[end:]:
            assert rest[end:].startswith("  // ")
            found.append((path, rest[end + 5 :]))
        if opened:
            around.append((path, [0] if opened[0] == "[" else []))
    return "".join(bare), found


def as_sent(value: Any) -> Any:
    """Return *value* as JSON data, without what can be firewalled."""
    if isinstance(value, dict):
        # The names of keys come in any form.
        return {key: as_sent(item) for key, item in value.items() if key[:1] not in ("_", "-")}
    return [as_sent(item) for item in value] if isinstance(value, list) else value


@LAW
@given(valued(), st.data())
def test_an_echo_is_what_was_sent_and_each_error_stands_once_at_its_place(
    pair: Any, data: st.DataObject
) -> None:
    signature, value = pair
    sent = json.loads(json.dumps(to_plain(value), default=str))
    bad = as_sent(json.loads(json.dumps(to_plain(data.draw(near_misses(sent))), default=str)))
    found = contract(signature).read(bad if not isinstance(bad, str) else json.dumps(bad))
    if found.ok or len(found.errors) > MAX_REPORT:
        return
    told = found._get_details()
    assert told is not None
    draft = feedback._Draft(told, feedback._collect_complaints(told, frozenset()), told.words)
    text = draft.write_text(annotated_input.DetailLevel(10**6, 10**6), 10**6, 10**6)
    assert text is not None
    assert found._subject is not None
    shown, _, behind = ("\n" + text).partition("\n- ")
    shown = shown.removeprefix("\n")
    # A value of a wrong type, at a place that holds firewalled names, is hidden as a whole.
    assume(re.search(r"(?m)^\s*(?:\"\w*\": )?…", shown) is None)
    bare, comments = taken_apart(shown) if shown else ("", [])
    places = [path for path, comment in comments if not comment.startswith("// ")]

    assert len(places) == len(set(places))
    if shown:
        assert found._subject.value == json.loads(bare)
    for issue in found.errors:
        place = tuple(fold_name(str(step)) for step in issue.path)
        if issue.code == "missing":
            place = place[:-1]
        said = [
            comment
            for path, comment in comments
            if tuple(fold_name(str(step)) for step in path) == place
        ]
        name = field_name(issue)
        assert (
            any(cut_line(issue.message, MAX_COMPLAINT) in each for each in said)
            or any(each.startswith("// missing: ") and name in each for each in said)
            or cut_line(str(issue), MAX_COMPLAINT) in behind
        )


def field_name(issue: Issue) -> str:
    name = str(issue.path[-1]) if issue.path else ""
    return name if name and quote(name)[1:-1] == name else quote(name)


@LAW
@given(signatures(), hostile(), hostile())
def test_feedback_is_bounded_on_one_line_each_and_never_raises(
    signature: Any, value: Any, other: Any
) -> None:
    before = signature.validate_input(other)
    for found in (
        signature.validate_input(value),
        signature.validate_input({"id": value, "x": other}, Policy().for_call()),
        signature.validate_and_coerce(value, "strict"),
        signature.validate_output(value),
        contract(signature).read(value),
    ):
        text = found.feedback(before)

        assert (text == "") == found.ok
        assert text == found.feedback(before)
        assert len(text) <= MAX_FEEDBACK
        assert text.count("\n") < MAX_FEEDBACK_LINES
        assert text.replace("\n", "").isprintable()


# Growth


def test_feedback_takes_time_in_proportion_to_what_was_sent() -> None:
    rows = contract("[{id :int, tags [:string], name :string}]")
    wrong: dict[str, Any] = {"id": "x", "tags": [1, "a"], "nmae": "x" * 10, "_x": 1}
    lists = typesig.parse("(a [:int], b :map[:string], secret :string) -> :any")

    assert_growth(lambda n: rows.read([wrong] * n), lambda out: out.feedback(out), (50, 200, 800))
    assert_growth(
        lambda n: lists.validate_input(
            {"a": [1] * n + ["x"], "b": {f"k{i}": "y" for i in range(n)} | {"z": 1}}
        ),
        lambda out: out.feedback(out),
        (100, 400, 1600),
    )
    assert_growth(
        lambda n: search.call('{"query": ' + "[1, " * 1 + "1, " * n),
        lambda out: out.feedback(out),
        (100, 400, 1600),
    )
    assert_growth(
        lambda n: typesig.parse("[:int]").validate_and_coerce(["x"] * n, Policy(max_issues=10**6)),
        lambda out: out.feedback(out),
        # Of so many, the texts of errors are made when they are read.
        (1100, 2200, 4400),
    )


FREE = "Free:\n - Elm\n - Birch\x1b[0m\n"
TOLD = "Tool errors:\n- Free:\n   - Elm\n   - Birch\\x1b[0m"


@typesig.tool
def free_rooms(day: str) -> str:
    """Tell the free rooms."""
    raise typesig.ToolError(FREE if day == "today" else day)


def test_the_error_of_a_tool_keeps_its_lines_and_none_of_them_looks_like_an_item() -> None:
    tools = typesig.tools_of([free_rooms])
    outcome = free_rooms.call({"day": "today"})
    call = {"id": "c", "function": {"name": "free_rooms", "arguments": '{"day": "today"}'}}
    params = {"name": "free_rooms", "arguments": {"day": "today"}}
    [sent] = tools.project("openai").handle(call)
    [served] = tools.project("mcp").handle(params)

    assert TOLD == outcome.feedback() == outcome.report() == outcome.text()
    assert TOLD == sent["content"] == served["content"][0]["text"]


def test_the_lines_of_the_error_of_a_tool_are_bounded() -> None:
    many = free_rooms.call({"day": "\n".join("abcdefgh" * 20)}).feedback()
    long = free_rooms.call({"day": "a\n" * 2_000}).feedback()

    assert MAX_COMPLAINT_LINES == many.count("\n")
    assert many.endswith("\n  " + " ".join(("abcdefgh" * 20)[MAX_COMPLAINT_LINES - 1 :]))
    assert long.endswith("…")
    assert len(long) < 2 * MAX_COMPLAINT


def test_the_repr_of_an_outcome_says_how_many_issues_it_leaves_out() -> None:
    signature = typesig.parse("(" + ", ".join(f"a{n} :int" for n in range(20)) + ") -> :any")
    sent = {f"a{n}": "x" for n in range(20)}
    few = typesig.parse("(a :int) -> :any").validate_input({"a": "x"})
    first = [f'a{n}: expected int, got string "x"' for n in range(3)]
    warned = signature.validate_input({f"a{n}": str(n) for n in range(20)})

    assert f"Outcome(errors={first!r} and 17 more)" == repr(signature.validate_input(sent))
    assert f"Outcome(errors={first[:1]!r})".replace("a0", "a") == repr(few)
    assert repr(warned).endswith(" and 17 more)")
