"""An expressible type to a JSON Schema (2020-12): one form for each shape, no needless keyword.

The order of the keys is fixed, so that the same type gives the same text on every Python.
`widening` makes types expressible.  A `Style` is the spelling of a dialect of JSON Schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.scalars import ScalarName
from typesig.algebra.rows.values import Const, ConstKind
from typesig.algebra.views.redaction import find_used_names
from typesig.notations.json_schema.keywords.constraints import write_keywords
from typesig.notations.json_schema.keywords.kinds import NEVER, find_json_kinds

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
    match t:
        case nodes.Scalar(name):
            return SCALARS[name].copy()
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
        case nodes.Annotation(inner, text, title):
            return annotate_schema(
                _wrap_if_reference(write_schema(inner, style), style), text, title
            )
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
