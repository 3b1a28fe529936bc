"""Definitions put in place of their names, for clients that do not support `$ref`."""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra.nodes import Ref, Type
from typesig.algebra.redaction import used
from typesig.algebra.traversal import references, substitute, walk
from typesig.errors import TooLarge
from typesig.graphs import strongly_connected
from typesig.limits import MAX_SCHEMAS


def inlined(t: Type, names: Mapping[str, Type]) -> tuple[Type, Mapping[str, Type]]:
    """Return *t* with each name replaced by its definition, unless that contains the name."""
    order, recursive = _ordered(names)
    reached = used(names, [t, *[names[name] for name in recursive]])
    order = [name for name in order if name in reached and name not in recursive]
    sizes: dict[str, int] = {}

    def size(whole: Type) -> int:
        found = list(walk(whole))
        named = [part.name for part in found if isinstance(part, Ref)]
        return len(found) + sum(sizes.get(name, 0) for name in named)

    for name in order:
        sizes[name] = size(names[name])
    if sum(size(whole) for whole in (t, *[names[name] for name in recursive])) > MAX_SCHEMAS:
        limit = f"a JSON Schema may hold {MAX_SCHEMAS} schemas"
        raise TooLarge(f"{limit}, and inlined this one would hold more; leave inline out")
    flat: dict[str, Type] = {}
    for name in order:
        flat[name] = substitute(names[name], flat)
    kept = {name: substitute(names[name], flat) for name in sorted(recursive)}
    return substitute(t, flat), kept


def _ordered(names: Mapping[str, Type]) -> tuple[list[str], set[str]]:
    """Return *names*, each after those that it refers to, and which of them are recursive."""
    every = list(names)
    place = {name: at for at, name in enumerate(every)}
    leads = [
        tuple([place[name] for name in sorted(references(t)) if name in place])
        for t in names.values()
    ]
    order: list[str] = []
    recursive: set[str] = set()
    for component in strongly_connected(leads):
        found = [every[at] for at in component]
        order += found
        if len(component) > 1 or component[0] in leads[component[0]]:
            recursive.update(found)
    return order, recursive
