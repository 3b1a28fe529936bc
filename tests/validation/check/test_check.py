"""Validation of choices, scalars, sets, keys and limits; and rare texts of signatures."""

from __future__ import annotations

import dataclasses
import datetime
import enum
from difflib import get_close_matches
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig import Outcome, Policy, ValidationError
from typesig.algebra import Keyword
from typesig.errors import SignatureSyntaxError, TooDeep
from typesig.limits import MAX_DIGITS, MAX_ISSUES, MAX_JSON, MAX_VALUE_DEPTH
from typesig.validation import normalize_keys
from typesig.validation.check.record_branches import count_undeclared
from typesig.validation.coercions import CONVERSIONS, REFUSED
from typesig.validation.issues.suggestions import suggest_closest
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.keys import KeyPlan


def asked(shorthand: str, value: object, mode: str | Policy = "enabled") -> Outcome[Any]:
    """Return the outcome of *value* as an argument of the type *shorthand*."""
    return typesig.parse(f"(v {shorthand}) -> :any").validate_input({"v": value}, mode=mode)


def got(shorthand: str, value: object, mode: str | Policy = "enabled") -> Any:
    outcome = asked(shorthand, value, mode)

    assert [] == [str(error) for error in outcome.errors]
    return outcome.result["v"]


def errors(shorthand: str, value: object, mode: str | Policy = "enabled") -> list[str]:
    return [str(error) for error in asked(shorthand, value, mode).errors]


# Choices


@pytest.mark.parametrize(
    ("shorthand", "value", "expected"),
    [
        (":int|:float", "3", 3),
        (":float|:int", "3", 3.0),
        (":bool|:int|:float", "3", 3),
        (":int|:string", "3", "3"),
        (":one[:int, :float]", "2.5", 2.5),
        (":one[:int, [:any]]", "3", 3),
        (":one[:int[..5], :float[10..]]", "3", 3),
    ],
)
def test_the_first_branch_that_coerces_wins(
    shorthand: str, value: object, expected: object
) -> None:
    made = got(shorthand, value)

    assert expected == made
    assert type(expected) is type(made)


def test_a_coerced_value_that_fits_several_branches_is_not_exactly_one() -> None:
    assert ["v: fits 2 of 2 alternatives, and must fit exactly one"] == errors(
        ":one[:int[1..], :int[..9]]", "3"
    )
    assert ["v: fits 2 of 2 alternatives, and must fit exactly one"] == errors(
        ":one[:int[1..], :int[..9]]", 3
    )


def test_the_constants_of_many_branches_are_listed_together_within_a_limit() -> None:
    few = "{kind :enum[:a]}|{kind :enum[:b]}"
    many = "|".join(f"{{kind :enum[:{letter * 30}]}}" for letter in "abcdefghijkl")

    assert ['v.kind: expected one of [:a, :b], got "c"'] == [
        e.split(" (")[0] for e in errors(few, {"kind": "c"})
    ]
    assert [f'v.kind: expected one of [:{"a" * 30}], got "c"'] == errors(many, {"kind": "c"})


def test_the_errors_of_a_union_are_those_of_the_closest_branch() -> None:
    found = errors("{id :int, name :string}|{x :float}", {"id": "x", "name": "a"})

    assert ['v.id: expected int, got string "x"'] == found


# Scalars and enums


@pytest.mark.parametrize(
    ("expected", "shorthand", "value"),
    [
        (1.0, ":enum[1.0 2.0]", 1),
        (3, ":enum[1 2 3]", "3"),
        (Keyword("a"), ":enum[:a :b]", "a"),
        ("a", ':enum["a"]', Keyword("a")),
        (True, ":enum[true]", "true"),
    ],
)
def test_a_value_read_for_an_enum_is_its_constant(
    expected: object, shorthand: str, value: object
) -> None:
    made = got(shorthand, value)

    assert expected == made
    assert type(expected) is type(made)


