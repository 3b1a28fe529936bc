"""openai-agents: a tool as a `FunctionTool`.

A complaint about a call is the text that the model gets as the tool's output.
"""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Any

from typesig.bridges.bridge import Bridge, bridge_of, bridges_of, needed, told
from typesig.errors import TypesigError
from typesig.tools.given import Given

if TYPE_CHECKING:
    from agents import FunctionTool  # pyright: ignore[reportMissingImports]

    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset
    from typesig.validation.policy import ModeName, Policy

_DEFAULT: Any = object()


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
    exception ends the run.  *options* are those of `FunctionTool`, such as `needs_approval`.
    Raises `TypesigError` if *given* lacks a name, or without openai-agents.
    """
    return _function_tool(bridge_of(one, given, mode), failure_error_function, options)


def tools(
    toolset: Toolset,
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    failure_error_function: Any = _DEFAULT,
    **options: Any,
) -> list[FunctionTool]:
    """Return each tool of *toolset* as `tool` does; each takes what it needs of *given*."""
    bridges = bridges_of(toolset, given, mode)
    return [_function_tool(bridge, failure_error_function, options) for bridge in bridges]


def _function_tool(bridge: Bridge, on_failure: Any, options: dict[str, Any]) -> FunctionTool:
    agents = needed("agents", "openai-agents")
    if options.get("strict_json_schema"):
        raise TypesigError(
            f"{bridge.name}: a strict schema of openai-agents requires optional parameters too, "
            "which a model would have to invent: leave strict_json_schema out"
        )
    log = logging.getLogger("openai.agents")
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
            log.error("Tool %s raised %s", bridge.name, type(error).__name__)
            text = on_failure(context, error)
            return await text if inspect.isawaitable(text) else text
        return told(outcome)

    return agents.FunctionTool(
        **{
            "name": bridge.name,
            "description": bridge.description,
            "params_json_schema": bridge.schema,
            "on_invoke_tool": invoke,
            **options,
            "strict_json_schema": False,
        }
    )
