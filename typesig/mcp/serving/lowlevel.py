"""The SDK's low-level server for a toolset: handlers and server information."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from typesig.mcp.serving.apps import EXTENSION, AppPages
from typesig.mcp.serving.call_runner import Notice, Notices, make_error_result
from typesig.mcp.serving.questions import is_modern, make_questions, refuse_lacking
from typesig.mcp.serving.requests import LEVELS, Level, Progress, Request
from typesig.mcp.transport.sdk import get_connection, import_sdk
from typesig.providers.registry.calls import WireCall

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server as SdkServer

    from typesig.mcp.serving.call_runner import Calls
    from typesig.mcp.transport.lifespans import Kind, Lifetime
    from typesig.providers.projection.projection import Projection

#: The key for arguments that are not an object, which the SDK would refuse: the tool's own check
#: repairs them or reports the mistake.
_SENT = "what was sent instead of an object"

#: What results have beside their content from 2026-07-28 on: a list may be stale at once.
WHOLE = {"resultType": "complete"}
FRESH = {**WHOLE, "ttlMs": 0, "cacheScope": "private"}

#: Where the least level of the log is kept, in the state of a connection.
_LEVEL = "typesig.level"
_FIRST_LEVEL: Level = "info"

#: How the keys of the protocol itself begin.
_RESERVED = "io.modelcontextprotocol/"


class ReadinessCheck(Protocol):
    """A function that waits until tools can be called, or returns why they cannot."""

    def __call__(self) -> Awaitable[str | None]:
        """Wait, and return None or the reason."""
        ...


class ToolServer(Protocol):
    """Protocol of a served toolset, as the SDK's request handlers need it.

    #: ready: returns when its tools can be called, or why they cannot
    """

    wait_until_ready: ReadinessCheck

    @property
    def apps(self) -> AppPages:
        """The pages that clients show for results."""
        ...

    @property
    def calls(self) -> Calls:
        """The runner of the server's tool calls."""
        ...

    @property
    def changing(self) -> tuple[Kind, ...]:
        """Kinds of lists that may change while the server runs."""
        ...

    def start_lifetime(self, _: object = None) -> AbstractAsyncContextManager[Lifetime]:
        """Start one run of the server."""
        ...

    def get_projection(self, version: str) -> Projection:
        """Tools as listed to clients of *version* of the protocol."""
        ...

    def find_schema(self, name: str) -> Mapping[str, Any] | None:
        """Schema of the arguments of the tool *name*, or None."""
        ...


def make_lowlevel_server(server: ToolServer, about: Mapping[str, Any]) -> SdkServer[Any]:
    """Build the SDK's server object that serves *server*, described by *about*."""
    lowlevel, types = import_sdk("mcp.server.lowlevel"), import_sdk("mcp_types")

    class ChangeAnnouncer(lowlevel.Server):  # type: ignore[misc,name-defined]
        """A server that says which of its lists may change, over HTTP too."""

        def create_initialization_options(
            self, options: Any = None, *more: Any, **named: Any
        ) -> Any:
            changing = {f"{kind}_changed": True for kind in server.changing}
            told = options or lowlevel.NotificationOptions(**changing)
            return super().create_initialization_options(told, *more, **named)

    made = ChangeAnnouncer(
        **about,
        lifespan=server.start_lifetime,
        get_tool_input_schema=server.find_schema,
        on_list_tools=_ListToolsHandler(server),
        on_call_tool=_CallToolHandler(server),
        on_subscriptions_listen=_listen,
    )
    # The constructor's argument for this warns that 2026-07-28 has it no more.
    made.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _set_level)
    if server.apps:
        listing, reading = _ListPagesHandler(server.apps), _ReadPageHandler(server.apps)
        made.add_request_handler("resources/list", types.PaginatedRequestParams, listing)
        made.add_request_handler("resources/read", types.ReadResourceRequestParams, reading)
        made.extensions[EXTENSION] = {}
    made.middleware.append(_Middleware(made))
    return made


class _Middleware:
    """Adjusts messages between a client and the SDK's server.

    Arguments that are no object pass, as text with an object in it.  A client that begins is told
    what the server is once its lifespan function has been entered; over standard input and output,
    the SDK asks for that before.
    """

    __slots__ = ("_lowlevel",)

    def __init__(self, lowlevel: SdkServer[Any]) -> None:
        self._lowlevel = lowlevel

    def __call__(self, context: ServerRequestContext[Any, Any], call_next: Any) -> Awaitable[Any]:
        if context.method == "initialize":
            return self._add_server_info(context, call_next)
        passing: Awaitable[Any] = call_next(_wrap_arguments(context))
        return passing

    async def _add_server_info(
        self, context: ServerRequestContext[Any, Any], call_next: Any
    ) -> Any:
        """Add server info, capabilities and instructions to an `initialize` result."""
        result = await call_next(context)
        told = self._lowlevel.create_initialization_options()
        able = told.capabilities.model_dump(by_alias=True, mode="json", exclude_none=True)
        instructions = {} if told.instructions is None else {"instructions": told.instructions}
        about = self._lowlevel.server_info.model_dump(by_alias=True, mode="json", exclude_none=True)
        return {**result, "capabilities": able, "serverInfo": about, **instructions}


