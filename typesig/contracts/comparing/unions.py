"""Compare the members of unions and their discriminators."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from typesig.algebra import nodes
from typesig.contracts.comparing.comparison import TypeComparison, pair_unique
from typesig.contracts.locks.places import Path


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
    pairs = [pair for pair in pair_unique(_sort, gone, come) if not fits or walk.fits(*pair)]
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


def _sort(t: nodes.Type) -> Hashable:
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
