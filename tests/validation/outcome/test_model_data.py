"""Data for a model: it fits the schema that the model was shown, and has nothing private."""

from __future__ import annotations

import enum
import json
import pickle
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, TypedDict

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW, conforming, lone_signatures
from tests.judge import CHECKER, JUDGE
from typesig import TypesigError, tool
from typesig.algebra import Keyword, Loss
from typesig.algebra.nodes import Not, One
from typesig.algebra.redaction import redact
from typesig.algebra.traversal import iter_types
from typesig.errors import TooDeep
from typesig.notations.json_schema import make_expressible
from typesig.relations.conformance import is_json
from typesig.relations.sampling.samples import samples
from typesig.validation.outcome.model_data import make_model_data
from typesig.validation.outcome.passthrough import (
    FOR_TEXT,
    CopyOptions,
    build_whole_copier,
    return_unchanged,
)


def fits(schema: Any, value: Any) -> bool:
    """Tell whether *value* fits *schema*, by the judge and with formats asserted."""
    return JUDGE(schema, format_checker=CHECKER).is_valid(value)


def _judged_alike(value: Any) -> bool:
    """Tell whether every validator judges *value* alike: whole floats keep their kind here only."""
    if isinstance(value, dict):
        return all("\n" not in key for key in value) and all(map(_judged_alike, value.values()))
    if isinstance(value, list):
        return all(map(_judged_alike, value))
    if type(value) is float:
        return not value.is_integer()
    return "\n" not in value if isinstance(value, str) else True


@pytest.mark.parametrize("exact", [False, True], ids=["shown", "exact"])
@LAW
@given(st.data())
def test_data_for_a_model_fits_the_schema_that_it_was_shown(exact, data):
    s = data.draw(lone_signatures())
    value = data.draw(conforming(s.returns, s.names))
    outcome = s.validate_output(value)
    assert outcome.ok
    if _has_member(value):
        # Constraints on texts do not apply to the members of enums, which become texts.
        return
    wholes = (s.returns, *s.names.values())
    decides = any(isinstance(part, Not | One) for t in wholes for part in iter_types(t))
    said = make_expressible(s)
    same = said.returns == s.returns and all(s.names[n] == t for n, t in said.names.items())
    if decides and not (same and is_json(value)):
        # In JSON a keyword is a text, and a set a list, which a negation of them refuses.
        return
    try:
        found = outcome.for_model(exact)
    except TypesigError:
        # Keys that become equal, or an object that JSON has no form for: other tests have them.
        return
    if not _judged_alike(found):
        return
    schema = s.to_json_schema(exact=exact)

    assert fits(schema, found), (schema, found)
    assert "zq" not in json.dumps(found) or "zq" not in json.dumps(schema)


def _has_member(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_member, (*value, *value.values())))
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(_has_member, value))
    return isinstance(value, enum.Enum)


class Row(TypedDict, total=False):
    id: int
    note: str | None


@dataclass
class Point:
    id: int
    note: str | None = None
    _raw: object = "x"


