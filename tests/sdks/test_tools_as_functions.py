"""Tools handed to the frameworks' own functions, which take plain functions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from typesig import Injected, Tool, tool


class Store:
    """What the host injects."""

    titles = ("Budget", "Chairs")


@tool
def plain(id: int, note: str | None = None) -> dict[str, Any]:
    """Find an order.

    Args:
        id: number of the order
        note: words to keep
    """
    return {"id": id, "note": note}


@tool
def optional(id: int, store: Injected[Store | None] = None, _user: str = "ann") -> dict[str, Any]:
    """Find an order.

    Args:
        id: number of the order
        store: where orders are
    """
    return {"id": id, "stored": store is not None, "user": _user}


@tool
def injected(store: Injected[Store], id: int) -> dict[str, Any]:
    """Find an order.

    Args:
        store: where orders are
        id: number of the order
    """
    return {"id": id, "title": store.titles[id]}


@tool
async def later(store: Injected[Store], id: int) -> dict[str, Any]:
    """Find an order.

    Args:
        store: where orders are
        id: number of the order
    """
    return {"id": id, "title": store.titles[id]}


class Shop:
    @tool
    def method(self, id: int) -> dict[str, Any]:
        """Find an order.

        Args:
            id: number of the order
        """
        return {"id": id}


def in_langchain(function: Any, is_async: bool) -> tuple[dict[str, Any], Any]:
    """Return the properties that a model is shown, and the result of a call with the id 1."""
    tools = pytest.importorskip("langchain_core.tools")
    made = tools.tool(function)
    same = (
        tools.StructuredTool.from_function(coroutine=function)
        if is_async
        else tools.StructuredTool.from_function(function)
    )
    assert same.args == made.args
    return made.args, asyncio.run(made.ainvoke({"id": 1}))


def in_openai_agents(function: Any, is_async: bool) -> tuple[dict[str, Any], Any]:
    agents = pytest.importorskip("agents")
    from agents.tool_context import ToolContext

    made = agents.function_tool(function)
    context = ToolContext(None, tool_name=made.name, tool_call_id="c", tool_arguments="{}")
    sent = json.dumps({"id": 1, **({"note": None} if "note" in str(made) else {})})
    return made.params_json_schema["properties"], asyncio.run(made.on_invoke_tool(context, sent))


def in_pydantic_ai(function: Any, is_async: bool) -> tuple[dict[str, Any], Any]:
    pydantic_ai = pytest.importorskip("pydantic_ai")
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    made = pydantic_ai.Tool(function)
    returned: list[Any] = []

    def answer(messages: Any, info: Any) -> ModelResponse:
        returned.extend(p for p in messages[-1].parts if p.part_kind == "tool-return")
        name = info.function_tools[0].name
        return ModelResponse([TextPart("Done.") if returned else ToolCallPart(name, {"id": 1})])

    asyncio.run(pydantic_ai.Agent(FunctionModel(answer), tools=[function]).run("Find 1."))
    return made.function_schema.json_schema["properties"], returned[0].content


def in_smolagents(function: Any, is_async: bool) -> tuple[dict[str, Any], Any]:
    smolagents = pytest.importorskip("smolagents")
    made = smolagents.tool(function)
    return made.inputs, made(id=1)


def in_anthropic(function: Any, is_async: bool) -> tuple[dict[str, Any], Any]:
    anthropic = pytest.importorskip("anthropic")
    if is_async:
        made = anthropic.beta_async_tool(function)
        return made.to_dict()["input_schema"]["properties"], asyncio.run(made.call({"id": 1}))
    made = anthropic.beta_tool(function)
    return made.to_dict()["input_schema"]["properties"], made.call({"id": 1})


def in_google_genai(function: Any, is_async: bool) -> tuple[dict[str, Any], Any]:
    pytest.importorskip("google.genai")
    from google.genai import Client, _extra_utils, types

    client = Client(api_key="none")
    shown = types.FunctionDeclaration.from_callable(client=client._api_client, callable=function)
    config = types.GenerateContentConfig(tools=[function])
    call = types.Part(function_call=types.FunctionCall(name=shown.name, args={"id": 1}))
    said = types.Candidate(content=types.Content(parts=[call]))
    response = types.GenerateContentResponse(candidates=[said])
    functions = _extra_utils.get_function_map(config, is_caller_method_async=True)
    parts = asyncio.run(_extra_utils.get_function_response_parts_async(response, functions))
    return shown.parameters.properties, parts[0].function_response.response["result"]


def in_mcp(function: Any, is_async: bool) -> tuple[dict[str, Any], Any]:
    server = pytest.importorskip("mcp.server")
    made = server.MCPServer("shop")
    made.add_tool(function)
    [shown] = asyncio.run(made.list_tools())
    result = asyncio.run(made.call_tool(shown.name, {"id": 1}))
    return shown.input_schema["properties"], result.structured_content


HOSTS = [
    in_langchain, in_openai_agents, in_pydantic_ai, in_smolagents, in_anthropic, in_google_genai,
    in_mcp,
]  # fmt: skip
#: anthropic passes the function to pydantic's validate_call, which takes only real functions.
TAKES_TOOLS = [host for host in HOSTS if host is not in_anthropic]
#: smolagents compares the signature with all annotations, and a tool keeps those of its function.
HIDES = [host for host in TAKES_TOOLS if host is not in_smolagents]
#: smolagents looks for `def` in the source, and knows no coroutines.
AWAITS = [host for host in HOSTS if host is not in_smolagents]

Host = Callable[[Any, bool], tuple[dict[str, Any], Any]]


@pytest.mark.parametrize("host", TAKES_TOOLS)
def test_a_tool_is_taken_for_its_function(host: Host) -> None:
    shown, result = host(plain, False)

    assert ["id", "note"] == [*shown]
    assert {"id": 1, "note": None} == result
    assert {"id": 1} == host(Shop().method, False)[1]


@pytest.mark.parametrize("host", HIDES)
def test_what_only_the_host_supplies_is_hidden_and_left_to_its_default(host: Host) -> None:
    shown, result = host(optional, False)

    assert ["id"] == [*shown]
    assert {"id": 1, "stored": False, "user": "ann"} == result


@pytest.mark.parametrize("host", HOSTS)
def test_a_function_of_a_tool_is_taken_everywhere_with_what_is_given(host: Host) -> None:
    store = {"store": Store()}

    assert {"id": 1, "note": None} == host(plain.as_function(), False)[1]
    shown, result = host(injected.as_function(store), False)
    assert ["id"] == [*shown]
    assert {"id": 1, "title": "Chairs"} == result
    shown, result = host(optional.as_function({**store, "_user": "bob"}), False)
    assert ["id"] == [*shown]
    assert {"id": 1, "stored": True, "user": "bob"} == result


@pytest.mark.parametrize("host", AWAITS)
def test_a_coroutine_function_of_a_tool_is_awaited(host: Host) -> None:
    shown, result = host(later.as_function({"store": Store()}), True)

    assert ["id"] == [*shown]
    assert {"id": 1, "title": "Chairs"} == result


def test_the_reason_why_anthropic_takes_no_tool_is_pydantic() -> None:
    anthropic = pytest.importorskip("anthropic")

    with pytest.raises(Exception, match="should be applied to functions, not instances"):
        anthropic.beta_tool(plain)


def test_openai_agents_passes_its_context_to_a_tool() -> None:
    agents = pytest.importorskip("agents")
    from agents.tool_context import ToolContext

    def who(context: Any, id: int) -> str:
        return f"{context.context} {id}"

    who.__annotations__["context"] = agents.RunContextWrapper
    made = agents.function_tool(tool(injected=[agents.RunContextWrapper])(who))

    context = ToolContext("ann", tool_name="who", tool_call_id="c", tool_arguments="{}")
    assert ["id"] == [*made.params_json_schema["properties"]]
    assert "ann 1" == asyncio.run(made.on_invoke_tool(context, '{"id": 1}'))


def test_pydantic_ai_passes_its_context_to_a_tool() -> None:
    pydantic_ai = pytest.importorskip("pydantic_ai")

    def who(context: Any, id: int) -> str:
        return f"{context.deps} {id}"

    who.__annotations__["context"] = pydantic_ai.RunContext[str]
    made = pydantic_ai.Tool(tool(injected=["context"])(who))

    assert made.takes_ctx
    assert ["id"] == [*made.function_schema.json_schema["properties"]]


def test_mcp_passes_its_context_to_a_tool() -> None:
    server = pytest.importorskip("mcp.server")
    context_type = pytest.importorskip("mcp.server.mcpserver").Context

    def who(context: Any, id: int) -> str:
        return f"{type(context).__name__} {id}"

    who.__annotations__["context"] = context_type
    made = server.MCPServer("shop")
    made.add_tool(tool(injected=[context_type])(who))

    [shown] = asyncio.run(made.list_tools())
    assert ["id"] == [*shown.input_schema["properties"]]
    assert "Context 1" in str(asyncio.run(made.call_tool("who", {"id": 1})))


def test_a_tool_is_no_function_but_is_called_as_one() -> None:
    assert isinstance(plain, Tool)
    assert {"id": 1, "note": None} == plain(1)
