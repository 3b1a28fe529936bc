"""smolagents: a tool as a `Tool`.

A complaint about a call is an exception, which the agent shows to the model.  A result that is an
image is one for the agent; other media are texts.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

from typesig.bridges.bridge import (
    Bridge,
    import_extra,
    make_bridge,
    make_bridges,
    read_data_for_model,
    returns_image,
    write_for_model,
)
from typesig.calls.arguments import Given
from typesig.calls.functions import ToolError
from typesig.errors import TypesigError
from typesig.listings.entries import make_entry

if TYPE_CHECKING:
    from smolagents.tools import Tool as AgentTool  # pyright: ignore[reportMissingImports]

    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.policy import ModeName, Policy

#: What smolagents passes to a tool itself.
_OWN = "sanitize_inputs_outputs"

#: The types of JSON Schema by those of Python; smolagents has a few more of its own.
_TYPES_OF_VALUES = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def tool(
    one: Tool[..., Any], *, given: Given | None = None, mode: ModeName | Policy | None = None
) -> AgentTool:
    """Convert the typesig tool *one* to a `Tool` of smolagents.

    *given* supplies injected and firewalled parameters: a dict, or a function that returns one for
    each call.  Raises `TypesigError` if *given* lacks a name, or without smolagents.
    """
    return _make_agent_tool(make_bridge(one, given, mode))


def tools(
    toolset: Toolset, *, given: Given | None = None, mode: ModeName | Policy | None = None
) -> list[AgentTool]:
    """Convert every tool of *toolset* to a smolagents `Tool`, with values from *given*."""
    return [_make_agent_tool(bridge) for bridge in make_bridges(toolset, given, mode)]


def _make_agent_tool(bridge: Bridge) -> AgentTool:
    """Build the smolagents `Tool` that runs the tool of *bridge*."""
    base = import_extra("smolagents", "smolagents").Tool
    if any(field.name == _OWN for field in bridge.tool.signature.params):
        raise TypesigError(f"{bridge.name}: smolagents keeps the name {_OWN} for itself; rename it")
    return _bridged_tool(base)(bridge)


class _AnyOf(list[str]):
    """A list of JSON Schema types that contains every type, so smolagents refuses none.

    It does so before it calls the tool, and would refuse what the tool coerces: so every type is
    one of these.
    """

    def __contains__(self, item: object) -> bool:
        return True


class _OneType(str):
    """A JSON Schema type name equal to every other, so smolagents refuses no type."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __ne__(self, other: object) -> bool:
        return False


def _inputs(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Build the `inputs` of a smolagents tool from the parameters of *schema*."""
    required = schema.get("required", ())
    out: dict[str, dict[str, Any]] = {}
    for name, part in schema["properties"].items():
        types = _types_of(part)
        out[name] = {
            **({} if _is_lost(part) else part),
            "type": _OneType(types[0]) if len(types) == 1 else _AnyOf(types),
            "description": part.get("description", ""),
        }
        if name not in required:
            out[name]["nullable"] = True
    return out


def _description(bridge: Bridge, schema: Mapping[str, Any]) -> str:
    """Return the description, with the signature if the inputs cannot express *schema*."""
    parts = schema["properties"].values()
    if schema.get("additionalProperties", False) is False and not any(map(_is_lost, parts)):
        return bridge.description
    entry = make_entry(bridge.name, bridge.tool.signature, None)
    return f"{bridge.description}\n\n{entry}".strip()


def _is_lost(schema: Mapping[str, Any]) -> bool:
    """Whether smolagents cannot express *schema*: it has no unions and no definitions."""
    return "anyOf" in schema or "oneOf" in schema or '"$ref"' in json.dumps(schema)


def _types_of(schema: Mapping[str, Any]) -> list[str]:
    """List the distinct JSON Schema types that *schema* allows; "any" if unrestricted."""
    found: dict[str, None] = {}
    for branch in schema.get("anyOf") or schema.get("oneOf") or [schema]:
        values = branch.get("enum", [branch["const"]] if "const" in branch else [])
        found.update(dict.fromkeys(_TYPES_OF_VALUES[type(value)] for value in values))
        written = branch.get("type", [] if values else "any")
        found.update(dict.fromkeys([written] if isinstance(written, str) else written))
    return ["any"] if "any" in found else [*found]


def _run(bridge: Bridge, arguments: dict[str, Any]) -> Outcome[Any]:
    """Run the tool of *bridge* synchronously, in a thread if an event loop is running."""
    given = bridge.giver.values(None)
    if not bridge.tool.is_async:
        return bridge.call(arguments, given)

    def run() -> Outcome[Any]:
        return asyncio.run(bridge.acall(arguments, given))

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    # smolagents is synchronous, and the loop that waits for it cannot run the tool.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(contextvars.copy_context().run, run).result()


def _image(name: str, outcome: Outcome[Any]) -> Any:
    """Return the image in *outcome* of the tool *name* as a smolagents `AgentImage`."""
    for media in outcome.media:
        return import_extra("smolagents", "smolagents").AgentImage(media.data)
    raise ToolError(f"{name} returned no image, but {write_for_model(outcome)}")


@cache
def _bridged_tool(base: Any) -> Any:
    """Build the class of bridged tools, a subclass of *base*, smolagents' `Tool`."""

    class BridgedTool(base):  # type: ignore[misc]
        """A `Tool` that takes its inputs and checks from a signature."""

        skip_forward_signature_validation = True

        def __init__(self, bridge: Bridge) -> None:
            super().__init__()
            returns = bridge.tool.signature.to_json_schema()
            returned = returns.get("type")
            self.name = bridge.name
            schema = bridge.tool.signature.input_schema(inline=True)
            self.description = _description(bridge, schema)
            self.inputs = _inputs(schema)
            self._is_image = returns_image(bridge.tool)
            self.output_type = returned if isinstance(returned, str) else "any"
            if self._is_image:
                self.output_type = "image"
            self.output_schema = returns if returned == "object" else None
            # The result is an object of the agent's program, with no place for a text beside it.
            self._bridge = bridge.without_extras()

        def forward(self, *args: Any, **kwargs: Any) -> Any:
            # An agent that writes code can pass arguments by position.
            names = list(self.inputs)
            if len(args) > len(names):
                raise ToolError(f"{self.name} takes {len(names)} arguments, not {len(args)}")
            twice = [name for name in names[: len(args)] if name in kwargs]
            if twice:
                raise ToolError(f"{self.name} got {twice[0]} twice")
            outcome = _run(self._bridge, {**dict(zip(names, args, strict=False)), **kwargs})
            if not outcome.ok:
                raise ToolError(write_for_model(outcome))
            if self._is_image:
                return _image(self.name, outcome)
            return read_data_for_model(outcome)

    return BridgedTool
