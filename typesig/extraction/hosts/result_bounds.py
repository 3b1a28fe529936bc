"""The bounds of host types in a result: each value that has them is checked as its own object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, assert_never

from typesig.algebra.nodes import (
    Both,
    Counted,
    Enum,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.rows.names import folded
from typesig.algebra.rows.values import exact
from typesig.algebra.signature import lone
from typesig.extraction.hosts.decoders import HostError

#: What decodes and checks the values of each type that has bounds.
Bounds = Mapping[Type, Callable[[Any], Any]]


def outside_bounds(
    t: Type, names: Mapping[str, Type], value: Any, bounds: Bounds
) -> Iterator[HostError]:
    """Yield a refusal for each part of *value*, a value of *t*, that is outside its bounds."""
    if value is None:
        return
    if t in bounds:
        try:
            bounds[t](value)
        except HostError as error:
            yield error
        return
    match t:
        case Scalar() | Enum() | Not() | Counted():
            return
        case Maybe(inner) | Refined(inner) | Noted(inner):
            yield from outside_bounds(inner, names, value, bounds)
        case Ref(name):
            yield from outside_bounds(names[name], names, value, bounds)
        case Union(members) | One(members):
            fitting = [member for member in members if lone(member, names).accepts(value)]
            found = [list(outside_bounds(member, names, value, bounds)) for member in fitting]
            yield from min(found, key=len, default=[])
        case Both(members):
            for member in members:
                yield from outside_bounds(member, names, value, bounds)
        case List() | Set() | Tuple() | MapOf() | Record():
            for step, inner, part in _parts(t, value):
                for below in outside_bounds(inner, names, part, bounds):
                    below.steps.append(step)
                    yield below
        case _:
            assert_never(t)


def _parts(
    t: List | Set | Tuple | MapOf | Record, value: Any
) -> Iterator[tuple[str | int, Type, Any]]:
    """Yield the place, the type and the value of each part of *value*."""
    value = exact(value)
    match t:
        case List(item) | Set(item):
            yield from ((index, item, part) for index, part in enumerate(value))
        case Tuple(items, rest):
            for index, part in enumerate(value):
                inner = items[index] if index < len(items) else rest
                if inner is not None:
                    yield index, inner, part
        case MapOf(_, inner):
            yield from ((str(key), inner, part) for key, part in value.items())
        case Record(fields, extra):
            types = {field.key: field.type for field in fields}
            for key, part in value.items():
                found = types.get(key, types.get(folded(str(key)), extra))
                if found is not None:
                    yield str(key), found, part
        case _:
            assert_never(t)