@pytest.mark.parametrize(
    ("shorthand", "value"),
    [
        (":enum[1 2 3]", "4"),
        (":enum[1 2 3]", "x"),
        (":enum[1.5]", 1),
        (':enum["a" 1]', []),
        (':enum["a"]', "a" * 101),
    ],
)
def test_an_enum_refuses_other_values(shorthand: str, value: object) -> None:
    assert 1 == len(errors(shorthand, value))


def test_letter_case_is_ignored_by_a_policy_that_turns_it_on_if_one_constant_matches() -> None:
    policy = Policy(coercions=frozenset({"enum_ignoring_case"}))

    assert "Red" == got(':enum["Red" "blue"]', "RED", policy)
    assert 1 == len(errors(':enum["Red" "red"]', "RED", policy))
    assert 1 == len(errors(':enum["Red"]', "green", policy))
    assert 1 == len(errors(':enum["Red"]', "RED"))


def test_an_enum_member_is_a_keyword_in_a_result() -> None:
    class Mood(enum.Enum):
        CALM = 1

    signature = typesig.parse(":keyword")

    assert signature.accepts(Mood.CALM)
    assert signature.accepts(Keyword("calm"))
    assert not signature.accepts("calm")
    assert not signature.accepts(object())


#: A type of a result, a value that it takes, and one that it refuses.
KEYWORD_KEYS: list[tuple[str, object, object]] = [
    (":map[:keyword :int]", {"a": 1, Keyword("b"): 2}, {"a": "x"}),
    (":map[:keyword :int]", {"user-id": 1}, {":a": 1}),
    (":map[:keyword :int]", {"日本": 1}, {"": 1}),
    (":map[:keyword :int]", {}, {1: 1}),
    (":map[:keyword :any]", {"a": Keyword("b")}, {("a",): 1}),
    (":map[:enum[:a :b] :int]", {"a": 1, Keyword("b"): 2}, {"c": 1}),
    (':map[:enum[:a "B" 1] :int]', {"a": 1, "B": 2, 1: 3}, {"1": 1}),
    (":map[:keyword|:int :int]", {"a": 1, 2: 2}, {":a": 1}),
    (":map[:enum[:a]|:enum[:b] :int]", {"a": 1, "b": 2}, {"c": 1}),
    (":map[:keyword[2..] :int]", {"ab": 1}, {"a": 1}),
    (":map[:keyword[/^x/] :int]", {"x1": 1}, {"y1": 1}),
    (":map[:keyword[date] :int]", {"2026-01-31": 1}, {"2026-01-32": 1}),
    (":map[:keyword[..2] & :keyword[2..] :int]", {"ab": 1}, {"a": 1}),
    (":map[:keyword & :not[:enum[:a]] :int]", {"b": 1}, {"a": 1}),
    (":map[:one[:keyword, :enum[:a]] :int]", {"b": 1}, {"a": 1}),
    (':map[:not[:enum["a"]] :int]', {"b": 1}, {"a": 1}),
    (":map[:not[:enum[:a]] :int]", {"b": 1, 1: 2}, {"a": 1}),
    (":map[:not[:not[:keyword] & :any] :int]", {"b": 1}, {"": 1}),
    (":map[[:keyword, :int] :int]", {(Keyword("a"), 1): 1}, {("a", 1): 1}),
    (':map[(:keyword "a name") :int]', {"b": 1}, {"": 1}),
    (":map[:K :int] where K = :int|:L, L = :keyword", {"b": 1, 2: 2}, {"": 1}),
    (
        ":map[:K :map[:K :int]] where K = :enum[:a]|[:map[:K :int]]",
        {"a": {"a": 1}},
        {"a": {"b": 1}},
    ),
    (":map[:keyword? :int]", {"a": 1, None: 2}, {1: 1}),
    (":map[:K :int] where K = :enum[:a]", {"a": 1}, {"b": 1}),
    ("{m :map[:keyword :int]}", {"m": {"a": 1}}, {"m": {":a": 1}}),
    ("[:map[:keyword :int]|:string]", [{"a": 1}, "x"], [{":a": 1}]),
    (":map[:keyword :int] & :map[1..]", {"a": 1}, {}),
    (":map[:keyword :map[:keyword :int]]", {"a": {"b": 1}}, {"a": {":b": 1}}),
    (":not[:map[:keyword :int]]", {"": 1}, {"a": 1}),
]


