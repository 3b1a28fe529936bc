"""Formats: the texts that `:string[email]` and the like accept, one row each.

To add a format, add a row: its name and a test of text.  A test takes time linear in the text, and
accepts what the standard that names the format accepts.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from typesig.limits import MAX_DIGITS


def _match_fully(pattern: str) -> Callable[[str], bool]:
    """Build the test that a whole text matches the regex *pattern*, in ASCII mode."""

    # Compiled at first use, so that the rows cost nothing at import.
    def test(text: str) -> bool:
        return re.fullmatch(pattern, text, re.ASCII) is not None

    return test


_DATE = r"(\d{4})-(\d{2})-(\d{2})"
_TIME = r"(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?"
_OFFSET = r"(?:[Zz]|[+-](\d{2}):(\d{2}))"


def _count_month_days(year: int, month: int) -> int:
    """Return the number of days of *month* (1 to 12) in the Gregorian *year*."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def is_date(text: str) -> bool:
    """Whether *text* is an RFC 3339 full-date, and a day of the calendar."""
    found = re.fullmatch(_DATE, text, re.ASCII)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= _count_month_days(year, month)


def _is_time(text: str) -> bool:
    """Whether *text* is a time of day, with or without an offset."""
    found = re.fullmatch(f"{_TIME}{_OFFSET}?", text, re.ASCII)
    return found is not None and _is_clock_time(*found.groups())


def _is_clock_time(h: str, m: str, s: str, oh: str | None, om: str | None) -> bool:
    """Whether the digits of hour, minute, second and UTC offset are in range."""
    return (
        int(h) < 24 and int(m) < 60 and int(s) < 60 and int(oh or "0") < 24 and int(om or "0") < 60
    )


def _is_offset_time(text: str) -> bool:
    """Whether *text* is an RFC 3339 full-time, which has an offset; leap seconds are valid."""
    found = re.fullmatch(f"{_TIME}{_OFFSET}", text, re.ASCII)
    if found is None:
        return False
    h, m, s, oh, om = found.groups()
    if s == "60":
        # A leap second ends a day of UTC.
        sign = -1 if "+" in text else 1
        minutes = int(h) * 60 + int(m) + sign * (int(oh or 0) * 60 + int(om or 0))
        return minutes % 1440 == 1439 and _is_clock_time(h, m, "59", oh, om)
    return _is_clock_time(h, m, s, oh, om)


def is_date_time(text: str) -> bool:
    """Whether *text* is an RFC 3339 date-time, which has an offset."""
    found = re.fullmatch(f"({_DATE})[Tt]({_TIME}{_OFFSET})", text, re.ASCII)
    return found is not None and is_date(found[1]) and _is_offset_time(found[5])


_WORD = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_QUOTED = r'"(?:[ !#-\[\]-~]|\\[ -~])*"'


def _is_email(text: str) -> bool:
    """Whether *text* is a mailbox of RFC 5321, section 4.1.2."""
    local, at, domain = text.rpartition("@")
    if not at or len(text) > 254 or len(local) > 64:
        return False
    if re.fullmatch(rf"{_WORD}(?:\.{_WORD})*|{_QUOTED}", local) is None:
        return False
    if not domain.startswith("["):
        return _is_hostname(domain)
    address = domain[1:-1]
    known = _is_ipv6(address[5:]) if address[:5].upper() == "IPV6:" else _is_ipv4(address)
    return known and domain.endswith("]")


def _is_hostname(text: str) -> bool:
    """Whether *text* is an ASCII hostname, Punycode labels included."""
    label = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    if len(text) > 253 or re.fullmatch(rf"{label}(?:\.{label})*", text) is None:
        return False
    return all(map(_is_label, text.lower().split(".")))


def _is_label(label: str) -> bool:
    """Whether *label*, if it is a Punycode label (`xn--`), is valid; True for others."""
    if not label.startswith("xn--"):
        return True
    from typesig.algebra.rows.internationalized import is_a_label

    return is_a_label(label)


def _is_ipv4(text: str) -> bool:
    """Whether *text* is an IPv4 address in dotted decimal without leading zeros."""
    parts = text.split(".")
    return len(parts) == 4 and all(
        re.fullmatch(r"0|[1-9][0-9]{0,2}", part) is not None and int(part) < 256 for part in parts
    )


def _is_ipv6(text: str) -> bool:
    """Whether *text* is an IPv6 address without a zone identifier."""
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return "%" not in text


# Possessive repetitions keep no place to return to, of which a long text would have gigabytes; what
# follows each of them begins with a character that it does not read.
_PART = r"[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2}"
_FUTURE = r"[vV][0-9A-Fa-f]++\.[A-Za-z0-9._~!$&'()*+,;=:-]++"
_HOST = rf"\[({_FUTURE}|[0-9A-Fa-f:.]*+)\]|(?:{_PART})*+"
_AUTHORITY = rf"//(?:(?:{_PART}|:)*+@)?(?:{_HOST})(?::\d*)?"
_PATH = rf"(?:{_PART}|[:@/])*+"
_BEHIND = rf"(?:\?(?:{_PART}|[:@/?])*+)?(?:#(?:{_PART}|[:@/?])*+)?"
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:"


