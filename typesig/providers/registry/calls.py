"""Calls, replies, streamed events and findings of decoding, in the form all providers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias

from typesig.algebra.rows.builtin import as_builtin, read_mapping
from typesig.errors import TypesigError
from typesig.extraction.python_types.media import Media
from typesig.limits import MAX_VALUE_DEPTH
from typesig.sentinels import NOTHING
from typesig.validation.check_state import Finding

# --- Calls and replies in the form that all providers share ---
# The objects of a provider's SDK are read by their attributes, plain dicts by their keys, so that
# no SDK is imported.  Each vendor's row has its format.

#: Why a call must not run: the answer reached its limit of length before the call was whole, or was
#: stopped by something else, or has too many calls, or the provider could not read the call, or we
#: could not, of which the arguments tell.
Stop: TypeAlias = Literal["length", "stopped", "many", "malformed", "unread"]


class WireCall(NamedTuple):
    """A tool call in the format of a provider, with unchecked arguments.

    #: id: the provider's name of the call, or None if it gave none
    #: name: the tool's name as the model wrote it, or empty if that is no text
    #: arguments: JSON text or data, unchecked
    #: extra: what the provider's result has to repeat, or what the model's own turn keeps
    #: stop: why the call must not run, or None
    """

    id: str | None
    name: str
    arguments: object
    extra: Mapping[str, Any] = NOTHING
    stop: Stop | None = None


#: The caller of a call that a program of the model made, as OpenAI has it in definitions.
_PROGRAM = "programmatic"


def get_caller(call: WireCall) -> str | None:
    """Caller of *call*, in the words of `allowed_callers`, or None if unknown."""
    kind = get_text_member(call.extra.get("caller"), "type")
    return _PROGRAM if kind == "program" else kind


def is_from_program(call: WireCall) -> bool:
    """Whether a program that the vendor runs made *call* and reads its result."""
    return get_caller(call) not in (None, "direct")


class Reply(NamedTuple):
    """The reply to a tool call: the result or the error message for the model.

    #: text: the result as text, or what is wrong; is_error: whether something is wrong
    #: data: the result as JSON data; typed: whether the provider knows the schema of the result
    #: content: the blocks that another server sent, if it did; meta: what it sent beside them
    #: media: what is shown beside the result, for each a text in it
    #: notice: a line about arguments that were dropped or guessed, which stands beside the result
    """

    call: WireCall
    text: str
    is_error: bool
    data: Any = None
    typed: bool = False
    content: tuple[dict[str, Any], ...] = ()
    meta: Mapping[str, Any] | None = None
    media: tuple[Media, ...] = ()
    notice: str = ""

    @property
    def whole_text(self) -> str:
        """The text of the reply, followed by the notice on a line of its own."""
        return f"{self.text}\n{self.notice}" if self.notice else self.text


class MessageForm(NamedTuple):
    """A form of messages or return values of a client, with a test and a reader.

    #: title: what it is, in words; fits: tells whether an object has the form
    #: read: returns its calls; raises `TypesigError` if it is no answer of a model
    #: vague: whether answers of other providers may have the form, too
    """

    title: str
    fits: Callable[[object], bool]
    read: Callable[[Any], Iterable[WireCall]]
    vague: bool = False


class EventFormat(NamedTuple):
    """A provider's spelling of the events of a stream.

    #: is_event: tells whether an object is one
    #: assembled: returns the whole answer; raises `TypesigError` if the stream was cut off
    """

    is_event: Callable[[object], bool]
    assembled: Callable[[Sequence[object]], dict[str, Any]]


def get_member(value: object, *names: str) -> Any:
    """Return the first member of *value* among *names* that is not None, or None.

    A mapping has keys, an object of an SDK attributes.
    """
    is_mapping = type(value) is dict or isinstance(value, Mapping)
    for name in names:
        found = value.get(name) if is_mapping else getattr(value, name, None)  # type: ignore[attr-defined]
        if found is not None:
            return found
    return None


def has_any(value: object, *names: str) -> bool:
    """Whether *value* has any member of *names*, even if it is None."""
    return any(has_member(value, name) for name in names)


def has_member(value: object, name: str) -> bool:
    """Whether *value* has a member called *name*, even if it is None."""
    is_mapping = type(value) is dict or isinstance(value, Mapping)
    return name in value if is_mapping else hasattr(value, name)  # type: ignore[operator]


def get_text_member(value: object, *names: str) -> str | None:
    """Return the first member of *value* among *names* if it is text, or None."""
    return as_text(get_member(value, *names))


def as_text(found: Any) -> str | None:
    """Return *found*, or its enum value, if that is text; otherwise None."""
    if type(found) is str:
        return found
    found = getattr(found, "value", found)
    return found if isinstance(found, str) else None


def get_kind(value: object) -> str:
    """The `type` of *value*, or an empty text if it has none."""
    return get_text_member(value, "type") or ""


def as_items(value: object) -> Sequence[Any]:
    """Return *value* if it is a list or a tuple, otherwise an empty tuple."""
    return value if isinstance(value, list | tuple) else ()


def is_several(message: object) -> bool:
    """Whether *message* is a list or a tuple of messages or parts."""
    return isinstance(message, list | tuple) and not hasattr(message, "_fields")


def flatten_messages(message: object) -> list[Any]:
    """Flatten *message*, nested lists of messages, into one list."""
    found: list[Any] = []
    left = [message]
    while left:
        one = left.pop()
        if is_several(one):
            left += reversed(as_items(one))
        else:
            found.append(one)
    return found


def get_single(found: Sequence[Any], what: str) -> Any:
    """Return the only item of *found*, or None if empty; refuse several items."""
    if len(found) > 1:
        raise TypesigError(
            f"this answer has {len(found)} {what}s, and a conversation goes on with one of them: "
            f"pass that {what}"
        )
    return found[0] if found else None


def mark_stopped(
    calls: Iterable[WireCall], stop: Stop | None, ends_in_call: bool
) -> list[WireCall]:
    """Mark the *calls* that may be incomplete because the answer ended for *stop*.

    Of an answer that reached its limit only the end is missing, which is that of the last call if
    the answer *ends_in_call*.
    """
    found = list(calls)
    if stop == "length":
        if ends_in_call and found:
            found[-1] = found[-1]._replace(stop=found[-1].stop or stop)
    elif stop == "stopped":
        found = [call._replace(stop=call.stop or stop) for call in found]
    return found


#: What forms are that are no answer, for `make_refusal`.
ONE_EVENT = "it is one event of a stream: pass all of them, or the stream"
INPUT = 'it is a message of the role "{role}"'
RESULT = "it is the result of a call"


def make_refusal(wanted: str, reason: str) -> Callable[[object], NoReturn]:
    """Build a reader that raises `TypesigError` with the *reason*."""

    def read(message: object) -> NoReturn:
        raise make_answer_error(
            message, wanted, reason.format(role=get_text_member(message, "role"))
        )

    return read


def make_answer_error(message: object, wanted: str, reason: str = "") -> TypesigError:
    """Make the error for *message*, which is no answer; *wanted* is the expected form."""
    if hasattr(message, "__await__"):
        reason = "it is an awaitable: write await before it"
    named = "None" if message is None else type(message).__name__
    return TypesigError(f"{wanted}, not {named}{'; ' if reason else ''}{reason}")


# --- Events of streams: converted to plain data, and their texts joined ---
# The assemblers of the vendors have this in common.


class TextPieces(list[str]):
    """A list of the pieces of a streamed text, which are joined at the end."""


def to_plain_event(event: object) -> dict[str, Any]:
    """Convert *event*, a client's object or a plain dict, to a new dict."""
    found = as_builtin(_to_plain(event, 0))
    return found if isinstance(found, dict) else {}


