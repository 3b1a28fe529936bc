"""Request bodies: the choice of media type, and their encoding."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from typesig.algebra.loss import Losses
from typesig.calls.functions import ToolError
from typesig.openapi.documents import Place
from typesig.openapi.messages import (
    SEPARATOR,
    encode_text,
    encode_unsafe,
    format_scalar,
    get_media_name,
    is_form,
    is_json,
    is_json_items,
    is_json_sequence,
    is_text,
    write_parameter,
)
from typesig.openapi.shapes import ANYTHING, Shape


class Body(NamedTuple):
    """The request body of an operation: media type, schema and encodings.

    #: media: the type of media that is sent; schema: of its data, at *place*
    #: encodings: what the document says of single properties of a form; properties: their shapes
    #: lost: what is not read of it
    """

    media: str
    schema: Any
    is_required: bool
    description: str | None
    encodings: Mapping[str, Any]
    properties: Mapping[str, Shape]
    place: Place
    lost: Losses = ()


class MediaType(NamedTuple):
    """A media type of request bodies, with the function that writes it.

    #: fits: whether a name is one of this type; write: the type's name and the bytes for some data
    #: has_fields: whether the data is an object whose properties can be arguments
    #: is_binary: whether the data is bytes, in base64; is_text: whether it is a text
    """

    fits: Callable[[str], bool]
    write: Callable[[Body, Any], tuple[str, bytes]]
    has_fields: bool
    is_binary: bool = False
    is_text: bool = False


def _write_json(body: Body, data: Any) -> tuple[str, bytes]:
    """Write *data* as a JSON request body: media type and bytes."""
    media = body.media if is_json(body.media) else "application/json"
    return media, json.dumps(data, separators=(",", ":")).encode()


def _write_items(body: Body, data: Any) -> tuple[str, bytes]:
    """Write the list *data* as JSON Lines or JSON text sequence: media type and bytes."""
    before = SEPARATOR if is_json_sequence(body.media) else ""
    texts = [json.dumps(each, separators=(",", ":")) for each in data]
    return body.media, "".join(f"{before}{text}\n" for text in texts).encode()


def _get_members(data: Any) -> Iterable[tuple[str, Any]]:
    """Members of the object *data* of a form, without nulls, which forms cannot express.

    Raises `ToolError` if it is not an object.
    """
    if not isinstance(data, dict):
        raise ToolError("a form takes an object")
    return [(name, value) for name, value in data.items() if value is not None]


def _write_form(body: Body, data: Any) -> tuple[str, bytes]:
    """Write *data* as a URL-encoded form: media type and bytes."""
    pairs = []
    for name, value in _get_members(data):
        said = _get_encoding(body, name)
        style = said.get("style", "form")
        if style not in ("form", "spaceDelimited", "pipeDelimited", "deepObject"):
            style = "form"
        explode = said.get("explode", style == "form") is True
        # Only a style says how an object becomes pairs; otherwise it is a text (4.8.15.1).
        if isinstance(value, dict) and not said.keys() & {"style", "explode", "allowReserved"}:
            value = format_scalar(value)
        encode = encode_unsafe if said.get("allowReserved") is True else encode_text
        pairs.append(write_parameter(name, value, style, explode, encode))
    return get_media_name(body.media), "&".join(filter(None, pairs)).encode()


def _get_encoding(body: Body, name: str) -> dict[str, Any]:
    """Encoding options in the document for the property *name* of a form."""
    said = body.encodings.get(name)
    return said if isinstance(said, dict) else {}


def _write_multipart(body: Body, data: Any) -> tuple[str, bytes]:
    """Write a multipart form (RFC 7578); a property of bytes is a file."""
    parts: list[tuple[str, _FormPart]] = []
    for name, value in _get_members(data):
        shape = body.properties.get(name, ANYTHING)
        told = _as_media_type(_get_encoding(body, name).get("contentType"))
        items = [each for each in value if each is not None] if isinstance(value, list) else [value]
        shape = shape.items() if isinstance(value, list) else shape
        parts += [(name, _make_part(shape, name, each, told)) for each in items]
    boundary = _make_boundary(part.content for _, part in parts)
    out = bytearray()
    for name, part in parts:
        also = "" if part.name is None else f'; filename="{_quote_name(part.name)}"'
        out += (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{_quote_name(name)}"{also}\r\n'
            f"Content-Type: {part.media}\r\n\r\n"
        ).encode(errors="replace")
        out += part.content + b"\r\n"
    out += f"--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", bytes(out)


class _FormPart(NamedTuple):
    """A part of a multipart form.

    #: name, media: its name and its type, if they are said
    """

    name: str | None
    media: str | None
    content: bytes


def _read_file(name: str, value: Any) -> _FormPart:
    """Decode the file *value*, in base64 or a data URL (RFC 2397).

    The parameter `name` of such a URL is the name of the file.
    """
    head, _, data = value.partition(",") if isinstance(value, str) else ("", "", "")
    if not head.startswith("data:") or not head.endswith(";base64"):
        return _FormPart(None, None, _decode_base64(name, value))
    media, *params = head.removeprefix("data:").removesuffix(";base64").split(";")
    said = {
        key.strip().lower(): unquote(text) for key, _, text in (p.partition("=") for p in params)
    }
    return _FormPart(
        said.get("name") or None, _as_media_type(media) or None, _decode_base64(name, unquote(data))
    )


def _make_part(shape: Shape, name: str, value: Any, told: str | None) -> _FormPart:
    """Make the part *name* for *value*, with the document's media type, if any.

    Where it may be bytes or a text, such as an address, it is bytes if it can be read as such.
    """
    schema = shape.find_binary()
    if schema is None:
        return _make_text_part(value, told)
    try:
        return _make_file_part(schema, name, value, told)
    except ToolError:
        if shape.has_text():
            return _make_text_part(value, told)
        raise


def _make_text_part(value: Any, told: str | None) -> _FormPart:
    """Build a multipart part from the JSON *value*, with the declared media type if any."""
    media = told or ("application/json" if isinstance(value, dict | list) else "text/plain")
    text = json.dumps(value, separators=(",", ":")) if is_json(media) else format_scalar(value)
    return _FormPart(None, media, text.encode(errors="replace"))


def _make_file_part(schema: Any, name: str, value: Any, told: str | None) -> _FormPart:
    """Make the part for the file *value* of *schema*, with its name and media type."""
    file, said = _read_file(name, value), _as_media_type(schema.get("contentMediaType"))
    media = told or file.media or said or "application/octet-stream"
    return _FormPart(file.name or _guess_file_name(name, media), media, file.content)


def _guess_file_name(name: str, media: str) -> str:
    """Make a file name for the form part *name* from its media type."""
    from mimetypes import MimeTypes

    # That of unknown bytes says nothing.
    end = None if media == "application/octet-stream" else MimeTypes().guess_extension(media)
    return name + (end or "")


def _as_media_type(media: object) -> str | None:
    """Return *media* if it is a single media type, valid in a header, or None."""
    if not isinstance(media, str) or set(media) & set("*,"):
        return None
    return media if media.isascii() and media.isprintable() else None


def _quote_name(name: str) -> str:
    """Escape *name* for use in quotes, as in RFC 7578 and browsers."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _make_boundary(contents: Iterable[bytes]) -> str:
    """Make a boundary that occurs in none of *contents*, deterministically."""
    from hashlib import sha256

    found = sha256()
    for content in contents:
        found.update(len(content).to_bytes(8, "big") + content)
    return f"typesig-{found.hexdigest()[:32]}"


