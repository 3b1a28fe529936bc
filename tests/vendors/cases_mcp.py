"""Cases for the rules of the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.vendors.cases import (
    Case,
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


def closed(**properties: Any) -> Any:
    return schema_of("mcp", "2025-11-25", properties)


def bare(shape: Callable[[Any], Any]) -> Maker:
    """Make a maker of one definition, to which *shape* is applied as a whole."""
    return lambda vendor, profile: [shape(definition(vendor, profile))]


def output(rule: str, rejected: Any, accepted: Any, *also: str, profiles: Any = ()) -> Case:
    """Make a case of two output schemas."""
    return changes(
        rule, {"outputSchema": rejected}, {"outputSchema": accepted}, *also, profiles=profiles
    )


DRAFT_7 = "http://json-schema.org/draft-07/schema#"

CASES = (
    changes("M-shape", {"input_schema": TEXT}, {"title": "Look up", "_meta": {}}),
    changes("M-shape", {"inputSchema": None}, {}),
    changes("M-shape", {"name": None}, {}, "M-name"),
    changes("M-shape", {"description": 1}, {"description": "a"}),
    changes("M-shape", {"outputSchema": True}, {"outputSchema": closed()}, "M-output-root"),
    changes("M-shape", {"icons": []}, {}, profiles=("2025-06-18",)),
    changes("M-shape", {"execution": {}}, {"icons": []}, profiles=("2026-07-28",)),
    request("M-shape", bare(lambda given: [given]), bare(lambda given: given), "M-name"),
    changes("M-name", {"name": "look up"}, {"name": "look.up"}),
    changes("M-name", {"name": "look_up\n"}, {"name": "look-up_2"}),
    changes("M-name", {"name": "look,up"}, {"name": "LookUp"}),
    changes("M-name", {"name": "looké"}, {"name": "looke"}),
    changes("M-name", {"name": ""}, {"name": "."}),
    changes("M-name", {"name": "a" * 129}, {"name": "a" * 128}),
    request("M-unique", tools("a", "a"), tools("a", "A")),
    root("M-input-root", {"type": None}, {}),
    root("M-input-root", {"type": ["object"]}, {}),
    root("M-input-root", {"type": "array"}, {"anyOf": [{"required": ["a"]}]}),
    root("M-input-form", {"properties": {"a": []}}, {"properties": {"a": {}}}, "M-2020-12"),
    root("M-input-form", {"properties": []}, {"properties": {}}, "M-2020-12"),
    root("M-input-form", {"required": "a"}, {"required": ["a"]}, "M-2020-12"),
    root("M-input-form", {"required": [1]}, {"required": []}, "M-2020-12"),
    request(
        "M-input-form",
        lambda vendor, profile: [definition(vendor, profile, closed(a=True))],
        lambda vendor, profile: [definition(vendor, profile, closed(a={}))],
        profiles=("2025-06-18",),
    ),
    output("M-output-root", TEXT, closed(result=TEXT)),
    output("M-output-root", {"anyOf": [closed()]}, {"type": "object", "anyOf": [closed()]}),
    output(
        "M-output-ref",
        {"type": "object", "$ref": "#/$defs/A", "$defs": {"A": closed()}},
        closed(a={"$ref": "#/$defs/A"}) | {"$defs": {"A": closed()}},
    ),
    output(
        "M-output-ref",
        {"$ref": "#/$defs/A", "$defs": {"A": closed()}},
        {"type": "object", "allOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": closed()}},
        "M-output-root",
    ),
    parameter("M-2020-12", {"type": "strin"}, TEXT),
    parameter(
        "M-2020-12", {"type": "array", "items": [TEXT]}, {"type": "array", "prefixItems": [TEXT]}
    ),
    parameter(
        "M-2020-12",
        {"type": "number", "exclusiveMinimum": True},
        {"type": "number", "exclusiveMinimum": 1},
    ),
    root(
        "M-2020-12",
        {"properties": {"a": {"items": 1}}},
        {"properties": {"a": {"items": [TEXT]}}},
        **{"$schema": DRAFT_7},
    ),
    output("M-2020-12", closed(a={"minLength": -1}), closed(a={"minLength": 1})),
    parameter("M-ref", {"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}, defs={"A": TEXT}),
    parameter("M-ref", {"$ref": "https://example.com/a.json"}, {"$ref": "#/properties/a"}),
    parameter("M-ref", {"$ref": "#b"}, {"$ref": "#a"}, defs={"A": {"$anchor": "a"}}),
    output(
        "M-ref",
        closed(a={"$ref": "#/$defs/B"}),
        closed(a={"$ref": "#/$defs/A"}) | {"$defs": {"A": TEXT}},
    ),
    changes("M-json", {"description": "\ud800"}, {"description": "\U0001d400"}),
    parameter(
        "M-json", {"type": "number", "maximum": float("inf")}, {"type": "number", "maximum": 1e300}
    ),
)
