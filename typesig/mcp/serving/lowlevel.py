"""The SDK's low-level server for a toolset: handlers and server information."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
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
        on_list_tools=partial(_list_tools, server),
        on_call_tool=partial(_call_tool, server),
        on_subscriptions_listen=_listen,
    )
    # The constructor's argument for this warns that 2026-07-28 has it no more.
    made.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _set_level)
    if server.apps:
        listing, reading = partial(_list_pages, server.apps), partial(_read_page, server.apps)
        made.add_request_handler("resources/list", types.PaginatedRequestParams, listing)
        made.add_request_handler("resources/read", types.ReadResourceRequestParams, reading)
        made.extensions[EXTENSION] = {}
    made.middleware.append(partial(_adjust_message, made))
    return made


async def _adjust_message(
    lowlevel: SdkServer[Any], context: ServerRequestContext[Any, Any], call_next: Any
) -> Any:
    """Adjust a message between a client and the SDK's server *lowlevel*.

    Arguments that are no object pass, as text with an object in it.  A client that begins is told
    what the server is once its lifespan function has been entered; over standard input and output,
    the SDK asks for that before.
    """
    if context.method != "initialize":
        return await call_next(_wrap_arguments(context))
    result = await call_next(context)
    told = lowlevel.create_initialization_options()
    able = told.capabilities.model_dump(by_alias=True, mode="json", exclude_none=True)
    instructions = {} if told.instructions is None else {"instructions": told.instructions}
    about = lowlevel.server_info.model_dump(by_alias=True, mode="json", exclude_none=True)
    return {**result, "capabilities": able, "serverInfo": about, **instructions}


async def _list_tools(
    server: ToolServer, context: ServerRequestContext[Any, Any], params: Any
) -> Any:
    """Answer `tools/list` with the tools of *server*."""
    context.lifespan_context.connections.add(get_connection(context))
    made = server.get_projection(context.protocol_version)
    tools = [server.apps.describe(each) for each in made.definitions]
    return {"tools": tools, **(FRESH if is_modern(context) else {})}


async def _list_pages(apps: AppPages, context: ServerRequestContext[Any, Any], params: Any) -> Any:
    """Answer `resources/list` with the pages of *apps*."""
    return {"resources": apps.list_resources(), **(FRESH if is_modern(context) else {})}


async def _read_page(apps: AppPages, context: ServerRequestContext[Any, Any], params: Any) -> Any:
    """Answer `resources/read` with a page of *apps*."""
    found = apps.read_resource(str(params.uri))
    if found is None:
        mcp, types = import_sdk(), import_sdk("mcp_types")
        raise mcp.MCPError(
            types.INVALID_PARAMS,
            f"there is no resource {params.uri}; resources/list names those that there are",
        )
    return {"contents": [found], **(FRESH if is_modern(context) else {})}


async def _call_tool(
    server: ToolServer, context: ServerRequestContext[Any, Any], params: Any
) -> Any:
    """Answer `tools/call` with a result, or the questions, of a tool of *server*."""
    sent = params.arguments
    if isinstance(sent, dict) and list(sent) == [_SENT]:
        sent = sent[_SENT]
    if (why := await server.wait_until_ready()) is not None:
        return _finish_result(context, make_error_result(f"{params.name} cannot be called: {why}"))
    notices = Notices(lambda notice: _send_notice(context, notice))
    calls, call = server.calls, WireCall(None, params.name, sent)
    answers = _read_answers(params)
    if params.request_state is not None:
        state = params.request_state
        return _finish_result(context, await calls.resume(state, call, answers, notices, context))
    questions = make_questions(context, answers)
    client = context.session.client_params
    request = Request(
        notices.post,
        id=context.request_id,
        meta=dict(context.meta or {}),
        client=f"{client.client_info.name} {client.client_info.version}" if client else "",
        context=context,
        ask=questions,
    )
    projection = server.get_projection(context.protocol_version)
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