def _to_plain(value: Any, depth: int) -> Any:
    """Convert a client's object to dicts and lists; *depth* is the current nesting."""
    if value is None or isinstance(value, str | int | float | bytes) or depth > MAX_VALUE_DEPTH:
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Mapping):
        return {key: _to_plain(item, depth + 1) for key, item in read_mapping(value).items()}
    if isinstance(value, list | tuple):
        return [_to_plain(item, depth + 1) for item in value]
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "model_dump"):
        # What a client sets by itself was not sent.
        return _to_plain(value.model_dump(exclude_unset=True, warnings=False), depth + 1)
    return {
        name: _to_plain(item, depth + 1) for name, item in getattr(value, "__dict__", {}).items()
    }


def merge_delta(
    into: dict[str, Any], delta: Mapping[str, Any], whole: frozenset[str], depth: int = 0
) -> None:
    """Merge *delta* into *into*: extend texts and lists, but replace members in *whole*.

    The texts become `TextPieces`.
    """
    for key, new in delta.items():
        old = into.get(key)
        if new is None:
            into.setdefault(key, None)
        elif key in whole:
            into[key] = new or old
        elif isinstance(new, str):
            into[key] = old if isinstance(old, TextPieces) else TextPieces([old] if old else [])
            into[key].append(new)
        elif isinstance(new, dict) and depth < MAX_VALUE_DEPTH:
            inner = into[key] = old if isinstance(old, dict) else {}
            merge_delta(inner, new, whole, depth + 1)
        elif isinstance(new, list) and isinstance(old, list):
            old.extend(new)
        else:
            into[key] = new


