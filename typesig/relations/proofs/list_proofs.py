"""Proofs that no list and no set is left.

None is left if no length is possible, if an item must be there but has no value, if more items of a
type must be there than may be, or if every list that is left is of an excluded type.
"""

from __future__ import annotations

from typing import NamedTuple

from typesig.algebra.constructors import make_not
from typesig.algebra.nodes import ANY, ItemCount, List, Set, Tuple, Type
from typesig.algebra.traversal import get_item_types
from typesig.limits import MAX_LAID_OUT
from typesig.relations.bounds import find_limits, read_lengths, read_sizes, read_uniqueness
from typesig.relations.conformance import Prover
from typesig.relations.normal_form import NEVER, Clause
from typesig.relations.proofs.scalar_proofs import allows_none_of, has_no_enum_value


class Layout(NamedTuple):
    """A set of lists, described by clauses for items by position, and lengths.

    #: places, rest: clauses that the items meet; rest is None if there are no further items
    #: low, high: the least and the greatest length, or None for no limit
    """

    places: tuple[Clause, ...]
    rest: Clause | None
    low: int
    high: int | None

    def with_min_length(self, low: int) -> Layout:
        """Return a layout of those lists that have at least *low* items."""
        return self._replace(low=max(self.low, low))

    def with_max_length(self, high: int) -> Layout:
        """Return a layout of those lists that have at most *high* items."""
        return self._replace(high=high if self.high is None else min(self.high, high))

    def exclude_item(self, place: int, t: Type) -> Layout:
        """Return a layout of those lists whose item at *place* is not of *t*."""
        places = list(self.places)
        pos, neg = places[place]
        places[place] = pos, (*neg, t)
        return self._replace(places=tuple(places)).with_min_length(place + 1)


def has_no_list(prover: Prover, clause: Clause) -> bool:
    """Whether it is proved that *clause* allows no list."""
    found = has_no_enum_value(prover, "list", clause)
    if found is not None:
        return found
    limits = find_limits(clause)
    wanted = [part for part in clause[0] if isinstance(part, List | Tuple)]
    unwanted = [part for part in clause[1] if isinstance(part, List | Tuple)]
    low, high = read_lengths(limits, wanted)
    counts = [part for part in clause[0] if isinstance(part, ItemCount)]
    low = max([low, *[t.at_least for t in counts]])
    unique = read_uniqueness(limits)
    if (high is not None and low > high) or unique == {True, False}:
        return True
    if counts and _has_contradicting_counts(prover, clause, low, high):
        return True
    if high == 0 and allows_none_of(prover, "list", clause, [[]]):
        return True
    if False in unique and high is not None and high < 2:
        return True
    return _covers_all_lists(prover, _build_layout(wanted, unwanted, low, high), unwanted)


def _has_contradicting_counts(prover: Prover, clause: Clause, low: int, high: int | None) -> bool:
    """Whether it is proved that *clause* wants more items of a type than it allows."""
    items = tuple([part.item for part in clause[0] if isinstance(part, List)])
    counts = [part for part in clause[0] if isinstance(part, ItemCount)]
    least: list[tuple[Type, int]] = [(ANY, low)] + [(t.item, t.at_least) for t in counts]
    # A list outside a list of T has an item outside T.
    least += [(make_not(part.item), 1) for part in clause[1] if isinstance(part, List)]
    most = [(NEVER, 0)] + [(t.item, t.at_most) for t in counts if t.at_most is not None]
    most += [] if high is None else [(ANY, high)]
    for wanted, count in least:
        for allowed, limit in most:
            prover.work.take()
            if count > limit and prover.is_empty((*items, wanted), (allowed,)):
                return True
    return False


def _build_layout(
    wanted: list[List | Tuple], unwanted: list[List | Tuple], low: int, high: int | None
) -> Layout:
    """Build the layout of lists in all of *wanted*, fine enough to compare *unwanted*."""
    named = [len(t.items) for t in (*wanted, *unwanted) if isinstance(t, Tuple)]
    count = max(named, default=0)
    if high is not None and high <= MAX_LAID_OUT:
        count = high
    places = tuple([(_get_items(wanted, place), ()) for place in range(count)])
    if high is not None and high <= count:
        return Layout(places[:high], None, low, high)
    return Layout(places, (_get_items(wanted, count), ()), low, high)


