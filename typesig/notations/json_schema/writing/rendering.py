"""The schemas that are written: of a signature, of its arguments and of its result."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import ANY, Annotation, Field, List, Maybe, Record, Ref, Scalar, Type
from typesig.algebra.rows.frozen import FOREIGN, HIDDEN, NAMES, RECORDS
from typesig.algebra.signature import Signature, get_flags
from typesig.algebra.traversal import iter_types, substitute
from typesig.algebra.views.naming import sort_by_dependency
from typesig.algebra.views.redaction import find_used_names, redact_types
from typesig.errors import TooLarge
from typesig.limits import MAX_SCHEMAS
from typesig.notations.json_schema.writing import model_view, writer
from typesig.notations.json_schema.writing.model_view import ModelView, strip_null
from typesig.notations.json_schema.writing.widening import (
    make_expressible_types,
    make_expressible_with_losses,
)


def render(signature: Signature, lone: bool = False) -> tuple[Any, Losses]:
    """Return the pair of schemas of *signature*, or if *lone* only the result's, and the losses."""
    made, losses = make_expressible_with_losses(signature)
    output = writer.write_document(made.returns, made.names)
    if lone:
        return output, losses
    arguments = writer.write_document(Record(made.params, made.extra), made.names)
    return {"input": arguments, "output": output}, losses


def write_result_schema(
    signature: Signature, exact: bool = False, inline: bool = False
) -> dict[str, Any]:
    """Return the schema of the result; see `Signature.to_json_schema`."""
    return _kept(_write_result_schema, signature, exact, inline).copy_schema()


class _CachedSchema:
    """A cached JSON Schema, made by the function *write* and copied for each caller.

    The first is written for its caller; many are asked for once.  For the second it is written
    again and kept: loading it is faster than copying it.
    """

    __slots__ = ("_asked", "_text", "_write")

    def __init__(self, write: Callable[..., dict[str, Any]], *given: Any) -> None:
        self._write = partial(write, *given)
        self._asked = False
        self._text: bytes | None = None

    def copy_schema(self) -> dict[str, Any]:
        """Return a new copy of the schema, which the caller may change."""
        if not self._asked:
            self._asked = True
            return self._write()
        if self._text is None:
            # Version 2 keeps no references, so that no two parts become one object.
            self._text = marshal.dumps(self._write(), 2)
        return marshal.loads(self._text)  # type: ignore[no-any-return]


_kept = lru_cache(maxsize=2048)(_CachedSchema)


def _write_result_schema(signature: Signature, exact: bool, inline: bool) -> dict[str, Any]:
    """Write the schema of the result of *signature*, *exact* or as a model sees it."""
    if not exact and not signature.definitions and is_written_straight(signature.returns.flags):
        t = signature.returns
        t = model_view.wrap_list(t) if model_view.is_list(t, {}) else t
        return write_shown_schema(t, closing=True)
    t, names = redact_types(*_get_result_types(signature, exact))
    if not exact and model_view.is_list(t, names):
        t = model_view.wrap_list(t)
    return _write_document(t, names, inline)


def returns_list(signature: Signature) -> bool:
    """Whether the result is a list, which `write_result_schema` wraps in `items`."""
    return model_view.is_list(signature.returns, signature.names)


def write_arguments_schema(
    signature: Signature, exact: bool = False, inline: bool = False
) -> dict[str, Any]:
    """Return the schema of the named arguments; see `Signature.input_schema`."""
    return _kept(_write_arguments_schema, signature, exact, inline).copy_schema()


def _write_arguments_schema(signature: Signature, exact: bool, inline: bool) -> dict[str, Any]:
    """Write the schema of the arguments of *signature*, *exact* or as a model sees it."""
    if not exact and not signature.definitions:
        if signature.params and is_written_straight(get_flags(signature)):
            return write_shown_fields(signature.params, signature.extra, closing=False)
        arguments = signature.arguments
        if is_written_straight(arguments.flags):
            return write_shown_schema(arguments, closing=False)
    t, names = redact_types(*_get_argument_types(signature, exact))
    found = _write_document(t, names, inline)
    # Some providers reject an object schema without `properties`.
    return found if "properties" in found else {"type": "object", "properties": {}, **found}


def _get_result_types(signature: Signature, exact: bool) -> tuple[Type, Mapping[str, Type]]:
    """Return the result type of *signature* and its definitions, or their model view."""
    if exact:
        return signature.returns, signature.names
    return model_view.view_result(signature)


def _get_argument_types(signature: Signature, exact: bool) -> tuple[Type, Mapping[str, Type]]:
    """Return the arguments type of *signature* and its definitions, or their model view."""
    if exact:
        return signature.arguments, signature.names
    return model_view.view_arguments(signature)


