"""The names for type checkers in the hints of one callable: each is resolved once."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Any

from typesig.extraction.callables.aliases import Alias
from typesig.extraction.callables.checking import Assigned
from typesig.limits import MAX_HINT_DEPTH

#: The modules of the classes of generic hints.
_HOMES = frozenset({"collections.abc", "types", "typing", "typing_extensions"})
_Key = tuple[int, str]


class NamedHints:
    """What names under `TYPE_CHECKING` stand for, and how many parts hints have.

    A name whose value refers to it stands for an `Alias`, so that its value has an end.

    #: resolve: resolves text in a module, with the type parameters of the name
    """

    __slots__ = ("_found", "_pending", "_resolve", "_sizes", "_used", "_values")

    def __init__(self, resolve: Callable[[Assigned, dict[str, Any]], Any]) -> None:
        self._resolve = resolve
        self._found: dict[_Key, Any] = {}
        self._values: dict[_Key, Any] = {}
        self._pending: set[_Key] = set()
        # The names that an `Alias` stands for.
        self._used: set[_Key] = set()
        self._sizes: dict[int, tuple[Any, int]] = {}

    def hint_of(self, assigned: Assigned) -> Any:
        """Return what the name of *assigned* stands for; raise what resolving it raises."""
        key = id(assigned.home), assigned.name
        if key in self._found:
            return self._found[key]
        # The recursion of deeper ones would be too deep: they are resolved where they are read.
        if key in self._pending or len(self._pending) >= MAX_HINT_DEPTH:
            self._used.add(key)
            return self._alias(assigned)
        self._pending.add(key)
        try:
            params = {
                name: typing.TypeVar(name)  # pyright: ignore[reportGeneralTypeIssues]
                for name in assigned.params
            }
            value = self._resolve(assigned, params)
        finally:
            self._pending.discard(key)
        if value == self._alias(assigned):
            # `X = X`, or `X = other.X` and there `X = here.X`.
            raise NameError(f"the name {assigned.name} is defined only by itself")
        self._values[key] = value
        if key in self._used or params:
            value = self._alias(assigned, tuple(params.values()))
        self._found[key] = value
        return value

    def _alias(self, assigned: Assigned, params: tuple[Any, ...] = ()) -> Alias:
        return Alias(assigned.name, assigned.home, partial(self._value, assigned), params)

    def _value(self, assigned: Assigned) -> Any:
        found = self.hint_of(assigned)
        return self._values.get((id(assigned.home), assigned.name), found)

    def size_of(self, hint: Any) -> int:
        """Return how many parts *hint* has, each counted at all its places."""
        known, pending = self._sizes, [hint]
        while pending:
            part = pending[-1]
            inner = _parts_of(part)
            missing = [each for each in inner if id(each) not in known]
            if missing:
                pending.extend(missing)
            else:
                size = 1 + sum([known[id(each)][1] for each in inner])
                known[id(part)] = part, size
                pending.pop()
        return known[id(hint)][1]


def _parts_of(hint: Any) -> tuple[Any, ...]:
    kind = type(hint)
    if kind is types.GenericAlias or kind.__module__ in _HOMES:
        found = getattr(hint, "__args__", ())
        return found if type(found) is tuple else ()
    return ()
