"""Calls of another server's tools: requests, results, and who receives an error.

A model is told what it can act on: what the tool or the server says is wrong with the call, and
that there was no answer in time.  What no other call can mend passes to the host.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any

from typesig.calls.functions import ToolError
from typesig.calls.results import ToolResult, convert_block
from typesig.limits.network import (
    MAX_ASKING_SECONDS,
    MAX_CALL_SECONDS,
    MAX_INPUT_ROUNDS,
    MAX_STOP_SECONDS,
)
from typesig.mcp.serving.requests import CURRENT_REQUEST, Request
from typesig.mcp.transport.sdk import get_object_adapter, import_sdk
from typesig.providers.registry.codecs import write_json
from typesig.providers.vendors.mcp import ANY_RESULT
from typesig.tools.foreign.foreign_texts import strip_invisible
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.plain_data import to_plain

# --- Tools that can only be called as a task: start it, wait for it, read its result ---
# The protocol has tasks in 2025-11-25 only.

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
        raise ToolError("the server returned an invalid task; use another tool")
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


#: The errors of the protocol that pass to the host: their names in the SDK.
_FOR_HOST = (
    "CONNECTION_CLOSED", "HEADER_MISMATCH", "INVALID_REQUEST", "METHOD_NOT_FOUND",
    "MISSING_REQUIRED_CLIENT_CAPABILITY", "UNSUPPORTED_PROTOCOL_VERSION",
    "URL_ELICITATION_REQUIRED",
)  # fmt: skip

#: The seconds in which a server that is still there answers a ping.
_PING = 10.0

#: Writes anything, to see whether its texts can be sent.
_ENCODER = json.JSONEncoder(ensure_ascii=False, skipkeys=True, default=repr)

_NO_RESULT = "the server answered with what is no result of a tool; use another tool"


def make_caller(
    session: Any,
    name: str,
    timeout: float | None,
    is_task: bool = False,
    is_described: bool = True,
) -> Callable[..., Awaitable[ToolResult]]:
    """Make the function that calls the tool *name* of the server of *session*.

    *is_task* says whether it can only be called as a task, *is_described* whether it has an output
    schema.
    """
    mcp, types = import_sdk(), import_sdk("mcp_types")
    error_of_protocol = mcp.MCPError
    request, params = types.CallToolRequest, types.CallToolRequestParams
    task = types.TaskMetadata() if is_task else None

    async def call(**arguments: Any) -> ToolResult:
        sent = request(params=params(name=name, arguments=_prepare_arguments(arguments), task=task))
        try:
            found = await _request_result(session, sent, timeout)
            for _ in range(MAX_INPUT_ROUNDS):
                if found.get("resultType") != "input_required":
                    break
                more = await collect_answers(session, found)
                sent = request(params=sent.params.model_copy(update=more))
                found = await _request_result(session, sent, timeout)
        except error_of_protocol as error:
            if error.code == types.PARSE_ERROR:
                # What was sent can be read, so this is about what came back.
                raise ToolError(_NO_RESULT) from None
            if await _is_for_host(session, types, error):
                error.add_note(f"raised by a call of the tool {name} of another server")
                raise
            raise ToolError(_clean_message(error.message)) from error
        result = _read_result(found, session.protocol_version)
        return (
            _add_structured_content(result) if is_described else result._replace(is_described=False)
        )

    return call


async def _request_result(session: Any, sent: Any, timeout: float | None) -> dict[str, Any]:
    """Send the request *sent*; raise `ToolError` if the response is not a result."""
    told = _make_progress_callback(CURRENT_REQUEST.get())
    try:
        # Not `call_tool`, which checks the result with another validator, and raises.
        answer = partial(session.send_request, sent, get_object_adapter(), progress_callback=told)
        found: dict[str, Any] = await run_with_timeout(CURRENT_REQUEST.get(), answer, timeout)
    except import_sdk("pydantic").ValidationError as error:
        if sent.params.task is None:
            return _add_missing_content(error)
        # The SDK knows no tasks.
        inputs = [each["input"] for each in error.errors(include_url=False)]
        found = next((each for each in inputs if isinstance(each, dict) and "task" in each), {})
    if sent.params.task is None or "task" not in found:
        return found
    seconds = MAX_CALL_SECONDS if timeout is None else timeout
    return await await_task_result(session, found["task"], seconds)


def _prepare_arguments(arguments: Mapping[str, Any]) -> Any:
    """Convert *arguments* to JSON data; raise `ToolError` for text that cannot be sent.

    The SDK would end the connection.
    """
    made = to_plain(arguments)
    try:
        _ENCODER.encode(made).encode()
    except UnicodeEncodeError:
        raise ToolError(
            "the arguments have a lone surrogate, which is half a character and cannot be sent; "
            "send whole characters"
        ) from None
    return made


def _make_progress_callback(request: Request | None) -> Callable[..., Awaitable[None]] | None:
    """Make the callback that forwards progress to the client of *request*."""
    if request is None:
        return None

    async def forward_progress(done: float, total: float | None, message: str | None) -> None:
        request.progress(done, total, None if message is None else strip_invisible(message))

    return forward_progress


def _add_missing_content(error: Any) -> dict[str, Any]:
    """Extract the result that the SDK refused by *error* only for missing content.

    The official client in TypeScript takes such results, so there are servers that send them.
    Raises `ToolError` for any other result.
    """
    for each in error.errors(include_url=False):
        found = each["input"]
        if (
            each["type"] == "missing"
            and each["loc"][-1:] == ("content",)
            and isinstance(found, dict)
            and (found.get("structuredContent") is not None or found.get("isError") is True)
        ):
            return {"content": [], **found}
    raise ToolError(_NO_RESULT) from None


def _read_result(found: dict[str, Any], version: str) -> ToolResult:
    """Convert the JSON result *found* to a `ToolResult`; raise `ToolError` on failure."""
    if found.get("resultType", "complete") != "complete":
        text = "the server asks for more than the arguments before it answers; use another tool"
        raise ToolError(text)
    if not _is_result(found, version):
        raise ToolError(_NO_RESULT)
    content, structured = found["content"], found.get("structuredContent")
    if found.get("isError"):
        only_data = not content and structured is not None
        # Blocks that are no texts are written without their bytes.
        told = [write_json(structured)] if only_data else map(convert_block, content)
        text = "\n".join(each if isinstance(each, str) else write_json(each) for each in told)
        raise ToolError(_clean_message(text))
    has_structured = "structuredContent" in found and (
        # Before any value could be one, servers wrote null for none.
        structured is not None or version in ANY_RESULT
    )
    return ToolResult(tuple(content), structured, has_structured, found.get("_meta"))


def _add_structured_content(result: ToolResult) -> ToolResult:
    """Fill in structured content from the only text, if that is JSON."""
    texts = [block.get("text") for block in result.content if block.get("type") == "text"]
    if result.has_structured or len(texts) != 1:
        return result
    try:
        read = read_json(str(texts[0]))
    except BadJson:
        # The check tells what is wrong with it.
        return result
    return result._replace(structured=read, has_structured=True)


def _is_result(found: dict[str, Any], version: str) -> bool:
    """Whether *found* has the fields of a tool result, with the types that are used."""
    content, structured = found.get("content"), found.get("structuredContent")
    return (
        isinstance(content, list)
        and all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content)
        and isinstance(found.get("isError"), bool | None)
        and isinstance(found.get("_meta"), dict | None)
        and (structured is None or isinstance(structured, dict) or version in ANY_RESULT)
    )


def _clean_message(text: str) -> str:
    """Strip invisible characters from an error *text*; replace an empty text."""
    return strip_invisible(text).strip() or "the tool failed and does not say why"


async def _is_for_host(session: Any, types: Any, error: Any) -> bool:
    """Whether the protocol error *error* is raised to the host, not passed to the model."""
    if error.code != types.CONNECTION_CLOSED:
        return error.code in [getattr(types, name) for name in _FOR_HOST]
    # Servers use this code for errors of their own, too: one that answers is there.
    try:
        await session.send_request(types.PingRequest(), types.EmptyResult, _PING)
    except import_sdk().MCPError as other:
        return bool(other.code == types.CONNECTION_CLOSED)
    return False


#: The seconds between two looks at whether a person has answered.
_LOOKING = 0.5

_NO_QUESTION = "the server asks for something that the protocol does not have; use another tool"


@cache
def _get_input_adapter() -> Any:
    """Pydantic adapter for the input that a server requests."""
    return import_sdk("pydantic").TypeAdapter(import_sdk("mcp_types").InputRequiredResult)


async def collect_answers(session: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Answer the input requests in the server's result *found*; return new parameters.

    Raises `ToolError` if something of it cannot be answered.
    """
    try:
        read = _get_input_adapter().validate_python(found, by_name=False)
    except import_sdk("pydantic").ValidationError:
        raise ToolError(_NO_QUESTION) from None
    asked = read.input_requests or {}
    given = await asyncio.gather(
        *[_request_answer(session, key, each) for key, each in asked.items()]
    )
    answers = dict(zip(asked, given, strict=True)) if asked else None
    return {"input_responses": answers, "request_state": read.request_state}


async def _request_answer(session: Any, key: str, request: Any) -> Any:
    """Get the host's answer to *request*, a server's input request under *key*."""
    types, context = import_sdk("mcp_types"), import_sdk("mcp.client.context")
    meta = None if request.params is None else request.params.meta
    about = context.ClientRequestContext(session=session, request_id=key, meta=meta)
    answer = await session.dispatch_input_request(about, request)
    if isinstance(answer, types.ErrorData):
        raise ToolError(
            "the server asks for more than the arguments before it answers, and was not told: "
            f"{strip_invisible(answer.message)}; use another tool"
        )
    return answer


async def run_with_timeout(
    request: Request | None, send: Callable[..., Coroutine[Any, Any, Any]], seconds: float | None
) -> Any:
    """Return the result of *send*; raise the SDK's `MCPError` after *seconds*.

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
        raise import_sdk().MCPError(
            import_sdk("mcp_types").REQUEST_TIMEOUT, "Request 'tools/call' timed out"
        )
    return task.result()
