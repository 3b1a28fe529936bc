"""Functions as they are found in practice: decorated methods, overloads, sentinels, lazy modules.

Hints are postponed in this module, so that all of them are text.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import logging
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import typing_extensions as te

from tests.type_table.rows import Like, Result, Row, keep

if TYPE_CHECKING:
    from tests.type_table.resolution import Id


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


class Shop:
    """A shop, the methods of which stand below other decorators."""

    @functools.lru_cache  # noqa: B019 - the instance lives as long as the module
    def cached(self, value: int, name: str = "a") -> None:
        keep(value, name)

    @logged
    def wrapped(self, value: int, name: str = "a") -> None:
        keep(value, name)

    @typing.overload
    def several(self: Shop, value: int) -> int: ...
    @typing.overload
    def several(self: Shop, value: int, name: str) -> str: ...
    def several(self, value: Any, name: Any = "a") -> Any:
        keep(value, name)
        return value if name == "a" else name

    @functools.singledispatchmethod
    def chosen(self, value: int, name: str = "a") -> None:
        keep(value, name)

    @chosen.register
    def _(self, value: str, name: str = "b") -> None:
        raise AssertionError


SHOP = Shop()


@typing.overload
def apart(value: int) -> int: ...
@typing.overload
def apart(value: int, name: str) -> str: ...
def apart(value: int, name: str | None = None) -> Any:
    keep(value, name)
    return value if name is None else name


@typing.overload
def unhinted(value: int) -> int: ...
@typing.overload
def unhinted(value: int, name: str) -> str: ...
def unhinted(value, name=None):  # type: ignore[no-untyped-def]
    keep(value, name)
    return value if name is None else name


@dataclass
class Node:
    """A record that contains itself, by a name in text."""

    id: int
    kids: list[Node]


def planted(value: list[Node]) -> None:
    keep(value)


def identified(value: Id) -> None:
    keep(value)


lazy = types.ModuleType("lazy_module_of_the_table")


def _loaded(name: str) -> Any:
    if name.startswith("__"):
        # Tools that look through this module ask for these.
        raise AttributeError(name)
    if name != "Node":
        raise RuntimeError(f"{name} needs a package that is not installed")
    return Node


lazy.__getattr__ = _loaded  # type: ignore[method-assign]


def loaded(value: lazy.Node) -> None:  # type: ignore[name-defined]
    keep(value.id)


class NotGiven:
    """The class of a value that means that an argument was left out."""


NOT_GIVEN = NotGiven()


def patched(value: str | NotGiven = NOT_GIVEN, size: int | NotGiven | None = NOT_GIVEN) -> None:
    keep(value, size)


def beside(value: Any | list[Any], size: int = 1) -> None:
    keep(value, size)


def written(
    value: int,
    log: logging.Logger | None = None,
    out: typing.IO[str] | None = None,
    then: Callable[[int], int] | None = None,
) -> None:
    keep(value, log, out, then)


class Access(enum.Flag):
    READ = 1
    WRITE = 2


def opened(value: Access = Access.READ | Access.WRITE) -> None:
    keep(value)


N = te.TypeVar("N", bound=float, default=int)


def scaled(value: list[N]) -> None:
    keep(value)


@dataclass
class Counted:
    value: Final = 3
    size: Final[int] = 4


def counted(value: Counted) -> None:
    keep(value)


def roles(value: int, when: str = "a") -> None:
    """Count the :class:`~shop.Item` of ``shop``.

    :param value: how many :class:`Item`,
        :meth:`at <shop.at>` most
    :param when: |today| or `later <https://example.com>`_
    """
    keep(value, when)


def epydoc(value: int, when: str = "a") -> None:
    """Count the L{items<shop.Item>}.

    @param value: a C{dict of C{int}}
    @param when: I{today}
    """
    keep(value, when)


def _shown() -> Callable[..., None]:
    # In a function, where nobody looks for examples to run.
    def shown(value: int, when: str = "a") -> None:
        """Count.

        >>> shown(1)

        Args:
            value: how many

                >>> shown(2)
            when: the day
        """
        keep(value, when)

    return shown


def _session(_value: Any) -> Any:
    @contextlib.contextmanager
    def session() -> Iterator[int]:
        yield 1

    return session


def _apart(value: Any) -> Any:
    @typing.overload
    def f(size: int = 1) -> int: ...
    @typing.overload
    def f(size: int = 1, name: str = "a") -> str: ...
    def f(size: Any = 1, name: Any = "a") -> Any:
        return value

    return f


def _below(value: Any) -> Any:
    class Giver:
        @functools.lru_cache  # noqa: B019 - it is called once
        def give(self) -> list[int]:
            return value  # type: ignore[no-any-return]

    return Giver().give


_TWO = (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b")))
_BAD = ({"value": "x"}, {"value": 1, "name": 2}, {})
_NODES = (
    ({"value": []}, []),
    ({"value": [{"id": 1, "kids": [{"id": 2, "kids": []}]}]}, [Node(1, [Node(2, [])])]),
)
_ABSENT = Like("NOT_GIVEN", lambda got: got is NOT_GIVEN or got[0] is NOT_GIVEN)

ROWS: tuple[Row, ...] = (
    Row("methods below decorators", SHOP.cached, _TWO, _BAD, shows=("value", "name")),
    Row("methods below decorators", SHOP.wrapped, _TWO, _BAD, shows=("value", "name")),
    Row("overloads with a hinted self", SHOP.several, _TWO, _BAD, shows=("value", "name")),
    Row("singledispatchmethod", SHOP.chosen, _TWO, _BAD, shows=("value", "name")),
    Row(
        "overloads with several results",
        apart,
        (({"value": 1}, (1, None)), ({"value": 1, "name": "b"}, (1, "b"))),
        _BAD,
    ),
    Row(
        "implementations without hints",
        unhinted,
        (({"value": 1}, (1, None)), ({"value": 1, "name": "b"}, (1, "b"))),
        _BAD,
    ),
    Row(
        "recursive classes under postponed annotations",
        planted,
        _NODES,
        ({"value": [{"id": 1, "kids": [{"id": "x", "kids": []}]}]}, {"value": [{"id": 1}]}),
        options={"recursive": True},
    ),
    Row(
        "names under TYPE_CHECKING of another module",
        identified,
        tuple(
            ({"value": text}, Like("UUID", lambda got, text=text: str(got) == text))
            for text in (
                f"{'0' * 8}-0000-4000-8000-{'0' * 12}",
                f"{'1' * 8}-0000-4000-8000-{'0' * 12}",
            )
        ),
        ({"value": "x"}, {"value": 1}, {}),
    ),
    Row(
        "lazy modules",
        loaded,
        (({"value": {"id": 1, "kids": []}}, 1), ({"value": {"id": 2, "kids": []}}, 2)),
        ({"value": {"id": "x", "kids": []}}, {"value": {}}),
        warns=None,
    ),
    Row(
        "sentinels",
        patched,
        (({"value": "a", "size": 1}, ("a", 1)), ({"size": None}, _ABSENT), ({}, _ABSENT)),
        ({"value": 1}, {"value": None}, {"size": "x"}),
    ),
    Row(
        "Any | list[Any]",
        beside,
        (({"value": [1, "a"]}, ([1, "a"], 1)), ({"value": None, "size": 2}, (None, 2))),
        ({"value": 1, "size": "x"}, {}),
    ),
    Row(
        "optional parameters without a JSON form",
        written,
        (({"value": 1}, (1, None, None, None)), ({"value": 2}, (2, None, None, None))),
        ({"value": "x"}, {}),
        warns=("log: ", "out: ", "then: "),
        shows=("value",),
    ),
    Row(
        "Flag defaults",
        opened,
        (({}, Access.READ | Access.WRITE), ({"value": 1}, Access.READ)),
        ({"value": 4}, {"value": "READ or"}),
    ),
    Row(
        "TypeVar defaults",
        scaled,
        (({"value": [1]}, [1]), ({"value": []}, [])),
        ({"value": ["x"]}, {}),
    ),
    Row(
        "Final",
        counted,
        (({"value": {}}, Counted()), ({"value": {"value": 5, "size": 6}}, Counted(5, 6))),
        ({"value": {"size": "x"}}, {}),
    ),
    Row(
        "markup in docstrings",
        roles,
        (({"value": 1}, (1, "a")), ({"value": 1, "when": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
        texts={
            "": "Count the Item of shop.",
            "value": "how many Item, at most",
            "when": "today or later (https://example.com)",
        },
    ),
    Row(
        "markup in docstrings",
        epydoc,
        (({"value": 1}, (1, "a")), ({"value": 1, "when": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
        texts={"": "Count the items.", "value": "a dict of int", "when": "today"},
    ),
    Row(
        "examples in docstrings",
        _shown(),
        (({"value": 1}, (1, "a")), ({"value": 1, "when": "b"}, (1, "b"))),
        ({"value": "x"}, {}),
        texts={"": "Count.", "value": "how many", "when": "the day"},
    ),
)

RESULTS: tuple[Result, ...] = (
    Result(
        "methods below decorators", _below, (([1], [1]), ([], [])), (["x"], 1), shorthand="[:int]"
    ),
    Result(
        "overloads with several results",
        _apart,
        ((1, 1), ("a", "a")),
        ([1], None),
        shorthand=":int|:string",
    ),
    Result(
        "context managers",
        _session,
        (),
        (contextlib.nullcontext(1), contextlib.ExitStack()),
        warns=("the function returns a context manager",),
        shorthand=":any",
    ),
)
