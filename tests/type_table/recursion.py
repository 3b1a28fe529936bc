"""Recursive types, protocols, and parameter lists that are typed as a whole."""

from __future__ import annotations

import typing
from collections import abc
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

import typing_extensions as te

from tests.type_table.rows import Like, Result, Row, keep, param, result, same

T = TypeVar("T")
P = ParamSpec("P")


@dataclass
class Box(Generic[T]):
    content: T


class HasName(Protocol):
    name: str
    size: int


class Options(te.TypedDict, total=False):
    limit: te.Required[int]
    mode: te.Annotated[str, te.Doc("how")]


class ClosedOptions(te.TypedDict, closed=True):
    limit: int


@dataclass
class Tree:
    value: int
    children: list[Tree] = field(default_factory=list)


@dataclass
class Husband:
    name: str
    wife: Wife | None = None


@dataclass
class Wife:
    name: str
    husband: Husband | None = None


class Node(te.TypedDict):
    id: int
    kids: te.NotRequired[list[Node]]


class Folder(te.TypedDict):
    files: list[File]


class File(te.TypedDict):
    name: str
    inside: te.NotRequired[Folder]


Json = te.TypeAliasType("Json", "int | str | list[Json] | dict[str, Json]")
Nested = te.TypeAliasType("Nested", "list[Nested | int]")
Even = te.TypeAliasType("Even", "list[Odd]")
Odd = te.TypeAliasType("Odd", "dict[str, Even] | int")


def several(*value: int) -> None:
    keep(value)


def several_dates(first: str, *value: typing.Literal["a", "b"]) -> None:
    keep(first, value)


def spread(*value: *tuple[int, str]) -> None:
    keep(value)


def named(**value: int) -> None:
    keep(value)


def named_after(id: str, **value: bool | None) -> None:
    keep(id, value)


def unpacked(**value: te.Unpack[Options]) -> None:
    keep(value)


def unpacked_closed(id: str, **value: te.Unpack[ClosedOptions]) -> None:
    keep(id, value)


def passed_on(value: int, *args: P.args, **kwargs: P.kwargs) -> None:
    keep(value, args, kwargs)


