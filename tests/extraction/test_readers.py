"""Hints to types, row by row, and what a function then receives and returns.

Hints are objects here; what `from __future__ import annotations` makes of them is in `postponed`.
"""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import pathlib
import sys
import typing
import uuid
from collections import abc
from collections.abc import Callable
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    NewType,
    Optional,
    TypedDict,
    Union,
)

import annotated_types as at
import pytest
import typing_extensions as te

import typesig
from tests import postponed
from typesig import Injected, Visible, extract, tool
from typesig.algebra import Keyword
from typesig.algebra.rows.values import HashableMap
from typesig.errors import ExtractionError


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


def taking(hint: Any, returns: Any = Any) -> Any:
    """Return a function of one parameter that keeps what it received."""

    def f(value):  # type: ignore[no-untyped-def]
        f.got.append(value)
        return value

    f.got = []
    f.__annotations__ = {"value": hint, "return": returns}
    return f


def received(hint: Any, argument: Any, **options: Any) -> Any:
    """Return what a function with the hint *hint* receives for the JSON *argument*."""
    f = taking(hint)
    outcome = tool(**options)(f).call({"value": argument})

    assert [] == lines(outcome.errors)
    return f.got[0]


def told(hint: Any, **options: Any) -> str:
    """Return the type that *hint* becomes."""
    text = str(extract(taking(hint), **options).signature)
    assert text.startswith("(value ")
    return text.removeprefix("(value ").removesuffix(") -> :any")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Mood(enum.StrEnum):
    GOOD = "good"
    BAD = "bad"


class Mixed(str, enum.Enum):  # noqa: UP042
    A = "a"
    B = "b"


class Odd(enum.Enum):
    FIRST = object()
    SECOND = object()  # noqa: PIE796 - another one


class Pairs(enum.Enum):
    NEAR = (0, 1)
    FAR = (5, 9)


class Aliased(enum.Enum):
    ONE = 1
    UNO = 1  # noqa: PIE796 - an alias
    TWO = 2


UserId = NewType("UserId", int)
Account = NewType("Account", UserId)

UTC = dt.UTC
EAST = dt.timezone(dt.timedelta(hours=2))
ID = "12345678-1234-5678-1234-567812345678"


class Item(TypedDict):
    id: int
    title: str
    note: te.NotRequired[str | None]


class Loose(TypedDict, total=False):
    id: te.Required[int]
    title: str


class Noted(te.TypedDict):
    id: te.ReadOnly[int]
    text: te.NotRequired[Annotated[str, at.MinLen(1), "what is said"]]
    when: te.Required[dt.date | None]


class Child(Item):
    parent: Item
    extra: te.NotRequired[list[Color]]


class Closed(te.TypedDict, closed=True):
    id: int


class Counted(te.TypedDict, extra_items=int):
    name: str


Functional = TypedDict("Functional", {"from": str, "a-b": int, "a b": te.NotRequired[bool]})
Old = te.TypedDict("Old", {"id": int, "class": str}, total=False)


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass
class Named(Point):
    name: str = "origin"
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Cell:
    row: int
    col: int


@dataclass(kw_only=True)
class Options:
    deep: bool = False
    limit: int


@dataclass
class Parts:
    kind: ClassVar[str] = "parts"
    name: str
    seed: InitVar[int]
    _: KW_ONLY
    color: Color
    made: list[int] = field(default_factory=lambda: [1, 2])
    total: int = field(init=False, default=0)

    def __post_init__(self, seed: int) -> None:
        self.total = seed


class Place(NamedTuple):
    lat: float
    lon: float
    name: str | None = None


Plain = collections.namedtuple("Plain", ["a", "b"])


