"""The calls of a model's answer under a governance: decided on first, then run within limits.

No call runs before all are decided on, so that those that wait for a person can go on later as if
they had been let run at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from inspect import isawaitable
from typing import Any, NamedTuple, TypeAlias

from typesig.errors import TypesigError
from typesig.governance.decisions import Ask, Call, Decision, Refuse
from typesig.governance.governance import Governance
from typesig.governance.pending import Paused, PendingCall, PendingCalls, keys_of
from typesig.governance.turn import Turn, paused
from typesig.providers.projection.handling import (
    Handling,
    OnException,
    Paging,
    Replying,
    excused,
)
from typesig.providers.projection.messages import aevents_of, events_of
from typesig.providers.projection.projected import Projected
from typesig.providers.rows.calls import Reply, WireCall
from typesig.validation.issues.ledger import Ledger
from typesig.validation.outcome.outcome import Outcome

#: Asks a person about a call; returns what they decided.
Asking: TypeAlias = Callable[[Ask, Call], Awaitable[Refuse | None]]


class _Planned(NamedTuple):
    """One call: the reply that is known already, or what is needed to run it.

    #: one: the tool; call: what hooks see of the call; read: its arguments; decision: what is decided
    """

    wire: WireCall
    known: Reply | None
    one: Projected | None = None
    call: Call | None = None
    read: Outcome[Any] | None = None
    decision: Decision = None


class _Governed:
    """The calls of one answer under one governance."""

    def __init__(
        self,
        projection: Handling,
        message: object,
        governance: Governance,
        given: Mapping[str, Any] | None,
        on_exception: OnException | None,
        ledger: Ledger | None,
        pages: Paging | None = None,
    ) -> None:
        if not isinstance(governance, Governance):
            raise TypesigError(
                f"governance takes a typesig.governance.Governance, not {type(governance).__name__}"
            )
        self._provider = projection.provider
        self._decisions: list[Decision] | None = None
        if isinstance(message, PendingCalls):
            if message.provider != projection.provider:
                raise TypesigError(
                    f"the pending calls are of {message.provider}, and the projection is for "
                    f"{projection.provider}"
                )
            self._decisions = [call.decision for call in message.calls]
            message = [_wired(call) for call in message.calls]
        self.replying = Replying(projection, message, given, on_exception, ledger, pages)
        self.turn = Turn(governance, ledger)

    def planned(self) -> list[_Planned]:
        """Return the calls in their order, those that can run without a decision."""
        return [self._planned(call) for call in self.replying.calls]

    def _planned(self, wire: WireCall) -> _Planned:
        one = self.replying.tool_of(wire)
        if isinstance(one, Reply):
            return _Planned(wire, one)
        read = one.read(wire.arguments)
        arguments = read.value if read.ok else wire.arguments
        call = Call(wire.id, one.name, arguments, one.tool.annotations, read.ok)
        return _Planned(wire, None, one, call, read)

    def decided(self, planned: list[_Planned]) -> list[_Planned]:
        """Return *planned* with decisions; raise `Paused` if a person has to make one."""
        if self._decisions is None:
            self._decisions = [
                each.call and self.turn.decide(each.call, each.wire.arguments) for each in planned
            ]
        return self._settled(planned, self._decisions)

    async def adecided(
        self, planned: list[_Planned], asking: Asking | None = None
    ) -> list[_Planned]:
        """Return the same as `decided`, also if `before` is a coroutine function.

        A person is asked by *asking*, if there is one.
        """
        if self._decisions is None:
            self._decisions = []
            for each in planned:
                made: Decision = None
                if each.call is not None:
                    made = await self.turn.adecide(each.call, each.wire.arguments)
                    if asking is not None and isinstance(made, Ask):
                        made = await asking(made, each.call)
                self._decisions.append(made)
        return self._settled(planned, self._decisions)

    def _settled(self, planned: list[_Planned], decisions: list[Decision]) -> list[_Planned]:
        if paused(decisions):
            keys = keys_of([each.wire.id for each in planned])
            calls = [
                PendingCall(key, *each.wire, decision)
                for key, each, decision in zip(keys, planned, decisions, strict=True)
            ]
            raise Paused(PendingCalls(self._provider, tuple(calls)))
        return [
            each._replace(decision=decision)
            for each, decision in zip(planned, decisions, strict=True)
        ]

    def reply(self, each: _Planned) -> Reply:
        """Return the reply to a call; what `on_exception` does not take passes."""
        if each.known is not None:
            return each.known
        assert each.one is not None and each.call is not None and each.read is not None
        replying, arguments = self.replying, each.wire.arguments
        work = partial(each.one.call, arguments, given=replying.given, ledger=replying.ledger)
        try:
            outcome = self.turn.run(each.call, each.decision, work, each.read)
            return replying.reply_of(each.wire, each.one, outcome)
        except Exception as error:
            return excused(each.wire, error, replying.told_of(each.wire, error))

    async def areply(self, each: _Planned) -> Reply:
        """Return the same as `reply`, for coroutine functions too."""
        if each.known is not None:
            return each.known
        assert each.one is not None and each.call is not None and each.read is not None
        replying, arguments = self.replying, each.wire.arguments
        work = partial(each.one.acall, arguments, given=replying.given, ledger=replying.ledger)
        try:
            outcome = await self.turn.arun(each.call, each.decision, work, each.read)
            return replying.reply_of(each.wire, each.one, outcome)
        except Exception as error:
            told = replying.told_of(each.wire, error)
            return excused(each.wire, error, await told if isawaitable(told) else told)


def handle(
    projection: Handling,
    message: object,
    governance: Governance,
    *,
    given: Mapping[str, Any] | None = None,
    on_exception: OnException | None = None,
    ledger: Ledger | None = None,
    pages: Paging | None = None,
) -> list[dict[str, Any]]:
    """Return the messages that answer the calls in *message*; see `Projection.handle`."""
    if not isinstance(message, PendingCalls):
        message = events_of(message)
    governed = _Governed(projection, message, governance, given, on_exception, ledger, pages)
    governed.replying.check_sync()
    done: list[Reply | BaseException] = []
    for each in governed.decided(governed.planned()):
        try:
            done.append(governed.reply(each))
        except Exception as error:
            # Kept, so that the other calls run, too.
            done.append(error)
    return governed.replying.messages(done)


async def ahandle(
    projection: Handling,
    message: object,
    governance: Governance,
    *,
    given: Mapping[str, Any] | None = None,
    on_exception: OnException | None = None,
    ledger: Ledger | None = None,
    pages: Paging | None = None,
) -> list[dict[str, Any]]:
    """Return the same as `handle`, the calls run at once; see `Projection.ahandle`."""
    if not isinstance(message, PendingCalls):
        message = await aevents_of(message)
    governed = _Governed(projection, message, governance, given, on_exception, ledger, pages)
    planned = await governed.adecided(governed.planned())
    # If this task is cancelled, so are the calls, and it ends when they have.
    done = await asyncio.gather(*map(governed.areply, planned), return_exceptions=True)
    return governed.replying.messages(done)


async def areply(
    projection: Handling,
    call: WireCall,
    governance: Governance,
    asking: Asking,
    *,
    given: Mapping[str, Any] | None = None,
    on_exception: OnException | None = None,
    ledger: Ledger | None = None,
) -> dict[str, Any]:
    """Return the message that answers *call*, which runs in this task; *asking* asks a person."""
    governed = _Governed(projection, call, governance, given, on_exception, ledger)
    [each] = await governed.adecided(governed.planned(), asking)
    [message] = governed.replying.messages([await governed.areply(each)])
    return message


def _wired(call: PendingCall) -> WireCall:
    stop: Any = call.stop
    return WireCall(call.id, call.name, call.arguments, call.extra, stop)
