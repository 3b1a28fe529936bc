"""The format of calls: rows of where answers have them, and how each vendor spells the rest.

The forms of a vendor read answers by these rows, and so does generated code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from typesig.providers.rows.calls import (
    EventFormat,
    Form,
    Reply,
    Stop,
    WireCall,
    flat,
    has_any,
    items_of,
    kind_member,
    member,
    no_answer,
    single,
    stopped,
    text_of,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A member of an answer, or of a part of it.

    #: names: its spellings; of: the place of what has it, None for the answer itself
    #: single: what the list there has one of, which is meant then; empty if no list is
    """

    names: tuple[str, ...]
    of: Place | None = None
    single: str = ""

    def at(self, answer: object) -> Any:
        """Return what *answer* has there, or None; raise `TypesigError` for more than a single."""
        found = member(self.holder(answer), *self.names)
        return single(items_of(found), self.single) if self.single else found

    def text(self, answer: object) -> str | None:
        """Return the same if it is text, or None; of an enum, its value."""
        return text_of(self.at(answer))

    def is_in(self, answer: object) -> bool:
        """Return whether *answer* has the member, be it None."""
        return has_any(self.holder(answer), *self.names)

    def holder(self, answer: object) -> object:
        """Return what has the member, if it is there."""
        return answer if self.of is None else self.of.at(answer)


@dataclass(frozen=True, slots=True, eq=False)
class CallRow:
    """How an item of an answer spells a call.

    #: arguments, name, id: the places of these, in the item
    #: kind: the type of the item, or None if its members tell what it is
    #: holder: the place without which it is no call, None if every item is one
    #: extra: what the extra of each call has; kept: what it has beside it, by name
    #: of_map: what it has beside it if the item is a mapping, no object of an SDK
    #: caller: the members of who made the call, if the item tells that
    #: whole: what has another value in a part of a call: its text in a whole one, or None
    #: data: makes what a tool takes of the arguments
    """

    arguments: Place
    name: Place = Place(("name",))
    id: Place = Place(("id",))
    kind: str | None = None
    holder: Place | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    kept: Mapping[str, Place] = field(default_factory=dict)
    of_map: Mapping[str, Any] = field(default_factory=dict)
    caller: tuple[str, ...] = ()
    whole: Mapping[Place, str | None] = field(default_factory=dict)
    data: Callable[[Any], Any] | None = None

    def is_of(self, item: object) -> bool:
        """Return whether *item* is such a call."""
        if self.kind is not None:
            return kind_member(item) == self.kind
        return self.holder is None or self.holder.at(item) is not None

    def read(self, item: object) -> WireCall:
        """Return the call that *item* is."""
        extra = {**self.extra, **(self.of_map if isinstance(item, Mapping) else {})}
        for name, place in self.kept.items():
            if (found := place.at(item)) is not None:
                extra[name] = found
        caller = CALLER.at(item) if self.caller else None
        if caller is not None:
            parts = {name: member(caller, name) for name in self.caller}
            extra["caller"] = {name: part for name, part in parts.items() if part}
        data, named = self.arguments.at(item), self.name.text(item) or ""
        is_part = any(_is_other(place.at(item), text) for place, text in self.whole.items())
        data = data if self.data is None else self.data(data)
        return WireCall(self.id.text(item), named, data, extra, "length" if is_part else None)

    def is_ended(self, item: object) -> bool:
        """Return whether *item* tells that it is whole."""
        return any(text and place.text(item) == text for place, text in self.whole.items())


#: Where a call tells who made it.
CALLER = Place(("caller",))


def _is_other(found: Any, text: str | None) -> bool:
    """Tell whether *found* says something else than *text*."""
    return bool(found) if text is None else text_of(found) not in (None, text)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerRow:
    """Where an answer of one form has its calls.

    #: items: the place of the list of items; calls: how these spell calls, the first that does
    #: stops: why an answer ends that may not be whole: by the place, and the text or None there
    #: signs: what tells the form from all others, with the text there, or None for any value;
    #:     only such an answer is read by generated code
    #: others: what such an answer lacks; a text may be there
    #: refused: what no answer has unless as None, and what raises `TypesigError` for its holder
    """

    items: Place
    calls: tuple[CallRow, ...]
    stops: Mapping[Place, Mapping[str | None, Stop]] = field(default_factory=dict)
    signs: Mapping[Place, str | None] = field(default_factory=dict)
    others: Mapping[Place, str | None] = field(default_factory=dict)
    refused: Mapping[Place, Callable[[object], NoReturn]] = field(default_factory=dict)

    def read(self, answer: object) -> list[WireCall]:
        """Return the calls of *answer*.

        Raises `TypesigError` if it has several of a single part, or has what is refused.
        """
        for place, refuse in self.refused.items():
            if place.at(answer) is not None:
                refuse(place.holder(answer))
        items: Sequence[Any] = items_of(self.items.at(answer))
        rows = [self._row_of(item) for item in items]
        found = [row.read(item) for row, item in zip(rows, items, strict=True) if row is not None]
        last = rows[-1] if rows else None
        ends_in_call = last is not None and not last.is_ended(items[-1])
        for place, stops in self.stops.items():
            reason = place.text(answer)
            if reason is not None or place.is_in(answer):
                found = stopped(found, stops.get(reason), ends_in_call)
        return found

    def _row_of(self, item: object) -> CallRow | None:
        return next((row for row in self.calls if row.is_of(item)), None)


class CallFormat(NamedTuple):
    """How a provider spells calls and their results.

    #: wanted: what `handle` takes, in words
    #: forms: the forms of answers, and of what is no answer; the first that fits is read
    #: write: the messages with the replies, to be appended to the conversation
    #: events: the events of its streams, or None if it has none
    #: takes_data: whether `write` looks at the data of replies, or at their texts only
    #: takes_texts: whether it looks at the texts of results, or at their data only, unless that has
    #:     a reference
    #: answers: where its answers have calls
    """

    wanted: str
    forms: tuple[Form, ...]
    write: Callable[[Sequence[Reply]], list[dict[str, Any]]]
    events: EventFormat | None = None
    takes_data: bool = True
    takes_texts: bool = True
    answers: tuple[AnswerRow, ...] = ()

    def form_of(self, message: object) -> Form | None:
        """Return the form that *message* has, or None."""
        return next((form for form in self.forms if form.fits(message)), None)

    def read(self, message: object) -> list[WireCall]:
        """Return the calls in what the provider's client returned, or in a part of it.

        Raises `TypesigError` if it is no answer.
        """
        return [call for each in flat(message) for call in self.read_one(each)]

    def read_one(
        self, message: object, likeness: Callable[[object], str] = lambda _: ""
    ) -> Iterable[WireCall]:
        """Return the calls in *message*, which is no list.

        *likeness* tells what it is if it is another provider's, for the error.
        """
        if isinstance(message, WireCall):
            return [message]
        form = self.form_of(message)
        found = likeness(message) if form is None or form.vague else ""
        if form is None or found:
            raise no_answer(message, self.wanted, found)
        return form.read(message)
