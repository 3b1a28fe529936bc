"""Schemas of pydantic: types read from its JSON Schemas, and facts in its core schemas.

Formats that only pydantic writes become one of JSON Schema's, or words.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import make_noted
from typesig.algebra.definitions import drop_record_defaults
from typesig.algebra.loss import select_changing
from typesig.algebra.nodes import Annotation, Field, Record, Refinement, Type
from typesig.algebra.signature import make_unique_name
from typesig.algebra.traversal import substitute, transform
from typesig.errors import TypesigError
from typesig.extraction.hints.context import HintContext


def get_adapter(hint: Any) -> Any:
    """Return the pydantic adapter of *hint*; raise pydantic's error if there is none."""
    try:
        return _make_adapter(hint)
    except TypeError:
        # Metadata that cannot be hashed.
        return sys.modules["pydantic"].TypeAdapter(hint)


@lru_cache(maxsize=512)
def _make_adapter(hint: Any) -> Any:
    """Make the pydantic `TypeAdapter` of *hint*; cached."""
    return sys.modules["pydantic"].TypeAdapter(hint)


def get_schema(hint: Any, output: bool) -> Any:
    """Return pydantic's JSON Schema of *hint*, or the exception that it raises."""
    mode = "serialization" if output else "validation"
    # The last two are what pydantic raises for a reference that leads nowhere.
    errors: tuple[type[Exception], ...] = (*get_user_errors(), KeyError, AttributeError)
    try:
        return get_adapter(hint).json_schema(mode=mode)
    except errors as error:
        return error


