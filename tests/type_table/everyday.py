"""Common hints: plain scalars, containers, optional values, keyword-only parameters."""

from __future__ import annotations

import datetime as dt
import enum
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NewType

import annotated_types as at

from tests.type_table.rows import Result, Row, keep, param, result, same

UserId = NewType("UserId", int)
Email = NewType("Email", Annotated[str, at.MinLen(3)])


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Kind(str, enum.Enum):  # noqa: UP042 - as it was written before StrEnum
    BOOK = "book"
    FILM = "film"


class Rank(enum.Enum):
    LOW = 1
    HIGH = 2


@dataclass
class Point:
    x: int
    y: int = 0


def keyword_only(value: int, *, name: str = "a", needed: bool) -> None:
    keep(value, name, needed)


def all_keyword_only(*, value: int, limit: int | None = None) -> None:
    keep(value, limit)


def several(value: int, names: list[str], on: bool = False, near: Point | None = None) -> None:
    keep(value, names, on, near)


def optional_then_needed(value: int | None, name: str | None) -> None:
    keep(value, name)


def nothing() -> None:
    keep()


_NOON = dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC)
_EAST = dt.datetime(2026, 1, 31, 12, 0, 0, 500000, tzinfo=dt.timezone(dt.timedelta(hours=2)))
_DAY = dt.date(2026, 1, 31)
_NONE_OF_INTS = (["x"], [None], 1, {"a": 1})

