"""Reads calls from the arguments of `handle`: answers, parts of answers, and streams."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any, TypeAlias

from typesig.algebra.rows.builtin import as_builtin
from typesig.calls.running import WaitMode
from typesig.codegen import Constants, Lines
from typesig.errors import TooLarge, TypesigError
from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits import MAX_EVENTS
from typesig.providers.registry.answers import CALLER, AnswerPlace, AnswerRow, CallRow
from typesig.providers.registry.calls import (
    EventFormat,
    WireCall,
    flatten_messages,
    is_several,
    make_answer_error,
)
from typesig.providers.registry.vendor import Vendor
from typesig.providers.vendors.registry import find_likeness

# --- Fast readers of answers, generated from the rows of a vendor ---
# A reader takes plain dicts, and objects of pydantic, of which the SDKs are made, by the dict that
# holds their members.  Arguments in a dict are what was sent; parts of them may be of subclasses of
# built-in classes.  It returns None for all that is not just as the rows tell, which is left to
# the forms: these alone tell what an answer means, and a law compares both.

#: Returns the calls in an answer of a usual form, or None for what is left to the forms.
FastReader: TypeAlias = Callable[[Any], list[WireCall] | None]

#: The classes of arguments, and of what is kept.
_SENT = frozenset({dict, str, type(None)})
_KEPT = frozenset({str, bytes})

_LEAVE = "return None"
_TYPE = AnswerPlace(("type",))
_EMPTY: dict[str, Any] = {}


@cache
def make_fast_reader(rows: tuple[AnswerRow, ...]) -> FastReader:
    """Generate and cache a function that reads calls from answers described by *rows*."""
    places = _ReaderWriter()
    out = places.out
    with out.open_block("try:"):
        top = places.write_member_lookup(None)
        for row in rows:
            signs = [f"{key} in {top}" for key in map(places.get_key_literal, row.signs)]
            with out.open_block(f"if {' and '.join(signs)}:"):
                _write_answer(places.start_branch(), row)
    with out.open_block("except Exception:"):
        # What has other members, and objects of others, whose methods may raise anything.
        out.add("pass")
    out.add(_LEAVE)
    out.constants.namespace["held"] = _make_member_getter(frozenset(places.asked))
    read: FastReader = out.compile_function("def read(answer, type=type):", "read")
    return read


class _ReaderWriter:
    """A writer of the code lines of a generated reader, with its bound variables.

    #: asked: the names of all members that are read
    """

    def __init__(self) -> None:
        names = {"WireCall": WireCall, "made": tuple.__new__}
        self.out = Lines(Constants(names))
        self.asked: set[str] = set()
        self._found: dict[AnswerPlace, str] = {}
        self._held: dict[AnswerPlace | None, str] = {}

    def start_branch(self, item: str | None = None) -> _ReaderWriter:
        """Return a writer for a nested block, or for the loop variable *item*."""
        other = _ReaderWriter()
        other.out, other.asked = self.out, self.asked
        if item is None:
            other._found, other._held = {**self._found}, {**self._held}
        else:
            other._write_members(None, item)
        return other

    def get_key_literal(self, place: AnswerPlace) -> str:
        """Return the variable or literal for the first key name of *place*."""
        self.asked.update(place.names)
        return self.out.constants.bind_key(place.names[0])

    def write_lookup(self, place: AnswerPlace, is_sure: bool = False) -> str:
        """Return the variable with the value at *place*, assigned on first use.

        *is_sure* is whether a usual answer has it.
        """
        if place not in self._found:
            holder, key = self.write_member_lookup(place.of, is_sure), self.get_key_literal(place)
            x = f"x{len(self.out)}"
            # It takes half of the time of a method; if there is none, the answer is left.
            is_sure = is_sure and len(place.names) == 1
            self.out.add(f"{x} = {holder}[{key}]" if is_sure else f"{x} = {holder}.get({key})")
            for name in place.names[1:]:
                key = self.out.constants.bind_key(name)
                self.out.add(f"if {x} is None: {x} = {holder}.get({key})")
            if place.single:
                self.out.guard(f"type({x}) is not list or len({x}) != 1", _LEAVE)
                self.out.add(f"{x} = {x}[0]")
            self._found[place] = x
        return self._found[place]

    def write_member_lookup(self, place: AnswerPlace | None, is_sure: bool = False) -> str:
        """Return the variable with the members of the value at *place*, by name."""
        if place not in self._held:
            self._write_members(
                place, "answer" if place is None else self.write_lookup(place, is_sure)
            )
        return self._held[place]

    def _write_members(self, place: AnswerPlace | None, x: str) -> None:
        """Write a line that binds the members of *place*, a value in variable *x*."""
        made = self._held[place] = f"d{len(self.out)}"
        self.out.add(f"{made} = {x} if type({x}) is dict else held({x})")

    def write_guard(self, place: AnswerPlace, text: str | None, may_lack: bool = True) -> None:
        """Write lines that return None unless the member *place* has the value *text*."""
        x = self.write_lookup(place)
        wrong = [f"{x} is not None"] if may_lack else []
        if text is not None:
            wrong.append(f"(type({x}) is not str or {x} != {self.out.constants.bind(text)})")
        self.out.guard(" and ".join(wrong), _LEAVE)


def _write_answer(places: _ReaderWriter, row: AnswerRow) -> None:
    """Write lines that return the calls of an answer of *row*."""
    out, bound = places.out, places.out.constants.bind
    for place, text in row.signs.items():
        if text is not None:
            places.write_guard(place, text, may_lack=False)
    for place, text in row.others.items():
        if text is None:
            holder = places.write_member_lookup(place.of)
            out.guard(f"{places.get_key_literal(place)} in {holder}", _LEAVE)
        else:
            places.write_guard(place, text)
    for place in row.refused:
        places.write_guard(place, None)
    for place, stops in row.stops.items():
        x = places.write_lookup(place)
        out.add(f"if type({x}) is not str: {x} = getattr({x}, 'value', {x})")
        allowed = "" if None in stops else f"{x} is not None and "
        wrong = f"{allowed}(type({x}) is not str or {x} in {bound(frozenset(stops))})"
        out.guard(wrong, _LEAVE)
    items = places.write_lookup(row.items, True)
    out.guard(f"type({items}) is not list", _LEAVE)
    out.add("calls = []")
    with out.open_block(f"for item in {items}:"):
        within = places.start_branch("item")
        kind = within.write_lookup(_TYPE, True) if row.calls[0].kind else ""
        if kind:
            out.guard(f"type({kind}) is not str", _LEAVE)
        for each in row.calls:
            test = "True"
            if each.kind is not None:
                test = f"{kind} == {bound(each.kind)}"
            elif each.holder is not None:
                test = f"{within.write_lookup(each.holder)} is not None"
            with out.open_block(f"if {test}:"):
                _write_call(within.start_branch(), each)
                out.add("continue")
        if row.table is not None and row.table.members:
            text = within.write_lookup(AnswerPlace(row.table.members[:1]))
            out.guard(f"type({text}) is not str", _LEAVE)
        elif row.table is not None and kind:
            out.guard(f"{kind} not in {bound(row.table.silent)}", _LEAVE)
    # The forms tell whether an answer without calls is the last one.
    out.guard("not calls", _LEAVE)
    out.add("return calls")


def _write_call(places: _ReaderWriter, row: CallRow) -> None:
    """Write lines that append a call with the layout *row* to the list of calls."""
    out, bound = places.out, places.out.constants.bind
    named = places.write_lookup(row.id)
    name, data = places.write_lookup(row.name, True), places.write_lookup(row.arguments, True)
    out.guard(f"{named} is not None and type({named}) is not str", _LEAVE)
    out.guard(f"type({name}) is not str", _LEAVE)
    out.add(f"extra = {f'{bound(dict(row.extra))}.copy()' if row.extra else '{}'}")
    if row.of_map:
        out.add(f"if type(item) is dict: extra |= {bound(row.of_map)}")
    others = [CALLER] if row.caller else []
    others += [] if row.namespace is None else [row.namespace]
    rare = {**row.whole, **dict.fromkeys(others)}
    usual = [_TYPE if row.kind else None, row.holder, row.id, row.name, row.arguments]
    for holder in dict.fromkeys([place.of for place in (*rare, *row.kept.values())]):
        # Nothing is rare in what has no more members than these.
        count = sum([place is not None and place.of == holder for place in usual])
        with out.open_block(
            f"if len({places.write_member_lookup(holder)}) != {count} or {named} is None:"
        ):
            within = places.start_branch()
            for place, text in rare.items():
                if place.of == holder:
                    within.write_guard(place, text)
            for key, place in row.kept.items():
                if place.of == holder:
                    _write_extra_copy(within, key, place)
    if row.data:
        with out.open_block(f"if type({data}) is dict:"):
            out.add(f"{data} = {bound(row.data)}({data})")
    out.guard(f"type({data}) not in {bound(_SENT)}", _LEAVE)
    out.add(f"calls.append(made(WireCall, ({named}, {name}, {data}, extra, None)))")


def _write_extra_copy(places: _ReaderWriter, key: str, place: AnswerPlace) -> None:
    """Write code that copies a str or bytes at *place* to the call's extra, as *key*."""
    out, x = places.out, places.write_lookup(place)
    with out.open_block(f"if {x} is not None:"):
        out.guard(f"type({x}) not in {out.constants.bind(_KEPT)}", _LEAVE)
        out.add(f"extra[{out.constants.bind_key(key)}] = {x}")


