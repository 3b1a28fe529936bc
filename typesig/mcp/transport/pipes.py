"""Standard input and output of a server: read and written by its loop where they are pipes.

A thread that waits for a frame, or writes one, takes as long as a small call does.  What is no pipe
is left to threads: a loop cannot wait for a file, nor for anything but sockets on Windows.
"""

from __future__ import annotations

import asyncio
import os
import select
import stat
import sys
from collections.abc import AsyncIterator
from typing import BinaryIO

#: How many bytes are read at once.
_PART = 1 << 16


async def parts_of(source: BinaryIO) -> AsyncIterator[bytes]:
    """Yield what *source* has, as soon as there is any, until it ends."""
    import anyio

    # The buffer of standard input itself may have what nobody has to wait for.
    if source is not sys.stdin.buffer and _is_pipe(source, and_socket=True):
        number, loop = source.fileno(), asyncio.get_running_loop()
        while data := await _when_readable(number, loop):
            yield data
        return
    while data := await anyio.to_thread.run_sync(source.read1, _PART):  # type: ignore[attr-defined]
        yield data


async def _when_readable(number: int, loop: asyncio.AbstractEventLoop) -> bytes:
    """Return what the file descriptor *number* has, once there is any; empty at its end."""
    ready = loop.create_future()
    # Only for once: whoever takes the parts may not want the next one yet.
    loop.add_reader(number, _found, ready)
    try:
        await ready
    finally:
        loop.remove_reader(number)
    return os.read(number, _PART)


def _found(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


class Output:
    """*sink* as a file for the SDK's writer, which flushes each frame that it writes."""

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
        """Do nothing: `write` has flushed."""

    def _write(self, data: bytes) -> None:
        self._sink.write(data)
        self._sink.flush()


def _is_pipe(file: BinaryIO, *, and_socket: bool = False) -> bool:
    """Return whether *file* is a pipe, or with *and_socket* a socket, for which a loop can wait."""
    try:
        mode = os.fstat(file.fileno()).st_mode
    except OSError:
        return False
    return os.name == "posix" and (stat.S_ISFIFO(mode) or (and_socket and stat.S_ISSOCK(mode)))
