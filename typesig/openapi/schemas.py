"""The schemas of a document, as JSON Schemas with definitions of their own.

OpenAPI 3.1 and 3.2 have the schemas of JSON Schema 2020-12; those of 3.0 are a dialect.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

from typesig.algebra.loss import Loss, Losses
from typesig.errors import TooDeep, short
from typesig.limits import MAX_SCHEMA_DEPTH
from typesig.openapi.bodies import is_binary
from typesig.openapi.discriminators import Discriminators, properties_of
from typesig.openapi.documents import Document, Place, component_name

#: Which way data of a schema goes: some properties are only in requests, others only in responses.
Way: TypeAlias = Literal["request", "response"]

_ABSENT: dict[Way, str] = {"request": "readOnly", "response": "writeOnly"}

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


class Whole(NamedTuple):
    """A schema that stands alone.

    #: lost: references that lead to nothing, for which anything is accepted
    """

    schema: Any
    lost: Losses


class _Written(NamedTuple):
    """What was written for a definition, and what it refers to."""

    schema: Any
    references: tuple[str, ...]
    lost: Losses


class Schemas:
    """Writes the schemas of *document* as JSON Schemas that stand alone."""

    __slots__ = ("_discriminators", "_document", "_written")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._discriminators = Discriminators(document)
        self._written: dict[tuple[str, Way], _Written] = {}

    def whole(self, schema: object, way: Way, place: Place) -> Whole:
        """Return *schema*, at *place*, with all that it refers to as definitions.

        Raises `TooDeep` for a schema that nests too deep.
        """
        writing = self._writing(way, "#")
        out = writing.write(schema, place, 0)
        definitions: dict[str, Any] = {}
        pending = list(writing.references)
        lost = [*writing.lost]
        while pending:
            reference = pending.pop()
            if component_name(reference) in definitions:
                continue
            made = self._definition(reference, way, place)
            definitions[component_name(reference)] = made.schema
            pending += made.references
            lost += made.lost
        if definitions:
            own = out.get("$defs", {}) if isinstance(out, dict) else {}
            ordered = {name: definitions[name] for name in sorted(definitions)}
            out = {**out, "$defs": {**own, **ordered}}
        return Whole(out, tuple(lost))

    def _writing(self, way: Way, own: str) -> _Writing:
        return _Writing(self._document, self._discriminators, way, own)

    def _definition(self, reference: str, way: Way, place: Place) -> _Written:
        found = self._written.get((reference, way))
        if found is None:
            writing = self._writing(way, reference)
            made = writing.write(self._document.at(reference, place), (reference,), 0)
            found = _Written(made, tuple(writing.references), tuple(writing.lost))
            self._written[reference, way] = found
        return found


def _link_to(name: str) -> dict[str, Any]:
    """Return the reference to the definition *name*."""
    return {"$ref": "#/$defs/" + quote(name.replace("~", "~0").replace("/", "~1"), safe="~")}


class _Writing:
    """Writes one schema, at the reference *own*, and notes what it refers to."""

    def __init__(
        self, document: Document, discriminators: Discriminators, way: Way, own: str
    ) -> None:
        self._document = document
        self._discriminators = discriminators
        self._way: Way = way
        self._own = own
        self.references: dict[str, None] = {}
        self.lost: list[Loss] = []

    def write(self, schema: object, place: Place, depth: int) -> Any:
        if depth > MAX_SCHEMA_DEPTH:
            raise TooDeep(f"{'.'.join(place[:4])}: the schema nests deeper than {MAX_SCHEMA_DEPTH}")
        if not isinstance(schema, dict):
            return schema
        if isinstance(schema.get("$ref"), str):
            link = self._link(schema["$ref"], place)
            if self._document.is_old:
                # There nothing else counts beside a reference.
                return link
            schema = {**{word: each for word, each in schema.items() if word != "$ref"}, **link}
        out = {
            word: self._value(word, value, (*place, word), depth)
            for word, value in schema.items()
            if word not in _DROPPED and not word.startswith("x-")
        }
        if not _TYPED & out.keys():
            out |= _implied_type(out)
        self._leave_out(schema, out, place)
        self._tell_apart(schema, out)
        # A model has to know that it writes base64; what servers send is commonly of another kind.
        if is_binary(schema) or (self._way == "request" and schema.get("format") == "byte"):
            out = _of_bytes(out)
        # Documents of later versions keep `nullable`, which the reader of JSON Schema takes.
        return self._of_old(schema, out) if self._document.is_old else out

    def _link(self, reference: str, place: Place) -> dict[str, Any]:
        """Return the reference to the definition of *reference*; an empty schema if it has none.

        A schema that was written for another document may refer to its own parts.
        """
        reference = self._document.local(reference)
        for each in (reference, f"{self._own}{reference[1:]}"):
            if each.startswith("#/") and reference.startswith("#/") and self._document.has(each):
                self.references[each] = None
                return _link_to(component_name(each))
        why = "it leads to nothing"
        if not reference.startswith("#"):
            why = "it leaves the document, and nothing is fetched"
        self.lost.append(
            Loss("widened", place, f"the reference {short(reference)}", why, "anything")
        )
        return {}

    def _tell_apart(self, schema: dict[str, Any], out: dict[str, Any]) -> None:
        """Add to the branches of *out* the values by which a discriminator tells them apart."""
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
                out[word] = [self._told(made, name, each) for made, each in pairs]

    def _told(self, made: Any, name: str, values: list[str]) -> Any:
        if not values or "$ref" not in made:
            return made
        one: dict[str, Any] = {"type": "object", "properties": {name: {"enum": values}}}
        if self._way == "request":
            one["required"] = [name]
        return {"allOf": [one, made]}

    def _value(self, word: str, value: Any, place: Place, depth: int) -> Any:
        if word in _NAMED and isinstance(value, dict):
            return {
                name: self.write(each, (*place, name), depth + 1) for name, each in value.items()
            }
        if word in _SEVERAL and isinstance(value, list):
            return [self.write(each, place, depth + 1) for each in value]
        return self.write(value, place, depth + 1) if word in _ONE else value

    def _leave_out(self, schema: dict[str, Any], out: dict[str, Any], place: Place) -> None:
        """Remove the properties that data that goes this way does not have."""
        properties = properties_of(schema).items()
        absent = {name for name, each in properties if self._is_absent(each, place)}
        if absent:
            out["properties"] = {k: v for k, v in out["properties"].items() if k not in absent}
            required = out.get("required")
            if isinstance(required, list):
                out["required"] = [
                    name for name in required if not (isinstance(name, str) and name in absent)
                ]

    def _is_absent(self, schema: object, place: Place) -> bool:
        if not isinstance(schema, dict):
            return False
        marked = [schema]
        if isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#/"):
            marked.append(self._document.schema(schema, place))
        absent = _ABSENT[self._way]
        return any(each.get(absent) is True for each in marked)

    def _of_old(self, schema: dict[str, Any], out: dict[str, Any]) -> dict[str, Any]:
        """Return *out* with what the dialect of 3.0 says in other words."""
        for bound, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            flag = out.get(bound)
            if isinstance(flag, bool):
                del out[bound]
                if flag and limit in out:
                    out[bound] = out.pop(limit)
        if out.pop("nullable", None) is not True:
            return out
        if isinstance(out.get("enum"), list):
            # Documents commonly leave null out here.
            out["enum"] = [*out["enum"], *([] if None in out["enum"] else [None])]
        if isinstance(out.get("type"), str) and not _ONE_OF & out.keys():
            return {**out, "type": [out["type"], "null"]}
        texts: dict[str, Any] = {
            word: out.pop(word) for word in ("title", "description") if word in out
        }
        return {**texts, "anyOf": [out, {"type": "null"}]}


def _implied_type(schema: dict[str, Any]) -> dict[str, str]:
    """Return the type of *schema*, which names none, if it says what its values consist of.

    JSON Schema takes values of all other types as well, which no document of OpenAPI means.
    """
    # Empty ones say nothing beside alternatives that may be of other types.
    has_choices = bool(_ONE_OF & schema.keys())
    for word, kind in _KINDS.items():
        parts = schema.get(word)
        if isinstance(parts, dict | list) and (parts or not has_choices):
            return {"type": kind}
    return {}


def _of_bytes(out: dict[str, Any]) -> dict[str, Any]:
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

_TEXTS = frozenset({"title", "description"})

#: Keywords that null would have to fit too.
_ONE_OF = frozenset({"allOf", "anyOf", "oneOf", "not"})
