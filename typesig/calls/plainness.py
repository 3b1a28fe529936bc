"""Which values are JSON data of Python's own classes, and which types only take such values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.shared import Overfull, Watch
from typesig.algebra.rows.values import SMALL, is_long
from typesig.limits import MAX_GENERATED, MAX_VALUE_DEPTH

_SCALARS = frozenset({str, bool, type(None)})


def is_plain(value: Any) -> bool:
    """Tell whether *value* is JSON data of Python's own classes, which is encoded as it is.

    >>> is_plain({"a": [1, None]}), is_plain((1, 2)), is_plain({1: 2})
    (True, False, False)
    """
    try:
        return _is_plain(value, 0, Watch(value))
    except Overfull:
        return False


def _is_plain(value: Any, depth: int, watch: Watch) -> bool:
    cls = type(value)
    if cls in _SCALARS:
        return True
    if cls is int:
        return not is_long(value)
    if cls is float:
        return bool(value - value == 0.0)
    if depth > MAX_VALUE_DEPTH:
        return False
    if cls is dict:
        # Loops, since a generator takes longer than what it does here.
        for key in value:
            if type(key) is not str:
                return False
        value = value.values()
    elif cls is not list:
        return False
    watch.visit(len(value))
    for item in value:
        if type(item) in _SCALARS or (
            type(item) is int and not ((item > SMALL or item < -SMALL) and is_long(item))
        ):
            continue
        if not _is_plain(item, depth + 1, watch):
            return False
    return True


def places_in(t: nodes.Type) -> int | None:
    """Return how many values stand in one of *t* at most, if all that conform to *t* are plain.

    Undeclared keys of open records are not counted.  Returns None if a value of *t* may be of
    another class, or may hold any number of values.
    """
    pending, visited = [t], 0
    while pending:
        visited += 1
        parts = _parts(pending.pop())
        # A type that shares its parts is longer than it looks.
        if parts is None or visited > MAX_GENERATED:
            return None
        pending.extend(parts)
    return visited


def _parts(t: nodes.Type) -> Sequence[nodes.Type] | None:
    """Return the types of what may stand in a value of *t*, None if that may be anything."""
    match t:
        case nodes.Scalar():
            return () if t in _PLAIN else None
        case nodes.Enum(values):
            # Among other kinds, and several, a value of another class may be equal.
            kinds = {value.kind for value in values}
            return () if kinds in ({"string"}, {"int"}) else None
        case nodes.Maybe(inner) | nodes.Noted(inner) | nodes.Refined(inner):
            return (inner,)
        case nodes.Union(members):
            return members
        case nodes.Record(fields, extra, matching):
            if matching or extra not in (nodes.ANY, None):
                return None
            return [field.type for field in fields]
        case (
            nodes.List()
            | nodes.Set()
            | nodes.Tuple()
            | nodes.MapOf()
            | nodes.One()
            | nodes.Both()
            | nodes.Not()
        ):
            return None
        case nodes.Counted() | nodes.Ref():
            return None
        case _:
            assert_never(t)


_PLAIN = frozenset({nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL, nodes.NIL})
