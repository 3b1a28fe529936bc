"""Cases for the rules of Anthropic."""

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

TEXT = {"type": "string"}
NULL = {"type": "null"}
INT = {"type": "integer"}
TOOLS = ("tools", "tools_strict")


def closed(**properties: Any) -> Any:
    return schema_of("anthropic", "tools_strict", properties)


def union(*branches: Any) -> Any:
    return {"anyOf": list(branches)}


def optional(count: int) -> Any:
    """Return a closed object with *count* optional properties."""
    return closed(**{f"p{at}": TEXT for at in range(count)}) | {"required": []}


def unions(count: int) -> Any:
    """Return a closed object with *count* unions, spelled in both ways."""
    spelled = (union(TEXT, NULL), {"type": ["string", "null"]})
    return closed(**{f"p{at}": spelled[at % 2] for at in range(count)})


def bare(shape: Callable[[Any], Any]) -> Maker:
    """Make a maker of one definition, to which *shape* is applied as a whole."""
    return lambda vendor, profile: [shape(definition(vendor, profile))]


def with_schemas(*schemas: Any) -> Maker:
    """Make a maker of a definition for each of *schemas*."""

    def make(vendor: str, profile: str) -> list[Any]:
        named = profile in TOOLS
        return [
            definition(vendor, profile, schema, **({"name": f"t{at}"} if named else {}))
            for at, schema in enumerate(schemas)
        ]

    return make


def array(**others: Any) -> Any:
    return {"type": "array", "items": TEXT, **others}


