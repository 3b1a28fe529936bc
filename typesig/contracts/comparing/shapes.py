"""Compare two types shape by shape where shapes agree, else as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import allows_nil
from typesig.contracts.comparing.bounds import compare_refined
from typesig.contracts.comparing.comparison import TypeComparison
from typesig.contracts.comparing.fields import compare_records
from typesig.contracts.comparing.sides import Sides
from typesig.contracts.comparing.unions import compare_unions
from typesig.contracts.locks.places import Path
from typesig.contracts.rows.rules import RULES
from typesig.notations.texts.literals import write_literal
from typesig.relations.proofs.differences import BY_PARTS


def compare_types(walk: TypeComparison, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Report how *b* differs from *a*, two unequal types without annotations."""
    if isinstance(a, nodes.Maybe) is not isinstance(b, nodes.Maybe):
        _compare_nullable(walk, path, a, b)
    elif isinstance(a, nodes.Ref) or isinstance(b, nodes.Ref):
        if (a, b) not in walk.seen:
            walk.seen.add((a, b))
            walk.compare_types(path, _resolve_target(walk, a), _resolve_target(walk, b))
    elif isinstance(a, nodes.Union) or isinstance(b, nodes.Union):
        compare_unions(walk, path, a, b)
    elif isinstance(a, nodes.Refinement) or isinstance(b, nodes.Refinement):
        if not compare_refined(walk, path, a, b):
            walk.report_whole(path, a, b)
    elif type(a) is type(b):
        COMPARISONS[type(a)](walk, path, a, b)
    elif isinstance(a, nodes.Enum) or isinstance(b, nodes.Enum):
        _compare_listed(walk, path, a, b)
    else:
        walk.report_whole(path, a, b)


def _resolve_target(walk: TypeComparison, t: nodes.Type) -> nodes.Type:
    """Follow references from *t* through the definitions of both signatures."""
    while isinstance(t, nodes.Ref):
        t = walk.sides.definitions[t.name]
    return t


