"""Whether one type is a subtype of another: proofs and counterexamples."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from random import Random
from typing import Any

from typesig.algebra.constructors import make_both, make_not
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, Type
from typesig.algebra.signature import Signature, join_names
from typesig.algebra.traversal import iter_types, substitute
from typesig.limits import MAX_WITNESS_WORK, MAX_WITNESSES
from typesig.notations import parse
from typesig.relations.normal_form import Clause, Heights, Parts
from typesig.relations.proofs.emptiness import EmptinessProver
from typesig.relations.sampling.drawing import Drawer
from typesig.relations.sampling.samples import (
    PLAIN_VALUES,
    PYTHON_VALUES,
    find_edges,
    iter_mutations,
)
from typesig.relations.step_budget import NoSample, OutOfSteps, Work


class _TextKeyword(StrEnum):
    """An enum whose members are texts and keywords at once."""

    WORD = "x"


#: Values that only few types tell apart from others.
_ODD = (float("nan"), float("inf"), _TextKeyword.WORD, datetime(2026, 1, 31), object())


def is_subtype(a: object, b: object) -> bool | None:
    """Whether every value of *a* is a value of *b*; None if that is unknown.

    True means that this is proved; False that a value was found which *a* accepts and *b* refuses;
    None that neither a proof nor such a value was found.  *a* and *b* are anything that `parse`
    takes; signatures are compared by their results.  Values must conform without coercion, as
    `Signature.accepts` decides.

    >>> is_subtype(":int[1..5]", ":float"), is_subtype(":float", ":int")
    (True, False)
    """
    x, y, definitions = align_definitions(a, b)
    return Relations(definitions).is_subtype(x, y)


def counterexample(a: object, b: object) -> tuple[Any] | None:
    """Return a 1-tuple of a value that *a* accepts and *b* refuses, or None if none is found.

    >>> counterexample(":int[1..5]", ":int[1..4]")
    (5,)
    """
    x, y, definitions = align_definitions(a, b)
    return Relations(definitions).counterexample(x, y)


def equivalent(a: object, b: object) -> bool | None:
    """Whether *a* and *b* accept the same values; None if that is unknown.

    >>> equivalent(":int|:float", ":float"), equivalent(":int", ":float")
    (True, False)
    """
    x, y, definitions = align_definitions(a, b)
    relations = Relations(definitions)
    with relations.work.limit_steps(relations.work.left // 2):
        there = relations.is_subtype(x, y)
    back = there if there is False else relations.is_subtype(y, x)
    if False in (there, back):
        return False
    return True if there and back else None


def disjoint(a: object, b: object) -> bool | None:
    """Whether *a* and *b* have no value in common; None if that is unknown.

    >>> disjoint(":int", ":string"), disjoint(":int", ":float")
    (True, False)
    """
    x, y, definitions = align_definitions(a, b)
    return Relations(definitions).disjoint(x, y)


def align_definitions(a: object, b: object) -> tuple[Type, Type, tuple[Definition, ...]]:
    """Return the result types of *a* and *b*, with shared definitions."""
    one, other = parse(a), parse(b)
    definitions, refs = join_definitions(one, other)
    return one.returns, substitute(other.returns, refs), definitions


def join_definitions(
    one: Signature, other: Signature
) -> tuple[tuple[Definition, ...], dict[str, Type]]:
    """Merge the definitions of both signatures; also map names of *other* to new references."""
    names, refs = join_names(one, other)
    return Signature((), one.returns, names).definitions, refs


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
        """Whether every value of *x* is a value of *y*; None if that is unknown."""
        return self._is_empty((x,), (y,), x, make_not(y), y)

    def disjoint(self, x: Type, y: Type) -> bool | None:
        """Whether *x* and *y* have no value in common; None if that is unknown."""
        return self._is_empty((x, y), (), x, y, make_not(y))

    def counterexample(self, x: Type, y: Type) -> tuple[Any] | None:
        """Find a value that *x* accepts and *y* refuses, as a 1-tuple, or None."""
        return self._find_witness(x, make_not(y), y, None)

    def _is_empty(self, pos: Parts, neg: Parts, x: Type, y: Type, not_y: Type) -> bool | None:
        """Whether *pos* without *neg* is empty; None without a proof or an example."""
        # Half of the steps are for a counterexample.
        with self.work.limit_steps(self.work.left // 2):
            if self._prover.prove(pos, neg):
                return True
        return None if self._find_witness(x, y, not_y, self._prover.open) is None else False

    def _find_witness(
        self, x: Type, y: Type, not_y: Type, left: Clause | None
    ) -> tuple[Any] | None:
        """Return a 1-tuple of a value that is both an *x* and a *y*, or None if none is found.

        *not_y* is the negation of *y*: its values are near those of *y*.  *left* is a clause in
        which the value may be.
        """
        judge = self._prover.judge
        try:
            for value in self._propose_values(x, y, not_y, left):
                if judge.accepts(x, value) and judge.accepts(y, value):
                    return (value,)
        except OutOfSteps:
            pass
        return None

    def _propose_values(self, x: Type, y: Type, not_y: Type, left: Clause | None) -> Iterator[Any]:
        """Yield values that may be both *x* and *y*."""
        yield from (*PLAIN_VALUES, *PYTHON_VALUES, *_ODD)
        rng = Random(0)
        drawn: list[Any] = []
        for t in (make_both([x, y]), x, y, not_y):
            for value in self._draw_some(t, rng, MAX_WITNESSES):
                drawn.append(value)
                yield value
            if left is not None:
                yield from self._draw_some(_make_intersection(left), Random(0), MAX_WITNESSES // 4)
                left = None
        parts = [
            part for t in (x, y, *[d.type for d in self.definitions]) for part in iter_types(t)
        ]
        at = find_edges(parts)
        for value in drawn:
            yield from iter_mutations(value, at, rng, False, self.work)

    def _draw_some(self, t: Type, rng: Random, count: int) -> Iterator[Any]:
        """Yield up to *count* random values of *t*; stop after 3 failed draws."""
        drawer = Drawer(self.definitions, rng, judge=self._prover.judge, heights=self._heights)
        self._heights = drawer.heights
        failed = 0
        for _ in range(count):
            drawer.left = MAX_WITNESS_WORK
            try:
                yield drawer.draw_value(t)
            except (NoSample, RecursionError):
                failed += 1
                if failed == 3:
                    return


def _make_intersection(clause: Clause) -> Type:
    """Build the type of all values that *clause* allows."""
    pos, neg = clause
    return make_both([*pos, *map(make_not, neg)]) if pos or neg else ANY
