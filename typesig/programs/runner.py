"""Protocols of a sandbox, which pauses a program at each call, and outcomes of programs."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from typesig.algebra.rows.frozen import seal, set_part
from typesig.errors import TypesigError
from typesig.limits.programs import (
    MAX_PROGRAM_CALLS,
    MAX_PROGRAM_MEMORY,
    MAX_PROGRAM_PRINTED,
    MAX_PROGRAM_RECURSION,
    MAX_PROGRAM_SECONDS,
)
from typesig.programs.checks.flaws import Flaw
from typesig.programs.checks.sandbox import Sandbox
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import Outcome

# --- Protocols of a sandbox, which pauses a program at each call ---


class Bounds(NamedTuple):
    """Limits of a program's run: time, memory, calls, recursion and printed text.

    #: seconds: for which it runs itself; the time of its calls is not counted
    #: memory: in bytes; calls: of tools; recursion: calls of functions within each other
    #: printed: the characters that it prints
    """

    seconds: float = MAX_PROGRAM_SECONDS
    memory: int = MAX_PROGRAM_MEMORY
    calls: int = MAX_PROGRAM_CALLS
    recursion: int = MAX_PROGRAM_RECURSION
    printed: int = MAX_PROGRAM_PRINTED


def check_bounds(bounds: object) -> Bounds:
    """Return *bounds*; raise `TypesigError` unless all limits are positive numbers."""
    if not isinstance(bounds, Bounds):
        raise TypesigError(f"bounds are Bounds(…), not {type(bounds).__name__}")
    for name, number in bounds._asdict().items():
        is_fine = isinstance(number, int) or (name == "seconds" and isinstance(number, float))
        if not is_fine or isinstance(number, bool) or not 0 < number < float("inf"):
            raise TypesigError(f"{name} is a positive number, not {number!r}")
    return bounds


class Asked(NamedTuple):
    """A call of a tool that a program waits for.

    #: name: that of the function in the program; args, kwargs: what the program gives it
    #: line: where it stands, counted from 1, or 0 if that is not known
    """

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = {}  # noqa: RUF012 - never changed
    line: int = 0


#: The exceptions that a call raises in a program: for what it was given, and for all else.
Raised: TypeAlias = Literal["ValueError", "RuntimeError"]


class OpaqueValue(NamedTuple):
    """A value of a program, such as a function, that has no JSON form.

    #: text: its `repr`
    """

    text: str


class Answer(NamedTuple):
    """Result of a call for the program: a value, or an exception of class *raised*."""

    value: Any = None
    raised: Raised | None = None
    message: str = ""


class Failure(NamedTuple):
    """Reason why a program ended early.

    #: kind: "raised" for an exception of the program, "limit" beyond a bound
    #: message: what happened; line, column: where, counted from 1, or 0 if that is not known
    """

    kind: Literal["raised", "limit"]
    message: str
    line: int = 0
    column: int = 0


class Ran(NamedTuple):
    """Result of a program's run: value, printed text, and the failure if there is one.

    #: value: that of its last expression; printed: what it printed; failure: why it ended early
    """

    value: Any = None
    printed: str = ""
    failure: Failure | None = None


#: A program that runs: it yields the calls that it waits for, and is sent their answers, in order.
#: If it has a method `stop`, that is called from another thread when the run is cancelled.
Running: TypeAlias = Generator[Sequence[Asked], Sequence[Answer], Ran]


class Runner(Protocol):
    """Runs programs in a sandbox.

    #: sandbox: what it runs, by which programs are checked
    """

    @property
    def sandbox(self) -> Sandbox:
        """The Python features that the sandbox supports."""
        ...

    def start(self, program: str, names: frozenset[str], awaited: bool, bounds: Bounds) -> Running:
        """Start *program* within *bounds*; it can call the functions *names*.

        With *awaited*, the program awaits its calls, and several may be asked for at once.
        """
        ...


# --- Outcomes of programs ---


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
