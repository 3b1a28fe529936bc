"""The types of `profile="ptc_runner"`: wider, and decoded to the same host objects."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import enum
import ipaddress
import pathlib
import re
import types
import uuid
from collections import abc
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import annotated_types as at

from tests.type_table.rows import Result, Row, param, result, same


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


@dataclass
class Item:
    id: int
    when: dt.datetime | None = None


_PTC_RUNNER = {"profile": "ptc_runner"}
_NOUN = 'profile="ptc_runner"'
_NOON = dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC)
_DAY = dt.date(2026, 1, 31)
_ID = "123e4567-e89b-12d3-a456-426614174000"
_UNBOUND = ('profile="ptc_runner" has no bounds',)
_NO_TUPLES = ('profile="ptc_runner" has no tuples',)

#: Hints, their type, values to accept (with the object received), values to reject, warnings.
_TABLE: tuple[tuple[Any, str, Any, Any, tuple[str, ...]], ...] = (
    (str, ":string", same("a"), (1, None), ()),
    (int, ":int", same(1, -1), ("x", 1.5), ()),
    (float, ":float", same(1.5, -0.5), ("x", None), ()),
    (bool, ":bool", same(True, False), (1, "x"), ()),
    (Any, ":any", same(1, "a", None), (), ()),
    (None, ":nil", same(None), (1, "a"), ()),
    (set[int], "[:int]", (([], set()), ([1, 2], {1, 2}), ([1, 1], {1})), (["x"], 1), ()),
    (frozenset[str], "[:string]", ((["a"], frozenset("a")),), ([1], 1), ()),
    (tuple[int, ...], "[:int]", (([], ()), ([1, 2], (1, 2))), (["x"], 1), ()),
    (tuple[int, str], ":any", (([1, "a"], (1, "a")),), (), _NO_TUPLES),
    (dict[str, int], ":map", same({}, {"a": 1}), ([], 1), ()),
    (dict[str, Any], ":map", same({}, {"a": "b"}), ([], 1), ()),
    (abc.Mapping[str, int], ":map", same({}, {"a": 1}), ([], 1), ()),
    (collections.Counter[str], ":map", (({"a": 1}, collections.Counter(a=1)),), ([], 1), ()),
    (list[dict[str, int]], "[:map]", same([], [{"a": 1}]), ([1], {}), ()),
    (dt.datetime, ":string", (("2026-01-31T12:00:00Z", _NOON),), (1, None), ()),
    (dt.date, ":string", (("2026-01-31", _DAY),), (1, None), ()),
    (dt.time, ":string", (("12:00:00", dt.time(12)),), (1, None), ()),
    (dt.timedelta, ":string", (("PT1S", dt.timedelta(seconds=1)),), (1, None), ()),
    (bytes, ":string", (("YWI=", b"ab"),), (1, None), ()),
    (decimal.Decimal, ":string", (("1.50", decimal.Decimal("1.50")),), (True, None), ()),
    (uuid.UUID, ":string", ((_ID, uuid.UUID(_ID)),), (1, None), ()),
    (pathlib.Path, ":string", (("a/b", pathlib.Path("a/b")),), (1, None), ()),
    (re.Pattern[str], ":string", (("a+", re.compile("a+")),), (1, None), ()),
    (
        ipaddress.IPv4Address, ":string", (("10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),), (1, None), (),
    ),
    (Level, ":enum[1 2]", ((1, Level.LOW), (2, Level.HIGH)), (3, "LOW"), ()),
    (Literal["a", 1], ':enum["a" 1]', same("a", 1), ("b", 2), ()),
    (int | None, ":int?", same(1, None), ("x", []), ()),
    (int | str, ":int|:string", same(1, "a"), (None, []), ()),
    (int | float, ":float", same(1, 1.5), ("x", None), ()),
    (Annotated[int, at.Ge(1)], ":int", same(1, 0), ("x", None), _UNBOUND),
    (
        Item,
        "{id :int, when :string?}",
        (({"id": 1}, Item(1)), ({"id": 1, "when": "2026-01-31T12:00:00Z"}, Item(1, _NOON))),
        ({}, {"id": 1, "when": 2}),
        (),
    ),
)  # fmt: skip


ROWS: tuple[Row, ...] = tuple(
    param(_NOUN, hint, takes, refuses, warns=warns, options=_PTC_RUNNER, shorthand=text)
    for hint, text, takes, refuses, warns in _TABLE
)

RESULTS: tuple[Result, ...] = tuple(
    result(_NOUN, hint, gives, refuses, options=_PTC_RUNNER, shorthand=text)
    for hint, text, gives, refuses in (
        (set[int], "[:int]", (({1}, [1]), (frozenset({1}), [1])), ({"x"}, 1)),
        (tuple[int, ...], "[:int]", (((1, 2), [1, 2]),), (("x",), 1)),
        (dict[str, int], ":map", (({"a": 1}, {"a": 1}),), ([], 1)),
        (dt.datetime, ":string", ((_NOON, "2026-01-31T12:00:00Z"),), (1, None)),
        (dt.date, ":string", ((_DAY, "2026-01-31"),), (1, None)),
        (bytes, ":string", ((b"ab", "YWI="),), (1, None)),
        (decimal.Decimal, ":string", ((decimal.Decimal("1.50"), "1.50"),), (1, None)),
        (Level, ":enum[1 2]", ((Level.LOW, 1),), (3, "LOW")),
        (types.ModuleType, ":keyword", ((re, "re"),), (1, None)),
        (
            Item,
            "{id :int, when :string?}",
            ((Item(1, _NOON), {"id": 1, "when": "2026-01-31T12:00:00Z"}),),
            (Item("x"), {}),
        ),  # type: ignore[arg-type]
    )
)
