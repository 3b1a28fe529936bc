"""What a model sent, written as JSON again, with complaints at the places where they stand.

A complaint is a comment at the end of a line, after `//`; one about what is not there has a line of
its own.  Parts without complaints are written in full, cut, or left out, as the detail asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, assert_never

from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import get_kind, is_text
from typesig.limits import MAX_DIGITS, MAX_ECHO_DEPTH, MAX_JSON
from typesig.sentinels import ABSENT
from typesig.validation.check_state import Subject
from typesig.validation.issues.excerpt import quote_text
from typesig.validation.outcome.visibility import CUT, SECRET, Shapes, Visibility
from typesig.validation.plain_data import get_digits


class AnnotationNode:
    """The error messages at one path of the raw input, and its child nodes.

    #: own: those about the value; lines: those about what is not in the map, or not shown
    #: below: the places in the map or list, by key or index
    """

    __slots__ = ("below", "lines", "own")

    def __init__(self) -> None:
        self.own: list[str] = []
        self.lines: list[str] = []
        self.below: dict[Any, AnnotationNode] = {}

    def get_child(self, step: Any) -> AnnotationNode:
        """Return the child node at *step*, created on first use."""
        return self.below.setdefault(step, AnnotationNode())


#: The mark of a place without complaints, as most are; nothing is added to it.
_UNMARKED = AnnotationNode()


class DetailLevel(NamedTuple):
    """Limits for the parts of the raw input that have no error messages.

    #: room: the characters of each; run: how many of them stand together, or all are left out
    """

    room: int
    run: int


class AnnotationTooLong(Exception):
    """Raised if the annotated input exceeds its limit of characters or lines."""


class InputAnnotator:
    """Writer of a raw input with error messages as comments.

    Raises `AnnotationTooLong` as soon as there are more than *room* characters, or more than *most*
    lines.

    #: is_cut: whether something was cut or left out
    """

    def __init__(self, visibility: Visibility, detail: DetailLevel, room: int, most: int) -> None:
        self._visibility = visibility
        self._detail = detail
        self._room = room
        self._most = most
        self._lines: list[tuple[str, str]] = []
        self.is_cut = False

    def write_value(self, value: Any, mark: AnnotationNode) -> str:
        """Write *value* with the error messages of *mark* as comments."""
        self._write_part("", value, self._visibility.whole, mark, 0)
        return "\n".join([f"{line}  // {note}" if note else line for line, note in self._lines])

    def _add(self, depth: int, line: str, notes: list[str] | None = None) -> None:
        """Add *line*, indented by *depth*, with *notes* as a comment behind it."""
        note = "; ".join(notes or ())
        self._lines.append(("  " * depth + line, note))
        self._room -= 2 * depth + len(line) + len(note) + 5
        if self._room < 0 or len(self._lines) > self._most:
            raise AnnotationTooLong

    def _write_part(
        self, lead: str, value: Any, shapes: Shapes, mark: AnnotationNode, depth: int
    ) -> None:
        """Write *value* after *lead*, on one line unless *mark* has nodes inside."""
        concealed = self._visibility.get_concealment(shapes, value)
        if concealed or not (mark.below or mark.lines):
            out = [lead, concealed]
            if not concealed:
                self._write(value, shapes, out, self._detail.room, 0)
            self._add(depth, "".join(out), mark.own)
        elif get_kind(value) == "map":
            self._add(depth, f"{lead}{{", mark.own)
            self._map(value, shapes, mark, depth + 1)
            self._add(depth, "}")
        else:
            self._add(depth, f"{lead}[", mark.own)
            self._list(value, shapes, mark, depth + 1)
            self._add(depth, "]")

    def _map(self, value: Any, shapes: Shapes, mark: AnnotationNode, depth: int) -> None:
        """Write the entries of the map *value* with the messages in *mark*."""
        start = len(self._lines)
        keys = list(dict.keys(value))
        marked = [place for place, key in enumerate(keys) if key in mark.below]
        for place in self._iter_places(len(keys), marked, "key", depth, start):
            key = keys[place]
            name = write_key(key)
            entry = self._visibility.get_entry(shapes, name)
            if entry.firewalled:
                continue
            self._join(start)
            self.is_cut = self.is_cut or not is_text(key)
            lead = f"{quote_text(name, max(self._detail.room, 8))}: "
            below = mark.below.get(key, _UNMARKED)
            if entry.secret:
                self._add(depth, lead + SECRET, below.own)
            else:
                self._write_part(lead, dict.__getitem__(value, key), entry.shapes, below, depth)
        for each in mark.lines:
            self._add(depth, f"// {each}")

    def _list(self, value: Any, shapes: Shapes, mark: AnnotationNode, depth: int) -> None:
        """Write the items of the list *value* with the messages in *mark*."""
        start = len(self._lines)
        items = list(iter_items(value))
        for place in self._iter_places(len(items), sorted(mark.below), "item", depth, start):
            self._join(start)
            below = mark.below.get(place, _UNMARKED)
            self._write_part(
                "", items[place], self._visibility.get_item_shapes(shapes, place), below, depth
            )

    def _iter_places(
        self, count: int, marked: list[int], what: str, depth: int, start: int
    ) -> Iterator[int]:
        """Yield the indices to write of *count*; write a line for each gap."""
        following = 0
        for place in [*marked, count]:
            skipped = place - following
            if skipped > self._detail.run:
                self._join(start)
                self.is_cut = True
                self._add(depth, f"{CUT} {skipped} {what}{'s' if skipped > 1 else ''}")
            else:
                yield from range(following, place)
            if place < count:
                yield place
            following = place + 1

    def _join(self, start: int) -> None:
        """Add a comma to the last line, if it was added after line *start*."""
        if len(self._lines) > start:
            line, note = self._lines[-1]
            self._lines[-1] = (f"{line},", note)

    def _write(self, value: Any, shapes: Shapes, out: list[str], room: int, depth: int) -> int:
        """Append an excerpt of *value* to *out*; return the *room* left."""
        if concealed := self._visibility.get_concealment(shapes, value):
            out.append(concealed)
            return room - len(concealed)
        kind = get_kind(value)
        match kind:
            case "list":
                parts = (
                    ("", item, self._visibility.get_item_shapes(shapes, index))
                    for index, item in enumerate(iter_items(value))
                )
                return self._write_items("[]", parts, out, room, depth)
            case "map":
                return self._write_items(
                    "{}", self._iter_entries(value, shapes, room), out, room, depth
                )
            case "nil":
                out.append("null")
            case "bool":
                out.append("true" if value else "false")
            case "int":
                is_long = int.bit_length(value) > 4 * MAX_DIGITS
                self.is_cut = self.is_cut or is_long
                out.append(CUT if is_long else int.__repr__(value))
            case "float":
                # As Python's reader of JSON spells them.
                named = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
                written = get_digits(value)
                out.append(named.get(written, written))
            case "string" | "keyword":
                self.is_cut = self.is_cut or str.__len__(value) > max(room, 8)
                out.append(quote_text(value, max(room, 8)))
            case "datetime" | "set" | "object":
                # A model sends none of them.
                self.is_cut = True
                out.append(CUT)
            case _:
                assert_never(kind)
        return room - len(out[-1])

    def _iter_entries(
        self, value: Any, shapes: Shapes, room: int
    ) -> Iterator[tuple[str, Any, Shapes | None]]:
        """Iterate over visible entries of the map *value*: key, value, types."""
        for key, item in dict.items(value):
            name = write_key(key)
            entry = self._visibility.get_entry(shapes, name)
            if not entry.firewalled:
                self.is_cut = self.is_cut or not is_text(key)
                yield (
                    f"{quote_text(name, max(room, 8))}: ",
                    item,
                    None if entry.secret else entry.shapes,
                )

    def _write_items(
        self,
        brackets: str,
        parts: Iterator[tuple[str, Any, Shapes | None]],
        out: list[str],
        room: int,
        depth: int,
    ) -> int:
        """Append *parts* in *brackets* to *out* as a line; return the room left."""
        out.append(brackets[0])
        for count, (lead, item, shapes) in enumerate(parts):
            if count:
                out.append(", ")
            if room <= 0 or depth >= MAX_ECHO_DEPTH:
                self.is_cut = True
                out.append(CUT)
                break
            out.append(lead)
            room -= len(lead) + 2
            if shapes is None:
                out.append(SECRET)
                room -= len(SECRET)
            else:
                room = self._write(item, shapes, out, room, depth + 1)
        out.append(brackets[1])
        return room - 2


def write_without_secrets(value: Any, subject: Subject, room: int) -> str:
    """Return *value* of *subject* as JSON in one line, cut to about *room* characters."""
    return InputAnnotator(Visibility(subject), DetailLevel(room, 0), MAX_JSON, 1).write_value(
        value, AnnotationNode()
    )


def iter_items(value: Any) -> Iterator[Any]:
    """Iterate over the list or tuple *value*, ignoring overridden methods."""
    return list.__iter__(value) if issubclass(type(value), list) else tuple.__iter__(value)


def get_item(value: Any, index: int) -> Any:
    """Return the item at *index* of a list or tuple."""
    if issubclass(type(value), list):
        return list.__getitem__(value, index)
    return tuple.__getitem__(value, index)


def write_key(key: Any) -> str:
    """Write the map *key* as its JSON text, or `…` if it has none."""
    match get_kind(key):
        case "string" | "keyword":
            return str.__str__(key)
        case "bool":
            return "true" if key else "false"
        case "int" if int.bit_length(key) <= 4 * MAX_DIGITS:
            return int.__repr__(key)
        case "float":
            return float.__repr__(key)
        case "nil":
            return "null"
        case "int" | "list" | "map" | "set" | "datetime" | "object":
            return CUT
        case kind:
            assert_never(kind)


class KeyFinder:
    """Lookup of path steps in values whose keys may be spelled differently."""

    def __init__(self) -> None:
        self._spelled: dict[int, dict[str, Any]] = {}

    def find_key(self, value: Any, step: str | int) -> Any:
        """Return the key or index of *value* that matches *step*, or `ABSENT`."""
        kind = get_kind(value)
        if kind == "list" and isinstance(step, int):
            count = list.__len__(value) if issubclass(type(value), list) else tuple.__len__(value)
            return step if 0 <= step < count else ABSENT
        if kind != "map":
            return ABSENT
        if dict.__contains__(value, step):
            return step
        keys = self._spelled.get(id(value))
        if keys is None:
            keys = self._spelled[id(value)] = _collect_spellings(dict.keys(value))
        name = str(step)
        return keys.get(name, keys.get(fold_name(name), keys.get(_drop_separators(name), ABSENT)))


def _collect_spellings(keys: Iterable[Any]) -> dict[str, Any]:
    """Map each accepted spelling of *keys* to its key."""
    out: dict[str, Any] = {}
    for key in keys:
        name = write_key(key)
        for spelling in (name, fold_name(name), _drop_separators(name)):
            out.setdefault(spelling, key)
    return out


def _drop_separators(name: str) -> str:
    """Return *name* without separators, all in lower case; leading underscores stay."""
    bare = fold_name(name).lstrip("_")
    return name[: len(name) - len(bare)] + bare.replace("_", "").lower()