@pytest.mark.parametrize(("text", "taken", "refused"), KEYWORD_KEYS)
def test_a_text_stands_for_a_keyword_as_a_key_of_a_map(
    text: str, taken: object, refused: object
) -> None:
    signature = typesig.parse(f"() -> {text}" if " where " not in text else text)
    outcome = signature.validate_output(taken)

    assert outcome.ok
    assert outcome.result is taken
    assert signature.accepts(taken)
    assert not signature.accepts(refused)
    assert signature.validate_and_coerce(taken).ok


def test_a_text_that_stands_for_a_keyword_is_the_key_that_malli_writes() -> None:
    signature = typesig.parse([":map-of", ":keyword", [":map-of", [":enum", ":a"], ":int"]])
    value = {"x": {"a": 1}}

    assert value == signature.validate_output(value).result
    assert {str} == {type(key) for key in signature.validate_output(value).result}
    assert value == signature.validate_output(value).for_model()


def test_a_key_becomes_a_keyword_where_json_is_read() -> None:
    signature = typesig.parse("(m :map[:keyword & :not[:enum[:b]] :int]) -> :map[:keyword :int]")
    value = {"a": 1}

    made = signature.validate_input({"m": value}, mode="strict").result["m"]

    assert (value, {Keyword}) == (made, {type(key) for key in made})


def test_an_input_takes_the_keys_that_a_result_takes() -> None:
    s = typesig.parse("(m :map[:not[:not[:keyword]|:enum[:b]] :int]) -> :any")

    assert s.validate_input({"m": {"a": 1}}).ok
    assert ['m.b: keys are not not keyword|one of [:b], got string "b"'] == [
        str(error) for error in s.validate_input({"m": {"b": 1}}).errors
    ]
    twice = typesig.parse("(m :map[:not[:enum[:b]] :int]) -> :any")
    assert 1 == len(twice.validate_input({"m": {"b": 1}}).errors)
    assert {1: 2} == typesig.parse("(m :map[:int|:keyword :int]) -> :any").validate_input(
        {"m": {"1": 2}}
    ).result["m"]


def test_a_keyword_and_its_text_are_one_key_of_a_python_map() -> None:
    assert {"a": 2} == {Keyword("a"): 1, "a": 2}
    assert hash("a") == hash(Keyword("a"))


def test_a_member_of_an_enum_and_its_text_as_keys_have_no_common_form_in_json() -> None:
    class Colour(enum.Enum):
        RED = "red"

    outcome = typesig.parse("() -> :map[:keyword :int]").validate_output({Colour.RED: 1, "red": 2})

    assert outcome.ok
    with pytest.raises(typesig.TypesigError, match="red: two keys are this text in JSON"):
        outcome.for_model()


@pytest.mark.parametrize(
    "text", ["2026-01-31T10:00:00.123456789Z", "2026-01-31t10:00:00-00:00", "0001-01-01 00:00:00Z"]
)
def test_each_form_of_a_date_time_is_read(text: str) -> None:
    assert isinstance(got(":datetime", text), datetime.datetime)


def test_a_number_with_too_many_digits_is_not_read_as_a_float() -> None:
    assert 1 == len(errors(":float", "1" * (MAX_DIGITS + 1)))
    assert 1.0 == got(":float", "1" + "." + "0" * 20)


def test_every_coercion_refuses_what_it_does_not_read() -> None:
    odd = {"string": ":", "int": 2**60 + 1, "float": 2.5}
    found = {
        row.id: row.apply(odd[kind])
        for row in CONVERSIONS.values()
        for kind in row.sources & odd.keys()
        # Any text is that of a keyword.
        if row.format is None and row.id != "keyword_from_string"
    }

    assert found
    assert {REFUSED} == set(found.values())


# Sets and keys