def join_pieces(data: Any, depth: int = 0) -> Any:
    """Replace each `TextPieces` in *data* by the joined text."""
    if isinstance(data, TextPieces):
        return "".join(data)
    if isinstance(data, dict) and depth <= MAX_VALUE_DEPTH + 4:
        return {key: join_pieces(item, depth + 1) for key, item in data.items()}
    if isinstance(data, list) and depth <= MAX_VALUE_DEPTH + 4:
        return [join_pieces(item, depth + 1) for item in data]
    return data


def make_cut_off_error(missing: str) -> TypesigError:
    """Error for a stream that was cut off; *missing* did not arrive."""
    return TypesigError(
        f"the stream was cut off: {missing}; no tool was run, since a call may not be whole: ask "
        "the model again"
    )


def make_stream_error(event: Mapping[str, Any]) -> TypesigError:
    """Make the exception for *event*, an error event of a stream."""
    error = event.get("error")
    parts = error if isinstance(error, dict) else event
    told = [str(parts[key]) for key in ("code", "message") if parts.get(key)]
    kind = parts.get("type")
    named = [str(kind)] if kind not in (None, "error") else []
    return TypesigError(
        f"the stream ends in an error: {': '.join([*named, *told]) or 'it says no more'}; no tool "
        "was run: ask the model again"
    )


# --- Findings of decoding: duplicates, and data that was parsed from text ---

Step: TypeAlias = str | int


@dataclass(slots=True, eq=False)
class DecodingFault:
    """A fault found in decoding: a duplicate, or data parsed from text.

    #: code, text: those of the issue: what is twice, or as what a text is read
    #: own: the path in the arguments as the tool takes them; sent: that in what was sent
    """

    code: Literal["repeated", "twice", "parsed"]
    text: str
    own: list[Step] = field(default_factory=list)
    sent: list[Step] = field(default_factory=list)

    def to_finding(self, steps: Sequence[Step]) -> Finding:
        """Convert the fault to a finding at the path *steps*."""
        if self.code == "parsed":
            found = Finding("parsed", self.text, rule="data_from_string", warning=True)
        else:
            found = Finding(self.code, got=self.text)
        found.steps = [*steps]
        return found


class DecodingState(NamedTuple):
    """Options of decoding, and the faults found so far.

    #: faults: takes what there is to tell, or None if what is sent twice stays as it was sent
    #: reads: whether the JSON text of a list or a map is read where no text is meant
    #: reads_near: whether the tool's check reads near names
    """

    faults: list[DecodingFault] | None = None
    reads: bool = False
    reads_near: bool = False

    @property
    def seen(self) -> int:
        """The number of faults recorded so far."""
        return 0 if self.faults is None else len(self.faults)

    def tell(self, fault: DecodingFault) -> None:
        """Record *fault*, if faults are recorded."""
        if self.faults is not None:
            self.faults.append(fault)

    def extend_paths(self, seen: int, sent: tuple[Step, ...], own: tuple[Step, ...]) -> None:
        """Add outer steps *sent* and *own* to the paths of faults from index *seen* on."""
        for fault in (self.faults or [])[seen:]:
            fault.sent += sent
            fault.own += own


#: Nothing is told, and no text is read.
QUIET = DecodingState()