def _is_uri(text: str) -> bool:
    """Whether *text* is a URI with a scheme, not a relative reference."""
    return _is_uri_reference(text) and re.match(_SCHEME, text) is not None


def _is_uri_reference(text: str) -> bool:
    """Whether *text* is a URI reference of RFC 3986: a URI or a relative reference."""
    scheme = re.match(_SCHEME, text)
    rest = text[scheme.end() :] if scheme is not None else text
    authority = re.match(_AUTHORITY, rest)
    path = rest[authority.end() :] if authority is not None else rest
    if authority is not None and not _is_valid_host_and_path(authority[1], path):
        return False
    if scheme is None and authority is None and ":" in re.split("[/?#]", path, maxsplit=1)[0]:
        # The part before the colon would be read as a scheme.
        return False
    return re.fullmatch(_PATH + _BEHIND, path, re.ASCII) is not None


def _is_valid_host_and_path(address: str | None, path: str) -> bool:
    """Whether *address* is valid in brackets in a URI, and *path* valid after it."""
    if address is not None and address[:1] not in ("v", "V") and not _is_ipv6(address):
        return False
    return path[:1] in ("", "/", "?", "#")


def _is_base64(text: str) -> bool:
    """Whether *text* is padded base64 of the standard alphabet."""
    return len(text) % 4 == 0 and re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text) is not None


def _is_decimal(text: str) -> bool:
    """Whether *text* is a finite decimal number of limited length, exponent allowed."""
    return (
        len(text) <= MAX_DIGITS
        and re.fullmatch(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?", text, re.ASCII)
        is not None
    )


def _match_number(pattern: str) -> Callable[[str], bool]:
    """Build the test that a text of limited length fully matches the regex *pattern*."""
    is_written = _match_fully(pattern)
    return lambda text: len(text) <= MAX_DIGITS and is_written(text)


_CLOCK = r"T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)"
_DAYS = r"\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D"
_POINTER = r"(?:/(?:[^~/]|~[01])*+)*+"
_HOURS = r"T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?"


def _is_network(text: str) -> bool:
    """Whether *text* is an address, a slash, and the length of the network's prefix."""
    address, slash, length = text.partition("/")
    most = 32 if _is_ipv4(address) else 128 if _is_ipv6(address) else -1
    known = re.fullmatch(r"0|[1-9][0-9]{0,2}", length) is not None
    return bool(slash) and known and int(length) <= most


_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"


def _is_regex(text: str) -> bool:
    """Whether *text* is a regular expression of ECMA-262."""
    from typesig.patterns import is_pattern

    return is_pattern(text)


#: The forms that a remedy shows, without values that a model could copy; `remedies` reads variants.
WRITTEN_FORMS: dict[str, str] = {
    "date": "YYYY-MM-DD",
    "date-time": "YYYY-MM-DDTHH:MM:SSZ",
    "duration": "P[n]DT[n]H[n]M[n]S",
    "offset-time": "HH:MM:SSZ",
    "time": "HH:MM:SS",
    "whole-duration": "P[n]DT[n]H[n]M[n]S",
}

FORMATS: dict[str, Callable[[str], bool]] = {
    "base64": _is_base64,
    "complex": _match_number(rf"(?:[+-]?{_NUMBER})(?:[+-]{_NUMBER}j)?|[+-]?{_NUMBER}j"),
    "date": is_date,
    "date-time": is_date_time,
    "decimal": _is_decimal,
    # A fixed length of time, as a timedelta holds it: a year or a month has no fixed length.
    "duration": _match_fully(rf"-?P(?=.)(?:\d+W|(?:\d+D)?(?:{_HOURS})?)"),
    "email": _is_email,
    "fraction": _match_number(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[0-9]+/0*[1-9][0-9]*)"),
    "hostname": _is_hostname,
    "ipv4": _is_ipv4,
    "ipv4-network": lambda text: _is_network(text) and ":" not in text,
    "ipv6": _is_ipv6,
    "ipv6-network": lambda text: _is_network(text) and ":" in text,
    "json-pointer": _match_fully(_POINTER),
    "offset-time": _is_offset_time,
    "regex": _is_regex,
    "relative-json-pointer": _match_fully(rf"(?:0|[1-9][0-9]*)(?:#|{_POINTER})"),
    "time": _is_time,
    "uri": _is_uri,
    "uri-reference": _is_uri_reference,
    "uuid": _match_fully(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
    # JSON Schema's duration (RFC 3339, appendix A): whole numbers, no sign, no part skipped.
    "whole-duration": _match_fully(rf"P(?:\d+W|(?:{_DAYS})(?:{_CLOCK})?|{_CLOCK})"),
}
