"""Ruling out maps: a key that must be there and cannot, or nothing that breaks what is not wanted.

What is wanted is kept as records and typed maps side by side; to say that a key is missing, or
holds something else, one more record is put beside them.  Keys that nothing declares are looked at
by the patterns that they match.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import both, negated
from typesig.algebra.nodes import (
    ANY,
    KEYWORD,
    STRING,
    Field,
    MapOf,
    Record,
    Type,
    Union,
    folded,
)
from typesig.algebra.values import Keyword
from typesig.limits import MAX_KEY_PATTERNS as MAX_PATTERNS
from typesig.limits import MAX_SPELLINGS
from typesig.relations.bounds import limits_of, sizes
from typesig.relations.clauses import NEVER, Way, limit
from typesig.relations.judging import accepts
from typesig.relations.reading import reading
from typesig.relations.spans import listed

if TYPE_CHECKING:
    from typesig.relations.emptiness import Prover


#: What a key of a record is: text, or what else Python takes for text.
TEXT: Type = Union((STRING, KEYWORD))


class Maps(NamedTuple):
    """Maps that are of all *records* and all of *typed*, with so many keys."""

    records: tuple[Record, ...]
    typed: tuple[MapOf, ...]
    low: int
    high: int | None

    def beside(self, field: Field, of: Record) -> Maps:
        """Return those of them of which *field*, as *of* understands its name, holds, too."""
        return self._replace(records=(*self.records, _alone(field, of)))

    def of(self, t: Record | MapOf) -> Maps:
        """Return those of them that are of *t*, too."""
        if isinstance(t, Record):
            return self._replace(records=(*self.records, t))
        return self._replace(typed=(*self.typed, t))


def _alone(field: Field, of: Record) -> Record:
    """Return a record of *field* alone, to which the same keys fold as in *of*."""
    kin = [f for f in of.fields if f.exact and not field.exact and folded(f.name) == field.key]
    others = [Field(f.name, ANY, False, None, True) for f in kin]
    return Record((field, *others), ANY)


def maps(prover: Prover, kind: str, clause: Way) -> bool:
    """Tell whether no map is left."""
    found = listed(prover, kind, clause)
    if found is not None:
        return found
    pos, neg = clause
    low, high = sizes(limits_of(clause))
    records = tuple([part for part in pos if isinstance(part, Record)])
    typed = tuple([part for part in pos if isinstance(part, MapOf)])
    unwanted = [part for part in neg if isinstance(part, Record | MapOf)]
    return _none(prover, Maps(records, typed, low, high), unwanted)


def _none(prover: Prover, left: Maps, unwanted: list[Record | MapOf]) -> bool:
    """Tell whether each map of *left* is one of *unwanted*, if there is any."""
    if _impossible(prover, left):
        return True
    # What no map of these is anyway breaks nothing.
    near = [t for t in unwanted if not _impossible(prover, left.of(t))]
    if not near:
        return False
    ways = [_possible(prover, left, t) for t in near]
    # What can be broken in the fewest ways first: often there is none.
    first = min(range(len(near)), key=lambda at: len(ways[at]))
    others = near[:first] + near[first + 1 :]
    return all(_none(prover, other, others) for other in ways[first])


def _possible(prover: Prover, left: Maps, unwanted: Record | MapOf) -> list[Maps]:
    """Return maps that have, between them, all of *left* that are no *unwanted*."""
    if isinstance(unwanted, MapOf):
        found = _Map(prover, left, unwanted).ways()
    else:
        found = _Record(prover, left, unwanted).ways()
    return [other for other in found if not _impossible(prover, other)]


def _impossible(prover: Prover, left: Maps) -> bool:
    """Tell whether it is plain that there is no map of *left*."""
    prover.step()
    needed: set[str] = set()
    high = left.high
    for record in left.records:
        for field in record.fields:
            if field.required:
                needed.add(folded(field.name))
                keys = _keys(left, field, record)
                if keys is not None and not any(_may_hold(prover, left, key) for key in keys):
                    return True
        if record.extra is None and not record.matching:
            # Each name stands once at most, however it is spelled.
            high = len(record.fields) if high is None else min(high, len(record.fields))
    low = max(left.low, len(needed))
    if low and left.typed and _no_entry(prover, left):
        return True
    return high is not None and low > high


def _no_entry(prover: Prover, left: Maps) -> bool:
    keys = tuple([typed.key for typed in left.typed])
    return prover.empty(keys) or prover.empty(tuple([typed.value for typed in left.typed]))


def _may_hold(prover: Prover, left: Maps, key: str) -> bool:
    # Where keys are typed, text and the keyword of that text are two keys.
    sorts = [key, Keyword(key)] if left.typed and not key.startswith(":") else [key]
    found = [_held(prover, left, sort) for sort in sorts]
    return any(held is not None and not prover.empty(held) for held in found)


def _held(prover: Prover, left: Maps, key: str) -> tuple[Type, ...] | None:
    """Return all that *key* holds in *left*, None where it cannot be there."""
    out: list[Type] = []
    for record in left.records:
        held = reading(record).holds(key)
        if held is None:
            return None
        out.append(held)
    for typed in left.typed:
        if not _takes(prover, typed, key, wrongly=True):
            return None
        out.append(typed.value)
    return tuple(out)


def _takes(prover: Prover, typed: MapOf, key: str, wrongly: bool) -> bool:
    """Tell whether *key* can be a key of *typed*; *wrongly* where it cannot be told.

    A text may be a keyword too: as a member of an enum that descends from text.
    """
    if prover.has_keywords(typed.key):
        return wrongly
    return accepts(typed.key, prover.definitions, key)


def _keys(left: Maps, field: Field, of: Record) -> list[str] | None:
    """Return spellings of *field* such that each other one is like one of them, or None."""
    if field.exact or "_" not in field.key:
        return [field.name]
    spelled = list(islice(_spellings(field.key), MAX_SPELLINGS + 1))
    if len(spelled) > MAX_SPELLINGS:
        if left.typed or any(record.matching for record in left.records):
            return None
        # They are alike, but for those that some record takes to the letter.
        written = [f.name for record in left.records for f in record.fields]
        own = [name for name in dict.fromkeys(written) if folded(name) == field.key]
        spelled = [*own, *[key for key in spelled if key not in own][:1]]
    row = reading(of)
    return [key for key in spelled if row.field(key) == field]


def _spellings(key: str) -> Iterator[str]:
    for signs in product("_-", repeat=key.count("_")):
        rest = iter(signs)
        yield "".join([next(rest) if c == "_" else c for c in key])


class _Breaking:
    """The ways in which a map of *left* may be something unwanted no more.

    #: whole: whether it may be so in a way that says nothing of the rest of the map
    """

    def __init__(self, prover: Prover, left: Maps, unwanted: Record | MapOf) -> None:
        self.prover = prover
        self.left = left
        # Whatever either of them can tell apart.
        self.told = left.of(unwanted)
        self.found: list[Maps] = []
        self.whole = False

    def holding(self, field: Field, t: Type, of: Record) -> None:
        """Let a way be that *field* is there and holds a *t*."""
        self.found.append(self.left.beside(Field(field.name, t, True, None, field.exact), of))

    def declared(self) -> Iterator[tuple[Field, Record, list[str]]]:
        """Yield what *left* declares, and the keys by which it does."""
        for record in self.left.records:
            for field in record.fields:
                keys = _keys(self.told, field, record)
                if keys is None:
                    self.whole = True
                else:
                    yield field, record, keys

    def fresh(self, patterns: list[str]) -> Iterator[tuple[frozenset[str], Way, tuple[Type, ...]]]:
        """Yield the sorts of keys that nothing declares: patterns matched, keys, values."""
        records, typed = self.left.records, self.left.typed
        every = [*patterns, *[m.pattern for record in records for m in record.matching]]
        every = list(dict.fromkeys(every))
        if len(every) > MAX_PATTERNS:
            self.whole = True
            return
        known = (*[t.key for t in typed], *([TEXT] if records else []))
        for chosen in product((False, True), repeat=len(every)):
            limits = [limit(Constraint("pattern", pattern)) for pattern in every]
            matched = frozenset(p for p, c in zip(every, chosen, strict=True) if c)
            keys: Way = (
                (*known, *[t for t, c in zip(limits, chosen, strict=True) if c]),
                tuple([t for t, c in zip(limits, chosen, strict=True) if not c]),
            )
            held = [_beyond(record, matched) for record in records]
            values = [t for t in held if t is not None] + [t.value for t in typed]
            if None not in held and not self.prover.empty(*keys):
                yield matched, keys, tuple(values)


def _beyond(record: Record, matched: frozenset[str]) -> Type | None:
    """Return what a key that *record* does not declare holds, given the patterns it matches."""
    types = [m.type for m in record.matching if m.pattern in matched]
    return both(types) if types else record.extra


class _Record(_Breaking):
    """The ways to be no *unwanted* record."""

    def __init__(self, prover: Prover, left: Maps, unwanted: Record) -> None:
        super().__init__(prover, left, unwanted)
        self.unwanted = unwanted
        self.row = reading(unwanted)

    def ways(self) -> list[Maps]:
        """Return the ways."""
        self.whole = not self._has_text_keys()
        for field in self.unwanted.fields:
            if self._twice(field):
                self.whole = True
            if field.required:
                missing = Field(field.name, NEVER, False, None, field.exact)
                self.found.append(self.left.beside(missing, self.unwanted))
            held = self.row.holds(field.name)
            if held is not None and held != ANY:
                self.holding(field, negated(held), self.unwanted)
        for field, record, keys in self.declared():
            held_by = {self.row.holds(key) for key in keys if self.row.field(key) is None}
            for t in sorted(held_by - {ANY}, key=repr):
                self.holding(field, ANY if t is None else negated(t), record)
        if not self.whole:
            self.whole = self._breaks_beyond()
        return [*self.found, *([self.left] if self.whole else [])]

    def _has_text_keys(self) -> bool:
        keys = [t.key for t in self.left.typed if not self.prover.has_keywords(t.key)]
        return bool(self.left.records) or any(self.prover.empty((k,), (TEXT,)) for k in keys)

    def _twice(self, field: Field) -> bool:
        """Tell whether a map of *left* may spell *field* in two ways at once."""
        if field.exact or "_" not in field.key:
            return False
        own = _to_the_letter(self.unwanted, field)
        for record in self.left.records:
            same = any(f.key == field.key and not f.exact for f in record.fields)
            if same and _to_the_letter(record, field) <= own:
                return False
        keys = _keys(self.told, field, self.unwanted)
        if keys is None:
            return True
        held = [key for key in keys if _may_hold(self.prover, self.left, key)]
        return len(held) > 1 or (bool(held) and 2 ** field.key.count("_") > MAX_SPELLINGS)

    def _breaks_beyond(self) -> bool:
        patterns = [m.pattern for m in self.unwanted.matching]
        for matched, _, values in self.fresh(patterns):
            t = _beyond(self.unwanted, matched)
            if t is None or not self.prover.empty(values, (t,)):
                return True
        return self.whole


def _to_the_letter(record: Record, field: Field) -> set[str]:
    return {f.name for f in record.fields if f.exact and folded(f.name) == field.key}


class _Map(_Breaking):
    """The ways to be no *unwanted* map of keys and values."""

    def __init__(self, prover: Prover, left: Maps, unwanted: MapOf) -> None:
        super().__init__(prover, left, unwanted)
        self.unwanted = unwanted

    def ways(self) -> list[Maps]:
        """Return the ways."""
        for field, record, keys in self.declared():
            sorts = [sort for key in keys for sort in (key, _as_keyword(key))]
            if not all(_takes(self.prover, self.unwanted, k, wrongly=False) for k in sorts):
                self.holding(field, ANY, record)
            self.holding(field, negated(self.unwanted.value), record)
        if not self.whole:
            self.whole = self._breaks_beyond()
        return [*self.found, *([self.left] if self.whole else [])]

    def _breaks_beyond(self) -> bool:
        key, value = self.unwanted.key, self.unwanted.value
        for _, (pos, neg), values in self.fresh([]):
            if not self.prover.empty(pos, (*neg, key)) or not self.prover.empty(values, (value,)):
                return True
        return self.whole


def _as_keyword(key: str) -> str:
    return key if key.startswith(":") else Keyword(key)
