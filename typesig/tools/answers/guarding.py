"""The requests of one asking under a governance: whether one is made, how long, and what is told.

Each is the call of a tool `answer`, so that one value governs calls of tools and answers alike.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from typesig.absence import NOTHING
from typesig.calls.errors import ToolError
from typesig.calls.waiting import Waiting
from typesig.errors import TypesigError
from typesig.governance.decisions import Ask, Call, Decision, Refuse
from typesig.governance.governance import ANSWER, Governance, rules_of
from typesig.governance.pending import Paused, PendingCall, PendingCalls
from typesig.governance.timing import Deadline, Late, limited
from typesig.governance.turn import Turn
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.governance.spans import AskSpan
    from typesig.governance.usage import Usage
    from typesig.validation.issues.ledger import Ledger

T = TypeVar("T")

#: The name of an answer as a call, which is that of the tool by which it is forced.
NAME = ANSWER

#: What pending calls are of that are no calls of a vendor: a request that waits.
ASKING = "ask"


class Ended(NamedTuple):
    """Why nothing more is asked: the *code* of an issue, and its text."""

    code: IssueCode
    why: str


LATE = Ended("late", "the model was not asked on: no answer came in time")


class Stopped(Exception):
    """A stream that is not read any further, since its time is over."""


class Guard:
    """The requests of one asking under *governance*, to *model* of *provider* if it is a client.

    #: governance: that of the calls of tools, too; or None
    #: turn: the time of all of it
    """

    __slots__ = ("_decided", "_model", "_provider", "_rules", "governance", "turn")

    def __init__(
        self,
        governance: Governance | None,
        ledger: Ledger | None,
        waiting: Waiting,
        provider: str | None = None,
        model: str | None = None,
    ) -> None:
        self.governance = governance
        self._rules = rules_of(governance)
        self.turn = Turn(self._rules, ledger, waiting)
        self._provider, self._model = provider, model
        # What a person has decided on the next request.
        self._decided: list[PendingCalls] = []

    def resume(self, pending: PendingCalls) -> int:
        """Take what was decided of a request that waited, and return which attempt it is."""
        [call] = pending.calls
        self._decided = [pending]
        sent = call.arguments
        attempt = sent.get("attempt") if isinstance(sent, Mapping) else None
        if type(attempt) is not int or attempt < 1:
            raise TypesigError("the pending call has no attempt: keep what Paused has as it is")
        return attempt

    def spent(self) -> Ended | None:
        """Return that a budget of the conversation is spent, or None."""
        why = self._rules.spent()
        return None if why is None else Ended("refused", f"the model was not asked on: {why}")

    def spend(self, usage: Usage | None) -> None:
        """Count an answer; raise `TypesigError` if its tokens have a budget and are not known."""
        if usage is None and self._rules.tokens is not None:
            raise TypesigError("tokens is a budget, but the client does not tell how many it used")
        self._rules.spend(usage)

    def call(self, attempt: int) -> Call:
        """Return the call that stands for the request of an *attempt*."""
        told = {} if self._model is None else {"model": self._model}
        return Call(None, NAME, {**told, "attempt": attempt}, NOTHING)

    def span(self, is_current: bool = True) -> AbstractContextManager[AskSpan | None]:
        """Make the span of the next request."""
        spans = self._rules.spans
        if spans is None:
            return nullcontext()
        return spans.asked(self._provider, self._model, is_current)

    async def decide(self, call: Call) -> Decision:
        """Return what is decided of *call*, by `before` or by a person."""
        if not self._decided:
            return await self.turn.asked(call)
        pending = self._decided.pop()
        claim = await self.turn.claim(pending)
        return pending.calls[0].decision or claim.refused

    def refused(self, call: Call, decision: Decision, messages: Sequence[Any]) -> Ended | None:
        """Return why *call* is not made; raise `Paused` if a person has to decide."""
        if isinstance(decision, Refuse):
            return Ended("refused", f"the model was not asked: {decision.reason}")
        if isinstance(decision, Ask):
            one = PendingCall("0", None, NAME, call.arguments, NOTHING, None, decision)
            raise Paused(PendingCalls(ASKING, (one,)), messages)
        return None

    async def response(self, call: Call, send: Callable[[], Awaitable[Any]]) -> Any:
        """Return what *send* returns, or `Ended` if that takes too long."""

        async def work() -> Outcome[Any]:
            try:
                return Outcome(await send())
            except ToolError as error:
                return _passing(error)

        return _response(await self.turn.ran(call, None, work))

    @asynccontextmanager
    async def pace(self) -> AsyncIterator[Pace]:
        """Hold the place of a request whose answer arrives piece by piece; see `Pace`."""
        gate = self._rules.gate_of(NAME)
        if gate is not None and not await gate.entered(
            self.turn.waiting, self.turn.deadline.left()
        ):
            raise Stopped
        try:
            seconds = self.turn.deadline.left(self._rules.seconds_of(NAME))
            yield Pace(Deadline(seconds), self._rules, self.turn.waiting)
        finally:
            if gate is not None:
                gate.leave()


class Pace:
    """The time that the pieces of one answer have together."""

    __slots__ = ("_deadline", "_rules", "_waiting")

    def __init__(self, deadline: Deadline, rules: Governance, waiting: Waiting) -> None:
        self._deadline, self._rules, self._waiting = deadline, rules, waiting

    async def step(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return what *work* returns; raise `Stopped` if that takes too long."""
        left = self._deadline.left()
        if left == 0:
            raise Stopped

        async def awaited() -> T:
            return await work()

        found = await limited(self._waiting, NAME, awaited, left, _nothing, self._rules.left)
        if isinstance(found, Late):
            raise Stopped
        return found


def _passing(error: ToolError) -> Outcome[Any]:
    """Return the outcome of *error*, which may pass; else raise it."""
    if error.retry is False:
        raise error
    seconds = "" if error.retry is True else f"{error.retry}"
    issue = Issue("passing", (), seconds, str(error))
    return Outcome(stage="call", errors=[issue], rejected=error)


def _response(found: Outcome[Any]) -> Any:
    if found.ok:
        return found.result
    if isinstance(found.rejected, ToolError):
        raise found.rejected
    return LATE


def _nothing() -> None:
    """Do nothing at the end of a step."""
