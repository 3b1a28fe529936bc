"""The rounds of one asking: a request, then the calls of tools in its answer, until one fits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from typesig.tools.answers.guarding import Ended, Guard
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.governance.decisions import Call, Decision
    from typesig.governance.spans import AskSpan
    from typesig.tools.answers.answered import Answer

T = TypeVar("T")


class Exchanging(Protocol[T]):
    """What is asked, and how far that is."""

    guard: Guard

    @property
    def attempt(self) -> int:
        """Which attempt is under way, from 1 on."""
        ...

    @property
    def messages(self) -> list[Any]:
        """The messages so far."""
        ...

    def spent(self) -> Ended | None:
        """Return which budget is spent, or None."""
        ...

    def receive(self, response: Any, span: AskSpan | None) -> Outcome[T] | None:
        """Return the outcome of the answer in *response*, or None if there is none yet."""
        ...

    def settle(self, outcome: Outcome[T]) -> Answer[T] | None:
        """Return *outcome* as the answer if it fits or was the last; else ask again."""
        ...

    def ended(self, ended: Ended) -> Answer[T]:
        """Return the answer if nothing more is asked."""
        ...

    def run(self) -> None:
        """Answer the calls of tools in the last answer."""
        ...

    async def arun(self) -> None:
        """Do the same for coroutine functions, too."""
        ...


def asked(exchange: Exchanging[T], send: Callable[[], Any]) -> Answer[T]:
    """Return the answer of *exchange*, whose requests *send* makes."""
    answer: Answer[T] | None = None
    while answer is None:
        exchange.run()
        answer = _round(exchange, send)
    return answer


async def aasked(exchange: Exchanging[T], send: Callable[[], Awaitable[Any]]) -> Answer[T]:
    """Return the same as `asked` for requests that are awaited."""
    answer: Answer[T] | None = None
    while answer is None:
        await exchange.arun()
        answer = await _around(exchange, send)
    return answer


def begun(exchange: Exchanging[T]) -> Ended | None:
    """Return why the next request is not made, or None."""
    spent = exchange.spent()
    if spent is not None:
        return spent
    call = exchange.guard.call(exchange.attempt)
    return _refused(exchange, call, exchange.guard.decide(call))


async def abegun(exchange: Exchanging[T]) -> Ended | None:
    """Return the same as `begun`, also if `before` is a coroutine function."""
    spent = exchange.spent()
    if spent is not None:
        return spent
    call = exchange.guard.call(exchange.attempt)
    return _refused(exchange, call, await exchange.guard.adecide(call))


def _refused(exchange: Exchanging[T], call: Call, decision: Decision) -> Ended | None:
    return exchange.guard.refused(call, decision, exchange.messages)


def _round(exchange: Exchanging[T], send: Callable[[], Any]) -> Answer[T] | None:
    ended, guard = begun(exchange), exchange.guard
    if ended is not None:
        return exchange.ended(ended)
    call = guard.call(exchange.attempt)
    with guard.span() as span:
        found = guard.response(call, send)
        outcome = _outcome(exchange, found, span)
        if isinstance(outcome, Outcome):
            outcome = guard.turn.seen(call, outcome)
            told(span, outcome)
    return _settled(exchange, outcome)


async def _around(exchange: Exchanging[T], send: Callable[[], Awaitable[Any]]) -> Answer[T] | None:
    ended, guard = await abegun(exchange), exchange.guard
    if ended is not None:
        return exchange.ended(ended)
    call = guard.call(exchange.attempt)
    with guard.span() as span:
        found = await guard.aresponse(call, send)
        outcome = _outcome(exchange, found, span)
        if isinstance(outcome, Outcome):
            outcome = await guard.turn.aseen(call, outcome)
            told(span, outcome)
    return _settled(exchange, outcome)


def _outcome(
    exchange: Exchanging[T], found: Any, span: AskSpan | None
) -> Outcome[T] | Ended | None:
    if not isinstance(found, Ended):
        return exchange.receive(found, span)
    if span is not None:
        span.fail(found.code)
    return found


def told(span: AskSpan | None, outcome: Outcome[Any]) -> None:
    """Tell *span*, if there is one, what became of the answer."""
    if span is not None:
        span.end(outcome)


def _settled(exchange: Exchanging[T], outcome: Outcome[T] | Ended | None) -> Answer[T] | None:
    if isinstance(outcome, Ended):
        return exchange.ended(outcome)
    return None if outcome is None else exchange.settle(outcome)
