"""The places of calls in answers: items, blocks and messages, and each vendor's spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias

from typesig.errors import TypesigError, format_value
from typesig.providers.registry.calls import (
    EventFormat,
    MessageForm,
    Reply,
    Stop,
    WireCall,
    as_items,
    as_text,
    flatten_messages,
    get_kind,
    get_member,
    get_single,
    get_text_member,
    has_any,
    make_answer_error,
    mark_stopped,
    to_plain_event,
)

# --- Items of answers by type: text, items the vendor runs, and items for the host ---
# A call of a tool is read by its `CallRow`.  Any other item that waits for an answer becomes a call
# of the host, which `handle` gives to one of `host_items` or refuses, so that none is left out.

#: What becomes of an item: it is text, the vendor runs it and answers, it is a call of a tool, it
#: waits for the host, or it is the result of another item.
ItemUse: TypeAlias = Literal["text", "server", "call", "host", "result"]

#: The key in the `extra` of a call of the host: the type of the item that answers it, or empty.
HOST = "host"

#: Types, or names of members, of what waits for an answer.
_CALL = re.compile(
    r"(?i)(?:.*[_.:-])?(?:call|tool_?use|request|invocation)s?|.*(?:Call|ToolUse|Request)"
)

#: The members of an answer to a call.
_ANSWERS = ("output", "outputs", "result", "results")


class ItemRow(NamedTuple):
    """A type of answer items and its handling, such as by the host or the vendor.

    #: kind: the type; use: what becomes of it
    #: answer: the type of the item that answers it, or empty; key: the member there with its id
    #: id: the member with the id by which it is answered
    #: at_server: the members that lead to a text, and that text where the vendor runs it
    """

    kind: str
    use: ItemUse
    answer: str = ""
    key: str = "call_id"
    id: str = "call_id"
    at_server: tuple[tuple[str, ...], str] | None = None

    def is_at_server(self, item: object) -> bool:
        """Whether the vendor runs *item* itself."""
        if self.at_server is None:
            return False
        path, text = self.at_server
        for name in path[:-1]:
            item = get_member(item, name)
        return get_text_member(item, path[-1]) == text


@dataclass(frozen=True, eq=False)
class ItemTable:
    """The types of items in a vendor's answers.

    #: rows: those that are known, by type
    #: members: the known members of items without a type; the first has a text
    #: uses: the types of what the vendor runs, whose results name them by the member `resolved_by`
    """

    rows: Mapping[str, ItemRow] = field(default_factory=dict)
    members: tuple[str, ...] = ()
    uses: frozenset[str] = frozenset()
    resolved_by: str = ""

    @cached_property
    def silent(self) -> frozenset[str]:
        """The item types that never wait for the host."""
        return frozenset(row.kind for row in self.rows.values() if row.use in ("text", "server"))

    def read(self, item: object) -> WireCall | None:
        """Read *item*, no tool call, as a call of the host if it waits for the host."""
        if self.members:
            if get_text_member(item, self.members[0]) is not None:
                return None
            for name, part in to_plain_event(item).items():
                if isinstance(part, dict) and name not in self.members and _CALL.fullmatch(name):
                    return _read_host_call(part, ItemRow(name, "host"))
            return None
        kind = get_kind(item)
        row = self.rows.get(kind)
        if row is None:
            return _read_host_call(item, ItemRow(kind, "host")) if _is_like_call(item) else None
        return (
            _read_host_call(item, row) if row.use == "host" and not row.is_at_server(item) else None
        )

    def read_all(self, item: object) -> list[WireCall]:
        """Read *item* like `read`, into a list."""
        found = self.read(item)
        return [] if found is None else [found]

    def remove_answered(self, items: Sequence[Any]) -> list[Any]:
        """Remove from *items* the items that have an answer in it, and their answers."""
        kinds = [get_kind(item) for item in items]
        keys = {row.answer: row.key for row in self.rows.values() if row.answer}
        answers = {
            (kind, get_text_member(item, keys[kind]))
            for kind, item in zip(kinds, items, strict=True)
            if kind in keys
        }
        if not answers:
            return list(items)
        calls: set[tuple[str, str | None]] = set()
        left: list[Any] = []
        for kind, item in zip(kinds, items, strict=True):
            row = self.rows.get(kind)
            call = (row.answer, get_text_member(item, row.id)) if row is not None else ("", None)
            if call[1] is not None and call in answers:
                calls.add(call)
            else:
                left.append(item)
        return [
            item
            for item in left
            if (kind := get_kind(item)) not in keys
            or (kind, get_text_member(item, keys[kind])) not in calls
        ]

    def check_resolved(self, items: Sequence[object], remedy: str) -> None:
        """Raise `TypesigError` with *remedy* if an item of the vendor has no result."""
        resolved = {get_text_member(item, self.resolved_by) for item in items}
        for item in items:
            if get_kind(item) in self.uses and get_text_member(item, "id") not in resolved:
                raise TypesigError(
                    f"{get_kind(item)} {format_value(get_text_member(item, 'id'))} has no "
                    "result yet: "
                    f"{remedy}"
                )


def _is_like_call(item: object) -> bool:
    """Whether *item*, of an unknown type, looks like a call that waits for an answer."""
    if get_member(item, *_ANSWERS) is not None:
        return False
    if _CALL.fullmatch(get_kind(item)):
        return True
    if get_member(item, "arguments", "input") is None:
        return False
    return get_member(item, "name", "call_id", "tool_call_id") is not None


def _read_host_call(item: object, row: ItemRow) -> WireCall:
    """Read *item* of the type *row* as a call of the host."""
    id = get_text_member(item, row.id) or get_text_member(item, "id")
    is_whole = get_text_member(item, "status") in (None, "completed")
    stop = None if is_whole else "length"
    return WireCall(id, row.kind, to_plain_event(item), {HOST: row.answer}, stop)  # type: ignore[arg-type]


def is_for_host(call: WireCall) -> bool:
    """Whether *call* is an item that waits for the host, and is not a call of a tool."""
    return HOST in call.extra


# --- The format of calls: rows for their places in answers, and each vendor's spelling ---
# The forms of a vendor read answers by these rows, and so does generated code.


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """The location of a member in a model's answer, by name and parent location.

    #: names: its spellings; of: the place of what has it, None for the answer itself
    #: single: what the list there has one of, which is meant then; empty if no list is
    """

    names: tuple[str, ...]
    of: AnswerPlace | None = None
    single: str = ""

    def get_value(self, answer: object) -> Any:
        """Return the value at this location in *answer*, or None; refuse several values."""
        found = get_member(self.get_holder(answer), *self.names)
        return get_single(as_items(found), self.single) if self.single else found

    def get_text(self, answer: object) -> str | None:
        """Return the text at this location in *answer*, or None for anything else."""
        return as_text(self.get_value(answer))

    def is_present(self, answer: object) -> bool:
        """Whether *answer* has a member at this location, even if it is None."""
        return has_any(self.get_holder(answer), *self.names)

    def get_holder(self, answer: object) -> object:
        """Return the object in *answer* that has the member of this location, or None."""
        return answer if self.of is None else self.of.get_value(answer)


@dataclass(frozen=True, slots=True, eq=False)
class CallRow:
    """The layout of a tool call as an item of a model's answer.

    #: arguments, name, id: the places of these, in the item
    #: kind: the type of the item, or None if its members tell what it is
    #: holder: the place without which it is no call, None if every item is one
    #: extra: what the extra of each call has; kept: what it has beside it, by name
    #: of_map: what it has beside it if the item is a mapping, no object of an SDK
    #: namespace: the place of the name of a group of tools, if a call may have one
    #: caller: the members of who made the call, if the item tells that
    #: whole: what has another value in a part of a call: its text in a whole one, or None
    #: data: makes what a tool takes of the arguments
    """

    arguments: AnswerPlace
    name: AnswerPlace = AnswerPlace(("name",))
    id: AnswerPlace = AnswerPlace(("id",))
    kind: str | None = None
    holder: AnswerPlace | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    kept: Mapping[str, AnswerPlace] = field(default_factory=dict)
    of_map: Mapping[str, Any] = field(default_factory=dict)
    namespace: AnswerPlace | None = None
    caller: tuple[str, ...] = ()
    whole: Mapping[AnswerPlace, str | None] = field(default_factory=dict)
    data: Callable[[Any], Any] | None = None

    def is_call(self, item: object) -> bool:
        """Whether *item* is a call with this layout."""
        if self.kind is not None:
            return get_kind(item) == self.kind
        return self.holder is None or self.holder.get_value(item) is not None

    def read(self, item: object) -> WireCall:
        """Read *item* as a tool call with this layout."""
        extra = {**self.extra, **(self.of_map if isinstance(item, Mapping) else {})}
        for name, place in self.kept.items():
            if (found := place.get_value(item)) is not None:
                extra[name] = found
        caller = CALLER.get_value(item) if self.caller else None
        if caller is not None:
            parts = {name: get_member(caller, name) for name in self.caller}
            extra["caller"] = {name: part for name, part in parts.items() if part}
        data, named = self.arguments.get_value(item), self.name.get_text(item) or ""
        is_part = any(
            _is_different(place.get_value(item), text) for place, text in self.whole.items()
        )
        data = data if self.data is None else self.data(data)
        group = None if self.namespace is None else self.namespace.get_text(item)
        if group and group not in (_TOP_LEVEL, named):
            extra["namespace"], named = group, f"{group}.{named}"
        return WireCall(self.id.get_text(item), named, data, extra, "length" if is_part else None)

    def is_ended(self, item: object) -> bool:
        """Whether the status of *item* marks the call as complete."""
        return any(text and place.get_text(item) == text for place, text in self.whole.items())


#: The namespace of tools that are in none.  A deferred one has its own name as its namespace; see
#: `_tool_identity.py` of openai-agents-python.
_TOP_LEVEL = "functions"

#: Where a call tells who made it.
CALLER = AnswerPlace(("caller",))


def _is_ended(row: CallRow | None, item: object) -> bool:
    """Whether *item* is marked as complete; *row* is None for an item of the host."""
    return get_text_member(item, "status") == "completed" if row is None else row.is_ended(item)


def _is_different(found: Any, text: str | None) -> bool:
    """Whether *found* differs from *text*, or has a value if *text* is None."""
    return bool(found) if text is None else as_text(found) not in (None, text)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerRow:
    """The locations of the tool calls and the stop reason in one form of answer.

    #: items: the place of the list of items; calls: how these spell calls, the first that does
    #: stops: why an answer ends that may not be whole: by the place, and the text or None there
    #: signs: what tells the form from all others, with the text there, or None for any value;
    #:     only such an answer is read by generated code
    #: others: what such an answer lacks; a text may be there
    #: refused: what no answer has unless as None, and what raises `TypesigError` for its holder
    #: table: the other items, if there are any
    #: content: the place of parts that are read by the table where there are no items
    #: unfinished: why an answer without calls is not the last: by the place, and the text there,
    #:     what the error says
    #: has_text: whether the place of the items may have a text
    """

    items: AnswerPlace
    calls: tuple[CallRow, ...]
    stops: Mapping[AnswerPlace, Mapping[str | None, Stop]] = field(default_factory=dict)
    signs: Mapping[AnswerPlace, str | None] = field(default_factory=dict)
    others: Mapping[AnswerPlace, str | None] = field(default_factory=dict)
    refused: Mapping[AnswerPlace, Callable[[object], NoReturn]] = field(default_factory=dict)
    table: ItemTable | None = None
    content: AnswerPlace | None = None
    unfinished: Mapping[AnswerPlace, Mapping[str, str]] = field(default_factory=dict)
    has_text: bool = False

    def read(self, answer: object) -> list[WireCall]:
        """Read the calls of *answer*, and the items that wait for the host, as calls.

        Raises `TypesigError` if it has several of a single part, or has what is refused, or if it
        has no calls and is not the last.
        """
        for place, refuse in self.refused.items():
            if place.get_value(answer) is not None:
                refuse(place.get_holder(answer))
        items = self._get_items(answer)
        rows = [next((row for row in self.calls if row.is_call(item)), None) for item in items]
        read = [self._read_item(row, item) for row, item in zip(rows, items, strict=True)]
        found = [call for call in read if call is not None]
        ends_in_call = bool(read) and read[-1] is not None and not _is_ended(rows[-1], items[-1])
        for place, stops in self.stops.items():
            reason = place.get_text(answer)
            if reason is not None or place.is_present(answer):
                found = mark_stopped(found, stops.get(reason), ends_in_call)
        if not found and self.content is not None and self.table is not None:
            # Parts of a text; a client may give the calls there a second time.
            parts = as_items(self.content.get_value(answer))
            found = [call for part in parts if (call := self.table.read(part)) is not None]
        if not found:
            self._check_finished(answer)
        return found

    def _get_items(self, answer: object) -> Sequence[Any]:
        """Return the items of *answer* that *answer* does not itself resolve."""
        found = self.items.get_value(answer)
        is_text = self.has_text and isinstance(found, str)
        if not (found is None or is_text or isinstance(found, list | tuple)):
            name = self.items.names[0]
            raise TypesigError(f"{name} of an answer is a list, not {type(found).__name__}")
        items = as_items(found)
        return items if self.table is None else self.table.remove_answered(items)

    def _read_item(self, row: CallRow | None, item: object) -> WireCall | None:
        """Read *item* as a call, by *row* or by the item table, or return None."""
        if row is not None:
            return row.read(item)
        return None if self.table is None else self.table.read(item)

    def _check_finished(self, answer: object) -> None:
        """Raise `TypesigError` if *answer*, without calls, is not the last answer."""
        for place, reasons in self.unfinished.items():
            reason = place.get_text(answer)
            if reason is not None and reason in reasons:
                raise TypesigError(f"{place.names[0]} is {reason}: {reasons[reason]}")


class CallFormat(NamedTuple):
    """The format in which a provider writes calls and takes results.

    #: wanted: what `handle` takes, in words
    #: forms: the forms of answers, and of what is no answer; the first that fits is read
    #: write: the messages with the replies, to be appended to the conversation
    #: events: the events of its streams, or None if it has none
    #: takes_data: whether `write` looks at the data of replies, or at their texts only
    #: takes_texts: whether it looks at the texts of results, or at their data only, unless that has
    #:     a reference
    #: answers: where its answers have calls
    #: items: the items that its answers are made of, and what is to be done where the vendor has
    #:     not run one of several yet
    """

    wanted: str
    forms: tuple[MessageForm, ...]
    write: Callable[[Sequence[Reply]], list[dict[str, Any]]]
    events: EventFormat | None = None
    takes_data: bool = True
    takes_texts: bool = True
    answers: tuple[AnswerRow, ...] = ()
    items: tuple[ItemTable, str] | None = None

    def find_form(self, message: object) -> MessageForm | None:
        """Find the first form of answers that *message* has, or return None."""
        return next((form for form in self.forms if form.fits(message)), None)

    def read(self, message: object) -> list[WireCall]:
        """Read the calls in *message*, a return value of the client or a part of it.

        Raises `TypesigError` if it is no answer.
        """
        return [call for each in flatten_messages(message) for call in self.read_one(each)]

    def read_one(
        self, message: object, likeness: Callable[[object], str] = lambda _: ""
    ) -> Iterable[WireCall]:
        """Read the calls in *message*, a single message or part.

        *likeness* tells what it is if it is another provider's, for the error.
        """
        if isinstance(message, WireCall):
            return [message]
        form = self.find_form(message)
        found = likeness(message) if form is None or form.vague else ""
        if form is None or found:
            raise make_answer_error(message, self.wanted, found)
        return form.read(message)
