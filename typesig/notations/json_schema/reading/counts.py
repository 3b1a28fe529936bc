"""`contains`: how many items of a type an array has."""

from __future__ import annotations

from typesig.algebra.constructors import both, counted, negated, union
from typesig.algebra.nodes import ANY, Counted, List, Type
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
    if fewest == 0 and most is None:
        return ANY

    # Where a number is the most, a wider type of the items would narrow the whole.
    item = reading.read(inner) if most is None else reading.in_negation(lambda: reading.read(inner))
    if fewest == 1 and most is None:
        # An array contains such an item if not every item is of another type.
        return negated(List(negated(item)))
    return _beside(kinds, counted(item, fewest, most))


def together(t: Type, parts: list[Type]) -> Type:
    """Return the intersection of *t* and *parts*; lists of which items are counted are lists."""
    is_said = t == List(ANY) and any(isinstance(part, Counted) for part in parts)
    return both(parts if is_said else [t, *parts])


def _has(place: Place, word: str) -> bool:
    return word in place.schema and place.dialect.knows(word)


def _beside(kinds: frozenset[JsonKind], arrays: Type) -> Type:
    """Return the type of the values of *kinds* whose arrays are of the type *arrays*."""
    others = kinds - {"array"}
    return union([union_of_kinds(others), arrays]) if others else arrays
