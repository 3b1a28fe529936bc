"""Outcomes that are made in a short way: of checks without errors, and of what is known already."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from typesig.algebra.rows.frozen import seal
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.check_context import (
    CheckContext,
    ErrorDetails,
    Notes,
    OutcomeDetails,
)
from typesig.validation.outcome.outcome import Outcome, apply_words

T_co = TypeVar("T_co", covariant=True)


@seal
class ValidOutcome(Outcome[T_co]):
    """An outcome without errors.

    It is made by a call without arguments, which takes two thirds of the time; see `passed`.
    """

    __slots__ = ()
    __init__: Any = object.__init__

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return True

    # A getter of C takes a third of the time of a method.
    result = property(attrgetter("_result"), doc=Outcome.result.__doc__)  # pyright: ignore[reportIncompatibleMethodOverride]


def make_valid_outcome(value: Any, about: CheckContext, notes: Notes | None = None) -> Outcome[Any]:
    """Make the outcome of the check *about* with the valid *value* and *notes*.

    *notes* is what it tells; see `CheckContext.make_details`.
    """
    made: Outcome[Any] = ValidOutcome()
    made._result = value
    made._about = about
    made._told = notes
    return made


def make_outcome(value: Any, told: OutcomeDetails) -> Outcome[Any]:
    """Make the outcome with *value* and the details *told*."""
    made: Outcome[Any] = _new(Outcome)
    made._result = value
    made._about = None
    made._told = told
    return made


def make_failed_outcome(
    value: Any, about: CheckContext, notes: Any, noted: int, faults: Any, count: int
) -> Outcome[Any]:
    """Make the outcome of the check *about* of *value*, which has the errors *faults*.

    *noted* is the number of all warnings, *count* that of all errors.
    """
    return make_outcome(None, ErrorDetails(about, value, notes, noted, faults, count))


_new = object.__new__


def add_warnings(
    outcome: Outcome[Any], issues: Iterable[Issue], noticed: tuple[Issue, ...] = ()
) -> Outcome[Any]:
    """Copy *outcome* with the warnings *issues*; *noticed* are shown to the model."""
    errors, warnings = outcome.errors, (*outcome.warnings, *issues)
    told = OutcomeDetails(
        lambda: (errors, warnings),
        bool(errors),
        outcome.stage,
        outcome.rejected,
        outcome.unseen,
        None if errors else partial(getattr, outcome, "value"),
        outcome._subject,
    )
    told.noticed = (*noticed, *outcome._noticed)
    return apply_words(make_outcome(None if errors else outcome.result, told), outcome._words)
