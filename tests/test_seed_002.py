"""Seed 002 (tool type signatures): its table and rules of JSON Schema, through equal shorthand.

Not here, with the reason:

- the grammar of gram, its examples and its errors: gram is a notation of its own and comes later.
"""

from __future__ import annotations

from typing import Any

import pytest

import typesig

TYPES = [
    # gram's type, shorthand for it, JSON Schema
    pytest.param(":string", {"type": "string"}, id="002 Text"),
    pytest.param(":int", {"type": "integer"}, id="002 Int"),
    pytest.param(":float", {"type": "number"}, id="002 Double"),
    pytest.param(":bool", {"type": "boolean"}, id="002 Bool"),
    pytest.param("[:string]", {"type": "array", "items": {"type": "string"}}, id="002 [T]"),
    pytest.param(
        "{field1 :string, field2 :int}",
        {
            "type": "object",
            "properties": {"field1": {"type": "string"}, "field2": {"type": "integer"}},
            "required": ["field1", "field2"],
        },
        id="002 {field1: T1, field2: T2}",
    ),
]


@pytest.mark.parametrize(("shorthand", "schema"), TYPES)
def test_a_type_of_the_table_is_shown_as_its_schema(shorthand: str, schema: dict[str, Any]) -> None:
    asked = typesig.parse(f"(value {shorthand}) -> :any").input_schema()

    assert schema == asked["properties"]["value"]
    assert ["value"] == asked["required"]


@pytest.mark.parametrize(("shorthand", "schema"), TYPES)
def test_maybe_shows_its_type_and_is_not_required(shorthand: str, schema: dict[str, Any]) -> None:
    # "002 Maybe T": same as T, not in the required list
    signature = typesig.parse(f"(value {shorthand}?) -> :any")

    assert {"type": "object", "properties": {"value": schema}} == signature.input_schema()


SIGNATURES = [
    # each example of the seed: shorthand for it, and the JSON Schema of its parameters
    pytest.param("() -> :string", {"type": "object", "properties": {}}, id="002 simple function"),
    pytest.param(
        "(name :string) -> :string",
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        id="002 named parameter",
    ),
    pytest.param(
        "(name :string, age :int) -> :string",
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name", "age"],
        },
        id="002 multiple parameters",
    ),
    pytest.param(
        "(name :string, age :int?) -> :string",
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name"],
        },
        id="002 optional parameter, and the example of schema generation",
    ),
    pytest.param(
        "(user {name :string, email :string}) -> :string",
        {
            "type": "object",
            "properties": {
                "user": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "email": {"type": "string"}},
                    "required": ["name", "email"],
                }
            },
            "required": ["user"],
        },
        id="002 record parameter",
    ),
    pytest.param(
        "(user {name :string, address {city :string, country :string}}) -> :string",
        {
            "type": "object",
            "properties": {
                "user": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "address": {
                            "type": "object",
                            "properties": {
                                "city": {"type": "string"},
                                "country": {"type": "string"},
                            },
                            "required": ["city", "country"],
                        },
                    },
                    "required": ["name", "address"],
                }
            },
            "required": ["user"],
        },
        id="002 nested types",
    ),
    pytest.param(
        "(items [:string]) -> :int",
        {
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "string"}}},
            "required": ["items"],
        },
        id="002 array parameter",
    ),
    pytest.param(
        "(searchParams {query :string, filters {category :string?, "
        "priceRange {min :float, max :float}?}, limit :int?}) -> [:string]",
        {
            "type": "object",
            "properties": {
                "searchParams": {
                    "type": "object",
                    "properties": {
                        "query": {"type": "string"},
                        "filters": {
                            "type": "object",
                            "properties": {
                                "category": {"type": "string"},
                                "priceRange": {
                                    "type": "object",
                                    "properties": {
                                        "min": {"type": "number"},
                                        "max": {"type": "number"},
                                    },
                                    "required": ["min", "max"],
                                },
                            },
                        },
                        "limit": {"type": "integer"},
                    },
                    "required": ["query", "filters"],
                }
            },
            "required": ["searchParams"],
        },
        id="002 complex example",
    ),
]


@pytest.mark.parametrize(("written", "schema"), SIGNATURES)
def test_parameters_are_shown_as_json_schema(written: str, schema: dict[str, Any]) -> None:
    assert schema == typesig.parse(written).input_schema()


def test_names_and_their_order_are_those_of_the_signature() -> None:
    # "002 schema generation rules" 1 and 2
    asked = typesig.parse("(b :int, a :int, c :int?) -> :any").input_schema()

    assert ["b", "a", "c"] == list(asked["properties"])
    assert ["b", "a"] == asked["required"]
