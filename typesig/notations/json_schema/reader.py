"""A JSON Schema to a type: what is read is read exactly, the rest is refused by its place.

A schema is a conjunction: what its keywords say of each kind of values (`values`), and what its
applicators say of the whole (`APPLICATORS`, a row each).  To read another applicator, add its row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from typesig.algebra.constructors import both, negated, noted, one, refined, union
from typesig.algebra.loss import Loss, Losses, changing
from typesig.algebra.nodes import ANY, List, Record, Ref, Type
from typesig.algebra.redaction import used
from typesig.algebra.signature import Signature, fresh_name
from typesig.errors import TooDeep, TooLarge, TypesigError, Unsupported
from typesig.limits import MAX_SCHEMA_DEPTH, MAX_SCHEMAS
from typesig.notations.json_schema import objects
from typesig.notations.json_schema.dialects import dialect_of
from typesig.notations.json_schema.formats import PATTERNS
from typesig.notations.json_schema.kinds import ALL, JsonKind, json_kinds, shared
from typesig.notations.json_schema.references import Document, Place, Pointer
from typesig.notations.json_schema.rewriting import NEVER
from typesig.notations.json_schema.unevaluated import unevaluated
from typesig.notations.json_schema.values import Values

R = TypeVar("R")

#: Keywords that are refused, and why.
REFUSED: dict[str, str] = {
    "unevaluatedItems": "it depends on what other keywords saw; write items",
}

#: Keywords that name places or the draft, and say nothing of values.
STRUCTURE = frozenset({
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$id", "$schema", "$vocabulary",
    "definitions", "description", "id", "title", "$recursiveAnchor",
})  # fmt: skip


class Reader:
    """Reads the schemas of one document; definitions are read once each, when all else is."""

    def __init__(self, root: Any, lossy: bool, losses: list[Loss], bold: bool = True) -> None:
        found = dialect_of(root)
        if found is None:
            raise self.refusal((), "$schema", f"there is no reader of {root['$schema']}")
        self.dialect = found
        self.document = Document(root, self.dialect)
        self.lossy = lossy
        self.losses = losses
        # Whether a name may stand where widening what it names would narrow the whole.
        self.bold = bold
        self.negative = 0
        # Where names of keys are being read, whose references stand for themselves.
        self.inlined: tuple[Pointer, ...] | None = None
        # Schemas read, some of them more than once.
        self.count = 0
        self.names: dict[Pointer, str] = {}
        self.pending: list[Place] = []
        self.definitions: dict[str, Type] = {}
        self.denied: set[str] = set()
        # Where a default is a field's.
        self.properties: set[Pointer] = set()
        self.widened: set[str] = set()

    # the whole

    def root(self) -> Type:
        """Return the type of the document."""
        found = self.read(self.document.places[()])
        self.define(found)
        name = self.names.get(())
        return found if name is None else Ref(name)

    def define(self, root: Type) -> None:
        """Read what references have led to, and what that leads to; *root* is read already."""
        while self.pending:
            place = self.pending.pop()
            name = self.names[place.pointer]
            before = len(changing(self.losses))
            made = self.attempt(place, "$ref", partial(self.read, place))
            self.definitions[name] = ANY if made is None else made
            if before < len(changing(self.losses)):
                self.widened.add(name)
        if () in self.names:
            self.definitions[self.names[()]] = root

    def read(self, place: Place, kinds: frozenset[JsonKind] = ALL) -> Type:
        """Return the type of the schema at *place*, for values of *kinds*: others are no matter."""
        schema = place.schema
        self.step()
        if schema is True:
            return ANY
        if schema is False:
            return NEVER
        if not isinstance(schema, dict):
            raise self.refusal(place.pointer, "", "a schema is an object, true or false")
        words = {}
        for word in ("description", "title"):
            text = schema.get(word)
            words[word] = text if isinstance(text, str) else None
            if text is not None and not isinstance(text, str):
                self.omit((*place.pointer, word), f"{word} that is no text", "it must be text")
        whole = self._whole(place, schema, kinds)
        return noted(whole, words["description"], words["title"])

    def _whole(self, place: Place, schema: dict[str, Any], kinds: frozenset[JsonKind]) -> Type:
        if self.dialect.lonely_refs and "$ref" in schema:
            hidden = sorted(map(str, schema.keys() - STRUCTURE - {"$ref", "default"}))
            for word in hidden:
                what, why = f"the keyword {word}", f"$ref hides it in {self.dialect.name}"
                self.omit((*place.pointer, word), what, why)
            return self.attempt(place, "$ref", lambda: self._ref(place, kinds)) or ANY
        self._rest(place, schema)
        values = Values(self, place, schema, kinds)
        values.report()
        within = values.kinds()
        parts = []
        for word, apply in APPLICATORS.items():
            if word in schema and self.knows(word):
                made = self.attempt(place, word, partial(apply, self, place, within))
                parts += [] if made is None or made == ANY else [made]
        return self._joined(values, parts, kinds)

    def _joined(self, values: Values, parts: list[Type], kinds: frozenset[JsonKind]) -> Type:
        """Return what *values* and the *parts* say together."""
        if not values.bare():
            return both([values.type(), *parts])
        if parts or kinds == ALL or not values.spoken():
            whole = both(parts) if parts else ANY
            limits = shared(values.limits(), json_kinds(whole))
            if limits is not None:
                return refined(whole, limits)
        return both([values.type(), *parts])

    def _rest(self, place: Place, schema: dict[str, Any]) -> None:
        """Refuse or report the keywords that nothing reads."""
        for word in schema:
            if word in REFUSED and self.knows(word):
                self.attempt(place, word, partial(self._refuse, place, word))
            elif word == "default":
                if place.pointer not in self.properties:
                    why = "only a property has one"
                    self.omit((*place.pointer, word), "the default", why)
            elif word == "contentEncoding" and schema.get("pattern") == PATTERNS["base64"]:
                continue
            elif word not in READ or not self.knows(word):
                draft = f"it is no keyword of {self.dialect.name}"
                why = draft if word in READ else "it says nothing of values"
                self.omit((*place.pointer, str(word)), f"the keyword {word}", why)

    def _refuse(self, place: Place, word: str) -> None:
        raise self.refusal(place.pointer, word, REFUSED[word])

    # what readers of keywords are made of

    def knows(self, word: str) -> bool:
        """Tell whether the document's draft has the keyword *word*."""
        return word not in self.dialect.newer and word not in self.dialect.older

    def within(self, place: Place, *steps: str) -> Place:
        """Return the place that *steps* lead to from *place*."""
        pointer = (*place.pointer, *steps)
        known = self.document.places.get(pointer)
        if known is not None:
            return known
        value = place.schema
        for step in steps:
            value = value[int(step)] if isinstance(value, list) else value[step]
        return Place(pointer, value, place.address)

    def step(self) -> None:
        """Count a schema that is looked at; raise `TooLarge` where that is often."""
        self.count += 1
        if self.count > 4 * MAX_SCHEMAS:
            raise TooLarge(f"a JSON Schema may hold {MAX_SCHEMAS} schemas, this one says more")

    def refusal(self, pointer: Pointer, word: str, why: str) -> Unsupported:
        """Return the error for the keyword *word* of the schema at *pointer*."""
        where = "".join(f"/{s.replace('~', '~0').replace('/', '~1')}" for s in pointer)
        said = f"{where or 'the root'}: {word + ': ' if word else ''}{why}"
        return Unsupported(said, pointer, word, why)

    def omit(self, path: Pointer, what: str, why: str) -> None:
        """Keep what says nothing of values, and was not read."""
        self.losses.append(Loss("omitted", path, what, why))

    def widen(self, path: Pointer, what: str, why: str, became: str) -> None:
        """Keep what was not read, and what stands in its place."""
        self.losses.append(Loss("widened", path, what, why, became))

    def attempt(self, place: Place, word: str, make: Callable[[], R]) -> R | None:
        """Return what *make* returns; where it is refused and may be widened, None."""
        if not self.lossy or self.negative:
            return make()
        try:
            return make()
        except Unsupported as error:
            what = f"the keyword {error.shape}" if error.shape else "the schema"
            path = (*error.path, error.shape) if error.shape else error.path
            self.widen(path, what, error.why, "anything")
            return None

    def denying(self, make: Callable[[], R]) -> R:
        """Return what *make* returns, reading where widening would narrow."""
        self.negative += 1
        try:
            return make()
        finally:
            self.negative -= 1

    # applicators

    def leads(self, place: Place, word: str = "$ref") -> Place:
        """Return where the reference *word* of the schema at *place* leads."""
        ref = place.schema[word]
        found = self.document.find(place, ref) if isinstance(ref, str) else None
        if found is None:
            raise self.refusal(place.pointer, word, f"{ref!r} is not in the document")
        return found

    def _ref(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        return self._named(place, self.leads(place), kinds)

    def _dynamic(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> Type:
        if self.document.branches(word):
            why = "where it leads depends on who asks; write $ref"
            raise self.refusal(place.pointer, word, why)
        return self._named(place, self.leads(place, word), kinds)

    def _dynamic_ref(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        return self._dynamic(place, "$dynamicRef", kinds)

    def _recursive_ref(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        return self._dynamic(place, "$recursiveRef", kinds)

    def of_names(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        """Return the type of names that the schema at *place* describes, texts alone."""
        before, self.inlined = self.inlined, (*(self.inlined or ()), place.pointer)
        try:
            return self.read(place, kinds)
        finally:
            self.inlined = before

    def _named(self, place: Place, found: Place, kinds: frozenset[JsonKind]) -> Type:
        if self.inlined is not None:
            # What a name stands for may be more than texts, which keys are not.
            if found.pointer in self.inlined:
                raise self.refusal(place.pointer, "$ref", "a reference leads back to it")
            return self.of_names(found, kinds)
        name = self.names.get(found.pointer)
        if name is None:
            name = _name(found, set(self.names.values()))
            self.names[found.pointer] = name
            if found.pointer:
                self.pending.append(found)
        if self.negative:
            if self.lossy and not self.bold:
                why = "what it leads to cannot be read, and widening it here would narrow"
                raise self.refusal(place.pointer, "$ref", why)
            self.denied.add(name)
        return Ref(name)

    def _members(self, place: Place, word: str, kinds: frozenset[JsonKind]) -> list[Type]:
        members = place.schema[word]
        if not isinstance(members, list) or not members:
            raise self.refusal(place.pointer, word, "it must be a list of one schema or more")
        each = [self.within(place, word, str(count)) for count in range(len(members))]
        return [self.read(member, kinds) for member in each]

    def _all_of(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        return both(self._members(place, "allOf", kinds))

    def _any_of(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        return union(self._members(place, "anyOf", kinds))

    def _one_of(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        return one(self.denying(lambda: self._members(place, "oneOf", kinds)))

    def _not(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        inner = self.within(place, "not")
        return negated(self.denying(lambda: self.read(inner, kinds)))

    def _if(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        condition = self.denying(lambda: self.read(self.within(place, "if"), kinds))
        parts = []
        for word, guard in (("then", negated(condition)), ("else", condition)):
            if word in place.schema:
                parts.append(union([guard, self.read(self.within(place, word), kinds)]))
        return both(parts) if parts else ANY

    def _contains(self, place: Place, kinds: frozenset[JsonKind]) -> Type:
        schema = place.schema
        counted = self.knows("minContains")
        fewest = schema.get("minContains", 1) if counted else 1
        if "array" not in kinds or fewest == 0:
            if counted and "maxContains" in schema and "array" in kinds:
                raise self.refusal(place.pointer, "maxContains", "items cannot be counted")
            return ANY
        if fewest != 1 or (counted and "maxContains" in schema):
            word = "minContains" if fewest != 1 else "maxContains"
            raise self.refusal(place.pointer, word, "items of a type cannot be counted")
        # A list has such an item where not every item is another one.
        return negated(List(negated(self.read(self.within(place, "contains")))))


def _name(place: Place, taken: set[str]) -> str:
    """Return the name of the definition at *place*, none of *taken*."""
    schema = place.schema
    if place.pointer:
        name = place.pointer[-1] or "Empty"
    else:
        title = schema.get("title") if isinstance(schema, dict) else None
        name = title if isinstance(title, str) and title.isidentifier() else "Root"
    return fresh_name(name, taken) if name in taken else name


Apply = Callable[[Reader, Place, frozenset[JsonKind]], Type]

#: What says something of the whole value, by keyword.
APPLICATORS: dict[str, Apply] = {
    "$ref": Reader._ref,
    "$dynamicRef": Reader._dynamic_ref,
    "$recursiveRef": Reader._recursive_ref,
    "allOf": Reader._all_of,
    "anyOf": Reader._any_of,
    "oneOf": Reader._one_of,
    "not": Reader._not,
    "if": Reader._if,
    "contains": Reader._contains,
    "dependentRequired": objects.dependent_required,
    "dependentSchemas": objects.dependent_schemas,
    "dependencies": objects.dependencies,
    "unevaluatedProperties": unevaluated,
}

#: Keywords that are read here, beside those that speak of one kind of values.
READ = frozenset({
    *APPLICATORS, *STRUCTURE, *REFUSED, *Values.WORDS, "then", "else", "default", "minContains",
    "maxContains",
})  # fmt: skip


def read_type(schema: Any, lossy: bool) -> tuple[Type, dict[str, Type], Losses]:
    """Return the type of *schema*, the definitions that it uses, and what was not read."""
    return _reading(schema, lossy, Reader.root)


def read_record(schema: Any, lossy: bool) -> tuple[Record, dict[str, Type], Losses]:
    """Return the record of named arguments that *schema* describes, its definitions and losses."""
    return _reading(schema, lossy, objects.arguments)


def _reading(
    schema: Any, lossy: bool, step: Callable[[Reader], R]
) -> tuple[R, dict[str, Type], Losses]:
    try:
        found: list[Loss] = []
        reader = Reader(schema, lossy, found)
        made = step(reader)
        if reader.widened & used(reader.definitions, map(Ref, reader.denied)):
            # What a name stands for was widened, and stands where that narrows: read it again.
            found.clear()
            reader = Reader(schema, lossy, found, bold=False)
            made = step(reader)
    except RecursionError:
        limit = f"a JSON Schema may nest {MAX_SCHEMA_DEPTH} schemas"
        raise TooDeep(f"{limit}, and this is more than the stack leaves room for") from None
    return made, reader.definitions, tuple(dict.fromkeys(found))


def signed(params: Any, returns: Type, definitions: dict[str, Type]) -> Signature:
    """Return the signature of *params*, a record or None, and *returns*; unused names dropped."""
    fields, extra = ((), ANY) if params is None else (params.fields, params.extra)
    wholes = [*[f.type for f in fields], returns, *([] if extra is None else [extra])]
    kept = used(definitions, wholes)
    named = {name: t for name, t in definitions.items() if name in kept}
    try:
        return Signature(fields, returns, named, extra)
    except TypesigError as error:
        if isinstance(error, TooDeep):
            raise
        raise Unsupported(f"$ref: {error}", (), "$ref") from None
