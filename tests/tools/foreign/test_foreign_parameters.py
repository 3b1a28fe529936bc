"""The parameters of foreign tools: none of them is lost, whatever their schema is composed of."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from typesig import TypesigError, from_json_schema, tools_of
from typesig.errors import Unsupported
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool

A = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
B = {"type": "object", "properties": {"b": {"type": "string"}}}
REFS = [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]
DEFS = {"A": A, "B": B}


def made(schema: Any, output: Any = None) -> Any:
    return foreign_tool(lambda **kw: kw, ForeignDefinition("act", schema, output))


def kind(value: str, **more: Any) -> dict[str, Any]:
    properties = {"kind": {"const": value}, **more}
    return {"type": "object", "properties": properties, "required": [*properties]}


#: A schema, the parameters, and whether conditions on them are lost.
ROOTS: list[tuple[Any, str, bool]] = [
    ({"allOf": REFS, "$defs": DEFS}, "(a :int, b? :string)", False),
    ({"type": "object", "allOf": [A, B]}, "(a :int, b? :string)", False),
    ({**B, "allOf": [{"$ref": "#/$defs/A"}], "$defs": DEFS}, "(b? :string, a :int)", False),
    ({"allOf": [{"allOf": [A]}, {"allOf": [B]}]}, "(a :int, b? :string)", False),
    ({"anyOf": [A, {"type": "null"}]}, "(a :int)", False),
    ({"oneOf": [{"$ref": "#/$defs/A"}, {"type": "null"}], "$defs": DEFS}, "(a :int)", False),
    ({**A, "type": ["object", "null"]}, "(a :int)", False),
    ({"anyOf": [A]}, "(a :int)", False),
    ({"allOf": [{"anyOf": [A, {"type": "null"}]}, B]}, "(a :int, b? :string)", False),
    ({"oneOf": [A, B]}, "(a? :int, b? :string)", True),
    ({"anyOf": REFS, "$defs": DEFS}, "(a? :int, b? :string)", True),
    (
        {"oneOf": [kind("a", x={"type": "integer"}), kind("b", y={"type": "string"})]},
        '(kind :enum["a" "b"], x? :int, y? :string)',
        True,
    ),
    (
        {
            **kind("a"),
            "if": {"properties": {"kind": {"const": "a"}}},
            "then": {"properties": {"x": {"type": "integer"}}, "required": ["x"]},
            "else": {"properties": {"y": {"type": "string"}}},
        },
        '(kind :enum["a"], x? :int, y? :string)',
        True,
    ),
    ({**A, "not": {"required": ["z"]}}, "(a :int)", True),
    ({**A, "patternProperties": {"^x-": {"type": "string"}}}, "(a :int)", True),
    ({**A, "minProperties": 1}, "(a :int)", True),
    (
        {"allOf": [{"$ref": "#/$defs/T"}, A], "$defs": {"T": {**B, "title": "T"}}},
        "(b? :string, a :int)",
        False,
    ),
    ({"type": "object", "propertyNames": {"maxLength": 3}}, "()", True),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, "(** :int)", False),
]


@pytest.mark.parametrize(("schema", "shown", "is_lossy"), ROOTS)
def test_parameters_behind_combinators_are_kept(schema: Any, shown: str, is_lossy: bool) -> None:
    tool = made(schema)
    names = {field.name for field in tool.signature.params}
    strict = tools_of([tool]).project("openai", strict=True).definitions[0]["function"]

    assert shown == str(tool.signature).partition(" ->")[0]
    assert is_lossy == bool(tool.warnings)
    assert names <= {*strict["parameters"]["properties"]}
    if is_lossy:
        with pytest.raises(Unsupported):
            from_json_schema(schema, None)
    else:
        assert tool.signature == from_json_schema(schema, None)


@LAW
@given(st.data())
def test_no_property_of_any_part_is_lost(data: st.DataObject) -> None:
    names = [f"p{n}" for n in range(6)]
    definitions: dict[str, Any] = {}

    def draw(depth: int) -> tuple[Any, set[str]]:
        chosen = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=3))
        whole: dict[str, Any] = {"type": "object"}
        found = set(chosen)
        if chosen:
            whole["properties"] = {name: {"type": "integer"} for name in chosen}
        for word in ("allOf", "anyOf", "oneOf") if depth else ():
            if data.draw(st.booleans()):
                parts = [draw(depth - 1) for _ in range(data.draw(st.integers(1, 2)))]
                whole[word] = [part for part, _ in parts]
                found |= {name for _, more in parts for name in more}
        if data.draw(st.booleans()):
            name = f"D{len(definitions)}"
            definitions[name] = whole
            return {"$ref": f"#/$defs/{name}"}, found
        return whole, found

    schema, found = draw(2)
    tool = made({**schema, "$defs": definitions})

    assert found == {field.name for field in tool.signature.params}
    # What the schema takes is taken.
    assert tool.call(dict.fromkeys(found, 1)).ok


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "array"}, {"enum": [1]}, 3])
def test_a_tool_whose_parameters_cannot_be_kept_is_refused(schema: Any) -> None:
    with pytest.raises(TypesigError, match="its parameters cannot be kept: "):
        made(schema)


# alternatives


@pytest.mark.parametrize("value", [19, "x", 1.5])
def test_a_value_that_fits_several_alternatives_is_sent(value: Any) -> None:
    parts = [{"type": "string"}, {"type": "integer"}, {"type": "number"}]
    for schema in (
        {"oneOf": parts},
        {"$ref": "#/$defs/V"},
        {"type": "array", "items": {"oneOf": parts}},
    ):
        tool = made({"properties": {"v": schema}, "$defs": {"V": {"oneOf": parts}}})
        sent = [value] if "items" in schema else value
        outcome = tool.call({"v": sent})

        assert {"v": sent} == outcome.result
        assert [
            ("input.v", "the keyword oneOf: it is not checked that only one alternative fits")
        ] == [(warning.place, warning.reason) for warning in tool.warnings]
    assert not tool.call({"v": [None]}).ok


def test_alternatives_that_exclude_each_other_are_no_loss() -> None:
    for parts in (
        [{"type": "string"}, {"type": "integer"}, A],
        [kind("a"), kind("b"), {"type": "null"}],
        [{"$ref": "#/$defs/B"}, {"type": "string", "maxLength": 3}],
    ):
        assert () == made({"properties": {"v": {"oneOf": parts}}, "$defs": DEFS}).warnings


def test_what_is_negated_stays_exclusive() -> None:
    parts = [{"type": "integer"}, {"type": "number"}]
    tool = made({"properties": {"v": {"not": {"oneOf": parts}}}})

    assert tool.call({"v": 1}).ok
    assert not tool.call({"v": 1.5}).ok


def test_results_are_of_exactly_one_alternative_still() -> None:
    both = {"oneOf": [{"type": "integer"}, {"type": "number"}]}
    tool = foreign_tool(lambda **kw: 1, ForeignDefinition("act", {"properties": {"v": both}}, both))

    assert not tool.call({"v": 1}).ok
    assert "fits 2 of 2 alternatives" in tool.call({"v": 1}).report()


@pytest.mark.parametrize("word", ["oneOf", "anyOf"])
@pytest.mark.parametrize("is_named", [False, True])
def test_a_missing_tag_is_named(word: str, is_named: bool) -> None:
    def branch(value: str) -> Any:
        return {
            "type": "object",
            "properties": {"kind": {"const": value, "default": value}, "n": {"type": "integer"}},
        }

    definitions = {"R": branch("refund"), "C": branch("charge")}
    parts = (
        [{"$ref": f"#/$defs/{name}"} for name in definitions]
        if is_named
        else [*definitions.values()]
    )
    schema = {"properties": {"v": {word: parts}}, "$defs": definitions}
    tool = made(schema, {"$ref": "#/$defs/R", "$defs": definitions})
    [error] = tool.call({"v": {"n": 1}}).errors

    assert 'v.kind: expected one of ["refund", "charge"], got nil (missing)' == str(error)
    sent = {"v": {"kind": "refund", "n": 1}}
    assert sent == foreign_tool(lambda **kw: kw, ForeignDefinition("act", schema)).call(sent).result


# defaults

T = {"enum": ["Dept", "Org"], "default": "Dept"}
R = {"$ref": "#/$defs/T"}
NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        (R, "Dept"),
        ({**R, "description": "x"}, "Dept"),
        ({"$ref": "#/$defs/U"}, "Dept"),
        ({"allOf": [R]}, "Dept"),
        ({"allOf": [{"type": "string"}, R, {"default": "Org"}]}, "Dept"),
        ({"anyOf": [R, NULL]}, "Dept"),
        ({"oneOf": [NULL, {"allOf": [R]}]}, "Dept"),
        ({"anyOf": [{"type": "string", "default": "Dept"}, NULL]}, "Dept"),
        ({**R, "default": "Org"}, "Org"),
        ({"anyOf": [R, {"type": "integer", "default": 3}]}, None),
        ({"type": "array", "items": R}, None),
        ({"allOf": [{"$ref": "#/$defs/S"}, {"$ref": "#/$defs/S"}]}, None),
        (True, None),
        ({"allOf": 3, "anyOf": [True]}, None),
        ({"$ref": "#/$defs/Gone"}, None),
    ],
)
def test_defaults_of_referenced_and_composed_schemas_are_kept(schema: Any, default: Any) -> None:
    definitions = {
        "T": T,
        "U": R,
        "S": {"type": "string"},
    }
    whole = {"type": "object", "properties": {"t": schema}, "$defs": definitions}
    read = from_json_schema(whole, None, lossy=True)
    [field] = read.params

    assert default == (None if field.default is None else field.default.thaw())
    if default == "Dept":
        assert ("input", "$defs", "T", "default") not in [loss.path for loss in read.losses]


def test_a_default_behind_very_many_schemas_is_not_searched_for() -> None:
    parts: list[Any] = [{"anyOf": [{"type": "string"}]} for _ in range(60)]
    whole = {"properties": {"t": {"allOf": [*parts, {"default": "x"}]}}}

    assert from_json_schema(whole, None, lossy=True).params[0].default is None
