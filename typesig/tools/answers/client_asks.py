"""Asking a vendor's client until the answer fits, as a whole or streamed."""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from typesig.calls.running import AWAITING, BLOCKING, WaitMode, iterate_blocking
from typesig.errors import TooLarge, TypesigError
from typesig.limits import MAX_EVENTS
from typesig.providers.projection.messages import build_answer
from typesig.providers.registry.codecs import decode_value
from typesig.providers.vendors.registry import find_vendor
from typesig.tools.answers.conversation import Answer, begin_round, record_outcome, run_rounds
from typesig.tools.answers.exchanges import AskableContract, AskTerms, Exchange
from typesig.tools.answers.request_guard import LATE, Pace, StreamTimeout
from typesig.tools.streams.stream import Stream

if TYPE_CHECKING:
    from typesig.governance.spans import AskSpan
    from typesig.providers.registry.codecs import OptionalCodec
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.stream.partial import Partial


T = TypeVar("T")

#: Stands behind the last event of a stream.
_END = object()


async def ask(
    contract: AskableContract[T], client: object, prompt: object, terms: AskTerms, waiting: WaitMode
) -> Answer[T]:
    """Ask *client* for an answer to *prompt* that fits *contract*; see `Contract.ask`."""
    exchange = Exchange(contract, client, prompt, terms, waiting)
    exchange.check_way()
    return await run_rounds(exchange, partial(_send, exchange, streams=False))


async def _send(exchange: Exchange[Any], streams: bool) -> Any:
    """Call the client with the next request of *exchange*, and return the response."""
    method, waiting = exchange.get_method(streams), exchange.guard.turn.waiting
    call = partial(method, **exchange.request(streams))
    is_async = exchange.client.is_async or inspect.iscoroutinefunction(method)
    # A client that is not awaited waits for the network.
    made = call() if is_async else await waiting.run_off_thread(call)
    return await waiting.await_value(
        made, "this client is asynchronous: write await contract.aask(…)"
    )


class AnswerPart:
    """State of a streamed answer in an attempt of an ask.

    #: attempt: which attempt it is of, from 1 on
    #: partial: what is known of the answer in the form in which it is sent; see `Partial`
    """

    __slots__ = ("_codec", "_contract", "attempt", "partial")

    def __init__(
        self, contract: AskableContract[Any], attempt: int, partial: Partial, codec: OptionalCodec
    ) -> None:
        self.attempt = attempt
        self.partial = partial
        self._contract = contract
        self._codec = codec

    @property
    def value(self) -> Any:
        """The complete and valid parts of the answer as plain JSON data, or None."""
        found = self.partial.value
        is_read = self.partial.complete and not self.partial.errors
        if is_read or found is None or self._codec is None:
            return found
        # The last part may be in another form until it has ended, and would hide those before it.
        return max([self._show(found), self._show(_drop_last(found))], key=_measure_size)

    def _show(self, sent: Any) -> Any:
        """Return the contract's partial value of *sent*, data that may be incomplete."""
        made = decode_value(self._codec, sent)
        if not isinstance(made, dict | list):
            return made
        text = json.dumps(made).rstrip("]}")
        return self._contract.stream().feed(f"{text}," if text else "").value

    def __repr__(self) -> str:
        return f"Part({self.attempt}, {self.partial!r})"


def _measure_size(value: Any) -> int:
    """Length of *value* as JSON text; 0 for None."""
    return 0 if value is None else len(json.dumps(value))


def _drop_last(data: Any) -> Any:
    """Return *data* without the innermost list or map at its end."""
    if not data or not isinstance(data, dict | list):
        return None
    step = list(data)[-1] if isinstance(data, dict) else len(data) - 1
    last = _drop_last(data[step])
    if isinstance(data, dict):
        return {**data, step: last} if last else {k: v for k, v in data.items() if k != step}
    return [*data[:step], last] if last else data[:step]


