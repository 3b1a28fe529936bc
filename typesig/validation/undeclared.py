"""How many keys of a value a type leaves undeclared; by this a union chooses a record."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, assert_never

from typesig.algebra.nodes import (
    ANY,
    Both,
    Enum,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.values import kind_of


def record_of(t: Type, names: Mapping[str, Type]) -> Record | None:
    """Return *t* if it is a record, possibly nullable, refined or a name, else None."""
    while True:
        match t:
            case Ref(name):
                t = names[name]
            case Maybe(inner) | Noted(inner) | Refined(inner):
                t = inner
            case _:
                return t if isinstance(t, Record) else None


def undeclared(t: Type, value: Any, names: Mapping[str, Type]) -> int:
    """Return how many keys of *value* the records of *t* do not declare, at every depth.

    Keys whose values have a type, and all within a union, count as declared.
    """
    match t:
        case Ref(name):
            return undeclared(names[name], value, names)
        case Maybe(inner) | Noted(inner) | Refined(inner):
            return undeclared(inner, value, names)
        case Record():
            return _of_record(t, value, names) if kind_of(value) == "map" else 0
        case List(item) | Set(item):
            return sum(undeclared(item, each, names) for each in _items(value))
        case Tuple(items):
            pairs = zip(items, _items(value), strict=False)
            return sum(undeclared(item, each, names) for item, each in pairs)
        case MapOf(_, inner):
            held = value.values() if kind_of(value) == "map" else ()
            return sum(undeclared(inner, each, names) for each in held)
        case Scalar() | Enum() | Union() | One() | Both() | Not():
            return 0
        case _:
            assert_never(t)


def _items(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else ()


def _of_record(t: Record, value: Mapping[Any, Any], names: Mapping[str, Type]) -> int:
    fields = _types(t)
    count = 0
    for key, item in value.items():
        if key in fields:
            count += undeclared(fields[key], item, names)
        elif t.extra == ANY and not t.matching:
            count += 1
    return count


@lru_cache(maxsize=1024)
def _types(t: Record) -> dict[str, Type]:
    """Return the types of the fields of *t* by name."""
    return {field.name: field.type for field in t.fields}