def test_items_of_a_set_that_become_one_are_an_error() -> None:
    (error,) = errors("#{:int}", {"1", 1})

    assert error.startswith("v: expected unique items, got set #{")
    assert {1, 2} == got("#{:int}", {"1", 2})


def test_a_key_that_is_not_text_has_no_suggestion() -> None:
    (error,) = errors("{name :string}!", {"name": "a", 1: 2})
    (long,) = errors("{name :string}!", {"name": "a", "n" * 101: 2})

    assert "did you mean" not in error
    assert "did you mean" not in long
    assert "did you mean name?" in errors("{name? :string}!", {"nam": "a"})[0]


def test_keys_are_normalized_up_to_a_depth() -> None:
    deep: Any = {}
    for _ in range(MAX_VALUE_DEPTH + 1):
        deep = {"a-b": deep}

    with pytest.raises(TooDeep, match=f"nested too deep: at most {MAX_VALUE_DEPTH} levels"):
        normalize_keys(deep)


def test_a_key_in_two_spellings_cannot_be_normalized() -> None:
    with pytest.raises(ValidationError, match='the key "a_b" is given twice, in two spellings'):
        normalize_keys({"x": [{"a-b": 1, "a_b": 2}]})


def test_keys_that_are_not_text_are_not_normalized() -> None:
    assert {1: {"a_b": 2}} == normalize_keys({1: {"a-b": 2}})


# Limits


def test_warnings_beyond_the_limit_are_counted() -> None:
    outcome = asked("[:int]", ["1"] * (MAX_ISSUES + 7))

    assert outcome.ok
    assert MAX_ISSUES == len(outcome.warnings)
    assert [1] * (MAX_ISSUES + 7) == outcome.value["v"]


def test_a_text_beyond_the_limit_is_not_read() -> None:
    with pytest.raises(BadJson, match=f"too large: {MAX_JSON + 1} characters, at most {MAX_JSON}"):
        read_json(" " * (MAX_JSON + 1))


# Texts of signatures


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f":int[{'1' * (MAX_DIGITS + 1)}..]", f"a number may have {MAX_DIGITS} characters"),
        (":float[1e999..]", "this number is too large for a float"),
        ('(a :map = {"k": 1, "k": 2}) -> :any', "the key 'k' occurs twice"),
        ('(a :keyword = :":x") -> :any', "a keyword's text has no colon"),
        (':""', 'the name of a type cannot be empty; write :any, or :"Name"'),
        (r'(a :string = "\x") -> :any', "this text has an escape that JSON does not have"),
        (":T where T = :int, T = :string", "the type 'T' is defined twice"),
        (":int[5..1]", "the range is empty; write 1..5"),
        ("(a :string = b) -> :any", 'a text is written in double quotes: write "b"'),
    ],
)
def test_the_error_for_a_bad_signature_tells_what_to_write(text: str, message: str) -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse(text)

    assert message == caught.value.message


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("() -> :int", "-> :int"),
        ('() -> :int "how many"', '-> :int "how many"'),
        ('() -> {"a b" :int, c :string}', '{:"a b" :int :c :string}'),
        ('(a :keyword = :"b c") -> :any', '(a :keyword = :"b c") -> :any'),
        ('(a :map = {"k": [1, nil]}) -> :any', '(a :map = {"k": [1, null]}) -> :any'),
        ('() -> :"a b" where "a b" = :int', ':"a b" where "a b" = :int'),
    ],
)
def test_a_rarer_spelling_is_read(expected: str, text: str) -> None:
    assert typesig.parse(expected) == typesig.parse(text)
    assert expected.removeprefix("() -> ") in typesig.render(text)


def test_notes_within_notes_are_written_once_each() -> None:
    from typesig.algebra.constructors import make_field, make_maybe, make_noted, record
    from typesig.algebra.nodes import INT

    titled = make_noted(make_noted(INT, None, "Inner"), None, "Outer")

    assert ":int?" == typesig.render(make_maybe(titled))
    assert "{a :int}" == typesig.render(record([make_field("a", titled)]))
    assert '{a (:int "x") "y"}' == typesig.render(
        record([make_field("a", make_noted(make_noted(INT, "x"), "y"))])
    )
    assert "() -> {a :int}" == str(
        typesig.parse(record([make_field("a", make_noted(make_noted(INT, "x"), "y"))]))
    )


