"""Coercions: what an input may be instead of what is asked for, one row each (seed 003).

A row names the kind that is there and the scalar that is wanted; a policy turns rows on by id.
To add one, add a row; the totality test asks for its sample.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.formats import is_date_time
from typesig.algebra.scalars import ScalarName
from typesig.algebra.values import Keyword, Kind
from typesig.limits import MAX_DIGITS

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
]


class _Refused:
    """What a row returns for a value that it cannot turn into the other without loss."""


REFUSED = _Refused()


class Coercion(NamedTuple):
    """One way from a kind of value to a scalar.

    #: source: the kind that is there, None where the check applies the row by its id
    #: target: the scalar that is wanted
    #: apply: the value to the other, or `REFUSED`
    #: warns: whether a warning says so
    #: on: whether the policies that coerce have it on
    #: decoding: whether it reads JSON's only spelling of the scalar, which no policy turns off
    """

    id: CoercionId
    source: Kind | None
    target: ScalarName | None
    apply: Callable[[Any], Any]
    warns: bool = True
    on: bool = True
    decoding: bool = False


_INT = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def int_from_string(text: str) -> Any:
    """Return the whole number that *text* writes in ASCII digits, or `REFUSED`."""
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
    number = float(text)
    return number if number - number == 0 else REFUSED


def bool_from_string(text: str) -> Any:
    """Return the truth value that *text* spells to the letter, or `REFUSED`."""
    return {"true": True, "false": False}.get(text, REFUSED)


def float_from_int(number: int) -> Any:
    """Return the float that is exactly *number*, or `REFUSED`."""
    try:
        as_float = float(number)
    except OverflowError:
        return REFUSED
    return as_float if as_float == number else REFUSED


def int_from_whole_float(number: float) -> Any:
    """Return the whole number that *number* is, or `REFUSED`."""
    return int(number) if number.is_integer() else REFUSED


def datetime_from_string(text: str) -> Any:
    """Return the aware datetime that *text* writes as RFC 3339, or `REFUSED`."""
    if len(text) > 64 or not is_date_time(text):
        return REFUSED
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        # A leap second, which RFC 3339 has and Python's datetimes have not.
        return REFUSED


def keyword_from_string(text: str) -> Any:
    """Return *text* as a keyword, its leading colon left out, or `REFUSED`."""
    text = text.removeprefix(":")
    return Keyword(text) if text and not text.startswith(":") else REFUSED


def string_from_keyword(keyword: Keyword) -> Any:
    """Return the text of *keyword*."""
    return str.__str__(keyword)


def _by_name(_: Any) -> Any:
    return REFUSED


COERCIONS: dict[CoercionId, Coercion] = {
    row.id: row
    for row in (
        Coercion("int_from_string", "string", "int", int_from_string),
        Coercion("float_from_string", "string", "float", float_from_string),
        Coercion("bool_from_string", "string", "bool", bool_from_string),
        Coercion("float_from_int", "int", "float", float_from_int, warns=False),
        Coercion("int_from_whole_float", "float", "int", int_from_whole_float, on=False),
        Coercion("string_from_keyword", "keyword", "string", string_from_keyword),
        Coercion("keyword_from_string", "string", "keyword", keyword_from_string, decoding=True),
        Coercion("datetime_from_string", "string", "datetime", datetime_from_string, decoding=True),
        # The check applies these itself: they look at more than one value.
        Coercion("absent_from_null", None, None, _by_name),
        Coercion("enum_from_string", None, None, _by_name),
        Coercion("enum_ignoring_case", None, None, _by_name, on=False),
        Coercion("decimal_from_number", None, None, _by_name, warns=False),
        Coercion("naive_datetime", None, None, _by_name, on=False),
        Coercion("list_from_set", None, None, _by_name, warns=False, on=False),
    )
}

#: The ids that are on where a policy coerces.
DEFAULTS: frozenset[CoercionId] = frozenset(row.id for row in COERCIONS.values() if row.on)
