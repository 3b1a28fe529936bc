"""Check the bounds of host types in a result on each value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import to_builtin
from typesig.algebra.signature import make_type_signature
from typesig.algebra.traversal import get_children, get_item_types
from typesig.extraction.hosts.decoders import HostError

#: What decodes and checks the values of each type that has bounds.
Bounds = Mapping[nodes.Type, Callable[[Any], Any]]


def iter_bound_errors(
    t: nodes.Type, names: Mapping[str, nodes.Type], value: Any, bounds: Bounds
) -> Iterator[HostError]:
    """Yield an error for each part of the result *value* that is outside its bounds."""
    if value is None:
        return
    if t in bounds:
        try:
            bounds[t](value)
        except HostError as error:
            yield error
        return
    match t:
        case nodes.Leaf() | nodes.Not() | nodes.ItemCount():
            return
        case nodes.Ref(name):
            yield from iter_bound_errors(names[name], names, value, bounds)
        case nodes.Union(members) | nodes.One(members):
            fitting = [
                member for member in members if make_type_signature(member, names).accepts(value)
            ]
            found = [list(iter_bound_errors(member, names, value, bounds)) for member in fitting]
            yield from min(found, key=len, default=[])
        case nodes.Wrapper() | nodes.Both():
            for part in get_children(t):
                yield from iter_bound_errors(part, names, value, bounds)
        case nodes.List() | nodes.Set() | nodes.Tuple() | nodes.MapOf() | nodes.Record():
            for step, inner, part in _iter_parts(t, value):
                for below in iter_bound_errors(inner, names, part, bounds):
                    below.steps.append(step)
                    yield below
        case _:
            assert_never(t)


def _iter_parts(
    t: nodes.List | nodes.Set | nodes.Tuple | nodes.MapOf | nodes.Record, value: Any
) -> Iterator[tuple[str | int, nodes.Type, Any]]:
    """Yield the step, the type and the value of each item or field of *value*."""
    value = to_builtin(value)
    match t:
        case nodes.List() | nodes.Set() | nodes.Tuple():
            for index, part in enumerate(value):
                yield from ((index, inner, part) for inner in get_item_types(t, index))
        case nodes.MapOf(_, inner):
            yield from ((str(key), inner, part) for key, part in value.items())
        case nodes.Record(fields, extra):
            types = {field.key: field.type for field in fields}
            for key, part in value.items():
                found = types.get(key, types.get(fold_name(str(key)), extra))
                if found is not None:
                    yield str(key), found, part
        case _:
            assert_never(t)
