"""The keywords of a schema that only apply to objects with some property."""

from __future__ import annotations

from typing import Any

from typesig.algebra.constructors import make_both, make_not, make_union, record
from typesig.algebra.nodes import ANY, Field, Type
from typesig.notations.json_schema.keywords.kinds import JsonKind
from typesig.notations.json_schema.keywords.references import Place
from typesig.notations.json_schema.reading.places import SchemaReading


def read_dependencies(
    reading: SchemaReading, place: Place, word: str, kinds: frozenset[JsonKind]
) -> Type:
    """Return the type that the dependency keyword *word* at *place* describes.

    That is `dependentRequired`, `dependentSchemas`, or the older drafts' word for both.
    """
    found = place.schema[word]
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise reading.make_refusal(place.pointer, word, "it must be an object")

    def step(name: str, value: Any) -> Type:
        if word == "dependentRequired" or (word == "dependencies" and isinstance(value, list)):
            return _with_names(reading, place, word, value)
        return reading.read(reading.get_inner_place(place, word, name), kinds & {"object"})

    made = [
        make_union([_make_record_without(name), step(name, value)]) for name, value in found.items()
    ]
    return make_both(made) if made else ANY


def _make_record_without(name: str) -> Type:
    """Build the type of all values except objects with the property *name*."""
    return make_not(record([Field(name, ANY, exact=True)]))


def _with_names(reading: SchemaReading, place: Place, word: str, names: Any) -> Type:
    """Build the record type that requires the property *names* of the keyword *word*."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise reading.make_refusal(place.pointer, word, "its values must be lists of names")
    return record([Field(name, ANY, exact=True) for name in dict.fromkeys(names)])
