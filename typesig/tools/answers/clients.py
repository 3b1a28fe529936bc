"""Asking a client of a vendor until its answer fits, awaited or not, as a whole or in parts."""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from typesig.calls.waiting import AWAITING, BLOCKING, Waiting, each
from typesig.errors import TooLarge, TypesigError
from typesig.limits import MAX_EVENTS
from typesig.providers.projection.messages import assembled
from typesig.providers.rows.codecs import decoded
from typesig.providers.vendors.vendors import vendor_of
from typesig.tools.answers.answered import Answer
from typesig.tools.answers.exchanges import Askable, Exchange, Terms
from typesig.tools.answers.guarding import LATE, Pace, Stopped
from typesig.tools.answers.rounds import asked, begun, told
from typesig.tools.streams.streaming import Stream

if TYPE_CHECKING:
    from typesig.governance.spans import AskSpan
    from typesig.providers.rows.codecs import Coding
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.stream.partial import Partial

T = TypeVar("T")

#: Stands behind the last event of a stream.
_END = object()


async def ask(
    contract: Askable[T], client: object, prompt: object, terms: Terms, waiting: Waiting
) -> Answer[T]:
    """Return the answer that *client* gives to *prompt*; see `Contract.ask`."""
    exchange = Exchange(contract, client, prompt, terms, waiting)
    exchange.check_way()
    return await asked(exchange, partial(_called, exchange, streams=False))


async def _called(exchange: Exchange[Any], streams: bool) -> Any:
    """Return what the client returns for the next request."""
    method, waiting = exchange.method(streams), exchange.guard.turn.waiting
    call = partial(method, **exchange.request(streams))
    is_async = exchange.client.is_async or inspect.iscoroutinefunction(method)
    # A client that is not awaited waits for the network.
    made = call() if is_async else await waiting.off(call)
    return await waiting.value(made, "this client is asynchronous: write await contract.aask(…)")


class Part:
    """What has come of the answer of one attempt.

    #: attempt: which attempt it is of, from 1 on
    #: partial: what is known of the answer in the form in which it is sent; see `Partial`
    """

    __slots__ = ("_codec", "_contract", "attempt", "partial")

    def __init__(
        self, contract: Askable[Any], attempt: int, partial: Partial, codec: Coding
    ) -> None:
        self.attempt = attempt
        self.partial = partial
        self._contract = contract
        self._codec = codec

    @property
    def value(self) -> Any:
        """The parts that have ended and conform, as plain JSON data; None if there are none."""
        found = self.partial.value
        is_read = self.partial.complete and not self.partial.errors
        if is_read or found is None or self._codec is None:
            return found
        # The last part may be in another form until it has ended, and would hide those before it.
        return max([self._shown(found), self._shown(_without_last(found))], key=_size)

    def _shown(self, sent: Any) -> Any:
        """Return what the contract shows of *sent*, of which the last parts have not ended."""
        made = decoded(self._codec, sent)
        if not isinstance(made, dict | list):
            return made
        text = json.dumps(made).rstrip("]}")
        return self._contract.stream().feed(f"{text}," if text else "").value

    def __repr__(self) -> str:
        return f"Part({self.attempt}, {self.partial!r})"


def _size(value: Any) -> int:
    return 0 if value is None else len(json.dumps(value))


def _without_last(data: Any) -> Any:
    """Return *data* without the innermost list or map at its end."""
    if not data or not isinstance(data, dict | list):
        return None
    step = list(data)[-1] if isinstance(data, dict) else len(data) - 1
    last = _without_last(data[step])
    if isinstance(data, dict):
        return {**data, step: last} if last else {k: v for k, v in data.items() if k != step}
    return [*data[:step], last] if last else data[:step]


