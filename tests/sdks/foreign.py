"""Servers of others, made with the official package: a list of tools, and what answers calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

# The doctests of every module are collected, with or without the package.
pytest.importorskip("mcp")

import mcp
import mcp_types as types
from mcp.server import Server

T = TypeVar("T")

#: Returns the result of a call, as the protocol has it.
Answer = Callable[[types.CallToolRequestParams], Any]


def echo(params: types.CallToolRequestParams) -> dict[str, Any]:
    """Return the arguments as one text."""
    return {"content": [{"type": "text", "text": repr(params.arguments)}]}


def tool(name: str = "search", schema: Any = None, **parts: Any) -> dict[str, Any]:
    """Return the definition of a tool."""
    return {"name": name, "inputSchema": schema or {"type": "object"}, **parts}


def server(pages: list[list[dict[str, Any]]], answer: Answer = echo) -> Server[Any]:
    """Return a server that lists the tools of *pages* and answers calls by *answer*."""

    async def list_tools(_: Any, params: Any) -> types.ListToolsResult:
        at = int(params.cursor or 0) if params is not None else 0
        cursor = str(at + 1) if at + 1 < len(pages) else None
        return types.ListToolsResult.model_validate({"tools": pages[at], "nextCursor": cursor})

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        found = answer(params)
        found = await found if isinstance(found, Awaitable) else found
        return types.CallToolResult.model_validate(found)

    return Server("foreign", on_list_tools=list_tools, on_call_tool=call_tool)


def using(
    made: Server[Any], use: Callable[[Any], Awaitable[T]], mode: str = "legacy", **options: Any
) -> T:
    """Return what *use* returns of a session with the server *made*."""

    async def run() -> T:
        async with mcp.Client(made, mode=mode, **options) as client:
            return await use(client.session)

    return asyncio.run(run())
