"""Everyday functions, each with what a model sends: the signatures of `everyday.py`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, Literal

import pydantic

from benchmarks.everyday_types import Color, Event, Item, Model, Row


def no_arguments() -> int:
    return 1


def two_ints(a: int, b: int) -> int:
    return a + b


def a_default(query: str, limit: int = 10) -> str:
    return query * limit


def nullable(query: str, limit: int | None = None) -> str:
    return query if limit is None else query * limit


def nullable_list(query: str, tags: list[str] | None = None) -> str:
    return query + ",".join(tags or ())


def many_defaults(a: int, b: int = 1, c: str = "", d: float = 0.5, e: bool = False) -> int:
    return a + b


def a_list(numbers: list[int]) -> int:
    return sum(numbers)


def a_dict(counts: dict[str, int]) -> int:
    return sum(counts.values())


def a_literal(unit: Literal["c", "f"], at: float) -> float:
    return at


def an_enum(color: Color) -> str:
    return color.value


def a_date(day: dt.date) -> int:
    return day.year


def a_datetime(at: dt.datetime) -> dt.datetime:
    return at


def a_decimal(amount: Decimal) -> Decimal:
    return amount


def a_bound(percent: Annotated[int, pydantic.Field(ge=0, le=100)]) -> int:
    return percent


def a_dataclass(item: Item) -> int:
    return item.id


def a_dataclass_back(item: Item) -> Item:
    return item


def a_model(model: Model) -> int:
    return model.id


def a_model_back(model: Model) -> Model:
    return model


def a_typed_dict(row: Row) -> Row:
    return row


def a_tuple(at: tuple[float, float]) -> float:
    return at[0]


def int_or_str(key: int | str) -> str:
    return str(key)


def some_models(models: list[Model]) -> int:
    return len(models)


def dataclasses_back(count: int) -> list[Item]:
    return [Item(n, "x") for n in range(count)]


def events_back(count: int) -> list[Event]:
    return [Event(n, dt.datetime(2026, 1, 31, tzinfo=dt.UTC)) for n in range(count)]


def dicts_back(count: int) -> list[dict[str, Any]]:
    return [{"id": n, "title": "x"} for n in range(count)]


#: The arguments that a model sends to each.
CALLS: dict[Callable[..., Any], dict[str, Any]] = {
    no_arguments: {},
    two_ints: {"a": 1, "b": 2},
    a_default: {"query": "x"},
    nullable: {"query": "x"},
    nullable_list: {"query": "x", "tags": ["a", "b"]},
    many_defaults: {"a": 1, "c": "x"},
    a_list: {"numbers": [1, 2, 3]},
    a_dict: {"counts": {"a": 1}},
    a_literal: {"unit": "c", "at": 1.5},
    an_enum: {"color": "red"},
    a_date: {"day": "2026-01-31"},
    a_datetime: {"at": "2026-01-31T09:30:00Z"},
    a_decimal: {"amount": "1.5"},
    a_bound: {"percent": 50},
    a_dataclass: {"item": {"id": 1, "title": "x"}},
    a_dataclass_back: {"item": {"id": 1, "title": "x", "level": 2}},
    a_model: {"model": {"id": 1, "title": "x"}},
    a_model_back: {"model": {"id": 1, "title": "x", "level": 2}},
    a_typed_dict: {"row": {"id": 1, "title": "x"}},
    a_tuple: {"at": [1.5, 2.5]},
    int_or_str: {"key": "a"},
    some_models: {"models": [{"id": 1, "title": "x"}, {"id": 2, "title": "y"}]},
    dataclasses_back: {"count": 10},
    events_back: {"count": 10},
    dicts_back: {"count": 10},
}
