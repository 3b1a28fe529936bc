"""Gram's grammar: types, parameters and results, their nodes and JSON Schemas, and mistakes."""

from __future__ import annotations

from typing import Any

import pytest

import typesig
from typesig import Signature
from typesig.algebra.constructors import make_maybe, record
from typesig.algebra.nodes import BOOL, FLOAT, INT, STRING, Field, List, Type
from typesig.errors import SignatureSyntaxError


def gram(text: str) -> Signature:
    return typesig.parse(text, "gram")


# the type system

TYPES = [
    # a type, shorthand for it, its node, its JSON Schema
    pytest.param("Text", ":string", STRING, {"type": "string"}, id="Text"),
    pytest.param("Int", ":int", INT, {"type": "integer"}, id="Int"),
    pytest.param("Double", ":float", FLOAT, {"type": "number"}, id="Double"),
    pytest.param("Bool", ":bool", BOOL, {"type": "boolean"}, id="Bool"),
    pytest.param(
        "[Text]", "[:string]", List(STRING),
        {"type": "array", "items": {"type": "string"}}, id="[T]",
    ),
    pytest.param(
        "{field1: Text, field2: Int}",
        "{field1 :string, field2 :int}",
        record([Field("field1", STRING), Field("field2", INT)]),
        {
            "type": "object",
            "properties": {"field1": {"type": "string"}, "field2": {"type": "integer"}},
            "required": ["field1", "field2"],
        },
        id="{field1: T1, field2: T2}",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shorthand", "node", "schema"), TYPES)
def test_a_type_is_read_as_its_node_and_shown_as_its_schema(
    text: str, shorthand: str, node: Type, schema: dict[str, Any]
) -> None:
    signature = gram(f"(value: {text}) --> IO Text")
    asked = signature.input_schema()

    assert (Field("value", node),) == signature.params
    assert typesig.parse(f"(value {shorthand}) -> :string") == signature
    assert schema == asked["properties"]["value"]
    assert ["value"] == asked["required"]
    assert text == typesig.render(node, "gram")


@pytest.mark.parametrize(("text", "shorthand", "node", "schema"), TYPES)
def test_maybe_is_nullable_shows_its_type_and_is_not_required(
    text: str, shorthand: str, node: Type, schema: dict[str, Any]
) -> None:
    # Optional and nullable: the schema of the type, not in the required list.
    signature = gram(f"(value: Maybe {text}) --> IO Text")

    assert (Field("value", make_maybe(node), required=False),) == signature.params
    assert typesig.parse(f"(value {shorthand}?) -> :string") == signature
    assert {"type": "object", "properties": {"value": schema}} == signature.input_schema()
    assert signature.validate_input({}).ok
    assert signature.validate_input({"value": None}).ok


# the basic syntax

SYNTAX = [
    # a parameter, and its field
    pytest.param("Text", Field("arg1", STRING), id="type only"),
    pytest.param("name: Text", Field("name", STRING), id="named parameter"),
    pytest.param(
        "name: Maybe Text", Field("name", make_maybe(STRING), required=False),
        id="optional parameter",
    ),
    pytest.param(
        "params: {field1: Text, field2: Int}",
        Field("params", record([Field("field1", STRING), Field("field2", INT)])),
        id="record parameter",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("param", "field"), SYNTAX)
def test_a_parameter_is_a_field_and_is_written_back(param: str, field: Field) -> None:
    one = gram(f"({param}) --> IO Text")
    two = gram(f"(first: Bool, {param}) --> IO Text")

    assert (field,) == one.params
    assert ["first", field.name.replace("arg1", "arg2")] == [p.name for p in two.params]
    assert f"({param}) --> IO Text" == one.render("gram")


RETURNS = [
    pytest.param("IO Text", STRING, True, id="IO Text"),
    pytest.param("IO Int", INT, True, id="IO Int"),
    pytest.param("IO Bool", BOOL, True, id="IO Bool"),
    pytest.param("IO [Text]", List(STRING), True, id="IO [Text]"),
    pytest.param("IO {field: Text}", record([Field("field", STRING)]), True, id="IO record"),
    pytest.param("Text", STRING, False, id="without IO"),
]


@pytest.mark.parametrize(("result", "node", "effect"), RETURNS)
def test_a_result_is_a_type_and_a_mark(result: str, node: Type, effect: bool) -> None:
    signature = gram(f"() --> {result}")

    assert (node, effect) == (signature.returns, signature.io)
    assert f"() --> {result}" == signature.render("gram")


# signatures and their JSON Schemas

SIGNATURES = [
    # a signature, the same in shorthand, and the JSON Schema of its parameters
    pytest.param(
        "() --> IO Text",
        "() -> :string",
        {"type": "object", "properties": {}},
        id="simple function",
    ),
    pytest.param(
        "(name: Text) --> IO Text",
        "(name :string) -> :string",
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        id="named parameter",
    ),
    pytest.param(
        "(name: Text, age: Int) --> IO Text",
        "(name :string, age :int) -> :string",
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name", "age"],
        },
        id="multiple parameters",
    ),
    pytest.param(
        "(name: Text, age: Maybe Int) --> IO Text",
        "(name :string, age :int?) -> :string",
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name"],
        },
        id="optional parameter, and the example of schema generation",
    ),
    pytest.param(
        "(user: {name: Text, email: Text}) --> IO Text",
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
        id="record parameter",
    ),
    pytest.param(
        "(user: {name: Text, address: {city: Text, country: Text}}) --> IO Text",
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
        id="nested types",
    ),
    pytest.param(
        "(items: [Text]) --> IO Int",
        "(items [:string]) -> :int",
        {
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "string"}}},
            "required": ["items"],
        },
        id="array parameter",
    ),
    pytest.param(
        "(searchParams: {query: Text, filters: {category: Maybe Text, "
        "priceRange: Maybe {min: Double, max: Double}}, limit: Maybe Int}) --> IO [Text]",
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
        id="complex example",
    ),
]


