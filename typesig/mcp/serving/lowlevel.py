"""The SDK's low-level server of a toolset: its handlers, and what it tells clients of itself."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from typesig.mcp.serving.calling import failed
from typesig.mcp.serving.clients import is_modern, questions_of, refuse_lacking
from typesig.mcp.serving.notices import Notice, Notices
from typesig.mcp.serving.requests import LEVELS, Level, Progress, Request
from typesig.mcp.transport.sdk import sdk
from typesig.mcp.transport.sdk_internals import get_connection
from typesig.providers.rows.calls import WireCall

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server as SdkServer

    from typesig.mcp.serving.calling import Calls
    from typesig.mcp.transport.lifetimes import Kind, Lifetime
    from typesig.providers.projection.projection import Projection

#: The key for what was sent as arguments if it is no object, which the SDK would refuse: the tool's
#: own check mends it, or says what is wrong with it.
_SENT = "what was sent instead of an object"

#: What results have beside their content from 2026-07-28 on: a list may be stale at once.
WHOLE = {"resultType": "complete"}
FRESH = {**WHOLE, "ttlMs": 0, "cacheScope": "private"}

#: Where the least level of the log is kept, in the state of a connection.
_LEVEL = "typesig.level"
_FIRST_LEVEL: Level = "info"

#: How the keys of the protocol itself begin.
_RESERVED = "io.modelcontextprotocol/"


class Ready(Protocol):
    """A function that returns when tools can be called, or why they cannot."""

    def __call__(self) -> Awaitable[str | None]:
        """Wait, and return None or the reason."""
        ...


class Served(Protocol):
    """What clients reach by the SDK's server.

    #: ready: returns when its tools can be called, or why they cannot
    """

    ready: Ready

    @property
    def calls(self) -> Calls:
        """Runs the calls."""
        ...

    @property
    def changing(self) -> tuple[Kind, ...]:
        """The lists that may change while it runs."""
        ...

    def entered(self, _: object = None) -> AbstractAsyncContextManager[Lifetime]:
        """Return one run of the server."""
        ...

    def projection(self, version: str) -> Projection:
        """Return the tools as clients of *version* of the protocol take them."""
        ...

    def schema_of(self, name: str) -> Mapping[str, Any] | None:
        """Return the schema of the arguments of the tool called *name*, or None."""
        ...


def lowlevel_of(server: Served, about: Mapping[str, Any]) -> SdkServer[Any]:
    """Return the SDK's server for *server*; *about* is what it tells clients of itself."""
    lowlevel, types = sdk("mcp.server.lowlevel"), sdk("mcp_types")

    class Announcing(lowlevel.Server):  # type: ignore[misc,name-defined]
        """A server that says which of its lists may change, over HTTP too."""

        def create_initialization_options(
            self, options: Any = None, *more: Any, **named: Any
        ) -> Any:
            changing = {f"{kind}_changed": True for kind in server.changing}
            told = options or lowlevel.NotificationOptions(**changing)
            return super().create_initialization_options(told, *more, **named)

    made = Announcing(
        **about,
        lifespan=server.entered,
        get_tool_input_schema=server.schema_of,
        on_list_tools=_Listing(server),
        on_call_tool=_Calling(server),
        on_subscriptions_listen=_listen,
    )
    # The constructor's argument for this warns that 2026-07-28 has it no more.
    made.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _set_level)
    made.middleware.append(_Passing(made))
    return made


class _Passing:
    """Changes what passes between a client and the SDK's server.

    Arguments that are no object pass, as text with an object in it.  A client that begins is told
    what the server is once its lifespan function has been entered; over standard input and output,
    the SDK asks for that before.
    """

    __slots__ = ("_lowlevel",)

    def __init__(self, lowlevel: SdkServer[Any]) -> None:
        self._lowlevel = lowlevel

    def __call__(self, context: ServerRequestContext[Any, Any], call_next: Any) -> Awaitable[Any]:
        if context.method == "initialize":
            return self._introduced(context, call_next)
        passing: Awaitable[Any] = call_next(_any_arguments(context))
        return passing

    async def _introduced(self, context: ServerRequestContext[Any, Any], call_next: Any) -> Any:
        result = await call_next(context)
        told = self._lowlevel.create_initialization_options()
        able = told.capabilities.model_dump(by_alias=True, mode="json", exclude_none=True)
        instructions = {} if told.instructions is None else {"instructions": told.instructions}
        about = self._lowlevel.server_info.model_dump(by_alias=True, mode="json", exclude_none=True)
        return {**result, "capabilities": able, "serverInfo": about, **instructions}


