"""Connections to servers that a command starts, or at a URL."""

from __future__ import annotations

import asyncio
import inspect
import json
import shlex
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeAlias

from typesig.calls.functions import ToolError
from typesig.errors import TypesigError, format_value
from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits.network import MAX_ANSWER
from typesig.mcp.client.command_transport import OnEnd, start_server
from typesig.mcp.client.http_client import make_http_client
from typesig.mcp.client.tool_list import (
    OnChange,
    Path,
    listen,
    make_message_handler,
    notify_all,
    set_pin,
)
from typesig.mcp.transport.frames import StreamWrapper
from typesig.mcp.transport.lifespans import LOG, get_first_error
from typesig.mcp.transport.sdk import get_object_adapter, import_sdk
from typesig.providers.vendors.mcp import ANY_RESULT
from typesig.tools.foreign.foreign_texts import strip_invisible

if TYPE_CHECKING:
    import os

    from mcp import ClientSession


# --- Replace content blocks that the SDK does not know, which would fail the whole result ---

#: Characters of a block of unknown type that a model reads.
_SHOWN = 2_000


@cache
def _get_block_adapter() -> Any:
    """Return pydantic's adapter for a block of content."""
    return import_sdk("pydantic").TypeAdapter(import_sdk("mcp_types").ContentBlock)


def replace_unknown_blocks(result: Any) -> Any:
    """Return *result* with a text in place of each unknown block, and an empty list for null.

    Only the result of a tool has content that is a list.
    """
    if not isinstance(result, dict) or "content" not in result:
        return result
    content = result["content"]
    if content is None:
        return {**result, "content": []}
    if not isinstance(content, list):
        return result
    blocks = [_replace_unknown_block(block) for block in content]
    return (
        result
        if all(a is b for a, b in zip(blocks, content, strict=True))
        else {
            **result,
            "content": blocks,
        }
    )


def _replace_unknown_block(block: Any) -> Any:
    """Return the content *block*, as a text block if its type is unknown to the SDK."""
    kind = block.get("type") if isinstance(block, dict) else None
    if kind == "text" and isinstance(block.get("text"), str):
        return block
    try:
        if isinstance(kind, str):
            _get_block_adapter().validate_python(block, by_name=False)
            return block
    except ValueError:
        pass
    try:
        text = strip_invisible(json.dumps(block, ensure_ascii=False))
    except RecursionError:
        text = "nested too deep"
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return {"type": "text", "text": f"(a block of content of an unknown type: {shown})"}


class _KnownBlockStream(StreamWrapper):
    """A message stream whose results contain only blocks that the SDK knows."""

    async def receive(self) -> Any:
        """Return the next message."""
        return _replace_in_message(await self._stream.receive())


def _replace_in_message(item: Any) -> Any:
    """Replace unknown content blocks if *item* is a JSON-RPC response."""
    message: Any = getattr(item, "message", None)
    if isinstance(message, import_sdk("mcp_types").JSONRPCResponse):
        result = replace_unknown_blocks(message.result)
        if result is not message.result:
            message.result = result
    return item


@asynccontextmanager
async def wrap_transport(transport: Any) -> AsyncIterator[Any]:
    """Open *transport* with unknown blocks in results replaced by text."""
    async with transport as (read, *rest):
        yield (_KnownBlockStream(read), *rest)


#: The seconds that a server may take for an answer: the limit of several hosts.
TIMEOUT = 60.0

#: What begins an address; everything else is a command.
_SCHEMES = ("http://", "https://")


