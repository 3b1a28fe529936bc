"""How constraints changed: bounds, steps, patterns, formats, and whether items are unique."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import kinds_of, refined
from typesig.algebra.rows.constraints import NUMBERS, TEXTS, Constraint, ConstraintName
from typesig.contracts.comparing.walk import Walk
from typesig.contracts.locks.places import Path
from typesig.notations.texts.literals import constraints_text

#: What a range is called by the kinds that it applies to.
_FAMILIES: tuple[tuple[frozenset[str], tuple[str, str]], ...] = (
    (frozenset(NUMBERS), ("minimum", "maximum")),
    (frozenset(TEXTS), ("min-length", "max-length")),
    (frozenset({"list", "set"}), ("min-items", "max-items")),
    (frozenset({"map"}), ("min-properties", "max-properties")),
)

_LOWER: tuple[ConstraintName, ...] = ("at_least", "above")
_UPPER: tuple[ConstraintName, ...] = ("at_most", "below")

#: The constraints that are compared as tests, and the name of each in the rules.
_TESTS: dict[ConstraintName, str] = {
    "multiple_of": "multiple-of",
    "pattern": "pattern",
    "format": "format",
}


def bounds_named(t: nodes.Type) -> tuple[str, str] | None:
    """Return what the bounds of *t* are called, or None if they would be of several kinds."""
    kinds = kinds_of(t)
    for of, names in _FAMILIES:
        if kinds and kinds - {"nil"} <= of:
            return names
    return None


def compare_refined(walk: Walk, path: Path, a: nodes.Type, b: nodes.Type) -> bool:
    """Report how the constraints of *a* and *b* differ, and their inner types.

    Returns False, and reports nothing, if they have to be compared as wholes.
    """
    (one, old), (other, new) = _parts(a), _parts(b)
    named = bounds_named(one)
    if named is None or named != bounds_named(other):
        return False
    if one == other and walk.fits(a, b) and walk.fits_back(a, b):
        return False
    walk.types(path, one, other)
    lower, upper = named
    _bound(walk, path, lower, one, _end(old, _LOWER), _end(new, _LOWER))
    _bound(walk, path, upper, one, _end(old, _UPPER), _end(new, _UPPER))
    for name, word in _TESTS.items():
        gone = [c for c in old if c.name == name and c not in new]
        come = [c for c in new if c.name == name and c not in old]
        _tests(walk, path, word, one, gone, come)
    _unique(walk, path, one, old, new)
    return True


def _parts(t: nodes.Type) -> tuple[nodes.Type, tuple[Constraint, ...]]:
    return (t.inner, t.constraints) if isinstance(t, nodes.Refined) else (t, ())


def _end(constraints: Sequence[Constraint], names: Sequence[ConstraintName]) -> Constraint | None:
    """Return the strictest of *constraints* with one of *names*, or None."""
    found = [c for c in constraints if c.name in names]
    # Of equal ends, the one that excludes its own number is stricter.
    sign = 1 if names is _LOWER else -1
    return max(found, key=lambda c: (sign * c.argument.value, c.name in _STRICT), default=None)


_STRICT = ("above", "below")


def _place(end: Constraint, sign: int) -> tuple[Any, bool]:
    return sign * end.argument.value, end.name in _STRICT


def _bound(
    walk: Walk,
    path: Path,
    name: str,
    inner: nodes.Type,
    old: Constraint | None,
    new: Constraint | None,
) -> None:
    if old is None and new is None:
        return
    pair = (_with(inner, old), _with(inner, new), False)
    if old is None or new is None:
        change = "added" if old is None else "removed"
        walk.add(path, f"{name}-{change}", _text(old), _text(new), pair=pair)
        return
    sign = 1 if name.startswith("min") else -1
    a, b = _place(old, sign), _place(new, sign)
    if a == b:
        return
    change = "raised" if (a < b) is (sign == 1) else "lowered"
    walk.add(path, f"{name}-{change}", _text(old), _text(new), pair=pair)


def _with(inner: nodes.Type, constraint: Constraint | None) -> nodes.Type:
    return inner if constraint is None else refined(inner, [constraint])


def _text(end: Constraint | None) -> str:
    if end is None:
        return ""
    return f"{_SIGNS.get(end.name, '')}{end.argument.value!r}"


_SIGNS = {"above": ">", "below": "<"}


def _tests(
    walk: Walk,
    path: Path,
    name: str,
    inner: nodes.Type,
    gone: list[Constraint],
    come: list[Constraint],
) -> None:
    if len(gone) == len(come) == 1:
        a, b = refined(inner, gone), refined(inner, come)
        if name == "pattern":
            before, after = constraints_text(gone), constraints_text(come)
            walk.add(path, "pattern-changed", before, after, pair=(a, b, False))
            return
        walk.moved(path, a, b, name, constraints_text(gone), constraints_text(come))
        return
    for each in gone:
        pair = (refined(inner, [each]), inner, False)
        walk.add(path, f"{name}-removed", constraints_text([each]), pair=pair)
    for each in come:
        pair = (inner, refined(inner, [each]), False)
        walk.add(path, f"{name}-added", new=constraints_text([each]), pair=pair)


def _unique(
    walk: Walk,
    path: Path,
    inner: nodes.Type,
    old: Sequence[Constraint],
    new: Sequence[Constraint],
) -> None:
    was = [c for c in old if c.name == "unique"]
    now = [c for c in new if c.name == "unique"]
    if was and not now:
        walk.add(path, "unique-removed", pair=(refined(inner, was), inner, False))
    if now and not was:
        walk.add(path, "unique-added", pair=(inner, refined(inner, now), False))
