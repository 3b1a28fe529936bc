"""Requests of one ask under a governance: decisions, time limits and counting.

Each is the call of a tool `answer`, so that one value governs calls of tools and answers alike.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from typesig.calls.functions import ToolError
from typesig.calls.running import WaitMode
from typesig.errors import TypesigError
from typesig.governance.governance import ANSWER, Governance, check_governance
from typesig.governance.pending import (
    Ask,
    Call,
    Decision,
    Paused,
    PendingCall,
    PendingCalls,
    Refuse,
)
from typesig.governance.timing import Deadline, TimedOut, do_nothing, run_limited
from typesig.governance.turn import Turn
from typesig.sentinels import NOTHING
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.governance.spans import AskSpan
    from typesig.governance.timing import Usage
    from typesig.validation.issues.ledger import Ledger


T = TypeVar("T")

#: The name of an answer as a call, which is that of the tool by which it is forced.
NAME = ANSWER

#: What pending calls are of that are no calls of a vendor: a request that waits.
ASKING = "ask"


class EndReason(NamedTuple):
    """Reason for ending early: an issue's *code* and its text."""

    code: IssueCode
    why: str


LATE = EndReason("late", "the model was not asked on: no answer came in time")


class StreamTimeout(Exception):
    """Raised when a stream has timed out."""


class RequestGuard:
    """Applies *governance* to the requests of an ask to *model* of *provider*.

    #: governance: that of the calls of tools, too; or None
    #: turn: the time of all of it
    """

    __slots__ = ("_decided", "_model", "_provider", "_rules", "governance", "turn")

    def __init__(
        self,
        governance: Governance | None,
        ledger: Ledger | None,
        waiting: WaitMode,
        provider: str | None = None,
        model: str | None = None,
    ) -> None:
        self.governance = governance
        self._rules = check_governance(governance)
        self.turn = Turn(self._rules, ledger, waiting)
        self._provider, self._model = provider, model
        # What a person has decided on the next request.
        self._decided: list[PendingCalls] = []

    def resume(self, pending: PendingCalls) -> int:
        """Store the person's decision in *pending*; return the attempt to resume."""
        [call] = pending.calls
        self._decided = [pending]
        sent = call.arguments
        attempt = sent.get("attempt") if isinstance(sent, Mapping) else None
        if type(attempt) is not int or attempt < 1:
            raise TypesigError("the pending call has no attempt: keep what Paused has as it is")
        return attempt

    def find_exhausted_budget(self) -> EndReason | None:
        """Return the reason to stop for an exhausted budget, or None."""
        why = self._rules.find_exhausted_budget()
        return None if why is None else EndReason("refused", f"the model was not asked on: {why}")

    def spend(self, usage: Usage | None) -> None:
        """Count *usage*; raise `TypesigError` for an unknown usage with a token budget."""
        if usage is None and self._rules.tokens is not None:
            raise TypesigError("tokens is a budget, but the client does not tell how many it used")
        self._rules.spend(usage)

    def make_call(self, attempt: int) -> Call:
        """Build the `Call` by which governance sees the request of *attempt*."""
        told = {} if self._model is None else {"model": self._model}
        return Call(None, NAME, {**told, "attempt": attempt}, NOTHING)

    def span(self, is_current: bool = True) -> AbstractContextManager[AskSpan | None]:
        """Make the span of the next request."""
        spans = self._rules.spans
        if spans is None:
            return nullcontext()
        return spans.start_request(self._provider, self._model, is_current)

    async def decide(self, call: Call) -> Decision:
        """Get the decision about *call* from the governance or from a person."""
        if not self._decided:
            return await self.turn.ask_before(call)
        pending = self._decided.pop()
        claim = await self.turn.claim(pending)
        return pending.calls[0].decision or claim.refused

    def find_refusal(
        self, call: Call, decision: Decision, messages: Sequence[Any]
    ) -> EndReason | None:
        """Return why *call* is not made; raise `Paused` if a person has to decide."""
        if isinstance(decision, Refuse):
            return EndReason("refused", f"the model was not asked: {decision.reason}")
        if isinstance(decision, Ask):
            one = PendingCall("0", None, NAME, call.arguments, NOTHING, None, decision)
            raise Paused(PendingCalls(ASKING, (one,)), messages)
        return None

    async def send_request(self, call: Call, send: Callable[[], Awaitable[Any]]) -> Any:
        """Result of *send*, or `EndReason` if it fails or times out."""

        async def work() -> Outcome[Any]:
            try:
                return Outcome(await send())
            except ToolError as error:
                return _make_retry_outcome(error)

        return _get_response(await self.turn.ran(call, None, work))

    @asynccontextmanager
    async def hold_pace(self) -> AsyncIterator[Pace]:
        """Yield the `Pace` of a streamed request, counted as running meanwhile."""
        gate = self._rules.get_gate(NAME)
        if gate is not None and not await gate.wait_to_enter(
            self.turn.waiting, self.turn.deadline.get_remaining()
        ):
            raise StreamTimeout
        try:
            seconds = self.turn.deadline.get_remaining(self._rules.get_seconds(NAME))
            yield Pace(Deadline(seconds), self._rules, self.turn.waiting)
        finally:
            if gate is not None:
                gate.leave()


class Pace:
    """Time limit that all steps of reading a streamed answer share."""

    __slots__ = ("_deadline", "_rules", "_waiting")

    def __init__(self, deadline: Deadline, rules: Governance, waiting: WaitMode) -> None:
        self._deadline, self._rules, self._waiting = deadline, rules, waiting

    async def run_step(self, work: Callable[[], Awaitable[T]]) -> T:
        """Result of *work*; raise `StreamTimeout` if it times out."""
        left = self._deadline.get_remaining()
        if left == 0:
            raise StreamTimeout

        async def awaited() -> T:
            return await work()

        found = await run_limited(self._waiting, NAME, awaited, left, do_nothing, self._rules.left)
        if isinstance(found, TimedOut):
            raise StreamTimeout
        return found


def _make_retry_outcome(error: ToolError) -> Outcome[Any]:
    """Build the outcome of *error* that allows a retry; raise other errors."""
    if error.retry is False:
        raise error
    seconds = "" if error.retry is True else f"{error.retry}"
    issue = Issue("passing", (), seconds, str(error))
    return Outcome(stage="call", errors=[issue], rejected=error)


def _get_response(found: Outcome[Any]) -> Any:
    """Return the response in the outcome *found*, or `LATE`; raise its `ToolError`."""
    if found.ok:
        return found.result
    if isinstance(found.rejected, ToolError):
        raise found.rejected
    return LATE