HINTS = [
    # hint, type, a JSON argument, what the function received, what its result became
    # builtins
    (str, ":string", "a", "a", "a"),
    (int, ":int", 5, 5, 5),
    (float, ":float", 3, 3.0, 3.0),
    (float, ":float", 2.5, 2.5, 2.5),
    (bool, ":bool", True, True, True),
    (None, ":nil", None, None, None),
    (type(None), ":nil", None, None, None),
    (object, ":any", [1], [1], [1]),
    (Any, ":any", {"a": None}, {"a": None}, {"a": None}),
    (bytes, ":string[base64]", "aGk=", b"hi", "aGk="),
    (bytearray, ":string[base64]", "aGk=", bytearray(b"hi"), "aGk="),
    (Keyword, ":keyword", "open", Keyword("open"), "open"),
    (te.LiteralString, ":string", "a", "a", "a"),
    # collections
    (list, "[:any]", [1, "a"], [1, "a"], [1, "a"]),
    (list[int], "[:int]", [1, 2], [1, 2], [1, 2]),
    (typing.List[int], "[:int]", [1], [1], [1]),  # noqa: UP006
    (typing.List, "[:any]", [1], [1], [1]),  # noqa: UP006
    (list[list[int]], "[[:int]]", [[1], []], [[1], []], [[1], []]),
    (abc.Sequence[int], "[:int]", [1], [1], [1]),
    (abc.MutableSequence[int], "[:int]", [1], [1], [1]),
    (abc.Collection[str], "[:string]", ["a"], ["a"], ["a"]),
    (abc.Iterable[str], "[:string]", ["a"], ["a"], ["a"]),
    (typing.Iterable[str], "[:string]", ["a"], ["a"], ["a"]),
    (typing.Sequence[int], "[:int]", [1], [1], [1]),
    (collections.deque[int], "[:int]", [1, 2], collections.deque([1, 2]), [1, 2]),
    (dict, ":map", {"a": 1}, {"a": 1}, {"a": 1}),
    (dict[str, Any], ":map", {"a": 1}, {"a": 1}, {"a": 1}),
    (dict[str, int], ":map[:int]", {"a": 1}, {"a": 1}, {"a": 1}),
    (typing.Dict[str, int], ":map[:int]", {"a": 1}, {"a": 1}, {"a": 1}),  # noqa: UP006
    (dict[int, str], ":map[:int :string]", {"1": "a"}, {1: "a"}, {"1": "a"}),
    (abc.Mapping[str, int], ":map[:int]", {"a": 1}, {"a": 1}, {"a": 1}),
    (abc.MutableMapping[str, int], ":map[:int]", {"a": 1}, {"a": 1}, {"a": 1}),
    (typing.Mapping[str, int], ":map[:int]", {"a": 1}, {"a": 1}, {"a": 1}),
    (collections.OrderedDict[str, int], ":map[:int]", {"b": 1, "a": 2}, collections.OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    (collections.Counter[str], ":map[:int]", {"a": 2}, collections.Counter(a=2), {"a": 2}),
    (set, "#{:any}", [1], {1}, [1]),
    (set[int], "#{:int}", [2, 1], {1, 2}, [1, 2]),
    (frozenset[str], "#{:string}", ["a"], frozenset({"a"}), ["a"]),
    (abc.Set[int], "#{:int}", [1], {1}, [1]),
    (abc.MutableSet[int], "#{:int}", [1], {1}, [1]),
    (set[tuple[int, str]], "#{[:int, :string]}", [[1, "a"]], {(1, "a")}, [[1, "a"]]),
    (tuple[int, str], "[:int, :string]", [1, "a"], (1, "a"), [1, "a"]),
    (typing.Tuple[int, str], "[:int, :string]", [1, "a"], (1, "a"), [1, "a"]),  # noqa: UP006
    (tuple[int, ...], "[:int]", [1, 2], (1, 2), [1, 2]),
    (tuple[int], "[:int][1..1]", [1], (1,), [1]),
    # choices
    (Optional[int], ":int?", None, None, None),  # noqa: UP045
    (int | None, ":int?", 3, 3, 3),
    (Union[int, str], ":int|:string", "3", "3", "3"),  # noqa: UP007
    (int | str | None, "(:int|:string)?", None, None, None),
    (int | float, ":float", 3, 3, 3),
    (int | float, ":float", 3.0, 3.0, 3.0),
    (float | int | None, ":float?", 3, 3, 3),
    (list[int | float], "[:float]", [1, 1.5], [1, 1.5], [1, 1.5]),
    (list[str] | None, "[:string]?", ["a"], ["a"], ["a"]),
    (list[int | None], "[:int?]", [1, None], [1, None], [1, None]),
    (str | list[str], ":string|[:string]", '["a"]', '["a"]', '["a"]'),
    (Literal["a", "b"], ':enum["a" "b"]', "a", "a", "a"),
    (Literal[1, 2], ":enum[1 2]", 2, 2, 2),
    (Literal[1, True], ":enum[1 true]", True, True, True),
    (Literal["a", None], ':enum["a"]?', None, None, None),
    (Literal[None], ":nil", None, None, None),
    (Literal["a"] | Literal["b"], ':enum["a"]|:enum["b"]', "b", "b", "b"),
    (Literal[Color.RED], ':enum["red"]', "red", Color.RED, "red"),
    (Color, ':enum["red" "blue"]', "blue", Color.BLUE, "blue"),
    (Color | None, ':enum["red" "blue"]?', "red", Color.RED, "red"),
    (Size, ":enum[1 2]", 2, Size.LARGE, 2),
    (Mood, ':enum["good" "bad"]', "bad", Mood.BAD, "bad"),
    (Mixed, ':enum["a" "b"]', "b", Mixed.B, "b"),
    (Odd, ':enum["FIRST" "SECOND"]', "SECOND", Odd.SECOND, "SECOND"),
    (Pairs, ":enum[[0, 1] [5, 9]]", [5, 9], Pairs.FAR, [5, 9]),
    (Aliased, ":enum[1 2]", 1, Aliased.ONE, 1),
    # time and texts
    (dt.datetime, ":datetime", "2026-01-31T10:00:00Z", dt.datetime(2026, 1, 31, 10, tzinfo=UTC), "2026-01-31T10:00:00Z"),
    (dt.datetime, ":datetime", "2026-01-31T10:00:00+02:00", dt.datetime(2026, 1, 31, 10, tzinfo=EAST), "2026-01-31T10:00:00+02:00"),
    (dt.date, ":string[date]", "2026-01-31", dt.date(2026, 1, 31), "2026-01-31"),
    (dt.time, ":string[time]", "10:00:00", dt.time(10), "10:00:00"),
    (dt.time, ":string[time]", "10:00:00+02:00", dt.time(10, tzinfo=EAST), "10:00:00+02:00"),
    (dt.timedelta, ":string[duration]", "P1DT2H", dt.timedelta(days=1, hours=2), "P1DT2H"),
    (dt.timedelta, ":string[duration]", "PT0S", dt.timedelta(), "PT0S"),
    (dt.timedelta, ":string[duration]", "P2W", dt.timedelta(weeks=2), "P14D"),
    (dt.date | dt.datetime, ":string[date]|:datetime", "2026-01-31", dt.date(2026, 1, 31), "2026-01-31"),
    (dt.date | dt.datetime, ":string[date]|:datetime", "2026-01-31T10:00:00Z", dt.datetime(2026, 1, 31, 10, tzinfo=UTC), "2026-01-31T10:00:00Z"),
    (uuid.UUID, ":string[uuid]", ID, uuid.UUID(ID), ID),
    (uuid.UUID | int, ":string[uuid]|:int", ID, uuid.UUID(ID), ID),
    (decimal.Decimal, ":string[decimal]", "1.10", decimal.Decimal("1.10"), "1.10"),
    (decimal.Decimal, ":string[decimal]", 1.1, decimal.Decimal("1.1"), "1.1"),
    (decimal.Decimal, ":string[decimal]", 3, decimal.Decimal(3), "3"),
    (decimal.Decimal | None, ":string[decimal]?", 2.5, decimal.Decimal("2.5"), "2.5"),
    (pathlib.Path, ":string", "a/b", pathlib.Path("a/b"), "a/b"),
    (pathlib.PurePosixPath, ":string", "a/b", pathlib.PurePosixPath("a/b"), "a/b"),
    # around a type
    (UserId, ":int", 5, 5, 5),
    (Account, ":int", 5, 5, 5),
    (list[Account], "[:int]", [5], [5], [5]),
    (te.TypeAliasType("Ids", list[UserId]), "[:int]", [5], [5], [5]),
    (Annotated[int, at.Ge(1), at.Le(5)], ":int[1..5]", 5, 5, 5),
    (Annotated[int, at.Gt(0), at.Lt(9)], ":int[>0, <9]", 5, 5, 5),
    (Annotated[int, at.Interval(ge=1, lt=9)], ":int[1.., <9]", 5, 5, 5),
    (Annotated[int, at.MultipleOf(5)], ":int[%5]", 5, 5, 5),
    (Annotated[float, at.Ge(0)], ":float[0..]", 1, 1.0, 1.0),
    (Annotated[str, at.MinLen(1)], ":string[1..]", "a", "a", "a"),
    (Annotated[str, at.Len(1, 3)], ":string[1..3]", "abc", "abc", "abc"),
    (Annotated[list[int], at.MaxLen(2)], "[:int][..2]", [1], [1], [1]),
    (Annotated[set[int], at.MinLen(1)], "#{:int}[1..]", [1], {1}, [1]),
    (Annotated[int | None, at.Ge(0)], ":int[0..]?", None, None, None),
    (Annotated[int, at.Ge(0)] | None, ":int[0..]?", 0, 0, 0),
    (list[Annotated[int, at.Ge(0)]], "[:int[0..]]", [0], [0], [0]),
    (Annotated[int, "rows at most"], ":int", 5, 5, 5),
    (Annotated[int, te.Doc("rows at most")], ":int", 5, 5, 5),
    (Annotated[dt.date, "when"], ":string[date]", "2026-01-31", dt.date(2026, 1, 31), "2026-01-31"),
    (Annotated[Annotated[int, at.Ge(0)], at.Le(9)], ":int[0..9]", 5, 5, 5),
    # combinations
    (dict[str, list[Color]], ':map[[:enum["red" "blue"]]]', {"a": ["red"]}, {"a": [Color.RED]}, {"a": ["red"]}),
    (dict[Color, int], ':map[:enum["red" "blue"] :int]', {"red": 1}, {Color.RED: 1}, {"red": 1}),
    (dict[Size, int], ":map[:enum[1 2] :int]", {"1": 7}, {Size.SMALL: 7}, {"1": 7}),
    (dict[dt.date, int], ":map[:string[date] :int]", {"2026-01-31": 1}, {dt.date(2026, 1, 31): 1}, {"2026-01-31": 1}),
    (list[tuple[int, Color]], '[[:int, :enum["red" "blue"]]]', [[1, "red"]], [(1, Color.RED)], [[1, "red"]]),
    (set[Color], '#{:enum["red" "blue"]}', ["red"], {Color.RED}, ["red"]),
    (set[dt.date], "#{:string[date]}", ["2026-01-31"], {dt.date(2026, 1, 31)}, ["2026-01-31"]),
    (set[Cell], "[{row :int, col :int}][unique]", [{"row": 1, "col": 2}], {Cell(1, 2)}, [{"row": 1, "col": 2}]),
    (tuple[Color, ...], '[:enum["red" "blue"]]', ["red"], (Color.RED,), ["red"]),
    (dict[str, dt.datetime | None], ":map[:datetime?]", {"a": None}, {"a": None}, {"a": None}),
    (list[bytes] | None, "[:string[base64]]?", ["aGk="], [b"hi"], ["aGk="]),
    # records of the host
    (Item, "{id :int, title :string, note :string?}", {"id": 1, "title": "a"}, {"id": 1, "title": "a"}, {"id": 1, "title": "a"}),
    (Item, "{id :int, title :string, note :string?}", {"id": 1, "title": "a", "note": None}, {"id": 1, "title": "a", "note": None}, {"id": 1, "title": "a", "note": None}),
    (Loose, "{id :int, title? :string}", {"id": 1}, {"id": 1}, {"id": 1}),
    (Noted, "{id :int, text? :string[1..], when :string[date]?}", {"id": 1, "when": "2026-01-31"}, {"id": 1, "when": dt.date(2026, 1, 31)}, {"id": 1, "when": "2026-01-31"}),
    (Noted, "{id :int, text? :string[1..], when :string[date]?}", {"id": 1}, {"id": 1, "when": None}, {"id": 1, "when": None}),
    (Closed, "{id :int}!", {"id": 1}, {"id": 1}, {"id": 1}),
    (Counted, "{name :string, ** :int}", {"name": "a", "b": 1}, {"name": "a", "b": 1}, {"name": "a", "b": 1}),
    (Functional, '{from :string, a-b :int, "a b"? :bool}', {"from": "x", "a_b": 1}, {"from": "x", "a-b": 1}, {"from": "x", "a-b": 1}),
    (Old, "{id? :int, class? :string}", {"class": "x"}, {"class": "x"}, {"class": "x"}),
    (Cell, "{row :int, col :int}", {"row": 1, "col": 2}, Cell(1, 2), {"row": 1, "col": 2}),
    (list[Cell], "[{row :int, col :int}]", [{"row": 1, "col": 2}], [Cell(1, 2)], [{"row": 1, "col": 2}]),
    (dict[str, Cell], ":map[{row :int, col :int}]", {"a": {"row": 1, "col": 2}}, {"a": Cell(1, 2)}, {"a": {"row": 1, "col": 2}}),
    (Cell | None, "{row :int, col :int}?", None, None, None),
    (Cell | Color, '{row :int, col :int}|:enum["red" "blue"]', {"row": 1, "col": 2}, Cell(1, 2), {"row": 1, "col": 2}),
    (Plain, "{a :any, b :any}", {"a": 1, "b": None}, Plain(1, None), {"a": 1, "b": None}),
]  # fmt: skip


def _ids(rows: list[Any]) -> list[str]:
    return [f"{getattr(row[0], '__name__', row[0])} {row[2]}"[:60] for row in rows]


def _same(expected: Any, got: Any) -> bool:
    """Return whether two values are equal and of the same class, at every depth."""
    if type(expected) is not type(got):
        return False
    if isinstance(expected, dict):
        return [*expected] == [*got] and all(_same(v, got[k]) for k, v in expected.items())
    if isinstance(expected, list | tuple | collections.deque):
        return len(expected) == len(got) and all(map(_same, expected, got))
    return bool(expected == got)


@pytest.mark.parametrize(("hint", "text", "_argument", "_got", "_became"), HINTS, ids=_ids(HINTS))
def test_the_type_of_a_hint_is_that_of_its_row(
    hint: Any, text: str, _argument: Any, _got: Any, _became: Any
) -> None:
    extraction = extract(taking(hint, hint), strict=True)

    assert f"(value {text}) -> {text}" == str(extraction.signature)
    assert [] == lines(extraction.warnings)


@pytest.mark.parametrize(("hint", "_text", "argument", "got", "_became"), HINTS, ids=_ids(HINTS))
def test_a_function_receives_an_object_of_its_hint(
    hint: Any, _text: str, argument: Any, got: Any, _became: Any
) -> None:
    value = received(hint, argument)

    assert _same(got, value), f"expected {got!r}, got {value!r}"


@pytest.mark.parametrize(("hint", "_text", "_argument", "got", "became"), HINTS, ids=_ids(HINTS))
def test_a_result_becomes_plain_data(
    hint: Any, _text: str, _argument: Any, got: Any, became: Any
) -> None:
    def f():  # type: ignore[no-untyped-def]
        return got

    f.__annotations__ = {"return": hint}
    outcome = tool(f).call()

    assert ([], []) == (lines(outcome.errors), lines(outcome.warnings))
    assert _same(became, outcome.value), f"expected {became!r}, got {outcome.value!r}"
    assert got is outcome.result


@pytest.mark.parametrize(("hint", "_text", "argument", "got", "_became"), HINTS, ids=_ids(HINTS))
def test_the_strict_mode_reads_json_s_spelling_of_a_host_type_too(
    hint: Any, _text: str, argument: Any, got: Any, _became: Any
) -> None:
    f = taking(hint)
    if (
        hint in (float, decimal.Decimal, decimal.Decimal | None)
        or hint == Annotated[float, at.Ge(0)]
    ):
        pytest.skip("a number of another kind is coerced, which strict does not")
    outcome = tool(f).call({"value": argument}, mode="strict")

    assert [] == lines(outcome.errors)
    assert _same(got, f.got[0])


COERCED = [
    # hint, a JSON argument of the wrong kind, what the function receives, the warnings
    (int, "5", 5, ['value: coerced string "5" to int']),
    (bool, "true", True, ['value: coerced string "true" to bool']),
    (UserId, "5", 5, ['value: coerced string "5" to int']),
    (Size, "2", Size.LARGE, ['value: coerced string "2" to int 2']),
    (list[int], ["1"], [1], ['value[0]: coerced string "1" to int']),
    (set[int], ["1"], {1}, ['value[0]: coerced string "1" to int']),
    (tuple[int, str], ["1", "a"], (1, "a"), ['value[0]: coerced string "1" to int']),
    (dict[str, int], {"a": "1"}, {"a": 1}, ['value.a: coerced string "1" to int']),
    (Cell, {"row": "1", "col": 2}, Cell(1, 2), ['value.row: coerced string "1" to int']),
    (list[Cell], [{"row": 1, "col": "2"}], [Cell(1, 2)], ['value[0].col: coerced string "2" to int']),
    (Annotated[int, at.Ge(1)], "3", 3, ['value: coerced string "3" to int']),
    (Cell, {"row": 1, "col": 2, "z": 3}, Cell(1, 2), ["value.z: unexpected key dropped"]),
    (Item, {"id": 1, "title": "a", "zoom": ""}, {"id": 1, "title": "a"}, ["value.zoom: unexpected key dropped"]),
    (Loose, {"id": 1, "title": None}, {"id": 1}, ["value.title: nil taken as absent"]),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "argument", "got", "warned"), COERCED, ids=_ids(COERCED))