def find_schema_losses(signature: Signature, exact: bool = False) -> Losses:
    """Return the losses of both JSON Schemas; see `Signature.schema_losses`."""
    losses: list[Loss] = []
    for place, (t, names) in (
        ("params", _get_argument_types(signature, exact)),
        ("returns", _get_result_types(signature, exact)),
    ):
        t, names = redact_types(t, names, losses, (place,))
        make_expressible_types(t, names, losses, (place,))
    # Both schemas may use a named type.
    return tuple(dict.fromkeys(losses))


def _write_document(t: Type, names: Mapping[str, Type], inline: bool) -> dict[str, Any]:
    """Return the schema of *t* with its definitions; its root is never a reference."""
    t, names = make_expressible_types(t, names)
    # Some clients reject a schema whose root is a reference.
    while isinstance(t, Ref):
        t = names[t.name]
    if inline and names:
        t, names = inline_definitions(t, names)
    return writer.write_document(t, names)


def inline_definitions(t: Type, names: Mapping[str, Type]) -> tuple[Type, Mapping[str, Type]]:
    """Return *t* with all definitions in *names* inlined, unless recursive."""
    order, recursive = sort_by_dependency(names)
    reached = find_used_names(names, [t, *[names[name] for name in recursive]])
    order = [name for name in order if name in reached and name not in recursive]
    sizes: dict[str, int] = {}

    def size(whole: Type) -> int:
        found = list(iter_types(whole))
        named = [part.name for part in found if isinstance(part, Ref)]
        return len(found) + sum(sizes.get(name, 0) for name in named)

    for name in order:
        sizes[name] = size(names[name])
    if sum(size(whole) for whole in (t, *[names[name] for name in recursive])) > MAX_SCHEMAS:
        limit = f"a JSON Schema may hold {MAX_SCHEMAS} schemas"
        raise TooLarge(f"{limit}, and inlined this one would hold more; leave inline out")
    flat: dict[str, Type] = {}
    for name in order:
        flat[name] = substitute(names[name], flat)
    kept = {name: substitute(names[name], flat) for name in sorted(recursive)}
    return substitute(t, flat), kept


def is_written_straight(flags: int) -> bool:
    """Whether the type *flags* permit `write_shown_schema` to write the type."""
    return not flags & (FOREIGN | HIDDEN | NAMES)


def write_shown_schema(t: Type, closing: bool) -> writer.Schema:
    """Write the schema of *t* for a model, its records closed if *closing*."""
    if type(t) is Scalar:
        return writer.SCALARS[t.name].copy()
    if type(t) is Annotation:
        inner = t.inner
        if type(inner) is Scalar and t.title is None and t.text is not None:
            return {**writer.SCALARS[inner.name], "description": t.text}
        return writer.annotate_schema(write_shown_schema(inner, closing), t.text, t.title)
    if type(t) is List:
        return {"type": "array", "items": write_shown_schema(t.item, closing)}
    if not t.flags & RECORDS:
        return writer.write_schema(t)
    if type(t) is Record and not t.matching:
        return write_shown_fields(t.fields, t.extra, closing)
    return writer.write_schema(ModelView({}, [t], closing).view(t))


def write_shown_fields(
    fields: tuple[Field, ...], extra: Type | None, closing: bool
) -> writer.Schema:
    """Write the schema of a record of *fields* and *extra* for a model."""
    out: writer.Schema = {"type": "object"}
    required: list[str] = []
    properties: writer.Schema = {}
    for field in fields:
        properties[field.name] = _write_property(field, closing)
        if field.required:
            required.append(field.name)
    out["properties"] = properties
    if required:
        out["required"] = required
    is_open = extra is ANY or extra == ANY
    if extra is None or (closing and is_open):
        out["additionalProperties"] = False
    elif not is_open:
        out["additionalProperties"] = write_shown_schema(extra, closing)
    return out


def _write_property(field: Field, closing: bool) -> writer.Schema:
    """Write the model's schema of the property *field*; *closing* closes its records."""
    t, default = field.type, field.default
    if not field.required and type(strip_annotations(t)) is Maybe:
        found = _write_without_null(t, closing)
    else:
        found = write_shown_schema(t, closing)
    if default is not None:
        value = default.value
        # Most defaults are scalars.
        found["default"] = default.thaw() if type(value) is tuple else value
    return found


def _write_without_null(t: Type, closing: bool) -> writer.Schema:
    """Write the schema of the nullable or annotated type *t* without null."""
    if type(t) is Annotation and t.text and t.title is None:
        inner = t.inner
        if type(inner) is Maybe and type(inner.inner) is not Annotation:
            return writer.annotate_schema(write_shown_schema(inner.inner, closing), t.text, None)
    return write_shown_schema(strip_null(t), closing)
