"""JSON text to data: the only reader of JSON text from models and files.

Unlike `json.loads`, it refuses duplicate keys, NaN, the infinities and numbers with too many
digits, and it refuses deep nesting with a message instead of a `RecursionError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any, NoReturn

from typesig import json_backends
from typesig.json_backends import UNREAD
from typesig.limits import MAX_DIGITS, MAX_JSON, MAX_VALUE_DEPTH
from typesig.validation.plain_data import WrittenFloat

#: The strings and brackets of JSON text.  An unclosed text is a piece too, since looking for its
#: end again from each of its escapes would take long.  Possessive repetitions keep no place to
#: return to, of which a long text would have gigabytes.
PIECES = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)


#: Makes a float of its digits.
Number = Callable[[str], float]


class BadJson(ValueError):
    """Error for a text that is not JSON or exceeds a limit; a model reads its message.

    #: at: the index in the text where reading stopped, 0 if it is not known
    """

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


class NotJson(BadJson):
    """Error for a text that does not have the syntax of JSON."""


def read_json(source: str | bytes) -> Any:
    """Return the data of the JSON text *source*; raise `BadJson` with the reason and the place.

    >>> read_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    if type(source) is str and (data := _read_short(source, SCAN)) is not UNREAD:
        return data
    return _read(source, None)


def read_digits(source: str | bytes) -> tuple[Any, bool]:
    """Parse the JSON text *source*, and keep the original digits of its numbers.

    A number that is not an integer is a `WrittenFloat` unless it is written as Python writes the
    float.  The second value tells whether there are any.

    >>> read_digits("[1.5, 1.50]"), read_digits("[1.5, 1.50]")[0][1].digits
    (([1.5, 1.5], True), '1.50')
    """
    if type(source) is str and (data := _read_short(source, SCAN_DIGITS)) is not UNREAD:
        return data, False
    written = False

    def number(digits: str) -> float:
        nonlocal written
        made = float(digits)
        if repr(made) == digits:
            return made
        made = parse_written_float(digits)
        written = written or type(made) is WrittenFloat
        return made

    data = _read(source, number)
    return data, written


#: How JSON text may begin.
_BEGINS = frozenset('[{"-0123456789tfn \t\r\n')


def is_wrapped(source: str) -> bool:
    """Whether *source* plainly is not JSON alone; it may have JSON in it.

    >>> is_wrapped("So: [1]"), is_wrapped("[1] is it"), is_wrapped("[1]")
    (True, True, False)
    """
    begin = source[:1]
    if begin not in _BEGINS:
        return True
    return (begin in ("[", "{") and source[-1:] not in ("]", "}", "\n", " ")) or "```" in source[:9]


def _read_short(source: str, scan: Callable[[str, int], tuple[Any, int]]) -> Any:
    """Return the data of the short text *source*, or `UNREAD` for the slow path.

    Such a text cannot exceed a limit but for a float.
    """
    if len(source) > MAX_VALUE_DEPTH:
        return UNREAD
    try:
        data, end = scan(source, 0)
    except (StopIteration, ValueError):
        return UNREAD
    if end != len(source):
        return UNREAD
    return UNREAD if has_other_keys(source, count_keys(data)) else data


def has_other_keys(source: str, count: int) -> bool:
    """Whether *source* may repeat a key, as its data has *count* keys.

    Such a text has a key twice.

    >>> has_other_keys('{"a": "b:c"}', 1), has_other_keys('{"a": 1, "a": 2}', 1)
    (False, True)
    """
    # Each key has a colon, and so may strings have; that of a key is behind a quote or a blank.
    if source.count(":") == count:
        return False
    blanks = " :" in source or "\t:" in source or "\n:" in source or "\r:" in source
    return blanks or source.count('":') != count


def has_long_number(source: str) -> bool:
    """Whether the JSON text *source* may have a number of more than `MAX_DIGITS` characters.

    >>> has_long_number('["1.5"]'), has_long_number(f"[1.{'0' * 400}]")
    (False, True)
    """
    # Of such a number, some of few characters are a row, too; most texts are not looked at more.
    if _ROW_OF_FEW not in source[::_STEP].encode("ascii", "replace").translate(_NUMBERS):
        return False
    return _ROW in source.encode("utf-8", "surrogatepass").translate(_NUMBERS)


