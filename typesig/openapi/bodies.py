"""The bodies of requests: which type of media is sent, and how."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from typesig.algebra.loss import Losses
from typesig.calls.errors import ToolError
from typesig.openapi.documents import Place
from typesig.openapi.media_types import (
    SEPARATOR,
    get_media_name,
    is_form,
    is_json,
    is_json_items,
    is_json_sequence,
    is_text,
)
from typesig.openapi.shapes import ANYTHING, Shape
from typesig.openapi.styles import encoded, reserved, scalar_text, written


class Body(NamedTuple):
    """The body of an operation.

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


class Media(NamedTuple):
    """A type of media that can be sent.

    #: fits: whether a name is one of this type; write: the type's name and the bytes for some data
    #: has_fields: whether the data is an object whose properties can be arguments
    #: is_binary: whether the data is bytes, in base64; is_text: whether it is a text
    """

    fits: Callable[[str], bool]
    write: Callable[[Body, Any], tuple[str, bytes]]
    has_fields: bool
    is_binary: bool = False
    is_text: bool = False


def _json(body: Body, data: Any) -> tuple[str, bytes]:
    media = body.media if is_json(body.media) else "application/json"
    return media, json.dumps(data, separators=(",", ":")).encode()


def _items(body: Body, data: Any) -> tuple[str, bytes]:
    before = SEPARATOR if is_json_sequence(body.media) else ""
    texts = [json.dumps(each, separators=(",", ":")) for each in data]
    return body.media, "".join(f"{before}{text}\n" for text in texts).encode()


def _members(data: Any) -> Iterable[tuple[str, Any]]:
    """Return the members of *data*, of a form, without nulls, for which no form has a spelling.

    Raises `ToolError` if it is no object.
    """
    if not isinstance(data, dict):
        raise ToolError("a form takes an object")
    return [(name, value) for name, value in data.items() if value is not None]


def _form(body: Body, data: Any) -> tuple[str, bytes]:
    pairs = []
    for name, value in _members(data):
        said = _encoding(body, name)
        style = said.get("style", "form")
        if style not in ("form", "spaceDelimited", "pipeDelimited", "deepObject"):
            style = "form"
        explode = said.get("explode", style == "form") is True
        # Only a style says how an object becomes pairs; otherwise it is a text (4.8.15.1).
        if isinstance(value, dict) and not said.keys() & {"style", "explode", "allowReserved"}:
            value = scalar_text(value)
        encode = reserved if said.get("allowReserved") is True else encoded
        pairs.append(written(name, value, style, explode, encode))
    return get_media_name(body.media), "&".join(filter(None, pairs)).encode()


def _encoding(body: Body, name: str) -> dict[str, Any]:
    """Return what the document says of how the property *name* of a form is written."""
    said = body.encodings.get(name)
    return said if isinstance(said, dict) else {}


def _parts(body: Body, data: Any) -> tuple[str, bytes]:
    """Write a form of parts (RFC 7578); a property of bytes is a file."""
    parts: list[tuple[str, _File]] = []
    for name, value in _members(data):
        shape = body.properties.get(name, ANYTHING)
        told = _one_media(_encoding(body, name).get("contentType"))
        items = [each for each in value if each is not None] if isinstance(value, list) else [value]
        shape = shape.items() if isinstance(value, list) else shape
        parts += [(name, _make_part(shape, name, each, told)) for each in items]
    boundary = _boundary(part.content for _, part in parts)
    out = bytearray()
    for name, part in parts:
        also = "" if part.name is None else f'; filename="{_quoted(part.name)}"'
        out += (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(name)}"{also}\r\n'
            f"Content-Type: {part.media}\r\n\r\n"
        ).encode(errors="replace")
        out += part.content + b"\r\n"
    out += f"--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", bytes(out)


class _File(NamedTuple):
    """A part of a form, or a file as a model writes it.

    #: name, media: its name and its type, if they are said
    """

    name: str | None
    media: str | None
    content: bytes


