"""Host types that are written as one scalar: their decoding for a function, and encoding of results."""

from __future__ import annotations

import datetime as dt
import decimal
import ipaddress
import os
import pathlib
import re
import uuid
import zoneinfo
from typing import Any, SupportsFloat, SupportsIndex, SupportsInt

import pytest

import typesig
from typesig import Outcome, tool
from typesig.algebra import Keyword
from typesig.extraction.python_types.leaves import LEAVES

NEW_YEAR = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def echo(hint: Any) -> Any:
    """Return a tool of one parameter and a result, both hinted *hint*."""

    def f(value):  # type: ignore[no-untyped-def]
        f.got.append(value)
        return value

    f.got = []
    f.__annotations__ = {"value": hint, "return": hint}
    return tool(f)


def called(hint: Any, argument: object) -> tuple[Any, Outcome[Any]]:
    """Return what a function of *hint* receives for *argument*, and the outcome of the call."""
    f = echo(hint)
    outcome = f.call({"value": argument})
    return (f.__wrapped__.got or [None])[0], outcome


def returned(value: object) -> Any:
    """Return what the result *value* becomes where nothing is said of it."""

    def f() -> Any:
        return value

    return tool(f).call({}).value


BOTH_WAYS = [
    # hint, type, JSON argument, Python value
    (str, ":string", "a", "a"),
    (int, ":int", 1, 1),
    (float, ":float", 1.5, 1.5),
    (bool, ":bool", True, True),
    (bytes, ":string[base64]", "YWI=", b"ab"),
    (bytearray, ":string[base64]", "YWI=", bytearray(b"ab")),
    (Keyword, ":keyword", "ok", Keyword("ok")),
    (pathlib.Path, ":string", "a/b.txt", pathlib.Path("a/b.txt")),
    (pathlib.PurePosixPath, ":string", "a/b.txt", pathlib.PurePosixPath("a/b.txt")),
    (pathlib.PureWindowsPath, ":string", "a\\b", pathlib.PureWindowsPath("a\\b")),
    (os.PathLike[str], ":string", "a/b", pathlib.Path("a/b")),
    (os.PathLike, ":string", "a/b", pathlib.Path("a/b")),
    (re.Pattern, ":string[regex]", "a+", re.compile("a+")),
    (re.Pattern[str], ":string[regex]", "a+", re.compile("a+")),
    (SupportsIndex, ":int", 3, 3),
    (SupportsInt, ":int", 3, 3),
    (SupportsFloat, ":float", 3.5, 3.5),
    (ipaddress.IPv4Address, ":string[ipv4]", "10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),
    (ipaddress.IPv6Address, ":string[ipv6]", "::1", ipaddress.IPv6Address("::1")),
    (zoneinfo.ZoneInfo, ":string", "UTC", zoneinfo.ZoneInfo("UTC")),
    (decimal.Decimal, ":string[decimal]", "1.50", decimal.Decimal("1.50")),
    (uuid.UUID, ":string[uuid]", "123e4567-e89b-12d3-a456-426614174000",
     uuid.UUID("123e4567-e89b-12d3-a456-426614174000")),
    (dt.date, ":string[date]", "2026-01-31", dt.date(2026, 1, 31)),
    (dt.time, ":string[time]", "10:20:30", dt.time(10, 20, 30)),
    (dt.timedelta, ":string[duration]", "P1DT2H3M4.5S",
     dt.timedelta(days=1, hours=2, minutes=3, seconds=4.5)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("hint", "expected", "argument", "received"), BOTH_WAYS, ids=lambda value: str(value)[:40]
)
def test_a_leaf_is_decoded_and_encoded(
    hint: Any, expected: str, argument: Any, received: Any
) -> None:
    f = echo(hint)
    outcome = f.call({"value": argument})

    assert f"(value {expected}) -> {expected}" == str(f.signature)
    assert ([], [received]) == (list(outcome.errors), f.__wrapped__.got)
    assert type(received) is type(f.__wrapped__.got[0])
    assert argument == outcome.value


@pytest.mark.parametrize(
    ("hint", "argument", "message"),
    [
        (re.Pattern, "(", 'value: expected string[regex], got string "("'),
        (re.Pattern, "(?<=a*)b", "value: not a regular expression: "),
        (zoneinfo.ZoneInfo, "Mars/Olympus", "value: there is no such time zone"),
        (zoneinfo.ZoneInfo, "../etc/passwd", "value: there is no such time zone"),
        (dt.timedelta, "P1Y", 'value: expected string[duration], got string "P1Y"'),
        (dt.timedelta, "P9999999999W", "value: the duration is too long"),
        (bytes, "YQ", "value: expected string[base64], got string \"YQ\""),
        (ipaddress.IPv4Address, "1.2.3", 'value: expected string[ipv4], got string "1.2.3"'),
        (dt.date, "2026-02-30", 'value: expected string[date], got string "2026-02-30"'),
        (float, 2**60 + 1, "value: expected float, got int 1152921504606846977"),
        (float, 10**400 - 1, "value: expected float, got int of 1329 bits"),
    ],
)  # fmt: skip
def test_a_value_that_a_leaf_refuses_is_an_error_for_the_model(
    hint: Any, argument: object, message: str
) -> None:
    got, outcome = called(hint, argument)

    assert got is None
    assert "input" == outcome.stage
    assert 1 == len(outcome.errors)
    assert str(outcome.errors[0]).startswith(message)


def test_a_duration_without_a_fixed_length_has_a_remedy() -> None:
    def f(value: dt.timedelta) -> None: ...

    errors = tool("(value :string) -> :nil")(f).call({"value": "P1Y"}).errors

    why = "years and months have no fixed length; write weeks, days and below"
    assert [f'value: {why} (got string "P1Y")'] == [str(error) for error in errors]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("PT0S", dt.timedelta()),
        ("P1W", dt.timedelta(weeks=1)),
        ("-P1D", dt.timedelta(days=-1)),
        ("PT1H", dt.timedelta(hours=1)),
        ("PT90M", dt.timedelta(minutes=90)),
        ("PT0.000001S", dt.timedelta(microseconds=1)),
        ("PT0.0000019S", dt.timedelta(microseconds=1)),
        ("P1DT1S", dt.timedelta(days=1, seconds=1)),
    ],
)
def test_a_duration_is_read_exactly(text: str, span: dt.timedelta) -> None:
    assert span == called(dt.timedelta, text)[0]


