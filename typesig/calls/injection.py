"""Injected and firewalled values of calls, by name."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from typesig.errors import TypesigError

#: Values by name, or what returns them when it is asked for a call.
Given: TypeAlias = (
    Mapping[str, Any] | Callable[..., Mapping[str, Any] | Awaitable[Mapping[str, Any]]]
)


class InjectedValues:
    """The host values of the tool *name*: a mapping, or a function that returns it.

    *needed* has the names that the host supplies, each with whether the tool can do without it.
    Raises `TypesigError` if *given* is a dict that lacks one, or is neither a dict nor a function.
    """

    __slots__ = ("_given", "_name", "_needed", "_takes_context")

    def __init__(self, name: str, needed: Mapping[str, bool], given: Given | None) -> None:
        self._name = name
        self._needed = needed
        self._given = given
        self._takes_context = callable(given) and _accepts_context(given)
        if not callable(given):
            self._check_values(given)

    def values(self, context: object = None) -> Mapping[str, Any]:
        """Return the host values for a call in *context*, checked.

        Raises `TypesigError` if they lack a name that the tool needs, or can only be awaited.
        """
        given = self._call_function(context)
        if inspect.isawaitable(given):
            if inspect.iscoroutine(given):
                given.close()
            raise TypesigError(
                f"given for {self._name} is a coroutine function, and this call is not "
                "asynchronous: pass a plain function"
            )
        return self._check_values(given)

    async def avalues(self, context: object = None) -> Mapping[str, Any]:
        """Return the host values as `values` does; await a coroutine function."""
        given = self._call_function(context)
        return self._check_values(await given if inspect.isawaitable(given) else given)

    def _call_function(self, context: object) -> Any:
        """Return the host values, or the result of the function for them."""
        if not callable(self._given):
            return self._given
        return self._given(context) if self._takes_context else self._given()

    def _check_values(self, given: Any) -> Mapping[str, Any]:
        """Check that *given*, the host values, has every required name."""
        if not isinstance(given, Mapping | None):
            raise TypesigError(
                f"given for {self._name} is a dict, or a function that returns one, not "
                f"{type(given).__name__}"
            )
        values = given or {}
        missing = [
            name for name, optional in self._needed.items() if not optional and name not in values
        ]
        if missing:
            example = ", ".join(f'"{name}": …' for name in missing)
            raise TypesigError(
                f"{self._name} needs {', '.join(missing)} from its host: write "
                f"given={{{example}}}, or a function that returns it"
            )
        return values


def check_names(name: str, needed: Mapping[str, bool], given: Given | None) -> None:
    """Raise `TypesigError` if *given* has a name that is no host parameter of *name*."""
    unknown = [each for each in given if each not in needed] if isinstance(given, Mapping) else []
    if unknown:
        offered = f"it takes {', '.join(needed)}" if needed else "it needs nothing given"
        raise TypesigError(f"{name} takes no {unknown[0]} from its host; {offered}")


def _accepts_context(function: Callable[..., Any]) -> bool:
    """Whether *function* takes a context argument."""
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True
