"""The schemas of a document, as JSON Schemas with definitions of their own.

OpenAPI 3.1 has the schemas of JSON Schema 2020-12; those of 3.0 are a dialect.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from typesig.algebra.loss import Loss, Losses
from typesig.errors import TooDeep, short
from typesig.limits import MAX_SCHEMA_DEPTH
from typesig.openapi.bodies import is_binary
from typesig.openapi.documents import Document, Place

#: Which way data of a schema goes: some properties are only in requests, others only in responses.
Way: TypeAlias = Literal["request", "response"]

_ABSENT: dict[Way, str] = {"request": "readOnly", "response": "writeOnly"}

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

_COMPONENT = "#/components/schemas/"


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

    __slots__ = ("_document", "_written")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._written: dict[tuple[str, Way], _Written] = {}

    def whole(self, schema: object, way: Way, place: Place) -> Whole:
        """Return *schema*, at *place*, with all that it refers to as definitions.

        Raises `TooDeep` for a schema that nests too deep.
        """
        writing = _Writing(self._document, way, "#")
        out = writing.write(schema, place, 0)
        definitions: dict[str, Any] = {}
        pending = list(writing.references)
        lost = [*writing.lost]
        while pending:
            reference = pending.pop()
            if _name(reference) in definitions:
                continue
            made = self._definition(reference, way, place)
            definitions[_name(reference)] = made.schema
            pending += made.references
            lost += made.lost
        if definitions:
            own = out.get("$defs", {}) if isinstance(out, dict) else {}
            ordered = {name: definitions[name] for name in sorted(definitions)}
            out = {**out, "$defs": {**own, **ordered}}
        return Whole(out, tuple(lost))

    def _definition(self, reference: str, way: Way, place: Place) -> _Written:
        found = self._written.get((reference, way))
        if found is None:
            writing = _Writing(self._document, way, reference)
            made = writing.write(self._document.at(reference, place), (reference,), 0)
            found = _Written(made, tuple(writing.references), tuple(writing.lost))
            self._written[reference, way] = found
        return found


def _name(reference: str) -> str:
    """Return the name of the definition that stands for what *reference* leads to."""
    short_name = reference.removeprefix(_COMPONENT)
    if "/" in short_name:
        # Elsewhere in the document; names of components have no `#`.
        return reference
    return unquote(short_name).replace("~1", "/").replace("~0", "~")


def _link_to(name: str) -> dict[str, Any]:
    """Return the reference to the definition *name*."""
    return {"$ref": "#/$defs/" + quote(name.replace("~", "~0").replace("/", "~1"), safe="~")}


class _Writing:
    """Writes one schema, at the reference *own*, and notes what it refers to."""

    def __init__(self, document: Document, way: Way, own: str) -> None:
        self._document = document
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
        self._leave_out(schema, out, place)
        self._tell_apart(schema, out)
        # A model has to know that it writes base64; what servers send is commonly of another kind.
        if is_binary(schema) or (self._way == "request" and schema.get("format") == "byte"):
            out = _of_bytes(out)
        return self._of_old(schema, out) if self._document.is_old else out

    def _link(self, reference: str, place: Place) -> dict[str, Any]:
        """Return the reference to the definition of *reference*; an empty schema if it has none.

        A schema that was written for another document may refer to its own parts.
        """
        for each in (reference, f"{self._own}{reference[1:]}"):
            if each.startswith("#/") and reference.startswith("#/") and self._document.has(each):
                self.references[each] = None
                return _link_to(_name(each))
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
        name = said.get("propertyName") if isinstance(said, dict) else None
        if not isinstance(name, str):
            return
        for word in ("oneOf", "anyOf"):
            branches = schema.get(word)
            if isinstance(branches, list):
                pairs = zip(branches, out[word], strict=True)
                out[word] = [self._told(each, made, name, said) for each, made in pairs]

    def _told(self, branch: object, made: Any, name: str, said: Any) -> Any:
        reference = branch.get("$ref") if isinstance(branch, dict) else None
        if not isinstance(reference, str) or "$ref" not in made:
            return made
        node = self._document.schema(branch, ())
        properties = node.get("properties")
        own = properties.get(name) if isinstance(properties, dict) else None
        own = self._document.schema(own, ())
        is_open = bool(own) or node.get("additionalProperties") is not False
        values = [*_values(reference, said)]
        if not values or not is_open or own.keys() & {"const", "enum"}:
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
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            return
        absent = {name for name, each in properties.items() if self._is_absent(each, place)}
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


def _values(reference: str, said: dict[str, Any]) -> Iterator[str]:
    """Yield the values of the discriminator *said* that stand for the schema at *reference*."""
    own = _name(reference)
    mapping = said.get("mapping")
    mapped = mapping.items() if isinstance(mapping, dict) else ()
    found = [value for value, target in mapped if target in (reference, own)]
    # Without any, its name does.
    yield from found or ([] if own == reference else [own])


def _of_bytes(out: dict[str, Any]) -> dict[str, Any]:
    told = out.get("description")
    kept = {
        word: value for word, value in out.items() if word not in ("format", "contentMediaType")
    }
    words = f"{told.rstrip()} (bytes, in base64)" if isinstance(told, str) else "Bytes, in base64."
    return {**kept, "type": "string", "contentEncoding": "base64", "description": words}


_TEXTS = frozenset({"title", "description"})

#: Keywords that null would have to fit too.
_ONE_OF = frozenset({"allOf", "anyOf", "oneOf", "not"})