@pytest.mark.parametrize(
    ("expected", "span"),
    [
        ("PT0S", dt.timedelta()),
        ("P1D", dt.timedelta(days=1)),
        ("PT1H", dt.timedelta(hours=1)),
        ("PT1M", dt.timedelta(minutes=1)),
        ("PT1.5S", dt.timedelta(seconds=1.5)),
        ("PT0.000001S", dt.timedelta(microseconds=1)),
        ("P2DT3H4M5S", dt.timedelta(days=2, hours=3, minutes=4, seconds=5)),
        ("-PT0.5S", dt.timedelta(seconds=-0.5)),
        ("-P1DT1S", dt.timedelta(days=-1, seconds=-1)),
    ],
)
def test_a_written_duration_is_read_back(expected: str, span: dt.timedelta) -> None:
    assert expected == returned(span)
    assert span == called(dt.timedelta, expected)[0]


@pytest.mark.parametrize("span", [dt.timedelta.max, dt.timedelta.min + dt.timedelta(days=1)])
def test_the_longest_durations_are_decoded_and_encoded(span: dt.timedelta) -> None:
    assert span == called(dt.timedelta, returned(span))[0]


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("a/b", pathlib.PurePosixPath("a/b")),
        ("a+", re.compile("a+")),
        ("10.0.0.1", ipaddress.ip_address("10.0.0.1")),
        ("::1", ipaddress.ip_address("::1")),
        ("UTC", zoneinfo.ZoneInfo("UTC")),
        ("1.50", decimal.Decimal("1.50")),
        ("YWI=", b"ab"),
        ("YWI=", bytearray(b"ab")),
        ("YWI=", memoryview(b"ab")),
        ("2026-01-31", dt.date(2026, 1, 31)),
        ("10:00:00", dt.time(10)),
        ("2026-01-01T00:00:00Z", NEW_YEAR),
        ("pathlib", pathlib),
        ("ok", Keyword("ok")),
    ],
)
def test_a_result_is_encoded_by_its_own_class(expected: str, value: object) -> None:
    assert expected == returned(value)


