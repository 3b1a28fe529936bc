"""What all bridges share: what a framework is told of a tool, and how its calls reach the tool."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from typesig.calls.binding import names_from_host
from typesig.calls.given import Given, Giver, check_names
from typesig.errors import TypesigError
from typesig.fronts import needed as needed
from typesig.notations.texts.quoting import encodable, encodable_data
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.outcome import worded
from typesig.validation.rows.policy import first_policy

if TYPE_CHECKING:
    from typesig.providers.projection.projected import Projected
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.rows.policy import ModeName, Policy


class Bridge:
    """One tool as a framework is told of it, and as the framework calls it.

    #: tool: the tool; tools: the toolset that it is called through, which knows its mode
    #: giver: gives what the host supplies for each call
    #: projected: the tool as its provider takes it, or None if it is told as the tool is
    """

    __slots__ = ("_mode", "giver", "projected", "tool", "tools")

    def __init__(
        self,
        tools: Toolset,
        tool: Tool[..., Any],
        given: Given | None,
        mode: ModeName | Policy | None,
    ) -> None:
        self.tool = tool
        self.projected: Projected | None = None
        self.tools = tools
        self.giver = Giver(tool.name, names_from_host(tool.binding), given)
        self._mode: ModeName | Policy | None = mode

    def as_projected(self, projected: Projected) -> Bridge:
        """Return the same tool as a provider takes it."""
        other = copy(self)
        other.projected = projected
        return other

    def without_extras(self) -> Bridge:
        """Copy the bridge so that it refuses undeclared keys, as a function does in Python."""
        other = copy(self)
        mode = self.tools._mode_of(self.tool, self._mode)
        other._mode = first_policy(mode).changed(extras="reject").off("key_ignoring_case")
        return other

    @property
    def name(self) -> str:
        """The tool's name, as the model knows it."""
        return self.tool.name if self.projected is None else self.projected.name

    @property
    def description(self) -> str:
        """The tool's description; frameworks want text."""
        return self.tool.description or ""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what a model sends: without injected and firewalled parameters."""
        if self.projected is not None:
            return self.projected.schema
        return self.tool.signature.input_schema()

    def call(self, arguments: object, given: Mapping[str, Any]) -> Outcome[Any]:
        """Return the outcome of a call with what a model sent; see `Toolset.call`."""
        outcome = self.tools.call(self.tool.name, arguments, given=given, mode=self._mode)
        return worded(outcome, JSON_SCHEMA)

    async def acall(self, arguments: object, given: Mapping[str, Any]) -> Outcome[Any]:
        """Return the outcome of a call with what a model sent; see `Toolset.acall`."""
        if self.projected is not None:
            return await self.projected.acall(arguments, given=given, mode=self._mode)
        name, mode = self.tool.name, self._mode
        outcome = await self.tools.acall(name, arguments, given=given, mode=mode)
        return worded(outcome, JSON_SCHEMA)

    def told(self, arguments: object, outcome: Outcome[Any]) -> str:
        """Return what the model reads of the *outcome* of a call with *arguments*."""
        if outcome.ok or self.projected is None:
            return told(outcome)
        return encodable(self.projected.feedback(arguments, outcome, self._mode))


def told(outcome: Outcome[Any]) -> str:
    """Return what the model reads of *outcome*: its text, as it is if it is text, or the feedback.

    >>> import typesig
    >>> told(typesig.parse(":string").validate_output("ten"))
    'ten'
    >>> told(typesig.parse("[:int]").validate_output([10]))
    '[10]'
    """
    if not outcome.ok:
        return encodable(outcome.feedback())
    data = outcome.for_model()
    if not isinstance(data, str):
        return outcome.text()
    return encodable(f"{data}\n{outcome.notice}" if outcome.notice else data)


def data_told(outcome: Outcome[Any]) -> Any:
    """Return the data that the model reads of *outcome*, which has no errors.

    Lone surrogates, which no client of a provider can send, are written as escapes.
    """
    return encodable_data(outcome.for_model())


def bridges_of(tools: object, given: Given | None, mode: ModeName | Policy | None) -> list[Bridge]:
    """Return the bridge of each of *tools*, a toolset; raise `TypesigError` for anything else."""
    if not isinstance(tools, Toolset):
        raise TypesigError(f"tools takes a toolset, not {type(tools).__name__}; write tools_of(…)")
    return [Bridge(tools, one, given, mode) for one in tools]


def bridge_of(tool: object, given: Given | None, mode: ModeName | Policy | None) -> Bridge:
    """Return the bridge of *tool*; raise `TypesigError` if it is none, or takes no such given."""
    if not isinstance(tool, Tool):
        remedy = (
            "write tools(…)" if isinstance(tool, Toolset) else "decorate the function with @tool"
        )
        raise TypesigError(f"tool takes a tool, not {type(tool).__name__}; {remedy}")
    check_names(tool.name, names_from_host(tool.binding), given)
    return Bridge(Toolset([tool]), tool, given, mode)
