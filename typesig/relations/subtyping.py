"""Whether all values of one type are values of another: proofs, and values that stand against."""

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
from typesig.limits import MAX_WITNESS_WORK as _WORK
from typesig.limits import MAX_WITNESSES
from typesig.notations import parse
from typesig.relations.changes import PLAIN_VALUES, PYTHON_VALUES, changed, edges
from typesig.relations.drawing import Drawer
from typesig.relations.emptiness import Prover, Spent
from typesig.relations.errors import NoSample
from typesig.relations.judging import accepts


class _Word(StrEnum):
    """An enum of texts, whose members are text and keywords at once."""

    WORD = "x"


#: Values that few types tell from others.
_ODD = (float("nan"), float("inf"), _Word.WORD, datetime(2026, 1, 31), object())


def is_subtype(a: object, b: object) -> bool | None:
    """Tell whether every value of *a* is a value of *b*: True where that is proved.

    False means that a value is known which *a* accepts and *b* does not; None that neither a
    proof nor such a value was found.  *a* and *b* are what `parse` takes; of a signature, its
    result is meant.  Values count to the letter, as `accepts` judges them: nothing is coerced.

    >>> is_subtype(":int[1..5]", ":float"), is_subtype(":float", ":int")
    (True, False)
    """
    x, y, definitions = aligned(a, b)
    if _proved((x,), (y,), definitions):
        return True
    found = _witness(x, negated(y), y, definitions)
    return None if found is None else False


def counterexample(a: object, b: object) -> tuple[Any] | None:
    """Return a value that *a* accepts and *b* does not, alone in a tuple; None where none is found.

    >>> counterexample(":int[1..5]", ":int[1..4]")
    (5,)
    """
    x, y, definitions = aligned(a, b)
    return _witness(x, negated(y), y, definitions)


def equivalent(a: object, b: object) -> bool | None:
    """Tell whether *a* and *b* accept the same values; None where it is not known.

    >>> equivalent(":int|:float", ":float"), equivalent(":int", ":float")
    (True, False)
    """
    there = is_subtype(a, b)
    back = there if there is False else is_subtype(b, a)
    if False in (there, back):
        return False
    return True if there and back else None


def disjoint(a: object, b: object) -> bool | None:
    """Tell whether *a* and *b* have no value in common; None where it is not known.

    >>> disjoint(":int", ":string"), disjoint(":int", ":float")
    (True, False)
    """
    x, y, definitions = aligned(a, b)
    if _proved((x, y), (), definitions):
        return True
    found = _witness(x, y, negated(y), definitions)
    return None if found is None else False


def aligned(a: object, b: object) -> tuple[Type, Type, tuple[Definition, ...]]:
    """Return *a* and *b* as two types with definitions in common, renamed where they differ."""
    one, other = parse(a), parse(b)
    renamed = renamings(one, other)
    refs: dict[str, Type] = {old: Ref(new) for old, new in renamed.items()}
    names = one.names
    for name, t in other.names.items():
        names[renamed.get(name, name)] = substitute(t, refs)
    definitions = Signature((), one.returns, names).definitions
    return one.returns, substitute(other.returns, refs), definitions


def renamings(one: Signature, other: Signature) -> dict[str, str]:
    """Return new names for what *other* defines otherwise than *one*, itself or through others."""
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
        return Prover(definitions).empty(pos, neg)
    except (Spent, RecursionError):
        return False


def _witness(x: Type, y: Type, not_y: Type, definitions: Any) -> tuple[Any] | None:
    """Return a value that is an *x* and a *y*, *not_y* being what is just not a *y*."""
    for value in _tried(x, y, not_y, definitions):
        if accepts(x, definitions, value) and accepts(y, definitions, value):
            return (value,)
    return None


def _tried(x: Type, y: Type, not_y: Type, definitions: Any) -> Iterator[Any]:
    """Yield values that may well be both *x* and *y*, the likeliest first."""
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
        yield from changed(value, at, rng, False)


def _some(t: Type, definitions: Any, rng: Random) -> Iterator[Any]:
    drawer = Drawer(definitions, rng)
    failed = 0
    for _ in range(MAX_WITNESSES):
        drawer.left = _WORK
        try:
            yield drawer.value(t)
        except (NoSample, RecursionError):
            failed += 1
            if failed == 3:
                return
