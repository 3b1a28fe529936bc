"""The keywords of a schema that only apply to objects with some property."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra.constructors import both, negated, record, union
from typesig.algebra.nodes import ANY, Field, Type
from typesig.notations.json_schema.keywords.kinds import JsonKind
from typesig.notations.json_schema.keywords.references import Place
from typesig.notations.json_schema.reading.places import Reading


def dependent_required(reading: Reading, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return the type that `dependentRequired` at *place* describes."""
    word = "dependentRequired"
    return _depending(
        reading, place, word, lambda _, names: _with_names(reading, place, word, names)
    )


def dependent_schemas(reading: Reading, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return the type that `dependentSchemas` at *place* describes for values of *kinds*."""
    word, objects = "dependentSchemas", kinds & {"object"}
    return _depending(
        reading,
        place,
        word,
        lambda name, _: reading.read(reading.inner(place, word, name), objects),
    )


def dependencies(reading: Reading, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return the type that the older drafts' `dependencies` at *place* describes."""
    word, objects = "dependencies", kinds & {"object"}

    def step(name: str, value: Any) -> Type:
        if isinstance(value, list):
            return _with_names(reading, place, word, value)
        return reading.read(reading.inner(place, word, name), objects)

    return _depending(reading, place, word, step)


def _depending(reading: Reading, place: Place, word: str, step: Callable[[str, Any], Type]) -> Type:
    found = place.schema[word]
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise reading.refusal(place.pointer, word, "it must be an object")
    made = [union([_without(name), step(name, value)]) for name, value in found.items()]
    return both(made) if made else ANY


def _without(name: str) -> Type:
    return negated(record([Field(name, ANY, exact=True)]))


def _with_names(reading: Reading, place: Place, word: str, names: Any) -> Type:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise reading.refusal(place.pointer, word, "its values must be lists of names")
    return record([Field(name, ANY, exact=True) for name in dict.fromkeys(names)])
