"""Unions of records and containers, discriminated by their content; and rare types."""

from __future__ import annotations

import datetime as dt
import decimal
import functools
import zoneinfo
from collections import abc
from dataclasses import dataclass
from typing import Annotated, Any, AnyStr, Literal, TypeVarTuple

import annotated_types as at
import pydantic
import typing_extensions as te

from tests.type_table.rows import Result, Row, keep, param, result, same

Ts = TypeVarTuple("Ts")


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float
    name: str | None = None


class Added(te.TypedDict):
    kind: Literal["added"]
    id: int


class Removed(te.TypedDict):
    kind: Literal["removed"]
    reason: str


class Cat(pydantic.BaseModel):
    pet: Literal["cat"]
    lives: int


class Dog(pydantic.BaseModel):
    pet: Literal["dog"]
    name: str


class Home(pydantic.BaseModel):
    pet: Cat | Dog = pydantic.Field(discriminator="pet")


class Account(pydantic.BaseModel):
    id: int
    _secret: str = pydantic.PrivateAttr("s")


Pet = Annotated[Cat | Dog, pydantic.Field(discriminator="pet")]


class Counter:
    """A callable object with methods of every kind."""

    def __init__(self, value: Any = None) -> None:
        self.value = value

    def __call__(self) -> list[int]:
        return self.value  # type: ignore[no-any-return]

    @classmethod
    def of(cls, value: Any) -> Any:
        class Made(cls):  # type: ignore[misc,valid-type]
            @classmethod
            def give(cls) -> list[int]:
                return value  # type: ignore[no-any-return]

            @staticmethod
            def hand() -> list[int]:
                return value  # type: ignore[no-any-return]

        return Made


def counting(value: int, step: int = 1) -> abc.Iterator[int]:
    keep(value, step)
    yield from range(0, value, step)


def paired(*value: *tuple[int, ...]) -> None:
    keep(value)


def spread(*value: *Ts) -> None:
    keep(value)


def enclosing(limit: int) -> Any:
    def within(value: int, name: str = "a") -> None:
        keep(value, name, limit)

    return within


@functools.wraps(enclosing(3))
def renamed(*args: Any, **kwargs: Any) -> None:
    return enclosing(4)(*args, **kwargs)


def _yielded(value: Any) -> Any:
    def f() -> abc.Generator[int]:
        yield from value

    return f


_INTS = (([], []), ([1, 2], [1, 2]))
_NO_INTS = (["x"], 1)
_ZONE = zoneinfo.ZoneInfo("UTC")

