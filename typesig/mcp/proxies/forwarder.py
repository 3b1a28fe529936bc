"""Forward resources, prompts and completions of the upstream server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.errors import Unsupported
from typesig.mcp.serving.client_questions import is_modern
from typesig.mcp.serving.lowlevel import FRESH, WHOLE, drop_reserved_meta
from typesig.mcp.transport.lifetimes import LOG, Kind
from typesig.mcp.transport.sdk import get_object_adapter, import_sdk
from typesig.mcp.transport.sdk_internals import get_connection
from typesig.tools.foreign.foreign_texts import (
    is_plain_name,
    strip_invisible,
    strip_invisible_line,
    strip_schema,
)

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server as SdkServer

    from typesig.mcp.proxies.link import Link


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
