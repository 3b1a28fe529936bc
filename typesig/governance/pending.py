"""Decisions about a call before it runs, and calls that wait for a person."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

from typesig.errors import TypesigError, format_value
from typesig.validation.outcome.outcome import Outcome

# --- Decisions about a call before it runs: run, refuse, or ask a person ---


class Call(NamedTuple):
    """A call made by a model, as hooks receive it.

    #: id: the provider's name of the call, or None
    #: name: the tool's name, as its definition has it
    #: arguments: the named arguments as JSON data, read and checked; as they were sent if they do
    #:     not fit, and the call will be refused for that
    #: annotations: what the tool says of itself to its host, such as `destructiveHint`
    #: fits: whether the arguments fit

    >>> Call("call_1", "book", {"room": "Elm"}, {"destructiveHint": True}).arguments["room"]
    'Elm'
    """

    id: str | None
    name: str
    arguments: Any
    annotations: Mapping[str, Any]
    fits: bool = True


class Refuse(NamedTuple):
    """Decision that a call must not run, with a *reason* for the model.

    >>> from typesig import tools_of
    >>> from typesig.governance import Governance
    >>> def book(room: str) -> str:
    ...     return "booked"
    >>> governance = Governance(before=lambda call: Refuse("ask again tomorrow"))
    >>> call = {"name": "book", "arguments": {"room": "Elm"}}
    >>> [result] = tools_of([book]).project("mcp").handle(call, governance=governance)
    >>> print(result["content"][0]["text"])
    Tool errors:
    - this call was not run: ask again tomorrow
    """

    reason: str


class Ask(NamedTuple):
    """Decision that a person must approve a call, with a *question* for that person.

    >>> Ask("Book Elm?").question
    'Book Elm?'
    """

    question: str


#: What becomes of a call: None lets it run.
Decision: TypeAlias = Refuse | Ask | None

#: Decides on a call before anything of it runs.
Before: TypeAlias = Callable[[Call], Decision | Awaitable[Decision]]

#: Sees what became of a call, and may return another outcome; None keeps it.
After: TypeAlias = Callable[
    [Call, Outcome[Any]], Outcome[Any] | Awaitable[Outcome[Any] | None] | None
]


class Approvals(Protocol):
    """Shared store that ensures that each set of pending calls runs only once."""

    def claim(self, id: str, /) -> bool | Awaitable[bool]:
        """Return True the first time for *id*, in whichever process, and False from then on."""
        ...


def check_decision(given: object) -> Decision:
    """Return the decision *given* by a hook; raise `TypesigError` if it is invalid."""
    if given is None:
        return None
    if isinstance(given, Refuse | Ask) and isinstance(given[0], str):
        return given
    raise TypesigError(
        "before returns None to let a call run, Refuse(reason) or Ask(question), not "
        f"{_describe_type(given)}"
    )


def check_outcome(given: object) -> Outcome[Any]:
    """Return the outcome *given* by `after`; raise `TypesigError` if it is invalid."""
    if isinstance(given, Outcome):
        return given
    raise TypesigError(
        f"after returns another outcome, or None to keep this one, not {_describe_type(given)}"
    )


def _describe_type(value: object) -> str:
    """Name the type of the invalid decision *value*, for an error message."""
    shown = f" of {type(value[0]).__name__}" if isinstance(value, Refuse | Ask) else ""
    return f"{type(value).__name__}{shown}"


# --- Calls that wait for a person: data that can be stored and handled later ---


class PendingCall(NamedTuple):
    """A call of a model that waits while a person decides.

    #: key: its name among the calls: its id if it has one of its own, or else its place
    #: id, name, arguments, extra, stop: what the provider's message had
    #: decision: what was decided; an `Ask` has the question for a person
    """

    key: str
    id: str | None
    name: str
    arguments: Any
    extra: Mapping[str, Any]
    stop: str | None
    decision: Decision

    @property
    def question(self) -> str | None:
        """The question that a person has to answer, or None if the call is decided."""
        return self.decision.question if isinstance(self.decision, Ask) else None

    def __repr__(self) -> str:
        # Arguments may have secrets, and this text ends up in logs.
        return f"PendingCall(key={self.key!r}, name={self.name!r}, decision={self.decision!r})"


@dataclass(frozen=True, slots=True)
class PendingCalls:
    """The calls of one model answer that wait for decisions by a person.

    `decided` takes the decisions; handle the result in place of the model's answer, with the same
    tools, and the calls run as if they had been let run at once.

    #: provider: that of the projection; calls: all the calls of the answer, in their order
    #: id: names this set of calls, however often it is stored and read; it is handled once

    >>> from typesig.governance import PendingCalls
    >>> data = {"provider": "mcp", "calls": [{"key": "0", "name": "f", "ask": "May it?"}]}
    >>> pending = PendingCalls.from_json(data)
    >>> pending.asked[0].question, pending.decided({"0": None}).asked
    ('May it?', ())
    """

    provider: str
    calls: tuple[PendingCall, ...]
    id: str = field(default_factory=lambda: uuid.uuid4().hex, kw_only=True)

    @property
    def asked(self) -> tuple[PendingCall, ...]:
        """The calls that still need a decision."""
        return tuple([call for call in self.calls if call.question is not None])

    def decided(self, decisions: Mapping[str, Refuse | None]) -> PendingCalls:
        """Copy the calls with *decisions* by key; None lets a call run.

        Raises `TypesigError` for a key that is not one of `asked`, and for what is no decision.
        """
        open_keys = [call.key for call in self.asked]
        for key in decisions:
            if key not in open_keys:
                known = f"; there are {', '.join(open_keys)}" if open_keys else ""
                raise TypesigError(
                    f"no call waits for a decision by the key {format_value(key)}{known}"
                )
        calls = [
            call._replace(decision=check_decision(decisions[call.key]))
            if call.key in decisions
            else call
            for call in self.calls
        ]
        return replace(self, calls=tuple(calls))

    def to_json(self) -> dict[str, Any]:
        """Return the calls as JSON data, which `from_json` reads.

        Raises `TypesigError` if the arguments of a call are no JSON data.
        """
        calls = [_call_to_json(call) for call in self.calls]
        made = {"provider": self.provider, "id": self.id, "calls": calls}
        try:
            written: dict[str, Any] = json.loads(json.dumps(made, default=_bytes_to_json))
        except (TypeError, ValueError, RecursionError) as error:
            raise TypesigError(f"a call has what JSON cannot write: {error}") from None
        return written

    @classmethod
    def from_json(cls, data: object) -> PendingCalls:
        """Return the calls that `to_json` wrote; raise `TypesigError` for other data."""
        if isinstance(data, Mapping) and isinstance(data.get("provider"), str):
            calls, name = data.get("calls"), data.get("id", "")
            if isinstance(calls, list) and all(map(_is_written, calls)) and isinstance(name, str):
                return cls(data["provider"], tuple(map(_read, calls)), id=name or _make_id(calls))
        raise TypesigError('the JSON form of pending calls is {"provider": …, "calls": […]}')


class Paused(Exception):
    """Raised before calls run, because a person must decide about a call.

    #: pending: the calls, as data
    #: messages: of an answer that was asked for, the conversation so far, as the client takes it

    >>> from typesig import tools_of
    >>> from typesig.governance import Ask, Governance
    >>> def book(room: str) -> str:
    ...     return f"booked {room}"
    >>> wire, call = tools_of([book]).project("mcp"), {"name": "book", "arguments": {"room": "Elm"}}
    >>> governance = Governance(before=lambda call: Ask("Book it?"))
    >>> try:
    ...     wire.handle(call, governance=governance)
    ... except Paused as paused:
    ...     decided = paused.pending.decided({"0": None})
    >>> wire.handle(decided, governance=governance)[0]["content"]
    [{'type': 'text', 'text': 'booked Elm'}]
    """

    def __init__(self, pending: PendingCalls, messages: Sequence[Any] = ()) -> None:
        super().__init__(pending, tuple(messages))
        self.pending = pending
        self.messages = tuple(messages)

    def __str__(self) -> str:
        """Return which calls wait."""
        asked = ", ".join(call.name for call in self.pending.asked)
        return (
            f"a person has to decide on {asked}; no call has run: store error.pending, and handle "
            "error.pending.decided({…}) later"
        )


def make_keys(ids: Sequence[str | None]) -> list[str]:
    """Return a key for each call: its id if that is unique, or its position."""
    return [str(place) if id is None or ids.count(id) > 1 else id for place, id in enumerate(ids)]


#: The key of what stands for bytes, such as the signature of a thought.
_BYTES = "base64"


def _bytes_to_json(value: object) -> dict[str, str]:
    """Convert bytes to a JSON object with their base64; raise `TypeError` otherwise."""
    if isinstance(value, bytes):
        return {_BYTES: base64.b64encode(value).decode("ascii")}
    raise TypeError(f"{type(value).__name__} is no JSON data")


def _json_to_bytes(value: Any) -> Any:
    """Decode *value* if it is the JSON object of bytes; return other data unchanged."""
    if isinstance(value, dict) and list(value) == [_BYTES] and isinstance(value[_BYTES], str):
        return base64.b64decode(value[_BYTES])
    return value


def _make_id(calls: Sequence[Mapping[str, Any]]) -> str:
    """Derive a stable id for *calls* that were stored without one."""
    bare = [[call.get(name) for name in ("key", "id", "name", "arguments")] for call in calls]
    return hashlib.sha256(json.dumps(bare, sort_keys=True, default=repr).encode()).hexdigest()[:32]


def _call_to_json(call: PendingCall) -> dict[str, Any]:
    """Convert the pending *call* and its decision to a JSON object without nulls."""
    parts = call._asdict()
    decision = parts.pop("decision")
    parts["extra"] = dict(call.extra)
    match decision:
        case Refuse(reason):
            parts["refuse"] = reason
        case Ask(question):
            parts["ask"] = question
    return {name: part for name, part in parts.items() if part is not None}


def _is_written(call: object) -> bool:
    """Whether *call* is a mapping with the keys and types of a serialized pending call."""
    if not isinstance(call, Mapping):
        return False
    texts = [call.get(name, "") for name in ("id", "stop", "refuse", "ask")]
    needed = [call.get("key"), call.get("name"), *texts]
    return all(isinstance(each, str) for each in needed) and isinstance(
        call.get("extra", {}), Mapping
    )


def _read(call: Mapping[str, Any]) -> PendingCall:
    """Build a pending call from its JSON object *call*."""
    decision: Decision = None
    if "refuse" in call:
        decision = Refuse(call["refuse"])
    elif "ask" in call:
        decision = Ask(call["ask"])
    return PendingCall(
        call["key"],
        call.get("id"),
        call["name"],
        call.get("arguments"),
        {name: _json_to_bytes(each) for name, each in call.get("extra", {}).items()},
        call.get("stop"),
        decision,
    )
