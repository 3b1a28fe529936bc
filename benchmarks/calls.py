"""Calls: `tool(f).call(arguments)` against pydantic's `validate_call(validate_return=True)`.

Both check what a model sent, call the function and check its result.  typesig also keeps the
outcome with its warnings, and the value as JSON data.  Each figure is CPU time in microseconds, the
smallest of several rounds in which both run one after the other; a ratio is the time of typesig
divided by that of pydantic: below 1 typesig is faster.

    python -m pip install pydantic
    python benchmarks/calls.py      # a quarter of a minute

Columns: the function; the microseconds of each; the ratio.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pydantic
from typing_extensions import TypedDict

from typesig import tool

ROUNDS = 9


class Item(TypedDict):
    id: int
    title: str


@dataclass
class Point:
    x: int
    y: float
    tags: list[str]


def add(a: int, b: int = 2) -> int:
    return a + b


def search(
    query: str, limit: int = 10, exact: bool = False, order: str = "asc", page: int | None = None
) -> list[Item]:
    return [{"id": limit, "title": query}]


def move(point: Point, by: int) -> Point:
    return Point(point.x + by, point.y, point.tags)


async def later(a: int) -> int:
    return a


POINT = {"point": {"x": 1, "y": 2.5, "tags": ["a"]}, "by": 1}
CALLS: list[tuple[str, Callable[..., Any], dict[str, Any]]] = [
    ("scalars", add, {"a": 1}),
    ("a record as the result", search, {"query": "x", "limit": 3}),
    ("a dataclass, both ways", move, POINT),
    ("coerced text", add, {"a": "1"}),
]


def timed(run: Callable[[], Any], repeat: int) -> float:
    start = time.process_time()
    for _ in range(repeat):
        run()
    return (time.process_time() - start) / repeat * 1e6


def smallest(ours: Callable[[], Any], theirs: Callable[[], Any], repeat: int) -> tuple[float, ...]:
    best = [float("inf")] * 2
    for run in (ours, theirs):
        timed(run, 20)
    for _ in range(ROUNDS):
        best = [min(old, timed(run, repeat)) for old, run in zip(best, (ours, theirs), strict=True)]
    return tuple(best)


async def awaited(ours: Any, theirs: Any) -> tuple[float, ...]:
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for place, call in enumerate((ours, theirs)):
            start = time.process_time()
            for _ in range(1_000):
                await call()
            best[place] = min(best[place], (time.process_time() - start) * 1e3)
    return tuple(best)


def line(name: str, figures: tuple[float, ...]) -> str:
    mine, theirs = figures
    return f"{name:<26}{mine:>9.2f}{theirs:>10.2f}{mine / theirs:>8.2f}"


def main() -> None:
    print(f"{'':<26}{'typesig':>9}{'pydantic':>10}{'ratio':>8}")
    for name, function, arguments in CALLS:
        made = tool(function)
        peer = pydantic.validate_call(validate_return=True)(function)

        def ours(made: Any = made, arguments: Any = arguments) -> Any:
            return made.call(arguments).result

        def theirs(peer: Any = peer, arguments: Any = arguments) -> Any:
            return peer(**arguments)

        print(line(name, smallest(ours, theirs, 2_000)))
    waiting = tool(later)
    peer = pydantic.validate_call(validate_return=True)(later)
    print(
        line(
            "a coroutine", asyncio.run(awaited(lambda: waiting.acall({"a": 1}), lambda: peer(a=1)))
        )
    )
    print(f"\nPython {sys.version.split()[0]}, pydantic {pydantic.VERSION}")


if __name__ == "__main__":
    main()
