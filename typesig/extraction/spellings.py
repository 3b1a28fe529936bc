"""Other names that a model takes for its fields: data with the names that the type declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from typesig.algebra.nodes import (
    Both,
    Enum,
    Field,
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
    folded,
)
from typesig.algebra.values import exact
from typesig.limits import MAX_VALUE_DEPTH

#: For each record, the declared name by each other name, with hyphens as underscores.
Spellings = Mapping[Type, Mapping[str, str]]


class Speller:
    """What renames the keys of data.

    #: spellings: the other names of each record; definitions: the types that are known by name
    """

    __slots__ = ("definitions", "spellings")

    def __init__(self, spellings: Spellings, definitions: Mapping[str, Type]) -> None:
        self.spellings = spellings
        self.definitions = definitions

    def spelled(self, t: Type, data: Any, depth: int = 0) -> Any:
        """Return *data* with the names that the type *t* declares."""
        if depth > MAX_VALUE_DEPTH or not isinstance(data, dict | list | tuple):
            return data
        data = exact(data)
        match t:
            case Scalar() | Enum() | Not():
                return data
            case Maybe(inner) | Refined(inner) | Noted(inner):
                return self.spelled(inner, data, depth)
            case Ref(name):
                return self.spelled(self.definitions[name], data, depth + 1)
            case List(item) | Set(item):
                return self._items((), item, data, depth)
            case Tuple(items, rest):
                return self._items(items, rest, data, depth)
            case MapOf(_, value):
                return self._values({}, value, data, depth)
            case Record(fields, extra):
                data = self._renamed(t, data)
                return self._values({f.key: f.type for f in fields}, extra, data, depth)
            case Union(members) | One(members) | Both(members):
                for member in members:
                    data = self.spelled(member, data, depth)
                return data
            case _:
                assert_never(t)

    def arguments(self, fields: tuple[Field, ...], extra: Type | None, data: Any) -> Any:
        """Return the arguments *data* with the names that the parameters *fields* declare."""
        return self._values({field.key: field.type for field in fields}, extra, data, 0)

    def _items(self, items: tuple[Type, ...], rest: Type | None, data: Any, depth: int) -> Any:
        if isinstance(data, dict):
            return data
        types = [*items, *[rest] * (len(data) - len(items))]
        return [
            part if t is None else self.spelled(t, part, depth + 1)
            for t, part in zip(types, data, strict=False)
        ] + list(data[len(types) :])

    def _values(self, types: dict[str, Type], rest: Type | None, data: Any, depth: int) -> Any:
        if not isinstance(data, dict):
            return data
        out = {}
        for key, value in data.items():
            t = rest
            if isinstance(key, str):
                t = types[key] if key in types else types.get(folded(key), rest)
            out[key] = value if t is None else self.spelled(t, value, depth + 1)
        return out

    def _renamed(self, t: Record, data: Any) -> Any:
        names = self.spellings.get(t)
        if not names or not isinstance(data, dict):
            return data
        present = {folded(key) for key in data if isinstance(key, str)}
        out = {}
        for key, value in data.items():
            name = names.get(folded(key)) if isinstance(key, str) else None
            # The first of several names counts; another one is an undeclared key.
            taken = name is None or folded(name) in present or name in out
            out[key if taken or name is None else name] = value
        return out
