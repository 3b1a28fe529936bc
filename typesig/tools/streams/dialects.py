"""Texts of open models: what is said, and the calls in them, checked by their tools."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never

from typesig.calls.call import read_arguments
from typesig.calls.texts import cast_texts
from typesig.calls.unknown import outcome_of_unknown
from typesig.errors import TypesigError
from typesig.providers.dialects.reading.choosing import fitting
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.events import (
    DialectCall,
    Event,
    Fault,
    Rethought,
    Thought,
    Told,
    sentence_of,
)
from typesig.providers.dialects.reading.reader import Reader
from typesig.providers.dialects.rows import dialect_of
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.policy import first_policy

if TYPE_CHECKING:
    from typesig.calls.called import CalledByName


class ReadCall(NamedTuple):
    """A whole call in a text, which was not run.

    #: name: the tool's, as the model wrote it; id: what the model called the call, or None
    #: outcome: the checked arguments, or what is wrong with them
    """

    name: str
    id: str | None
    outcome: Outcome[Any]


class Reading(NamedTuple):
    """What a text of an open model says.

    #: text: what is for the user; reasoning: what is not; dialect: the name of the dialect, or
    #:     empty if none fits
    #: calls: those that are whole; issues: what could not be read, of which nothing is run
    """

    text: str
    reasoning: str
    calls: tuple[ReadCall, ...]
    issues: tuple[Issue, ...]
    dialect: str


def issue_of(fault: Fault) -> Issue:
    """Return the issue that tells of *fault*."""
    return Issue("call", (), "", sentence_of(fault))


class DialectStream:
    """A text in a dialect that is still being written: `feed` takes a piece, `close` the end."""

    __slots__ = ("_calls", "_issues", "_reader", "_refused", "_text", "_thoughts", "_tools")

    def __init__(
        self,
        dialect: Dialect,
        tools: CalledByName,
        refused: Container[object] = (),
        *,
        thinking: bool = False,
    ) -> None:
        self._reader = Reader(dialect, thinking=thinking)
        self._tools = tools
        self._refused = refused
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[ReadCall] = []
        self._issues: list[Issue] = []

    def feed(self, chunk: str) -> list[Told | Thought | Rethought | ReadCall]:
        """Return what is new after the next piece; a call is new once it is whole.

        Raises `TypesigError` if the stream is closed.
        """
        return self._taken(self._reader.feed(chunk))

    def close(self) -> Reading:
        """Return what the whole text says; called again, it returns the same."""
        self._taken(self._reader.close())
        text, thoughts = "".join(self._text), "".join(self._thoughts)
        name = self._reader.dialect.name
        return Reading(text, thoughts, tuple(self._calls), tuple(self._issues), name)

    def _taken(self, events: list[Event]) -> list[Told | Thought | Rethought | ReadCall]:
        new: list[Told | Thought | Rethought | ReadCall] = []
        for event in events:
            match event:
                case Told():
                    self._text.append(event.text)
                    new.append(event)
                case Thought():
                    self._thoughts.append(event.text)
                    new.append(event)
                case Rethought():
                    self._text, self._thoughts = [], self._text
                    new.append(event)
                case DialectCall():
                    self._calls.append(self._checked(event))
                    new.append(self._calls[-1])
                case Fault():
                    self._issues.append(issue_of(event))
                case _:
                    assert_never(event)
        return new

    def _checked(self, call: DialectCall) -> ReadCall:
        tools = self._tools
        if call.name not in tools.names:
            outcome = outcome_of_unknown(call.name, tools.names, self._refused, call.arguments)
            return ReadCall(call.name, call.id, outcome)
        one = tools[call.name]
        binding, policy = one.binding, first_policy(one.mode, tools.modes.get(one.name))
        if call.spelt != "texts" or isinstance(call.arguments, str):
            return ReadCall(call.name, call.id, read_arguments(binding, call.arguments, policy))
        texts = {key: str(text) for key, text in call.arguments.items()}
        cast = cast_texts(binding, texts, policy)
        outcome = read_arguments(binding, cast.data, policy, cast.warnings)
        return ReadCall(call.name, call.id, outcome)


def read_text(
    text: object, dialect: object, tools: CalledByName, refused: Container[object]
) -> Reading:
    """Return what *text* says in *dialect*; see `Toolset.read`."""
    if not isinstance(text, str):
        raise TypesigError(f"a dialect is read from text, not {type(text).__name__}")
    row = fitting(text) if dialect == "auto" else dialect_of(dialect)
    if row is None:
        return Reading(text, "", (), (), "")
    stream = DialectStream(row, tools, refused)
    stream.feed(text)
    return stream.close()