def run(function: abc.Callable[P, T]) -> abc.Callable[P, T]:
    def inner(*args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    inner.__wrapped__ = function  # type: ignore[attr-defined]
    return inner


@run
def wrapped(value: int, name: str = "a") -> None:
    keep(value, name)


_DEEP = {"value": 1, "children": [{"value": 2, "children": [{"value": 3, "children": []}]}]}
_TREE = Tree(1, [Tree(2, [Tree(3)])])
_SAID = {"recursive": True}
_CLOSED = ("it refers to itself, so it became :any",)


@dataclass
class Thing:
    """An object with the attributes that a protocol names."""

    name: str
    size: int


def _giving(value: Any) -> Any:
    def f() -> int:
        return value  # type: ignore[no-any-return]

    return f


ROWS: tuple[Row, ...] = (
    param(
        "Protocols",
        HasName,
        (
            (
                {"name": "a", "size": 1},
                Like("with name and size", lambda v: (v.name, v.size) == ("a", 1)),
            ),
        )
        * 2,
        ({"name": 1, "size": 1}, {"name": "a"}, "a"),
        shorthand="{name :string, size :int}",
    ),
    param("Protocols", typing.SupportsIndex, same(1, 2), ("x", 1.5), shorthand=":int"),
    param(
        "recursive aliases",
        Nested,
        same([], [1, [2, [3, []]]]),
        (["x"], [1, [2, ["x"]]], 1),
        options=_SAID,
        shorthand=":Nested where Nested = [:Nested|:int]",
    ),
    param(
        "recursive aliases",
        Json,
        same(1, "a", [1, ["a"]], {"a": {"b": [1]}}),
        (None, [None], {"a": [1.5]}),
        options=_SAID,
        shorthand=":Json where Json = :int|:string|[:Json]|:map[:Json]",
        ptc_runner=":Json where Json = :int|:string|[:Json]|:map",
    ),
    param(
        "mutually recursive aliases",
        Even,
        same([], [1, {"a": [2]}]),
        (["x"], [{"a": 1}], [{"a": ["x"]}]),
        options=_SAID,
        shorthand=":Even where Even = [:map[:Even]|:int]",
        ptc_runner=":Even where Even = [:map|:int]",
    ),
    param(
        "recursive dataclasses",
        Tree,
        (({"value": 1}, Tree(1)), (_DEEP, _TREE)),
        ({"value": "x"}, {"value": 1, "children": [{"value": 2, "children": [{}]}]}),
        options=_SAID,
        shorthand=":Tree where Tree = {value :int, children [:Tree] = []}",
    ),
    param(
        "mutually recursive dataclasses",
        Husband,
        (
            ({"name": "a"}, Husband("a")),
            (
                {"name": "a", "wife": {"name": "b", "husband": {"name": "c", "wife": None}}},
                Husband("a", Wife("b", Husband("c"))),
            ),
        ),
        ({"wife": None}, {"name": "a", "wife": {"name": "b", "husband": {"name": 1}}}),
        options=_SAID,
        shorthand=":Husband where Husband = {name :string, wife {name :string, husband :Husband?}?}",
    ),
    param(
        "recursive TypedDicts",
        Node,
        same({"id": 1}, {"id": 1, "kids": [{"id": 2, "kids": [{"id": 3}]}]}),
        ({"kids": []}, {"id": 1, "kids": [{"id": 2, "kids": [{}]}]}),
        options=_SAID,
        shorthand=":Node where Node = {id :int, kids? [:Node]}",
    ),
    param(
        "mutually recursive TypedDicts",
        Folder,
        same({"files": []}, {"files": [{"name": "a", "inside": {"files": [{"name": "b"}]}}]}),
        ({}, {"files": [{}]}, {"files": [{"name": "a", "inside": {"files": [1]}}]}),
        options=_SAID,
        shorthand=":Folder where Folder = {files [{name :string, inside? :Folder}]}",
    ),
    param(
        "the :any default",
        Tree,
        (
            ({"value": 1}, Tree(1)),
            ({"value": 1, "children": []}, Tree(1)),
            ({"value": 1, "children": [2]}, Tree(1, [2])),  # type: ignore[list-item]
        ),
        ({"value": "x"}, {"value": 1, "children": 2}, {}),
        warns=_CLOSED,
        shorthand="{value :int, children [:any] = []}",
    ),
    param(
        "the :any default",
        Node,
        same({"id": 1}, {"id": 1, "kids": [3]}),
        ({"id": "x"}, {"id": 1, "kids": 3}),
        warns=_CLOSED,
        shorthand="{id :int, kids? [:any]}",
    ),
    param(
        "the :any default",
        Nested,
        same([], [1, "a"]),
        (1, "a", None),
        warns=_CLOSED,
        shorthand="[:any|:int]",
    ),
    param(
        "recursive=True",
        dict[str, Tree],
        (({}, {}), ({"a": _DEEP}, {"a": _TREE})),
        ({"a": {}}, {"a": {"value": 1, "children": [{}]}}),
        options=_SAID,
        shorthand=":map[:Tree] where Tree = {value :int, children [:Tree] = []}",
        ptc_runner=":map",
    ),
    param(
        "recursive=True",
        Box[Tree],
        (({"content": {"value": 1}}, Box(Tree(1))), ({"content": _DEEP}, Box(_TREE))),
        ({"content": {}}, {"content": {"value": 1, "children": [{}]}}),
        options=_SAID,
        shorthand="{content :Tree} where Tree = {value :int, children [:Tree] = []}",
    ),
    Row(
        "ParamSpec",
        passed_on,
        (({"value": 1}, (1, (), {})), ({"value": 1, "more": "a"}, (1, (), {"more": "a"}))),
        ({"value": "x"}, {}),
        warns=None,
    ),
    Row(
        "ParamSpec",
        wrapped,
        (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b"))),
        ({"value": "x"}, {"value": 1, "name": 2}),
    ),
    Row(
        "Unpack[TypedDict]",
        unpacked,
        (({"limit": 1}, {"limit": 1}), ({"limit": 1, "mode": "a"}, {"limit": 1, "mode": "a"})),
        ({}, {"limit": "x"}, {"limit": 1, "mode": 2}),
        texts={"mode": "how"},
    ),
    Row(
        "Unpack[TypedDict]",
        unpacked_closed,
        (({"id": "a", "limit": 1}, ("a", {"limit": 1})),) * 2,
        ({"id": "a"}, {"id": "a", "limit": "x"}),
    ),
    Row(
        "*args: int",
        several,
        (({}, ()), ({"value": [1, 2]}, (1, 2))),
        ({"value": ["x"]}, {"value": 1}),
    ),
    Row(
        "*args: int",
        several_dates,
        (({"first": "x"}, ("x", ())), ({"first": "x", "value": ["a", "b"]}, ("x", ("a", "b")))),
        ({"value": ["a"]}, {"first": "x", "value": ["c"]}),
    ),
    Row(
        "*args: int",
        spread,
        (({"value": [1, "a"]}, (1, "a")),) * 2,
        ({"value": [1]}, {"value": ["a", 1]}, {}),
    ),
    Row(
        "**kwargs: int",
        named,
        (({}, {}), ({"a": 1, "b": 2}, {"a": 1, "b": 2})),
        ({"a": "x"}, {"b": None}),
    ),
    Row(
        "**kwargs: int",
        named_after,
        (
            ({"id": "a"}, ("a", {})),
            ({"id": "a", "b": True, "c": None}, ("a", {"b": True, "c": None})),
        ),
        ({"b": True}, {"id": "a", "b": 1}),
    ),
)


RESULTS: tuple[Result, ...] = (
    result(
        "Protocols",
        HasName,
        ((Thing("a", 1), {"name": "a", "size": 1}),),
        ({"name": "a"}, Thing("a", "b"), 1),
        shorthand="{name :string, size :int}",
    ),
    result(
        "recursive aliases",
        Nested,
        (([1, [2]], [1, [2]]),),
        ([["x"]], 1),
        options=_SAID,
        shorthand=":Nested where Nested = [:Nested|:int]",
    ),
    result(
        "mutually recursive aliases",
        Even,
        (([1, {"a": [2]}], [1, {"a": [2]}]),),
        ([{"a": 1}], 1),
        options=_SAID,
        shorthand=":Even where Even = [:map[:Even]|:int]",
        ptc_runner=":Even where Even = [:map|:int]",
    ),
    result(
        "recursive dataclasses",
        Tree,
        ((_TREE, _DEEP),),
        (Tree("x"), Tree(1, [2])),
        options=_SAID,
        shorthand=":Tree where Tree = {value :int, children [:Tree]}",
    ),  # type: ignore[arg-type,list-item]
    result(
        "mutually recursive dataclasses",
        Husband,
        (
            (
                Husband("a", Wife("b")),
                {"name": "a", "wife": {"name": "b", "husband": None}},
            ),
        ),
        (Husband("a", Wife(1)), Husband("a", 3)),  # type: ignore[arg-type]
        options=_SAID,
        shorthand=":Husband where Husband = {name :string, wife {name :string, husband :Husband?}?}",
    ),
    result(
        "recursive TypedDicts",
        Node,
        (({"id": 1, "kids": [{"id": 2}]}, {"id": 1, "kids": [{"id": 2}]}),),
        ({"id": 1, "kids": [{}]}, {}),
        options=_SAID,
        shorthand=":Node where Node = {id :int, kids? [:Node]}",
    ),
    result(
        "mutually recursive TypedDicts",
        Folder,
        (({"files": [{"name": "a"}]}, {"files": [{"name": "a"}]}),),
        ({"files": [{"name": "a", "inside": {}}]}, {}),
        options=_SAID,
        shorthand=":Folder where Folder = {files [{name :string, inside? :Folder}]}",
    ),
    Result(
        "ParamSpec",
        lambda value: run(_giving(value)),
        ((1, 1), (2, 2)),
        ("x", None),
        shorthand=":int",
    ),
)
