"""Calls of tools by name under a governance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from typesig.calls.call import get_first_policy, read_arguments
from typesig.calls.running import WaitMode
from typesig.errors import TypesigError
from typesig.governance.governance import Governance, check_governance
from typesig.governance.pending import Ask, Call, Decision, PendingCall, PendingCalls, Refuse
from typesig.governance.turn import Turn
from typesig.sentinels import NOTHING
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.calls.protocols import ToolLike
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.policy import ModeName, Policy


#: What pending calls are of that are those of a toolset, and of no vendor.
TOOLSET = "toolset"

#: Asks a person about a call; returns what they decided.
Person: TypeAlias = Callable[[Ask, Call], Refuse | None]
AsyncPerson: TypeAlias = Callable[[Ask, Call], Awaitable[Refuse | None]]


class WantedCall(NamedTuple):
    """A requested tool call, with the pending call that a person decided on, if any.

    #: name, arguments: as they were sent
    #: pending: the pending call that it was, on which a person has decided
    """

    name: Any
    arguments: object
    pending: PendingCalls | None = None


def read_wanted(name: object, arguments: object) -> WantedCall:
    """Build the requested call of *name* with *arguments*, or from the pending *name*."""
    if not isinstance(name, PendingCalls):
        return WantedCall(name, arguments)
    if name.provider != TOOLSET or name.asked or len(name.calls) != 1:
        raise TypesigError(
            "call takes what pending.decided({…}) of its own Paused returns; what handle has "
            "paused, handle goes on with"
        )
    [call] = name.calls
    return WantedCall(call.name, call.arguments, name)


def make_turn(
    governance: Governance | None,
    ledger: Ledger | None,
    waiting: WaitMode,
    names: Collection[str] = (),
) -> Turn:
    """Build the `Turn` that governs a set of calls of the tools *names* by *governance*.

    Raises `TypesigError` if it is none, or misspells one of these.
    """
    return Turn(check_governance(governance, names), ledger, waiting)


class GovernedCall:
    """One call of the tool *one* in a *turn*; *options* are passed to `Tool.call`."""

    __slots__ = ("_call", "_one", "_options", "_read", "_turn", "_wanted")

    def __init__(
        self,
        turn: Turn,
        one: ToolLike,
        wanted: WantedCall,
        mode: ModeName | Policy | None,
        **options: Any,
    ) -> None:
        self._turn, self._one, self._wanted = turn, one, wanted
        self._options = {**options, "mode": mode}
        policy = get_first_policy(mode, one.mode)
        self._read = read = read_arguments(one.binding, wanted.arguments, policy)
        arguments = read.value if read.ok else wanted.arguments
        self._call = Call(None, one.name, arguments, one.annotations, read.ok)

    async def call(self, person: AsyncPerson | None = None) -> Outcome[Any]:
        """Run the call if allowed; raise `Paused` to ask a person if *person* is None."""
        decision = await self._decide()
        if isinstance(decision, Ask):
            if person is None:
                name, sent = self._one.name, self._wanted.arguments
                call = PendingCall("0", None, name, sent, NOTHING, None, decision)
                raise self._turn.issue(PendingCalls(TOOLSET, (call,)))
            decision = await person(decision, self._call)
        return await self._turn.run(self._call, decision, self._run, self._read)

    async def _decide(self) -> Decision:
        """Get the governance's decision on the call, or the pending decision."""
        wanted, turn = self._wanted, self._turn
        if wanted.pending is None:
            return await turn.decide(self._call, wanted.arguments)
        claim, [call] = await turn.claim(wanted.pending), wanted.pending.calls
        return claim.decide(call.decision, self._call.name, wanted.arguments)

    async def _run(self) -> Outcome[Any]:
        """Call the tool, awaited if the turn is asynchronous."""
        one, sent, options = self._one, self._wanted.arguments, self._options
        if self._turn.waiting.awaits:
            return await one.acall(sent, **options)
        return one.call(sent, **options)
