"""The type system: variables, aliases, special forms, metadata.

What is written with the syntax of newer Pythons is in `newer`.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass, field
from typing import Annotated, Generic, NamedTuple, NewType, TypeVar

import annotated_types as at
import typing_extensions as te

from tests.type_table.rows import BUILTIN, Result, Row, keep, param, result, same

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


class Shop(Generic[T]):
    def __init__(self, first: T | None = None) -> None:
        keep(first)

    def take(self, value: list[T]) -> None:
        keep(value)

    @classmethod
    def named(cls, value: T) -> None:
        keep(value)


class WholeShop(Shop[int]):
    pass


@dataclass
class Chain:
    name: str
    next: te.Self | None = None


@dataclass
class Frozen:
    limit: typing.Final[int] = 3
    name: te.Final[str] = "a"


class Meter:
    def __init__(self, value: int) -> None:
        keep(value)

    def same(self, value: int) -> te.Self:
        keep(value)
        return self


_SAID = {"recursive": True}

ROWS: tuple[Row, ...] = (
    param("TypeVar bound", Bound, same(1, -2), ("x", None, 1.5)),
    param("TypeVar bound", list[BoundLater], same([], [1]), (["x"], 1)),
    param("TypeVar constraints", Chosen, same(1, "a"), (None, [], 1.5)),
    param("TypeVar defaults", Fallen, same(1, 2), ("x", None)),
    param(
        "TypeVar defaults",
        FallenBox,
        (({"content": 1}, FallenBox(1)),) * 2,
        ({"content": "x"}, {}),
    ),
    param(
        "TypeVar defaults",
        FallenBox[str],
        (({"content": "a"}, FallenBox("a")),) * 2,
        ({"content": 1}, {}),
    ),
    param(
        "generics with arguments", Box[int], (({"content": 1}, Box(1)),) * 2, ({"content": "x"}, {})
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
    ),
    param(
        "generics with arguments",
        Box[Box[list[int]]],
        (({"content": {"content": [1]}}, Box(Box([1]))),) * 2,
        ({"content": {"content": ["x"]}}, {"content": 1}),
    ),
    param(
        "generics with arguments",
        Box[te.Never | None],  # noqa: RUF020
        (({"content": None}, Box(None)),) * 2,
        ({"content": 1}, {}),
    ),
    Row("generics with arguments", Box[int], (({"content": 1}, BUILTIN),), ({"content": "x"}, {})),
    *(
        Row("generics with arguments", target, (({"value": [1]}, [1]),), ({"value": ["x"]}, {}))
        for target in (WholeShop(1).take, Shop[int](1).take)
    ),
    Row("generics with arguments", WholeShop.named, (({"value": 1}, 1),), ({"value": "x"}, {})),
    param(
        "generics with arguments",
        Crate[int],
        (({"content": 1}, Crate(1)),) * 2,
        ({"content": "x"}, {}),
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
    ),
    Row(
        "Self",
        Meter(0).same,
        (({"value": 1}, 1), ({"value": 2}, 2)),
        ({"value": "x"}, {}),
        warns=None,
    ),
    param("Never", list[te.Never], same([]), ([1], [None], "a")),
    param("Never", dict[str, typing.NoReturn], same({}), ({"a": 1}, {"a": None})),
    param("Never", int | te.Never, same(1), ("x", None)),  # noqa: RUF020
    param("LiteralString", typing.LiteralString, same("a", ""), (1, None)),
    param("LiteralString", te.LiteralString | None, same("a", None), (1, ["a"])),
    param(
        "Final", Frozen, (({}, Frozen()), ({"limit": 5}, Frozen(5))), ({"limit": "x"}, {"name": 1})
    ),
    param("TypeAlias", Rows, same([], [1]), (["x"], 1)),
    param("TypeAlias", Named, same({}, {"a": 1}), ({"a": "x"}, [1]), space=globals()),
    param("TypeAlias", Either, same(1, "a"), (None, [])),
    param("type X = …", Table, same({}, {"a": [1]}), ({"a": ["x"]}, [1])),
    param("type X = …", Table | None, same(None, {"a": [1]}), ({"a": ["x"]}, [1])),
    param(
        "type X = …",
        Pairs[int],
        (([], []), ([[1, 2]], [(1, 2)])),
        ([[1]], [["x", "y"]]),
    ),
    param(
        "PEP 695",
        Box[Table],
        (({"content": {"a": [1]}}, Box({"a": [1]})),) * 2,
        ({"content": [1]}, {}),
    ),
    param(
        "PEP 696",
        FallenDict,
        same({"items": []}, {"items": ["a"]}),
        ({"items": [1]}, {}, {"items": "a"}),
    ),
    param(
        "Doc",
        Annotated[int, te.Doc("how many")],
        same(1, 2),
        ("x", None),
        texts={"value": "how many"},
    ),
    param(
        "Doc",
        Annotated[list[Annotated[int, te.Doc("each")]], te.Doc("all")],
        same([], [1]),
        (["x"], 1),
        texts={"value": "all", "value.[]": "each"},
    ),
    param(
        "Annotated nested",
        Annotated[Annotated[int, at.Ge(1)], at.Le(5), "one to five"],
        same(1, 5),
        (0, 6, "x"),
        texts={"value": "one to five"},
    ),
    param(
        "Annotated nested",
        Annotated[list[Annotated[str, at.MinLen(1)]], at.MaxLen(2)],
        same([], ["a", "b"]),
        ([""], ["a", "b", "c"]),
    ),
    param("Annotated inside aliases", Small, same(1, 5), (0, 6), texts={"value": "a small one"}),
    param(
        "Annotated inside aliases",
        Annotated[Small, at.Ge(2)],
        same(2, 5),
        (1, 6),
        texts={"value": "a small one"},
    ),
    param(
        "Annotated inside aliases", dict[str, SmallOld], same({}, {"a": 1}), ({"a": 0}, {"a": "x"})
    ),
    param(
        "TypeGuard",
        typing.TypeGuard[int],
        same(True, False),
        (1, "x", None),
    ),
    param("TypeGuard", te.TypeIs[list[int]], same(True, False), ([1], "x")),
)


RESULTS: tuple[Result, ...] = (
    result("TypeVar bound", Bound, ((1, 1),), ("x", None)),
    result("TypeVar constraints", Chosen, ((1, 1), ("a", "a")), (None, [])),
    result(
        "TypeVar defaults",
        FallenBox,
        ((FallenBox(1), {"content": 1}),),
        (FallenBox("x"), {}),
    ),
    result(
        "generics with arguments",
        Shelf[int, str],
        ((Shelf(Box(1), [Box("a")]), {"first": {"content": 1}, "rest": [{"content": "a"}]}),),
        (Shelf(Box("a"), []), Shelf(Box(1), [Box(1)])),
    ),
    result(
        "Self",
        Chain,
        ((Chain("a", Chain("b")), {"name": "a", "next": {"name": "b", "next": None}}),),
        (Chain(1), Chain("a", 3)),  # type: ignore[arg-type]
        options=_SAID,
    ),
    result("Never", list[te.Never], (([], []),), ([1], None)),
    result("LiteralString", te.LiteralString, (("a", "a"),), (1, None)),
    result("Final", Frozen, ((Frozen(), {"limit": 3, "name": "a"}),), ({"limit": 3}, Frozen("x"))),  # type: ignore[arg-type]
    result("TypeAlias", Either, ((1, 1), ("a", "a")), (None,)),
    result("type X = …", Table, (({"a": [1]}, {"a": [1]}),), ({"a": 1}, [])),
    result("type X = …", Pairs[int], (([(1, 2)], [[1, 2]]),), ([(1,)], [("x", "y")])),
    result(
        "PEP 695",
        Box[Table],
        ((Box({"a": [1]}), {"content": {"a": [1]}}),),
        (Box(1), Box({"a": 1})),
    ),
    result(
        "PEP 696",
        FallenDict,
        (({"items": ["a"]}, {"items": ["a"]}),),
        ({"items": [1]}, {}),
    ),
    result("Doc", Annotated[int, te.Doc("how many")], ((1, 1),), ("x", None)),
    result(
        "Annotated nested", Annotated[Annotated[int, at.Ge(1)], at.Le(5)], ((1, 1), (5, 5)), (0, 6)
    ),
    result("Annotated inside aliases", Small, ((1, 1), (5, 5)), (0, 6)),
    result(
        "TypeGuard",
        typing.TypeGuard[int],
        ((True, True), (False, False)),
        (1, "x", None),
    ),
    result("TypeGuard", te.TypeIs[str], ((True, True),), (0, "x")),
)
