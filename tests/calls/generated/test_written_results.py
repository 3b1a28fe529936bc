"""Results of any hint: a plan writes what the reference implementation encodes and checks."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import ipaddress
import pathlib
import random
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import attrs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AnyUrl, BaseModel, ConfigDict, Field, HttpUrl

from tests.calls.generated.test_quick import told_by, told_of
from tests.generators import LAW
from typesig import Media, tool
from typesig.validation.issues.ledger import Ledger


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"
    CRIMSON = "red"  # noqa: PIE796


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Mixed(enum.Enum):
    """The names of its members are written."""

    ONE = object()
    TWO = 2


@dataclass
class Item:
    id: int
    title: str


@dataclass(frozen=True)
class Point:
    x: int
    y: float | None = None


@dataclass
class Event:
    at: dt.datetime
    on: dt.date | None
    price: decimal.Decimal = decimal.Decimal("1.5")
    _secret: str = "s"


@dataclass
class A:
    kind: Literal["a"]
    x: int
    note: str | None = None


@dataclass
class B:
    kind: Literal["b"]
    x: int
    note: str | None = None


@dataclass
class C:
    note: str | None
    x: int = 3


@dataclass(slots=True)
class Bounded:
    count: Annotated[int, Field(ge=0)]
    tags: Annotated[list[str], Field(max_length=2)] = field(default_factory=list)


@attrs.define
class OfAttrs:
    id: int
    at: dt.datetime
    colors: list[Color]


class OfMsgspec(msgspec.Struct):
    id: int
    at: dt.datetime
    color: Color | None = None


class OfPydantic(BaseModel):
    id: int
    price: decimal.Decimal
    color: Color
    key: uuid.UUID | None = None


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: int


class Typed(TypedDict):
    id: int
    at: dt.datetime


class Partial(TypedDict, total=False):
    id: int
    colors: list[Color]


class Named(NamedTuple):
    id: int
    at: dt.datetime


class Moment(dt.datetime):
    pass


@dataclass
class Tree:
    value: float
    kids: list[Tree]


@dataclass
class Link:
    value: Any
    next: Link | None = None
    other: Link | Tree | str | None = None


def draw_tree(rng: random.Random, depth: int = 3) -> Tree:
    kids = [draw_tree(rng, depth - 1) for _ in range(rng.randrange(3))] if depth else []
    tree = Tree(rng.choice((1.5, 2, 1e-9, 1e300)), kids)
    if rng.random() < 0.02:
        tree.kids.append(rng.choice((tree, 3)))
    return tree


def draw_link(rng: random.Random) -> Link:
    link = None
    for _ in range(rng.choice((1, 2, 3, 39, 40, 41, 63, 64, 65, 127, 128, 129))):
        other = rng.choice((None, "a", Link(1), Tree(1, [])))
        link = Link(rng.choice((1, [NOW], {"a": {}})), link, other)
    assert link is not None
    return link


UTC = dt.UTC
NOW = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EAST = dt.timezone(dt.timedelta(hours=5, minutes=30))
ODD = dt.timezone(dt.timedelta(hours=1, seconds=30))

Draw = Callable[[random.Random], Any]


def pick(*values: Any) -> Draw:
    return lambda rng: rng.choice(values)


#: Hints of scalars, and the values of each; the last ones are odd.
LEAVES: list[tuple[Any, Draw]] = [
    (int, pick(1, -5, 2**70, 10**401)),
    (float, pick(1.5, -0.0, 1e22, 3, float("nan"))),
    (str, pick("a", "é", '"\\', "\ud800", "")),
    (bool, pick(True, False)),
    (dt.datetime, pick(NOW, NOW.astimezone(EAST), NOW.replace(microsecond=5))),
    (
        dt.datetime,
        pick(NOW, NOW, NOW, NOW.astimezone(ODD), NOW.replace(tzinfo=None), Moment.now(UTC)),
    ),
    (dt.datetime, pick(dt.datetime(2026, 1, 2), dt.datetime(2026, 1, 2, 3, 4, 5, 6), NOW)),
    (dt.date, pick(dt.date(2026, 1, 1), dt.date(1, 1, 1), NOW)),
    (dt.time, pick(dt.time(1, 2), dt.time(1, 2, 3, 4, tzinfo=EAST), dt.time(1, tzinfo=ODD))),
    (
        dt.timedelta,
        lambda rng: dt.timedelta(
            rng.choice((0, 0, 3, -1)),
            rng.choice((0, 59, 3600, 86399, 60)),
            rng.choice((0, 500_000)),
        ),
    ),
    (
        decimal.Decimal,
        lambda rng: decimal.Decimal(
            rng.choice(("1.50", "0", "-3", "1E+5", "1E+100000", "NaN", "NaN1", "1" * 500))
        ),
    ),
    (uuid.UUID, lambda rng: uuid.UUID(int=rng.getrandbits(128))),
    (pathlib.Path, lambda _: pathlib.Path("a/b")),
    (pathlib.PurePosixPath, lambda _: pathlib.PurePosixPath("a/b")),
    (Color, pick(*Color)),
    (Level, pick(*Level, 1)),
    (Rights, pick(Rights.READ, Rights.WRITE, Rights.READ | Rights.WRITE)),
    (Mixed, pick(*Mixed)),
    (Literal["a", "b"], pick("a", "b", "c")),
    (Literal[1, "b", True], pick(1, "b", True)),
    (bytes, pick(b"", b"abc", bytearray(b"a"))),
    (Annotated[bytes, Field(max_length=5)], pick(b"", b"abc", b"abcdefg")),
    *[
        (cls, pick(*[cls(text) for text in texts]))
        for cls, texts in (
            (ipaddress.IPv4Address, ["1.2.3.4", "255.0.0.1"]),
            (ipaddress.IPv6Address, ["::1", "fe80::1%eth0", "::ffff:1.2.3.4"]),
            (ipaddress.IPv4Network, ["10.0.0.0/8", "1.2.3.4"]),
            (ipaddress.IPv6Interface, ["::1/64", "fe80::1%eth0/64"]),
            (AnyUrl, ["https://a.b/c d?x=%20#y", "mailto:a@b.c", "s://[::1]/a|b?{c}", "file:///a"]),
            (HttpUrl, ["https://u:p@a.b:80/", "https://a.b/" + "c" * 2070, "http://ä.b/ö?"]),
        )
    ],
    (complex, pick(1j)),
    (type(None), pick(None)),
    (Annotated[int, Field(ge=0)], pick(1, 0, -1)),
    (Annotated[str, Field(min_length=1)], pick("a", "")),
    (
        Any,
        pick(
            1,
            None,
            NOW,
            NOW.replace(tzinfo=None),
            Color.RED,
            {"a": (1, NOW)},
            {1: 2},
            [Item(1, "a")],
            {"s": {"b", "a"}},
            1e400,
            object(),
            b"a",
            deque([1]),
            Mixed.ONE,
            NOW.astimezone(ODD),
            {"at": decimal.Decimal("NaN")},
        ),
    ),
    (dict, pick({}, {"a": NOW, "b": [Color.RED, 1.5]}, {1: 2}, Item(1, "a"), [1])),
    (dict[str, Any], pick({"a": dt.date(2026, 1, 1)}, {"_a": object()})),
]


def draw_hint(rng: random.Random, depth: int) -> tuple[Any, Draw]:
    """Return a hint, and what makes a value that mostly conforms."""
    if depth == 0 or rng.random() < 0.2:
        hint, draw = rng.choice(LEAVES)
        return hint, draw
    inner, draw = draw_hint(rng, depth - 1)
    other, draw_other = draw_hint(rng, depth - 1)

    def several(rng: random.Random, each: Draw = draw) -> list[Any]:
        return [each(rng) for _ in range(rng.choice((0, 1, 2, 5)))]

    match rng.randrange(12):
        case 0 | 1:
            return list[inner], lambda rng: rng.choice((list, list, list, tuple, deque))(
                several(rng)
            )
        case 2:
            return tuple[inner, ...], lambda rng: tuple(several(rng))
        case 3:
            return tuple[inner, other], lambda rng: (draw(rng), draw_other(rng))
        case 4:
            hint, draw_key = rng.choice(KEYS)
            return dict[hint, inner], lambda rng: {draw_key(rng): draw(rng) for _ in range(3)}
        case 5:
            hint, draw_key = rng.choice(HASHABLE)
            cls = rng.choice((set, frozenset))
            return cls[hint], lambda rng: cls(several(rng, draw_key))
        case 6 | 7:
            if inner is type(None):
                return inner, draw
            return inner | None, lambda rng: None if rng.random() < 0.3 else draw(rng)
        case 8 | 9:
            if inner is other or inner in (Any, dict) or other in (Any, dict):
                return inner, draw
            return inner | other, lambda rng: rng.choice((draw, draw_other))(rng)
        case _:
            return rng.choice(OBJECTS)


KEYS: list[tuple[Any, Draw]] = [
    (str, pick("a", "b", "c")), (int, pick(1, 2, 3)), (Color, pick(*Color)),
    (dt.date, pick(dt.date(2026, 1, 1), dt.date(2026, 1, 2))), (float, pick(1.5, 2.0)),
    (str | int, pick("1", 1, "a")), (dt.datetime, pick(NOW)),
    (str | None, pick("1", None)), (tuple[int, int], pick((1, 2))),
]  # fmt: skip
HASHABLE: list[tuple[Any, Draw]] = [
    *KEYS[:6], (Point, lambda rng: Point(rng.randrange(3), rng.choice((1, 1.0, None)))),
    (str | Color, pick("red", "a", Color.RED)), (bool | None, pick(True, None)),
    (tuple[int, str], lambda rng: (rng.randrange(3), rng.choice("ab"))),
]  # fmt: skip
AT = pick(NOW, NOW.astimezone(EAST), NOW.replace(microsecond=5), NOW, dt.datetime(2026, 1, 2))
OBJECTS: list[tuple[Any, Draw]] = [
    (Item, lambda rng: Item(1, rng.choice(("a", "é")))),
    (Item, lambda rng: {"id": 1, "title": "a"}),
    (Item, lambda rng: Item("x", 1)),  # type: ignore[arg-type]
    (Point, lambda rng: Point(1, rng.choice((1.5, None)))),
    (Event, lambda rng: Event(AT(rng), rng.choice((None, dt.date(2026, 1, 1))))),
    (A | B, lambda rng: rng.choice((A("a", 1), B("b", 2, "n"), A("b", 1), {"kind": "a", "x": 1}))),
    (A | C, lambda rng: rng.choice((A("a", 1), C(None), C("n", 5)))),
    (A | Item | str | None, lambda rng: rng.choice((A("a", 1), Item(1, "t"), "s", None))),
    (list[Item] | Item, lambda rng: rng.choice(([Item(1, "t")], Item(1, "t")))),
    (dict[str, Item] | Point, lambda rng: rng.choice(({"a": Item(1, "t")}, Point(1)))),
    (dict[str, int] | list[str] | Color, lambda rng: rng.choice(({"a": 1}, ["a"], Color.RED, 3))),
    (Event | Item, lambda rng: rng.choice((Event(AT(rng), None), Item(1, "t")))),
    (Bounded, lambda rng: Bounded(rng.choice((0, 1, -1)), ["a"] * rng.randrange(4))),
    (OfAttrs, lambda rng: OfAttrs(1, AT(rng), [Color.RED] * rng.randrange(3))),
    (OfMsgspec, lambda rng: OfMsgspec(1, AT(rng), rng.choice((None, Color.BLUE)))),
    (OfMsgspec, lambda rng: OfMsgspec(1, AT(rng), msgspec.UNSET)),  # type: ignore[arg-type]
    (OfPydantic, lambda rng: OfPydantic(id=1, price=decimal.Decimal("1.5"), color=Color.RED)),
    (Closed, lambda rng: Closed(id=1)),
    (Typed, lambda rng: {"id": 1, "at": AT(rng), **rng.choice(({}, {}, {"more": 1}))}),
    (Partial, lambda rng: rng.choice(({}, {"id": 1}, {"colors": [Color.RED, "red"], "id": 2}))),
    (Named, lambda rng: Named(1, AT(rng))),
    (Named, lambda rng: (1, AT(rng))),
    (Tree, draw_tree), (Link, draw_link), (Tree | str | None, draw_tree),
]  # fmt: skip


@settings(LAW)
@given(st.integers(0, 2**32))
def test_any_result_is_written_as_the_reference_implementation_does(number: int) -> None:
    rng = random.Random(number)
    hint, draw = draw_hint(rng, 3)
    if rng.random() < 0.3:
        compare(list[hint], lambda rng: [draw(rng) for _ in range(3)], rng)
    else:
        compare(hint, draw, rng)


@pytest.mark.parametrize(("hint", "draw"), [*LEAVES, *OBJECTS])
def test_a_result_of_each_hint_is_written_alike(hint: Any, draw: Draw) -> None:
    rng = random.Random(1)

    compare(hint, draw, rng)
    compare(list[hint], lambda rng: [draw(rng) for _ in range(3)], rng)


def test_a_datetime_without_an_offset_has_its_warning_when_it_is_read() -> None:
    times = [dt.datetime(2026, 1, 2), NOW]

    def give(count: int) -> list[dt.datetime]:
        return times

    made = tool(give)
    for _ in range(6):
        outcome = made.call({"count": "1"})
        assert '["2026-01-02T00:00:00","2026-01-02T03:04:05Z"]' == outcome.text()
        assert ["2026-01-02T00:00:00", "2026-01-02T03:04:05Z"] == outcome.value
        assert {"items": outcome.value} == outcome.for_model()
    times[0] = NOW

    assert ["count", "[0]"] == [str(each).partition(":")[0] for each in outcome.warnings]


def test_media_in_a_result_are_kept_each_time() -> None:
    def give() -> Any:
        return {"file": Media("text/csv", b"a,b")}

    made = tool(give)

    assert 1 == len({repr(made.call({}).value) for _ in range(6)})
    assert all(made.call({}).media for _ in range(3))


def compare(hint: Any, draw: Draw, rng: random.Random) -> None:
    held: list[Any] = [None]

    def give() -> Any:
        return held[0]

    give.__annotations__["return"] = hint
    mode: Any = rng.choice(("enabled", "enabled", "strict", "json", "warn_only"))
    made = tool(give, mode=mode, recursive=True)
    made.call({})
    for at in range(10):
        held[0] = draw(rng)
        long = told_of(lambda: careful(give, held[0], mode))
        asked = made.call({})
        texts = [asked.text()] if at % 2 else []
        assert long == told_by(asked), (hint, held[0])
        assert not texts or texts[0] == asked.text()


def careful(give: Any, value: Any, mode: Any) -> Any:
    """Return the outcome of the reference implementation for a result."""
    fresh = tool(give, mode=mode, recursive=True)
    return fresh.call({}, ledger=Ledger())
