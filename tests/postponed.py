"""Hints as text, because of `from __future__ import annotations`; names of local classes in them."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, TypedDict

import typing_extensions as te

import typesig
from typesig import Injected

if TYPE_CHECKING:
    from nowhere import Missing, Session  # type: ignore[import-not-found]


class Shade(enum.Enum):
    DARK = "dark"
    LIGHT = "light"


class Film(te.TypedDict, total=False):
    id: te.Required[int]
    title: te.Required[str]
    note: str
    year: te.ReadOnly[int]
    shade: te.NotRequired[Shade | None]


class Sequel(Film):
    after: te.Required[Film]


class Partial(te.TypedDict):
    id: int
    note: te.NotRequired[Annotated[str, "words"]]


@dataclass
class Job:
    kind: ClassVar[str] = "job"
    name: str
    seed: InitVar[int]
    _: KW_ONLY
    tags: list[str] = field(default_factory=list)
    shade: Shade = Shade.DARK
    done: bool = field(default=False, init=False)

    def __post_init__(self, seed: int) -> None:
        self.name = f"{self.name}-{seed}"


class Place(NamedTuple):
    lat: float
    lon: float
    name: str | None = None


@dataclass
class Tree:
    value: int
    children: list[Tree] = field(default_factory=list)


def film(value: Film) -> Film:
    return value


def sequel(value: Sequel) -> Sequel:
    return value


def partial(value: Partial) -> Partial:
    return value


def job(value: Job) -> Job:
    return value


def place(value: Place) -> Place:
    return value


def tree(value: Tree) -> int:
    return value.value + sum(tree(child) for child in value.children)


def many(a: int, b: list[str] | None, c: Literal["x", "a b", 3], d: dict[str, Shade]) -> Any:
    return a, b, c, d


def broken(good: int, bad: Missing, worse: list[Missing], fine: str = "a") -> Missing:
    return bad


def injected(query: str, session: Injected[Session]) -> str:
    return f"{query} {session}"


def named_injected(query: str, session: typesig.Injected[dict[str, int]]) -> Any:
    return session


def quoted(value: "list[Shade]") -> "int | None":  # noqa: UP037
    return len(value)


def evil(value: "open('evaluated', 'w')", other: int) -> None:  # noqa: SIM115, UP037
    return None


class Shop:
    class Order(TypedDict):
        id: int

    def __init__(self) -> None:
        self.orders: list[Shop.Order] = []

    def add(self, order: Order) -> int:
        self.orders.append(order)
        return order["id"]

    def same(self, other: Shop | None = None) -> bool:
        return other is self


def made(kind: Any) -> Callable[..., Any]:
    """Return a function whose hint is a name of this function."""

    def inner(value: kind) -> int:
        assert kind
        return len([value])

    return inner


def local() -> Callable[..., Any]:
    """Return a function whose hint is a class that only this function has."""

    class Local(TypedDict):
        id: int

    def inner(value: Local, other: int) -> int:
        return value["id"] + other

    return inner


def local_record() -> Any:
    """Return a record with a hint that is a class of this function."""

    @dataclass
    class Part:
        id: int

    @dataclass
    class Whole:
        part: Part
        count: int

    return Whole
