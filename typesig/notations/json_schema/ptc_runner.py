"""The compatibility profile of PtcRunner: the subset of JSON Schema that PtcRunner supports."""

from __future__ import annotations

from typing import Any

from typesig.algebra.constructors import maybe
from typesig.algebra.nodes import Record, Type
from typesig.algebra.traversal import transform
from typesig.errors import Unsupported

_WORDS = frozenset({
    "type", "items", "properties", "required", "additionalProperties", "description",
    "$schema",
})  # fmt: skip


def check_subset(schema: Any, at: tuple[str, ...] = ()) -> None:
    """Raise `Unsupported` if *schema* is not in the subset that PtcRunner supports."""
    where = "".join(f"/{step}" for step in at) or "the root"
    if not isinstance(schema, dict):
        raise Unsupported(f"{where}: a schema is an object in profile ptc_runner", at, "")
    for word in schema:
        if word not in _WORDS:
            message = f"{where}: {word}: profile ptc_runner does not support this keyword"
            raise Unsupported(message, at, str(word))
    if not isinstance(schema.get("type"), str) or schema["type"] == "null":
        raise Unsupported(f"{where}: type: profile ptc_runner requires one type", at, "type")
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if isinstance(properties, dict):
        for name in required if isinstance(required, list) else ():
            if not isinstance(name, str) or name not in properties:
                message = f"{where}: required: {name!r} is not among the properties"
                raise Unsupported(message, at, "required")
        for name, inner in properties.items():
            check_subset(inner, (*at, "properties", str(name)))
    if not isinstance(schema.get("additionalProperties", True), bool):
        message = f"{where}: additionalProperties: profile ptc_runner only takes true or false"
        raise Unsupported(message, at, "additionalProperties")
    if schema["type"] == "array" and "items" not in schema:
        message = f"{where}: items: profile ptc_runner requires the type of the items"
        raise Unsupported(message, at, "items")
    if "items" in schema:
        check_subset(schema["items"], (*at, "items"))


def with_nullable_optionals(t: Type) -> Type:
    """Return *t* with each optional field nullable, as PtcRunner reads a property."""

    def step(part: Type) -> Type:
        if not isinstance(part, Record):
            return part
        fields = [f if f.required else f.with_type(maybe(f.type)) for f in part.fields]
        return Record(tuple(fields), part.extra)

    return transform(t, step)
