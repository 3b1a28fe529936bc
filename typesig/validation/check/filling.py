"""Which types have defaults that may decide whether a value conforms, once they are filled in."""

from __future__ import annotations

from collections.abc import Mapping

from typesig.algebra.nodes import Record, Refined, Type
from typesig.algebra.rows.frozen import NAMES, RECORDS
from typesig.algebra.traversal import distinct_parts, level
from typesig.algebra.views.redaction import used


def is_decided_by_defaults(t: Refined, names: Mapping[str, Type]) -> bool:
    """Tell whether a default that is filled in may decide about a constraint of *t*."""
    if any(constraint.name == "unique" for constraint in t.constraints):
        return fills_within(t.inner, names)
    return any(_has_default(part) for part in level(t.inner, names))


def fills_within(t: Type, names: Mapping[str, Type]) -> bool:
    """Tell whether checking *t* may fill in a default at any level."""
    if not t.flags & (NAMES | RECORDS):
        return False
    wholes = [t, *[names[name] for name in used(names, [t])]]
    return any(map(_has_default, distinct_parts(wholes)))


def _has_default(t: Type) -> bool:
    return isinstance(t, Record) and any(field.default is not None for field in t.fields)
