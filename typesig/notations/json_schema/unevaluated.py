"""`unevaluatedProperties`, `unevaluatedItems`: a schema for what no other keyword has evaluated.

What that is depends on the branches that a value conforms to.  Each combination of branches is an
alternative: the types of the branches, and a record or a list of what they evaluate; the result is
the union of the alternatives.  A value of one alternative may conform to more branches than the
alternative names, which then only evaluate more of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import Any, NamedTuple

from typesig.algebra.constructors import make_both, make_not, make_refined, make_union, record
from typesig.algebra.nodes import ANY, Field, List, PatternField, Tuple, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.errors import TypesigError, Unsupported
from typesig.limits import MAX_ALTERNATIVES
from typesig.notations.json_schema.keywords import JsonKind, make_union_of_kinds
from typesig.notations.json_schema.reading_state import SchemaReading
from typesig.notations.json_schema.references import Place, Pointer

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class Alternative(NamedTuple):
    """A combination of branches, and the properties or items that they evaluate.

    #: branches: the types of the branches
    #: names, patterns: the names of the properties, and the patterns of their names
    #: positions: how many items at the start
    #: items: the types of the other items, wherever they are
    #: everything: whether the branches evaluate every property, or every item
    """

    branches: tuple[Type, ...] = ()
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    positions: int = 0
    items: frozenset[Type] = frozenset()
    everything: bool = False

    def has_more_than(self, known: Alternative) -> bool:
        """Whether *known* lacks a property or item that the alternative evaluates."""
        return not known.everything and (
            self.everything
            or not self.names <= known.names
            or not self.patterns <= known.patterns
            or self.positions > known.positions
            or not self.items <= known.items
        )


EVERYTHING = Alternative(everything=True)


class Aspect(NamedTuple):
    """The differences between the keywords for unevaluated properties and items.

    #: evaluated: takes the keyword's run and a place in it; returns what that place evaluates
    #: type_of: takes what is evaluated, and the type of the rest, or None if there is none
    """

    word: str
    kind: JsonKind
    evaluated: Callable[[SchemaReading, Place], Alternative]
    type_of: Callable[[Alternative, Type | None], Type]


def read_unevaluated(
    reading: SchemaReading, place: Place, word: str, kinds: frozenset[JsonKind]
) -> Type:
    """Return the type that the `unevaluated…` keyword *word* at *place* describes."""
    aspect, schema = _ASPECTS[word], place.schema[word]
    if aspect.kind not in kinds or schema is True:
        return ANY
    rest = None if schema is False else reading.read(reading.get_inner_place(place, word))
    search = _UnevaluatedSearch(reading, place, aspect)
    made = []
    for seen in search.find_alternatives(place, Alternative()):
        parts = list(seen.branches)
        if not seen.everything and rest != ANY:
            try:
                parts.append(aspect.type_of(seen, rest))
            except TypesigError as error:
                # A pattern of names that cannot be searched.
                raise reading.make_refusal(place.pointer, word, str(error)) from None
        made.append(make_both(parts) if parts else ANY)
    others = kinds - {aspect.kind}
    return make_union([*([make_union_of_kinds(others)] if others else []), *made])


def _record_of(seen: Alternative, rest: Type | None) -> Type:
    """Build the record type of the properties *seen* and of others with type *rest*."""
    fields = [Field(name, ANY, False, None, True) for name in sorted(seen.names)]
    matching = [PatternField(pattern, ANY) for pattern in sorted(seen.patterns)]
    return record(fields, rest, matching)


def _list_of(seen: Alternative, rest: Type | None) -> Type:
    """Build the list type of the items *seen* and of others with type *rest*."""
    others = [*([] if rest is None else [rest]), *sorted(seen.items, key=str)]
    count = seen.positions
    if others and not count:
        return List(make_union(others))
    short = make_refined(List(ANY), [Constraint("at_most", count)])
    return make_union([short, Tuple((ANY,) * count, make_union(others))]) if others else short


class _UnevaluatedSearch:
    """Search for all alternatives of a schema, in its keywords and subschemas."""

    def __init__(self, reading: SchemaReading, place: Place, aspect: Aspect) -> None:
        self.reading = reading
        self.start = place
        self.aspect = aspect
        self.kinds: frozenset[JsonKind] = frozenset({aspect.kind})
        self.applicators = dict(_APPLICATORS)
        if aspect.kind == "object":
            self.applicators |= _OBJECT_APPLICATORS
        self.inside: list[Pointer] = []

    def _find_always_evaluated(self, place: Place) -> Alternative:
        """Return the properties or items that *place* evaluates for any value.

        It is looked for once in each place, whichever search asks: the branches of a tree would
        ask for all that is below them.
        """
        if not isinstance(place.schema, dict):
            return Alternative()
        if self._has_word(place):
            return EVERYTHING
        known, key = self.reading.evaluated, (self.aspect.word, place.pointer, self.reading.scope)
        if key not in known:
            # What leads back to here finds nothing more.
            known[key] = Alternative()
            self.reading.count_schema()
            with self.reading.enter_place(place, self.reading.scope):
                known[key] = self._find_always_inside(place)
        seen: Alternative = known[key]
        return seen

    def _find_always_inside(self, place: Place) -> Alternative:
        """Collect the properties or items that `$ref` and `allOf` evaluate."""
        schema = place.schema
        seen = self.aspect.evaluated(self.reading, place)
        for word in REFERENCES:
            if place.has(word):
                target = self.reading.resolve_reference(place, word)
                seen = _merge_alternatives(seen, self._find_always_evaluated(target))
        members = schema.get("allOf")
        for count in range(len(members) if isinstance(members, list) else 0):
            member = self.reading.get_inner_place(place, "allOf", str(count))
            seen = _merge_alternatives(seen, self._find_always_evaluated(member))
        return seen

    def _has_word(self, place: Place) -> bool:
        """Whether the inner schema at *place* has the `unevaluated…` keyword."""
        word = self.aspect.word
        is_inner = place.pointer != self.start.pointer
        return is_inner and place.has(word)

    def find_alternatives(self, place: Place, known: Alternative) -> list[Alternative]:
        """Return the alternatives at *place*; branches that add nothing to *known* are merged."""
        schema = place.schema
        if not isinstance(schema, dict):
            return [Alternative()]
        self.reading.count_schema()
        if place.pointer in self.inside:
            raise self._make_refusal("a reference leads back to the same schema")
        known = _merge_alternatives(known, self._find_always_evaluated(place))
        if known.everything:
            # No branch evaluates more.
            return [EVERYTHING]
        self.inside.append(place.pointer)
        parts = [[self.aspect.evaluated(self.reading, place)]]
        with self.reading.enter_place(place, self.reading.scope):
            for word, step in self.applicators.items():
                if place.has(word):
                    parts.append(step(self, place, word, known))
        self.inside.pop()
        return self._combine(parts)

    def _combine(self, parts: Iterable[list[Alternative]]) -> list[Alternative]:
        """Merge each choice of one alternative from every list in *parts*."""
        out = [Alternative()]
        for part in parts:
            if len(out) * len(part) > MAX_ALTERNATIVES:
                raise self._make_refusal(f"more than {MAX_ALTERNATIVES} combinations of branches")
            out = [_merge_alternatives(a, b) for a, b in product(out, part)]
        return list(dict.fromkeys(out))

    def _make_refusal(self, why: str) -> Unsupported:
        """Build the error that refuses the `unevaluated…` keyword, with reason *why*."""
        return self.reading.make_refusal(self.start.pointer, self.aspect.word, why)

    def _find_each(
        self, place: Place, word: str, known: Alternative
    ) -> list[tuple[Place, list[Alternative]]]:
        """Pair the place of each schema in the list *word* with its alternatives."""
        members = place.schema[word]
        count = len(members) if isinstance(members, list) else 0
        each = [self.reading.get_inner_place(place, word, str(n)) for n in range(count)]
        return [(member, self.find_alternatives(member, known)) for member in each]

    def _search_all_of(self, place: Place, word: str, known: Alternative) -> list[Alternative]:
        """Combine the alternatives of all schemas of `allOf` at *place*."""
        return self._combine(found for _, found in self._find_each(place, word, known))

    def _search_ref(self, place: Place, word: str, known: Alternative) -> list[Alternative]:
        """Find the alternatives of the target of the reference *word* at *place*."""
        return self.find_alternatives(self.reading.resolve_reference(place, word), known)

    def _search_any_of(self, place: Place, word: str, known: Alternative) -> list[Alternative]:
        """Combine the alternatives of every subset of `anyOf` branches at *place*."""
        options = self._search_branches(place, word, known)
        if 2 ** len(options) > MAX_ALTERNATIVES:
            raise self._make_refusal(f"more than {MAX_ALTERNATIVES} combinations of branches")
        chosen = [c for n in range(len(options) + 1) for c in combinations(options, n)]
        return [seen for some in chosen for seen in self._combine(some)]

    def _search_one_of(self, place: Place, word: str, known: Alternative) -> list[Alternative]:
        """Find the alternatives of every single `oneOf` branch at *place*."""
        options = self._search_branches(place, word, known)
        return [Alternative(), *[seen for option in options for seen in option]]

    def _search_branches(
        self, place: Place, word: str, known: Alternative
    ) -> list[list[Alternative]]:
        """List the alternatives of each branch that adds to *known*."""
        return [
            [
                _merge_alternatives(Alternative((self.reading.read(member, self.kinds),)), seen)
                for seen in found
            ]
            for member, found in self._find_each(place, word, known)
            if any(seen.has_more_than(known) for seen in found)
        ]

    def _search_if(self, place: Place, word: str, known: Alternative) -> list[Alternative]:
        """Find the alternatives of `if` with `then`, and of `else`, at *place*."""
        reading, schema = self.reading, place.schema
        condition = reading.get_inner_place(place, word)
        there = self.find_alternatives(condition, known)
        yes: list[list[Alternative]] = [there]
        no: list[list[Alternative]] = []
        for other, side in (("then", yes), ("else", no)):
            if other in schema:
                side.append(self.find_alternatives(reading.get_inner_place(place, other), known))
        if not any(seen.has_more_than(known) for part in (*yes, *no) for seen in part):
            return [Alternative()]
        fits = reading.read_in_negation(lambda: reading.read(condition, self.kinds))
        yes_branch, no_branch = Alternative((fits,)), Alternative((make_not(fits),))
        return [
            *[_merge_alternatives(yes_branch, seen) for seen in self._combine(yes)],
            *[_merge_alternatives(no_branch, seen) for seen in self._combine(no)],
        ]

    def _search_dependent(self, place: Place, word: str, known: Alternative) -> list[Alternative]:
        """Find the alternatives of `dependentSchemas` at *place*, by property name."""
        parts = []
        members = place.schema[word]
        for name in members if isinstance(members, dict) else ():
            inner = self.reading.get_inner_place(place, word, name)
            found = self.find_alternatives(inner, known)
            if not any(seen.has_more_than(known) for seen in found):
                continue
            has = Alternative((record([Field(name, ANY, exact=True)]),))
            parts.append([Alternative(), *[_merge_alternatives(has, seen) for seen in found]])
        return self._combine(parts)


def _find_evaluated_properties(reading: SchemaReading, place: Place) -> Alternative:
    """Collect the properties that the schema at *place* evaluates by its own keywords."""
    schema = place.schema
    names, patterns = schema.get("properties"), schema.get("patternProperties")
    return Alternative(
        names=frozenset(names) if isinstance(names, dict) else frozenset(),
        patterns=frozenset(patterns) if isinstance(patterns, dict) else frozenset(),
        everything="additionalProperties" in schema,
    )


def _find_evaluated_items(reading: SchemaReading, place: Place) -> Alternative:
    """Collect the list items that the schema at *place* evaluates by its own keywords."""
    schema, knows = place.schema, place.dialect.is_keyword
    word = "prefixItems" if "prefixItems" in schema and knows("prefixItems") else "items"
    positions = len(schema[word]) if isinstance(schema.get(word), list) else 0
    rest = "additionalItems" if word == "items" and isinstance(schema.get(word), list) else "items"
    contained = frozenset[Type]()
    if "contains" in schema and knows("prefixItems"):
        # Before 2020-12, `contains` only counted items.
        contained = frozenset({reading.read(reading.get_inner_place(place, "contains"))})
    everything = rest in schema and knows(rest)
    return Alternative(positions=positions, items=contained, everything=everything)


def _merge_alternatives(a: Alternative, b: Alternative) -> Alternative:
    """Merge *a* and *b* into an alternative for values that satisfy both."""
    return Alternative(
        a.branches + b.branches,
        a.names | b.names,
        a.patterns | b.patterns,
        max(a.positions, b.positions),
        a.items | b.items,
        a.everything or b.everything,
    )


_Step = Callable[[_UnevaluatedSearch, Place, str, Alternative], list[Alternative]]

_ASPECTS = {
    "unevaluatedProperties": Aspect(
        "unevaluatedProperties", "object", _find_evaluated_properties, _record_of
    ),
    "unevaluatedItems": Aspect("unevaluatedItems", "array", _find_evaluated_items, _list_of),
}

#: The keywords whose schemas evaluate parts of the same value.
_APPLICATORS: dict[str, _Step] = {
    "$ref": _UnevaluatedSearch._search_ref,
    "$dynamicRef": _UnevaluatedSearch._search_ref,
    "$recursiveRef": _UnevaluatedSearch._search_ref,
    "allOf": _UnevaluatedSearch._search_all_of,
    "anyOf": _UnevaluatedSearch._search_any_of,
    "oneOf": _UnevaluatedSearch._search_one_of,
    "if": _UnevaluatedSearch._search_if,
}

#: Those that only apply to objects.
_OBJECT_APPLICATORS: dict[str, _Step] = {
    "dependentSchemas": _UnevaluatedSearch._search_dependent,
    "dependencies": _UnevaluatedSearch._search_dependent,
}


# --- The keywords of a schema that only apply to objects with some property ---


def read_dependencies(
    reading: SchemaReading, place: Place, word: str, kinds: frozenset[JsonKind]
) -> Type:
    """Return the type that the dependency keyword *word* at *place* describes.

    That is `dependentRequired`, `dependentSchemas`, or the older drafts' word for both.
    """
    found = place.schema[word]
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise reading.make_refusal(place.pointer, word, "it must be an object")

    def step(name: str, value: Any) -> Type:
        if word == "dependentRequired" or (word == "dependencies" and isinstance(value, list)):
            return _with_names(reading, place, word, value)
        return reading.read(reading.get_inner_place(place, word, name), kinds & {"object"})

    made = [
        make_union([make_not(record([Field(name, ANY, exact=True)])), step(name, value)])
        for name, value in found.items()
    ]
    return make_both(made) if made else ANY


def _with_names(reading: SchemaReading, place: Place, word: str, names: Any) -> Type:
    """Build the record type that requires the property *names* of the keyword *word*."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise reading.make_refusal(place.pointer, word, "its values must be lists of names")
    return record([Field(name, ANY, exact=True) for name in dict.fromkeys(names)])
