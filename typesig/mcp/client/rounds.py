"""Calls of tools in several rounds: what a server asks for before it answers, and how long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any

from typesig.calls.errors import ToolError
from typesig.mcp.serving.requests import Request
from typesig.mcp.transport.sdk import sdk
from typesig.network_limits import MAX_ASKING_SECONDS, MAX_INPUT_ROUNDS
from typesig.tools.foreign.foreign_texts import seen_text

#: The seconds between two looks at whether a person has answered.
_LOOKING = 0.5

_NO_QUESTION = "the server asks for something that the protocol does not have; use another tool"


@cache
def _reader() -> Any:
    """Return pydantic's adapter for what a server asks for."""
    return sdk("pydantic").TypeAdapter(sdk("mcp_types").InputRequiredResult)


async def answers_to(session: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Return what the request that *found* is the result of is sent with again.

    Raises `ToolError` if something of it cannot be answered.
    """
    try:
        read = _reader().validate_python(found, by_name=False)
    except sdk("pydantic").ValidationError:
        raise ToolError(_NO_QUESTION) from None
    asked = read.input_requests or {}
    given = await asyncio.gather(*[_answered(session, key, each) for key, each in asked.items()])
    answers = dict(zip(asked, given, strict=True)) if asked else None
    return {"input_responses": answers, "request_state": read.request_state}


async def _answered(session: Any, key: str, request: Any) -> Any:
    """Return what the host answers to *request*, one of those that are asked at once."""
    types, context = sdk("mcp_types"), sdk("mcp.client.context")
    meta = None if request.params is None else request.params.meta
    about = context.ClientRequestContext(session=session, request_id=key, meta=meta)
    answer = await session.dispatch_input_request(about, request)
    if isinstance(answer, types.ErrorData):
        raise ToolError(
            "the server asks for more than the arguments before it answers, and was not told: "
            f"{seen_text(answer.message)}; use another tool"
        )
    return answer


async def within(
    request: Request | None, send: Callable[..., Coroutine[Any, Any, Any]], seconds: float | None
) -> Any:
    """Return what *send* returns within *seconds*.

    If it is sent for a call that is served, *request*, these begin again when the client of that
    was asked something.
    """
    if request is None or seconds is None:
        return await send(request_read_timeout_seconds=seconds)
    limit = seconds + MAX_INPUT_ROUNDS * MAX_ASKING_SECONDS
    task = asyncio.ensure_future(send(request_read_timeout_seconds=limit))
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    try:
        while not task.done() and (left := end - loop.time()) > 0:
            await asyncio.wait([task], timeout=min(left, _LOOKING))
            if request.is_asking:
                end = loop.time() + seconds
    finally:
        task.cancel()
    if not task.done():
        raise sdk().MCPError(sdk("mcp_types").REQUEST_TIMEOUT, "Request 'tools/call' timed out")
    return task.result()
