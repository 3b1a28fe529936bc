"""Records of the standard library that are classes: dataclasses and NamedTuple."""

from __future__ import annotations

import typing
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar

import annotated_types as at

from tests.type_table.rows import Like, Result, Row, param, result

T = TypeVar("T")


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass
class Line:
    start: Point
    end: Point | None = None
    through: list[Point] = field(default_factory=list)


@dataclass
class Pixel(Point):
    color: str = "red"


@dataclass
class Renarrowed(Point):
    y: Annotated[int, at.Ge(10)] = 10


@dataclass(kw_only=True)
class Named:
    first: str
    last: str = ""


@dataclass
class Mixed:
    first: str
    _: KW_ONLY
    last: str = "x"
    nick: str = field(default="y")


@dataclass
class Made:
    tags: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=lambda: {"a": 1})
    place: Point = field(default_factory=lambda: Point(1, 2))


@dataclass
class Salted:
    name: str
    salt: InitVar[int]
    pepper: InitVar[str] = "p"
    mixed: str = field(init=False, default="")

    def __post_init__(self, salt: int, pepper: str) -> None:
        self.mixed = f"{self.name}{salt}{pepper}"


@dataclass
class Counted:
    total: ClassVar[int] = 0
    kinds: ClassVar[list[str]] = []
    name: str = "a"


@dataclass
class Noted:
    size: int = field(metadata={"description": "in metres", "unit": "m"})
    name: str = field(default="a", metadata={"doc": "what it is called"})


@dataclass(slots=True, frozen=True)
class Slotted:
    id: int
    tags: tuple[str, ...] = ()


@dataclass
class Pair(Generic[T]):
    first: T
    second: T


@dataclass
class Trio(Pair[int]):
    third: str


@dataclass
class Even:
    n: int

    def __post_init__(self) -> None:
        if self.n % 2:
            raise ValueError(f"{self.n} is odd")


@dataclass
class Evens:
    all: list[Even]


class Place(NamedTuple):
    lat: float
    lon: float
    name: str | None = None


class Cell(NamedTuple, Generic[T]):
    content: T


Old = typing.NamedTuple("Old", [("a", int), ("b", str)])  # noqa: UP014 - as it was written once


def _path_of_odd(t: Any) -> list[str]:
    paths = [error.path for error in t.call({"value": {"all": [{"n": 2}, {"n": 3}]}}).errors]
    return [] if paths == [("value", "all", 1)] else [f"the errors are at {paths}"]


