"""LangChain: a tool as a `StructuredTool`.

The model's arguments reach the tool's own check as they were sent.  Its complaint is the content of
a `ToolMessage` with the status error; the data of a result is the message's artifact.  Media of a
result are blocks of the content.  A `Command`
of LangGraph, or a message, is no result: it is handed on, and applied.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING, Any

from typesig.bridges.bridge import (
    Bridge,
    find_media,
    import_extra,
    make_bridge,
    make_bridges,
    make_langchain_blocks,
    read_data_for_model,
    write_for_model,
)
from typesig.calls.arguments import Given
from typesig.errors import TypesigError

if TYPE_CHECKING:
    from langchain_core.tools import (  # pyright: ignore[reportMissingImports]
        StructuredTool,
    )

    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.policy import ModeName, Policy


def tool(
    one: Tool[..., Any],
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    **options: Any,
) -> StructuredTool:
    """Convert the typesig tool *one* to LangChain's `StructuredTool`.

    *given* supplies injected and firewalled parameters: a dict, or a function that returns one for
    each call and can take the call's `RunnableConfig`, or, as `runtime` or with this hint, its
    `ToolRuntime`, which LangGraph makes.  *options* are those of `StructuredTool`,
    such as `return_direct`.  Raises `TypesigError` if *given* lacks a name, or without LangChain.
    """
    return _make_structured_tool(make_bridge(one, given, mode), _takes_runtime(given), options)


def tools(
    toolset: Toolset,
    *,
    given: Given | None = None,
    mode: ModeName | Policy | None = None,
    **options: Any,
) -> list[StructuredTool]:
    """Convert every tool of *toolset* to a `StructuredTool`, with values from *given*."""
    of_runtime = _takes_runtime(given)
    return [
        _make_structured_tool(bridge, of_runtime, options)
        for bridge in make_bridges(toolset, given, mode)
    ]


def _takes_runtime(given: Given | None) -> bool:
    """Whether *given* is a function that takes a `ToolRuntime`."""
    if not callable(given):
        return False
    try:
        params = inspect.signature(given).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(p.name == "runtime" or "ToolRuntime" in str(p.annotation) for p in params)


#: The argument by which LangGraph passes a `ToolRuntime`; it goes by the hint.
_RUNTIME = "typesig_runtime"


def _make_structured_tool(
    bridge: Bridge, of_runtime: bool, options: dict[str, Any]
) -> StructuredTool:
    """Build LangChain's `StructuredTool` that runs the tool of *bridge*."""
    made = _make_bridged_class(import_extra("langchain_core.tools", "langchain").StructuredTool)
    config_type = import_extra("langchain_core.runnables", "langchain").RunnableConfig

    hints: dict[str, Any] = {"config": config_type}
    if of_runtime:
        hints[_RUNTIME] = import_extra(
            "langgraph.prebuilt", "langgraph", "given= of a runtime"
        ).ToolRuntime

    def context(config: object, runtime: object) -> object:
        if of_runtime and runtime is None:
            raise TypesigError(
                f"given for {bridge.name} takes a ToolRuntime, which only agents and the ToolNode "
                "of LangGraph pass"
            )
        return runtime if of_runtime else config

    def run(arguments: object, config: object, typesig_runtime: object = None) -> tuple[Any, Any]:
        given = bridge.giver.values(context(config, typesig_runtime))
        return _make_content(bridge.call(arguments, given))

    async def arun(
        arguments: object, config: object, typesig_runtime: object = None
    ) -> tuple[Any, Any]:
        given = await bridge.giver.avalues(context(config, typesig_runtime))
        return _make_content(await bridge.acall(arguments, given))

    for function in (run, arun):
        # LangChain passes what it has to the parameters with these hints.
        function.__annotations__ = hints
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


def _make_content(outcome: Outcome[Any]) -> tuple[Any, Any]:
    """Build content and artifact of a LangChain tool message; raise if *outcome* failed."""
    returned = outcome.result if outcome.ok else outcome.rejected
    if outcome.stage == "output" and _is_applied(returned):
        return returned, None
    if not outcome.ok:
        raise import_extra("langchain_core.tools", "langchain").ToolException(
            write_for_model(outcome)
        )
    text, media = write_for_model(outcome), find_media(outcome)
    return make_langchain_blocks(text, media) if media else text, read_data_for_model(outcome)


def _is_applied(returned: object) -> bool:
    """Whether *returned* is a LangChain `Command` or message, or a list of them."""
    mixin = import_extra("langchain_core.messages.tool", "langchain").ToolOutputMixin
    listed = returned if isinstance(returned, list) else [returned]
    return bool(listed) and all(isinstance(each, mixin) for each in listed)


@cache
def _make_bridged_class(base: Any) -> Any:
    """Build the class of bridged tools, a subclass of LangChain's *base*."""

    class BridgedTool(base):  # type: ignore[misc]
        """A `StructuredTool` that hands on arguments as they were sent.

        LangChain would pass them as keywords, among which `config` is its own.
        """

        def _to_args_and_kwargs(
            self, tool_input: object, tool_call_id: str | None
        ) -> tuple[tuple[object], dict[str, Any]]:
            # Only an object of LangGraph is one; data of a model stays with the arguments.
            rest = dict(tool_input) if isinstance(tool_input, dict) else {}
            if type(rest.get(_RUNTIME)).__name__ == "ToolRuntime":
                return (rest,), {_RUNTIME: rest.pop(_RUNTIME)}
            return (tool_input,), {}

    return BridgedTool
