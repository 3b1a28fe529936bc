"""Formats that only pydantic writes into a JSON Schema: as one of JSON Schema's, or in words."""

from __future__ import annotations

from typing import Any

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
