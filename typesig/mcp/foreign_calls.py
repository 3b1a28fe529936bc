"""Calls of another server's tools: what is sent, what comes back, and who is told of an error.

A model is told what it can act on: what the tool or the server says is wrong with the call, and
that there was no answer in time.  What no other call can mend passes to the host.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from typesig.mcp.sdk import sdk
from typesig.providers.codecs import json_text
from typesig.tools.errors import ToolError
from typesig.tools.foreign_texts import seen_text
from typesig.tools.results import ToolResult, told_block
from typesig.validation.plain import plain

#: The errors of the protocol that pass to the host: their names in the SDK.
_FOR_HOST = (
    "CONNECTION_CLOSED",
    "HEADER_MISMATCH",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "MISSING_REQUIRED_CLIENT_CAPABILITY",
    "PARSE_ERROR",
    "UNSUPPORTED_PROTOCOL_VERSION",
    "URL_ELICITATION_REQUIRED",
)

#: The seconds in which a server that is still there answers a ping.
_PING = 10.0


def caller(session: Any, name: str, timeout: float | None) -> Callable[..., Awaitable[ToolResult]]:
    """Return the function that calls the tool *name* of the server of *session*."""
    mcp, pydantic, types = sdk(), sdk("pydantic"), sdk("mcp_types")
    error_of_protocol, refused = mcp.MCPError, pydantic.ValidationError
    request, params = types.CallToolRequest, types.CallToolRequestParams
    raw = _any_object()

    async def call(**arguments: Any) -> ToolResult:
        sent = request(params=params(name=name, arguments=plain(arguments)))
        try:
            # Not `call_tool`, which checks the result with another validator, and raises.
            return _result_of(await session.send_request(sent, raw, timeout))
        except refused:
            text = "the server answered with what is no result of a tool; use another tool"
            raise ToolError(text) from None
        except error_of_protocol as error:
            if await _is_for_host(session, types, error):
                error.add_note(f"raised by a call of the tool {name} of another server")
                raise
            raise ToolError(_told(error.message)) from error

    return call


@cache
def _any_object() -> Any:
    """Return pydantic's adapter for any JSON object; making one takes as long as a call."""
    return sdk("pydantic").TypeAdapter(dict[str, Any])


def _result_of(found: dict[str, Any]) -> ToolResult:
    """Return what the server sent as a result; raise `ToolError` with what a model should read."""
    if found.get("resultType", "complete") != "complete":
        text = "the server asks for more than the arguments before it answers; use another tool"
        raise ToolError(text)
    if found.get("isError"):
        raise ToolError(_told(_text_of(found["content"])))
    return ToolResult(
        tuple(found["content"]),
        found.get("structuredContent"),
        "structuredContent" in found,
        found.get("_meta"),
    )


def _told(text: str) -> str:
    return seen_text(text).strip() or "the tool failed and does not say why"


def _text_of(content: list[Any]) -> str:
    """Return the texts of *content*, and other blocks as JSON without their bytes."""
    told = map(told_block, content)
    return "\n".join(each if isinstance(each, str) else json_text(each) for each in told)


async def _is_for_host(session: Any, types: Any, error: Any) -> bool:
    """Tell whether *error*, one of the protocol, passes to the host."""
    if error.code != types.CONNECTION_CLOSED:
        return error.code in [getattr(types, name) for name in _FOR_HOST]
    # Servers use this code for errors of their own, too: one that answers is there.
    try:
        await session.send_request(types.PingRequest(), types.EmptyResult, _PING)
    except sdk().MCPError as other:
        return bool(other.code == types.CONNECTION_CLOSED)
    return False
