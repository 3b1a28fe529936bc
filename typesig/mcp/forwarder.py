"""Forward resources, prompts and completions of the upstream server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.calls.functions import ToolError
from typesig.errors import Unsupported
from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits.network import MAX_RESTART_SECONDS, MAX_RESTARTS, MIN_RUN_SECONDS
from typesig.mcp.client.connection import connect
from typesig.mcp.serving.lowlevel import FRESH, WHOLE, drop_reserved_meta
from typesig.mcp.serving.questions import is_modern
from typesig.mcp.serving.requests import CURRENT_REQUEST, Request
from typesig.mcp.transport.lifespans import LOG, Kind
from typesig.mcp.transport.sdk import get_connection, get_object_adapter, import_sdk
from typesig.tools.foreign.foreign_texts import (
    is_plain_name,
    strip_invisible,
    strip_invisible_line,
    strip_schema,
)

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server as SdkServer

    from typesig.providers.projection.call_handler import OnException
    from typesig.providers.registry.calls import WireCall


class ForwardedMethod(NamedTuple):
    """A method that is forwarded to the upstream server.

    #: request, params: their names in the SDK; items: the key of the list in a result, or None
    #: ability: what a server says of itself that has the method
    """

    request: str
    params: str
    ability: str
    items: str | None = None


METHODS = {
    "completion/complete": ForwardedMethod(
        "CompleteRequest", "CompleteRequestParams", "completions"
    ),
    "prompts/get": ForwardedMethod("GetPromptRequest", "GetPromptRequestParams", "prompts"),
    "prompts/list": ForwardedMethod(
        "ListPromptsRequest", "PaginatedRequestParams", "prompts", "prompts"
    ),
    "resources/list": ForwardedMethod(
        "ListResourcesRequest", "PaginatedRequestParams", "resources", "resources"
    ),
    "resources/read": ForwardedMethod(
        "ReadResourceRequest", "ReadResourceRequestParams", "resources"
    ),
    "resources/templates/list": ForwardedMethod(
        "ListResourceTemplatesRequest", "PaginatedRequestParams", "resources", "resourceTemplates"
    ),
}

#: What of a request is for the connection that it came by.
_OWN = {"meta": None, "input_responses": None, "request_state": None}


def pass_on(lowlevel: SdkServer[Any], link: Link, abilities: Any) -> tuple[Kind, ...]:
    """Register handlers on *lowlevel* that forward to the upstream server of *link*.

    *abilities* are what that server says that it has.
    """
    types = import_sdk("mcp_types")
    for name, method in METHODS.items():
        if getattr(abilities, method.ability) is not None:
            params = getattr(types, method.params)
            lowlevel.add_request_handler(name, params, _ForwardingHandler(link, name, method))
    found: list[Kind] = []
    for kind in ("prompts", "resources"):
        ability = getattr(abilities, kind)
        if ability is not None and ability.list_changed:
            found.append(kind)
    return tuple(found)


class _ForwardingHandler:
    """Handles one method by forwarding it to the server of *link*."""

    __slots__ = ("_link", "_method", "_name")

    def __init__(self, link: Link, name: str, method: ForwardedMethod) -> None:
        self._link = link
        self._name = name
        self._method = method

    async def __call__(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        context.lifespan_context.connections.add(get_connection(context))
        found = _clean_result(self._method, drop_reserved_meta(await self._forward(params)))
        if not is_modern(context):
            return found
        is_fresh = self._name not in ("completion/complete", "prompts/get")
        return {**(FRESH if is_fresh else WHOLE), **found}

    async def _forward(self, params: Any) -> dict[str, Any]:
        """Return the upstream server's result for *params*, or raise `MCPError`."""
        mcp, types = import_sdk(), import_sdk("mcp_types")
        own = {name: None for name in _OWN if name in type(params).model_fields}
        request = getattr(types, self._method.request)(params=params.model_copy(update=own))
        if (why := await self._link.wait_until_ready()) is not None:
            raise mcp.MCPError(types.INTERNAL_ERROR, why)
        try:
            found: dict[str, Any] = await self._link.session.send_request(
                request, get_object_adapter()
            )
        except mcp.MCPError as error:
            code, text = error.code, strip_invisible(error.message)
            if code == types.CONNECTION_CLOSED:
                # To a client, that would be its own connection.
                code, text = types.INTERNAL_ERROR, "the other server cannot be reached"
            raise mcp.MCPError(code, text, error.error.data) from error
        except import_sdk("pydantic").ValidationError as error:
            text = "the other server answered with what is no result"
            raise mcp.MCPError(types.INTERNAL_ERROR, text) from error
        if found.get("resultType", "complete") != "complete":
            text = "the other server asks for more before it answers"
            raise mcp.MCPError(types.INTERNAL_ERROR, text)
        return found


