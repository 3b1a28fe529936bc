"""Coercions: values of another kind that input may have, one row each.

A row names the kinds that are read and the scalar that they become; a policy turns rows on by id.
To add a coercion, add its id to `CoercionId` and its row to `COERCIONS`;
`tests/house/test_totality.py` then asks for a sample.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.rows.formats import is_date_time
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Keyword, Kind, is_long, is_text
from typesig.errors import TypesigError, short
from typesig.limits import MAX_DATETIME, MAX_DIGITS
from typesig.validation.issues.written import WrittenFloat, digits_of

CoercionId: TypeAlias = Literal[
    "int_from_string",
    "float_from_string",
    "bool_from_string",
    "float_from_int",
    "int_from_whole_float",
    "string_from_keyword",
    "keyword_from_string",
    "datetime_from_string",
    "absent_from_null",
    "enum_from_string",
    "enum_ignoring_case",
    "decimal_from_number",
    "naive_datetime",
    "list_from_set",
    "data_from_string",
    "list_from_item",
    "nil_from_word",
    "bool_from_word",
    "datetime_from_iso",
    "enum_ignoring_separators",
    "key_ignoring_case",
    "arguments_from_string",
    "arguments_from_nothing",
    "arguments_from_wrapper",
]


class _Refused:
    """The class of `REFUSED`."""


#: The result of a row for a value that it cannot convert without loss.
REFUSED = _Refused()


class Coercion(NamedTuple):
    """A conversion of values of some kinds to a scalar, or to text in a format.

    #: sources: the kinds that are read; empty if the check applies the row by its id
    #: target: the scalar that the value becomes, or None
    #: apply: returns the converted value, or `REFUSED`
    #: warns: whether there is a warning of it; see also `Policy.verbose` and `Policy.json_results`
    #: on: whether it is on in policies that coerce
    #: guess: whether it is a guess that people commonly want, which only `lenient` makes
    #: decoding: whether it reads JSON's only form of the scalar; then a policy cannot turn it off
    #: format: the format of text that the value becomes, or None
    """

    id: CoercionId
    sources: frozenset[Kind]
    target: ScalarName | None
    apply: Callable[[Any], Any]
    warns: bool = True
    on: bool = True
    decoding: bool = False
    format: str | None = None
    guess: bool = False


_INT = re.compile(r"[+-]?[0-9]+")
_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def int_from_string(text: str) -> Any:
    """Return the integer that *text* writes in ASCII digits, or `REFUSED`."""
    if len(text) > MAX_DIGITS or _INT.fullmatch(text) is None:
        return REFUSED
    return int(text)


def float_from_string(text: str) -> Any:
    """Return the finite number that *text* writes in JSON's syntax, or `REFUSED`."""
    if len(text) > MAX_DIGITS:
        return REFUSED
    text = text.strip(" \t\n\r")
    if _FLOAT.fullmatch(text) is None:
        return REFUSED
    if len(text) > _SURE and text.lstrip("+-").isdigit():
        # An integer is the same in quotes and without.
        return float_from_int(int(text))
    number = float(text)
    return number if number - number == 0 else REFUSED


def number_from_string(text: str) -> Any:
    """Return the int or the finite float that *text* writes in JSON's syntax, or `REFUSED`.

    It is for policies without `float_from_int`, where an int conforms to a float and stays one.
    """
    number = float_from_string(text)
    bare = text.strip(" \t\n\r")
    # An integer that no float is equal to is refused there.
    return int(bare) if _INTEGER.fullmatch(bare) and len(text) <= MAX_DIGITS else number


#: Each integer of so many characters is equal to a float.
_SURE = 15


def bool_from_string(text: str) -> Any:
    """Return the boolean if *text* is exactly `true` or `false`, else `REFUSED`."""
    return {"true": True, "false": False}.get(text, REFUSED)


_BOOL_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def bool_from_word(text: str) -> Any:
    """Return the boolean that *text*, a word such as `True`, `yes` or `on`, says, or `REFUSED`."""
    return _BOOL_WORDS.get(text.lower(), REFUSED) if len(text) <= len("false") else REFUSED


def float_from_int(number: int) -> Any:
    """Return the float that is equal to *number*, or `REFUSED`."""
    try:
        as_float = float(number)
    except OverflowError:
        return REFUSED
    return as_float if as_float == number else REFUSED


def int_from_whole_float(number: float) -> Any:
    """Return the integer that the digits of *number* write, or `REFUSED`.

    Python writes the digits of a float that is not read from text.
    """
    if type(number) is not WrittenFloat:
        if not float.is_integer(number):
            return REFUSED
        if -_MOST_EXACT < number < _MOST_EXACT:
            return int(number)
    digits = digits_of(number)
    if not number:
        # The exponent may be beyond those of a `Decimal`.
        return REFUSED if digits.lower().partition("e")[0].strip("+-.0") else 0
    # Loaded for such numbers only.
    from decimal import Decimal

    written = Decimal(digits)
    whole = int(written) if written.adjusted() >= 0 else 0
    return whole if whole == written else REFUSED


#: A whole float below it has the digits of that integer.
_MOST_EXACT = 1e15


def datetime_from_string(text: str) -> Any:
    """Return the aware datetime that *text* writes as RFC 3339, or `REFUSED`.

    A space may separate date and time, which that standard leaves to applications.
    """
    if len(text) > MAX_DATETIME or not is_date_time(text := text.replace(" ", "T", 1)):
        return REFUSED
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        # A leap second, which RFC 3339 has and Python's datetime does not have.
        return REFUSED


_ISO = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2})(:[0-9]{2}(?:\.[0-9]+)?)? ?"
    r"([Zz]|[+-][0-9]{2}:?[0-9]{2})?"
)


