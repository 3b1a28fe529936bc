"""Fast readers of the calls in answers: closures at first, and generated code from then on."""

from __future__ import annotations

from functools import cache
from typing import Any

from typesig.codegen import Constants, Lines
from typesig.providers.projection.call_reader_closures import (
    KEPT,
    SENT,
    TYPE,
    FastReader,
    list_names,
    list_rare,
    make_member_getter,
    make_reader,
)
from typesig.providers.registry.answers import AnswerPlace, AnswerRow, CallRow
from typesig.providers.registry.calls import WireCall


class CallReader:
    """The fast reader of answers of *rows*: by closures at first, and by generated code then.

    #: read: returns the calls in an answer of a usual form, or None
    """

    __slots__ = ("_calls", "_rows", "read")

    read: FastReader

    def __init__(self, rows: tuple[AnswerRow, ...]) -> None:
        self._rows = rows
        self._calls = 0
        closure = make_reader(rows)

        def read_cold(answer: Any) -> list[WireCall] | None:
            # Of two threads that compile at the same time, either result is kept.
            self._calls += 1
            if self._calls > _COLD_CALLS:
                self.read = self.compile()
            return closure(answer)

        self.read = read_cold

    def compile(self) -> FastReader:
        """Generate the code of the reader."""
        return compile_reader(self._rows)


get_call_reader = cache(CallReader)

#: The answers that are read before source is compiled, which takes as long as some of them.
_COLD_CALLS = 4


_LEAVE = "return None"


def compile_reader(rows: tuple[AnswerRow, ...]) -> FastReader:
    """Generate the function that reads calls from answers described by *rows*."""
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
    out.constants.namespace["held"] = make_member_getter(list_names(rows))
    read: FastReader = out.compile_function("def read(answer, type=type):", "read")
    return read


class _ReaderWriter:
    """A writer of the code lines of a generated reader, with its bound variables."""

    def __init__(self) -> None:
        names = {"WireCall": WireCall, "made": tuple.__new__}
        self.out = Lines(Constants(names))
        self._found: dict[AnswerPlace, str] = {}
        self._held: dict[AnswerPlace | None, str] = {}

    def start_branch(self, item: str | None = None) -> _ReaderWriter:
        """Return a writer for a nested block, or for the loop variable *item*."""
        other = _ReaderWriter()
        other.out = self.out
        if item is None:
            other._found, other._held = {**self._found}, {**self._held}
        else:
            other._write_members(None, item)
        return other

    def get_key_literal(self, place: AnswerPlace) -> str:
        """Return the variable or literal for the first key name of *place*."""
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
        kind = within.write_lookup(TYPE, True) if row.calls[0].kind else ""
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
    for holder, count, tests, kept in list_rare(row):
        with out.open_block(
            f"if len({places.write_member_lookup(holder)}) != {count} or {named} is None:"
        ):
            within = places.start_branch()
            for place, text in tests:
                within.write_guard(place, text)
            for key, place in kept:
                _write_extra_copy(within, key, place)
    if row.data:
        with out.open_block(f"if type({data}) is dict:"):
            out.add(f"{data} = {bound(row.data)}({data})")
    out.guard(f"type({data}) not in {bound(SENT)}", _LEAVE)
    out.add(f"calls.append(made(WireCall, ({named}, {name}, {data}, extra, None)))")


def _write_extra_copy(places: _ReaderWriter, key: str, place: AnswerPlace) -> None:
    """Write code that copies a str or bytes at *place* to the call's extra, as *key*."""
    out, x = places.out, places.write_lookup(place)
    with out.open_block(f"if {x} is not None:"):
        out.guard(f"type({x}) not in {out.constants.bind(KEPT)}", _LEAVE)
        out.add(f"extra[{out.constants.bind_key(key)}] = {x}")