def _compare_nullable(walk: TypeComparison, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Compare the types *a* and *b*, exactly one of them nullable."""
    if allows_nil(a, walk.sides.definitions) and allows_nil(b, walk.sides.definitions):
        walk.report_whole(path, a, b)
        return
    if isinstance(a, nodes.Maybe):
        walk.add(path, "null-refused", pair=(nodes.NIL, b, False))
    else:
        walk.add(path, "null-allowed", pair=(a, nodes.NIL, False))
    walk.compare_types(path, _strip_nil(a), _strip_nil(b))


def _strip_nil(t: nodes.Type) -> nodes.Type:
    """Unwrap the nullable type *t*; other types are returned unchanged."""
    return t.inner if isinstance(t, nodes.Maybe) else t


def _compare_listed(walk: TypeComparison, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Compare the types *a* and *b*, exactly one of them an enum."""
    fits, back = walk.fits(a, b), walk.fits(b, a)
    wider, narrower = (fits, back) if walk.way == "input" else (back, fits)
    pair = (a, b, False)
    if isinstance(a, nodes.Enum) and wider and not narrower:
        walk.add(path, "values-unlisted", walk.sides.text(a), walk.sides.text(b), pair=pair)
    elif isinstance(b, nodes.Enum) and narrower and not wider:
        walk.add(path, "values-listed", walk.sides.text(a), walk.sides.text(b), pair=pair)
    else:
        walk.report_whole(path, a, b)


def _compare_tuple(walk: TypeComparison, path: Path, a: nodes.Tuple, b: nodes.Tuple) -> None:
    """Report changes from tuple *a* to *b*: length, items and further items."""
    pair = (a, b, False)
    if len(a.items) != len(b.items):
        if a.rest is not None or b.rest is not None:
            walk.report_whole(path, a, b)
            return
        change = "tuple-lengthened" if len(a.items) < len(b.items) else "tuple-shortened"
        walk.add(path, change, str(len(a.items)), str(len(b.items)), pair=pair)
        return
    for place, (old, new) in enumerate(zip(a.items, b.items, strict=True)):
        walk.compare_types((*path, str(place)), old, new)
    if a.rest is not None and b.rest is not None:
        walk.compare_types((*path, "**"), a.rest, b.rest)
    elif a.rest is not None:
        old = nodes.Tuple((*a.items, a.rest), a.rest)
        change = "tuple-rest-refused"
        walk.add(path, change, walk.sides.text(a.rest), pair=(old, b, False))
    elif b.rest is not None:
        walk.add(path, "tuple-rest-allowed", new=walk.sides.text(b.rest), pair=pair)


def _compare_inner(walk: TypeComparison, path: Path, a: nodes.Maybe, b: nodes.Maybe) -> None:
    """Compare the non-nil parts of two nullable types, or both types as wholes."""
    definitions = walk.sides.definitions
    if allows_nil(a.inner, definitions) or allows_nil(b.inner, definitions):
        # Without the nil that both have, one of them would still have it.
        walk.report_whole(path, a, b)
        return
    walk.compare_types(path, a.inner, b.inner)


def _compare_enum(walk: TypeComparison, path: Path, a: nodes.Enum, b: nodes.Enum) -> None:
    """Report removed, added and reordered values from enum *a* to *b*."""
    olds, news = set(a.values), set(b.values)
    for value in a.values:
        if value not in news:
            pair = (nodes.Enum((value,)), b, False)
            walk.add(path, "value-removed", write_literal(value), pair=pair)
    for value in b.values:
        if value not in olds:
            pair = (a, nodes.Enum((value,)), False)
            walk.add(path, "value-added", new=write_literal(value), pair=pair)
    kept = [write_literal(v) for v in a.values if v in news]
    now = [write_literal(v) for v in b.values if v in olds]
    if kept != now:
        walk.add(path, "values-reordered", " ".join(kept), " ".join(now))


Comparison: TypeAlias = Callable[[TypeComparison, Path, Any, Any], None]

#: How two types of one shape are compared, but for the shapes that `compare_types` takes apart.
COMPARISONS: dict[type, Comparison] = {
    **BY_PARTS,
    nodes.Scalar: TypeComparison.report_whole,
    nodes.Tuple: _compare_tuple,
    nodes.Record: compare_records,
    nodes.Maybe: _compare_inner,
    nodes.Enum: _compare_enum,
    nodes.One: TypeComparison.report_whole,
    nodes.Both: TypeComparison.report_whole,
    nodes.Not: TypeComparison.report_whole,
    nodes.ItemCount: TypeComparison.report_whole,
}


def compare_input(sides: Sides, old: Signature, new: Signature) -> TypeComparison:
    """Compare the arguments that a model may send; firewalled ones are left out."""
    a = nodes.Record(_get_visible_fields(old), old.extra)
    b = nodes.Record(
        tuple([f.with_type(sides.rename_new(f.type)) for f in _get_visible_fields(new)]),
        None if new.extra is None else sides.rename_new(new.extra),
    )
    return _compare_root(TypeComparison(sides, "input", compare_types), ("params",), a, b)


def compare_output(sides: Sides, old: Signature, new: Signature) -> TypeComparison:
    """Compare the results of two signatures."""
    a, b = old.returns, sides.rename_new(new.returns)
    walk = TypeComparison(sides, "output", compare_types)
    change = _RESULTS.get((_sort(a), _sort(b)))
    if change is None:
        return _compare_root(walk, ("returns",), a, b)
    pair = (a, b, False)
    walk.add(("returns",), change, sides.text(a), sides.text(b), pair=pair, of="result")
    return walk


def _compare_root(walk: TypeComparison, path: Path, a: nodes.Type, b: nodes.Type) -> TypeComparison:
    """Compare two types and finish *walk* with a check of the types as wholes."""
    walk.compare_types(path, a, b)
    walk.root(path, a, b, any(RULES[f.rule].severity == "breaking" for f in walk.found))
    return walk


def _get_visible_fields(signature: Signature) -> tuple[nodes.Field, ...]:
    """Select the parameters of *signature* that are not firewalled."""
    return tuple([f for f in signature.params if not f.firewalled])


def _sort(t: nodes.Type) -> str:
    """Classify the result type *t* as any, nil or typed."""
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
