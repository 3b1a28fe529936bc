"""Everyday types, each with values: the rows of `everyday.py`.

A row has the hint that a user writes, and what makes values of it, such as a tool returns.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypeAlias
from uuid import UUID

import pydantic
from typing_extensions import TypedDict


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Place(NamedTuple):
    lat: float
    lon: float


class Row(TypedDict):
    id: int
    title: str
    note: NotRequired[str]


@dataclass
class Item:
    id: int
    title: str
    level: int = 3


@dataclass
class Event:
    id: int
    at: dt.datetime


@dataclass
class Price:
    amount: Decimal
    color: Color
    day: dt.date | None = None


@dataclass
class Basket:
    owner: str
    items: list[Item]
    tags: list[str] = field(default_factory=list)


@dataclass
class Cat:
    kind: Literal["cat"]
    lives: int


@dataclass
class Dog:
    kind: Literal["dog"]
    name: str


@dataclass
class Person:
    id: int
    name: str = "x"


@dataclass
class Team:
    id: int
    members: list[str] = field(default_factory=list)


@dataclass
class Node:
    value: int
    children: list[Node]


class Model(pydantic.BaseModel):
    id: int
    title: str
    level: int = 3


class Meeting(pydantic.BaseModel):
    id: int
    at: dt.datetime
    cost: Decimal
    color: Color


@dataclass(frozen=True, slots=True)
class Span:
    start: float
    end: float | None = None


Tagged: TypeAlias = Annotated[Cat | Dog, pydantic.Field(discriminator="kind")]
Code: TypeAlias = Annotated[str, pydantic.Field(pattern="^[a-z]+-[0-9]+$")]
Few: TypeAlias = Annotated[list[int], pydantic.Field(min_length=1, max_length=5)]
Percent: TypeAlias = Annotated[int, pydantic.Field(ge=0, le=100)]

NOW = dt.datetime(2026, 1, 31, 9, 30, tzinfo=dt.UTC)
DAY = dt.date(2026, 1, 31)
ID = UUID("12345678-1234-5678-1234-567812345678")


class Kind(NamedTuple):
    """One row: *make* returns the value of the place *n* of a list."""

    hint: Any
    make: Callable[[int], Any]


def pet(n: int) -> Cat | Dog:
    return Cat("cat", n) if n % 2 else Dog("dog", f"d{n}")


#: Values of each are measured alone and as a list of a hundred, where *list* is not said already.
KINDS: dict[str, Kind] = {
    "int": Kind(int, lambda n: n),
    "float": Kind(float, lambda n: float(n)),
    "str": Kind(str, lambda n: f"text {n}"),
    "bool": Kind(bool, lambda n: n % 2 == 0),
    "int | None": Kind(int | None, lambda n: n if n % 2 else None),
    "int | str": Kind(int | str, lambda n: n if n % 2 else f"t{n}"),
    "Literal": Kind(Literal["a", "b"], lambda n: "ab"[n % 2]),
    "Enum": Kind(Color, lambda n: Color.RED if n % 2 else Color.BLUE),
    "bounded int": Kind(Percent, lambda n: n % 100),
    "datetime": Kind(dt.datetime, lambda n: NOW + dt.timedelta(minutes=n)),
    "date": Kind(dt.date, lambda n: DAY + dt.timedelta(days=n)),
    "time": Kind(dt.time, lambda n: dt.time(9, n % 60)),
    "timedelta": Kind(dt.timedelta, lambda n: dt.timedelta(minutes=n + 1)),
    "UUID": Kind(UUID, lambda n: UUID(int=ID.int + n)),
    "Decimal": Kind(Decimal, lambda n: Decimal(n) / 4),
    "Path": Kind(Path, lambda n: Path(f"a/{n}.txt")),
    "tuple[int, str]": Kind(tuple[int, str], lambda n: (n, f"t{n}")),
    "tuple[int, ...]": Kind(tuple[int, ...], lambda n: (n, n + 1)),
    "set[int]": Kind(set[int], lambda n: {n, n + 1}),
    "frozenset[str]": Kind(frozenset[str], lambda n: frozenset({f"t{n}"})),
    "NamedTuple": Kind(Place, lambda n: Place(n + 0.5, n / 4)),
    "dict[str, int]": Kind(dict[str, int], lambda n: {"a": n, "b": 2}),
    "dict[str, dataclass]": Kind(dict[str, Item], lambda n: {"a": Item(n, "x")}),
    "TypedDict": Kind(Row, lambda n: {"id": n, "title": f"t{n}"}),
    "dataclass": Kind(Item, lambda n: Item(n, f"t{n}")),
    "dataclass, datetime": Kind(Event, lambda n: Event(n, NOW)),
    "dataclass, Decimal and Enum": Kind(Price, lambda n: Price(Decimal("1.5"), Color.RED)),
    "dataclass, list of dataclasses": Kind(Basket, lambda n: Basket("me", [Item(n, "x")])),
    "dataclass | None": Kind(Item | None, lambda n: Item(n, "x") if n % 2 else None),
    "A | B, tagged": Kind(Tagged, pet),
    "A | B": Kind(Cat | Dog, pet),
    "A | B, common fields": Kind(
        Person | Team, lambda n: Person(n, f"p{n}") if n % 2 else Team(n, ["a"])
    ),
    "list[int] | list[str]": Kind(list[int] | list[str], lambda n: [n] if n % 2 else [f"t{n}"]),
    "str with a pattern": Kind(Code, lambda n: f"t-{n}"),
    "bounded list": Kind(Few, lambda n: [n, n + 1]),
    "recursive dataclass": Kind(Node, lambda n: Node(n, [Node(1, []), Node(2, [])])),
    "pydantic model": Kind(Model, lambda n: Model(id=n, title="x")),
    "model, datetime and Decimal": Kind(
        Meeting, lambda n: Meeting(id=n, at=NOW, cost=Decimal("1.5"), color=Color.BLUE)
    ),
    "dataclass, frozen, slots": Kind(Span, lambda n: Span(n / 2)),
    "dict[str, Any]": Kind(dict[str, Any], lambda n: {"a": n, "b": [1.5, "x"]}),
}
