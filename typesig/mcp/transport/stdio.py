"""Serving one client over standard input and output."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, BinaryIO

from typesig.mcp.transport.frames import Lines, Overlong, id_in
from typesig.mcp.transport.lifetimes import LOG, only
from typesig.mcp.transport.pipes import Output, parts_of
from typesig.mcp.transport.refusals import RefusedLine, find_refusal
from typesig.mcp.transport.sdk import sdk
from typesig.mcp.transport.sdk_internals import claim_stdin, claim_stdout
from typesig.network_limits import MAX_BODY

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as SdkServer


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
    # The reader of the SDK keeps a line of any length, and it takes three threads for a call.
    with claim_stdin() as source, claim_stdout() as sink:
        async with stdio.stdio_server(_lines(source), Output(sink)) as (read, write):
            try:
                options = lowlevel.create_initialization_options()
                await lowlevel.run(Answering(read, write), write, options)
            finally:
                # What tools printed, and is still kept, must not follow the last frame.
                sys.stdout.flush()


async def _lines(source: BinaryIO) -> AsyncIterator[str]:
    """Yield the lines of *source*; a long one is not kept, so that memory is bounded."""
    lines = Lines(MAX_BODY)
    async for data in parts_of(source):
        for line in lines.of(data):
            yield _check_line(line)
    for line in lines.last():
        yield _check_line(line)


def _check_line(line: str) -> str:
    answer = None if isinstance(line, Overlong) else find_refusal(line)
    return line if answer is None else RefusedLine(answer)


class Answering:
    """What *read*, a stream of the SDK, receives; frames that are no messages are answered.

    The SDK drops them, and a client would wait for its answer on *write* for ever.
    """

    __slots__ = ("_read", "_write")

    def __init__(self, read: Any, write: Any) -> None:
        self._read = read
        self._write = write

    async def receive(self) -> Any:
        """Return the next message."""
        while isinstance(item := await self._read.receive(), Exception):
            if (answer := _error_of(item)) is not None:
                await self._write.send(answer)
        return item

    async def aclose(self) -> None:
        """Receive no more."""
        await self._read.aclose()

    def __aiter__(self) -> Answering:
        return self

    async def __anext__(self) -> Any:
        import anyio

        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Answering:
        return self

    async def __aexit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        await self.aclose()


def _error_of(error: Exception) -> Any:
    """Return the answer to a frame that reading raised *error* for, or None for an empty line."""
    types, message = sdk("mcp_types"), sdk("mcp.shared.message")
    told = types.ErrorData(
        code=types.INVALID_REQUEST, message="Invalid request: this is no message of JSON-RPC"
    )
    frame = _frame_of(error)
    if isinstance(frame, RefusedLine):
        return message.SessionMessage(types.JSONRPCError.model_validate(frame.answer))
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
