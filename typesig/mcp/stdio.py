"""Serving one client over standard input and output."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from typesig.mcp.lifetimes import LOG, only
from typesig.mcp.sdk import sdk

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as SdkServer

#: The id of a request in a frame that is no JSON as a whole, at its start or at its end: there it
#: is that of the frame, and of nothing in it.
_FIRST = re.compile(
    r'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(?:(-?\d{1,18})|"([^"\\]{0,128})")\s*,'
)
_LAST = re.compile(r',\s*"id"\s*:\s*(?:(-?\d{1,18})|"([^"\\]{0,128})")\s*\}\s*$')
_MAX_ID = 400


async def serve(lowlevel: SdkServer[Any]) -> None:
    """Serve *lowlevel* until standard input ends, or nobody reads standard output any more."""
    try:
        await _serve(lowlevel)
    except BaseExceptionGroup as group:
        error = only(group)
        if not isinstance(error, BrokenPipeError):
            raise error from None
        LOG.debug("the client has closed standard output")


async def _serve(lowlevel: SdkServer[Any]) -> None:
    stdio = sdk("mcp.server.stdio")
    async with stdio.stdio_server() as (read, write):
        try:
            async with answering(read, write) as answered:
                await lowlevel.run(answered, write, lowlevel.create_initialization_options())
        finally:
            # What tools printed, and is still kept, must not follow the last frame.
            sys.stdout.flush()


@asynccontextmanager
async def answering(read: Any, write: Any) -> AsyncIterator[Any]:
    """Yield what *read* receives; frames that are no messages are answered on *write*.

    The SDK drops them, and a client would wait for its answer for ever.
    """
    import anyio

    passed, received = anyio.create_memory_object_stream[Any](0)
    async with received, anyio.create_task_group() as group:
        group.start_soon(_passing, read, passed, write.clone())
        yield received
        group.cancel_scope.cancel()


async def _passing(read: Any, passed: Any, write: Any) -> None:
    async with passed, write:
        async for item in read:
            if not isinstance(item, Exception):
                await passed.send(item)
            elif (answer := _error_of(item)) is not None:
                await write.send(answer)


def _error_of(error: Exception) -> Any:
    """Return the answer to a frame that reading raised *error* for, or None for an empty line."""
    types, message = sdk("mcp_types"), sdk("mcp.shared.message")
    told = types.ErrorData(
        code=types.INVALID_REQUEST, message="Invalid request: this is no message of JSON-RPC"
    )
    frame = _frame_of(error)
    number = frame.get("id") if isinstance(frame, dict) else None
    if isinstance(frame, str):
        if not frame.strip():
            return None
        told = types.ErrorData(
            code=types.PARSE_ERROR, message="Parse error: this is no JSON that can be read"
        )
        number = _id_in(frame)
    if type(number) not in (int, str):
        number = None
    return message.SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=told))


def _frame_of(error: Exception) -> object:
    """Return the frame that pydantic could not read: its text, or the object in it, or None."""
    details: Any = getattr(error, "errors", lambda **_: ())
    for each in details(include_url=False):
        kind, found = each["type"], each["input"]
        # A part that is missing is missing in the object of the whole frame.
        is_whole = kind == "missing" and isinstance(found, dict) and "jsonrpc" in found
        if kind == "json_invalid" or is_whole:
            return found
    return None


def _id_in(frame: str) -> int | str | None:
    """Return the id of the request in *frame*, text that is no JSON, or None if it is not sure."""
    found = _FIRST.match(frame[:_MAX_ID]) or _LAST.search(frame[-_MAX_ID:])
    if found is None:
        return None
    return int(found[1]) if found[1] is not None else found[2]
