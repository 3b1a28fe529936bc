"""How a function is passed to each tool, as its own documentation shows.

Used by `peers.py`; each row of `PEERS` is a tool.  To add a tool, write a function that returns a
`Made`, and add a row.  The packages of a peer are imported inside its function, since each peer has
its own environment.

Options of a tool are set once, in its favour: OpenAI's strict mode is off, because it makes every
parameter required and refuses maps; LangChain reads Google docstrings, the only style that it
knows, if it can; openai-agents gets the result of a function as its `output_type`; each tool gets a
name, so that a lambda works.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import typing
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple


class Database:
    """A value that only the host has."""


DATABASE = Database()


class Made(NamedTuple):
    """The tool that a peer made from one function.

    #: schema: the JSON Schema of the arguments, as a model sees it
    #: call: calls the function with arguments; raises if they are refused
    #: description: the text of the function, None if the tool has no description
    #: output: the JSON Schema of the result, or None
    #: returned: calls without arguments and returns the result as the tool writes it
    #: wrapped: the result is below `result`, since the protocol requires an object
    #: whole: the parameter whose value is the whole arguments object, or None
    """

    schema: dict[str, Any]
    call: Callable[[dict[str, Any]], Any]
    description: str | None
    output: dict[str, Any] | None
    returned: Callable[[], Any]
    wrapped: bool = False
    whole: str | None = None


class Peer(NamedTuple):
    """A tool.

    #: name, distribution: its name, and what pip installs
    #: make: returns the `Made` of a function and its row
    #: plain: the JSON that it writes for a value without a hint
    #: spelled: the JSON that it writes for a value with a hint
    #: read: the value that it reads from JSON for a hint
    #: injected: by feature, a function whose second parameter the host supplies
    #: outputs: whether it makes schemas of results
    """

    name: str
    distribution: str
    make: Callable[[Any, Any], Made]
    plain: Callable[[Any], Any]
    spelled: Callable[[Any, Any], Any]
    read: Callable[[Any, Any], Any]
    injected: dict[str, Callable[[Callable[..., None]], Any]]
    outputs: bool = True


MARKER = "injected parameters by Injected[T]"
TYPE = "injected parameters by type"
NAME = "injected parameters by name"


def _result_hint(function: Any) -> Any:
    """Return the hint of the result of *function*, for a tool that writes results by hint."""
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function) and not isinstance(function, type):
        function = getattr(function, "__wrapped__", type(function).__call__)
    hints = typing.get_type_hints(inspect.unwrap(function), include_extras=True)
    return hints.get("return", Any)


def _settled(value: Any) -> Any:
    """Return *value*, awaited if it is a coroutine, and as a list if it is a generator."""
    if inspect.isawaitable(value):
        return asyncio.run(_awaited(value))
    if inspect.isasyncgen(value):
        return asyncio.run(_collected(value))
    return list(value) if inspect.isgenerator(value) else value


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value


async def _collected(value: AsyncIterator[Any]) -> list[Any]:
    return [each async for each in value]


# typesig


def _typesig(function: Any, row: Any) -> Made:
    from tests.type_table.rows import _made
    from typesig import tool

    is_result = hasattr(row, "make")
    t = tool(**row.options)(function) if is_result else _made(row._replace(target=function))
    given = dict(getattr(row, "given", {}))
    inner = inspect.unwrap(t)
    later = t.is_async or inspect.isasyncgenfunction(inner) or hasattr(inner, "later")

    def run(arguments: dict[str, Any]) -> Any:
        text = json.dumps(arguments)
        outcome = asyncio.run(t.acall(text, given=given)) if later else t.call(text, given=given)
        if outcome.errors:
            raise ValueError("; ".join(map(str, outcome.errors)))
        return outcome.value

    schema = t.signature.input_schema(exact=True)
    output = t.signature.to_json_schema(exact=True)
    return Made(schema, run, t.description, output, lambda: run({}))


def _typesig_plain(value: Any) -> Any:
    from typesig import tool

    def f() -> Any:
        return value

    return tool(f).call({}).value


def _own(hint: Any, value: Any) -> Any:
    return value


# pydantic, on which the others are built


def _pydantic(function: Any, row: Any) -> Made:
    """Arguments as a schema of the function, results as one of its hint (`TypeAdapter`)."""
    from pydantic import TypeAdapter

    if hasattr(row, "make"):
        hint = _result_hint(function)
        result = TypeAdapter(hint)

        def returned() -> Any:
            value = function()
            value = _settled(value) if inspect.isawaitable(value) else value
            return result.dump_python(result.validate_python(value), mode="json", by_alias=True)

        return Made({}, lambda _: None, None, result.json_schema(mode="serialization"), returned)
    adapter = TypeAdapter(function)

    def call(arguments: dict[str, Any]) -> Any:
        return _settled(adapter.validate_json(json.dumps(arguments)))

    return Made(adapter.json_schema(), call, None, None, lambda: None)


def _pydantic_plain(value: Any) -> Any:
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value)


def _pydantic_spelled(hint: Any, value: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(hint).dump_python(value, mode="json", by_alias=True, warnings="error")


def _pydantic_read(hint: Any, value: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(hint).validate_json(json.dumps(value))


# tools that use MCP: a server and a client in one process


def _served(client: Callable[[], Any], wrapped: Callable[[dict[str, Any]], bool]) -> Made:
    async def listed() -> Any:
        async with client() as session:
            found = await session.list_tools()
            return getattr(found, "tools", found)[0].model_dump(by_alias=True, mode="json")

    async def asked(arguments: dict[str, Any]) -> Any:
        async with client() as session:
            found = await session.call_tool("t", arguments)
            if getattr(found, "is_error", False):
                raise ValueError(found.content[0].text)
            return found.structured_content

    t = asyncio.run(listed())
    output = t.get("outputSchema")
    return Made(
        t["inputSchema"],
        lambda arguments: asyncio.run(asked(arguments)),
        t.get("description") or "",
        output,
        lambda: asyncio.run(asked({})),
        output is not None and wrapped(output),
    )


def _fastmcp(function: Any, _: Any) -> Made:
    from fastmcp import Client, FastMCP
    from fastmcp.tools import Tool

    server = FastMCP("peers")
    server.add_tool(Tool.from_function(function, name="t"))
    return _served(lambda: Client(server), lambda output: bool(output.get("x-fastmcp-wrap-result")))


def _mcp(function: Any, _: Any) -> Made:
    from mcp.client.client import Client
    from mcp.server import MCPServer

    server = MCPServer("peers")
    server.add_tool(function, name="t")
    return _served(
        lambda: Client(server),
        lambda output: (
            [*output.get("properties", {})] == ["result"]
            and output.get("title", "").endswith("Output")
        ),
    )


# agents


def _openai_agents(function: Any, row: Any) -> Made:
    from agents import UserError, function_tool
    from agents.tool_context import ToolContext

    def made(**more: Any) -> Any:
        return function_tool(
            function, name_override="t", strict_mode=False, failure_error_function=None, **more
        )

    try:
        t = made(output_type=_result_hint(function)) if hasattr(row, "make") else made()
    except UserError as error:
        # A result must be an object with known fields.
        if "output_type" not in str(error):
            raise
        t = made()

    def call(arguments: dict[str, Any]) -> Any:
        text = json.dumps(arguments)
        context = ToolContext(DATABASE, tool_name="t", tool_call_id="1", tool_arguments=text)
        return _settled(asyncio.run(t.on_invoke_tool(context, text)))

    def returned() -> Any:
        value = call({})
        return json.loads(value) if isinstance(value, str) else _pydantic_plain(value)

    output = getattr(t, "output_json_schema", None)
    return Made(t.params_json_schema, call, t.description or "", output, returned)


def _langchain(function: Any, row: Any) -> Made:
    from langchain_core.tools import StructuredTool

    is_async = inspect.iscoroutinefunction(function)
    given = (None, function) if is_async else (function, None)
    try:
        described = None if inspect.getdoc(function) else "A tool."
        t = StructuredTool.from_function(
            *given, name="t", description=described, parse_docstring=True
        )
    except ValueError:
        # If it is asked to parse a docstring that it cannot read, it raises.
        t = StructuredTool.from_function(*given, name="t", description="A tool.")
    schema = t.tool_call_schema
    shown = schema if isinstance(schema, dict) else schema.model_json_schema()
    config = {"configurable": {"database": DATABASE}}
    hidden = {"db": DATABASE} if getattr(row, "noun", "") == MARKER else {}

    def call(arguments: dict[str, Any]) -> Any:
        if is_async:
            return asyncio.run(t.ainvoke({**arguments, **hidden}, config))
        return _settled(t.invoke({**arguments, **hidden}, config))

    return Made(shown, call, t.description, None, lambda: call({}))


def _pydantic_ai(function: Any, _: Any) -> Made:
    from pydantic_ai import RunContext, Tool
    from pydantic_ai.messages import ToolReturnPart
    from pydantic_ai.models.test import TestModel
    from pydantic_ai.usage import RunUsage

    t: Any = Tool(function, name="t", include_return_schema=True)
    context = RunContext(deps=DATABASE, model=TestModel(), usage=RunUsage())

    def call(arguments: dict[str, Any]) -> Any:
        held = t.function_schema.validator.validate_json(json.dumps(arguments))
        return _settled(asyncio.run(t.function_schema.call(held, context)))

    def returned() -> Any:
        text = ToolReturnPart("t", [call({})], "1").model_response_str()
        return json.loads(text)[0]

    told = t.tool_def
    return Made(
        told.parameters_json_schema,
        call,
        told.description or "",
        told.return_schema,
        returned,
        whole=t.function_schema.single_arg_name,
    )


# values that the host supplies, marked in the way of each tool


def _depends(keep: Callable[..., None]) -> Any:
    from fastmcp.dependencies import Depends

    def f(value: int, db: Database = Depends(lambda: DATABASE)) -> None:  # noqa: B008
        keep(value, db is DATABASE)

    return f


def _fastmcp_context(keep: Callable[..., None]) -> Any:
    from fastmcp import Context

    def f(value: int, ctx: Context) -> None:
        keep(value, isinstance(ctx, Context))

    return _told(f, ctx=Context)


def _resolved(keep: Callable[..., None]) -> Any:
    from mcp.server.mcpserver import Resolve

    def supply() -> Database:
        return DATABASE

    def f(value: int, db: Any) -> None:
        keep(value, db is DATABASE)

    return _told(f, db=typing.Annotated[Database, Resolve(supply)])


def _mcp_context(keep: Callable[..., None]) -> Any:
    from mcp.server.mcpserver import Context

    def f(value: int, ctx: Any) -> None:
        keep(value, isinstance(ctx, Context))

    return _told(f, ctx=Context)


def _agents_context(keep: Callable[..., None]) -> Any:
    from agents import RunContextWrapper

    def f(ctx: Any, value: int) -> None:
        keep(value, ctx.context is DATABASE)

    return _told(f, ctx=RunContextWrapper[Database])


def _langchain_marker(keep: Callable[..., None]) -> Any:
    from langchain_core.tools import InjectedToolArg

    def f(value: int, db: Any) -> None:
        keep(value, db is DATABASE)

    return _told(f, db=typing.Annotated[typing.Any, InjectedToolArg])


def _langchain_config(keep: Callable[..., None]) -> Any:
    from langchain_core.runnables import RunnableConfig

    def f(value: int, config: Any) -> None:
        keep(value, config["configurable"]["database"] is DATABASE)

    return _told(f, config=RunnableConfig)


def _ai_context(keep: Callable[..., None]) -> Any:
    from pydantic_ai import RunContext

    def f(ctx: Any, value: int) -> None:
        keep(value, ctx.deps is DATABASE)

    return _told(f, ctx=RunContext[Database])


def _told(f: Any, **hints: Any) -> Any:
    f.__annotations__ = {"value": int, **hints, "return": None}
    return f


_BUILT = (_pydantic_plain, _pydantic_spelled, _pydantic_read)

PEERS = {
    peer.name: peer
    for peer in (
        Peer("typesig", "", _typesig, _typesig_plain, _own, _own, {}),
        Peer("pydantic", "pydantic", _pydantic, *_BUILT, {}),
        Peer("FastMCP", "fastmcp", _fastmcp, *_BUILT, {MARKER: _depends, TYPE: _fastmcp_context}),
        Peer("mcp", "mcp", _mcp, *_BUILT, {MARKER: _resolved, TYPE: _mcp_context}),
        Peer("openai-agents", "openai-agents", _openai_agents, *_BUILT, {TYPE: _agents_context}),
        Peer(
            "LangChain",
            "langchain-core",
            _langchain,
            *_BUILT,
            {MARKER: _langchain_marker, TYPE: _langchain_config},
            outputs=False,
        ),
        Peer("pydantic-ai", "pydantic-ai-slim", _pydantic_ai, *_BUILT, {TYPE: _ai_context}),
    )
}
