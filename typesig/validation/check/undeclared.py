"""How many keys of a value a type leaves undeclared; by this a union chooses a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.values import get_kind, to_builtin
from typesig.algebra.traversal import iter_same_value_types


def record_of(t: nodes.Type, names: Mapping[str, nodes.Type]) -> nodes.Record | None:
    """Return *t* if it is a record, possibly nullable, refined or a name, else None."""
    while True:
        match t:
            case nodes.Ref(name):
                t = names[name]
            case nodes.Maybe(inner) | nodes.Annotation(inner) | nodes.Refinement(inner):
                t = inner
            case nodes.Record():
                return t
            case nodes.Leaf() | nodes.Container() | nodes.Combination() | nodes.Not():
                return None
            case _:
                assert_never(t)


def undeclared(t: nodes.Type, value: Any, names: Mapping[str, nodes.Type]) -> int:
    """Return how many keys of *value* the records of *t* do not declare, at every depth.

    Keys whose values have a type, and all within a union, count as declared.
    """
    return KeyCounter(names).count(t, value)


class KeyCounter:
    """Counts what types with the definitions *names* leave undeclared."""

    __slots__ = ("fields", "names")

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self.names = names
        # The types of fields by name.  A record is found by its id, since an equal record is found
        # only after all parts are compared.
        self.fields: dict[int, tuple[nodes.Record, dict[str, nodes.Type]]] = {}

    def count(self, t: nodes.Type, value: Any) -> int:
        """Return how many keys of *value* the records of *t* do not declare."""
        match t:
            case nodes.Ref(name):
                return self.count(self.names[name], value)
            case nodes.Maybe(inner) | nodes.Annotation(inner) | nodes.Refinement(inner):
                return self.count(inner, value)
            case nodes.Record():
                return self._of_record(t, value) if get_kind(value) == "map" else 0
            case nodes.List(item) | nodes.Set(item):
                return sum([self.count(item, each) for each in _items(value)])
            case nodes.Tuple(items):
                pairs = zip(items, _items(value), strict=False)
                return sum([self.count(item, each) for item, each in pairs])
            case nodes.MapOf(_, inner):
                held = to_builtin(value).values() if get_kind(value) == "map" else ()
                return sum([self.count(inner, each) for each in held])
            case nodes.Leaf() | nodes.Combination() | nodes.Not() | nodes.ItemCount():
                return 0
            case _:
                assert_never(t)

    def _of_record(self, t: nodes.Record, value: Mapping[Any, Any]) -> int:
        found = self.fields.get(id(t))
        if found is None:
            found = self.fields[id(t)] = t, {field.name: field.type for field in t.fields}
        fields, count = found[1], 0
        for key, item in to_builtin(value).items():
            if key in fields:
                count += self.count(fields[key], item)
            elif t.extra == nodes.ANY and not t.matching:
                count += 1
        return count


def _items(value: Any) -> Any:
    return to_builtin(value) if issubclass(type(value), list | tuple) else ()


def declared_by(t: nodes.Type, names: Mapping[str, nodes.Type]) -> tuple[nodes.Field, ...] | None:
    """Return the fields that *t* declares at its own level, or None if any key is allowed.

    Where no record declares keys, as in `:not[:int] & :not[:string]`, any key is allowed.
    """
    fields: dict[str, nodes.Field] = {}
    declares = False
    for part in iter_same_value_types(t, names):
        match part:
            case nodes.Record():
                if part.extra not in (nodes.ANY, None) or part.matching:
                    return None
                declares = True
                fields.update((field.name, field) for field in part.fields)
            case nodes.Leaf() | nodes.Container():
                return None
            case nodes.Through() | nodes.Not():
                # `iter_same_value_types` yields their parts; they declare no keys of their own.
                pass
            case _:
                assert_never(part)
    return tuple(fields.values()) if declares else None
