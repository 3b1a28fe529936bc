"""The calls of a model's answer under a governance: decided on first, then run within limits.

No call runs before all are decided on, so that those that wait for a person can go on later as if
they had been let run at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias

from typesig.calls.given import Given
from typesig.errors import TypesigError
from typesig.governance.decisions import Ask, Call, Decision, Refuse
from typesig.governance.governance import Governance, rules_of
from typesig.governance.pending import Paused, PendingCall, PendingCalls, keys_of
from typesig.governance.turn import Turn
from typesig.providers.projection.handling import Handling, OnException, Paging, Replying
from typesig.providers.projection.messages import aevents_of, events_of
from typesig.providers.rows.calls import Reply, WireCall
from typesig.validation.issues.ledger import Ledger
from typesig.validation.outcome.outcome import Outcome

#: Asks a person about a call; returns what they decided.
Asking: TypeAlias = Callable[[Ask, Call], Awaitable[Refuse | None]]


class _Ready(NamedTuple):
    """A call that can run.

    #: call: what hooks see of the call; read: its arguments
    """

    wire: WireCall
    call: Call
    read: Outcome[Any]


#: A call, or the reply to one that cannot run.
_Planned: TypeAlias = _Ready | Reply


class _Governed:
    """The calls of one answer under one governance."""

    def __init__(
        self,
        projection: Handling,
        message: object,
        governance: Governance,
        given: Given | None,
        on_exception: OnException | None,
        ledger: Ledger | None,
        pages: Paging | None = None,
        turn: Turn | None = None,
    ) -> None:
        governance = rules_of(governance)
        self._provider = projection.provider
        self._decisions: list[Decision] | None = None
        if isinstance(message, PendingCalls):
            if message.provider != projection.provider:
                raise TypesigError(
                    f"the pending calls are of {message.provider}, and the projection is for "
                    f"{projection.provider}"
                )
            self._decisions = [call.decision for call in message.calls]
            message = [wired(call) for call in message.calls]
        self.replying = Replying(projection, message, given, on_exception, ledger, pages)
        self.turn = Turn(governance, ledger) if turn is None else turn

    def planned(self) -> list[_Planned]:
        """Return the calls in their order, or the replies to those that cannot run."""
        return [self._planned(call) for call in self.replying.calls]

    def _planned(self, wire: WireCall) -> _Planned:
        one = self.replying.tool_of(wire)
        if isinstance(one, Reply):
            return one
        read = one.read(wire.arguments)
        arguments = read.value if read.ok else wire.arguments
        call = Call(wire.id, one.name, arguments, one.tool.annotations, read.ok)
        return _Ready(wire, call, read)

    def decided(self, planned: list[_Planned]) -> list[Decision]:
        """Return what is decided of each call; raise `Paused` if a person has to decide on one."""
        if self._decisions is None:
            self._decisions = [self._decision(each) for each in planned]
        return self._settled()

    def _decision(self, each: _Planned) -> Decision:
        if isinstance(each, Reply):
            return None
        return self.turn.decide(each.call, each.wire.arguments)

    async def adecided(
        self, planned: list[_Planned], asking: Asking | None = None
    ) -> list[Decision]:
        """Return the same as `decided`, also if `before` is a coroutine function.

        A person is asked by *asking*, if there is one.
        """
        if self._decisions is None:
            self._decisions = [await self._adecision(each, asking) for each in planned]
        return self._settled()

    async def _adecision(self, each: _Planned, asking: Asking | None) -> Decision:
        if isinstance(each, Reply):
            return None
        made = await self.turn.adecide(each.call, each.wire.arguments)
        return await asking(made, each.call) if asking and isinstance(made, Ask) else made

    def _settled(self) -> list[Decision]:
        calls, decisions = self.replying.calls, self._decisions or []
        if any(isinstance(each, Ask) for each in decisions):
            keys = keys_of([call.id for call in calls])
            pending = [
                PendingCall(key, *call._replace(extra=dict(call.extra)), decision)
                for key, call, decision in zip(keys, calls, decisions, strict=True)
            ]
            raise Paused(PendingCalls(self._provider, tuple(pending)))
        return decisions

    def reply(self, each: _Planned, decision: Decision) -> Reply:
        """Return the reply to a call; what `on_exception` does not take passes."""
        if isinstance(each, Reply):
            return each
        wire, call, read = each
        return self.replying.reply(wire, lambda work: self.turn.run(call, decision, work, read))

    async def areply(self, each: _Planned, decision: Decision) -> Reply:
        """Return the same as `reply`, for coroutine functions too."""
        if isinstance(each, Reply):
            return each
        wire, call, read = each
        return await self.replying.areply(
            wire, lambda work: self.turn.arun(call, decision, work, read)
        )


def handle(
    projection: Handling,
    message: object,
    governance: Governance,
    given: Given | None = None,
    on_exception: OnException | None = None,
    *,
    ledger: Ledger | None = None,
    pages: Paging | None = None,
    turn: Turn | None = None,
) -> list[dict[str, Any]]:
    """Return the messages that answer the calls in *message*; see `Projection.handle`.

    *turn* is that of what the calls are a part of.
    """
    if not isinstance(message, PendingCalls):
        message = events_of(message)
    governed = _Governed(projection, message, governance, given, on_exception, ledger, pages, turn)
    governed.replying.check_sync()
    done: list[Reply | BaseException] = []
    planned = governed.planned()
    for each, decision in zip(planned, governed.decided(planned), strict=True):
        try:
            done.append(governed.reply(each, decision))
        except Exception as error:
            # Kept, so that the other calls run, too.
            done.append(error)
    return governed.replying.messages(done)


async def ahandle(
    projection: Handling,
    message: object,
    governance: Governance,
    given: Given | None = None,
    on_exception: OnException | None = None,
    *,
    ledger: Ledger | None = None,
    pages: Paging | None = None,
    turn: Turn | None = None,
) -> list[dict[str, Any]]:
    """Return the same as `handle`, the calls run at once; see `Projection.ahandle`."""
    if not isinstance(message, PendingCalls):
        message = await aevents_of(message)
    governed = _Governed(projection, message, governance, given, on_exception, ledger, pages, turn)
    planned = governed.planned()
    decisions = await governed.adecided(planned)
    # If this task is cancelled, so are the calls, and it ends when they have.
    running = map(governed.areply, planned, decisions)
    done = await asyncio.gather(*running, return_exceptions=True)
    return governed.replying.messages(done)


async def areply(
    projection: Handling,
    call: WireCall,
    governance: Governance,
    asking: Asking,
    *,
    given: Given | None = None,
    on_exception: OnException | None = None,
    ledger: Ledger | None = None,
) -> dict[str, Any]:
    """Return the message that answers *call*, which runs in this task; *asking* asks a person."""
    governed = _Governed(projection, call, governance, given, on_exception, ledger)
    planned = governed.planned()
    [decision] = await governed.adecided(planned, asking)
    [message] = governed.replying.messages([await governed.areply(planned[0], decision)])
    return message


def wired(call: PendingCall) -> WireCall:
    """Return *call* as the provider spelled it."""
    stop: Any = call.stop
    return WireCall(call.id, call.name, call.arguments, call.extra, stop)
