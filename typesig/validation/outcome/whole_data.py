"""Values of which a model sees all: plain data, whose records have declared keys only."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import NAMES
from typesig.notations.json_schema.writing.model_view import is_shown_without_null

#: Copies a value, so that what a model sees is not changed with it.
Copy: TypeAlias = Callable[[Any], Any]

#: The depth of a type whose values are copied so.
_DEEPEST = 16


@lru_cache(maxsize=512)
def copier(t: nodes.Type) -> Copy | None:
    """Return what copies values of *t* for a model, None if something may have to be left out.

    The values are plain data, and their records have declared keys only.
    """
    if t.flags & NAMES or t.depth > _DEEPEST:
        return None
    match t:
        case nodes.Scalar():
            return _own if t in _SHOWN else None
        case nodes.Enum(values):
            return _own if {value.kind for value in values} <= _KINDS else None
        case nodes.Noted(inner) | nodes.Refined(inner):
            return copier(inner)
        case nodes.Maybe(inner):
            return _maybe(copier(inner))
        case nodes.List(item):
            return _list(copier(item))
        case nodes.Record(fields, extra, matching):
            if matching or extra not in (nodes.ANY, None):
                return None
            return _record(fields)
        case (
            nodes.Union()
            | nodes.One()
            | nodes.Both()
            | nodes.Not()
            | nodes.Counted()
            | nodes.Ref()
            | nodes.Set()
            | nodes.Tuple()
            | nodes.MapOf()
        ):
            return None
        case _:
            assert_never(t)


def _maybe(copy: Copy | None) -> Copy | None:
    if copy is None or copy is _own:
        return copy
    return lambda value: None if value is None else copy(value)


def _list(copy: Copy | None) -> Copy | None:
    if copy is None or copy is _own:
        return None if copy is None else list
    return lambda value: [copy(each) for each in value]


def _record(fields: tuple[nodes.Field, ...]) -> Copy | None:
    copies: dict[str, Copy] = {}
    for field in fields:
        copy = copier(field.type)
        if copy is None or field.firewalled or is_shown_without_null(field):
            return None
        copies[field.name] = copy

    def copied(value: Any) -> Any:
        # A key that the value got later is left out, too.
        return {
            key: item if copies[key] is _own else copies[key](item)
            for key, item in value.items()
            if key in copies
        }

    return copied


def _own(value: Any) -> Any:
    return value


#: The scalars, and the kinds of constants, that are shown as they are.
_SHOWN = frozenset({nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL, nodes.NIL})
_KINDS = {"string", "int", "bool", "nil"}
