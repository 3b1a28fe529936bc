"""One handling of a model's answer under a governance: what is decided, and what runs how."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Coroutine
from functools import partial
from inspect import isawaitable, iscoroutine
from typing import Any, TypeAlias

from typesig.call_limits import FIRST_PAUSE, MAX_PAUSE
from typesig.errors import TypesigError
from typesig.governance.decisions import (
    Ask,
    Call,
    Decision,
    Refuse,
    checked_decision,
    checked_outcome,
)
from typesig.governance.governance import Governance
from typesig.governance.timing import Deadline, Late, awithin, within
from typesig.validation.issues.issues import Issue, IssueCode
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.outcome import Outcome, outcome_of, worded
from typesig.validation.outcome.told import Told

#: Runs a tool once.
Work: TypeAlias = Callable[[], Outcome[Any]]
AsyncWork: TypeAlias = Callable[[], Coroutine[Any, Any, Outcome[Any]]]


class Turn:
    """The calls of one answer of a model under a governance.

    What is refused, late or run again is counted in *ledger*.
    """

    __slots__ = ("_deadline", "_governance", "_ledger")

    def __init__(self, governance: Governance, ledger: Ledger | None) -> None:
        self._governance = governance
        self._ledger = ledger
        self._deadline = Deadline(governance.turn)

    def decide(self, call: Call, sent: object) -> Decision:
        """Return what is decided of *call*, whose arguments were *sent* so."""
        return _not_awaited(self._decided(call, sent))

    async def adecide(self, call: Call, sent: object) -> Decision:
        """Return the same as `decide`, also if `before` is a coroutine function."""
        made = self._decided(call, sent)
        return checked_decision(await made if isawaitable(made) else made)

    def _decided(self, call: Call, sent: object) -> Any:
        governance = self._governance
        if governance.repeats is not None:
            before = governance.times(_key(call.name, sent))
            if before >= governance.repeats:
                return Refuse(_AGAIN.format(times="once" if before == 1 else f"{before} times"))
        # Arguments that do not fit are refused by the tool.
        return self._before(call) if call.fits else None

    def _before(self, call: Call) -> Any:
        before = self._governance.before
        return None if before is None else before(call)

    def asked(self, call: Call) -> Decision:
        """Return what `before` decides of *call*, however often it was made."""
        return _not_awaited(self._before(call))

    async def aasked(self, call: Call) -> Decision:
        """Return the same as `asked`, also if `before` is a coroutine function."""
        made = self._before(call)
        return checked_decision(await made if isawaitable(made) else made)

    @property
    def deadline(self) -> Deadline:
        """When the time for all of it is over."""
        return self._deadline

    def run(self, call: Call, decision: Decision, work: Work, read: Outcome[Any]) -> Outcome[Any]:
        """Return the outcome of *call*, by *work* if *decision* and the limits let it run.

        *read* is that of reading its arguments.
        """
        spans = self._governance.spans
        if spans is None:
            outcome = self.ran(call, decision, work)
        else:
            with spans.begun(call, read) as span:
                outcome = self.ran(call, decision, work)
                span.end(outcome)
        return self.seen(call, outcome)

    async def arun(
        self, call: Call, decision: Decision, work: AsyncWork, read: Outcome[Any]
    ) -> Outcome[Any]:
        """Return the same as `run`, also if the tool is a coroutine function."""
        spans = self._governance.spans
        if spans is None:
            outcome = await self.aran(call, decision, work)
        else:
            with spans.begun(call, read) as span:
                outcome = await self.aran(call, decision, work)
                span.end(outcome)
        return await self.aseen(call, outcome)

    def seen(self, call: Call, outcome: Outcome[Any]) -> Outcome[Any]:
        """Return *outcome*, or what `after` returns in place of it."""
        made = self._after(call, outcome)
        if isawaitable(made):
            if iscoroutine(made):
                made.close()
            raise TypesigError(f"after is a coroutine function: {_AWAITED}")
        return outcome if made is None else checked_outcome(made)

    async def aseen(self, call: Call, outcome: Outcome[Any]) -> Outcome[Any]:
        """Return the same as `seen`, also if `after` is a coroutine function."""
        made = self._after(call, outcome)
        made = await made if isawaitable(made) else made
        return outcome if made is None else checked_outcome(made)

    def _after(self, call: Call, outcome: Outcome[Any]) -> Any:
        after = self._governance.after
        return None if after is None else after(call, outcome)

    def ran(self, call: Call, decision: Decision, work: Work) -> Outcome[Any]:
        """Return the outcome of the last run of *work*, or why there was none."""
        if decision is not None:
            return self._refused(call, decision)
        governance, name = self._governance, call.name
        gate, runs = governance.gate_of(name), 0
        while True:
            if gate is not None and not gate.enter(self._deadline.left()):
                return self._over(call)
            seconds = self._deadline.left(governance.seconds_of(name))
            end = _nothing if gate is None else gate.leave
            if seconds == 0:
                end()
                return self._over(call)
            found = within(name, work, seconds, end)
            if isinstance(found, Late):
                return self._late(call, found, seconds)
            runs += 1
            pause = self._pause(found, runs)
            if pause is None:
                return self._told(call, found, runs)
            time.sleep(pause)

    async def aran(self, call: Call, decision: Decision, work: AsyncWork) -> Outcome[Any]:
        """Return the same as `ran`, also if the tool is a coroutine function."""
        if decision is not None:
            return self._refused(call, decision)
        governance, name = self._governance, call.name
        gate, runs = governance.gate_of(name), 0
        while True:
            if gate is not None and not await gate.aenter(self._deadline.left()):
                return self._over(call)
            seconds = self._deadline.left(governance.seconds_of(name))
            end = _nothing if gate is None else gate.leave
            if seconds == 0:
                end()
                return self._over(call)
            found = await awithin(work(), seconds, end, governance.left)
            if isinstance(found, Late):
                return self._late(call, found, seconds)
            runs += 1
            pause = self._pause(found, runs)
            if pause is None:
                return self._told(call, found, runs)
            await asyncio.sleep(pause)

    def _pause(self, found: Outcome[Any], runs: int) -> float | None:
        """Return the seconds before the next of more than *runs* runs, None if there is none."""
        if found.ok or runs > self._governance.retries:
            return None
        if found.stage != "call" or found.errors[0].code != "passing":
            return None
        wanted = found.errors[0].expected
        pause = float(wanted) if wanted else FIRST_PAUSE * 2 ** (runs - 1)
        left = self._deadline.left()
        return pause if pause <= MAX_PAUSE and (left is None or pause < left) else None

    def _told(self, call: Call, found: Outcome[Any], runs: int) -> Outcome[Any]:
        """Return *found*, of the last of *runs* runs."""
        if runs == 1:
            return found
        issue = Issue("retried", (), f"{runs}")
        note_in(self._ledger, (), [issue], None, call.name)
        errors, warnings = found.errors, (*found.warnings, issue)
        plain = None if errors else partial(getattr, found, "value")
        told = Told(
            lambda: (errors, warnings),
            bool(errors),
            found.stage,
            found.rejected,
            found.unseen,
            plain,
            found._subject,
        )
        return worded(outcome_of(None if errors else found.result, told), found._words)

    def _refused(self, call: Call, decision: Refuse | Ask) -> Outcome[Any]:
        assert isinstance(decision, Refuse)
        return self._failed(call, "refused", f"this call was not run: {decision.reason}")

    def _over(self, call: Call) -> Outcome[Any]:
        turn = self._governance.turn
        text = f"this call was not run: the {turn:g} s for all calls of the answer were over"
        return self._failed(call, "late", f"{text}; send it again")

    def _late(self, call: Call, late: Late, seconds: float | None) -> Outcome[Any]:
        text = f"{call.name} did not end within {seconds:.3g} s"
        if late.fate == "stopped":
            text += " and was stopped; it may have done a part of its work"
        else:
            text += "; it may go on, but its result will not be there"
        return self._failed(call, "late", text)

    def _failed(self, call: Call, code: IssueCode, text: str) -> Outcome[Any]:
        issue = Issue(code, (), "", text)
        note_in(self._ledger, [issue], (), None, call.name)
        return worded(Outcome(stage="call", errors=[issue]), JSON_SCHEMA)


def _not_awaited(made: Any) -> Decision:
    """Return what `before` returned; raise `TypesigError` if it has to be awaited."""
    if isawaitable(made):
        if iscoroutine(made):
            made.close()
        raise TypesigError(f"before is a coroutine function: {_AWAITED}")
    return checked_decision(made)


#: The ways that await.
_AWAITED = "write await ….ahandle(…), acall(…) or aask(…)"

_AGAIN = (
    "the same call was made {times} before, and what came of it stands above; send other "
    "arguments, or go on without it"
)


def _nothing() -> None:
    """Do nothing at the end of a run."""


def _key(name: str, sent: object) -> str:
    """Return the same text for equal calls, whatever the order of keys; short for any arguments."""
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
