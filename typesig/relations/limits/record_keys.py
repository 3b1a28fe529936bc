"""The keys of a record: which field a key stands for, and the type of its value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain

from typesig.algebra.constructors import make_both, strip_annotations
from typesig.algebra.map_keys import get_map_key_type
from typesig.algebra.nodes import Enum, Field, Record, Type
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import Const
from typesig.relations.limits.step_budget import Work, count_size
from typesig.validation.rows.keys import KeyPlan


class RecordKeys:
    """Lookup of keys in a record type."""

    __slots__ = ("_fields", "_plan", "_required", "_tags", "_tests", "needed", "record")

    def __init__(self, record: Record) -> None:
        self.record = record
        self._plan = KeyPlan(record.fields)
        self._fields = {field.name: field for field in record.fields}
        self._tests = [(matching.test(), matching.type) for matching in record.matching]
        self._required: dict[str, list[Field]] = {}
        for field in record.fields:
            if field.required:
                self._required.setdefault(fold_name(field.name), []).append(field)
        #: The keys of required fields, folded.
        self.needed = frozenset(self._required)
        # A text that is not in an enum of texts can be no value of it, whatever the record says.
        self._tags: dict[str, frozenset[Const]] = {
            field.name: frozenset(inner.values)
            for field in record.fields
            if field.required
            and not record.matching
            and "_" not in fold_name(field.name)
            and isinstance(inner := strip_annotations(field.type), Enum)
            and all(value.kind == "string" for value in inner.values)
        }

    def get_required_fields(self, keys: Iterable[str] | None) -> Iterable[Field]:
        """Return the required fields, or only the fields for the folded *keys*."""
        found = self._required
        if keys is not None:
            found = {key: found[key] for key in keys if key in found}
        return chain.from_iterable(found.values())

    def has_other_tag(self, other: Record) -> bool:
        """Whether a required string enum shares no value with its field in *other*."""
        tags = get_record_keys(other)._tags
        return any(name in tags and tags[name].isdisjoint(t) for name, t in self._tags.items())

    def field(self, key: str) -> Field | None:
        """Return the field that *key* belongs to, or None for an unknown key."""
        name = self._plan.get_declared_name(key)
        return None if name is None else self._fields[name]

    def match_patterns(self, key: str) -> tuple[Type, ...]:
        """Return the value types of the key patterns that *key* matches."""
        return tuple([t for test, t in self._tests if test(key)])

    def get_value_type(self, key: str) -> Type | None:
        """Return the type of the value at *key*, or None if the key is not allowed."""
        field = self.field(key)
        if field is not None:
            return make_both([field.type, *self.match_patterns(field.name)])
        matched = self.match_patterns(key)
        return make_both(matched) if matched else self.record.extra


@lru_cache(maxsize=4096)
def get_record_keys(record: Record) -> RecordKeys:
    """Build the key lookup of *record*, cached."""
    return RecordKeys(record)


class MapKeys:
    """Resolver of the key types of maps, with names resolved; takes steps of *work*."""

    def __init__(self, names: Mapping[str, Type], work: Work) -> None:
        self._names = names
        self._work = work
        self._known: dict[Type, Type] = {}
        self._named: dict[str, tuple[Type, int]] = {}

    def get_key_type(self, key: Type) -> Type:
        """Return the type of keys that a map declared with key type *key* accepts."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = get_map_key_type(key, self._resolve_name)
        return known

    def _resolve_name(self, name: str) -> Type:
        """Get the map-key type of the definition *name*, computed at first use."""
        if name not in self._named:
            taken = get_map_key_type(self._names[name], self._resolve_name)
            self._named[name] = taken, count_size(taken)
        taken, count = self._named[name]
        # The type of a name is written in each of its places.
        self._work.take(count)
        return taken
