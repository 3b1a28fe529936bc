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
    if not isinstance(schema, dict):
        raise _refusal(at, "", "a schema is an object in profile ptc_runner")
    for word in schema:
        if word not in _WORDS:
            raise _refusal(at, str(word), "profile ptc_runner does not support this keyword")
    if not isinstance(schema.get("type"), str) or schema["type"] == "null":
        raise _refusal(at, "type", "profile ptc_runner requires one type")
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if isinstance(properties, dict):
        for name in required if isinstance(required, list) else ():
            if not isinstance(name, str) or name not in properties:
                raise _refusal(at, "required", f"{name!r} is not among the properties")
        for name, inner in properties.items():
            check_subset(inner, (*at, "properties", str(name)))
    if not isinstance(schema.get("additionalProperties", True), bool):
        why = "profile ptc_runner only takes true or false"
        raise _refusal(at, "additionalProperties", why)
    if schema["type"] == "array" and "items" not in schema:
        raise _refusal(at, "items", "profile ptc_runner requires the type of the items")
    if "items" in schema:
        check_subset(schema["items"], (*at, "items"))


def _refusal(at: tuple[str, ...], word: str, why: str) -> Unsupported:
    where = "".join(f"/{step}" for step in at) or "the root"
    message = f"{where}: {word}: {why}" if word else f"{where}: {why}"
    return Unsupported(message, at, word, why)


def with_nullable_optionals(t: Type) -> Type:
    """Return *t* with each optional field nullable, as PtcRunner reads a property."""

    def step(part: Type) -> Type:
        if not isinstance(part, Record):
            return part
        fields = [f if f.required else f.with_type(maybe(f.type)) for f in part.fields]
        return Record(tuple(fields), part.extra)

    return transform(t, step)
