"""Outcomes of programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from typesig.algebra.rows.frozen import seal, set_part
from typesig.programs.checks.flaws import Flaw
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import Outcome


class ToolCall(NamedTuple):
    """A call that a program made: the tool, the line of the program, the outcome."""

    name: str
    line: int
    outcome: Outcome[Any]


@seal
class RunOutcome(Outcome[Any]):
    """The outcome of running a program, with its printed text and its tool calls.

    Its value is that of the last expression, or what was printed if that is None.

    #: printed: what the program printed; calls: its calls of tools, in order, with their outcomes
    """

    __slots__ = ("calls", "printed")
    calls: tuple[ToolCall, ...]
    printed: str

    def __init__(
        self,
        result: Any = None,
        errors: Sequence[Flaw] = (),
        warnings: Sequence[Issue] = (),
        *,
        rejected: Any = None,
        printed: str = "",
        calls: Sequence[ToolCall] = (),
    ) -> None:
        super().__init__(result, errors, warnings, "run", rejected=rejected)
        set_part(self, "printed", printed)
        set_part(self, "calls", tuple(calls))

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.errors, self.warnings, self.rejected, self.printed, self.calls)
        return _restore, (self._result, *given)


def _restore(
    result: Any,
    errors: Sequence[Flaw],
    warnings: Sequence[Issue],
    rejected: Any,
    printed: str,
    calls: Sequence[ToolCall],
) -> RunOutcome:
    """Rebuild a pickled `RunOutcome` from its parts."""
    return RunOutcome(result, errors, warnings, rejected=rejected, printed=printed, calls=calls)
