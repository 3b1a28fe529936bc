"""Calls under a governance: all are decided on first, then run within limits.

No call runs before all are decided on, so that those that wait for a person can go on later as if
they had been let run at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from typesig.calls.running import AWAITING, WaitMode
from typesig.errors import TypesigError
from typesig.governance.governance import Governance, check_governance
from typesig.governance.pending import (
    Ask,
    Call,
    Decision,
    Paused,
    PendingCall,
    PendingCalls,
    Refuse,
    make_keys,
)
from typesig.governance.turn import Turn
from typesig.providers.projection.call_handler import CallHandler, HostOptions, ProjectionLike
from typesig.providers.projection.messages import receive_message
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.registry.answers import is_for_host
from typesig.providers.registry.calls import Reply, WireCall
from typesig.validation.outcome.outcome import Outcome

#: Asks a person about a call; returns what they decided.
Asking: TypeAlias = Callable[[Ask, Call], Awaitable[Refuse | None]]


class _RunnableCall(NamedTuple):
    """A call whose tool is found and whose arguments are read.

    #: one: the tool; call: what hooks see of the call; read: its arguments
    """

    wire: WireCall
    one: ProjectedTool
    call: Call
    read: Outcome[Any]


#: A call, or the reply to one that cannot run, or an item that the host answers.
_PlannedCall: TypeAlias = _RunnableCall | Reply | WireCall


class _GovernedCallHandler:
    """A handler that decides on the calls of an answer before it runs them."""

    def __init__(
        self,
        projection: ProjectionLike,
        turn: Turn,
        message: object,
        host: HostOptions,
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
            message = [to_wire_call(call) for call in message.calls]
        self.replying = CallHandler(projection, turn.waiting, message, host)
        self.turn = turn

    def prepare_calls(self) -> list[_PlannedCall]:
        """Prepare each call in order, or reply to one that cannot run."""
        return [self._prepare_call(call) for call in self.replying.calls]

    def _prepare_call(self, wire: WireCall) -> _PlannedCall:
        """Find a call's tool and read its arguments, or make an error reply."""
        if is_for_host(wire):
            return wire
        one = self.replying.find_tool(wire)
        if isinstance(one, Reply):
            return one
        read = one.read(wire.arguments)
        arguments = read.value if read.ok else wire.arguments
        call = Call(wire.id, one.name, arguments, one.tool.annotations, read.ok)
        return _RunnableCall(wire, one, call, read)

    async def decide_calls(
        self, planned: list[_PlannedCall], asking: Asking | None = None
    ) -> list[Decision]:
        """Decide on each call; raise `Paused` if a person has to decide.

        A person is asked by *asking*, if there is one.
        """
        pending = self._pending
        if pending is None:
            decisions = [await self._decide_call(each, asking) for each in planned]
            self._check_decided(decisions)
            return decisions
        decisions = [call.decision for call in pending.calls]
        self._check_decided(decisions)
        claim = await self.turn.claim(pending)
        return [
            claim.decide(each, one.call.name, one.wire.arguments)
            if isinstance(one, _RunnableCall)
            else each
            for one, each in zip(planned, decisions, strict=True)
        ]

    async def _decide_call(self, each: _PlannedCall, asking: Asking | None) -> Decision:
        """Decide on a planned call; *asking* asks a person if necessary."""
        if not isinstance(each, _RunnableCall):
            return None
        made = await self.turn.decide(each.call, each.wire.arguments)
        return await asking(made, each.call) if asking and isinstance(made, Ask) else made

    def _check_decided(self, decisions: list[Decision]) -> None:
        """Raise `Paused` if any of *decisions* is left to a person."""
        calls = self.replying.calls
        if any(isinstance(each, Ask) for each in decisions):
            keys = make_keys([call.id for call in calls])
            pending = [
                PendingCall(key, *call._replace(extra=dict(call.extra)), decision)
                for key, call, decision in zip(keys, calls, decisions, strict=True)
            ]
            made = PendingCalls(self._provider, tuple(pending))
            if self._pending is not None:
                raise Paused(replace(made, id=self._pending.id))
            raise self.turn.issue(made)

    async def run_call(self, each: _PlannedCall, decision: Decision) -> Reply:
        """Decide on *call*, run it in this task and return the reply message."""
        if isinstance(each, Reply):
            return each
        if isinstance(each, WireCall):
            return await self.replying.run_call(each)
        replying, (wire, one, call, read) = self.replying, each
        try:
            work = partial(replying.run_tool, wire, one)
            outcome = await self.turn.run(call, decision, work, read)
            return replying.make_reply(wire, one, outcome)
        except Exception as error:
            return await replying.handle_exception(wire, error)


async def handle_message(
    projection: ProjectionLike,
    waiting: WaitMode,
    message: object,
    governance: Governance,
    host: HostOptions,
    turn: Turn | None = None,
) -> list[dict[str, Any]]:
    """Decide on the calls in *message*, run them and return the reply messages.

    *turn* is that of what the calls are a part of.
    """
    if not isinstance(message, PendingCalls):
        message = await receive_message(message, waiting)
    rules = check_governance(governance, projection.tools)
    turn = Turn(rules, host.ledger, waiting) if turn is None else turn
    governed = _GovernedCallHandler(projection, turn, message, host)
    governed.replying.check_awaitable()
    planned = governed.prepare_calls()
    decisions = await governed.decide_calls(planned)
    done = await waiting.run_all(map(governed.run_call, planned, decisions))
    return governed.replying.write_messages(done)


async def run_call(
    projection: ProjectionLike,
    call: WireCall,
    governance: Governance,
    asking: Asking,
    host: HostOptions,
) -> dict[str, Any]:
    """Return the message that answers *call*, which runs in this task; *asking* asks a person."""
    turn = Turn(check_governance(governance, projection.tools), host.ledger, AWAITING)
    governed = _GovernedCallHandler(projection, turn, call, host)
    planned = governed.prepare_calls()
    [decision] = await governed.decide_calls(planned, asking)
    [message] = governed.replying.write_messages([await governed.run_call(planned[0], decision)])
    return message


def to_wire_call(call: PendingCall) -> WireCall:
    """Convert *call*, a pending call, back to a call in the provider's format."""
    stop: Any = call.stop
    return WireCall(call.id, call.name, call.arguments, call.extra, stop)
