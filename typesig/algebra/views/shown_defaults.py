"""Defaults as a model sees them: without the names that their types firewall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import kinds_of
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.rows.values import Const, Pair
from typesig.algebra.traversal import level, walk


def shown_default(default: Const, t: nodes.Type, names: Mapping[str, nodes.Type]) -> Const | None:
    """Return *default* without firewalled names, or None if it may not fit *t* without them.

    A leading underscore firewalls a name, unless *t* declares it as exact in that place.  Without
    the name, a negation, an exactly-one, unique items or the size of a map may come out otherwise.
    """
    shown = _shown(default, [t], names)
    return shown if shown == default or not _depends_on_names(t, names) else None


def _shown(value: Const, types: Iterable[nodes.Type], names: Mapping[str, nodes.Type]) -> Const:
    if not value.flags & HIDDEN:
        return value
    shapes = [shape for t in types for shape in level(t, names)]
    if value.kind == "map":
        return Const("map", tuple(_pairs(value.value, shapes, names)))
    # Only maps have names, so that this is a list.
    items = [item for shape in shapes for item in _items(shape)]
    return Const("list", tuple([_shown(each, items, names) for each in value.value]))


def _pairs(
    pairs: Iterable[Pair], shapes: Iterable[nodes.Type], names: Mapping[str, nodes.Type]
) -> Iterator[Pair]:
    fields: dict[str, list[nodes.Type]] = {}
    exact: set[str] = set()
    others: list[nodes.Type] = []
    for shape in shapes:
        others.extend(_others(shape))
        for field in shape.fields if isinstance(shape, nodes.Record) else ():
            fields.setdefault(field.name, []).append(field.type)
            exact.update([field.name] if field.exact else [])
    for pair in pairs:
        if pair.name in exact or not pair.name.startswith("_"):
            types = [*fields.get(pair.name, ()), *others]
            yield Pair(pair.name, _shown(pair.const, types, names))


def _items(shape: nodes.Type) -> tuple[nodes.Type, ...]:
    """Return the types of the items of *shape*, wherever they stand; a set holds no maps."""
    match shape:
        case nodes.List(item):
            return (item,)
        case nodes.Tuple(items, rest):
            return items if rest is None else (*items, rest)
        case (
            nodes.Leaf()
            | nodes.Container()
            | nodes.Around()
            | nodes.Joined()
            | nodes.Not()
            | nodes.Ref()
        ):
            return ()
        case _:
            assert_never(shape)


def _others(shape: nodes.Type) -> tuple[nodes.Type, ...]:
    """Return the types of the values of *shape* whose keys it does not declare."""
    match shape:
        case nodes.MapOf(_, value):
            return (value,)
        case nodes.Record(_, extra, matching):
            patterns = tuple([m.type for m in matching])
            return patterns if extra is None else (*patterns, extra)
        case (
            nodes.Leaf()
            | nodes.Container()
            | nodes.Around()
            | nodes.Joined()
            | nodes.Not()
            | nodes.Ref()
        ):
            return ()
        case _:
            assert_never(shape)


def _depends_on_names(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Tell whether a name more or less in a value may decide that it conforms to *t*."""
    pending, seen = [t], set[str]()
    while pending:
        for part in walk(pending.pop()):
            match part:
                case nodes.Not() | nodes.Counted() | nodes.One():
                    return True
                case nodes.Enum(values):
                    if any(value.kind in ("list", "map") for value in values):
                        return True
                case nodes.Refined(inner, constraints):
                    kinds = kinds_of(inner)
                    sized = kinds is None or "map" in kinds
                    found = {constraint.name for constraint in constraints}
                    if "unique" in found or (sized and found & {"at_least", "at_most"}):
                        return True
                case nodes.Ref(name):
                    if name not in seen:
                        seen.add(name)
                        pending.append(names[name])
                case nodes.Scalar() | nodes.Container() | nodes.Maybe():
                    # A set holds no maps.
                    pass
                case nodes.Union() | nodes.Both() | nodes.Noted():
                    pass
                case _:
                    assert_never(part)
    return False
