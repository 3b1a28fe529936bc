"""How a type changed: shape by shape, as far as both have the same; else as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import admits_nil
from typesig.contracts.comparing.bounds import compare_refined
from typesig.contracts.comparing.fields import compare_records
from typesig.contracts.comparing.sides import Sides
from typesig.contracts.comparing.unions import compare_unions
from typesig.contracts.comparing.walk import Walk
from typesig.contracts.locks.places import Path
from typesig.contracts.rows.rules import RULES
from typesig.notations.texts.literals import literal
from typesig.relations.proofs.differences import BY_PARTS


def compare_types(walk: Walk, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Report how *b* differs from *a*; they are not equal, and have no notes."""
    if isinstance(a, nodes.Maybe) is not isinstance(b, nodes.Maybe):
        _nullable(walk, path, a, b)
    elif isinstance(a, nodes.Ref) or isinstance(b, nodes.Ref):
        if (a, b) not in walk.seen:
            walk.seen.add((a, b))
            walk.types(path, _target(walk, a), _target(walk, b))
    elif isinstance(a, nodes.Union) or isinstance(b, nodes.Union):
        compare_unions(walk, path, a, b)
    elif isinstance(a, nodes.Refined) or isinstance(b, nodes.Refined):
        if not compare_refined(walk, path, a, b):
            walk.whole(path, a, b)
    elif type(a) is type(b):
        COMPARISONS[type(a)](walk, path, a, b)
    elif isinstance(a, nodes.Enum) or isinstance(b, nodes.Enum):
        _listed(walk, path, a, b)
    else:
        walk.whole(path, a, b)


def _target(walk: Walk, t: nodes.Type) -> nodes.Type:
    while isinstance(t, nodes.Ref):
        t = walk.sides.definitions[t.name]
    return t


def _nullable(walk: Walk, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Compare two types, one of which is a type or nil."""
    if admits_nil(a, walk.sides.definitions) and admits_nil(b, walk.sides.definitions):
        walk.whole(path, a, b)
        return
    if isinstance(a, nodes.Maybe):
        walk.add(path, "null-refused", pair=(nodes.NIL, b, False))
    else:
        walk.add(path, "null-allowed", pair=(a, nodes.NIL, False))
    walk.types(path, _without_nil(a), _without_nil(b))


def _without_nil(t: nodes.Type) -> nodes.Type:
    return t.inner if isinstance(t, nodes.Maybe) else t


def _listed(walk: Walk, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Compare two types, one of which lists its values."""
    fits, back = walk.fits(a, b), walk.fits(b, a)
    wider, narrower = (fits, back) if walk.way == "input" else (back, fits)
    pair = (a, b, False)
    if isinstance(a, nodes.Enum) and wider and not narrower:
        walk.add(path, "values-unlisted", walk.sides.text(a), walk.sides.text(b), pair=pair)
    elif isinstance(b, nodes.Enum) and narrower and not wider:
        walk.add(path, "values-listed", walk.sides.text(a), walk.sides.text(b), pair=pair)
    else:
        walk.whole(path, a, b)


def _tuple(walk: Walk, path: Path, a: nodes.Tuple, b: nodes.Tuple) -> None:
    pair = (a, b, False)
    if len(a.items) != len(b.items):
        if a.rest is not None or b.rest is not None:
            walk.whole(path, a, b)
            return
        change = "tuple-lengthened" if len(a.items) < len(b.items) else "tuple-shortened"
        walk.add(path, change, str(len(a.items)), str(len(b.items)), pair=pair)
        return
    for place, (old, new) in enumerate(zip(a.items, b.items, strict=True)):
        walk.types((*path, str(place)), old, new)
    if a.rest is not None and b.rest is not None:
        walk.types((*path, "**"), a.rest, b.rest)
    elif a.rest is not None:
        old = nodes.Tuple((*a.items, a.rest), a.rest)
        change = "tuple-rest-refused"
        walk.add(path, change, walk.sides.text(a.rest), pair=(old, b, False))
    elif b.rest is not None:
        walk.add(path, "tuple-rest-allowed", new=walk.sides.text(b.rest), pair=pair)


def _inside(walk: Walk, path: Path, a: nodes.Maybe, b: nodes.Maybe) -> None:
    definitions = walk.sides.definitions
    if admits_nil(a.inner, definitions) or admits_nil(b.inner, definitions):
        # Without the nil that both have, one of them would still have it.
        walk.whole(path, a, b)
        return
    walk.types(path, a.inner, b.inner)


def _enum(walk: Walk, path: Path, a: nodes.Enum, b: nodes.Enum) -> None:
    olds, news = set(a.values), set(b.values)
    for value in a.values:
        if value not in news:
            pair = (nodes.Enum((value,)), b, False)
            walk.add(path, "value-removed", literal(value), pair=pair)
    for value in b.values:
        if value not in olds:
            pair = (a, nodes.Enum((value,)), False)
            walk.add(path, "value-added", new=literal(value), pair=pair)
    kept = [literal(v) for v in a.values if v in news]
    now = [literal(v) for v in b.values if v in olds]
    if kept != now:
        walk.add(path, "values-reordered", " ".join(kept), " ".join(now))


Comparison: TypeAlias = Callable[[Walk, Path, Any, Any], None]

#: How two types of one shape are compared, but for the shapes that `compare_types` takes apart.
COMPARISONS: dict[type, Comparison] = {
    **BY_PARTS,
    nodes.Scalar: Walk.whole,
    nodes.Tuple: _tuple,
    nodes.Record: compare_records,
    nodes.Maybe: _inside,
    nodes.Enum: _enum,
    nodes.One: Walk.whole,
    nodes.Both: Walk.whole,
    nodes.Not: Walk.whole,
    nodes.Counted: Walk.whole,
}


def input_changes(sides: Sides, old: Signature, new: Signature) -> Walk:
    """Return how what a model sends changed; firewalled parameters are the host's."""
    a = nodes.Record(_visible(old), old.extra)
    b = nodes.Record(
        tuple([f.with_type(sides.new(f.type)) for f in _visible(new)]),
        None if new.extra is None else sides.new(new.extra),
    )
    return _walked(Walk(sides, "input", compare_types), ("params",), a, b)


def output_changes(sides: Sides, old: Signature, new: Signature) -> Walk:
    """Return how what a tool returns changed."""
    a, b = old.returns, sides.new(new.returns)
    walk = Walk(sides, "output", compare_types)
    change = _RESULTS.get((_sort(a), _sort(b)))
    if change is None:
        return _walked(walk, ("returns",), a, b)
    pair = (a, b, False)
    walk.add(("returns",), change, sides.text(a), sides.text(b), pair=pair, of="result")
    return walk


def _walked(walk: Walk, path: Path, a: nodes.Type, b: nodes.Type) -> Walk:
    walk.types(path, a, b)
    walk.root(path, a, b, any(RULES[f.rule].severity == "breaking" for f in walk.found))
    return walk


def _visible(signature: Signature) -> tuple[nodes.Field, ...]:
    return tuple([f for f in signature.params if not f.firewalled])


def _sort(t: nodes.Type) -> str:
    return "any" if t == nodes.ANY else "nil" if t == nodes.NIL else "typed"


#: How results gain or lose their type.
_RESULTS: dict[tuple[str, str], str] = {
    ("any", "typed"): "described",
    ("any", "nil"): "described",
    ("typed", "any"): "undescribed",
    ("nil", "any"): "undescribed",
    ("nil", "typed"): "added",
    ("typed", "nil"): "removed",
}
