"""Parameters by kind and by name, overloads, and what the host injects."""

from __future__ import annotations

from typing import Annotated, Any, overload

import typing_extensions as te

from tests.type_table.rows import Result, Row, keep
from typesig import Injected


@overload
def find(value: int) -> str: ...


@overload
def find(value: str, near: bool) -> list[str]: ...


def find(value: Any, near: bool = False) -> Any:
    keep(value, near)
    return [str(value)] if near else str(value)


@overload
def tied(value: int) -> int: ...


@overload
def tied(value: str) -> str: ...


def tied(value: int | str) -> int | str:
    keep(value)
    return value


def placed(value: int, second: int = 2, /, third: int = 3) -> None:
    keep(value, second, third)


def placed_again(value: int, /, **more: int) -> None:
    keep(value, more)


def of_self(self: int, value: int = 1) -> None:
    keep(self, value)


def of_schema(schema: dict[str, int], value: int = 1) -> None:
    keep(schema, value)


def of_json(json: str, value: int = 1) -> None:
    keep(json, value)


def of_copy(copy: bool, value: int = 1) -> None:
    keep(copy, value)


def of_model_config(model_config: dict[str, str], model_fields: int = 1) -> None:
    keep(model_config, model_fields)


def of_private(value: int, _private: str = "p") -> None:
    keep(value, _private)


def of_needed_private(value: int, _private: str) -> None:
    keep(value, _private)


def of_class(class_: str, from_: int = 1) -> None:
    keep(class_, from_)


class Database:
    """An object that only the host has."""


DB = Database()


def injected(value: int, db: Injected[Database], log: Injected[Database] | None = None) -> None:
    keep(value, db, log)


def injected_with_text(
    value: int, db: Annotated[Database, Injected, te.Doc("the host's")] = DB
) -> None:
    keep(value, db)


def by_type(value: int, db: Database, other: Database | None = None) -> None:
    keep(value, db, other)


def by_name(value: int, ctx: Any, run_id: str = "r") -> None:
    keep(value, ctx, run_id)


def _overloaded(value: Any) -> Any:
    @overload
    def f() -> int: ...
    @overload
    def f(key: int = 1) -> list[int]: ...
    def f(key: Any = None) -> Any:
        return value

    return f


_INTS = (([], []), ([1, 2], [1, 2]), (1, 1))
_NO_INTS = (["x"], "x")

ROWS: tuple[Row, ...] = (
    Row(
        "overloads",
        find,
        (({"value": "a"}, ("a", False)), ({"value": "a", "near": True}, ("a", True))),
        ({"value": 1.5}, {"value": "a", "near": 2}),
    ),
    Row(
        "overloads",
        tied,
        (({"value": 1}, 1), ({"value": "a"}, "a")),
        ({"value": None}, {"value": []}),
    ),
    Row(
        "positional-only",
        placed,
        (({"value": 1}, (1, 2, 3)), ({"value": 1, "third": 5}, (1, 2, 5))),
        ({"value": "x"}, {"second": 2}),
    ),
    Row(
        "positional-only",
        placed_again,
        (({"value": 1}, (1, {})), ({"value": 1, "a": 2}, (1, {"a": 2}))),
        ({"value": "x"}, {"value": 1, "a": "x"}),
    ),
    Row(
        "parameters named self",
        of_self,
        (({"self": 1}, (1, 1)), ({"self": 1, "value": 2}, (1, 2))),
        ({"self": "x"}, {}),
    ),
    Row(
        "parameters named schema",
        of_schema,
        (({"schema": {}}, ({}, 1)), ({"schema": {"a": 1}}, ({"a": 1}, 1))),
        ({"schema": {"a": "x"}}, {}),
    ),
    Row(
        "parameters named json",
        of_json,
        (({"json": "[1]"}, ("[1]", 1)), ({"json": "{}"}, ("{}", 1))),
        ({"json": [1]}, {}),
    ),
    Row(
        "parameters named copy",
        of_copy,
        (({"copy": True}, (True, 1)), ({"copy": False}, (False, 1))),
        ({"copy": 1}, {}),
    ),
    Row(
        "parameters named model_config",
        of_model_config,
        (
            ({"model_config": {}}, ({}, 1)),
            ({"model_config": {"a": "b"}, "model_fields": 2}, ({"a": "b"}, 2)),
        ),
        ({"model_config": {"a": 1}}, {}),
    ),
    Row(
        "parameters named _private",
        of_private,
        (({"value": 1}, (1, "p")), ({"value": 2}, (2, "p"))),
        ({"value": "x"}, {}),
        shows=("value",),
    ),
    Row(
        "parameters named _private",
        of_needed_private,
        (({"value": 1}, (1, "q")), ({"value": 2}, (2, "q"))),
        ({"value": "x"}, {}),
        shows=("value",),
        given={"_private": "q"},
    ),
    Row(
        "parameters named class_",
        of_class,
        (({"class_": "a"}, ("a", 1)), ({"class_": "a", "from_": 2}, ("a", 2))),
        ({"class_": 1}, {}),
    ),
    Row(
        "injected parameters by Injected[T]",
        injected,
        (({"value": 1}, (1, DB, None)), ({"value": 2}, (2, DB, None))),
        ({"value": "x"}, {}),
        shows=("value",),
        given={"db": DB},
    ),
    Row(
        "injected parameters by Injected[T]",
        injected_with_text,
        (({"value": 1}, (1, DB)), ({"value": 2}, (2, DB))),
        ({"value": "x"}, {}),
        shows=("value",),
    ),
    Row(
        "injected parameters by type",
        by_type,
        (({"value": 1}, (1, DB, None)), ({"value": 2}, (2, DB, None))),
        ({"value": "x"}, {}),
        shows=("value",),
        options={"injected": (Database,)},
        given={"db": DB},
    ),
    Row(
        "injected parameters by name",
        by_name,
        (({"value": 1}, (1, DB, "r")), ({"value": 2}, (2, DB, "r"))),
        ({"value": "x"}, {}),
        shows=("value",),
        options={"injected": ("ctx", "run_id")},
        given={"ctx": DB},
    ),
)


RESULTS: tuple[Result, ...] = (
    Result("overloads", _overloaded, _INTS, _NO_INTS, shorthand=":int|[:int]"),
)
