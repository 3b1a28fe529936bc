"""Texts of common host classes to objects: what is written in the usual form is parsed at once.

A parser takes a part of the texts that the format of its class takes, and makes what the decoder of
that class makes; it raises `ValueError` for all others, which the check and the decoder read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import Constraint
from typesig.extraction.python_types.leaves import get_leaf

#: Makes an object of a text, or raises `ValueError`.
Parse = Callable[[str], Any]

_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
_OFFSET = r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_DURATION = r"P(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6})S)?)?"
_DECIMAL = r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?"
_UUID = "-".join([f"[0-9A-Fa-f]{{{count}}}" for count in (8, 4, 4, 4, 12)])
_MOST_CHARACTERS = 40


def parse_plain_moment() -> Parse:
    """Make the parser of a date and time with an offset to its plain text."""
    parse = parse_moment()

    def rewrite(text: str) -> str:
        made = parse(text)
        # Seconds in UTC are written as they are read.
        return text if len(text) == 20 and text[19] == "Z" else format_moment(made)

    return rewrite


def parse_moment() -> Parse:
    """Make the parser of a date and time with an offset."""
    from datetime import datetime

    is_moment = re.compile(f"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T{_CLOCK}{_OFFSET}").fullmatch
    read = datetime.fromisoformat

    def parse(text: str) -> Any:
        # Most are written with seconds, in UTC; some versions of Python read an hour 24.
        is_usual = len(text) == 20 and text[4::3] == "--T::Z" and text[11:13] != "24"
        if not is_usual and (len(text) > _MOST_CHARACTERS or is_moment(text) is None):
            raise ValueError
        return read(text)

    return parse


def format_moment(value: Any) -> str:
    """Return the date and time *value* as plain text."""
    text: str = value.isoformat()
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text


def _make_date(cls: Any) -> Parse:
    read = cls.fromisoformat

    def parse(text: str) -> Any:
        # Weeks and dates without hyphens have no hyphen there.
        if len(text) != 10 or text[4::3] != "--":
            raise ValueError
        return read(text)

    return parse


def _make_time(cls: Any) -> Parse:
    is_time, read = re.compile(f"{_CLOCK}{_OFFSET}?").fullmatch, cls.fromisoformat

    def parse(text: str) -> Any:
        is_usual = len(text) == 8 and text[2::3] == "::" and text[:2] != "24"
        if not is_usual and is_time(text) is None:
            raise ValueError
        return read(text)

    return parse


def _make_duration(cls: Any) -> Parse:
    find = re.compile(_DURATION).fullmatch

    def parse(text: str) -> Any:
        found = find(text)
        if found is None or text[-1] in "PT":
            raise ValueError
        days, hours, minutes, seconds = found.groups()
        clock = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
        return cls(int(days or 0), clock)

    return parse


def _make_uuid(cls: Any) -> Parse:
    from uuid import SafeUUID

    is_uuid, new, store = re.compile(_UUID).fullmatch, object.__new__, object.__setattr__
    unknown = SafeUUID.unknown

    def parse(text: str) -> Any:
        if is_uuid(text) is None:
            raise ValueError
        made = new(cls)
        # As its constructor does, which takes most of the time to look at other arguments.
        store(made, "int", int(text.replace("-", ""), 16))
        store(made, "is_safe", unknown)
        return made

    return parse


def _make_decimal(cls: Any) -> Parse:
    is_decimal = re.compile(_DECIMAL).fullmatch

    def parse(text: str) -> Any:
        if is_decimal(text) is None:
            raise ValueError
        return cls(text)

    return parse


def _make_bytes(cls: Any) -> Parse:
    from binascii import a2b_base64

    def parse(text: str) -> Any:
        return cls(a2b_base64(text, strict_mode=True))

    return parse


#: What makes the parser of a class, by the format of its text and the class.
PARSERS: dict[tuple[str, str], Callable[[Any], Parse]] = {
    ("date", "datetime.date"): _make_date,
    ("time", "datetime.time"): _make_time,
    ("duration", "datetime.timedelta"): _make_duration,
    ("uuid", "uuid.UUID"): _make_uuid,
    ("decimal", "decimal.Decimal"): _make_decimal,
    ("base64", "builtins.bytes"): _make_bytes,
}


def find_text_parser(t: nodes.Type, make: Callable[[Any], Any]) -> Parse | None:
    """Return the parser of texts of *t* that *make* decodes; None without one."""
    if t == nodes.DATETIME:
        return parse_moment() if is_moment_decoder(make) else None
    is_text = isinstance(t, nodes.Refinement) and t.inner == nodes.STRING
    return find_parser(t.constraints, make) if is_text else None  # type: ignore[union-attr]


def is_moment_decoder(make: Callable[[Any], Any]) -> bool:
    """Whether *make* decodes the text of a date and time to a `datetime` itself."""
    from datetime import datetime

    return getattr(make, "args", ()) == (datetime,)


def find_parser(constraints: tuple[Constraint, ...], make: Callable[[Any], Any]) -> Parse | None:
    """Return the parser of texts with *constraints* that *make* decodes; None without one."""
    if len(constraints) != 1 or constraints[0].name != "format" or not isinstance(make, partial):
        return None
    cls = make.args[0] if make.args else None
    leaf = get_leaf(cls) if isinstance(cls, type) else None
    if leaf is None or leaf.decode is not make.func:
        return None
    assert cls is not None
    return _make_parser(str(constraints[0].argument.value), cls)


def is_decimal(constraints: tuple[Constraint, ...]) -> bool:
    """Whether *constraints* are those of the text of a decimal number."""
    return [each.argument.value for each in constraints] == ["decimal"]


@cache
def _make_parser(format_name: str, cls: type) -> Parse | None:
    make = PARSERS.get((format_name, f"{cls.__module__}.{cls.__qualname__}"))
    return None if make is None else make(cls)
