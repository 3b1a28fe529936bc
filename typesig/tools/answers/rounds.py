"""The rounds of one asking: a request, then the calls of tools in its answer, until one fits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from typesig.tools.answers.guarding import Ended, Guard
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
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

    async def run(self) -> None:
        """Answer the calls of tools in the last answer."""
        ...


async def asked(exchange: Exchanging[T], send: Callable[[], Awaitable[Any]]) -> Answer[T]:
    """Return the answer of *exchange*, whose requests *send* makes."""
    answer: Answer[T] | None = None
    while answer is None:
        await exchange.run()
        answer = await _round(exchange, send)
    return answer


async def begun(exchange: Exchanging[T]) -> Ended | None:
    """Return why the next request is not made, or None."""
    spent = exchange.spent()
    if spent is not None:
        return spent
    guard = exchange.guard
    call = guard.call(exchange.attempt)
    return guard.refused(call, await guard.decide(call), exchange.messages)


async def _round(exchange: Exchanging[T], send: Callable[[], Awaitable[Any]]) -> Answer[T] | None:
    ended, guard = await begun(exchange), exchange.guard
    if ended is not None:
        return exchange.ended(ended)
    call = guard.call(exchange.attempt)
    with guard.span() as span:
        found = await guard.response(call, send)
        if isinstance(found, Ended):
            if span is not None:
                span.fail(found.code)
            return exchange.ended(found)
        outcome = exchange.receive(found, span)
        if outcome is None:
            return None
        outcome = await guard.turn.seen(call, outcome)
        told(span, outcome)
    return exchange.settle(outcome)


def told(span: AskSpan | None, outcome: Outcome[Any]) -> None:
    """Tell *span*, if there is one, what became of the answer."""
    if span is not None:
        span.end(outcome)
