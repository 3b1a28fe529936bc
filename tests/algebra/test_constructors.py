"""Lists of which a number of items is of a type: as text, in checks, in schemas and in proofs."""

from __future__ import annotations

from typing import Any

import pytest

import typesig
from typesig import TypesigError, tool
from typesig.algebra.constructors import make_both, make_counted, make_not, make_refined
from typesig.algebra.nodes import ANY, INT, STRING, ItemCount, List
from typesig.algebra.redaction import redact, redact_types
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.traversal import rebuild
from typesig.errors import SignatureSyntaxError, Unsupported
from typesig.listings import render_data
from typesig.notations import convert
from typesig.relations import NoSample, disjoint, is_subtype, near_misses, samples
from typesig.relations.normal_form import Heights
from typesig.validation.outcome.visibility import iter_parts_at
from typesig.validation.repair.lone_json import find_target_types

PAIR = ":count[2..3 :int]"


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


# one form for each meaning


@pytest.mark.parametrize(("made", "same"), [
    (make_counted(INT, 0), List(ANY)),
    (make_counted(INT, 1), make_both([List(ANY), make_not(List(make_not(INT)))])),
    (make_counted(INT, 0, 0), List(make_not(INT))),
    (make_counted(ANY, 2, 3), make_refined(List(ANY), [Constraint("at_least", 2), Constraint("at_most", 3)])),
    (make_counted(ANY, 0, 3), make_refined(List(ANY), [Constraint("at_most", 3)])),
    (make_counted(ANY, 2), make_refined(List(ANY), [Constraint("at_least", 2)])),
    (make_counted(INT, 1, 3), ItemCount(INT, 1, 3)),
])  # fmt: skip
def test_numbers_that_other_shapes_tell_have_their_form(made, same):
    assert same == made


@pytest.mark.parametrize(("least", "most"), [(-1, None), (3, 2), (-2, -1)])
def test_a_number_of_items_is_not_negative_and_no_range_is_empty(least, most):
    with pytest.raises(TypesigError) as raised:
        make_counted(INT, least, most)

    assert "a count goes from 0 or more to no less than that" == str(raised.value)


@pytest.mark.parametrize(("text", "at", "message"), [
    (":count[3..2 :int]", 8, "the range is empty; write 2..3"),
    (":count[-1.. :int]", 8, "a number of items is a whole number, 0 or more"),
    (":count[..1.5 :int]", 10, "a number of items is a whole number, 0 or more"),
    (":count[2..3]", 12, 'items are counted as in :count[2..3 :int]; your own type count is written :"count"'),
    (":count[:int]", 8, 'items are counted as in :count[2..3 :int]; your own type count is written :"count"'),
    (":count[2 :int]", 10, 'items are counted as in :count[2..3 :int]; your own type count is written :"count"'),
    (":count[>2 :int]", 8, "> is not allowed here; expected a number or .."),
])  # fmt: skip
def test_a_mistake_in_a_count_is_told_with_its_place(text, at, message):
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text)

    assert f"line 1 column {at}" in str(raised.value)
    assert message == str(raised.value).splitlines()[-1].strip()


@pytest.mark.parametrize("text", ["() -> count[2..3]", "() -> count[int]", "() -> count[2 int]"])
def test_a_mistake_in_a_count_is_told_in_the_compact_notation(text):
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text, "compact")

    message = 'items are counted as in count[2..3 int]; your own type count is written :"count"'
    assert message == str(raised.value).splitlines()[-1].strip()


def test_a_definition_called_count_is_quoted_where_it_is_used():
    s = typesig.parse(':"count"[1..5] where count = :int')

    assert '() -> :"count"[1..5] where count = :int' == str(s)
    assert s == typesig.parse(typesig.render(s, "compact"), "compact")


# checks