def _clean_result(method: ForwardedMethod, found: dict[str, Any]) -> dict[str, Any]:
    """Remove invisible characters from the texts of the result *found* of *method*.

    What a name, an address or a value hides cannot be removed without changing which one it is, so
    such an item is left out.  What is read is data, and stays as it is.
    """
    if method.items is not None:
        items = [_clean_item(each) for each in found[method.items]]
        return {**found, method.items: [each for each in items if each is not None]}
    if isinstance(found.get("completion"), Mapping):
        values = [each for each in found["completion"]["values"] if is_plain_name(each)]
        return {**found, "completion": {**found["completion"], "values": values}}
    if isinstance(found.get("description"), str):
        return {**found, "description": strip_invisible(found["description"])}
    return found


def _clean_item(item: dict[str, Any]) -> Any:
    """Strip invisible characters from *item*; None if its name or a value has any."""
    try:
        if not is_plain_name(item["name"]):
            raise Unsupported("its name has characters that are not seen")
        return strip_schema(item)
    except (Unsupported, RecursionError) as error:
        LOG.warning("not passed on: %s: %s", strip_invisible_line(item["name"]), error)
        return None


# --- Forward requests and log messages of the upstream server to the client of the call ---

#: What of a request is for the connection that it came by.
_PROTOCOL_KEYS = ("_meta", "task")


