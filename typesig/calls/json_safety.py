"""Whether values are JSON data of Python's own classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.shared import count_places
from typesig.algebra.rows.values import SMALL, is_long
from typesig.limits import MAX_GENERATED, MAX_UNWATCHED, MAX_VALUE_DEPTH, MAX_VALUES

_SCALARS = frozenset({str, bool, type(None)})


def is_plain(value: Any) -> bool:
    """Whether *value* is JSON data of Python's own classes, which is encoded unchanged.

    >>> is_plain({"a": [1, None]}), is_plain((1, 2)), is_plain({1: 2})
    (True, False, False)
    """
    level, depth, unwatched = [value], 0, float(MAX_UNWATCHED)
    while level:
        # One loop for all at one depth: a call for each part takes longer than its work.
        below: list[Any] = []
        for part in level:
            cls = type(part)
            if cls in _SCALARS:
                continue
            if cls is int:
                if (part > SMALL or part < -SMALL) and is_long(part):
                    return False
                continue
            if cls is float:
                if part - part != 0.0:
                    return False
                continue
            if cls is dict:
                for key in part:
                    if type(key) is not str:
                        return False
            elif cls is not list:
                return False
            unwatched -= len(part)
            if depth > MAX_VALUE_DEPTH:
                return False
            if unwatched < 0:
                if count_places(value) > MAX_VALUES:
                    return False
                unwatched = float("inf")
            below += part if cls is list else part.values()
        level = below
        depth += 1
    return True


def find_max_places(t: nodes.Type) -> int | None:
    """Maximum number of values in a value of *t*, or None if unbounded.

    Undeclared keys of open records are not counted.  Returns None if a value of *t* may be of
    another class, or may hold any number of values.
    """
    pending, visited = [t], 0
    while pending:
        visited += 1
        parts = _get_parts(pending.pop())
        # A type that shares its parts is longer than it looks.
        if parts is None or visited > MAX_GENERATED:
            return None
        pending.extend(parts)
    return visited


def _get_parts(t: nodes.Type) -> Sequence[nodes.Type] | None:
    """Types of the parts of a value of *t*, or None if unknown."""
    match t:
        case nodes.Scalar():
            return () if t in _PLAIN else None
        case nodes.Enum(values):
            # Among other kinds, and several, a value of another class may be equal.
            kinds = {value.kind for value in values}
            return () if kinds in ({"string"}, {"int"}) else None
        case nodes.Maybe(inner) | nodes.Annotation(inner) | nodes.Refinement(inner):
            return (inner,)
        case nodes.Union(members):
            return members
        case nodes.Record(fields, extra, matching):
            if matching or extra not in (nodes.ANY, None):
                return None
            return [field.type for field in fields]
        case nodes.Container() | nodes.One() | nodes.Both() | nodes.Not() | nodes.Ref():
            return None
        case _:
            assert_never(t)


_PLAIN = frozenset({nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL, nodes.NIL})
