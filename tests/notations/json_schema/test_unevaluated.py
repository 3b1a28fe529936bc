"""`unevaluatedProperties`: which branch evaluates which property, as a full validator judges."""

from __future__ import annotations

from importlib.metadata import version

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from typesig.errors import Unsupported

_NAMES = st.sampled_from(["a", "b", "c", "xd"])
_LEAVES = st.sampled_from([{}, {"type": "integer"}, {"const": 1}, {"type": "string"}])


@st.composite
def schemas(draw: st.DrawFn, depth: int = 2) -> dict:
    """Return schemas whose branches evaluate some properties of the same object."""
    out: dict = {}
    if draw(st.booleans()):
        out["properties"] = draw(st.dictionaries(_NAMES, _LEAVES, max_size=2))
    if draw(st.integers(0, 3)) == 0:
        out["required"] = draw(st.lists(_NAMES, max_size=2, unique=True))
    if draw(st.integers(0, 7)) == 0:
        out["patternProperties"] = {"^x": draw(_LEAVES)}
    if draw(st.integers(0, 11)) == 0:
        out["additionalProperties"] = draw(_LEAVES)
    if depth:
        for word in draw(st.lists(st.sampled_from(sorted(_MADE)), max_size=2, unique=True)):
            out.update(_MADE[word](draw, depth - 1))
    if draw(st.integers(0, 5)) == 0:
        out["unevaluatedProperties"] = draw(st.sampled_from([False, {"type": "integer"}, True]))
    return out


def _listed(word):
    def make(draw, depth):
        return {word: draw(st.lists(schemas(depth), min_size=1, max_size=2))}

    return make


def _conditional(draw, depth):
    words = ["if", *draw(st.sampled_from([["then"], ["else"], ["then", "else"], []]))]
    return {word: draw(schemas(depth)) for word in words}


_MADE = {
    "allOf": _listed("allOf"),
    "anyOf": _listed("anyOf"),
    "oneOf": _listed("oneOf"),
    "if": _conditional,
    "$ref": lambda draw, depth: {"$ref": draw(st.sampled_from(["#/$defs/A", "#/$defs/B"]))},
    "dependentSchemas": lambda draw, depth: {"dependentSchemas": {"a": draw(schemas(depth))}},
    "not": lambda draw, depth: {"not": draw(schemas(depth))},
}

_VALUES = st.one_of(
    st.dictionaries(st.sampled_from(["a", "b", "c", "xd", "e"]), st.sampled_from([1, 2, "s"])),
    st.sampled_from([1, "s", None, []]),
)


@pytest.mark.skipif(
    tuple(map(int, version("jsonschema").split(".")[:2])) < (4, 18),
    reason="this judge does not support unevaluatedProperties",
)
@LAW
@given(schemas(), schemas(1), schemas(0), st.lists(_VALUES, min_size=8, max_size=8))
def test_unevaluated_properties_are_judged_as_a_validator_judges_them(whole, a, b, values):
    whole = {**whole, "unevaluatedProperties": False, "$defs": {"A": a, "B": b}}
    try:
        s = typesig.from_json_schema(whole)
    except Unsupported as error:
        if "unevaluatedProperties" == error.shape or "defined by itself" in str(error):
            return
        raise
    judge = jsonschema.Draft202012Validator(whole)

    assert [judge.is_valid(v) for v in values] == [s.accepts(v) for v in values]


def test_a_schema_of_the_rest_applies_to_what_no_branch_evaluates():
    schema = {
        "properties": {"a": {}},
        "anyOf": [{"properties": {"b": {"type": "string"}}, "required": ["b"]}, True],
        "unevaluatedProperties": {"type": "integer"},
    }
    s = typesig.from_json_schema(schema)

    assert s.accepts({"a": None, "b": "text", "c": 1})
    assert s.accepts({"a": None, "b": 1})
    assert not s.accepts({"a": None, "b": None})
    assert not s.accepts({"c": "text"})


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (
            {"anyOf": [{"properties": {f"p{n}": {}}} for n in range(7)]},
            "more than 64 combinations of branches",
        ),
        (
            {
                "allOf": [
                    {"oneOf": [{"properties": {f"p{m}{n}": {}}} for n in "abc"]} for m in "xyz"
                ]
            },
            None,
        ),
        (
            {
                "allOf": [
                    {"oneOf": [{"properties": {f"p{m}{n}": {}}} for n in "abc"]} for m in "vwxyz"
                ]
            },
            "more than 64 combinations of branches",
        ),
        ({"allOf": [{"$ref": "#"}]}, "a reference leads back to the same schema"),
    ],
)
def test_too_many_combinations_are_refused(schema, why):
    schema["unevaluatedProperties"] = False
    if why is None:
        typesig.from_json_schema(schema)
        return

    with pytest.raises(Unsupported) as caught:
        typesig.from_json_schema(schema)

    assert f"the root: unevaluatedProperties: {why}" == str(caught.value)


def test_a_condition_that_evaluates_no_more_adds_nothing():
    known = {"type": "object", "properties": {"a": {"type": "integer"}, "b": True}}
    condition = {"if": {"required": ["a"]}, "then": {"required": ["b"]}}

    assert ("() -> {a? :int, b? :any} & (:not[{a :any}]|{b :any}) & {a? :any, b? :any}!") == str(
        typesig.from_json_schema({**known, **condition, "unevaluatedProperties": False})
    )


def closed(depth: int, word: str) -> dict:
    """Return a tree whose every schema evaluates what the two branches below it leave."""
    schema: dict = {"properties": {f"p{depth}": {}}, "unevaluatedProperties": False}
    if depth:
        schema[word] = [closed(depth - 1, word), {"required": ["r"], **closed(depth - 1, word)}]
    return schema


@pytest.mark.once
@pytest.mark.parametrize(("word", "depth", "accepted"), [
    ("anyOf", 7, [{}, {"p0": 1}, {"p7": 1}, {"r": 1}]), ("allOf", 8, [{}]),
])  # fmt: skip
def test_a_tree_of_schemas_is_read_once(word, depth, accepted):
    s = typesig.from_json_schema(closed(depth, word))
    values = [{}, {"p0": 1}, {"p7": 1}, {"r": 1}, {"q": 1}]
    judge = jsonschema.Draft202012Validator(closed(depth, word))

    assert [judge.is_valid(v) for v in values] == [s.accepts(v) for v in values]


def test_the_losses_of_a_schema_that_is_read_for_two_keywords_are_reported():
    branch = {"properties": {"a": {"minLength": -1}}, "required": ["a"]}
    schema = {"anyOf": [branch, {}], "unevaluatedProperties": False}
    s = typesig.parse(schema, "json_schema", lossy=True)
    losses = s.losses

    assert s.accepts({"a": 1})
    assert [("anyOf", "0", "properties", "a", "minLength")] == [loss.path for loss in losses]


def test_a_keyword_of_a_later_draft_evaluates_nothing_in_a_resource_of_an_earlier_one():
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "unevaluatedProperties": False}
    given = {"https://a.example/old": {**old, "properties": {"a": {}}}}
    schema = {"$ref": "https://a.example/old", "unevaluatedProperties": False}
    s = typesig.from_json_schema(schema, resources=given)

    assert [True, False] == [s.accepts({"a": 1}), s.accepts({"b": 1})]


def test_true_and_false_evaluate_nothing():
    schema = {"allOf": [True, {"properties": {"a": {}}}], "unevaluatedProperties": False}
    s = typesig.from_json_schema(schema)

    assert [True, False] == [s.accepts({"a": 1}), s.accepts({"b": 1})]
