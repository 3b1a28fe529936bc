"""Defaults of every kind: those in the schema, those used only by the call, those that are copied."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import math
import pathlib
from collections.abc import Callable
from typing import Any

from tests.type_table.rows import Like, Row, keep


class Color(enum.Enum):
    RED = "r"
    BLUE = "b"


@dataclasses.dataclass
class Point:
    x: int = 0
    y: int = 0


class Thing:
    """A class without a JSON form."""


THING = Thing()
ORIGIN = Point()
DAY = dt.date(2026, 1, 31)
MISSING: Any = object()


def plain(
    value: int = 1, name: str = 'a"b', size: float = 1.5, on: bool = False, none: str | None = None
) -> None:
    keep(value, name, size, on, none)


def host(
    value: dt.date = DAY,
    color: Color = Color.RED,
    path: pathlib.Path = pathlib.Path("a"),
    price: decimal.Decimal = decimal.Decimal("1.50"),
    point: Point = ORIGIN,
    pair: tuple[int, str] = (1, "a"),
) -> None:
    keep(value, color, path, price, point, pair)


def nullable(value: int | None = 5, other: int = None) -> None:  # type: ignore[assignment]  # noqa: RUF013
    keep(value, other)


def misfit(value: int = "x", low: float = 1.0) -> None:  # type: ignore[assignment]
    keep(value, low)


def infinite(value: float = math.inf, low: float = -math.inf, none: float = math.nan) -> None:
    keep(value, low, none)


def infinite_in(value: list[float] = [math.inf], more: Any = math.inf) -> None:  # noqa: B006
    keep(value, more)


def of_object(value: int = MISSING, thing: Any = THING) -> None:
    keep(value, thing)


def of_factory(value: Point = Point(1, 2)) -> None:  # noqa: B008
    keep(value)


def of_function(value: int = 1, key: Any = len) -> None:
    keep(value, key)


def of_lambda(value: int = 1, key: Callable[[int], int] = lambda n: n) -> None:
    keep(value, key)


def mutable(value: list[int] = [1], names: dict[str, int] = {"a": 1}) -> None:  # noqa: B006
    keep(value, names)


@dataclasses.dataclass
class Holding:
    items: list[int] = dataclasses.field(default_factory=lambda: [1])


def in_record(value: Holding, more: int = 1) -> None:
    keep(list(value.items), more)
    value.items.append(2)


def _default(name: str, expected: Any) -> Callable[[Any], list[str]]:
    """Return a test that the schema shows *expected* as the default of *name*."""

    def missing(t: Any) -> list[str]:
        schema = t.signature.input_schema(exact=True)["properties"][name]
        got = schema.get("default", MISSING)
        return [] if got == expected else [f"the default of {name} is shown as {got!r}"]

    return missing


def _both(*tests: Callable[[Any], list[str]]) -> Callable[[Any], list[str]]:
    return lambda t: [problem for test in tests for problem in test(t)]


_NOT_SHOWN = "the default is not shown"
_INFINITE = Like(
    "inf, -inf and nan", lambda got: got[:2] == (math.inf, -math.inf) and got[2] != got[2]
)

ROWS: tuple[Row, ...] = (
    Row(
        "Defaults of every kind",
        plain,
        (
            ({}, (1, 'a"b', 1.5, False, None)),
            ({"value": 2, "on": True, "none": "x"}, (2, 'a"b', 1.5, True, "x")),
        ),
        ({"value": "x"}, {"on": 1}, {"none": 1}),
        also=_both(_default("value", 1), _default("name", 'a"b'), _default("on", False)),
    ),
    Row(
        "Defaults of every kind",
        host,
        (
            ({}, (DAY, Color.RED, pathlib.Path("a"), decimal.Decimal("1.50"), ORIGIN, (1, "a"))),
            (
                {"color": "b", "point": {"x": 1}},
                (DAY, Color.BLUE, pathlib.Path("a"), decimal.Decimal("1.50"), Point(1), (1, "a")),
            ),
        ),
        ({"value": "x"}, {"color": "RED"}, {"point": {"x": "a"}}, {"pair": [1]}),
        also=_both(
            _default("value", "2026-01-31"),
            _default("color", "r"),
            _default("price", "1.50"),
            _default("point", {"x": 0, "y": 0}),
            _default("pair", [1, "a"]),
        ),
    ),
    Row(
        "Defaults of every kind",
        nullable,
        (({}, (5, None)), ({"value": None, "other": 1}, (None, 1)), ({"value": 2}, (2, None))),
        ({"value": "x"}, {"other": "x"}),
        also=_default("value", 5),
    ),
    Row(
        "Defaults of every kind",
        misfit,
        (({}, ("x", 1.0)), ({"value": 1, "low": 2.5}, (1, 2.5))),
        ({"value": "x"}, {"low": "x"}),
        warns=(f"value: int: {_NOT_SHOWN}: it does not fit the hint",),
    ),
    Row(
        'float("inf")',
        infinite,
        (({}, _INFINITE), ({"value": 1.5}, Like("1.5", lambda got: got[0] == 1.5))),
        ({"value": "x"}, {"low": None}),
        warns=(
            f"value: float: {_NOT_SHOWN}",
            f"low: float: {_NOT_SHOWN}",
            f"none: float: {_NOT_SHOWN}",
        ),
    ),
    Row(
        'float("inf")',
        infinite_in,
        (({}, ([math.inf], math.inf)), ({"value": [1.5], "more": 2}, ([1.5], 2))),
        ({"value": ["x"]}, {"value": 1.5}),
        warns=(f"value: list[float]: {_NOT_SHOWN}", f"more: Any: {_NOT_SHOWN}"),
    ),
    Row(
        "objects",
        of_object,
        (({}, (MISSING, THING)), ({"value": 1}, (1, THING))),
        ({"value": "x"}, {"value": [1]}),
        warns=(f"value: int: {_NOT_SHOWN}", f"thing: Any: {_NOT_SHOWN}"),
    ),
    Row(
        "objects",
        of_factory,
        (({}, Point(1, 2)), ({"value": {"x": 3}}, Point(3))),
        ({"value": {"x": "a"}}, {"value": 1}),
        also=_default("value", {"x": 1, "y": 2}),
    ),
    Row(
        "functions",
        of_function,
        (({}, (1, len)), ({"value": 2}, (2, len))),
        ({"value": "x"}, {"value": [1]}),
        warns=(f"key: Any: {_NOT_SHOWN}",),
    ),
    Row(
        "functions",
        of_lambda,
        (
            ({}, Like("a function", lambda got: got[0] == 1 and got[1](3) == 3)),
            ({"value": 2}, Like("a function", lambda got: got[0] == 2 and got[1](3) == 3)),
        ),
        ({"value": "x"}, {"value": [1]}),
        shows=("value",),
        warns=None,
    ),
    Row(
        "mutable defaults",
        mutable,
        (({}, ([1], {"a": 1})), ({}, ([1], {"a": 1})), ({"value": [5]}, ([5], {"a": 1}))),
        ({"value": "x"}, {"names": {"a": "x"}}),
        also=_both(_default("value", [1]), _default("names", {"a": 1})),
    ),
    Row(
        "mutable defaults",
        in_record,
        (({"value": {}}, ([1], 1)), ({"value": {}}, ([1], 1))),
        ({"value": {"items": ["x"]}}, {}),
    ),
)
