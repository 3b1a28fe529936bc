"""The schemas of what a model is shown, written straight from the type.

The result is that of `model_view` followed by `writer`, without the types in between.  It is for
types whose parts JSON has a form of its own for, as most are.
"""

from __future__ import annotations

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import ANY, Field, List, Maybe, Noted, Record, Scalar, Type
from typesig.algebra.rows.frozen import FOREIGN, HIDDEN, NAMES, RECORDS
from typesig.algebra.signature import Signature
from typesig.notations.json_schema.writing.model_view import ModelView, without_null
from typesig.notations.json_schema.writing.writer import SCALARS, Schema, noted_schema, schema_of


def is_written_straight(t: Type | Signature) -> bool:
    """Tell whether `shown_schema` can write *t*, or all types of a signature."""
    return not t.flags & (FOREIGN | HIDDEN | NAMES)


def shown_schema(t: Type, closing: bool) -> Schema:
    """Return the schema of *t* as a model is shown it; its records are closed if *closing*."""
    if type(t) is Scalar:
        return SCALARS[t.name].copy()
    if type(t) is Noted:
        inner = t.inner
        if type(inner) is Scalar and t.title is None and t.text is not None:
            return {**SCALARS[inner.name], "description": t.text}
        return noted_schema(shown_schema(inner, closing), t.text, t.title)
    if type(t) is List:
        return {"type": "array", "items": shown_schema(t.item, closing)}
    if not t.flags & RECORDS:
        return schema_of(t)
    if type(t) is Record and not t.matching:
        return shown_fields(t.fields, t.extra, closing)
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
    is_open = extra is ANY or extra == ANY
    if extra is None or (closing and is_open):
        out["additionalProperties"] = False
    elif not is_open:
        out["additionalProperties"] = shown_schema(extra, closing)
    return out


def _property(field: Field, closing: bool) -> Schema:
    t, default = field.type, field.default
    if not field.required and type(bare(t)) is Maybe:
        found = _without_null(t, closing)
    else:
        found = shown_schema(t, closing)
    if default is not None:
        value = default.value
        # Most defaults are scalars.
        found["default"] = default.thaw() if type(value) is tuple else value
    return found


def _without_null(t: Type, closing: bool) -> Schema:
    """Return the schema of *t*, a nullable type or one with notes, as if it were not nullable."""
    if type(t) is Noted and t.text and t.title is None:
        inner = t.inner
        if type(inner) is Maybe and type(inner.inner) is not Noted:
            return noted_schema(shown_schema(inner.inner, closing), t.text, None)
    return shown_schema(without_null(t), closing)
