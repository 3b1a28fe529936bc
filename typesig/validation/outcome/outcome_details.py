"""Errors, warnings and other details of an outcome, made when they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from typesig.validation.issues.issues import Issue
from typesig.validation.issues.words import SIGNATURE, Words
from typesig.validation.rows.subject import Stage, Subject


class OutcomeDetails:
    """Errors, warnings and stage of an outcome that is not plainly valid.

    #: plain: returns the value as plain data; None if it is the result
    #: has_errors: whether there are errors; settle: returns errors and warnings
    #: words: those of the texts, of the notation in which a model was shown what it takes
    #: noticed: the warnings of which a model reads a line beside the result
    """

    __slots__ = (
        "errors", "has_errors", "noticed", "plain", "rejected", "settle", "stage", "subject",
        "unseen", "warnings", "words",
    )  # fmt: skip

    stage: Stage
    words: Words
    noticed: tuple[Issue, ...]

    def __init__(
        self,
        settle: Settle,
        has_errors: bool,
        stage: Stage,
        rejected: Any,
        unseen: int,
        plain: Callable[[], Any] | None,
        subject: Subject | None,
    ) -> None:
        self.settle = settle
        self.has_errors = has_errors
        self.stage = stage
        self.rejected = rejected
        self.unseen = unseen
        self.plain = plain
        self.subject = subject
        self.errors: tuple[Issue, ...]
        self.warnings: tuple[Issue, ...]

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set.
        if name == "words":
            return SIGNATURE
        if name == "noticed":
            return ()
        if name not in ("errors", "warnings"):
            raise AttributeError(name)
        errors, warnings = self.settle()
        self.errors, self.warnings = tuple(errors), tuple(warnings)
        return self.errors if name == "errors" else self.warnings


#: What generated source noted, for example of values that it coerced; see
#: `CheckContext.make_details`.
Notes: TypeAlias = tuple[Any, ...]

#: Returns errors and warnings.
Settle: TypeAlias = Callable[[], tuple[Iterable[Issue], Iterable[Issue]]]