def _write_text(body: Body, data: Any) -> tuple[str, bytes]:
    """Write the scalar *data* as a text request body: media type and bytes."""
    return body.media, format_scalar(data).encode(errors="replace")


def _write_binary(body: Body, data: Any) -> tuple[str, bytes]:
    """Write *data*, a file or base64 text, as a binary body: media type and bytes."""
    return body.media, _read_file("body", data).content


def _decode_base64(name: str, value: Any) -> bytes:
    """Decode the base64 *value* of the argument *name*, or raise `ToolError`."""
    try:
        return base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise ToolError(f"{name}: write the bytes in base64") from None


#: The types of media, those that are preferred first.
MEDIA: tuple[MediaType, ...] = (
    MediaType(is_json, _write_json, True),
    MediaType(lambda name: name in ("*/*", "application/*"), _write_json, True),
    MediaType(is_form, _write_form, True),
    MediaType(lambda name: name == "multipart/form-data", _write_multipart, True),
    MediaType(is_json_items, _write_items, False),
    MediaType(is_text, _write_text, False, is_text=True),
    MediaType(lambda name: True, _write_binary, False, True),
)


def find_media_type(name: str) -> MediaType:
    """Entry of `MEDIA` for the media type *name*."""
    return next(row for row in MEDIA if row.fits(get_media_name(name)))


def choose_media_type(content: Mapping[str, Any]) -> str:
    """Preferred media type in *content*; the first of several."""
    return min(content, key=lambda name: MEDIA.index(find_media_type(name)))