ROWS: tuple[Row, ...] = (
    param(
        "unions of dataclasses",
        Circle | Square,
        (
            ({"radius": 1.5}, Circle(1.5)),
            ({"side": 2.5, "name": "a"}, Square(2.5, "a")),
        ),
        ({"radius": "x"}, {}, {"name": "a"}, 1),
        shorthand="{radius :float}|{side :float, name :string?}",
    ),
    param(
        "unions of TypedDicts discriminated by a Literal",
        Added | Removed,
        same({"kind": "added", "id": 1}, {"kind": "removed", "reason": "a"}),
        ({"kind": "added", "reason": "a"}, {"kind": "moved", "id": 1}, {"id": 1}),
        shorthand='{kind :enum["added"], id :int}|{kind :enum["removed"], reason :string}',
    ),
    param(
        "pydantic discriminators",
        Pet,
        (
            ({"pet": "cat", "lives": 9}, Cat(pet="cat", lives=9)),
            ({"pet": "dog", "name": "a"}, Dog(pet="dog", name="a")),
        ),
        ({"pet": "dog", "lives": 9}, {"pet": "cow"}, {"lives": 9}),
        shorthand='{pet :enum["cat"], lives :int}|{pet :enum["dog"], name :string}',
    ),
    param(
        "pydantic discriminators",
        Home,
        (({"pet": {"pet": "cat", "lives": 9}}, Home(pet=Cat(pet="cat", lives=9))),) * 2,
        ({"pet": {"pet": "cat"}}, {"pet": {"pet": "cow"}}, {}),
        shorthand='{pet {pet :enum["cat"], lives :int}|{pet :enum["dog"], name :string}}',
    ),
    param(
        "unions of containers",
        list[int] | dict[str, int] | str,
        same([], [1], {}, {"a": 1}, "a"),
        (["x"], {"a": "x"}, 1, None),
        shorthand="[:int]|:map[:int]|:string",
        ptc_runner="[:int]|:map|:string",
    ),
    param(
        "unions of str and a type that is sent as text",
        dt.date | int | None,
        (("2026-01-31", dt.date(2026, 1, 31)), (1, 1), (None, None)),
        ("x", 1.5, []),
        shorthand="(:string[date]|:int)?",
        ptc_runner="(:string|:int)?",
    ),
    param(
        "optional records",
        list[Circle | None] | None,
        ((None, None), ([], []), ([{"radius": 1.5}, None], [Circle(1.5), None])),
        ([{}], [1], {"radius": 1.5}),
        shorthand="[{radius :float}?]?",
    ),
    param(
        "pydantic private attributes",
        Account,
        (({"id": 1}, Account(id=1)), ({"id": 2}, Account(id=2))),
        ({}, {"id": "x"}),
        also=lambda t: ["a private attribute is shown"] if "secret" in str(t.signature) else [],
        shorthand="{id :int}",
    ),
    param(
        "pydantic strict types",
        pydantic.StrictInt,
        same(1, 2),
        ("1", 1.5, True),
        warns=None,
        shorthand=":int",
    ),
    param(
        "pydantic constrained types",
        pydantic.conlist(int, min_length=1, max_length=2),
        same([1], [1, 2]),
        ([], [1, 2, 3], ["x"]),
        shorthand="[:int][1..2]",
        ptc_runner="[:int]",
    ),
    param(
        "pydantic constrained types",
        pydantic.constr(pattern="^a", max_length=3),
        same("a", "abc"),
        ("b", "abcd", 1),
        shorthand=":string[..3, /^a/]",
        ptc_runner=":string",
    ),
    param(
        "pydantic types of its own",
        pydantic.HttpUrl,
        (("http://a.b", pydantic.HttpUrl("http://a.b")),) * 2,
        ("", "a b", 1),
        shorthand=":string[1..2083, uri]",
        ptc_runner=":string",
    ),
    param(
        "pydantic types of its own",
        pydantic.PastDate,
        (("2020-01-02", dt.date(2020, 1, 2)),) * 2,
        ("2020-13-01", 1),
        shorthand=":string[date]",
        ptc_runner=":string",
    ),
    param(
        "pydantic validators in Annotated",
        Annotated[str, pydantic.AfterValidator(str.upper)],
        (("a", "A"), ("Bc", "BC")),
        (1, None),
        shorthand=":string",
    ),
    param(
        "bounds of types that JSON has as text",
        Annotated[decimal.Decimal, pydantic.Field(ge=10)],
        (("100", decimal.Decimal(100)), ("10", decimal.Decimal(10))),
        ("x", True),
        texts={"value": "at least 10"},
        shorthand=":string[decimal]",
        ptc_runner=":string",
    ),
    param(
        "ZoneInfo",
        zoneinfo.ZoneInfo,
        (("UTC", _ZONE),) * 2,
        (1, None, ["UTC"]),
        shorthand=":string",
    ),
    param("AnyStr", AnyStr, same("a", ""), (1, None), shorthand=":string"),
    param(
        "predicates",
        Annotated[str, at.LowerCase],
        same("abc", "a"),
        (1, None),
        warns=None,
        shorthand=":string",
    ),
    param(
        "str as a Sequence",
        abc.Sequence[str],
        (([], []), (["a"], ["a"])),
        ("abc", [1], 1),
        shorthand="[:string]",
    ),
    param(
        "Iterable of pairs",
        abc.Iterable[tuple[str, int]],
        (([], []), ([["a", 1]], [("a", 1)])),
        ([["a"]], [[1, "a"]], 1),
        shorthand="[[:string, :int]]",
        ptc_runner="[:any]",
    ),
    Row(
        "TypeVarTuple",
        paired,
        (({}, ()), ({"value": [1, 2]}, (1, 2))),
        ({"value": ["x"]}, {"value": 1}),
    ),
    Row(
        "TypeVarTuple",
        spread,
        (({"value": []}, ()), ({"value": [1, "a"]}, (1, "a"))),
        ({"value": 1}, {"value": {}}),
        warns=None,
    ),
    Row(
        "generator functions",
        counting,
        (({"value": 2}, (2, 1)), ({"value": 2, "step": 2}, (2, 2))),
        ({"value": "x"}, {}),
    ),
    Row(
        "closures",
        enclosing(3),
        (({"value": 1}, (1, "a", 3)), ({"value": 1, "name": "b"}, (1, "b", 3))),
        ({"value": "x"}, {}),
        shows=("value", "name"),
    ),
    Row(
        "closures",
        renamed,
        (({"value": 1}, (1, "a", 4)), ({"value": 1, "name": "b"}, (1, "b", 4))),
        ({"value": "x"}, {}),
        shows=("value", "name"),
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "unions of dataclasses",
        Circle | Square,
        (
            (Circle(1.5), {"radius": 1.5}),
            (Square(2.5), {"side": 2.5, "name": None}),
        ),
        (Circle("x"), {}, 1),  # type: ignore[arg-type]
        shorthand="{radius :float}|{side :float, name :string?}",
    ),
    result(
        "unions of TypedDicts discriminated by a Literal",
        Added | Removed,
        (({"kind": "added", "id": 1}, {"kind": "added", "id": 1}),),
        ({"kind": "added", "reason": "a"}, {"kind": "moved", "id": 1}),
        shorthand='{kind :enum["added"], id :int}|{kind :enum["removed"], reason :string}',
    ),
    result(
        "pydantic discriminators",
        Pet,
        ((Cat(pet="cat", lives=9), {"pet": "cat", "lives": 9}),),
        ({"pet": "cat"}, 1),
        shorthand='{pet :enum["cat"], lives :int}|{pet :enum["dog"], name :string}',
    ),
    result(
        "unions of containers",
        list[int] | dict[str, int] | str,
        (([1], [1]), ({"a": 1}, {"a": 1}), ("a", "a")),
        (["x"], {"a": "x"}, 1),
        shorthand="[:int]|:map[:int]|:string",
        ptc_runner="[:int]|:map|:string",
    ),
    result(
        "unions of str and a type that is sent as text",
        dt.date | int | None,
        ((dt.date(2026, 1, 31), "2026-01-31"), (1, 1), (None, None)),
        ("x", 1.5),
        shorthand="(:string[date]|:int)?",
        ptc_runner="(:string|:int)?",
    ),
    result(
        "optional records",
        list[Circle | None] | None,
        ((None, None), ([Circle(1.5), None], [{"radius": 1.5}, None])),
        ([Circle("x")], [1]),  # type: ignore[arg-type]
        shorthand="[{radius :float}?]?",
    ),
    result(
        "pydantic private attributes",
        Account,
        ((Account(id=1), {"id": 1}),),
        ({"id": "x"}, {}),
        shorthand="{id :int}",
    ),
    result(
        "pydantic constrained types",
        pydantic.conlist(int, min_length=1),
        (([1], [1]),),
        ([], ["x"]),
        shorthand="[:int][1..]",
        ptc_runner="[:int]",
    ),
    result(
        "pydantic types of its own",
        pydantic.HttpUrl,
        ((pydantic.HttpUrl("http://a.b"), "http://a.b/"),),
        (1, ""),
        shorthand=":string[1..2083, uri]",
        ptc_runner=":string",
    ),
    result(
        "pydantic types of its own",
        pydantic.SecretStr,
        ((pydantic.SecretStr("x"), "**********"),),
        (1, None),
        shorthand=":string",
    ),
    result(
        "pydantic validators in Annotated",
        Annotated[str, pydantic.AfterValidator(str.upper)],
        (("a", "a"),),
        (1, None),
        shorthand=":string",
    ),
    result(
        "bounds of types that JSON has as text",
        Annotated[decimal.Decimal, pydantic.Field(ge=10)],
        ((decimal.Decimal(100), "100"),),
        (1, "x"),
        shorthand=":string[decimal]",
        ptc_runner=":string",
    ),
    result("ZoneInfo", zoneinfo.ZoneInfo, ((_ZONE, "UTC"),), (1, None), shorthand=":string"),
    result(
        "Iterable of pairs",
        abc.Iterable[tuple[str, int]],
        (([("a", 1)], [["a", 1]]),),
        ([("a",)], 1),
        shorthand="[[:string, :int]]",
        ptc_runner="[:any]",
    ),
    Result("generator functions", _yielded, _INTS, (["x"], [None]), shorthand="[:int]"),
    Result(
        "class methods", lambda value: Counter.of(value).give, _INTS, _NO_INTS, shorthand="[:int]"
    ),
    Result(
        "static methods", lambda value: Counter.of(value).hand, _INTS, _NO_INTS, shorthand="[:int]"
    ),
    Result("callable objects", Counter, _INTS, _NO_INTS, shorthand="[:int]"),
)
