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
    param("TypedDict of typing", Movie, _FILMS, _NO_FILMS, shorthand="{title :string, year? :int}"),
    param(
        "TypedDict of typing",
        list[Movie],
        same([], [{"title": "a"}]),
        ({"title": "a"}, [{}]),
        shorthand="[{title :string, year? :int}]",
    ),
    param(
        "TypedDict of typing_extensions",
        Film,
        _FILMS,
        _NO_FILMS,
        shorthand="{title :string, year? :int}",
    ),
    param(
        "TypedDict functional",
        Functional,
        same({"in": 1}, {"in": 1, "user-id": "a"}),
        ({"user-id": "a"}, {"in": "x"}, {"in": 1, "user-id": 2}),
        shorthand="{in :int, user-id? :string}",
    ),
    param(
        "TypedDict functional",
        FunctionalToo,
        same({}, {"class": "a"}, {"class": "a", "n": 1}),
        ({"class": 1}, {"n": "x"}),
        shorthand="{class? :string, n? :int}",
    ),
    param(
        "TypedDict total",
        Partial,
        same({"name": "a"}, {"name": "a", "size": 1}),
        ({}, {"size": 1}, {"name": "a", "size": "x"}),
        shorthand="{name :string, size? :int}",
    ),
    param(
        "TypedDict total",
        PartialToo,
        same({}, {"size": 1}),
        ({"size": "x"}, {"color": 1}, [], None),
        shorthand="{size? :int, color? :string}",
    ),
    param(
        "TypedDict Required",
        te.TypedDict("W", {"a": te.Required[te.Annotated[int, at.Gt(0)]], "b": int}, total=False),
        same({"a": 1}, {"a": 1, "b": 2}),
        ({}, {"b": 1}, {"a": 0}),
        shorthand="{a :int[>0], b? :int}",
        ptc_runner="{a :int, b? :int}",
    ),
    param(
        "TypedDict NotRequired",
        te.TypedDict("N", {"a": int, "b": te.NotRequired[int | None]}),
        same({"a": 1}, {"a": 1, "b": None}, {"a": 1, "b": 2}),
        ({"b": 1}, {"a": 1, "b": "x"}),
        shorthand="{a :int, b :int?}",
    ),
    param(
        "TypedDict NotRequired",
        typing.TypedDict("M", {"a": "int", "b": "typing.NotRequired[int]"}),
        same({"a": 1}, {"a": 1, "b": 2}),
        ({"b": 1}, {"a": 1, "b": "x"}),
        shorthand="{a :int, b? :int}",
    ),
    param(
        "TypedDict ReadOnly",
        ReadOnly,
        same({"id": 1}, {"id": 1, "name": "a"}),
        ({"name": "a"}, {"id": "x"}, {"id": 1, "name": 2}),
        shorthand="{id :int, name? :string}",
    ),
    param(
        "TypedDict inheritance",
        Sequel,
        same({"title": "a", "part": 2}, {"title": "a", "part": 2, "year": 1999}),
        ({"title": "a"}, {"part": 2}, {"title": "a", "part": "x"}),
        shorthand="{title :string, year? :int, part :int}",
    ),
    param(
        "TypedDict inheritance",
        Third,
        same({"title": "a", "part": 3}, {"title": "a", "part": 3, "note": "b"}),
        ({"title": "a", "note": "b"}, {"title": "a", "part": 3, "note": 1}),
        shorthand="{title :string, year? :int, part :int, note? :string}",
    ),
    param(
        "TypedDict generic",
        Box[int],
        same({"item": 1}, {"item": -2}),
        ({"item": "x"}, {}),
        shorthand="{item :int}",
    ),
    param(
        "TypedDict generic",
        Boxes[str],
        same({"item": "a", "more": []}, {"item": "a", "more": ["b"]}),
        ({"item": 1, "more": []}, {"item": "a", "more": [1]}, {"item": "a"}),
        shorthand="{item :string, more [:string]}",
    ),
    param(
        "TypedDict generic",
        IntBox,
        same({"item": 1, "name": "a"}, {"item": 2, "name": ""}),
        ({"item": "x", "name": "a"}, {"item": 1}),
        shorthand="{item :int, name :string}",
    ),
    param(
        "TypedDict closed",
        Closed,
        same({"id": 1}, {"id": 2}),
        ({"id": 1, "b": 2}, {}, {"id": "x"}),
        shorthand="{id :int}!",
    ),
    param(
        "TypedDict closed",
        ClosedMore,
        same({"id": 1}, {"id": 1, "note": "a"}),
        ({"id": 1, "nope": "a"}, {"id": 1, "note": 2}),
        shorthand="{id :int, note? :string}!",
    ),
    param(
        "TypedDict extra_items",
        Extra,
        same({"name": "a"}, {"name": "a", "b": 1, "c": 2}),
        ({"name": "a", "b": "x"}, {"b": 1}),
        shorthand="{name :string, ** :int}",
    ),
    param(
        "TypedDict extra_items",
        ExtraDates,
        same({"name": "a"}, {"name": "a", "b": True, "c": None}),
        ({"name": "a", "b": 1}, {"name": "a", "b": "x"}),
        shorthand="{name :string, ** :bool?}",
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "TypedDict of typing", Movie, _MOVIES, _NO_MOVIES, shorthand="{title :string, year? :int}"
    ),
    result(
        "TypedDict of typing_extensions",
        Film,
        _MOVIES,
        _NO_MOVIES,
        shorthand="{title :string, year? :int}",
    ),
    result(
        "TypedDict functional",
        Functional,
        (({"in": 1}, {"in": 1}), ({"in": 1, "user-id": "a"}, {"in": 1, "user-id": "a"})),
        ({"user-id": "a"}, {"in": "x"}),
        shorthand="{in :int, user-id? :string}",
    ),
    result(
        "TypedDict total",
        Partial,
        (({"name": "a"}, {"name": "a"}),),
        ({}, {"name": "a", "size": "x"}),
        shorthand="{name :string, size? :int}",
    ),
    result(
        "TypedDict Required",
        Partial,
        (({"name": "a", "size": 1}, {"name": "a", "size": 1}),),
        ({},),
        shorthand="{name :string, size? :int}",
    ),
    result(
        "TypedDict NotRequired",
        te.TypedDict("N", {"a": int, "b": te.NotRequired[int | None]}),
        (({"a": 1}, {"a": 1}), ({"a": 1, "b": None}, {"a": 1, "b": None})),
        ({"b": 1}, {"a": 1, "b": "x"}),
        shorthand="{a :int, b :int?}",
    ),
    result(
        "TypedDict ReadOnly",
        ReadOnly,
        (({"id": 1}, {"id": 1}),),
        ({}, {"id": "x"}),
        shorthand="{id :int, name? :string}",
    ),
    result(
        "TypedDict inheritance",
        Third,
        (({"title": "a", "part": 3}, {"title": "a", "part": 3}),),
        ({"title": "a"}, {"title": "a", "part": 3, "note": 1}),
        shorthand="{title :string, year? :int, part :int, note? :string}",
    ),
    result(
        "TypedDict generic",
        Box[int],
        (({"item": 1}, {"item": 1}),),
        ({"item": "x"}, {}),
        shorthand="{item :int}",
    ),
    result(
        "TypedDict closed",
        Closed,
        (({"id": 1}, {"id": 1}),),
        ({"id": 1, "b": 2}, {}),
        shorthand="{id :int}!",
    ),
    result(
        "TypedDict extra_items",
        Extra,
        (({"name": "a", "b": 1}, {"name": "a", "b": 1}),),
        ({"name": "a", "b": "x"}, {"b": 1}),
        shorthand="{name :string, ** :int}",
    ),
)
