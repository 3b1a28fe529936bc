"""The value that says how calls are governed."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from typesig.calls.running import WaitMode
from typesig.errors import TypesigError, format_value
from typesig.governance.timing import Usage
from typesig.limits.calls import MAX_REMEMBERED

if TYPE_CHECKING:
    import asyncio

    from typesig.governance.pending import After, Approvals, Before
    from typesig.governance.spans import Spans


# --- Gates: how many calls run at the same time, over threads and loops ---


class Gate:
    """Limit of *most* concurrent calls, which lets waiting calls in by arrival."""

    __slots__ = ("_free", "_lock", "_waiting")

    def __init__(self, most: int) -> None:
        self._free = most
        self._lock = threading.Lock()
        self._waiting: deque[Callable[[], None]] = deque()

    def enter(self, seconds: float | None) -> bool:
        """Wait up to *seconds* for a free slot; return whether it was taken."""
        woken = threading.Event()
        wake = woken.set
        if self._try_to_take(wake) or woken.wait(seconds):
            return True
        return not self._forget(wake)

    async def enter_async(self, seconds: float | None) -> bool:
        """Like `enter`, in a task that can be cancelled."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            try:
                loop.call_soon_threadsafe(turn.set_result, None)
            except RuntimeError:
                # The loop has ended, and so has who waited in it.
                self.leave()

        if self._try_to_take(wake):
            return True
        try:
            await asyncio.wait([turn], timeout=seconds)
        except asyncio.CancelledError:
            if not self._forget(wake):
                self.leave()
            raise
        return turn.done() or not self._forget(wake)

    async def wait_to_enter(self, waiting: WaitMode, seconds: float | None) -> bool:
        """Like `enter`, in a task or in a thread, depending on *waiting*."""
        return await self.enter_async(seconds) if waiting.awaits else self.enter(seconds)

    def leave(self) -> None:
        """Release a slot, and pass it to the longest-waiting call, if any."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            wake = self._waiting.popleft()
        wake()

    def _try_to_take(self, wake: Callable[[], None]) -> bool:
        """Take a free slot and return True, or queue *wake* for a free one."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            self._waiting.append(wake)
            return False

    def _forget(self, wake: Callable[[], None]) -> bool:
        """Unregister *wake*; True if it was still waiting."""
        with self._lock:
            try:
                self._waiting.remove(wake)
            except ValueError:
                return False
            return True


