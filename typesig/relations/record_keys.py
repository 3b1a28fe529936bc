"""What a record says of a key: which field it is, and what it holds."""

from __future__ import annotations

from functools import lru_cache

from typesig.algebra.constructors import both
from typesig.algebra.nodes import Field, Record, Type
from typesig.validation.keys import KeyPlan


class RecordKeys:
    """A record as keys are looked up in it."""

    __slots__ = ("_fields", "_plan", "_tests", "record")

    def __init__(self, record: Record) -> None:
        self.record = record
        self._plan = KeyPlan(record.fields)
        self._fields = {field.name: field for field in record.fields}
        self._tests = [(matching.test(), matching.type) for matching in record.matching]

    def field(self, key: str) -> Field | None:
        """Return the field that *key* stands for, None where it is not declared."""
        name = self._plan.declared(key)
        return None if name is None else self._fields[name]

    def matched(self, key: str) -> tuple[Type, ...]:
        """Return what the patterns that are found in *key* say that it holds."""
        return tuple([t for test, t in self._tests if test(key)])

    def holds(self, key: str) -> Type | None:
        """Return the type of what *key* holds, None where it may not be there."""
        field = self.field(key)
        if field is not None:
            return both([field.type, *self.matched(field.name)])
        matched = self.matched(key)
        return both(matched) if matched else self.record.extra


@lru_cache(maxsize=1024)
def keys_of(record: Record) -> RecordKeys:
    """Return *record* as keys are looked up in it, made once."""
    return RecordKeys(record)
