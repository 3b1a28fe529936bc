"""Objects that are written as scalars, by their class.

To add a class, add a row to `LEAVES` with what writes all its objects at once.  Objects of other
classes are written by the reference implementation, each alone.
"""

from __future__ import annotations

import builtins
import re
import sys
from binascii import b2a_base64
from collections.abc import Callable, Sequence
from datetime import UTC
from math import inf
from typing import Any, NamedTuple, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import Constraint

#: Writes one object of a class, or raises `Mismatch`.
Write: TypeAlias = Callable[[Any], Any]


class LeafRow(NamedTuple):
    """How objects of a class are written.

    #: type: a type that the texts of such objects conform to
    #: make: returns what writes an object, given the class, and what writes the odd ones
    #: is_kept: whether an object may be left to a library; None for any
    """

    type: nodes.Type
    make: Callable[[builtins.type, Write], Write]
    is_kept: Callable[[Any], bool] | None = None


def _make_format(name: str) -> nodes.Type:
    """Make the type of texts in the format *name*."""
    return nodes.Refinement(nodes.STRING, (Constraint("format", name),))


def make_datetime_writer(write_odd: Write, takes_naive: bool) -> Write:
    """Return what writes datetimes; those without an offset of whole minutes are odd.

    *takes_naive*: those without a zone are written without an offset.
    """

    def write(value: Any) -> Any:
        zone = value.tzinfo
        if zone is UTC or (zone is None and takes_naive):
            # `isoformat` takes more than twice the time.
            text = (
                f"{value.year:04}-{_TWO[value.month]}-{_TWO[value.day]}T"
                f"{_TWO[value.hour]}:{_TWO[value.minute]}:{_TWO[value.second]}"
            )
            if value.microsecond:
                text = f"{text}.{value.microsecond:06}"
            return text if zone is None else f"{text}Z"
        text = value.isoformat()
        if text.endswith("+00:00"):
            return text[:-6] + "Z"
        return text if text[-6] in "+-" else write_odd(value)

    return write


#: Numbers below 60 with two digits.
_TWO = [f"{number:02}" for number in range(60)]


def _is_utc(value: Any) -> bool:
    """Whether the zone of the datetime *value* is that of the standard library for UTC."""
    return value.tzinfo is UTC


def _has_no_zone(value: Any) -> bool:
    """Whether the time of day *value* has no zone."""
    return value.tzinfo is None


def _write_uuid(value: Any) -> str:
    """Write the UUID *value*, in half of the time of its own method."""
    text = value.int.to_bytes(16, "big").hex("-", 2)
    return f"{text[:4]}{text[5:29]}{text[30:34]}{text[35:]}"


def _make_time_writer(_cls: type, write_odd: Write) -> Write:
    """Return what writes times of day; those with a zone are odd."""

    def write(value: Any) -> Any:
        if value.tzinfo is not None:
            return write_odd(value)
        if value.microsecond:
            return value.isoformat()
        return f"{_TWO[value.hour]}:{_TWO[value.minute]}:{_TWO[value.second]}"

    return write


def _make_decimal_writer(_cls: type, write_odd: Write) -> Write:
    """Return what writes decimals; those that are long, or not finite, are odd."""

    def write(value: Any) -> Any:
        text = str(value)
        is_odd = "E" in text or len(text) > _LONG or not value.is_finite()
        return write_odd(value) if is_odd else text

    return write


#: The length of a decimal from which its digits are counted.
_LONG = 100


def _make_duration_writer(_cls: type, write_odd: Write) -> Write:
    """Return what writes timedeltas in ISO 8601; negative ones are odd."""

    def write(value: Any) -> Any:
        days, seconds, rest = value.days, value.seconds, value.microseconds
        if days < 0:
            return write_odd(value)
        hours, minutes, last = seconds // 3600, seconds % 3600 // 60, seconds % 60
        if rest:
            fraction = f"{rest:06d}".rstrip("0")
            time = f"T{_HOURS[hours]}{_MINUTES[minutes]}{last}.{fraction}S"
        elif seconds:
            time = f"T{_HOURS[hours]}{_MINUTES[minutes]}{_SECONDS[last]}"
        else:
            return f"P{days}D" if days else "PT0S"
        return f"P{days}D{time}" if days else f"P{time}"

    return write


#: The texts of the parts of a duration; nothing for 0.
_HOURS, _MINUTES, _SECONDS = [
    ["", *[f"{number}{unit}" for number in range(1, 60)]] for unit in ("H", "M", "S")
]


def _get_method(name: str) -> Callable[[type, Write], Write]:
    """Return a function that returns the method *name* of a class."""
    return lambda cls, _: getattr(cls, name)


def _write_base64(value: Any) -> str:
    """Write bytes as base64 text."""
    return b2a_base64(value, newline=False).decode()


def _make_address_writer(_cls: type, write_odd: Write) -> Write:
    """Return what writes addresses and networks; those with a zone are odd."""

    def write(value: Any) -> Any:
        text = str(value)
        return write_odd(value) if "%" in text else text

    return write


