"""What engines of constrained decoding are given, and what is told of it."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from tests.providers.engines.answers import UNBOUNDED
from typesig import TypesigError, contract, from_json_schema, tools_of
from typesig.algebra.constructors import make_both, make_not, make_refined, make_union
from typesig.algebra.nodes import (
    ANY,
    BOOL,
    STRING,
    Field,
    List,
    Record,
    Ref,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.nodes import INT as INT_TYPE
from typesig.algebra.rows.constraints import Constraint as Constraint_
from typesig.algebra.signature import make_type_signature
from typesig.errors import TooDeep, TooLarge, Unsupported
from typesig.limits.engines import MAX_SETTLED
from typesig.patterns import to_whole_pattern
from typesig.providers.engines import engine as engine_module
from typesig.providers.engines.engine import Constraint
from typesig.providers.engines.lowering import find_inhabited
from typesig.providers.engines.scalars import PATTERNS
from typesig.providers.registry.provider import ENGINE_NAMES, EngineName
from typesig.tools.answers.contract import Contract

ANY_OBJECT = {"type": "object", "additionalProperties": {}}


def made(schema: Any, engine: EngineName = "llguidance") -> tuple[Any, list[str]]:
    """Return what *engine* is given for *schema*, and its losses."""
    found = contract(from_json_schema(schema)).project(engine, **UNBOUNDED)
    return found.grammar, [str(loss) for loss in found.losses]


def told(what: str, became: str, place: str = "returns", title: str = "llguidance") -> str:
    """Return the text of a loss."""
    return f"{place}: {what}: {title} does not enforce it; became {became}"


def closed(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """Return the schema of a closed object."""
    needed = {"required": list(required)} if required else {}
    return {
        "type": "object",
        "properties": properties,
        **needed,
        "additionalProperties": False,
    }


INT, TEXT, NUMBER = {"type": "integer"}, {"type": "string"}, {"type": "number"}

#: A schema, and what takes its place, where both mean the same.
EXACT: list[tuple[Any, Any]] = [
    ({"type": "object", "additionalProperties": {"description": "Anything."}}, ANY_OBJECT),
    ({"type": "integer", "minimum": 1, "exclusiveMaximum": 5},
     {"type": "integer", "minimum": 1, "maximum": 4}),
    ({"type": "integer", "multipleOf": 3, "minimum": 4},
     {"type": "integer", "minimum": 6, "multipleOf": 3}),
    ({"type": "integer", "multipleOf": 1.5}, {"type": "integer", "multipleOf": 3}),
    ({"type": "number", "allOf": [{"multipleOf": 0.5}, {"multipleOf": 0.75}], "maximum": 2},
     {"type": "number", "maximum": 1.5, "multipleOf": 1.5}),
    ({"type": "number", "exclusiveMinimum": 0.5, "maximum": 2},
     {"type": "number", "maximum": 2, "exclusiveMinimum": 0.5}),
    ({"type": "integer", "not": {"enum": [2, 9, "a"]}, "minimum": 1, "maximum": 4},
     {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 1},
                {"type": "integer", "minimum": 3, "maximum": 4}]}),
    ({"type": "number", "not": {"const": 2}},
     {"anyOf": [{"type": "number", "exclusiveMaximum": 2},
                {"type": "number", "exclusiveMinimum": 2}]}),
    ({"type": ["integer", "string"], "not": {"type": "number"}}, TEXT),
    ({"type": ["boolean", "null"], "not": {"enum": [True, None]}},
     {"type": "boolean", "const": False}),
    ({"type": ["boolean", "string"], "not": {"enum": [True, False]}}, TEXT),
    ({"not": {"not": {"type": "string", "maxLength": 3}}}, {"type": "string", "maxLength": 3}),
    ({"type": ["boolean", "string"], "not": {"minLength": 3}}, {"type": "string", "maxLength": 2}),
    ({"not": {"type": ["object", "array", "number", "null"]}},
     {"anyOf": [{"type": "boolean"}, TEXT]}),
    ({"enum": [1, "a", "b", None], "type": "string"}, {"type": "string", "enum": ["a", "b"]}),
    ({"enum": ["a", "b", "c"], "not": {"const": "b"}}, {"type": "string", "enum": ["a", "c"]}),
    ({"type": "string", "not": {"enum": ["a", "\U0001f600"]}},
     {"type": "string", "pattern":
      "^(?:[^a\\x{1f600}](?s:.)*|a(?s:.)+|\\x{1f600}(?s:.)+)?$"}),
    ({"type": "string", "pattern": "^\\d+$", "minLength": 2},
     {"type": "string", "minLength": 2, "pattern": "^[0-9]+$"}),
    ({"type": "string", "pattern": "a.b"},
     {"type": "string", "pattern": "a[^\\x{a}\\x{d}\\x{2028}-\\x{2029}]b"}),
    ({"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "b$"}]},
     {"allOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "b$"}]}),
    ({"type": "string", "format": "uuid"}, {"type": "string", "format": "uuid"}),
    ({"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv4"}),
    ({"type": "array", "items": False}, {"type": "array", "items": {}, "maxItems": 0}),
    ({"type": "array", "prefixItems": [INT], "items": TEXT, "minItems": 1, "maxItems": 3},
     {"type": "array", "prefixItems": [INT], "items": TEXT, "minItems": 1, "maxItems": 3}),
    ({"type": "array", "items": INT, "minItems": 1, "maxItems": 1, "uniqueItems": True},
     {"type": "array", "items": INT, "minItems": 1, "maxItems": 1}),
    ({"allOf": [{"type": "array", "prefixItems": [INT, {}], "items": False, "minItems": 2},
                {"type": "array", "items": {"type": ["integer", "string"]}}]},
     {"type": "array", "prefixItems": [INT, {"anyOf": [INT, TEXT]}], "items": False,
      "minItems": 2}),
    ({"type": "array", "prefixItems": [INT], "items": False, "minItems": 1},
     {"type": "array", "items": INT, "minItems": 1, "maxItems": 1}),
    ({"type": "array", "items": INT, "not": {"type": "array", "prefixItems": [INT, INT],
      "minItems": 2}}, {"type": "array", "items": INT, "maxItems": 1}),
    ({"type": "array", "minItems": 2, "not": {"type": "array", "prefixItems": [TEXT, {}],
      "minItems": 2, "items": False}, "items": TEXT},
     {"type": "array", "items": TEXT, "minItems": 3}),
    ({"allOf": [{"type": "object", "properties": {"a": INT}, "required": ["a"]},
                {"type": "object", "properties": {"b": TEXT, "a": {"maximum": 3}}}]},
     {"type": "object", "properties": {"a": {"type": "integer", "maximum": 3}, "b": TEXT},
      "required": ["a"], "additionalProperties": {}}),
    ({"allOf": [closed({"a": INT, "b": INT}), {"type": "object", "additionalProperties": TEXT}]},
     {"type": "object", "additionalProperties": False}),
    ({"type": "object", "properties": {"a": INT, "b": False}},
     {"type": "object", "properties": {"a": INT, "b": False}, "additionalProperties": {}}),
    ({"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": INT},
     closed({"a": INT, "b": INT})),
    ({"type": "object", "propertyNames": {"pattern": "^x"}, "additionalProperties": INT},
     {"type": "object", "patternProperties": {"^x": INT}, "additionalProperties": False}),
    ({"type": "object", "propertyNames": False}, {"type": "object", "additionalProperties": False}),
    ({"type": "object", "patternProperties": {"^x": INT, "^y": False},
      "additionalProperties": TEXT},
     {"type": "object", "patternProperties": {"^x": INT, "^y": False},
      "additionalProperties": TEXT}),
    ({"type": "object", "patternProperties": {"^x": INT, "^y": False},
      "additionalProperties": False},
     {"type": "object", "patternProperties": {"^x": INT}, "additionalProperties": False}),
    ({**closed({"a": INT, "b": INT}), "minProperties": 1},
     {"anyOf": [closed({"a": INT, "b": INT}, "a"), closed({"b": INT}, "b")]}),
    ({**closed({"a": INT, "b": INT}, "a", "b"), "minProperties": 2, "maxProperties": 5},
     closed({"a": INT, "b": INT}, "a", "b")),
    ({**closed({"a": INT, "b": INT}, "a"), "maxProperties": 1}, closed({"a": INT}, "a")),
    ({"type": "object", "additionalProperties": INT, "minProperties": 1, "maxProperties": 2},
     {"type": "object", "additionalProperties": INT, "minProperties": 1, "maxProperties": 2}),
    ({"oneOf": [closed({"a": INT}, "a"), closed({"b": INT}, "b")]},
     {"anyOf": [closed({"a": INT}, "a"), closed({"b": INT}, "b")]}),
    ({"oneOf": [{"type": "integer", "minimum": 1, "maximum": 5},
                {"type": "integer", "minimum": 3, "maximum": 9}]},
     {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 2},
                {"type": "integer", "minimum": 6, "maximum": 9}]}),
    ({**closed({"a": INT, "b": INT}), "dependentRequired": {"a": ["b"]}},
     {"anyOf": [closed({"b": INT}), closed({"a": INT, "b": INT}, "b")]}),
    ({"anyOf": [{"type": "integer", "maximum": 1, "minimum": 2}, TEXT]}, TEXT),
    ({"anyOf": [{"type": "string", "maxLength": 1, "minLength": 2}, INT]}, INT),
    ({"anyOf": [{}, TEXT]}, {}),
    ({"type": "object", "propertyNames": {"$ref": "#/$defs/s"}, "additionalProperties": INT,
      "$defs": {"s": TEXT}}, {"type": "object", "additionalProperties": INT}),
    ({"anyOf": [{**closed({"a": INT}), "minProperties": 2}, INT]}, INT),
    ({"anyOf": [{**closed({"a": INT, "b": INT}, "a", "b"), "maxProperties": 1}, INT]}, INT),
    ({"type": "object", "properties": {"a": INT}, "allOf": [
        {"patternProperties": {"^a": {"type": "boolean"}, "^b": INT},
         "additionalProperties": False}]},
     {"type": "object", "properties": {"a": False},
      "patternProperties": {"^a": {"type": "boolean"}, "^b": INT},
      "additionalProperties": False}),
    ({"anyOf": [{"allOf": [closed({"a": INT}, "a"), {"required": ["b"]}]}, INT]},
     INT),
    ({**closed({"a": INT, "b": {}}), "not": {"properties": {"a": {"maximum": 3}, "b": {}}}},
     closed({"a": {"type": "integer", "minimum": 4}, "b": {}}, "a")),
    ({"anyOf": [{"type": kind} for kind in
                ("null", "boolean", "number", "string", "array", "object")]}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "expected"), EXACT, ids=lambda each: json.dumps(each)[:60])
def test_llguidance_is_given_a_schema_of_the_same_values(schema: Any, expected: Any) -> None:
    assert (expected, []) == made(schema)


def test_names_of_definitions_are_short_and_plain() -> None:
    name = "a name with more than 32 characters"
    node = closed({"next": {"$ref": f"#/$defs/{name.replace(' ', '%20')}"}})
    grammar, losses = made({"$ref": f"#/$defs/{name.replace(' ', '%20')}", "$defs": {name: node}})

    [(short, definition)] = grammar["$defs"].items()
    assert "a_name_with_more_than_3_40b6f1a1" == short
    assert {"$ref": f"#/$defs/{short}"} == definition["properties"]["next"]
    assert [] == losses


ANY_LIST = {"type": "array", "items": {}}
LATE = "such a text, with a second 60 in each minute"

#: A schema, what takes its place, and what is told.
WIDENED: list[tuple[Any, Any, list[str]]] = [
    ({"type": "array", "uniqueItems": True}, ANY_LIST, [told("unique items", "any items")]),
    ({"type": "array", "minItems": 1, "not": {"uniqueItems": True}},
     {"type": "array", "items": {}, "minItems": 1},
     [told("items that are not unique", "any items")]),
    ({"type": "array", "contains": INT, "minContains": 2},
     {"type": "array", "items": {}, "minItems": 2},
     [told("a number of items of a type", "any items")]),
    ({"type": "array", "not": {"items": INT}}, ANY_LIST,
     [told("lists that are left out", "any list")]),
    ({"type": "string", "pattern": "^(?!a)"}, TEXT, [told("the pattern ^(?!a)", "any text")]),
    ({"type": "string", "pattern": "a\\b"}, TEXT, [told("the pattern a\\b", "any text")]),
    ({"type": "string", "pattern": "[]"}, TEXT, [told("the pattern []", "any text")]),
    ({"type": "string", "not": {"pattern": "a"}}, TEXT,
     [told("texts without a pattern or a format", "any text")]),
    ({"type": "string", "not": {"const": "a" * 99}}, TEXT,
     [told("texts that are left out", "any text")]),
    ({"type": "string", "format": "regex"}, TEXT, [told("the format regex", "any text")]),
    ({"type": "string", "maxLength": 10**12}, TEXT, [told("so large a size", "any size")]),
    ({"type": "string", "minLength": 10**12}, TEXT, [told("so large a size", "any size")]),
    ({"type": "number", "not": {"type": "integer"}}, NUMBER,
     [told("numbers that are no integers", "any number")]),
    ({"type": "integer", "not": {"multipleOf": 2}}, INT,
     [told("numbers that are no multiples of another", "any number")]),
    ({"type": "integer", "not": {"enum": list(range(100))}}, INT,
     [told("constants that are left out", "any number")]),
    ({"type": "integer", "multipleOf": 123456}, INT,
     [told("a step of so many digits", "any number")]),
    ({"type": "integer", "minimum": 2**60}, INT, [told("a bound of 1.15e+18", "no bound")]),
    ({"type": "number", "minimum": 1e-20}, NUMBER, [told("a bound of 1e-20", "no bound")]),
    ({"enum": [[2**70], 0]}, {"anyOf": [{"type": "integer", "const": 0}, ANY_LIST]},
     [told("a constant with a number of many digits", "any such value")]),
    ({"enum": [{"a": 1e-20}]}, ANY_OBJECT,
     [told("a constant with a number of many digits", "any such value")]),
    ({"type": "object", "not": {"required": ["a"], "additionalProperties": INT}}, ANY_OBJECT,
     [told("objects that are left out", "any object")]),
    ({"type": "object", "propertyNames": {"maxLength": 3}, "additionalProperties": INT},
     {"type": "object", "additionalProperties": INT},
     [told("the type of the keys", "any keys", "returns.keys")]),
    ({"type": "object", "propertyNames": {"format": "regex"}}, ANY_OBJECT,
     [told("the format regex", "any text", "returns.keys")]),
    ({"type": "object", "patternProperties": {"^x": INT, "y": {"minimum": 1}}}, ANY_OBJECT,
     [told("types of keys by pattern", "any other keys", "returns.**")]),
    ({"allOf": [{"type": "object", "patternProperties": {"^x": INT}, "additionalProperties": TEXT},
                {"type": "object", "patternProperties": {"^y": INT}}]},
     {"type": "object", "additionalProperties": {}},
     [told("types of keys by pattern", "any other keys", "returns.**")]),
    ({"type": "object", "properties": {"a": INT}, "minProperties": 2},
     {"type": "object", "properties": {"a": INT}, "additionalProperties": {}},
     [told("a number of properties", "any number of properties")]),
    ({"oneOf": [{"type": "object", "required": [name]} for name in "abcd"]},
     {"anyOf": [{"type": "object", "properties": {name: {}}, "required": [name],
                 "additionalProperties": {}} for name in "abcd"]},
     [told("exactly one of several types", "at least one of them")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "expected", "losses"), WIDENED, ids=lambda each: json.dumps(each)[:60]
)
def test_what_llguidance_does_not_enforce_is_widened_and_told(
    schema: Any, expected: Any, losses: list[str]
) -> None:
    assert (expected, losses) == made(schema)


def xg(what: str, became: str, place: str = "returns") -> list[str]:
    """Return the text of a loss of XGrammar, in a list."""
    return [told(what, became, place, "XGrammar")]


RAW_LENGTH = "returns: a character that JSON escapes, within a length: a model cannot write it; became nothing"
RAW_PATTERN = RAW_LENGTH.replace("a length", "a pattern")

#: Texts without escapes, in a pattern.
RAW = "[^\\u0000-\\u001f\\u0022\\u005c]*"

#: A schema, what XGrammar is given for it, and what is told.
FOR_XGRAMMAR: list[tuple[Any, Any, list[str]]] = [
    ({"type": "string", "maxLength": 3}, {"type": "string", "maxLength": 3}, [RAW_LENGTH]),
    ({"type": "string", "minLength": 1, "maxLength": 256}, TEXT, xg("a length", "any length")),
    ({"type": "string", "pattern": "^[a-z]{2}$", "maxLength": 3},
     {"type": "string", "pattern": "^[a-z]{2,2}$"}, []),
    ({"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
     {"type": "string", "pattern": "^[a-z]+$"},
     xg("a length beside a pattern or a format", "the pattern or the format")),
    ({"type": "string", "pattern": "^a|b$", "maxLength": 3},
     {"type": "string", "pattern": f"^(?:a{RAW}|{RAW}b)$"},
     [RAW_PATTERN, *xg("a length beside a pattern or a format", "the pattern or the format")]),
    ({"type": "string", "pattern": "^(?:ab|cd)$", "maxLength": 2, "minLength": 1},
     {"type": "string", "pattern": "^(?:ab|cd)$"}, []),
    ({"type": "string", "format": "uuid", "maxLength": 3},
     {"type": "string", "format": "uuid"},
     xg("a length beside a pattern or a format", "the pattern or the format")),
    ({"type": "string", "pattern": "^a$|^b{300}$"},
     {"type": "string", "pattern": "^(?:a|b{128}b{128}b{44,44})$"}, []),
    ({"type": "string", "pattern": "^é\U0001f600$"},
     {"type": "string", "pattern": "^\\u00e9\\u{1f600}$"}, []),
    ({"type": "string", "pattern": "^a\\bb$"}, TEXT, xg("the pattern ^a\\bb$", "any text")),
    ({"type": "string", "pattern": "^.$"},
     {"type": "string", "pattern": f"^{RAW[:-2]}\\u2028-\\u2029]$"}, [RAW_PATTERN]),
    ({"type": "string", "pattern": "^[\"]$"}, TEXT, xg('the pattern ^["]$', "any text")),
    ({"type": "string", "pattern": "^(?:a|\"b|\"*c)$"}, {"type": "string", "pattern": "^[ac]$"},
     [RAW_PATTERN]),
    ({"type": "string", "pattern": "^\"+$"}, TEXT, xg('the pattern ^"+$', "any text")),
    ({"type": "object", "patternProperties": {"^x": INT}, "additionalProperties": False},
     {"type": "object", "patternProperties": {f"^x{RAW}$": INT}, "additionalProperties": False},
     [RAW_PATTERN.replace("returns", "returns.**").replace("a pattern", "a key")]),
    ({"type": "string", "allOf": [{"pattern": "^a$"}, {"pattern": "^[ab]$"}]},
     {"type": "string", "pattern": "^a$"},
     xg("several patterns or formats", "the first of them")),
    ({"type": "string", "format": "time"},
     {"type": "string", "pattern": to_whole_pattern(PATTERNS["time"][0])}, xg("the format offset-time", LATE)),
    ({"type": "string", "format": "email"}, {"type": "string", "format": "email"},
     xg("the format email", "an address whose domain ends in two letters or more")),
    ({"type": "string", "format": "regex"}, TEXT, xg("the format regex", "any text")),
    ({"type": "number", "multipleOf": 0.5}, NUMBER, xg("a step", "any number")),
    ({"type": "integer", "multipleOf": 3}, {"type": "integer", "multipleOf": 3}, []),
    ({"type": "integer", "multipleOf": 3, "minimum": 1}, {"type": "integer", "minimum": 1},
     xg("a step", "any number")),
    ({"enum": [0.7, 0.5]},
     {"anyOf": [{"type": "number", "const": 0.5},
                {"type": "number", "minimum": 0.7, "maximum": 0.7}]}, []),
    ({"type": "object", "properties": {"b": False}},
     {"type": "object", "properties": {"b": {}}, "additionalProperties": {}},
     xg("a property that must not be there", "any value", "returns.b")),
    ({"type": "object", "patternProperties": {"^x$": INT}}, ANY_OBJECT,
     xg("types of keys by pattern", "any other keys", "returns.**")),
    ({"type": "object", "patternProperties": {"^x$": INT}, "additionalProperties": False},
     {"type": "object", "patternProperties": {"^x$": INT}, "additionalProperties": False}, []),
    ({"type": "array", "prefixItems": [INT], "minItems": 1},
     {"type": "array", "prefixItems": [INT], "items": {}, "minItems": 1}, []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "expected", "losses"), FOR_XGRAMMAR, ids=lambda each: json.dumps(each)[:60]
)
def test_xgrammar_is_given_what_it_enforces(schema: Any, expected: Any, losses: list[str]) -> None:
    assert (expected, losses) == made(schema, "xgrammar")


def test_a_text_that_utf_8_has_no_form_for_is_left_out() -> None:
    texts = contract(from_json_schema({"enum": ["a", "\ud800"]})).project("llguidance", **UNBOUNDED)
    optional = closed({"a": INT, "\ud800": INT})
    names = contract(from_json_schema(optional)).project("llguidance", **UNBOUNDED)

    assert {"type": "string", "const": "a"} == texts.grammar
    assert closed({"a": INT}) == names.grammar
    assert ["narrowed", "narrowed"] == [loss.kind for loss in (*texts.losses, *names.losses)]
    with pytest.raises(Unsupported, match="returns: UTF-8 has no form for the name of a property"):
        made(closed({"\ud800": INT}, "\ud800"))


def test_a_type_without_values_is_refused() -> None:
    endless = {"$ref": "#/$defs/a", "$defs": {"a": closed({"b": {"$ref": "#/$defs/a"}}, "b")}}

    with pytest.raises(Unsupported) as caught:
        made(endless)
    assert "returns: no value fits, so that llguidance has nothing to write" == str(caught.value)


def test_what_refers_to_a_type_without_values_is_written_without_it() -> None:
    pair = {"type": "array", "prefixItems": [{"$ref": "#/$defs/a"}, INT], "items": False}
    some = {"type": "array", "items": {"$ref": "#/$defs/a"}, "minItems": 1}
    each = {"anyOf": [{"$ref": "#/$defs/a"}, {**pair, "minItems": 2}, some, TEXT]}
    endless = closed({"b": {"$ref": "#/$defs/a"}}, "b")
    schema = {"$ref": "#/$defs/c", "$defs": {"a": endless, "c": closed({"d": each})}}

    assert ({"$ref": "#/$defs/c", "$defs": {"c": closed({"d": TEXT})}}, []) == made(schema)


def test_an_intersection_that_contains_itself_gets_a_name() -> None:
    tree = {"type": "object", "properties": {"v": {}, "l": {"$ref": "#/$defs/t"}}}
    both = {"type": "object", "properties": {"v": INT, "l": {"$ref": "#/$defs/u"}}}
    schema = {"allOf": [{"$ref": "#/$defs/t"}, {"$ref": "#/$defs/u"}],
              "$defs": {"t": tree, "u": both}}  # fmt: skip
    grammar, losses = made(schema)

    [(name, definition)] = grammar["$defs"].items()
    assert ("both2", []) == (name, losses)
    assert {"v": INT, "l": {"$ref": "#/$defs/both2"}} == definition["properties"]


def test_an_intersection_of_many_ways_is_widened() -> None:
    ways = [{"anyOf": [{"required": [f"a{n}{way}"]} for way in range(9)]} for n in range(4)]
    _, losses = made({"type": "object", "allOf": ways})

    assert told("an intersection or a negation of many types", "a part of it") in losses


def test_a_grammar_that_grows_too_large_is_written_without_intersections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways = [{"anyOf": [{"required": [f"a{n}{way}"]} for way in range(4)]} for n in range(3)]
    monkeypatch.setattr(engine_module, "MAX_SETTLED", 100)

    assert ANY_OBJECT == made({"type": "object", "allOf": ways})[0]
    monkeypatch.setattr(engine_module, "MAX_SETTLED", 3)
    with pytest.raises(TooLarge, match="a grammar may hold 3 types, this one would hold more"):
        made({"type": "object", "allOf": ways})
    assert MAX_SETTLED > 100


def test_a_chain_of_intersections_that_nests_too_deep_is_refused() -> None:
    def both(name: int) -> dict[str, Any]:
        refs = [{"$ref": f"#/$defs/n{(name + step) % 400}"} for step in (1, 2)]
        return {"type": "object", "properties": {"a": {"anyOf": [{"allOf": refs}, INT]}}}

    names = {f"n{name}": both(name) for name in range(400)}
    whole = {"allOf": [{"$ref": "#/$defs/n0"}, {"$ref": "#/$defs/n1"}], "$defs": names}

    with pytest.raises(TooDeep, match="its types nest too deep for a grammar"):
        made(whole)


# Constraints


def test_a_constraint_is_a_value() -> None:
    made = contract("{n :int[1..9], note :string?}").project("llguidance", **UNBOUNDED)
    again = pickle.loads(pickle.dumps(made))

    assert "<constraint for llguidance: json_schema>" == repr(made)
    assert made.grammar == json.loads(made.text)
    assert ("llguidance", "json_schema", made.grammar) == (
        again.engine,
        again.syntax,
        again.grammar,
    )
    assert {"n": 3} == again.read('{"n": 3}').value
    with pytest.raises(AttributeError):
        made.engine = "xgrammar"  # type: ignore[misc]


def test_a_constraint_reads_what_a_model_wrote() -> None:
    made = contract(list[int]).project("llguidance", **UNBOUNDED)

    assert [1, 2] == made.read("[1,2]").result
    assert ["[0]: expected int, got string"] == [
        str(issue)[: len("[0]: expected int, got string")] for issue in made.read('["a"]').errors
    ]


def test_what_a_model_does_not_see_is_not_written() -> None:
    made = contract("{a :int, _b :int, c :int = 3}").project("llguidance", **UNBOUNDED)

    assert ["a", "c"] == list(made.grammar["properties"])
    assert ["a"] == made.grammar["required"]


def test_a_wrong_option_of_an_engine_is_told() -> None:
    def double(n: int) -> int:
        return 2 * n

    project: Any = contract(int).project
    with pytest.raises(TypesigError) as caught:
        project("llguidance", strict=True)
    assert "llguidance has no option 'strict'; there is longest, digits, items, closed" == str(
        caught.value
    )
    project = tools_of([double]).project
    with pytest.raises(TypesigError) as caught:
        project("llguidance", strict=True)
    assert (
        "llguidance has no option 'strict'; there is dialect, tool_choice, parallel, longest, "
        "digits, items, closed"
    ) == str(caught.value)
    with pytest.raises(TypesigError, match="there is no dialect"):
        project("llguidance", dialect="latin")


def test_there_are_engines_by_name() -> None:
    assert ("llguidance", "xgrammar", "gbnf", "openai-grammar") == ENGINE_NAMES


def test_a_constraint_has_its_grammar_as_text() -> None:
    made = Constraint("gbnf", "gbnf", "root ::= [0-9]", (), str)

    assert "root ::= [0-9]" == made.text


def test_projections_of_providers_are_as_they_were() -> None:
    def double(n: int) -> int:
        return 2 * n

    assert "openai" == tools_of([double]).project("openai").provider
    assert "openai" == contract(int).project("openai").provider


def test_limits_of_other_kinds_say_nothing_of_a_value() -> None:
    most = make_refined(ANY, [Constraint_("at_most", 3)])
    bounded = Contract[Any](make_type_signature(most, {})).project("llguidance", **UNBOUNDED)
    others = make_both(
        [make_union([BOOL, STRING]), make_not(make_refined(ANY, [Constraint_("at_least", 3)]))]
    )
    short = Contract[Any](make_type_signature(others, {})).project("llguidance", **UNBOUNDED)

    assert {"type": "string", "maxLength": 3} in bounded.grammar["anyOf"]
    assert {"type": "string", "maxLength": 2} == short.grammar


def test_keys_of_a_type_without_a_form_are_any_keys() -> None:
    of_ints = {"type": "object", "additionalProperties": INT}
    odd = {"anyOf": [{"minLength": 3}, {"maxLength": 5}]}
    apart = {"type": "object", "patternProperties": {"^x": INT}}

    assert (of_ints, []) == made({**of_ints, "propertyNames": {"minLength": 0}})
    assert (of_ints, [told("the type of the keys", "any keys", "returns.keys")]) == made(
        {**of_ints, "propertyNames": odd}
    )
    assert [told("objects that are left out", "any object")] == made(
        {"type": "object", "not": apart}
    )[1]


def test_a_type_has_a_value_if_what_it_needs_has_one() -> None:
    names: dict[str, Type] = {
        "pair": Tuple((INT_TYPE, Ref("endless"))),
        "some": make_refined(List(Ref("endless")), [Constraint_("at_least", 1)]),
        "few": make_refined(List(Ref("endless")), [Constraint_("at_most", 1)]),
        "endless": Record((Field("a", Ref("endless")),), None),
        "either": Union((Ref("pair"), Ref("few"))),
        "short": make_refined(STRING, [Constraint_("at_most", 1)]),
    }

    assert {"few", "either", "short"} == find_inhabited(names)
