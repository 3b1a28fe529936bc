"""How many keys of a value a type leaves undeclared; by this a union chooses a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from typesig.algebra.nodes import (
    ANY,
    Both,
    Counted,
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
)
from typesig.algebra.rows.values import exact, kind_of
from typesig.algebra.traversal import level


def record_of(t: Type, names: Mapping[str, Type]) -> Record | None:
    """Return *t* if it is a record, possibly nullable, refined or a name, else None."""
    while True:
        match t:
            case Ref(name):
                t = names[name]
            case Maybe(inner) | Noted(inner) | Refined(inner):
                t = inner
            case Record():
                return t
            case Scalar() | List() | Set() | Tuple() | MapOf() | Enum():
                return None
            case Union() | One() | Both() | Not() | Counted():
                return None
            case _:
                assert_never(t)


def undeclared(t: Type, value: Any, names: Mapping[str, Type]) -> int:
    """Return how many keys of *value* the records of *t* do not declare, at every depth.

    Keys whose values have a type, and all within a union, count as declared.
    """
    return Counter(names).count(t, value)


class Counter:
    """Counts what types with the definitions *names* leave undeclared."""

    __slots__ = ("fields", "names")

    def __init__(self, names: Mapping[str, Type]) -> None:
        self.names = names
        # The types of fields by name.  A record is found by its id, since an equal record is found
        # only after all parts are compared.
        self.fields: dict[int, tuple[Record, dict[str, Type]]] = {}

    def count(self, t: Type, value: Any) -> int:
        """Return how many keys of *value* the records of *t* do not declare."""
        match t:
            case Ref(name):
                return self.count(self.names[name], value)
            case Maybe(inner) | Noted(inner) | Refined(inner):
                return self.count(inner, value)
            case Record():
                return self._of_record(t, value) if kind_of(value) == "map" else 0
            case List(item) | Set(item):
                return sum([self.count(item, each) for each in _items(value)])
            case Tuple(items):
                pairs = zip(items, _items(value), strict=False)
                return sum([self.count(item, each) for item, each in pairs])
            case MapOf(_, inner):
                held = exact(value).values() if kind_of(value) == "map" else ()
                return sum([self.count(inner, each) for each in held])
            case Scalar() | Enum() | Union() | One() | Both() | Not() | Counted():
                return 0
            case _:
                assert_never(t)

    def _of_record(self, t: Record, value: Mapping[Any, Any]) -> int:
        found = self.fields.get(id(t))
        if found is None:
            found = self.fields[id(t)] = t, {field.name: field.type for field in t.fields}
        fields, count = found[1], 0
        for key, item in exact(value).items():
            if key in fields:
                count += self.count(fields[key], item)
            elif t.extra == ANY and not t.matching:
                count += 1
        return count


def _items(value: Any) -> Any:
    return exact(value) if issubclass(type(value), list | tuple) else ()


def declared_by(t: Type, names: Mapping[str, Type]) -> tuple[Field, ...] | None:
    """Return the fields that *t* declares at its own level, or None if any key is allowed.

    Where no record declares keys, as in `:not[:int] & :not[:string]`, any key is allowed.
    """
    fields: dict[str, Field] = {}
    declares = False
    for part in level(t, names):
        match part:
            case Record():
                if part.extra not in (ANY, None) or part.matching:
                    return None
                declares = True
                fields.update((field.name, field) for field in part.fields)
            case Scalar() | List() | Set() | Tuple() | MapOf() | Enum() | Counted():
                return None
            case Maybe() | Union() | One() | Both() | Not() | Refined() | Noted() | Ref():
                # `level` yields their parts; they declare no keys of their own.
                pass
            case _:
                assert_never(part)
    return tuple(fields.values()) if declares else None