#: The tool whose call stands for the answer that a contract asks for.
ANSWER = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Governance:
    """Rules for calls: time limits, concurrency, repeats, hooks; by default none.

    A limit by tool is a dict by the name of the tool in its definition; other tools have none.
    A name that is a misspelling of a tool's is refused when tools are called under it.
    What is counted is counted over all calls under the same value: make it once for a program, and
    `conversation` of it for each conversation.

    An answer that a contract asks for is the call of a tool `answer`.

    #: seconds: how long one run of a tool may take
    #: turn: how many seconds all calls of one answer may take, and all of one asking
    #: at_once: how many calls run at the same time, all together or by tool
    #: repeats: how many equal calls of a conversation may run; the next is refused
    #: retries: how often a call is run again whose tool raised `ToolError(…, retry=True)`
    #: before: decides on a call before anything runs; None lets it run
    #: after: sees the outcome of each call, and may return another one
    #: spans: what tells OpenTelemetry of each call
    #: tokens: after how many tokens of a conversation no model is asked any more
    #: attempts: how many answers of a conversation are asked for
    #: approvals: a store that lets one of several processes handle pending calls; without one,
    #:     calls that were handled under this value before are refused

    >>> from typesig.governance import Governance
    >>> Governance(seconds=30, at_once={"search": 2}).seconds
    30
    """

    seconds: float | Mapping[str, float] | None = None
    turn: float | None = None
    at_once: int | Mapping[str, int] | None = None
    repeats: int | None = None
    retries: int = 0
    before: Before | None = None
    after: After | None = None
    spans: Spans | None = None
    tokens: int | None = None
    attempts: int | None = None
    approvals: Approvals | None = None
    _state: GovernanceState = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_each("seconds", self.seconds, _is_time, "a positive number, or a dict of them")
        _check("turn", self.turn, self.turn is None or _is_time(self.turn), "a positive number")
        _check_each("at_once", self.at_once, _is_count, "an int of at least 1, or a dict of them")
        for name in ("repeats", "tokens", "attempts"):
            most = getattr(self, name)
            _check(name, most, most is None or _is_count(most), _COUNT)
        retries = type(self.retries) is int and self.retries >= 0
        _check("retries", self.retries, retries, "an int of at least 0")
        for name in ("before", "after"):
            hook = getattr(self, name)
            _check(name, hook, hook is None or callable(hook), "a function")
        is_store = self.approvals is None or callable(getattr(self.approvals, "claim", None))
        _check("approvals", self.approvals, is_store, "an object with claim(id) -> bool")
        is_spans = self.spans is None or hasattr(self.spans, "start_call")
        _check("spans", self.spans, is_spans, "typesig.governance.Spans()")
        limits = [each for each in (self.seconds, self.at_once) if isinstance(each, Mapping)]
        limited = frozenset(name for each in limits for name in each)
        object.__setattr__(self, "_state", GovernanceState(self.at_once, limited))

    def conversation(self) -> Governance:
        """Copy the rules for another conversation, with all counters at zero.

        Calls of both still count together for `at_once`.
        """
        made = replace(self)
        made._state.gates, made._state.pending = self._state.gates, self._state.pending
        return made

    def get_seconds(self, name: str) -> float | None:
        """Time limit of the tool *name* in seconds, or None."""
        seconds = self.seconds
        return seconds.get(name) if isinstance(seconds, Mapping) else seconds

    def get_gate(self, name: str) -> Gate | None:
        """Return the concurrency limit of the tool *name*, or None."""
        gates = self._state.gates
        return gates.get(name, gates.get(""))

    def count_equal_calls(self, key: str) -> int:
        """Count a call by *key*, and return the number of equal calls before it."""
        return self._state.count(key)

    def issue(self, pending: str) -> None:
        """Register the id *pending* of calls that wait for a person."""
        self._state.pending.issue(pending)

    def take(self, pending: str) -> bool | None:
        """Mark the calls with the id *pending* as run; return whether they were before.

        None says that they were not counted under this value.
        """
        return self._state.pending.take(pending)

    @property
    def usage(self) -> Usage:
        """Tokens of all requests in the conversation, as reported by clients.

        Pickling does not keep them.
        """
        return self._state.usage

    def spend(self, usage: Usage | None) -> None:
        """Count a model request, and its tokens if *usage* has them."""
        self._state.spend(usage)

    def find_exhausted_budget(self) -> str | None:
        """Message about the used-up budget of the conversation, or None."""
        used = self._state.usage.total
        if self.tokens is not None and used >= self.tokens:
            return f"{used} tokens were used, of {self.tokens}"
        if self.attempts is not None and self._state.answers >= self.attempts:
            return f"{self.attempts} answers were asked for, which is all"
        return None

    @property
    def left(self) -> set[asyncio.Task[Any]]:
        """The tasks of timed-out calls that are still running."""
        return self._state.left


def check_governance(governance: Governance | None, names: Collection[str] = ()) -> Governance:
    """Check that *governance* is valid; return one without rules for None.

    *names* are those of the tools that it is for: a limit for none of them whose name is close to
    one without a limit is a misspelling, and raises `TypesigError`.
    """
    if governance is None:
        return Governance()
    if not isinstance(governance, Governance):
        raise TypesigError(
            f"governance takes a typesig.governance.Governance, not {type(governance).__name__}"
        )
    if names and (limited := governance._state.limited):
        _check_names(limited, names)
    return governance


