"""The schemas of a document, as JSON Schemas with definitions of their own.

OpenAPI 3.1 has the schemas of JSON Schema 2020-12; those of 3.0 are a dialect.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typesig.errors import TooDeep
from typesig.limits import MAX_SCHEMA_DEPTH
from typesig.openapi.bodies import is_binary
from typesig.openapi.documents import Document, Place

#: Which way data of a schema goes: some properties are only in requests, others only in responses.
Way: TypeAlias = Literal["request", "response"]

_ABSENT: dict[Way, str] = {"request": "readOnly", "response": "writeOnly"}

#: Keywords that constrain nothing, and that JSON Schema does not have.
_DROPPED = frozenset({"discriminator", "example", "externalDocs", "readOnly", "xml"})

_ONE = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "else", "if", "items", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
_SEVERAL = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
_NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})

_COMPONENT = "#/components/schemas/"


class Schemas:
    """Writes the schemas of *document* as JSON Schemas that stand alone."""

    __slots__ = ("_document", "_written")

    def __init__(self, document: Document) -> None:
        self._document = document
        # By reference and way: what was written, and the references in it.
        self._written: dict[tuple[str, Way], tuple[Any, tuple[str, ...]]] = {}

    def whole(self, schema: object, way: Way, place: Place) -> Any:
        """Return *schema*, at *place*, with all that it refers to as definitions.

        Raises `Unsupported` for a reference to nothing, `TooDeep` for a schema that nests too deep.
        """
        writing = _Writing(self._document, way)
        out = writing.write(schema, place, 0)
        definitions: dict[str, Any] = {}
        pending = list(writing.references)
        while pending:
            reference = pending.pop()
            if _name(reference) in definitions:
                continue
            definitions[_name(reference)], more = self._definition(reference, way, place)
            pending += more
        if not definitions:
            return out
        own = out.get("$defs", {}) if isinstance(out, dict) else {}
        ordered = {name: definitions[name] for name in sorted(definitions)}
        return {**out, "$defs": {**own, **ordered}}

    def _definition(self, reference: str, way: Way, place: Place) -> tuple[Any, tuple[str, ...]]:
        found = self._written.get((reference, way))
        if found is None:
            writing = _Writing(self._document, way)
            made = writing.write(self._document.at(reference, place), (reference,), 0)
            found = self._written[reference, way] = made, tuple(writing.references)
        return found


def _name(reference: str) -> str:
    """Return the name of the definition that stands for what *reference* leads to."""
    short_name = reference.removeprefix(_COMPONENT)
    # Elsewhere in the document; names of components have no `#`.
    return reference if "/" in short_name else short_name


class _Writing:
    """Writes one schema, and notes what it refers to."""

    def __init__(self, document: Document, way: Way) -> None:
        self._document = document
        self._way: Way = way
        self.references: dict[str, None] = {}

    def write(self, schema: object, place: Place, depth: int) -> Any:
        if depth > MAX_SCHEMA_DEPTH:
            raise TooDeep(f"{'.'.join(place[:4])}: the schema nests deeper than {MAX_SCHEMA_DEPTH}")
        if not isinstance(schema, dict):
            return schema
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/"):
            self.references[reference] = None
            link = {"$ref": "#/$defs/" + _name(reference).replace("~", "~0").replace("/", "~1")}
            if self._document.is_old:
                # There nothing else counts beside a reference.
                return link
            schema = {**schema, **link}
        out = {
            word: self._value(word, value, (*place, word), depth)
            for word, value in schema.items()
            if word not in _DROPPED and not word.startswith("x-")
        }
        self._leave_out(schema, out, place)
        if is_binary(schema):
            out = _of_bytes(out)
        return self._of_old(schema, out) if self._document.is_old else out

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
                out["required"] = [name for name in required if name not in absent]

    def _is_absent(self, schema: object, place: Place) -> bool:
        if not isinstance(schema, dict):
            return False
        marked = [schema]
        if isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#/"):
            marked.append(self._document.resolved(schema, place))
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