def test_every_class_with_objects_of_its_own_is_written() -> None:
    unwritten = {name for (_, name), leaf in LEAVES.items() if leaf.encode is None}

    protocols = {"PathLike", "SupportsFloat", "SupportsIndex", "SupportsInt"}
    assert protocols | {"NoneType", "object"} == unwritten


# Subclasses of leaf types


class Name(str):
    """A text of its own class."""


class Count(int):
    """A number of its own class."""


class Ratio(float):
    """A float of its own class."""


class Blob(bytes):
    """Bytes of its own class."""


class Day(dt.date):
    """A date of its own class."""


class Moment(dt.datetime):
    """A datetime of its own class."""


class Money(decimal.Decimal):
    """A decimal of its own class."""


class Key(uuid.UUID):
    """A uuid of its own class."""


class Even(int):
    def __new__(cls, value: int) -> Even:
        if value % 2:
            raise ValueError(f"{value} is odd")
        return super().__new__(cls, value)


DESCENDANTS = [
    (Name, ":string", "a", Name("a"), "a"),
    (Count, ":int", 3, Count(3), 3),
    (Ratio, ":float", 0.5, Ratio(0.5), 0.5),
    (Blob, ":string[base64]", "YWI=", Blob(b"ab"), "YWI="),
    (Day, ":string[date]", "2026-01-31", Day(2026, 1, 31), "2026-01-31"),
    (
        Moment,
        ":datetime",
        "2026-01-01T00:00:00Z",
        Moment(2026, 1, 1, tzinfo=dt.UTC),
        "2026-01-01T00:00:00Z",
    ),
    (Moment, ":datetime", NEW_YEAR, Moment(2026, 1, 1, tzinfo=dt.UTC), "2026-01-01T00:00:00Z"),
    (Money, ":string[decimal]", "1.50", Money("1.50"), "1.50"),
    (Key, ":string[uuid]", str(uuid.UUID(int=7)), Key(int=7), str(uuid.UUID(int=7))),
    (Even, ":int", 4, Even(4), 4),
]


@pytest.mark.parametrize(
    ("hint", "expected", "argument", "received", "written"),
    DESCENDANTS,
    ids=lambda value: str(value)[:40],
)
def test_a_subclass_of_a_leaf_is_decoded_to_the_subclass(
    hint: type, expected: str, argument: object, received: object, written: object
) -> None:
    f = echo(hint)
    outcome = f.call({"value": argument})

    assert f"(value {expected}) -> {expected}" == str(f.signature)
    assert ([], [received]) == (list(outcome.errors), f.__wrapped__.got)
    assert hint is type(f.__wrapped__.got[0])
    assert written == outcome.value


def test_a_value_that_a_subclass_refuses_is_an_error_for_the_model() -> None:
    got, outcome = called(Even, 3)

    assert got is None
    assert ["value: 3 is odd (got int 3)"] == [str(error) for error in outcome.errors]


def test_subclasses_of_leaves_are_extracted_under_the_profile_ptc_runner() -> None:
    found = typesig.extract(echo(Day).__wrapped__, profile="ptc_runner")

    assert "(value :string) -> :string" == str(found.signature)


@pytest.mark.parametrize("number", [2**60 + 1, 10**399])
def test_a_float_is_exact_beside_a_parameter_of_int_or_float(number: int) -> None:
    # Such a signature passes ints as they are, so floats are made after the check.
    @tool
    def f(a: int | float, b: float) -> str:
        return type(b).__name__

    assert "float" == f.call({"a": 1, "b": 2}).value
    (error,) = f.call({"a": 1, "b": number}).errors
    assert str(error).startswith("b: expected float, got an int that is not exactly a float")
