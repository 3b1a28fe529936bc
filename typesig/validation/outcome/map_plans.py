"""What the types of a map say about its keys, for values that are written as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, assert_never

from typesig.algebra.nodes import Field, Record, Type
from typesig.algebra.rows.values import kind_of
from typesig.notations.json_schema.writing.model_view import OverlappingKeys, overlapping_keys
from typesig.validation.rows.keys import KeyPlan
from typesig.validation.rows.plain import plain


class MapPlan(NamedTuple):
    """What a record says about keys, worked out once.

    #: tests: those of its patterns; known: the types of keys that were tested
    """

    keys: KeyPlan
    fields: dict[str | None, Field]
    tests: list[tuple[Callable[[str], bool], Type]]
    overlap: OverlappingKeys
    known: dict[str, list[Type]]

    def matched(self, name: str) -> list[Type]:
        """Return the types of the patterns that *name* matches."""
        if not self.tests:
            return []
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = [t for test, t in self.tests if test(name)]
        return found


def plan_of(record: Record) -> MapPlan:
    """Return the plan of *record*."""
    return MapPlan(
        KeyPlan(record.fields),
        {field.name: field for field in record.fields},
        [(matching.test(), matching.type) for matching in record.matching],
        overlapping_keys(record),
        {},
    )


def is_key(key: Any) -> bool:
    """Tell whether *key* has a text that stands for it as a key in JSON."""
    kind = kind_of(key)
    match kind:
        case "string" | "keyword" | "int" | "float" | "bool" | "datetime":
            return True
        case "object":
            # A member of an enum is the text of its constant.
            return isinstance(plain(key), str)
        case "nil" | "list" | "map" | "set":
            return False
        case _:
            assert_never(kind)
