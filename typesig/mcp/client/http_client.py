"""HTTP client for servers at a URL: failures stay within one request, responses are limited."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache, partial
from typing import Any

from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits.network import MAX_ANSWER
from typesig.mcp.client.session_renewal import Renewal
from typesig.mcp.transport.sdk import import_sdk

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


def _make_error_response(request: Any, status: int, text: str) -> Any:
    """Response to *request* that reports *text* as the error of a lost connection.

    Whoever has sent the request sees by a ping whether the server is there.
    """
    told = {"code": import_sdk("mcp_types").CONNECTION_CLOSED, "message": text}
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
