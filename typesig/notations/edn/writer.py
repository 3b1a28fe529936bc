"""A value to EDN text on one line; equal values in the same order give equal texts."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any, assert_never

from typesig.algebra.rows.values import get_kind
from typesig.errors import TooDeep, TooLarge, Unsupported
from typesig.limits import MAX_DIGITS, MAX_EDN_DEPTH, MAX_TEXT
from typesig.notations.edn import Symbol, is_name
from typesig.notations.edn.rules import shorten
from typesig.notations.texts.quoting import quote

# The two surrogates of one character, which EDN would read as that character.
_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")

# A number of more bits has too many digits; Python refuses to print very long numbers.
_MAX_BITS = 4 * MAX_DIGITS

#: The place of a value: that of its container, and its index or key there; None at the root.
Place = tuple[Any, object] | None


def write(value: object) -> str:
    """Return *value* as EDN text; raise `Unsupported` with the place, `TooLarge`, `TooDeep`."""
    output = _Output()
    output.put(value, None, 0)
    return "".join(output.pieces)


class _Output:
    """EDN text under construction: its pieces and its length."""

    __slots__ = ("length", "pieces")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0

    def add(self, piece: str) -> None:
        """Append the text *piece*; raise `TooLarge` if the output gets too long."""
        self.length += len(piece)
        if self.length > MAX_TEXT:
            raise TooLarge(f"an EDN text may have {MAX_TEXT} characters, this value takes more")
        self.pieces.append(piece)

    def put(self, value: Any, place: Place, depth: int) -> None:
        """Write the Python *value* at path *place* as EDN, nested *depth* levels."""
        kind = get_kind(value)
        match kind:
            case "list":
                opened, closed = ("(", ")") if isinstance(value, tuple) else ("[", "]")
                self._put_items(opened, value, closed, place, _check_depth(depth))
            case "map":
                self._put_map(value, place, _check_depth(depth))
            case "set":
                _check_depth(depth)
                # Sorted, since Python's order of texts differs from one process to the next.
                self.add("#{" + " ".join(sorted(_write_members(value, place))) + "}")
            case "nil" | "bool" | "int" | "float" | "string" | "keyword" | "datetime" | "object":
                self.add(_write_word(value, place))
            case _:
                assert_never(kind)

    def _put_items(
        self, opened: str, items: Iterable[Any], closed: str, place: Place, depth: int
    ) -> None:
        """Write the values *items* between the brackets *opened* and *closed*."""
        self.add(opened)
        for index, inner in enumerate(items):
            if index:
                self.add(" ")
            self.put(inner, (place, index), depth)
        self.add(closed)

    def _put_map(self, value: dict[Any, Any], place: Place, depth: int) -> None:
        """Write the dict *value* at path *place* as an EDN map."""
        self.add("{")
        for index, (key, inner) in enumerate(value.items()):
            self.add((" " if index else "") + _write_word(key, place, "a key") + " ")
            self.put(inner, (place, key), depth)
        self.add("}")


def _check_depth(depth: int) -> int:
    """Return *depth* plus 1; raise `TooDeep` if EDN may not nest deeper."""
    if depth >= MAX_EDN_DEPTH:
        raise TooDeep(f"EDN may nest {MAX_EDN_DEPTH} levels, this value has more")
    return depth + 1


def _write_members(value: Iterable[object], place: Place) -> list[str]:
    """Write the members of the set *value* at path *place* as EDN texts."""
    return [_write_word(member, place, "the member of a set") for member in value]


def _write_word(value: Any, place: Place, role: str = "one word") -> str:
    """Write the scalar *value* as EDN; refuse a collection in the role *role*."""
    kind = get_kind(value)
    match kind:
        case "nil":
            return "nil"
        case "bool":
            return "true" if value else "false"
        case "int":
            return _write_integer(int(value))
        case "float":
            number = float(value)
            if number - number != 0:
                raise _make_unsupported(
                    f"EDN has no form for {number}; write nil, or a number", place
                )
            return repr(number)
        case "string":
            return _write_text(str.__str__(value), place)
        case "keyword":
            if not is_name(value):
                named = shorten(str.__repr__(value))
                message = f"the keyword {named} has no form in EDN; write it as a text"
                raise _make_unsupported(message, place)
            return f":{str.__str__(value)}"
        case "datetime" | "object":
            if isinstance(value, Symbol):
                return value.name
            decimal = sys.modules.get("decimal")
            # If the module is not loaded, the value cannot be a Decimal.
            if decimal is not None and isinstance(value, decimal.Decimal):
                if not value.is_finite():
                    raise _make_unsupported(
                        f"EDN has no form for {value}; write nil, or a number", place
                    )
                text = str(value)
                if len(text.lstrip("-")) > MAX_DIGITS or abs(value.adjusted()) > MAX_DIGITS:
                    raise TooLarge(f"a number may have {MAX_DIGITS} digits")
                return f"{text}M"
            raise _make_unsupported(
                f"EDN has no form for a value of {type(value).__name__}; write its text", place
            )
        case "list" | "map" | "set":
            why = f"a {kind} cannot be {role}; a keyword, symbol, text or number can"
            raise _make_unsupported(why, place)
        case _:
            assert_never(kind)


def _write_integer(value: int) -> str:
    """Write the integer *value*; raise `TooLarge` if it has too many digits."""
    text = str(value) if value.bit_length() <= _MAX_BITS else ""
    if not 0 < len(text.lstrip("-")) <= MAX_DIGITS:
        raise TooLarge(f"a number may have {MAX_DIGITS} digits")
    return text


def _write_text(text: str, place: Place) -> str:
    """Write *text* as an EDN string; refuse a pair of surrogates, naming path *place*."""
    if _HALVES.search(text):
        raise _make_unsupported(
            "EDN has no form for a text with the two surrogates of one character", place
        )
    # EDN has the escapes of JSON.
    return quote(text)


def _make_unsupported(message: str, place: Place) -> Unsupported:
    """Build the `Unsupported` error with *message* for the value at path *place*."""
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(_write_word(step, None, "a key"))
    return Unsupported(message, tuple(reversed(steps)))