class Asking(Generic[T]):
    """An exchange whose answers are shown while they arrive; see `Contract.asking`.

    Iterated over, it asks, and yields a `Part` whenever a part of an answer has ended or a text has
    grown; `async for` does so with clients that are awaited.
    """

    __slots__ = ("_answer", "_codec", "_contract", "_exchange", "_has_begun", "_make")

    def __init__(self, contract: Askable[T], client: object, prompt: object, terms: Terms) -> None:
        self._contract = contract
        self._answer: Answer[T] | None = None
        self._codec: Coding = None
        self._has_begun = False
        self._make: Callable[[Waiting], Exchange[T]] = partial(
            Exchange, contract, client, prompt, terms
        )
        # Mistakes are told at once.
        self._exchange = self._make(BLOCKING)

    @property
    def answer(self) -> Answer[T]:
        """The answer; raises `TypesigError` before the iteration has ended."""
        if self._answer is None:
            raise TypesigError("the answer is not whole before the iteration has ended")
        return self._answer

    def __iter__(self) -> Iterator[Part]:
        self._begin()
        if self._exchange.client.is_async:
            raise TypesigError("this client is asynchronous: write async for")
        yield from each(self._answers())

    async def __aiter__(self) -> AsyncIterator[Part]:
        self._begin()
        self._exchange = self._make(AWAITING)
        async with aclosing(self._answers()) as parts:
            async for part in parts:
                yield part

    async def _answers(self) -> AsyncGenerator[Part, None]:
        """Yield what arrives of each answer."""
        exchange = self._exchange
        exchange.check_way()
        while self._answer is None:
            await exchange.run()
            ended = await begun(exchange)
            if ended is not None:
                self._answer = exchange.ended(ended)
                return
            with exchange.guard.span(is_current=False) as span:
                try:
                    async with aclosing(self._parts(span)) as parts:
                        async for part in parts:
                            yield part
                except Stopped:
                    self._stop(span)

    async def _parts(self, span: AskSpan | None) -> AsyncGenerator[Part, None]:
        """Yield what arrives of one answer."""
        exchange, events = self._exchange, list[Any]()
        async with exchange.guard.pace() as pace:
            made = await pace.step(partial(_called, exchange, streams=True))
            stream = self._stream(self._pieces(made, pace, events))
            async for arrived in stream:
                yield Part(self._contract, exchange.attempt, arrived, self._codec)
        call = exchange.guard.call(exchange.attempt)
        outcome = self._received(events, stream, span)
        if outcome is not None:
            outcome = await exchange.guard.turn.seen(call, outcome)
            told(span, outcome)
            self._answer = exchange.settle(outcome)

    def _stop(self, span: AskSpan | None) -> None:
        if span is not None:
            span.fail(LATE.code)
        self._answer = self._exchange.ended(LATE)

    def _begin(self) -> None:
        if self._has_begun:
            raise TypesigError("the model was asked: the answer is in answer")
        self._has_begun = True

    async def _pieces(self, made: Any, pace: Pace, kept: list[Any]) -> AsyncIterator[str | None]:
        """Yield the text that each event of the stream *made* brings; *kept* gets the events."""
        waiting = self._exchange.guard.turn.waiting
        if not waiting.awaits:
            events = iter(made)
            step = partial(waiting.off, lambda: next(events, _END))
        elif hasattr(type(made), "__aiter__"):
            arriving = aiter(made)
            step = partial(anext, arriving, _END)
        else:
            # A client that is not awaited waits for the network.
            events = await pace.step(
                partial(waiting.off, lambda: list(islice(made, MAX_EVENTS + 1)))
            )
            for event in events:
                yield self._piece(event, kept)
            return
        while (event := await pace.step(step)) is not _END:
            yield self._piece(event, kept)

    def _piece(self, event: Any, kept: list[Any]) -> str | None:
        kept.append(event)
        if len(kept) > MAX_EVENTS:
            raise TooLarge(f"the stream has more than {MAX_EVENTS} events")
        return self._exchange.piece(event)

    def _stream(self, pieces: Any) -> Stream[T]:
        exchange, terms = self._exchange, self._exchange.terms
        made = exchange.projection
        form, self._codec = (None, None) if made is None else made._arriving()
        return self._contract._stream_as(pieces, form, terms.mode, exchange.read)

    def _received(
        self, events: list[Any], stream: Stream[T], span: AskSpan | None
    ) -> Outcome[T] | None:
        vendor = vendor_of(self._exchange.client.provider)
        known: Callable[[], Outcome[T]] | None = stream.close if stream.text else None
        return self._exchange.receive(assembled(vendor, events), span, known)

    def __repr__(self) -> str:
        state = f"attempt {self._exchange.attempt}" if self._answer is None else "ended"
        return f"<asking, {state}>"
