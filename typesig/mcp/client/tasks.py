"""Tools of others that can only be called as a task: it is started, waited for, and then read.

The protocol has tasks in 2025-11-25 only.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from typesig.calls.errors import ToolError
from typesig.mcp.transport.sdk import any_object, sdk
from typesig.network_limits import MAX_STOP_SECONDS
from typesig.tools.foreign.foreign_texts import seen_text

#: The seconds between two questions for the state of a task, at least, at most and usually.
_LEAST, _MOST, _USUAL = 0.05, 10.0, 1.0


async def result_of_task(session: Any, task: Any, seconds: float) -> dict[str, Any]:
    """Return the result of *task*, which the server of *session* has started.

    It is cancelled if this is, or if it has not ended within *seconds*.  Raises `ToolError` for a
    task that has no result.
    """
    name = _text(task, "taskId")
    try:
        async with asyncio.timeout(seconds):
            return await _waited(session, name, task)
    except TimeoutError:
        await _cancel(session, name)
        raise ToolError(f"the tool did not end within {seconds:g} s and was cancelled") from None
    except asyncio.CancelledError:
        await _cancel(session, name)
        raise


async def _waited(session: Any, name: str, task: Any) -> dict[str, Any]:
    types = sdk("mcp_types")
    ask = types.GetTaskRequest(params=types.GetTaskRequestParams(task_id=name))
    read = types.GetTaskPayloadRequest(params=types.GetTaskPayloadRequestParams(task_id=name))
    while (status := _text(task, "status")) == "working":
        await asyncio.sleep(_pause(task.get("pollInterval")))
        task = await session.send_request(ask, any_object())
    if status not in ("completed", "failed"):
        why = task.get("statusMessage") or f"its task is {status}"
        raise ToolError(f"the tool has no result: {seen_text(str(why))}; use another tool")
    found: dict[str, Any] = await session.send_request(read, any_object())
    return found


def _text(task: Any, key: str) -> str:
    """Return the text under *key* of *task*; raise `ToolError` if it has none."""
    found = task.get(key) if isinstance(task, dict) else None
    if not isinstance(found, str):
        raise ToolError("the server answered with what is no task; use another tool")
    return found


def _pause(asked: Any) -> float:
    """Return how long to wait for a server that has *asked* for so many milliseconds."""
    is_number = isinstance(asked, int | float) and not isinstance(asked, bool)
    return min(max(asked / 1000, _LEAST), _MOST) if is_number else _USUAL


async def _cancel(session: Any, name: str) -> None:
    """Cancel the task *name*; its server may be gone, or not do that."""
    types = sdk("mcp_types")
    request = types.CancelTaskRequest(params=types.CancelTaskRequestParams(task_id=name))
    with sdk("anyio").CancelScope(shield=True), suppress(sdk().MCPError):
        await session.send_request(request, any_object(), MAX_STOP_SECONDS)
