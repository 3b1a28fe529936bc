"""The bounds of host types in a result: each value that has them is checked as its own object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.names import folded
from typesig.algebra.rows.values import exact
from typesig.algebra.signature import lone
from typesig.algebra.traversal import children, item_types
from typesig.extraction.hosts.decoders import HostError

#: What decodes and checks the values of each type that has bounds.
Bounds = Mapping[nodes.Type, Callable[[Any], Any]]


def outside_bounds(
    t: nodes.Type, names: Mapping[str, nodes.Type], value: Any, bounds: Bounds
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
        case nodes.Leaf() | nodes.Not() | nodes.Counted():
            return
        case nodes.Ref(name):
            yield from outside_bounds(names[name], names, value, bounds)
        case nodes.Union(members) | nodes.One(members):
            fitting = [member for member in members if lone(member, names).accepts(value)]
            found = [list(outside_bounds(member, names, value, bounds)) for member in fitting]
            yield from min(found, key=len, default=[])
        case nodes.Around() | nodes.Both():
            for part in children(t):
                yield from outside_bounds(part, names, value, bounds)
        case nodes.List() | nodes.Set() | nodes.Tuple() | nodes.MapOf() | nodes.Record():
            for step, inner, part in _parts(t, value):
                for below in outside_bounds(inner, names, part, bounds):
                    below.steps.append(step)
                    yield below
        case _:
            assert_never(t)


def _parts(
    t: nodes.List | nodes.Set | nodes.Tuple | nodes.MapOf | nodes.Record, value: Any
) -> Iterator[tuple[str | int, nodes.Type, Any]]:
    """Yield the place, the type and the value of each part of *value*."""
    value = exact(value)
    match t:
        case nodes.List() | nodes.Set() | nodes.Tuple():
            for index, part in enumerate(value):
                yield from ((index, inner, part) for inner in item_types(t, index))
        case nodes.MapOf(_, inner):
            yield from ((str(key), inner, part) for key, part in value.items())
        case nodes.Record(fields, extra):
            types = {field.key: field.type for field in fields}
            for key, part in value.items():
                found = types.get(key, types.get(folded(str(key)), extra))
                if found is not None:
                    yield str(key), found, part
        case _:
            assert_never(t)