@asynccontextmanager
async def connect(
    server: str | Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT,
    errlog: TextIO | None = None,
    on_change: OnChange | None = None,
    lock: Path | None = None,
    keep_locked: bool = False,
    on_end: OnEnd | None = None,
    on_elicit: Answer | None = None,
    on_sample: Answer | None = None,
    on_roots: Answer | None = None,
    on_log: Answer | None = None,
) -> AsyncIterator[ClientSession]:
    """Connect to *server*, a command or an address, within an `async with` over the session.

    A command is split as a POSIX shell would split it, or given in parts; no shell sees it.  Its
    environment has the user's name, home, shell, terminal and `PATH`, and *env*; it runs in *cwd*
    and writes its errors to *errlog*, by default `sys.stderr`.  It has ended when the block has.
    *headers* are sent to an address, to which redirects are bound; when the server there has
    forgotten the session, another one begins, and all lists have changed.  *timeout* is how many
    seconds an answer may take.  *on_change* is called with "tools", "resources" or "prompts" when
    the list of these has changed, *on_end* with the reason when the process of a command has ended,
    or closed its output, before the block has.  *on_elicit*, *on_sample* and *on_roots* answer what
    the server asks the person, a model and for folders: functions, maybe coroutine functions, from
    the params of the request to its result, JSON data; a `ToolError` is told to the server.
    *on_log* is called with each entry of the server's log.  *lock* and *keep_locked* are those of
    `tools_from` with the session.  Raises `TypesigError` for a server that does not answer.
    """
    raised: BaseException | None = None
    try:
        async with AsyncExitStack() as stack:
            started_by = env, cwd, errlog, on_end
            transport = await _open_transport(stack, server, headers, on_change, *started_by)
            answers = AnswerCallbacks(on_elicit, on_sample, on_roots, on_log)
            session = await _open_session(stack, transport, server, timeout, on_change, answers)
            set_pin(session, lock, keep_locked)
            try:
                yield session
            except BaseException as error:
                raised = error
                raise
    except BaseExceptionGroup as group:
        # The tasks of the connection put what the block raises into a group.
        if raised is None or not _is_only(group, raised):
            raise
        raise raised from None


async def _open_transport(
    stack: AsyncExitStack,
    server: str | Sequence[str],
    headers: Mapping[str, str] | None,
    on_change: OnChange | None,
    env: Mapping[str, str] | None,
    cwd: str | os.PathLike[str] | None,
    errlog: TextIO | None,
    on_end: OnEnd | None,
) -> Any:
    """Open the transport to *server*; refuse command options for URLs and vice versa."""
    if isinstance(server, str) and server.startswith(_SCHEMES):
        _check(env is None and cwd is None, "env and cwd are for a command, not for an address")
        renewed = None if on_change is None else partial(notify_all, on_change)
        return await _make_http_transport(stack, server, headers or {}, renewed)
    _check(headers is None, "headers are for an address, not for a command")
    return _make_command_transport(server, env, cwd, errlog, on_end)


