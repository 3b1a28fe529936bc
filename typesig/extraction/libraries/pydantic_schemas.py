"""Schemas of pydantic, and the types that are read from them, without what hints do not say.

Formats that only pydantic writes become one of JSON Schema's, or words.
"""

from __future__ import annotations

from typing import Any

from typesig.algebra.constructors import noted
from typesig.algebra.defaults import unfilled
from typesig.algebra.nodes import Field, Noted, Record, Refined, Type
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
    """Return *schema* where formats that only pydantic has are said in another way.

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


def without_noise(context: HintContext, t: Type) -> Type:
    """Return *t* without what a schema of pydantic says and a hint does not."""
    t = transform(transform(t, _untitled), _firewalled)
    if context.output:
        t = transform(t, unfilled)
    return transform(t, _unbounded) if context.ptc_runner else t


def _firewalled(t: Type) -> Type:
    """Return *t* where the model does not see names with a leading underscore, as in hints."""
    if not isinstance(t, Record):
        return t
    fields = (
        Field(f.name, f.type, f.required, f.default) if f.name.startswith("_") else f
        for f in t.fields
    )
    return Record(tuple(fields), t.extra, t.matching)


def _untitled(t: Type) -> Type:
    # The titles are those that pydantic makes of names: they say nothing.
    return noted(t.inner, t.text) if isinstance(t, Noted) and t.title is not None else t


def _unbounded(t: Type) -> Type:
    return t.inner if isinstance(t, Refined) else t
