"""HTTP client for servers at a URL: failures stay within one request, responses are limited."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import cache, partial
from typing import Any, TypeAlias

from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits.network import MAX_ANSWER
from typesig.mcp.transport.lifespans import LOG
from typesig.mcp.transport.sdk import import_sdk

# --- Renewal of HTTP sessions that a server has lost, for example after a restart ---

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
            text = "the server has ended the session, and begins no other one"
            return _make_error_response(request, 404, text, "INVALID_REQUEST")
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


#: The seconds for a connection to be made, and between two parts of an answer.
_CONNECTING, _SILENCE = 30.0, 300.0


def make_http_client(
    headers: Mapping[str, str], on_renewal: Callable[[], object] | None = None
) -> Any:
    """Build an HTTP client that sends *headers* and renews its MCP session.

    It begins another session when the server has forgotten its own, and calls *on_renewal* then.
    """
    limits = import_sdk("httpx2").Timeout(_CONNECTING, read=_SILENCE)
    # What is sent compressed could be of any size.
    made = _get_client_class()(headers={"Accept-Encoding": "identity", **headers}, timeout=limits)
    made.renewal = Renewal(on_renewal)
    return made


@cache
def _get_client_class() -> Any:
    """Build the HTTP client class whose failed requests return error responses."""
    httpx = import_sdk("httpx2")

    class Client(httpx.AsyncClient):  # type: ignore[misc,name-defined]
        """A client whose requests do not raise if the server cannot be reached.

        The SDK would end the session, and all that it belongs to, for one request.
        """

        renewal: Renewal

        async def send(self, request: Any, **options: Any) -> Any:
            send_once = partial(self._send_once, **options)
            return await self.renewal.send(request, send_once, self.build_request)

        async def _send_once(self, request: Any, **options: Any) -> Any:
            try:
                response = await super().send(request, **options)
            except httpx.TransportError as error:
                return _make_error_response(
                    request, 502, f"the server cannot be reached: {get_exception_message(error)}"
                )
            response.stream = _limit_stream(response)
            # The SDK reads 404 as the end of a session.
            is_error = response.status_code >= 400 and response.status_code != 404
            return await _check_error_response(response) if is_error else response

    return Client


async def _check_error_response(response: Any) -> Any:
    """Return *response* if its body is a JSON-RPC error, else an error with its status.

    Otherwise return one that tells the status, which the SDK does not.
    """
    is_json = response.headers.get("content-type", "").lower().startswith("application/json")
    try:
        if is_json and _is_error(await response.aread()):
            return response
    except import_sdk("httpx2").StreamError as error:
        return _make_error_response(response.request, response.status_code, str(error))
    await response.aclose()
    status = f"{response.status_code} {response.reason_phrase}".strip()
    return _make_error_response(
        response.request, response.status_code, f"the server answers with {status}"
    )


def _is_error(body: bytes) -> bool:
    """Whether the response *body* is a JSON-RPC error."""
    types = import_sdk("mcp_types")
    try:
        found = types.jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValueError:
        return False
    return isinstance(found, types.JSONRPCError)


def _make_error_response(
    request: Any, status: int, text: str, code: str = "CONNECTION_CLOSED"
) -> Any:
    """Response to *request* that reports *text* as the error called *code*.

    By that of a lost connection, whoever has sent the request sees by a ping whether the server is
    there.
    """
    told = {"code": getattr(import_sdk("mcp_types"), code), "message": text}
    return import_sdk("httpx2").Response(
        status,
        headers={"content-type": "application/json"},
        content=json.dumps({"jsonrpc": "2.0", "id": None, "error": told}).encode(),
        request=request,
    )


def _limit_stream(response: Any) -> Any:
    """Limit the length of the body of *response*, unless the body is an event stream.

    Of these, each has a bounded length.
    """
    httpx = import_sdk("httpx2")
    kind = response.headers.get("content-type", "").lower()
    is_stream = kind.startswith("text/event-stream")
    is_encoded = response.headers.get("content-encoding", "identity") != "identity"
    limit, parts = MAX_ANSWER, response.stream

    class LimitedStream(httpx.AsyncByteStream):  # type: ignore[misc,name-defined]
        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            if is_encoded:
                raise httpx.StreamError("the answer is compressed")
            try:
                async for part in parts:
                    size += len(part)
                    if size > limit and not is_stream:
                        raise httpx.StreamError(f"the answer has more than {limit} bytes")
                    yield part
            except httpx.TransportError as error:
                # The SDK takes this one for an answer that cannot be read.
                raise httpx.StreamError(
                    f"the answer has ended: {get_exception_message(error)}"
                ) from error

        async def aclose(self) -> None:
            await parts.aclose()

    return LimitedStream()
