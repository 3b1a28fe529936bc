"""How the members of a union changed, and what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence

from typesig.algebra import nodes
from typesig.contracts.comparing.walk import Walk
from typesig.contracts.locks.places import Path


def compare_unions(walk: Walk, path: Path, a: nodes.Type, b: nodes.Type) -> None:
    """Report how the members of *a* and *b* differ; what is no union is a union of one."""
    olds, news = _members(a), _members(b)
    _discriminators(walk, path, olds, news)
    gone, come = [t for t in olds if t not in news], [t for t in news if t not in olds]
    count = len(walk.found)
    fits = walk.fits(a, b)
    if fits and (gone or come) and walk.fits_back(a, b):
        walk.whole(path, a, b)
        return
    if fits is not True:
        for old, new in _pairs(gone, come):
            gone.remove(old)
            come.remove(new)
            walk.types((*path, f"|{olds.index(old) + 1}"), old, new)
    is_input = walk.way == "input"
    for t in gone:
        if not (is_input and (fits or walk.fits(t, b))):
            walk.add(path, "member-removed", walk.sides.text(t), pair=(t, b, False))
    for t in come:
        if is_input or not (fits or walk.fits(a, t)):
            walk.add(path, "member-added", new=walk.sides.text(t), pair=(a, t, False))
    kept = [t for t in olds if t in news]
    now = [t for t in news if t in olds]
    if kept != now:
        before, after = (", ".join(map(walk.sides.text, each)) for each in (kept, now))
        walk.add(path, "members-reordered", before, after)
    if len(walk.found) == count:
        walk.whole(path, a, b)


def _members(t: nodes.Type) -> list[nodes.Type]:
    return list(t.members) if isinstance(t, nodes.Union) else [t]


def _pairs(
    gone: Sequence[nodes.Type], come: Sequence[nodes.Type]
) -> list[tuple[nodes.Type, nodes.Type]]:
    """Return which members became which: those with the same tag, or the only one of a shape."""
    out: list[tuple[nodes.Type, nodes.Type]] = []
    left = list(come)
    for old in gone:
        tags = _tags(old)
        same = [t for t in left if tags and _tags(t) == tags]
        if not same and not tags:
            same = [t for t in left if type(t) is type(old) and not isinstance(t, nodes.Scalar)]
            others = [t for t in gone if type(t) is type(old)]
            same = same if len(same) == len(others) == 1 else []
        if len(same) == 1:
            out.append((old, same[0]))
            left.remove(same[0])
    return out


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
    tags = [_tags(t) for t in members]
    if len(members) < 2:
        return ""
    for name in tags[0]:
        values = [found[name] for found in tags if name in found]
        if len(values) == len(set(values)) == len(members):
            return name
    return ""


def _discriminators(
    walk: Walk, path: Path, olds: Sequence[nodes.Type], news: Sequence[nodes.Type]
) -> None:
    old, new = discriminator(olds), discriminator(news)
    if old == new or len(olds) < 2 or len(news) < 2:
        return
    change = "added" if not old else "removed" if not new else "changed"
    walk.add(path, f"discriminator-{change}", old, new)
