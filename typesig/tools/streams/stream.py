"""Streams of answers and arguments: finished parts are shown, the whole is checked."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from typesig.algebra.nodes import ANY, Record, Type
from typesig.calls.binding import Binding
from typesig.calls.decoding import decode_value, get_host_policy, refuse_coerced
from typesig.errors import TypesigError
from typesig.extraction.python_types.decoders import Decode, DecodePlan
from typesig.extraction.python_types.host_plan import Speller, Spellings
from typesig.extraction.python_types.plan_decoder import UNKNOWN, get_part_plan
from typesig.limits import MAX_JSON
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import Policy, get_first_policy
from typesig.validation.repair.input_reader import wants_digits
from typesig.validation.stream.incremental_reader import IncrementalReader
from typesig.validation.stream.part_shapes import Make, Maker, StreamTarget
from typesig.validation.stream.partial import Partial, make_final_partial, reopen
from typesig.validation.verdicts import filling_policy

if TYPE_CHECKING:
    from typesig.calls.protocols import ToolLike
    from typesig.validation.policy import ModeName, Policy


# --- Streams of answers and arguments: finished parts are shown, the whole is checked ---

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
    # merged

    policy, binding = get_first_policy(mode, tool.mode), tool.binding

    def read_data(data: object) -> Outcome[Any]:
        return read_arguments(binding, data, policy)

    def finish(text: str) -> Outcome[Any]:
        outcome = read_data(text)
        note_in(ledger, outcome.errors, outcome.warnings, binding.signature, binding.name)
        if name is None or name == tool.name:
            return outcome
        return report_name(outcome, name, tool, mode, ledger)

    return Stream(make_growing_arguments(binding, policy, read_data), finish, chunks)


def make_outcome_stream(
    outcome_of: Callable[[str], Outcome[Any]],
    chunks: Iterable[str | None] | AsyncIterable[str | None] | None,
) -> Stream[dict[str, Any]]:
    """Build the stream for an unknown tool; *outcome_of* returns its final outcome."""
    policy = get_first_policy(None)
    return Stream(
        StreamTarget(ANY, (), policy, lambda _: outcome_of(""), "input"), outcome_of, chunks
    )


# --- Partial answers and arguments, while they arrive in pieces ---


def make_growing_answer(
    binding: Binding, policy: Policy, outcome_of: Callable[..., Any]
) -> StreamTarget:
    """Build the stream target for an answer; *outcome_of* returns its outcome.

    *outcome_of* returns the outcome of a whole answer, as `Contract._outcome` does.
    """
    signature = binding.signature
    keeps = wants_digits(signature.returns, signature.names, policy)

    def read_data(data: Any) -> Any:
        return outcome_of(data, policy, (), written=keeps)

    return _make_growing(binding, policy, read_data, "answer", signature.returns)


def make_growing_arguments(
    binding: Binding, policy: Policy, whole: Callable[[Any], Any]
) -> StreamTarget:
    """Build the stream target for a call's arguments; *whole* returns the outcome."""
    signature = binding.signature
    # What becomes of undeclared arguments is known when all of them are.
    extra = None if signature.extra == ANY else signature.extra
    return _make_growing(binding, policy, whole, "input", Record(signature.params, extra))


def _make_growing(
    binding: Binding,
    policy: Policy,
    whole: Callable[[Any], Any],
    stage: Literal["answer", "input"],
    t: Type,
) -> StreamTarget:
    """Build the stream target for data of the type *t*; *whole* returns its outcome."""
    if policy.on_issue == "skip":
        return StreamTarget(ANY, (), policy, whole, stage)
    signature, host, is_answer = binding.signature, binding.host, stage == "answer"
    nested = get_host_policy(policy, binding.explicit, host.exact, host.foreign)
    made = StreamTarget(
        t,
        signature.definitions,
        nested,
        whole,
        stage,
        is_answer and signature.returns_list(),
        _make_other_names(host.spellings),
        _make_renamer(host.spellings, signature.names),
        secrets=host.secrets,
        filling=filling_policy(t, signature.names, policy, nested),
        refuse=partial(refuse_coerced, strict=host.strict),
    )
    return made._replace(maker=_build_maker(host.returns)) if is_answer else made


def _make_other_names(spellings: Spellings) -> Callable[[Record], frozenset[str]]:
    """Build a function that returns the alternative field names of a record."""
    return lambda t: frozenset(spellings.get(t, ()))


def _make_renamer(spellings: Spellings, names: dict[str, Type]) -> Callable[[Type, Any], Any]:
    """Build a function that renames alternative keys of data to the declared names."""
    return Speller(spellings, names).rename_keys if spellings else lambda _, data: data


def _build_maker(decode: Decode) -> Maker:
    """Build a function from the path of a list to a factory for its items."""

    def maker(path: tuple[str | int, ...]) -> Make | None:
        found = decode
        for step in path:
            found = get_part_plan(found, step)
            if found is UNKNOWN:
                return None
        return None if found is None else _build_item_maker(found)

    return maker


def _build_item_maker(plan: DecodePlan) -> Make:
    """Build the function that decodes an item of a list by *plan*.

    It returns an empty list for an item that is refused, of which the whole will tell.
    """

    def made(item: Any) -> list[Any]:
        found, refused = decode_value(plan, [item], (), "the hint")
        if refused:
            return []
        return list(found) if isinstance(found, list | tuple | deque) else [item]

    return made
