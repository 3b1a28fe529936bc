"""The calls of a model's answer under a governance: decided on first, then run within limits.

No call runs before all are decided on, so that those that wait for a person can go on later as if
they had been let run at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from typesig.calls.given import Given
from typesig.calls.waiting import AWAITING, Waiting
from typesig.errors import TypesigError
from typesig.governance.decisions import Ask, Call, Decision, Refuse
from typesig.governance.governance import Governance, rules_of
from typesig.governance.pending import Paused, PendingCall, PendingCalls, keys_of
from typesig.governance.turn import Turn
from typesig.providers.projection.handling import Handling, OnException, Paging, Replying
from typesig.providers.projection.host_items import HostItems
from typesig.providers.projection.messages import arrived
from typesig.providers.projection.projected import Projected
from typesig.providers.rows.calls import Reply, WireCall
from typesig.providers.rows.items import is_for_host
from typesig.validation.issues.ledger import Ledger
from typesig.validation.outcome.outcome import Outcome

#: Asks a person about a call; returns what they decided.
Asking: TypeAlias = Callable[[Ask, Call], Awaitable[Refuse | None]]


class _Ready(NamedTuple):
    """A call that can run.

    #: one: the tool; call: what hooks see of the call; read: its arguments
    """

    wire: WireCall
    one: Projected
    call: Call
    read: Outcome[Any]


#: A call, or the reply to one that cannot run, or an item that the host answers.
_Planned: TypeAlias = _Ready | Reply | WireCall


class _Governed:
    """The calls of one answer in a *turn*."""

    def __init__(
        self,
        projection: Handling,
        turn: Turn,
        message: object,
        given: Given | None,
        on_exception: OnException | None,
        ledger: Ledger | None,
        pages: Paging | None = None,
        host_items: HostItems | None = None,
    ) -> None:
        self._provider = projection.provider
        self._pending: PendingCalls | None = None
        if isinstance(message, PendingCalls):
            if message.provider != projection.provider:
                raise TypesigError(
                    f"the pending calls are of {message.provider}, and the projection is for "
                    f"{projection.provider}"
                )
            self._pending = message
            message = [wired(call) for call in message.calls]
        self.replying = Replying(
            projection, turn.waiting, message, given, on_exception, ledger, pages, host_items
        )
        self.turn = turn

    def planned(self) -> list[_Planned]:
        """Return the calls in their order, or the replies to those that cannot run."""
        return [self._planned(call) for call in self.replying.calls]

    def _planned(self, wire: WireCall) -> _Planned:
        if is_for_host(wire):
            return wire
        one = self.replying.tool_of(wire)
        if isinstance(one, Reply):
            return one
        read = one.read(wire.arguments)
        arguments = read.value if read.ok else wire.arguments
        call = Call(wire.id, one.name, arguments, one.tool.annotations, read.ok)
        return _Ready(wire, one, call, read)

    async def decided(
        self, planned: list[_Planned], asking: Asking | None = None
    ) -> list[Decision]:
        """Return what is decided of each call; raise `Paused` if a person has to decide on one.

        A person is asked by *asking*, if there is one.
        """
        pending = self._pending
        if pending is None:
            decisions = [await self._decision(each, asking) for each in planned]
            self._check_decided(decisions)
            return decisions
        decisions = [call.decision for call in pending.calls]
        self._check_decided(decisions)
        claim = await self.turn.claim(pending)
        return [
            claim.decide(each, one.call.name, one.wire.arguments)
            if isinstance(one, _Ready)
            else each
            for one, each in zip(planned, decisions, strict=True)
        ]

    async def _decision(self, each: _Planned, asking: Asking | None) -> Decision:
        if not isinstance(each, _Ready):
            return None
        made = await self.turn.decide(each.call, each.wire.arguments)
        return await asking(made, each.call) if asking and isinstance(made, Ask) else made

    def _check_decided(self, decisions: list[Decision]) -> None:
        """Raise `Paused` if a person has to decide on a call."""
        calls = self.replying.calls
        if any(isinstance(each, Ask) for each in decisions):
            keys = keys_of([call.id for call in calls])
            pending = [
                PendingCall(key, *call._replace(extra=dict(call.extra)), decision)
                for key, call, decision in zip(keys, calls, decisions, strict=True)
            ]
            made = PendingCalls(self._provider, tuple(pending))
            if self._pending is not None:
                raise Paused(replace(made, id=self._pending.id))
            raise self.turn.issue(made)

    async def reply(self, each: _Planned, decision: Decision) -> Reply:
        """Return the reply to a call; what `on_exception` does not take passes."""
        if isinstance(each, Reply):
            return each
        if isinstance(each, WireCall):
            return await self.replying.reply(each)
        replying, (wire, one, call, read) = self.replying, each
        try:
            work = partial(replying.outcome, wire, one)
            outcome = await self.turn.run(call, decision, work, read)
            return replying.reply_of(wire, one, outcome)
        except Exception as error:
            return await replying.excused(wire, error)


async def handled(
    projection: Handling,
    waiting: Waiting,
    message: object,
    governance: Governance,
    given: Given | None = None,
    on_exception: OnException | None = None,
    *,
    ledger: Ledger | None = None,
    pages: Paging | None = None,
    host_items: HostItems | None = None,
    turn: Turn | None = None,
) -> list[dict[str, Any]]:
    """Return the messages that answer the calls in *message*; see `Projection.handle`.

    *turn* is that of what the calls are a part of.
    """
    if not isinstance(message, PendingCalls):
        message = await arrived(message, waiting)
    rules = rules_of(governance, projection.tools)
    turn = Turn(rules, ledger, waiting) if turn is None else turn
    governed = _Governed(projection, turn, message, given, on_exception, ledger, pages, host_items)
    governed.replying.check_way()
    planned = governed.planned()
    decisions = await governed.decided(planned)
    done = await waiting.all(map(governed.reply, planned, decisions))
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
    turn = Turn(rules_of(governance, projection.tools), ledger, AWAITING)
    governed = _Governed(projection, turn, call, given, on_exception, ledger)
    planned = governed.planned()
    [decision] = await governed.decided(planned, asking)
    [message] = governed.replying.messages([await governed.reply(planned[0], decision)])
    return message


def wired(call: PendingCall) -> WireCall:
    """Return *call* as the provider spelled it."""
    stop: Any = call.stop
    return WireCall(call.id, call.name, call.arguments, call.extra, stop)
