"""Containers: maps by any key, collections, tuples; classes and callables as values."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import enum
import typing
import uuid
from collections import abc
from typing import Any, Literal

from tests.type_table.rows import Fresh, Like, Result, Row, keep, param, result, same


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10


class Shape:
    pass


class Circle(Shape):
    pass


class Square(Shape):
    pass


ID = "123e4567-e89b-12d3-a456-426614174000"
_UUID = uuid.UUID(ID)
_D = decimal.Decimal


def optional_callable(value: int, on_done: abc.Callable[[int], None] | None = None) -> None:
    keep(value, on_done)


def defaulted_callable(value: int, key: abc.Callable[..., Any] = len) -> None:
    keep(value, key)


def _deque(*items: Any) -> Any:
    return collections.deque(items)


def _counts(**items: Any) -> Any:
    return collections.Counter(**items)


def _default(factory: Any, **items: Any) -> Like:
    def test(got: Any) -> bool:
        return (type(got), got.default_factory, dict(got)) == (
            collections.defaultdict,
            factory,
            items,
        )

    return Like(f"defaultdict({factory}, {items})", test)


def _ordered(**items: Any) -> Any:
    return collections.OrderedDict(**items)


_DAY = dt.date(2026, 1, 31)
_NOON = dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC)

ROWS: tuple[Row, ...] = (
    param(
        "dict[int, str]",
        dict[int, str],
        (({}, {}), ({"1": "a", "-2": "b"}, {1: "a", -2: "b"})),
        ({"x": "a"}, {"1": 2}, {"1.5": "a"}, [1]),
        shorthand=":map[:int :string]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[bool, int],
        (({"true": 1}, {True: 1}), ({"false": 2, "true": 1}, {False: 2, True: 1})),
        ({"yes": 1}, {"true": "x"}),
        shorthand=":map[:bool :int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[float, int],
        (({"1.5": 1}, {1.5: 1}), ({"-2.25": 2}, {-2.25: 2})),
        ({"x": 1}, {"1.5": "x"}),
        shorthand=":map[:float :int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[dt.date, int],
        (({}, {}), ({"2026-01-31": 1}, {dt.date(2026, 1, 31): 1})),
        ({"2026-02-31": 1}, {"2026-01-31": "x"}),
        shorthand=":map[:string[date] :int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[uuid.UUID, int],
        (({ID: 1}, {_UUID: 1}),) * 2,
        ({"a": 1}, {ID: "x"}),
        shorthand=":map[:string[uuid] :int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[Level, int],
        (({"1": 5}, {Level.LOW: 5}), ({"10": 5, "1": 6}, {Level.HIGH: 5, Level.LOW: 6})),
        ({"2": 5}, {"LOW": 5}, {"1": "x"}),
        shorthand=":map[:enum[1 10] :int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[Literal["a", "b"], int],
        same({}, {"a": 1, "b": 2}),
        ({"c": 1}, {"a": "x"}),
        shorthand=':map[:enum["a" "b"] :int]',
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[decimal.Decimal, int],
        (({"1.50": 1}, {_D("1.50"): 1}), ({"2": 2}, {_D(2): 2})),
        ({"x": 1}, {"1": "x"}),
        shorthand=":map[:string[decimal] :int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[tuple[int, str], int],
        same({}, {"a": 1}),
        ({"a": "x"}, [1]),
        warns=(
            "value.keys: tuple[int, str]: a JSON key is text, so keys became :string; write "
            "list[tuple[tuple[int, str], int]], a list of pairs, or dict[str, …]",
        ),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        list[tuple[tuple[int, str], int]],
        (([], []), ([[[1, "a"], 2]], [((1, "a"), 2)])),
        ([[1, "a", 2]], {"a": 1}),
        shorthand="[[[:int, :string], :int]]",
        ptc_runner="[:any]",
    ),
    param(
        "other keys",
        dict[frozenset[str] | int, int],
        same({}, {"a": 1}),
        ({"a": "x"}, [1]),
        warns=("a list of pairs",),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[int | None, int],
        (({}, {}), ({"1": 2}, {1: 2})),
        ({"null": 1}, {"": 1}, {"1": "x"}),
        warns=(
            "value.keys: int | None: a JSON key is text, so it cannot be None; use a text instead",
        ),
        shorthand=":map[:int :int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[None, int],
        same({}, {"a": 1}),
        ({"a": "x"}, [1]),
        warns=("it cannot be None",),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    param(
        "other keys",
        dict[dt.datetime, int],
        (({"2026-01-31T12:00:00Z": 1}, {_NOON: 1}),) * 2,
        ({"2026-01-31T12:00:00": 1}, {"noon": 1}),
        shorthand=":map[:datetime :int]",
        ptc_runner=":map",
    ),
    param(
        "deque",
        collections.deque[int],
        (([], _deque()), ([1, 2], _deque(1, 2))),
        (["x"], {"a": 1}, "a"),
        shorthand="[:int]",
    ),
    param("deque", typing.Deque[str], ((["a"], _deque("a")),) * 2, ([1], 1), shorthand="[:string]"),  # noqa: UP006
    param(
        "defaultdict",
        collections.defaultdict[str, list[int]],
        (({}, _default(list)), ({"a": [1]}, _default(list, a=[1]))),
        ({"a": 1}, {"a": ["x"]}, []),
        shorthand=":map[[:int]]",
        ptc_runner=":map",
    ),
    param(
        "defaultdict",
        collections.defaultdict[str, collections.deque[int]],
        (({"a": [1]}, _default(collections.deque, a=_deque(1))),) * 2,
        ({"a": 1}, {"a": ["x"]}),
        shorthand=":map[[:int]]",
        ptc_runner=":map",
    ),
    param(
        "defaultdict",
        collections.defaultdict[str, collections.Counter[str]],
        (({"a": {"b": 1}}, _default(collections.Counter, a=_counts(b=1))),) * 2,
        ({"a": 1}, {"a": {"b": "x"}}),
        shorthand=":map[:map[:int]]",
        ptc_runner=":map",
    ),
    param(
        "Counter",
        collections.Counter[str],
        (({}, _counts()), ({"a": 2}, _counts(a=2))),
        ({"a": "x"}, ["a"], {"a": 1.5}),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    param(
        "Counter",
        collections.Counter[int],
        (({"1": 2}, collections.Counter({1: 2})),) * 2,
        ({"a": 2}, {"1": "x"}),
        shorthand=":map[:int :int]",
        ptc_runner=":map",
    ),
    param(
        "OrderedDict",
        collections.OrderedDict[str, int],
        (({}, _ordered()), ({"b": 1, "a": 2}, _ordered(b=1, a=2))),
        ({"a": "x"}, [1]),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    *(
        param(
            "abstract collections",
            hint,
            (([], []), ([1, 2], [1, 2])),
            (["x"], 1, {"a": 1}),
            shorthand="[:int]",
        )
        for hint in (
            abc.Sequence[int],
            abc.MutableSequence[int],
            abc.Iterable[int],
            abc.Collection[int],
            abc.Reversible[int],
            abc.Container[int],
            typing.Sequence[int],
        )
    ),
    *(
        param(
            "abstract collections",
            hint,
            (([], set()), ([1, 2], {1, 2})),
            (["x"], 1, [1, 1]),
            shorthand="#{:int}",
            ptc_runner="[:int]",
        )
        for hint in (abc.Set[int], abc.MutableSet[int], typing.AbstractSet[int])
    ),
    *(
        param(
            "abstract collections",
            hint,
            same({}, {"a": 1}),
            ({"a": "x"}, [1], 1),
            shorthand=":map[:int]",
            ptc_runner=":map",
        )
        for hint in (abc.Mapping[str, int], abc.MutableMapping[str, int], typing.Mapping[str, int])
    ),
    param(
        "abstract collections",
        abc.Iterator[int],
        (([1, 2], Like("an iterator of 1 and 2", lambda got: list(got) == [1, 2])),) * 2,
        (["x"], 1),
        shorthand="[:int]",
    ),
    param(
        "abstract collections",
        frozenset[str],
        (([], frozenset()), (["a"], frozenset("a"))),
        ([1], ["a", "a"]),
        shorthand="#{:string}",
        ptc_runner="[:string]",
    ),
    param(
        "tuple[()]",
        tuple[()],
        (([], ()), ([], ())),
        ([1], "a", None),
        shorthand="[:any][0..0]",
        ptc_runner=":any",
    ),
    param(
        "tuple[int, *tuple[str, ...]]",
        tuple[int, *tuple[str, ...]],
        (([1], (1,)), ([1, "a"], (1, "a")), ([1, "a", "b", "c"], (1, "a", "b", "c"))),
        ([], ["a"], [1, 2], [1, "a", 3], [1, ["a"]]),
        shorthand="[:int, ** :string]",
        ptc_runner=":any",
    ),
    param(
        "tuple[int, *tuple[str, ...]]",
        tuple[int, bool, *tuple[dt.date, ...]],
        (
            ([1, True], (1, True)),
            ([1, True, "2026-01-31"], (1, True, dt.date(2026, 1, 31))),
        ),
        ([1], [1, True, "x"], [1, 2]),
        shorthand="[:int, :bool, ** :string[date]]",
        ptc_runner=":any",
    ),
    param(
        "tuple[int, *tuple[str, ...]]",
        tuple[*tuple[str, ...], int],
        (([1], (1,)), (["a", "b", 1], ("a", "b", 1))),
        ([], {"a": 1}),
        warns=("",),
        shorthand="[:string|:int][1..]",
        ptc_runner=":any",
    ),
    param(
        "type[X]",
        type[Shape],
        (("Shape", Shape), ("Circle", Circle), ("Square", Square)),
        ("Triangle", 1, None),
        shorthand=':enum["Shape" "Circle" "Square"]',
    ),
    param(
        "type[X]",
        type[Circle | Square],
        (("Circle", Circle), ("Square", Square)),
        ("Shape", "x", 1),
        shorthand=':enum["Circle" "Square"]',
    ),
    Row(
        "Callable (optional ones)",
        optional_callable,
        (({"value": 1}, (1, None)), ({"value": 2}, (2, None))),
        ({"value": "x"}, {}),
        shows=("value",),
        warns=None,
    ),
    Row(
        "Callable (optional ones)",
        defaulted_callable,
        (({"value": 1}, (1, len)), ({"value": 2}, (2, len))),
        ({"value": "x"}, {}),
        shows=("value",),
        warns=None,
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "dict[int, str]",
        dict[int, str],
        (({1: "a"}, {"1": "a"}), ({}, {})),
        ({1: 2}, {"x": "a"}),
        shorthand=":map[:int :string]",
        ptc_runner=":map",
    ),
    result(
        "other keys",
        dict[dt.date, int],
        (({_DAY: 1}, {"2026-01-31": 1}),),
        ({_DAY: "x"}, [1]),
        shorthand=":map[:string[date] :int]",
        ptc_runner=":map",
    ),
    result(
        "other keys",
        dict[Level, int],
        (({Level.LOW: 1}, {"1": 1}),),
        ({2: 1}, {Level.LOW: "x"}),
        shorthand=":map[:enum[1 10] :int]",
        ptc_runner=":map",
    ),
    result(
        "other keys",
        dict[tuple[int, str], int],
        (({"a": 1}, {"a": 1}),),
        ({(1, "a"): 1}, {"a": "x"}),
        warns=("a list of pairs",),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    result(
        "other keys",
        dict[int | None, int],
        (({1: 2}, {"1": 2}),),
        ({None: 2}, {1: "x"}),
        warns=("it cannot be None",),
        shorthand=":map[:int :int]",
        ptc_runner=":map",
    ),
    result(
        "other keys",
        dict[dt.datetime, int],
        (({_NOON: 1}, {"2026-01-31T12:00:00Z": 1}),),
        ({"noon": 1}, {_NOON: "x"}),
        shorthand=":map[:datetime :int]",
        ptc_runner=":map",
    ),
    result(
        "other keys",
        dict[bool, int],
        (({True: 1}, {"true": 1}),),
        ({"yes": 1}, {True: "x"}),
        shorthand=":map[:bool :int]",
        ptc_runner=":map",
    ),
    result(
        "other keys",
        dict[float, int],
        (({1.5: 1}, {"1.5": 1}),),
        ({"x": 1}, {1.5: "x"}),
        shorthand=":map[:float :int]",
        ptc_runner=":map",
    ),
    result(
        "other keys",
        dict[uuid.UUID, int],
        (({_UUID: 1}, {ID: 1}),),
        ({"x": 1}, {_UUID: "x"}),
        shorthand=":map[:string[uuid] :int]",
        ptc_runner=":map",
    ),
    result(
        "deque",
        collections.deque[int],
        ((_deque(1, 2), [1, 2]),),
        (_deque("a"), {"a": 1}),
        shorthand="[:int]",
    ),
    result(
        "defaultdict",
        collections.defaultdict[str, int],
        ((collections.defaultdict(int, a=1), {"a": 1}),),
        ({"a": "x"}, [1]),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    result(
        "Counter",
        collections.Counter[str],
        ((_counts(a=2), {"a": 2}),),
        (_counts(a="x"), ["a"]),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    result(
        "OrderedDict",
        collections.OrderedDict[str, int],
        ((_ordered(a=1), {"a": 1}),),
        ([1], {"a": "x"}),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    result(
        "abstract collections",
        abc.Sequence[int],
        (((1, 2), [1, 2]), (range(2), [0, 1])),
        ("a", ["x"]),
        shorthand="[:int]",
    ),
    result(
        "abstract collections",
        abc.Iterable[int],
        (({1}, [1]), ({1: 2}.keys(), [1])),
        (["x"], 1),
        shorthand="[:int]",
    ),
    result(
        "abstract collections",
        abc.Set[int],
        (({1}, [1]), (frozenset({1}), [1])),
        ({"x"}, [1, 1]),
        shorthand="#{:int}",
        ptc_runner="[:int]",
    ),
    result(
        "abstract collections",
        abc.Mapping[str, int],
        (({"a": 1}, {"a": 1}),),
        ({"a": "x"}, [1]),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    result(
        "abstract collections",
        abc.KeysView[str],
        (({"a": 1}.keys(), ["a"]),),
        ([1], 1),
        shorthand="[:string]",
    ),
    result(
        "abstract collections",
        abc.ItemsView[str, int],
        (({"a": 1}.items(), [["a", 1]]),),
        ([1],),
        shorthand="[[:string, :int]]",
        ptc_runner="[:any]",
    ),
    result(
        "tuple[()]",
        tuple[()],
        (((), []),),
        ((1,), "a"),
        shorthand="[:any][0..0]",
        ptc_runner=":any",
    ),
    result(
        "tuple[int, *tuple[str, ...]]",
        tuple[int, *tuple[str, ...]],
        (((1,), [1]), ((1, "a", "b"), [1, "a", "b"])),
        ((), ("a",), (1, 2)),
        shorthand="[:int, ** :string]",
        ptc_runner=":any",
    ),
    result(
        "type[X]",
        type[Shape],
        ((Circle, "Circle"), (Shape, "Shape")),
        (int, Circle()),
        shorthand=':enum["Shape" "Circle" "Square"]',
    ),
    result(
        "Iterator",
        abc.Iterator[int],
        ((Fresh(lambda: iter([1, 2])), [1, 2]), (Fresh(lambda: iter(())), [])),
        (Fresh(lambda: iter(["a"])), 1),
        shorthand="[:int]",
    ),
    result(
        "Generator",
        abc.Generator[int, None, str],
        ((Fresh(lambda: (n for n in (1, 2))), [1, 2]),),
        (Fresh(lambda: (n for n in "ab")), 1),
        shorthand="[:int]",
    ),
)
