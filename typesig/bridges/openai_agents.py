"""openai-agents: a tool as a `FunctionTool`.

A complaint about a call is the text that the model gets as the tool's output.  Media of a result
are parts of the output beside its text.
"""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Any

from typesig.bridges.bridge import Bridge, bridge_of, bridges_of, needed
from typesig.bridges.media import media_of
from typesig.calls.given import Given
from typesig.errors import TypesigError
from typesig.providers.vendors.media import (
    OPENAI_RESPONSES,
    data_url,
    name_of,
    split,
    text_of,
    text_with,
)

if TYPE_CHECKING:
    from agents import FunctionTool  # pyright: ignore[reportMissingImports]

    from typesig.extraction.hosts.media import Media
    from typesig.providers.projection.projection import Projection
    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset
    from typesig.validation.rows.policy import ModeName, Policy

_DEFAULT: Any = object()

_LOG = logging.getLogger("openai.agents")


def tool(
    one: Tool[..., Any],
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    failure_error_function: Any = _DEFAULT,
    **options: Any,
) -> FunctionTool:
    """Return *one* as a `FunctionTool`.

    *given* supplies injected and firewalled parameters: a dict, or a function that returns one for
    each call and can take the call's `ToolContext`.  *failure_error_function* makes the text for
    the model of an exception that the tool raises, as that of `function_tool` does; with None the
    exception ends the run.  *options* are those of `FunctionTool`, such as `needs_approval`; with
    `strict_json_schema=True` the tool is as `project("openai", strict=True)` has it.  Raises
    `TypesigError` if *given* lacks a name, if there is no strict definition of the tool, or without
    openai-agents.
    """
    bridge = bridge_of(one, given, mode)
    if options.get("strict_json_schema"):
        made = _strict(bridge, bridge.tools.project("openai", strict=True))
        if isinstance(made, str):
            raise TypesigError(
                f"{bridge.name} has no strict definition: {made}; leave strict_json_schema out"
            )
        bridge = made
    return _function_tool(bridge, failure_error_function, options)


def tools(
    toolset: Toolset,
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    failure_error_function: Any = _DEFAULT,
    **options: Any,
) -> list[FunctionTool]:
    """Return each tool of *toolset* as `tool` does; each takes what it needs of *given*.

    A tool of which OpenAI takes no strict definition is not strict, which is logged.
    """
    bridges = bridges_of(toolset, given, mode)
    if options.get("strict_json_schema"):
        bridges = _strict_ones(bridges)
    return [_function_tool(bridge, failure_error_function, options) for bridge in bridges]


def _strict_ones(bridges: list[Bridge]) -> list[Bridge]:
    """Return *bridges* to strict tools, except for those of which there is no strict definition."""
    if not bridges:
        return []
    projection = bridges[0].tools.project("openai", strict=True)
    out = []
    for bridge in bridges:
        made = _strict(bridge, projection)
        if isinstance(made, str):
            _LOG.warning("Tool %s is not strict: %s", bridge.name, made)
        out.append(bridge if isinstance(made, str) else made)
    return out


def _strict(bridge: Bridge, projection: Projection) -> Bridge | str:
    """Return *bridge* to the tool as *projection* has it, or the reason why it has it not."""
    for one in projection.tools.values():
        if one.tool is bridge.tool:
            return bridge.as_projected(one)
    left_out = [each for each in projection.check() if each.is_left_out]
    return next(each.reason for each in left_out if each.tool == bridge.tool.name)


def _function_tool(bridge: Bridge, on_failure: Any, options: dict[str, Any]) -> FunctionTool:
    agents = needed("agents", "openai-agents")
    if on_failure is _DEFAULT:
        on_failure = agents.default_tool_error_function

    async def invoke(context: Any, sent: str) -> Any:
        given = await bridge.giver.avalues(context)
        try:
            outcome = await bridge.acall(sent, given)
        except Exception as error:
            if on_failure is None:
                raise
            # Without the message, which can have data of the call.
            _LOG.error("Tool %s raised %s", bridge.name, type(error).__name__)
            text = on_failure(context, error)
            return await text if inspect.isawaitable(text) else text
        text = bridge.told(sent, outcome)
        media = media_of(outcome) if outcome.ok else ()
        return _output(agents, text, media) if media else text

    return agents.FunctionTool(
        **{
            "name": bridge.name,
            "description": bridge.description,
            "params_json_schema": bridge.schema,
            "on_invoke_tool": invoke,
            **options,
            "strict_json_schema": bridge.projected is not None,
        }
    )


def _output(agents: Any, text: str, media: tuple[Media, ...]) -> list[Any]:
    """Return the output of a tool: the *text*, and what of *media* OpenAI takes beside it."""
    found = split(OPENAI_RESPONSES, "OpenAI", media)
    parts = [agents.ToolOutputText(text=text_with(text, found.told))]
    for place, (kind, each) in enumerate(found.taken):
        if kind == "input_image":
            parts.append(agents.ToolOutputImage(image_url=data_url(each), detail="auto"))
        elif kind == "input_file":
            name = name_of(each, place)
            parts.append(agents.ToolOutputFileContent(file_data=data_url(each), filename=name))
        else:
            parts.append(agents.ToolOutputText(text=text_of(each)))
    return parts