@pytest.mark.parametrize("rest", ["", ", b :int, c :int"])
def test_the_error_for_a_duplicate_name_has_its_column(rest: str) -> None:
    with pytest.raises(SignatureSyntaxError, match="the name 'a' occurs twice") as caught:
        typesig.parse(f"(a :int, a :int{rest}) -> :int")

    assert 10 == caught.value.column


def test_a_default_that_is_one_entry_too_many_is_not_filled_in() -> None:
    assert {"b": 1} == got("{a :int = 1, b? :int}[..1]", {"b": 1})
    assert {"a": 1, "b": 1} == got("{a :int = 1, b? :int}[..2]", {"b": 1})


@dataclasses.dataclass
class OnlyX:
    x: int


@dataclasses.dataclass
class XandY:
    x: int
    y: int


@dataclasses.dataclass
class XandWhen:
    x: int
    y: int
    when: datetime.date | None = None


def _shown(v: object) -> str:
    return repr(v)


@pytest.mark.parametrize(
    ("hint", "sent", "received"),
    [
        (OnlyX | XandY, {"x": 1, "y": 2}, "XandY(x=1, y=2)"),
        (XandY | OnlyX, {"x": 1, "y": 2}, "XandY(x=1, y=2)"),
        (OnlyX | XandY, {"x": 1}, "OnlyX(x=1)"),
        (OnlyX | XandY, {"x": "1", "y": "2"}, "XandY(x=1, y=2)"),
        (OnlyX | XandY, {"x": 1, "y": 2, "z": 3}, "XandY(x=1, y=2)"),
        (OnlyX | XandY, {"x": 1, "z": 3}, "OnlyX(x=1)"),
        (OnlyX | XandY, {"x": 1, "y": "a"}, "OnlyX(x=1)"),
        (OnlyX | XandY | XandWhen, {"x": 1, "y": 2}, "XandY(x=1, y=2)"),
        (
            OnlyX | XandY | XandWhen,
            {"x": 1, "y": 2, "when": "2027-01-31"},
            "XandWhen(x=1, y=2, when=datetime.date(2027, 1, 31))",
        ),
        (list[OnlyX | XandY | None], [{"x": 1, "y": 2}, None], "[XandY(x=1, y=2), None]"),
        (dict[str, Any] | OnlyX | XandY, {"x": 1, "y": 2}, "{'x': 1, 'y': 2}"),
        (OnlyX | XandY | str, "a", "'a'"),
    ],
)
def test_a_union_of_records_takes_the_branch_that_loses_no_key(
    hint: object, sent: object, received: str
) -> None:
    def f(v: object) -> str:
        return _shown(v)

    f.__annotations__["v"] = hint

    assert typesig.tool(f).call({"v": sent}).value == received


def test_a_union_of_records_prefers_the_branch_that_coerces_nothing() -> None:
    sig = typesig.parse("(v {a :int, b :string}|{a :string, b :string}) -> :any")

    out = sig.validate_input({"v": {"a": "1", "b": "x"}})

    assert out.value == {"v": {"a": "1", "b": "x"}}
    assert out.warnings == ()


def test_keys_deep_in_a_record_count_as_undeclared() -> None:
    sig = typesig.parse("(v {a {x :int}}|{a {x :int, y :int}}) -> :any")

    assert sig.validate_input({"v": {"a": {"x": 1, "y": "2"}}}).value == {
        "v": {"a": {"x": 1, "y": 2}}
    }


