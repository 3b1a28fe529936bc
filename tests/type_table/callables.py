"""Callables of every kind, as parameters and as results."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import AsyncIterator, Callable
from typing import Any

import typing_extensions as te

from tests.type_table.rows import BUILTIN, Result, Row, keep


def _lambda() -> Any:
    f = lambda value, more=1: keep(value, more)  # noqa: E731
    f.__name__ = "take"
    f.__annotations__ = {"value": int, "more": int}
    return f


class Shop:
    """A shop that is built by its name.

    Args:
        value: how many
    """

    def __init__(self, value: int, name: str = "a") -> None:
        keep(value, name)

    def buy(self, value: str, count: int = 1) -> None:
        """Buy something.

        Args:
            value: what to buy
        """
        keep(value, count)

    @classmethod
    def open(cls, value: str) -> None:
        keep(cls, value)

    @staticmethod
    def price(value: str) -> None:
        keep(value)

    three = functools.partialmethod(buy, count=3)
    tea = functools.partialmethod(buy, "tea")


class New:
    def __new__(cls, value: int, name: str = "a") -> te.Self:
        keep(value, name)
        return super().__new__(cls)


class Meta(type):
    def __call__(cls, value: int, name: str = "a") -> Any:
        keep(value, name)
        return super().__call__()


class Made(metaclass=Meta):
    pass


class OnClass:
    """Count to a number.

    Args:
        value: where to stop
    """

    def __call__(self, value: int) -> None:
        keep(value)


class OnCall:
    """An object."""

    def __call__(self, value: int) -> None:
        """Count to a number.

        Args:
            value: where to stop
        """
        keep(value)


def add(value: int, more: int = 2, *, third: int = 3) -> None:
    """Add numbers.

    Args:
        value: the first
        more: the second
    """
    keep(value, more, third)


@functools.singledispatch
def shown(value: int, name: str = "a") -> None:
    keep(value, name)


@shown.register
def _(value: str, name: str = "b") -> None:
    raise AssertionError


@functools.lru_cache
def cached(value: int, name: str = "a") -> None:
    keep(value, name)


@functools.cache
def cached_too(value: int) -> None:
    keep(value)


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


@logged
def wrapped(value: int, name: str = "a") -> None:
    """Wrap.

    Args:
        value: what to wrap
    """
    keep(value, name)


def narrowed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(value: int) -> Any:
        return function(value, 5)

    # The wrapper takes other parameters than the function that it wraps.
    wrapper.__signature__ = __import__("inspect").signature(wrapper, follow_wrapped=False)  # type: ignore[attr-defined]
    return wrapper


@narrowed
def was_wider(value: int, extra: int) -> None:
    keep(value, extra)


async def fetch(value: int, name: str = "a") -> None:
    keep(value, name)


class Fetcher:
    async def __call__(self, value: int) -> None:
        keep(value)


async def pages(value: int) -> AsyncIterator[int]:
    keep(value)
    for page in range(value):
        yield page


_IGNORED = {"value": 1, "more": 2}


class Giver:
    """An object whose methods return values of their hints."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def give(self) -> list[int]:
        return self.value  # type: ignore[no-any-return]


def _giving(value: Any, more: int = 0) -> list[int]:
    return value  # type: ignore[no-any-return]


def _awaited(value: Any) -> Any:
    async def f() -> list[int]:
        return value  # type: ignore[no-any-return]

    return f


def _paged(value: Any) -> Any:
    async def f() -> AsyncIterator[int]:
        for each in value:
            yield each

    return f


def _cached(value: Any) -> Any:
    @functools.lru_cache
    def f() -> list[int]:
        return value  # type: ignore[no-any-return]

    return f


_INTS = (([], []), ([1, 2], [1, 2]))
_NO_INTS = (["x"], 1)

