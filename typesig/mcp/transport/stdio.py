"""Serving one client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import select
import stat
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, BinaryIO

from typesig.limits.network import MAX_BODY
from typesig.mcp.transport.frames import (
    LineSplitter,
    OverlongLine,
    RefusedLine,
    StreamWrapper,
    find_refusal,
    find_request_id,
)
from typesig.mcp.transport.lifespans import LOG, unwrap_group
from typesig.mcp.transport.sdk import claim_stdin, claim_stdout, import_sdk

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as SdkServer


# --- Standard input and output of a server, used by its event loop where they are pipes ---
# A thread that waits for a frame, or writes one, takes as long as a small call does.  What is no
# pipe is left to threads: a loop cannot wait for a file, nor for anything but sockets on Windows.

#: How many bytes are read at once.
_PART = 1 << 16


async def iter_chunks(source: BinaryIO) -> AsyncIterator[bytes]:
    """Yield data from *source* as soon as it arrives, until the end."""
    import anyio

    # The buffer of standard input itself may have what nobody has to wait for.
    if source is not sys.stdin.buffer and _is_pipe(source, and_socket=True):
        number, loop = source.fileno(), asyncio.get_running_loop()
        while data := await _read_when_ready(number, loop):
            yield data
        return
    while data := await anyio.to_thread.run_sync(source.read1, _PART):  # type: ignore[attr-defined]
        yield data


async def _read_when_ready(number: int, loop: asyncio.AbstractEventLoop) -> bytes:
    """Read the file descriptor *number* once it has data; empty at its end."""
    ready = loop.create_future()
    # Only for once: whoever takes the parts may not want the next one yet.
    loop.add_reader(number, _set_ready, ready)
    try:
        await ready
    finally:
        loop.remove_reader(number)
    return os.read(number, _PART)


def _set_ready(ready: asyncio.Future[None]) -> None:
    """Resolve the future *ready*, unless it is done."""
    if not ready.done():
        ready.set_result(None)


class Output:
    """File object over the binary file *sink* that flushes every written frame."""

    __slots__ = ("_poll", "_sink")

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._poll: select.poll | None = None
        if _is_pipe(sink):
            self._poll = select.poll()
            self._poll.register(sink, select.POLLOUT)

    async def write(self, frame: str) -> None:
        """Write *frame*, and flush it."""
        import anyio

        data = frame.encode()
        # So much never waits for the client to read, if the pipe takes anything at all.
        if self._poll is not None and len(data) <= select.PIPE_BUF and self._poll.poll(0):
            self._write(data)
        else:
            await anyio.to_thread.run_sync(self._write, data)

    async def flush(self) -> None:
        """Do nothing, since `write` has already flushed."""

    def _write(self, data: bytes) -> None:
        """Write *data* to the binary file, and flush it."""
        self._sink.write(data)
        self._sink.flush()


def _is_pipe(file: BinaryIO, *, and_socket: bool = False) -> bool:
    """Whether *file* is a pipe, or with *and_socket* a socket, that a loop can wait for."""
    try:
        mode = os.fstat(file.fileno()).st_mode
    except OSError:
        return False
    return os.name == "posix" and (stat.S_ISFIFO(mode) or (and_socket and stat.S_ISSOCK(mode)))


# --- Serving one client over standard input and output ---


async def serve(lowlevel: SdkServer[Any]) -> None:
    """Serve *lowlevel* until standard input ends or standard output is closed."""
    try:
        await _serve(lowlevel)
    except BaseExceptionGroup as group:
        error = unwrap_group(group)
        if not isinstance(error, BrokenPipeError):
            raise error from None
        LOG.debug("the client has closed standard output")


async def _serve(lowlevel: SdkServer[Any]) -> None:
    """Serve *lowlevel* over standard input and output; exceptions may come in a group."""
    stdio = import_sdk("mcp.server.stdio")
    # The reader of the SDK keeps a line of any length, and it takes three threads for a call.
    with claim_stdin() as source, claim_stdout() as sink:
        async with stdio.stdio_server(_iter_lines(source), Output(sink)) as (read, write):
            try:
                options = lowlevel.create_initialization_options()
                await lowlevel.run(AnsweringReader(read, write), write, options)
            finally:
                # What tools printed, and is still kept, must not follow the last frame.
                sys.stdout.flush()


async def _iter_lines(source: BinaryIO) -> AsyncIterator[str]:
    """Yield the lines of *source*; long ones are cut, so that memory is bounded."""
    lines = LineSplitter(MAX_BODY)
    async for data in iter_chunks(source):
        for line in lines.feed(data):
            yield _check_line(line)
    for line in lines.flush():
        yield _check_line(line)


def _check_line(line: str) -> str:
    """Return *line*, or the error response that replaces a refused request."""
    answer = None if isinstance(line, OverlongLine) else find_refusal(line)
    return line if answer is None else RefusedLine(answer)


class AnsweringReader(StreamWrapper):
    """Reads messages from *read*, and answers invalid frames with an error.

    The SDK drops them, and a client would wait for its answer on *write* for ever.
    """

    def __init__(self, read: Any, write: Any) -> None:
        super().__init__(read)
        self._write = write

    async def receive(self) -> Any:
        """Return the next message."""
        while isinstance(item := await self._stream.receive(), Exception):
            if (answer := _make_error_answer(item)) is not None:
                await self._write.send(answer)
        return item


def _make_error_answer(error: Exception) -> Any:
    """Error response to the frame that raised *error*, or None for an empty line."""
    types, message = import_sdk("mcp_types"), import_sdk("mcp.shared.message")
    told = types.ErrorData(
        code=types.INVALID_REQUEST, message="Invalid request: this is no message of JSON-RPC"
    )
    frame = _find_frame(error)
    if isinstance(frame, RefusedLine):
        return message.SessionMessage(types.JSONRPCError.model_validate(frame.answer))
    number = frame.get("id") if isinstance(frame, dict) else None
    if isinstance(frame, str):
        if not frame.strip():
            return None
        told = types.ErrorData(
            code=types.PARSE_ERROR, message="Parse error: this is no JSON that can be read"
        )
        if isinstance(frame, OverlongLine):
            text = f"Invalid request: a message has at most {MAX_BODY} bytes; send less"
            told = types.ErrorData(code=types.INVALID_REQUEST, message=text)
        number = find_request_id(frame)
    if type(number) not in (int, str):
        number = None
    return message.SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=told))


def _find_frame(error: Exception) -> object:
    """The frame that pydantic could not parse: a text, an object, or None."""
    details: Any = getattr(error, "errors", lambda **_: ())
    for each in details(include_url=False):
        kind, found = each["type"], each["input"]
        # A part that is missing is missing in the object of the whole frame.
        is_whole = kind == "missing" and isinstance(found, dict) and "jsonrpc" in found
        if kind == "json_invalid" or is_whole:
            return found
    return None
