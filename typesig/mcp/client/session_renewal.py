"""Renewal of HTTP sessions that a server has lost, for example after a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from typesig.mcp.transport.lifetimes import LOG
from typesig.mcp.transport.sdk import import_sdk

_NAME = "mcp-session-id"

_INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'

#: Sends a request and returns the response.
SendRequest: TypeAlias = Callable[[Any], Awaitable[Any]]


class Renewal:
    """The MCP session of an HTTP client, renewed when the server answers 404.

    The server has not run a request that it answers so, and the request is sent once more.
    *on_renewal* is called when another session has begun.
    """

    __slots__ = ("_ended", "_lock", "_name", "_on_renewal", "_opening")

    def __init__(self, on_renewal: Callable[[], object] | None = None) -> None:
        self._on_renewal = on_renewal
        self._lock = asyncio.Lock()
        # The request that has begun the session.
        self._opening: Any = None
        self._name: str | None = None
        self._ended: set[str] = set()

    async def send(self, request: Any, send: SendRequest, make: Callable[..., Any]) -> Any:
        """Send *request* by *send*; renew the session and send again on a 404."""
        name = request.headers.get(_NAME)
        if name in self._ended and self._name is not None:
            request.headers[_NAME] = name = self._name
        response = await send(request)
        if name is None:
            begun = response.headers.get(_NAME)
            if begun is not None:
                self._opening, self._name = request, begun
            return response
        if response.status_code != 404 or self._opening is None:
            return response
        await response.aclose()
        if not await self._renew(name, request, send, make):
            return _make_lost_response(request)
        return await send(_copy_request(request, make, self._name))

    async def _renew(
        self, name: str, request: Any, send: SendRequest, make: Callable[..., Any]
    ) -> bool:
        """Replace the ended session *name* by a new session; return whether that worked."""
        async with self._lock:
            if name in self._ended:
                # Another request has found out before.
                return self._name != name
            opened = await send(_copy_request(self._opening, make, None))
            begun = opened.headers.get(_NAME)
            is_begun = opened.status_code < 300 and begun is not None
            try:
                await opened.aread()
            except import_sdk("httpx2").StreamError:
                is_begun = False
            if not is_begun:
                return False
            told = _copy_request(request, make, begun, _INITIALIZED)
            await (await send(told)).aclose()
            self._ended.add(name)
            self._name = begun
        LOG.warning("the server has forgotten the session, and another one has begun")
        if self._on_renewal is not None:
            self._on_renewal()
        return True


def _copy_request(
    request: Any, make: Callable[..., Any], name: str | None, body: bytes = b""
) -> Any:
    """Copy *request* for the session *name*; with *body*, as a POST of that body."""
    headers = {
        key: value
        for key, value in request.headers.items()
        if key.lower() not in (_NAME, "content-length", "transfer-encoding", "host")
    }
    if name is not None:
        headers[_NAME] = name
    if body:
        return make("POST", request.url, headers=headers, content=body)
    content = request.content or None
    return make(request.method, request.url, headers=headers, content=content)


def _make_lost_response(request: Any) -> Any:
    """Response to *request* that reports a lost session to the host."""
    text = "the server has ended the session, and begins no other one"
    error = {"code": import_sdk("mcp_types").INVALID_REQUEST, "message": text}
    return import_sdk("httpx2").Response(
        404,
        headers={"content-type": "application/json"},
        content=json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode(),
        request=request,
    )
