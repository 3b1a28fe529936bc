"""Counts of the values in long data, one list at a time by its type.

Most of the time is spent in functions of the interpreter;
`typesig.algebra.rows.builtin.count_places`
visits each value in Python, which takes longer than the check.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any, assert_never

from typesig.algebra import nodes

#: The items that are looked at together: their parts are kept in a list meanwhile.
CHUNK = 1_000

_LISTS = frozenset({list, tuple, set, frozenset})
_MAPS = frozenset({dict})
#: The kinds of constants that have parts.
_WITH_PARTS = frozenset({"list", "map"})


class _UnknownPartsError(Exception):
    """Raised for a type that does not determine which values have parts."""


def count_values(t: nodes.Type, value: Any) -> int | None:
    """Count the values in *value*, which conforms to *t*; None if *t* does not determine it.

    Each is counted where it stands, as `typesig.algebra.rows.builtin.count_places` does; maps have
    no undeclared keys.
    """
    try:
        return 1 + _count_inside(t, [value])
    except _UnknownPartsError:
        return None


def _count_inside(t: nodes.Type, values: list[Any]) -> int:
    """Count the values within *values* of *t*, without these."""
    if _is_leaf(t):
        return 0
    match t:
        case nodes.Annotation(inner) | nodes.Refinement(inner):
            return _count_inside(inner, values)
        case nodes.Maybe(inner):
            return _count_inside(inner, [value for value in values if value is not None])
        case nodes.List(item) | nodes.Set(item):
            _require_classes(values, _LISTS)
            return _count_items(item, values)
        case nodes.MapOf(_, of):
            _require_classes(values, _MAPS)
            return _count_items(of, [value.values() for value in values])
        case nodes.Record(fields, extra, matching) if extra in (nodes.ANY, None) and not matching:
            _require_classes(values, _MAPS)
            count = sum(map(len, values))
            for field in fields:
                if not _is_leaf(field.type):
                    name = field.name
                    count += _count_inside(field.type, [v[name] for v in values if name in v])
            return count
        case nodes.Leaf() | nodes.Container() | nodes.Combination() | nodes.Not() | nodes.Ref():
            raise _UnknownPartsError
        case _:
            assert_never(t)


def _count_items(t: nodes.Type, values: Iterable[Any]) -> int:
    """Count the values within *values*, whose items are of *t*."""
    if _is_leaf(t):
        return sum(map(len, values))
    count, left = 0, chain.from_iterable(values)
    while chunk := list(islice(left, CHUNK)):
        count += len(chunk) + _count_inside(t, chunk)
    return count


def _require_classes(values: list[Any], classes: frozenset[type]) -> None:
    # Methods of other classes are not called.
    if not classes.issuperset(map(type, values)):
        raise _UnknownPartsError


def _is_leaf(t: nodes.Type) -> bool:
    """Whether no value of *t* has parts."""
    match t:
        case nodes.Scalar(name):
            return name not in ("any", "map")
        case nodes.Enum(values):
            return _WITH_PARTS.isdisjoint([value.kind for value in values])
        case nodes.Annotation(inner) | nodes.Refinement(inner) | nodes.Maybe(inner):
            return _is_leaf(inner)
        case nodes.Union(members) | nodes.One(members):
            return all(map(_is_leaf, members))
        case nodes.Container() | nodes.Both() | nodes.Not() | nodes.Ref():
            return False
        case _:
            assert_never(t)
