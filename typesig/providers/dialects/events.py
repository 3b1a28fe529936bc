"""Events of a reader: text, reasoning, calls and faults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from typesig.validation.issues.issues import Issue

if TYPE_CHECKING:
    from typesig.providers.dialects.dialect import Form

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
