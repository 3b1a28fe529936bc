"""Dates, times and durations as people write them, read where they can mean only one thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from typesig.algebra.rows.formats import FORMATS, is_date

#: What stands for the time of a day that is written alone.
NO_TIME = "THH:MM:SS"

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR_FIRST = re.compile(r"(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?:[Tt ].*)?", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})", re.ASCII)
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", re.ASCII)


def _read_date(text: str) -> str | None:
    """Parse *text*, a date in any unambiguous form, to RFC 3339; None if ambiguous."""
    if (found := _YEAR_FIRST.fullmatch(text)) is not None:
        year, separator, month, day = found.groups()
        # Without separators the places decide.
        is_clear = bool(separator) or len(month + day) == 4
        return _make_date(year, month, day) if is_clear else None
    if (found := _YEAR_LAST.fullmatch(text)) is not None:
        first, _, second, year = found.groups()
        if first != second and max(int(first), int(second)) <= 12:
            # Countries differ in what they write first.
            return None
        day, month = (first, second) if int(first) > int(second) else (second, first)
        return _make_date(year, month, day)
    lower = text.lower()
    if (found := _DAY_MONTH.fullmatch(lower)) is not None:
        day, word, year = found.groups()
    elif (found := _MONTH_DAY.fullmatch(lower)) is not None:
        word, day, year = found.groups()
    else:
        return None
    return _make_date(year, str(_MONTHS.index(word[:3]) + 1), day) if word[:3] in _MONTHS else None


def _make_date(year: str, month: str, day: str) -> str | None:
    """Make the ISO 8601 date of *year*, *month* and *day*, or None if it is invalid."""
    text = f"{year}-{month:0>2}-{day:0>2}"
    return text if is_date(text) else None


_DAY_AHEAD = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ](?=\d)", re.ASCII)
_CLOCK = re.compile(
    r"(\d{1,2})(?::(\d{2})(?::(\d{2})(\.\d+)?)?)? ?([ap]\.?m\.?)?( ?(?:[Zz]|[+-]\d{2}:?\d{2}))?",
    re.ASCII | re.IGNORECASE,
)


def _read_time(text: str) -> str | None:
    """Parse the time of day *text*, with or without an offset; None if invalid."""
    ahead = _DAY_AHEAD.match(text)
    found = _CLOCK.fullmatch(text if ahead is None else text[ahead.end() :])
    if found is None:
        return None
    hour, minute, second, fraction, half, offset = found.groups(default="")
    if not (minute or half):
        return None
    number = int(hour)
    if half:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if half[0] in "pP" else 0)
    offset = offset.strip().upper()
    if len(offset) == 5:
        offset = f"{offset[:3]}:{offset[3:]}"
    written = f"{number:02}:{minute or '00'}:{second or '00'}{fraction}{offset}"
    return written if FORMATS["time"](written) else None


#: Matches a day and a time of day, with a blank or a T between them.
_BOTH = re.compile(r"(.*?[^ ])(?:[Tt]|,? ++)(\d{1,2}(?::| ?[ap]).*)", re.ASCII | re.IGNORECASE)


def _read_date_time(text: str) -> str | None:
    """Parse the date and time *text*, with or without an offset; None if invalid."""
    found = _BOTH.fullmatch(text)
    if found is None:
        # A day alone leaves the time to be written.
        day = _read_date(text)
        return None if day is None else f"{day}{NO_TIME}"
    day, time = _read_date(found[1]), _read_time(found[2])
    return None if day is None or time is None else f"{day}T{time}"


_UNITS = r"w(?:ee)?ks?|[wdhms]|days?|h(?:ou)?rs?|min(?:ute)?s?|sec(?:ond)?s?"
_AMOUNT = re.compile(rf"(\d+(?:\.\d+)?) ?({_UNITS})(?:,? (?:and )?|,|(?=\d)|\Z)", re.ASCII)
_AMOUNTS = re.compile(rf"(?:{_AMOUNT.pattern})+", re.ASCII)
_HOURS_MINUTES = re.compile(r"(\d{1,4}):([0-5]\d):([0-5]\d)", re.ASCII)
_ISO = re.compile(
    r"P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?", re.ASCII
)
_SECONDS: Mapping[str, int] = {"h": 3600, "m": 60, "s": 1, "d": 86_400, "w": 604_800}


def _read_duration(text: str) -> str | None:
    """Parse *text*, a duration in words or in parts of ISO 8601; None if invalid."""
    lower = text.lower()
    if (clock := _HOURS_MINUTES.fullmatch(text)) is not None:
        amounts = [*zip(clock.groups(), "hms", strict=True)]
    elif (iso := _ISO.fullmatch(text.upper())) is not None:
        parts = zip(iso.groups(), "wdhms", strict=True)
        amounts = [(number, unit) for number, unit in parts if number]
    elif _AMOUNTS.fullmatch(lower) is not None:
        amounts = [(number, unit[0]) for number, unit in _AMOUNT.findall(lower)]
    else:
        return None
    return _write_duration(amounts)


def _write_duration(amounts: list[tuple[str, str]]) -> str | None:
    """Write *amounts*, numbers by time unit, in ISO 8601; None for fractional seconds."""
    # Loaded for durations only.
    from fractions import Fraction

    try:
        lengths = [(Fraction(number) * _SECONDS[unit], unit) for number, unit in amounts]
    except ValueError:
        return None
    days = sum([length for length, unit in lengths if unit in "wd"], Fraction(0))
    whole, rest = divmod(days, _SECONDS["d"])
    rest += sum([length for length, unit in lengths if unit in "hms"])
    if not amounts or rest.denominator != 1:
        return None
    minutes, seconds = divmod(int(rest), 60)
    hours, minutes = divmod(minutes, 60)
    time = f"{hours}H" if hours else ""
    # RFC 3339 skips no part between two others.
    time += f"{minutes}M" if minutes or (hours and seconds) else ""
    time += f"{seconds}S" if seconds else ""
    # A length of nothing is written with seconds.
    time = time or ("" if whole else "0S")
    return f"P{f'{whole}D' if whole else ''}{f'T{time}' if time else ''}"


#: What reads variants of a format: the text in the format, that text without an offset, or None.
READERS: Mapping[str, Callable[[str], str | None]] = {
    "date": _read_date,
    "date-time": _read_date_time,
    "duration": _read_duration,
    "offset-time": _read_time,
    "time": _read_time,
    "whole-duration": _read_duration,
}
