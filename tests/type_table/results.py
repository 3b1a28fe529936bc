"""Results: awaitables, iterators and host objects become plain data, or are refused."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime as dt
import decimal
import enum
import math
import pathlib
import uuid
from collections import abc
from typing import Any

from tests.type_table.rows import Fresh, Result, result


class Color(enum.Enum):
    RED = "r"


@dataclasses.dataclass
class Part:
    name: str
    made: dt.date | None = None
    next: Any = None


def _awaiting(value: Any) -> Any:
    async def wait() -> Any:
        await asyncio.sleep(0)
        return value

    def f() -> abc.Awaitable[list[int]]:
        return wait()

    f.later = True  # type: ignore[attr-defined]
    return f


def _coroutine(value: Any) -> Any:
    def f() -> abc.Coroutine[Any, Any, list[int]]:
        async def wait() -> Any:
            return value

        return wait()

    f.later = True  # type: ignore[attr-defined]
    return f


def _yielding(value: Any) -> Any:
    def f() -> abc.Iterator[int]:
        yield from value

    return f


def _loop() -> Any:
    part = Part("a")
    part.next = [part]
    return part


def _list_loop() -> Any:
    out: list[Any] = [1]
    out.append(out)
    return out


def _dict_loop() -> Any:
    out: dict[str, Any] = {"b": 1}
    out["a"] = {"b": out}
    return out


_DAY = dt.date(2026, 1, 31)
_NOON = dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC)
_HOSTS = {
    "path": pathlib.Path("a"),
    "day": _DAY,
    "noon": _NOON,
    "price": decimal.Decimal("1.50"),
    "color": Color.RED,
    "parts": (Part("a"),),
    "set": {1},
    "bytes": b"ab",
    "many": collections.deque([1]),
    "id": uuid.UUID(int=1),
    "span": dt.timedelta(seconds=1),
}
_PLAIN = {
    "path": "a",
    "day": "2026-01-31",
    "noon": "2026-01-31T12:00:00Z",
    "price": "1.50",
    "color": "r",
    "parts": [{"name": "a", "made": None, "next": None}],
    "set": [1],
    "bytes": "YWI=",
    "many": [1],
    "id": "00000000-0000-0000-0000-000000000001",
    "span": "PT1S",
}
_INTS = (([], []), ([1, 2], [1, 2]))

RESULTS: tuple[Result, ...] = (
    Result("awaitables", _awaiting, _INTS, (["x"], 1, None), shorthand="[:int]"),
    Result("awaitables", _coroutine, _INTS, (["x"], 1, None), shorthand="[:int]"),
    Result("iterators", _yielding, _INTS, (["x"], [None]), shorthand="[:int]"),
    result(
        "iterators",
        abc.Iterable[int],
        ((Fresh(lambda: map(abs, [-1])), [1]), (Fresh(lambda: zip()), [])),
        (Fresh(lambda: iter("a")), 3),
        shorthand="[:int]",
    ),
    result(
        "iterators",
        list[abc.Iterator[int]],
        ((Fresh(lambda: [iter([1]), iter([2])]), [[1], [2]]),),
        (Fresh(lambda: [iter("a")]), [1]),
        shorthand="[[:int]]",
    ),
    result("None", None, ((None, None),), (0, "", []), shorthand=":nil"),
    result("None", int | None, ((None, None), (1, 1)), ("x", []), shorthand=":int?"),
    result(
        "host objects to plain data",
        dict[str, Any],
        ((_HOSTS, _PLAIN),),
        ([1], {1: object()}),
        shorthand=":map",
    ),
    result(
        "host objects to plain data",
        Any,
        ((_HOSTS, _PLAIN),),
        (object(), {"a": object()}),
        shorthand=":any",
    ),
    result(
        "host objects to plain data",
        list[Part],
        (([Part("a", _DAY, 3)], [{"name": "a", "made": "2026-01-31", "next": 3}]),),
        ([Part("a", "x")], [Part(1)]),  # type: ignore[arg-type]
        shorthand="[{name :string, made :string[date]?, next :any}]",
        ptc_runner="[{name :string, made :string?, next :any}]",
    ),
    result(
        "cycles refused with a path",
        Any,
        (),
        (Fresh(_loop), Fresh(_list_loop), Fresh(_dict_loop)),
        paths=(("next", 0), (1,), ("a", "b")),
        shorthand=":any",
    ),
    result(
        "cycles refused with a path",
        Part,
        (
            (
                Part("a", None, [Part("b")]),
                {"name": "a", "made": None, "next": [{"name": "b", "made": None, "next": None}]},
            ),
        ),
        (Fresh(_loop),),
        paths=(("next", 0),),
        shorthand="{name :string, made :string[date]?, next :any}",
        ptc_runner="{name :string, made :string?, next :any}",
    ),
    result(
        "non-finite floats refused with a path",
        float,
        ((1.5, 1.5),),
        (math.inf, -math.inf, math.nan),
        paths=((), (), ()),
        shorthand=":float",
    ),
    result(
        "non-finite floats refused with a path",
        dict[str, list[float]],
        (({"a": [1.5]}, {"a": [1.5]}),),
        ({"a": [1.5, math.nan]}, {"b": [math.inf]}),
        paths=(("a", 1), ("b", 0)),
        shorthand=":map[[:float]]",
        ptc_runner=":map",
    ),
    result(
        "non-finite floats refused with a path",
        Any,
        ((1.5, 1.5),),
        ({"a": (0.5, math.inf)}, Part("a", None, math.nan)),
        paths=(("a", 1), ("next",)),
        shorthand=":any",
    ),
)
