"""Compare two types shape by shape where shapes agree, else as a whole."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import allows_nil, with_types
from typesig.contracts.comparison import Sides, TypeComparison, pair_unique
from typesig.contracts.field_changes import compare_records, compare_refined
from typesig.contracts.rules import RULES
from typesig.notations.texts.literals import write_literal
from typesig.relations.proofs.differences import BY_PARTS, Path, strip_nil

# --- Compare the members of unions and their discriminators ---


def compare_unions(walk: TypeComparison, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Report changed union members; any other type counts as its own single member."""
    olds, news = _get_members(a), _get_members(b)
    _compare_discriminators(walk, path, olds, news)
    before, after = set(olds), set(news)
    gone, come = [t for t in olds if t not in after], [t for t in news if t not in before]
    fits = walk.fits(a, b)
    if fits and (gone or come) and walk.fits(b, a):
        walk.report_whole(path, a, b)
        return
    # Members with the same tags are one, or the only ones of a shape.  Where all fits, a member may
    # have been split, and a pair of members is none.
    pairs = [
        pair for pair in pair_unique(_get_match_key, gone, come) if not fits or walk.fits(*pair)
    ]
    places = {t: place for place, t in enumerate(olds, 1)}
    for old, new in pairs:
        walk.compare_types((*path, f"|{places[old]}"), old, new)
    told = {t for pair in pairs for t in pair}
    gone, come = ([t for t in each if t not in told] for each in (gone, come))
    is_input = walk.way == "input"
    olds_only, news_only = _find_only(olds, news), _find_only(news, olds)
    for t in gone:
        if not (is_input and (fits or (t not in olds_only and walk.fits(t, b)))):
            walk.add(path, "member-removed", walk.sides.text(t), pair=(t, b, False))
    for t in come:
        if is_input or not (fits or (t not in news_only and walk.fits(a, t))):
            walk.add(path, "member-added", new=walk.sides.text(t), pair=(a, t, False))
    kept, now = [t for t in olds if t in after], [t for t in news if t in before]
    if kept != now:
        one, other = (", ".join(map(walk.sides.text, each)) for each in (kept, now))
        walk.add(path, "members-reordered", one, other)


def _find_only(members: Sequence[nodes.Type], others: Sequence[nodes.Type]) -> set[nodes.Type]:
    """Select the *members* whose discriminator value is absent from *others*.

    They are no part of the other union, and nothing has to be asked.
    """
    name = find_discriminator(members)
    if not name or find_discriminator(others) != name:
        return set()
    known = {_find_tags(t)[name] for t in others}
    return {t for t in members if _find_tags(t)[name] not in known}


def _get_members(t: nodes.Type) -> list[nodes.Type]:
    """List the members of union *t*, or *t* alone if it is no union."""
    return list(t.members) if isinstance(t, nodes.Union) else [t]


def _get_match_key(t: nodes.Type) -> Hashable:
    """Return a key for matching members: tags or shape; None for a scalar."""
    if isinstance(t, nodes.Scalar):
        return None
    tags = _find_tags(t)
    return frozenset(tags.items()) if tags else type(t).__name__


def _find_tags(t: nodes.Type) -> dict[str, nodes.Type]:
    """Map the required single-value enum fields of *t* to their types, by name."""
    if not isinstance(t, nodes.Record):
        return {}
    return {
        f.name: f.type
        for f in t.fields
        if f.required and isinstance(f.type, nodes.Enum) and len(f.type.values) == 1
    }


def find_discriminator(members: Sequence[nodes.Type]) -> str:
    """Name of the field that distinguishes the records *members*, or an empty text.

    >>> from typesig import parse
    >>> t = parse('{kind :enum["a"], n :int}|{kind :enum["b"]}').returns
    >>> find_discriminator(t.members)
    'kind'
    """
    values: dict[str, set[nodes.Type]] = {}
    for t in members:
        for name, value in _find_tags(t).items():
            values.setdefault(name, set()).add(value)
    return next((name for name, found in values.items() if len(found) == len(members)), "")


def _compare_discriminators(
    walk: TypeComparison, path: Path, olds: Sequence[nodes.Type], news: Sequence[nodes.Type]
) -> None:
    """Report a discriminator field added, removed or changed in a union."""
    old, new = find_discriminator(olds), find_discriminator(news)
    if old == new or len(olds) < 2 or len(news) < 2:
        return
    change = "added" if not old else "removed" if not new else "changed"
    walk.add(path, f"discriminator-{change}", old, new)


# --- Compare two types shape by shape where shapes agree, else as a whole ---


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
    walk.compare_types(path, strip_nil(a), strip_nil(b))


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
    olds, news = ([f for f in each.params if not f.firewalled] for each in (old, new))
    a = nodes.Record(tuple(olds), old.extra)
    b = nodes.Record(
        with_types(news, sides.rename_new),
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