def _get_items(types: list[List | Tuple], place: int) -> tuple[Type, ...]:
    """Collect the item types at index *place* from the list and tuple *types*."""
    return tuple([(get_item_types(t, place) or (ANY,))[0] for t in types])


def _covers_all_lists(prover: Prover, layout: Layout, unwanted: list[List | Tuple]) -> bool:
    """Whether every list of *layout* is of one of the types *unwanted*."""
    pending = [(layout, unwanted)]
    while pending:
        current, others = pending.pop()
        left = _shorten_layout(prover, current)
        if left is None:
            continue
        # A type that excludes none of the lists does not matter.
        near = [t for t in others if not _is_disjoint(prover, left, t)]
        if not near:
            return False
        outside = _split_outside(prover, left, near[0])
        pending += [(other, near[1:]) for other in outside]
    return True


def _shorten_layout(prover: Prover, layout: Layout) -> Layout | None:
    """Cut *layout* before the first impossible item; None if no list is left."""
    prover.work.take(1 + len(layout.places))
    for place, item in enumerate(layout.places):
        if layout.high is not None and place >= layout.high:
            break
        if prover.is_empty(*item):
            layout = layout.with_max_length(place)
            break
    if layout.rest is not None and prover.is_empty(*layout.rest):
        layout = layout.with_max_length(len(layout.places))
    return None if layout.high is not None and layout.low > layout.high else layout


def _is_disjoint(prover: Prover, layout: Layout, t: List | Tuple) -> bool:
    """Whether it is proved, by length or by one item, that *t* has no list of *layout*."""
    prover.work.take()
    if isinstance(t, Tuple):
        if layout.high is not None and layout.high < len(t.items):
            return True
        if t.rest is None and layout.low > len(t.items):
            return True
    found = layout.places[: max(layout.low, len(t.items) if isinstance(t, Tuple) else 0)]
    return any(
        prover.is_empty((*pos, *_get_items([t], place))) for place, (pos, _) in enumerate(found)
    )


def _split_outside(prover: Prover, layout: Layout, unwanted: List | Tuple) -> list[Layout]:
    """Split the lists of *layout* that are not of type *unwanted* into layouts."""
    items = unwanted.items if isinstance(unwanted, Tuple) else ()
    rest = unwanted.rest if isinstance(unwanted, Tuple) else unwanted.item
    out: list[Layout] = []
    if items:
        out.append(layout.with_max_length(len(items) - 1))
    if rest is None:
        out.append(layout.with_min_length(len(items) + 1))
    prover.work.take(len(layout.places) ** 2 // 16)
    for place in range(len(layout.places)):
        t = items[place] if place < len(items) else rest
        if t is not None:
            out.append(layout.exclude_item(place, t))
    if rest is not None and layout.rest is not None:
        pos, neg = layout.rest
        if not prover.is_empty(pos, (*neg, rest)):
            # One of the further items is outside; its place is unknown: only the length is limited.
            out.append(layout.with_min_length(len(layout.places) + 1))
    return [other for other in out if other.high is None or other.low <= other.high]


def has_no_set(prover: Prover, clause: Clause) -> bool:
    """Whether it is proved that *clause* allows no set."""
    low, high = read_sizes(find_limits(clause))
    if high is not None and low > high:
        return True
    wanted = tuple([part.item for part in clause[0] if isinstance(part, Set)])
    unwanted = [part.item for part in clause[1] if isinstance(part, Set)]
    if low > 0 and prover.is_empty(wanted):
        return True
    if not unwanted:
        return False
    if high == 0 or any(prover.is_empty(wanted, (t,)) for t in unwanted):
        return True
    return high == 1 and prover.is_empty(wanted, tuple(unwanted))