def test_what_is_coerced_reaches_the_host_type_with_a_warning(
    hint: Any, argument: Any, got: Any, warned: list[str]
) -> None:
    f = taking(hint)
    outcome = tool(f).call({"value": argument})

    assert ([], warned) == (lines(outcome.errors), lines(outcome.warnings))
    assert _same(got, f.got[0])


WRONG = [
    # hint, a JSON argument that does not fit, the errors
    (Item, {"id": 1, "title": "a", "nte": ""}, ["value.nte: unexpected key (did you mean note?)"]),
    (int, "x", ['value: expected int, got string "x"']),
    (int, 42.5, ["value: expected int, got float 42.5"]),
    (str, 5, ["value: expected string, got int 5"]),
    (bytes, "a", ['value: expected string[base64], got string "a"']),
    (Color, "RED", ['value: expected one of ["red", "blue"], got "RED" (did you mean "red"?)']),
    (Pairs, [1, 1], ["value: expected one of [[0, 1], [5, 9]], got [1, 1]"]),
    (set[int], [1, 1], ["value: expected unique items, got list [1, 1]"]),
    (set[Cell], [{"row": 1, "col": 2}, {"row": 1, "col": 2}], ["value: expected list[unique], got list [{\"row\": 1, \"col\": 2}, {\"row\": 1, \"col\": 2}]"]),
    (tuple[int, str], [1], ["value: expected 2 items, got 1"]),
    (tuple[int, str], [1, 2], ["value[1]: expected string, got int 2"]),
    (dt.datetime, "2026-01-31T10:00:00", ['value: expected datetime, got string "2026-01-31T10:00:00" (add an offset: 2026-01-31T10:00:00±HH:MM, or Z for UTC)']),
    (dt.date, "2026-02-30", ['value: expected string[date], got string "2026-02-30"']),
    (uuid.UUID, "1", ['value: expected string[uuid], got string "1"']),
    (decimal.Decimal, "1,5", ['value: expected string[decimal], got string "1,5"']),
    (decimal.Decimal, True, ["value: expected string[decimal], got bool true"]),
    (dt.timedelta, "P9999999999W", ['value: the duration is too long (got string "P9999999999W")']),
    (list[dt.timedelta], ["PT1S", "P9999999999W"], ['value[1]: the duration is too long (got string "P9999999999W")']),
    (Annotated[int, at.Ge(1), at.Le(100)], 500, ["value: expected int[1..100], got int 500"]),
    (dict[int, str], {"a": "b"}, ['value.a: keys are int, got string "a"']),
    (Cell, {"row": 1}, ["value.col: expected int, got nil (missing)"]),
    (Cell, [1, 2], ["value: expected map, got list [1, 2]"]),
    (list[Cell], [{"row": 1, "col": "x"}], ['value[0].col: expected int, got string "x"']),
    (Closed, {"id": 1, "x": 2}, ["value.x: unexpected key"]),
    (Counted, {"name": "a", "b": "c"}, ['value.b: expected int, got string "c"']),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "argument", "errors"), WRONG, ids=_ids([(*w, "") for w in WRONG]))
def test_what_does_not_fit_is_an_error_in_the_words_of_the_notation(
    hint: Any, argument: Any, errors: list[str]
) -> None:
    f = taking(hint)
    outcome = tool(f).call({"value": argument})

    assert errors == lines(outcome.errors)
    assert [] == f.got


