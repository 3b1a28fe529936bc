"""Tools that can only be called as a task: start it, wait for it, read its result.

The protocol has tasks in 2025-11-25 only.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from typesig.calls.errors import ToolError
from typesig.limits.network import MAX_STOP_SECONDS
from typesig.mcp.transport.sdk import get_object_adapter, import_sdk
from typesig.tools.foreign.foreign_texts import strip_invisible

#: The seconds between two questions for the state of a task, at least, at most and usually.
_LEAST, _MOST, _USUAL = 0.05, 10.0, 1.0


async def await_task_result(session: Any, task: Any, seconds: float) -> dict[str, Any]:
    """Wait for the result of *task*, which the server of *session* has started.

    It is cancelled if this is, or if it has not ended within *seconds*.  Raises `ToolError` for a
    task that has no result.
    """
    name = _read_text(task, "taskId")
    try:
        async with asyncio.timeout(seconds):
            return await _poll_task(session, name, task)
    except TimeoutError:
        await _cancel(session, name)
        raise ToolError(f"the tool did not end within {seconds:g} s and was cancelled") from None
    except asyncio.CancelledError:
        await _cancel(session, name)
        raise


async def _poll_task(session: Any, name: str, task: Any) -> dict[str, Any]:
    """Poll *task* until it ends; return its result. *name* is the task's id."""
    types = import_sdk("mcp_types")
    ask = types.GetTaskRequest(params=types.GetTaskRequestParams(task_id=name))
    read = types.GetTaskPayloadRequest(params=types.GetTaskPayloadRequestParams(task_id=name))
    while (status := _read_text(task, "status")) == "working":
        await asyncio.sleep(_choose_pause(task.get("pollInterval")))
        task = await session.send_request(ask, get_object_adapter())
    if status not in ("completed", "failed"):
        why = task.get("statusMessage") or f"its task is {status}"
        raise ToolError(f"the tool has no result: {strip_invisible(str(why))}; use another tool")
    found: dict[str, Any] = await session.send_request(read, get_object_adapter())
    return found


def _read_text(task: Any, key: str) -> str:
    """Return the text under *key* of *task*; raise `ToolError` if it has none."""
    found = task.get(key) if isinstance(task, dict) else None
    if not isinstance(found, str):
        raise ToolError("the server answered with what is no task; use another tool")
    return found


def _choose_pause(asked: Any) -> float:
    """Seconds to wait between polls; *asked* is the server's interval in milliseconds."""
    is_number = isinstance(asked, int | float) and not isinstance(asked, bool)
    return min(max(asked / 1000, _LEAST), _MOST) if is_number else _USUAL


async def _cancel(session: Any, name: str) -> None:
    """Ask the server to cancel the task *name*; ignore errors of the server."""
    types = import_sdk("mcp_types")
    request = types.CancelTaskRequest(params=types.CancelTaskRequestParams(task_id=name))
    with import_sdk("anyio").CancelScope(shield=True), suppress(import_sdk().MCPError):
        await session.send_request(request, get_object_adapter(), MAX_STOP_SECONDS)
