"""Resolution: where the names of hints are looked up, and names that are not defined.

Hints are postponed in this module, so that all of them are text.
"""

from __future__ import annotations

import datetime as dt
import functools
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypedDict

import annotated_types as at
import pydantic
import typing_extensions as te

from tests.type_table.rows import Like, Result, Row, keep
from typesig import tool

if TYPE_CHECKING:
    import decimal as dec
    from uuid import UUID as Id  # noqa: N811 - by another name, on purpose

    from nowhere import Session  # type: ignore[import-not-found]

    Sizes = dict[str, int]


class Item(TypedDict):
    id: int
    made: te.NotRequired[dt.date]
    parts: te.NotRequired[list[Item]]


@dataclass
class Order:
    item: Item
    when: dt.date | None = None


class Spot(NamedTuple):
    at: dt.date
    name: Literal["a", "b"] = "a"


def postponed(value: int, when: dt.date | None = None, *, spot: Spot | None = None) -> None:
    keep(value, when, spot)


def postponed_records(value: list[Order]) -> None:
    keep(value)


def checking(value: dec.Decimal, id: Id | None = None, sizes: Sizes | None = None) -> None:
    keep(value, id, sizes)


def local() -> tuple[Any, Any, Any]:
    """Return a function whose hints name a class local to this function, and that class."""

    @dataclass
    class Local:
        id: int
        next: list[Local]

    @tool(recursive=True)
    def f(value: Local) -> None:
        keep(value)

    def g(value: Local) -> None:
        keep(value, Local)

    return f, g, Local


LOCAL, CLOSED_OVER, LocalClass = local()


class Outer:
    Small = Annotated[int, at.Ge(1)]

    @dataclass
    class Inner:
        size: Outer.Small
        name: str = "a"

    class Deep:
        Word = Literal["x", "y"]

        def take(self, value: Inner, word: Word = "x") -> None:  # noqa: F821 - as a class scope has it
            keep(value, word)

    def take(self, value: Small, inner: Inner | None = None) -> None:
        keep(value, inner)


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


@logged
@logged
def decorated(value: Order) -> None:
    keep(value)


def both(value: int, when: dt.date, name: str = "a") -> None:
    keep(value, when, name)


DAY = dt.date(2026, 1, 31)
BY_PLACE = functools.partial(both, 5)
BY_NAME = functools.partial(both, when=DAY)


def dotted(value: pathlib.PurePosixPath, span: dt.timedelta | None = None) -> None:
    keep(value, span)


def dotted_twice(value: "list['dt.date']") -> None:  # noqa: UP037 - text within text
    keep(value)


def subscripted(value: dict[str, list[tuple[int, ...]]]) -> None:
    keep(value)


def with_constants(value: Literal["a", -1, True, None], more: Annotated[int, "text"] = 1) -> None:
    keep(value, more)


def with_metadata(
    value: Annotated[int, at.Ge(1), at.Interval(lt=5), te.Doc("a few")],
    name: Annotated[str, pydantic.Field(max_length=3)] = "a",
) -> None:
    keep(value, name)


TRAP: list[str] = []


def trap(*_: Any) -> Any:
    TRAP.append("sprung")
    return int


def evaluated(value: int, bad: trap(1) | None = None, worse: [trap(2)][0] = 3) -> None:  # type: ignore[valid-type]
    keep(value)


def _is_not_sprung(_: Any) -> list[str]:
    return TRAP


def unresolved(value: int, session: Session, other: list[Nowhere] | None = None) -> None:  # type: ignore[name-defined]  # noqa: F821
    keep(value, session, other)


def later(value: Later) -> None:
    keep(value)


def giving(value: Any) -> Any:
    def f() -> Order:
        return value  # type: ignore[no-any-return]

    return f


def giving_checked(value: Any) -> Any:
    def f() -> dec.Decimal:
        return value  # type: ignore[no-any-return]

    return f


def giving_local(value: Any) -> Any:
    @dataclass
    class Local:
        id: int

    def f() -> Local:
        return Local(value)

    # The closure contains the class, since the function instantiates it.
    return f


@dataclass
class Later:
    id: int


_LOST = "is not defined in the scope of the hint"

