"""Answers over HTTP as JSON: a call gets an event stream only if it sends more than its result.

The SDK answers either every request with a stream, which costs as much as the call itself, or none,
so that tools could not report progress or ask the client.  Here, a stream begins with the first
message that is no result, or when a call is so slow that what is between the two could close the
connection.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from typesig.limits.network import MAX_QUIET_SECONDS
from typesig.mcp.transport.sdk import PostedRequest, PostHandler, import_sdk, replace_post_handler

_JSON, _STREAM = "application/json", "text/event-stream"


def answer_with_json(manager: Any) -> None:
    """Let the sessions of the SDK's session *manager* answer with JSON where they can."""
    replace_post_handler(manager, _answer_post)


async def _answer_post(
    transport: Any, usual: PostHandler, scope: Any, request: Any, receive: Any, send: Any
) -> None:
    """Answer the POST *request* of the session of *transport*; leave unusual ones to *usual*."""
    message = None
    if _takes_both(request.headers):
        try:
            message = _read_request(await request.body())
        except Exception as error:
            # The body is too long or late, or the client has gone: as if it had been read there.
            request = type(request)(scope, partial(_raise, error))
    if message is None:
        # Nothing of the request is lost: its body is kept.
        await usual(scope, request, receive, send)
        return
    anyio, types = import_sdk("anyio"), import_sdk("mcp_types")
    post, first = PostedRequest(transport, str(message.id)), None
    try:
        await post.start(message, request)
        with anyio.move_on_after(MAX_QUIET_SECONDS):
            first = await post.reader.receive()
    except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
        await post.make_error("the session has ended", 404)(scope, receive, send)
        return
    except BaseException:
        await post.end()
        raise
    answers = (types.JSONRPCResponse, types.JSONRPCError)
    if first is None or not isinstance(first.message, answers):
        await _stream(post, first, scope, receive, send)
        return
    await post.end()
    await _send_json(send, post.session, first.message)


def _takes_both(headers: Any) -> bool:
    """Whether the request *headers* name JSON as what is sent, and take JSON and streams."""
    accepted = headers.get("accept", "")
    return headers.get("content-type") == _JSON and _JSON in accepted and _STREAM in accepted


def _read_request(body: bytes) -> Any:
    """Read *body* as a request in a session; None if it is anything else."""
    types = import_sdk("mcp_types")
    try:
        data = import_sdk("pydantic_core").from_json(body)
        if not isinstance(data, dict) or data.get("method") in (None, "initialize"):
            return None
        message = types.jsonrpc_message_adapter.validate_python(data, by_name=False)
    except ValueError:
        return None
    return message if isinstance(message, types.JSONRPCRequest) else None


async def _raise(error: Exception) -> None:
    """Raise *error*, in place of an ASGI `receive` callable that has raised it."""
    raise error


async def _send_json(send: Any, session: str | None, message: Any) -> None:
    """Send *message* as the whole response of a request of *session*."""
    body = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    headers = [(b"content-type", _JSON.encode()), (b"content-length", str(len(body)).encode())]
    headers.append((b"mcp-session-id", (session or "").encode()))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _stream(post: PostedRequest, first: Any, scope: Any, receive: Any, send: Any) -> None:
    """Send *first*, if there is any, and what else answers *post* as a stream of events."""
    writer, events = import_sdk("anyio").create_memory_object_stream(0)
    response = import_sdk("sse_starlette").EventSourceResponse(
        content=events,
        data_sender_callable=partial(post.write_events, writer, first),
        headers={
            "Cache-Control": "no-cache, no-transform",
            "Connection": "keep-alive",
            "Content-Type": _STREAM,
            "mcp-session-id": post.session,
        },
    )
    try:
        await response(scope, receive, send)
    finally:
        await events.aclose()