@pytest.mark.parametrize(("text", "value", "message"), [
    (PAIR, [1], "expected list[2..3 of int], got list [1] (1 item conforms)"),
    (PAIR, [], "expected list[2..3 of int], got list [] (0 items conform)"),
    (PAIR, [1, 2, 3, 4], "expected list[2..3 of int], got list [1, 2, 3, 4] (4 items conform)"),
    (PAIR, ["1", True, 2], 'expected list[2..3 of int], got list ["1", true, 2] (1 item conforms)'),
    (PAIR, {"a": 1}, 'expected list[2..3 of int], got map {"a": 1}'),
    (PAIR, {1, 2}, "expected list[2..3 of int], got set #{1, 2}"),
    (":count[2.. :int[1..]]", [1], "expected list[2.. of int[1..]], got list [1] (1 item conforms)"),
    (":count[..1 :T] where T = {a :int}", [{"a": 1}] * 2, 'expected list[..1 of T], got list [{"a": 1}, {"a": 1}] (2 items conform)'),
    ("{a :count[2.. :int]}", {"a": [1]}, "a: expected list[2.. of int], got list [1] (1 item conforms)"),
    ("[:int] & :count[2.. :int[5..]]", [5, 1], "expected list[2.. of int[5..]], got list [5, 1] (1 item conforms)"),
])  # fmt: skip
@pytest.mark.parametrize("mode", ["enabled", "strict"])
def test_a_message_tells_how_many_items_conform(text, value, message, mode):
    assert [message] == lines(typesig.parse(text).validate_output(value, mode).errors)


def test_items_are_counted_without_coercion_and_stay_as_they_are():
    s = typesig.parse("{a :count[..1 :int], b [:int] & :count[2.. :int]}")
    out = s.validate_and_coerce({"a": ["1", "2", 3], "b": ["5", 6]})

    assert {"a": ["1", "2", 3], "b": [5, 6]} == out.value
    assert not s.validate_and_coerce({"a": [1, 2], "b": [5, 6]}).ok


def test_a_text_of_a_list_is_read():
    out = typesig.parse("{a :count[2.. :int]}").validate_and_coerce({"a": "[1, 2]"})

    assert {"a": [1, 2]} == out.value
    assert find_target_types(typesig.parse(PAIR).returns, {}).lists


def test_a_type_may_count_lists_of_its_own():
    s = typesig.parse(":T where T = :count[1..2 :T]?")

    assert [None, [None], [[None], 1]] == [v for v in (None, [None], [[None], 1]) if s.accepts(v)]
    assert not s.accepts([[], [[]]])
    message = "expected list[1..2 of T], got list [] (0 items conform)"
    assert [message] == lines(s.validate_output([]).errors)


@pytest.mark.parametrize("mode", ["enabled", "strict"])
def test_an_item_too_deep_to_check_leaves_the_number_open(mode):
    value: Any = {}
    for _ in range(2000):
        value = {"x": value}
    s = typesig.parse(":count[..3 :T] where T = {x? :T}")

    errors = s.validate_output([1, value], mode).errors
    assert 1 == len(errors)
    assert str(errors[0]).startswith("[1]")
    assert "nested too deep" in str(errors[0])


@pytest.mark.once
def test_a_long_list_is_judged_item_by_item_once():
    s = typesig.parse(":count[20000..20000 :int]")

    assert s.accepts([1, "a"] * 20_000)
    assert not s.accepts([1, "a"] * 20_001)


# schemas


def test_contains_comes_back_with_its_numbers():
    schema = {"type": "array", "contains": {"type": "string"}, "minContains": 2, "maxContains": 3}
    s = typesig.from_json_schema(schema)

    assert "() -> :count[2..3 :string]" == str(s)
    assert schema == s.to_json_schema(exact=True)
    assert {"items": ["a", "b", 1]} == s.validate_output(["a", "b", 1]).for_model()


def test_a_list_at_the_root_is_wrapped_for_a_model():
    schema = {"type": "array", "contains": {"type": "integer"}, "minContains": 2, "maxContains": 3}
    shown = typesig.parse(PAIR).to_json_schema()

    assert schema == shown["properties"]["items"]


def test_a_key_is_no_list():
    s = typesig.parse(f":map[:string|{PAIR} :int]")

    assert {"a": 1} == s.validate_output({"a": 1}).value
    assert {"anyOf": [{"type": "string"}, {"not": {}}]} == s.to_json_schema()["propertyNames"]


