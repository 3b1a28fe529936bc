"""Cases for the rules of Gemini."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.vendors.cases import (
    Maker,
    changes,
    definition,
    parameter,
    request,
    root,
    schema_of,
    tools,
)

TEXT = {"type": "STRING"}
NUMBER = {"type": "NUMBER"}
FUNCTIONS = ("parameters", "json_schema")
RESPONSES = ("response_schema", "response_json_schema")


def proto(**properties: Any) -> Any:
    return schema_of("gemini", "parameters", properties)


def closed(**properties: Any) -> Any:
    return schema_of("gemini", "json_schema", properties)


def array(**others: Any) -> Any:
    return {"type": "ARRAY", "items": TEXT, **others}


def spelled(given: Any, old: str, new: str) -> Any:
    return {new if key == old else key: value for key, value in given.items()}


def bare(shape: Callable[[Any], Any]) -> Maker:
    """Make a maker of one definition, to which *shape* is applied as a whole."""
    return lambda vendor, profile: [shape(definition(vendor, profile))]


def several(*names: str) -> Maker:
    """Make a maker of one tool that holds declarations with *names*."""
    make = tools(*names)
    return lambda vendor, profile: [{"functionDeclarations": make(vendor, profile)}]


def in_json(schema: Any) -> Maker:
    """Make a maker of a definition whose whole schema is *schema*."""
    return lambda vendor, profile: [definition(vendor, profile, schema)]


def both(one: str, other: str) -> Maker:
    """Make a maker of a definition with two forms of one schema."""
    return bare(lambda given: {**given, one: {"type": "OBJECT"}, other: {"type": "object"}})


KEPT = bare(lambda given: given)
_LOWER = {"type": "string"}

CASES = (
    changes("G-shape", {"input_schema": TEXT}, {}),
    changes("G-shape", {"name": None}, {}, "G-name", profiles=FUNCTIONS),
    changes(
        "G-shape", {"description": 1}, {"description": "a"}, "G-description", profiles=FUNCTIONS
    ),
    changes("G-shape", {"responseMimeType": None}, {}, profiles=RESPONSES),
    changes("G-shape", {"responseMimeType": "text/plain"}, {}, profiles=RESPONSES),
    changes("G-shape", {"parameters": []}, {}, "G-root", "GP-typed", profiles=("parameters",)),
    request(
        "G-shape",
        both("parameters", "parametersJsonSchema"),
        KEPT,
        "G-empty-object",
        profiles=FUNCTIONS,
    ),
    request("G-shape", both("response", "responseJsonSchema"), KEPT, profiles=FUNCTIONS),
    request(
        "G-shape",
        both("responseSchema", "responseJsonSchema"),
        KEPT,
        "G-empty-object",
        profiles=RESPONSES,
    ),
    request(
        "G-shape",
        bare(lambda given: spelled(given, "parameters", "parametersJsonSchema")),
        KEPT,
        profiles=("parameters",),
    ),
    request(
        "G-shape",
        bare(lambda given: spelled(given, "parametersJsonSchema", "parameters")),
        bare(lambda given: spelled(given, "parametersJsonSchema", "parameters_json_schema")),
        profiles=("json_schema",),
    ),
    request("G-shape", bare(lambda given: "a"), KEPT, "G-name", "G-description"),
    changes("G-name", {"name": "look up"}, {"name": "look.up:to-date_2"}),
    changes("G-name", {"name": "2look"}, {"name": "_2look"}),
    changes("G-name", {"name": "-look"}, {"name": "l-ook"}),
    changes("G-name", {"name": "look_up\n"}, {"name": "look_up"}),
    changes("G-name", {"name": "é"}, {"name": "e"}),
    changes("G-name", {"name": "a" * 129}, {"name": "a" * 64}, "G-name-64"),
    changes("G-name-64", {"name": "a" * 65}, {"name": "a" * 64}),
    changes("G-name-64", {"name": "a" * 128}, {"name": "a" * 64}),
    request("G-unique", tools("a", "a"), tools("a", "A")),
    request("G-unique", several("a", "a"), several("a", "b")),
    changes("G-description", {"description": None}, {"description": "a"}),
    changes("G-description", {"description": " "}, {"description": "a b"}),
    *(
        root(
            rule,
            {"properties": {bad: {"type": text}}, "required": []},
            {"properties": {good: {"type": text}}, "required": []},
        )
        for rule, text in (("G-param-name", "STRING"), ("G-param-name-json", "string"))
        for bad, good in {
            "a-b": "a_b",
            "2a": "a2",
            "$a": "_a",
            "é": "e",
            "a\n": "a",
            "a" * 65: "a" * 64,
            "": "_",
        }.items()
    ),
    parameter("G-param-name-nested", proto(**{"a-b": TEXT}), proto(a_b=TEXT)),
    root("G-root", {"type": None}, {}, "GP-typed", "GP-field-type"),
    root("G-root", {"type": "string", "properties": None, "required": None}, {"type": "object"}),
    parameter("G-empty-object", {"type": "OBJECT"}, proto(b=TEXT)),
    parameter(
        "G-empty-object",
        array(items={"type": "object", "properties": {}}),
        array(items=proto(b=TEXT)),
    ),
    request(
        "G-empty-object",
        in_json({"type": "OBJECT", "properties": {}}),
        bare(lambda given: {key: value for key, value in given.items() if key != "parameters"}),
    ),
    root("G-required", {"required": ["a", "b"]}, {"required": ["a"]}),
    root("G-required", {"required": ["A"]}, {"required": []}),
    request(
        "G-json",
        bare(lambda given: {**given, "description": "\ud800"}),
        KEPT,
        "G-shape",
        profiles=(*FUNCTIONS,),
    ),
    request(
        "G-json",
        in_json(
            {"type": "object", "properties": {"a": {"type": "number", "maximum": float("inf")}}}
        ),
        in_json({"type": "object", "properties": {"a": {"type": "number", "maximum": 1e300}}}),
    ),
    *(
        parameter(
            "GP-keyword", proto(b=TEXT) | {keyword: value}, proto(**{keyword.strip("$"): TEXT})
        )
        for keyword, value in {
            "additionalProperties": False,
            "$schema": "a",
            "$id": "a",
            "$comment": "a",
            "const": {},
            "oneOf": [],
            "allOf": [],
            "not": {},
            "if": {},
            "then": {},
            "else": {},
            "patternProperties": {},
            "propertyNames": {},
            "dependentRequired": {},
            "unevaluatedProperties": False,
            "readOnly": True,
            "examples": [],
        }.items()
    ),
    parameter("GP-keyword", {"$ref": "#/$defs/A"}, TEXT, "GP-typed"),
    root("GP-keyword", {"$defs": {"A": TEXT}}, {}),
    root("GP-keyword", {"additionalProperties": TEXT}, {}),
    parameter(
        "GP-keyword", {"type": "INTEGER", "exclusiveMinimum": 1}, {"type": "INTEGER", "minimum": 1}
    ),
    parameter(
        "GP-keyword", {"type": "INTEGER", "multipleOf": 2}, {"type": "INTEGER", "maximum": 2}
    ),
    parameter("GP-keyword", array(uniqueItems=True), array(minItems=1, maxItems=2)),
    parameter("GP-keyword", array(prefixItems=[TEXT]), array()),
    parameter("GP-ref", {"ref": "#/defs/A"}, TEXT),
    root("GP-ref", {"defs": {"A": TEXT}}, {}),
    parameter("GP-type", {"type": ["STRING", "NULL"]}, {"type": "STRING", "nullable": True}),
    parameter("GP-type", {"type": "TEXT"}, {"type": "string"}),
    parameter("GP-type", {"type": ""}, {"type": "NULL"}),
    parameter("GP-type", {"type": "TYPE_UNSPECIFIED"}, {"type": "BOOLEAN"}),
    parameter("GP-typed", {"description": "Any."}, TEXT),
    parameter(
        "GP-typed", {}, {"type": "OBJECT", "properties": {"b": TEXT}, "anyOf": [proto(b=TEXT)]}
    ),
    parameter("GP-typed", True, TEXT),
    parameter("GP-anyof-type", {"anyOf": [TEXT, NUMBER]}, {"type": "STRING", "anyOf": [TEXT]}),
    parameter(
        "GP-enum-string",
        {"type": "STRING", "enum": ["a", 1]},
        {"type": "STRING", "enum": ["a", "1"]},
    ),
    parameter(
        "GP-enum-string", {"type": "STRING", "enum": [True]}, {"type": "STRING", "enum": ["true"]}
    ),
    parameter(
        "GP-enum-type", {"type": "INTEGER", "enum": ["1"]}, {"type": "STRING", "enum": ["1"]}
    ),
    parameter(
        "GP-enum-type",
        {"anyOf": [TEXT], "type": "NUMBER", "enum": ["a"]},
        {"type": "STRING", "format": "enum", "enum": ["a"]},
    ),
    parameter("GP-enum-empty", {"type": "STRING", "enum": []}, {"type": "STRING", "enum": ["a"]}),
    parameter(
        "GP-enum-empty",
        {"type": "STRING", "enum": ["a", ""]},
        {"type": "STRING", "enum": ["a", " "]},
    ),
    parameter(
        "GP-enum-empty",
        {"type": "STRING", "nullable": True, "enum": ["a", None]},
        {"type": "STRING", "nullable": True, "enum": ["a"]},
        "GP-enum-string",
    ),
    parameter(
        "GP-format", {"type": "STRING", "format": "uri"}, {"type": "STRING", "format": "date-time"}
    ),
    parameter(
        "GP-format",
        {"type": "STRING", "format": "date"},
        {"type": "STRING", "format": "enum", "enum": ["a"]},
    ),
    parameter(
        "GP-format", {"type": "NUMBER", "format": "decimal"}, {"type": "NUMBER", "format": "double"}
    ),
    parameter(
        "GP-format", {"type": "NUMBER", "format": "int32"}, {"type": "NUMBER", "format": "float"}
    ),
    parameter(
        "GP-format", {"type": "INTEGER", "format": "uint8"}, {"type": "INTEGER", "format": "int64"}
    ),
    parameter(
        "GP-format", {"type": "BOOLEAN", "format": "int32"}, {"type": "INTEGER", "format": "int32"}
    ),
    parameter("GP-items", {"type": "ARRAY"}, array()),
    parameter("GP-items", {"type": "STRING", "items": TEXT}, TEXT),
    parameter("GP-items", {"type": "array"}, {"type": "array", "items": {"type": "string"}}),
    *(
        parameter(
            "GP-field-type",
            {"type": wrong, keyword: value},
            {"type": right, keyword: value, **others},
        )
        for keyword, value, wrong, right, others in (
            ("minItems", 1, "STRING", "ARRAY", {"items": TEXT}),
            ("maxItems", 1, "STRING", "ARRAY", {"items": TEXT}),
            ("properties", {"b": TEXT}, "STRING", "OBJECT", {}),
            ("required", [], "STRING", "OBJECT", {"properties": {"b": TEXT}}),
            ("minProperties", 1, "NUMBER", "OBJECT", {"properties": {"b": TEXT}}),
            ("maxProperties", 1, "NUMBER", "OBJECT", {"properties": {"b": TEXT}}),
            ("minimum", 1, "STRING", "INTEGER", {}),
            ("maximum", 1, "BOOLEAN", "NUMBER", {}),
            ("minLength", 1, "INTEGER", "STRING", {}),
            ("maxLength", 1, "NULL", "STRING", {}),
            ("pattern", "a", "NUMBER", "STRING", {}),
        )
    ),
    root("GP-ordering", {"propertyOrdering": []}, {"propertyOrdering": ["a"]}),
    root("GP-ordering", {"propertyOrdering": ["a", "a"]}, {"propertyOrdering": ["a"]}),
    root("GP-ordering", {"propertyOrdering": ["b"]}, {"propertyOrdering": ["a"]}),
    parameter("GP-title", {"type": "STRING", "title": "A"}, proto(title=TEXT)),
    *(
        parameter("GJ-keyword", closed(b=_LOWER) | {keyword: value}, closed(**{keyword: _LOWER}))
        for keyword, value in {
            "$schema": "a",
            "$comment": "a",
            "const": {"b": "c"},
            "not": {"type": "null"},
            "if": {},
            "default": {},
            "examples": [],
            "patternProperties": {},
            "dependentRequired": {},
            "minProperties": 1,
            "unevaluatedProperties": False,
        }.items()
    ),
    parameter(
        "GJ-keyword", {"type": "integer", "exclusiveMinimum": 1}, {"type": "integer", "minimum": 1}
    ),
    parameter(
        "GJ-keyword", {"type": "string", "minLength": 1}, {"type": "string", "format": "uri"}
    ),
    parameter(
        "GJ-keyword",
        {"type": "array", "uniqueItems": True},
        {"type": "array", "prefixItems": [_LOWER], "minItems": 1},
    ),
    parameter(
        "GJ-ref-alone",
        {"$ref": "#/$defs/A", "type": "string"},
        {"$ref": "#/$defs/A", "description": "a", "default": "a"},
        defs={"A": _LOWER},
    ),
    parameter(
        "GJ-ref-alone",
        {"$ref": "#/$defs/A", "enum": ["a"]},
        {"$ref": "#/$defs/A", "$anchor": "a"},
        defs={"A": _LOWER},
    ),
    parameter("GJ-ref", {"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}, defs={"A": _LOWER}),
    parameter(
        "GJ-ref", {"$ref": "https://example.com/a"}, {"$ref": "#/$defs/A"}, defs={"A": _LOWER}
    ),
    parameter(
        "GJ-recursion",
        {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
        {"anyOf": [_LOWER, {"type": "null"}]},
    ),
    root(
        "GJ-recursion",
        {"properties": {"a": {"$ref": "#"}}},
        {"properties": {"a": {"$ref": "#"}}, "required": []},
    ),
    root(
        "GJ-recursion",
        {"$defs": {"A": closed(b={"$ref": "#/$defs/A"})}},
        {"$defs": {"A": closed(b={"$ref": "#/$defs/A"}) | {"required": []}}},
    ),
    parameter("GJ-valid", {"type": "strin"}, _LOWER),
    parameter("GJ-valid", {"type": "array", "minItems": -1}, {"type": "array", "minItems": 1}),
)
