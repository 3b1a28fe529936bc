"""pydantic-ai: a tool as a `Tool`.

Arguments that do not fit are a `ModelRetry`; an error of the tool, which ran, is a `ToolFailed`.
A result with media is a `ToolReturn`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from typesig.bridges.bridge import (
    PYDANTIC_AI,
    Bridge,
    find_media,
    import_extra,
    make_bridge,
    make_bridges,
    read_data_for_model,
    write_for_model,
)
from typesig.calls.arguments import Given
from typesig.notations.texts.quoting import escape_surrogates
from typesig.providers.vendors.media import TEXT, decode_text, split_media
from typesig.validation.json_text import BadJson, read_digits
from typesig.validation.plain_data import replace_written_floats
from typesig.validation.policy import MODES
from typesig.validation.repair.input_reader import wants_digits

if TYPE_CHECKING:
    from pydantic_ai.tools import Tool as AgentTool  # pyright: ignore[reportMissingImports]

    from typesig.extraction.python_types.media import Media
    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset
    from typesig.validation.policy import ModeName, Policy

#: The key for what was sent if it is not an object, since pydantic-ai passes on only dicts.
_SENT = "what was sent instead of an object"


def tool(
    one: Tool[..., Any],
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    **options: Any,
) -> AgentTool[Any]:
    """Convert the typesig tool *one* to a `Tool` of Pydantic AI.

    *given* supplies injected and firewalled parameters: a dict, or a function that returns one for
    each call and can take the call's `RunContext`.  *options* are those of `Tool`, such as
    `max_retries`.  Raises `TypesigError` if *given* lacks a name, or without pydantic-ai.
    """
    return _make_agent_tool(make_bridge(one, given, mode), options)


def tools(
    toolset: Toolset,
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    **options: Any,
) -> list[AgentTool[Any]]:
    """Convert every tool of *toolset* to a Pydantic AI `Tool`, with values from *given*."""
    return [_make_agent_tool(bridge, options) for bridge in make_bridges(toolset, given, mode)]


def _make_agent_tool(bridge: Bridge, options: dict[str, Any]) -> AgentTool[Any]:
    """Build Pydantic AI's `Tool` that runs the tool of *bridge*."""
    pydantic_ai = import_extra("pydantic_ai", "pydantic-ai")

    async def run(context: Any, /, **arguments: Any) -> Any:
        sent = arguments.get(_SENT, arguments)
        outcome = await bridge.acall(sent, await bridge.giver.avalues(context))
        if outcome.ok:
            data, media, notice = (
                read_data_for_model(outcome),
                find_media(outcome),
                escape_surrogates(outcome.notice),
            )
            if not media and not notice:
                return data
            return _add_media(pydantic_ai, bridge.name, data, media, notice)
        if outcome.stage == "input":
            raise pydantic_ai.ModelRetry(write_for_model(outcome))
        raise pydantic_ai.ToolFailed(write_for_model(outcome))

    name, description = bridge.name, bridge.description
    made = pydantic_ai.Tool.from_schema(run, name, description, bridge.schema, takes_ctx=True)
    schema = replace(
        made.function_schema,
        validator=_PassthroughValidator(bridge.tool),
        return_schema=bridge.tool.signature.to_json_schema(),
    )
    return pydantic_ai.Tool(
        run,
        **{
            "name": name,
            "description": description,
            "takes_ctx": True,
            "function_schema": schema,
            **options,
        },
    )


def _add_media(
    pydantic_ai: Any, name: str, data: Any, media: tuple[Media, ...], notice: str
) -> Any:
    """Result *data* of the tool *name*, with the *media* that pydantic-ai accepts.

    All but the data is in a part of the user, which all models take.
    """
    found = split_media(PYDANTIC_AI, "pydantic-ai", media)
    content: list[Any] = [f"{name}: {notice}"] if notice else []
    for kind, each in found.taken:
        content.append(f"{each.shown} of the result of {name}:")
        if kind == TEXT:
            content.append(decode_text(each))
        else:
            content.append(pydantic_ai.BinaryContent(each.data or b"", media_type=each.type))
    return pydantic_ai.ToolReturn(data, content=[*content, *found.told])


class _PassthroughValidator:
    """Pydantic AI argument validator that leaves all checks to the typesig tool."""

    def __init__(self, tool: Tool[..., Any]) -> None:
        signature = tool.signature
        self._keeps_digits = wants_digits(signature.arguments, signature.names, MODES["lenient"])

    def validate_json(self, sent: str | bytes, **_: Any) -> dict[str, Any]:
        """Parse the JSON arguments *sent*; wrap text that only the tool can repair."""
        try:
            data, written = read_digits(sent)
        except BadJson:
            # The tool reads it again: it mends the text, or says what is wrong with it.
            return {_SENT: sent}
        if not isinstance(data, dict) or (written and self._keeps_digits):
            # It keeps the digits of numbers, too.
            return {_SENT: sent}
        return replace_written_floats(data) if written else data

    def validate_python(self, sent: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the arguments *sent* unchanged; the tool checks them."""
        return sent
