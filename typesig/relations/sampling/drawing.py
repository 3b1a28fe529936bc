"""Draws values of a type at random.

Each value is checked at each level, so a value that is returned conforms.
A new kind of values needs a row in `KIND_MAKERS`, a new scalar one in `SCALAR_MAKERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import product
from random import Random
from typing import Any, NamedTuple, TypeAlias

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import Both, Enum, Refinement, Scalar, Type
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import KINDS, Keyword, Kind
from typesig.limits import MAX_FUEL, MAX_MADE, MAX_TRIES, MAX_WORK
from typesig.relations import bounds
from typesig.relations.conformance import Judge, MapKeys, is_json
from typesig.relations.normal_form import (
    WHOLE_KINDS,
    Clause,
    Heights,
    Scope,
    estimate_clause_cost,
    find_accepted_kinds,
)
from typesig.relations.sampling.container_drawing import draw_list, draw_map, draw_set
from typesig.relations.sampling.text_samples import FORMAT_TEXTS, iter_matching_texts
from typesig.relations.step_budget import NoSample, Work


class Drawer:
    """Drawer of random values of types with shared definitions, within step limits.

    #: json: whether to draw only values that JSON has a form for
    #: left: how many values may still be drawn
    """

    def __init__(
        self,
        definitions: tuple[Definition, ...],
        rng: Random,
        json: bool = False,
        judge: Judge | None = None,
        heights: Heights | None = None,
    ) -> None:
        self.judge = judge or Judge(definitions, Work())
        self.work = self.judge.work
        self.scope = Scope({d.name: d.type for d in definitions}, self.work)
        self.map_keys = MapKeys(self.scope.names, self.work)
        self.heights = heights or Heights(self.scope.names)
        self.rng = rng
        self.json = json
        self.left = MAX_WORK

    def draw_value(self, t: Type, fuel: int = MAX_FUEL) -> Any:
        """Return a value of *t*; raise `NoSample` if none is found."""
        for _ in range(MAX_TRIES):
            self.left -= 1
            self.work.take(4)
            if self.left < 0:
                break
            try:
                found = self._draw(self._choose_clause(t, fuel), fuel)
            except NoSample:
                continue
            if self.judge.accepts(t, found):
                return found
        raise NoSample("no value was found")

    def _choose_clause(self, t: Type, fuel: int) -> Clause:
        """Choose a random clause of atoms for *t*; the shallowest if *fuel* is spent."""
        todo: list[tuple[Type, bool]] = [(t, True)]
        seen: dict[Type, bool] = {}
        found: dict[Type, bool] = {}
        while todo:
            part, wanted = todo.pop()
            if part in seen:
                if seen[part] is not wanted:
                    raise NoSample("the choices contradict each other")
                continue
            seen[part] = wanted
            if isinstance(part, Both) and wanted:
                # Inexact where keys are spelled differently, but each value is checked in the end.
                clauses: tuple[Clause, ...] | None = ((part.members, ()),)
            else:
                self.work.take(estimate_clause_cost(part))
                clauses = (
                    self.scope.find_clauses(part)
                    if wanted
                    else self.scope.find_negated_clauses(part)
                )
            if clauses is None:
                found[part] = wanted
            else:
                self.work.take(len(clauses) // 2)
                fitting = [
                    (more, less)
                    for more, less in clauses
                    if not any(seen.get(p) is False for p in more) and not any(map(seen.get, less))
                ]
                more, less = self._choose(fitting, fuel)
                todo += [(p, True) for p in more] + [(p, False) for p in less]
        pos = tuple([part for part, wanted in found.items() if wanted])
        return pos, tuple([part for part, wanted in found.items() if not wanted])

    def _choose(self, clauses: Iterable[Clause], fuel: int) -> Clause:
        """Choose a random clause; spent *fuel* leaves only the shallowest clauses."""
        measured = [(self.heights.find_tallest(clause[0]), clause) for clause in clauses]
        finite = [height for height, _ in measured if height is not None]
        if not finite:
            raise NoSample("every value would be infinite")
        most = min(finite) if fuel <= 0 else max(finite)
        return self.rng.choice(
            [c for height, c in measured if height is not None and height <= most]
        )

    def _draw(self, clause: Clause, fuel: int) -> Any:
        """Draw a value that the atoms of *clause* allow, from its enum or by kind."""
        listed = [part for part in clause[0] if isinstance(part, Enum)]
        if listed:
            self.work.take(len(listed[0].values))
            values = [value.thaw() for value in listed[0].values]
            self.rng.shuffle(values)
            return self.choose_first([v for v in values if not self.json or is_json(v)], clause)
        kinds = self._choose_kinds(clause)
        self.rng.shuffle(kinds)
        for kind in dict.fromkeys(kinds):
            try:
                return self._get_maker(clause, kind)(self, clause, fuel)
            except NoSample:
                continue
        raise NoSample("no kind of value fits")

    def _choose_kinds(self, clause: Clause) -> list[Kind]:
        """List the kinds to try for *clause*, likelier kinds more than once."""
        pos, neg = clause
        limited = [drawn for part in pos if (drawn := _get_drawable_kinds(part)) is not None]
        # A value outside a range is of a kind that ranges are about.
        limited += [part.constraints[0].row.kinds for part in neg if isinstance(part, Refinement)]
        refused = {k for part in neg if isinstance(part, Scalar) for k in WHOLE_KINDS[part.name]}
        return [
            kind
            for kind in (_DRAWN if limited else _LIKELY)
            if all(kind in allowed for allowed in limited)
            and kind not in refused
            and (KIND_MAKERS[kind].json or not self.json)
        ]

    def _get_maker(self, clause: Clause, kind: Kind) -> Maker:
        """Return the drawing function of a scalar in *clause*, or else of *kind*."""
        for part in clause[0]:
            own = SCALAR_MAKERS[part.name] if isinstance(part, Scalar) else None
            if own is not None:
                return own
        return KIND_MAKERS[kind].make

    def choose_first(self, values: Iterable[Any], clause: Clause) -> Any:
        """Return the first of *values* that the atoms of *clause* allow."""
        for place, value in enumerate(values):
            self.left -= place % 10 == 9
            self.work.take()
            if self.judge.allows(clause, value):
                return value
        raise NoSample("no value meets the clause")


#: Returns a value that is likely to meet a clause, given the levels that may still be filled.
Maker: TypeAlias = Callable[[Drawer, Clause, int], Any]


def _get_drawable_kinds(atom: Type) -> frozenset[Kind] | None:
    """Return the kinds to draw for *atom*, or None if it allows any kind."""
    if isinstance(atom, Scalar):
        # Members of Python enums are never drawn, though `kinds_accepted` counts them.
        return SCALARS[atom.name].kinds or None
    return None if isinstance(atom, Refinement) else find_accepted_kinds(atom)


def _make_maker(propose: Callable[[Drawer, list[bounds.Limit]], Iterable[Any]]) -> Maker:
    """Make the maker of the first value that a clause allows, of those proposed for its limits."""
    return lambda drawer, clause, _fuel: drawer.choose_first(
        propose(drawer, bounds.find_limits(clause)), clause
    )


def _propose_words(drawer: Drawer, limits: list[bounds.Limit]) -> Iterator[str]:
    """Yield texts that are likely to meet *limits*."""
    return propose_texts(limits, drawer.rng, drawer.work)


def _draw_datetime(drawer: Drawer, clause: Clause, fuel: int) -> Any:
    """Draw a datetime with an offset within 25 years of 2026, unchecked."""
    rng = drawer.rng
    zone = rng.choice([UTC, timezone(timedelta(hours=5, minutes=30))])
    days, minutes = rng.randint(-9_000, 9_000), rng.randint(0, 1_440)
    return datetime(2026, 1, 31, tzinfo=zone) + timedelta(days, minutes=minutes)


def _draw_object(drawer: Drawer, clause: Clause, fuel: int) -> Any:
    """Raise `NoSample`: opaque Python objects are never drawn."""
    raise NoSample("only values that have a form in a notation are drawn")


class KindMaker(NamedTuple):
    """Table row for drawing values of one kind: function, JSON form and weight.

    #: make: returns a value of the kind
    #: json: whether JSON has a form of its own for the kind
    #: weight: how often the kind is considered where a type allows any
    """

    make: Maker
    json: bool = True
    weight: int = 0


#: The order of the kinds decides which values a seed gives.
KIND_MAKERS: dict[Kind, KindMaker] = {
    "string": KindMaker(_make_maker(_propose_words), weight=2),
    "int": KindMaker(_make_maker(lambda d, found: bounds.propose_ints(found, d.rng)), weight=2),
    "float": KindMaker(_make_maker(lambda d, found: bounds.propose_floats(found, d.rng)), weight=1),
    "bool": KindMaker(_make_maker(lambda d, _: d.rng.sample((True, False), 2)), weight=1),
    "nil": KindMaker(_make_maker(lambda *_: [None]), weight=1),
    "list": KindMaker(draw_list, weight=1),
    "map": KindMaker(draw_map, weight=1),
    "keyword": KindMaker(
        _make_maker(
            lambda d, found: (Keyword(text.lstrip(":")) for text in _propose_words(d, found))
        ),
        json=False,
    ),
    "set": KindMaker(draw_set, json=False),
    "datetime": KindMaker(_draw_datetime, json=False),
    "object": KindMaker(_draw_object, json=False),
}

#: The makers of scalars that accept few of the values that the makers of their kinds draw; None for
#: those that accept most.  Such a maker passes its candidates through `Drawer.first`.
SCALAR_MAKERS: dict[ScalarName, Maker | None] = {
    "string": None,
    "int": None,
    "float": None,
    "bool": None,
    "keyword": None,
    "any": None,
    "nil": None,
    "datetime": None,
    "map": None,
}

_LIKELY: tuple[Kind, ...] = tuple(
    [kind for kind, row in KIND_MAKERS.items() for _ in range(row.weight)]
)
_DRAWN: tuple[Kind, ...] = (*dict.fromkeys(KINDS.values()), "datetime")

#: Texts for a place that no constraint limits.
WORDS = ("", "a", "Ada", "hello world", "x_1", "42", "é", "日本", "A-b", "true", "null", " ", "q.7")


def propose_texts(limits: list[bounds.Limit], rng: Random, work: Work) -> Iterator[str]:
    """Yield texts that are likely to meet *limits*; making them takes steps of *work*."""
    found = bounds.read_text_limits(limits)
    if found.low > MAX_MADE or (found.high is not None and found.low > found.high):
        return
    if found.high is not None and found.high > MAX_MADE:
        found = found._replace(high=None)
    for text in _iter_texts(found, rng, work):
        work.take(len(text) // 8)
        yield text
        yield text if found.high is None else text[: max(found.high, 0)]


def _iter_texts(limits: bounds.TextLimits, rng: Random, work: Work) -> Iterator[str]:
    """Yield texts likely to meet *limits*: formatted, matching patterns, words, letters."""
    low, high, patterns = limits.low, limits.high, limits.patterns
    shaped = [
        FORMAT_TEXTS[name].make(rng, size)
        for name in limits.formats
        for size in (0, low, low + 1, high or 0, 0, 12, 20)
    ]
    yield from shaped
    for _ in range(3 if patterns else 0):
        made = [list(iter_matching_texts(pattern, rng, work, low)) for pattern in patterns]
        for found in made:
            yield from found
            # The start or the end of a formatted text may be replaced by a match of the pattern.
            for text, whole in product(found[:1], shaped[:3]):
                yield from (whole[:at] + text for at in range(min(len(whole), 12)))
                yield from (text + whole[-at:] for at in range(1, min(len(whole), 12)))
        if len(made) > 1:
            # Patterns without anchors may all match within one text.
            yield "".join([rng.choice(found) for found in made if found])
    words = list(WORDS)
    rng.shuffle(words)
    for word in words:
        size = rng.randint(low, low + 4 if high is None else min(high, low + 4))
        yield word if len(word) >= low and not patterns else _lengthen(word, size, rng)
    for size in (low, low if high is None else high):
        yield "".join(rng.choices("abcdefghij", k=size))


def _lengthen(word: str, size: int, rng: Random) -> str:
    """Append random letters to *word* and cut the text to *size* characters."""
    return (word + "".join(rng.choices("abcdefghij", k=size)))[:size]
