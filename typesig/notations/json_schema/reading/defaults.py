"""The default of a property, which may stand in the schema that it refers to or consists of."""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.errors import Unsupported
from typesig.notations.json_schema.keywords.references import Place, Pointer
from typesig.notations.json_schema.reading.places import SchemaReading


class StatedDefault(NamedTuple):
    """A default value, and the pointer to the schema that states it."""

    value: Any
    pointer: Pointer


#: The schemas that are searched for the default of one property.
_MOST = 100


def find_default(reading: SchemaReading, place: Place) -> StatedDefault | None:
    """Return the default of the property at *place*, or None.

    Its own counts first, then that of what it refers to, then the first in its `allOf`, and last
    that of its alternatives, if these state only one.  The places of defaults that are found are
    kept in `reading.used_defaults`.
    """
    found = _Search(reading).find(place)
    if found is not None and found.pointer != place.pointer:
        reading.used_defaults.add((*found.pointer, "default"))
    return found


class _Search:
    """A search for the default that a schema or its parts state."""

    def __init__(self, reading: SchemaReading) -> None:
        self._reading = reading
        self._seen: set[Pointer] = set()

    def find(self, place: Place) -> StatedDefault | None:
        """Find the only default of the schema at *place*, its target or its parts."""
        schema = place.schema
        if not isinstance(schema, dict) or place.pointer in self._seen:
            return None
        if len(self._seen) == _MOST:
            return None
        self._seen.add(place.pointer)
        if "default" in schema:
            return StatedDefault(schema["default"], place.pointer)
        if isinstance(schema.get("$ref"), str):
            found = self._find_behind_reference(place)
            if found is not None or place.dialect.lonely_refs:
                return found
        for part in self._get_parts(place, "allOf"):
            found = self.find(part)
            if found is not None:
                return found
        return self._of_choices(place)

    def _find_behind_reference(self, place: Place) -> StatedDefault | None:
        """Find the default in the target of the `$ref` at *place*."""
        try:
            return self.find(self._reading.resolve_reference(place))
        except Unsupported:
            # The reader of the reference tells it.
            return None

    def _of_choices(self, place: Place) -> StatedDefault | None:
        """Find the default that only one branch of `anyOf` or `oneOf` states."""
        found: list[StatedDefault] = []
        for word in ("anyOf", "oneOf"):
            stated = [self.find(part) for part in self._get_parts(place, word)]
            found += [each for each in stated if each is not None]
        return found[0] if len(found) == 1 else None

    def _get_parts(self, place: Place, word: str) -> list[Place]:
        """List the places of the schemas in the list keyword *word* of *place*."""
        parts = place.schema.get(word)
        if not isinstance(parts, list) or not place.dialect.is_keyword(word):
            return []
        return [self._reading.get_inner_place(place, word, str(at)) for at in range(len(parts))]