class PendingIds:
    """Ids of pending calls, and whether each id was claimed."""

    __slots__ = ("_lock", "_taken")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: OrderedDict[str, bool] = OrderedDict()

    def issue(self, pending: str) -> None:
        """Remember *pending*, unless it is known."""
        with self._lock:
            self._store(pending, self._taken.get(pending, False))

    def take(self, pending: str) -> bool | None:
        """Mark the id *pending* as taken; return its state before, or None."""
        with self._lock:
            before = self._taken.get(pending)
            self._store(pending, True)
        return before

    def _store(self, pending: str, is_taken: bool) -> None:
        """Record whether the id *pending* is taken; forget the oldest id over the limit."""
        self._taken[pending] = is_taken
        if len(self._taken) > MAX_REMEMBERED:
            self._taken.popitem(last=False)


def _check_names(limited: frozenset[str], names: Collection[str]) -> None:
    """Raise `TypesigError` if a tool in *limited* misspells one of *names*.

    A governance may be for the tools of several toolsets, so another name is none by itself.
    """
    unknown = [name for name in limited if name not in names and name != ANSWER]
    if not unknown:
        return
    from typesig.validation.issues.suggestions import SuggestionQuery, SuggestionSearch

    others = {name.lower(): name for name in names if name not in limited}
    search = SuggestionSearch()
    for name in sorted(unknown):
        hint = search.find_hint(SuggestionQuery(name.lower(), lambda: others))
        if hint:
            raise TypesigError(
                f"the governance has a limit for {format_value(name)}, no tool; {hint}"
            )


class GovernanceState:
    """State shared by all calls under one governance; a pickled copy starts empty.

    #: gates: what calls have to pass, by tool, or by an empty name for all
    #: limited: the names of tools that have limits of their own
    #: left: the tasks of calls that nobody waits for any more
    #: pending: the calls that wait for a person, or waited
    #: answers: how many answers were asked for; usage: their tokens
    """

    __slots__ = (
        "_at_once", "_counts", "_lock", "answers", "gates", "left", "limited", "pending", "usage",
    )  # fmt: skip

    def __init__(
        self, at_once: int | Mapping[str, int] | None, limited: frozenset[str] = frozenset()
    ) -> None:
        self._at_once = at_once
        self.limited = limited
        self._lock = threading.Lock()
        self._counts: OrderedDict[str, int] = OrderedDict()
        self.left: set[asyncio.Task[Any]] = set()
        self.pending = PendingIds()
        self.answers = 0
        self.usage = Usage(0, 0)
        by_tool = at_once if isinstance(at_once, Mapping) else {}
        self.gates = {name: Gate(most) for name, most in by_tool.items()}
        if isinstance(at_once, int):
            self.gates[""] = Gate(at_once)

    def __reduce__(self) -> tuple[Any, ...]:
        return GovernanceState, (self._at_once, self.limited)

    def spend(self, usage: Usage | None) -> None:
        """Count a model request, and its tokens if *usage* has them."""
        with self._lock:
            self.answers += 1
            self.usage = self.usage if usage is None else self.usage.add(usage)

    def count(self, key: str) -> int:
        """Count a call by *key*; return the number of equal earlier calls."""
        with self._lock:
            before = self._counts.pop(key, 0)
            self._counts[key] = before + 1
            if len(self._counts) > MAX_REMEMBERED:
                self._counts.popitem(last=False)
        return before


_COUNT = "an int of at least 1"


def _is_time(value: object) -> bool:
    """Whether *value* is a finite number of seconds above 0."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 < value < float("inf")  # type: ignore[operator]


def _is_count(value: object) -> bool:
    """Whether *value* is an integer of at least 1."""
    return type(value) is int and value >= 1


def _check_each(name: str, value: Any, fits: Any, what: str) -> None:
    """Raise `TypesigError` unless *value*, or all values of a map by tool, pass *fits*."""
    if isinstance(value, Mapping):
        fine = all(isinstance(key, str) and fits(each) for key, each in value.items())
    else:
        fine = value is None or fits(value)
    _check(name, value, fine, f"{what} by the names of tools")


def _check(name: str, value: object, fine: bool, what: str) -> None:
    """Raise `TypesigError` for the option *name* and its *value* unless *fine*."""
    if not fine:
        raise TypesigError(f"{name} of a governance is {what}, not {format_value(value)}")