def get_user_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that pydantic raises for a hint that it cannot read."""
    errors = sys.modules["pydantic"].errors
    refused = sys.modules["pydantic_core"].SchemaError
    # An ImportError is of a package that pydantic needs for the hint.
    return (
        errors.PydanticUserError, errors.PydanticUndefinedAnnotation, refused, NameError,
        ImportError,
    )  # fmt: skip


def read_schema(context: HintContext, hint: Any, schema: dict[str, Any]) -> nodes.Type:
    """Return the type that *schema* describes, with a warning for unreadable parts."""
    from typesig.notations.json_schema.parser import from_json_schema

    try:
        found = from_json_schema(with_known_formats(schema), lossy=True)
    except TypesigError as error:
        remedy = "give it a JSON Schema that can be read"
        return context.fall_back(hint, f"its schema cannot be read: {error}", remedy).type
    for loss in select_changing(found.losses):
        remedy = "write a schema without it, such as pydantic's WithJsonSchema"
        context.warn(hint, f"its schema is read without a part: {loss}", remedy)
    definitions = context.findings.definitions
    t = drop_noise(context, found.returns)
    types = {name: drop_noise(context, t_of_name) for name, t_of_name in found.names.items()}
    names: dict[str, nodes.Type] = {}
    taken = {*definitions, *context.findings.names.values()}
    for name, t_of_name in types.items():
        names[name] = nodes.Ref(name)
        if name not in definitions or definitions[name] != t_of_name:
            new = make_unique_name(name, taken) if name in taken else name
            taken.add(new)
            names[name] = nodes.Ref(new)
    for name, t_of_name in types.items():
        ref = names[name]
        assert isinstance(ref, nodes.Ref)
        definitions[ref.name] = substitute(t_of_name, names)
    return substitute(t, names)


def has_secrets(hint: Any) -> bool:
    """Whether pydantic marks a part of *hint* as write-only, such as a password."""
    try:
        # The validator of a model is made again when the model is rebuilt.
        return _find_secrets(hint, getattr(hint, "__pydantic_validator__", None))
    except TypeError:
        # Metadata that cannot be hashed.
        return _find_secrets.__wrapped__(hint, None)


@lru_cache(maxsize=512)
def _find_secrets(hint: Any, _validator: Any) -> bool:
    """Whether the pydantic schema of *hint* has a write-only part or fails; cached."""
    found = get_schema(hint, output=False)
    return isinstance(found, Exception) or "'writeOnly': True" in str(found)


#: Formats that a format of JSON Schema says.
_SAME = {f"uuid{version}": "uuid" for version in range(1, 9)}

#: What a description tells of the other formats, which pydantic checks when it decodes a value.
_WORDS = {
    "base64": "base64 text",
    "base64url": "base64 text in the alphabet for URLs",
    "color": "a color",
    "directory-path": "the path of a directory that exists",
    "file-path": "the path of a file that exists",
    "ipvanyaddress": "an IPv4 or IPv6 address",
    "ipvanyinterface": "an IPv4 or IPv6 interface",
    "ipvanynetwork": "an IPv4 or IPv6 network",
    "json-string": "JSON text",
    "multi-host-uri": "a URI, of one host or several",
    "name-email": "an email address, with or without a name",
    "path": "a path",
}

#: Keywords whose values are data, not schemas.
_DATA = ("const", "default", "enum", "example", "examples")


def with_known_formats(schema: Any) -> Any:
    """Replace pydantic's own formats in JSON Schema *schema* with standard ones or text.

    >>> with_known_formats({"items": {"type": "string", "format": "uuid4"}})
    {'items': {'type': 'string', 'format': 'uuid'}}
    """
    if isinstance(schema, list):
        return [with_known_formats(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    out = {
        key: value if key in _DATA else with_known_formats(value) for key, value in schema.items()
    }
    name = schema.get("format")
    if isinstance(name, str) and name in _SAME:
        out["format"] = _SAME[name]
    words = _WORDS.get(name) if isinstance(name, str) else None
    if schema.get("contentMediaType") == "application/json":
        words = _WORDS["json-string"]
    if words is not None:
        texts = [schema["description"]] if schema.get("description") else []
        out["description"] = ", ".join([*texts, words])
    return out


def drop_noise(context: HintContext, t: Type) -> Type:
    """Remove generated titles and other pydantic extras from *t*, read from its schema."""

    def step(part: Type) -> Type:
        match part:
            case Annotation(inner, text, title) if title is not None:
                # The titles are those that pydantic makes of names: they say nothing.
                return make_noted(inner, text)
            case Record(fields, extra, matching):
                # Names that begin with an underscore are hidden.
                kept = [
                    Field(f.name, f.type, f.required, f.default) if f.name.startswith("_") else f
                    for f in fields
                ]
                made = Record(tuple(kept), extra, matching)
                return drop_record_defaults(made) if context.output else made
            case Refinement(inner) if context.ptc_runner:
                return inner
            case _:
                return part

    return transform(t, step)


_FUNCTIONS = ("function-plain", "function-wrap")

_FIELDS = ("model-fields", "dataclass-args")

_Definitions = Mapping[str, Any]


def is_serializer(item: Any) -> bool:
    """Whether *item* is pydantic metadata with a function that writes values."""
    cls = type(item)
    home = cls.__module__.partition(".")[0]
    return home == "pydantic" and cls.__name__ in ("PlainSerializer", "WrapSerializer")


def is_unstated(core: Any) -> bool:
    """Whether the core schema *core* has a serializer function without a result hint."""
    return _is_unstated(*_unpack_definitions(core))


def list_unstated_fields(core: Any) -> frozenset[str]:
    """Return the fields in core schema *core* with serializers without a result hint."""
    node, known = _unpack_definitions(core)
    while node["type"] not in _FIELDS:
        node = _get_inner_schema(node, known)
    fields = node["fields"]
    held = fields if isinstance(fields, dict) else {each["name"]: each for each in fields}
    parts = {name: each["schema"] for name, each in held.items()}
    parts |= {each["property_name"]: each["return_schema"] for each in node["computed_fields"]}
    return frozenset(name for name, part in parts.items() if _is_unstated(part, known))


def _unpack_definitions(core: Any) -> tuple[Any, _Definitions]:
    """Return the main schema of *core*, and its definitions."""
    if core["type"] != "definitions":
        return core, {}
    return core["schema"], {each["ref"]: each for each in core["definitions"]}


def read_class_schema(cls: Any) -> tuple[Any, _Definitions]:
    """Return the core schema of pydantic class *cls*, behind references, and its definitions."""
    node, known = _unpack_definitions(cls.__pydantic_core_schema__)
    while node["type"] == "definition-ref":
        node = known[node["schema_ref"]]
    return node, known


def _get_inner_schema(node: Any, known: _Definitions) -> Any:
    """Return the core schema inside *node*, with a reference looked up in *known*."""
    return known[node["schema_ref"]] if node["type"] == "definition-ref" else node["schema"]


def _is_unstated(node: Any, known: _Definitions) -> bool:
    """Whether core schema *node* has a serializer function without a result schema."""
    # A reference, and a default, can have a serializer of their own.
    while "serialization" not in node and node["type"] in ("definition-ref", "default"):
        node = _get_inner_schema(node, known)
    written = node.get("serialization", {"type": "any"})
    return written["type"] in _FUNCTIONS and "return_schema" not in written
