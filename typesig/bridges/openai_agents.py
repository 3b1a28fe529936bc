"""openai-agents: a tool as a `FunctionTool`.

A complaint about a call is the text that the model gets as the tool's output.  Media of a result
are parts of the output beside its text.
"""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Any

from typesig.bridges.bridge import Bridge, find_media, import_extra, make_bridge, make_bridges
from typesig.calls.arguments import Given
from typesig.errors import TypesigError
from typesig.providers.vendors.media import (
    OPENAI_RESPONSES,
    append_lines,
    decode_text,
    make_data_url,
    make_name,
    split_media,
)

if TYPE_CHECKING:
    from agents import FunctionTool  # pyright: ignore[reportMissingImports]

    from typesig.extraction.python_types.media import Media
    from typesig.providers.projection.projection import Projection
    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset
    from typesig.validation.policy import ModeName, Policy

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
    """Convert the typesig tool *one* to a `FunctionTool` of the OpenAI Agents SDK.

    *given* supplies injected and firewalled parameters: a dict, or a function that returns one for
    each call and can take the call's `ToolContext`.  *failure_error_function* makes the text for
    the model of an exception that the tool raises, as that of `function_tool` does; with None the
    exception ends the run.  *options* are those of `FunctionTool`, such as `needs_approval`; with
    `strict_json_schema=True` the tool is as `project("openai", strict=True)` has it.  Raises
    `TypesigError` if *given* lacks a name, if there is no strict definition of the tool, or without
    openai-agents.
    """
    bridge = make_bridge(one, given, mode)
    if options.get("strict_json_schema"):
        made = _make_strict_bridge(bridge, bridge.tools.project("openai", strict=True))
        if isinstance(made, str):
            raise TypesigError(
                f"{bridge.name} has no strict definition: {made}; leave strict_json_schema out"
            )
        bridge = made
    return _make_function_tool(bridge, failure_error_function, options)


def tools(
    toolset: Toolset,
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    failure_error_function: Any = _DEFAULT,
    **options: Any,
) -> list[FunctionTool]:
    """Convert every tool of *toolset* to a `FunctionTool`, with values from *given*.

    A tool of which OpenAI takes no strict definition is not strict, which is logged.
    """
    bridges = make_bridges(toolset, given, mode)
    if options.get("strict_json_schema"):
        bridges = _make_strict(bridges)
    return [_make_function_tool(bridge, failure_error_function, options) for bridge in bridges]


def _make_strict(bridges: list[Bridge]) -> list[Bridge]:
    """Replace each of *bridges* by a strict one if its tool has a strict definition."""
    if not bridges:
        return []
    projection = bridges[0].tools.project("openai", strict=True)
    out = []
    for bridge in bridges:
        made = _make_strict_bridge(bridge, projection)
        if isinstance(made, str):
            _LOG.warning("Tool %s is not strict: %s", bridge.name, made)
        out.append(bridge if isinstance(made, str) else made)
    return out


def _make_strict_bridge(bridge: Bridge, projection: Projection) -> Bridge | str:
    """Return *bridge* with its strict form in *projection*, or why the form is missing."""
    for one in projection.tools.values():
        if one.tool is bridge.tool:
            return bridge.as_projected(one)
    left_out = [each for each in projection.check() if each.is_left_out]
    return next(each.reason for each in left_out if each.tool == bridge.tool.name)


def _make_function_tool(bridge: Bridge, on_failure: Any, options: dict[str, Any]) -> FunctionTool:
    """Build the OpenAI Agents SDK's `FunctionTool` that runs the tool of *bridge*."""
    agents = import_extra("agents", "openai-agents")
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
        text = bridge.write_for_model(sent, outcome)
        media = find_media(outcome) if outcome.ok else ()
        return _make_output(agents, text, media) if media else text

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


def _make_output(agents: Any, text: str, media: tuple[Media, ...]) -> list[Any]:
    """Output of a tool: the *text*, and the *media* that OpenAI accepts beside it."""
    found = split_media(OPENAI_RESPONSES, "OpenAI", media)
    parts = [agents.ToolOutputText(text=append_lines(text, found.told))]
    for place, (kind, each) in enumerate(found.taken):
        if kind == "input_image":
            parts.append(agents.ToolOutputImage(image_url=make_data_url(each), detail="auto"))
        elif kind == "input_file":
            name = make_name(each, place)
            parts.append(agents.ToolOutputFileContent(file_data=make_data_url(each), filename=name))
        else:
            parts.append(agents.ToolOutputText(text=decode_text(each)))
    return parts
