"""The keywords of a schema that each apply to one kind of values, and the type they describe."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import (
    find_kinds,
    make_both,
    make_fixed_list,
    make_refined,
    make_union,
    map_of,
    record,
)
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Const, to_const
from typesig.errors import TypesigError
from typesig.limits import MAX_OPEN_POSITIONS
from typesig.notations.json_schema.keywords import (
    BY_NAME,
    JSON_KINDS,
    KEYWORDS,
    KINDS,
    NEVER,
    NOT_ASSERTED,
    JsonKind,
    merge_limits,
    to_json_constraint,
)
from typesig.notations.json_schema.reading_state import Keywords, SchemaReading, find_default
from typesig.notations.json_schema.references import Place

PROPERTY_WORDS = frozenset(
    {"properties", "required", "additionalProperties", "patternProperties", "propertyNames"}
)

_KEYS: frozenset[JsonKind] = frozenset({"string"})


def read_map(keywords: Keywords) -> nodes.Type:
    """Return the type of the maps that *keywords* describe, with any number of keys."""
    made = keywords.attempt("properties", lambda: _record(keywords))
    found = record([]) if made is None else made
    if not keywords.has("propertyNames"):
        return found if found.fields or found.matching else _map(nodes.STRING, found)
    read = keywords.attempt(
        "propertyNames",
        lambda: keywords.reading.read_keys(keywords.get_inner_place("propertyNames"), _KEYS),
    )
    key = nodes.STRING if read is None or read == nodes.ANY else read
    if not found.fields and not found.matching and found.extra is not None:
        return _map(key, found)
    return found if key == nodes.STRING else make_both([found, map_of(key, nodes.ANY)])


def _map(key: nodes.Type, found: nodes.Record) -> nodes.Type:
    """Return the map type of *found*, a record without fields, unless it is closed."""
    if found.extra is None:
        return found
    made = map_of(key, found.extra)
    return record([]) if made == nodes.MAP else made


def _record(keywords: Keywords) -> nodes.Record:
    """Build the record type that the object *keywords* of a schema describe."""
    matching = _read_pattern_properties(keywords)
    extra = _read_extra(keywords)
    required = _read_required(keywords)
    properties = _read_object(keywords, "properties")
    fields = [_read_property(keywords, name, name in required) for name in properties]
    others = [name for name in required if name not in properties]
    matched = _find_matched(keywords, matching, others) if extra != nodes.ANY else frozenset(others)
    for name in others:
        t = nodes.ANY if name in matched else NEVER if extra is None else extra
        fields.append(nodes.Field(name, t, exact=True))
    return record(fields, extra, matching)


def _find_matched(
    keywords: Keywords, matching: Iterable[nodes.PatternField], names: Iterable[str]
) -> frozenset[str]:
    """Return the names in *names* that match a pattern of *matching*."""
    found: set[str] = set()
    for test in [m.test() for m in matching]:
        for name in names:
            keywords.reading.count_schema()
            if name not in found and test(name):
                found.add(name)
    return frozenset(found)


def _read_object(keywords: Keywords, word: str) -> dict[str, Any]:
    """Return the schemas by name in the keyword *word*; refuse any other value."""
    found = keywords.get(word, {})
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise keywords.make_refusal(word, "it must be an object of schemas by name")
    return found


def _read_required(keywords: Keywords) -> dict[str, None]:
    """Return the names in `required`, in order, as keys of a dict; refuse other values."""
    names = keywords.get("required", [])
    if isinstance(names, bool):
        why = "it must be a list of names; draft 3 wrote it with each property"
        raise keywords.make_refusal("required", why)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise keywords.make_refusal("required", "it must be a list of names")
    return dict.fromkeys(names)


def _read_property(keywords: Keywords, name: str, required: bool) -> nodes.Field:
    """Read the property *name* as a record field, with its default unless *required*."""
    reading = keywords.reading
    place = keywords.get_inner_place("properties", name)
    reading.properties.add(place.pointer)
    read = reading.attempt(place, "", partial(reading.read, place))
    t = nodes.ANY if read is None else read
    default: Const | None = None
    stated = find_default(reading, place)
    if stated is not None:
        path = (*place.pointer, "default")
        try:
            default = to_const(stated.value)
        except TypesigError as error:
            reading.omit(path, "the default", str(error))
        if required and default is not None:
            # A field with a default may be absent, and this property may not.
            default = None
            reading.omit(path, f"the default of {name}", "the property is required")
    field = nodes.Field(name, t, required, default, True)
    if field.default is not None:
        reading.defaults[*place.pointer, "default"] = field
    return field


def _read_extra(keywords: Keywords) -> nodes.Type | None:
    """Read `additionalProperties` as the type of other properties, or None if closed."""
    if not keywords.has("additionalProperties"):
        return nodes.ANY
    if keywords.schema["additionalProperties"] is False:
        return None
    return keywords.reading.read(keywords.get_inner_place("additionalProperties"))


def _read_pattern_properties(keywords: Keywords) -> list[nodes.PatternField]:
    """Read `patternProperties` as pattern fields; intersect the types of equal patterns."""
    found: dict[str, nodes.PatternField] = {}
    for pattern in _read_object(keywords, "patternProperties"):
        t = keywords.reading.read(keywords.get_inner_place("patternProperties", pattern))
        try:
            made = nodes.PatternField(pattern, t)
        except TypesigError as error:
            raise keywords.make_refusal("patternProperties", str(error)) from None
        if made.pattern in found:
            made = nodes.PatternField(made.pattern, make_both([found[made.pattern].type, t]))
        found[made.pattern] = made
    return list(found.values())


ITEM_WORDS = frozenset({"items", "prefixItems", "additionalItems"})


def read_list(keywords: Keywords, limits: Iterable[Constraint]) -> nodes.Type:
    """Return the type of the lists that *keywords* describe, within *limits*."""
    found = keywords.attempt("items", lambda: _read_items(keywords))
    positions, rest = ([], nodes.ANY) if found is None else found
    limits = tuple(limits)
    if not positions:
        closed = [Constraint("at_most", 0)] if rest is None else []
        return make_refined(nodes.List(nodes.ANY if rest is None else rest), [*limits, *closed])
    made = keywords.attempt(
        "prefixItems", lambda: _split_by_length(keywords, positions, rest, limits)
    )
    return make_refined(nodes.List(nodes.ANY), limits) if made is None else made


def _read_items(keywords: Keywords) -> tuple[list[nodes.Type], nodes.Type | None]:
    """Return the types of the first items, and the type of the rest, or None if there is none."""
    reading, schema = keywords.reading, keywords.schema
    word = "prefixItems" if keywords.has("prefixItems") else "items"
    positions: list[nodes.Type] = []
    if isinstance(keywords.get(word), list):
        count = len(schema[word])
        positions = [reading.read(keywords.get_inner_place(word, str(n))) for n in range(count)]
        word = "items" if word == "prefixItems" else "additionalItems"
    elif word == "prefixItems":
        raise keywords.make_refusal(word, "it must be a list of schemas")
    if not keywords.has(word):
        return positions, nodes.ANY
    if schema[word] is False:
        return positions, None
    return positions, reading.read(keywords.get_inner_place(word))


def _split_by_length(
    keywords: Keywords,
    positions: list[nodes.Type],
    rest: nodes.Type | None,
    limits: tuple[Constraint, ...],
) -> nodes.Type:
    """Return the union of a list type for each length that *limits* permit."""
    lengths = {c.name: c.argument.value for c in limits if c.name in ("at_least", "at_most")}
    count = len(positions)
    low = lengths.get("at_least", 0)
    high = lengths.get("at_most", count if rest is None else None)
    if min(count, count if high is None else high) - low > MAX_OPEN_POSITIONS:
        why = f"more than {MAX_OPEN_POSITIONS} positions may be absent; add minItems"
        raise keywords.make_refusal("prefixItems", why)
    others = [c for c in limits if c.name not in ("at_least", "at_most")]
    made = [
        make_refined(make_fixed_list(positions[:n]), others)
        for n in range(low, count + 1)
        if n < count or (rest is None or high == count)
        if high is None or n <= high
    ]
    if rest is not None and (high is None or high > count):
        bounds = [Constraint("at_least", low)] if low > count else []
        bounds += [] if high is None else [Constraint("at_most", high)]
        made.append(make_refined(nodes.Tuple(tuple(positions), rest), [*bounds, *others]))
    return make_union(made) if made else NEVER


#: The names that `type` may have, and the kind of values of each.
TYPES: dict[str, JsonKind] = {**{str(kind): kind for kind in KINDS}, "integer": "number"}

#: The constraint of each keyword that sets a limit, and the kind that the keyword applies to.
LIMITS: dict[str, tuple[ConstraintName, JsonKind]] = {
    word: (name, kind) for name, words in KEYWORDS.items() for kind, word in words.items()
}

#: The keywords that describe the parts of values of each kind.
PARTS: dict[JsonKind, frozenset[str]] = {
    "null": frozenset(),
    "boolean": frozenset(),
    "number": frozenset(),
    "string": frozenset(),
    "array": ITEM_WORDS,
    "object": PROPERTY_WORDS,
}

#: The keywords that apply to each kind.
KIND_WORDS: dict[JsonKind, frozenset[str]] = {
    kind: words | {word for word, (_, of) in LIMITS.items() if of == kind}
    for kind, words in PARTS.items()
}

#: The kind that each keyword applies to.
KINDS_OF_WORDS: dict[str, JsonKind] = {
    word: kind for kind, words in KIND_WORDS.items() for word in words
}


#: The flag of draft 4 that makes a bound exclusive, and the constraint that it then is.
_EXCLUSIVE: dict[ConstraintName, tuple[str, ConstraintName]] = {
    "at_least": ("exclusiveMinimum", "above"),
    "at_most": ("exclusiveMaximum", "below"),
}


class Values(Keywords):
    """The keywords of a schema that describe values of some kinds.

    #: asked: the kinds that matter to the caller
    #: kinds: the kinds of the values that the schema may accept, out of those
    #: types: the names in `type`, or None if the schema has no `type`
    #: constants: the values of `enum` and `to_const`, or None if the schema has neither
    """

    WORDS: ClassVar[frozenset[str]] = frozenset(
        {"type", "enum", "const", "nullable", *KINDS_OF_WORDS}
    )

    def __init__(
        self,
        reading: SchemaReading,
        place: Place,
        schema: dict[str, Any],
        kinds: frozenset[JsonKind],
    ) -> None:
        super().__init__(reading, place, schema)
        self.asked = kinds
        self.types = self.attempt("type", self._read_types)
        self.constants = self.attempt("enum", self._read_constants)
        self._limits: dict[JsonKind, tuple[Constraint, ...]] | None = None
        if self.types is not None:
            kinds &= {TYPES[name] for name in self.types}
        if self.constants is not None:
            kinds &= {JSON_KINDS[value.kind] for value in self.constants}
        self.kinds = kinds

    def report_unused(self) -> None:
        """Report the keywords that apply to no kind of values that the schema accepts."""
        if "nullable" in self.schema and self.types is None:
            path = (*self.place.pointer, "nullable")
            self.reading.omit(path, "the keyword nullable", "it only extends a type beside it")
        for word in self.schema:
            kind = KINDS_OF_WORDS.get(word)
            if kind is not None and kind not in self.kinds and kind in self.asked:
                path = (*self.place.pointer, word)
                why = "it does not apply to such values"
                self.reading.omit(path, f"the keyword {word}", why)

    def _read_types(self) -> frozenset[str] | None:
        """Read the names of types in `type` and `nullable`, or None without `type`."""
        if not self.has("type"):
            return None
        given = self.schema["type"]
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not names:
            raise self.make_refusal("type", "it must be the name of a type, or a list of names")
        for name in names:
            if not isinstance(name, str) or name not in TYPES:
                why = f"there is no type {name!r}; the types are {', '.join(TYPES)}"
                raise self.make_refusal("type", why)
        more = ["null"] if self.schema.get("nullable") is True else []
        return frozenset([*names, *more])

    def _read_constants(self) -> tuple[Const, ...] | None:
        """Read the constants that `enum` and `const` both allow, or None if absent."""
        found: list[Const] | None = None
        for word in ("enum", "const"):
            if not self.has(word):
                continue
            given = self.schema[word]
            if word == "enum" and not isinstance(given, list):
                raise self.make_refusal(word, "it must be a list of values")
            try:
                values = [to_const(value) for value in (given if word == "enum" else [given])]
            except TypesigError as error:
                raise self.make_refusal(word, str(error)) from None
            found = values if found is None else [value for value in found if value in values]
        return None if found is None else tuple(filter(self._has_type, dict.fromkeys(found)))

    def _has_type(self, value: Const) -> bool:
        """Whether the constant *value* has a type that the schema accepts."""
        kind = JSON_KINDS[value.kind]
        if self.types is None:
            return kind in self.asked
        return kind in self.types or (value.kind == "int" and "integer" in self.types)

    def find_described_kinds(self) -> frozenset[JsonKind]:
        """Return the accepted kinds that some keyword describes."""
        return self._find_kinds_with(KIND_WORDS)

    def _find_kinds_with(self, table: dict[JsonKind, frozenset[str]]) -> frozenset[JsonKind]:
        """Find the accepted kinds with a keyword of the schema in *table*."""
        words = {word for word in self.schema if self.has(word)}
        return frozenset(kind for kind in self.kinds if words & table[kind])

    def has_only_limits(self) -> bool:
        """Whether the schema has only constraints: no types, constants or parts."""
        return self.types is None and self.constants is None and not self._find_kinds_with(PARTS)

    def read_limits(self) -> dict[JsonKind, tuple[Constraint, ...]]:
        """Return the constraints on values of each kind."""
        if self._limits is None:
            found: dict[JsonKind, list[Constraint]] = {}
            for word in self.schema:
                if word not in LIMITS or not self.has(word):
                    continue
                name, kind = LIMITS[word]
                if kind in self.kinds:
                    made = self.attempt(word, partial(self._limit, word, name, kind))
                    found.setdefault(kind, []).extend(() if made is None else (made,))
            self._limits = {kind: tuple(some) for kind, some in found.items()}
        return self._limits

    def _limit(self, word: str, name: ConstraintName, kind: JsonKind) -> Constraint | None:
        """Return the constraint *name* set by the keyword *word*, or None."""
        argument = self.schema[word]
        match name:
            case "at_least" | "at_most":
                if kind != "number":
                    return self._read_constraint(
                        word, name, self.reading.read_size(self.place, word)
                    )
                flag, exclusive = _EXCLUSIVE[name]
                found = exclusive if self.schema.get(flag) is True else name
                return self._read_constraint(word, found, argument)
            case "above" | "below":
                if isinstance(argument, bool):
                    # In draft 4, a flag that makes the bound beside it exclusive, as read above.
                    return None
                return self._read_constraint(word, name, argument)
            case "multiple_of" | "pattern":
                return self._read_constraint(word, name, argument)
            case "format":
                return self._format(argument)
            case "unique":
                if not isinstance(argument, bool):
                    raise self.make_refusal(word, "it must be true or false")
                return Constraint(name, True) if argument else None
            case _:
                assert_never(name)

    def _read_constraint(self, word: str, name: ConstraintName, argument: Any) -> Constraint | None:
        """Build the constraint *name* with *argument*, or refuse the keyword *word*."""
        try:
            return to_json_constraint(Constraint(name, argument))
        except TypesigError as error:
            raise self.make_refusal(word, str(error)) from None

    def _format(self, argument: Any) -> Constraint | None:
        """Return the constraint of the format *argument*, or None if it is unknown."""
        name = BY_NAME.get(argument) if isinstance(argument, str) else None
        if name is None:
            known = isinstance(argument, str) and argument in NOT_ASSERTED
            why = "it is not asserted" if known else "no validator asserts it"
        elif argument in self.place.dialect.later_formats:
            why = f"it is not a format of {self.place.dialect.name}"
        else:
            return Constraint("format", name)
        path = (*self.place.pointer, "format")
        self.reading.omit(path, f"the format {argument!r}", why)
        return None

    def type(self) -> nodes.Type:
        """Return the type of the values that these keywords accept."""
        if self.constants is None:
            return self._make_union()
        if not self.constants:
            return NEVER
        base = nodes.Enum(self.constants)
        if not self.find_described_kinds():
            return base
        limits = merge_limits(self.read_limits(), self.kinds)
        if not self._find_kinds_with(PARTS) and limits is not None:
            return make_refined(base, limits) if find_kinds(base) else base
        return make_both([base, self._make_union()])

    def _make_union(self) -> nodes.Type:
        """Build the union of the types for all accepted JSON kinds."""
        made = [self._make_type(kind) for kind in KINDS if kind in self.kinds]
        return make_union(made) if made else NEVER

    def _make_type(self, kind: JsonKind) -> nodes.Type:
        """Build the type for the values of the JSON *kind*, with its constraints."""
        limits = self.read_limits().get(kind, ())
        match kind:
            case "null":
                return nodes.NIL
            case "boolean":
                return nodes.BOOL
            case "number":
                whole = self.types is not None and "number" not in self.types
                return make_refined(nodes.INT if whole else nodes.FLOAT, limits)
            case "string":
                return make_refined(nodes.STRING, limits)
            case "array":
                return read_list(self, limits)
            case "object":
                return make_refined(read_map(self), limits)
            case _:
                assert_never(kind)
