"""The connection of a proxy to the upstream server, restarted when its process ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits.network import MAX_RESTART_SECONDS, MAX_RESTARTS, MIN_RUN_SECONDS
from typesig.mcp.client.connection import connect
from typesig.mcp.transport.lifetimes import LOG
from typesig.mcp.transport.sdk import import_sdk
from typesig.tools.foreign.foreign_texts import strip_invisible, strip_invisible_line

if TYPE_CHECKING:
    from typesig.providers.projection.call_handler import OnException
    from typesig.providers.rows.calls import WireCall


#: The seconds until a server is started again: the first time, and at most.
_AGAIN, _LONGEST = 0.1, 5.0


class Link:
    """The connection of a proxy to its upstream server *other*, reopened after a crash.

    #: session: the session with it, the last one if it has ended
    """

    __slots__ = ("_ended", "_is_lost", "_options", "_other", "_ready", "_use", "_why", "session")
    session: Any

    def __init__(
        self,
        other: str | Sequence[str],
        options: Mapping[str, Any],
        use: Callable[[Any], Awaitable[None]],
    ) -> None:
        self._other = other
        self._options = options
        self._use = use
        self._why = ""

    @asynccontextmanager
    async def open_connection(self) -> AsyncIterator[None]:
        """Connect to the upstream server, and stay connected until the block ends."""
        loop = asyncio.get_running_loop()
        self._ready, self._ended = asyncio.Event(), asyncio.Event()
        self._is_lost, self._why = False, ""
        # A connection has to be closed by the task that has opened it.
        task, ready = loop.create_task(self._keep()), loop.create_task(self._ready.wait())
        try:
            await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                await task
            yield
        finally:
            ready.cancel()
            task.cancel()
            with import_sdk("anyio").CancelScope(shield=True), suppress(asyncio.CancelledError):
                await asyncio.wait([task])

    async def wait_until_ready(self) -> str | None:
        """Wait for the upstream server; return the reason if it cannot be called."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ready.wait(), MAX_RESTART_SECONDS)
        if not self._ready.is_set():
            return f"{self._why}, and has not been started again within {MAX_RESTART_SECONDS} s"
        if self._is_lost:
            return f"{self._why}, and is not started again"
        return None

    def wrap_on_exception(self, told_else: OnException) -> OnException:
        """Wrap the error writer *told_else* to explain an upstream server's end."""
        closed = import_sdk("mcp_types").CONNECTION_CLOSED

        def told(error: Exception, call: WireCall) -> str | Awaitable[str]:
            code = (
                getattr(error, "code", None) if isinstance(error, import_sdk().MCPError) else None
            )
            if code != closed or not self._why:
                return told_else(error, call)
            again = "is not started again" if self._is_lost else "is started again"
            return (
                f"{strip_invisible_line(call.name)} did not end: {self._why}, and {again}; "
                "the call may have "
                "done a part of its work"
            )

        return told

    def _end(self, why: str) -> None:
        """Mark the connection to the upstream server as ended, with the reason *why*."""
        self._why = f"the other server has stopped ({why})"
        self._ready.clear()
        self._ended.set()

    async def _keep(self) -> None:
        """Connect to the upstream server, and restart it up to `MAX_RESTARTS` times."""
        await self._run()
        loop, times = asyncio.get_running_loop(), 0
        while times < MAX_RESTARTS:
            times += 1
            LOG.warning("%s, and is started again", self._why)
            await asyncio.sleep(min(_AGAIN * 2 ** (times - 1), _LONGEST))
            began = loop.time()
            try:
                await self._run()
            except Exception as error:
                # Whatever a server does as it begins, or the function that chooses its tools.
                LOG.warning(
                    "the other server is not there again: %s",
                    strip_invisible(get_exception_message(error)),
                )
            if loop.time() - began >= MIN_RUN_SECONDS:
                times = 0
        self._is_lost = True
        self._why += f" {MAX_RESTARTS + 1} times in a row"
        LOG.error("%s, and is not started again", self._why)
        self._ready.set()
        await asyncio.Event().wait()

    async def _run(self) -> None:
        """Connect to the upstream server, and wait until its process has ended."""
        self._ended.clear()
        async with connect(self._other, on_end=self._end, **self._options) as session:
            await self._use(session)
            self.session = session
            if not self._ended.is_set():
                self._ready.set()
            await self._ended.wait()
