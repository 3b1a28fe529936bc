"""TypedDict, of typing and of typing_extensions."""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Generic, TypeVar

import annotated_types as at
import typing_extensions as te

from tests.type_table.rows import Result, Row, param, result, same

T = TypeVar("T")


class Movie(typing.TypedDict):
    title: str
    year: typing.NotRequired[int]


class Film(te.TypedDict):
    title: str
    year: te.NotRequired[int]


Functional = typing.TypedDict("Functional", {"in": int, "user-id": typing.NotRequired[str]})
FunctionalToo = te.TypedDict("FunctionalToo", {"class": str, "n": int}, total=False)


class Partial(typing.TypedDict, total=False):
    name: typing.Required[str]
    size: int


class PartialToo(te.TypedDict, total=False):
    size: int
    color: str


class ReadOnly(te.TypedDict):
    id: te.ReadOnly[int]
    name: te.ReadOnly[te.NotRequired[str]]


class Sequel(Movie):
    part: int


class Third(Sequel, total=False):
    note: str


class Box(te.TypedDict, Generic[T]):
    item: T


class Boxes(Box[T], Generic[T]):
    more: list[T]


class IntBox(Box[int]):
    name: str


class Closed(te.TypedDict, closed=True):
    id: int


class ClosedMore(te.TypedDict, closed=True):
    id: int
    note: te.NotRequired[str]


class Extra(te.TypedDict, extra_items=int):
    name: str


class ExtraDates(te.TypedDict, extra_items=te.ReadOnly[bool | None]):
    name: str


@dataclass
class Point:
    x: int
    y: int = 0


_FILMS = same({"title": "a"}, {"title": "a", "year": 1999})
_NO_FILMS = ({}, {"title": 1}, {"title": "a", "year": "x"}, {"title": "a", "year": None}, "a")
_MOVIES = ({"title": "a"}, {"title": "a"}), ({"title": "a", "year": 1}, {"title": "a", "year": 1})
_NO_MOVIES = ({"title": 1}, {}, {"title": "a", "year": "x"}, Point(1))

