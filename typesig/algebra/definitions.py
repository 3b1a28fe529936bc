"""Definitions: types with names, which a signature has beside its own types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from typesig.algebra.nodes import Ref, Type
from typesig.algebra.rows.frozen import NestedValue
from typesig.algebra.traversal import iter_same_value_types
from typesig.errors import TooDeep, TypesigError
from typesig.limits import MAX_CHAIN


class Definition(NestedValue):
    """A named type."""

    __slots__ = ("name", "type")
    __match_args__ = ("name", "type")
    _DEPTH = 0
    name: str
    type: Type

    def __init__(self, name: str, type: Type) -> None:
        self._fill(name, type)


class Definitions(tuple[Definition, ...]):
    """Definitions that are hashed once, since they are part of the key of each compiled check."""

    def __hash__(self) -> int:
        known: int | None = self.__dict__.get("hash")
        if known is None:
            known = self.__dict__["hash"] = tuple.__hash__(self)
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes of texts differ between processes.
        return Definitions, (tuple(self),)


def sort_definitions(definitions: Mapping[str, Type] | Iterable[Definition]) -> Definitions:
    """Return *definitions* in the order of their names."""
    items: Iterable[Any] = definitions
    if isinstance(definitions, Mapping):
        named = cast("Mapping[str, Type]", definitions)
        items = [Definition(name, t) for name, t in named.items()]
    return Definitions(sorted(items, key=lambda definition: definition.name))


def check_chains(named: Mapping[str, Type]) -> None:
    """Raise if a chain of references between *named* types is circular or too long."""
    # Lists, maps and records are not entered: a name within them is not part of a chain.
    leads = {
        name: [
            part.name
            for part in iter_same_value_types(t, {}, negations=True)
            if isinstance(part, Ref)
        ]
        for name, t in named.items()
    }
    length: dict[str, int] = {}
    for start in named:
        path: list[tuple[str, int]] = [(start, 0)]
        while path:
            name, tried = path.pop()
            if tried < len(leads[name]):
                path.append((name, tried + 1))
                following = leads[name][tried]
                if any(following == known for known, _ in path):
                    raise TypesigError(
                        f"the type :{following} is defined only by itself; put a list, a map or "
                        "a record in between"
                    )
                if following not in length:
                    path.append((following, 0))
            else:
                length[name] = 1 + max([length[n] for n in leads[name]], default=0)
            if len(path) > MAX_CHAIN or length.get(name, 0) > MAX_CHAIN:
                raise TooDeep(f"a name may lead to a name {MAX_CHAIN} times, :{start} does more")