@pytest.mark.parametrize("name", ["python", "typescript", "malli", "edn", "gram"])
def test_a_notation_that_cannot_count_writes_a_list_and_tells_the_loss(name):
    s = typesig.parse('() -> :count[2..3 (:int "n")]')

    with pytest.raises(Unsupported) as raised:
        typesig.render(s, name)
    written, losses = convert(s, name)

    assert ("returns",) == raised.value.path
    assert "widened" in {loss.kind for loss in losses}
    assert {
        "python": "list[Any]: ... # 2..3 of int, n",
        "typescript": "any[] // 2..3 of int, n",
        "malli": "[':vector', ':any']",
        "edn": "[:vector :any]",
        "gram": "[Any]",
    }[name] in str(written)


@pytest.mark.parametrize(("t", "schema", "lost"), [
    (PAIR, {"type": "array", "items": {}}, ["a number of items of a type"]),
    ("[:string] & :count[2.. :string[1..]]", {"type": "array", "items": {"type": "string"}}, ["an intersection"]),
    (":any[unique] & :count[2.. :int]", {"type": "array", "items": {}}, ["an intersection"]),
])  # fmt: skip
def test_a_provider_that_cannot_count_gets_a_list(t, schema, lost):
    @tool(f"(p {t}) -> :nil")
    def run(p: Any) -> None:
        """Run."""

    made = run.project("gemini").tools["run"]

    assert schema["type"] == made.schema["properties"]["p"]["type"].lower()
    assert lost == [loss.what for loss in made.losses if loss.what in lost]


def test_a_provider_that_takes_all_schemas_gets_the_numbers():
    @tool(f"(p {PAIR}) -> :nil")
    def run(p: Any) -> None:
        """Run."""

    schema = {"type": "array", "contains": {"type": "integer"}, "minContains": 2, "maxContains": 3}
    assert schema == run.project("mcp").tools["run"].schema["properties"]["p"]


# firewalled names


WHY = "a firewalled field could decide it"


@pytest.mark.parametrize(("text", "shown"), [
    (":count[2.. {_a :int}]", "[:any]"),
    (":count[2.. {a :int}]", ":count[2.. {a :int}]"),
    ("[{_a :int}] & :count[2.. {b :int}]", "[{}] & [:any]"),
    ("{_a :int, b :T} where T = :count[2.. :int]", "{b :T} where T = :count[2.. :int]"),
])  # fmt: skip
def test_a_number_that_a_firewalled_field_could_decide_is_left_out(text, shown):
    s = typesig.parse(text)
    lost = "a number of items of a type"

    assert shown == redact(s).render().removeprefix("() -> ")
    assert ("[:any]" in shown) == (lost in {loss.what for loss in s.schema_losses()})


@pytest.mark.parametrize("text", [":count[1..2 {_a :string}]", "[:any] & :count[2.. {_a :string}]"])
def test_firewalled_values_of_counted_items_are_not_shown(text):
    out = typesig.parse(text).validate_output([{"_a": "hidden", "b": 1}, {"_a": "hidden"}])

    assert out.ok
    assert "hidden" not in str(out.for_model())
    wrong = typesig.parse(text).validate_output([{"_a": "hidden"}, {"_a": "hidden"}, 1, {"_a": 5}])
    assert "hidden" not in wrong.report() + wrong.feedback()


def test_the_items_of_counted_lists_have_a_place_in_paths():
    assert [INT] == list(iter_parts_at(ItemCount(INT, 2), 0))


# relations


@pytest.mark.parametrize(("a", "b", "answer"), [
    (PAIR, ":count[2.. :int]", True),
    (":count[2.. :int]", PAIR, False),
    (PAIR, ":count[1..4 :int]", True),
    (":count[2.. :int[1..]]", ":count[2.. :int]", True),
    (":count[..3 :int]", ":count[..3 :int[1..]]", True),
    (":count[..3 :int]", ":count[..3 :int|:string]", False),
    (":count[2.. :int]", "[:any][2..]", True),
    ("[:any][2..]", ":count[2.. :int]", False),
    ("[:int][2..]", ":count[2.. :int]", True),
    ("[:any][..3]", ":count[..3 :int]", True),
    ("[:string]", ":count[..3 :int]", True),
    (":count[2.. :int]", "[:any] & :not[[:not[:int]]]", True),
    ("[:any] & :not[[:not[:int]]]", ":not[:count[..0 :int]]", True),
    (":count[2.. :int]", ":string", False),
    ("[:int, :int, ** :string]", ":count[2.. :int]", None),
])  # fmt: skip
def test_numbers_are_compared(a, b, answer):
    assert answer is is_subtype(a, b)