ROWS: tuple[Row, ...] = (
    param(
        "dataclasses nested",
        Line,
        (
            ({"start": {"x": 1}}, Line(Point(1))),
            (
                {"start": {"x": 1, "y": 2}, "end": {"x": 3}, "through": [{"x": 4}]},
                Line(Point(1, 2), Point(3), [Point(4)]),
            ),
            ({"start": {"x": 1}, "end": None}, Line(Point(1))),
        ),
        ({}, {"start": {}}, {"start": {"x": "a"}}, {"start": {"x": 1}, "end": 3}),
        shorthand="{start {x :int, y :int = 0}, end {x :int, y :int = 0}?, through [{x :int, y :int = 0}] = []}",
    ),
    param(
        "dataclasses inheritance",
        Pixel,
        (({"x": 1}, Pixel(1)), ({"x": 1, "y": 2, "color": "blue"}, Pixel(1, 2, "blue"))),
        ({"color": "blue"}, {"x": 1, "color": 2}),
        shorthand='{x :int, y :int = 0, color :string = "red"}',
    ),
    param(
        "dataclasses inheritance",
        Renarrowed,
        (({"x": 1}, Renarrowed(1)), ({"x": 1, "y": 11}, Renarrowed(1, 11))),
        ({"x": 1, "y": 9}, {"y": 11}),
        shorthand="{x :int, y :int[10..] = 10}",
        ptc_runner="{x :int, y :int = 10}",
    ),
    param(
        "dataclasses kw_only",
        Named,
        (
            ({"first": "a"}, Named(first="a")),
            ({"first": "a", "last": "b"}, Named(first="a", last="b")),
        ),
        ({"last": "b"}, {"first": "a", "last": 1}),
        shorthand='{first :string, last :string = ""}',
    ),
    param(
        "dataclasses kw_only",
        Mixed,
        (({"first": "a"}, Mixed("a")), ({"first": "a", "nick": "n"}, Mixed("a", nick="n"))),
        ({}, {"first": "a", "nick": 3}),
        shorthand='{first :string, last :string = "x", nick :string = "y"}',
    ),
    param(
        "dataclasses default_factory",
        Made,
        (
            ({}, Made()),
            ({"tags": ["a"], "sizes": {}, "place": {"x": 3}}, Made(["a"], {}, Point(3))),
        ),
        ({"tags": "a,b"}, {"tags": [1]}, {"sizes": {"a": "x"}}, {"place": {}}),
        shorthand="{tags [:string] = [], sizes? :map[:int], place? {x :int, y :int = 0}}",
        ptc_runner="{tags [:string] = [], sizes? :map, place? {x :int, y :int = 0}}",
    ),
    param(
        "dataclasses InitVar",
        Salted,
        (
            ({"name": "a", "salt": 1}, Like("a1p", lambda got: got.mixed == "a1p")),
            ({"name": "a", "salt": 1, "pepper": "q"}, Like("a1q", lambda got: got.mixed == "a1q")),
        ),
        ({"name": "a"}, {"name": "a", "salt": "x"}),
        shorthand='{name :string, salt :int, pepper :string = "p"}',
    ),
    param(
        "dataclasses ClassVar",
        Counted,
        (({}, Counted()), ({"name": "b"}, Counted("b"))),
        ({"name": 1}, [], None),
        also=lambda t: [] if "total" not in str(t.signature) else ["a ClassVar is shown"],
        shorthand='{name :string = "a"}',
    ),
    param(
        "dataclasses metadata",
        Noted,
        (({"size": 1}, Noted(1)), ({"size": 1, "name": "b"}, Noted(1, "b"))),
        ({}, {"size": "x"}),
        texts={"value.size": "in metres", "value.name": "what it is called"},
        shorthand='{size :int, name :string = "a"}',
    ),
    param(
        "dataclasses slots",
        Slotted,
        (({"id": 1}, Slotted(1)), ({"id": 1, "tags": ["a"]}, Slotted(1, ("a",)))),
        ({}, {"id": 1, "tags": [1]}),
        shorthand="{id :int, tags [:string] = []}",
    ),
    param(
        "dataclasses generic",
        Pair[str],
        (({"first": "a", "second": "b"}, Pair("a", "b")),) * 2,
        ({"first": "a", "second": 1}, {"first": "a"}),
        shorthand="{first :string, second :string}",
    ),
    param(
        "dataclasses generic",
        Trio,
        (({"first": 1, "second": 2, "third": "c"}, Trio(1, 2, "c")),) * 2,
        ({"first": "a", "second": 2, "third": "c"}, {"first": 1, "second": 2}),
        shorthand="{first :int, second :int, third :string}",
    ),
    param(
        "__post_init__ errors become issues with a path",
        Evens,
        (({"all": []}, Evens([])), ({"all": [{"n": 2}]}, Evens([Even(2)]))),
        ({}, {"all": [{"n": "x"}]}),
        also=_path_of_odd,
        shorthand="{all [{n :int}]}",
    ),
    param(
        "NamedTuple",
        Place,
        (
            ({"lat": 1.5, "lon": 2.5}, Place(1.5, 2.5)),
            ({"lat": 1, "lon": 2.5, "name": "a"}, Place(1.0, 2.5, "a")),
            ({"lat": 1.5, "lon": 2.5, "name": None}, Place(1.5, 2.5)),
        ),
        ({"lat": 1.5}, {"lat": "x", "lon": 2.5}, [1.5]),
        shorthand="{lat :float, lon :float, name :string?}",
    ),
    param(
        "NamedTuple",
        Old,
        (({"a": 1, "b": "c"}, Old(1, "c")),) * 2,
        ({"a": 1}, {"a": "x", "b": "c"}),
        shorthand="{a :int, b :string}",
    ),
    param(
        "NamedTuple",
        Cell[int],
        (({"content": 1}, Cell(1)),) * 2,
        ({"content": "x"}, {}),
        shorthand="{content :int}",
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "dataclasses nested",
        Line,
        (
            (
                Line(Point(1), None, [Point(2)]),
                {"start": {"x": 1, "y": 0}, "end": None, "through": [{"x": 2, "y": 0}]},
            ),
            (
                Line(Point(1), Point(2)),
                {"start": {"x": 1, "y": 0}, "end": {"x": 2, "y": 0}, "through": []},
            ),
        ),
        (Line(Point("a")), Line(None), Point(1), None),  # type: ignore[arg-type]
        shorthand="{start {x :int, y :int}, end {x :int, y :int}?, through [{x :int, y :int}]}",
    ),
    result(
        "dataclasses inheritance",
        Point,
        ((Point(1), {"x": 1, "y": 0}), (Pixel(1), {"x": 1, "y": 0, "color": "red"})),
        (Point("a"), {"x": "b", "y": 1}),  # type: ignore[arg-type]
        shorthand="{x :int, y :int}",
    ),
    result(
        "dataclasses kw_only",
        Named,
        ((Named(first="a"), {"first": "a", "last": ""}),),
        (Named(first=1), {"last": "a"}),  # type: ignore[arg-type]
        shorthand="{first :string, last :string}",
    ),
    result(
        "dataclasses default_factory",
        Made,
        ((Made(), {"tags": [], "sizes": {"a": 1}, "place": {"x": 1, "y": 2}}),),
        (Made([1]), Made(place=None)),  # type: ignore[list-item,arg-type]
        shorthand="{tags [:string], sizes :map[:int], place {x :int, y :int}}",
        ptc_runner="{tags [:string], sizes :map, place {x :int, y :int}}",
    ),
    result(
        "dataclasses InitVar",
        Salted,
        ((Salted("a", 1), {"name": "a", "mixed": "a1p"}),),
        ({"name": "a", "salt": 1}, Point(1)),
        shorthand="{name :string, mixed :string}",
    ),
    result(
        "dataclasses ClassVar",
        Counted,
        ((Counted(), {"name": "a"}),),
        (Counted(1), {}),
        shorthand="{name :string}",
    ),  # type: ignore[arg-type]
    result(
        "dataclasses metadata",
        Noted,
        ((Noted(1), {"size": 1, "name": "a"}),),
        (Noted("a"), {"size": 1}),  # type: ignore[arg-type]
        shorthand="{size :int, name :string}",
    ),
    result(
        "dataclasses slots",
        Slotted,
        ((Slotted(1, ("a",)), {"id": 1, "tags": ["a"]}),),
        (Slotted("a"), Slotted(1, (2,))),  # type: ignore[arg-type]
        shorthand="{id :int, tags [:string]}",
    ),
    result(
        "dataclasses generic",
        Pair[int],
        ((Pair(1, 2), {"first": 1, "second": 2}),),
        (Pair("a", "b"), Pair(1, None)),
        shorthand="{first :int, second :int}",
    ),
    result(
        "NamedTuple",
        Place,
        (
            (Place(1.5, 2.5), {"lat": 1.5, "lon": 2.5, "name": None}),
            (Place(1.5, 2.5, "a"), {"lat": 1.5, "lon": 2.5, "name": "a"}),
        ),
        (Place("a", 2.5), (1.5, 2.5), None),  # type: ignore[arg-type]
        shorthand="{lat :float, lon :float, name :string?}",
    ),
)
