"""`contains`: how many items of a type an array has, as far as types can tell."""

from __future__ import annotations

from functools import partial
from typing import Any

from typesig.algebra.constructors import negated, refined, union
from typesig.algebra.nodes import ANY, List, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.notations.json_schema.keywords.kinds import NEVER, JsonKind, union_of_kinds
from typesig.notations.json_schema.keywords.references import Place
from typesig.notations.json_schema.reading.places import Reading


def contains(reading: Reading, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return the type that `contains` at *place*, with its counts, describes for *kinds*."""
    if "array" not in kinds:
        return ANY
    fewest = reading.size(place, "minContains") if _has(place, "minContains") else 1
    most = reading.size(place, "maxContains") if _has(place, "maxContains") else None
    inner = reading.inner(place, "contains")
    if most is not None and most < fewest:
        return _beside(kinds, NEVER)
    if most == 0:
        return _beside(kinds, List(negated(reading.in_negation(lambda: reading.read(inner)))))
    if fewest == 0 and most is None:
        return ANY
    item = reading.read(inner)
    if item == ANY and (fewest, most) != (1, None):
        bounds = [Constraint("at_least", fewest)]
        bounds += [] if most is None else [Constraint("at_most", most)]
        return _beside(kinds, refined(List(ANY), bounds))
    for word, is_counted in (("minContains", fewest > 1), ("maxContains", most is not None)):
        if is_counted:
            reading.attempt(place, word, partial(_refuse, reading, place, word))
    # An array contains such an item if not every item is of another type.
    return negated(List(negated(item))) if fewest else ANY


def _has(place: Place, word: str) -> bool:
    return word in place.schema and place.dialect.knows(word)


def _beside(kinds: frozenset[JsonKind], arrays: Type) -> Type:
    """Return the type of the values of *kinds* whose arrays are of the type *arrays*."""
    others = kinds - {"array"}
    return union([union_of_kinds(others), arrays]) if others else arrays


def _refuse(reading: Reading, place: Place, word: str) -> Any:
    raise reading.refusal(place.pointer, word, "items of a type cannot be counted")
