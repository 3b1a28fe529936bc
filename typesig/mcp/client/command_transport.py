"""Servers that run as a child process, over its standard input and output."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TextIO, TypeAlias

from typesig.limits.network import MAX_ANSWER
from typesig.mcp.transport.frames import LineSplitter, read_answer
from typesig.mcp.transport.sdk import import_sdk, start_process, stop_process

#: Is called with the reason when a connection has ended by itself.
OnEnd: TypeAlias = Callable[[str], object]

#: The seconds in which what was sent last reaches a server whose connection is closed.
_FLUSHING = 0.5

#: The seconds between two looks at whether a process has ended.
_LOOKING = 0.1


@asynccontextmanager
async def start_server(
    asked: Any, errlog: TextIO, on_end: OnEnd | None = None
) -> AsyncIterator[tuple[Any, Any]]:
    """Start the MCP server with the parameters *asked*; yield its two message streams.

    *on_end* is called when the server has ended, or closed its output, before this block has.

    Differs from the SDK's `stdio_client` in what comes back: a message has a bounded length, and an
    answer that is no message is an error instead of none.  The process and all that it has started
    have ended at the end.
    """
    import anyio

    process = await start_process(asked, errlog)
    # Nothing is awaited until the process is sure to be ended.
    passing, received = anyio.create_memory_object_stream[Any](0)
    write, sending = anyio.create_memory_object_stream[Any](0)
    flushed = anyio.Event()
    end = _ConnectionEnd(process, passing, on_end)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, process.stdout, passing, end)
        group.start_soon(_write, process.stdin, sending, end, flushed)
        group.start_soon(end.watch)
        try:
            yield received, write
        finally:
            end.is_ours = True
            with anyio.CancelScope(shield=True):
                passing.close()
                received.close()
                write.close()
                with anyio.move_on_after(_FLUSHING):
                    await flushed.wait()
                await stop_process(process)
            group.cancel_scope.cancel()


class _ConnectionEnd:
    """Closes the *passing* stream and reports the reason when *process* has ended.

    #: is_ours: whether the connection is closed from here
    """

    __slots__ = ("_on_end", "_passing", "_process", "is_ours")

    def __init__(self, process: Any, passing: Any, on_end: OnEnd | None) -> None:
        self._process = process
        self._passing = passing
        self._on_end = on_end
        self.is_ours = False

    async def watch(self) -> None:
        """Close the connection when the process has ended.

        What it has started may have its standard output still, which does not end then.
        """
        import anyio

        while self._process.returncode is None:
            await anyio.sleep(_LOOKING)
        # What it wrote at last is read meanwhile.
        await anyio.sleep(_LOOKING)
        await self.close_when_ended()

    async def close_when_ended(self) -> None:
        """Close the connection, after a short wait for the process to end.

        The session sees by that that it is gone, and no request waits for ever.
        """
        import anyio

        with anyio.move_on_after(2 * _LOOKING):
            while self._process.returncode is None:
                await anyio.sleep(_LOOKING / 4)
        told, self._on_end = self._on_end, None
        if told is not None and not self.is_ours:
            told(_describe_end(self._process.returncode))
        await self._passing.aclose()


def _describe_end(status: int | None) -> str:
    """Reason for a closed connection; *status* is None if the process still runs."""
    if status is None:
        return "it has closed its output"
    if status < 0:
        return f"its process was ended by the signal {-status}"
    return f"its process has ended with the status {status}"


async def _read(stdout: Any, passing: Any, end: _ConnectionEnd) -> None:
    """Forward the server's messages from *stdout* to *passing*, then drain *stdout*.

    A server that cannot write cannot end.
    """
    import anyio

    gone = (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)
    message, lines = import_sdk("mcp.shared.message"), LineSplitter(MAX_ANSWER)
    try:
        with suppress(*gone):
            async for data in stdout:
                for line in lines.feed(data):
                    found = read_answer(line, MAX_ANSWER)
                    if found is not None:
                        await passing.send(message.SessionMessage(found))
    finally:
        with anyio.CancelScope(shield=True), suppress(*gone):
            async for _ in stdout:
                pass
    await end.close_when_ended()


async def _write(stdin: Any, sending: Any, end: _ConnectionEnd, flushed: Any) -> None:
    """Write the messages from *sending*; close the connection if that fails."""
    import anyio

    try:
        async with sending:
            async for each in sending:
                text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                await stdin.send(text.encode() + b"\n")
    except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        await end.close_when_ended()
    finally:
        flushed.set()