ROWS: tuple[Row, ...] = (
    Row(
        "postponed annotations",
        postponed,
        (
            ({"value": 1}, (1, None, None)),
            ({"value": 1, "when": "2026-01-31"}, (1, DAY, None)),
            ({"value": 1, "spot": {"at": "2026-01-31"}}, (1, None, Spot(DAY))),
        ),
        ({"value": "x"}, {"value": 1, "when": "x"}, {"value": 1, "spot": {"at": 1}}),
    ),
    Row(
        "postponed annotations",
        postponed_records,
        (
            ({"value": []}, []),
            (
                {"value": [{"item": {"id": 1, "made": "2026-01-31"}, "when": "2026-01-31"}]},
                [Order({"id": 1, "made": DAY}, DAY)],
            ),
        ),
        ({"value": [{}]}, {"value": [{"item": {"id": "x"}}]}),
        warns=("it refers to itself",),
    ),
    Row(
        "deferred annotations of Python 3.14",
        later,
        (({"value": {"id": 1}}, Later(1)),) * 2,
        ({"value": {}}, {"value": {"id": "x"}}),
    ),
    Row(
        "names under TYPE_CHECKING",
        checking,
        (
            ({"value": "1.5"}, Like("a Decimal", lambda got: str(got[0]) == "1.5")),
            ({"value": "2", "sizes": {"a": 1}}, Like("sizes", lambda got: got[2] == {"a": 1})),
        ),
        ({"value": "x"}, {"value": "1", "id": "x"}, {"value": "1", "sizes": {"a": "x"}}),
    ),
    Row(
        "local classes",
        CLOSED_OVER,
        (({"value": {"id": 1, "next": []}}, (LocalClass(1, []), LocalClass)),) * 2,
        ({"value": {"id": 1}}, {"value": {"id": "x", "next": []}}),
        options={"recursive": True},
    ),
    Row(
        "local classes",
        # It became a tool where the class was in scope.
        LOCAL,
        (({"value": {"id": 1, "next": []}}, LocalClass(1, [])),) * 2,
        ({"value": {"id": 1}}, {"value": {"id": "x", "next": []}}),
    ),
    Row(
        "class scopes",
        Outer().take,
        (
            ({"value": 1}, (1, None)),
            ({"value": 2, "inner": {"size": 3}}, (2, Outer.Inner(3))),
        ),
        ({"value": 0}, {"value": 1, "inner": {"size": 0}}, {"value": 1, "inner": {}}),
    ),
    Row(
        "class scopes",
        Outer.Deep().take,
        (
            ({"value": {"size": 1}}, (Outer.Inner(1), "x")),
            ({"value": {"size": 1}, "word": "y"}, (Outer.Inner(1), "y")),
        ),
        ({"value": {"size": 1}, "word": "z"}, {"value": {"size": 0}}, {}),
    ),
    Row(
        "decorated functions",
        decorated,
        (
            ({"value": {"item": {"id": 1}}}, Order({"id": 1})),
            ({"value": {"item": {"id": 1}, "when": "2026-01-31"}}, Order({"id": 1}, DAY)),
        ),
        ({"value": {}}, {"value": {"item": {}}}),
        warns=("it refers to itself",),
    ),
    Row(
        "partial functions",
        BY_PLACE,
        (
            ({"when": "2026-01-31"}, (5, DAY, "a")),
            ({"when": "2026-01-31", "name": "b"}, (5, DAY, "b")),
        ),
        ({"when": "x"}, {}),
        shows=("when", "name"),
    ),
    Row(
        "partial functions",
        BY_NAME,
        (({"value": 1}, (1, DAY, "a")), ({"value": 1, "name": "b"}, (1, DAY, "b"))),
        ({"value": "x"}, {}),
        shows=("value", "name"),
    ),
    Row(
        "strings with dots",
        dotted,
        (
            ({"value": "a/b"}, (pathlib.PurePosixPath("a/b"), None)),
            ({"value": "a", "span": "PT1S"}, (pathlib.PurePosixPath("a"), dt.timedelta(seconds=1))),
        ),
        ({"value": 1}, {"value": "a", "span": "x"}),
    ),
    Row(
        "strings with dots",
        dotted_twice,
        (({"value": []}, []), ({"value": ["2026-01-31"]}, [DAY])),
        ({"value": ["x"]}, {"value": 1}),
    ),
    Row(
        "strings with subscripts",
        subscripted,
        (({"value": {}}, {}), ({"value": {"a": [[1, 2], []]}}, {"a": [(1, 2), ()]})),
        ({"value": {"a": [1]}}, {"value": {"a": [["x"]]}}),
    ),
    Row(
        "constants",
        with_constants,
        (
            ({"value": "a"}, ("a", 1)),
            ({"value": -1}, (-1, 1)),
            ({"value": True, "more": 2}, (True, 2)),
            ({"value": None}, (None, 1)),
        ),
        ({"value": "b"}, {"value": 1}, {"value": False}),
        texts={"more": "text"},
    ),
    Row(
        "calls of known metadata constructors",
        with_metadata,
        (({"value": 1}, (1, "a")), ({"value": 4, "name": "abc"}, (4, "abc"))),
        ({"value": 0}, {"value": 5}, {"value": 1, "name": "abcd"}),
        texts={"value": "a few"},
    ),
    Row(
        "text that is never evaluated",
        evaluated,
        (({"value": 1}, 1), ({"value": 2, "bad": "x"}, 2)),
        ({"value": "x"}, {}),
        warns=("bad: ", "worse: "),
        also=_is_not_sprung,
    ),
    Row(
        "unresolved names (a warning)",
        unresolved,
        (
            ({"value": 1, "session": 2}, (1, 2, None)),
            ({"value": 1, "session": "x", "other": [3]}, (1, "x", [3])),
        ),
        ({"value": "x", "session": 2}, {"value": 1}, {"value": 1, "session": 2, "other": 3}),
        warns=(
            f"session: Session: the name Session {_LOST}",
            f"other: Nowhere: the name Nowhere {_LOST}",
        ),
    ),
)

RESULTS: tuple[Result, ...] = (
    Result(
        "postponed annotations",
        giving,
        (
            (Order({"id": 1}), {"item": {"id": 1}, "when": None}),
            (
                Order({"id": 1, "made": DAY}, DAY),
                {"item": {"id": 1, "made": "2026-01-31"}, "when": "2026-01-31"},
            ),
        ),
        (Order({}), {"item": {"id": "x"}}, 1),  # type: ignore[typeddict-item]
        warns=("it refers to itself",),
        shorthand="{item {id :int, made? :string[date], parts? [:any]}, when :string[date]?}",
        ptc_runner="{item {id :int, made? :string, parts? [:any]}, when :string?}",
    ),
    Result(
        "names under TYPE_CHECKING",
        giving_checked,
        (("1.5", "1.5"),),
        ("x", 1),
        shorthand=":string[decimal]",
        ptc_runner=":string",
    ),
    Result(
        "local classes",
        giving_local,
        ((1, {"id": 1}), (2, {"id": 2})),
        ("x", None),
        shorthand="{id :int}",
    ),
)
