"""The schemas of what a model is shown, written straight from the type.

The result is that of `model_view` followed by `writer`, without the types in between.  It is for
types whose parts JSON has a form of its own for, as most are.
"""

from __future__ import annotations

from typesig.algebra.constructors import bare
from typesig.algebra.frozen import FOREIGN, HIDDEN, NAMES, RECORDS
from typesig.algebra.nodes import ANY, Field, List, Maybe, Noted, Record, Type
from typesig.notations.json_schema.model_view import ModelView, without_null
from typesig.notations.json_schema.writer import Schema, noted_schema, schema_of


def is_written_straight(t: Type) -> bool:
    """Tell whether `shown_schema` can write *t*."""
    return not t.flags & (FOREIGN | HIDDEN | NAMES)


def shown_schema(t: Type, closing: bool) -> Schema:
    """Return the schema of *t* as a model is shown it; its records are closed if *closing*."""
    if not t.flags & RECORDS:
        return schema_of(t)
    if type(t) is Noted:
        return noted_schema(shown_schema(t.inner, closing), t.text, t.title)
    if type(t) is Record and not t.matching:
        return _record(t, closing)
    if type(t) is List:
        return {"type": "array", "items": shown_schema(t.item, closing)}
    return schema_of(ModelView({}, [t], closing).shown(t))


def _record(t: Record, closing: bool) -> Schema:
    out: Schema = {"type": "object"}
    required: list[str] = []
    properties: Schema = {}
    for field in t.fields:
        properties[field.name] = _property(field, closing)
        if field.required:
            required.append(field.name)
    out["properties"] = properties
    if required:
        out["required"] = required
    if t.extra is None or (closing and t.extra == ANY):
        out["additionalProperties"] = False
    elif t.extra != ANY:
        out["additionalProperties"] = shown_schema(t.extra, closing)
    return out


def _property(field: Field, closing: bool) -> Schema:
    t = field.type
    if not field.required and isinstance(bare(t), Maybe):
        t = without_null(t)
    found = shown_schema(t, closing)
    return found if field.default is None else {**found, "default": field.default.thaw()}
