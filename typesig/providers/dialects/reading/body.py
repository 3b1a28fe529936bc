"""The body of a call, between its marks, read in pieces."""

from __future__ import annotations

from abc import abstractmethod

from typesig.providers.dialects.dialect import Dialect, Form, JsonForm
from typesig.providers.dialects.events import Argument, BodyEnd, Event, Fault
from typesig.providers.dialects.lexer import Lexer


class Body:
    """A parser of the text between the marks of one call.

    #: begin: where in the text the call begins; start: where the body does
    #: number: how many calls began before, or None if arguments are not told as they end
    #: arguments: those that have ended since the last ones were taken away
    #: ends: the marks behind a call: those that close it, and those of the sections
    #: openers: the marks before a call or a section
    """

    __slots__ = (
        "_parts", "_size", "arguments", "begin", "dialect", "ends", "number", "openers", "start",
    )  # fmt: skip

    def __init__(self, dialect: Dialect, begin: int, start: int, number: int | None) -> None:
        self.number = number
        self.arguments: list[Argument] = []
        self.dialect = dialect
        self.begin = begin
        self.start = start
        self._parts: list[str] = []
        self._size = 0
        sections = dialect.sections
        self.ends = (*dialect.closes, *[pair.close for pair in sections])
        self.openers = (*dialect.opens, *[pair.open for pair in sections])

    @property
    @abstractmethod
    def lexer(self) -> Lexer:
        """The lexer for the marks that may come next in the body."""

    @property
    def place(self) -> int:
        """The position in the text up to which the body has been read."""
        return self.start + self._size

    def get_raw(self) -> str:
        """Return the raw text of the body that was read."""
        return "".join(self._parts)

    def keep(self, text: str) -> None:
        """Append *text* to the raw text of the body."""
        self._parts.append(text)
        self._size += len(text)

    @abstractmethod
    def take(self, text: str) -> None:
        """Process *text*, which contains no mark."""

    @abstractmethod
    def mark(self, mark: str) -> BodyEnd | None:
        """Process *mark*; return the end of the body if it ends at or before the mark."""

    @abstractmethod
    def finish(self) -> BodyEnd:
        """Finish the body at the end of the text and return the end of the body."""

    def make_end(self, *events: Event, resume: int | None = None) -> BodyEnd:
        """Make a body end with *events*; reading resumes at *resume*, by default here."""
        return BodyEnd(events, self.place if resume is None else resume)

    def make_restart(self, form: Form) -> BodyEnd:
        """Make a body end that has the body read again in the call form *form*."""
        return BodyEnd((), self.start, form)

    def make_fault_end(self, kind: str, name: str = "", resume: int | None = None) -> BodyEnd:
        """Make a body end with a fault of *kind* in a call of the tool *name*."""
        return self.make_end(Fault(kind, self.begin, name), resume=resume)  # type: ignore[arg-type]


#: Calls as JSON, which models write between the marks of other forms.
ANY_JSON = JsonForm(("name", "tool_name"), ("arguments", "parameters", "args"))
