"""The keys that a typed map takes, found within a budget of steps.

`typesig.algebra.map_keys` defines them: those of its key type, and texts for its keywords.
"""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra.map_keys import taken_keys
from typesig.algebra.nodes import Type
from typesig.relations.limits.work import Work, size


class MapKeys:
    """The keys that maps take by the types of their keys; steps are those of *work*."""

    def __init__(self, names: Mapping[str, Type], work: Work) -> None:
        self._names = names
        self._work = work
        self._known: dict[Type, Type] = {}
        self._named: dict[str, tuple[Type, int]] = {}

    def taken(self, key: Type) -> Type:
        """Return the type of the keys that a map with keys of *key* takes."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = taken_keys(key, self._of_name)
        return known

    def _of_name(self, name: str) -> Type:
        if name not in self._named:
            taken = taken_keys(self._names[name], self._of_name)
            self._named[name] = taken, size(taken)
        taken, count = self._named[name]
        # The type of a name is written in each of its places.
        self._work.take(count)
        return taken
