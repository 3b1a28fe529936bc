"""Values that their type says are plain: the object that was checked, shown without a look at it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, OddText, conforming, lone_signatures
from typesig import Outcome, Signature
from typesig.algebra import Keyword
from typesig.algebra.nodes import INT, STRING, List, Record, Ref, Type, Union
from typesig.validation.generated.unchanged_outcomes import UnchangedOutcome, has_plain_values
from typesig.validation.outcome.model_data import make_model_data
from typesig.validation.outcome.passthrough import FOR_TEXT, build_copier, return_unchanged
from typesig.validation.plain_data import to_plain


def checked(signature: Signature, value: Any, mode: Any = "enabled") -> Outcome[Any]:
    """Return the outcome of a check that has source."""
    for _ in range(4):
        outcome = signature.validate_output(value, mode)
    return outcome


#: Types, and values of them, whose value is the object that was checked.
KEPT = [
    (":int", 3),
    ("[:int]", [1, 2]),
    ("{id :int, name :string?, of [{a? :float}]}", {"id": 1, "name": None, "of": [{}]}),
    (":map[:string {a :int}]", {"x": {"a": 1}}),
    ("[:int, [:string]]", [1, ["a"]]),
    ("{id :int|:string, how :enum[a b], n :int[1..3]}", {"id": "x", "how": "a", "n": 2}),
    ("[{id :int}?]", [None, {"id": 1}]),
]


@pytest.mark.generated
@pytest.mark.parametrize(("text", "value"), KEPT)
def test_the_value_is_the_object_that_was_checked(text: str, value: Any) -> None:
    outcome = checked(typesig.parse(f"() -> {text}"), value)

    assert isinstance(outcome, UnchangedOutcome)
    assert outcome.value is outcome.result is value


@pytest.mark.parametrize(
    ("text", "value", "made"),
    [
        ("[:int]", (1, 2), [1, 2]),
        ("[{tags [:string]}]", [{"tags": []}, {"tags": ("a",)}], [{"tags": []}, {"tags": ["a"]}]),
        ("{id :int}", {"id": 1, "more": {3}}, {"id": 1, "more": [3]}),
        ("[{id :int}]", [{"id": 1}, {"id": 2, "more": (1,)}], [{"id": 1}, {"id": 2, "more": [1]}]),
        ("#{:int}", {1}, [1]),
    ],
)
def test_what_must_be_rewritten_is_and_each_read_returns_the_same(
    text: str, value: Any, made: Any
) -> None:
    outcome = checked(typesig.parse(f"() -> {text}"), value)

    assert made == outcome.value
    assert repr(made) == repr(outcome.value)
    assert outcome.value is outcome.value


def test_an_item_behind_one_that_is_coerced_is_rewritten_too() -> None:
    signature = typesig.parse("[{id :int, tags [:string]}]")
    for _ in range(4):
        outcome = signature.validate_and_coerce(
            [{"id": 1, "tags": ("a",)}, {"id": "2", "tags": []}]
        )

    assert [{"id": 1, "tags": ["a"]}, {"id": 2, "tags": []}] == outcome.value
    assert 1 == len(outcome.warnings)


@pytest.mark.parametrize("key", [Keyword("id"), OddText("id")])
@pytest.mark.parametrize(
    "text",
    [
        "{id :int, note? :string?}",
        "[{id :int}]",
        "{_own? :int, id :int}",
        "{id :int, of? {a :int}}",
    ],
)
def test_a_key_of_another_class_is_text_for_a_model(text: str, key: str) -> None:
    value: Any = [{key: 1}] if text.startswith("[") else {key: 1}
    outcome = checked(typesig.parse(text), value)
    shown = outcome.for_model()

    assert json.dumps(value, separators=(",", ":")) == outcome.text()
    assert "['id']" == repr([*(shown["items"][0] if text.startswith("[") else shown)])
    assert value == outcome.value
    [made] = outcome.value[0] if text.startswith("[") else outcome.value
    assert type(made) is str
    assert outcome.value is outcome.value
    assert outcome.result is value


def test_a_key_of_another_class_within_fixed_positions_is_text_for_a_model() -> None:
    value = [1, {OddText("id"): 2}]
    outcome = checked(typesig.parse("() -> [:int, {id :int}]"), value)
    shown = outcome.for_model()

    assert {"items": [1, {"id": 2}]} == shown
    assert [str] == [type(key) for key in shown["items"][1]]


def test_what_a_model_must_not_see_is_left_out_of_whole_values() -> None:
    signature = typesig.parse("[{id :int, _own :int, note? :string?, of [:int, {_a :int}, :int]}]")
    row = {"_own": 1, "note": None, "of": [1, {"_a": 2}, 3], "id": 4}
    outcome = checked(signature, [row])

    assert '[{"of":[1,{},3],"id":4}]' == outcome.text()
    assert {"items": [{"of": [1, {}, 3], "id": 4}]} == outcome.for_model()
    assert [{"note": None, "of": [1, {}, 3], "id": 4}] == outcome.for_model(exact=True)
    assert outcome.value == [row]


def test_parts_that_are_null_or_absent_are_shown_as_they_are() -> None:
    signature = typesig.parse("{a [{_b :int, c :int}?], d? {_e :int}}")
    both = checked(signature, {"a": [{"_b": 1, "c": 2}, None], "d": {"_e": 3}})

    assert '{"a":[{"c":2},null],"d":{}}' == both.text()
    assert '{"a":[]}' == checked(signature, {"a": []}).text()


def test_data_for_a_model_may_be_changed_without_the_value() -> None:
    value = {"a": [[1]], "b": {"c": [2]}, "d": [3, [4]], "e": 5}
    signature = typesig.parse("{a [[:int]], b :map[:string [:int]], d [:int, [:int]], e :int}")
    outcome = checked(signature, value)
    shown = outcome.for_model()
    for part in (shown["a"][0], shown["a"], shown["b"]["c"], shown["d"][1], shown["d"]):
        part.append(9)
    shown["b"]["x"] = 9

    assert {"a": [[1]], "b": {"c": [2]}, "d": [3, [4]], "e": 5} == value == outcome.value


def test_data_of_a_call_whose_result_is_rewritten_is_made_of_its_parts() -> None:
    def give(is_set: bool) -> dict[str, Any]:
        return {"a": {1} if is_set else (1,)}

    made = typesig.tool(give)

    assert [{"a": [1]}] * 8 == [made.call({"is_set": bool(n % 2)}).for_model() for n in range(8)]


def test_data_of_a_call_without_records_may_be_changed_too() -> None:
    value: dict[str, Any] = {"a": [1, {"b": [2]}], "c": 0.5}

    def give() -> dict[str, Any]:
        return value

    made = typesig.tool(give)
    for _ in range(5):
        outcome = made.call({})
        shown = outcome.for_model()
        assert '{"a":[1,{"b":[2]}],"c":0.5}' == outcome.text()
        shown["a"][1]["b"].append(9)

    assert {"a": [1, {"b": [2]}], "c": 0.5} == value == outcome.value


#: Types of whole values, and whether nothing of them is left out; None if that is not known.
SHOWN = [
    ("[:int]", True),
    ("[:any]", True),
    ('{a :int "a number"}', True),
    (":int[1..3]", True),
    (":map[:string :map]", True),
    ("[:int, :string]", True),
    (":int|:string", True),
    ("{a :int}", True),
    ("[{a? :int?}]", False),
    (":map[:string {_a :int}]", False),
    ("{a? :int?}[1..]", True),
    ("[:int, {_a :int}]", False),
    ("[:int, :datetime]", True),
    (":map[:string :datetime]", True),
    ("[:datetime]", True),
    ("{a :datetime}", True),
    ("{a :int}|[:int]", True),
    ("{_a :int}|[:int]", False),
    ("{_a :int}|:map[:string :int]", None),
    ("{_a :int}|{a :int}", None),
    ("{_a :int}|:one[:int, :string]", None),
    ("{a? :int?, b :int}|{a :int, c :int}", None),
    ("{a :int, c? :int?}|{a :string, b :int}", False),
    ("{a {_b :int}, c? :int?}|{a {_c :int}, b :int}", None),
    ("{a? :int?}|:map", None),
    ("{a? :int?}|[:int]|:string", False),
    ("[{a? :int?}]|[:int, :int]", None),
    ("{_a :int}[1..]|[:int]", False),
    ("[:one[:int, :string]]", None),
    (":map[:one[:int, :string]]", None),
    ("[:int, :one[:int, :string]]", None),
    ("#{:int}", True),
    ("#{{a? :int?}}", True),
    ("#{{_a :int}}", False),
    ("[:int, ** {a? :int?}]", False),
    (":one[:int, :string]", None),
    ("{a :int, **x :int}", None),
]


def shown(t: Type) -> bool | None:
    found = build_copier(t, FOR_TEXT)
    return None if found is None else found is return_unchanged


@pytest.mark.parametrize(("text", "whole"), SHOWN)
def test_a_type_tells_what_is_left_out_of_whole_values(text: str, whole: bool | None) -> None:
    if text == "{a :int, **x :int}":
        t: Type = Record((), INT)
    else:
        t = typesig.parse(f"() -> {text}").returns

    assert whole is shown(t)


def test_a_value_of_a_union_is_shown_by_the_keys_that_it_has() -> None:
    t = typesig.parse("() -> {a :int, c? :int?}|{a :string, b :int}|[:int]|:nil").returns
    copy = build_copier(t, FOR_TEXT)
    assert copy is not None

    assert {"a": 1} == copy({"a": 1, "c": None})
    assert {"a": "x", "b": 1} == copy({"a": "x", "b": 1})
    assert [1] == copy([1])
    assert copy(None) is None


@pytest.mark.generated
def test_what_outcomes_share_has_no_other_parts() -> None:
    outcome = checked(typesig.parse("() -> [:float]"), [0.5])

    assert "[0.5]" == outcome.text()
    with pytest.raises(AttributeError):
        outcome._about.other  # type: ignore[union-attr]  # noqa: B018


def test_a_number_beside_what_must_be_rewritten_stays() -> None:
    outcome = checked(
        typesig.parse("() -> {at :keyword, x :float}"), {"at": Keyword("a"), "x": 0.5}
    )

    assert '{"at":"a","x":0.5}' == outcome.text()
    assert {"at": "a", "x": 0.5} == outcome.value


def test_types_with_names_or_many_parts_are_not_kept() -> None:
    t: Type = INT
    for _ in range(20):
        t = Record((typesig.parse("{a :int}").returns.fields[0].with_type(t),), None)  # type: ignore[attr-defined]

    assert not has_plain_values(Ref("a"))
    assert not has_plain_values(Union((List(INT), STRING)))
    assert has_plain_values(t)


@settings(LAW)
@given(st.data(), lone_signatures(2))
def test_a_whole_value_is_shown_as_every_value_is(
    data: st.DataObject, signature: Signature
) -> None:
    value = to_plain(data.draw(conforming(signature.returns, signature.names)))
    outcome = checked(signature, value)
    if not outcome.ok or not isinstance(outcome, UnchangedOutcome):
        return
    subject = outcome._subject
    assert subject is not None
    for exact in (False, True):
        careful = make_model_data(subject._replace(is_whole=False), value, exact)
        whole = make_model_data(subject._replace(is_whole=True), value, exact)
        assert repr(careful) == repr(whole)
        found = outcome.for_model(exact)
        assert repr({"items": careful.data} if careful.wrapped else careful.data) == repr(found)
    careful = make_model_data(subject._replace(is_whole=False), value, False)
    assert careful.data == json.loads(outcome.text())


#: Types with records within each other, and values with the key `id`.
NESTED = [
    ("{a {id :int}}", {"a": {"id": 1}}),
    ("{a? {id :int}, b :int}", {"b": 1, "a": {"id": 1}}),
    ("{a {id :int}?}", {"a": {"id": 1}}),
    ("[{a [{id :int}]}]", [{"a": [{"id": 1}]}]),
    (":map[:string {a {id :int}}]", {"x": {"a": {"id": 1}}}),
    ("[:int, {id :int}]", [1, {"id": 1}]),
    ("{a {b [:int, {id :int}]}}", {"a": {"b": [1, {"id": 1}]}}),
    ("{id :int}[1..]", {"id": 1}),
    ("[[[{id :int}?]]]", [[[None, {"id": 1}]]]),
]


def with_keyword(value: Any) -> Any:
    """Return *value* with a keyword in place of each key `id`."""
    if isinstance(value, list):
        return [with_keyword(item) for item in value]
    if isinstance(value, dict):
        return {Keyword(k) if k == "id" else k: with_keyword(value[k]) for k in value}
    return value


def classes_of_keys(value: Any) -> set[type]:
    if isinstance(value, list):
        return set().union(*map(classes_of_keys, value))
    if isinstance(value, dict):
        return {*map(type, value)}.union(*map(classes_of_keys, value.values()))
    return set()


@pytest.mark.parametrize(("text", "value"), NESTED)
def test_keys_within_are_looked_at(text: str, value: Any) -> None:
    signature = typesig.parse(f"() -> {text}")
    own, other = checked(signature, value), checked(signature, with_keyword(value))

    assert value == own.value
    assert value == other.value
    assert {str} == classes_of_keys(other.value)


def test_records_beyond_the_levels_of_a_condition_are_looked_at_when_the_value_is_read() -> None:
    text: str = "{id :int}"
    value: Any = {"id": 1}
    for _ in range(16):
        text, value = f"[{{a {text}}}]", [{"a": value}]
    signature = typesig.parse(f"() -> {text}")

    assert value == checked(signature, value).value
    assert {str} == classes_of_keys(checked(signature, with_keyword(value)).value)