def _check(is_right: bool, message: str) -> None:
    """Raise `TypesigError` with *message* unless the condition *is_right* holds."""
    if not is_right:
        raise TypesigError(message)


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return the program and the arguments of *command*; raise `TypesigError` if there are none."""
    try:
        parts = shlex.split(command) if isinstance(command, str) else [*map(str, command)]
    except ValueError as error:
        raise TypesigError(
            f"the command {format_value(command)} cannot be split: {str(error).lower()}; close the "
            "quotation, or give the parts in a list"
        ) from None
    if not parts or not parts[0]:
        raise TypesigError(
            'the command is empty: write the program and its arguments, as in "npx -y …", or an '
            "address that begins with https://"
        )
    return parts


def _make_command_transport(
    command: str | Sequence[str],
    env: Mapping[str, str] | None,
    cwd: str | os.PathLike[str] | None,
    errlog: TextIO | None,
    on_end: OnEnd | None,
) -> Any:
    """Return the transport of the server that *command* starts."""
    program, *args = split_command(command)
    stdio = import_sdk("mcp.client.stdio")
    given = None if env is None else dict(env)
    folder = None if cwd is None else str(cwd)
    asked = stdio.StdioServerParameters(command=program, args=args, env=given, cwd=folder)
    return start_server(asked, sys.stderr if errlog is None else errlog, on_end)


async def _make_http_transport(
    stack: AsyncExitStack,
    url: str,
    headers: Mapping[str, str],
    renewed: Callable[[], object] | None,
) -> Any:
    """Build the HTTP transport to the server at *url*, with *headers* in every request."""
    client = await stack.enter_async_context(make_http_client(headers, renewed))
    return import_sdk("mcp.client.streamable_http").streamable_http_client(
        url, http_client=client, max_sse_event_size=MAX_ANSWER
    )


async def _open_session(
    stack: AsyncExitStack,
    transport: Any,
    server: object,
    timeout: float,
    on_change: OnChange | None,
    answers: AnswerCallbacks,
) -> Any:
    """Open an initialised session over *transport*."""
    mcp = import_sdk()
    told = None if on_change is None else make_message_handler(on_change)
    options = {"read_timeout_seconds": timeout, "message_handler": told, **answers.make_options()}
    client = mcp.Client(wrap_transport(transport), **options)
    try:
        entered = await stack.enter_async_context(client)
    except (Exception, BaseExceptionGroup) as error:
        why = get_exception_message(get_first_error(error))
        text = f"{format_value(server)} does not answer as a server of MCP: {why}"
        raise TypesigError(text) from error
    if on_change is not None and entered.protocol_version in ANY_RESULT:
        task = asyncio.get_running_loop().create_task(listen(entered.session, on_change))
        stack.callback(task.cancel)
    if answers.on_log is not None:
        await ask_for_logs(entered.session)
    return entered.session


def _is_only(error: BaseException, raised: BaseException) -> bool:
    """Whether *error* is the exception *raised*, or nested groups of only *raised*."""
    while isinstance(error, BaseExceptionGroup) and error is not raised:
        if len(error.exceptions) != 1:
            return False
        error = error.exceptions[0]
    return error is raised


#: Is called with the params of a request, JSON data, and returns the result, which may be awaited.
Answer: TypeAlias = Callable[[dict[str, Any]], Any]


class AnswerCallbacks(NamedTuple):
    """Callbacks that answer requests of a server; None for an unsupported request."""

    on_elicit: Answer | None = None
    on_sample: Answer | None = None
    on_roots: Answer | None = None
    on_log: Answer | None = None

    def make_options(self) -> dict[str, Any]:
        """Build the callback arguments of the SDK's client session."""
        callbacks = (
            ("elicitation_callback", self.on_elicit, "ElicitResult"),
            ("sampling_callback", self.on_sample, "CreateMessageResult"),
            ("list_roots_callback", self.on_roots, "ListRootsResult"),
            ("logging_callback", self.on_log, None),
        )
        found = {name: _AnswerCallback(each, model) for name, each, model in callbacks if each}
        # Everything is logged; whoever shows it chooses.
        return found if self.on_log is None else {**found, "log_level": "debug"}


async def ask_for_logs(session: Any) -> None:
    """Ask the server of *session* for all log messages, if it supports levels."""
    types = import_sdk("mcp_types")
    if session.server_capabilities.logging is not None and session.initialize_result is not None:
        params = types.SetLevelRequestParams(level="debug")
        with suppress(import_sdk().MCPError):
            await session.send_request(types.SetLevelRequest(params=params), get_object_adapter())


class _AnswerCallback:
    """Adapts *answer* to the SDK's callbacks; *model* names the result, or is None for logs."""

    __slots__ = ("_answer", "_model")

    def __init__(self, answer: Answer, model: str | None) -> None:
        self._answer = answer
        self._model = model

    async def __call__(self, *given: Any) -> Any:
        types = import_sdk("mcp_types")
        # The context comes first, except for logs; there is no more for folders.
        params = given[-1] if self._model is None or len(given) > 1 else None
        sent = (
            {}
            if params is None
            else params.model_dump(by_alias=True, mode="json", exclude_none=True)
        )
        try:
            made = self._answer(sent)
            found = await made if inspect.isawaitable(made) else made
            return None if self._model is None else self._read(found)
        except ToolError as error:
            return types.ErrorData(code=types.INVALID_REQUEST, message=str(error))
        except import_sdk().MCPError as error:
            return error.error
        except import_sdk("pydantic").ValidationError:
            LOG.error("what a server asked was answered with what is no answer")
            return types.ErrorData(code=types.INTERNAL_ERROR, message="there is no valid answer")
        except Exception as error:
            # The function is the host's, and may raise anything; the connection goes on.
            LOG.error("what a server asked, or its log, made a function raise", exc_info=error)
            return types.ErrorData(code=types.INTERNAL_ERROR, message="the client failed")

    def _read(self, found: Any) -> Any:
        """Convert the host's answer *found* to the SDK's result model."""
        types = import_sdk("mcp_types")
        several = isinstance(found, Mapping) and isinstance(found.get("content"), list)
        name = f"{self._model}WithTools" if several and "role" in found else str(self._model)
        return getattr(types, name).model_validate(found, by_name=False)
