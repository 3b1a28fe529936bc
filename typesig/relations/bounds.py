"""What constraints allow of numbers, texts and sizes: exact ranges, steps, patterns, formats.

Each function matches over every name of a constraint, so that the type checker points here when
one is added.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import ceil, floor, lcm
from random import Random
from typing import Any, NamedTuple, assert_never

from typesig.algebra.nodes import List, Refinement, Tuple
from typesig.algebra.rows.constraints import Constraint
from typesig.relations.normal_form import Clause

#: A constraint, and whether a value must meet it (True) or must not (False).
Limit = tuple[Constraint, bool]


def find_limits(clause: Clause) -> list[Limit]:
    """Collect the constraints of *clause*, each with whether it must hold or must not."""
    pos, neg = clause
    found = [(part.constraints[0], True) for part in pos if isinstance(part, Refinement)]
    return found + [(part.constraints[0], False) for part in neg if isinstance(part, Refinement)]


class Bounds(NamedTuple):
    """A range of numbers, with the steps that they must or must not be multiples of.

    #: low, high: the bounds, or None for no bound
    #: above, below: whether the bound itself is excluded
    #: steps: what every number is a multiple of
    #: missed: what no number is a multiple of
    """

    low: Fraction | None = None
    above: bool = False
    high: Fraction | None = None
    below: bool = False
    steps: tuple[Fraction, ...] = ()
    missed: tuple[Fraction, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the bounds exclude all numbers."""
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.above or self.below))

    @property
    def least(self) -> int | None:
        """The least integer within the bounds, or None if there is no lower bound."""
        if self.low is None:
            return None
        return floor(self.low) + 1 if self.above else ceil(self.low)

    @property
    def most(self) -> int | None:
        """The greatest integer within the bounds, or None if there is no upper bound."""
        if self.high is None:
            return None
        return ceil(self.high) - 1 if self.below else floor(self.high)

    @property
    def step(self) -> int:
        """Least positive integer that divides every allowed integer."""
        # An integer is a multiple of 5/2 if and only if it is a multiple of 5.
        return reduce(lcm, [step.numerator for step in self.steps], 1)


def to_fraction(number: Any) -> Fraction:
    """Convert the step *number* to an exact fraction by its shortest decimal text."""
    return Fraction(number) if type(number) is int else Fraction(repr(number))


#: A bound, or None if there is none, and whether the bound itself is excluded.
Bound = tuple[Fraction | None, bool]

UNBOUNDED: Bound = (None, False)


def read_bounds(limits: Iterable[Limit]) -> Bounds:
    """Combine the numeric *limits* into one range with steps.

    >>> found = read_bounds([(Constraint("at_least", 1), True), (Constraint("at_least", 5), False)])
    >>> found.least, found.most
    (1, 4)
    """
    low, high = UNBOUNDED, UNBOUNDED
    steps: list[Fraction] = []
    missed: list[Fraction] = []
    for constraint, wanted in limits:
        name, value = constraint.name, constraint.argument.value
        match name:
            case "at_least" | "above":
                # What is not above a bound is at most that bound.
                at = Fraction(value), (name == "above") is wanted
                low, high = (
                    (_choose_tighter(low, at, 1), high)
                    if wanted
                    else (low, _choose_tighter(high, at))
                )
            case "at_most" | "below":
                at = Fraction(value), (name == "below") is wanted
                low, high = (
                    (low, _choose_tighter(high, at))
                    if wanted
                    else (_choose_tighter(low, at, 1), high)
                )
            case "multiple_of":
                (steps if wanted else missed).append(to_fraction(value))
            case "pattern" | "format" | "unique":
                pass
            case _:
                assert_never(name)
    return Bounds(low[0], low[1], high[0], high[1], tuple(steps), tuple(missed))


def _choose_tighter(old: Bound, new: tuple[Fraction, bool], sign: int = -1) -> Bound:
    """Return the tighter of two upper bounds, or of two lower bounds if *sign* is 1."""
    if old[0] is None or (sign * new[0], new[1]) > (sign * old[0], old[1]):
        return new
    return old


def read_sizes(limits: Iterable[Limit]) -> tuple[int, int | None]:
    """Return the least size that *limits* allow, and the greatest or None for no limit.

    >>> read_sizes([(Constraint("at_least", 1.5), True), (Constraint("at_most", 3), True)])
    (2, 3)
    """
    found = read_bounds([limit for limit in limits if limit[0].row.sort == "size"])
    return max(found.least or 0, 0), found.most


def read_lengths(limits: Iterable[Limit], types: Iterable[List | Tuple]) -> tuple[int, int | None]:
    """Return the least and the greatest (or None) length of lists of all *types* in *limits*."""
    low, high = read_sizes(limits)
    for t in types:
        if isinstance(t, Tuple):
            low = max(low, len(t.items))
            if t.rest is None:
                high = len(t.items) if high is None else min(high, len(t.items))
    return low, high


def read_uniqueness(limits: Iterable[Limit]) -> set[bool]:
    """Collect whether *limits* demand unique items (True) or repeated items (False)."""
    return {wanted for constraint, wanted in limits if constraint.name == "unique"}


class TextLimits(NamedTuple):
    """Constraints on a text: lengths, formats and patterns.

    #: low, high: the fewest and the most characters, or None for no limit
    #: formats, patterns: those that the text must meet
    #: not_formats, not_patterns: those that the text must not meet
    """

    low: int
    high: int | None
    formats: list[str]
    patterns: list[str]
    not_formats: list[str]
    not_patterns: list[str]


def read_text_limits(limits: list[Limit]) -> TextLimits:
    """Collect the constraints on a text in *limits*.

    >>> read_text_limits([(Constraint("pattern", "^a"), False), (Constraint("at_most", 3), True)])[
    ...     :2
    ... ]
    (0, 3)
    """
    found = TextLimits(*read_sizes(limits), [], [], [], [])
    for constraint, wanted in limits:
        argument = constraint.argument.value
        match constraint.name:
            case "format":
                (found.formats if wanted else found.not_formats).append(argument)
            case "pattern":
                (found.patterns if wanted else found.not_patterns).append(argument)
            case "at_least" | "above" | "at_most" | "below" | "multiple_of" | "unique":
                pass
            case _:
                assert_never(constraint.name)
    return found


def propose_ints(limits: list[Limit], rng: Random) -> list[int]:
    """Return integers that are likely to meet *limits*, the likeliest first."""
    found = read_bounds(limits)
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


def propose_floats(limits: list[Limit], rng: Random) -> list[float]:
    """Return floats that are likely to meet *limits*, the likeliest first."""
    found = read_bounds(limits)
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
        step = reduce(find_common_multiple, found.steps)
        least = ceil(first / step)
        counted = [least + rng.randint(0, 20), *range(least, least + 12)]
        out = [n * step for n in counted] + [floor(last / step) * step, *out]
    return [value for number in out for value in as_floats(number)]


def find_common_multiple(a: Fraction, b: Fraction) -> Fraction:
    """Return the least common multiple of the fractions *a* and *b*.

    >>> find_common_multiple(Fraction(1, 2), Fraction(1, 3))
    Fraction(1, 1)
    """
    both = lcm(a.numerator * b.denominator, b.numerator * a.denominator)
    return Fraction(both, a.denominator * b.denominator)


def as_floats(number: Fraction) -> list[float]:
    """Return *number* as a float in a list, or an empty list if it is too large for a float."""
    try:
        return [float(number)]
    except OverflowError:
        return []