class _Listing:
    """Answers `tools/list`."""

    __slots__ = ("_server",)

    def __init__(self, server: Served) -> None:
        self._server = server

    async def __call__(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        context.lifespan_context.connections.add(get_connection(context))
        made = self._server.projection(context.protocol_version)
        return {"tools": list(made.definitions), **(FRESH if is_modern(context) else {})}


class _Calling:
    """Answers `tools/call`."""

    __slots__ = ("_server",)

    def __init__(self, server: Served) -> None:
        self._server = server

    async def __call__(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        sent = params.arguments
        if isinstance(sent, dict) and list(sent) == [_SENT]:
            sent = sent[_SENT]
        if (why := await self._server.ready()) is not None:
            return _finished(context, failed(f"{params.name} cannot be called: {why}"))
        notices = Notices(lambda notice: _told(context, notice))
        calls, call = self._server.calls, WireCall(None, params.name, sent)
        answers = _answers_in(params)
        if params.request_state is not None:
            state = params.request_state
            return _finished(context, await calls.go_on(state, call, answers, notices, context))
        questions = questions_of(context, answers)
        request = Request(
            notices.post,
            id=context.request_id,
            meta=dict(context.meta or {}),
            client=_client_of(context),
            context=context,
            ask=questions,
        )
        projection = self._server.projection(context.protocol_version)
        values = context.lifespan_context.values
        made = await calls.answer(projection, call, request, questions, notices, values)
        if is_modern(context):
            refuse_lacking(questions, made)
        return _finished(context, made)


def _finished(context: ServerRequestContext[Any, Any], made: dict[str, Any]) -> dict[str, Any]:
    """Return the result *made* as the client of *context* takes it."""
    result = passed(made)
    return {**WHOLE, **result} if is_modern(context) else result


def _answers_in(params: Any) -> dict[str, Any]:
    """Return the answers of a client that come with *params*, by the keys of the questions."""
    found = params.input_responses or {}
    return {
        key: each.model_dump(by_alias=True, mode="json", exclude_none=True)
        for key, each in found.items()
    }


def passed(result: dict[str, Any]) -> dict[str, Any]:
    """Return *result* without what another server says in it of its connection to this one."""
    meta = result.get("_meta")
    if not isinstance(meta, dict):
        return result
    own = {key: each for key, each in meta.items() if not key.startswith(_RESERVED)}
    return {**result, "_meta": own}


async def _listen(context: ServerRequestContext[Any, Any], params: Any) -> Any:
    return await context.lifespan_context.listen(context, params)


async def _set_level(context: ServerRequestContext[Any, Any], params: Any) -> Any:
    get_connection(context).state[_LEVEL] = params.level
    return {}


def _any_arguments(context: ServerRequestContext[Any, Any]) -> ServerRequestContext[Any, Any]:
    """Return *context* with an object in place of arguments that are none."""
    params = context.params
    if context.method == "tools/call" and isinstance(params, Mapping):
        sent = params.get("arguments")
        if sent is not None and not isinstance(sent, dict):
            return replace(context, params={**params, "arguments": {_SENT: sent}})
    return context


async def _told(context: ServerRequestContext[Any, Any], notice: Notice) -> None:
    """Tell the client of *context* the *notice*, if it wants to be told."""
    if isinstance(notice, Progress):
        await context.session.report_progress(*notice)
    elif notice.level in _levels_of(context):
        types = sdk("mcp_types")
        params = types.LoggingMessageNotificationParams(**notice._asdict())
        entry = types.LoggingMessageNotification(params=params)
        await context.session.send_notification(entry, context.request_id)


def _levels_of(context: ServerRequestContext[Any, Any]) -> Any:
    """Return the levels of messages that the client of *context* wants in its log."""
    if is_modern(context):
        # There each request asks for its own.
        levels = sdk("mcp.server.connection").allowed_log_levels
        return levels(context.protocol_version, context.meta)
    return LEVELS[LEVELS.index(get_connection(context).state.get(_LEVEL, _FIRST_LEVEL)) :]


def _client_of(context: ServerRequestContext[Any, Any]) -> str:
    """Return the name and the version that the client of *context* gives for itself."""
    params = context.session.client_params
    return "" if params is None else f"{params.client_info.name} {params.client_info.version}"
