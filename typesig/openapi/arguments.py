"""Arguments of a tool for an operation: its parameters and the fields of its body.

The body is one argument unless the schema is a plain object whose properties can stand alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import unquote

from typesig.algebra.loss import Loss, Losses
from typesig.openapi.bodies import Body, find_media_type
from typesig.openapi.documents import Document
from typesig.openapi.messages import get_media_name
from typesig.openapi.operations import Operation, Parameter, get_parameter_key
from typesig.openapi.schemas import BASE64, Schemas
from typesig.openapi.shapes import find_shape, get_types

#: The keywords of an object whose properties can be arguments.
_PLAIN = frozenset(
    {
        "additionalProperties", "description", "example", "examples", "externalDocs",
        "properties", "required", "title", "type", "xml",
    }
)  # fmt: skip

#: The types of values that are written as a text.
_SCALARS = frozenset({"boolean", "integer", "number", "string"})

#: What an argument is called if another part of the request has the name too; the first keeps it.
_PREFIXES = ("path", "query", "header", "cookie", "body")


#: How a model writes a file with a name.
_NAMED = "data:TYPE;name=NAME;base64,DATA"


class BodyField(NamedTuple):
    """A property of a request body that is an argument of the tool.

    #: name: as it is sent
    """

    name: str
    schema: Any
    is_required: bool


class WholeBody(NamedTuple):
    """A request body that is a single argument of the tool."""

    body: Body


class Argument(NamedTuple):
    """An argument of an operation's tool, and the request part that it sets."""

    name: str
    part: Parameter | BodyField | WholeBody


class Arguments(NamedTuple):
    """The arguments of an operation's tool.

    #: schema: what a model is shown; body: how the body is sent, if there is one
    #: lost: references that lead to nothing
    """

    each: tuple[Argument, ...]
    schema: dict[str, Any]
    body: Body | None
    lost: Losses


def build_arguments(
    document: Document, operation: Operation, schemas: Schemas, hidden: frozenset[tuple[str, str]]
) -> Arguments:
    """Arguments of *operation*, without *hidden* parameters, which hold credentials."""
    parts: list[Parameter | BodyField | WholeBody] = [
        each for each in operation.parameters if (each.where, get_parameter_key(each)) not in hidden
    ]
    if operation.body is not None:
        parts += _list_body_parts(document, operation.body)
    each = _name_arguments(parts)
    properties: dict[str, Any] = {}
    definitions: dict[str, Any] = {}
    lost: list[Loss] = []
    for argument in each:
        schema = _get_schema(document, argument.part)
        place = (*operation.place, argument.name)
        written, own, more = schemas.build(schema, "request", place)
        definitions.update(own)
        lost += more
        if isinstance(argument.part, BodyField) and operation.body is not None:
            written = _describe_file_name(written, operation.body, own)
        properties[argument.name] = _add_description(written, argument.part)
    required = [
        argument.name
        for argument in each
        if (
            argument.part.body.is_required
            if isinstance(argument.part, WholeBody)
            else argument.part.is_required
        )
    ]
    whole: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        whole["required"] = required
    # What is not declared has no place in the request.
    whole["additionalProperties"] = False
    if definitions:
        whole["$defs"] = {name: definitions[name] for name in sorted(definitions)}
    return Arguments(each, whole, operation.body, tuple(lost))


def _list_body_parts(document: Document, body: Body) -> list[BodyField | WholeBody]:
    """List the parts of *body* to make arguments of: fields, or the entire body."""
    schema = _find_single_schema(document, body)
    if schema is None:
        return [WholeBody(body)]
    if not find_media_type(body.media).has_fields or not _is_plain(schema):
        return [WholeBody(body)]
    required = {*schema.get("required", [])}
    if required and not body.is_required:
        # Without a body none of them is required.
        return [WholeBody(body)]
    properties = schema["properties"].items()
    fields = [BodyField(name, each, name in required) for name, each in properties]
    return [
        each for each in fields if not find_shape(document, each.schema, body.place).has("readOnly")
    ]


def _find_single_schema(document: Document, body: Body) -> dict[str, Any] | None:
    """Schema of *body*, with references and `allOf` resolved; None for a union."""
    shape = find_shape(document, body.schema, body.place)
    is_nullable = shape.is_nullable and "type" in (shape.get_single() or {})
    return None if is_nullable else shape.get_single()


