"""HTTP sessions: beyond a limit, the least recently used one is closed."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from typesig.limits.network import MAX_SESSIONS

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
