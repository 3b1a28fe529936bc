"""Servers that a command starts: a process, and the frames to it and from it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, TextIO

from typesig.mcp.transport.frames import Lines, answer_in
from typesig.mcp.transport.sdk import sdk
from typesig.network_limits import MAX_ANSWER

#: The seconds in which what was sent last reaches a server whose connection is closed.
_FLUSHING = 0.5

#: The seconds between two looks at whether a process has ended.
_LOOKING = 0.1


@asynccontextmanager
async def started(asked: Any, errlog: TextIO) -> AsyncIterator[tuple[Any, Any]]:
    """Start the server that *asked*, `StdioServerParameters`, names; yield the streams with it.

    Differs from the SDK's `stdio_client` in what comes back: a message has a bounded length, and an
    answer that is no message is an error instead of none.  The process and all that it has started
    have ended at the end.
    """
    import anyio

    stdio = sdk("mcp.client.stdio")
    # Private in the SDK, which starts and ends processes as each system needs it.
    process = await stdio._create_platform_compatible_process(
        command=await stdio._get_executable_command(asked.command),
        args=asked.args,
        env=stdio.get_default_environment() | (asked.env or {}),
        errlog=errlog,
        cwd=asked.cwd,
    )
    # Nothing is awaited until the process is sure to be ended.
    passing, received = anyio.create_memory_object_stream[Any](0)
    write, sending = anyio.create_memory_object_stream[Any](0)
    flushed = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(_read, process.stdout, passing)
        group.start_soon(_write, process.stdin, sending, passing, flushed)
        group.start_soon(_watch, process, passing)
        try:
            yield received, write
        finally:
            with anyio.CancelScope(shield=True):
                received.close()
                write.close()
                with anyio.move_on_after(_FLUSHING):
                    await flushed.wait()
                await _stop(process)
            group.cancel_scope.cancel()


async def _stop(process: Any) -> None:
    """End *process*, which is asked to end first, and what it has started."""
    stdio = sdk("mcp.client.stdio")
    await stdio._stop_server_process(process)
    # One that ends by itself may leave others.
    await stdio._terminate_process_tree(process)


async def _read(stdout: Any, passing: Any) -> None:
    """Pass on the messages in *stdout*; read what follows even if nobody takes them any more.

    A server that cannot write cannot end.
    """
    import anyio

    gone = (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)
    message, lines = sdk("mcp.shared.message"), Lines(MAX_ANSWER)
    try:
        async with passing:
            with suppress(*gone):
                async for data in stdout:
                    for line in lines.of(data):
                        found = answer_in(line, MAX_ANSWER)
                        if found is not None:
                            await passing.send(message.SessionMessage(found))
    finally:
        with anyio.CancelScope(shield=True), suppress(*gone):
            async for _ in stdout:
                pass


async def _watch(process: Any, passing: Any) -> None:
    """Close *passing* when *process* has ended.

    What it has started may have its standard output still, which does not end then.
    """
    import anyio

    while process.returncode is None:
        await anyio.sleep(_LOOKING)
    # What it wrote at last is read meanwhile.
    await anyio.sleep(_LOOKING)
    await passing.aclose()


async def _write(stdin: Any, sending: Any, passing: Any, flushed: Any) -> None:
    """Write what comes from *sending*; if it cannot be written, close *passing*.

    The session sees by that that the connection is gone, and no request waits for ever.
    """
    import anyio

    try:
        async with sending:
            async for each in sending:
                text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                await stdin.send(text.encode() + b"\n")
    except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        await passing.aclose()
    finally:
        flushed.set()