@pytest.mark.parametrize(("text", "shorthand", "schema"), SIGNATURES)
def test_a_signature_means_its_shorthand_and_is_shown_as_json_schema(
    text: str, shorthand: str, schema: dict[str, Any]
) -> None:
    signature = gram(text)

    assert typesig.parse(shorthand) == signature
    assert schema == signature.input_schema()
    assert text == signature.render("gram")
    assert signature.io


def test_properties_are_in_the_order_of_the_parameters() -> None:
    asked = gram("(b: Int, a: Int, c: Maybe Int) --> Int").input_schema()

    assert ["b", "a", "c"] == list(asked["properties"])
    assert ["b", "a"] == asked["required"]


RULES = [
    pytest.param("(name: Text) --> Text", {"name": {"type": "string"}}, ["name"], id="names"),
    pytest.param("(a: Int, b: {c: Int}) --> Text", {"a": {"type": "integer"}, "b": {"type": "object", "properties": {"c": {"type": "integer"}}, "required": ["c"]}}, ["a", "b"], id="required"),
    pytest.param("(a: Maybe Int) --> Text", {"a": {"type": "integer"}}, None, id="optional"),
    pytest.param("(a: {b: {c: Maybe Int}}) --> Text", {"a": {"type": "object", "properties": {"b": {"type": "object", "properties": {"c": {"type": "integer"}}}}, "required": ["b"]}}, ["a"], id="nested"),
    pytest.param("(a: [{b: Int}]) --> Text", {"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}}}, ["a"], id="arrays"),
    pytest.param("(Int, Maybe Text) --> Text", {"arg1": {"type": "integer"}, "arg2": {"type": "string"}}, ["arg1"], id="without a name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "properties", "required"), RULES)
def test_the_schema_of_parameters_lists_properties_and_required_names(
    text: str, properties: dict[str, Any], required: list[str] | None
) -> None:
    asked = gram(text).input_schema()

    assert properties == asked["properties"]
    assert required == asked.get("required")


# mistakes

MISTAKES = [
    # a text, the code of its mistake, a part of the remedy
    pytest.param("(name: Text) -> Text", "invalid_syntax", "-->", id="another arrow"),
    pytest.param(
        "(1st: Text) --> Text", "malformed_parameters", "name", id="a name that begins with a digit"
    ),
    pytest.param("(name: Str) --> IO Text", "unknown_type", "write Text", id="a guessed type"),
    pytest.param("(name: Text) --> Str", "unknown_type", "write Text", id="a guessed result"),
    pytest.param("(a: [[Text]) --> Text", "invalid_syntax", "closing ]", id="an open bracket"),
    pytest.param("() --> Text Text", "invalid_syntax", "ends", id="a second type"),
    pytest.param("(name: Strin) --> Text", "unknown_type", "String", id="a misspelt type"),
    pytest.param(
        "(a: Text b: Text) --> Text", "malformed_parameters", "comma", id="a missing comma"
    ),
    pytest.param("(a: {b Text}) --> Text", "invalid_record", "colon", id="a missing colon"),
    pytest.param("(a: Text) -->", "missing_return_type", "IO Text", id="a missing result"),
]


@pytest.mark.parametrize(("text", "code", "word"), MISTAKES)
def test_a_mistake_has_its_code_and_a_remedy(text: str, code: str, word: str) -> None:
    with pytest.raises(SignatureSyntaxError) as caught:
        gram(text)

    assert code == caught.value.code
    assert word in caught.value.message
