"""LangChain: a tool as a `StructuredTool`.

The model's arguments reach the tool's own check as they were sent.  Its complaint is the content of
a `ToolMessage` with the status error; the data of a result is the message's artifact.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from typesig.bridges.bridge import Bridge, bridge_of, bridges_of, data_told, needed, told
from typesig.calls.given import Given

if TYPE_CHECKING:
    from langchain_core.tools import (  # pyright: ignore[reportMissingImports]
        StructuredTool,
    )

    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.rows.policy import ModeName, Policy


def tool(
    one: Tool[..., Any],
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    **options: Any,
) -> StructuredTool:
    """Return *one* as a `StructuredTool`.

    *given* supplies injected and firewalled parameters: a dict, or a function that returns one for
    each call and can take the call's `RunnableConfig`.  *options* are those of `StructuredTool`,
    such as `return_direct`.  Raises `TypesigError` if *given* lacks a name, or without LangChain.
    """
    return _structured(bridge_of(one, given, mode), options)


def tools(
    toolset: Toolset,
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    **options: Any,
) -> list[StructuredTool]:
    """Return each tool of *toolset* as `tool` does; each takes what it needs of *given*."""
    return [_structured(bridge, options) for bridge in bridges_of(toolset, given, mode)]


def _structured(bridge: Bridge, options: dict[str, Any]) -> StructuredTool:
    made = _bridged_tool(needed("langchain_core.tools", "langchain").StructuredTool)
    config_type = needed("langchain_core.runnables", "langchain").RunnableConfig

    def run(arguments: object, config: object) -> tuple[str, Any]:
        return _content(bridge.call(arguments, bridge.giver.values(config)))

    async def arun(arguments: object, config: object) -> tuple[str, Any]:
        return _content(await bridge.acall(arguments, await bridge.giver.avalues(config)))

    for function in (run, arun):
        # LangChain passes the config to the parameter with this hint.
        function.__annotations__ = {"config": config_type}
    return made(
        **{
            "name": bridge.name,
            "description": bridge.description,
            "args_schema": bridge.schema,
            "func": None if bridge.tool.is_async else run,
            "coroutine": arun,
            "response_format": "content_and_artifact",
            "handle_tool_error": True,
            **options,
        }
    )


def _content(outcome: Outcome[Any]) -> tuple[str, Any]:
    if not outcome.ok:
        raise needed("langchain_core.tools", "langchain").ToolException(told(outcome))
    return told(outcome), data_told(outcome)


@cache
def _bridged_tool(base: Any) -> Any:
    """Return the class of the tools, below the *base* of LangChain."""

    class BridgedTool(base):  # type: ignore[misc]
        """A `StructuredTool` that hands on arguments as they were sent.

        LangChain would pass them as keywords, among which `config` is its own.
        """

        def _to_args_and_kwargs(
            self, tool_input: object, tool_call_id: str | None
        ) -> tuple[tuple[object], dict[str, Any]]:
            return (tool_input,), {}

    return BridgedTool
