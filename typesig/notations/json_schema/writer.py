"""Schemas of signatures, of arguments and of results (2020-12): one form for each shape."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.naming import sort_by_dependency
from typesig.algebra.nodes import ANY, Annotation, Field, List, Maybe, Record, Ref, Scalar, Type
from typesig.algebra.redaction import find_used_names, redact_types
from typesig.algebra.rows.frozen import FOREIGN, HIDDEN, NAMES, RECORDS
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const, ConstKind
from typesig.algebra.signature import Signature, get_flags
from typesig.algebra.traversal import iter_types, substitute
from typesig.errors import TooLarge
from typesig.limits import MAX_SCHEMAS
from typesig.notations.json_schema import model_view
from typesig.notations.json_schema.keywords import NEVER, find_json_kinds, write_keywords
from typesig.notations.json_schema.model_view import ModelView, strip_null
from typesig.notations.json_schema.widening import (
    make_expressible_types,
    make_expressible_with_losses,
)

# --- An expressible type to a JSON Schema (2020-12): one form for each shape ---
# The order of the keys is fixed, so that the same type gives the same text on every Python.
# `widening` makes types expressible.  A `Style` is the spelling of a dialect of JSON Schema.

Schema = dict[str, Any]

#: The schema of each scalar that JSON has a form of its own for; the others are not expressible.
SCALARS: dict[ScalarName, Schema] = {
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "any": {},
    "nil": {"type": "null"},
}

#: The `type` beside an enum whose constants are all of one kind, or None to write none.  Some
#: vendors require the type of such an enum, but only for scalars.
ENUM_TYPES: dict[ConstKind, str | None] = {
    "nil": None,
    "bool": "boolean",
    "int": "integer",
    "float": "number",
    "string": "string",
    "keyword": "string",
    "list": None,
    "map": None,
}


class Style(NamedTuple):
    """The spelling choices of a writer of JSON Schema, such as for null and enums.

    #: nullable: whether a nullable type has the keyword `nullable`, not a branch for null
    #: enums: whether a constant is an enum of one
    #: whole_objects: whether an object always has `properties`, and a closed one `required`
    #: closing: whether a closed object says so with `additionalProperties`
    #: ordering: whether an object has `propertyOrdering`
    #: lone_references: whether a reference has no other keyword beside it
    #: falses: whether the type without values is `false`, where it stands for a property
    #: opening: whether an open object, and a tuple with any items behind it, say so
    #: pattern: returns a pattern as it is spelled, or None to write it as it is
    """

    nullable: bool = False
    enums: bool = False
    whole_objects: bool = False
    closing: bool = True
    ordering: bool = False
    lone_references: bool = False
    falses: bool = False
    opening: bool = False
    pattern: Callable[[str], str | None] | None = None


STANDARD = Style()


def write_document(
    t: nodes.Type, names: Mapping[str, nodes.Type], style: Style = STANDARD
) -> Schema:
    """Return the schema of *t*, with the definitions it uses of *names* under `$defs`."""
    if not names:
        return write_schema(t, style)
    kept = find_used_names(names, [t])
    found = {name: write_schema(names[name], style) for name in sorted(kept)}
    return {**write_schema(t, style), "$defs": found} if found else write_schema(t, style)


def write_schema(t: nodes.Type, style: Style = STANDARD) -> Schema:
    """Write the JSON Schema of *t*, a type that JSON Schema can express."""
    # The shapes of most parameters come first.
    match t:
        case nodes.Scalar(name):
            return SCALARS[name].copy()
        case nodes.Annotation(inner, text, title):
            return annotate_schema(
                _wrap_if_reference(write_schema(inner, style), style), text, title
            )
        case nodes.List(item):
            return {"type": "array", "items": write_schema(item, style)}
        case nodes.Set():  # pragma: no cover - widening makes it a list of unique items
            raise AssertionError(t)
        case nodes.Tuple(items, rest):
            return _write_tuple(items, rest, style)
        case nodes.MapOf(key, value):
            names = {} if key == nodes.STRING else {"propertyNames": write_schema(key, style)}
            return {"type": "object", **names, "additionalProperties": write_schema(value, style)}
        case nodes.Record():
            return _record(t, style)
        case nodes.Maybe(inner):
            if style.nullable:
                return {**write_schema(inner, style), "nullable": True}
            members = inner.members if isinstance(inner, nodes.Union) else (inner,)
            return {"anyOf": [write_schema(member, style) for member in (*members, nodes.NIL)]}
        case nodes.Enum(values):
            return _write_enum(values, style)
        case nodes.Union(members):
            return {"anyOf": [write_schema(member, style) for member in members]}
        case nodes.One(members):
            return {"oneOf": [write_schema(member, style) for member in members]}
        case nodes.Both(members):
            return {"allOf": [write_schema(member, style) for member in members]}
        case nodes.Not(inner):
            return {"not": write_schema(inner, style)}
        case nodes.ItemCount(item, at_least, at_most):
            most = {} if at_most is None else {"maxContains": at_most}
            least = {} if at_least == 1 else {"minContains": at_least}
            return {"type": "array", "contains": write_schema(item, style), **least, **most}
        case nodes.Refinement():
            return _write_refined(t, style)
        case nodes.Ref(name):
            return {"$ref": f"#/$defs/{escape_pointer_step(name)}"}
        case _:
            assert_never(t)


def annotate_schema(found: Schema, text: str | None, title: str | None) -> Schema:
    """Add the description *text* and the *title* to the schema *found*."""
    if title is None and "description" not in found:
        if text is not None:
            found["description"] = text
        return found
    words = {} if title is None else {"title": title}
    return _add_keywords(found, words if text is None else {**words, "description": text})


def escape_pointer_step(name: str) -> str:
    """Return *name* as a step of a JSON pointer in a URI, see RFC 6901, section 6."""
    if name.isascii() and name.isidentifier():
        # Most names are, and stay as they are.
        return name
    from urllib.parse import quote

    return quote(name.replace("~", "~0").replace("/", "~1"), safe="", errors="surrogatepass")


def _add_keywords(found: Schema, more: Schema) -> Schema:
    """Add the keywords *more* to *found*, moved into `allOf` if keywords clash."""
    return {**found, **more} if found.keys().isdisjoint(more) else {"allOf": [found], **more}


def _wrap_if_reference(found: Schema, style: Style) -> Schema:
    """Wrap the schema *found* in `anyOf` if *style* allows no keyword beside its `$ref`."""
    return {"anyOf": [found]} if style.lone_references and "$ref" in found else found


def _write_tuple(items: tuple[nodes.Type, ...], rest: nodes.Type | None, style: Style) -> Schema:
    """Write the schema of a tuple with types *items* and further items of type *rest*."""
    behind: Schema = (
        {}
        if rest == nodes.ANY and not style.opening
        else {"items": False if rest is None else write_schema(rest, style)}
    )
    positions = [write_schema(item, style) for item in items]
    return {"type": "array", "prefixItems": positions, **behind, "minItems": len(items)}


def _record(t: nodes.Record, style: Style) -> Schema:
    """Write the object schema of the record type *t* in *style*."""
    out: Schema = {"type": "object"}
    if t.fields or style.whole_objects:
        out["properties"] = {field.name: _write_property(field, style) for field in t.fields}
    required = [field.name for field in t.fields if field.required]
    if required or (style.whole_objects and t.extra is None):
        out["required"] = required
    if style.ordering and len(t.fields) > 1:
        out["propertyOrdering"] = [field.name for field in t.fields]
    if t.matching:
        out["patternProperties"] = {
            _spell_pattern(m.pattern, style): _write_value(m.type, style) for m in t.matching
        }
    if t.extra is None:
        out.update({"additionalProperties": False} if style.closing else {})
    elif t.extra != nodes.ANY or style.opening:
        out["additionalProperties"] = write_schema(t.extra, style)
    return out


def _write_property(field: nodes.Field, style: Style) -> Any:
    """Write the schema of the property *field* in *style*, with its default."""
    found = _write_value(field.type, style)
    return found if field.default is None else {**found, "default": field.default.thaw()}


def _write_value(t: nodes.Type, style: Style) -> Any:
    """Write the schema of the property type *t* in *style*; false if it has no values."""
    return False if style.falses and t == NEVER else write_schema(t, style)


def _spell_pattern(pattern: str, style: Style) -> str:
    """Return the regex *pattern* as *style* spells it."""
    return (style.pattern and style.pattern(pattern)) or pattern


def _write_enum(values: tuple[Const, ...], style: Style) -> Schema:
    """Write the schema of an enum of the constants *values*, or of a single constant."""
    kinds: set[ConstKind] = {value.kind for value in values}
    kind = ENUM_TYPES[kinds.pop()] if len(kinds) == 1 else None
    out: Schema = {} if kind is None else {"type": kind}
    if len(values) == 1 and not style.enums:
        return {**out, "const": values[0].thaw()}
    return {**out, "enum": [value.thaw() for value in values]}


def _write_refined(t: nodes.Refinement, style: Style) -> Schema:
    """Write the schema of the refinement *t* in *style*, with keywords for constraints."""
    words = write_keywords(t.constraints, find_json_kinds(t.inner))
    if "pattern" in words:
        words["pattern"] = _spell_pattern(words["pattern"], style)
    return _add_keywords(write_schema(t.inner, style), words)


# --- The schemas that are written: of a signature, of its arguments and of its result ---


def render(signature: Signature, lone: bool = False) -> tuple[Any, Losses]:
    """Return the pair of schemas of *signature*, or if *lone* only the result's, and the losses."""
    made, losses = make_expressible_with_losses(signature)
    output = write_document(made.returns, made.names)
    if lone:
        return output, losses
    arguments = write_document(Record(made.params, made.extra), made.names)
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
    return write_document(t, names)


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