class _ListToolsHandler:
    """Answers `tools/list`."""

    __slots__ = ("_server",)

    def __init__(self, server: ToolServer) -> None:
        self._server = server

    async def __call__(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        context.lifespan_context.connections.add(get_connection(context))
        made = self._server.get_projection(context.protocol_version)
        tools = [self._server.apps.describe(each) for each in made.definitions]
        return {"tools": tools, **(FRESH if is_modern(context) else {})}


class _ListPagesHandler:
    """Answers `resources/list` with the pages of apps."""

    __slots__ = ("_apps",)

    def __init__(self, apps: AppPages) -> None:
        self._apps = apps

    async def __call__(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        found = {"resources": self._apps.list_resources()}
        return {**found, **(FRESH if is_modern(context) else {})}


class _ReadPageHandler:
    """Answers `resources/read` with the page of an app."""

    __slots__ = ("_apps",)

    def __init__(self, apps: AppPages) -> None:
        self._apps = apps

    async def __call__(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        found = self._apps.read_resource(str(params.uri))
        if found is None:
            mcp, types = import_sdk(), import_sdk("mcp_types")
            raise mcp.MCPError(types.INVALID_PARAMS, f"there is no resource {params.uri}")
        return {"contents": [found], **(FRESH if is_modern(context) else {})}


class _CallToolHandler:
    """Answers `tools/call`."""

    __slots__ = ("_server",)

    def __init__(self, server: ToolServer) -> None:
        self._server = server

    async def __call__(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        sent = params.arguments
        if isinstance(sent, dict) and list(sent) == [_SENT]:
            sent = sent[_SENT]
        if (why := await self._server.wait_until_ready()) is not None:
            return _finish_result(
                context, make_error_result(f"{params.name} cannot be called: {why}")
            )
        notices = Notices(lambda notice: _send_notice(context, notice))
        calls, call = self._server.calls, WireCall(None, params.name, sent)
        answers = _read_answers(params)
        if params.request_state is not None:
            state = params.request_state
            return _finish_result(
                context, await calls.resume(state, call, answers, notices, context)
            )
        questions = make_questions(context, answers)
        request = Request(
            notices.post,
            id=context.request_id,
            meta=dict(context.meta or {}),
            client=_format_client(context),
            context=context,
            ask=questions,
        )
        projection = self._server.get_projection(context.protocol_version)
        values = context.lifespan_context.values
        made = await calls.answer(projection, call, request, questions, notices, values)
        if is_modern(context):
            refuse_lacking(questions, made)
        return _finish_result(context, made)


def _finish_result(context: ServerRequestContext[Any, Any], made: dict[str, Any]) -> dict[str, Any]:
    """Complete the result *made* for the protocol version of *context*."""
    result = drop_reserved_meta(made)
    return {**WHOLE, **result} if is_modern(context) else result


def _read_answers(params: Any) -> dict[str, Any]:
    """Read the client's answers from the request *params*, by question key."""
    found = params.input_responses or {}
    return {
        key: each.model_dump(by_alias=True, mode="json", exclude_none=True)
        for key, each in found.items()
    }


def drop_reserved_meta(result: dict[str, Any]) -> dict[str, Any]:
    """Drop the `_meta` keys of *result* that belong to another connection."""
    meta = result.get("_meta")
    if not isinstance(meta, dict):
        return result
    own = {key: each for key, each in meta.items() if not key.startswith(_RESERVED)}
    return {**result, "_meta": own}


async def _listen(context: ServerRequestContext[Any, Any], params: Any) -> Any:
    """Handle a client's subscription to list changes; *params* are the SDK's."""
    return await context.lifespan_context.listen(context, params)


async def _set_level(context: ServerRequestContext[Any, Any], params: Any) -> Any:
    """Store the log level in *params* for the client's connection."""
    get_connection(context).state[_LEVEL] = params.level
    return {}


def _wrap_arguments(context: ServerRequestContext[Any, Any]) -> ServerRequestContext[Any, Any]:
    """Wrap tool arguments in *context* that are no JSON object in an object."""
    params = context.params
    if context.method == "tools/call" and isinstance(params, Mapping):
        sent = params.get("arguments")
        if sent is not None and not isinstance(sent, dict):
            return replace(context, params={**params, "arguments": {_SENT: sent}})
    return context


async def _send_notice(context: ServerRequestContext[Any, Any], notice: Notice) -> None:
    """Send *notice* to the client of *context*, if it subscribed."""
    if isinstance(notice, Progress):
        await context.session.report_progress(*notice)
    elif notice.level in _get_log_levels(context):
        types = import_sdk("mcp_types")
        params = types.LoggingMessageNotificationParams(**notice._asdict())
        entry = types.LoggingMessageNotification(params=params)
        await context.session.send_notification(entry, context.request_id)


def _get_log_levels(context: ServerRequestContext[Any, Any]) -> Any:
    """Log levels that the client of *context* has asked for."""
    if is_modern(context):
        # There each request asks for its own.
        levels = import_sdk("mcp.server.connection").allowed_log_levels
        return levels(context.protocol_version, context.meta)
    return LEVELS[LEVELS.index(get_connection(context).state.get(_LEVEL, _FIRST_LEVEL)) :]


def _format_client(context: ServerRequestContext[Any, Any]) -> str:
    """Name and version of the client of *context*."""
    params = context.session.client_params
    return "" if params is None else f"{params.client_info.name} {params.client_info.version}"
