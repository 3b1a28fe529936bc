"""The type system: variables, aliases, special forms, metadata.

The syntax of newer versions of Python is in `newer`.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass, field
from typing import Annotated, Generic, NamedTuple, NewType, TypeVar

import annotated_types as at
import typing_extensions as te

from tests.type_table.rows import Like, Result, Row, keep, param, result, same

T = TypeVar("T")
S = TypeVar("S")
Bound = TypeVar("Bound", bound=int)
BoundLater = TypeVar("BoundLater", bound="Size")
Chosen = TypeVar("Chosen", int, str)
Fallen = te.TypeVar("Fallen", default=int)
FallenList = te.TypeVar("FallenList", default=list[str])
Rows = list[int]
Named: typing.TypeAlias = "dict[str, Size]"
Either: typing.TypeAlias = int | str
Table = te.TypeAliasType("Table", dict[str, list[int]])
Pairs = te.TypeAliasType("Pairs", list[tuple[T, T]], type_params=(T,))
Small = te.TypeAliasType("Small", Annotated[int, at.Ge(1), at.Le(5), te.Doc("a small one")])
SmallOld = Annotated[int, at.Ge(1), "a small one"]
Size = NewType("Size", int)


@dataclass
class Box(Generic[T]):
    content: T


@dataclass
class Shelf(Generic[T, S]):
    first: Box[T]
    rest: list[Box[S]] = field(default_factory=list)


@dataclass
class FallenBox(Generic[Fallen]):
    content: Fallen


class FallenDict(te.TypedDict, Generic[FallenList]):
    items: FallenList


class Crate(NamedTuple, Generic[T]):
    content: T


class Stall(Generic[T]):
    def __init__(self, first: T | None = None) -> None:
        keep(first)

    def take(self, value: list[T]) -> None:
        keep(value)

    @classmethod
    def named(cls, value: T) -> None:
        keep(value)


class WholeStall(Stall[int]):
    pass


@dataclass
class Chain:
    name: str
    next: te.Self | None = None


@dataclass
class Frozen:
    limit: typing.Final[int] = 3
    name: te.Final[str] = "a"


@te.deprecated("use Box", category=None)
@dataclass
class OldBox:
    size: int


class Meter:
    def __init__(self, value: int) -> None:
        keep(value)

    def same(self, value: int) -> te.Self:
        keep(value)
        return self


class Shop(Generic[T, S]):
    def __init__(self, value: T | None = None) -> None:
        keep(value)

    def take(self, value: list[T], more: S | None = None) -> None:
        keep(value, more)


class WordShop(Shop[S, T], Generic[T, S]):
    """A subclass with the type variables in reverse order."""


class DayShop(WordShop[dict[str, T], int], Generic[T]):
    """A subclass whose argument contains its own variable."""


class LastShop(DayShop[bool]):
    pass


_SAID = {"recursive": True}

ROWS: tuple[Row, ...] = (
    param("TypeVar bound", Bound, same(1, -2), ("x", None, 1.5), shorthand=":int"),
    param("TypeVar bound", list[BoundLater], same([], [1]), (["x"], 1), shorthand="[:int]"),
    param("TypeVar constraints", Chosen, same(1, "a"), (None, [], 1.5), shorthand=":int|:string"),
    param("TypeVar defaults", Fallen, same(1, 2), ("x", None), shorthand=":int"),
    param(
        "TypeVar defaults",
        FallenBox,
        (({"content": 1}, FallenBox(1)),) * 2,
        ({"content": "x"}, {}),
        shorthand="{content :int}",
    ),
    param(
        "TypeVar defaults",
        FallenBox[str],
        (({"content": "a"}, FallenBox("a")),) * 2,
        ({"content": 1}, {}),
        shorthand="{content :string}",
    ),
    param(
        "deprecated",
        OldBox,
        (({"size": 1}, Like("a box of 1", lambda got: got.size == 1)),) * 2,
        ({"size": "x"}, {}),
        shorthand="{size :int}",
    ),
    param(
        "generics with arguments",
        Box[int],
        (({"content": 1}, Box(1)),) * 2,
        ({"content": "x"}, {}),
        shorthand="{content :int}",
    ),
    param(
        "generics with arguments",
        Shelf[int, str],
        (
            ({"first": {"content": 1}}, Shelf(Box(1))),
            (
                {"first": {"content": 1}, "rest": [{"content": "a"}]},
                Shelf(Box(1), [Box("a")]),
            ),
        ),
        ({"first": {"content": "a"}}, {"first": {"content": 1}, "rest": [{"content": 1}]}),
        shorthand="{first {content :int}, rest [{content :string}] = []}",
    ),
    param(
        "generics with arguments",
        Box[Box[list[int]]],
        (({"content": {"content": [1]}}, Box(Box([1]))),) * 2,
        ({"content": {"content": ["x"]}}, {"content": 1}),
        shorthand="{content {content [:int]}}",
    ),
    param(
        "generics with arguments",
        Box[te.Never | None],  # noqa: RUF020
        (({"content": None}, Box(None)),) * 2,
        ({"content": 1}, {}),
        shorthand="{content :nil}",
    ),
    Row("generics with arguments", Stall[int], (({"first": 1}, 1),), ({"first": "x"},), warns=None),
    *(
        Row("generics with arguments", target, (({"value": [1]}, [1]),), ({"value": ["x"]}, {}))
        for target in (WholeStall(1).take, Stall[int](1).take)
    ),
    Row("generics with arguments", WholeStall.named, (({"value": 1}, 1),), ({"value": "x"}, {})),
    param(
        "generics with arguments",
        Crate[int],
        (({"content": 1}, Crate(1)),) * 2,
        ({"content": "x"}, {}),
        shorthand="{content :int}",
    ),
    Row(
        "generics with arguments",
        WordShop[str, int]().take,
        (({"value": [1]}, ([1], None)), ({"value": [1], "more": "a"}, ([1], "a"))),
        ({"value": ["x"]}, {"value": [1], "more": 2}),
    ),
    Row(
        "generics with arguments",
        LastShop().take,
        (({"value": [1]}, ([1], None)), ({"value": [], "more": {"a": True}}, ([], {"a": True}))),
        ({"value": ["x"]}, {"value": [], "more": {"a": 1}}),
    ),
    Row(
        "generics with arguments",
        LastShop,
        (({}, None), ({"value": 1}, 1)),
        ({"value": "x"}, {"value": []}),
        warns=("returns: LastShop",),
    ),
    param(
        "Self",
        Chain,
        (
            ({"name": "a"}, Chain("a")),
            ({"name": "a", "next": {"name": "b"}}, Chain("a", Chain("b"))),
        ),
        ({"next": None}, {"name": "a", "next": {"name": 1}}, {"name": "a", "next": 1}),
        options=_SAID,
        shorthand=":Chain where Chain = {name :string, next :Chain?}",
    ),
    Row(
        "Self",
        Meter(0).same,
        (({"value": 1}, 1), ({"value": 2}, 2)),
        ({"value": "x"}, {}),
        warns=None,
    ),
    param("Never", list[te.Never], same([]), ([1], [None], "a"), shorthand="[:not[:any]]"),
    param(
        "Never",
        dict[str, typing.NoReturn],
        same({}),
        ({"a": 1}, {"a": None}),
        shorthand=":map[:not[:any]]",
        ptc_runner=":map",
    ),
    param("Never", int | te.Never, same(1), ("x", None), shorthand=":int"),  # noqa: RUF020
    param("LiteralString", typing.LiteralString, same("a", ""), (1, None), shorthand=":string"),
    param(
        "LiteralString", te.LiteralString | None, same("a", None), (1, ["a"]), shorthand=":string?"
    ),
    param(
        "Final",
        Frozen,
        (({}, Frozen()), ({"limit": 5}, Frozen(5))),
        ({"limit": "x"}, {"name": 1}),
        shorthand='{limit :int = 3, name :string = "a"}',
    ),
    param("TypeAlias", Rows, same([], [1]), (["x"], 1), shorthand="[:int]"),
    param(
        "TypeAlias",
        Named,
        same({}, {"a": 1}),
        ({"a": "x"}, [1]),
        space=globals(),
        shorthand=":map[:int]",
        ptc_runner=":map",
    ),
    param("TypeAlias", Either, same(1, "a"), (None, []), shorthand=":int|:string"),
    param(
        "type X = …",
        Table,
        same({}, {"a": [1]}),
        ({"a": ["x"]}, [1]),
        shorthand=":map[[:int]]",
        ptc_runner=":map",
    ),
    param(
        "type X = …",
        Table | None,
        same(None, {"a": [1]}),
        ({"a": ["x"]}, [1]),
        shorthand=":map[[:int]]?",
        ptc_runner=":map?",
    ),
    param(
        "type X = …",
        Pairs[int],
        (([], []), ([[1, 2]], [(1, 2)])),
        ([[1]], [["x", "y"]]),
        shorthand="[[:int, :int]]",
        ptc_runner="[:any]",
    ),
    param(
        "PEP 695",
        Box[Table],
        (({"content": {"a": [1]}}, Box({"a": [1]})),) * 2,
        ({"content": [1]}, {}),
        shorthand="{content :map[[:int]]}",
        ptc_runner="{content :map}",
    ),
    param(
        "PEP 696",
        FallenDict,
        same({"items": []}, {"items": ["a"]}),
        ({"items": [1]}, {}, {"items": "a"}),
        shorthand="{items [:string]}",
    ),
    param(
        "Doc",
        Annotated[int, te.Doc("how many")],
        same(1, 2),
        ("x", None),
        texts={"value": "how many"},
        shorthand=":int",
    ),
    param(
        "Doc",
        Annotated[list[Annotated[int, te.Doc("each")]], te.Doc("all")],
        same([], [1]),
        (["x"], 1),
        texts={"value": "all", "value.[]": "each"},
        shorthand="[:int]",
    ),
    param(
        "Annotated nested",
        Annotated[Annotated[int, at.Ge(1)], at.Le(5), "one to five"],
        same(1, 5),
        (0, 6, "x"),
        texts={"value": "one to five"},
        shorthand=":int[1..5]",
        ptc_runner=":int",
    ),
    param(
        "Annotated nested",
        Annotated[list[Annotated[str, at.MinLen(1)]], at.MaxLen(2)],
        same([], ["a", "b"]),
        ([""], ["a", "b", "c"]),
        shorthand="[:string[1..]][..2]",
        ptc_runner="[:string]",
    ),
    param(
        "Annotated inside aliases",
        Small,
        same(1, 5),
        (0, 6),
        texts={"value": "a small one"},
        shorthand=":int[1..5]",
        ptc_runner=":int",
    ),
    param(
        "Annotated inside aliases",
        Annotated[Small, at.Ge(2)],
        same(2, 5),
        (1, 6),
        texts={"value": "a small one"},
        shorthand=":int[2..5]",
        ptc_runner=":int",
    ),
    param(
        "Annotated inside aliases",
        dict[str, SmallOld],
        same({}, {"a": 1}),
        ({"a": 0}, {"a": "x"}),
        shorthand=":map[:int[1..]]",
        ptc_runner=":map",
    ),
    param(
        "TypeGuard",
        typing.TypeGuard[int],
        same(True, False),
        (1, "x", None),
        shorthand=":bool",
    ),
    param("TypeGuard", te.TypeIs[list[int]], same(True, False), ([1], "x"), shorthand=":bool"),
)


RESULTS: tuple[Result, ...] = (
    result("TypeVar bound", Bound, ((1, 1),), ("x", None), shorthand=":int"),
    result(
        "TypeVar constraints", Chosen, ((1, 1), ("a", "a")), (None, []), shorthand=":int|:string"
    ),
    result(
        "TypeVar defaults",
        FallenBox,
        ((FallenBox(1), {"content": 1}),),
        (FallenBox("x"), {}),
        shorthand="{content :int}",
    ),
    result(
        "deprecated",
        OldBox,
        ((OldBox(1), {"size": 1}),),
        ({"size": "x"}, {}),
        shorthand="{size :int}",
    ),
    result(
        "generics with arguments",
        Shelf[int, str],
        ((Shelf(Box(1), [Box("a")]), {"first": {"content": 1}, "rest": [{"content": "a"}]}),),
        (Shelf(Box("a"), []), Shelf(Box(1), [Box(1)])),
        shorthand="{first {content :int}, rest [{content :string}]}",
    ),
    result(
        "Self",
        Chain,
        ((Chain("a", Chain("b")), {"name": "a", "next": {"name": "b", "next": None}}),),
        (Chain(1), Chain("a", 3)),  # type: ignore[arg-type]
        options=_SAID,
        shorthand=":Chain where Chain = {name :string, next :Chain?}",
    ),
    result("Never", list[te.Never], (([], []),), ([1], None), shorthand="[:not[:any]]"),
    result("LiteralString", te.LiteralString, (("a", "a"),), (1, None), shorthand=":string"),
    result(
        "Final",
        Frozen,
        ((Frozen(), {"limit": 3, "name": "a"}),),
        ({"limit": 3}, Frozen("x")),
        shorthand="{limit :int, name :string}",
    ),  # type: ignore[arg-type]
    result("TypeAlias", Either, ((1, 1), ("a", "a")), (None,), shorthand=":int|:string"),
    result(
        "type X = …",
        Table,
        (({"a": [1]}, {"a": [1]}),),
        ({"a": 1}, []),
        shorthand=":map[[:int]]",
        ptc_runner=":map",
    ),
    result(
        "type X = …",
        Pairs[int],
        (([(1, 2)], [[1, 2]]),),
        ([(1,)], [("x", "y")]),
        shorthand="[[:int, :int]]",
        ptc_runner="[:any]",
    ),
    result(
        "PEP 695",
        Box[Table],
        ((Box({"a": [1]}), {"content": {"a": [1]}}),),
        (Box(1), Box({"a": 1})),
        shorthand="{content :map[[:int]]}",
        ptc_runner="{content :map}",
    ),
    result(
        "PEP 696",
        FallenDict,
        (({"items": ["a"]}, {"items": ["a"]}),),
        ({"items": [1]}, {}),
        shorthand="{items [:string]}",
    ),
    result("Doc", Annotated[int, te.Doc("how many")], ((1, 1),), ("x", None), shorthand=":int"),
    result(
        "Annotated nested",
        Annotated[Annotated[int, at.Ge(1)], at.Le(5)],
        ((1, 1), (5, 5)),
        (0, 6),
        shorthand=":int[1..5]",
        ptc_runner=":int",
    ),
    result(
        "Annotated inside aliases",
        Small,
        ((1, 1), (5, 5)),
        (0, 6),
        shorthand=":int[1..5]",
        ptc_runner=":int",
    ),
    result(
        "TypeGuard",
        typing.TypeGuard[int],
        ((True, True), (False, False)),
        (1, "x", None),
        shorthand=":bool",
    ),
    result("TypeGuard", te.TypeIs[str], ((True, True),), (0, "x"), shorthand=":bool"),
)
