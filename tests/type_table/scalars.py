"""Scalars: numbers, bytes, enums and types written as text."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import fractions
import ipaddress
import os
import pathlib
import re
import uuid
from typing import Any, Literal

from tests.type_table.rows import Like, Result, Row, param, result, same, taken_out
from typesig.algebra import Keyword


class Access(enum.Flag):
    READ = 1
    WRITE = 2
    RUN = 4


class Sparse(enum.Flag):
    LOW = 1
    HIGH = 8


class Style(enum.IntFlag):
    BOLD = 1
    ITALIC = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10


class Shade(enum.StrEnum):
    DARK = "dark"
    LIGHT = enum.auto()


class Odd(enum.Enum):
    PAIR = (1, 2)
    THING = object()


class Varied(enum.Enum):
    ONE = 1
    TWO = "two"
    HALF = 0.5
    YES = True


class Same(enum.Enum):
    RED = "r"
    ROT = "r"  # noqa: PIE796 - an alias, on purpose
    BLUE = "b"


class Callables(enum.Enum):
    UP = enum.member(str.upper)
    LOW = enum.member(str.lower)


ID = "123e4567-e89b-12d3-a456-426614174000"
_UUID = uuid.UUID(ID)
_D = decimal.Decimal
_F = fractions.Fraction


def _takes_numbers(t: Any) -> list[str]:
    """Return the problems with a number, which is accepted too, without rounding."""
    out = []
    for text, expected in (("1", _D(1)), ("0.1", _D("0.1")), ("-12.50", _D("-12.5"))):
        outcome = t.call(f'{{"value": {text}}}')
        received = taken_out()
        if outcome.errors or received != [expected]:
            out.append(f"{text} is received as {received}")
    return out


ROWS: tuple[Row, ...] = (
    param(
        "Flag",
        Access,
        (
            (1, Access.READ),
            (3, Access.READ | Access.WRITE),
            (0, Access(0)),
            (7, Access.READ | Access.WRITE | Access.RUN),
        ),
        (8, -1, "READ", 1.5, True),
        shorthand=":enum[0 1 2 3 4 5 6 7]",
    ),
    param(
        "Flag",
        Sparse,
        ((1, Sparse.LOW), (9, Sparse.LOW | Sparse.HIGH)),
        (2, 10, "LOW"),
        shorthand=":enum[0 1 8 9]",
    ),
    param(
        "IntFlag",
        Style,
        ((1, Style.BOLD), (3, Style.BOLD | Style.ITALIC), (0, Style(0))),
        ("BOLD", 1.5, None, True),
        shorthand=":enum[0 1 2 3]",
    ),
    param(
        "IntEnum",
        Level,
        ((1, Level.LOW), (10, Level.HIGH)),
        (2, "LOW", 1.5, True, None),
        shorthand=":enum[1 10]",
    ),
    param(
        "StrEnum",
        Shade,
        (("dark", Shade.DARK), ("light", Shade.LIGHT)),
        ("DARK", "grey", 1, None),
        shorthand=':enum["dark" "light"]',
    ),
    param(
        "enums with unusual values",
        Odd,
        (("PAIR", Odd.PAIR), ("THING", Odd.THING)),
        ("OTHER", [1, 2], 1),
        shorthand=':enum["PAIR" "THING"]',
    ),
    param(
        "enums with unusual values",
        Varied,
        ((1, Varied.ONE), ("two", Varied.TWO), (0.5, Varied.HALF)),
        (2, "ONE", 1.5, False),
        shorthand=':enum[1 "two" 0.5]',
    ),
    param(
        "enums with unusual values",
        Same,
        (("r", Same.RED), ("b", Same.BLUE)),
        ("ROT", "x", 1),
        shorthand=':enum["r" "b"]',
    ),
    param(
        "enums with unusual values",
        Callables,
        (("UP", Callables.UP), ("LOW", Callables.LOW)),
        ("upper", 1),
        shorthand=':enum["UP" "LOW"]',
    ),
    param(
        "mixed Literal",
        Literal[1, "a", True, None],
        same(1, "a", True, None),
        (2, "b", False, 1.5),
        shorthand=':enum[1 "a" true]?',
    ),
    param(
        "mixed Literal",
        Literal[0, False, "", Level.HIGH],
        ((0, 0), (False, False), ("", ""), (10, Level.HIGH)),
        (1, True, "a"),
        shorthand=':enum[0 false "" 10]',
    ),
    param(
        "mixed Literal",
        Literal["a", Literal["b", 3]],  # noqa: RUF041 - nested on purpose
        same("a", "b", 3),
        ("c", 4, None),
        shorthand=':enum["a" "b" 3]',
    ),
    param(
        "mixed Literal",
        Literal[b"a", 1],
        (("YQ==", b"a"), (1, 1)),
        ("a", 2, None),
        shorthand=':enum["YQ==" 1]',
    ),
    param(
        "bytes",
        bytes,
        (("", b""), ("YWI=", b"ab"), ("AP8=", b"\x00\xff")),
        ("YWI", "a b=", 1, [97]),
        shorthand=":string[base64]",
        ptc_runner=":string",
    ),
    param(
        "bytes",
        bytearray,
        (("YWI=", bytearray(b"ab")),) * 2,
        ("YWI", 1),
        shorthand=":string[base64]",
        ptc_runner=":string",
    ),
    param(
        "bytes",
        memoryview,
        (("YWI=", Like("memoryview", lambda got: bytes(got) == b"ab")),) * 2,
        ("YWI", 1),
        shorthand=":string[base64]",
        ptc_runner=":string",
    ),
    param(
        "Decimal",
        decimal.Decimal,
        (
            ("1.10", _D("1.10")),
            ("-0.000000000000000000000000000001", _D("-1E-30")),
            ("1E+3", _D("1E+3")),
        ),
        ("x", "1_000", "NaN", "Infinity", True, [], ""),
        shorthand=":string[decimal]",
        ptc_runner=":string",
    ),
    param(
        "Decimal",
        decimal.Decimal,
        (("0.1", _D("0.1")), ("1", _D(1))),
        (None, [1]),
        also=_takes_numbers,
        shorthand=":string[decimal]",
        ptc_runner=":string",
    ),
    param(
        "Fraction",
        fractions.Fraction,
        (("1/3", _F(1, 3)), ("-2/4", _F(-1, 2)), ("7", _F(7)), ("0.5", _F(1, 2))),
        ("1/0", "1 / 3", "1/-3", "x", "1e5", 1, 0.5, None),
        shorthand=":string[fraction]",
        ptc_runner=":string",
    ),
    param(
        "timedelta",
        dt.timedelta,
        (
            ("PT0S", dt.timedelta()),
            ("P1DT2H3M4.5S", dt.timedelta(days=1, hours=2, minutes=3, seconds=4.5)),
            ("-PT1M", dt.timedelta(minutes=-1)),
            ("P2W", dt.timedelta(weeks=2)),
        ),
        ("1 day", "P", "PT", 5, "01:00:00"),
        shorthand=":string[duration]",
        ptc_runner=":string",
    ),
    param(
        "timedelta",
        dt.timedelta,
        (("PT1S", dt.timedelta(seconds=1)),) * 2,
        ("P1Y", "P2M"),
        shorthand=":string[duration]",
        ptc_runner=":string",
    ),
    param(
        "UUID",
        uuid.UUID,
        ((ID, _UUID), (ID.upper(), _UUID)),
        ("a", ID[:-1], f"{{{ID}}}", 1),
        shorthand=":string[uuid]",
        ptc_runner=":string",
    ),
    param(
        "Path",
        pathlib.Path,
        (("a/b.txt", pathlib.Path("a/b.txt")), ("", pathlib.Path())),
        (1, None, ["a"]),
        shorthand=":string",
    ),
    param(
        "Path",
        pathlib.PurePosixPath,
        (("a", pathlib.PurePosixPath("a")),) * 2,
        (1, {}),
        shorthand=":string",
    ),
    param("Path", os.PathLike[str], (("a", pathlib.Path("a")),) * 2, (1, {}), shorthand=":string"),
    param(
        "Pattern",
        re.Pattern[str],
        (("a+", re.compile("a+")), ("", re.compile(""))),
        (1, None, ["a"]),
        shorthand=":string[regex]",
        ptc_runner=":string",
    ),
    param(
        "Pattern",
        re.Pattern,
        (("a|b", re.compile("a|b")),) * 2,
        ("(", "a**", "[b"),
        shorthand=":string[regex]",
        ptc_runner=":string",
    ),
    param(
        "Pattern",
        re.Pattern[bytes],
        (("a+", re.compile(b"a+")),) * 2,
        (1, None),
        shorthand=":string[regex]",
        ptc_runner=":string",
    ),
    param(
        "complex",
        complex,
        (("1+2j", 1 + 2j), ("-1.5j", -1.5j), ("3", 3 + 0j)),
        ("x", "1+2", None, [1, 2], "nan"),
        shorthand=":string[complex]",
        ptc_runner=":string",
    ),
    param(
        "IP addresses",
        ipaddress.IPv4Address,
        (("10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),) * 2,
        ("10.0.0.256", "::1", 1, "10.0.0.1/8"),
        shorthand=":string[ipv4]",
        ptc_runner=":string",
    ),
    param(
        "IP addresses",
        ipaddress.IPv6Address,
        (("::1", ipaddress.IPv6Address("::1")),) * 2,
        ("10.0.0.1", "::g", 1),
        shorthand=":string[ipv6]",
        ptc_runner=":string",
    ),
    param(
        "IP addresses",
        ipaddress.IPv4Address | ipaddress.IPv6Address,
        (
            ("::1", ipaddress.IPv6Address("::1")),
            ("10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),
        ),
        ("a", 1),
        shorthand=":string[ipv4]|:string[ipv6]",
        ptc_runner=":string",
    ),
    *(
        param(
            "IP addresses",
            cls,
            ((text, cls(text)),) * 2,
            refused,
            shorthand=":string[ipv4-network]"
            if "IPv4" in cls.__name__
            else ":string[ipv6-network]",
            ptc_runner=":string",
        )
        for cls, text, refused in (
            (ipaddress.IPv4Network, "10.0.0.0/8", ("a", "10.0.0.256/8", 1)),
            (ipaddress.IPv6Network, "2001:db8::/32", ("a", "10.0.0.0/8", 1)),
            (ipaddress.IPv4Interface, "10.0.0.1/8", ("a", "10.0.0.256/8", 1)),
            (ipaddress.IPv6Interface, "2001:db8::1/32", ("a", "10.0.0.1/8", 1)),
        )
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "Flag",
        Access,
        ((Access.READ, 1), (Access.READ | Access.WRITE, 3)),
        ("READ", 8),
        shorthand=":enum[0 1 2 3 4 5 6 7]",
    ),
    result(
        "IntFlag",
        Style,
        ((Style.BOLD, 1), (Style.BOLD | Style.ITALIC, 3)),
        ("BOLD", None),
        shorthand=":enum[0 1 2 3]",
    ),
    result("IntEnum", Level, ((Level.LOW, 1), (10, 10)), (2, "LOW"), shorthand=":enum[1 10]"),
    # A member whose value is text may be returned for a keyword.
    result(
        "StrEnum",
        Keyword,
        ((Shade.DARK, "dark"), (Same.BLUE, "b")),
        (Level.LOW, 1),
        shorthand=":keyword",
    ),
    result(
        "StrEnum",
        Shade,
        ((Shade.DARK, "dark"), ("light", "light")),
        ("DARK", 1),
        shorthand=':enum["dark" "light"]',
    ),
    result(
        "enums with unusual values",
        Odd,
        ((Odd.PAIR, "PAIR"), (Odd.THING, "THING")),
        ("x", 1),
        shorthand=':enum["PAIR" "THING"]',
    ),
    result(
        "enums with unusual values",
        Varied,
        ((Varied.ONE, 1), (Varied.HALF, 0.5)),
        (2, "ONE"),
        shorthand=':enum[1 "two" 0.5]',
    ),
    result(
        "mixed Literal",
        Literal[1, "a", None],
        ((1, 1), ("a", "a"), (None, None)),
        (2, "b"),
        shorthand=':enum[1 "a"]?',
    ),
    result(
        "bytes",
        bytes,
        ((b"ab", "YWI="), (bytearray(b"ab"), "YWI=")),
        ("a", 1),
        shorthand=":string[base64]",
        ptc_runner=":string",
    ),
    result(
        "bytes",
        memoryview,
        ((memoryview(b"ab"), "YWI="),),
        (1,),
        shorthand=":string[base64]",
        ptc_runner=":string",
    ),
    result(
        "Decimal",
        decimal.Decimal,
        ((_D("1.10"), "1.10"), (_D("1E+3"), "1E+3")),
        (_D("NaN"), "x"),
        shorthand=":string[decimal]",
        ptc_runner=":string",
    ),
    result(
        "Fraction",
        fractions.Fraction,
        ((_F(1, 3), "1/3"), (_F(-4, 2), "-2"), ("1/3", "1/3")),
        ("1/0", 1, _F),
        shorthand=":string[fraction]",
        ptc_runner=":string",
    ),
    result(
        "timedelta",
        dt.timedelta,
        ((dt.timedelta(days=1, hours=2), "P1DT2H"),),
        ("1 day", 5),
        shorthand=":string[duration]",
        ptc_runner=":string",
    ),
    result(
        "UUID", uuid.UUID, ((_UUID, ID),), ("a", 1), shorthand=":string[uuid]", ptc_runner=":string"
    ),
    result(
        "Path",
        pathlib.PurePath,
        ((pathlib.PurePosixPath("a/b"), "a/b"),),
        (1, None),
        shorthand=":string",
    ),
    result(
        "Pattern",
        re.Pattern[str],
        ((re.compile("a+"), "a+"),),
        (1, None),
        shorthand=":string[regex]",
        ptc_runner=":string",
    ),
    result(
        "complex",
        complex,
        ((1 + 2j, "1+2j"), (3 + 0j, "3+0j")),
        ("x", complex("nan"), None),
        shorthand=":string[complex]",
        ptc_runner=":string",
    ),
    result(
        "IP addresses",
        ipaddress.IPv4Address,
        ((ipaddress.IPv4Address("10.0.0.1"), "10.0.0.1"),),
        ("a", ipaddress.IPv6Address("::1")),
        shorthand=":string[ipv4]",
        ptc_runner=":string",
    ),
    result(
        "IP addresses",
        ipaddress.IPv4Network,
        ((ipaddress.IPv4Network("10.0.0.0/8"), "10.0.0.0/8"),),
        ("a", ipaddress.IPv6Network("2001:db8::/32")),
        shorthand=":string[ipv4-network]",
        ptc_runner=":string",
    ),
    result(
        "IP addresses",
        ipaddress.IPv6Interface,
        ((ipaddress.IPv6Interface("2001:db8::1/32"), "2001:db8::1/32"),),
        ("a", 1),
        shorthand=":string[ipv6-network]",
        ptc_runner=":string",
    ),
)