def _is_plain(schema: dict[str, Any]) -> bool:
    """Whether *schema* is an object with declared properties only, without combinators."""
    if not isinstance(schema.get("properties"), dict):
        return False
    words = {word for word in schema if not word.startswith("x-")}
    # Undeclared properties are sent only if the document names them.
    others = schema.get("additionalProperties", False)
    required = schema.get("required", [])
    is_known = isinstance(required, list) and all(
        isinstance(each, str) and each in schema["properties"] for each in required
    )
    return (
        words <= _PLAIN
        and schema.get("type", "object") == "object"
        and others is False
        and is_known
    )


def _get_location(part: Parameter | BodyField | WholeBody) -> str:
    """Return the location of the request *part*, such as `query`, `path` or `body`."""
    return part.where if isinstance(part, Parameter) else "body"


def _get_name(part: Parameter | BodyField | WholeBody) -> str:
    """Return the name of the request *part* in the document; `body` for a whole body."""
    return "body" if isinstance(part, WholeBody) else part.name


def _name_arguments(parts: Iterable[Parameter | BodyField | WholeBody]) -> tuple[Argument, ...]:
    """Make arguments of *parts*, in order, with distinct names."""
    listed = list(parts)
    ranked = sorted(listed, key=lambda part: _PREFIXES.index(_get_location(part)))
    count = Counter(map(_get_name, listed))
    taken: set[str] = {name for name, n in count.items() if n == 1}
    names: dict[int, str] = {}
    for part in ranked:
        name = _get_name(part)
        if count[name] > 1:
            while name in taken:
                name = f"{_get_location(part)}_{name}"
            taken.add(name)
        names[id(part)] = name
    return tuple(Argument(names[id(part)], part) for part in listed)


def _get_schema(document: Document, part: Parameter | BodyField | WholeBody) -> Any:
    """Return the JSON Schema of the request *part*; a string for opaque media types."""
    if not isinstance(part, WholeBody):
        return part.schema
    body, media = part.body, find_media_type(part.body.media)
    if media.has_fields:
        return body.schema
    if media.is_binary:
        return {"type": "string", "contentMediaType": body.media, "format": "binary"}
    if not media.is_text:
        return body.schema
    shape = find_shape(document, body.schema, body.place)
    kinds = {kind for each in shape.branches for kind in get_types(each)}
    if kinds and kinds <= _SCALARS and shape.find_binary() is None:
        return body.schema
    # Nothing here writes data as XML, say; the model writes the text.
    return {"type": "string", "description": f"Text of the type {get_media_name(body.media)}."}


def _add_description(schema: Any, part: Parameter | BodyField | WholeBody) -> Any:
    """Add the description of *part* to *schema*, if it has one."""
    text = None
    if isinstance(part, Parameter):
        text = part.description
    elif isinstance(part, WholeBody):
        text = part.body.description
    if text is None or (isinstance(part, WholeBody) and find_media_type(part.body.media).is_binary):
        return schema
    if not isinstance(schema, dict):
        return {"description": text} if schema is True else schema
    return {**schema, "description": text}


def _describe_file_name(schema: Any, body: Body, definitions: dict[str, Any]) -> Any:
    """Describe in *schema*, a file field of *body*, how to set the file name."""
    if get_media_name(body.media) != "multipart/form-data" or not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref")
    target = definitions.get(unquote(str(reference)).removeprefix("#/$defs/"))
    if isinstance(target, dict) and target.get("contentEncoding") == "base64":
        # What is said here is of forms; the definition may be used elsewhere.
        schema = {**target, **{word: each for word, each in schema.items() if word != "$ref"}}
    out = dict(schema)
    for word in ("items", "allOf", "anyOf", "oneOf"):
        inner = schema.get(word)
        if isinstance(inner, list):
            out[word] = [_describe_file_name(each, body, definitions) for each in inner]
        elif isinstance(inner, dict):
            out[word] = _describe_file_name(inner, body, definitions)
    if schema.get("contentEncoding") == "base64" and "description" in schema:
        out["description"] = schema["description"].replace(BASE64, f"{BASE64}, or {_NAMED}")
    return out
