"""One handling of a model's answer under a governance: decisions, runs and retries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeAlias

from typesig.calls.running import WaitMode
from typesig.errors import TypesigError, format_value
from typesig.governance.governance import Governance
from typesig.governance.pending import (
    Ask,
    Call,
    Decision,
    Paused,
    PendingCalls,
    Refuse,
    check_decision,
    check_outcome,
)
from typesig.governance.timing import Deadline, TimedOut, do_nothing, run_limited
from typesig.limits.calls import FIRST_PAUSE, MAX_PAUSE
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.constructors import add_warnings
from typesig.validation.outcome.outcome import Outcome, apply_words

#: Runs a tool once.
Work: TypeAlias = Callable[[], Coroutine[Any, Any, Outcome[Any]]]


class Turn:
    """Execution of the calls of one model answer under a governance.

    What is refused, late or run again is counted in *ledger*.
    """

    __slots__ = ("_deadline", "_governance", "_ledger", "waiting")

    def __init__(self, governance: Governance, ledger: Ledger | None, waiting: WaitMode) -> None:
        self._governance = governance
        self._ledger = ledger
        self._deadline = Deadline(governance.turn)
        self.waiting = waiting

    async def decide(self, call: Call, sent: object) -> Decision:
        """Decide whether *call* may run; *sent* has its raw arguments."""
        repeated = self._check_repeats(call.name, sent)
        if repeated is not None:
            return repeated
        # Arguments that do not fit are refused by the tool.
        return await self.ask_before(call) if call.fits else None

    def _check_repeats(self, name: str, sent: object) -> Refuse | None:
        """Count a call of *name*; return a refusal after too many repeats."""
        governance = self._governance
        before = (
            0 if governance.repeats is None else governance.count_equal_calls(_make_key(name, sent))
        )
        if governance.repeats is None or before < governance.repeats:
            return None
        return Refuse(_AGAIN.format(times="once" if before == 1 else f"{before} times"))

    def issue(self, pending: PendingCalls) -> Paused:
        """Register the calls *pending*, and return the exception to raise."""
        self._governance.issue(pending.id)
        return Paused(pending)

    async def claim(self, pending: PendingCalls) -> Claim:
        """Claim the decided calls *pending*, so that they run only once.

        Raises `TypesigError` if the store of approvals says that another process has claimed it.
        """
        store, before = self._governance.approvals, self._governance.take(pending.id)
        if store is None:
            return Claim(self, Refuse(_USED) if before else None, before is None)
        made = await self.waiting.await_value(store.claim(pending.id), _CLAIM_AWAITED)
        if made is not True:
            raise TypesigError(
                f"the pending calls {format_value(pending.id)} were claimed before: whoever "
                "claimed them "
                "handles them"
            )
        return Claim(self, None, before is None)

    async def ask_before(self, call: Call) -> Decision:
        """Ask the hook `before` for the decision about *call*."""
        before = self._governance.before
        if before is None:
            return None
        made = await self.waiting.await_value(before(call), _NOT_AWAITED.format("before"))
        return check_decision(made)

    @property
    def deadline(self) -> Deadline:
        """The deadline for all calls of the turn."""
        return self._deadline

    async def run(
        self, call: Call, decision: Decision, work: Work, read: Outcome[Any]
    ) -> Outcome[Any]:
        """Run *work* with retries, in a span of *call*; return the last outcome.

        *read* is that of reading its arguments.
        """
        spans = self._governance.spans
        if spans is None:
            outcome = await self.ran(call, decision, work)
        else:
            with spans.start_call(call, read) as span:
                outcome = await self.ran(call, decision, work)
                span.end(outcome)
        return await self.apply_after(call, outcome)

    async def apply_after(self, call: Call, outcome: Outcome[Any]) -> Outcome[Any]:
        """Outcome after the hook `after`, or *outcome* unchanged."""
        after = self._governance.after
        if after is None:
            return outcome
        made = await self.waiting.await_value(after(call, outcome), _NOT_AWAITED.format("after"))
        return outcome if made is None else check_outcome(made)

    async def ran(self, call: Call, decision: Decision, work: Work) -> Outcome[Any]:
        """Run *work* with retries, without a span; return the last outcome."""
        if decision is not None:
            return self._make_refusal(call, decision)
        governance, name, waiting = self._governance, call.name, self.waiting
        gate, runs = governance.get_gate(name), 0
        while True:
            if gate is not None and not await gate.wait_to_enter(
                waiting, self._deadline.get_remaining()
            ):
                return self._make_budget_error(call)
            seconds = self._deadline.get_remaining(governance.get_seconds(name))
            end = do_nothing if gate is None else gate.leave
            if seconds == 0:
                end()
                return self._make_budget_error(call)
            found = await run_limited(waiting, name, work, seconds, end, governance.left)
            if isinstance(found, TimedOut):
                return self._make_timeout_error(call, found, seconds)
            runs += 1
            pause = self._get_pause(found, runs)
            if pause is None:
                return self._add_runs(call, found, runs)
            await waiting.sleep(pause)

    def _get_pause(self, found: Outcome[Any], runs: int) -> float | None:
        """Return the seconds before a retry, or None if there is no retry."""
        if found.ok or runs > self._governance.retries:
            return None
        if found.stage != "call" or found.errors[0].code != "passing":
            return None
        wanted = found.errors[0].expected
        pause = float(wanted) if wanted else FIRST_PAUSE * 2 ** (runs - 1)
        left = self._deadline.get_remaining()
        return pause if pause <= MAX_PAUSE and (left is None or pause < left) else None

    def _add_runs(self, call: Call, found: Outcome[Any], runs: int) -> Outcome[Any]:
        """Add a warning with the number of runs to the outcome *found*."""
        if runs == 1:
            return found
        issue = Issue("retried", (), f"{runs}")
        note_in(self._ledger, (), [issue], None, call.name)
        return add_warnings(found, [issue])

    def _make_refusal(self, call: Call, decision: Refuse | Ask) -> Outcome[Any]:
        """Build the error outcome of *call*, refused for the reason of *decision*."""
        assert isinstance(decision, Refuse)
        return self._make_error(call, "refused", f"this call was not run: {decision.reason}")

    def _make_budget_error(self, call: Call) -> Outcome[Any]:
        """Build the error outcome of *call*, not run as the turn's time was used up."""
        turn = self._governance.turn
        text = f"this call was not run: the {turn:g} s for all calls of the answer were over"
        return self._make_error(call, "late", f"{text}; send it again")

    def _make_timeout_error(
        self, call: Call, late: TimedOut, seconds: float | None
    ) -> Outcome[Any]:
        """Build the error outcome of *call*, which did not end within *seconds*."""
        text = f"{call.name} did not end within {seconds:.3g} s"
        if late.fate == "stopped":
            text += " and was stopped; it may have done a part of its work"
        else:
            text += "; it may go on, but its result will not be there"
        return self._make_error(call, "late", text)

    def _make_error(self, call: Call, code: IssueCode, text: str) -> Outcome[Any]:
        """Build an error outcome of *call* with *code* and *text*, and record it."""
        issue = Issue(code, (), "", text)
        note_in(self._ledger, [issue], (), None, call.name)
        return apply_words(Outcome(stage="call", errors=[issue]), JSON_SCHEMA)


