"""Schemas of pydantic, and types read from them, reduced to the content of hints.

Formats that only pydantic writes become one of JSON Schema's, or words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.algebra.constructors import make_noted
from typesig.algebra.definitions import drop_record_defaults
from typesig.algebra.nodes import Annotation, Field, Record, Refinement, Type
from typesig.algebra.traversal import transform
from typesig.extraction.hints.context import HintContext

#: Formats that a format of JSON Schema says.
_SAME = {f"uuid{version}": "uuid" for version in range(1, 9)}

#: What a description tells of the other formats, which pydantic checks when it decodes a value.
_WORDS = {
    "base64": "base64 text",
    "base64url": "base64 text in the alphabet for URLs",
    "color": "a color",
    "directory-path": "the path of a directory that exists",
    "file-path": "the path of a file that exists",
    "ipvanyaddress": "an IPv4 or IPv6 address",
    "ipvanyinterface": "an IPv4 or IPv6 interface",
    "ipvanynetwork": "an IPv4 or IPv6 network",
    "json-string": "JSON text",
    "multi-host-uri": "a URI, of one host or several",
    "name-email": "an email address, with or without a name",
    "path": "a path",
}

#: Keywords whose values are data, not schemas.
_DATA = ("const", "default", "enum", "example", "examples")


def with_known_formats(schema: Any) -> Any:
    """Replace pydantic's own formats in JSON Schema *schema* with standard ones or text.

    >>> with_known_formats({"items": {"type": "string", "format": "uuid4"}})
    {'items': {'type': 'string', 'format': 'uuid'}}
    """
    if isinstance(schema, list):
        return [with_known_formats(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    out = {
        key: value if key in _DATA else with_known_formats(value) for key, value in schema.items()
    }
    name = schema.get("format")
    if isinstance(name, str) and name in _SAME:
        out["format"] = _SAME[name]
    words = _WORDS.get(name) if isinstance(name, str) else None
    if schema.get("contentMediaType") == "application/json":
        words = _WORDS["json-string"]
    if words is not None:
        texts = [schema["description"]] if schema.get("description") else []
        out["description"] = ", ".join([*texts, words])
    return out


def drop_noise(context: HintContext, t: Type) -> Type:
    """Remove generated titles and other pydantic extras from *t*, read from its schema."""
    t = transform(transform(t, _drop_title), _hide_private_fields)
    if context.output:
        t = transform(t, drop_record_defaults)
    return transform(t, _drop_constraints) if context.ptc_runner else t


def _hide_private_fields(t: Type) -> Type:
    """Hide the fields of record *t* with names that begin with an underscore."""
    if not isinstance(t, Record):
        return t
    fields = (
        Field(f.name, f.type, f.required, f.default) if f.name.startswith("_") else f
        for f in t.fields
    )
    return Record(tuple(fields), t.extra, t.matching)


def _drop_title(t: Type) -> Type:
    """Remove the title of *t*, which pydantic generates, and keep its description."""
    # The titles are those that pydantic makes of names: they say nothing.
    return make_noted(t.inner, t.text) if isinstance(t, Annotation) and t.title is not None else t


def _drop_constraints(t: Type) -> Type:
    """Remove the constraints of *t*, if it has any."""
    return t.inner if isinstance(t, Refinement) else t


_FUNCTIONS = ("function-plain", "function-wrap")
_FIELDS = ("model-fields", "dataclass-args")
_Definitions = Mapping[str, Any]


def is_serializer(item: Any) -> bool:
    """Whether *item* is pydantic metadata with a function that writes values."""
    cls = type(item)
    home = cls.__module__.partition(".")[0]
    return home == "pydantic" and cls.__name__ in ("PlainSerializer", "WrapSerializer")


def is_unstated(core: Any) -> bool:
    """Whether the core schema *core* has a serializer function without a result hint."""
    return _is_unstated(*_unpack_definitions(core))


def list_unstated_fields(core: Any) -> frozenset[str]:
    """Return the fields in core schema *core* with serializers without a result hint."""
    node, known = _unpack_definitions(core)
    while node["type"] not in _FIELDS:
        node = _get_inner_schema(node, known)
    fields = node["fields"]
    held = fields if isinstance(fields, dict) else {each["name"]: each for each in fields}
    parts = {name: each["schema"] for name, each in held.items()}
    parts |= {each["property_name"]: each["return_schema"] for each in node["computed_fields"]}
    return frozenset(name for name, part in parts.items() if _is_unstated(part, known))


def _unpack_definitions(core: Any) -> tuple[Any, _Definitions]:
    """Return the main schema of *core*, and its definitions."""
    if core["type"] != "definitions":
        return core, {}
    return core["schema"], {each["ref"]: each for each in core["definitions"]}


def _get_inner_schema(node: Any, known: _Definitions) -> Any:
    """Return the core schema inside *node*, with a reference looked up in *known*."""
    return known[node["schema_ref"]] if node["type"] == "definition-ref" else node["schema"]


def _is_unstated(node: Any, known: _Definitions) -> bool:
    """Whether core schema *node* has a serializer function without a result schema."""
    # A reference, and a default, can have a serializer of their own.
    while "serialization" not in node and node["type"] in ("definition-ref", "default"):
        node = _get_inner_schema(node, known)
    written = node.get("serialization", {"type": "any"})
    return written["type"] in _FUNCTIONS and "return_schema" not in written
