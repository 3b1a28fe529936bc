"""Streams of answers and arguments: finished parts are shown, the whole is checked."""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from io import StringIO
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from typesig.algebra.nodes import ANY
from typesig.errors import TypesigError
from typesig.limits import MAX_JSON
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import get_first_policy
from typesig.validation.stream.incremental_reader import IncrementalReader
from typesig.validation.stream.part_shapes import StreamTarget
from typesig.validation.stream.partial import Partial, make_final_partial, reopen

if TYPE_CHECKING:
    from typesig.calls.protocols import ToolLike
    from typesig.validation.policy import ModeName, Policy


T = TypeVar("T")

#: The repairs that read as a value what may go on.
_GROWING_REPAIRS = frozenset(
    ("plain_text", "word_in_prose", "several_values", "joined_values", "missing_bracket")
)


class Stream(Generic[T]):
    """Incremental reader of a model's JSON text, which returns partial values.

    Iteration consumes the chunks that the stream was created with, yields a partial whenever a part
    is complete or a string has grown, and closes the stream. The last partial is of the whole
    value. For asynchronous chunks, use `async for`. None, which clients send for no text, is an
    empty chunk.

    >>> import typesig
    >>> stream = typesig.contract("[{id :int}]").stream()
    >>> stream.feed('[{"id": 1}, {"id": 2').value
    [{'id': 1}]
    >>> stream.feed("3}]").value
    [{'id': 1}, {'id': 23}]
    >>> stream.close().result
    [{'id': 1}, {'id': 23}]
    """

    __slots__ = (
        "_arrival", "_chunks", "_finish", "_growing", "_has_begun", "_outcome", "_size",
        "_text",
    )  # fmt: skip

    def __init__(
        self,
        growing: StreamTarget,
        finish: Callable[[str], Outcome[T]],
        chunks: Iterable[str | None] | AsyncIterable[str | None] | None = None,
    ) -> None:
        """*finish* returns the outcome of the whole text."""
        self._arrival = IncrementalReader(growing)
        self._finish = finish
        self._chunks = chunks
        self._text = StringIO()
        self._size = 0
        self._has_begun = False
        self._outcome: Outcome[T] | None = None

    def feed(self, chunk: str | None) -> Partial:
        """Add the next *chunk* of text, and return the partial value so far.

        Raises `TypesigError` if *chunk* is not text or the stream is closed.
        """
        self._take(chunk)
        return self._arrival.make_partial()

    def close(self) -> Outcome[T]:
        """End the stream, and return the outcome of the complete text.

        If iteration has not started, the chunks that the stream was created with are consumed now.
        Raises `TypesigError` if they are asynchronous. A second call returns the same outcome.
        """
        if self._outcome is None:
            if self._chunks is not None and not self._has_begun:
                for chunk in self._iter_pieces():
                    self._take(chunk)
            self._outcome = self._finish(self._text.getvalue())
        return self._outcome

    @property
    def text(self) -> str:
        """The complete text; raises `TypesigError` before the stream is closed."""
        if self._outcome is None:
            raise TypesigError("the text is not whole before the stream is closed: call close()")
        return self._text.getvalue()

    def __iter__(self) -> Iterator[Partial]:
        for chunk in self._iter_pieces():
            yield from self._iter_new(chunk)
        yield self._last()

    def _iter_pieces(self) -> Iterable[str | None]:
        """Return the iterable of text pieces, and mark the stream as begun."""
        found = check_pieces(self._chunks)
        self._has_begun = True
        return found

    async def __aiter__(self) -> AsyncIterator[Partial]:
        chunks = check_async_pieces(self._chunks)
        self._has_begun = True
        async for chunk in chunks:
            for each in self._iter_new(chunk):
                yield each
        yield self._last()

    def __repr__(self) -> str:
        return f"<stream of {self._size} characters{'' if self._outcome is None else ', closed'}>"

    def _take(self, chunk: object) -> None:
        """Add *chunk* to the text; raise `TypesigError` if the stream is closed."""
        if self._outcome is not None:
            raise TypesigError("the stream is closed; make another one for another text")
        self._has_begun = True
        if chunk is None:
            return
        if not isinstance(chunk, str):
            raise TypesigError(f"a piece of a stream is text, not {type(chunk).__name__}")
        # One character beyond the limit is enough for the whole to be refused.
        room = MAX_JSON + 1 - self._size
        if room > 0:
            self._text.write(chunk[:room])
            self._arrival.feed(chunk[:room])
        self._size += len(chunk)

    def _iter_new(self, chunk: object) -> Iterator[Partial]:
        """Add *chunk*; yield the partial value if it has changed."""
        told = self._arrival.told
        self._take(chunk)
        if self._arrival.told != told:
            yield self._arrival.make_partial()

    def _last(self) -> Partial:
        """Close the stream, and return the partial value of the complete text."""
        return make_final_partial(self.close(), self._arrival.make_partial())


