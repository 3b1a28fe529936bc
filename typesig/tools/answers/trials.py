"""Trial readings of data, kept as the outcome if they fit.

A model's text may hold several values, of which one fits; to find it, each is checked and decoded,
which may run validators of the user's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from typesig.validation.mending.input_reader import ReadResult
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.policy import Policy

T = TypeVar("T")


class Trials(Generic[T]):
    """Cached outcomes of the readings of a text that *judge* accepted."""

    __slots__ = ("_judge", "_known")

    def __init__(self, judge: Callable[[Any, Policy], Outcome[T]]) -> None:
        self._judge = judge
        # By the ids of data, which is kept with them.
        self._known: dict[int, tuple[Any, Outcome[T]]] = {}

    def fits(self, data: Any, policy: Policy) -> bool:
        """Whether *data* is accepted under *policy*; cache the outcome."""
        found = self._judge(data, policy)
        if found.ok:
            self._known[id(data)] = data, found
        return found.ok

    def get_outcome(self, read: ReadResult, policy: Policy) -> Outcome[T] | None:
        """Return the cached outcome for the reading *read*, or None.

        *policy* is that of the reading; the trials may have been stricter.
        """
        if policy.on_issue == "skip" or id(read.fitting) not in self._known:
            return None
        found = self._known[id(read.fitting)][1]
        subject = found._subject
        assert subject is not None
        return Outcome(
            found.result,
            (),
            (*read.warnings, *found.warnings),
            "answer",
            unseen=found.unseen,
            plain=lambda: found.value,
            subject=subject._replace(policy=policy),
        )
