"""Coercions: values of another kind that input may have.

`CONVERSIONS` has what makes a scalar, or text in a format, of a value of some kinds.  `SWITCHES`
has the names of what depends on more than that: the check does it where the policy has the name.
To add a coercion, add its id to `CoercionId` and its row to the one table or the other;
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
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_DATETIME, MAX_DIGITS
from typesig.validation.plain_data import WrittenFloat, get_digits

CoercionId: TypeAlias = Literal[
    "int_from_string", "float_from_string", "bool_from_string", "float_from_int",
    "int_from_whole_float", "string_from_keyword", "keyword_from_string", "datetime_from_string",
    "decimal_from_number", "bool_from_word", "datetime_from_iso", "absent_from_null",
    "enum_from_string", "enum_ignoring_case", "naive_datetime", "list_from_set",
    "data_from_string", "list_from_item", "item_from_list", "nil_from_word",
    "enum_ignoring_separators", "key_ignoring_case", "arguments_from_string",
    "arguments_from_nothing", "arguments_from_wrapper", "other_format",
]  # fmt: skip

#: When a coercion is on: always where JSON's forms of scalars are decoded, since JSON has no other;
#: in the policies that coerce; in `lenient`, which also guesses what people commonly want; or only
#: where a policy names it.
When: TypeAlias = Literal["always", "usually", "lenient", "named"]


class _RefusedMark:
    """Class of the marker `REFUSED`, the result of an impossible conversion."""


#: The result of a row for a value that it cannot convert without loss.
REFUSED = _RefusedMark()


class Conversion(NamedTuple):
    """A conversion of values of some kinds to a scalar, or to text in a format.

    #: sources: the kinds that are read
    #: target: the scalar that the value becomes, or None
    #: apply: returns the converted value, or `REFUSED`
    #: warns: whether there is a warning of it; see also `Policy.verbose` and `Policy.json_results`
    #: format: the format of text that the value becomes, or None
    """

    id: CoercionId
    sources: frozenset[Kind]
    target: ScalarName | None
    apply: Callable[[Any], Any]
    when: When = "usually"
    warns: bool = True
    format: str | None = None


_INT = re.compile(r"[+-]?[0-9]+")
_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def parse_int(text: str) -> Any:
    """Return the integer that *text* writes in ASCII digits, or `REFUSED`."""
    if len(text) > MAX_DIGITS or _INT.fullmatch(text) is None:
        return REFUSED
    return int(text)


def parse_float(text: str) -> Any:
    """Return the finite number that *text* writes in JSON's syntax, or `REFUSED`."""
    if len(text) > MAX_DIGITS:
        return REFUSED
    text = text.strip(" \t\n\r")
    if _FLOAT.fullmatch(text) is None:
        return REFUSED
    if len(text) > _SURE and text.lstrip("+-").isdigit():
        # An integer is the same in quotes and without.
        return convert_int_to_float(int(text))
    number = float(text)
    return number if number - number == 0 else REFUSED


def parse_number(text: str) -> Any:
    """Return the int or the finite float that *text* writes in JSON's syntax, or `REFUSED`.

    It is for policies without `convert_int_to_float`, where an int conforms to a float and stays
    one.
    """
    number = parse_float(text)
    bare = text.strip(" \t\n\r")
    # An integer that no float is equal to is refused there.
    return int(bare) if _INTEGER.fullmatch(bare) and len(text) <= MAX_DIGITS else number


#: Each integer of so many characters is equal to a float.
_SURE = 15


_BOOL_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def parse_bool_word(text: str) -> Any:
    """Return the boolean that *text*, a word such as `True`, `yes` or `on`, says, or `REFUSED`."""
    return _BOOL_WORDS.get(text.lower(), REFUSED) if len(text) <= len("false") else REFUSED


def convert_int_to_float(number: int) -> Any:
    """Return the float that is equal to *number*, or `REFUSED`."""
    try:
        as_float = float(number)
    except OverflowError:
        return REFUSED
    return as_float if as_float == number else REFUSED


def convert_float_to_int(number: float) -> Any:
    """Return the integer that the digits of *number* write, or `REFUSED`.

    Python writes the digits of a float that is not read from text.
    """
    if type(number) is not WrittenFloat:
        if not float.is_integer(number):
            return REFUSED
        if -_MOST_EXACT < number < _MOST_EXACT:
            return int(number)
    digits = get_digits(number)
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


def parse_datetime(text: str) -> Any:
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


def to_rfc_3339(text: str) -> str | None:
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


def parse_iso_datetime(text: str) -> Any:
    """Return the aware datetime that *text* writes in a variant of ISO 8601, or `REFUSED`."""
    written = to_rfc_3339(text.strip())
    return REFUSED if written is None else parse_datetime(written)


