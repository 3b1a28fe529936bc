"""Readers of answers, generated of the rows of a vendor.

A reader takes plain dicts, and objects of pydantic, of which the SDKs are made, by the dict that
holds their members.  It returns None for all that is not just as the rows tell, which is left to
the forms: these alone tell what an answer means, and a law compares both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, TypeAlias

from typesig.algebra.rows.builtin import as_builtin
from typesig.codegen import Constants, Lines
from typesig.providers.rows.answers import CALLER, AnswerRow, CallRow, Place
from typesig.providers.rows.calls import WireCall

#: Returns the calls in an answer of a usual form, or None for what is left to the forms.
Usual: TypeAlias = Callable[[Any], list[WireCall] | None]

#: The classes of arguments that have no parts, and of what is kept.
_SCALARS = frozenset({str, int, bool, type(None)})
_KEPT = frozenset({str, bytes})

_LEAVE = "return None"
_TYPE = Place(("type",))
_EMPTY: dict[str, Any] = {}


@cache
def usual_reader(rows: tuple[AnswerRow, ...]) -> Usual:
    """Return generated code that reads answers by *rows*, which have signs; it is made once."""
    places = _Places()
    out = places.out
    with out.block("try:"):
        top = places.held(None)
        for row in rows:
            signs = [f"{key} in {top}" for key in map(places.key, row.signs)]
            with out.block(f"if {' and '.join(signs)}:"):
                _write_answer(places.branch(), row)
    with out.block("except Exception:"):
        # What has other members, and objects of others, whose methods may raise anything.
        out.add("pass")
    out.add(_LEAVE)
    out.constants.namespace["held"] = _holder_of(frozenset(places.asked))
    read: Usual = out.function("def read(answer, type=type):", "read")
    return read


class _Places:
    """The lines of a reader, and the variables that have what it found.

    #: asked: the names of all members that are read
    """

    def __init__(self) -> None:
        names = {"WireCall": WireCall, "as_builtin": as_builtin, "made": tuple.__new__}
        self.out = Lines(Constants(names))
        self.asked: set[str] = set()
        self._found: dict[Place, str] = {}
        self._held: dict[Place | None, str] = {}

    def branch(self, item: str | None = None) -> _Places:
        """Return the places for the lines of a block, or those of the variable *item*."""
        other = _Places()
        other.out, other.asked = self.out, self.asked
        if item is None:
            other._found, other._held = {**self._found}, {**self._held}
        else:
            other._hold(None, item)
        return other

    def key(self, place: Place) -> str:
        """Return the literal of the usual name of *place*."""
        self.asked.update(place.names)
        return self.out.constants.key(place.names[0])

    def found(self, place: Place, is_sure: bool = False) -> str:
        """Return the variable of what is at *place*, which lines set if there is none yet.

        *is_sure* is whether a usual answer has it.
        """
        if place not in self._found:
            holder, key = self.held(place.of, is_sure), self.key(place)
            x = f"x{len(self.out)}"
            # It takes half of the time of a method; if there is none, the answer is left.
            is_sure = is_sure and len(place.names) == 1
            self.out.add(f"{x} = {holder}[{key}]" if is_sure else f"{x} = {holder}.get({key})")
            for name in place.names[1:]:
                key = self.out.constants.key(name)
                self.out.add(f"if {x} is None: {x} = {holder}.get({key})")
            if place.single:
                self.out.guard(f"type({x}) is not list or len({x}) != 1", _LEAVE)
                self.out.add(f"{x} = {x}[0]")
            self._found[place] = x
        return self._found[place]

    def held(self, place: Place | None, is_sure: bool = False) -> str:
        """Return the variable of the members, by name, of what is at *place*."""
        if place not in self._held:
            self._hold(place, "answer" if place is None else self.found(place, is_sure))
        return self._held[place]

    def _hold(self, place: Place | None, x: str) -> None:
        made = self._held[place] = f"d{len(self.out)}"
        self.out.add(f"{made} = {x} if type({x}) is dict else held({x})")

    def guard(self, place: Place, text: str | None, may_lack: bool = True) -> None:
        """Add lines that leave the answer unless *place* has *text*, or is None if it may be."""
        x = self.found(place)
        wrong = [f"{x} is not None"] if may_lack else []
        if text is not None:
            wrong.append(f"(type({x}) is not str or {x} != {self.out.constants.bound(text)})")
        self.out.guard(" and ".join(wrong), _LEAVE)


def _write_answer(places: _Places, row: AnswerRow) -> None:
    """Write lines that return the calls of an answer of *row*."""
    out, bound = places.out, places.out.constants.bound
    for place, text in row.signs.items():
        if text is not None:
            places.guard(place, text, may_lack=False)
    for place, text in row.others.items():
        if text is None:
            holder = places.held(place.of)
            out.guard(f"{places.key(place)} in {holder}", _LEAVE)
        else:
            places.guard(place, text)
    for place in row.refused:
        places.guard(place, None)
    for place, stops in row.stops.items():
        x = places.found(place)
        out.add(f"if type({x}) is not str: {x} = getattr({x}, 'value', {x})")
        allowed = "" if None in stops else f"{x} is not None and "
        wrong = f"{allowed}(type({x}) is not str or {x} in {bound(frozenset(stops))})"
        out.guard(wrong, _LEAVE)
    items = places.found(row.items, True)
    out.guard(f"type({items}) is not list", _LEAVE)
    out.add("calls = []")
    with out.block(f"for item in {items}:"):
        within = places.branch("item")
        kind = within.found(_TYPE, True) if row.calls[0].kind else ""
        if kind:
            out.guard(f"type({kind}) is not str", _LEAVE)
        for each in row.calls:
            test = "True"
            if each.kind is not None:
                test = f"{kind} == {bound(each.kind)}"
            elif each.holder is not None:
                test = f"{within.found(each.holder)} is not None"
            with out.block(f"if {test}:"):
                _write_call(within.branch(), each)
                out.add("continue")
        if row.table is not None and row.table.members:
            text = within.found(Place(row.table.members[:1]))
            out.guard(f"type({text}) is not str", _LEAVE)
        elif row.table is not None and kind:
            out.guard(f"{kind} not in {bound(row.table.silent)}", _LEAVE)
    # The forms tell whether an answer without calls is the last one.
    out.guard("not calls", _LEAVE)
    out.add("return calls")


def _write_call(places: _Places, row: CallRow) -> None:
    """Write lines that add the call of *row*."""
    out, bound = places.out, places.out.constants.bound
    named = places.found(row.id)
    name, data = places.found(row.name, True), places.found(row.arguments, True)
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
        with out.block(f"if len({places.held(holder)}) != {count} or {named} is None:"):
            within = places.branch()
            for place, text in rare.items():
                if place.of == holder:
                    within.guard(place, text)
            for key, place in row.kept.items():
                if place.of == holder:
                    _write_kept(within, key, place)
    # Mostly they have no parts.
    scalars = bound(_SCALARS if row.data else _SCALARS | {float})
    is_plain = f"type(key) is str and type(part) in {scalars}"
    with out.block(f"if type({data}) is dict:"), out.block(f"for key, part in {data}.items():"):
        out.add(f"if {is_plain}: continue")
        plain = f"as_builtin({data})"
        out.add(f"{data} = {f'{bound(row.data)}({plain})' if row.data else plain}", "break")
    with out.block(f"elif {data} is not None and type({data}) is not str:"):
        out.add(_LEAVE)
    out.add(f"calls.append(made(WireCall, ({named}, {name}, {data}, extra, None)))")


def _write_kept(places: _Places, key: str, place: Place) -> None:
    out, x = places.out, places.found(place)
    with out.block(f"if {x} is not None:"):
        out.guard(f"type({x}) not in {out.constants.bound(_KEPT)}", _LEAVE)
        out.add(f"extra[{out.constants.key(key)}] = {x}")


def _holder_of(asked: frozenset[str]) -> Callable[[Any], dict[str, Any]]:
    """Return what returns the members of an object by name; it raises `_Other` if it cannot."""

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
            raise _Other
        more = value.__pydantic_extra__
        if more and not asked.isdisjoint(more):
            raise _Other
        members: dict[str, Any] = value.__dict__
        return members

    return held


class _Other(Exception):
    """The answer has another form."""