SHOWN = [
    # type, value, for_model(), for_model(exact=True)
    ("{id :int, note :string?, _raw :string}", {"id": 1, "note": None, "_raw": "x"}, {"id": 1}, {"id": 1, "note": None}),
    ("{id :int}", {"id": 1, "more": 2}, {"id": 1}, {"id": 1, "more": 2}),
    ("{}", {"more": 2}, {"more": 2}, {"more": 2}),
    ("{id :int, ** :int}", {"id": 1, "more": 2}, {"id": 1, "more": 2}, {"id": 1, "more": 2}),
    ("{user_id :int}", {"user-id": 1}, {"user_id": 1}, {"user_id": 1}),
    ("{id :int|:nil}", {"id": None}, {"id": None}, {"id": None}),
    ("[{_id :int, n :int}]", [{"_id": 1, "n": 2}], {"items": [{"n": 2}]}, [{"n": 2}]),
    ("[:int]?", None, {"items": None}, None),
    ("{a :int}?", None, None, None),
    ("#{:int}", {2, 1}, {"items": [1, 2]}, [1, 2]),
    (":map[:int {_a :int, b :int}]", {1: {"_a": 1, "b": 2}}, {"1": {"b": 2}}, {"1": {"b": 2}}),
    # The branch that leaves out the fewest keys.
    ("{a :int}|{a :int, b :int}", {"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 1, "b": 2}),
    ("{a {x :int}}|{a :map}", {"a": {"x": 1, "y": 2}}, {"a": {"x": 1, "y": 2}}, {"a": {"x": 1, "y": 2}}),
    # A name that any branch hides is hidden.
    (":map|{_a :int}", {"_a": 1, "b": 2}, {"b": 2}, {"b": 2}),
    # What other parts decide about stays as it is, except what is hidden.
    ("{a :int} & {b :int?, _c :int}", {"a": 1, "b": None, "_c": 3, "d": 4}, {"a": 1, "b": None, "d": 4}, {"a": 1, "b": None, "d": 4}),
    (":one[{_a :int, b :int}, {_a :string, b :int}]", {"_a": 1, "b": 2}, {"b": 2}, {"b": 2}),
    ("{_a :int, b :int}[2..]", {"_a": 1, "b": 2}, {"b": 2}, {"b": 2}),
    ("[{_a :int, b :int}][unique]", [{"_a": 1, "b": 2}, {"_a": 2, "b": 2}], {"items": [{"b": 2}, {"b": 2}]}, [{"b": 2}, {"b": 2}]),
    ("{a :int, /^a/ :any, /^_/ :int}", {"a": 1, "ab": None, "_x": 1}, {"a": 1, "ab": None, "_x": 1}, {"a": 1, "ab": None, "_x": 1}),
    (":T where T = {_v :int, v :int, kids [:T]}", {"_v": 1, "v": 2, "kids": [{"_v": 3, "v": 4, "kids": []}]}, {"v": 2, "kids": [{"v": 4, "kids": []}]}, {"v": 2, "kids": [{"v": 4, "kids": []}]}),
    (":not[:T] where T = {_x :int, a :int}", {"a": "b"}, {"a": "b"}, {"a": "b"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "shown", "exact"), SHOWN, ids=[row[0] for row in SHOWN])
def test_a_value_is_rewritten_as_its_schema_is_written(text, value, shown, exact):
    s = typesig.parse(text)
    outcome = s.validate_output(value)

    assert shown == outcome.for_model()
    assert exact == outcome.for_model(exact=True)
    assert fits(s.to_json_schema(), shown)
    assert fits(s.to_json_schema(exact=True), exact)


def test_an_exact_schema_refuses_no_value_for_a_firewalled_field_in_a_negation():
    s = typesig.parse("() -> :not[:T] where T = {_x :int, a :int}")

    assert s.accepts({"a": 1})
    assert {} == s.to_json_schema(exact=True)


def test_what_is_left_out_that_is_not_hidden_is_a_warning():
    out = typesig.parse("[{id :int, _h :int}]").validate_output([{"id": 1, "_h": 2, "more": 3}])

    assert ["[0].more: unexpected key left out of what the model sees"] == [
        str(warning) for warning in out.left_out()
    ]
    assert () == out.left_out(exact=True)


def test_a_number_that_json_does_not_have_is_null_with_a_warning():
    out = typesig.parse("{n :any}").validate_output({"n": float("nan")})

    assert {"n": None} == out.for_model()
    assert ["n: JSON has no nan, so null stands for it"] == [str(w) for w in out.left_out()]


def test_a_value_without_a_form_in_json_is_refused_with_its_place():
    out = typesig.parse("{rows [:any]}").validate_output({"rows": [1, object()]})

    with pytest.raises(TypesigError) as caught:
        out.for_model()
    expected = "rows[1]: JSON has no form for a value of object; return plain data"
    assert expected == str(caught.value)


def test_two_keys_that_become_one_are_refused_with_their_place():
    out = typesig.parse("{m :any}").validate_output({"m": {1: "a", "1": "b"}})

    with pytest.raises(TypesigError, match=r"^m\.1: two keys are this text in JSON$|^m\[\"1\"\]"):
        out.for_model()


def test_a_key_without_a_form_in_json_is_refused():
    out = typesig.parse(":map[:any :int]").validate_output({None: 1})

    with pytest.raises(TypesigError, match=r"^JSON has no form for a key that is nil$"):
        out.for_model()


def test_an_offset_with_seconds_is_written_in_utc():
    moment = datetime(2026, 1, 31, 12, 0, 30, tzinfo=timezone(timedelta(hours=1, seconds=30)))
    out = typesig.parse("{at :datetime}").validate_output({"at": moment})

    assert {"at": "2026-01-31T11:00:00Z"} == out.for_model()
    assert moment == datetime(2026, 1, 31, 11, 0, tzinfo=UTC)


def test_the_result_of_a_tool_fits_the_schema_that_the_model_was_shown():
    @tool
    def get() -> Point:
        return Point(1)

    out = get.call()

    assert {"id": 1, "note": None, "_raw": "x"} == out.value
    assert {"id": 1} == out.for_model()
    assert '{"id":1}' == out.text()
    jsonschema.validate(out.for_model(), get.signature.to_json_schema())


def test_a_private_field_may_hold_what_json_has_no_form_for():
    @tool
    def get() -> Point:
        return Point(1, "a", _raw=object())

    out = get.call()

    assert out.ok
    assert {"id": 1, "note": "a"} == out.for_model()


def test_the_text_of_a_failed_outcome_is_its_report():
    out = typesig.parse("{id :int}").validate_output({"id": "x"})

    assert out.report() == out.text()
    with pytest.raises(typesig.ValidationError):
        out.for_model()


def test_a_list_is_wrapped_as_data_and_not_as_text():
    out = typesig.parse("[:int]").validate_output([1, 2])

    assert ({"items": [1, 2]}, "[1,2]") == (out.for_model(), out.text())


def test_hidden_names_stay_hidden_where_nothing_is_checked():
    s = typesig.parse("{a :int|{_b :int, c :int}}")
    value = {"a": {"_b": "secret", "c": "x"}}

    for mode in ("disabled", "warn_only"):
        assert {"a": {"c": "x"}} == s.validate_output(value, mode).for_model()


def test_an_outcome_keeps_its_data_for_a_model_when_it_is_pickled():
    out = typesig.parse("{id :int, _h :int}").validate_output({"id": 1, "_h": 2})

    assert {"id": 1} == pickle.loads(pickle.dumps(out)).for_model()


def test_an_answer_that_was_read_is_data_for_a_model_too():
    out = typesig.contract(list[Row]).read('[{"id": "1", "note": null}]')

    assert {"items": [{"id": 1}]} == out.for_model()


def test_nested_unions_take_no_time_that_doubles_with_each_level():
    s = typesig.parse(":T where T = {kids [:T]}|{kids [:T], name :string}")
    value: Any = {"kids": []}
    for level in range(40):
        value = {"kids": [value], "name": "x", "more": level}

    assert 40 == len(s.validate_output(value).left_out())


def test_an_outcome_without_a_type_is_plain_data_for_a_model():
    assert {"a": [1]} == typesig.Outcome({"a": (1,)}).for_model()


def test_data_that_nests_too_deep_is_refused():
    deep: Any = 1.5
    for _ in range(400):
        deep = [deep]

    with pytest.raises(TooDeep, match=r"nested more than 128 levels$"):
        typesig.Outcome(deep).for_model()


def test_a_union_below_a_constraint_is_told_apart():
    s = typesig.parse(
        "{r ({a :string}|{a :string, b :string})}|{r :nil, t ([:int]|[:string])[1..]}"
    )

    assert {"r": {"a": "x", "b": "y"}} == s.validate_output({"r": {"a": "x", "b": "y"}}).for_model()
    texts = typesig.parse("([{a :int}]|[{a :int, b :int}])[1..]")
    assert [{"a": 1, "b": 2}] == texts.validate_output([{"a": 1, "b": 2}]).for_model()
    words = typesig.parse("(:string|:keyword)[1..]")
    assert "x" == words.validate_output("x").for_model()


def test_one_value_in_two_places_is_rewritten_in_both():
    row = {"a": 1, "more": 2}
    s = typesig.parse("[{r {a :int}}|{r {a :int}, s :int}]")
    out = s.validate_output([{"r": row}, {"r": row, "s": 1}])

    assert {"items": [{"r": {"a": 1}}, {"r": {"a": 1}, "s": 1}]} == out.for_model()


def test_a_member_of_an_enum_is_a_key():
    class Color(enum.Enum):
        RED = "red"

    out = typesig.parse(":map[:any :int]").validate_output({Color.RED: 1})

    assert {"red": 1} == out.for_model()


def test_items_beyond_the_positions_of_a_tuple_have_no_type_where_nothing_is_checked():
    s = typesig.parse("[:int, :int]")

    assert {"items": [1, 2.5, 3]} == s.validate_output([1, 2.5, 3], "disabled").for_model()


def test_a_datetime_without_an_offset_is_written_without_one():
    at = datetime(2026, 1, 31)
    out = typesig.parse("{at :datetime}").validate_output({"at": at}, "disabled")

    assert {"at": "2026-01-31T00:00:00"} == out.for_model()


@pytest.mark.parametrize(
    ("text", "redacted_text"),
    [
        ("#{{_a :int, b :int}}", "[{b :int}]"),
        ("#{:int}|{_a :int}", "#{:int}|{}"),
        ("{_a :int} & {b :int[>1]}", "{} & {b :int[>1]}"),
        ("{_a :int} & {b [:int][unique]}", "{} & {b [:int]}"),
        ("{_a :int} & :not[:string]", "{} & :any"),
        ("{_a :int, t :T[1..]} where T = [:int]", "{t :T[1..]} where T = [:int]"),
        ("{_a :int, t #{:T}} where T = :int", "{t #{:T}} where T = :int"),
    ],
)
def test_a_constraint_that_a_hidden_field_could_decide_is_left_out(text, redacted_text):
    assert redacted_text == redact(typesig.parse(text)).render().removeprefix("() -> ")


def test_a_name_that_overlapping_patterns_use_is_shown_as_it_is():
    s = typesig.parse("{/^a/ :T, /b$/ :T} where T = {c :int?}")

    # A key that begins with a and ends with b has to fit both, so neither may be narrowed.
    shown = s.to_json_schema()["$defs"]["T"]["properties"]["c"]
    assert {"anyOf": [{"type": "integer"}, {"type": "null"}]} == shown


WHY = "a firewalled field could decide it"
LOSSES = [
    # result, the losses of its schema
    ("{_a :int, b :int}", []),
    ("#{{_a :int, b :int}}", [f"returns: unique items: {WHY}; became a list"]),
    ("{a :not[{_x :int}]}", [f"returns.a: a negation: {WHY}; became any value"]),
    ("[{_a :int}][unique, 1..]", [f"returns: unique: {WHY}; became the type without it"]),
    ("{a {_b :int}[1..]}", [f"returns.a: a range: {WHY}; became the type without it"]),
    (
        "[:one[{_a :int}, :int], ** :not[{_x :int}]]",
        [
            f"returns.0: exactly one of several types: {WHY}; became a union",
            f"returns.items: a negation: {WHY}; became any value",
        ],
    ),
    ("{_a :int} & {b :not[:int]}", [f"returns.1.b: a negation: {WHY}; became any value"]),
    ("{_a :int} & {/x/ :not[:int]}", [f"returns.1./x/: a negation: {WHY}; became any value"]),
    ("{_a :int} & {** :not[:int]}", [f"returns.1.**: a negation: {WHY}; became any value"]),
    (
        "{_a :int}|:map[:any :not[{_x :int}]]",
        [f"returns.1.values: a negation: {WHY}; became any value"],
    ),
    (
        "{definitions :T, r :T} where T = {a :not[{_x :int}]}",
        [f"definitions.T.a: a negation: {WHY}; became any value"],
    ),
    ("{_r :T} where T = {a :not[{_x :int}]}", []),
    (
        "{definitions :not[{_x :int}]}",
        [f"returns.definitions: a negation: {WHY}; became any value"],
    ),
    (":string[date]?", []),
    ("[:datetime]", []),
]


@pytest.mark.parametrize(("text", "losses"), LOSSES)
def test_the_losses_of_a_schema_are_told(text, losses):
    assert losses == [str(loss) for loss in typesig.parse(text).schema_losses()]
    assert {"widened"} >= {loss.kind for loss in typesig.parse(text).schema_losses()}


def test_the_losses_of_an_exact_schema_and_of_parameters_are_told():
    s = typesig.parse("(q :not[{_x :int}], r :int) -> {a :not[{_x :int}]}[1..]")
    paths = [("params", "q"), ("returns",), ("returns", "a")]

    assert paths == [loss.path for loss in s.schema_losses()]
    assert paths == [loss.path for loss in s.schema_losses(exact=True)]


def test_a_schema_without_losses_has_none():
    assert () == typesig.parse("(a :int) -> {b :datetime, _c :int}").schema_losses(exact=True)


def test_of_several_branches_the_first_that_leaves_out_the_fewest_keys_counts():
    s = typesig.parse("{a :int}|{a :int, b :int}|{a :int, c? :int}")

    assert {"a": 1, "b": 2} == s.validate_output({"a": 1, "b": 2, "d": 3}).for_model()


def test_a_firewalled_name_of_another_branch_is_hidden_in_an_open_map():
    s = typesig.parse(":map[:any]|{a {_b :int}, _c :int}")

    assert {"a": {}} == s.validate_output({"a": {"_b": 1}, "_c": 2}).for_model()


def test_items_of_what_is_no_list_have_no_type():
    s = typesig.parse("{a :any, b :not[:string]}")
    value = {"a": [{"_x": 1}], "b": [1.5, 2.5]}

    assert value == s.validate_output(value).for_model()


def test_a_note_around_a_union_does_not_hide_its_branches():
    s = typesig.parse('{r ({a :int}|{a :int, b :int} "a row")}')

    assert {"r": {"a": 1, "b": 2}} == s.validate_output({"r": {"a": 1, "b": 2}}).for_model()
    refined = typesig.parse("{r (:string|[{a :int}]|[{a :int, b :int}])[..5]}")
    assert {"r": [{"a": 1, "b": 2}]} == refined.validate_output(
        {"r": [{"a": 1, "b": 2}]}
    ).for_model()


def test_members_of_enums_and_keywords_are_texts():
    class Color(enum.Enum):
        RED = "red"

    s = typesig.parse("{a :keyword, b :keyword}")
    out = s.validate_output({"a": Color.RED, "b": Keyword("blue")})

    assert {"a": "red", "b": "blue"} == out.for_model()


def test_an_undeclared_key_of_a_closed_record_is_left_out_where_nothing_is_checked():
    out = typesig.parse("{a :int}!").validate_output({"a": 1, "b": 2}, "disabled")

    assert {"a": 1} == out.for_model()
    assert {"a": 1, "b": 2} == out.for_model(exact=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (":int", 1),
        ("[{id :int, at :float?, tags [:string], kind :enum[a b]}]", None),
        ("{id :int, of {names [{a :int[1..]}]}?}", None),
        ("[:int]?", [1]),
        ("[{id :int, note :string?}?]", None),
        ("{id? :int, note :string|:nil}", {"note": None}),
        ("{id :int, _own :int}", None),
        ("{id :int, of :any}", None),
        ("{id :int, at :datetime?}", None),
        ("{id :int} | {a :int}", {"id": 1}),
        (":map[:int]", {"a": 1}),
        ("{id :int, ** :int}", {"id": 1, "a": 2}),
        (":enum[1 1.5]", 1),
    ],
)
def test_a_whole_value_is_copied_as_a_model_sees_it(text: str, value: object) -> None:
    signature = typesig.parse(f"() -> {text}")
    found = samples(signature.returns, 3, 20) if value is None else [value]
    # A whole value has no undeclared keys.
    value = next(each for each in found if not signature.validate_output(each).left_out())
    outcome = signature.validate_output(value)
    subject = outcome._subject
    assert subject is not None
    whole = subject._replace(is_whole=True)

    for exact in (False, True):
        assert make_model_data(whole, value, exact) == make_model_data(subject, value, exact)


@pytest.mark.parametrize(
    ("text", "is_whole"),
    [
        (":T where T = {value :int, kids [:T]}", True),
        ("[:T] where T = :int", True),
        (":T where T = {value :int, next? :T?}", False),
        (":T where T = {_value :int, kids [:T]}", False),
        ("{value? :int?, kids [:T]} where T = [:T]", False),
    ],
)
def test_a_type_that_has_names_is_shown_as_it_is_or_rewritten(text: str, is_whole: bool) -> None:
    signature = typesig.parse(f"() -> {text}")
    t, definitions = signature.returns, signature.definitions

    assert is_whole is (build_whole_copier(t, definitions, FOR_TEXT) is return_unchanged)
    copy = build_whole_copier(t, definitions, CopyOptions(False, True))
    assert is_whole is (copy is not None)
    if copy is not None:
        data = {"value": 1, "kids": [{"value": 2, "kids": []}]}
        copied = copy(data)
        assert data == copied
        assert data["kids"] is not copied["kids"]


class Keyed(TypedDict):
    id: int


def test_a_key_that_a_value_got_later_is_not_shown() -> None:
    found: Any = [{"id": 1}]

    @typesig.tool
    def rows() -> list[Keyed]:
        return found  # type: ignore[no-any-return]

    outcomes = [rows.call({}) for _ in range(4)]
    found[0]["_key"] = 3

    assert [[{"id": 1}]] * 4 == [each.for_model()["items"] for each in outcomes]
    assert outcomes[-1].for_model()["items"][0] is not found[0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # A name that the type declares as exact is no firewalled one.
        ('(x {"_id" :int} = {"_id": 1})', '(x {"_id" :int} = {"_id": 1})'),
        ('(x [{"_id" :int}] = [{"_id": 1, "_b": 2}])', '(x [{"_id" :int}] = [{"_id": 1}])'),
        ('(x {/^_/ {"_c" :int}} = {"_id": {"_c": 1}})', "(x {/^_/ {\"_c\" :int}} = {})"),
        ('(x :map[:T] = {"a": {"_c": 1}}) where T = {"_c" :int}',
         '(x :map[:T] = {"a": {"_c": 1}}) where T = {"_c" :int}'),
        ('(x {** {"_c" :int}} = {"a": {"_c": 1, "_d": 2}})', '(x {** {"_c" :int}} = {"a": {"_c": 1}})'),
        ('(x [{"_c" :int}]|:string = [{"_c": 1}])', '(x [{"_c" :int}]|:string = [{"_c": 1}])'),
        ('(x [:int, {"_c" :int}] = [1, {"_c": 1}])', '(x [:int, {"_c" :int}] = [1, {"_c": 1}])'),
        ('(x [:int, ** {"_d" :int}] = [1, {"_d": 1}])', '(x [:int, ** {"_d" :int}] = [1, {"_d": 1}])'),
        ('(x {_a :int, b :int}|:string = {"_a": 1, "b": 2})', '(x {b :int}|:string = {"b": 2})'),
        # Without the name, these would not fit.
        ('(x :not[{b? :int}!] = {"_z": 1})', "(x? :not[{b? :int}!])"),
        ('(x :one[{b? :int}!, :map] = {"_z": 1})', "(x? :one[{b? :int}!, :map])"),
        ('(x :map[1..] = {"_z": 1})', "(x? :map[1..])"),
        ('(x [:map][unique] = [{"_z": 1}, {"_z": 2}])', "(x? [:map][unique])"),
        ('(x [:T] = [{"_z": 1}]) where T = {a? [:T], b? [:map][unique]}',
         "(x? [:T]) where T = {a? [:T], b? [:map][unique]}"),
        ('(x :enum[{"_z": 1}] = {"_z": 1})', '(x? :enum[{"_z": 1}])'),
        # These have no say about names.
        ('(x {a :string[1..], b :enum["c"]} = {"_z": 1, "a": "x", "b": "c"})',
         '(x {a :string[1..], b :enum["c"]} = {"a": "x", "b": "c"})'),
    ],
)  # fmt: skip
def test_a_default_has_no_firewalled_name_and_still_fits(text: str, shown: str) -> None:
    def whole(params: str) -> str:
        return (
            params.replace(") where", ") -> :any where")
            if " where " in params
            else f"{params} -> :any"
        )

    made = redact(typesig.parse(whole(text)))

    assert typesig.parse(whole(shown)) == made
    assert typesig.parse(str(made)) == made


def test_a_default_that_is_not_shown_is_a_loss() -> None:
    losses: list[Loss] = []
    redact(typesig.parse('(x {a :not[{b? :int}!] = {"_z": 1}}) -> :any'), losses)

    assert [
        "params.x.a: the default: without a firewalled name in it, it may not fit; "
        "became an optional field"
    ] == [str(loss) for loss in losses]