def rfc_3339(text: str) -> str | None:
    """Return *text*, ISO 8601 that leaves out seconds or a colon, as RFC 3339, or None.

    A text without an offset has none in the result.
    """
    found = _ISO.fullmatch(text) if len(text) <= MAX_DATETIME else None
    if found is None:
        return None
    date, minutes, seconds, offset = found.groups(default="")
    if offset[-5:-4] in ("+", "-") and offset[-3] != ":":
        offset = f"{offset[:3]}:{offset[3:]}"
    return f"{date}T{minutes}{seconds or ':00'}{offset}"


def datetime_from_iso(text: str) -> Any:
    """Return the aware datetime that *text* writes in a variant of ISO 8601, or `REFUSED`."""
    written = rfc_3339(text.strip())
    return REFUSED if written is None else datetime_from_string(written)


def zone_named(name: str) -> tzinfo:
    """Return the zone *name*; raise `TypesigError` if it is not UTC or a known IANA name."""
    if name == "UTC":
        return UTC
    # Reads files, so it is imported only if a zone is named.
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError, TypeError, AttributeError):
        raise TypesigError(
            f"there is no time zone {short(name)}; write UTC or an IANA name such as Europe/Berlin "
            "(Python takes these from the system, or from the package tzdata)"
        ) from None


def read_in_zone(value: Any, zone: tzinfo) -> Any:
    """Return a datetime without an offset, or its text, as one in *zone*; `REFUSED` for others."""
    if is_text(value):
        text = value.strip()
        value = datetime_from_string(text + "Z")
        return REFUSED if value is REFUSED else value.replace(tzinfo=zone)
    if issubclass(type(value), datetime) and value.utcoffset() is None:
        return value.replace(tzinfo=zone)
    return REFUSED


def keyword_from_string(text: str) -> Any:
    """Return *text*, without leading colons, as a keyword.

    No text is refused: JSON Schema has only strings for keywords.
    """
    return Keyword(text.lstrip(":"))


def string_from_keyword(keyword: Keyword) -> Any:
    """Return the text of *keyword*."""
    return str.__str__(keyword)


def digits_of_number(number: Any) -> Any:
    """Return the text of a finite *number*, with the digits that it was written with."""
    if isinstance(number, int):
        return REFUSED if is_long(number) else int.__repr__(number)
    return digits_of(number) if number - number == 0 else REFUSED


def _by_id(_: Any) -> Any:
    return REFUSED


def _from(*kinds: Kind) -> frozenset[Kind]:
    return frozenset(kinds)


COERCIONS: dict[CoercionId, Coercion] = {
    row.id: row
    for row in (
        Coercion("int_from_string", _from("string"), "int", int_from_string),
        Coercion("float_from_string", _from("string"), "float", float_from_string),
        Coercion("bool_from_string", _from("string"), "bool", bool_from_string),
        Coercion("float_from_int", _from("int"), "float", float_from_int, warns=False),
        Coercion(
            "int_from_whole_float",
            _from("float"),
            "int",
            int_from_whole_float,
            on=False,
            guess=True,
        ),
        Coercion("string_from_keyword", _from("keyword"), "string", string_from_keyword),
        Coercion(
            "keyword_from_string", _from("string"), "keyword", keyword_from_string, decoding=True
        ),
        Coercion(
            "datetime_from_string",
            _from("string"),
            "datetime",
            datetime_from_string,
            warns=False,
            decoding=True,
        ),
        # These depend on more than the kind of a value: the check applies them by their ids.
        Coercion("absent_from_null", _from(), None, _by_id),
        Coercion("enum_from_string", _from(), None, _by_id),
        Coercion("enum_ignoring_case", _from(), None, _by_id, on=False, guess=True),
        Coercion(
            "decimal_from_number",
            _from("int", "float"),
            None,
            digits_of_number,
            warns=False,
            format="decimal",
        ),
        Coercion("naive_datetime", _from(), "datetime", _by_id, on=False),
        Coercion("list_from_set", _from(), None, _by_id, warns=False, on=False),
        Coercion("data_from_string", _from(), None, _by_id),
        Coercion("list_from_item", _from(), None, _by_id, on=False, guess=True),
        Coercion("nil_from_word", _from(), "nil", _by_id, on=False, guess=True),
        Coercion("bool_from_word", _from("string"), "bool", bool_from_word, on=False, guess=True),
        Coercion(
            "datetime_from_iso",
            _from("string"),
            "datetime",
            datetime_from_iso,
            on=False,
            guess=True,
        ),
        Coercion("enum_ignoring_separators", _from(), None, _by_id, on=False, guess=True),
        Coercion("key_ignoring_case", _from(), None, _by_id),
        # These are of the whole arguments of a call.
        Coercion("arguments_from_string", _from(), None, _by_id),
        Coercion("arguments_from_nothing", _from(), None, _by_id),
        Coercion("arguments_from_wrapper", _from(), None, _by_id),
    )
}

#: The ids that are on in a policy that coerces.
DEFAULTS: frozenset[CoercionId] = frozenset(row.id for row in COERCIONS.values() if row.on)

#: The ids that are on in `lenient` besides.
GUESSES: frozenset[CoercionId] = frozenset(row.id for row in COERCIONS.values() if row.guess)

#: The ids that read text, which are always on for the keys of maps: JSON writes each key as text.
KEY_COERCIONS: frozenset[CoercionId] = frozenset(
    row.id
    for row in COERCIONS.values()
    if not row.guess and ("string" in row.sources or row.id == "enum_from_string")
)

#: The guesses that read text, which are off for the keys of maps: there they would not be told.
KEY_GUESSES: frozenset[CoercionId] = GUESSES - {"enum_ignoring_case"}