class ClientForwarder:
    """Forwarder of the upstream server's requests to the client whose call is running."""

    __slots__ = ("_running",)

    def __init__(self, running: Callable[[], list[Request]]) -> None:
        self._running = running

    def make_options(self) -> dict[str, Any]:
        """Build the options of `connect` that forward requests to the client."""
        return {
            "on_elicit": self._elicit,
            "on_sample": self._sample,
            "on_roots": self._list_roots,
            "on_log": self._log,
        }

    def _request(self) -> Request:
        """Find the request whose client to ask; raise `ToolError` if it is ambiguous.

        The protocol of 2025-11-25 does not say which call a question belongs to, and another client
        must not be asked.
        """
        own, requests = CURRENT_REQUEST.get(), self._running()
        # The SDK runs this in the context of the sender, which may be a server of this process.
        if own is not None and any(own is each for each in requests):
            return own
        running = {id(get_connection(each.context)): each for each in requests}
        if not running:
            raise ToolError("nobody can be asked: no call of a client is running")
        if len(running) > 1:
            raise ToolError("nobody can be asked: calls of several clients are running")
        return running.popitem()[1]

    async def _elicit(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Forward an elicitation with *params* to the client, without invisible text."""
        sent = _drop_own_keys(params)
        sent["message"] = strip_invisible(sent["message"])
        if sent.get("mode") == "url":
            if not is_plain_name(sent["url"]):
                raise ToolError("the address has characters that are not seen")
        else:
            try:
                sent["requestedSchema"] = strip_schema(sent["requestedSchema"])
            except (Unsupported, RecursionError) as error:
                raise ToolError(f"the form cannot be shown: {error}") from None
        return await self._request().aask("elicitation/create", sent)

    async def _sample(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Forward a sampling request with *params* to the client and return its answer."""
        sent = _drop_own_keys(params)
        if "systemPrompt" in sent:
            sent["systemPrompt"] = strip_invisible(sent["systemPrompt"])
        sent["messages"] = [
            {**each, "content": _clean_content(each["content"])} for each in sent["messages"]
        ]
        return await self._request().aask("sampling/createMessage", sent)

    async def _list_roots(self, _: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask the client for its roots; the request has no parameters."""
        return await self._request().aask("roots/list", {})

    def _log(self, entry: Mapping[str, Any]) -> None:
        """Forward the log *entry* to the client; drop it if the client is ambiguous."""
        try:
            request = self._request()
        except ToolError:
            # It may tell of the call of another client.
            return
        logger = entry.get("logger")
        named = None if logger is None else strip_invisible_line(logger)
        request.log(_clean_data(entry.get("data")), entry["level"], named)


def _drop_own_keys(params: Mapping[str, Any]) -> dict[str, Any]:
    """Copy request *params* without the keys that belong to a single connection."""
    return {key: each for key, each in params.items() if key not in _PROTOCOL_KEYS}


def _clean_content(content: Any) -> Any:
    """Replace invisible characters in *content*, a block or several."""
    if isinstance(content, list):
        return [_clean_content(each) for each in content]
    return {**content, "text": strip_invisible(content["text"])} if "text" in content else content


def _clean_data(data: Any) -> Any:
    """Replace invisible characters in JSON *data*."""
    if isinstance(data, str):
        return strip_invisible(data)
    if isinstance(data, list):
        return [_clean_data(each) for each in data]
    if isinstance(data, dict):
        return {strip_invisible_line(key): _clean_data(each) for key, each in data.items()}
    return data


# --- The connection of a proxy to the upstream server, restarted when its process ends ---

#: The seconds until a server is started again: the first time, and at most.
_AGAIN, _LONGEST = 0.1, 5.0


class Link:
    """The connection of a proxy to its upstream server *other*, reopened after a crash.

    #: session: the session with it, the last one if it has ended
    """

    __slots__ = ("_ended", "_is_lost", "_options", "_other", "_ready", "_use", "_why", "session")
    session: Any

    def __init__(
        self,
        other: str | Sequence[str],
        options: Mapping[str, Any],
        use: Callable[[Any], Awaitable[None]],
    ) -> None:
        self._other = other
        self._options = options
        self._use = use
        self._why = ""

    @asynccontextmanager
    async def open_connection(self) -> AsyncIterator[None]:
        """Connect to the upstream server, and stay connected until the block ends."""
        loop = asyncio.get_running_loop()
        self._ready, self._ended = asyncio.Event(), asyncio.Event()
        self._is_lost, self._why = False, ""
        # A connection has to be closed by the task that has opened it.
        task, ready = loop.create_task(self._keep()), loop.create_task(self._ready.wait())
        try:
            await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                await task
            yield
        finally:
            ready.cancel()
            task.cancel()
            with import_sdk("anyio").CancelScope(shield=True), suppress(asyncio.CancelledError):
                await asyncio.wait([task])

    async def wait_until_ready(self) -> str | None:
        """Wait for the upstream server; return the reason if it cannot be called."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ready.wait(), MAX_RESTART_SECONDS)
        if not self._ready.is_set():
            return f"{self._why}, and has not been started again within {MAX_RESTART_SECONDS} s"
        if self._is_lost:
            return f"{self._why}, and is not started again"
        return None

    def wrap_on_exception(self, told_else: OnException) -> OnException:
        """Wrap the error writer *told_else* to explain an upstream server's end."""
        closed = import_sdk("mcp_types").CONNECTION_CLOSED

        def explain(error: Exception, call: WireCall) -> str | Awaitable[str]:
            code = (
                getattr(error, "code", None) if isinstance(error, import_sdk().MCPError) else None
            )
            if code != closed or not self._why:
                return told_else(error, call)
            again = "is not started again" if self._is_lost else "is started again"
            return (
                f"{strip_invisible_line(call.name)} did not end: {self._why}, and {again}; "
                "the call may have "
                "done a part of its work"
            )

        return explain

    def _end(self, why: str) -> None:
        """Mark the connection to the upstream server as ended, with the reason *why*."""
        self._why = f"the other server has stopped ({why})"
        self._ready.clear()
        self._ended.set()

    async def _keep(self) -> None:
        """Connect to the upstream server, and restart it up to `MAX_RESTARTS` times."""
        await self._run()
        loop, times = asyncio.get_running_loop(), 0
        while times < MAX_RESTARTS:
            times += 1
            LOG.warning("%s, and is started again", self._why)
            await asyncio.sleep(min(_AGAIN * 2 ** (times - 1), _LONGEST))
            began = loop.time()
            try:
                await self._run()
            except Exception as error:
                # Whatever a server does as it begins, or the function that chooses its tools.
                LOG.warning(
                    "the other server is not there again: %s",
                    strip_invisible(get_exception_message(error)),
                )
            if loop.time() - began >= MIN_RUN_SECONDS:
                times = 0
        self._is_lost = True
        self._why += f" {MAX_RESTARTS + 1} times in a row"
        LOG.error("%s, and is not started again", self._why)
        self._ready.set()
        await asyncio.Event().wait()

    async def _run(self) -> None:
        """Connect to the upstream server, and wait until its process has ended."""
        self._ended.clear()
        async with connect(self._other, on_end=self._end, **self._options) as session:
            await self._use(session)
            self.session = session
            if not self._ended.is_set():
                self._ready.set()
            await self._ended.wait()
