"""Definitions of tools, in the forms of vendors, as tools that cannot be called."""

from __future__ import annotations

from typing import Any

import pytest

from typesig import TypesigError, tools_of
from typesig.errors import TooLarge
from typesig.providers.registry.provider import PROVIDER_NAMES
from typesig.tools.foreign import definitions
from typesig.tools.foreign.definitions import holds_definitions, tools_of_definitions

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
CAPITALS = {
    "type": "OBJECT",
    "properties": {
        "a": {"type": "INTEGER"},
        "type": {"type": "STRING", "enum": ["STRING"]},
        "b": {"anyOf": [{"type": "STRING"}, {"type": "ARRAY", "items": {"type": "NUMBER"}}]},
    },
    "required": ["a"],
}
OPENAI = {"type": "function", "function": {"name": "f", "description": "Do.", "parameters": SCHEMA}}
MCP = {
    "name": "f",
    "title": "F",
    "inputSchema": SCHEMA,
    "outputSchema": {"type": "object", "properties": {"b": {"type": "string"}}},
    "annotations": {"readOnlyHint": True, "title": "a\nb"},
}


@pytest.mark.parametrize(
    ("given", "signature"),
    [
        ([OPENAI], "(a :int) -> :any"),
        ({"tools": [OPENAI]}, "(a :int) -> :any"),
        ([{"type": "function", "name": "f", "parameters": SCHEMA}], "(a :int) -> :any"),
        ([{"type": "function", "name": "f", "parameters": None}], "() -> :any"),
        ({"name": "f", "input_schema": SCHEMA}, "(a :int) -> :any"),
        ([MCP], "(a :int) -> {b? :string}"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}}, "(a :int) -> {b? :string}"),
        ({"name": "f", "result": 1, "inputSchema": SCHEMA}, "(a :int) -> :any"),
        ({"functionDeclarations": [{"name": "f"}]}, "() -> :any"),
        ([{"function_declarations": [{"name": "f", "parameters": SCHEMA}]}], "(a :int) -> :any"),
        ([{"name": "f", "parametersJsonSchema": SCHEMA}], "(a :int) -> :any"),
        (
            [{"name": "f", "parameters": CAPITALS, "response": {"type": "BOOLEAN"}}],
            '(a :int, type? :enum["STRING"], b? :string|[:float]) -> :bool',
        ),
    ],
)
def test_each_form_is_read(given: Any, signature: str) -> None:
    assert holds_definitions(given)
    assert signature == str(tools_of_definitions(given)["f"].signature)


def test_titles_texts_and_annotations_are_read() -> None:
    made = tools_of_definitions([MCP])["f"]

    assert ("F", None) == (made.title, made.description)
    assert {"readOnlyHint": True, "title": "a b"} == dict(made.annotations)
    assert "Do." == tools_of_definitions([OPENAI])["f"].description


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_what_a_provider_is_given_is_read_back(provider: Any) -> None:
    made = tools_of("examples.explicit").project(provider)

    assert ("forecast", "mood") == tools_of_definitions(made.definitions).names


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "this is no definition of a tool, but 3"),
        ([[1]], "[0][0] is no definition of a tool, but 1"),
        ({"tools": [{"x": 1}]}, "tools[0] is no definition of a tool: it has no name, or another"),
        ({"name": 3, "input_schema": {}}, "this is no definition of a tool: it has no name"),
        ([{"type": "function", "function": 3}], "[0] is no definition of a tool: it has no name"),
        ([MCP, MCP], "two tools are called f"),
    ],
)
def test_what_is_no_definition_is_an_error(given: Any, message: str) -> None:
    with pytest.raises(TypesigError) as caught:
        tools_of_definitions(given)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("given", [{"openapi": "3.1.0"}, 3, None, {}])
def test_other_data_is_not_meant_as_definitions(given: Any) -> None:
    assert not holds_definitions(given)


def test_such_a_tool_cannot_be_called() -> None:
    with pytest.raises(TypesigError, match=r"^a tool that was read from its definition cannot be"):
        tools_of_definitions([MCP])["f"](a=1)


def test_too_many_definitions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions, "MAX_TOOLS", 1)

    with pytest.raises(TooLarge, match=r"^there may be 1 definitions, here are more$"):
        tools_of_definitions([{"name": "f"}, {"name": "g"}])
