"""An image to a JSON Schema (2020-12): one form for each shape, no keyword that says nothing.

Keys stand in a fixed order, so that the same type is the same text on every Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never
from urllib.parse import quote

from typesig.algebra.nodes import (
    ANY,
    NIL,
    STRING,
    Both,
    Enum,
    Field,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.redaction import used
from typesig.algebra.values import Const
from typesig.notations.json_schema.formats import written
from typesig.notations.json_schema.kinds import json_kinds, keywords

Schema = dict[str, Any]

SCALARS: dict[str, Schema] = {
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "any": {},
    "nil": {"type": "null"},
}

# The type of an enum whose values are of one kind: some vendors ask for it.
_KINDS = {"string": "string", "int": "integer", "float": "number", "bool": "boolean"}


def document(t: Type, names: Mapping[str, Type]) -> Schema:
    """Return the schema of *t*, what it uses of *names* under `$defs`."""
    return {**schema(t), **definitions(t, names)}


def definitions(t: Type, names: Mapping[str, Type]) -> Schema:
    """Return `$defs` with what *t* uses of *names*, nothing where that is nothing."""
    kept = used(names, [t])
    found = {name: schema(names[name]) for name in sorted(kept)}
    return {"$defs": found} if found else {}


def schema(t: Type) -> Schema:
    """Return the schema of *t*, which is an image."""
    match t:
        case Scalar(name):
            return SCALARS[name].copy()
        case List(item):
            return {"type": "array", "items": schema(item)}
        case Set():  # pragma: no cover - the image of a set is a list of unique items
            raise AssertionError(t)
        case Tuple(items, rest):
            return _tuple(items, rest)
        case MapOf(key, value):
            names = {} if key == STRING else {"propertyNames": schema(key)}
            return {"type": "object", **names, "additionalProperties": schema(value)}
        case Record():
            return _record(t)
        case Maybe(inner):
            members = inner.members if isinstance(inner, Union) else (inner,)
            return {"anyOf": [schema(member) for member in (*members, NIL)]}
        case Enum(values):
            return _enum(values)
        case Union(members):
            return {"anyOf": [schema(member) for member in members]}
        case One(members):
            return {"oneOf": [schema(member) for member in members]}
        case Both(members):
            return {"allOf": [schema(member) for member in members]}
        case Not(inner):
            return {"not": schema(inner)}
        case Refined():
            return _refined(t)
        case Noted(inner, text, title):
            words = {} if title is None else {"title": title}
            return _beside(schema(inner), words if text is None else {**words, "description": text})
        case Ref(name):
            return {"$ref": f"#/$defs/{pointed(name)}"}
        case _:
            assert_never(t)


def pointed(name: str) -> str:
    """Return *name* as a step of a JSON pointer in a URI (RFC 6901, section 6)."""
    return quote(name.replace("~", "~0").replace("/", "~1"), safe="", errors="surrogatepass")


def _beside(found: Schema, more: Schema) -> Schema:
    """Return *found* with *more* keywords; where it has one of them, with *found* within."""
    return {**found, **more} if found.keys().isdisjoint(more) else {"allOf": [found], **more}


def _tuple(items: tuple[Type, ...], rest: Type | None) -> Schema:
    behind: Schema = {} if rest == ANY else {"items": False if rest is None else schema(rest)}
    positions = [schema(item) for item in items]
    return {"type": "array", "prefixItems": positions, **behind, "minItems": len(items)}


def _record(t: Record) -> Schema:
    out: Schema = {"type": "object"}
    if t.fields:
        out["properties"] = {field.name: property_schema(field) for field in t.fields}
    required = [field.name for field in t.fields if field.required]
    if required:
        out["required"] = required
    if t.matching:
        out["patternProperties"] = {m.pattern: schema(m.type) for m in t.matching}
    if t.extra is None:
        out["additionalProperties"] = False
    elif t.extra != ANY:
        out["additionalProperties"] = schema(t.extra)
    return out


def property_schema(field: Field) -> Schema:
    """Return the schema of what *field* holds, its default beside it."""
    found = schema(field.type)
    return found if field.default is None else {**found, "default": field.default.thaw()}


def _enum(values: tuple[Const, ...]) -> Schema:
    kinds = {value.kind for value in values}
    kind = _KINDS.get(kinds.pop()) if len(kinds) == 1 else None
    out: Schema = {} if kind is None else {"type": kind}
    if len(values) == 1:
        return {**out, "const": values[0].thaw()}
    return {**out, "enum": [value.thaw() for value in values]}


def _refined(t: Refined) -> Schema:
    formats = [c for c in t.constraints if c.name == "format"]
    limits = keywords([c for c in t.constraints if c.name != "format"], json_kinds(t.inner))
    for one in formats:
        limits.update(written(one.argument.value))
    return _beside(schema(t.inner), limits)