def test_a_set_of_what_python_cannot_put_in_a_set_is_an_error_for_the_model_not_an_exception() -> (
    None
):
    f = taking(set[Point])  # an unfrozen dataclass has no hash
    outcome = tool(f).call({"value": [{"x": 1}]})

    assert not outcome.ok
    assert "input" == outcome.stage


def test_a_set_of_maps_never_raises() -> None:
    f = tool(taking(set[dict[str, int]]))  # type: ignore[type-var]
    outcome = f.call({"value": [{"a": 1}]})

    assert ["value"] == [warning.place for warning in f.warnings if warning.place == "value"]
    assert outcome.ok


@dataclass(frozen=True)
class Spot:
    x: int


@pytest.mark.parametrize(
    ("hint", "sent", "got"),
    [
        (set[Spot], [{"x": 1}, {"x": 2}], {Spot(1), Spot(2)}),
        (frozenset[Spot], [{"x": 1}], frozenset({Spot(1)})),
        (set[int | Spot], [1, {"x": 1}], {1, Spot(1)}),
        (set[tuple[Spot, int]], [[{"x": 1}, 2]], {(Spot(1), 2)}),
        (set[tuple[dict[str, int], int]], [[{"x": 1}, 2]], {(HashableMap(x=1), 2)}),
        (set, [1, {"x": 1}, [{"y": []}]], {1, HashableMap(x=1), (HashableMap(y=()),)}),
    ],
)
def test_a_set_with_maps_is_read_and_given_back(hint: Any, sent: Any, got: Any) -> None:
    f = taking(hint, hint)
    outcome = tool(f).call({"value": sent})
    made = typesig.contract(hint).read({"items": sent})

    assert [] == lines(outcome.errors)
    assert [got] == f.got
    assert got == made.result
    assert [] == [each for each in made.value if each not in sent]


@pytest.mark.parametrize(
    ("hint", "returned", "written"),
    [
        (set[Spot], set(), []),
        (set[Spot], {Spot(2), Spot(1)}, [{"x": 1}, {"x": 2}]),
        (frozenset[Spot], frozenset(), []),
        (list[set[Spot]], [set(), {Spot(1)}], [[], [{"x": 1}]]),
        (dict[str, set[Spot] | None], {"a": set()}, {"a": []}),
        (set[int | Spot], {1}, [1]),
        (set, {Spot(1)}, [{"x": 1}]),
        (frozenset, frozenset({Spot(1), 2}), [2, {"x": 1}]),
    ],
)
def test_a_result_is_a_set_with_or_without_records(hint: Any, returned: Any, written: Any) -> None:
    def f():  # type: ignore[no-untyped-def]
        return returned

    f.__annotations__ = {"return": hint}
    outcome = tool(f).call({})

    assert [] == lines(outcome.errors)
    assert returned == outcome.result
    assert written == outcome.for_model(exact=True)


def test_a_key_that_json_cannot_write_is_warned_of() -> None:
    # No JSON object has a list as a key, so no call could conform.
    extraction = extract(taking(dict[tuple[int, int], str]))

    assert ["value.keys"] == [w.place for w in extraction.warnings]


# records


def test_the_fields_of_a_dataclass_may_be_absent_where_its_constructor_fills_them() -> None:
    signature = extract(taking(Point, Point)).signature

    assert "(value {x :int, y :int = 0}) -> {x :int, y :int}" == str(signature)
    assert Point(1, 0) == received(Point, {"x": 1})


def test_a_dataclass_inherits_its_fields_in_order() -> None:
    signature = extract(taking(Named, Named)).signature

    assert (
        '(value {x :int, y :int = 0, name :string = "origin", tags [:string] = []}) -> '
        "{x :int, y :int, name :string, tags [:string]}" == str(signature)
    )
    assert Named(1, 2, "a", ["b"]) == received(Named, {"x": 1, "y": 2, "name": "a", "tags": ["b"]})


def test_each_call_gets_a_default_of_its_own_from_a_factory() -> None:
    f = taking(Named)
    t = tool(f)
    t.call({"value": {"x": 1}})
    f.got[0].tags.append("changed")
    t.call({"value": {"x": 1}})

    assert [] == f.got[1].tags


def test_keyword_only_fields_are_given_by_name() -> None:
    assert "{deep :bool = false, limit :int}" == told(Options)
    assert Options(limit=3) == received(Options, {"limit": 3})


def test_what_only_the_constructor_takes_is_asked_for_and_what_it_makes_is_returned() -> None:
    signature = extract(taking(Parts, Parts)).signature
    made = received(Parts, {"name": "a", "seed": 7, "color": "red"})

    assert (
        '(value {name :string, seed :int, color :enum["red" "blue"], made? [:int]}) -> '
        '{name :string, color :enum["red" "blue"], made [:int], total :int}' == str(signature)
    )
    assert ("a", Color.RED, [1, 2], 7) == (made.name, made.color, made.made, made.total)


def test_a_dataclass_in_a_result_is_written_by_its_fields() -> None:
    @tool
    def make() -> Parts:
        return Parts("a", 7, color=Color.BLUE)

    outcome = make.call()

    assert {"name": "a", "color": "blue", "made": [1, 2], "total": 7} == outcome.value
    assert isinstance(outcome.result, Parts)


def test_a_named_tuple_is_a_record_and_the_function_receives_the_tuple() -> None:
    signature = extract(taking(Place, Place)).signature
    got = received(Place, {"lat": 1, "lon": 2.5})

    assert (
        "(value {lat :float, lon :float, name :string?}) -> "
        "{lat :float, lon :float, name :string?}" == str(signature)
    )
    assert _same(Place(1.0, 2.5, None), got)


def test_a_named_tuple_in_a_result_is_written_by_its_names() -> None:
    @tool
    def where() -> list[Place]:
        return [Place(1.0, 2.0, "here")]

    assert [{"lat": 1.0, "lon": 2.0, "name": "here"}] == where.call().value


def test_a_typed_dict_inherits_its_fields_with_their_own_marks() -> None:
    assert (
        "{id :int, title :string, note :string?, parent {id :int, title :string, note :string?}, "
        'extra? [:enum["red" "blue"]]}' == told(Child)
    )


def test_texts_beside_hints_are_the_descriptions_of_fields() -> None:
    rendered = extract(taking(Noted)).signature.render()  # type: ignore[union-attr]

    assert (
        '(value {id :int, text? :string[1..] "what is said", when :string[date]?}) -> :any'
        == rendered
    )


@pytest.mark.parametrize("doc", ["rows at most", te.Doc("rows at most")])
def test_a_text_beside_a_parameters_hint_describes_it_and_wins_over_the_docstring(doc: Any) -> None:
    def f(limit: int) -> None:
        """Find.

        Args:
            limit: something else
        """

    f.__annotations__["limit"] = Annotated[int, doc]

    assert '(limit :int "rows at most") -> :nil' == extract(f).signature.render()  # type: ignore[union-attr]


def test_a_field_with_a_leading_underscore_is_firewalled_unless_it_is_visible() -> None:
    class Row(TypedDict):
        id: int
        _secret: str
        _shown: Annotated[int, Visible]

    t = tool(taking(Row))

    assert '(value {id :int, "_shown" :int}) -> :any' in t.prompt()
    assert t.call({"value": {"id": 1, "_shown": 2}}).ok
    assert not t.call({"value": {"id": 1, "_shown": 2, "_secret": "x"}}).ok


def test_a_union_of_records_gives_the_one_that_fits() -> None:
    @dataclass
    class Circle:
        kind: Literal["circle"]
        radius: float

    @dataclass
    class Square:
        kind: Literal["square"]
        side: float

    got = received(Circle | Square, {"kind": "square", "side": 2})

    assert Square("square", 2.0) == got
    assert 2.0 == got.side


def test_a_union_of_lists_of_records_gives_the_one_that_fits() -> None:
    @dataclass
    class Other:
        name: str

    assert [Other("a")] == received(list[Cell] | list[Other], [{"name": "a"}])
    assert [Cell(1, 2)] == received(list[Cell] | list[Other], [{"row": 1, "col": 2}])


# the ok/error pair


Ok = tuple[Literal["ok"], int]
Error = tuple[Literal["error"], str]


