"""What constraints leave of numbers and of sizes: ranges and steps, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import ceil, floor, lcm
from random import Random
from typing import Any, NamedTuple

from typesig.algebra.constraints import Constraint
from typesig.algebra.nodes import Refined
from typesig.relations.clauses import Way

#: A constraint, and whether it is to hold or not to hold.
Limit = tuple[Constraint, bool]


def limits_of(clause: Way) -> list[Limit]:
    """Return the constraints among the atoms of *clause*."""
    pos, neg = clause
    found = [(part.constraints[0], True) for part in pos if isinstance(part, Refined)]
    return found + [(part.constraints[0], False) for part in neg if isinstance(part, Refined)]


class Bounds(NamedTuple):
    """Numbers between two bounds, each of which may be missing or left out itself.

    #: steps: what they are multiples of
    #: missed: what they are no multiples of
    """

    low: Fraction | None = None
    above: bool = False
    high: Fraction | None = None
    below: bool = False
    steps: tuple[Fraction, ...] = ()
    missed: tuple[Fraction, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether no number is between the bounds."""
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.above or self.below))

    @property
    def least(self) -> int | None:
        """The least whole number within the bounds, None where there is none."""
        if self.low is None:
            return None
        return floor(self.low) + 1 if self.above else ceil(self.low)

    @property
    def most(self) -> int | None:
        """The greatest whole number within the bounds, None where there is none."""
        if self.high is None:
            return None
        return ceil(self.high) - 1 if self.below else floor(self.high)

    @property
    def step(self) -> int:
        """What each whole number of these is a multiple of."""
        # A whole number is a multiple of 5/2 where it is one of 5.
        return reduce(lcm, [step.numerator for step in self.steps], 1)


def exact(number: Any) -> Fraction:
    """Return a step as constraints mean it: by its shortest decimal text."""
    return Fraction(number) if type(number) is int else Fraction(repr(number))


#: A bound, None where there is none, and whether it is left out itself.
Bound = tuple[Fraction | None, bool]

NOWHERE: Bound = (None, False)


def bounds(limits: Iterable[Limit]) -> Bounds:
    """Return the numbers that *limits* leave, where nan and what is infinite are set aside.

    >>> found = bounds([(Constraint("at_least", 1), True), (Constraint("at_least", 5), False)])
    >>> found.least, found.most
    (1, 4)
    """
    low, high = NOWHERE, NOWHERE
    steps: list[Fraction] = []
    missed: list[Fraction] = []
    for constraint, wanted in limits:
        name, value = constraint.name, constraint.argument.value
        if name in ("at_least", "above", "at_most", "below"):
            is_low = (name in ("at_least", "above")) is wanted
            is_open = (name in ("above", "below")) is wanted
            at = Fraction(value)
            if is_low:
                low = _tighter(low, (at, is_open), 1)
            else:
                high = _tighter(high, (at, is_open), -1)
        elif name == "multiple_of":
            (steps if wanted else missed).append(exact(value))
    return Bounds(low[0], low[1], high[0], high[1], tuple(steps), tuple(missed))


def _tighter(old: Bound, new: tuple[Fraction, bool], sign: int) -> Bound:
    if old[0] is None or (sign * new[0], new[1]) > (sign * old[0], old[1]):
        return new
    return old


def sizes(limits: Iterable[Limit]) -> tuple[int, int | None]:
    """Return the least and the greatest size that *limits* leave, None for no greatest.

    >>> sizes([(Constraint("at_least", 1.5), True), (Constraint("at_most", 3), True)])
    (2, 3)
    """
    found = bounds([at for at in limits if at[0].name in ("at_least", "at_most")])
    return max(found.least or 0, 0), found.most


def candidates(limits: list[Limit], kind: str, rng: Random) -> list[Any]:
    """Return numbers of *kind* that *limits* may well hold of, the likeliest first."""
    found = bounds(limits)
    return _whole(found, rng) if kind == "int" else _floats(found, rng)


def _whole(found: Bounds, rng: Random) -> list[Any]:
    step, least, most = found.step, found.least, found.most
    low = None if least is None else -(-least // step)
    high = None if most is None else most // step
    first = low if low is not None else min(-5, -5 if high is None else high - 20)
    last = high if high is not None else max(first + 20, 9 if low is None else first)
    if first > last:
        return []
    near = [first, last, min(first + 1, last), max(last - 1, first)]
    drawn = [rng.randint(first, min(last, first + 20)), rng.randint(first, last), rng.choice(near)]
    rng.shuffle(drawn)
    counted = range(first, min(last, first + 60) + 1)
    return [n * step for n in (*drawn, *near, *counted)]


def _floats(found: Bounds, rng: Random) -> list[Any]:
    low, high = found.low, found.high
    first = low if low is not None else Fraction(-5) if high is None else high - 20
    last = high if high is not None else max(first + 20, Fraction(9))
    if first > last:
        return []
    span = last - first
    drawn = [first + span * Fraction(rng.randint(0, 1000), 1000) for _ in range(3)]
    drawn += [Fraction(round(n, 1)) for n in drawn]
    out: list[Fraction] = [*drawn, first, last, first + span / 2, first + span / 997]
    if found.steps:
        step = reduce(_multiple, found.steps)
        least = ceil(first / step)
        counted = [least + rng.randint(0, 20), *range(least, least + 12)]
        out = [n * step for n in counted] + [floor(last / step) * step, *out]
    return [value for number in out for value in as_floats(number)]


def _multiple(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(lcm(a.numerator * b.denominator, b.numerator * a.denominator)) / (
        a.denominator * b.denominator
    )


def as_floats(number: Fraction) -> list[float]:
    """Return *number* as a float, nothing where it is too large for one."""
    try:
        return [float(number)]
    except OverflowError:
        return []
