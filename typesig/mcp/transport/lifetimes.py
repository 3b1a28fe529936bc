"""One run of a server: its lifespan values and its clients."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, assert_never, get_args
from weakref import WeakSet

from typesig.limits.network import MAX_LISTENERS
from typesig.mcp.transport.sdk import import_sdk

if TYPE_CHECKING:
    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext

#: The lists that a server has.
Kind: TypeAlias = Literal["prompts", "resources", "tools"]
KINDS: tuple[Kind, ...] = get_args(Kind)

LOG = logging.getLogger("typesig.mcp")


class Lifetime:
    """A single run of a server on an event loop, with its clients.

    #: loop: the loop; values: what the lifespan function gave, by name, once it has
    #: connections: the clients that have listed something, and are told when it changes
    """

    __slots__ = ("_announcing", "_bus", "_listen", "connections", "loop", "values")

    def __init__(self) -> None:
        subscriptions = import_sdk("mcp.server.subscriptions")
        self.loop = asyncio.get_running_loop()
        self.values: Mapping[str, Any] | None = None
        self.connections: WeakSet[Connection] = WeakSet()
        self._bus = subscriptions.InMemorySubscriptionBus()
        self._listen = subscriptions.ListenHandler(self._bus, max_subscriptions=MAX_LISTENERS)
        self._announcing: set[asyncio.Task[None]] = set()

    async def listen(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        """Send list changes to a client until it disconnects (protocol 2026-07-28)."""
        return await self._listen(context, params)

    def announce(self, kind: Kind) -> None:
        """Notify all clients that the list of *kind* has changed; thread-safe."""
        try:
            self.loop.call_soon_threadsafe(self._start, kind)
        except RuntimeError:
            # The loop has been closed: nobody is left to be told.
            return

    def _start(self, kind: Kind) -> None:
        """Start a task that announces a changed list of *kind* to all clients."""
        task = self.loop.create_task(self._announce(kind))
        self._announcing.add(task)
        task.add_done_callback(self._announcing.discard)

    async def _announce(self, kind: Kind) -> None:
        """Announce a changed list of *kind* to subscribers and open connections."""
        subscriptions = import_sdk("mcp.server.subscriptions")
        match kind:
            case "tools":
                event = subscriptions.ToolsListChanged()
            case "resources":
                event = subscriptions.ResourcesListChanged()
            case "prompts":
                event = subscriptions.PromptsListChanged()
            case _:
                assert_never(kind)
        await self._bus.publish(event)
        sending = [self._tell(connection, kind) for connection in list(self.connections)]
        await asyncio.gather(*sending)

    async def _tell(self, connection: Connection, kind: Kind) -> None:
        """Notify the client of *connection* that its list of *kind* has changed."""
        try:
            match kind:
                case "tools":
                    await connection.send_tool_list_changed()
                case "resources":
                    await connection.send_resource_list_changed()
                case "prompts":
                    await connection.send_prompt_list_changed()
                case _:
                    assert_never(kind)
        except Exception as error:
            LOG.debug("a client could not be told that the %s have changed: %r", kind, error)


def unwrap_group(group: BaseExceptionGroup[Any]) -> BaseException:
    """Return the exception inside *group* and its nested groups of a single exception."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
