"""Drawing one value of a type at random.

What is drawn is checked at each level, so a value that a level hands up is of its type.
A new kind of values needs a row in `_MAKERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

from typesig.algebra.nodes import Both, Enum, List, MapOf, Record, Refined, Scalar, Set, Tuple, Type
from typesig.algebra.scalars import SCALARS
from typesig.algebra.signature import Definition
from typesig.algebra.values import KINDS
from typesig.limits import MAX_FUEL as FUEL
from typesig.limits import MAX_TRIES as TRIES
from typesig.limits import MAX_WORK
from typesig.relations.bounds import candidates as numbers_near
from typesig.relations.bounds import limits_of
from typesig.relations.clauses import Scope, Way
from typesig.relations.containers import draw_list, draw_map, draw_set
from typesig.relations.errors import NoSample
from typesig.relations.judging import accepts, is_json
from typesig.relations.measures import Measures
from typesig.relations.wording import candidates as texts_near

#: What anything may be, the likelier kinds more than once.
_LIKELY = ("string", "string", "int", "int", "float", "bool", "nil", "list", "map")

_DRAWN = tuple(dict.fromkeys(KINDS.values()))

_NO_JSON = frozenset({"keyword", "set", "datetime"})


class Drawer:
    """Draws values of types that share definitions.

    #: json: whether values that JSON has no form for are left out
    #: left: values that may still be drawn
    """

    def __init__(
        self, definitions: tuple[Definition, ...], rng: Random, json: bool = False
    ) -> None:
        self.definitions = definitions
        self.scope = Scope({d.name: d.type for d in definitions})
        self.measures = Measures(self.scope.names)
        self.rng = rng
        self.json = json
        self.left = MAX_WORK

    def value(self, t: Type, fuel: int = FUEL) -> Any:
        """Return a value of *t*; raise `NoSample` where none is found."""
        for _ in range(TRIES):
            self.left -= 1
            if self.left < 0:
                break
            try:
                found = self._of(self._clause(t, fuel), fuel)
            except NoSample:
                continue
            if accepts(t, self.definitions, found):
                return found
        raise NoSample("no value was found")

    def _clause(self, t: Type, fuel: int) -> Way:
        """Return a way to be a *t* in atoms, at random; the lowest where the *fuel* is used up."""
        todo: list[tuple[Type, bool]] = [(t, True)]
        found: dict[tuple[Type, bool], None] = {}
        while todo:
            part, wanted = todo.pop()
            if isinstance(part, Both) and wanted:
                # Not always exactly so, but near enough for what is checked in the end.
                ways: tuple[Way, ...] | None = ((part.members, ()),)
            else:
                ways = self.scope.ways(part) if wanted else self.scope.ways_not(part)
            if ways is None:
                found[part, wanted] = None
            else:
                more, less = self._chosen(ways, fuel)
                todo += [(p, True) for p in more] + [(p, False) for p in less]
        pos = tuple([part for part, wanted in found if wanted])
        return pos, tuple([part for part, wanted in found if not wanted])

    def _chosen(self, ways: Iterable[Way], fuel: int) -> Way:
        measured = [(self.measures.tallest(way[0]), way) for way in ways]
        finite = [height for height, _ in measured if height is not None]
        if not finite:
            raise NoSample("each value would be endless")
        most = min(finite) if fuel <= 0 else max(finite)
        return self.rng.choice([way for h, way in measured if h is not None and h <= most])

    def _of(self, clause: Way, fuel: int) -> Any:
        listed = [part for part in clause[0] if isinstance(part, Enum)]
        if listed:
            values = [value.thaw() for value in listed[0].values]
            self.rng.shuffle(values)
            return self.first([v for v in values if not self.json or is_json(v)], clause)
        kinds = self._kinds(clause)
        self.rng.shuffle(kinds)
        for kind in dict.fromkeys(kinds):
            try:
                return _MAKERS[kind](self, clause, fuel)
            except NoSample:
                continue
        raise NoSample("no kind of value fits")

    def _kinds(self, clause: Way) -> list[str]:
        pos, neg = clause
        told = [taken for part in pos if (taken := kinds_taken(part)) is not None]
        # What is not within a range is of a kind that ranges speak of.
        told += [part.constraints[0].row.kinds for part in neg if isinstance(part, Refined)]
        kinds = [k for k in (_DRAWN if told else _LIKELY) if all(k in kinds for kinds in told)]
        scalars = [part.name for part in neg if isinstance(part, Scalar)]
        refused = {kind for name in scalars for kind in SCALARS[name].kinds - {"float"}}
        return [k for k in kinds if k not in refused and not (self.json and k in _NO_JSON)]

    def first(self, values: Iterable[Any], clause: Way) -> Any:
        """Return the first of *values* that the atoms of *clause* allow."""
        pos, neg = clause
        for place, value in enumerate(values):
            self.left -= place % 10 == 9
            if all(accepts(part, self.definitions, value) for part in pos) and not any(
                accepts(part, self.definitions, value) for part in neg
            ):
                return value
        raise NoSample("no value meets what is asked for")


def kinds_taken(atom: Type) -> frozenset[str] | None:
    """Return the kinds of the values of *atom*, None for any kind."""
    match atom:
        case Scalar(name):
            return SCALARS[name].kinds
        case List() | Tuple():
            return frozenset({"list"})
        case Set():
            return frozenset({"set"})
        case MapOf() | Record():
            return frozenset({"map"})
        case _:
            return None


def _nil(drawer: Drawer, clause: Way, fuel: int) -> Any:
    return drawer.first([None], clause)


def _bool(drawer: Drawer, clause: Way, fuel: int) -> Any:
    return drawer.first(drawer.rng.sample((True, False), 2), clause)


def _datetime(drawer: Drawer, clause: Way, fuel: int) -> Any:
    rng = drawer.rng
    zone = rng.choice([UTC, timezone(timedelta(hours=5, minutes=30))])
    days, minutes = rng.randint(-9_000, 9_000), rng.randint(0, 1_440)
    return datetime(2026, 1, 31, tzinfo=zone) + timedelta(days, minutes=minutes)


def _number(kind: str) -> Callable[[Drawer, Way, int], Any]:
    def draw(drawer: Drawer, clause: Way, fuel: int) -> Any:
        return drawer.first(numbers_near(limits_of(clause), kind, drawer.rng), clause)

    return draw


def _text(kind: str) -> Callable[[Drawer, Way, int], Any]:
    def draw(drawer: Drawer, clause: Way, fuel: int) -> Any:
        return drawer.first(texts_near(limits_of(clause), kind, drawer.rng), clause)

    return draw


_MAKERS: dict[str, Callable[[Drawer, Way, int], Any]] = {
    "nil": _nil,
    "bool": _bool,
    "int": _number("int"),
    "float": _number("float"),
    "string": _text("string"),
    "keyword": _text("keyword"),
    "list": draw_list,
    "map": draw_map,
    "set": draw_set,
    "datetime": _datetime,
}
