"""The steps that a question about types may take, counted wherever work is done for it.

All parts of a question share one `Work`: proofs, checks of values, drawing and rewriting.  A step
is a few microseconds of work, so the limits bound time and memory, and answers never depend on how
fast a machine is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.traversal import iter_types
from typesig.errors import TypesigError
from typesig.limits import MAX_PROOF_STEPS

_CONTAINERS = (dict, list, set, frozenset, tuple)


class OutOfSteps(Exception):
    """The error that a question has no steps left."""


class Work:
    """Step budget of one question about types."""

    __slots__ = ("_floor", "left")

    #: The steps that are left.
    left: int

    def __init__(self, steps: int | None = None) -> None:
        self.left = MAX_PROOF_STEPS if steps is None else steps
        self._floor = 0

    def take(self, count: int = 1) -> None:
        """Count *count* steps; raise `OutOfSteps` if fewer are left."""
        self.left -= count
        if self.left < self._floor:
            raise OutOfSteps

    @contextmanager
    def limit_steps(self, steps: int) -> Iterator[None]:
        """Limit the steps within the `with` block to *steps*."""
        before = self._floor
        self._floor = max(before, self.left - steps)
        try:
            yield
        finally:
            self._floor = before


def count_size(t: nodes.Type) -> int:
    """Return how many shapes, fields, values and constraints *t* has.

    >>> from typesig.algebra.nodes import ANY, NIL_CONST, Enum, Maybe
    >>> count_size(Enum((NIL_CONST, NIL_CONST))), count_size(Maybe(ANY))
    (3, 2)
    """
    return sum(map(count_own_size, iter_types(t)))


def count_own_size(t: nodes.Type) -> int:
    """Return the size of *t* without the types in it."""
    match t:
        case nodes.Record(fields, _, matching):
            return 1 + len(fields) + len(matching)
        case nodes.Enum(values):
            return 1 + len(values)
        case nodes.Refinement(_, constraints):
            return 1 + len(constraints)
        case nodes.Scalar() | nodes.Container() | nodes.Through() | nodes.Not():
            return 1
        case _:
            assert_never(t)


def count_parts(value: Any) -> int:
    """Count the parts of *value*, including itself; long texts count more.

    >>> count_parts([1, {"a": []}]), count_parts("a")
    (5, 1)
    """
    pending, count = [value], 0
    while pending:
        current = pending.pop()
        count += 1
        if isinstance(current, _CONTAINERS):
            pending += current
            pending += current.values() if isinstance(current, dict) else ()
        elif isinstance(current, str):
            count += len(current) // 64
    return count


class NoSample(TypesigError):
    """The error that no sample was found, since the type is probably empty."""

    code = "no_sample"
