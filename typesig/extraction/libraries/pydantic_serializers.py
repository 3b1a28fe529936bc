"""Serializers of pydantic that do not state what they return, as its core schemas tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FUNCTIONS = ("function-plain", "function-wrap")
_FIELDS = ("model-fields", "dataclass-args")
_Definitions = Mapping[str, Any]


def is_serializer(item: Any) -> bool:
    """Return whether *item* is metadata of pydantic by which a function writes values."""
    cls = type(item)
    home = cls.__module__.partition(".")[0]
    return home == "pydantic" and cls.__name__ in ("PlainSerializer", "WrapSerializer")


def is_unstated(core: Any) -> bool:
    """Return whether a function of unknown result writes the values of the core schema *core*."""
    return _is_unstated(*_opened(core))


def unstated_fields(core: Any) -> frozenset[str]:
    """Return the names of the fields of a model that such functions write; *core* is its schema."""
    node, known = _opened(core)
    while node["type"] not in _FIELDS:
        node = _inner(node, known)
    fields = node["fields"]
    held = fields if isinstance(fields, dict) else {each["name"]: each for each in fields}
    parts = {name: each["schema"] for name, each in held.items()}
    parts |= {each["property_name"]: each["return_schema"] for each in node["computed_fields"]}
    return frozenset(name for name, part in parts.items() if _is_unstated(part, known))


def _opened(core: Any) -> tuple[Any, _Definitions]:
    """Return the schema that *core* is about, and the definitions that it refers to."""
    if core["type"] != "definitions":
        return core, {}
    return core["schema"], {each["ref"]: each for each in core["definitions"]}


def _inner(node: Any, known: _Definitions) -> Any:
    return known[node["schema_ref"]] if node["type"] == "definition-ref" else node["schema"]


def _is_unstated(node: Any, known: _Definitions) -> bool:
    # A reference, and a default, can have a serializer of their own.
    while "serialization" not in node and node["type"] in ("definition-ref", "default"):
        node = _inner(node, known)
    written = node.get("serialization", {"type": "any"})
    return written["type"] in _FUNCTIONS and "return_schema" not in written