def check_pieces(chunks: object) -> Iterable[str | None]:
    """Return the text pieces *chunks*; raise `TypesigError` if they are not iterable."""
    if not isinstance(chunks, Iterable):
        remedy = "write async for" if isinstance(chunks, AsyncIterable) else "call feed"
        raise TypesigError(f"the stream has no pieces to iterate over; {remedy}")
    return chunks


def check_async_pieces(chunks: object) -> AsyncIterable[str | None]:
    """Return *chunks*; raise `TypesigError` if they are not asynchronously iterable."""
    if not isinstance(chunks, AsyncIterable):
        remedy = "write for" if isinstance(chunks, Iterable) else "call feed"
        raise TypesigError(f"the stream has no asynchronous pieces to iterate over; {remedy}")
    return chunks


def read_partly(sent: object, growing: StreamTarget, outcome: Outcome[Any]) -> Partial:
    """Return the partial value of the incomplete text *sent*, checked as *outcome*.

    What may go on behind the end, such as a number, is held back.
    """
    if not isinstance(sent, str | bytes):
        return make_final_partial(outcome, Partial(growing.stage))
    unreadable = [issue for issue in outcome.errors if issue.code == "json" and not issue.path]
    text = _get_text(sent)
    may_grow = text[-1:].isdigit() or any(w.rule in _GROWING_REPAIRS for w in outcome.warnings)
    if outcome.ok and not may_grow:
        return make_final_partial(outcome, Partial(growing.stage))
    arrival = IncrementalReader(growing)
    if len(text) <= MAX_JSON:
        arrival.feed(text)
    if not unreadable and not may_grow:
        return make_final_partial(outcome, arrival.make_partial())
    fault: Issue | None = None
    if unreadable and (arrival.state != "open" or len(text) > MAX_JSON):
        [fault] = unreadable
    part = arrival.make_partial(fault)
    return reopen(part) if part.complete else part


def _get_text(sent: str | bytes) -> str:
    """Decode *sent* to text, without an incomplete character at its end."""
    if isinstance(sent, str):
        return sent
    return codecs.getincrementaldecoder("utf-8")("replace").decode(sent)


def make_argument_stream(
    tool: ToolLike,
    chunks: Iterable[str | None] | AsyncIterable[str | None] | None,
    mode: ModeName | Policy | None,
    ledger: Ledger | None,
    name: str | None = None,
) -> Stream[dict[str, Any]]:
    """Build the stream for the arguments of *tool*; see `Tool.stream`.

    *name* is what a model called it, if that is known.
    """
    from typesig.calls.call import read_arguments
    from typesig.calls.unknown_tools import report_name
    from typesig.tools.streams.growth import make_growing_arguments

    policy, binding = get_first_policy(mode, tool.mode), tool.binding

    def whole(data: object) -> Outcome[Any]:
        return read_arguments(binding, data, policy)

    def finish(text: str) -> Outcome[Any]:
        outcome = whole(text)
        note_in(ledger, outcome.errors, outcome.warnings, binding.signature, binding.name)
        if name is None or name == tool.name:
            return outcome
        return report_name(outcome, name, tool, mode, ledger)

    return Stream(make_growing_arguments(binding, policy, whole), finish, chunks)


def make_outcome_stream(
    outcome_of: Callable[[str], Outcome[Any]],
    chunks: Iterable[str | None] | AsyncIterable[str | None] | None,
) -> Stream[dict[str, Any]]:
    """Build the stream for an unknown tool; *outcome_of* returns its final outcome."""
    policy = get_first_policy(None)
    return Stream(
        StreamTarget(ANY, (), policy, lambda _: outcome_of(""), "input"), outcome_of, chunks
    )
