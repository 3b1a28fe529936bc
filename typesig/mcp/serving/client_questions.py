"""Questions to the client of a request: its abilities, and how to ask."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from typesig.calls.errors import ToolError
from typesig.limits.network import MAX_ASKING_SECONDS
from typesig.mcp.serving.questions import ABILITIES, Questions
from typesig.mcp.transport.sdk import import_sdk
from typesig.tools.foreign.foreign_texts import strip_invisible

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext


#: The names in the SDK of each request to a client, and of its result.
_MODELS = {
    "elicitation/create": ("ElicitRequest", "ElicitResult"),
    "roots/list": ("ListRootsRequest", "ListRootsResult"),
    "sampling/createMessage": ("CreateMessageRequest", "CreateMessageResult"),
}


def is_modern(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client of *context* uses the protocol without sessions."""
    return context.protocol_version in _get_modern_versions()


@cache
def _get_modern_versions() -> frozenset[str]:
    """Return the MCP protocol versions that the SDK classes as modern; cached."""
    return frozenset(import_sdk("mcp_types.version").MODERN_PROTOCOL_VERSIONS)


def make_questions(
    context: ServerRequestContext[Any, Any], answers: Mapping[str, Any]
) -> Questions:
    """Build the `Questions` to the client of *context*, with *answers* of its request.

    From 2026-07-28 on, a client is asked by the result of its request.
    """
    ask = None if is_modern(context) else partial(_ask, context)
    return Questions(partial(_find_missing_ability, context), ask, answers)


def _find_missing_ability(
    context: ServerRequestContext[Any, Any], method: str, params: Mapping[str, Any]
) -> str | None:
    """Reason why the client of *context* does not support *method*, or None."""
    ability, does = ABILITIES[method]
    able = context.session.client_capabilities
    found = getattr(able, ability, None)
    if found is None:
        return f"the client cannot {does}: it has no {ability}; go on without, or ask the user"
    if ability == "elicitation":
        mode = params.get("mode", "form")
        # One that says neither has the forms that there were first.
        is_form = found.form is not None or found.url is None
        if not (is_form if mode == "form" else found.url is not None):
            return f"the client cannot {does}: it has no {ability} of the mode {mode}"
    return None


def refuse_lacking(questions: Questions, result: Mapping[str, Any]) -> None:
    """Raise the SDK's `MCPError` if *result* failed for a missing client ability.

    From 2026-07-28 on, a server has to tell a client so; before, only the model is told.
    """
    if questions.lacking is None or not result.get("isError"):
        return
    method, why = questions.lacking
    if not any(why in str(each.get("text")) for each in result["content"]):
        return
    ability, _ = ABILITIES[method]
    code = import_sdk("mcp_types").MISSING_REQUIRED_CLIENT_CAPABILITY
    raise import_sdk().MCPError(code, why, {"requiredCapabilities": {ability: {}}})


async def _ask(
    context: ServerRequestContext[Any, Any], method: str, params: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Send *method* to the client of *context*, and return its answer."""
    mcp, types, message = import_sdk(), import_sdk("mcp_types"), import_sdk("mcp.shared.message")
    asked, answer = _MODELS[method]
    _, does = ABILITIES[method]
    request = getattr(types, asked).model_validate(
        {"method": method, "params": dict(params)}, by_name=False
    )
    if params.get("tools") is not None:
        answer += "WithTools"
    related = message.ServerMessageMetadata(related_request_id=context.request_id)
    try:
        found = await context.session.send_request(
            request, getattr(types, answer), MAX_ASKING_SECONDS, related
        )
    except mcp.MCPError as error:
        raise ToolError(f"the client did not {does}: {strip_invisible(error.message)}") from error
    except import_sdk("pydantic").ValidationError:
        raise ToolError(f"the client was to {does}, and answered with what is no answer") from None
    made: dict[str, Any] = found.model_dump(by_alias=True, mode="json", exclude_none=True)
    return made