def _file(name: str, value: Any) -> _File:
    """Return the file *value*, in base64 or as a URL that has its data (RFC 2397).

    The parameter `name` of such a URL is the name of the file.
    """
    head, _, data = value.partition(",") if isinstance(value, str) else ("", "", "")
    if not head.startswith("data:") or not head.endswith(";base64"):
        return _File(None, None, _bytes(name, value))
    media, *params = head.removeprefix("data:").removesuffix(";base64").split(";")
    said = {
        key.strip().lower(): unquote(text) for key, _, text in (p.partition("=") for p in params)
    }
    return _File(said.get("name") or None, _one_media(media) or None, _bytes(name, unquote(data)))


def _make_part(shape: Shape, name: str, value: Any, told: str | None) -> _File:
    """Make the part *name* for *value*; *told* is the media type in the document, or None.

    Where it may be bytes or a text, such as an address, it is bytes if it can be read as such.
    """
    schema = shape.find_binary()
    if schema is None:
        return _text_part(value, told)
    try:
        return _file_part(schema, name, value, told)
    except ToolError:
        if shape.has_text():
            return _text_part(value, told)
        raise


def _text_part(value: Any, told: str | None) -> _File:
    media = told or ("application/json" if isinstance(value, dict | list) else "text/plain")
    text = json.dumps(value, separators=(",", ":")) if is_json(media) else scalar_text(value)
    return _File(None, media, text.encode(errors="replace"))


def _file_part(schema: Any, name: str, value: Any, told: str | None) -> _File:
    """Return the file *value* of *schema*, whose type the document *told*, with name and type."""
    file, said = _file(name, value), _one_media(schema.get("contentMediaType"))
    media = told or file.media or said or "application/octet-stream"
    return _File(file.name or _file_name(name, media), media, file.content)


def _file_name(name: str, media: str) -> str:
    """Return the name of a file of which none is said: many servers go by its end."""
    from mimetypes import MimeTypes

    # That of unknown bytes says nothing.
    end = None if media == "application/octet-stream" else MimeTypes().guess_extension(media)
    return name + (end or "")


def _one_media(media: object) -> str | None:
    """Return *media* if it is one type of media, which a header can have."""
    if not isinstance(media, str) or set(media) & set("*,"):
        return None
    return media if media.isascii() and media.isprintable() else None


def _quoted(name: str) -> str:
    """Return *name* as RFC 7578 and browsers write it in quotes."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _boundary(contents: Iterable[bytes]) -> str:
    """Return a line that is in none of *contents*, the same for the same contents."""
    from hashlib import sha256

    found = sha256()
    for content in contents:
        found.update(len(content).to_bytes(8, "big") + content)
    return f"typesig-{found.hexdigest()[:32]}"


def _text(body: Body, data: Any) -> tuple[str, bytes]:
    return body.media, scalar_text(data).encode(errors="replace")


def _binary(body: Body, data: Any) -> tuple[str, bytes]:
    return body.media, _file("body", data).content


def _bytes(name: str, value: Any) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise ToolError(f"{name}: write the bytes in base64") from None


#: The types of media, those that are preferred first.
MEDIA: tuple[Media, ...] = (
    Media(is_json, _json, True),
    Media(lambda name: name in ("*/*", "application/*"), _json, True),
    Media(is_form, _form, True),
    Media(lambda name: name == "multipart/form-data", _parts, True),
    Media(is_json_items, _items, False),
    Media(is_text, _text, False, is_text=True),
    Media(lambda name: True, _binary, False, True),
)


def media_of(name: str) -> Media:
    """Return the row for the type of media *name*."""
    return next(row for row in MEDIA if row.fits(get_media_name(name)))


def chosen_media(content: Mapping[str, Any]) -> str:
    """Return the type of media in *content* that is preferred; the first of several."""
    return min(content, key=lambda name: MEDIA.index(media_of(name)))