ROWS: tuple[Row, ...] = (
    param("int", int, same(0, -1, 2**40), ("x", 1.5, True, None, [], {}), shorthand=":int"),
    param(
        "float",
        float,
        ((1.5, 1.5), (-0.25, -0.25), (3, 3.0)),
        ("x", True, None, []),
        shorthand=":float",
    ),
    param("str", str, same("", "a", "12", "ü\n"), (1, True, None, [], {}), shorthand=":string"),
    param("bool", bool, same(True, False), (1, 0, "x", None), shorthand=":bool"),
    param("None", None, same(None, None), (0, "", "None", []), shorthand=":nil"),
    param("Any", dict[str, Any], same({}, {"a": 1}, {"a": [None, "b"]}), ([], 1), shorthand=":map"),
    param("Any", list[object], same([], [1, "a", None]), ({}, 1), shorthand="[:any]"),
    param(
        "datetime",
        dt.datetime,
        (("2026-01-31T12:00:00Z", _NOON), ("2026-01-31T12:00:00.500000+02:00", _EAST)),
        ("2026-02-31T12:00:00Z", "noon", 1, None, True),
        shorthand=":datetime",
        ptc_runner=":string",
    ),
    param(
        "date",
        dt.date,
        (("2026-01-31", _DAY),) * 2,
        ("2026-02-31", "31.1.2026", 1, None),
        shorthand=":string[date]",
        ptc_runner=":string",
    ),
    param(
        "time",
        dt.time,
        (("12:30:00Z", dt.time(12, 30, tzinfo=dt.UTC)), ("00:00:00Z", dt.time(tzinfo=dt.UTC))),
        ("25:00:00Z", "noon", 1.5, None),
        shorthand=":string[time]",
        ptc_runner=":string",
    ),
    param(
        "Literal of texts",
        Literal["a", "b c"],
        same("a", "b c"),
        ("c", 1, None, "A"),
        shorthand=':enum["a" "b c"]',
    ),
    param(
        "Enum",
        Color,
        (("red", Color.RED), ("blue", Color.BLUE)),
        ("RED", "green", 1, None),
        shorthand=':enum["red" "blue"]',
    ),
    param(
        "Enum",
        Rank,
        ((1, Rank.LOW), (2, Rank.HIGH)),
        (3, "LOW", True, None),
        shorthand=":enum[1 2]",
    ),
    param(
        "Enum with a mixed-in type",
        Kind,
        (("book", Kind.BOOK), ("film", Kind.FILM)),
        ("BOOK", "x", 1),
        shorthand=':enum["book" "film"]',
    ),
    param("list", list[int], same([], [1, 2, 2]), _NONE_OF_INTS, shorthand="[:int]"),
    param("list", typing.List[str], same([], ["a"]), ([1], "a", None), shorthand="[:string]"),  # noqa: UP006
    param(
        "dict[str, T]",
        dict[str, int],
        same({}, {"a": 1, "b c": 2}),
        ({"a": "x"}, [], 1),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    param(
        "dict[str, T]",
        typing.Dict[str, bool],  # noqa: UP006
        same({}, {"a": True}),
        ({"a": 1}, []),
        shorthand=":map[:bool]",
        ptc_runner=":map",
    ),
    param(
        "set",
        set[int],
        (([], set()), ([1, 2], {1, 2})),
        (*_NONE_OF_INTS, [1, 1]),
        shorthand="#{:int}",
        ptc_runner="[:int]",
    ),
    param(
        "frozenset",
        frozenset[str],
        (([], frozenset()), (["a"], frozenset("a"))),
        ([1], "a"),
        shorthand="#{:string}",
        ptc_runner="[:string]",
    ),
    param(
        "tuple[int, str]",
        tuple[int, str],
        (([1, "a"], (1, "a")), ([0, ""], (0, ""))),
        ([1], ["a", 1], [1, "a", 2], [], "a", {"0": 1}),
        shorthand="[:int, :string]",
        ptc_runner=":any",
    ),
    param(
        "tuple[int, ...]",
        tuple[int, ...],
        (([], ()), ([1, 2], (1, 2))),
        _NONE_OF_INTS,
        shorthand="[:int]",
    ),
    param("Optional", typing.Optional[int], same(1, None), ("x", 1.5, []), shorthand=":int?"),  # noqa: UP045
    param("Optional", str | None, same("a", "", None), (1, []), shorthand=":string?"),
    param(
        "Union",
        typing.Union[int, str],  # noqa: UP007
        same(1, "a", "1"),
        (None, 1.5, []),
        shorthand=":int|:string",
    ),
    param(
        "X | Y",
        int | list[int] | None,
        same(1, [1], [], None),
        ("x", ["x"], {}),
        shorthand="(:int|[:int])?",
    ),
    param("X | Y", bool | str, same(True, "a", "true"), (1, None), shorthand=":bool|:string"),
    param(
        "containers without arguments", list, same([], [1, "a"]), ({}, 1, "a"), shorthand="[:any]"
    ),
    param("containers without arguments", dict, same({}, {"a": 1}), ([], 1, "a"), shorthand=":map"),
    param(
        "containers without arguments",
        tuple,
        (([], ()), ([1, "a"], (1, "a"))),
        ({}, 1),
        warns=("the hint gives no item types",),
        shorthand="[:any]",
    ),
    param(
        "containers without arguments",
        set,
        (([], set()), ([1], {1})),
        ({}, 1),
        shorthand="#{:any}",
        ptc_runner="[:any]",
    ),
    param(
        "containers in containers",
        dict[str, list[tuple[int, set[str]]]],
        (({}, {}), ({"a": [[1, ["b"]]]}, {"a": [(1, {"b"})]})),
        ({"a": [[1]]}, {"a": [[1, [2]]]}, {"a": [["x", []]]}, [1]),
        shorthand=":map[[[:int, #{:string}]]]",
        ptc_runner=":map",
    ),
    param(
        "containers in containers",
        list[list[list[float]]],
        same([], [[[1.5]], []]),
        ([1.5], [[1.5]], [[["x"]]]),
        shorthand="[[[:float]]]",
    ),
    param(
        "containers of records",
        dict[str, list[Point]],
        (({}, {}), ({"a": [{"x": 1}, {"x": 2, "y": 3}]}, {"a": [Point(1), Point(2, 3)]})),
        ({"a": [{}]}, {"a": [{"x": "b"}]}, {"a": {"x": 1}}),
        shorthand=":map[[{x :int, y :int = 0}]]",
        ptc_runner=":map",
    ),
    param("NewType", UserId, same(1, -1), ("x", 1.5, None), shorthand=":int"),
    param(
        "NewType",
        list[Email],
        same([], ["a@b"]),
        (["a"], [1]),
        shorthand="[:string[3..]]",
        ptc_runner="[:string]",
    ),
    param(
        "bounds of annotated_types",
        Annotated[int, at.Gt(0), at.Le(9)],
        same(1, 9),
        (0, 10),
        shorthand=":int[>0, ..9]",
        ptc_runner=":int",
    ),
    param(
        "bounds of annotated_types",
        Annotated[float, at.Interval(ge=0, lt=1)],
        ((0, 0.0), (0.5, 0.5)),
        (-0.5, 1, "x"),
        shorthand=":float[0.., <1]",
        ptc_runner=":float",
    ),
    param(
        "bounds of annotated_types",
        list[Annotated[int, at.MultipleOf(5)]],
        same([], [0, 10]),
        ([3], ["x"]),
        shorthand="[:int[%5]]",
        ptc_runner="[:int]",
    ),
    param(
        "lengths of annotated_types",
        Annotated[str, at.Len(2, 3)],
        same("ab", "abc"),
        ("a", "abcd"),
        shorthand=":string[2..3]",
        ptc_runner=":string",
    ),
    param(
        "lengths of annotated_types",
        Annotated[dict[str, int], at.MinLen(1), at.MaxLen(2)],
        same({"a": 1}, {"a": 1, "b": 2}),
        ({}, {"a": 1, "b": 2, "c": 3}),
        shorthand=":map[:int][1..2]",
        ptc_runner=":map",
    ),
    param(
        "lengths of annotated_types",
        Annotated[set[int], at.MinLen(2)],
        (([1, 2], {1, 2}),) * 2,
        ([1], []),
        shorthand="#{:int}[2..]",
        ptc_runner="[:int]",
    ),
    Row(
        "keyword-only",
        keyword_only,
        (
            ({"value": 1, "needed": True}, (1, "a", True)),
            ({"value": 1, "name": "b", "needed": False}, (1, "b", False)),
        ),
        ({"value": 1}, {"value": 1, "needed": "x"}, {"needed": True}),
    ),
    Row(
        "keyword-only",
        all_keyword_only,
        (({"value": 1}, (1, None)), ({"value": 1, "limit": None}, (1, None))),
        ({}, {"value": 1, "limit": "x"}),
    ),
    Row(
        "several parameters",
        several,
        (
            ({"value": 1, "names": []}, (1, [], False, None)),
            (
                {"value": 1, "names": ["a"], "on": True, "near": {"x": 1}},
                (1, ["a"], True, Point(1)),
            ),
        ),
        ({"value": 1}, {"names": []}, {"value": 1, "names": [], "near": {}}),
    ),
    Row(
        "nullable and required",
        optional_then_needed,
        (({"value": None, "name": None}, (None, None)), ({"value": 1, "name": "a"}, (1, "a"))),
        ({}, {"value": None}, {"value": "x", "name": None}),
        options={"optional": "exact"},
    ),
    Row("no parameters", nothing, (({}, ()),) * 2, ([], "x")),
)


RESULTS: tuple[Result, ...] = (
    result("int", int, ((1, 1), (-(2**40), -(2**40))), ("x", 1.5, None), shorthand=":int"),
    result("float", float, ((1.5, 1.5), (-0.25, -0.25)), ("x", None), shorthand=":float"),
    result("str", str, (("a", "a"), ("", "")), (1, None, ["a"]), shorthand=":string"),
    result("bool", bool, ((True, True), (False, False)), (1, "x", None), shorthand=":bool"),
    result(
        "Any", dict[str, Any], (({"a": [1, None]}, {"a": [1, None]}),), ([1], 1), shorthand=":map"
    ),
    result(
        "datetime",
        dt.datetime,
        ((_NOON, "2026-01-31T12:00:00Z"),),
        ("x", 1, _DAY),
        shorthand=":datetime",
        ptc_runner=":string",
    ),
    result(
        "date",
        dt.date,
        ((_DAY, "2026-01-31"),),
        ("x", 1),
        shorthand=":string[date]",
        ptc_runner=":string",
    ),
    result(
        "time",
        dt.time,
        ((dt.time(12, tzinfo=dt.UTC), "12:00:00+00:00"),),
        ("x", 1),
        shorthand=":string[time]",
        ptc_runner=":string",
    ),
    result(
        "Literal of texts",
        Literal["a", "b"],
        (("a", "a"), ("b", "b")),
        ("c", 1),
        shorthand=':enum["a" "b"]',
    ),
    result(
        "Enum",
        Color,
        ((Color.RED, "red"), (Color.BLUE, "blue")),
        ("RED", 1),
        shorthand=':enum["red" "blue"]',
    ),
    result(
        "Enum with a mixed-in type",
        Kind,
        ((Kind.BOOK, "book"),),
        ("x", 1),
        shorthand=':enum["book" "film"]',
    ),
    result("list", list[int], (([], []), ([1, 2], [1, 2])), (["x"], 1), shorthand="[:int]"),
    result(
        "dict[str, T]",
        dict[str, int],
        (({"a": 1}, {"a": 1}),),
        ({"a": "x"}, [1]),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    result(
        "set",
        set[int],
        (({1}, [1]), (set(), [])),
        ({"x"}, 1),
        shorthand="#{:int}",
        ptc_runner="[:int]",
    ),
    result(
        "frozenset",
        frozenset[str],
        ((frozenset("a"), ["a"]),),
        (frozenset((1,)), 1),
        shorthand="#{:string}",
        ptc_runner="[:string]",
    ),
    result(
        "tuple[int, str]",
        tuple[int, str],
        (((1, "a"), [1, "a"]),),
        ((1,), ("a", 1)),
        shorthand="[:int, :string]",
        ptc_runner=":any",
    ),
    result(
        "tuple[int, ...]",
        tuple[int, ...],
        (((1, 2), [1, 2]), ((), [])),
        (("x",), 1),
        shorthand="[:int]",
    ),
    result("Optional", typing.Optional[int], ((1, 1), (None, None)), ("x", []), shorthand=":int?"),  # noqa: UP045
    result(
        "Union",
        typing.Union[int, str],  # noqa: UP007
        ((1, 1), ("a", "a")),
        (None, 1.5),
        shorthand=":int|:string",
    ),
    result(
        "X | Y",
        int | list[int] | None,
        ((1, 1), ([1], [1]), (None, None)),
        ("x", ["x"]),
        shorthand="(:int|[:int])?",
    ),
    result(
        "containers without arguments",
        list,
        (([1, "a"], [1, "a"]),),
        ({"a": 1}, 1),
        shorthand="[:any]",
    ),
    result(
        "containers without arguments", dict, (({"a": 1}, {"a": 1}),), ([1], 1), shorthand=":map"
    ),
    result(
        "containers in containers",
        dict[str, list[tuple[int, bool]]],
        (({"a": [(1, True)]}, {"a": [[1, True]]}),),
        ({"a": [(1,)]}, {"a": [("x", True)]}),
        shorthand=":map[[[:int, :bool]]]",
        ptc_runner=":map",
    ),
    result(
        "containers of records",
        list[dict[str, Point]],
        (([{"a": Point(1)}], [{"a": {"x": 1, "y": 0}}]),),
        ([{"a": Point("x")}], [{"a": 1}]),  # type: ignore[arg-type]
        shorthand="[:map[{x :int, y :int}]]",
        ptc_runner="[:map]",
    ),
    result("NewType", UserId, ((1, 1),), ("x", None), shorthand=":int"),
    result(
        "bounds of annotated_types",
        Annotated[int, at.Ge(1), at.Lt(9)],
        ((1, 1),),
        (0, 9),
        shorthand=":int[1.., <9]",
        ptc_runner=":int",
    ),
    result(
        "lengths of annotated_types",
        Annotated[list[int], at.Len(1, 2)],
        (([1], [1]), ([1, 2], [1, 2])),
        ([], [1, 2, 3]),
        shorthand="[:int][1..2]",
        ptc_runner="[:int]",
    ),
)
