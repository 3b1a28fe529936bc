"""Convert the schemas of a document to self-contained JSON Schemas.

OpenAPI 3.1 and 3.2 have the schemas of JSON Schema 2020-12; those of 3.0 are a dialect.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

from typesig.algebra.loss import Loss, Losses
from typesig.errors import TooDeep, format_value
from typesig.limits import MAX_SCHEMA_DEPTH
from typesig.limits.network import MAX_TAGGED_PARTS
from typesig.openapi.documents import Document, Place, get_component_name
from typesig.openapi.shapes import find_shape, is_binary

#: The keywords of the parts of which a schema consists, or among which its values choose.
_CHOICES = ("anyOf", "oneOf")
_PARTS = ("allOf", *_CHOICES)


class _BranchProperty(NamedTuple):
    """Constants that a union branch allows for the discriminator property.

    #: constants: the texts that it has for it; is_silent: whether it takes any text
    #: has_place: whether objects of the branch can have it
    #: is_union: whether it has branches itself
    """

    constants: frozenset[str]
    is_silent: bool
    has_place: bool = True
    is_union: bool = False


class Discriminators:
    """Reads the discriminators of *document*."""

    __slots__ = ("_document", "_known")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[tuple[str, str], _BranchProperty] = {}

    def values(self, said: dict[str, Any], name: str, branches: list[Any]) -> list[list[str]]:
        """Values of *name* that make the discriminator select each of *branches*.

        There are none for a branch that says them itself, and for one that has no place for them.
        """
        found = [self._get_branch(branch, name) for branch in branches]
        owns = [get_component_name(self._get_local_reference(branch) or "") for branch in branches]
        has_names = "defaultMapping" not in said and all(
            name in each.constants or each.is_silent for each, name in zip(found, owns, strict=True)
        )
        out: list[list[str]] = []
        for branch, own, each in zip(branches, owns, found, strict=True):
            values = self._find_mapped_values(said, self._get_local_reference(branch), own)
            # Constants that several branches have do not tell them apart.
            is_shared = [other.constants for other in found].count(each.constants) > 1
            is_named = has_names and own and "/" not in own and not each.is_union
            if not values and is_named and (each.is_silent or is_shared):
                values = [own]
            if not each.is_silent:
                values = [value for value in values if value in each.constants]
            is_said = not each.has_place or each.constants == {*values}
            out.append([] if is_said else values)
        return out

    def _find_mapped_values(
        self, said: dict[str, Any], reference: str | None, own: str
    ) -> list[str]:
        """Values in the mapping of *said* for the schema at *reference*."""
        mapping = said.get("mapping")
        if reference is None or not isinstance(mapping, dict):
            return []
        return [
            value
            for value, to in mapping.items()
            if isinstance(to, str) and (to == own or self._document.make_local(to) == reference)
        ]

    def _get_local_reference(self, schema: object) -> str | None:
        """Return the `$ref` of *schema*, local to the document, or None."""
        reference = _get_reference(schema)
        return None if reference is None else self._document.make_local(reference)

    def _get_branch(self, branch: object, name: str) -> _BranchProperty:
        """Return the property *name* of a union *branch*, from a cache."""
        reference = self._get_local_reference(branch)
        if reference is None:
            return self._read_branch(branch, name)
        key = (reference, name)
        if key not in self._known:
            self._known[key] = self._read_branch(branch, name)
        return self._known[key]

    def _read_branch(self, branch: object, name: str) -> _BranchProperty:
        """Collect the constants that a union *branch* allows for property *name*."""
        parts = self._collect_parts(branch)
        if parts is None:
            return _BranchProperty(frozenset(), False)
        owns = [get_properties(part) for part in parts]
        is_closed = any(
            part.get("additionalProperties") is False and name not in own
            for part, own in zip(parts, owns, strict=True)
        )
        is_sealed = any(part.get("unevaluatedProperties") is False for part in parts)
        schemas = [own[name] for own in owns if name in own]
        values = [self._find_constants(schema) for schema in schemas]
        has_place = not is_closed and (bool(schemas) or not is_sealed)
        is_union = any(part.keys() & _CHOICES for part in parts)
        told = [each for each in values if each]
        # Of all that a branch consists of, each has to fit.
        join = frozenset.union if is_union else frozenset.intersection
        texts = join(*told) if told else frozenset[str]()
        return _BranchProperty(texts, not told and None not in values, has_place, is_union)

    def _find_constants(self, schema: object) -> frozenset[str] | None:
        """Return the texts that *schema* allows; None for no text.

        There are none if it takes any text.
        """
        parts = self._collect_parts(schema)
        if parts is None:
            return None
        listed = [part["enum"] for part in parts if isinstance(part.get("enum"), list)]
        values = [*chain(*listed), *(part["const"] for part in parts if "const" in part)]
        types = [part["type"] for part in parts if "type" in part]
        takes_text = not types or any(
            each == "string" or (isinstance(each, list) and "string" in each) for each in types
        )
        texts = frozenset(value for value in values if isinstance(value, str))
        return texts if takes_text and (texts or not values) else None

    def _collect_parts(self, schema: object) -> list[dict[str, Any]] | None:
        """Return *schema* and the schemas it combines; None if too many."""
        found: dict[int, dict[str, Any]] = {}
        pending = [schema]
        while pending:
            part = pending.pop()
            if not isinstance(part, dict) or id(part) in found:
                continue
            if len(found) == MAX_TAGGED_PARTS:
                return None
            found[id(part)] = part
            if _get_reference(part) is not None:
                # An empty schema is new in each call; only the document keeps its parts.
                pending.append(self._document.schema(part, ()) or None)
            for word in _PARTS:
                branches = part.get(word)
                pending += branches if isinstance(branches, list) else []
        return [*found.values()]


def get_properties(schema: dict[str, Any]) -> dict[str, Any]:
    """Properties of *schema*; empty if it has none."""
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _get_reference(schema: object) -> str | None:
    """Return the `$ref` text of *schema*, or None."""
    found = schema.get("$ref") if isinstance(schema, dict) else None
    return found if isinstance(found, str) else None


#: Which way data of a schema goes: some properties are only in requests, others only in responses.
Direction: TypeAlias = Literal["request", "response"]

_ABSENT: dict[Direction, str] = {"request": "readOnly", "response": "writeOnly"}

#: The keywords of a property that may only go one way.
_MARKED = frozenset({"$ref", *_PARTS, *_ABSENT.values()})

#: What a model is told of how it writes bytes.
BASE64 = "in base64"

#: Keywords that constrain nothing, and that JSON Schema does not have; `$id` would change where
#: references lead.
_DROPPED = frozenset({"$id", "discriminator", "example", "externalDocs", "readOnly", "xml"})

_ONE = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "else", "if", "items", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
_SEVERAL = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
_NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})


class StandaloneSchema(NamedTuple):
    """A schema, and the definitions that it refers to.

    #: lost: references that lead to nothing, for which anything is accepted
    """

    schema: Any
    definitions: dict[str, Any]
    lost: Losses


class _Definition(NamedTuple):
    """A converted definition, and the references in it."""

    schema: Any
    references: tuple[str, ...]
    lost: Losses


class Schemas:
    """Converter of the schemas in *document* to standalone JSON Schemas."""

    __slots__ = ("_discriminators", "_document", "_written")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._discriminators = Discriminators(document)
        self._written: dict[tuple[str, Direction], _Definition] = {}

    def build(self, schema: object, way: Direction, place: Place) -> StandaloneSchema:
        """Convert *schema* and its definitions, for the direction *way*.

        Raises `TooDeep` for a schema that nests too deep.
        """
        writing = _SchemaWriter(self._document, self._discriminators, way, "#")
        out = writing.write(schema, place, 0)
        definitions: dict[str, Any] = {}
        pending = list(writing.references)
        lost = [*writing.lost]
        while pending:
            reference = pending.pop()
            if get_component_name(reference) in definitions:
                continue
            made = self._build_definition(reference, way, place)
            definitions[get_component_name(reference)] = made.schema
            pending += made.references
            lost += made.lost
        own = out.pop("$defs", {}) if isinstance(out, dict) else {}
        ordered = {name: definitions[name] for name in sorted(definitions)}
        return StandaloneSchema(out, {**own, **ordered}, tuple(lost))

    def _build_definition(self, reference: str, way: Direction, place: Place) -> _Definition:
        """Convert the schema at *reference* for requests or responses, with a cache."""
        found = self._written.get((reference, way))
        if found is None:
            writing = _SchemaWriter(self._document, self._discriminators, way, reference)
            made = writing.write(self._document.follow(reference, place), (reference,), 0)
            found = _Definition(made, tuple(writing.references), tuple(writing.lost))
            self._written[reference, way] = found
        return found


def _make_link(name: str) -> dict[str, Any]:
    """Make a reference to the definition *name*."""
    return {"$ref": "#/$defs/" + quote(name.replace("~", "~0").replace("/", "~1"), safe="~")}


class _SchemaWriter:
    """Converter of one schema, which collects the references in it."""

    def __init__(
        self, document: Document, discriminators: Discriminators, way: Direction, own: str
    ) -> None:
        self._document = document
        self._discriminators = discriminators
        self._way: Direction = way
        self._own = own
        self.references: dict[str, None] = {}
        self.lost: list[Loss] = []

    def write(self, schema: object, place: Place, depth: int) -> Any:
        """Convert *schema*, at *place* and nesting *depth*, to standalone JSON Schema."""
        if depth > MAX_SCHEMA_DEPTH:
            raise TooDeep(f"{'.'.join(place[:4])}: the schema nests deeper than {MAX_SCHEMA_DEPTH}")
        if not isinstance(schema, dict):
            return schema
        if isinstance(schema.get("$ref"), str):
            link = self._link(schema["$ref"], place)
            if self._document.is_old:
                # There nothing else counts beside a reference; null is meant all the same.
                return _add_null_branch(link) if schema.get("nullable") is True else link
            schema = {**{word: each for word, each in schema.items() if word != "$ref"}, **link}
        out = {
            word: self._write_value(word, value, (*place, word), depth)
            for word, value in schema.items()
            if word not in _DROPPED and not word.startswith("x-")
        }
        if not _TYPED & out.keys():
            out |= _infer_type(out)
        self._drop_absent(schema, out, place)
        self._add_tags(schema, out)
        # A model has to know that it writes base64; what servers send is commonly of another kind.
        if is_binary(schema) or (self._way == "request" and schema.get("format") == "byte"):
            out = _describe_bytes(out)
        out = self._convert_old_bounds(out) if self._document.is_old else out
        return _allow_null(out) if out.pop("nullable", None) is True else out

    def _link(self, reference: str, place: Place) -> dict[str, Any]:
        """Make a link to the definition of *reference*; empty schema if it is missing.

        A schema that was written for another document may refer to its own parts.
        """
        reference = self._document.make_local(reference)
        for each in (reference, f"{self._own}{reference[1:]}"):
            if each.startswith("#/") and reference.startswith("#/") and self._document.has(each):
                self.references[each] = None
                return _make_link(get_component_name(each))
        why = "it leads to nothing"
        if not reference.startswith("#"):
            why = "it leaves the document, and nothing is fetched"
        self.lost.append(
            Loss("widened", place, f"the reference {format_value(reference)}", why, "anything")
        )
        return {}

    def _add_tags(self, schema: dict[str, Any], out: dict[str, Any]) -> None:
        """Add the values of the discriminator to the branches of *out*."""
        said = schema.get("discriminator")
        said = said if isinstance(said, dict) else {}
        name = said.get("propertyName")
        if not isinstance(name, str):
            return
        for word in ("oneOf", "anyOf"):
            branches = schema.get(word)
            if isinstance(branches, list):
                values = self._discriminators.values(said, name, branches)
                pairs = zip(out[word], values, strict=True)
                out[word] = [self._tag_branch(made, name, each) for made, each in pairs]

    def _tag_branch(self, made: Any, name: str, values: list[str]) -> Any:
        """Restrict the discriminator *name* of a referenced branch to *values*."""
        if not values or "$ref" not in made:
            return made
        one: dict[str, Any] = {"type": "object", "properties": {name: {"enum": values}}}
        if self._way == "request":
            one["required"] = [name]
        return {"allOf": [one, made]}

    def _write_value(self, word: str, value: Any, place: Place, depth: int) -> Any:
        """Convert the subschemas in *value*, which belongs to the keyword *word*."""
        if word in _NAMED and isinstance(value, dict):
            return {
                name: self.write(each, (*place, name), depth + 1) for name, each in value.items()
            }
        if word in _SEVERAL and isinstance(value, list):
            return [self.write(each, place, depth + 1) for each in value]
        return self.write(value, place, depth + 1) if word in _ONE else value

    def _drop_absent(self, schema: dict[str, Any], out: dict[str, Any], place: Place) -> None:
        """Remove read-only or write-only properties from *out*."""
        properties = get_properties(schema).items()
        absent = {name for name, each in properties if self._is_absent(each, place)}
        if absent:
            out["properties"] = {k: v for k, v in out["properties"].items() if k not in absent}
            required = out.get("required")
            if isinstance(required, list):
                out["required"] = [
                    name for name in required if not (isinstance(name, str) and name in absent)
                ]

    def _is_absent(self, schema: object, place: Place) -> bool:
        """Whether *schema* is read-only in a request or write-only in a response."""
        # Most properties are plain.
        if not isinstance(schema, dict) or not (schema.keys() & _MARKED):
            return False
        return find_shape(self._document, schema, place).has(_ABSENT[self._way])

    def _convert_old_bounds(self, out: dict[str, Any]) -> dict[str, Any]:
        """Convert the boolean exclusive bounds of OpenAPI 3.0 in *out*."""
        for bound, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            flag = out.get(bound)
            if isinstance(flag, bool):
                del out[bound]
                if flag and limit in out:
                    out[bound] = out.pop(limit)
        return out


def _allow_null(out: dict[str, Any]) -> dict[str, Any]:
    """Extend *out* by null; `nullable`, of 3.0, is also used in later documents."""
    if isinstance(out.get("enum"), list):
        # Documents commonly leave null out here.
        out["enum"] = [*out["enum"], *([] if None in out["enum"] else [None])]
    if isinstance(out.get("type"), str) and not _ONE_OF & out.keys():
        return {**out, "type": [out["type"], "null"]}
    return _add_null_branch(out)


def _add_null_branch(out: dict[str, Any]) -> dict[str, Any]:
    """Allow null in schema *out*, keeping title, description and default outside."""
    words = ("title", "description", "default")
    outer: dict[str, Any] = {word: out[word] for word in words if word in out}
    inner = {word: value for word, value in out.items() if word not in outer}
    return {**outer, "anyOf": [inner, {"type": "null"}]}


def _infer_type(schema: dict[str, Any]) -> dict[str, str]:
    """Infer the type of *schema* from its keywords, or return None.

    JSON Schema takes values of all other types as well, which no document of OpenAPI means.
    """
    # Empty ones say nothing beside alternatives that may be of other types.
    has_choices = bool(_ONE_OF & schema.keys())
    for word, kind in _KINDS.items():
        parts = schema.get(word)
        if isinstance(parts, dict | list) and (parts or not has_choices):
            return {"type": kind}
    return {}


def _describe_bytes(out: dict[str, Any]) -> dict[str, Any]:
    """Turn schema *out* of binary data into a base64 string with a described encoding."""
    told = out.get("description")
    kept = {
        word: value for word, value in out.items() if word not in ("format", "contentMediaType")
    }
    words = f"{told.rstrip()} (bytes, {BASE64})" if isinstance(told, str) else f"Bytes, {BASE64}."
    return {**kept, "type": "string", "contentEncoding": "base64", "description": words}


#: The types of values that consist of others, by the keywords that say so.
_KINDS = {
    "properties": "object",
    "required": "object",
    "additionalProperties": "object",
    "items": "array",
}

#: Keywords beside which no type is implied.
_TYPED = frozenset({"$ref", "const", "enum", "type"})

#: Keywords that null would have to fit too.
_ONE_OF = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not"})
