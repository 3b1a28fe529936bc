"""The keywords of a schema that apply to lists: types of all items, or of those at positions."""

from __future__ import annotations

from collections.abc import Iterable

from typesig.algebra.constructors import refined, union
from typesig.algebra.nodes import ANY, List, Tuple, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.limits import MAX_OPEN_POSITIONS
from typesig.notations.json_schema.keywords.kinds import NEVER
from typesig.notations.json_schema.reading.places import Keywords

WORDS = frozenset({"items", "prefixItems", "additionalItems"})


def read_list(keywords: Keywords, limits: Iterable[Constraint]) -> Type:
    """Return the type of the lists that *keywords* describe, within *limits*."""
    found = keywords.attempt("items", lambda: _items(keywords))
    positions, rest = ([], ANY) if found is None else found
    limits = tuple(limits)
    if not positions:
        closed = [Constraint("at_most", 0)] if rest is None else []
        return refined(List(ANY if rest is None else rest), [*limits, *closed])
    made = keywords.attempt("prefixItems", lambda: _by_length(keywords, positions, rest, limits))
    return refined(List(ANY), limits) if made is None else made


def _items(keywords: Keywords) -> tuple[list[Type], Type | None]:
    """Return the types of the first items, and the type of the rest, or None if there is none."""
    reading, schema = keywords.reading, keywords.schema
    word = "prefixItems" if keywords.has("prefixItems") else "items"
    positions: list[Type] = []
    if isinstance(keywords.get(word), list):
        count = len(schema[word])
        positions = [reading.read(keywords.inner(word, str(n))) for n in range(count)]
        word = "items" if word == "prefixItems" else "additionalItems"
    elif word == "prefixItems":
        raise keywords.refusal(word, "it must be a list of schemas")
    if not keywords.has(word):
        return positions, ANY
    if schema[word] is False:
        return positions, None
    return positions, reading.read(keywords.inner(word))


def _by_length(
    keywords: Keywords, positions: list[Type], rest: Type | None, limits: tuple[Constraint, ...]
) -> Type:
    """Return the union of the lists of each length, for a list may end before any position."""
    lengths = {c.name: c.argument.value for c in limits if c.name in ("at_least", "at_most")}
    count = len(positions)
    low = lengths.get("at_least", 0)
    high = lengths.get("at_most", count if rest is None else None)
    if min(count, count if high is None else high) - low > MAX_OPEN_POSITIONS:
        why = f"more than {MAX_OPEN_POSITIONS} positions may be absent; add minItems"
        raise keywords.refusal("prefixItems", why)
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
    """Return the type of the lists that have exactly *positions*."""
    if len(positions) > 1:
        return Tuple(tuple(positions))
    size = len(positions)
    bounds = [Constraint("at_least", size), Constraint("at_most", size)]
    return refined(List(positions[0] if positions else ANY), bounds)
