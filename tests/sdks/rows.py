"""What the stand-ins refuse and accept, put to the types and validators of the packages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.vendors.cases import Row
from tests.vendors.rows import ROWS

#: Raises for what a package refuses.
Judge = Callable[[Any], object]


def rows_of(vendor: str, *rules: str, profiles: tuple[str, ...] = ()) -> list[Row]:
    """Return the rows of *vendor*, of *rules* and *profiles* if these are named."""
    return [
        row
        for row in ROWS
        if row.vendor == vendor
        and (not rules or row.rule.id in rules)
        and (not profiles or row.profile in profiles)
    ]


def is_accepted(judge: Judge, definitions: list[Any]) -> bool:
    """Return whether *judge* raises for none of *definitions*."""
    try:
        for definition in definitions:
            judge(definition)
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
        return False
    return True


def keys_of(typed_dict: Any) -> frozenset[str]:
    """Return the keys that a TypedDict has."""
    return frozenset(typed_dict.__required_keys__ | typed_dict.__optional_keys__)


def without(value: Any, drop: Callable[[dict[str, Any]], set[str]]) -> Any:
    """Return *value* without the keys that *drop* names for each object in it."""
    if isinstance(value, list):
        return [without(each, drop) for each in value]
    if not isinstance(value, dict):
        return value
    dropped = drop(value)
    return {key: without(each, drop) for key, each in value.items() if key not in dropped}
