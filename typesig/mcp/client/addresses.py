"""Servers at an address: requests that fail by themselves, and answers of bounded length."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache, partial
from typing import Any

from typesig.extraction.callables.warnings import said_by
from typesig.mcp.client.renewal import Renewal
from typesig.mcp.transport.sdk import sdk
from typesig.network_limits import MAX_ANSWER

#: The seconds for a connection to be made, and between two parts of an answer.
_CONNECTING, _SILENCE = 30.0, 300.0


def client_for(headers: Mapping[str, str], on_renewal: Callable[[], object] | None = None) -> Any:
    """Return an HTTP client that sends *headers*.

    It begins another session when the server has forgotten its own, and calls *on_renewal* then.
    """
    limits = sdk("httpx2").Timeout(_CONNECTING, read=_SILENCE)
    # What is sent compressed could be of any size.
    made = _client()(headers={"Accept-Encoding": "identity", **headers}, timeout=limits)
    made.renewal = Renewal(on_renewal)
    return made


@cache
def _client() -> Any:
    """Return the class of clients."""
    httpx = sdk("httpx2")

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
                return _failed(request, 502, f"the server cannot be reached: {said_by(error)}")
            response.stream = _bounded(response)
            # The SDK reads 404 as the end of a session.
            is_error = response.status_code >= 400 and response.status_code != 404
            return await _told_by(response) if is_error else response

    return Client


async def _told_by(response: Any) -> Any:
    """Return *response*, whose status is that of an error, if it tells one of the protocol.

    Otherwise return one that tells the status, which the SDK does not.
    """
    is_json = response.headers.get("content-type", "").lower().startswith("application/json")
    try:
        if is_json and _is_error(await response.aread()):
            return response
    except sdk("httpx2").StreamError as error:
        return _failed(response.request, response.status_code, str(error))
    await response.aclose()
    status = f"{response.status_code} {response.reason_phrase}".strip()
    return _failed(response.request, response.status_code, f"the server answers with {status}")


def _is_error(body: bytes) -> bool:
    """Return whether *body* is an error of the protocol."""
    types = sdk("mcp_types")
    try:
        found = types.jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValueError:
        return False
    return isinstance(found, types.JSONRPCError)


def _failed(request: Any, status: int, text: str) -> Any:
    """Return the response to *request* that tells *text* as the error of a lost connection.

    Whoever has sent the request sees by a ping whether the server is there.
    """
    told = {"code": sdk("mcp_types").CONNECTION_CLOSED, "message": text}
    return sdk("httpx2").Response(
        status,
        headers={"content-type": "application/json"},
        content=json.dumps({"jsonrpc": "2.0", "id": None, "error": told}).encode(),
        request=request,
    )


def _bounded(response: Any) -> Any:
    """Return the stream of *response*, of bounded length unless it is one of events.

    Of these, each has a bounded length.
    """
    httpx = sdk("httpx2")
    kind = response.headers.get("content-type", "").lower()
    is_stream = kind.startswith("text/event-stream")
    is_encoded = response.headers.get("content-encoding", "identity") != "identity"
    limit, parts = MAX_ANSWER, response.stream

    class Bounded(httpx.AsyncByteStream):  # type: ignore[misc,name-defined]
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
                raise httpx.StreamError(f"the answer has ended: {said_by(error)}") from error

        async def aclose(self) -> None:
            await parts.aclose()

    return Bounded()