CASES = (
    changes("A-shape", {"parameters": TEXT}, {}),
    changes("A-shape", {"input_schema": None}, {}, profiles=TOOLS),
    changes("A-shape", {"schema": None}, {}, profiles=("format",)),
    changes("A-shape", {"name": None}, {}, "A-name", profiles=TOOLS),
    changes("A-shape", {"type": "function"}, {"type": "custom"}, profiles=TOOLS),
    changes("A-shape", {"type": "json"}, {"type": "json_schema"}, profiles=("format",)),
    changes("A-shape", {"description": ["a"]}, {"description": "a"}, profiles=TOOLS),
    request(
        "A-shape",
        bare(lambda given: {"function": given}),
        bare(lambda given: given),
        "A-name",
        "A-strict-flag",
    ),
    request(
        "A-shape", bare(lambda given: "a"), bare(lambda given: given), "A-name", "A-strict-flag"
    ),
    changes("A-name", {"name": "look.up"}, {"name": "look-up_2"}),
    changes("A-name", {"name": "look up"}, {"name": "lookUp"}),
    changes("A-name", {"name": "look_up\n"}, {"name": "look_up"}),
    changes("A-name", {"name": ""}, {"name": "-"}),
    changes("A-name", {"name": "a" * 65}, {"name": "a" * 64}),
    request("A-unique", tools("a", "a"), tools("a", "A")),
    root("A-root", {"type": None}, {}, "AS-typed"),
    root("A-root", {"type": ["object"]}, {}),
    root("A-root", {"type": "string", "properties": None, "required": None}, {}),
    root("A-root-comb", {"anyOf": [closed(a=TEXT)]}, {"description": "anyOf"}),
    root(
        "A-root-comb",
        {"allOf": [closed(a=TEXT)]},
        {"properties": {"allOf": TEXT}, "required": ["allOf"]},
    ),
    root("A-root-comb", {"oneOf": [closed(a=TEXT)]}, {}, "AS-keywords"),
    *(
        root(
            "A-property-key",
            {"properties": {bad: TEXT}, "required": [bad]},
            {"properties": {good: TEXT}, "required": [good]},
        )
        for bad, good in {
            "a b": "a.b",
            "$a": "_a",
            "é": "e",
            "a\n": "a",
            "a" * 65: "a" * 64,
            "": "-",
            "a[]": "a",
        }.items()
    ),
    parameter("A-property-key-nested", closed(**{"a b": TEXT}), closed(**{"a-b": TEXT})),
    parameter("A-2020-12", {"type": "strin"}, TEXT),
    parameter("A-2020-12", {"type": "array", "items": [TEXT]}, array()),
    parameter("A-2020-12", {"type": "string", "enum": "a"}, {"type": "string", "enum": ["a"]}),
    root("A-2020-12", {"required": True}, {"required": ["a"]}),
    root("A-2020-12", {"properties": {"a": None}}, {"properties": {"a": TEXT}}, "AS-typed"),
    changes("A-strict-flag", {"strict": True}, {}, profiles=("tools",)),
    changes("A-strict-flag", {"strict": None}, {"strict": True}, profiles=("tools_strict",)),
    changes("A-strict-flag", {"strict": False}, {"strict": True}, profiles=("tools_strict",)),
    changes("A-examples", {"input_examples": [{"a": 1}]}, {"input_examples": [{"a": "b"}]}),
    changes("A-examples", {"input_examples": [{"b": "c"}]}, {"input_examples": []}),
    request(
        "A-deferred",
        lambda vendor, profile: [definition(vendor, profile, defer_loading=True)],
        lambda vendor, profile: [
            definition(vendor, profile, defer_loading=True),
            definition(vendor, profile, name="other"),
        ],
    ),
    changes("A-callers", {"allowed_callers": ["anyone"]}, {"allowed_callers": ["direct"]}),
    changes(
        "A-callers", {"allowed_callers": [1]}, {"allowed_callers": ["code_execution_20260120"]}
    ),
    parameter(
        "A-json",
        {"type": "string", "description": "\udc00"},
        {"type": "string", "description": "\U0001d400"},
    ),
    parameter(
        "A-json", {"type": "number", "const": float("inf")}, {"type": "number", "const": 1e300}
    ),
    root("AS-closed", {"additionalProperties": None}, {}),
    root("AS-closed", {"additionalProperties": TEXT}, {"additionalProperties": False}),
    parameter("AS-closed", {"type": "object"}, {"type": "object", "additionalProperties": False}),
    parameter(
        "AS-closed",
        array(items=closed(b=TEXT) | {"additionalProperties": True}),
        array(items=closed(b=TEXT)),
        "AS-typed",
    ),
    *(
        parameter("AS-number", {"type": "integer", keyword: 3}, {"type": "integer", "enum": [3]})
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
    ),
    parameter("AS-number", closed(b=INT | {"minimum": 1}), closed(minimum=INT)),
    parameter("AS-length", {"type": "string", "minLength": 1}, {"type": "string", "pattern": "."}),
    parameter(
        "AS-length", {"type": "string", "maxLength": 1}, {"type": "string", "pattern": "^.$"}
    ),
    parameter("AS-items", array(minItems=2), array(minItems=1)),
    parameter("AS-items", array(maxItems=2), array(minItems=0)),
    parameter("AS-items", array(uniqueItems=True), array()),
    parameter("AS-items", array(contains=TEXT), array()),
    parameter("AS-items", array(prefixItems=[TEXT]), array()),
    *(
        parameter("AS-keywords", closed(b=TEXT) | {keyword: value}, closed(**{keyword: TEXT}))
        for keyword, value in {
            "oneOf": [closed(b=TEXT)],
            "not": NULL,
            "if": TEXT,
            "then": TEXT,
            "else": TEXT,
            "patternProperties": {"^a": TEXT},
            "propertyNames": TEXT,
            "minProperties": 1,
            "maxProperties": 1,
            "dependentRequired": {},
            "dependentSchemas": {},
            "unevaluatedProperties": TEXT,
        }.items()
    ),
    parameter("AS-keywords", array(unevaluatedItems=TEXT), array()),
    parameter(
        "AS-format",
        {"type": "string", "format": "uri-reference"},
        {"type": "string", "format": "uri"},
    ),
    parameter("AS-format", {"type": "string", "format": "regex"}, closed(format=TEXT)),
    *(
        parameter(
            "AS-format",
            {"type": "string", "format": name.upper()},
            {"type": "string", "format": name},
        )
        for name in (
            "date-time",
            "time",
            "date",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uuid",
        )
    ),
    parameter(
        "AS-pattern",
        {"type": "string", "pattern": "^(?=a)"},
        {"type": "string", "pattern": "^(?:a)"},
    ),
    parameter(
        "AS-pattern",
        {"type": "string", "pattern": r"(a)\1"},
        {"type": "string", "pattern": r"(a)\\1"},
    ),
    parameter(
        "AS-pattern", {"type": "string", "pattern": r"\ba"}, {"type": "string", "pattern": r"[\b]a"}
    ),
    root(
        "AS-recursion",
        {"$defs": {"A": closed(b=array(items={"$ref": "#/$defs/A"}))}},
        {"$defs": {"A": closed(b=array(items={"$ref": "#/$defs/B"})), "B": closed(c=TEXT)}},
    ),
    parameter("AS-recursion", union({"$ref": "#"}, NULL), union(TEXT, NULL)),
    root(
        "AS-recursion",
        {"$defs": {"A": closed(b={"$ref": "#/$defs/B"}), "B": array(items={"$ref": "#/$defs/A"})}},
        {"$defs": {"A": closed(b={"$ref": "#/$defs/B"}), "B": array()}},
    ),
    parameter("AS-ref", {"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}, defs={"A": TEXT}),
    parameter("AS-ref", {"$ref": "https://example.com/A"}, {"$ref": "#/$defs/A"}, defs={"A": TEXT}),
    parameter(
        "AS-ref", {"$ref": "other.json#/$defs/A"}, union({"$ref": "#/$defs/A"}), defs={"A": TEXT}
    ),
    parameter(
        "AS-ref-alone",
        {"$ref": "#/$defs/A", "description": "x"},
        {"$ref": "#/$defs/A"},
        defs={"A": TEXT},
    ),
    parameter(
        "AS-allof-ref", {"allOf": [{"$ref": "#/$defs/A"}]}, {"allOf": [TEXT]}, defs={"A": TEXT}
    ),
    parameter("AS-enum", {"enum": ["a", {}]}, {"enum": ["a", None, 1, True]}),
    parameter("AS-enum", {"const": []}, {"const": 1.5}),
    parameter("AS-typed", {}, TEXT),
    parameter("AS-typed", {"description": "Any."}, {"const": 1}),
    parameter("AS-typed", True, union(TEXT)),
    parameter("AS-typed", array(items={"title": "Any"}), array(items={"enum": ["a"]})),
    root(
        "AS-annotation", {"$schema": "https://json-schema.org/draft/2020-12/schema"}, {"$defs": {}}
    ),
    parameter(
        "AS-annotation", {"type": "string", "default": "a"}, {"type": "string", "title": "A"}
    ),
    parameter(
        "AS-annotation",
        {"type": "string", "examples": ["a"]},
        {"type": "string", "description": "a"},
    ),
    request(
        "AS-tools", tools(*(f"t{at}" for at in range(21))), tools(*(f"t{at}" for at in range(20)))
    ),
    request("AS-optionals", with_schemas(optional(25)), with_schemas(optional(24))),
    request(
        "AS-optionals",
        with_schemas(optional(20), optional(5), optional(5)),
        with_schemas(optional(20), optional(4)),
    ),
    request(
        "AS-optionals", with_schemas(closed(a=optional(25))), with_schemas(closed(a=optional(24)))
    ),
    request("AS-unions", with_schemas(unions(17)), with_schemas(unions(16))),
    request("AS-unions", with_schemas(unions(16), unions(1)), with_schemas(unions(15), unions(1))),
)
