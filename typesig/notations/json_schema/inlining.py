"""Definitions put in place of their names, for clients that do not support `$ref`."""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra.nodes import Ref, Type
from typesig.algebra.redaction import used
from typesig.algebra.traversal import references, substitute, walk
from typesig.errors import TooLarge
from typesig.limits import MAX_SCHEMAS


def inlined(t: Type, names: Mapping[str, Type]) -> tuple[Type, Mapping[str, Type]]:
    """Return *t* with each name replaced by its definition, unless that contains the name."""
    recursive = {name for name in names if name in used(names, [names[name]])}
    sizes: dict[str, int] = {}

    def size(whole: Type) -> int:
        total = 0
        for part in walk(whole):
            total += 1
            if isinstance(part, Ref) and part.name not in recursive:
                if part.name not in sizes:
                    sizes[part.name] = size(names[part.name])
                total += sizes[part.name]
        return total

    if sum(size(whole) for whole in (t, *[names[name] for name in recursive])) > MAX_SCHEMAS:
        limit = f"a JSON Schema may hold {MAX_SCHEMAS} schemas"
        raise TooLarge(f"{limit}, and inlined this one would hold more; leave inline out")
    flat: dict[str, Type] = {}

    def whole_of(part: Type) -> Type:
        for name in sorted(references(part) - recursive - flat.keys()):
            flat[name] = whole_of(names[name])
        return substitute(part, flat)

    return whole_of(t), {name: whole_of(names[name]) for name in sorted(recursive)}
