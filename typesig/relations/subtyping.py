"""Whether one type is a subtype of another: proofs and counterexamples."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from random import Random
from typing import Any

from typesig.algebra.constructors import both, negated
from typesig.algebra.nodes import Ref, Type
from typesig.algebra.signature import Definition, Signature
from typesig.algebra.traversal import references, substitute, walk
from typesig.limits import MAX_WITNESS_WORK, MAX_WITNESSES
from typesig.notations import parse
from typesig.relations.conformance import accepts
from typesig.relations.drawing import Drawer
from typesig.relations.emptiness import EmptinessProver, Spent
from typesig.relations.errors import NoSample
from typesig.relations.mutations import PLAIN_VALUES, PYTHON_VALUES, edges, mutations


class _Word(StrEnum):
    """An enum whose members are texts and keywords at once."""

    WORD = "x"


#: Values that only few types tell apart from others.
_ODD = (float("nan"), float("inf"), _Word.WORD, datetime(2026, 1, 31), object())


def is_subtype(a: object, b: object) -> bool | None:
    """Tell whether every value of *a* is a value of *b*.

    True means that this is proved; False that a value was found which *a* accepts and *b* refuses;
    None that neither a proof nor such a value was found.  *a* and *b* are anything that `parse`
    takes; signatures are compared by their results.  Values must conform without coercion, as
    `Signature.accepts` decides.

    >>> is_subtype(":int[1..5]", ":float"), is_subtype(":float", ":int")
    (True, False)
    """
    x, y, definitions = aligned(a, b)
    if _proved((x,), (y,), definitions):
        return True
    found = _witness(x, negated(y), y, definitions)
    return None if found is None else False


def counterexample(a: object, b: object) -> tuple[Any] | None:
    """Return a 1-tuple of a value that *a* accepts and *b* refuses, or None if none is found.

    >>> counterexample(":int[1..5]", ":int[1..4]")
    (5,)
    """
    x, y, definitions = aligned(a, b)
    return _witness(x, negated(y), y, definitions)


def equivalent(a: object, b: object) -> bool | None:
    """Tell whether *a* and *b* accept the same values; None if that is unknown.

    >>> equivalent(":int|:float", ":float"), equivalent(":int", ":float")
    (True, False)
    """
    there = is_subtype(a, b)
    back = there if there is False else is_subtype(b, a)
    if False in (there, back):
        return False
    return True if there and back else None


def disjoint(a: object, b: object) -> bool | None:
    """Tell whether *a* and *b* have no value in common; None if that is unknown.

    >>> disjoint(":int", ":string"), disjoint(":int", ":float")
    (True, False)
    """
    x, y, definitions = aligned(a, b)
    if _proved((x, y), (), definitions):
        return True
    found = _witness(x, y, negated(y), definitions)
    return None if found is None else False


def aligned(a: object, b: object) -> tuple[Type, Type, tuple[Definition, ...]]:
    """Return *a* and *b* as types with shared definitions; those of *b* are renamed on a clash."""
    one, other = parse(a), parse(b)
    renamed = renamings(one, other)
    refs: dict[str, Type] = {old: Ref(new) for old, new in renamed.items()}
    names = one.names
    for name, t in other.names.items():
        names[renamed.get(name, name)] = substitute(t, refs)
    definitions = Signature((), one.returns, names).definitions
    return one.returns, substitute(other.returns, refs), definitions


def renamings(one: Signature, other: Signature) -> dict[str, str]:
    """Return new names for the definitions of *other* that mean something else in *one*."""
    mine, theirs = one.names, other.names
    clashing = {name for name, t in theirs.items() if mine.get(name, t) != t}
    while more := {n for n, t in theirs.items() if references(t) & clashing} - clashing:
        clashing |= more
    out: dict[str, str] = {}
    taken = mine.keys() | theirs.keys()
    for name in sorted(clashing):
        count = 2
        while f"{name}{count}" in taken:
            count += 1
        out[name] = f"{name}{count}"
        taken = taken | {out[name]}
    return out


def _proved(pos: tuple[Type, ...], neg: tuple[Type, ...], definitions: Any) -> bool:
    try:
        return EmptinessProver(definitions).is_empty(pos, neg)
    except (Spent, RecursionError):
        return False


def _witness(x: Type, y: Type, not_y: Type, definitions: Any) -> tuple[Any] | None:
    """Return a 1-tuple of a value that is both an *x* and a *y*, or None if none is found.

    *not_y* is the negation of *y*: its values are near those of *y*.
    """
    for value in _tried(x, y, not_y, definitions):
        if accepts(x, definitions, value) and accepts(y, definitions, value):
            return (value,)
    return None


def _tried(x: Type, y: Type, not_y: Type, definitions: Any) -> Iterator[Any]:
    """Yield values that may be both *x* and *y*."""
    yield from (*PLAIN_VALUES, *PYTHON_VALUES, *_ODD)
    rng = Random(0)
    drawn: list[Any] = []
    for t in (both([x, y]), x, y, not_y):
        for value in _some(t, definitions, rng):
            drawn.append(value)
            yield value
    parts = [part for t in (x, y, *[d.type for d in definitions]) for part in walk(t)]
    at = edges(parts)
    for value in drawn:
        yield from mutations(value, at, rng, False)


def _some(t: Type, definitions: Any, rng: Random) -> Iterator[Any]:
    drawer = Drawer(definitions, rng)
    failed = 0
    for _ in range(MAX_WITNESSES):
        drawer.left = MAX_WITNESS_WORK
        try:
            yield drawer.value(t)
        except (NoSample, RecursionError):
            failed += 1
            if failed == 3:
                return