PAIRS = [
    # what the function returned, the value, the errors
    (("ok", 3), {"result": 3, "error": None}, []),
    (("error", "none left"), {"result": None, "error": "none left"}, []),
    (("ok", "x"), None, ['result: expected int, got string "x"']),
    (("error", 3), None, ["error: expected string, got int 3"]),
    (("maybe", 3), None, ['expected map, got list ["maybe", 3]']),
]


@pytest.mark.parametrize(("returned", "value", "errors"), PAIRS)
@pytest.mark.parametrize("hint", [Ok | Error, Error | Ok, Union[Ok, Error]])  # noqa: UP007
def test_a_pair_of_ok_and_error_is_a_record_to_the_model(
    hint: Any, returned: Any, value: Any, errors: list[str]
) -> None:
    def f():  # type: ignore[no-untyped-def]
        return returned

    f.__annotations__ = {"return": hint}
    outcome = tool(f).call()

    assert "() -> {result :int, error :string?}" == str(tool(f).signature)
    assert errors == lines(outcome.errors)
    if not errors:
        assert value == outcome.value
        assert returned is outcome.result


def test_an_error_that_is_a_keyword_is_kept_as_one() -> None:
    def f() -> tuple[Literal["ok"], int] | tuple[Literal["error"], Keyword]:
        return "error", Keyword("not_found")

    outcome = tool(f).call()

    assert "() -> {result :int, error :keyword?}" == str(extract(f).signature)
    assert {"result": None, "error": "not_found"} == outcome.value


def test_a_value_of_a_pair_that_may_be_none_is_optional_as_in_other_hints() -> None:
    def f() -> tuple[Literal["ok"], str | None] | tuple[Literal["error"], str]:
        return "ok", None

    outcome = tool(f).call()

    assert "() -> {result :string?, error :string?}" == str(extract(f).signature)
    assert "() -> {result :string|:nil, error :string?}" == str(
        extract(f, optional="exact").signature
    )
    assert {"result": None, "error": None} == outcome.value


# defaults


class Sentinel:
    def __repr__(self) -> str:
        return f"<Sentinel at {id(self):#x}>"


NOTHING = Sentinel()
NAIVE = dt.datetime(2026, 1, 31, 10)
NOT_SHOWN = "the function uses it where the model leaves the argument out"


def with_default(hint: Any, default: Any) -> Any:
    def f(value=default):  # type: ignore[no-untyped-def]
        f.got.append(value)

    f.got = []
    f.__annotations__ = {"value": hint}
    return f


SHOWN = [
    # hint, default, the parameter
    (int, 10, "value :int = 10"),
    (str, "", 'value :string = ""'),
    (str, 'a"b\n', r'value :string = "a\"b\n"'),
    (bool, False, "value :bool = false"),
    (float, 1.5, "value :float = 1.5"),
    (int | None, None, "value :int?"),
    (int | None, 5, "value :int? = 5"),
    (int, None, "value :int?"),
    (list[int], None, "value [:int]?"),
    (list[int], [], "value [:int] = []"),
    (list[int], [1, 2], "value [:int] = [1, 2]"),
    (dict[str, int], {"a": 1}, 'value :map[:int] = {"a": 1}'),
    (dict, {}, "value :map = {}"),
    (set[int], {1}, "value #{:int} = [1]"),
    (frozenset[int], frozenset(), "value #{:int} = []"),
    (tuple[int, str], (1, "a"), 'value [:int, :string] = [1, "a"]'),
    (tuple[int, ...], (), "value [:int] = []"),
    (Color, Color.RED, 'value :enum["red" "blue"] = "red"'),
    (Size, Size.LARGE, "value :enum[1 2] = 2"),
    (Mood, Mood.BAD, 'value :enum["good" "bad"] = "bad"'),
    (Literal["a", "b"], "a", 'value :enum["a" "b"] = "a"'),
    (dt.date, dt.date(2026, 1, 31), 'value :string[date] = "2026-01-31"'),
    (dt.datetime, dt.datetime(2026, 1, 31, 10, tzinfo=UTC), 'value :datetime = "2026-01-31T10:00:00Z"'),
    (dt.timedelta, dt.timedelta(minutes=5), 'value :string[duration] = "PT5M"'),
    (decimal.Decimal, decimal.Decimal("1.10"), 'value :string[decimal] = "1.10"'),
    (uuid.UUID, uuid.UUID(ID), f'value :string[uuid] = "{ID}"'),
    (bytes, b"hi", 'value :string[base64] = "aGk="'),
    (pathlib.PurePosixPath, pathlib.PurePosixPath("a/b"), 'value :string = "a/b"'),
    (Keyword, Keyword("open"), "value :keyword = :open"),
    (Cell, Cell(1, 2), 'value {row :int, col :int} = {"col": 2, "row": 1}'),
    (Annotated[int, at.Ge(0)], 3, "value :int[0..] = 3"),
    (UserId, 3, "value :int = 3"),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "default", "text"), SHOWN, ids=[row[2][:50] for row in SHOWN])
def test_a_default_is_shown_and_received(hint: Any, default: Any, text: str) -> None:
    f = with_default(hint, default)
    extraction = extract(f)
    outcome = tool(f).call({})

    assert f"({text}) -> :any" == str(extraction.signature)
    assert ([], [], []) == (
        lines(extraction.warnings),
        lines(outcome.errors),
        lines(outcome.warnings),
    )
    assert _same(default, f.got[0])


HIDDEN = [
    # hint, default, the parameter, why the default is not shown
    (float, float("inf"), "value? :float", "JSON has no form for inf"),
    (float, float("nan"), "value? :float", "JSON has no form for nan"),
    (str, NOTHING, "value? :string", "a value of Sentinel has no JSON form"),
    (Any, NOTHING, "value? :any", "a value of Sentinel has no JSON form"),
    (list[int], [NOTHING], "value? [:int]", "a value of Sentinel has no JSON form"),
    (int, "many", "value? :int", "it does not fit the hint"),
    (int, "5", "value? :int", "it does not fit the hint"),
    (list[int], ["5"], "value? [:int]", "it does not fit the hint"),
    (Annotated[int, at.Ge(1)], 0, "value? :int[1..]", "it does not fit the hint"),
    (dt.datetime, NAIVE, "value? :datetime", "it does not fit the hint"),
    (Color, "green", 'value? :enum["red" "blue"]', "it does not fit the hint"),
]


@pytest.mark.parametrize(
    ("hint", "default", "text", "why"), HIDDEN, ids=[str(r[3:]) + r[2] for r in HIDDEN]
)
def test_a_default_that_cannot_be_shown_is_kept_for_the_call_with_a_warning(
    hint: Any, default: Any, text: str, why: str
) -> None:
    f = with_default(hint, default)
    extraction = extract(f)
    outcome = tool(f).call({})

    assert f"({text}) -> :any" == str(extraction.signature)
    assert [("value", f"the default is not shown: {why}", NOT_SHOWN)] == [
        (w.place, w.reason, w.remedy) for w in extraction.warnings
    ]
    assert [] == lines(outcome.errors)
    assert default is f.got[0]


def test_the_function_gets_its_own_mutable_default() -> None:
    # As in any call that leaves the argument out.
    default: list[int] = []
    f = with_default(list[int], default)
    t = tool(f)
    for _ in range(4):
        t.call({})

    assert all(got is default for got in f.got)


NULLS = [
    # hint, default, what a null becomes, the warnings
    (int, 10, 10, ["value: nil taken as absent"]),
    (int | None, 5, None, []),
    (int | None, None, None, []),
    (int, None, None, []),
    (Any, 3, None, []),
    (Color, Color.RED, Color.RED, ["value: nil taken as absent"]),
    (float, float("inf"), float("inf"), ["value: nil taken as absent"]),
]


@pytest.mark.parametrize(("hint", "default", "got", "warned"), NULLS)
def test_a_null_takes_the_default_unless_the_type_has_one(
    hint: Any, default: Any, got: Any, warned: list[str]
) -> None:
    f = with_default(hint, default)
    outcome = tool(f).call({"value": None})

    assert ([], warned) == (lines(outcome.errors), lines(outcome.warnings))
    assert _same(got, f.got[0])


def test_a_parameter_that_may_be_nil_is_none_where_the_model_left_it_out() -> None:
    f = taking(int | None)

    assert tool(f).call({}).ok
    assert [None] == f.got


@pytest.mark.parametrize("hint", [Any, object, None])
def test_a_required_parameter_of_anything_must_be_there(hint: Any) -> None:
    f = taking(hint)

    assert not tool(f).call({}).ok
    assert [] == f.got


# options


