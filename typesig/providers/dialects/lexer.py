"""Marks in a text that arrives in pieces, and the events that are read between them."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from typesig.providers.dialects.dialect import Dialect, Form, JsonForm
from typesig.validation.issues.issues import Issue

if TYPE_CHECKING:
    from typesig.providers.dialects.dialect import Form


# --- Marks in a text that arrives in pieces ---


class Lexer:
    """A searcher for the next of several marks in a text that arrives in pieces.

    Of marks that begin at one place the longest is found.
    """

    __slots__ = ("_longest", "_pattern", "_prefixes")

    def __init__(self, marks: Iterable[str], escapes: bool) -> None:
        """With *escapes*, a backslash and the character behind it are a mark."""
        ordered = sorted({mark for mark in marks if mark}, key=len, reverse=True)
        found = [r"\\[\s\S]"] if escapes else []
        found += [re.escape(mark) for mark in ordered]
        # What no text has stands for no marks.
        self._pattern = re.compile("|".join(found) or r"(?!)")
        prefixes = {mark[:size] for mark in ordered for size in range(1, len(mark))}
        self._prefixes = prefixes | ({"\\"} if escapes else set())
        self._longest = max((len(each) for each in self._prefixes), default=0)

    def next(self, source: str, start: int, is_last: bool) -> tuple[int, int]:
        """Return the start and the end of the next mark in *source* from *start* on.

        Without one the two are equal: what comes before is certainly no part of a mark.  Unless
        the text *is_last*, more may follow.
        """
        found = self._pattern.search(source, start)
        if is_last:
            return (len(source), len(source)) if found is None else found.span()
        if found is not None and found.start() < len(source) - self._longest:
            return found.span()
        held = self._find_held(source, start)
        if found is None or held <= found.start():
            # A longer mark may begin where the one that was found begins.
            return held, held
        return found.span()

    def _find_held(self, source: str, start: int) -> int:
        """Return the index from which the rest of *source* may be a partial mark."""
        end = len(source)
        for place in range(max(start, end - self._longest), end):
            if source[place:] in self._prefixes:
                return place
        return end


@lru_cache(maxsize=512)
def get_lexer(marks: tuple[str, ...], escapes: bool = False) -> Lexer:
    """Return the cached lexer of *marks*; *escapes* adds backslash escapes to the marks."""
    return Lexer(marks, escapes)


# --- Events of a reader: text, reasoning, calls and faults ---

#: What the arguments of a call are: JSON text, or data, or the text of each argument.
Spelt: TypeAlias = Literal["json", "data", "texts"]

#: What is wrong: a call was cut off, or cannot be read, or is ambiguous; reasoning does not end;
#: there are too many calls; a mark closes nothing; the text is too long; a call, or a mark, is that
#: of another dialect.
FaultKind: TypeAlias = Literal[
    "cut", "broken", "ambiguous", "unclosed", "many", "stray", "large", "foreign", "marked"
]

#: The faults that are in no call, to which there is no answer.
FAULTS_WITHOUT_CALL: frozenset[FaultKind] = frozenset({"unclosed", "stray", "marked"})


class Told(NamedTuple):
    """An event with a piece of the model's text for the user."""

    text: str


class Thought(NamedTuple):
    """An event with a piece of the model's reasoning."""

    text: str


class Rethought(NamedTuple):
    """An event that declares all earlier text to be reasoning begun in the prompt."""


class DialectCall(NamedTuple):
    """An event with a complete tool call.

    #: name: as the model wrote it; id: likewise, or None
    #: arguments: JSON text, or data by key, or text by key, as *spelt* says
    #: at: where in the text the call begins
    """

    name: str
    arguments: str | Mapping[str, object]
    spelt: Spelt
    id: str | None
    at: int


class Argument(NamedTuple):
    """An event with a finished argument of a call that is still incomplete.

    #: name: that of the tool; key: that of the argument
    #: value: text or data, as *spelt* says, unchecked
    #: number: how many calls were told before, whole or not
    """

    name: str
    key: str
    value: object
    spelt: Spelt
    number: int


class Fault(NamedTuple):
    """An event for an unreadable part of the text, which is neither displayed nor run.

    #: at: where it begins; name: that of the tool, as far as it is known, or empty
    #: dialect: that of a call or a mark which is not of the dialect that is read, or empty
    """

    kind: FaultKind
    at: int
    name: str = ""
    dialect: str = ""


Event: TypeAlias = Told | Thought | Rethought | Argument | DialectCall | Fault


_SENTENCES: dict[FaultKind, str] = {
    "cut": "{call} is cut off; send the whole call",
    "broken": "{call} cannot be read; send it again as the prompt shows calls",
    "ambiguous": "{call} has another call in a text, and which is meant cannot be told; send the "
    "call alone",
    "unclosed": "the reasoning has no end; close it before the answer",
    "many": "{call} and those behind it are too many; send fewer calls at once",
    "stray": "a mark of calls stands where there is no call",
    "large": "the text is too long to be read as a whole; send a shorter one",
    "foreign": "{call} is written in the dialect {dialect}, which is not read here; write it as "
    "the prompt shows calls",
    "marked": "a mark of calls in the dialect {dialect} stands where no call is read",
}


def explain_fault(fault: Fault) -> str:
    """Return a sentence that describes *fault* and its remedy."""
    call = f"the call of {fault.name}" if fault.name else "a call"
    sentence = _SENTENCES[fault.kind].replace("{call}", call).replace("{dialect}", fault.dialect)
    # Where a call of another dialect stands in the whole text is not known.
    return sentence if fault.dialect else f"{sentence} (at character {fault.at})"


def make_issue(fault: Fault) -> Issue:
    """Issue that reports *fault*."""
    return Issue("call", (), "", explain_fault(fault))


class BodyEnd(NamedTuple):
    """The end of a call's body: its events and the position at which reading resumes.

    #: events: what is told of it; resume: where in the text reading goes on
    #: form: the form by which the body is to be read again from its beginning, or None
    """

    events: tuple[Event, ...]
    resume: int
    form: Form | None = None


# --- Text for the user, without marks ---


class VisibleText:
    """A filter that removes marks from the user's text, which arrives in parts.

    #: is_told: whether the text is for the user; otherwise it is dropped
    #: is_thought: whether it is reasoning in place of text for the user
    """

    __slots__ = ("_lexer", "_pending", "is_thought", "is_told")

    def __init__(self, marks: tuple[str, ...], is_told: bool) -> None:
        self.is_told = is_told
        self.is_thought = False
        self._lexer = get_lexer(marks)
        # The end of the text that may become a mark with what follows.
        self._pending = ""

    def tell(self, text: str) -> list[Event]:
        """Return events for *text* without marks, including marks that span two parts."""
        if self.is_thought:
            return [Thought(text)]
        if not self.is_told:
            return []
        pending = self._pending + text
        start, end = self._lexer.next(pending, 0, False)
        while end > start:
            pending = pending[:start] + pending[end:]
            start, end = self._lexer.next(pending, 0, False)
        self._pending = pending[start:]
        return [Told(pending[:start])] if start else []

    def flush(self) -> list[Event]:
        """Events for the pending text, before another kind of text."""
        pending, self._pending = self._pending, ""
        return [Told(pending)] if pending else []

    def split_at_marks(self, text: str) -> list[str]:
        """Return the parts of *text* between the marks in it."""
        found, at = list[str](), 0
        while at < len(text):
            start, end = self._lexer.next(text, at, True)
            found += [text[at:start]] if start > at else []
            at = end
        return found


# --- The body of a call, between its marks, read in pieces ---


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
