"""The keys of a record: which field a key stands for, and the type of its value."""

from __future__ import annotations

from functools import lru_cache

from typesig.algebra.constructors import both
from typesig.algebra.nodes import Field, Record, Type
from typesig.validation.keys import KeyPlan


class RecordKeys:
    """Looks up keys in a record."""

    __slots__ = ("_fields", "_plan", "_tests", "record")

    def __init__(self, record: Record) -> None:
        self.record = record
        self._plan = KeyPlan(record.fields)
        self._fields = {field.name: field for field in record.fields}
        self._tests = [(matching.test(), matching.type) for matching in record.matching]

    def field(self, key: str) -> Field | None:
        """Return the field that *key* stands for, or None if the key is undeclared."""
        name = self._plan.declared(key)
        return None if name is None else self._fields[name]

    def matched(self, key: str) -> tuple[Type, ...]:
        """Return the types that the patterns which *key* matches give its value."""
        return tuple([t for test, t in self._tests if test(key)])

    def type_at(self, key: str) -> Type | None:
        """Return the type of the value at *key*, or None if the key is not allowed."""
        field = self.field(key)
        if field is not None:
            return both([field.type, *self.matched(field.name)])
        matched = self.matched(key)
        return both(matched) if matched else self.record.extra


@lru_cache(maxsize=1024)
def keys_of(record: Record) -> RecordKeys:
    """Return the keys of *record*, cached."""
    return RecordKeys(record)