def test_optional_exact_keeps_null_and_absence_apart() -> None:
    def f(a: int | None, b: int | None = None, c: int = 3) -> int | None:
        return a

    t = tool(optional="exact")(f)

    assert "(a :int|:nil, b :int?, c :int = 3) -> :int?" == str(t.signature)
    assert ["a: expected int, got nil (missing)"] == lines(t.call({}).errors)
    assert None is t.call({"a": None}).value


def test_optional_exact_applies_inside_records_too() -> None:
    class Row(TypedDict):
        a: int | None
        b: te.NotRequired[int | None]
        c: te.NotRequired[int]

    assert "{a :int|:nil, b :int?, c? :int}" == told(Row, optional="exact")


PTC_RUNNER = [
    # hint, type with profile="ptc_runner", a JSON argument, what the function receives
    (set[int], "[:int]", [1], {1}),
    (frozenset[int], "[:int]", [1], frozenset({1})),
    (dict[str, int], ":map", {"a": 1}, {"a": 1}),
    (dt.datetime, ":string", "2026-01-31T10:00:00Z", dt.datetime(2026, 1, 31, 10, tzinfo=UTC)),
    (dt.date, ":string", "2026-01-31", dt.date(2026, 1, 31)),
    (dt.time, ":string", "10:00:00", dt.time(10)),
    (uuid.UUID, ":string", ID, uuid.UUID(ID)),
    (decimal.Decimal, ":string", "1.5", decimal.Decimal("1.5")),
    (list[set[int]], "[[:int]]", [[1]], [{1}]),
    (tuple[int, ...], "[:int]", [1], (1,)),
]


@pytest.mark.parametrize(("hint", "text", "argument", "got"), PTC_RUNNER)
def test_the_ptc_runner_profile_changes_the_types_and_not_what_is_received(
    hint: Any, text: str, argument: Any, got: Any
) -> None:
    assert text == told(hint, profile="ptc_runner")
    assert _same(got, received(hint, argument, profile="ptc_runner"))


@pytest.mark.parametrize(
    ("hint", "argument"),
    [
        (dt.date, "yesterday"), (uuid.UUID, "1"), (decimal.Decimal, "x"), (bytes, "%"),
        (dt.timedelta, "soon"), (dt.datetime, "now"), (tuple[int, int], [1]), (tuple[int, int], 5),
    ],
)  # fmt: skip
def test_a_value_that_only_the_wider_types_of_ptc_runner_accept_is_an_error_outcome(
    hint: Any, argument: Any
) -> None:
    f = taking(hint)
    outcome = tool(profile="ptc_runner")(f).call({"value": argument})

    assert not outcome.ok
    assert ("value",) == outcome.errors[0].path[:1]
    assert [] == f.got


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "elixir"}, "there is no profile 'elixir'; there are python, ptc_runner"),
        ({"optional": "no"}, "there is no optional 'no'; there are loose, exact"),
        ({"max_depth": 0}, "max_depth must be an int of at least 1, not 0"),
        ({"strict": "no"}, "strict is True or False, not 'no'"),
        ({"recursive": 1}, "recursive is True or False, not 1"),
        (
            {"injected": "value"},
            "injected takes a list of classes and names of parameters, not 'value'; "
            "write injected=[…]",
        ),
        (
            {"injected": 3},
            "injected takes a list of classes and names of parameters, not 3; write injected=[…]",
        ),
    ],
)
def test_a_wrong_value_of_an_option_is_an_error(options: Any, message: str) -> None:
    with pytest.raises(typesig.TypesigError) as raised:
        extract(taking(int), **options)

    assert message == str(raised.value)


# depth


class D(TypedDict):
    id: int


class C(TypedDict):
    d: D


class B(TypedDict):
    c: list[C]


class A(TypedDict):
    b: dict[str, B]


def test_records_are_written_out_three_deep() -> None:
    extraction = extract(taking(A))

    assert "(value {b :map[{c [{d :any}]}]}) -> :any" == str(extraction.signature)
    assert ["value.b.c.d: D: it is more than 3 records deep, so it became :any; write a larger max_depth"] == lines(extraction.warnings)  # fmt: skip


def test_the_depth_is_an_option() -> None:
    assert "{b :map[{c [{d {id :int}}]}]}" == told(A, max_depth=4)
    assert "{b :map[:any]}" != told(A, max_depth=1)
    assert "{b :map}" == told(A, max_depth=1)


def test_containers_enums_and_new_types_count_for_nothing() -> None:
    deep = list[dict[str, list[dict[str, list[tuple[Color, Account]]]]]]

    assert ':map[[:map[[[:enum["red" "blue"], :int]]]]]' == told(deep).removeprefix(
        "["
    ).removesuffix("]")


def test_a_record_used_twice_side_by_side_is_not_deeper() -> None:
    class Two(TypedDict):
        a: D
        b: D

    assert "{a {id :int}, b {id :int}}" == told(Two)


# self-reference


class Node(TypedDict):
    value: int
    children: list["Node"]


@dataclass
class Tree:
    value: int
    children: list["Tree"] = field(default_factory=list)
    parent: Optional["Tree"] = None


class Ping(TypedDict):
    pong: te.NotRequired["Pong"]


class Pong(TypedDict):
    ping: te.NotRequired["Ping"]


class Chain(NamedTuple):
    value: int
    rest: Optional["Chain"] = None


def test_a_type_that_refers_to_itself_is_closed_with_any_and_a_warning() -> None:
    extraction = extract(taking(Node))

    assert "(value {value :int, children [:any]}) -> :any" == str(extraction.signature)
    assert ["value.children: Node: it refers to itself, so it became :any; write recursive=True to keep it by name"] == lines(extraction.warnings)  # fmt: skip


def test_a_recursive_type_keeps_its_name_where_it_is_asked_to() -> None:
    extraction = extract(taking(Node, Node), recursive=True)

    assert "(value :Node) -> :Node where Node = {value :int, children [:Node]}" == str(
        extraction.signature
    )
    assert [] == lines(extraction.warnings)


def test_types_that_refer_to_each_other_keep_their_names() -> None:
    signature = extract(taking(Ping), recursive=True).signature

    assert "(value :Ping) -> :any where Ping = {pong? {ping? :Ping}}" == str(signature)


def test_a_recursive_type_is_read_to_nested_instances() -> None:
    got = received(
        Tree, {"value": 1, "children": [{"value": 2, "children": [{"value": "3"}]}]}, recursive=True
    )

    assert Tree(1, [Tree(2, [Tree(3)])]) == got


def test_a_recursive_named_tuple_is_read_to_nested_instances() -> None:
    got = received(Chain, {"value": 1, "rest": {"value": 2}}, recursive=True)

    assert _same(Chain(1, Chain(2)), got)


def test_a_recursive_type_in_a_list_and_a_union_is_read_to_instances() -> None:
    got = received(list[Tree] | int, [{"value": 1, "children": [{"value": 2}]}], recursive=True)

    assert [Tree(1, [Tree(2)])] == got


def test_an_error_deep_in_a_recursive_value_has_its_path() -> None:
    outcome = tool(recursive=True)(taking(Tree)).call(
        {"value": {"value": 1, "children": [{"value": 2, "children": [{"value": "x"}]}]}}
    )

    assert ['value.children[0].children[0].value: expected int, got string "x"'] == lines(
        outcome.errors
    )


def test_a_recursive_result_is_checked_and_written() -> None:
    @tool(recursive=True)
    def grow() -> Tree:
        return Tree(1, [Tree(2)])

    assert {
        "value": 1,
        "children": [{"value": 2, "children": [], "parent": None}],
        "parent": None,
    } == grow.call().value


def test_an_object_inside_itself_is_an_error_outcome_and_no_exception() -> None:
    @tool(recursive=True)
    def loop() -> Tree:
        tree = Tree(1)
        tree.children.append(tree)
        return tree

    outcome = loop.call()

    assert not outcome.ok
    assert "output" == outcome.stage
    assert isinstance(outcome.rejected, Tree)


def test_two_types_of_one_name_are_kept_apart() -> None:
    def other() -> Any:
        class Node(TypedDict):
            label: str
            kids: list["Node"]

        return Node

    def f(a: Node, b: Any) -> None: ...

    f.__annotations__["b"] = other()
    signature = extract(f, recursive=True).signature

    assert {"Node", "Node2"} == signature.names.keys()  # type: ignore[union-attr]


# how names are looked up


