"""JSON text to data: the only reader of JSON text from models and files.

Unlike `json.loads`, it refuses duplicate keys, NaN, the infinities and numbers with too many
digits, and it refuses deep nesting with a message instead of a `RecursionError`.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from typesig.limits import MAX_DIGITS, MAX_JSON, MAX_VALUE_DEPTH

# An unclosed text is a piece too, since looking for its end again from each of its escapes would
# take long.  Possessive repetitions keep no place to return to, of which a long text would have
# gigabytes.
_PIECES = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)


class BadJson(ValueError):
    """The text is not JSON, or exceeds a limit; the message is for the model.

    #: at: the index in the text where reading stopped, 0 if it is not known
    """

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


class NotJson(BadJson):
    """The text does not have the syntax of JSON."""


def read_json(source: str | bytes) -> Any:
    """Return the data of the JSON text *source*; raise `BadJson` with the reason and the place.

    >>> read_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    if isinstance(source, bytes):
        if len(source) > 4 * MAX_JSON:
            # No character of UTF-8 has more bytes.
            raise BadJson(f"too large: {len(source)} bytes, at most {MAX_JSON} characters")
        try:
            source = source.decode()
        except UnicodeDecodeError as error:
            raise BadJson(f"not valid JSON: byte {error.start} is not UTF-8", error.start) from None
    if len(source) > MAX_JSON:
        raise BadJson(f"too large: {len(source)} characters, at most {MAX_JSON}")
    _check_depth(source)
    try:
        return json.loads(
            source,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_int=int_of,
            parse_float=float_of,
        )
    except BadJson:
        raise
    except json.JSONDecodeError as error:
        raise _not_json(error) from None


def _not_json(error: json.JSONDecodeError) -> NotJson:
    msg, pos = error.msg.removesuffix(" at"), error.pos
    if msg.startswith("Illegal trailing comma"):
        # Python 3.13 tells of the comma, older ones of what stands behind it.
        ends_object = msg.endswith("object")
        msg = (
            "Expecting property name enclosed in double quotes"
            if ends_object
            else "Expecting value"
        )
        behind = error.doc[pos + 1 :]
        pos += 1 + len(behind) - len(behind.lstrip(" \t\n\r"))
    line, column = error.doc.count("\n", 0, pos) + 1, pos - error.doc.rfind("\n", 0, pos)
    return NotJson(f"not valid JSON: {msg} at line {line} column {column}", pos)


def _check_depth(source: str) -> None:
    depth = 0
    for piece in _PIECES.finditer(source):
        if piece[0] in "[{":
            depth += 1
            if depth > MAX_VALUE_DEPTH:
                raise BadJson(f"nested too deep: at most {MAX_VALUE_DEPTH} levels", piece.start())
        elif piece[0] in "]}":
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        last = {name: place for place, (name, _) in enumerate(pairs)}
        twice = next(name for place, (name, _) in enumerate(pairs) if last[name] != place)
        raise BadJson(f"not valid JSON: the key {json.dumps(twice[:60])} occurs twice")
    return out


def _constant(name: str) -> NoReturn:
    raise BadJson(f"not valid JSON: {name} is not a JSON number")


def int_of(digits: str) -> int:
    """Return the integer of *digits*; raise `BadJson` if they are too many."""
    if len(digits) > MAX_DIGITS:
        raise BadJson(f"not readable: a number of {len(digits)} digits, at most {MAX_DIGITS}")
    return int(digits)


def float_of(digits: str) -> float:
    """Return the float of *digits*; raise `BadJson` if it is not finite."""
    number = float(digits) if len(digits) <= MAX_DIGITS else float("inf")
    if number - number != 0:
        raise BadJson(f"not readable: the number {digits[:20]} is too large")
    return number
