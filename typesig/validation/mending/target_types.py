"""What a type wants of a text in which its value is searched for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.names import fold_name
from typesig.validation.rows.tables import Tables


class TargetTypes(NamedTuple):
    """The types that the value of a text may have, with references resolved."""

    types: tuple[nodes.Type, ...]
    names: Mapping[str, nodes.Type]

    @property
    def text(self) -> bool:
        """Whether any string is a valid value."""
        return nodes.STRING in self.types

    @property
    def lists(self) -> bool:
        """Whether a list is a valid value."""
        return any(
            isinstance(t, nodes.List | nodes.Set | nodes.Tuple | nodes.ItemCount)
            for t in self.types
        )

    def get_tables(self) -> Tables:
        """Return the tables that the types allow: lists of records, or fields of such."""
        lists: dict[str, frozenset[str]] = {}
        for f in self._get_declared_fields():
            columns = find_target_types(f.type, self.names)._get_columns()
            if columns:
                lists[f.name] = columns
        return Tables(self._get_columns(), lists)

    def _get_columns(self) -> frozenset[str]:
        """Return the field names of the records in lists of the types."""
        lists = [t for t in self.types if isinstance(t, nodes.List | nodes.Set)]
        return frozenset(
            [
                f.name
                for t in lists
                for f in find_target_types(t.item, self.names)._get_declared_fields()
            ]
        )

    def _get_declared_fields(self) -> list[nodes.Field]:
        """Get the fields of all record types, except firewalled fields."""
        records = [t for t in self.types if isinstance(t, nodes.Record)]
        return [f for t in records for f in t.fields if not f.firewalled]

    def has_known_key(self, data: Any) -> bool:
        """Whether the map *data* has a declared key, if only records accept maps."""
        if isinstance(data, list) and data:
            lists = [t for t in self.types if isinstance(t, nodes.List | nodes.Set)]
            inner = [find_target_types(t.item, self.names) for t in lists]
            return not inner or any(each.has_known_key(data[0]) for each in inner)
        records = [t for t in self.types if isinstance(t, nodes.Record)]
        if not isinstance(data, dict) or any(not t.fields for t in records):
            return True
        keys = {fold_name(str(key)).casefold() for key in data}
        declared = {fold_name(f.name).casefold() for t in records for f in t.fields}
        return not records or not keys.isdisjoint(declared)

    def is_full(self, data: Any) -> bool:
        """Whether *data* has all fields or items of the only type that accepts it."""
        if isinstance(data, list):
            [*tuples] = [t for t in self.types if _accepts_kind(t, list)]
            lone = tuples[0] if len(tuples) == 1 else None
            return (
                isinstance(lone, nodes.Tuple) and lone.rest is None and len(data) == len(lone.items)
            )
        records = [t for t in self.types if _accepts_kind(t, dict)]
        record = records[0] if len(records) == 1 else None
        if not isinstance(record, nodes.Record) or record.matching or not record.fields:
            return False
        keys = {fold_name(str(key)) for key in data}
        return record.extra in (None, nodes.ANY) and all(
            field.firewalled or field.key in keys for field in record.fields
        )

    def get_words(self) -> dict[str, Any]:
        """Return the booleans and enum strings of the types by lower-case word."""
        values: list[Any] = [True, False] if nodes.BOOL in self.types else []
        for t in self.types:
            if isinstance(t, nodes.Enum):
                values.extend(each.value for each in t.values if isinstance(each.value, str))
        out: dict[str, Any] = {}
        for value in values:
            word = str(value).casefold()
            # Two values that differ only in the case of letters are told apart by neither.
            out[word] = value if out.get(word, value) == value else None
        return {word: value for word, value in out.items() if value is not None}


def _accepts_kind(t: nodes.Type, kind: type) -> bool:
    """Whether *t* may accept values of *kind*, which is `list` or `dict`."""
    if isinstance(t, nodes.Scalar):
        return t == nodes.ANY or (t.name == "map" and kind is dict)
    if isinstance(t, nodes.Record | nodes.MapOf):
        return kind is dict
    if isinstance(t, nodes.Enum):
        return False
    return kind is list or isinstance(t, nodes.Not)


def find_target_types(t: nodes.Type, names: Mapping[str, nodes.Type]) -> TargetTypes:
    """Find the types that a value of *t* may have; *names* resolves references."""
    types: list[nodes.Type] = []
    seen: set[str] = set()
    todo: list[nodes.Type] = [t]
    while todo:
        match each := todo.pop():
            case nodes.Ref(name):
                if name not in seen:
                    seen.add(name)
                    todo.append(names[name])
            case nodes.Maybe(inner) | nodes.Annotation(inner) | nodes.Refinement(inner):
                todo.append(inner)
            case nodes.Combination():
                todo.extend(each.members)
            case nodes.Leaf() | nodes.Container() | nodes.Not():
                types.append(each)
            case _:
                assert_never(each)
    return TargetTypes(tuple(types), names)
