"""A value to EDN text: on one line, equal values in the same order giving equal texts.

Nothing here loads lark.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

from typesig.algebra.values import kind_of
from typesig.errors import TooDeep, TooLarge, Unsupported
from typesig.limits import MAX_DIGITS, MAX_EDN_DEPTH, MAX_TEXT
from typesig.notations.edn.data import Symbol, is_name

# Python's two halves of one character, which EDN would read as one.
_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")

# Numbers with more digits have more bits than this; Python refuses to count digits of long ones.
_MAX_BITS = 4 * MAX_DIGITS

#: Where a value stands: what it stands in, and its index or key there; None at the root.
Place = tuple[Any, object] | None


def write(value: object) -> str:
    """Return *value* as EDN text; raise `Unsupported` with the place, `TooLarge`, `TooDeep`."""
    page = _Page()
    page.put(value, None, 0)
    return "".join(page.pieces)


class _Page:
    """What is written so far, and its length."""

    __slots__ = ("length", "pieces")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0

    def add(self, piece: str) -> None:
        self.length += len(piece)
        if self.length > MAX_TEXT:
            raise TooLarge(f"an EDN text may have {MAX_TEXT} characters, this value takes more")
        self.pieces.append(piece)

    def put(self, value: Any, place: Place, depth: int) -> None:
        kind = kind_of(value)
        if kind not in ("list", "map", "set"):
            self.add(_word(value, kind, place))
            return
        depth += 1
        if depth > MAX_EDN_DEPTH:
            raise TooDeep(f"EDN may nest {MAX_EDN_DEPTH} levels, this value has more")
        if kind == "map":
            self.add("{")
            for index, (key, inner) in enumerate(value.items()):
                self.add((" " if index else "") + _plain(key, "a key", place) + " ")
                self.put(inner, (place, key), depth)
            self.add("}")
        elif kind == "set":
            # Sorted, since Python's order of texts differs from one process to the next.
            self.add("#{" + " ".join(sorted(_members(value, place))) + "}")
        else:
            opened, closed = ("(", ")") if isinstance(value, tuple) else ("[", "]")
            self.add(opened)
            for index, inner in enumerate(value):
                if index:
                    self.add(" ")
                self.put(inner, (place, index), depth)
            self.add(closed)


def _members(value: Iterable[object], place: Place) -> list[str]:
    return [_plain(member, "the member of a set", place) for member in value]


def _plain(value: Any, role: str, place: Place) -> str:
    """Return a key or a member as text: such as `read` takes."""
    kind = kind_of(value)
    if kind in ("list", "map", "set"):
        raise _cannot(f"a {kind} cannot be {role}; a keyword, symbol, text or number can", place)
    return _word(value, kind, place)


def _word(value: Any, kind: str, place: Place) -> str:
    match kind:
        case "nil":
            return "nil"
        case "bool":
            return "true" if value else "false"
        case "int":
            return _integer(int(value))
        case "float":
            number = float(value)
            if number - number != 0:
                raise _cannot(f"EDN has no form for {number}; write nil, or a number", place)
            return repr(number)
        case "string":
            return _text(str.__str__(value), place)
        case "keyword":
            if not is_name(value):
                message = f"the keyword {_shown(value)} has no form in EDN; write it as a text"
                raise _cannot(message, place)
            return f":{str.__str__(value)}"
        case _:
            return _other(value, place)


def _integer(value: int) -> str:
    text = str(value) if value.bit_length() <= _MAX_BITS else ""
    if not 0 < len(text.lstrip("-")) <= MAX_DIGITS:
        raise TooLarge(f"a number may have {MAX_DIGITS} digits")
    return text


def _text(text: str, place: Place) -> str:
    if _HALVES.search(text):
        raise _cannot("a text with the two halves of a character apart has no form in EDN", place)
    # JSON's escapes are EDN's.
    dumped = json.dumps(text, ensure_ascii=False)
    if dumped.isprintable():
        return dumped
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in dumped)


def _other(value: Any, place: Place) -> str:
    if isinstance(value, Symbol):
        return value.name
    decimal = sys.modules.get("decimal")
    # Where the module is not loaded, nothing can be one of its numbers.
    if decimal is not None and isinstance(value, decimal.Decimal):
        return _decimal(value, place)
    raise _cannot(f"EDN has no form for a value of {type(value).__name__}; write its text", place)


def _decimal(value: Any, place: Place) -> str:
    if not value.is_finite():
        raise _cannot(f"EDN has no form for {value}; write nil, or a number", place)
    text = str(value)
    if len(text.lstrip("-")) > MAX_DIGITS or abs(value.adjusted()) > MAX_DIGITS:
        raise TooLarge(f"a number may have {MAX_DIGITS} digits")
    return f"{text}M"


def _shown(name: str) -> str:
    text = str.__repr__(name)
    return text if len(text) <= 30 else text[:29] + "…"


def _cannot(message: str, place: Place) -> Unsupported:
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(_plain(step, "a key", None))
    return Unsupported(message, tuple(reversed(steps)))