class StreamedAsk(Generic[T]):
    """An ask whose answers are shown while they arrive; see `Contract.asking`.

    Iterated over, it asks, and yields a `AnswerPart` whenever a part of an answer has ended or a
    text has grown; `async for` does so with clients that are awaited.
    """

    __slots__ = ("_answer", "_codec", "_contract", "_exchange", "_has_begun", "_make")

    def __init__(
        self, contract: AskableContract[T], client: object, prompt: object, terms: AskTerms
    ) -> None:
        self._contract = contract
        self._answer: Answer[T] | None = None
        self._codec: OptionalCodec = None
        self._has_begun = False
        self._make: Callable[[WaitMode], Exchange[T]] = partial(
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

    def __iter__(self) -> Iterator[AnswerPart]:
        self._begin()
        if self._exchange.client.is_async:
            raise TypesigError("this client is asynchronous: write async for")
        yield from iterate_blocking(self._iter_answers())

    async def __aiter__(self) -> AsyncIterator[AnswerPart]:
        self._begin()
        self._exchange = self._make(AWAITING)
        async with aclosing(self._iter_answers()) as parts:
            async for part in parts:
                yield part

    async def _iter_answers(self) -> AsyncGenerator[AnswerPart, None]:
        """Ask until an answer fits, and yield the parts of all answers."""
        exchange = self._exchange
        exchange.check_way()
        while self._answer is None:
            await exchange.run()
            ended = await begin_round(exchange)
            if ended is not None:
                self._answer = exchange.make_ended_answer(ended)
                return
            with exchange.guard.span(is_current=False) as span:
                try:
                    async with aclosing(self._iter_parts(span)) as parts:
                        async for part in parts:
                            yield part
                except StreamTimeout:
                    if span is not None:
                        span.fail(LATE.code)
                    self._answer = exchange.make_ended_answer(LATE)

    async def _iter_parts(self, span: AskSpan | None) -> AsyncGenerator[AnswerPart, None]:
        """Send the next request, and yield the parts of its streamed answer."""
        exchange, events = self._exchange, list[Any]()
        async with exchange.guard.hold_pace() as pace:
            made = await pace.run_step(partial(_send, exchange, streams=True))
            stream = self._make_stream(self._iter_pieces(made, pace, events))
            async for arrived in stream:
                yield AnswerPart(self._contract, exchange.attempt, arrived, self._codec)
        call = exchange.guard.make_call(exchange.attempt)
        outcome = self._read_response(events, stream, span)
        if outcome is not None:
            outcome = await exchange.guard.turn.apply_after(call, outcome)
            record_outcome(span, outcome)
            self._answer = exchange.settle(outcome)

    def _begin(self) -> None:
        """Mark the ask as begun; raise `TypesigError` if it was iterated before."""
        if self._has_begun:
            raise TypesigError("the model was asked: the answer is in answer")
        self._has_begun = True

    async def _iter_pieces(
        self, made: Any, pace: Pace, kept: list[Any]
    ) -> AsyncIterator[str | None]:
        """Yield the answer text in the events of the stream *made*; fill *kept*."""
        waiting = self._exchange.guard.turn.waiting
        if not waiting.awaits:
            events = iter(made)
            step = partial(waiting.run_off_thread, lambda: next(events, _END))
        elif hasattr(type(made), "__aiter__"):
            arriving = aiter(made)
            step = partial(anext, arriving, _END)
        else:
            # A client that is not awaited waits for the network.
            events = await pace.run_step(
                partial(waiting.run_off_thread, lambda: list(islice(made, MAX_EVENTS + 1)))
            )
            for event in events:
                yield self._read_piece(event, kept)
            return
        while (event := await pace.run_step(step)) is not _END:
            yield self._read_piece(event, kept)

    def _read_piece(self, event: Any, kept: list[Any]) -> str | None:
        """Append *event* to *kept*; return the text it adds to the answer, or None."""
        kept.append(event)
        if len(kept) > MAX_EVENTS:
            raise TooLarge(f"the stream has more than {MAX_EVENTS} events")
        return self._exchange.read_piece(event)

    def _make_stream(self, pieces: Any) -> Stream[T]:
        """Build the stream that parses the text *pieces* of the answer."""
        exchange, terms = self._exchange, self._exchange.terms
        made = exchange.projection
        form, self._codec = (None, None) if made is None else made._get_sent_form()
        return self._contract._stream_as(pieces, form, terms.mode, exchange.read)

    def _read_response(
        self, events: list[Any], stream: Stream[T], span: AskSpan | None
    ) -> Outcome[T] | None:
        """Assemble *events* into a response; return its outcome, None for tool calls."""
        vendor = find_vendor(self._exchange.client.provider)
        known: Callable[[], Outcome[T]] | None = stream.close if stream.text else None
        return self._exchange.receive(build_answer(vendor, events), span, known)

    def __repr__(self) -> str:
        state = f"attempt {self._exchange.attempt}" if self._answer is None else "ended"
        return f"<asking, {state}>"
