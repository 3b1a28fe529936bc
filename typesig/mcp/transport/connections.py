"""Limits on HTTP connections: time for the head of a request, and number by address.

This is decided before anything of a request is known, so before a token is looked at.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, ClassVar

from typesig.limits.network import MAX_ADDRESS_CONNECTIONS, MAX_CONNECTIONS, MAX_HEAD_SECONDS

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
