"""Streams and texts of open models: prose, and checked calls."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, assert_never

from typesig.calls.arguments import cast_texts
from typesig.calls.call import read_arguments
from typesig.calls.protocols import ToolLike, ToolsByName
from typesig.calls.unknown_tools import find_name, make_unknown_tool_outcome, report_name
from typesig.errors import TypesigError
from typesig.providers.dialect_parsing.detection import (
    find_dialect,
    find_foreign,
    resolve_tool_name,
)
from typesig.providers.dialect_parsing.reader import Reader
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.lexer import (
    Argument,
    DialectCall,
    Event,
    Fault,
    Rethought,
    Thought,
    Told,
    make_issue,
)
from typesig.providers.dialects.registry import AUTO, get_dialect
from typesig.tools.streams.stream import check_async_pieces, check_pieces
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.policy import ModeName, Policy, get_first_policy


class ReadCall(NamedTuple):
    """A complete tool call in a model's text, with checked arguments, not yet run.

    #: name: the tool's, as the model wrote it; id: what the model called the call, or None
    #: outcome: the checked arguments, or what is wrong with them
    """

    name: str
    id: str | None
    outcome: Outcome[Any]


class Reading(NamedTuple):
    """Content of a text of an open model: prose, reasoning and calls.

    #: text: what is for the user; reasoning: what is not; dialect: the name of the dialect, or
    #:     empty if none fits
    #: calls: those that are whole; issues: what could not be read, of which nothing is run
    """

    text: str
    reasoning: str
    calls: tuple[ReadCall, ...]
    issues: tuple[Issue, ...]
    dialect: str


#: What a stream tells of a text.
News: TypeAlias = Told | Thought | Rethought | Argument | ReadCall | Issue


class DialectStream:
    """Incremental reader of an open model's text with tool calls in its dialect.

    Both tell what is new. Iterated over, it takes the pieces that it was made with, yields what is
    new, and closes itself; For asynchronous chunks, use `async for`. A piece that is None is an
    empty one. What is told does not depend on the pieces, but for where a text is cut.

    >>> from typesig import tools_of
    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> pieces = [
    ...     "So: <tool",
    ...     '_call>{"name": "double", "argum',
    ...     'ents": {"n": 2}',
    ...     "}</tool_call>",
    ... ]
    >>> stream = tools_of([double]).stream(chunks=pieces, dialect="hermes")
    >>> [type(each).__name__ for each in stream]
    ['Told', 'Argument', 'ReadCall']
    >>> stream.close().text, stream.close().calls[0].outcome.result
    ('So: ', {'n': 2})
    """

    __slots__ = (
        "_calls", "_chunks", "_has_begun", "_issues", "_ledger", "_mode", "_reader", "_reading",
        "_text", "_thoughts", "_tools",
    )  # fmt: skip

    def __init__(
        self,
        dialect: Dialect,
        tools: ToolsByName,
        chunks: Iterable[str | None] | AsyncIterable[str | None] | None = None,
        mode: ModeName | Policy | None = None,
        *,
        thinking: bool = False,
        ledger: Ledger | None = None,
        arriving: bool = True,
    ) -> None:
        """*thinking* says that the prompt begins the reasoning.

        With *arriving*, arguments are told when they have ended.
        """
        self._reader = Reader(dialect, thinking=thinking, arriving=arriving)
        self._tools = tools
        self._chunks = chunks
        self._mode: ModeName | Policy | None = mode
        self._ledger = ledger
        self._has_begun = False
        self._reading: Reading | None = None
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[ReadCall] = []
        self._issues: list[Issue] = []

    def feed(self, chunk: str | None) -> list[News]:
        """Add the next *chunk* of text, and return the new events and complete calls.

        Raises `TypesigError` if *chunk* is not text or the stream is closed.
        """
        if self._reading is not None:
            raise TypesigError("the stream is closed; make another one for another text")
        self._has_begun = True
        if chunk is not None and not isinstance(chunk, str):
            raise TypesigError(f"a piece of a stream is text, not {type(chunk).__name__}")
        return self._take_events(self._reader.feed(chunk or ""))

    def close(self) -> Reading:
        """End the text and return its full `Reading`; repeated calls return the same.

        Pieces that the stream was made with are taken now if none was taken before.
        """
        self._finish()
        assert self._reading is not None
        return self._reading

    def _finish(self) -> list[News]:
        """Close the reader, store the full `Reading`, and return the last events."""
        if self._reading is not None:
            return []
        if self._chunks is not None and not self._has_begun:
            for chunk in check_pieces(self._chunks):
                self.feed(chunk)
        new = self._take_events(self._reader.close())
        visible, row = "".join(self._text), self._reader.dialect
        new += self._take_events(find_foreign(visible, row, self._tools.names, not self._calls))
        text, thoughts = "".join(self._text), "".join(self._thoughts)
        name = self._reader.dialect.name
        self._reading = Reading(text, thoughts, tuple(self._calls), tuple(self._issues), name)
        return new

    def __iter__(self) -> Iterator[News]:
        for chunk in check_pieces(self._chunks):
            yield from self.feed(chunk)
        yield from self._finish()

    async def __aiter__(self) -> AsyncIterator[News]:
        async for chunk in check_async_pieces(self._chunks):
            for each in self.feed(chunk):
                yield each
        for each in self._finish():
            yield each

    def __repr__(self) -> str:
        closed = "" if self._reading is None else ", closed"
        return f"<stream in {self._reader.dialect.name}{closed}>"

    def _take_events(self, events: Sequence[Event]) -> list[News]:
        """Store parser *events* in the reading; return the news for the caller."""
        new: list[News] = []
        for event in events:
            match event:
                case Told():
                    self._text.append(event.text)
                    new.append(event)
                case Thought():
                    self._thoughts.append(event.text)
                    new.append(event)
                case Rethought():
                    # What was told as text came behind the reasoning so far.
                    self._text, self._thoughts = [], [*self._thoughts, *self._text]
                    new.append(event)
                case Argument():
                    new.append(self._type_argument(event))
                case DialectCall():
                    self._calls.append(self._check(event))
                    new.append(self._calls[-1])
                case Fault():
                    self._issues.append(make_issue(event))
                    note_in(self._ledger, self._issues[-1:], (), None)
                    new.append(self._issues[-1])
                case _:
                    assert_never(event)
        return new

    def _type_argument(self, argument: Argument) -> Argument:
        """Convert the text value of *argument* to data of the parameter's type."""
        argument = argument._replace(name=self._name_of(argument))
        name = find_name(argument.name, self._tools.names, self._tools.refused)
        if argument.spelt != "texts" or name is None:
            return argument
        one = self._tools[name]
        texts = {argument.key: str(argument.value)}
        data = cast_texts(one.binding, texts, self._get_policy(one)).data
        return argument._replace(value=data[argument.key], spelt="data")

    def _name_of(self, said: Argument | DialectCall) -> str:
        """Resolve the tool name in a call or argument, *said* in the model's dialect."""
        return resolve_tool_name(said.name, self._reader.dialect, self._tools.names)

    def _get_policy(self, one: ToolLike) -> Policy:
        """Return the policy of the tool *one*: of the stream, the tool or the toolset."""
        return get_first_policy(self._mode, one.mode, self._tools.modes.get(one.name))

    def _check(self, call: DialectCall) -> ReadCall:
        """Check the arguments of *call* against its tool, without running it."""
        tools = self._tools
        call = call._replace(name=self._name_of(call))
        name = find_name(call.name, tools.names, tools.refused)
        if name is None:
            outcome = make_unknown_tool_outcome(
                call.name, tools.names, tools.refused, call.arguments, self._ledger
            )
            return ReadCall(call.name, call.id, outcome)
        one = tools[name]
        binding, policy = one.binding, self._get_policy(one)
        if call.spelt != "texts" or isinstance(call.arguments, str):
            outcome = read_arguments(binding, call.arguments, policy)
        else:
            texts = {key: str(text) for key, text in call.arguments.items()}
            cast = cast_texts(binding, texts, policy)
            outcome = read_arguments(binding, cast.data, policy, cast.warnings)
        note_in(self._ledger, outcome.errors, outcome.warnings, binding.signature, binding.name)
        if name != call.name:
            outcome = report_name(outcome, call.name, one, policy, self._ledger)
        return ReadCall(call.name, call.id, outcome)


def make_text_stream(
    dialect: object,
    tools: ToolsByName,
    chunks: Iterable[str | None] | AsyncIterable[str | None] | None,
    mode: ModeName | Policy | None,
    thinking: bool,
    ledger: Ledger | None,
) -> DialectStream:
    """Build the `DialectStream` for a text in *dialect*; see `Toolset.stream`."""
    if dialect == AUTO.name:
        raise TypesigError(
            "the dialect of a text is found when the text is whole; name the one of the model"
        )
    row = get_dialect(dialect)
    return DialectStream(row, tools, chunks, mode, thinking=thinking, ledger=ledger)


def read_text(
    text: object, dialect: object, tools: ToolsByName, mode: ModeName | Policy | None = None
) -> Reading:
    """Read *text* in *dialect*; see `Toolset.read`."""
    if not isinstance(text, str):
        raise TypesigError(f"a dialect is read from text, not {type(text).__name__}")
    found = find_dialect(text, tools.names) if dialect == AUTO.name else get_dialect(dialect)
    stream = DialectStream(found or AUTO, tools, mode=mode, arriving=False)
    stream.feed(text)
    return stream.close()._replace(dialect="" if found is None else found.name)