def test_postponed_typed_dicts_keep_their_marks() -> None:
    assert (
        '(value {id :int, title :string, note? :string, year? :int, shade :enum["dark" "light"]?}) -> '
        '{id :int, title :string, note? :string, year? :int, shade :enum["dark" "light"]?}'
        == str(extract(postponed.film, strict=True).signature)
    )
    assert {"id": 1, "title": "a", "shade": postponed.Shade.DARK} == (
        tool(postponed.film).call({"value": {"id": 1, "title": "a", "shade": "dark"}}).result
    )


def test_postponed_typed_dicts_inherit() -> None:
    text = str(extract(postponed.sequel, strict=True).signature)
    film = 'id :int, title :string, note? :string, year? :int, shade :enum["dark" "light"]?'

    assert text.startswith(f"(value {{{film}, after {{{film}}}}})")


def test_postponed_texts_are_descriptions() -> None:
    assert (
        '(value {id :int, note? :string "words"})' in extract(postponed.partial).signature.render()
    )  # type: ignore[union-attr]


def test_postponed_dataclasses_keep_their_kinds_of_fields() -> None:
    signature = extract(postponed.job, strict=True).signature
    outcome = tool(postponed.job).call({"value": {"name": "a", "seed": 3, "shade": "light"}})

    assert (
        '(value {name :string, seed :int, tags [:string] = [], shade :enum["dark" "light"] = "dark"}) -> '
        '{name :string, tags [:string], shade :enum["dark" "light"], done :bool}' == str(signature)
    )
    assert {"name": "a-3", "tags": [], "shade": "light", "done": False} == outcome.value


def test_postponed_named_tuples_are_read() -> None:
    outcome = tool(postponed.place).call({"value": {"lat": 1, "lon": 2}})

    assert _same(postponed.Place(1.0, 2.0), outcome.result)


def test_postponed_recursion_is_read_to_instances() -> None:
    t = tool(recursive=True)(postponed.tree)

    assert 6 == t.call({"value": {"value": 1, "children": [{"value": 2}, {"value": 3}]}}).value


def test_postponed_hints_of_every_kind_are_read() -> None:
    assert (
        '(a :int, b [:string]?, c :enum["x" "a b" 3], d :map[:enum["dark" "light"]]) -> :any'
        == str(extract(postponed.many, strict=True).signature)
    )


def test_names_are_found_in_the_globals_of_a_function_whose_module_nobody_knows() -> None:
    # Made by exec, as in notebooks, plugins and templates: its module is not in sys.modules.
    space: dict[str, Any] = {"__name__": "nowhere", "dt": dt}
    exec("def f(value: 'dt.date') -> None: ...", space)

    assert "(value :string[date]) -> :nil" == str(extract(space["f"]).signature)


def test_a_generic_record_inside_itself_with_other_arguments_is_not_a_self_reference() -> None:
    variable = typing.TypeVar("variable")

    @dataclass
    class Box(typing.Generic[variable]):
        item: variable

    assert "{item {item :int}}" == told(Box[Box[int]])


def test_a_name_that_cannot_be_resolved_costs_one_parameter() -> None:
    extraction = extract(postponed.broken)
    remedy = "import it where the function is defined, or give an explicit signature"
    reason = "the name Missing is not defined in the scope of the hint, so it became :any"

    assert '(good :int, bad :any, worse [:any], fine :string = "a") -> :any' == str(
        extraction.signature
    )
    assert [
        ("bad", "Missing", reason, remedy),
        ("worse", "Missing", reason, remedy),
        ("returns", "Missing", reason, remedy),
    ] == [(w.place, w.hint, w.reason, w.remedy) for w in extraction.warnings]


def test_an_injected_parameter_needs_no_name_that_can_be_resolved() -> None:
    t = tool(postponed.injected)

    assert "(query :string) -> :string" == str(t.signature)
    assert [] == lines(t.warnings)
    assert "a b" == t.call({"query": "a"}, given={"session": "b"}).value


def test_an_injected_parameter_may_be_named_through_the_module() -> None:
    t = tool(postponed.named_injected)

    assert "(query :string) -> :any" == str(t.signature)
    assert {"a": 1} == t.call({"query": "a"}, given={"session": {"a": 1}}).value


def test_a_quoted_hint_under_the_future_import_is_read() -> None:
    assert '(value [:enum["dark" "light"]]) -> :int?' == str(extract(postponed.quoted).signature)


def test_nothing_in_a_hint_is_evaluated(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.chdir(tmp_path)
    extraction = extract(postponed.evil)

    assert "(value :any, other :int) -> :nil" == str(extraction.signature)
    assert ["value"] == [w.place for w in extraction.warnings]
    assert [] == [*tmp_path.iterdir()]


def test_names_of_the_class_around_a_method_are_found() -> None:
    shop = postponed.Shop()

    assert "(order {id :int}) -> :int" == str(extract(shop.add, strict=True).signature)
    assert "(order {id :int}) -> :int" == str(extract(postponed.Shop.add, strict=True).signature)
    assert 7 == tool(shop.add).call({"order": {"id": "7"}}).value


def test_a_class_without_a_json_form_costs_one_parameter_also_where_it_is_its_own() -> None:
    extraction = extract(postponed.Shop().same)

    assert ["other"] == [w.place for w in extraction.warnings]
    assert extraction.signature is not None


def test_names_of_a_closure_are_found() -> None:
    assert "(value [:int]) -> :int" == str(
        extract(postponed.made(list[int]), strict=True).signature
    )


def test_a_class_that_only_a_function_knows_costs_one_parameter() -> None:
    extraction = extract(postponed.local())

    assert "(value :any, other :int) -> :int" == str(extraction.signature)
    assert [("value", "Local")] == [(w.place, w.hint) for w in extraction.warnings]


def test_a_field_that_cannot_be_resolved_costs_one_field() -> None:
    extraction = extract(taking(postponed.local_record()))

    assert "(value {part :any, count :int}) -> :any" == str(extraction.signature)
    assert [("value.part", "Part")] == [(w.place, w.hint) for w in extraction.warnings]


def test_a_local_class_in_a_hint_that_is_an_object_is_read() -> None:
    @dataclass
    class Local:
        id: int
        more: list["Local"] = field(default_factory=list)

    def f(value: Local) -> int:
        return value.id

    assert "(value :Local) -> :int where Local = {id :int, more [:Local] = []}" == str(
        extract(f, recursive=True).signature
    )


FORWARD = [
    ("Item", "{id :int, title :string, note :string?}"),
    (list["Item"], "[{id :int, title :string, note :string?}]"),
    (Optional["Color"], ':enum["red" "blue"]?'),
    ("Color | None", ':enum["red" "blue"]?'),
    ("dict[str, 'Color']", ':map[:enum["red" "blue"]]'),
    ("Literal['Color', -1]", ':enum["Color" -1]'),
    ("Annotated[int, at.Ge(1), 'a text']", ":int[1..]"),
    ("typing.List[dt.date]", "[:string[date]]"),
    ("tuple[int, ...]", "[:int]"),
    ("Callable[[int], str]", None),
]


@pytest.mark.parametrize(("hint", "text"), FORWARD)
def test_forward_references_are_found_where_the_function_was_defined(hint: Any, text: str) -> None:
    def f(value: int) -> None: ...

    f.__annotations__["value"] = hint

    assert f"(value {text or ':any'}) -> :nil" == str(extract(f).signature)
    assert (text is None) == bool(extract(f).warnings)
    assert Callable  # the name that a hint above uses


# hints that have no type


class Opaque:
    def __init__(self, secret: int) -> None:
        self.secret = secret


CLASS = "the class has no JSON form of its own, so it became :any"
CLASS_REMEDY = (
    "write a dataclass or a TypedDict, Injected[…] where the host supplies it, or an explicit "
    "signature"
)
HINT = "the hint has no JSON form, so it became :any"
HINT_REMEDY = "give an explicit signature"

UNSAID = [
    # hint, type, the place, the hint, the reason, the remedy
    (Opaque, ":any", "value", "Opaque", CLASS, CLASS_REMEDY),
    (list[Opaque], "[:any]", "value", "Opaque", CLASS, CLASS_REMEDY),
    (dict[str, Opaque], ":map", "value", "Opaque", CLASS, CLASS_REMEDY),
    (Callable[[int], int], ":any", "value", "Callable[[int], int]", HINT, HINT_REMEDY),
    (type[int], ":any", "value", "type[int]", HINT, HINT_REMEDY),
    (tuple, "[:any]", "value", "tuple", "the hint gives no item types, so it became [:any]", "write tuple[A, B], or tuple[T, ...]"),
    (typing.TypeVar("T"), ":any", "value", "~T", "the type variable has no bound, so it became :any", "bind it, or write Any"),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "text", "place", "name", "reason", "remedy"), UNSAID)