ROWS: tuple[Row, ...] = (
    param("TypedDict of typing", Movie, _FILMS, _NO_FILMS),
    param("TypedDict of typing", list[Movie], same([], [{"title": "a"}]), ({"title": "a"}, [{}])),
    param("TypedDict of typing_extensions", Film, _FILMS, _NO_FILMS),
    param(
        "TypedDict functional",
        Functional,
        same({"in": 1}, {"in": 1, "user-id": "a"}),
        ({"user-id": "a"}, {"in": "x"}, {"in": 1, "user-id": 2}),
    ),
    param(
        "TypedDict functional",
        FunctionalToo,
        same({}, {"class": "a"}, {"class": "a", "n": 1}),
        ({"class": 1}, {"n": "x"}),
    ),
    param(
        "TypedDict total",
        Partial,
        same({"name": "a"}, {"name": "a", "size": 1}),
        ({}, {"size": 1}, {"name": "a", "size": "x"}),
    ),
    param(
        "TypedDict total",
        PartialToo,
        same({}, {"size": 1}),
        ({"size": "x"}, {"color": 1}, [], None),
    ),
    param(
        "TypedDict Required",
        te.TypedDict("W", {"a": te.Required[te.Annotated[int, at.Gt(0)]], "b": int}, total=False),
        same({"a": 1}, {"a": 1, "b": 2}),
        ({}, {"b": 1}, {"a": 0}),
    ),
    param(
        "TypedDict NotRequired",
        te.TypedDict("N", {"a": int, "b": te.NotRequired[int | None]}),
        same({"a": 1}, {"a": 1, "b": None}, {"a": 1, "b": 2}),
        ({"b": 1}, {"a": 1, "b": "x"}),
    ),
    param(
        "TypedDict NotRequired",
        typing.TypedDict("M", {"a": "int", "b": "typing.NotRequired[int]"}),
        same({"a": 1}, {"a": 1, "b": 2}),
        ({"b": 1}, {"a": 1, "b": "x"}),
    ),
    param(
        "TypedDict ReadOnly",
        ReadOnly,
        same({"id": 1}, {"id": 1, "name": "a"}),
        ({"name": "a"}, {"id": "x"}, {"id": 1, "name": 2}),
    ),
    param(
        "TypedDict inheritance",
        Sequel,
        same({"title": "a", "part": 2}, {"title": "a", "part": 2, "year": 1999}),
        ({"title": "a"}, {"part": 2}, {"title": "a", "part": "x"}),
    ),
    param(
        "TypedDict inheritance",
        Third,
        same({"title": "a", "part": 3}, {"title": "a", "part": 3, "note": "b"}),
        ({"title": "a", "note": "b"}, {"title": "a", "part": 3, "note": 1}),
    ),
    param("TypedDict generic", Box[int], same({"item": 1}, {"item": -2}), ({"item": "x"}, {})),
    param(
        "TypedDict generic",
        Boxes[str],
        same({"item": "a", "more": []}, {"item": "a", "more": ["b"]}),
        ({"item": 1, "more": []}, {"item": "a", "more": [1]}, {"item": "a"}),
    ),
    param(
        "TypedDict generic",
        IntBox,
        same({"item": 1, "name": "a"}, {"item": 2, "name": ""}),
        ({"item": "x", "name": "a"}, {"item": 1}),
    ),
    param(
        "TypedDict closed", Closed, same({"id": 1}, {"id": 2}), ({"id": 1, "b": 2}, {}, {"id": "x"})
    ),
    param(
        "TypedDict closed",
        ClosedMore,
        same({"id": 1}, {"id": 1, "note": "a"}),
        ({"id": 1, "nope": "a"}, {"id": 1, "note": 2}),
    ),
    param(
        "TypedDict extra_items",
        Extra,
        same({"name": "a"}, {"name": "a", "b": 1, "c": 2}),
        ({"name": "a", "b": "x"}, {"b": 1}),
    ),
    param(
        "TypedDict extra_items",
        ExtraDates,
        same({"name": "a"}, {"name": "a", "b": True, "c": None}),
        ({"name": "a", "b": 1}, {"name": "a", "b": "x"}),
    ),
)


RESULTS: tuple[Result, ...] = (
    result("TypedDict of typing", Movie, _MOVIES, _NO_MOVIES),
    result("TypedDict of typing_extensions", Film, _MOVIES, _NO_MOVIES),
    result(
        "TypedDict functional",
        Functional,
        (({"in": 1}, {"in": 1}), ({"in": 1, "user-id": "a"}, {"in": 1, "user-id": "a"})),
        ({"user-id": "a"}, {"in": "x"}),
    ),
    result(
        "TypedDict total",
        Partial,
        (({"name": "a"}, {"name": "a"}),),
        ({}, {"name": "a", "size": "x"}),
    ),
    result(
        "TypedDict Required",
        Partial,
        (({"name": "a", "size": 1}, {"name": "a", "size": 1}),),
        ({},),
    ),
    result(
        "TypedDict NotRequired",
        te.TypedDict("N", {"a": int, "b": te.NotRequired[int | None]}),
        (({"a": 1}, {"a": 1}), ({"a": 1, "b": None}, {"a": 1, "b": None})),
        ({"b": 1}, {"a": 1, "b": "x"}),
    ),
    result("TypedDict ReadOnly", ReadOnly, (({"id": 1}, {"id": 1}),), ({}, {"id": "x"})),
    result(
        "TypedDict inheritance",
        Third,
        (({"title": "a", "part": 3}, {"title": "a", "part": 3}),),
        ({"title": "a"}, {"title": "a", "part": 3, "note": 1}),
    ),
    result("TypedDict generic", Box[int], (({"item": 1}, {"item": 1}),), ({"item": "x"}, {})),
    result("TypedDict closed", Closed, (({"id": 1}, {"id": 1}),), ({"id": 1, "b": 2}, {})),
    result(
        "TypedDict extra_items",
        Extra,
        (({"name": "a", "b": 1}, {"name": "a", "b": 1}),),
        ({"name": "a", "b": "x"}, {"b": 1}),
    ),
)