def write_shown_schema(t: Type, closing: bool) -> Schema:
    """Write the schema of *t* for a model, its records closed if *closing*."""
    if type(t) is Scalar:
        return SCALARS[t.name].copy()
    if type(t) is Annotation:
        inner = t.inner
        if type(inner) is Scalar and t.title is None and t.text is not None:
            return {**SCALARS[inner.name], "description": t.text}
        return annotate_schema(write_shown_schema(inner, closing), t.text, t.title)
    if type(t) is List:
        return {"type": "array", "items": write_shown_schema(t.item, closing)}
    if not t.flags & RECORDS:
        return write_schema(t)
    if type(t) is Record and not t.matching:
        return write_shown_fields(t.fields, t.extra, closing)
    return write_schema(ModelView({}, [t], closing).view(t))


def write_shown_fields(fields: tuple[Field, ...], extra: Type | None, closing: bool) -> Schema:
    """Write the schema of a record of *fields* and *extra* for a model."""
    out: Schema = {"type": "object"}
    required: list[str] = []
    properties: Schema = {}
    for field in fields:
        properties[field.name] = _write_shown_property(field, closing)
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


def _write_shown_property(field: Field, closing: bool) -> Schema:
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


def _write_without_null(t: Type, closing: bool) -> Schema:
    """Write the schema of the nullable or annotated type *t* without null."""
    if type(t) is Annotation and t.text and t.title is None:
        inner = t.inner
        if type(inner) is Maybe and type(inner.inner) is not Annotation:
            return annotate_schema(write_shown_schema(inner.inner, closing), t.text, None)
    return write_shown_schema(strip_null(t), closing)