#: URLs that have only letters of ASCII and each part in its usual form; none is read twice.
_URL_LETTERS = r"A-Za-z0-9._~!$&'()*+,;=:\-"
_USUAL_URL = (
    rf"[A-Za-z][A-Za-z0-9+.-]*+://(?:[{_URL_LETTERS}]++@)?[A-Za-z0-9._~-]*+(?::[0-9]++)?"
    rf"(?:/(?:[{_URL_LETTERS}@/]++|%[0-9A-Fa-f]{{2}})*+)?"
    rf"(?:\?(?:[{_URL_LETTERS}@/?]++|%[0-9A-Fa-f]{{2}})*+)?"
    rf"(?:#(?:[{_URL_LETTERS}@/?]++|%[0-9A-Fa-f]{{2}})*+)?"
)


def _make_url_writer(cls: Any, write_odd: Write) -> Write:
    """Return what writes URLs; those that have other characters are odd."""
    get_text, is_usual = cls.__str__, re.compile(_USUAL_URL).fullmatch

    def write(value: Any) -> Any:
        text = get_text(value)
        return write_odd(value) if is_usual(text) is None else text

    return write


#: The classes of URLs with one host.
_URLS = (
    "AmqpDsn", "AnyHttpUrl", "AnyUrl", "AnyWebsocketUrl", "ClickHouseDsn", "CockroachDsn",
    "FileUrl", "FtpUrl", "HttpUrl", "KafkaDsn", "MariaDBDsn", "MySQLDsn", "RedisDsn",
    "SnowflakeDsn", "WebsocketUrl",
)  # fmt: skip

#: The formats of the classes of addresses and networks.
_ADDRESSES = {
    "IPv4Address": "ipv4",
    "IPv4Interface": "ipv4-network",
    "IPv4Network": "ipv4-network",
    "IPv6Address": "ipv6",
    "IPv6Interface": "ipv6-network",
    "IPv6Network": "ipv6-network",
}

#: By the module and the name of the class, so that no module is imported.
LEAVES: dict[tuple[str, str], LeafRow] = {
    ("datetime", "datetime"): LeafRow(
        nodes.DATETIME, lambda _, write_odd: make_datetime_writer(write_odd, False), _is_utc
    ),
    ("datetime", "date"): LeafRow(_make_format("date"), _get_method("isoformat")),
    ("datetime", "time"): LeafRow(_make_format("time"), _make_time_writer, _has_no_zone),
    ("datetime", "timedelta"): LeafRow(_make_format("duration"), _make_duration_writer),
    ("decimal", "Decimal"): LeafRow(_make_format("decimal"), _make_decimal_writer),
    ("uuid", "UUID"): LeafRow(_make_format("uuid"), lambda *_: _write_uuid),
    ("builtins", "bytearray"): LeafRow(_make_format("base64"), lambda *_: _write_base64),
    ("builtins", "bytes"): LeafRow(_make_format("base64"), lambda *_: _write_base64),
    **{
        ("ipaddress", name): LeafRow(_make_format(format), _make_address_writer)
        for name, format in _ADDRESSES.items()
    },
    **{
        ("pydantic.networks", name): LeafRow(_make_format("uri"), _make_url_writer)
        for name in _URLS
    },
    # From Python 3.13 on, pathlib is a package.
    **{
        (home, name): LeafRow(nodes.STRING, _get_method("__str__"))
        for home in ("pathlib", "pathlib._local")
        for name in ("PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath")
    },
}


def find_row(cls: type) -> LeafRow | None:
    """Return the row of exactly the class *cls*, or None."""
    row = LEAVES.get((cls.__module__, cls.__qualname__))
    # Another class may have the same name.
    is_own = row is not None and getattr(sys.modules.get(cls.__module__), cls.__name__, 0) is cls
    return row if is_own else None


def find_bounds(sizes: Sequence[Constraint]) -> tuple[float, float]:
    """Return the least and the most places that meet the *sizes*."""
    least = max([each.argument.thaw() for each in sizes if each.name == "at_least"], default=0)
    most = min([each.argument.thaw() for each in sizes if each.name == "at_most"], default=inf)
    return least, most


def make_sized_writer(write: Write, sizes: Sequence[Constraint], write_odd: Write) -> Write:
    """Make the writer of texts of certain *sizes*; *write_odd* writes the other objects."""
    least, most = find_bounds(sizes)

    def write_sized(value: Any) -> Any:
        text = write(value)
        return text if least <= len(text) <= most else write_odd(value)

    return write_sized


def find_sizes(t: nodes.Type, text: nodes.Type) -> list[Constraint] | None:
    """Return what a text of the type *text*, or datetime if it is that, has to meet to be a *t*.

    That are bounds of its length.  Returns None if it may have to meet others.
    """
    match t:
        case nodes.Union(members):
            found = [find_sizes(member, text) for member in members]
            return min([each for each in found if each is not None], key=len, default=None)
        case nodes.Maybe(inner) | nodes.Annotation(inner):
            return find_sizes(inner, text)
        case nodes.Refinement(nodes.STRING, constraints) if text != nodes.DATETIME:
            met = text.constraints if isinstance(text, nodes.Refinement) else ()
            asked = [each for each in constraints if each not in met]
            return asked if all(each.row.sort == "size" for each in asked) else None
        case _:
            return [] if t == text or (t == nodes.STRING and text != nodes.DATETIME) else None
