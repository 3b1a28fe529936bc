"""Proofs that no map is left.

None is left if a required key has no value, or if every map that is left is of an excluded type.
The types that a map must be of are kept as records and typed maps; another record among them
expresses that a key is missing or has a value of another type.  Undeclared keys are grouped by the
patterns that they match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import islice, product
from typing import Any, NamedTuple, TypeAlias

from typesig.algebra import nodes
from typesig.algebra.constructors import make_both, make_not
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.values import Keyword
from typesig.limits import MAX_KEY_PATTERNS, MAX_SPELLINGS
from typesig.relations.bounds import find_limits, read_sizes
from typesig.relations.conformance import Prover, get_record_keys
from typesig.relations.normal_form import NEVER, Clause, limit
from typesig.relations.proofs.scalar_proofs import has_no_enum_value

#: The keys of a record: text, or the keywords that Python treats as text.
TEXT: nodes.Type = nodes.Union((nodes.STRING, nodes.KEYWORD))


class Candidates(NamedTuple):
    """Maps that are in all types *records* and *typed*, with limits of size."""

    records: tuple[nodes.Record, ...]
    typed: tuple[nodes.MapOf, ...]
    low: int
    high: int | None

    def with_field(self, field: nodes.Field, of: nodes.Record) -> Candidates:
        """Return those candidates that also meet *field*, with keys folded as in *of*."""
        kin = [
            f for f in of.fields if f.exact and not field.exact and fold_name(f.name) == field.key
        ]
        others = [nodes.Field(f.name, nodes.ANY, False, None, True) for f in kin]
        return self.add_type(nodes.Record((field, *others), nodes.ANY))

    def add_type(self, t: nodes.Record | nodes.MapOf) -> Candidates:
        """Return those candidates that are also of type *t*."""
        if isinstance(t, nodes.Record):
            return self._replace(records=(*self.records, t))
        return self._replace(typed=(*self.typed, t))


def has_no_map(prover: Prover, clause: Clause) -> bool:
    """Whether it is proved that *clause* allows no map."""
    found = has_no_enum_value(prover, "map", clause)
    if found is not None:
        return found
    pos, neg = clause
    low, high = read_sizes(find_limits(clause))
    records = tuple([part for part in pos if isinstance(part, nodes.Record)])
    typed = tuple([_with_texts(prover, part) for part in pos if isinstance(part, nodes.MapOf)])
    unwanted = [part for part in neg if isinstance(part, nodes.Record)]
    others = [_with_texts(prover, part) for part in neg if isinstance(part, nodes.MapOf)]
    return _covers_all_maps(prover, Candidates(records, typed, low, high), [*unwanted, *others])


def _with_texts(prover: Prover, t: nodes.MapOf) -> nodes.MapOf:
    """Widen the key type of map type *t* to text keys that match its keywords."""
    return nodes.MapOf(prover.map_keys.get_key_type(t.key), t.value)


def _covers_all_maps(
    prover: Prover, left: Candidates, unwanted: list[nodes.Record | nodes.MapOf]
) -> bool:
    """Whether every map of *left* is of one of the types *unwanted*."""
    pending = [] if _is_impossible(prover, left) else [(left, unwanted)]
    while pending:
        current, others = pending.pop()
        prover.work.take(len(others))
        # A type that excludes none of the maps does not matter.
        near = [t for t in others if not _is_disjoint(prover, current, t)]
        if not near:
            return False
        first, outside = _choose_fewest_outside(prover, current, near)
        pending += [(other, near[:first] + near[first + 1 :]) for other in outside]
    return True


def _choose_fewest_outside(
    prover: Prover, left: Candidates, near: list[nodes.Record | nodes.MapOf]
) -> tuple[int, list[Candidates]]:
    """Return the index in *near* with the fewest candidates outside, and these.

    Often it has none.
    """
    found: tuple[int, list[Candidates]] | None = None
    for place, t in enumerate(near):
        outside = _split_outside(prover, left, t)
        if found is None or len(outside) < len(found[1]):
            found = place, outside
        if not outside:
            break
    assert found is not None
    return found


def _is_disjoint(prover: Prover, left: Candidates, t: nodes.Record | nodes.MapOf) -> bool:
    """Whether *t* is proved to have no map of *left*, which is not empty."""
    within = left.add_type(t)
    if isinstance(t, nodes.MapOf) or t.matching or t.extra != nodes.ANY:
        return _is_impossible(prover, within)
    if any(get_record_keys(record).has_other_tag(t) for record in left.records):
        return True
    return _is_impossible(
        prover, within, dict.fromkeys(fold_name(field.name) for field in t.fields)
    )


def _split_outside(
    prover: Prover, left: Candidates, unwanted: nodes.Record | nodes.MapOf
) -> list[Candidates]:
    """Split the maps of *left* that are not of type *unwanted* into candidates."""
    found: _OutsideMaps
    if isinstance(unwanted, nodes.MapOf):
        found = _OutsideMapOf(prover, left, unwanted)
    else:
        found = _OutsideRecord(prover, left, unwanted)
    out: list[Candidates] = []
    for other in found.find_alternatives():
        new = other.records[len(left.records) :]
        keys = dict.fromkeys(fold_name(field.name) for record in new for field in record.fields)
        if not _is_impossible(prover, other, keys):
            out.append(other)
    return out


def _is_impossible(prover: Prover, left: Candidates, changed: Iterable[str] | None = None) -> bool:
    """Whether keys and sizes prove that *left* has no map; *changed* limits the keys.

    With *changed*, maps are left of those without that, as far as all other names are concerned.
    """
    prover.work.take(len(left.records))
    for record in left.records:
        for field in get_record_keys(record).get_required_fields(changed):
            prover.work.take()
            keys = _get_spellings(left, field, record)
            if keys is not None and not any(_may_have(prover, left, key) for key in keys):
                return True
    return _has_contradicting_sizes(prover, left)


def _has_contradicting_sizes(prover: Prover, left: Candidates) -> bool:
    """Whether the size limits of *left* contradict its required keys."""
    high = left.high
    for record in left.records:
        if record.extra is None and not record.matching:
            # Each name occurs once at most, in one of its spellings.
            high = len(record.fields) if high is None else min(high, len(record.fields))
    if high is None and not left.typed:
        return False
    needed = set[str]().union(*[get_record_keys(record).needed for record in left.records])
    prover.work.take(len(needed) // 8)
    low = max(left.low, len(needed))
    if low and left.typed:
        keys = tuple([typed.key for typed in left.typed])
        values = tuple([typed.value for typed in left.typed])
        if prover.is_empty(keys) or prover.is_empty(values):
            return True
    return high is not None and low > high


def _may_have(prover: Prover, left: Candidates, key: str) -> bool:
    """Whether a map of *left* may contain *key*, as text or as keyword."""
    # Typed maps tell a text from the keyword of the same text.
    forms = [key, Keyword(key)] if left.typed and not key.startswith(":") else [key]
    found = [_get_value_types(prover, left, form) for form in forms]
    return any(types is not None and not prover.is_empty(types) for types in found)


def _get_value_types(prover: Prover, left: Candidates, key: str) -> tuple[nodes.Type, ...] | None:
    """Return the types of the value at *key* in *left*, or None if the key is not allowed."""
    prover.work.take(1 + len(left.records) // 2)
    out: list[nodes.Type] = []
    for record in left.records:
        held = get_record_keys(record).get_value_type(key)
        if held is None:
            return None
        out.append(held)
    for typed in left.typed:
        if not _accepts_key(prover, typed, key, unsure=True):
            return None
        out.append(typed.value)
    return tuple(out)


def _accepts_key(prover: Prover, typed: nodes.MapOf, key: str, unsure: bool) -> bool:
    """Whether map type *typed* accepts *key*; return *unsure* if that is uncertain.

    A text may be a keyword too: a member of a Python enum that inherits from str.
    """
    may_be_member = prover.has_keywords(typed.key)
    if may_be_member and unsure:
        return True
    forms = (key, *_find_enum_members(str.__str__(key))) if may_be_member else (key,)
    return all(prover.judge.accepts(typed.key, form) for form in forms)


class _HashedByName(StrEnum):
    """A sample text enum with name hashes, so that a set of texts lacks its members."""


class _HashedAsText(StrEnum):
    """A sample text enum with text hashes, so that a set of texts finds its members."""

    __hash__ = str.__hash__


@lru_cache(maxsize=1024)
def _find_enum_members(key: str) -> tuple[str, ...]:
    """Make sample members of Python enums that are equal to the text *key*."""
    classes: tuple[Any, ...] = (_HashedByName, _HashedAsText)
    return tuple([cls("Member", {"MEMBER": key}).MEMBER for cls in classes])


def _get_spellings(left: Candidates, field: nodes.Field, of: nodes.Record) -> list[str] | None:
    """Representative spellings of *field*, or None if there are too many."""
    if field.exact or "_" not in field.key:
        return [field.name]
    spelled = list(islice(_iter_spellings(field.key), MAX_SPELLINGS + 1))
    if len(spelled) > MAX_SPELLINGS:
        if left.typed or any(record.matching for record in left.records):
            return None
        # They are alike, except those that are exact in some record.
        written = [f.name for record in left.records for f in record.fields]
        own = [name for name in dict.fromkeys(written) if fold_name(name) == field.key]
        spelled = [*own, *[key for key in spelled if key not in own][:1]]
    names = get_record_keys(of)
    return [key for key in spelled if names.field(key) == field]


def _iter_spellings(key: str) -> Iterator[str]:
    """Yield all spellings of *key* with hyphens in place of underscores."""
    for signs in product("_-", repeat=key.count("_")):
        rest = iter(signs)
        yield "".join([next(rest) if c == "_" else c for c in key])


#: Undeclared keys: the patterns that they match, their clause, and the types of their values.
KeyGroup: TypeAlias = tuple[frozenset[str], Clause, tuple[nodes.Type, ...]]


class _OutsideMaps:
    """Search for candidates that cover the maps of *left* outside a type.

    #: found: candidates that cover some of those maps
    #: whole: whether any map of *left* may be outside, so that no narrower candidates cover them
    """

    def __init__(
        self, prover: Prover, left: Candidates, unwanted: nodes.Record | nodes.MapOf
    ) -> None:
        self.prover = prover
        self.left = left
        # Keys are distinguished as in either of the two.
        self.merged = left.add_type(unwanted)
        self.found: list[Candidates] = []
        self.whole = False

    def add_with(self, field: nodes.Field, t: nodes.Type, of: nodes.Record) -> None:
        """Add the candidates that have *field*, with a value of *t*."""
        self.found.append(
            self.left.with_field(nodes.Field(field.name, t, True, None, field.exact), of)
        )

    def iter_declared(self) -> Iterator[tuple[nodes.Field, nodes.Record, list[str]]]:
        """Yield the declared fields of *left*, with their record and spellings."""
        for record in self.left.records:
            for field in record.fields:
                self.prover.work.take()
                keys = _get_spellings(self.merged, field, record)
                if keys is None:
                    self.whole = True
                else:
                    yield field, record, keys

    def iter_undeclared(self, patterns: list[str]) -> Iterator[KeyGroup]:
        """Yield groups of undeclared keys, by the key patterns that they match."""
        records, typed = self.left.records, self.left.typed
        every = [*patterns, *[m.pattern for record in records for m in record.matching]]
        every = list(dict.fromkeys(every))
        if len(every) > MAX_KEY_PATTERNS:
            self.whole = True
            return
        known = (*[t.key for t in typed], *([TEXT] if records else []))
        for chosen in product((False, True), repeat=len(every)):
            limits = [limit(Constraint("pattern", pattern)) for pattern in every]
            matched = frozenset(p for p, c in zip(every, chosen, strict=True) if c)
            keys: Clause = (
                (*known, *[t for t, c in zip(limits, chosen, strict=True) if c]),
                tuple([t for t, c in zip(limits, chosen, strict=True) if not c]),
            )
            held = [_get_undeclared_type(record, matched) for record in records]
            values = [t for t in held if t is not None] + [t.value for t in typed]
            if None not in held and not self.prover.is_empty(*keys):
                yield matched, keys, tuple(values)


def _get_undeclared_type(record: nodes.Record, matched: frozenset[str]) -> nodes.Type | None:
    """Return the value type in *record* for undeclared keys of patterns *matched*."""
    types = [m.type for m in record.matching if m.pattern in matched]
    return make_both(types) if types else record.extra


class _OutsideRecord(_OutsideMaps):
    """Search for candidates that cover the maps of *left* outside a record type."""

    def __init__(self, prover: Prover, left: Candidates, unwanted: nodes.Record) -> None:
        super().__init__(prover, left, unwanted)
        self.unwanted, self.keys = unwanted, get_record_keys(unwanted)

    def find_alternatives(self) -> list[Candidates]:
        """Return candidates that cover the maps of *left* outside the record."""
        self.whole = not self._has_text_keys()
        for field in self.unwanted.fields:
            self.prover.work.take(len(self.left.records))
            if self._may_repeat(field):
                self.whole = True
            if field.required:
                missing = nodes.Field(field.name, NEVER, False, None, field.exact)
                self.found.append(self.left.with_field(missing, self.unwanted))
            held = self.keys.get_value_type(field.name)
            if held is not None and held != nodes.ANY:
                self.add_with(field, make_not(held), self.unwanted)
        for field, record, keys in self.iter_declared():
            undeclared = [key for key in keys if self.keys.field(key) is None]
            for t in dict.fromkeys(map(self.keys.get_value_type, undeclared)):
                if t != nodes.ANY:
                    self.add_with(field, nodes.ANY if t is None else make_not(t), record)
        if not self.whole:
            self.whole = self._breaks_undeclared()
        return [*self.found, *([self.left] if self.whole else [])]

    def _has_text_keys(self) -> bool:
        """Whether all keys of the remaining maps are proved to be texts."""
        keys = [t.key for t in self.left.typed if not self.prover.has_keywords(t.key)]
        return bool(self.left.records) or any(self.prover.is_empty((k,), (TEXT,)) for k in keys)

    def _may_repeat(self, field: nodes.Field) -> bool:
        """Whether a map of *left* may contain two spellings of *field*."""
        if field.exact or "_" not in field.key:
            return False
        own = _get_exact_names(self.unwanted, field)
        for record in self.left.records:
            same = any(f.key == field.key and not f.exact for f in record.fields)
            if same and _get_exact_names(record, field) <= own:
                return False
        keys = _get_spellings(self.merged, field, self.unwanted)
        if keys is None:
            return True
        held = [key for key in keys if _may_have(self.prover, self.left, key)]
        return len(held) > 1 or (bool(held) and 2 ** field.key.count("_") > MAX_SPELLINGS)

    def _breaks_undeclared(self) -> bool:
        """Whether an undeclared key of a remaining map may violate the record type."""
        patterns = [m.pattern for m in self.unwanted.matching]
        for matched, _, values in self.iter_undeclared(patterns):
            t = _get_undeclared_type(self.unwanted, matched)
            if t is None or not self.prover.is_empty(values, (t,)):
                return True
        return self.whole


def _get_exact_names(record: nodes.Record, field: nodes.Field) -> set[str]:
    """Collect the exact field names of *record* that fold to the key of *field*."""
    return {f.name for f in record.fields if f.exact and fold_name(f.name) == field.key}


class _OutsideMapOf(_OutsideMaps):
    """Search for candidates that cover the maps of *left* outside a map type."""

    def __init__(self, prover: Prover, left: Candidates, unwanted: nodes.MapOf) -> None:
        super().__init__(prover, left, unwanted)
        self.unwanted = unwanted

    def find_alternatives(self) -> list[Candidates]:
        """Return candidates that cover the maps of *left* outside the map type."""
        for field, record, keys in self.iter_declared():
            forms = [
                form for key in keys for form in (key, key if key.startswith(":") else Keyword(key))
            ]
            if not all(_accepts_key(self.prover, self.unwanted, k, unsure=False) for k in forms):
                self.add_with(field, nodes.ANY, record)
            self.add_with(field, make_not(self.unwanted.value), record)
        if not self.whole:
            self.whole = self._breaks_undeclared()
        return [*self.found, *([self.left] if self.whole else [])]

    def _breaks_undeclared(self) -> bool:
        """Whether an undeclared key of a remaining map may violate the map type."""
        key, value = self.unwanted.key, self.unwanted.value
        for _, (pos, neg), values in self.iter_undeclared([]):
            if not self.prover.is_empty(pos, (*neg, key)):
                return True
            if not self.prover.is_empty(values, (value,)):
                return True
        return self.whole
