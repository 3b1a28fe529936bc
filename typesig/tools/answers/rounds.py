"""Rounds of one ask: a request, then the tool calls in its answer, until one fits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from typesig.tools.answers.request_guard import EndReason, RequestGuard
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.governance.spans import AskSpan
    from typesig.tools.answers.answer import Answer

T = TypeVar("T")


class ExchangeState(Protocol[T]):
    """Protocol of the state of an ask, by a function or by a client."""

    guard: RequestGuard

    @property
    def attempt(self) -> int:
        """Which attempt is under way, from 1 on."""
        ...

    @property
    def messages(self) -> list[Any]:
        """The messages so far."""
        ...

    def find_exhausted_budget(self) -> EndReason | None:
        """Return the reason to stop for an exhausted budget, or None."""
        ...

    def receive(self, response: Any, span: AskSpan | None) -> Outcome[T] | None:
        """Return the outcome of the answer in *response*, or None if there is none yet."""
        ...

    def settle(self, outcome: Outcome[T]) -> Answer[T] | None:
        """Return *outcome* as the answer if it fits or was the last; else ask again."""
        ...

    def make_ended_answer(self, ended: EndReason) -> Answer[T]:
        """Build the answer of an ask that ended early, for the reason *ended*."""
        ...

    async def run(self) -> None:
        """Answer the calls of tools in the last answer."""
        ...


async def run_rounds(exchange: ExchangeState[T], send: Callable[[], Awaitable[Any]]) -> Answer[T]:
    """Send the requests of *exchange* by *send* until there is an answer."""
    answer: Answer[T] | None = None
    while answer is None:
        await exchange.run()
        answer = await _round(exchange, send)
    return answer


async def begin_round(exchange: ExchangeState[T]) -> EndReason | None:
    """Reason for not sending the next request, or None."""
    spent = exchange.find_exhausted_budget()
    if spent is not None:
        return spent
    guard = exchange.guard
    call = guard.make_call(exchange.attempt)
    return guard.find_refusal(call, await guard.decide(call), exchange.messages)


async def _round(
    exchange: ExchangeState[T], send: Callable[[], Awaitable[Any]]
) -> Answer[T] | None:
    """Send the next request by *send*; return the final answer, or None to continue."""
    ended, guard = await begin_round(exchange), exchange.guard
    if ended is not None:
        return exchange.make_ended_answer(ended)
    call = guard.make_call(exchange.attempt)
    with guard.span() as span:
        found = await guard.send_request(call, send)
        if isinstance(found, EndReason):
            if span is not None:
                span.fail(found.code)
            return exchange.make_ended_answer(found)
        outcome = exchange.receive(found, span)
        if outcome is None:
            return None
        outcome = await guard.turn.apply_after(call, outcome)
        record_outcome(span, outcome)
    return exchange.settle(outcome)


def record_outcome(span: AskSpan | None, outcome: Outcome[Any]) -> None:
    """Record *outcome* in *span*, if there is one."""
    if span is not None:
        span.end(outcome)
