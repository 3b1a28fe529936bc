"""Closures that read the calls in answers, made from the rows of a vendor.

They take plain dicts, and objects of pydantic, of which the SDKs are made, by the dict that holds
their members.  Arguments in a dict are what was sent; parts of them may be of subclasses of
built-in classes.  They return None for all that is not just as the rows tell, which is left to the
forms: these alone tell what an answer means, and a law compares both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from typesig.providers.registry.answers import CALLER, AnswerPlace, AnswerRow, CallRow
from typesig.providers.registry.calls import WireCall

#: Returns the calls in an answer of a usual form, or None for what is left to the forms.
FastReader: TypeAlias = Callable[[Any], list[WireCall] | None]

#: The classes of arguments, and of what is kept.
SENT = frozenset({dict, str, type(None)})
KEPT = frozenset({str, bytes})

TYPE = AnswerPlace(("type",))
_EMPTY: dict[str, Any] = {}


#: Takes the members of an answer or an item, and returns a value in it.
_Get: TypeAlias = Callable[[dict[str, Any]], Any]

#: Whether an answer is left, by its members.
_Test: TypeAlias = Callable[[dict[str, Any]], object]


def make_reader(rows: tuple[AnswerRow, ...]) -> FastReader:
    """Make the closure that reads calls from answers described by *rows*."""
    held = make_member_getter(list_names(rows))
    known = [
        (tuple([place.names[0] for place in row.signs]), _ClosureMaker(held).read_answer(row))
        for row in rows
    ]

    def read(answer: Any) -> list[WireCall] | None:
        try:
            top = answer if type(answer) is dict else held(answer)
            for signs, read_row in known:
                if all(map(top.__contains__, signs)):
                    return read_row(top)
        except Exception:
            # What has other members, and objects of others, whose methods may raise anything.
            pass
        return None

    return read


class _ClosureMaker:
    """Makes the closures of rows; *held* returns the members of an object."""

    def __init__(self, held: Callable[[Any], dict[str, Any]]) -> None:
        self._held = held

    def get(self, place: AnswerPlace) -> _Get:
        """Make the function that finds the value at *place*; it raises for a list of several."""
        holder, (name, *others) = self.get_members(place.of), place.names
        if not (others or place.single):
            return (
                (lambda top: top.get(name))
                if place.of is None
                else lambda top: holder(top).get(name)
            )

        def get_value(top: dict[str, Any]) -> Any:
            members = holder(top)
            found = members.get(name)
            for other in others:
                found = members.get(other) if found is None else found
            if not place.single:
                return found
            if type(found) is not list:
                raise _OtherFormError
            (only,) = found
            return only

        return get_value

    def get_members(self, place: AnswerPlace | None) -> Callable[[dict[str, Any]], dict[str, Any]]:
        """Make the function that finds the members of the value at *place*."""
        if place is None:
            return lambda top: top
        get, held = self.get(place), self._held

        def get_held(top: dict[str, Any]) -> dict[str, Any]:
            found = get(top)
            return found if type(found) is dict else held(found)

        return get_held

    def test(self, place: AnswerPlace, text: str | None, may_lack: bool = True) -> _Test:
        """Make the test that is true unless the member *place* has the value *text*."""
        get = self.get(place)
        if text is None:
            return lambda top: get(top) is not None

        def differs(top: dict[str, Any]) -> bool:
            found = get(top)
            return not (found is None and may_lack) and (type(found) is not str or found != text)

        return differs

    def test_stop(self, place: AnswerPlace, stops: frozenset[str | None]) -> _Test:
        """Make the test that is true if the reason at *place* is one of *stops*."""
        get, may_lack = self.get(place), None not in stops

        def is_stopped(top: dict[str, Any]) -> bool:
            found = get(top)
            if type(found) is not str:
                found = getattr(found, "value", found)
            if found is None and may_lack:
                return False
            return type(found) is not str or found in stops

        return is_stopped

    def test_presence(self, place: AnswerPlace) -> _Test:
        """Make the test that is true if there is a member *place*."""
        holder, name = self.get_members(place.of), place.names[0]
        return lambda top: name in holder(top)

    def read_answer(self, row: AnswerRow) -> Callable[[dict[str, Any]], list[WireCall] | None]:
        """Make the function that reads the calls of an answer of *row* by its members."""
        tests = [
            *[
                self.test(place, text, False)
                for place, text in row.signs.items()
                if text is not None
            ],
            *[
                self.test_presence(place) if text is None else self.test(place, text)
                for place, text in row.others.items()
            ],
            *[self.test(place, None) for place in row.refused],
            *[self.test_stop(place, frozenset(stops)) for place, stops in row.stops.items()],
        ]
        get_items, read_item, held = self.get(row.items), self._read_item(row), self._held

        def read(top: dict[str, Any]) -> list[WireCall] | None:
            for test in tests:
                if test(top):
                    return None
            items = get_items(top)
            if type(items) is not list:
                return None
            calls: list[WireCall] = []
            for item in items:
                made = read_item(item, item if type(item) is dict else held(item))
                if made is not None:
                    calls.append(made)
            # The forms tell whether an answer without calls is the last one.
            return calls or None

        return read

    def _read_item(self, row: AnswerRow) -> Callable[[Any, dict[str, Any]], WireCall | None]:
        """Make the function that reads an item as a call, or returns None; it raises for others."""
        has_kind, table = bool(row.calls[0].kind), row.table
        text_key = table.members[0] if table is not None and table.members else None
        silent = table.silent if table is not None and has_kind else None
        calls = [
            (
                each.kind,
                None if each.kind is not None or each.holder is None else self.get(each.holder),
                self._read_call(each),
            )
            for each in row.calls
        ]

        def read(item: Any, members: dict[str, Any]) -> WireCall | None:
            kind = members["type"] if has_kind else None
            if has_kind and type(kind) is not str:
                raise _OtherFormError
            for own, get_holder, read_call in calls:
                if (
                    own == kind
                    if own is not None
                    else get_holder is None or get_holder(members) is not None
                ):
                    return read_call(item, members)
            if text_key is not None:
                if type(members.get(text_key)) is not str:
                    raise _OtherFormError
            elif silent is not None and kind not in silent:
                raise _OtherFormError
            return None

        return read

    def _read_call(self, row: CallRow) -> Callable[[Any, dict[str, Any]], WireCall]:
        """Make the function that reads a call with the layout *row*; it raises for unusual ones."""
        get_id, get_name, get_data = self.get(row.id), self.get(row.name), self.get(row.arguments)
        extra, of_map, make, made = dict(row.extra), dict(row.of_map), row.data, tuple.__new__
        rare = [
            (
                self.get_members(holder),
                count,
                [self.test(place, text) for place, text in tests],
                [(key, self.get(place)) for key, place in kept],
            )
            for holder, count, tests, kept in list_rare(row)
        ]

        def read(item: Any, members: dict[str, Any]) -> WireCall:
            named, name, data = get_id(members), get_name(members), get_data(members)
            own = {**extra, **of_map} if type(item) is dict else extra.copy()
            for get_holder, count, tests, kept in rare:
                if named is None or len(get_holder(members)) != count:
                    for test in tests:
                        if test(members):
                            raise _OtherFormError
                    for key, get in kept:
                        found = get(members)
                        if found is not None:
                            own[key] = found
                            if type(found) not in KEPT:
                                raise _OtherFormError
            if make is not None and type(data) is dict:
                data = make(data)
            is_usual = type(name) is str and (named is None or type(named) is str)
            if not is_usual or type(data) not in SENT:
                raise _OtherFormError
            return made(WireCall, (named, name, data, own, None))

        return read


def list_rare(
    row: CallRow,
) -> list[
    tuple[
        AnswerPlace | None, int, list[tuple[AnswerPlace, str | None]], list[tuple[str, AnswerPlace]]
    ]
]:
    """List the members that a call of *row* rarely has, grouped by the object that holds them.

    For each object: its place; the number of its usual members, with which it has no rare ones; the
    members that must have a certain value; and the members that are kept, by key.
    """
    others = [CALLER] if row.caller else []
    others += [] if row.namespace is None else [row.namespace]
    rare: dict[AnswerPlace, str | None] = {**row.whole, **dict.fromkeys(others)}
    usual = [TYPE if row.kind else None, row.holder, row.id, row.name, row.arguments]
    return [
        (
            holder,
            sum([place is not None and place.of == holder for place in usual]),
            [(place, text) for place, text in rare.items() if place.of == holder],
            [(key, place) for key, place in row.kept.items() if place.of == holder],
        )
        for holder in dict.fromkeys([place.of for place in (*rare, *row.kept.values())])
    ]


def list_names(rows: tuple[AnswerRow, ...]) -> frozenset[str]:
    """List the names of all members that readers of *rows* look for."""
    places: list[AnswerPlace | None] = []
    for row in rows:
        places += [TYPE] if row.calls[0].kind else []
        places += [row.items, *row.signs, *row.others, *row.refused, *row.stops]
        places += [AnswerPlace(row.table.members[:1])] if row.table and row.table.members else []
        for call in row.calls:
            places += [call.id, call.name, call.arguments, call.holder, call.namespace]
            places += [*call.whole, *call.kept.values(), *([CALLER] if call.caller else [])]
    names: set[str] = set()
    for place in places:
        while place is not None:
            names.update(place.names)
            place = place.of
    return frozenset(names)


def make_member_getter(asked: frozenset[str]) -> Callable[[Any], dict[str, Any]]:
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
