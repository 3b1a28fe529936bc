"""What the keywords of a schema say of lists: of all items, or of those at some positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import refined, union
from typesig.algebra.nodes import ANY, List, Tuple, Type
from typesig.limits import MAX_OPEN_POSITIONS as MAX_OPEN
from typesig.notations.json_schema.rewriting import NEVER

if TYPE_CHECKING:
    from typesig.notations.json_schema.values import Values

WORDS = frozenset({"items", "prefixItems", "additionalItems"})


def array(values: Values, limits: Iterable[Constraint]) -> Type:
    """Return the type of the lists that *values* takes, within *limits*."""
    found = values.reader.attempt(values.place, "items", lambda: _items(values))
    positions, rest = ([], ANY) if found is None else found
    limits = tuple(limits)
    if not positions:
        closed = [Constraint("at_most", 0)] if rest is None else []
        return refined(List(ANY if rest is None else rest), [*limits, *closed])
    made = values.reader.attempt(
        values.place, "prefixItems", lambda: _by_length(values, positions, rest, limits)
    )
    return refined(List(ANY), limits) if made is None else made


def _items(values: Values) -> tuple[list[Type], Type | None]:
    """Return the types of the first items, and that of the rest, None where there is none."""
    reader, place, schema = values.reader, values.place, values.schema
    word = "prefixItems" if values.has("prefixItems") else "items"
    positions: list[Type] = []
    if isinstance(schema.get(word), list):
        count = len(schema[word])
        positions = [reader.read(reader.within(place, word, str(n))) for n in range(count)]
        word = "items" if word == "prefixItems" else "additionalItems"
    elif word == "prefixItems":
        raise values.refuse(word, "it must be a list of schemas")
    if word not in schema or (word == "additionalItems" and not values.has(word)):
        return positions, ANY
    if schema[word] is False:
        return positions, None
    return positions, reader.read(reader.within(place, word))


def _by_length(
    values: Values, positions: list[Type], rest: Type | None, limits: tuple[Constraint, ...]
) -> Type:
    """Return the union of what lists of each length hold, for each may end at any position."""
    said = {c.name: c.argument.value for c in limits if c.name in ("at_least", "at_most")}
    count = len(positions)
    low = said.get("at_least", 0)
    high = said.get("at_most", count if rest is None else None)
    if min(count, count if high is None else high) - low > MAX_OPEN:
        why = f"more than {MAX_OPEN} positions may be absent; say minItems"
        raise values.refuse("prefixItems", why)
    others = [c for c in limits if c.name not in ("at_least", "at_most")]
    made = [
        refined(_fixed(positions[:n]), others)
        for n in range(low, count + 1)
        if n < count or (rest is None or high == count)
        if high is None or n <= high
    ]
    if rest is not None and (high is None or high > count):
        bounds = [Constraint("at_least", low)] if low > count else []
        bounds += [] if high is None else [Constraint("at_most", high)]
        made.append(refined(Tuple(tuple(positions), rest), [*bounds, *others]))
    return union(made) if made else NEVER


def _fixed(positions: list[Type]) -> Type:
    if len(positions) > 1:
        return Tuple(tuple(positions))
    size = len(positions)
    bounds = [Constraint("at_least", size), Constraint("at_most", size)]
    return refined(List(positions[0] if positions else ANY), bounds)