#: The characters of numbers as zeros, and others as blanks; those of a number that is too long.
_NUMBERS = bytes(ord("0") if code in b"0123456789+-.eE" else ord(" ") for code in range(256))
_ROW = b"0" * (MAX_DIGITS + 1)
#: How far the few characters are from each other.
_STEP = 25
_ROW_OF_FEW = b"0" * (len(_ROW) // _STEP)


def has_deep_value(source: str) -> bool:
    """Whether the JSON text *source* has a value that is nested too deep."""
    try:
        _JsonText(source).check_depth()
    except BadJson:
        return True
    return False


def is_read_alike(source: str, data: dict[str, Any]) -> bool:
    """Whether *data*, scanned from *source*, equals the result of `read_digits`.

    Not so if a part has parts, or digits of its own, or may be too long.
    """
    has_parts = not _COUNTED.isdisjoint(map(type, data.values()))
    return not has_parts and len(source) <= MAX_DIGITS and not has_other_keys(source, len(data))


def count_keys(data: Any) -> int:
    """Count the keys in *data*; negative if a float needs a closer check."""
    cls = type(data)
    if cls is float or cls is WrittenFloat:
        return 0 if cls is float and data - data == 0 else -MAX_VALUE_DEPTH
    count = len(data) if cls is dict else 0
    for item in data.values() if cls is dict else data if cls is list else ():
        if type(item) in _COUNTED:
            count += count_keys(item)
    return count


#: The classes of data in which keys are counted, or that may be unread.
_COUNTED = frozenset({dict, list, float, WrittenFloat})


def _read(source: str | bytes, number: Number | None) -> Any:
    """Parse the JSON text *source*, with *number* to make floats unless it is None."""
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
    text = _JsonText(source)
    text.check_depth()
    codec = json_backends.find_loaded_codec()
    if codec is not None and (known := codec.read(source)) is not UNREAD:
        return known
    try:
        if source.startswith("\ufeff"):
            raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", source, 0)
        return text.decode(number)
    except (BadJson, RecursionError):
        # What is not JSON may have strings, and so a depth, that was not seen.
        _check_depth(source)
        raise
    except json.JSONDecodeError as error:
        _check_depth(source)
        raise _make_not_json(error) from None


class _JsonText:
    """A JSON text with cached facts for checking its limits.

    Only a text that may exceed a limit is read piece by piece, or number by number.
    """

    __slots__ = ("_marks", "_plain", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._marks: bytes | None = None
        self._plain: bytes | None = None

    def get_unescaped(self) -> bytes:
        """Return the text without escapes."""
        if self._plain is None:
            plain = self._source
            if "\\" in plain:
                plain = plain.replace("\\\\", "").replace('\\"', "")
            self._plain = plain.encode("utf-8", "surrogatepass")
        return self._plain

    def get_marks(self) -> bytes:
        """Return the brackets, commas and colons outside strings of valid JSON."""
        if self._marks is None:
            # A string without marks is two quotes; those that are left may have brackets in them.
            marks = self.get_unescaped().translate(None, _NO_MARKS).replace(b'""', b"")
            self._marks = b"".join(marks.split(b'"')[::2])
        return self._marks

    def check_depth(self) -> None:
        """Raise `BadJson` if brackets nest too deep; may miss some in invalid JSON."""
        source = self._source
        if len(source) <= MAX_VALUE_DEPTH or source.count("[") + source.count("{") <= _SHALLOW:
            return
        if _may_be_deep(self.get_marks()):
            _check_depth(source)

    def decode(self, number: Number | None) -> Any:
        """Parse the text, with *number* to make floats unless it is None."""
        source = self._source
        if len(source) <= MAX_VALUE_DEPTH or _may_be_long(self.get_unescaped()):
            return (_CAREFUL if number is None else _make_decoder(number)).decode(source)
        if len(source) >= _LONG_TEXT:
            try:
                data, keys = _decode_and_count(source, number)
            except (ValueError, RecursionError):
                # An error in front of this one counts.
                pass
            else:
                # Each key has a colon outside of strings.
                if keys == source.count(":") or keys == self.get_marks().count(b":"):
                    return data
        return (_PLAIN if number is None else _make_decoder(number)).decode(source)


def _decode_and_count(source: str, number: Number | None) -> tuple[Any, int]:
    """Parse *source*; return its data and key count, with duplicates counted once."""
    keys = 0

    def count(made: dict[str, Any]) -> dict[str, Any]:
        nonlocal keys
        keys += len(made)
        return made

    decoder = json.JSONDecoder(
        object_hook=count, parse_constant=_refuse_constant, parse_float=number
    )
    return decoder.decode(source), keys


#: Brackets that cannot nest too deep.
_SHALLOW = MAX_VALUE_DEPTH
#: The length of a text from which counting its keys takes less than looking at each.
_LONG_TEXT = 500
#: All characters but those that show the structure: quotes, brackets, and the signs that may stand
#: between two strings.
_NO_MARKS = bytes(sorted(set(range(256)) - set(b'"[{]},:')))
#: A number for each bracket, which is 1 or, as a signed byte, -1.
_STEPS = bytes.maketrans(b"[{]}", bytes((1, 1, 255, 255)))
#: How often the innermost brackets are removed before the others are counted one by one.
_ROUNDS = 3


def _may_be_deep(marks: bytes) -> bool:
    """Whether the brackets of *marks* may nest beyond `MAX_VALUE_DEPTH`.

    Texts that are not JSON may nest deeper than this tells.
    """
    rest = brackets = marks.translate(None, b",:")
    for _ in range(_ROUNDS):
        # One round may remove two levels.
        rest = rest.replace(b"[]", b"").replace(b"{}", b"")
    if _compute_depth(rest) + 2 * _ROUNDS <= MAX_VALUE_DEPTH:
        return False
    return _compute_depth(brackets) > MAX_VALUE_DEPTH


def _compute_depth(brackets: bytes) -> int:
    """Compute the nesting depth of *brackets*, the brackets of a JSON text."""
    return max(accumulate(memoryview(brackets.translate(_STEPS)).cast("b")), default=0)


#: A number of fewer characters, without an exponent, is finite.
_LONG = 300
#: The characters of numbers as zeros, those of exponents as one sign, and others as blanks.
_DIGITS = bytes(
    ord("0") if code in b"0123456789+-." else ord("e") if code in b"eE" else ord(" ")
    for code in range(256)
)


def _may_be_long(text: bytes) -> bool:
    """Whether *text*, without escapes, may have numbers that exceed a limit."""
    if not _has_long(text):
        return False
    return _has_long(b"".join(text.split(b'"')[::2]))


def _has_long(text: bytes) -> bool:
    """Whether the JSON *text* may have a number with too many digits or an exponent."""
    digits = text.translate(_DIGITS)
    return b"0e" in digits or b"0" * _LONG in digits


def _make_not_json(error: json.JSONDecodeError) -> NotJson:
    """Convert *error* of the `json` module to `NotJson`, alike in all Python versions."""
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
    """Raise `BadJson` if the JSON text *source* is nested too deep."""
    depth = 0
    for piece in PIECES.finditer(source):
        if piece[0] in "[{":
            depth += 1
            if depth > MAX_VALUE_DEPTH:
                raise BadJson(f"nested too deep: at most {MAX_VALUE_DEPTH} levels", piece.start())
        elif piece[0] in "]}":
            depth -= 1


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of the *pairs* of a JSON object; raise `BadJson` on a duplicate key."""
    out = dict(pairs)
    if len(out) < len(pairs):
        last = {name: place for place, (name, _) in enumerate(pairs)}
        twice = next(name for place, (name, _) in enumerate(pairs) if last[name] != place)
        raise BadJson(f"not valid JSON: the key {json.dumps(twice[:60])} occurs twice")
    return out


def _refuse_constant(name: str) -> NoReturn:
    """Raise `BadJson` for the constant *name*, such as NaN, which JSON does not allow."""
    raise BadJson(f"not valid JSON: {name} is not a JSON number")


def parse_int(digits: str) -> int:
    """Return the integer of *digits*; raise `BadJson` if they are too many."""
    if len(digits) > MAX_DIGITS:
        raise BadJson(f"not readable: a number of {len(digits)} digits, at most {MAX_DIGITS}")
    return int(digits)


def parse_float(digits: str) -> float:
    """Return the float of *digits*; raise `BadJson` if it is not finite."""
    number = float(digits) if len(digits) <= MAX_DIGITS else float("inf")
    if number - number != 0:
        raise BadJson(f"not readable: the number {digits[:20]} is too large")
    return number


def parse_written_float(digits: str) -> float:
    """Parse *digits* to a float, which keeps them if Python writes it differently."""
    number = parse_float(digits)
    return number if repr(number) == digits else WrittenFloat(digits)


def _make_decoder(number: Number) -> json.JSONDecoder:
    """Make a strict JSON decoder that reads decimal numbers with *number*."""
    return json.JSONDecoder(
        object_pairs_hook=_make_object,
        parse_constant=_refuse_constant,
        parse_int=parse_int,
        parse_float=number,
    )


#: Checks each number.
_CAREFUL = _make_decoder(parse_float)
#: Scan a value from an index on; keys that occur twice are not seen.
SCAN = json.JSONDecoder(parse_constant=_refuse_constant).scan_once  # type: ignore[attr-defined]
_OF_DIGITS = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=parse_written_float)
SCAN_DIGITS = _OF_DIGITS.scan_once  # type: ignore[attr-defined]
_SCAN_CAREFULLY = _make_decoder(parse_written_float).scan_once  # type: ignore[attr-defined]


def scan_value(source: str, start: int) -> tuple[Any, int] | None:
    """Parse the list or object at *start*; return data and end index, or None.

    None if there is none, or if it exceeds a limit.

    >>> scan_value("So: [1, 2].", 4), scan_value("So: [1, 2,].", 4)
    (([1, 2], 10), None)
    """
    try:
        data, end = _SCAN_CAREFULLY(source, start)
        _JsonText(source[start:end]).check_depth()
    except (StopIteration, ValueError, RecursionError):
        return None
    return data, end


#: For texts whose numbers are within the limits.
_PLAIN = json.JSONDecoder(object_pairs_hook=_make_object, parse_constant=_refuse_constant)
