"""Ruling out lists and sets: no length, no item, or none that breaks what is not wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from typesig.algebra.nodes import ANY, List, Set, Tuple, Type
from typesig.limits import MAX_LAID_OUT
from typesig.relations.bounds import limits_of, sizes
from typesig.relations.clauses import Way
from typesig.relations.spans import listed, none_of

if TYPE_CHECKING:
    from typesig.relations.emptiness import Prover


class Row(NamedTuple):
    """Lists: what their items are by place, then behind those, and how many there are.

    #: rest: None where nothing stands behind the places
    #: high: None where there is no most
    """

    places: tuple[Way, ...]
    rest: Way | None
    low: int
    high: int | None

    def at_least(self, low: int) -> Row:
        """Return those of them that have *low* items or more."""
        return self._replace(low=max(self.low, low))

    def at_most(self, high: int) -> Row:
        """Return those of them that have *high* items or fewer."""
        return self._replace(high=high if self.high is None else min(self.high, high))

    def without(self, place: int, t: Type) -> Row:
        """Return those of them whose item at *place* is there, and no *t*."""
        places = list(self.places)
        places[place] = _and_not(places[place], t)
        return self._replace(places=tuple(places)).at_least(place + 1)


def _and_not(item: Way, t: Type) -> Way:
    return item[0], (*item[1], t)


def lists(prover: Prover, kind: str, clause: Way) -> bool:
    """Tell whether no list is left."""
    found = listed(prover, kind, clause)
    if found is not None:
        return found
    limits = limits_of(clause)
    low, high = sizes(limits)
    wanted = [part for part in clause[0] if isinstance(part, List | Tuple)]
    unwanted = [part for part in clause[1] if isinstance(part, List | Tuple)]
    for row in wanted:
        if isinstance(row, Tuple):
            low = max(low, len(row.items))
            if row.rest is None:
                high = len(row.items) if high is None else min(high, len(row.items))
    unique = {is_so for constraint, is_so in limits if constraint.name == "unique"}
    if (high is not None and low > high) or unique == {True, False}:
        return True
    if high == 0 and none_of(prover, kind, clause, [[]]):
        return True
    if False in unique and high is not None and high < 2:
        return True
    return _no_row(prover, _laid_out(wanted, unwanted, low, high), unwanted)


def _laid_out(
    wanted: list[List | Tuple], unwanted: list[List | Tuple], low: int, high: int | None
) -> Row:
    """Return *wanted* as one row, with a place for each that any of them, or *unwanted*, names."""
    named = [len(row.items) for row in (*wanted, *unwanted) if isinstance(row, Tuple)]
    count = max(named, default=0)
    if high is not None and high <= MAX_LAID_OUT:
        count = high
    places = tuple([(_items(wanted, place), ()) for place in range(count)])
    if high is not None and high <= count:
        return Row(places[:high], None, low, high)
    return Row(places, (_items(wanted, count), ()), low, high)


def _items(rows: list[List | Tuple], place: int) -> tuple[Type, ...]:
    found: list[Type] = []
    for row in rows:
        if isinstance(row, List):
            found.append(row.item)
        elif place < len(row.items):
            found.append(row.items[place])
        else:
            found.append(row.rest or ANY)
    return tuple(found)


def _no_row(prover: Prover, row: Row, unwanted: list[List | Tuple]) -> bool:
    """Tell whether each list of *row* is one of *unwanted*, if there is any."""
    prover.step()
    for place, item in enumerate(row.places):
        if row.high is not None and place >= row.high:
            break
        if prover.empty(*item):
            row = row.at_most(place)
            break
    if row.rest is not None and prover.empty(*row.rest):
        row = row.at_most(len(row.places))
    if row.high is not None and row.low > row.high:
        return True
    if not unwanted:
        return False
    first, others = unwanted[0], unwanted[1:]
    return all(_no_row(prover, other, others) for other in _breaking(prover, row, first))


def _breaking(prover: Prover, row: Row, unwanted: List | Tuple) -> list[Row]:
    """Return rows that have, between them, all lists of *row* that are no *unwanted*."""
    items = unwanted.items if isinstance(unwanted, Tuple) else ()
    rest = unwanted.rest if isinstance(unwanted, Tuple) else unwanted.item
    out: list[Row] = []
    if items:
        out.append(row.at_most(len(items) - 1))
    if rest is None:
        out.append(row.at_least(len(items) + 1))
    for place in range(len(row.places)):
        t = items[place] if place < len(items) else rest
        if t is not None:
            out.append(row.without(place, t))
    behind = None if rest is None or row.rest is None else _and_not(row.rest, rest)
    if behind is not None and not prover.empty(*behind):
        # Which of the items behind the places it is cannot be said: there is one at least.
        out.append(row.at_least(len(row.places) + 1))
    return [other for other in out if other.high is None or other.low <= other.high]


def sets(prover: Prover, kind: str, clause: Way) -> bool:
    """Tell whether no set is left."""
    low, high = sizes(limits_of(clause))
    if high is not None and low > high:
        return True
    wanted = tuple([part.item for part in clause[0] if isinstance(part, Set)])
    unwanted = [part.item for part in clause[1] if isinstance(part, Set)]
    if low > 0 and prover.empty(wanted):
        return True
    if not unwanted:
        return False
    if high == 0 or any(prover.empty(wanted, (t,)) for t in unwanted):
        return True
    return high == 1 and prover.empty(wanted, tuple(unwanted))