ROWS: tuple[Row, ...] = (
    Row(
        "lambdas",
        _lambda(),
        (({"value": 1}, (1, 1)), (_IGNORED, (1, 2))),
        ({"value": "x"}, {}),
    ),
    Row(
        "builtins with text signatures",
        math.floor,
        (({"x": 2.5}, BUILTIN), ({"x": -0.5}, BUILTIN)),
        ({"x": "a"}, {}),
        options={"signature": "(x :float) -> :int"},
    ),
    Row(
        "builtins with text signatures",
        operator.add,
        (({"a": 1, "b": 2}, BUILTIN), ({"a": 0, "b": -1}, BUILTIN)),
        ({"a": 1}, {"a": 1, "b": "x"}),
        options={"signature": "(a :int, b :int) -> :int"},
    ),
    Row(
        "builtins without text signatures",
        {}.get,
        (({"key": "a"}, BUILTIN), ({"key": "b"}, BUILTIN)),
        ({"key": 1}, {}),
        options={"signature": "(key :string) -> :any"},
    ),
    Row(
        "builtins without text signatures",
        max,
        (({"a": 1, "b": 2}, BUILTIN), ({"a": 3, "b": 1}, BUILTIN)),
        ({"a": "x", "b": 1}, {"a": 1}),
        options={"signature": "(a :int, b :int) -> :int"},
    ),
    Row(
        "methods bound",
        Shop(0).buy,
        (({"value": "a"}, ("a", 1)), ({"value": "a", "count": 2}, ("a", 2))),
        ({"value": 1}, {}),
        texts={"": "Buy something.", "value": "what to buy"},
    ),
    Row("methods bound", Shop.open, (({"value": "a"}, (Shop, "a")),) * 2, ({"value": 1}, {})),
    Row("methods bound", Shop(0).price, (({"value": "a"}, "a"),) * 2, ({"value": 1}, {})),
    Row(
        "methods unbound",
        Shop.buy,
        (({"value": "a"}, ("a", 1)), ({"value": "a", "count": 2}, ("a", 2))),
        ({"value": 1}, {}),
        options={"receiver": Shop(0)},
    ),
    Row(
        "classes __init__",
        Shop,
        (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
        texts={"": "A shop that is built by its name.", "value": "how many"},
        warns=("returns: Shop",),
    ),
    Row(
        "classes __new__",
        New,
        (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
        warns=("returns: New",),
    ),
    Row(
        "metaclass __call__",
        Made,
        (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
        warns=("returns: Made",),
    ),
    Row(
        "callable objects documented on class",
        OnClass(),
        (({"value": 1}, 1), ({"value": 2}, 2)),
        ({"value": "x"}, {}),
        texts={"": "Count to a number.", "value": "where to stop"},
    ),
    Row(
        "callable objects documented on __call__",
        OnCall(),
        (({"value": 1}, 1), ({"value": 2}, 2)),
        ({"value": "x"}, {}),
        texts={"": "Count to a number.", "value": "where to stop"},
    ),
    Row(
        "partial",
        functools.partial(add, 1),
        (({}, (1, 2, 3)), ({"more": 5}, (1, 5, 3))),
        ({"more": "x"}, {"third": "x"}),
        texts={"": "Add numbers.", "more": "the second"},
        shows=("more", "third"),
    ),
    Row(
        "partial",
        functools.partial(functools.partial(add, third=7), more=1),
        (({"value": 1}, (1, 1, 7)), ({"value": 2}, (2, 1, 7))),
        ({"value": "x"}, {}),
        shows=("value",),
    ),
    Row(
        "partialmethod",
        Shop(0).three,
        (({"value": "a"}, ("a", 3)), ({"value": "b"}, ("b", 3))),
        ({"value": 1}, {}),
        texts={"": "Buy something.", "value": "what to buy"},
        shows=("value",),
        options={"name": "three"},
    ),
    Row(
        "partialmethod",
        Shop(0).tea,
        (({}, ("tea", 1)), ({"count": 2}, ("tea", 2))),
        ({"count": "x"}, {"count": [2]}),
        shows=("count",),
        options={"name": "tea"},
    ),
    Row(
        "singledispatch",
        shown,
        (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
    ),
    Row(
        "lru_cache",
        cached,
        (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
    ),
    Row("lru_cache", cached_too, (({"value": 1}, 1), ({"value": 2}, 2)), ({"value": "x"}, {})),
    Row(
        "wraps",
        wrapped,
        (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
        texts={"": "Wrap.", "value": "what to wrap"},
    ),
    Row(
        "wraps",
        was_wider,
        (({"value": 1}, (1, 5)), ({"value": 2}, (2, 5))),
        ({"value": "x"}, {}),
        shows=("value",),
    ),
    Row(
        "async functions",
        fetch,
        (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
    ),
    Row("async functions", Fetcher(), (({"value": 1}, 1), ({"value": 2}, 2)), ({"value": "x"}, {})),
    Row("async generators", pages, (({"value": 1}, 1), ({"value": 0}, 0)), ({"value": "x"}, {})),
)


RESULTS: tuple[Result, ...] = (
    Result("methods bound", lambda value: Giver(value).give, _INTS, _NO_INTS, shorthand="[:int]"),
    Result(
        "partial",
        lambda value: functools.partial(_giving, value),
        _INTS,
        _NO_INTS,
        shorthand="[:int]",
    ),
    Result("lru_cache", _cached, _INTS, _NO_INTS, shorthand="[:int]"),
    Result("wraps", lambda value: logged(Giver(value).give), _INTS, _NO_INTS, shorthand="[:int]"),
    Result("async functions", _awaited, _INTS, _NO_INTS, shorthand="[:int]"),
    Result("async generators", _paged, _INTS, (["x"], [None]), shorthand="[:int]"),
)
