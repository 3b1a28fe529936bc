"""The least depth of a value of a type, by which drawing of recursive types ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.traversal import references
from typesig.limits import MAX_VALUE_DEPTH


class Heights:
    """Heights of types that share definitions; None if a type has no finite value."""

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self.named: dict[str, int | None] = dict.fromkeys(names)
        self._known: dict[nodes.Type, int | None] = {}
        users: dict[str, list[str]] = {}
        for name, t in names.items():
            for used in references(t):
                users.setdefault(used, []).append(name)
        # Each round settles names one level higher; a name that is never settled is endless.
        pending = list(names)
        while pending:
            found = {name: self.get_height(names[name]) for name in pending}
            changed = {name: high for name, high in found.items() if high != self.named[name]}
            self.named.update(changed)
            self._known.clear()
            pending = list(dict.fromkeys(user for name in changed for user in users.get(name, ())))

    def get_height(self, t: nodes.Type) -> int | None:
        """Least depth of a value of *t*, judged by its shapes alone."""
        known = self._known
        if t not in known:
            known[t] = self._compute_height(t)
        return known[t]

    def _compute_height(self, t: nodes.Type) -> int | None:
        match t:
            case nodes.Leaf() | nodes.List() | nodes.Set():
                return 0
            case nodes.MapOf() | nodes.Maybe() | nodes.Not():
                return 0
            case nodes.Tuple(items):
                return _add_level(self.find_tallest(items))
            case nodes.Record(fields):
                needed = [field.type for field in fields if field.required]
                return _add_level(self.find_tallest(needed)) if needed else 0
            case nodes.Union(members) | nodes.One(members):
                found = [self.get_height(member) for member in members]
                return min([height for height in found if height is not None], default=None)
            case nodes.Both(members):
                return self.find_tallest(members)
            case nodes.Counted(item, at_least):
                return _add_level(self.get_height(item)) if at_least else 0
            case nodes.Refined(inner, constraints):
                return (
                    self._compute_nonempty_height(inner)
                    if any(map(_requires_items, constraints))
                    else self.get_height(inner)
                )
            case nodes.Noted(inner):
                return self.get_height(inner)
            case nodes.Ref(name):
                return self.named[name]
            case _:
                assert_never(t)

    def find_tallest(self, types: Iterable[nodes.Type]) -> int | None:
        """Return the height of a value that is all of *types*, or has one item of each."""
        most = 0
        for t in types:
            height = self.get_height(t)
            if height is None:
                return None
            most = max(most, height)
        return most

    def _compute_nonempty_height(self, t: nodes.Type) -> int | None:
        """Return the height of a value of *t* that has one item or more."""
        match t:
            case nodes.List(item) | nodes.Set(item):
                return _add_level(self.get_height(item))
            case nodes.MapOf(key, value):
                return _add_level(self.find_tallest((key, value)))
            case nodes.Noted(inner) | nodes.Refined(inner):
                return self._compute_nonempty_height(inner)
            case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                return self.get_height(t)
            case _:
                assert_never(t)


def _add_level(height: int | None) -> int | None:
    """Return the height of a value around one of *height*; the check refuses a deeper one."""
    return None if height is None or height >= MAX_VALUE_DEPTH else height + 1


def _requires_items(constraint: Constraint) -> bool:
    """Whether a list, set or map that meets *constraint* has one item or more."""
    return constraint.name == "at_least" and bool(constraint.argument.value > 0)
