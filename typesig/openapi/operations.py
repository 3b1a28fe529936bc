"""The operations of a document: parameters, bodies, responses and credentials."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args

from typesig.algebra.loss import Loss, Losses
from typesig.errors import TypesigError, Unsupported, format_value
from typesig.extraction.callables.warnings import HintWarning
from typesig.openapi import bodies, messages
from typesig.openapi.documents import Document, Place
from typesig.openapi.messages import ALLOWED_STYLES, DEFAULT_STYLES, Where
from typesig.openapi.shapes import Shape, as_list, find_shape, get_types
from typesig.tools.foreign.foreign import make_refusal_loss

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

#: The method that documents of OpenAPI 3.2 can have besides.
_QUERY = "query"

#: Headers that the rest of an operation says; parameters of these names mean nothing (4.8.12.2).
_SAID_ELSEWHERE = frozenset({"accept", "content-type", "authorization"})

#: Headers that decide where a request goes, or where it ends; no argument sets them.
_OF_CONNECTION = frozenset(
    {"connection", "content-length", "host", "te", "trailer", "transfer-encoding", "upgrade"}
)

#: What the names of headers and cookies are made of (RFC 9110, 5.6.2).
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

#: What a header may have (RFC 9110, 5.5), without what only ISO 8859-1 has.
HEADER = re.compile(r"[\t\x20-\x7e]*")

_PLACES: dict[str, Where] = {where: where for where in get_args(Where)}


class Parameter(NamedTuple):
    """A parameter of an operation: location, schema and serialization style.

    #: name: as it is sent; where: in which part of the request; schema: of its values
    #: style, explode: how it is written; is_free: whether reserved characters stay as they are
    #: is_text: whether it is written as JSON text
    #: whole: how it is written if it is the whole query, or None; lost: what is not read of it
    """

    name: str
    where: Where
    is_required: bool
    schema: Any
    description: str | None
    style: str
    explode: bool
    is_free: bool
    is_text: bool
    whole: bodies.Body | None = None
    lost: Losses = ()


class Operation(NamedTuple):
    """An operation of an OpenAPI document.

    #: id: its name in the document, or None; method: in capitals; path: with its templates
    #: answers: the schemas of its successful responses, None for one without content; or None
    #: where a response is not JSON; accepts: the types of media of its responses
    #: security: the alternatives, each the names of schemes that it needs
    #: lost: what could not be read of it, though it can be called
    """

    id: str | None
    method: str
    path: str
    place: Place
    summary: str | None
    description: str | None
    parameters: tuple[Parameter, ...]
    body: bodies.Body | None
    answers: tuple[Any, ...] | None
    accepts: tuple[str, ...]
    security: tuple[frozenset[str], ...]
    tags: tuple[str, ...]
    is_deprecated: bool
    lost: Losses


def iter_operations(document: Document) -> Iterator[Operation | HintWarning]:
    """Yield the operations of *document*, in order, or a warning for an invalid one."""
    paths = document.root.get("paths", {})
    if not isinstance(paths, dict):
        raise TypesigError(f"paths: this is an object, not {type(paths).__name__}")
    for path, item in paths.items():
        place: Place = ("paths", str(path))
        if str(path).startswith("x-"):
            continue
        try:
            item = document.resolve(item, place)
            shared = _read_parameters(document, item, place)
        except Unsupported as error:
            yield make_omission_warning(format_value(str(path)), error)
            continue
        for method, at, node in _iter_methods(document, item):
            try:
                yield _read_operation(
                    document, str(path), (method, (*place, *at), node), item, shared
                )
            except Unsupported as error:
                yield make_omission_warning(format_value(f"{method} {path}"), error)


def _iter_methods(document: Document, item: dict[str, Any]) -> Iterator[tuple[str, Place, Any]]:
    """Yield the method, the place within *item*, and the node of each operation."""
    for method in (*METHODS, *([_QUERY] if document.is_new else [])):
        if method in item:
            yield method.upper(), (method,), item[method]
    more = item.get("additionalOperations") if document.is_new else None
    for method, node in more.items() if isinstance(more, dict) else ():
        yield method, ("additionalOperations", method), node


def is_token(name: str) -> bool:
    """Whether *name* is valid for a header or a cookie.

    >>> is_token("X-Trace"), is_token("X: y")
    (True, False)
    """
    return _TOKEN.fullmatch(name) is not None


def has_blanks(text: str) -> bool:
    """Whether *text* has blanks at its ends, which a header cannot have (RFC 9110, 5.5).

    >>> has_blanks(" a"), has_blanks("a b")
    (True, False)
    """
    return text != text.strip(" \t")


def make_omission_warning(name: str, error: TypesigError) -> HintWarning:
    """Build the warning that the operation *name* is left out because of *error*."""
    remedy = "correct the document; the operation is left out"
    return HintWarning(name, "", str(error), remedy, "left_out")


def _read_operation(
    document: Document,
    path: str,
    found: tuple[str, Place, Any],
    item: dict[str, Any],
    shared: dict[tuple[str, str], Parameter],
) -> Operation:
    """Read an operation of *path* with the parameters *shared* by the path item."""
    method, place, given = found
    node = document.resolve(given, place)
    if not path.startswith("/"):
        raise Unsupported("a path begins with /", place)
    if "additionalOperations" in place[2:3]:
        _check_method(method, place)
    parameters = {**shared, **_read_parameters(document, node, place)}
    queries = [each for each in parameters.values() if each.where == "query"]
    if len(queries) > 1 and any(each.whole is not None for each in queries):
        raise Unsupported("a parameter in: querystring is the whole query, beside no other", place)
    body = None
    if "requestBody" in node and method != "TRACE":
        body = _read_body(document, node["requestBody"], (*place, "requestBody"))
    answers: tuple[Any, ...] | None = None
    accepts: tuple[str, ...] = ()
    lost = [loss for each in parameters.values() for loss in each.lost]
    lost += [] if body is None else body.lost
    try:
        answers, accepts = _read_responses(document, node, place, lost)
    except Unsupported as error:
        lost.append(make_refusal_loss(("output",), error))
    answers = None if method == "HEAD" else answers
    return Operation(
        _get_text(node.get("operationId")),
        method,
        path,
        place,
        _get_text(node.get("summary")) or _get_text(item.get("summary")),
        _get_text(node.get("description")) or _get_text(item.get("description")),
        tuple(parameters.values()),
        body,
        answers,
        accepts,
        _read_security(node.get("security", document.root.get("security"))),
        tuple(tag for tag in as_list(node.get("tags")) if isinstance(tag, str)),
        node.get("deprecated") is True,
        tuple(lost),
    )


def _check_method(method: str, place: Place) -> None:
    """Raise `Unsupported` if *method* cannot be one of the additional operations of a path."""
    if not is_token(method):
        raise Unsupported(f"{format_value(method)} cannot be the name of a method", place)
    if method.lower() in (*METHODS, _QUERY):
        raise Unsupported(f"the operation of {method} stands under {method.lower()}", place)
    if method.upper() == "CONNECT":
        raise Unsupported("a request of CONNECT opens a tunnel, and has no answer", place)


def _read_parameters(
    document: Document, node: dict[str, Any], place: Place
) -> dict[tuple[str, str], Parameter]:
    """Return the parameters of *node*, a path or an operation, by place and name."""
    out: dict[tuple[str, str], Parameter] = {}
    for n, each in enumerate(as_list(node.get("parameters"))):
        at = (*place, "parameters", str(n))
        found = document.resolve(each, at)
        name, where = found.get("name"), _PLACES.get(str(found.get("in")))
        if document.is_new and found.get("in") == "querystring" and isinstance(name, str):
            out["query", name] = _read_query_parameter(document, found, name, at)
            continue
        if not isinstance(name, str) or where is None:
            raise Unsupported("a parameter has a name, and in: path, query, header or cookie", at)
        if where in ("header", "cookie") and not is_token(name):
            raise Unsupported(f"{format_value(name)} cannot be the name of a {where}", at)
        if where == "header" and name.lower() in _SAID_ELSEWHERE | _OF_CONNECTION:
            continue
        made = _read_parameter(document, found, name, where, at)
        out[where, get_parameter_key(made)] = made
    return out


def get_parameter_key(parameter: Parameter) -> str:
    """Key that identifies *parameter*; case-insensitive for headers."""
    return parameter.name.lower() if parameter.where == "header" else parameter.name


def _read_query_parameter(
    document: Document, found: dict[str, Any], name: str, at: Place
) -> Parameter:
    """Parse the parameter *name*, whose value is the entire query string."""
    body = _read_body(document, {"required": True, **found}, at)
    if body is None or bodies.find_media_type(body.media).is_binary:
        raise Unsupported("a parameter in: querystring has a content that is text", at)
    told, is_required = _build_description(found), found.get("required") is True
    return Parameter(
        name, "query", is_required, body.schema, told, "form", True, False, False, body, body.lost
    )


def _build_description(found: dict[str, Any]) -> str | None:
    """Build the description of a parameter object, noting deprecation; None if empty."""
    parts = [_get_text(found.get("description"))]
    parts += ["Deprecated."] if found.get("deprecated") is True else []
    return " ".join(filter(None, parts)) or None


def _read_parameter(
    document: Document, found: dict[str, Any], name: str, where: Where, at: Place
) -> Parameter:
    """Read the parameter *name* of a location from its object *found* in *document*."""
    style = found.get("style", DEFAULT_STYLES[where])
    if style not in ALLOWED_STYLES[where] or (style == "cookie" and not document.is_new):
        raise Unsupported(
            f"there is no style {format_value(str(style))} of parameters in {where}", at
        )
    explode = found.get("explode", style in ("form", "cookie"))
    content = found.get("content")
    schema, is_text = found.get("schema", {}), False
    if isinstance(content, dict) and content:
        media, inner = next(iter(content.items()))
        schema = document.schema(inner, at).get("schema", {})
        is_text = messages.is_json(str(media))
    return Parameter(
        name,
        where,
        where == "path" or found.get("required") is True,
        schema,
        _build_description(found),
        style,
        explode is True,
        found.get("allowReserved") is True and where == "query",
        is_text,
        lost=_find_encoding_losses(found, where, style, at),
    )


def _find_encoding_losses(found: dict[str, Any], where: Where, style: str, at: Place) -> Losses:
    """Loss for `allowReserved` in *found* where characters are always encoded."""
    # Nothing is encoded in a header, nor in the other style of cookies.
    is_encoded = where == "path" or (where == "cookie" and style == "form")
    if not is_encoded or found.get("allowReserved") is not True:
        return ()
    why = f"reserved characters of a {where} are encoded"
    return (Loss("omitted", (*at, "allowReserved"), "allowReserved", why, "the encoded text"),)


def _read_body(document: Document, node: object, at: Place) -> bodies.Body | None:
    """Read the request body object *node* of *document*, or None without content."""
    found = document.resolve(node, at)
    content = found.get("content")
    if not isinstance(content, dict) or not content:
        return None
    media = bodies.choose_media_type(content)
    inner = document.resolve(content[media], (*at, "content", media))
    if HEADER.fullmatch(media) is None:
        raise Unsupported(f"{format_value(media)} is not a media type", at)
    encodings = inner.get("encoding")
    schema, place = inner.get("schema", {}), (*at, "content", media, "schema")
    if messages.is_json_items(media):
        schema = _build_items_schema(document, inner, place)
    return bodies.Body(
        media.strip(),
        schema,
        found.get("required") is True,
        _get_text(found.get("description")),
        encodings if isinstance(encodings, dict) else {},
        _find_property_shapes(document, schema, place),
        place,
        _find_unread_keywords(document, media, inner, (*at, "content", media)),
    )


def _build_items_schema(document: Document, media: dict[str, Any], place: Place) -> Any:
    """Schema of the list for content that is several JSON texts.

    OpenAPI 3.2 has a word for the schema of each text; documents before it commonly have that
    schema itself.
    """
    schema = media.get("schema", {})
    if document.is_new and "itemSchema" in media:
        return {"type": "array", "items": media["itemSchema"]}
    kinds = [get_types(each) for each in find_shape(document, schema, place).branches]
    if kinds and all("array" in each for each in kinds):
        return schema
    # A text is the whole content, of which nothing else is known.
    is_text = kinds and all("string" in each for each in kinds)
    return {"type": "array"} if is_text else {"type": "array", "items": schema}


def _find_unread_keywords(
    document: Document, name: str, media: dict[str, Any], place: Place
) -> Losses:
    """Losses for keywords of *media*, the type *name*, that are not supported."""
    words = {"itemSchema", "itemEncoding", "prefixEncoding"} if document.is_new else set()
    if messages.is_json_items(name):
        words -= {"itemSchema"}
    why = f"the items of {messages.get_media_name(name)} are not read one by one"
    return tuple(
        Loss("widened", (*place, word), word, why, "the whole content")
        for word in sorted(words & media.keys())
    )


def _find_property_shapes(document: Document, schema: object, place: Place) -> dict[str, Shape]:
    """Return the shape of each property of *schema*, in any branch."""
    found: dict[str, list[Any]] = {}
    for branch in find_shape(document, schema, place).branches:
        properties = branch.get("properties")
        for name, each in properties.items() if isinstance(properties, dict) else ():
            found.setdefault(name, []).append(each)
    return {
        name: find_shape(document, {"anyOf": some}, (*place, name)) for name, some in found.items()
    }


def _read_responses(
    document: Document, node: dict[str, Any], place: Place, lost: list[Loss]
) -> tuple[tuple[Any, ...] | None, tuple[str, ...]]:
    """Parse the schemas and media types of the successful responses in *node*.

    What is not read of them is added to *lost*.
    """
    responses = node.get("responses")
    responses = responses if isinstance(responses, dict) else {}
    good = {code: each for code, each in responses.items() if str(code).startswith("2")}
    if not good and "default" in responses:
        good = {"default": responses["default"]}
    schemas: list[Any] = []
    media: dict[str, None] = {}
    is_known = bool(good)
    for code, each in good.items():
        found = document.resolve(each, (*place, "responses", str(code)))
        content = found.get("content")
        if not isinstance(content, dict) or not content:
            schemas.append(None)
            continue
        # Where a server can answer in JSON, it is asked to.
        preferred = _select_json_content(content)
        media.update(dict.fromkeys(map(str, preferred or content)))
        for name, inner in (preferred or content).items():
            at = (*place, "responses", str(code), "content", str(name))
            inner = document.schema(inner, at)
            lost += _find_unread_keywords(document, str(name), inner, at)
            schema = inner.get("schema")
            if messages.is_json_items(str(name)):
                schema = _build_items_schema(document, inner, at)
            is_known = is_known and bool(preferred) and schema is not None
            schemas.append(schema)
    return tuple(schemas) if is_known else None, tuple(media)


def _select_json_content(content: dict[str, Any]) -> dict[str, Any]:
    """Entries of *content* that are JSON, or else JSON sequences; empty if none."""
    for fits in (messages.is_json, messages.is_json_items):
        found = {name: inner for name, inner in content.items() if fits(str(name))}
        if found:
            return found
    return {}


def _read_security(given: object) -> tuple[frozenset[str], ...]:
    """Parse the alternative security requirements *given*."""
    return tuple(
        frozenset(str(name) for name in each)
        for each in as_list(given)
        if isinstance(each, Mapping)
    )


def _get_text(node: object) -> str | None:
    """Return *node* if it is a text that is not blank, or None."""
    return node if isinstance(node, str) and node.strip() else None
