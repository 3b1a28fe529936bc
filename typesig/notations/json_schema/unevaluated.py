"""`unevaluatedProperties`: a schema for the properties that no other keyword has evaluated.

Which properties those are depends on the branches that a value conforms to.  Each combination of
branches is an alternative: the types of the branches, and a record of the properties that they
evaluate; the result is the union of the alternatives.  A value of one alternative may conform to
more branches than the alternative names, which then only evaluate more of its properties.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import Any, NamedTuple

from typesig.algebra.constructors import both, negated, record, union
from typesig.algebra.nodes import ANY, Field, Matching, Type
from typesig.errors import Unsupported
from typesig.limits import MAX_ALTERNATIVES
from typesig.notations.json_schema.kinds import JsonKind, union_of_kinds
from typesig.notations.json_schema.reading import Reading
from typesig.notations.json_schema.references import Place, Pointer

_WORD = "unevaluatedProperties"

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class Alternative(NamedTuple):
    """A combination of branches, and the properties that they evaluate.

    #: branches: the types of the branches
    #: names, patterns: the names of the properties, and the patterns of their names
    #: everything: whether the branches evaluate every property
    """

    branches: tuple[Type, ...] = ()
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    everything: bool = False

    def has_more_than(self, known: Alternative) -> bool:
        """Tell whether properties are evaluated that *known* does not evaluate."""
        if known.everything:
            return False
        same = self.names <= known.names and self.patterns <= known.patterns
        return self.everything or not same


def unevaluated_properties(reading: Reading, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return the type that `unevaluatedProperties` at *place* describes for values of *kinds*."""
    if "object" not in kinds:
        return ANY
    schema = place.schema[_WORD]
    if schema is True:
        return ANY
    rest = None if schema is False else reading.read(reading.inner(place, _WORD))
    found = _Search(reading, place).alternatives(place, kinds & {"object"}, Alternative())
    made = [_type_of(seen, rest) for seen in found]
    others = kinds - {"object"}
    return union([*([union_of_kinds(others)] if others else []), *made])


def _type_of(seen: Alternative, rest: Type | None) -> Type:
    if seen.everything or rest == ANY:
        return both(seen.branches) if seen.branches else ANY
    fields = [Field(name, ANY, False, None, True) for name in sorted(seen.names)]
    matching = [Matching(pattern, ANY) for pattern in sorted(seen.patterns)]
    return both([*seen.branches, record(fields, rest, matching)])


