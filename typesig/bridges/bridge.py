"""What all bridges share: what a framework is told of a tool, and how its calls reach the tool."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from typesig.errors import TypesigError
from typesig.tools.binding import names_from_host
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typesig.validation.outcome import Outcome
    from typesig.validation.policy import ModeName, Policy

#: What the host supplies: values by name, or what returns them when it is asked for a call.
Given: TypeAlias = (
    Mapping[str, Any] | Callable[..., Mapping[str, Any] | Awaitable[Mapping[str, Any]]]
)


class Bridge:
    """One tool as a framework is told of it, and as the framework calls it.

    #: tool: the tool; tools: the toolset that it is called through, which knows its mode
    """

    __slots__ = ("_given", "_mode", "_takes_context", "tool", "tools")

    def __init__(
        self,
        tools: Toolset,
        tool: Tool[..., Any],
        given: Given | None,
        mode: ModeName | Policy | None,
    ) -> None:
        self.tool = tool
        self.tools = tools
        self._mode: ModeName | Policy | None = mode
        self._given = given
        self._takes_context = callable(given) and _takes_argument(given)
        if not callable(given):
            self._checked(given)

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.tool.name

    @property
    def description(self) -> str:
        """The tool's description; frameworks want text."""
        return self.tool.description or ""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what a model sends: without injected and firewalled parameters."""
        return self.tool.signature.input_schema()

    def given_for(self, context: object) -> Mapping[str, Any]:
        """Return what the host gives for a call in the framework's *context*.

        Raises `TypesigError` if it lacks a name that the tool needs, or is given later.
        """
        given = self._asked(context)
        if inspect.isawaitable(given):
            if inspect.iscoroutine(given):
                given.close()
            raise TypesigError(
                f"given for {self.name} is a coroutine function, and this call is not "
                "asynchronous: pass a plain function"
            )
        return self._checked(given)

    async def agiven_for(self, context: object) -> Mapping[str, Any]:
        """Return the same as `given_for`, also if *given* is a coroutine function."""
        given = self._asked(context)
        return self._checked(await given if inspect.isawaitable(given) else given)

    def call(self, arguments: object, given: Mapping[str, Any]) -> Outcome[Any]:
        """Return the outcome of a call with what a model sent; see `Toolset.call`."""
        return self.tools.call(self.name, arguments, given=given, mode=self._mode)

    async def acall(self, arguments: object, given: Mapping[str, Any]) -> Outcome[Any]:
        """Return the outcome of a call with what a model sent; see `Toolset.acall`."""
        return await self.tools.acall(self.name, arguments, given=given, mode=self._mode)

    def _asked(self, context: object) -> Any:
        if not callable(self._given):
            return self._given
        return self._given(context) if self._takes_context else self._given()

    def _checked(self, given: Any) -> Mapping[str, Any]:
        if not isinstance(given, Mapping | None):
            raise TypesigError(
                f"given for {self.name} is a dict, or a function that returns one, not "
                f"{type(given).__name__}"
            )
        values = given or {}
        needed = names_from_host(self.tool.binding).items()
        missing = [name for name, optional in needed if not optional and name not in values]
        if missing:
            example = ", ".join(f'"{name}": …' for name in missing)
            raise TypesigError(
                f"{self.name} needs {', '.join(missing)} from its host: write "
                f"given={{{example}}}, or a function that returns it"
            )
        return values


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
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in tool.needs]
        if unknown:
            offered = (
                f"it takes {', '.join(tool.needs)}" if tool.needs else "it needs nothing given"
            )
            raise TypesigError(f"{tool.name} takes no {unknown[0]} from its host; {offered}")
    return Bridge(Toolset([tool]), tool, given, mode)


def needed(module: str, extra: str) -> Any:
    """Return *module* of a framework; raise `TypesigError` with the *extra* if it is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise TypesigError(
            f"the bridge needs {error.name}, of its extra: pip install 'typesig[{extra}]'"
        ) from None


def _takes_argument(function: Callable[..., Any]) -> bool:
    """Return whether *function* takes the framework's context as its argument."""
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True