def _make_member_getter(asked: frozenset[str]) -> Callable[[Any], dict[str, Any]]:
    """Build a function that gets an object's members by name, or raises `_OtherFormError`."""

    @lru_cache(maxsize=256)
    def is_held(cls: Any) -> bool:
        if not hasattr(cls, "__pydantic_fields__"):
            return False
        is_own = cls.__getattribute__ is object.__getattribute__
        return is_own and not any(asked & vars(each).keys() for each in cls.__mro__)

    def held(value: Any) -> dict[str, Any]:
        if value is None:
            return _EMPTY
        cls: Any = type(value)
        if not is_held(cls):
            raise _OtherFormError
        more = value.__pydantic_extra__
        if more and not asked.isdisjoint(more):
            raise _OtherFormError
        members: dict[str, Any] = value.__dict__
        return members

    return held


class _OtherFormError(Exception):
    """An error for an answer without the form that a generated reader expects."""


# --- Reads calls from the arguments of `handle`: answers, parts of answers, and streams ---


def read_stream(message: object) -> object:
    """Read the events of *message* into a list if it is a stream; else return it.

    What the stream raises passes.
    """
    if type(message) is dict:
        return message
    if _is_sync(message):
        return _read_whole(message)
    if _is_async(message):
        raise TypesigError("this is an asynchronous stream: write await ….ahandle(…)")
    return message