@pytest.mark.parametrize(("a", "b", "answer"), [
    (":count[2.. :int]", ":count[..1 :int]", True),
    (":count[2.. :int]", ":count[..1 :int|:string]", True),
    (":count[2.. :int]", "[:string]", True),
    (":count[3.. :int]", "[:any][..2]", True),
    (":count[2.. :int]", ":map", True),
    (":count[2.. :int]", ":count[2.. :string]", False),
])  # fmt: skip
def test_lists_that_want_more_items_than_may_be_are_none(a, b, answer):
    assert answer is disjoint(a, b)


@pytest.mark.parametrize("text", [
    PAIR,
    ":count[..2 {a :int}]",
    "[:int] & :count[2.. :int[5..]]",
    ":not[:count[2..3 :int]] & [:int]",
    ":not[:count[..3 :any[1..]]] & [:int]",
    ":count[..2 :string] & :count[2.. :int]",
    ":count[2.. :enum[1]] & :count[2.. :enum[2]]",
    ":count[4.. :int][unique]",
    ":count[2.. :T] where T = :count[..1 :T]",
    ":T where T = :count[1..2 :T]?",
])  # fmt: skip
def test_values_with_the_right_number_of_items_are_drawn(text):
    s = typesig.parse(text)

    assert 10 == len(samples(s))
    assert all(s.accepts(value) for value in samples(s, seed=7))
    assert not any(s.accepts(value) for value in near_misses(s))


@pytest.mark.parametrize("text", [":T where T = :count[2.. :T]", ":count[3.. :int] & [:any][..2]"])
def test_no_value_is_drawn_where_there_is_none(text):
    with pytest.raises(NoSample):
        samples(text)


def test_a_list_that_needs_an_item_is_higher_than_its_item():
    heights = Heights({})

    assert 1 == heights.get_height(ItemCount(STRING, 2))
    assert 0 == heights.get_height(ItemCount(List(INT), 0, 3))


def test_firewalled_values_of_counted_items_are_not_in_prompts():
    value = [{"_a": "hidden", "b": 1}]

    for text in (":count[..3 {_a :string}]", ":count[..3 {}] & [{_a :string}]"):
        shown = render_data(value, typesig.parse(text))
        assert '[{"_a": <Firewalled>, "b": 1}]' == shown


def test_a_count_is_built_again_with_another_type():
    assert ItemCount(STRING, 2, 3) == rebuild(ItemCount(INT, 2, 3), (STRING,))
    assert List(make_not(ANY)) == rebuild(List(make_not(INT)), (make_not(ANY),))


def test_counted_items_beside_a_secret_are_looked_through():
    s = typesig.parse("{_k :string, rows :count[2.. {_a :string}], more? :not[:int]}")
    outcome = s.validate_output({"_k": "hidden", "rows": [{"_a": "hidden"}, {"_a": 5}]})

    assert not outcome.ok
    assert "hidden" not in outcome.report() + outcome.feedback()


def test_a_count_that_no_hidden_field_decides_stays_beside_one() -> None:
    signature = typesig.parse("(_key :string, kept :count[2.. :int], n {_rank :int}) -> :nil")

    assert "kept :count[2.. :int]" in str(redact(signature))
    assert "_key" not in str(redact(signature))


def test_a_count_of_a_named_type_is_shown_where_other_fields_are_hidden() -> None:
    s = typesig.parse("() -> {_a :int, b :count[2.. :T]} where T = :int")
    shown, _ = redact_types(s.returns, s.names, losses := [])

    assert ":count[2.. :T]" in str(typesig.Signature((), shown, s.names))
    assert [] == losses
