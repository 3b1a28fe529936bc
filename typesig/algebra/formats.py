"""Formats: what `:string[email]` and its like admit, one row each.

To add one, add a row: a name, and a test on text.
Tests are linear in the text and admit what the named source admits.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from typesig.algebra.limits import MAX_DIGITS


def _full(pattern: str) -> Callable[[str], bool]:
    # Compiled at first use: the rows cost nothing at import.
    def test(text: str) -> bool:
        return re.fullmatch(pattern, text, re.ASCII) is not None

    return test


_DATE = r"(\d{4})-(\d{2})-(\d{2})"
_TIME = r"(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?"
_OFFSET = r"(?:[Zz]|[+-](\d{2}):(\d{2}))"


def _month_days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def is_date(text: str) -> bool:
    """Tell whether *text* is an RFC 3339 full-date that the calendar has."""
    found = re.fullmatch(_DATE, text, re.ASCII)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= _month_days(year, month)


def _is_time(text: str) -> bool:
    """Tell whether *text* is a time of day, with an offset or without."""
    found = re.fullmatch(f"{_TIME}{_OFFSET}?", text, re.ASCII)
    return found is not None and _clock(*found.groups())


def _clock(h: str, m: str, s: str, oh: str | None, om: str | None) -> bool:
    return (
        int(h) < 24 and int(m) < 60 and int(s) < 60 and int(oh or "0") < 24 and int(om or "0") < 60
    )


def is_date_time(text: str) -> bool:
    """Tell whether *text* is an RFC 3339 date-time, with its offset.

    Leap seconds are refused: no Python datetime holds one.
    """
    found = re.fullmatch(f"({_DATE})[Tt ]({_TIME}{_OFFSET})", text, re.ASCII)
    return found is not None and is_date(found[1]) and _is_time(found[5])


def _is_email(text: str) -> bool:
    local, at, domain = text.rpartition("@")
    if not at or len(text) > 254 or len(local) > 64:
        return False
    word = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
    return re.fullmatch(rf"{word}(?:\.{word})*", local) is not None and _is_hostname(domain)


def _is_hostname(text: str) -> bool:
    label = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    return len(text) <= 253 and re.fullmatch(rf"{label}(?:\.{label})*", text) is not None


def _is_ipv4(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 4 and all(
        re.fullmatch(r"0|[1-9][0-9]{0,2}", part) is not None and int(part) < 256 for part in parts
    )


def _is_ipv6(text: str) -> bool:
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return "%" not in text


def _is_uri(text: str) -> bool:
    return (
        re.fullmatch(
            r"[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*",
            text,
        )
        is not None
    )


def _is_base64(text: str) -> bool:
    return len(text) % 4 == 0 and re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text) is not None


def _is_decimal(text: str) -> bool:
    return (
        len(text) <= MAX_DIGITS
        and re.fullmatch(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?", text, re.ASCII)
        is not None
    )


_HOURS = r"T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?"

FORMATS: dict[str, Callable[[str], bool]] = {
    "base64": _is_base64,
    "date": is_date,
    "date-time": is_date_time,
    "decimal": _is_decimal,
    "duration": _full(rf"-?P(?=.)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:{_HOURS})?)"),
    "email": _is_email,
    "hostname": _is_hostname,
    "ipv4": _is_ipv4,
    "ipv6": _is_ipv6,
    "time": _is_time,
    "uri": _is_uri,
    "uuid": _full(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
}
