"""The tools that the scenarios for servers ask for; `typesig serve` serves them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

import pytest

# The doctests of every module are collected, with or without the package.
pytest.importorskip("mcp")

import typesig
from typesig import ToolError, tool
from typesig.mcp import Request, ToolResult
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool

#: An image, a sound, and a resource, as short as they can be.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}


def resource(uri: str, kind: str, text: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}}


@tool
def test_simple_text() -> str:
    """Return a text."""
    return "This is a simple text response for testing."


@tool
def test_image_content() -> ToolResult:
    """Return an image."""
    return ToolResult((IMAGE,))


@tool
def test_audio_content() -> ToolResult:
    """Return a sound."""
    return ToolResult(({"type": "audio", "data": WAV, "mimeType": "audio/wav"},))


@tool
def test_embedded_resource() -> ToolResult:
    """Return a resource."""
    text = "This is an embedded resource content."
    return ToolResult((resource("test://embedded-resource", "text/plain", text),))


@tool
def test_multiple_content_types() -> ToolResult:
    """Return a text, an image and a resource."""
    data = resource("test://mixed-content-resource", "application/json", '{"test":"data"}')
    return ToolResult(({"type": "text", "text": "Multiple content types test:"}, IMAGE, data))


@tool
async def test_tool_with_logging(request: Request) -> str:
    """Log thrice."""
    request.log("Tool execution started")
    await asyncio.sleep(0.05)
    request.log("Tool processing data")
    await asyncio.sleep(0.05)
    request.log("Tool execution completed")
    return "logged"


@tool
async def test_tool_with_progress(request: Request) -> str:
    """Tell the progress."""
    for done in (0, 50, 100):
        request.progress(done, 100)
        await asyncio.sleep(0.05)
    return "done"


@tool
def test_error_handling() -> None:
    """Fail."""
    raise ToolError("This tool intentionally returns an error for testing")


@dataclass
class User:
    username: Annotated[str, "User's response"]
    email: Annotated[str, "User's email address"]


@tool
async def test_elicitation(message: str, request: Request) -> str:
    """Ask who the user is."""
    found = await request.aelicit(User, message)
    return f"User response: {found}"


@dataclass
class Defaults:
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


@tool
async def test_elicitation_sep1034_defaults(request: Request) -> str:
    """Ask with defaults."""
    return f"Elicitation completed: {await request.aelicit(Defaults, 'Who are you?')}"


Option: TypeAlias = Literal["option1", "option2", "option3"]
Titled: TypeAlias = (
    Annotated[Literal["value1"], "First Option"]
    | Annotated[Literal["value2"], "Second Option"]
    | Annotated[Literal["value3"], "Third Option"]
)


class Choices(TypedDict):
    untitledSingle: Option
    titledSingle: Titled
    untitledMulti: list[Option]
    titledMulti: list[Titled]


@tool
async def test_elicitation_sep1330_enums(request: Request) -> str:
    """Ask for choices, one of them in the way that is gone from the protocol."""
    form = typesig.mcp.Form(Choices, "What do you like?")
    names = ["Option One", "Option Two", "Option Three"]
    old = {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": names}
    schema = {**form.schema, "properties": {**form.schema["properties"], "legacyEnum": old}}
    params = {"mode": "form", "message": form.message, "requestedSchema": schema}
    return f"Elicitation completed: {await request.aask('elicitation/create', params)}"


def messages(text: str, limit: int = 100) -> dict[str, Any]:
    content = {"type": "text", "text": text}
    return {"messages": [{"role": "user", "content": content}], "maxTokens": limit}


@tool
def test_sampling(prompt: str, request: Request) -> str:
    """Ask a model."""
    found = request.ask("sampling/createMessage", messages(prompt))
    return f"LLM response: {found['content']['text']}"


@tool
def test_missing_capability(request: Request) -> str:
    """Need a model."""
    return str(request.ask("sampling/createMessage", messages("Hello")))


@tool
def test_trigger_tool_change() -> str:
    """Serve one tool more, or less."""
    more = [] if len(server.tools) > len(tools) else [foreign("another_tool", HEADED)]
    server.replace([*tools, *more])
    return "changed"


@dataclass
class Name:
    name: str


@dataclass
class Okay:
    ok: bool


@dataclass
class Liked:
    color: str


@tool
def test_input_required_result_elicitation(request: Request) -> str:
    """Ask for a name."""
    found = request.elicit(Name, "What is your name?", key="user_name")
    return f"Hello, {found.value.name}!"


@tool
def test_input_required_result_sampling(request: Request) -> str:
    """Ask a model."""
    asked = messages("What is the capital of France?")
    found = request.ask("sampling/createMessage", asked, key="capital_question")
    return str(found["content"]["text"])


@tool
def test_input_required_result_list_roots(request: Request) -> str:
    """Ask for the folders."""
    found = request.ask("roots/list", {}, key="client_roots")
    return json.dumps(found["roots"])


@tool
def test_input_required_result_request_state(request: Request) -> str:
    """Ask for a confirmation."""
    return f"state-ok {request.elicit(Okay, 'Please confirm', key='confirm').value.ok}"


@tool
def test_input_required_result_tampered_state(request: Request) -> str:
    """Ask for a confirmation."""
    return f"{request.elicit(Okay, 'Please confirm', key='confirm').value.ok}"


@tool
async def test_input_required_result_multiple_inputs(request: Request) -> str:
    """Ask the person, a model and for the folders."""
    name, greeting, roots = await asyncio.gather(
        request.aelicit(Name, "What is your name?", key="user_name"),
        request.aask("sampling/createMessage", messages("Greet", 50), key="greeting"),
        request.aask("roots/list", {}, key="client_roots"),
    )
    return f"{greeting['content']['text']} {name.value.name} {len(roots['roots'])}"


@tool
def test_input_required_result_multi_round(request: Request) -> str:
    """Ask twice."""
    name = request.elicit(Name, "Step 1: What is your name?", key="step1").value.name
    liked = request.elicit(Liked, "Step 2: What is your favorite color?", key="step2").value
    return f"{name} likes {liked.color}"


@tool
def test_input_required_result_capabilities(request: Request) -> str:
    """Ask the person, or a model."""
    if request.can_elicit:
        return str(request.elicit(Name, "What is your name?"))
    return str(request.ask("sampling/createMessage", messages("What is your name?")))


#: A schema with many keywords, which a tool of others may come with.
WIDE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
#: A schema with a value that travels in a header too.
HEADED = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
}


def foreign(name: str, schema: dict[str, Any]) -> Any:
    """Return a tool of others, which is listed with *schema* as it is."""

    async def call(**arguments: Any) -> ToolResult:
        return ToolResult(({"type": "text", "text": json.dumps(arguments)},))

    return foreign_tool(
        call, ForeignDefinition(name, schema, None, "A tool of others."), ToolResult.data
    )


def served() -> list[Any]:
    own = [each for each in list(globals().values()) if isinstance(each, typesig.Tool)]
    return [*own, foreign("json_schema_2020_12_tool", WIDE), foreign("test_headers", HEADED)]


tools = typesig.tools_of(served())
server = typesig.mcp.server(tools, name="conformance", version="1")
