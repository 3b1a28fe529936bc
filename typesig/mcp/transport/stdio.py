"""Serving one client over standard input and output."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

from typesig.mcp.transport.frames import Lines, Overlong, id_in
from typesig.mcp.transport.lifetimes import LOG, only
from typesig.mcp.transport.sdk import sdk
from typesig.network_limits import MAX_BODY

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as SdkServer

#: How many bytes are read at once.
_PART = 1 << 16


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
    # Private in the SDK, whose reader keeps a line of any length.
    source, restore = stdio._claim_fd(0, sys.stdin, "rb", stdio._open_stdin_diversion)
    try:
        async with stdio.stdio_server(stdin=_lines(source)) as (read, write):
            try:
                async with answering(read, write) as answered:
                    await lowlevel.run(answered, write, lowlevel.create_initialization_options())
            finally:
                # What tools printed, and is still kept, must not follow the last frame.
                sys.stdout.flush()
    finally:
        if restore is not None:
            restore()


async def _lines(source: BinaryIO) -> AsyncIterator[str]:
    """Yield the lines of *source*; a long one is not kept, so that memory is bounded."""
    import anyio

    lines = Lines(MAX_BODY)
    while data := await anyio.to_thread.run_sync(source.read1, _PART):  # type: ignore[attr-defined]
        for line in lines.of(data):
            yield line
    for line in lines.last():
        yield line


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
        if isinstance(frame, Overlong):
            text = f"Invalid request: a message has at most {MAX_BODY} bytes; send less"
            told = types.ErrorData(code=types.INVALID_REQUEST, message=text)
        number = id_in(frame)
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
