"""One check under way: what it has found so far, and how far it may go.

Findings are mutable while the walk unwinds: each level appends its step, so a path costs nothing
where nothing is wrong.  They are frozen into issues once, at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.validation.excerpt import shown
from typesig.validation.issues import Issue

#: Shapes that a check may be inside of at once: below Python's own limit, beyond any honest data.
MAX_FRAMES = 400


class Found:
    """One finding, its path growing from the inside out."""

    __slots__ = ("code", "expected", "got", "hidden", "hint", "rule", "steps", "warning")

    def __init__(
        self,
        code: str,
        expected: str = "",
        got: str = "",
        hint: str | Callable[[], str] = "",
        rule: str = "",
        *,
        warning: bool = False,
    ) -> None:
        self.code = code
        self.expected = expected
        self.got = got
        self.hint = hint
        self.rule = rule
        self.warning = warning
        self.steps: list[str | int] = []
        # Of the steps, from the inside, how many lie within the outermost firewalled name.
        self.hidden = 0

    def copy(self) -> Found:
        """Return the same finding with a path of its own."""
        other = Found(
            self.code, self.expected, self.got, self.hint, self.rule, warning=self.warning
        )
        other.steps = self.steps[:]
        other.hidden = self.hidden
        return other

    def frozen(self, hinted: bool = True) -> Issue:
        """Return the finding as an issue, its hint worked out where it is to be *hinted*."""
        hint = self.hint
        if not isinstance(hint, str):
            hint = hint() if hinted else ""
        visible = len(self.steps) - self.hidden if self.hidden else -1
        path = tuple(reversed(self.steps))
        return Issue(self.code, path, self.expected, self.got, hint, self.rule, visible)


class Run:
    """What one check has found.

    #: found: the findings, in order; errors: how many of them are errors
    #: unseen, unseen_warnings: errors and warnings beyond the limit
    #: frames: the shapes that the walk is inside of through references
    #: memo: what references inside unions came to, by check and value
    """

    __slots__ = (
        "errors",
        "found",
        "frames",
        "limit",
        "memo",
        "trial",
        "unseen",
        "unseen_warnings",
        "warnings",
    )

    def __init__(self, limit: int) -> None:
        self.found: list[Found] = []
        self.errors = 0
        self.warnings = 0
        self.unseen = 0
        self.unseen_warnings = 0
        self.limit = limit
        self.frames = 0
        self.trial = False
        self.memo: dict[tuple[int, int], tuple[Any, Any, list[Found]]] = {}

    def branch(self) -> Run:
        """Return a run of its own for one branch of a union."""
        run = Run(self.limit)
        run.frames = self.frames
        run.memo = self.memo
        run.trial = True
        return run

    def add(self, found: Found) -> None:
        """Keep *found*, or count it where there are enough of its kind."""
        if found.warning:
            if self.warnings < self.limit:
                self.warnings += 1
                self.found.append(found)
            else:
                self.unseen_warnings += 1
        elif self.errors < self.limit:
            self.errors += 1
            self.found.append(found)
        else:
            self.unseen += 1

    def take(self, other: Run) -> None:
        """Keep all that *other* found."""
        for found in other.found:
            self.add(found)
        self.unseen += other.unseen
        self.unseen_warnings += other.unseen_warnings

    def error(self, code: str, expected: str, value: object, hint: str = "") -> None:
        """Keep an error about *value*."""
        self.add(Found(code, expected, shown(value), hint))

    def prefix(self, seen: int, step: str | int, hidden: bool = False) -> None:
        """Put *step* before the paths of what was found since there were *seen* findings."""
        for found in self.found[seen:]:
            found.steps.append(step)
            if hidden:
                found.hidden = len(found.steps)


#: Checks a value, adds what it finds, and returns the value or what it was coerced to.
Checker = Callable[[Any, Run], Any]