@pytest.mark.parametrize(
    ("shorthand", "value", "number"),
    [
        ("[{a :int}, {b :int}]", [{"a": 1, "x": 1}, {"b": 1, "y": 2, "z": 3}], 3),
        ("[{a :int}, ** {b :int}]", [{"a": 1, "x": 1}, {"c": 1}], 1),
        ("[{a :int}, {b :int}]", {"a": 1, "x": 1}, 0),
        ("{a :int}", {"a": 1, "x": 1}, 1),
        ("{a :int, ** :int}", {"a": 1, "x": 1}, 0),
        ("{a {b :int}, ** :int}", {"a": {"b": 1, "y": 2}, "x": 1}, 1),
    ],
)
def test_keys_without_a_type_in_the_records_of_positions_and_fields_are_undeclared(
    shorthand: str, value: object, number: int
) -> None:
    returns = typesig.parse(f"() -> {shorthand}").returns

    assert number == count_undeclared(returns, value, {})


def test_the_errors_of_a_union_of_records_are_those_of_the_closest() -> None:
    sig = typesig.parse("(v {kind :enum[1], a :int}|{kind :enum[2], b :int}) -> :any")

    out = sig.validate_input({"v": {"kind": 2, "b": "x"}})

    assert [str(issue) for issue in out.errors] == ['v.b: expected int, got string "x"']


def test_nested_unions_of_records_are_checked_once_at_each_level() -> None:
    # Checking each level twice would take 2**40 steps.
    sig = typesig.parse("(v :N) -> :any where N = {a :N|:int, b? :int}|{a :N|:int}")

    def deep(innermost: object) -> Any:
        value = innermost
        for _ in range(40):
            value = {"a": value, "b": 1}
        return {"v": value}

    assert sig.validate_input(deep(1)).ok
    assert sig.validate_input(deep("1")).value == deep(1)
    assert not sig.validate_input(deep("x")).ok


def test_records_that_a_map_cannot_be_are_only_counted_beyond_the_limit_of_issues():
    signature = typesig.parse(f"[{'|'.join(f'{{id :int, x{n} :int}}' for n in range(8))}]")

    found = signature.validate_output([{"zz": 1}] * 6, typesig.Policy(max_issues=2))

    assert [
        "[0].id: expected int, got nil (missing)",
        "[0].x0: expected int, got nil (missing)",
    ] == [str(error) for error in found.errors]
    assert 5 == found.unseen


def closest_of_difflib(word: str, known: dict[str, str]) -> str:
    near = get_close_matches(word, known, 1)
    return f"did you mean {known[near[0]]}?" if near else ""


#: Words with what is known, at the edges of what is taken for near.
NEAR: list[tuple[str, list[str]]] = [
    ("", []),
    ("", [""]),
    ("a", [""]),
    ("opne", ["open", "closed"]),
    ("abc", ["abd", "abe"]),
    ("abab", ["baba", "bab"]),
    ("abcde", ["edcba", "abxde"]),
    ("limit", ["limits", "limt", "unlimited"]),
    ("xxabxx", ["abyyyy", "yyyyab", "xaxbxx"]),
]


@pytest.mark.parametrize(("word", "names"), NEAR)
def test_the_nearest_text_is_that_of_difflib(word: str, names: list[str]) -> None:
    known = {name: name.upper() for name in names}

    assert closest_of_difflib(word, known) == suggest_closest(word, known)


_WORDS = st.text("ab_é", max_size=9) | st.text("abcdefgh", max_size=9)


@settings(LAW)
@given(_WORDS, st.lists(_WORDS, max_size=5))
def test_the_nearest_of_any_texts_is_that_of_difflib(word: str, names: list[str]) -> None:
    known = {name: name.upper() for name in names}

    assert closest_of_difflib(word, known) == suggest_closest(word, known)


def test_a_key_plan_has_no_other_parts() -> None:
    plan = KeyPlan(())

    assert ({}, []) == (plan.fold, plan.shown)
    with pytest.raises(AttributeError):
        plan.other  # noqa: B018


def test_a_part_of_an_intersection_that_is_wrong_gets_no_defaults() -> None:
    signature = typesig.parse("(x {a :int = 1} & {b :int}) -> :any")

    for _ in range(4):
        outcome = signature.validate_input({"x": {"b": "no"}})
        assert ['x.b: expected int, got string "no"'] == [str(each) for each in outcome.errors]
        assert {"a": 1, "b": 2} == signature.validate_input({"x": {"b": 2}}).value["x"]