def test_a_hint_without_a_type_is_any_with_place_hint_reason_and_remedy(
    hint: Any, text: str, place: str, name: str, reason: str, remedy: str
) -> None:
    (warning,) = extract(taking(hint)).warnings

    assert text == told(hint)
    assert (place, reason, remedy) == (warning.place, warning.reason, warning.remedy)
    assert name in warning.hint
    assert f"{place}: {warning.hint}: {reason}; {remedy}" == str(warning)


@pytest.mark.parametrize("hint", [row[0] for row in UNSAID])
def test_a_value_of_a_hint_without_a_type_is_received_as_it_is(hint: Any) -> None:
    if hint is tuple:
        assert ([1],) == received(hint, [[1]])
        return
    argument = {"a": 1} if hint == dict[str, Opaque] else [1]

    assert argument == received(hint, argument)


def test_a_warning_of_an_unknown_class_reads_as_a_sentence() -> None:
    (warning,) = extract(taking(Opaque)).warnings

    assert (
        "value: Opaque: the class has no JSON form of its own, so it became :any; write a dataclass "
        "or a TypedDict, Injected[…] where the host supplies it, or an explicit signature"
        == str(warning)
    )


def test_metadata_that_is_not_understood_is_warned_of_the_same_in_every_run() -> None:
    (warning,) = extract(taking(Annotated[int, at.Predicate(lambda n: n > 0)])).warnings

    assert "value" == warning.place
    assert "is not understood and left out" in warning.reason
    assert " at 0x" not in str(warning)


def test_a_constraint_that_does_not_apply_to_its_type_is_warned_of() -> None:
    (warning,) = extract(taking(Annotated[bool, at.Ge(1)])).warnings

    assert ("value", "a range does not apply to bool", "put it beside the hint that it is meant for") == (
        warning.place, warning.reason, warning.remedy
    )  # fmt: skip


def test_a_parameter_without_a_hint_is_warned_of() -> None:
    def f(a: int, b, c=3) -> int:  # type: ignore[no-untyped-def]
        return a

    extraction = extract(f)

    assert "(a :int, b :any, c :any = 3) -> :int" == str(extraction.signature)
    assert [
        "b: it has no hint, so it became :any; write one, or Any",
        "c: it has no hint, so it became :any; write one, or Any",
    ] == lines(extraction.warnings)


def test_strict_extraction_raises_with_every_warning() -> None:
    def f(a: Opaque, b: tuple, c: int) -> Opaque:  # type: ignore[type-arg]
        return a

    with pytest.raises(ExtractionError) as raised:
        extract(f, strict=True)

    assert "\n".join(
        [
            "f cannot be extracted without loss:",
            f"- a: Opaque: {CLASS}; {CLASS_REMEDY}",
            "- b: tuple: the hint gives no item types, so it became [:any]; write tuple[A, B], or tuple[T, ...]",
            f"- returns: Opaque: {CLASS}; make it a dataclass or a TypedDict, return data, or give the option results",
        ]
    ) == str(raised.value)


def test_an_injected_parameter_is_no_warning_in_strict_extraction() -> None:
    def f(a: int, db: Injected[Opaque]) -> int:
        return a

    assert "(a :int) -> :int" == str(extract(f, strict=True).signature)


def test_a_function_without_hints_has_no_signature() -> None:
    def f(a, b=2):  # type: ignore[no-untyped-def]
        return a

    assert ("f", None, None, ()) == extract(f)[:4]


def test_a_function_without_parameters_and_hints_has_a_signature() -> None:
    def f():  # type: ignore[no-untyped-def]
        return 1

    assert "() -> :any" == str(extract(f).signature)


def test_no_result_hint_is_any_and_none_is_nil() -> None:
    def a(x: int):  # type: ignore[no-untyped-def]
        return x

    def b(x: int) -> None:
        return None

    assert ("(x :int) -> :any", "(x :int) -> :nil") == (
        str(extract(a).signature), str(extract(b).signature)
    )  # fmt: skip


@pytest.mark.parametrize(
    "hint", [3, "", "1 +", "a b", "[", "x" * 20_000, "(" * 5_000, ..., (), [], {}, b"x"]
)
def test_an_object_that_is_not_a_hint_is_any_with_a_warning(hint: Any) -> None:
    extraction = extract(taking(hint))

    assert "(value :any) -> :any" == str(extraction.signature)
    assert ["value"] == [w.place for w in extraction.warnings]
    assert 200 > len(extraction.warnings[0].hint)


def test_a_hint_that_nests_without_end_is_any_with_a_warning() -> None:
    hint: Any = int
    for _ in range(500):
        hint = list[hint]
    extraction = extract(taking(hint))

    assert extraction.signature is not None
    assert ["value"] == [w.place for w in extraction.warnings]


def test_a_dataclass_that_refuses_is_an_error_with_its_path() -> None:
    @dataclass
    class Even:
        n: int

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError(f"{self.n} is odd")

    outcome = tool(taking(list[Even])).call({"value": [{"n": 2}, {"n": 3}]})

    assert [("value", 1)] == [issue.path for issue in outcome.errors]
    assert str(outcome.errors[0]).startswith("value[1]: 3 is odd")


def test_fields_of_a_frozen_dataclass_are_left_alone() -> None:
    cell = received(Cell, {"row": 1, "col": 2})

    with pytest.raises(dataclasses.FrozenInstanceError):
        cell.row = 3


def test_what_undeclared_keys_of_a_typed_dict_hold_is_decoded_too() -> None:
    kind: Any = te.TypedDict("kind", {"a": int}, extra_items=dt.date)
    got = received(kind, {"a": 1, "b": "2026-01-31"})

    assert {"a": 1, "b": dt.date(2026, 1, 31)} == got


# tuples of any length


def test_a_tuple_may_go_on_with_any_number_of_one_type():
    def take(rows: tuple[int, *tuple[decimal.Decimal, ...]]) -> tuple[int, *tuple[str, ...]]:
        return (len(rows), *map(repr, rows))

    tool = typesig.tool(take)

    assert "(rows [:int, ** :string[decimal]]) -> [:int, ** :string]" == str(tool.signature)
    assert [3, "1", "Decimal('2.5')", "Decimal('3')"] == tool.call({"rows": [1, "2.5", "3"]}).value
    assert ["rows: expected 1 or more items, got 0"] == list(
        map(str, tool.call({"rows": []}).errors)
    )


def test_positions_after_any_number_of_items_are_merged_with_them():
    def take(rows: tuple[int, *tuple[str, ...], bool]) -> str:
        return repr(rows)

    tool = typesig.tool(take)
    (warning,) = typesig.extract(take).warnings

    assert "(rows [:int, ** :string|:bool][2..]) -> :string" == str(tool.signature)
    assert "(1, 'a', True)" == tool.call({"rows": [1, "a", True]}).value
    assert str(warning).endswith(
        "the positions after the unpacked items are merged with them; put the items of any number last"
    )


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (tuple[*tuple[int, ...]], "[:int]"),
        (tuple[*tuple[int, str], *tuple[bool, ...]], "[:int, :string, ** :bool]"),
        (tuple[*tuple[int, ...], str], "[:int|:string][1..]"),
        (tuple[()], "[:any][0..0]"),
    ],
)
def test_unpacked_tuples_stand_in_their_places(hint, text):
    assert text == typesig.render(typesig.contract(hint).signature.returns)


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (object | dict[str, dict[str, Any]], ":any"),
        (object | dict[str, int], ":any|:map[:int]"),
        (object | list[Any], ":any"),
    ],
)
def test_collections_of_anything_say_nothing_beside_anything(hint, text):
    assert text == typesig.render(typesig.contract(hint).signature.returns)


def test_fields_are_given_back_where_no_library_with_sentinels_is_loaded(monkeypatch):
    @dataclasses.dataclass
    class Sum:
        parts: Annotated[int | None, "How many."]
        total: Annotated[int | decimal.Decimal, "All of it."]

    def count() -> Sum:
        return Sum(1, 2)

    for name in ("msgspec", "pydantic"):
        monkeypatch.delitem(sys.modules, name, raising=False)

    assert {"parts": 1, "total": 2} == tool(count).call().value