async def receive_message(message: object, waiting: WaitMode) -> object:
    """Collect the events of *message*, which may be asynchronous if *waiting* awaits."""
    if not waiting.awaits:
        return read_stream(message)
    if _is_async(message):
        found: list[Any] = []
        async for event in message:  # type: ignore[attr-defined]
            found.append(event)
            _check_count(found)
        return _check_not_empty(found)
    if _is_sync(message):
        # A stream waits for the network.
        return await waiting.run_off_thread(partial(_read_whole, message))
    return message


def _is_sync(message: object) -> bool:
    """Whether *message* is a synchronous iterator."""
    return hasattr(type(message), "__next__")


def _is_async(message: object) -> bool:
    """Whether *message* is an asynchronous iterator."""
    return hasattr(type(message), "__anext__")


def _read_whole(stream: Any) -> list[Any]:
    """List the events of *stream*; raise an error if it is empty or too large."""
    found = list(islice(stream, MAX_EVENTS + 1))
    _check_count(found)
    return _check_not_empty(found)


def _check_count(found: list[Any]) -> None:
    """Raise `TooLarge` if more events were *found* than a stream may have."""
    if len(found) > MAX_EVENTS:
        raise TooLarge(f"the stream has more than {MAX_EVENTS} events")


def _check_not_empty(found: list[Any]) -> list[Any]:
    """Return the events *found*; raise `TypesigError` if there are no events."""
    if not found:
        raise TypesigError(
            "the stream has no events: it was read before; keep its events in a list, and pass that"
        )
    return found


def build_answer(vendor: Vendor, events: object) -> dict[str, Any]:
    """Build the full answer from the *events* of its stream; see `Projection.assembled`."""
    found = read_stream(events)
    if vendor.calls.events is None:
        raise TypesigError(f"{vendor.title} has no streams of answers")
    if not is_several(found):
        raise make_answer_error(events, "assembled takes a stream, or its events in a list")
    return _build_answer(vendor, vendor.calls.events, flatten_messages(found))


def read_calls(vendor: Vendor, message: object) -> list[WireCall]:
    """Read the calls in *message*; raise `TypesigError` if it cannot be read."""
    if type(message) is WireCall:
        return [message]
    usual = read_calls_fast(vendor, message)
    if usual is not None:
        return usual
    try:
        return _read_calls(vendor, as_builtin(message))
    except TypesigError:
        raise
    except Exception as error:
        # An object of others, whose methods may raise anything.
        name, why = type(message).__name__, get_exception_message(error)
        raise TypesigError(f"the answer, {name}, cannot be read: it raises {why}") from None


def read_calls_fast(vendor: Vendor, message: object) -> list[WireCall] | None:
    """Read the calls in *message* by the generated reader; return None if it cannot."""
    found = make_fast_reader(vendor.calls.answers)(message)
    if found is None:
        return None
    return [
        call._replace(arguments=as_builtin(call.arguments))
        if type(call.arguments) is dict
        else call
        for call in found
    ]


def _read_calls(vendor: Vendor, message: object) -> list[WireCall]:
    """Read the calls in *message*: an answer, its parts, or the events of a stream."""
    form, each = vendor.calls, flatten_messages(message)
    if form.events is not None and is_several(message) and any(map(form.events.is_event, each)):
        return form.read(_build_answer(vendor, form.events, each))
    like = partial(_describe_likeness, vendor)
    if form.items is None or not is_several(message):
        return [call for one in each for call in form.read_one(one, like)]
    table, remedy = form.items
    found = [call for one in table.remove_answered(each) for call in form.read_one(one, like)]
    if not found:
        table.check_resolved(each, remedy)
    return found


def _build_answer(vendor: Vendor, form: EventFormat, events: list[Any]) -> dict[str, Any]:
    """Build an answer from the *events* of a stream; refuse events of other vendors."""
    for event in events:
        found = "" if form.is_event(event) else _describe_likeness(vendor, event)
        if found:
            raise make_answer_error(event, vendor.calls.wanted, found)
    return form.assembled(events)


def _describe_likeness(vendor: Vendor, message: object) -> str:
    """Hint that *message* looks like another vendor's, or an empty text."""
    found = find_likeness(vendor, message)
    if found is None:
        return ""
    other, title = found
    return f'it looks like {title}, for which the projection is project("{other.name}")'
