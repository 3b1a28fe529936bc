"""What a proxy passes on beside tools: resources, prompts and completions of the other server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.errors import Unsupported
from typesig.mcp.serving.clients import is_modern
from typesig.mcp.serving.lowlevel import FRESH, WHOLE, passed
from typesig.mcp.transport.lifetimes import LOG, Kind
from typesig.mcp.transport.sdk import any_object, sdk
from typesig.mcp.transport.sdk_internals import get_connection
from typesig.tools.foreign.foreign_texts import is_plain_name, seen_line, seen_text, strip_schema

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server as SdkServer

    from typesig.mcp.proxies.links import Link


class Method(NamedTuple):
    """A method that is passed on.

    #: request, params: their names in the SDK; items: the key of the list in a result, or None
    #: ability: what a server says of itself that has the method
    """

    request: str
    params: str
    ability: str
    items: str | None = None


METHODS = {
    "completion/complete": Method("CompleteRequest", "CompleteRequestParams", "completions"),
    "prompts/get": Method("GetPromptRequest", "GetPromptRequestParams", "prompts"),
    "prompts/list": Method("ListPromptsRequest", "PaginatedRequestParams", "prompts", "prompts"),
    "resources/list": Method(
        "ListResourcesRequest", "PaginatedRequestParams", "resources", "resources"
    ),
    "resources/read": Method("ReadResourceRequest", "ReadResourceRequestParams", "resources"),
    "resources/templates/list": Method(
        "ListResourceTemplatesRequest", "PaginatedRequestParams", "resources", "resourceTemplates"
    ),
}

#: What of a request is for the connection that it came by.
_OWN = {"meta": None, "input_responses": None, "request_state": None}


def pass_on(lowlevel: SdkServer[Any], link: Link, abilities: Any) -> tuple[Kind, ...]:
    """Let *lowlevel* answer as the server of *link* does; return the lists that may change.

    *abilities* are what that server says that it has.
    """
    types = sdk("mcp_types")
    for name, method in METHODS.items():
        if getattr(abilities, method.ability) is not None:
            params = getattr(types, method.params)
            lowlevel.add_request_handler(name, params, _Passing(link, name, method))
    found: list[Kind] = []
    for kind in ("prompts", "resources"):
        ability = getattr(abilities, kind)
        if ability is not None and ability.list_changed:
            found.append(kind)
    return tuple(found)


class _Passing:
    """Answers one method by what the server of *link* answers."""

    __slots__ = ("_link", "_method", "_name")

    def __init__(self, link: Link, name: str, method: Method) -> None:
        self._link = link
        self._name = name
        self._method = method

    async def __call__(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        context.lifespan_context.connections.add(get_connection(context))
        found = _seen(self._method, passed(await self._answer(params)))
        if not is_modern(context):
            return found
        is_fresh = self._name not in ("completion/complete", "prompts/get")
        return {**(FRESH if is_fresh else WHOLE), **found}

    async def _answer(self, params: Any) -> dict[str, Any]:
        """Return the result of the other server; raise the SDK's `MCPError` for its error."""
        mcp, types = sdk(), sdk("mcp_types")
        own = {name: None for name in _OWN if name in type(params).model_fields}
        request = getattr(types, self._method.request)(params=params.model_copy(update=own))
        if (why := await self._link.ready()) is not None:
            raise mcp.MCPError(types.INTERNAL_ERROR, why)
        try:
            found: dict[str, Any] = await self._link.session.send_request(request, any_object())
        except mcp.MCPError as error:
            code, text = error.code, seen_text(error.message)
            if code == types.CONNECTION_CLOSED:
                # To a client, that would be its own connection.
                code, text = types.INTERNAL_ERROR, "the other server cannot be reached"
            raise mcp.MCPError(code, text, error.error.data) from error
        except sdk("pydantic").ValidationError as error:
            text = "the other server answered with what is no result"
            raise mcp.MCPError(types.INTERNAL_ERROR, text) from error
        if found.get("resultType", "complete") != "complete":
            text = "the other server asks for more before it answers"
            raise mcp.MCPError(types.INTERNAL_ERROR, text)
        return found


def _seen(method: Method, found: dict[str, Any]) -> dict[str, Any]:
    """Return the result *found* of *method* without characters that nobody sees in its texts.

    What a name, an address or a value hides cannot be removed without changing which one it is, so
    such an item is left out.  What is read is data, and stays as it is.
    """
    if method.items is not None:
        items = [_seen_item(each) for each in found[method.items]]
        return {**found, method.items: [each for each in items if each is not None]}
    if isinstance(found.get("completion"), Mapping):
        values = [each for each in found["completion"]["values"] if is_plain_name(each)]
        return {**found, "completion": {**found["completion"], "values": values}}
    if isinstance(found.get("description"), str):
        return {**found, "description": seen_text(found["description"])}
    return found


def _seen_item(item: dict[str, Any]) -> Any:
    try:
        if not is_plain_name(item["name"]):
            raise Unsupported("its name has characters that are not seen")
        return strip_schema(item)
    except (Unsupported, RecursionError) as error:
        LOG.warning("not passed on: %s: %s", seen_line(item["name"]), error)
        return None
