"""Draws lists, sets and maps: their sizes, keys and items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Protocol

from typesig.algebra.constructors import make_both, make_not
from typesig.algebra.nodes import ANY, Field, ItemCount, List, MapOf, Record, Set, Tuple, Type
from typesig.algebra.rows.constraints import get_identity
from typesig.algebra.rows.values import make_hashable
from typesig.algebra.traversal import get_item_types
from typesig.limits import MAX_DRAWN, MAX_REDRAWN
from typesig.relations.bounds import find_limits, read_lengths, read_sizes, read_uniqueness
from typesig.relations.conformance import Judge, MapKeys, get_record_keys
from typesig.relations.normal_form import Clause
from typesig.relations.sampling.text_samples import iter_matching_texts
from typesig.relations.step_budget import NoSample, Work

#: Undeclared keys for open maps.
_KEYS = ("extra", "more", "x", "n1", "other key", "Z")


class ValueDrawer(Protocol):
    """Protocol of drawing items, keys and values; `Drawer` implements it."""

    judge: Judge
    map_keys: MapKeys
    rng: Random
    work: Work

    def draw_value(self, t: Type, fuel: int) -> Any:
        """Return a value of *t*; raise `NoSample` if none is found."""
        ...


def draw_list(drawer: ValueDrawer, clause: Clause, fuel: int) -> list[Any]:
    """Return a list that is likely to meet *clause*."""
    limits = find_limits(clause)
    rows = [part for part in clause[0] if isinstance(part, List | Tuple)]
    low, high = read_lengths(limits, rows)
    counts = [part for part in clause[0] if isinstance(part, ItemCount)]
    if counts:
        # An item may be of several of the types that are counted, or of one.
        least = [t.at_least for t in counts]
        low = max(low, drawer.rng.choice((max(least), sum(least))))
    unique = read_uniqueness(limits)
    out: list[Any] = []
    seen: set[object] = set()
    count = _count(drawer, low, high, fuel)
    counted = _require_counts(drawer, counts, count)
    for at in range(count):
        item = _make_intersection(
            [(get_item_types(row, at) or (ANY,))[0] for row in rows] + counted[at]
        )
        try:
            out.append(_draw_fresh(drawer, item, fuel, seen if True in unique else set()))
        except NoSample:
            if at < low:
                raise
            break
        seen.add(get_identity(out[-1]))
    # A list whose items must not all differ repeats one.
    return [*out, *out[:1]] if False in unique else out


def _require_counts(drawer: ValueDrawer, counts: list[ItemCount], count: int) -> list[list[Type]]:
    """Choose for each of *count* items the types it must have to satisfy *counts*."""
    places: list[list[Type]] = [[] for _ in range(count)]
    free = drawer.rng.sample(range(count), count) if counts else []
    for t in counts:
        most = count if t.at_most is None else min(t.at_most, count)
        number = drawer.rng.choice((t.at_least, drawer.rng.randint(t.at_least, most)))
        # Places that no other type has first: a value may be of both types, or of neither.
        taken, free = free[:number], [*free[number:], *free[:number]]
        for at in range(count):
            if at in taken:
                places[at].append(t.item)
            elif t.at_most is not None:
                places[at].append(make_not(t.item))
    return places


def _make_intersection(types: list[Type]) -> Type:
    """Build the intersection of *types*; `any` for an empty list."""
    return make_both(types) if types else ANY


def _draw_fresh(drawer: ValueDrawer, item: Type, fuel: int, seen: set[object]) -> Any:
    """Draw a value of *item* that is not in *seen*; raise `NoSample` if none is found."""
    for _ in range(MAX_REDRAWN):
        value = drawer.draw_value(item, fuel - 1)
        if not seen or get_identity(value) not in seen:
            return value
    raise NoSample("too few different items were found")


def _count(drawer: ValueDrawer, low: int, high: int | None, fuel: int) -> int:
    """Choose a random size from *low*, at most *high*; *low* itself if *fuel* is spent."""
    if (high is not None and low > high) or low > MAX_DRAWN:
        raise NoSample("no size fits")
    if high is not None and fuel > 0 and high <= low + 8 and drawer.rng.random() < 0.2:
        return high
    most = low + (2 if fuel > 0 else 0)
    return drawer.rng.randint(low, most if high is None else min(high, most))


def draw_set(drawer: ValueDrawer, clause: Clause, fuel: int) -> set[Any]:
    """Return a set that is likely to meet *clause*."""
    low, high = read_sizes(find_limits(clause))
    item = _make_intersection([part.item for part in clause[0] if isinstance(part, Set)])
    count = _count(drawer, low, high, fuel)
    # In the order of drawing, since the order of a set differs between processes.
    out: dict[Any, None] = {}
    for _ in range(count * MAX_REDRAWN):
        if len(out) == count:
            break
        try:
            out[make_hashable(drawer.draw_value(item, fuel - 1))] = None
        except NoSample:
            break
    if len(out) < low:
        raise NoSample("too few different items were found")
    return set(out)


def draw_map(drawer: ValueDrawer, clause: Clause, fuel: int) -> dict[Any, Any]:
    """Return a map that is likely to meet *clause*."""
    return _MapDrawer(drawer, clause, fuel).draw()


class _MapDrawer:
    """Drawing of one map for a clause, with the entries drawn so far."""

    def __init__(self, drawer: ValueDrawer, clause: Clause, fuel: int) -> None:
        self.drawer = drawer
        self.fuel = fuel
        self.low, self.high = read_sizes(find_limits(clause))
        self.rows = [get_record_keys(part) for part in clause[0] if isinstance(part, Record)]
        parts = [part for part in clause[0] if isinstance(part, MapOf)]
        self.typed = [MapOf(drawer.map_keys.get_key_type(part.key), part.value) for part in parts]
        self.against = [part.fields for part in clause[1] if isinstance(part, Record)]
        self.out: dict[Any, Any] = {}

    def draw(self) -> dict[Any, Any]:
        """Return the map: required keys, some optional keys, and as many more as needed."""
        drawer, rng = self.drawer, self.drawer.rng
        named = self._choose_spellings()
        needed = [key for key, required in named.items() if required]
        for key in needed:
            if not self._put_key(key):
                raise NoSample("no value was found for a required key")
        count = _count(drawer, max(self.low, len(needed)), self.high, self.fuel)
        rest = [key for key, required in named.items() if not required]
        rng.shuffle(rest)
        for key in rest:
            full = self.high is not None and len(self.out) >= self.high
            if not full and (len(self.out) < self.low or (self.fuel > 0 and rng.random() < 0.6)):
                self._put_key(key)
        if len(self.out) < self.low or (self.fuel > 0 and (self.typed or rng.random() < 0.3)):
            self._extend(count)
        if self.against and rng.random() < 0.7:
            fields = rng.choice(self.against)
            if fields:
                field = self.drawer.rng.choice(fields)
                self._put_key(field.name, [make_not(field.type)])
        if len(self.out) < self.low:
            raise NoSample("too few keys were found")
        return self.out

    def _choose_spellings(self) -> dict[str, bool]:
        """Choose a spelling of all declared keys, mapped to whether it is required."""
        named: dict[str, bool] = {}
        for row in self.rows:
            fields = row.record.fields
            self.drawer.work.take((len(named) + len(fields)) // 4)
            spelled: dict[Field | None, str] = {}
            for key in named:
                spelled.setdefault(row.field(key), key)
            for field in fields:
                key = spelled.get(field, field.name)
                named[key] = named.get(key, False) or field.required
        return named

    def _put_key(self, key: Any, also: Sequence[Type] = ()) -> bool:
        """Draw a value for *key* and add both; return False if that fails."""
        types = self._get_types(key)
        if types is None:
            return False
        try:
            self.out[key] = self.drawer.draw_value(
                _make_intersection([*types, *also]), self.fuel - 1
            )
        except NoSample:
            return False
        return True

    def _get_types(self, key: Any) -> list[Type] | None:
        """Collect the types that the value of *key* must have; None if refused."""
        out: list[Type] = []
        for row in self.rows:
            self.drawer.work.take(1 + len(row.record.matching) // 4)
            t = row.get_value_type(key) if isinstance(key, str) else None
            if t is None:
                return None
            out.append(t)
        for typed in self.typed:
            if not self.drawer.judge.accepts(typed.key, key):
                return None
            out.append(typed.value)
        return out

    def _extend(self, count: int) -> None:
        """Add undeclared keys until the map has *count* keys or no more are found."""
        for key, _ in zip(self._iter_keys(), range(count * MAX_REDRAWN), strict=False):
            if len(self.out) >= count:
                break
            if key not in self.out and not any(
                isinstance(key, str) and row.field(key) is not None for row in self.rows
            ):
                self._put_key(key)

    def _iter_keys(self) -> Iterator[Any]:
        """Yield candidate keys for further entries of the map, possibly without end."""
        rng = self.drawer.rng
        if self.typed:
            yield from self._iter_typed_keys()
            return
        patterns = [m.pattern for row in self.rows for m in row.record.matching]
        for pattern in patterns:
            yield from iter_matching_texts(pattern, rng, self.drawer.work)
        yield from rng.sample(_KEYS, len(_KEYS))
        number = 0
        while True:
            number += 1
            for pattern in patterns:
                yield from iter_matching_texts(pattern, rng, self.drawer.work, number % 50)
            yield f"k{number}"

    def _iter_typed_keys(self) -> Iterator[Any]:
        """Yield random keys that all typed maps allow, until none is found."""
        key = _make_intersection([typed.key for typed in self.typed])
        while True:
            try:
                yield make_hashable(self.drawer.draw_value(key, self.fuel - 1))
            except NoSample:
                return
