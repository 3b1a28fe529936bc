"""Whether one type is a subtype of another: proofs and counterexamples."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from random import Random
from typing import Any

from typesig.algebra.constructors import both, negated
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, Ref, Type
from typesig.algebra.signature import Signature, fresh_name
from typesig.algebra.traversal import leading_to, substitute, walk
from typesig.limits import MAX_WITNESS_WORK, MAX_WITNESSES
from typesig.notations import parse
from typesig.relations.limits.heights import Heights
from typesig.relations.limits.normal_form import Clause, Parts
from typesig.relations.limits.work import NoSample, Spent, Work
from typesig.relations.proofs.emptiness import EmptinessProver
from typesig.relations.sampling.drawing import Drawer
from typesig.relations.sampling.mutations import PLAIN_VALUES, PYTHON_VALUES, edges, mutations


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
    return Relations(definitions).is_subtype(x, y)


def counterexample(a: object, b: object) -> tuple[Any] | None:
    """Return a 1-tuple of a value that *a* accepts and *b* refuses, or None if none is found.

    >>> counterexample(":int[1..5]", ":int[1..4]")
    (5,)
    """
    x, y, definitions = aligned(a, b)
    return Relations(definitions).counterexample(x, y)


def equivalent(a: object, b: object) -> bool | None:
    """Tell whether *a* and *b* accept the same values; None if that is unknown.

    >>> equivalent(":int|:float", ":float"), equivalent(":int", ":float")
    (True, False)
    """
    x, y, definitions = aligned(a, b)
    relations = Relations(definitions)
    with relations.work.within(relations.work.left // 2):
        there = relations.is_subtype(x, y)
    back = there if there is False else relations.is_subtype(y, x)
    if False in (there, back):
        return False
    return True if there and back else None


def disjoint(a: object, b: object) -> bool | None:
    """Tell whether *a* and *b* have no value in common; None if that is unknown.

    >>> disjoint(":int", ":string"), disjoint(":int", ":float")
    (True, False)
    """
    x, y, definitions = aligned(a, b)
    return Relations(definitions).disjoint(x, y)


def aligned(a: object, b: object) -> tuple[Type, Type, tuple[Definition, ...]]:
    """Return *a* and *b* as types with shared definitions; those of *b* are renamed on a clash."""
    one, other = parse(a), parse(b)
    definitions, refs = joined_definitions(one, other)
    return one.returns, substitute(other.returns, refs), definitions


def joined_definitions(
    one: Signature, other: Signature
) -> tuple[tuple[Definition, ...], dict[str, Type]]:
    """Return the definitions of both signatures, and new references to those of *other*."""
    renamed = renamings(one, other)
    refs: dict[str, Type] = {old: Ref(new) for old, new in renamed.items()}
    names = one.names
    for name, t in other.names.items():
        names[renamed.get(name, name)] = substitute(t, refs)
    return Signature((), one.returns, names).definitions, refs


def renamings(one: Signature, other: Signature) -> dict[str, str]:
    """Return new names for the definitions of *other* that mean something else in *one*."""
    mine, theirs = one.names, other.names
    clashing = leading_to([name for name, t in theirs.items() if mine.get(name, t) != t], theirs)
    out: dict[str, str] = {}
    taken = set(mine) | set(theirs)
    for name in sorted(clashing):
        out[name] = fresh_name(name, taken)
        taken.add(out[name])
    return out


class Relations:
    """Relations between types that share definitions, all within one budget of steps.

    #: work: the steps that are left
    """

    def __init__(self, definitions: tuple[Definition, ...]) -> None:
        self.definitions = definitions
        self.work = Work()
        self._prover = EmptinessProver(definitions, self.work)
        self._heights: Heights | None = None

    def is_subtype(self, x: Type, y: Type) -> bool | None:
        """Return what the function of this name does."""
        return self._is_empty((x,), (y,), x, negated(y), y)

    def disjoint(self, x: Type, y: Type) -> bool | None:
        """Return what the function of this name does."""
        return self._is_empty((x, y), (), x, y, negated(y))

    def counterexample(self, x: Type, y: Type) -> tuple[Any] | None:
        """Return what the function of this name does."""
        return self._witness(x, negated(y), y, None)

    def _is_empty(self, pos: Parts, neg: Parts, x: Type, y: Type, not_y: Type) -> bool | None:
        # Half of the steps are for a counterexample.
        with self.work.within(self.work.left // 2):
            if self._prover.prove(pos, neg):
                return True
        return None if self._witness(x, y, not_y, self._prover.open) is None else False

    def _witness(self, x: Type, y: Type, not_y: Type, left: Clause | None) -> tuple[Any] | None:
        """Return a 1-tuple of a value that is both an *x* and a *y*, or None if none is found.

        *not_y* is the negation of *y*: its values are near those of *y*.  *left* is a clause in
        which the value may be.
        """
        judge = self._prover.judge
        try:
            for value in self._tried(x, y, not_y, left):
                if judge.accepts(x, value) and judge.accepts(y, value):
                    return (value,)
        except Spent:
            pass
        return None

    def _tried(self, x: Type, y: Type, not_y: Type, left: Clause | None) -> Iterator[Any]:
        """Yield values that may be both *x* and *y*."""
        yield from (*PLAIN_VALUES, *PYTHON_VALUES, *_ODD)
        rng = Random(0)
        drawn: list[Any] = []
        for t in (both([x, y]), x, y, not_y):
            for value in self._some(t, rng, MAX_WITNESSES):
                drawn.append(value)
                yield value
            if left is not None:
                yield from self._some(_all_of(left), Random(0), MAX_WITNESSES // 4)
                left = None
        parts = [part for t in (x, y, *[d.type for d in self.definitions]) for part in walk(t)]
        at = edges(parts)
        for value in drawn:
            yield from mutations(value, at, rng, False, self.work)

    def _some(self, t: Type, rng: Random, count: int) -> Iterator[Any]:
        drawer = Drawer(self.definitions, rng, judge=self._prover.judge, heights=self._heights)
        self._heights = drawer.heights
        failed = 0
        for _ in range(count):
            drawer.left = MAX_WITNESS_WORK
            try:
                yield drawer.value(t)
            except (NoSample, RecursionError):
                failed += 1
                if failed == 3:
                    return


def _all_of(clause: Clause) -> Type:
    pos, neg = clause
    return both([*pos, *map(negated, neg)]) if pos or neg else ANY
