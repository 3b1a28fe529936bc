"""How the members of a union changed, and what tells them apart."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from typesig.algebra import nodes
from typesig.contracts.comparing.pairing import sole_pairs
from typesig.contracts.comparing.walk import Walk
from typesig.contracts.locks.places import Path


def compare_unions(walk: Walk, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Report how the members of *a* and *b* differ; what is no union is a union of one."""
    olds, news = _members(a), _members(b)
    _discriminators(walk, path, olds, news)
    before, after = set(olds), set(news)
    gone, come = [t for t in olds if t not in after], [t for t in news if t not in before]
    fits = walk.fits(a, b)
    if fits and (gone or come) and walk.fits(b, a):
        walk.whole(path, a, b)
        return
    # Members with the same tags are one, or the only ones of a shape.  Where all fits, a member may
    # have been split, and a pair of members is none.
    pairs = [pair for pair in sole_pairs(_sort, gone, come) if not fits or walk.fits(*pair)]
    places = {t: place for place, t in enumerate(olds, 1)}
    for old, new in pairs:
        walk.types((*path, f"|{places[old]}"), old, new)
    told = {t for pair in pairs for t in pair}
    gone, come = ([t for t in each if t not in told] for each in (gone, come))
    is_input = walk.way == "input"
    olds_only, news_only = _only(olds, news), _only(news, olds)
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


def _only(members: Sequence[nodes.Type], others: Sequence[nodes.Type]) -> set[nodes.Type]:
    """Return those of *members* with a tag that none of *others*, told apart by it, has.

    They are no part of the other union, and nothing has to be asked.
    """
    name = discriminator(members)
    if not name or discriminator(others) != name:
        return set()
    known = {_tags(t)[name] for t in others}
    return {t for t in members if _tags(t)[name] not in known}


def _members(t: nodes.Type) -> list[nodes.Type]:
    return list(t.members) if isinstance(t, nodes.Union) else [t]


def _sort(t: nodes.Type) -> Hashable:
    """Return the tags of *t*, or its shape; None for a scalar, which is another type altogether."""
    if isinstance(t, nodes.Scalar):
        return None
    tags = _tags(t)
    return frozenset(tags.items()) if tags else type(t).__name__


def _tags(t: nodes.Type) -> dict[str, nodes.Type]:
    """Return the required fields of *t* that have one value only, by name."""
    if not isinstance(t, nodes.Record):
        return {}
    return {
        f.name: f.type
        for f in t.fields
        if f.required and isinstance(f.type, nodes.Enum) and len(f.type.values) == 1
    }


def discriminator(members: Sequence[nodes.Type]) -> str:
    """Return the name of the field that tells *members*, records, apart; empty if there is none.

    >>> from typesig import parse
    >>> t = parse('{kind :enum["a"], n :int}|{kind :enum["b"]}').returns
    >>> discriminator(t.members)
    'kind'
    """
    values: dict[str, set[nodes.Type]] = {}
    for t in members:
        for name, value in _tags(t).items():
            values.setdefault(name, set()).add(value)
    return next((name for name, found in values.items() if len(found) == len(members)), "")


def _discriminators(
    walk: Walk, path: Path, olds: Sequence[nodes.Type], news: Sequence[nodes.Type]
) -> None:
    old, new = discriminator(olds), discriminator(news)
    if old == new or len(olds) < 2 or len(news) < 2:
        return
    change = "added" if not old else "removed" if not new else "changed"
    walk.add(path, f"discriminator-{change}", old, new)
