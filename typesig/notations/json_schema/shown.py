"""The schemas of what a model is shown, written straight from the type.

The result is that of `model_view` followed by `writer`, without the types in between.  It is for
types whose parts JSON has a form of its own for, as most are.
"""

from __future__ import annotations

from typesig.algebra.constructors import bare
from typesig.algebra.frozen import FOREIGN, HIDDEN, NAMES, RECORDS
from typesig.algebra.nodes import ANY, Field, List, Maybe, Noted, Record, Scalar, Type
from typesig.algebra.signature import Signature
from typesig.notations.json_schema.model_view import ModelView, without_null
from typesig.notations.json_schema.writer import Schema, noted_schema, schema_of


def is_written_straight(t: Type | Signature) -> bool:
    """Tell whether `shown_schema` can write *t*, or all types of a signature."""
    return not t.flags & (FOREIGN | HIDDEN | NAMES)


def shown_schema(t: Type, closing: bool) -> Schema:
    """Return the schema of *t* as a model is shown it; its records are closed if *closing*."""
    if type(t) is Noted:
        inner = t.inner
        found = schema_of(inner) if type(inner) is Scalar else shown_schema(inner, closing)
        return noted_schema(found, t.text, t.title)
    if not t.flags & RECORDS:
        return schema_of(t)
    if type(t) is Record and not t.matching:
        return shown_fields(t.fields, t.extra, closing)
    if type(t) is List:
        return {"type": "array", "items": shown_schema(t.item, closing)}
    return schema_of(ModelView({}, [t], closing).shown(t))


def shown_fields(fields: tuple[Field, ...], extra: Type | None, closing: bool) -> Schema:
    """Return the schema of the record of *fields* as a model is shown it."""
    out: Schema = {"type": "object"}
    required: list[str] = []
    properties: Schema = {}
    for field in fields:
        properties[field.name] = _property(field, closing)
        if field.required:
            required.append(field.name)
    out["properties"] = properties
    if required:
        out["required"] = required
    if extra is None or (closing and extra == ANY):
        out["additionalProperties"] = False
    elif extra != ANY:
        out["additionalProperties"] = shown_schema(extra, closing)
    return out


def _property(field: Field, closing: bool) -> Schema:
    t, default = field.type, field.default
    if not field.required and type(bare(t)) is Maybe:
        t = without_null(t)
    found = shown_schema(t, closing)
    if default is not None:
        found["default"] = default.thaw()
    return found