def get_zone(name: str) -> tzinfo:
    """Return the zone *name*; raise `TypesigError` if it is not UTC or a known IANA name."""
    if name == "UTC":
        return UTC
    # Reads files, so it is imported only if a zone is named.
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError, TypeError, AttributeError):
        raise TypesigError(
            f"there is no time zone {format_value(name)}; write UTC or an IANA name such as "
            "Europe/Berlin "
            "(Python takes these from the system, or from the package tzdata)"
        ) from None


def read_in_zone(value: Any, zone: tzinfo) -> Any:
    """Set the offset of a naive datetime, or of its text, to *zone*; else `REFUSED`."""
    if is_text(value):
        text = value.strip()
        value = parse_datetime(text + "Z")
        return REFUSED if value is REFUSED else value.replace(tzinfo=zone)
    if issubclass(type(value), datetime) and value.utcoffset() is None:
        return value.replace(tzinfo=zone)
    return REFUSED


def parse_keyword(text: str) -> Any:
    """Return *text*, without leading colons, as a keyword.

    No text is refused: JSON Schema has only strings for keywords.
    """
    return Keyword(text.lstrip(":"))


def write_number_digits(number: Any) -> Any:
    """Write the finite *number* with its original digits."""
    if isinstance(number, int):
        return REFUSED if is_long(number) else int.__repr__(number)
    return get_digits(number) if number - number == 0 else REFUSED


def _make_kinds(*kinds: Kind) -> frozenset[Kind]:
    """Make a frozen set of value kinds, checked by type checkers."""
    return frozenset(kinds)


_TEXT = _make_kinds("string")

CONVERSIONS: dict[CoercionId, Conversion] = {
    row.id: row
    for row in (
        Conversion("int_from_string", _TEXT, "int", parse_int),
        Conversion("float_from_string", _TEXT, "float", parse_float),
        Conversion("bool_from_string", _TEXT, "bool",
                   lambda text: {"true": True, "false": False}.get(text, REFUSED)),
        Conversion("float_from_int", _make_kinds("int"), "float", convert_int_to_float,
                   warns=False),
        Conversion("int_from_whole_float", _make_kinds("float"), "int", convert_float_to_int,
                   "lenient"),
        Conversion("string_from_keyword", _make_kinds("keyword"), "string", str.__str__),
        Conversion("keyword_from_string", _TEXT, "keyword", parse_keyword, "always"),
        Conversion("datetime_from_string", _TEXT, "datetime", parse_datetime, "always",
                   warns=False),
        Conversion("decimal_from_number", _make_kinds("int", "float"), None, write_number_digits,
                   warns=False, format="decimal"),
        Conversion("bool_from_word", _TEXT, "bool", parse_bool_word, "lenient"),
        Conversion("datetime_from_iso", _TEXT, "datetime", parse_iso_datetime, "lenient"),
    )
}  # fmt: skip

SWITCHES: dict[CoercionId, When] = {
    "absent_from_null": "usually",
    "enum_from_string": "usually",
    "enum_ignoring_case": "lenient",
    "naive_datetime": "named",
    "list_from_set": "named",
    "data_from_string": "usually",
    "list_from_item": "lenient",
    "item_from_list": "lenient",
    "nil_from_word": "lenient",
    "enum_ignoring_separators": "lenient",
    "key_ignoring_case": "usually",
    # These are of the whole arguments of a call.
    "arguments_from_string": "usually",
    "arguments_from_nothing": "usually",
    "arguments_from_wrapper": "usually",
    "other_format": "named",
}

#: When each coercion is on.
COERCIONS: dict[CoercionId, When] = {row.id: row.when for row in CONVERSIONS.values()}
COERCIONS.update(SWITCHES)

#: The ids that are on in a policy that coerces.
DEFAULTS: frozenset[CoercionId] = frozenset(
    name for name, when in COERCIONS.items() if when in ("always", "usually")
)

#: The ids that are on in `lenient` besides.
GUESSES: frozenset[CoercionId] = frozenset(
    name for name, when in COERCIONS.items() if when == "lenient"
)

#: The ids that read text, which are always on for the keys of maps: JSON writes each key as text.
KEY_COERCIONS: frozenset[CoercionId] = DEFAULTS & {
    "enum_from_string",
    *[row.id for row in CONVERSIONS.values() if row.sources == _TEXT],
}

#: The guesses that read text, which are off for the keys of maps: there they would not be told.
KEY_GUESSES: frozenset[CoercionId] = GUESSES - {"enum_ignoring_case"}
