"""A JSON Schema to a type: a schema is read exactly, or refused with the place of the keyword.

A schema is a conjunction: the keywords that apply to each kind of values (`values`), and the
applicators, which apply to the whole value (`APPLICATORS`).  To add an applicator, add its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar, cast

from typesig.algebra.constructors import (
    make_both,
    make_counted,
    make_not,
    make_noted,
    make_one,
    make_refined,
    make_union,
    strip_annotations,
)
from typesig.algebra.loss import Loss, Losses, select_changing
from typesig.algebra.nodes import ANY, Annotation, ItemCount, List, Maybe, Record, Ref, Scalar, Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.signature import Signature, make_unique_name, with_fitting_defaults
from typesig.algebra.traversal import get_children, iter_distinct_parts, rebuild
from typesig.errors import TooDeep, TypesigError, Unsupported, format_value
from typesig.limits import MAX_SCHEMA_DEPTH
from typesig.notations.json_schema.keywords import (
    ALL,
    NEVER,
    JsonKind,
    find_json_kinds,
    is_base64_encoding,
    make_union_of_kinds,
    merge_limits,
)
from typesig.notations.json_schema.reading_state import SchemaReading
from typesig.notations.json_schema.references import (
    WITH_LIST,
    WITH_NAMES,
    WITH_SCHEMA,
    Place,
    Pointer,
)
from typesig.notations.json_schema.unevaluated import read_dependencies, read_unevaluated
from typesig.notations.json_schema.values import Values

# --- Types that references lead to inside the schema itself, such as `#/properties/a` ---
# Such a type stands where it is written, and again as the definition that the references need: here
# the place refers to the definition, too.  What a scalar is, the references say themselves.


def with_places_shared(
    whole: Type, definitions: Mapping[str, Type], names: Iterable[str]
) -> tuple[Type, dict[str, Type]]:
    """Replace types in *whole* that equal the definitions *names* by references.

    Its definitions are returned with it.

    A definition of *names* that is a scalar, nullable or not, is put in place of its references;
    of definitions that are equal the first is kept.  *whole* itself stays what it is.
    """
    told: dict[Type, str] = {}
    instead: dict[str, Type] = {}
    for name in names:
        t = definitions[name]
        if isinstance(t, Scalar) or (isinstance(t, Maybe) and isinstance(t.inner, Scalar)):
            instead[name] = t
        elif told.setdefault(t, name) != name:
            instead[name] = Ref(told[t])
    # A nullable field tells this itself, and a reference is one already.
    places = {
        t: name for t, name in told.items() if not isinstance(strip_annotations(t), Maybe | Ref)
    }

    def step(t: Type) -> Type:
        if isinstance(t, Ref):
            return instead.get(t.name, t)
        name = places.get(t)
        return Ref(name) if name is not None else rebuild_below(t)

    def define(t: Type) -> Type:
        return step(t) if isinstance(t, Ref) else rebuild_below(t)

    def rebuild_below(t: Type) -> Type:
        return rebuild(t, [step(child) for child in get_children(t)])

    kept = {name: define(t) for name, t in definitions.items() if name not in instead}
    return define(whole), kept


def contains(reading: SchemaReading, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
    """Return the type that `contains`, with its counts, describes at *place*."""
    if "array" not in kinds:
        return ANY
    fewest = reading.read_size(place, "minContains") if place.has("minContains") else 1
    most = reading.read_size(place, "maxContains") if place.has("maxContains") else None
    inner = reading.get_inner_place(place, word)
    if most is not None and most < fewest:
        return _join_arrays(kinds, NEVER)
    if fewest == 0 and most is None:
        return ANY

    # Where a number is the most, a wider type of the items would narrow the whole.
    item = (
        reading.read(inner)
        if most is None
        else reading.read_in_negation(lambda: reading.read(inner))
    )
    if fewest == 1 and most is None:
        # An array contains such an item if not every item is of another type.
        return make_not(List(make_not(item)))
    return _join_arrays(kinds, make_counted(item, fewest, most))


def _is_ahead(word: str, schema: dict[str, Any]) -> bool:
    """Whether the keyword *word*, of a base, stands before the properties of *schema*."""
    if word not in ("$ref", "allOf") or "properties" not in schema:
        return False
    words = list(schema)
    return words.index(word) < words.index("properties")


def intersect_parts(t: Type, parts: list[Type], before: int = 0) -> Type:
    """Return the intersection of *t* and *parts*, leaving out a redundant list type.

    So many of *parts* as *before* says stand ahead of *t*.
    """
    is_said = t == List(ANY) and any(isinstance(part, ItemCount) for part in parts)
    return make_both(parts if is_said else [*parts[:before], t, *parts[before:]])


def _join_arrays(kinds: frozenset[JsonKind], arrays: Type) -> Type:
    """Return the union of *kinds*, with *arrays* as the type of the arrays."""
    others = kinds - {"array"}
    return make_union([make_union_of_kinds(others), arrays]) if others else arrays


R = TypeVar("R", bound=Type)

#: Keywords that name the draft or a place, or describe the schema: they do not constrain values.
STRUCTURE = frozenset({
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$id", "$schema", "$vocabulary",
    "definitions", "description", "id", "title", "$recursiveAnchor",
})  # fmt: skip


class Reader(SchemaReading):
    """Reader of the schemas of a document as types; definitions are read last."""

    def read_root(self) -> Type:
        """Return the type of the document."""
        found = self.read(self.document.places[()])
        self.read_definitions(found)
        name = self.names.get(((), self.root_scope))
        return found if name is None else Ref(name)

    def read_definitions(self, root: Type) -> None:
        """Read all referenced definitions; *root* is the type of the document."""
        while self.pending:
            place, scope = self.pending.pop()
            name = self.names[place.pointer, scope]
            before = len(select_changing(self.losses))
            with self.enter_place(place, scope):
                made = self.attempt(place, "$ref", partial(self.read, place))
            self.definitions[name] = ANY if made is None else made
            if before < len(select_changing(self.losses)):
                self.widened_names.add(name)
        if ((), self.root_scope) in self.names:
            self.definitions[self.names[(), self.root_scope]] = root

    def read(self, place: Place, kinds: frozenset[JsonKind] = ALL) -> Type:
        """Return the type of the schema at *place*, limited to values of *kinds*."""
        before, self.scope = self.scope, self.document.extend_scope(place, self.scope)
        try:
            return self._read_once(place, kinds)
        finally:
            self.scope = before

    def _read_once(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        """Return the type of the schema at *place*, from a cache if already read.

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
        """Read the schema at *place* as a type for JSON values of *kinds*."""
        schema = place.schema
        self.count_schema()
        if schema is True:
            return ANY
        if schema is False:
            return NEVER
        if not isinstance(schema, dict):
            raise self.make_refusal(place.pointer, "", "a schema is an object, true or false")
        if place.dialect.unsupported:
            raise self.make_refusal(place.pointer, "$schema", place.dialect.unsupported)
        words = {}
        for word in ("description", "title"):
            text = schema.get(word)
            words[word] = text if isinstance(text, str) else None
            if text is not None and not isinstance(text, str):
                self.omit((*place.pointer, word), f"the {word}", "it must be a string")
        whole = self._read_whole(place, schema, kinds)
        return make_noted(whole, words["description"], words["title"])

    def _read_whole(self, place: Place, schema: dict[str, Any], kinds: frozenset[JsonKind]) -> Type:
        """Read all keywords of the object *schema* at *place* as a type."""
        dialect = place.dialect
        if dialect.lonely_refs and "$ref" in schema:
            hidden = sorted(map(str, schema.keys() - STRUCTURE - {"$ref", "default"}))
            for word in hidden:
                what, why = f"the keyword {word}", f"$ref hides it in {dialect.name}"
                self.omit((*place.pointer, word), what, why)
            return self.attempt(place, "$ref", lambda: self._read_ref(place, "$ref", kinds)) or ANY
        self._report_unread(place, schema)
        values = Values(self, place, schema, kinds)
        values.report_unused()
        parts: list[Type] = []
        before = 0
        for word, apply in APPLICATORS.items():
            if place.has(word):
                made = self.attempt(place, word, partial(apply, self, place, word, values.kinds))
                parts += [] if made is None or made == ANY else [made]
                if _is_ahead(word, schema):
                    # The keys of a base that is written first come first.
                    before = len(parts)
        if not values.has_only_limits():
            return intersect_parts(values.type(), parts, before)
        if parts or kinds == ALL or not values.find_described_kinds():
            whole = make_both(parts) if parts else ANY
            limits = merge_limits(values.read_limits(), find_json_kinds(whole))
            if limits is not None:
                return make_refined(whole, limits)
        return make_both([values.type(), *parts])

    def _report_unread(self, place: Place, schema: dict[str, Any]) -> None:
        """Refuse or report the keywords of *schema* that the reader ignores."""
        for word in schema:
            if word == "default":
                if place.pointer not in self.properties:
                    why = "only a property has a default"
                    self.omit((*place.pointer, word), "the default", why)
            elif word == "contentEncoding" and is_base64_encoding(schema):
                continue
            elif word not in KEYWORDS or not place.dialect.is_keyword(word):
                draft = f"it is not a keyword of {place.dialect.name}"
                why = draft if word in KEYWORDS else "it does not constrain values"
                self.omit((*place.pointer, str(word)), f"the keyword {word}", why)

    # applicators

    def _read_ref(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        """Read the reference in the keyword *word* at *place* as a named type."""
        found = self.resolve_reference(place, word)
        if self.key_places is not None:
            # A definition is read for values of any kind, and keys are only strings.
            if found.pointer in self.key_places:
                why = "a reference leads back to the same schema"
                raise self.make_refusal(place.pointer, "$ref", why)
            return self.read_keys(found, kinds)
        scope = self.document.extend_scope(found, self.scope)
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
                raise self.make_refusal(place.pointer, "$ref", why)
            self.negated_names.add(name)
        return Ref(name)

    def _read_members(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> list[Type]:
        """Read the types of the schemas in the list keyword *word* at *place*."""
        members = place.schema[word]
        if not isinstance(members, list) or not members:
            raise self.make_refusal(place.pointer, word, "it must be a list of at least one schema")
        each = [self.get_inner_place(place, word, str(count)) for count in range(len(members))]
        return [self.read(member, kinds) for member in each]

    def _read_one_of(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        """Read the keyword `oneOf` at *place* as an exclusive union of types."""
        return make_one(self.read_in_negation(lambda: self._read_members(place, word, kinds)))

    def _read_not(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        """Read the keyword `not` at *place* as the negation of a type."""
        inner = self.get_inner_place(place, word)
        return make_not(self.read_in_negation(lambda: self.read(inner, kinds)))

    def _read_if(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        """Read the keywords `if`, `then` and `else` at *place* as a type."""
        condition = self.read_in_negation(
            lambda: self.read(self.get_inner_place(place, word), kinds)
        )
        parts = []
        for other, guard in (("then", make_not(condition)), ("else", condition)):
            if other in place.schema:
                parts.append(
                    make_union([guard, self.read(self.get_inner_place(place, other), kinds)])
                )
        return make_both(parts) if parts else ANY


def _name_of(place: Place, taken: set[str]) -> str:
    """Return a name for the definition at *place* that is not in *taken*."""
    schema = place.schema
    if place.pointer:
        name = _get_last_name(place.pointer)
        if len(place.pointer) == 1 and name.endswith("#"):
            # The URI of a resource: its last part says most.
            name = name.rstrip("#/").rpartition("/")[2].removesuffix(".json")
        name = name or "Empty"
    else:
        title = schema.get("title") if isinstance(schema, dict) else None
        name = title if isinstance(title, str) and title.isidentifier() else "Root"
    return make_unique_name(name, taken) if name in taken else name


def _get_last_name(pointer: Pointer) -> str:
    """Return the last name in *pointer*, skipping keywords and numbers."""
    for at in range(len(pointer) - 1, 0, -1):
        step = pointer[at]
        is_keyword = step.isdigit() or step in WITH_SCHEMA or step in WITH_LIST
        if pointer[at - 1] in WITH_NAMES or not is_keyword:
            return step
    return pointer[-1]


Apply = Callable[[Reader, Place, str, frozenset[JsonKind]], Type]

#: The functions that read the keywords that apply to the whole value.
APPLICATORS: dict[str, Apply] = {
    "$ref": Reader._read_ref,
    "$dynamicRef": Reader._read_ref,
    "$recursiveRef": Reader._read_ref,
    "allOf": lambda reader, *at: make_both(reader._read_members(*at)),
    "anyOf": lambda reader, *at: make_union(reader._read_members(*at)),
    "oneOf": Reader._read_one_of,
    "not": Reader._read_not,
    "if": Reader._read_if,
    "contains": contains,
    "dependentRequired": read_dependencies,
    "dependentSchemas": read_dependencies,
    "dependencies": read_dependencies,
    "unevaluatedProperties": read_unevaluated,
    "unevaluatedItems": read_unevaluated,
}

#: All keywords that are read or refused.
KEYWORDS = frozenset({
    *APPLICATORS, *STRUCTURE, *Values.WORDS, "then", "else", "default", "minContains",
    "maxContains",
})  # fmt: skip


def read_schema(
    schema: Any, lossy: bool, resources: Mapping[str, Any], step: Callable[[Reader], R]
) -> tuple[R, dict[str, Type], Losses]:
    """Read *schema* by *step*; also return the definitions used and the losses."""
    try:
        found: list[Loss] = []
        reader = Reader(schema, resources, lossy, found)
        made = step(reader)
        if reader.widened_names & find_used_names(
            reader.definitions, map(Ref, reader.negated_names)
        ):
            # A definition was widened and is used in a negation, where it would narrow the whole.
            found.clear()
            reader = Reader(schema, resources, lossy, found, trusts_names=False)
            made = step(reader)
        made = _share_places(reader, _with_fitting_defaults(reader, made))
        _report_unread_notes(reader, made)
    except RecursionError:
        limit = f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas"
        raise TooDeep(f"{limit}, and this is more than the stack leaves room for") from None
    told = [loss for loss in found if loss.path not in reader.used_defaults]
    return made, reader.definitions, tuple(dict.fromkeys(told))


def _report_unread_notes(reader: Reader, made: Type) -> None:
    """Record a loss for each title or description that *made* does not contain."""
    definitions = reader.definitions
    wholes = [made, *[definitions[name] for name in find_used_names(definitions, [made])]]
    notes = [part for part in iter_distinct_parts(wholes) if isinstance(part, Annotation)]
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
                reader.omit(
                    at, f"the {word} {format_value(text)}", "the schema that has it is not used"
                )


def _with_fitting_defaults(reader: Reader, made: R) -> R:
    """Return *made* without misfit defaults, and record each as a loss."""
    if not reader.defaults:
        return made
    named = {name: reader.definitions[name] for name in find_used_names(reader.definitions, [made])}
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


def _share_places(reader: Reader, made: R) -> R:
    """Turn references in *made* to inner schemas into shared definitions."""
    names = [name for (pointer, _), name in reader.names.items() if _is_inside(pointer)]
    if not names:
        return made
    whole, reader.definitions = with_places_shared(made, reader.definitions, names)
    # A record stays a record.
    return cast(R, whole)


def _is_inside(pointer: Pointer) -> bool:
    """Whether the schema at *pointer* is a part of a type, and not a definition."""
    word, step = ("", "", *pointer)[-2:]
    named = word in WITH_NAMES and word not in ("$defs", "definitions")
    return named or step in WITH_SCHEMA or (word in WITH_LIST and step.isdigit())


def make_signature(
    arguments: Record | None, returns: Type, definitions: dict[str, Type], keeps_ints: bool
) -> Signature:
    """Return the signature of *arguments* and *returns*, with the definitions that they use."""
    fields, extra = ((), ANY) if arguments is None else (arguments.fields, arguments.extra)
    wholes = [*[f.type for f in fields], returns, *([] if extra is None else [extra])]
    kept = find_used_names(definitions, wholes)
    named = {name: t for name, t in definitions.items() if name in kept}
    try:
        return Signature(fields, returns, named, extra, keeps_ints=keeps_ints)
    except TypesigError as error:
        if isinstance(error, TooDeep):
            raise
        raise Unsupported(f"$ref: {error}", (), "$ref") from None