class _Search:
    """Finds the alternatives of one schema, in its keywords and the schemas applied beside it."""

    def __init__(self, reading: Reading, place: Place) -> None:
        self.reading = reading
        self.start = place
        self.inside: list[Pointer] = []

    def _always_evaluated(self, place: Place, inside: tuple[Pointer, ...] = ()) -> Alternative:
        """Return the properties that *place* evaluates for every value."""
        self.reading.count_schema()
        schema = place.schema
        if not isinstance(schema, dict) or place.pointer in inside:
            return Alternative()
        inside = (*inside, place.pointer)
        seen = self._evaluated_by(place)
        for word in REFERENCES:
            if word in schema and self.reading.knows(word):
                target = self.reading.target(place, word)
                seen = _merged(seen, self._always_evaluated(target, inside))
        members = schema.get("allOf")
        for count in range(len(members) if isinstance(members, list) else 0):
            member = self.reading.inner(place, "allOf", str(count))
            seen = _merged(seen, self._always_evaluated(member, inside))
        return seen

    def _evaluated_by(self, place: Place) -> Alternative:
        # In an inner schema, `unevaluatedProperties` evaluates all the remaining properties.
        return _evaluated(place.schema, place.pointer != self.start.pointer)

    def alternatives(
        self, place: Place, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[Alternative]:
        """Return the alternatives at *place*; branches that add nothing to *known* are merged."""
        schema = place.schema
        if not isinstance(schema, dict):
            return [Alternative()]
        self.reading.count_schema()
        if place.pointer in self.inside:
            raise self._refusal("a reference leads back to the same schema")
        self.inside.append(place.pointer)
        words = [word for word in _WORDS if word in schema and self.reading.knows(word)]
        steps = dict.fromkeys(_WORDS[word] for word in words)
        known = _merged(known, self._always_evaluated(place))
        parts = [step(self, place, kinds, known) for step in steps]
        found = self._combinations([[self._evaluated_by(place)], *parts])
        self.inside.pop()
        return found

    def _combinations(self, parts: Iterable[list[Alternative]]) -> list[Alternative]:
        """Return all combinations of one alternative of each of *parts*."""
        out = [Alternative()]
        for part in parts:
            if len(out) * len(part) > MAX_ALTERNATIVES:
                raise self._refusal(f"more than {MAX_ALTERNATIVES} combinations of branches")
            out = [_merged(a, b) for a, b in product(out, part)]
        return list(dict.fromkeys(out))

    def _refusal(self, why: str) -> Unsupported:
        return self.reading.refusal(self.start.pointer, _WORD, why)

    def _each(
        self, place: Place, word: str, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[tuple[Place, list[Alternative]]]:
        members = place.schema[word]
        count = len(members) if isinstance(members, list) else 0
        each = [self.reading.inner(place, word, str(n)) for n in range(count)]
        return [(member, self.alternatives(member, kinds, known)) for member in each]

    def _all_of(
        self, place: Place, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[Alternative]:
        return self._combinations(found for _, found in self._each(place, "allOf", kinds, known))

    def _ref(
        self, place: Place, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[Alternative]:
        words = [word for word in REFERENCES if word in place.schema]
        return self._combinations(
            self.alternatives(self.reading.target(place, word), kinds, known) for word in words
        )

    def _any_of(
        self, place: Place, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[Alternative]:
        options = self._branches(place, "anyOf", kinds, known)
        if 2 ** len(options) > MAX_ALTERNATIVES:
            raise self._refusal(f"more than {MAX_ALTERNATIVES} combinations of branches")
        chosen = [c for n in range(len(options) + 1) for c in combinations(options, n)]
        return [seen for some in chosen for seen in self._combinations(some)]

    def _one_of(
        self, place: Place, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[Alternative]:
        options = self._branches(place, "oneOf", kinds, known)
        return [Alternative(), *[seen for option in options for seen in option]]

    def _branches(
        self, place: Place, word: str, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[list[Alternative]]:
        """Return, for each member that evaluates more than *known*, its alternatives with it."""
        return [
            [_merged(Alternative((self.reading.read(member, kinds),)), seen) for seen in found]
            for member, found in self._each(place, word, kinds, known)
            if any(seen.has_more_than(known) for seen in found)
        ]

    def _if(
        self, place: Place, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[Alternative]:
        reading, schema = self.reading, place.schema
        condition = reading.inner(place, "if")
        there = self.alternatives(condition, kinds, known)
        yes: list[list[Alternative]] = [there]
        no: list[list[Alternative]] = []
        for word, side in (("then", yes), ("else", no)):
            if word in schema:
                side.append(self.alternatives(reading.inner(place, word), kinds, known))
        if not any(seen.has_more_than(known) for part in (*yes, *no) for seen in part):
            return [Alternative()]
        fits = reading.in_negation(lambda: reading.read(condition, kinds))
        yes_branch, no_branch = Alternative((fits,)), Alternative((negated(fits),))
        return [
            *[_merged(yes_branch, seen) for seen in self._combinations(yes)],
            *[_merged(no_branch, seen) for seen in self._combinations(no)],
        ]

    def _dependent(
        self, place: Place, kinds: frozenset[JsonKind], known: Alternative
    ) -> list[Alternative]:
        parts = []
        for name in place.schema["dependentSchemas"]:
            found = self.alternatives(
                self.reading.inner(place, "dependentSchemas", name), kinds, known
            )
            if not any(seen.has_more_than(known) for seen in found):
                continue
            has = Alternative((record([Field(name, ANY, exact=True)]),))
            parts.append([Alternative(), *[_merged(has, seen) for seen in found]])
        return self._combinations(parts)


def _evaluated(schema: dict[str, Any], own: bool) -> Alternative:
    words = ("additionalProperties", _WORD) if own else ("additionalProperties",)
    names, patterns = schema.get("properties"), schema.get("patternProperties")
    return Alternative(
        (),
        frozenset(names) if isinstance(names, dict) else frozenset(),
        frozenset(patterns) if isinstance(patterns, dict) else frozenset(),
        any(word in schema for word in words),
    )


def _merged(a: Alternative, b: Alternative) -> Alternative:
    return Alternative(
        a.branches + b.branches,
        a.names | b.names,
        a.patterns | b.patterns,
        a.everything or b.everything,
    )


#: The keywords whose schemas evaluate properties of the same value.
_WORDS = {
    "$ref": _Search._ref,
    "$dynamicRef": _Search._ref,
    "$recursiveRef": _Search._ref,
    "allOf": _Search._all_of,
    "anyOf": _Search._any_of,
    "oneOf": _Search._one_of,
    "if": _Search._if,
    "dependentSchemas": _Search._dependent,
}