class Claim(NamedTuple):
    """Permission to run pending calls after the decisions of a person.

    #: refused: why they do not run; is_uncounted: whether they were counted in another process
    """

    turn: Turn
    refused: Refuse | None
    is_uncounted: bool

    def decide(self, decision: Decision, name: str, sent: object) -> Decision:
        """Return the final decision about a call, given the person's *decision*."""
        if decision is not None or self.refused is not None:
            return decision or self.refused
        return self.turn._check_repeats(name, sent) if self.is_uncounted else None


_USED = (
    "what a person decided on these calls was used before, and what came of it stands above; "
    "make the call again to ask again"
)

_CLAIM_AWAITED = "approvals.claim is a coroutine function: write await ….ahandle(…) or acall(…)"

#: Why a hook is refused that would have to be awaited.
_NOT_AWAITED = "{} is a coroutine function: write await ….ahandle(…), acall(…) or aask(…)"

_AGAIN = (
    "the same call was made {times} before, and what came of it stands above; send other "
    "arguments, or go on without it"
)


def _make_key(name: str, sent: object) -> str:
    """Make a short key of tool *name* and arguments *sent*, equal for equal calls."""
    data = sent
    try:
        if isinstance(sent, str):
            data = json.loads(sent)
        text = json.dumps(data, sort_keys=True, default=repr)
    except (ValueError, TypeError, RecursionError):
        # No JSON; the tool tells what is wrong with it.
        text = sent if isinstance(sent, str) else type(sent).__name__
    whole = f"{name}\n{text}".encode(errors="surrogatepass")
    return hashlib.sha256(whole).hexdigest()
