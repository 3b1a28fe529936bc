"""`unevaluatedProperties`: what holds of the names that no keyword beside it has seen.

Which names those are depends on which branches a value fits.  Each combination of branches is an
alternative: the branches, and a record of the names that they see; the whole is their union.  A
branch that is not asked for may be fitted all the same, and then only sees more.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.constructors import both, negated, record, union
from typesig.algebra.nodes import ANY, Field, Matching, Type
from typesig.limits import MAX_ALTERNATIVES
from typesig.notations.json_schema.kinds import JsonKind, by_kinds

if TYPE_CHECKING:
    from typesig.notations.json_schema.reader import Reader
    from typesig.notations.json_schema.references import Place, Pointer


_WORD = "unevaluatedProperties"

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class Seen(NamedTuple):
    """The names that some branches see.

    #: branches: the types of the branches
    #: everything: whether they see every name
    """

    branches: tuple[Type, ...] = ()
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    everything: bool = False

    def more(self, known: Seen) -> bool:
        """Tell whether names are seen beyond those that are *known* to be."""
        if known.everything:
            return False
        seen = self.names <= known.names and self.patterns <= known.patterns
        return self.everything or not seen


def unevaluated(reader: Reader, place: Place, kinds: frozenset[JsonKind]) -> Type:
    """Return what `unevaluatedProperties` at *place* says of values of *kinds*."""
    if "object" not in kinds:
        return ANY
    schema = place.schema[_WORD]
    if schema is True:
        return ANY
    rest = None if schema is False else reader.read(reader.within(place, _WORD))
    found = _Looking(reader, place).at(place, kinds & {"object"}, Seen())
    made = [_within(seen, rest) for seen in found]
    others = kinds - {"object"}
    return union([*([by_kinds({}, others)] if others else []), *made])


def _within(seen: Seen, rest: Type | None) -> Type:
    if seen.everything or rest == ANY:
        return both(seen.branches) if seen.branches else ANY
    fields = [Field(name, ANY, False, None, True) for name in sorted(seen.names)]
    matching = [Matching(pattern, ANY) for pattern in sorted(seen.patterns)]
    return both([*seen.branches, record(fields, rest, matching)])


class _Looking:
    """Looks at what the keywords of one schema see, and those of the schemas applied beside."""

    def __init__(self, reader: Reader, place: Place) -> None:
        self.reader = reader
        self.start = place
        self.inside: list[Pointer] = []

    def _always(self, place: Place, inside: tuple[Pointer, ...] = ()) -> Seen:
        """Return what is seen at *place* whatever the branches."""
        self.reader.step()
        schema = place.schema
        if not isinstance(schema, dict) or place.pointer in inside:
            return Seen()
        inside = (*inside, place.pointer)
        seen = self._here(place)
        for word in REFERENCES:
            if word in schema and self.reader.knows(word):
                seen = _both(seen, self._always(self.reader.leads(place, word), inside))
        members = schema.get("allOf")
        for count in range(len(members) if isinstance(members, list) else 0):
            member = self.reader.within(place, "allOf", str(count))
            seen = _both(seen, self._always(member, inside))
        return seen

    def _here(self, place: Place) -> Seen:
        # What is not evaluated by the others is by it, save where the question is asked.
        return _named(place.schema, place.pointer != self.start.pointer)

    def at(self, place: Place, kinds: frozenset[JsonKind], known: Seen) -> list[Seen]:
        """Return the alternatives at *place*, branches that see no more than is *known* as one."""
        schema = place.schema
        if not isinstance(schema, dict):
            return [Seen()]
        self.reader.step()
        if place.pointer in self.inside:
            raise self._refused("a reference leads back to it")
        self.inside.append(place.pointer)
        words = [word for word in _WORDS if word in schema and self.reader.knows(word)]
        looks = dict.fromkeys(_WORDS[word] for word in words)
        known = _both(known, self._always(place))
        parts = [look(self, place, kinds, known) for look in looks]
        found = self._joined([[self._here(place)], *parts])
        self.inside.pop()
        return found

    def _joined(self, parts: Iterable[list[Seen]]) -> list[Seen]:
        """Return one alternative of each of *parts*, in all combinations."""
        out = [Seen()]
        for part in parts:
            if len(out) * len(part) > MAX_ALTERNATIVES:
                raise self._refused(f"more than {MAX_ALTERNATIVES} combinations of branches")
            out = [_both(a, b) for a, b in product(out, part)]
        return list(dict.fromkeys(out))

    def _refused(self, why: str) -> Exception:
        return self.reader.refusal(self.start.pointer, _WORD, why)

    def _each(
        self, place: Place, word: str, kinds: frozenset[JsonKind], known: Seen
    ) -> list[tuple[Place, list[Seen]]]:
        members = place.schema[word]
        count = len(members) if isinstance(members, list) else 0
        each = [self.reader.within(place, word, str(n)) for n in range(count)]
        return [(member, self.at(member, kinds, known)) for member in each]

    def _all_of(self, place: Place, kinds: frozenset[JsonKind], known: Seen) -> list[Seen]:
        return self._joined(found for _, found in self._each(place, "allOf", kinds, known))

    def _ref(self, place: Place, kinds: frozenset[JsonKind], known: Seen) -> list[Seen]:
        words = [word for word in REFERENCES if word in place.schema]
        return self._joined(self.at(self.reader.leads(place, word), kinds, known) for word in words)

    def _any_of(self, place: Place, kinds: frozenset[JsonKind], known: Seen) -> list[Seen]:
        options = self._fitted(place, "anyOf", kinds, known)
        if 2 ** len(options) > MAX_ALTERNATIVES:
            raise self._refused(f"more than {MAX_ALTERNATIVES} combinations of branches")
        chosen = [c for n in range(len(options) + 1) for c in combinations(options, n)]
        return [seen for some in chosen for seen in self._joined(some)]

    def _one_of(self, place: Place, kinds: frozenset[JsonKind], known: Seen) -> list[Seen]:
        options = self._fitted(place, "oneOf", kinds, known)
        return [Seen(), *[seen for option in options for seen in option]]

    def _fitted(
        self, place: Place, word: str, kinds: frozenset[JsonKind], known: Seen
    ) -> list[list[Seen]]:
        """Return the alternatives of each member that sees names, the member being fitted."""
        return [
            [_both(Seen((self.reader.read(member, kinds),)), seen) for seen in found]
            for member, found in self._each(place, word, kinds, known)
            if any(seen.more(known) for seen in found)
        ]

    def _if(self, place: Place, kinds: frozenset[JsonKind], known: Seen) -> list[Seen]:
        reader, schema = self.reader, place.schema
        condition = reader.within(place, "if")
        there = self.at(condition, kinds, known)
        yes: list[list[Seen]] = [there]
        no: list[list[Seen]] = []
        for word, side in (("then", yes), ("else", no)):
            if word in schema:
                side.append(self.at(reader.within(place, word), kinds, known))
        if not any(seen.more(known) for part in (*yes, *no) for seen in part):
            return [Seen()]
        fits = reader.denying(lambda: reader.read(condition, kinds))
        holds, fails = Seen((fits,)), Seen((negated(fits),))
        return [
            *[_both(holds, seen) for seen in self._joined(yes)],
            *[_both(fails, seen) for seen in self._joined(no)],
        ]

    def _dependent(self, place: Place, kinds: frozenset[JsonKind], known: Seen) -> list[Seen]:
        parts = []
        for name in place.schema["dependentSchemas"]:
            found = self.at(self.reader.within(place, "dependentSchemas", name), kinds, known)
            if not any(seen.more(known) for seen in found):
                continue
            has = Seen((record([Field(name, ANY, exact=True)]),))
            parts.append([Seen(), *[_both(has, seen) for seen in found]])
        return self._joined(parts)


def _named(schema: dict[str, Any], own: bool) -> Seen:
    words = ("additionalProperties", _WORD) if own else ("additionalProperties",)
    names, patterns = schema.get("properties"), schema.get("patternProperties")
    return Seen(
        (),
        frozenset(names) if isinstance(names, dict) else frozenset(),
        frozenset(patterns) if isinstance(patterns, dict) else frozenset(),
        any(word in schema for word in words),
    )


def _both(a: Seen, b: Seen) -> Seen:
    return Seen(
        a.branches + b.branches,
        a.names | b.names,
        a.patterns | b.patterns,
        a.everything or b.everything,
    )


#: The keywords whose schemas see names of the same value.
_WORDS = {
    "$ref": _Looking._ref,
    "$dynamicRef": _Looking._ref,
    "$recursiveRef": _Looking._ref,
    "allOf": _Looking._all_of,
    "anyOf": _Looking._any_of,
    "oneOf": _Looking._one_of,
    "if": _Looking._if,
    "dependentSchemas": _Looking._dependent,
}
