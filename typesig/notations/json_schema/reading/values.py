"""The keywords of a schema that each apply to one kind of values, and the type they describe."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import both, fixed_list, kinds_of, map_of, record, refined, union
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Const, const
from typesig.errors import TypesigError
from typesig.limits import MAX_OPEN_POSITIONS
from typesig.notations.json_schema.keywords.constraints import KEYWORDS, expressed, one_refinement
from typesig.notations.json_schema.keywords.formats import BY_NAME, NOT_ASSERTED
from typesig.notations.json_schema.keywords.kinds import JSON_KINDS, KINDS, NEVER, JsonKind
from typesig.notations.json_schema.keywords.references import Place
from typesig.notations.json_schema.reading.defaults import find_default
from typesig.notations.json_schema.reading.places import Keywords, Reading

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
    read = keywords.attempt("propertyNames", lambda: _keys(keywords))
    key = nodes.STRING if read is None or read == nodes.ANY else read
    if not found.fields and not found.matching and found.extra is not None:
        return _map(key, found)
    return found if key == nodes.STRING else both([found, map_of(key, nodes.ANY)])


def _map(key: nodes.Type, found: nodes.Record) -> nodes.Type:
    """Return the map that *found*, a record without fields, is; a closed record stays a record."""
    if found.extra is None:
        return found
    made = map_of(key, found.extra)
    return record([]) if made == nodes.MAP else made


def _keys(keywords: Keywords) -> nodes.Type:
    return keywords.reading.read_keys(keywords.inner("propertyNames"), _KEYS)


def _record(keywords: Keywords) -> nodes.Record:
    matching = _matching(keywords)
    extra = _extra(keywords)
    required = _required(keywords)
    properties = _object(keywords, "properties")
    fields = [_property(keywords, name, name in required) for name in properties]
    others = [name for name in required if name not in properties]
    matched = _matched(keywords, matching, others) if extra != nodes.ANY else frozenset(others)
    for name in others:
        t = nodes.ANY if name in matched else NEVER if extra is None else extra
        fields.append(nodes.Field(name, t, exact=True))
    return record(fields, extra, matching)


def _matched(
    keywords: Keywords, matching: Iterable[nodes.Matching], names: Iterable[str]
) -> frozenset[str]:
    """Return those of *names* that a pattern of *matching* matches."""
    found: set[str] = set()
    for test in [m.test() for m in matching]:
        for name in names:
            keywords.reading.count_schema()
            if name not in found and test(name):
                found.add(name)
    return frozenset(found)


def _object(keywords: Keywords, word: str) -> dict[str, Any]:
    found = keywords.get(word, {})
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise keywords.refusal(word, "it must be an object of schemas by name")
    return found


def _required(keywords: Keywords) -> dict[str, None]:
    names = keywords.get("required", [])
    if isinstance(names, bool):
        why = "it must be a list of names; draft 3 wrote it with each property"
        raise keywords.refusal("required", why)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise keywords.refusal("required", "it must be a list of names")
    return dict.fromkeys(names)


def _property(keywords: Keywords, name: str, required: bool) -> nodes.Field:
    reading = keywords.reading
    place = keywords.inner("properties", name)
    reading.properties.add(place.pointer)
    read = reading.attempt(place, "", partial(reading.read, place))
    t = nodes.ANY if read is None else read
    default: Const | None = None
    stated = find_default(reading, place)
    if stated is not None:
        path = (*place.pointer, "default")
        try:
            default = const(stated.value)
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


def _extra(keywords: Keywords) -> nodes.Type | None:
    if not keywords.has("additionalProperties"):
        return nodes.ANY
    if keywords.schema["additionalProperties"] is False:
        return None
    return keywords.reading.read(keywords.inner("additionalProperties"))


def _matching(keywords: Keywords) -> list[nodes.Matching]:
    found: dict[str, nodes.Matching] = {}
    for pattern in _object(keywords, "patternProperties"):
        t = keywords.reading.read(keywords.inner("patternProperties", pattern))
        try:
            made = nodes.Matching(pattern, t)
        except TypesigError as error:
            raise keywords.refusal("patternProperties", str(error)) from None
        if made.pattern in found:
            made = nodes.Matching(made.pattern, both([found[made.pattern].type, t]))
        found[made.pattern] = made
    return list(found.values())


ITEM_WORDS = frozenset({"items", "prefixItems", "additionalItems"})


def read_list(keywords: Keywords, limits: Iterable[Constraint]) -> nodes.Type:
    """Return the type of the lists that *keywords* describe, within *limits*."""
    found = keywords.attempt("items", lambda: _items(keywords))
    positions, rest = ([], nodes.ANY) if found is None else found
    limits = tuple(limits)
    if not positions:
        closed = [Constraint("at_most", 0)] if rest is None else []
        return refined(nodes.List(nodes.ANY if rest is None else rest), [*limits, *closed])
    made = keywords.attempt("prefixItems", lambda: _by_length(keywords, positions, rest, limits))
    return refined(nodes.List(nodes.ANY), limits) if made is None else made


def _items(keywords: Keywords) -> tuple[list[nodes.Type], nodes.Type | None]:
    """Return the types of the first items, and the type of the rest, or None if there is none."""
    reading, schema = keywords.reading, keywords.schema
    word = "prefixItems" if keywords.has("prefixItems") else "items"
    positions: list[nodes.Type] = []
    if isinstance(keywords.get(word), list):
        count = len(schema[word])
        positions = [reading.read(keywords.inner(word, str(n))) for n in range(count)]
        word = "items" if word == "prefixItems" else "additionalItems"
    elif word == "prefixItems":
        raise keywords.refusal(word, "it must be a list of schemas")
    if not keywords.has(word):
        return positions, nodes.ANY
    if schema[word] is False:
        return positions, None
    return positions, reading.read(keywords.inner(word))


def _by_length(
    keywords: Keywords,
    positions: list[nodes.Type],
    rest: nodes.Type | None,
    limits: tuple[Constraint, ...],
) -> nodes.Type:
    """Return the union of the lists of each length, for a list may end before any position."""
    lengths = {c.name: c.argument.value for c in limits if c.name in ("at_least", "at_most")}
    count = len(positions)
    low = lengths.get("at_least", 0)
    high = lengths.get("at_most", count if rest is None else None)
    if min(count, count if high is None else high) - low > MAX_OPEN_POSITIONS:
        why = f"more than {MAX_OPEN_POSITIONS} positions may be absent; add minItems"
        raise keywords.refusal("prefixItems", why)
    others = [c for c in limits if c.name not in ("at_least", "at_most")]
    made = [
        refined(fixed_list(positions[:n]), others)
        for n in range(low, count + 1)
        if n < count or (rest is None or high == count)
        if high is None or n <= high
    ]
    if rest is not None and (high is None or high > count):
        bounds = [Constraint("at_least", low)] if low > count else []
        bounds += [] if high is None else [Constraint("at_most", high)]
        made.append(refined(nodes.Tuple(tuple(positions), rest), [*bounds, *others]))
    return union(made) if made else NEVER


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
    """The keywords of one schema that apply to kinds of values.

    #: asked: the kinds that matter to the caller
    #: kinds: the kinds of the values that the schema may accept, out of those
    #: types: the names in `type`, or None if the schema has no `type`
    #: constants: the values of `enum` and `const`, or None if the schema has neither
    """

    WORDS: ClassVar[frozenset[str]] = frozenset(
        {"type", "enum", "const", "nullable", *KINDS_OF_WORDS}
    )

    def __init__(
        self, reading: Reading, place: Place, schema: dict[str, Any], kinds: frozenset[JsonKind]
    ) -> None:
        super().__init__(reading, place, schema)
        self.asked = kinds
        self.types = self.attempt("type", self._types)
        self.constants = self.attempt("enum", self._constants)
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

    def _types(self) -> frozenset[str] | None:
        if not self.has("type"):
            return None
        given = self.schema["type"]
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not names:
            raise self.refusal("type", "it must be the name of a type, or a list of names")
        for name in names:
            if not isinstance(name, str) or name not in TYPES:
                why = f"there is no type {name!r}; the types are {', '.join(TYPES)}"
                raise self.refusal("type", why)
        more = ["null"] if self.schema.get("nullable") is True else []
        return frozenset([*names, *more])

    def _constants(self) -> tuple[Const, ...] | None:
        found: list[Const] | None = None
        for word in ("enum", "const"):
            if not self.has(word):
                continue
            given = self.schema[word]
            if word == "enum" and not isinstance(given, list):
                raise self.refusal(word, "it must be a list of values")
            try:
                values = [const(value) for value in (given if word == "enum" else [given])]
            except TypesigError as error:
                raise self.refusal(word, str(error)) from None
            found = values if found is None else [value for value in found if value in values]
        return None if found is None else tuple(filter(self._has_type, dict.fromkeys(found)))

    def _has_type(self, value: Const) -> bool:
        kind = JSON_KINDS[value.kind]
        if self.types is None:
            return kind in self.asked
        return kind in self.types or (value.kind == "int" and "integer" in self.types)

    def described_kinds(self) -> frozenset[JsonKind]:
        """Return the kinds, out of those that the schema accepts, that some keyword applies to."""
        return self._kinds_with(KIND_WORDS)

    def _kinds_with(self, table: dict[JsonKind, frozenset[str]]) -> frozenset[JsonKind]:
        words = {word for word in self.schema if self.has(word)}
        return frozenset(kind for kind in self.kinds if words & table[kind])

    def has_only_limits(self) -> bool:
        """Tell whether the schema has no types, no constants and no parts: limits at most."""
        return self.types is None and self.constants is None and not self._kinds_with(PARTS)

    def limits(self) -> dict[JsonKind, tuple[Constraint, ...]]:
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
        """Return the constraint that *word* sets, or None if it sets none."""
        argument = self.schema[word]
        match name:
            case "at_least" | "at_most":
                if kind != "number":
                    return self._constraint(word, name, self.reading.size(self.place, word))
                flag, exclusive = _EXCLUSIVE[name]
                found = exclusive if self.schema.get(flag) is True else name
                return self._constraint(word, found, argument)
            case "above" | "below":
                if isinstance(argument, bool):
                    # In draft 4, a flag that makes the bound beside it exclusive, as read above.
                    return None
                return self._constraint(word, name, argument)
            case "multiple_of" | "pattern":
                return self._constraint(word, name, argument)
            case "format":
                return self._format(argument)
            case "unique":
                if not isinstance(argument, bool):
                    raise self.refusal(word, "it must be true or false")
                return Constraint(name, True) if argument else None
            case _:
                assert_never(name)

    def _constraint(self, word: str, name: ConstraintName, argument: Any) -> Constraint | None:
        try:
            return expressed(Constraint(name, argument))
        except TypesigError as error:
            raise self.refusal(word, str(error)) from None

    def _format(self, argument: Any) -> Constraint | None:
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
            return self._union()
        if not self.constants:
            return NEVER
        base = nodes.Enum(self.constants)
        if not self.described_kinds():
            return base
        limits = one_refinement(self.limits(), self.kinds)
        if not self._kinds_with(PARTS) and limits is not None:
            return refined(base, limits) if kinds_of(base) else base
        return both([base, self._union()])

    def _union(self) -> nodes.Type:
        made = [self._type_of(kind) for kind in KINDS if kind in self.kinds]
        return union(made) if made else NEVER

    def _type_of(self, kind: JsonKind) -> nodes.Type:
        limits = self.limits().get(kind, ())
        match kind:
            case "null":
                return nodes.NIL
            case "boolean":
                return nodes.BOOL
            case "number":
                whole = self.types is not None and "number" not in self.types
                return refined(nodes.INT if whole else nodes.FLOAT, limits)
            case "string":
                return refined(nodes.STRING, limits)
            case "array":
                return read_list(self, limits)
            case "object":
                return refined(read_map(self), limits)
            case _:
                assert_never(kind)
