"""What outcomes of one check share, and what they tell of what generated source noted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import Type
from typesig.validation.outcome.notes import settled, several
from typesig.validation.outcome.told import Notes, Told
from typesig.validation.rows.plain import plain
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.subject import Stage, Subject


class About(NamedTuple):
    """What outcomes of one check share.

    #: are_arguments, secrets: those of the subject; see `typesig.validation.rows.subject`
    """

    stage: Stage
    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy
    are_arguments: bool = False
    secrets: frozenset[str] = frozenset()

    def subject(self, value: Any) -> Subject:
        """Return the subject of the check of *value*."""
        t, definitions, policy = self.type, self.definitions, self.policy
        return Subject(value, t, definitions, policy, self.are_arguments, secrets=self.secrets)

    def told_by(self, result: Any, notes: Notes) -> Told:
        """Return what the outcome of the check tells that made *result* and *notes*."""
        limit, subject = self.policy.max_issues, self.subject(result)
        is_list = isinstance(notes[0], list)
        count = notes[1] if is_list else len(notes) // 2
        settle = partial(settled, subject, several(notes[0] if is_list else notes, limit), [])
        unseen = max(count - limit, 0)
        return Told(settle, False, self.stage, None, unseen, partial(plain, result), subject)

    def plain_of(self, result: Any) -> Callable[[], Any] | None:
        """Return what makes plain data of *result*, None if it is such data."""
        return partial(plain, result)


class Refusal(Told):
    """What the outcome of a check tells that found errors, which is made when it is asked for."""

    __slots__ = ("_about", "_counts", "_faults", "_notes", "_value")

    def __init__(
        self, about: About, value: Any, notes: Any, noted: int, faults: Any, count: int
    ) -> None:
        self.has_errors, self.plain = True, None
        self._about = about
        self._value = value
        self._notes = notes
        self._faults = faults
        self._counts = count, noted

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set.
        about, value = self._about, self._value
        limit = about.policy.max_issues
        match name:
            case "errors" | "warnings":
                notes, faults = several(self._notes, limit), several(self._faults, limit)
                errors, warnings = settled(about.subject(value), notes, faults)
                self.errors, self.warnings = tuple(errors), tuple(warnings)
            case "unseen":
                count, noted = self._counts
                self.unseen = max(count - limit, 0) or max(noted - limit, 0)
            case "stage":
                self.stage = about.stage
            case "rejected":
                self.rejected = value
            case "subject":
                self.subject = about.subject(value)
            case _:
                raise AttributeError(name)
        return getattr(self, name)
