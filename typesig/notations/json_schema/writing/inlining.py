"""Definitions put in place of their names, for clients that do not support `$ref`."""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra.nodes import Ref, Type
from typesig.algebra.traversal import substitute, walk
from typesig.algebra.views.naming import dependency_order
from typesig.algebra.views.redaction import used
from typesig.errors import TooLarge
from typesig.limits import MAX_SCHEMAS


def inlined(t: Type, names: Mapping[str, Type]) -> tuple[Type, Mapping[str, Type]]:
    """Return *t* with each name replaced by its definition, unless that contains the name."""
    order, recursive = dependency_order(names)
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
