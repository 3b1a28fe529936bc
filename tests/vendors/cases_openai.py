"""Cases for the rules of OpenAI."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.vendors.cases import (
    Maker,
    changes,
    definition,
    nested,
    parameter,
    request,
    root,
    schema_of,
    tools,
)

TEXT = {"type": "string"}
NULL = {"type": "null"}


def closed(**properties: Any) -> Any:
    return schema_of("openai", "chat_strict", properties)


def union(*branches: Any) -> Any:
    return {"anyOf": list(branches)}


def bare(shape: Callable[[Any], Any]) -> Maker:
    """Make a maker of one definition, to which *shape* is applied as a whole."""
    return lambda vendor, profile: [shape(definition(vendor, profile))]


def _enum(count: int, length: int = 1) -> Any:
    return {"type": "string", "enum": [f"{at:0{length}}" for at in range(count)]}


CHAT = ("chat", "chat_strict")
RESPONSES = ("responses", "responses_strict")
FORMATS = ("chat_format", "chat_format_strict", "responses_format", "responses_format_strict")

CASES = (
    changes("O-shape", {"returns": TEXT}, {}),
    changes("O-shape", {"description": 1}, {"description": "Look."}),
    changes("O-shape", {"parameters": None}, {}, profiles=RESPONSES),
    changes(
        "O-shape",
        {"parameters": True},
        {"parameters": None},
        "O-root",
        "O-root-properties",
        "OS-typed",
        profiles=CHAT,
    ),
    changes("O-shape", {"schema": None}, {}, profiles=FORMATS),
    changes("O-shape", {"output_schema": TEXT}, {}, profiles=CHAT),
    request("O-shape", bare(lambda given: given | {"type": "tool"}), bare(lambda given: given)),
    request(
        "O-shape",
        bare(lambda given: given | {"name": "f"}),
        bare(lambda given: given),
        profiles=CHAT,
    ),
    request(
        "O-shape",
        bare(lambda given: given["function"]),
        bare(lambda given: given),
        "O-name",
        "O-strict-flag",
        profiles=CHAT,
    ),
    request(
        "O-shape", bare(lambda given: [given]), bare(lambda given: given), "O-name", "O-strict-flag"
    ),
    changes("O-name", {"name": "look.up"}, {"name": "look-up_2"}),
    changes("O-name", {"name": "look up"}, {"name": "lookUp"}),
    changes("O-name", {"name": "look_up\n"}, {"name": "look_up"}),
    changes("O-name", {"name": ""}, {"name": "_"}),
    changes("O-name", {"name": "sök"}, {"name": "sok"}),
    changes("O-name", {"name": "a" * 65}, {"name": "a" * 64}),
    request("O-unique", tools("a", "b", "a"), tools("a", "b", "A")),
    request(
        "O-count", tools(*(f"t{at}" for at in range(129))), tools(*(f"t{at}" for at in range(128)))
    ),
    changes("O-description", {"description": "a" * 1025}, {"description": "a" * 1024}),
    root("O-root", {"type": None}, {}, "OS-typed"),
    root("O-root", {"type": ["object", "null"]}, {}),
    root("O-root", {"type": ["object"]}, {}),
    root("O-root-comb", {"anyOf": [closed(a=TEXT)]}, {"description": "anyOf"}),
    root("O-root-comb", {"enum": [{"a": "b"}]}, {}),
    root("O-root-comb", {"oneOf": [closed(a=TEXT)]}, {"title": "oneOf"}, "OS-composition"),
    root("O-root-comb", {"allOf": [closed(a=TEXT)]}, {}, "OS-composition"),
    root("O-root-comb", {"not": NULL}, {}, "OS-composition", "OS-enum-typed"),
    root(
        "O-root-properties",
        {"properties": None, "required": None},
        {"properties": {}, "required": []},
    ),
    parameter("O-items", {"type": "array"}, {"type": "array", "items": TEXT}),
    parameter("O-items", {"type": ["array", "null"]}, {"type": ["array", "null"], "items": TEXT}),
    parameter(
        "O-items",
        {"type": "array", "prefixItems": [TEXT]},
        {"type": "array", "items": TEXT},
        "OS-keywords",
    ),
    parameter(
        "O-items", union({"type": "array"}, NULL), union({"type": "array", "items": TEXT}, NULL)
    ),
    changes(
        "O-strict-flag",
        {"strict": None},
        {"strict": True},
        profiles=("chat_strict", "chat_format_strict", "responses_format_strict"),
    ),
    changes(
        "O-strict-flag",
        {"strict": False},
        {"strict": True},
        profiles=(
            "chat_strict",
            "responses_strict",
            "chat_format_strict",
            "responses_format_strict",
        ),
    ),
    changes(
        "O-strict-flag",
        {"strict": True},
        {"strict": False},
        profiles=("chat", "responses", "chat_format", "responses_format"),
    ),
    changes(
        "O-strict-flag",
        {"strict": True},
        {"strict": None},
        profiles=("chat", "chat_format", "responses_format"),
    ),
    changes(
        "O-strict-flag", {"strict": None}, {"strict": False}, "O-shape", profiles=("responses",)
    ),
    changes(
        "O-callers",
        {"allowed_callers": ["code"]},
        {"allowed_callers": ["direct", "programmatic"], "defer_loading": True},
        profiles=RESPONSES,
    ),
    changes("O-json", {"description": "\ud800"}, {"description": "\U0001d400"}),
    parameter(
        "O-json", {"type": "number", "maximum": float("inf")}, {"type": "number", "maximum": 1e300}
    ),
    parameter(
        "O-json", {"type": "number", "minimum": float("nan")}, {"type": "number", "minimum": 0.5}
    ),
    parameter("O-json", {"type": "string", "enum": ("a",)}, {"type": "string", "enum": ["a"]}),
    root(
        "O-json",
        {"properties": {"a": TEXT, 1: TEXT}, "required": ["a", 1]},
        {"properties": {"a": TEXT, "1": TEXT}, "required": ["a", "1"]},
        "OS-required",
    ),
    root("OS-closed", {"additionalProperties": None}, {}),
    root("OS-closed", {"additionalProperties": True}, {}, "OS-typed"),
    root("OS-closed", {"additionalProperties": TEXT}, {"additionalProperties": False}),
    parameter(
        "OS-closed",
        {"type": "array", "items": closed(b=TEXT) | {"additionalProperties": {}}},
        {"type": "array", "items": closed(b=TEXT)},
        "OS-typed",
    ),
    parameter(
        "OS-closed",
        {"type": ["object", "null"], "properties": {}},
        closed() | {"type": ["object", "null"]},
    ),
    parameter(
        "OS-closed", union(closed(b=TEXT), {"type": "object"}), union(closed(b=TEXT), closed())
    ),
    root("OS-required", {"required": []}, {}),
    root("OS-required", {"required": None}, {}),
    root("OS-required", {"required": ["a", "a"]}, {}),
    root("OS-required", {"required": ["a", "b"]}, {}),
    root("OS-required", {"required": ["b"]}, {}),
    parameter(
        "OS-required",
        closed(b=TEXT, c=TEXT) | {"required": ["b"]},
        closed(b=TEXT, c={"type": ["string", "null"]}),
    ),
    parameter("OS-typed", {}, {"type": "string"}),
    parameter("OS-typed", {"description": "Any."}, union(TEXT, NULL)),
    parameter("OS-typed", True, TEXT),
    parameter("OS-typed", {"type": "array", "items": {}}, {"type": "array", "items": TEXT}),
    parameter("OS-typed", union({"description": "Any."}, NULL), union({"$ref": "#"}, NULL)),
    parameter("OS-enum-typed", {"enum": ["a"]}, {"type": "string", "enum": ["a"]}),
    parameter("OS-enum-typed", {"const": 1}, {"type": "integer", "const": 1}),
    parameter(
        "OS-composition", {"type": "string", "oneOf": [TEXT]}, {"type": "string", "anyOf": [TEXT]}
    ),
    parameter("OS-composition", {"type": "string", "allOf": [TEXT]}, TEXT),
    parameter("OS-composition", {"type": "string", "not": NULL}, TEXT),
    parameter("OS-composition", {"type": "string", "if": TEXT, "then": TEXT, "else": TEXT}, TEXT),
    parameter(
        "OS-composition",
        closed(b=TEXT) | {"dependentRequired": {"b": []}},
        closed(dependentRequired=TEXT),
    ),
    parameter(
        "OS-composition", closed(b=TEXT) | {"dependentSchemas": {}}, closed(dependentSchemas=TEXT)
    ),
    parameter(
        "OS-default",
        {"type": "string", "default": "x"},
        {"type": "string", "description": "x by default"},
    ),
    parameter(
        "OS-default", {"type": ["string", "null"], "default": None}, {"type": ["string", "null"]}
    ),
    parameter(
        "OS-default",
        closed(b={"type": "integer", "default": 1}),
        closed(default={"type": "integer"}),
    ),
    *(
        parameter("OS-keywords", closed(b=TEXT) | {keyword: value}, closed(**{keyword: TEXT}))
        for keyword, value in {
            "patternProperties": {"^a": TEXT},
            "propertyNames": TEXT,
            "minProperties": 1,
            "maxProperties": 1,
            "unevaluatedProperties": TEXT,
        }.items()
    ),
    *(
        parameter(
            "OS-keywords",
            {"type": "array", "items": TEXT, keyword: value},
            {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 3},
        )
        for keyword, value in {
            "unevaluatedItems": TEXT,
            "contains": TEXT,
            "minContains": 1,
            "maxContains": 1,
            "uniqueItems": True,
            "prefixItems": [TEXT],
        }.items()
    ),
    parameter("OS-length", {"type": "string", "minLength": 1}, {"type": "string", "pattern": "."}),
    parameter(
        "OS-length",
        {"type": "string", "maxLength": 9},
        {"type": "array", "items": TEXT, "maxItems": 9},
    ),
    root(
        "OS-annotation", {"$schema": "https://json-schema.org/draft/2020-12/schema"}, {"$defs": {}}
    ),
    parameter(
        "OS-annotation",
        {"type": "string", "examples": ["a"]},
        {"type": "string", "description": "a", "title": "A"},
    ),
    parameter(
        "OS-annotation",
        union(closed(b=TEXT)) | {"discriminator": {}},
        union(closed(discriminator=TEXT)),
    ),
    parameter("OS-annotation", {"type": "string", "contentEncoding": "base64"}, TEXT),
    parameter(
        "OS-format", {"type": "string", "format": "uri"}, {"type": "string", "format": "uuid"}
    ),
    parameter("OS-format", {"type": "integer", "format": "int64"}, closed(format=TEXT)),
    *(
        parameter(
            "OS-format",
            {"type": "string", "format": f"{name}s"},
            {"type": "string", "format": name},
        )
        for name in ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6")
    ),
    parameter(
        "OS-pattern",
        {"type": "string", "pattern": "^(?=a)"},
        {"type": "string", "pattern": "^(?:a)"},
    ),
    parameter(
        "OS-pattern",
        {"type": "string", "pattern": "(?!a)b"},
        {"type": "string", "pattern": r"\(?!a\)b"},
    ),
    parameter(
        "OS-pattern",
        {"type": "string", "pattern": "(?<=a)b"},
        {"type": "string", "pattern": "(?<a>b)"},
    ),
    parameter(
        "OS-pattern",
        {"type": "string", "pattern": "[]](?<!a)b"},
        {"type": "string", "pattern": "[(?<!a]b"},
    ),
    parameter(
        "OS-ref-alone",
        {"$ref": "#/$defs/A", "description": "x"},
        {"$ref": "#/$defs/A"},
        defs={"A": TEXT},
    ),
    parameter(
        "OS-ref-alone",
        {"$ref": "#/$defs/A", "type": "string"},
        union({"$ref": "#/$defs/A"}) | {"description": "x"},
        defs={"A": TEXT},
    ),
    parameter("OS-ref-target", {"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}, defs={"A": TEXT}),
    parameter(
        "OS-ref-target",
        {"$ref": "#/$defs/A/anyOf/0"},
        {"$ref": "#/$defs/A"},
        defs={"A": union(TEXT)},
    ),
    parameter("OS-ref-target", {"$ref": "https://example.com/a"}, {"$ref": "#"}),
    parameter("OS-ref-target", {"$ref": "#/properties/a"}, union({"$ref": "#"}, NULL)),
    parameter("OS-ref-target", {"$ref": 1}, {"$ref": "#/$defs/a~1b"}, defs={"a/b": TEXT}),
    root(
        "OS-ref-target",
        {"properties": {"a": {"$ref": "#/definitions/B"}}},
        {"properties": {"a": {"$ref": "#/definitions/A"}}},
        definitions={"A": TEXT},
    ),
    parameter(
        "OS-enum-fits", {"type": "string", "enum": ["a", 1]}, {"type": "string", "enum": ["a", "1"]}
    ),
    parameter(
        "OS-enum-fits",
        {"type": "integer", "enum": [1, True]},
        {"type": "integer", "enum": [1, 2.0]},
    ),
    parameter("OS-enum-fits", {"type": "number", "const": "1"}, {"type": "number", "const": 1.5}),
    parameter(
        "OS-enum-fits",
        {"type": ["string", "null"], "enum": ["a"]},
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    parameter(
        "OS-enum-fits",
        {"type": "string", "enum": ["a", None]},
        {"type": "boolean", "enum": [False]},
    ),
    parameter(
        "OS-enum-fits",
        {"type": "null", "const": []},
        {"type": "array", "items": TEXT, "enum": [["a"]]},
    ),
    parameter("OS-enum-fits", closed() | {"enum": [1]}, closed() | {"enum": [{}]}),
    parameter("OS-enum-fits", {"type": "text", "const": "a"}, {"type": "string", "const": "a"}),
    parameter(
        "OS-first-key",
        union(closed(b=TEXT), closed(b=TEXT, c=TEXT)),
        union(closed(b=TEXT), closed(c=TEXT, b=TEXT)),
    ),
    parameter(
        "OS-first-key",
        union({"$ref": "#/$defs/A"}, closed(b=NULL)),
        union({"$ref": "#/$defs/A"}, closed(c=NULL)),
        defs={"A": closed(b=TEXT)},
    ),
    parameter("OS-depth", nested(10, TEXT), nested(9, TEXT)),
    parameter(
        "OS-depth",
        union({"type": "array", "items": nested(10, TEXT)}, NULL),
        union({"type": "array", "items": nested(9, TEXT)}, NULL),
    ),
    root("OS-depth", {"$defs": {"A": nested(11, TEXT)}}, {"$defs": {"A": nested(10, TEXT)}}),
    parameter(
        "OS-depth",
        nested(10, {"$ref": "#/$defs/A"}),
        nested(9, {"$ref": "#/$defs/A"}),
        defs={"A": nested(9, TEXT)},
    ),
    parameter(
        "OS-properties",
        closed(**{f"p{at}": TEXT for at in range(5000)}),
        closed(**{f"p{at}": TEXT for at in range(4999)}),
    ),
    parameter("OS-enum-count", _enum(1001), _enum(1000)),
    parameter(
        "OS-enum-count", closed(b=_enum(600), c=_enum(401)), closed(b=_enum(600), c=_enum(400))
    ),
    parameter("OS-enum-count", _enum(251, 60), _enum(250, 61)),
    parameter("OS-enum-count", _enum(300, 51), _enum(300, 50)),
    parameter("OS-chars", closed(**{"a" * 120_000: TEXT}), closed(**{"a" * 119_999: TEXT})),
    parameter(
        "OS-chars",
        {"type": "string", "const": "a" * 120_000},
        {"type": "string", "const": "a" * 119_999},
    ),
    parameter(
        "OS-chars",
        {"type": "string", "enum": ["a" * 120_000]},
        {"type": "string", "enum": ["a" * 119_999]},
    ),
    root("OS-chars", {"$defs": {"a" * 120_000: TEXT}}, {"$defs": {"a" * 119_999: TEXT}}),
)
