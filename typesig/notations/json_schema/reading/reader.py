"""A JSON Schema to a type: a schema is read exactly, or refused with the place of the keyword.

A schema is a conjunction: the keywords that apply to each kind of values (`values`), and the
applicators, which apply to the whole value (`APPLICATORS`).  To add an applicator, add its row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar, cast

from typesig.algebra.constructors import both, counted, negated, noted, one, refined, union
from typesig.algebra.loss import Loss, Losses, changing
from typesig.algebra.nodes import ANY, Counted, List, Noted, Record, Ref, Type
from typesig.algebra.signature import Signature, fresh_name, with_fitting_defaults
from typesig.algebra.traversal import distinct_parts
from typesig.algebra.views.redaction import used
from typesig.errors import TooDeep, TypesigError, Unsupported, short
from typesig.limits import MAX_SCHEMA_DEPTH
from typesig.notations.json_schema.keywords.constraints import one_refinement
from typesig.notations.json_schema.keywords.formats import is_base64_encoding
from typesig.notations.json_schema.keywords.kinds import (
    ALL,
    NEVER,
    JsonKind,
    json_kinds,
    union_of_kinds,
)
from typesig.notations.json_schema.keywords.references import (
    WITH_LIST,
    WITH_NAMES,
    WITH_SCHEMA,
    Place,
    Pointer,
)
from typesig.notations.json_schema.reading.dependencies import dependencies
from typesig.notations.json_schema.reading.places import Reading
from typesig.notations.json_schema.reading.sharing import with_places_shared
from typesig.notations.json_schema.reading.unevaluated import unevaluated
from typesig.notations.json_schema.reading.values import Values


def contains(reading: Reading, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
    """Return the type that `contains` at *place*, with its counts, describes for *kinds*."""
    if "array" not in kinds:
        return ANY
    fewest = reading.size(place, "minContains") if _has(place, "minContains") else 1
    most = reading.size(place, "maxContains") if _has(place, "maxContains") else None
    inner = reading.inner(place, word)
    if most is not None and most < fewest:
        return _beside(kinds, NEVER)
    if fewest == 0 and most is None:
        return ANY

    # Where a number is the most, a wider type of the items would narrow the whole.
    item = reading.read(inner) if most is None else reading.in_negation(lambda: reading.read(inner))
    if fewest == 1 and most is None:
        # An array contains such an item if not every item is of another type.
        return negated(List(negated(item)))
    return _beside(kinds, counted(item, fewest, most))


def together(t: Type, parts: list[Type]) -> Type:
    """Return the intersection of *t* and *parts*; lists of which items are counted are lists."""
    is_said = t == List(ANY) and any(isinstance(part, Counted) for part in parts)
    return both(parts if is_said else [t, *parts])


def _has(place: Place, word: str) -> bool:
    return word in place.schema and place.dialect.knows(word)


def _beside(kinds: frozenset[JsonKind], arrays: Type) -> Type:
    """Return the type of the values of *kinds* whose arrays are of the type *arrays*."""
    others = kinds - {"array"}
    return union([union_of_kinds(others), arrays]) if others else arrays


R = TypeVar("R", bound=Type)

#: Keywords that name the draft or a place, or describe the schema: they do not constrain values.
STRUCTURE = frozenset({
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$id", "$schema", "$vocabulary",
    "definitions", "description", "id", "title", "$recursiveAnchor",
})  # fmt: skip


class Reader(Reading):
    """Reads the schemas of one document; the definitions are read once each, at the end."""

    def read_root(self) -> Type:
        """Return the type of the document."""
        found = self.read(self.document.places[()])
        self.read_definitions(found)
        name = self.names.get(((), self.root_scope))
        return found if name is None else Ref(name)

    def read_definitions(self, root: Type) -> None:
        """Read the definitions that references lead to; *root* is the type of the document."""
        while self.pending:
            place, scope = self.pending.pop()
            name = self.names[place.pointer, scope]
            before = len(changing(self.losses))
            with self.inside(place, scope):
                made = self.attempt(place, "$ref", partial(self.read, place))
            self.definitions[name] = ANY if made is None else made
            if before < len(changing(self.losses)):
                self.widened_names.add(name)
        if ((), self.root_scope) in self.names:
            self.definitions[self.names[(), self.root_scope]] = root

    def read(self, place: Place, kinds: frozenset[JsonKind] = ALL) -> Type:
        """Return the type of the schema at *place*, which only matters for values of *kinds*."""
        before, self.scope = self.scope, self.document.scope_in(place, self.scope)
        try:
            return self._read_once(place, kinds)
        finally:
            self.scope = before

    def _read_once(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        """Return the type of *place*, which is read once for each of what it depends on.

        Without that, the branches beside `unevaluatedProperties` would be read twice, and the
        branches inside them four times.
        """
        if self.key_places is not None:
            return self._read(place, kinds)
        key = place.pointer, kinds, self.scope, self.negations > 0
        known = self.read_before.get(key)
        if known is None:
            start = len(self.losses)
            made = self._read(place, kinds)
            self.read_before[key] = made, tuple(dict.fromkeys(self.losses[start:]))
            return made
        made, losses = known
        self.losses.extend(losses)
        return made

    def _read(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        schema = place.schema
        self.count_schema()
        if schema is True:
            return ANY
        if schema is False:
            return NEVER
        if not isinstance(schema, dict):
            raise self.refusal(place.pointer, "", "a schema is an object, true or false")
        if place.dialect.unsupported:
            raise self.refusal(place.pointer, "$schema", place.dialect.unsupported)
        words = {}
        for word in ("description", "title"):
            text = schema.get(word)
            words[word] = text if isinstance(text, str) else None
            if text is not None and not isinstance(text, str):
                self.omit((*place.pointer, word), f"the {word}", "it must be a string")
        whole = self._whole(place, schema, kinds)
        return noted(whole, words["description"], words["title"])

    def _whole(self, place: Place, schema: dict[str, Any], kinds: frozenset[JsonKind]) -> Type:
        dialect = place.dialect
        if dialect.lonely_refs and "$ref" in schema:
            hidden = sorted(map(str, schema.keys() - STRUCTURE - {"$ref", "default"}))
            for word in hidden:
                what, why = f"the keyword {word}", f"$ref hides it in {dialect.name}"
                self.omit((*place.pointer, word), what, why)
            return self.attempt(place, "$ref", lambda: self._ref(place, "$ref", kinds)) or ANY
        self._report_unread(place, schema)
        values = Values(self, place, schema, kinds)
        values.report_unused()
        parts = []
        for word, apply in APPLICATORS.items():
            if word in schema and place.dialect.knows(word):
                made = self.attempt(place, word, partial(apply, self, place, word, values.kinds))
                parts += [] if made is None or made == ANY else [made]
        return self._joined(values, parts, kinds)

    def _joined(self, values: Values, parts: list[Type], kinds: frozenset[JsonKind]) -> Type:
        """Return the type of the values that conform to *values* and to each of *parts*."""
        if not values.has_only_limits():
            return together(values.type(), parts)
        if parts or kinds == ALL or not values.described_kinds():
            whole = both(parts) if parts else ANY
            limits = one_refinement(values.limits(), json_kinds(whole))
            if limits is not None:
                return refined(whole, limits)
        return both([values.type(), *parts])

    def _report_unread(self, place: Place, schema: dict[str, Any]) -> None:
        """Refuse or report the keywords that nothing reads."""
        for word in schema:
            if word == "default":
                if place.pointer not in self.properties:
                    why = "only a property has a default"
                    self.omit((*place.pointer, word), "the default", why)
            elif word == "contentEncoding" and is_base64_encoding(schema):
                continue
            elif word not in KEYWORDS or not place.dialect.knows(word):
                draft = f"it is not a keyword of {place.dialect.name}"
                why = draft if word in KEYWORDS else "it does not constrain values"
                self.omit((*place.pointer, str(word)), f"the keyword {word}", why)

    # applicators

    def _ref(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        found = self.target(place, word)
        if self.key_places is not None:
            # A definition is read for values of any kind, and keys are only strings.
            if found.pointer in self.key_places:
                why = "a reference leads back to the same schema"
                raise self.refusal(place.pointer, "$ref", why)
            return self.read_keys(found, kinds)
        scope = self.document.scope_in(found, self.scope)
        name = self.names.get((found.pointer, scope))
        if name is None:
            name = _name_of(found, self.taken)
            self.taken.add(name)
            self.names[found.pointer, scope] = name
            if found.pointer or scope != self.root_scope:
                self.pending.append((found, scope))
        if self.negations:
            if self.lossy and not self.trusts_names:
                why = "its target cannot be read, and widening it in a negation would narrow"
                raise self.refusal(place.pointer, "$ref", why)
            self.negated_names.add(name)
        return Ref(name)

    def _members(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> list[Type]:
        members = place.schema[word]
        if not isinstance(members, list) or not members:
            raise self.refusal(place.pointer, word, "it must be a list of at least one schema")
        each = [self.inner(place, word, str(count)) for count in range(len(members))]
        return [self.read(member, kinds) for member in each]

    def _all_of(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        return both(self._members(place, word, kinds))

    def _any_of(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        return union(self._members(place, word, kinds))

    def _one_of(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        return one(self.in_negation(lambda: self._members(place, word, kinds)))

    def _not(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        inner = self.inner(place, word)
        return negated(self.in_negation(lambda: self.read(inner, kinds)))

    def _if(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        condition = self.in_negation(lambda: self.read(self.inner(place, word), kinds))
        parts = []
        for other, guard in (("then", negated(condition)), ("else", condition)):
            if other in place.schema:
                parts.append(union([guard, self.read(self.inner(place, other), kinds)]))
        return both(parts) if parts else ANY


def _name_of(place: Place, taken: set[str]) -> str:
    """Return a name for the definition at *place* that is not in *taken*."""
    schema = place.schema
    if place.pointer:
        name = _last_name(place.pointer)
        if len(place.pointer) == 1 and name.endswith("#"):
            # The URI of a resource: its last part says most.
            name = name.rstrip("#/").rpartition("/")[2].removesuffix(".json")
        name = name or "Empty"
    else:
        title = schema.get("title") if isinstance(schema, dict) else None
        name = title if isinstance(title, str) and title.isidentifier() else "Root"
    return fresh_name(name, taken) if name in taken else name


def _last_name(pointer: Pointer) -> str:
    """Return the last step of *pointer*, or the property that it is a part of."""
    for at in range(len(pointer) - 1, 0, -1):
        step = pointer[at]
        is_keyword = step.isdigit() or step in WITH_SCHEMA or step in WITH_LIST
        if pointer[at - 1] in WITH_NAMES or not is_keyword:
            return step
    return pointer[-1]


Apply = Callable[[Reader, Place, str, frozenset[JsonKind]], Type]

#: The functions that read the keywords that apply to the whole value.
APPLICATORS: dict[str, Apply] = {
    "$ref": Reader._ref,
    "$dynamicRef": Reader._ref,
    "$recursiveRef": Reader._ref,
    "allOf": Reader._all_of,
    "anyOf": Reader._any_of,
    "oneOf": Reader._one_of,
    "not": Reader._not,
    "if": Reader._if,
    "contains": contains,
    "dependentRequired": dependencies,
    "dependentSchemas": dependencies,
    "dependencies": dependencies,
    "unevaluatedProperties": unevaluated,
    "unevaluatedItems": unevaluated,
}

#: All keywords that are read or refused.
KEYWORDS = frozenset({
    *APPLICATORS, *STRUCTURE, *Values.WORDS, "then", "else", "default", "minContains",
    "maxContains",
})  # fmt: skip


def read_schema(
    schema: Any, lossy: bool, resources: Mapping[str, Any], step: Callable[[Reader], R]
) -> tuple[R, dict[str, Type], Losses]:
    """Return what *step* reads of *schema*, the definitions that it uses, and the losses."""
    try:
        found: list[Loss] = []
        reader = Reader(schema, resources, lossy, found)
        made = step(reader)
        if reader.widened_names & used(reader.definitions, map(Ref, reader.negated_names)):
            # A definition was widened and is used in a negation, where it would narrow the whole.
            found.clear()
            reader = Reader(schema, resources, lossy, found, trusts_names=False)
            made = step(reader)
        made = _with_places_shared(reader, _with_fitting_defaults(reader, made))
        _report_unread_notes(reader, made)
    except RecursionError:
        limit = f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas"
        raise TooDeep(f"{limit}, and this is more than the stack leaves room for") from None
    told = [loss for loss in found if loss.path not in reader.used_defaults]
    return made, reader.definitions, tuple(dict.fromkeys(told))


def _report_unread_notes(reader: Reader, made: Type) -> None:
    """Report the titles and descriptions of the schemas that nothing is read of."""
    definitions = reader.definitions
    wholes = [made, *[definitions[name] for name in used(definitions, [made])]]
    notes = [part for part in distinct_parts(wholes) if isinstance(part, Noted)]
    kept = {"title": {t.title for t in notes}, "description": {t.text for t in notes}}
    told = {loss.path for loss in reader.losses}
    for pointer, place in reader.document.places.items():
        if not isinstance(place.schema, dict) or pointer[:1] in reader.document.given_steps:
            continue
        for word, texts in kept.items():
            text = place.schema.get(word)
            at = (*pointer, word)
            if not isinstance(text, str) or not text or text in texts:
                continue
            if not any(at[:length] in told for length in range(1, len(at) + 1)):
                reader.omit(at, f"the {word} {short(text)}", "the schema that has it is not used")


def _with_fitting_defaults(reader: Reader, made: R) -> R:
    """Return *made* without the defaults that do not fit their types, each of them a loss."""
    if not reader.defaults:
        return made
    named = {name: reader.definitions[name] for name in used(reader.definitions, [made])}
    try:
        found, unfit = with_fitting_defaults((), made, named)
    except TypesigError:
        # Its names are wrong, of which the signature itself will tell.
        return made
    if not unfit:
        return made
    for field, why in unfit:
        at = [pointer for pointer, known in reader.defaults.items() if known == field]
        for pointer in at:
            reader.omit(pointer, f"the default of {field.name}", f"it does not fit: {why}")
    reader.definitions.update(found.names)
    # A record stays a record.
    return cast(R, found.returns)


def _with_places_shared(reader: Reader, made: R) -> R:
    """Return *made* with what references lead to inside the schema told once."""
    names = [name for (pointer, _), name in reader.names.items() if _is_inside(pointer)]
    if not names:
        return made
    whole, reader.definitions = with_places_shared(made, reader.definitions, names)
    # A record stays a record.
    return cast(R, whole)


def _is_inside(pointer: Pointer) -> bool:
    """Tell whether the schema at *pointer* is a part of a type, and not a definition."""
    word, step = ("", "", *pointer)[-2:]
    named = word in WITH_NAMES and word not in ("$defs", "definitions")
    return named or step in WITH_SCHEMA or (word in WITH_LIST and step.isdigit())


def make_signature(
    arguments: Record | None, returns: Type, definitions: dict[str, Type], keeps_ints: bool
) -> Signature:
    """Return the signature of *arguments* and *returns*, with the definitions that they use."""
    fields, extra = ((), ANY) if arguments is None else (arguments.fields, arguments.extra)
    wholes = [*[f.type for f in fields], returns, *([] if extra is None else [extra])]
    kept = used(definitions, wholes)
    named = {name: t for name, t in definitions.items() if name in kept}
    try:
        return Signature(fields, returns, named, extra, keeps_ints=keeps_ints)
    except TypesigError as error:
        if isinstance(error, TooDeep):
            raise
        raise Unsupported(f"$ref: {error}", (), "$ref") from None
