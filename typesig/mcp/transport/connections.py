"""Limits on HTTP connections: time for the head of a request, and number by address.

This is decided before anything of a request is known, so before a token is looked at.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, ClassVar

from typesig.limits.network import (
    MAX_ADDRESS_CONNECTIONS,
    MAX_CONNECTIONS,
    MAX_HEAD_SECONDS,
    MAX_SESSIONS,
)

_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Connections:
    """The open connections of a server, by address and by time of last use."""

    __slots__ = ("_all", "_by_address")

    def __init__(self) -> None:
        self._all: OrderedDict[Any, None] = OrderedDict()
        self._by_address: dict[str, OrderedDict[Any, None]] = {}

    def add(self, connection: Any, address: str) -> bool:
        """Add *connection*, dropping an idle one at the limit; False if all are busy.

        A connection that waits for a request makes room for a new one.
        """
        own = self._by_address.setdefault(address, OrderedDict())
        for known, most in ((own, MAX_ADDRESS_CONNECTIONS), (self._all, MAX_CONNECTIONS)):
            if len(known) >= most:
                unused = next((each for each in known if each.is_waiting), None)
                if unused is None:
                    return False
                unused.drop()
        own[connection] = self._all[connection] = None
        # What was dropped may have been the last one of this address.
        self._by_address[address] = own
        return True

    def use(self, connection: Any, address: str) -> None:
        """Move *connection* to the end of the order of last use."""
        if connection in self._all:
            self._all.move_to_end(connection)
            self._by_address[address].move_to_end(connection)

    def remove(self, connection: Any, address: str) -> None:
        """Remove *connection* from the open connections."""
        if connection in self._all:
            del self._all[connection]
            own = self._by_address[address]
            del own[connection]
            if not own:
                del self._by_address[address]


class LimitedConnection(asyncio.Protocol):
    """A connection that must send each request head in time; see `make_limited_protocol`."""

    open_connections: ClassVar[Connections]
    cycle: Any
    transport: Any
    _address = ""
    _timer: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether the connection waits for a request, and none is running."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def connection_made(self, transport: Any) -> None:
        """Accept the connection, or abort it."""
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        super().connection_made(transport)
        if self.open_connections.add(self, self._address):
            self._wait()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the lost connection from the open connections."""
        self.open_connections.remove(self, self._address)
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process *data*, and start or stop the timer for a request head."""
        super().data_received(data)
        if self.is_waiting and not self.transport.is_closing():
            self._wait()
        else:
            self._stop_waiting()
            self.open_connections.use(self, self._address)

    def drop(self) -> None:
        """Abort the idle connection to make room for a new one."""
        self.open_connections.remove(self, self._address)
        self.transport.abort()

    def _wait(self) -> None:
        """Start the timer for the next request head, unless it is running."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(MAX_HEAD_SECONDS, self._end)

    def _stop_waiting(self) -> None:
        """Cancel the timer for a request head, if it is running."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        """Send a response for a late request head, and close the connection."""
        self.transport.write(_LATE)
        self.transport.close()


def make_limited_protocol(protocol: type[asyncio.Protocol]) -> type[asyncio.Protocol]:
    """Subclass *protocol*, of uvicorn, with shared connection limits."""
    return type("Limited", (LimitedConnection, protocol), {"open_connections": Connections()})


# --- HTTP sessions: beyond a limit, the least recently used one is closed ---

_NAME = b"mcp-session-id"


class _SessionUse:
    """Numbers of the calls and of all requests that run in a session."""

    __slots__ = ("calls", "requests")

    def __init__(self) -> None:
        self.calls = self.requests = 0


class Sessions:
    """ASGI middleware around *app* that closes the least recently used session at a limit.

    A session without a request that runs ends first, then one without a call.
    """

    __slots__ = ("_app", "_known")

    def __init__(self, app: Any) -> None:
        self._app = app
        # The longest unused first.
        self._known: OrderedDict[bytes, _SessionUse] = OrderedDict()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request."""
        name = next((value for key, value in scope["headers"] if key == _NAME), None)
        use = None if name is None else self._known.get(name)
        if name is not None and use is not None:
            await self._serve_session(name, use, scope, receive, send)
            return
        opened: list[bytes] = []

        async def watch(message: Any) -> None:
            if message["type"] == "http.response.start" and name is None:
                opened.extend(value for key, value in message["headers"] if key.lower() == _NAME)
                for each in opened:
                    self._known[each] = _SessionUse()
            await send(message)

        await self._app(scope, receive, watch)
        if opened:
            await self._make_room(scope)

    async def _serve_session(
        self, name: bytes, use: _SessionUse, scope: Any, receive: Any, send: Any
    ) -> None:
        """Serve an HTTP request of the session *name*, and count *use* meanwhile."""
        is_call = scope["method"] == "POST"
        self._known.move_to_end(name)
        use.requests += 1
        use.calls += is_call

        async def watch(message: Any) -> None:
            if message["type"] == "http.response.start":
                is_gone = message["status"] == 404
                if is_gone or (scope["method"] == "DELETE" and message["status"] < 300):
                    self._known.pop(name, None)
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            use.requests -= 1
            use.calls -= is_call

    async def _make_room(self, scope: Any) -> None:
        """Close the longest unused sessions until the limit is met."""
        while len(self._known) > MAX_SESSIONS:
            name = self._find_longest_unused()
            del self._known[name]
            await self._end(name, scope)

    def _find_longest_unused(self) -> bytes:
        """Find the session to close: idle and oldest, or the newest if all are busy."""
        *others, (newest, _) = self._known.items()
        unused = [name for name, use in others if not use.requests]
        idle = unused or [name for name, use in others if not use.calls]
        # If each of the others has a call that runs, the new one is not let in.
        return idle[0] if idle else newest

    async def _end(self, name: bytes, scope: Any) -> None:
        """Close the session *name* with a DELETE request, as its client would."""
        kept = [(key, value) for key, value in scope["headers"] if key in (b"host", b"accept")]
        ending = {**scope, "method": "DELETE", "headers": [*kept, (_NAME, name)]}
        await self._app(ending, _receive_nothing, _ignore)


async def _receive_nothing() -> dict[str, Any]:
    """Return an empty request body, as an ASGI `receive` callable."""
    return {"type": "http.request", "body": b"", "more_body": False}


async def _ignore(message: Any) -> None:
    """Discard *message*, as an ASGI `send` callable."""
