"""The bodies of requests: which type of media is sent, and how."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import unquote

from typesig.algebra.loss import Losses
from typesig.calls.errors import ToolError
from typesig.openapi.documents import Place
from typesig.openapi.styles import encoded, reserved, scalar_text, written


class Body(NamedTuple):
    """The body of an operation.

    #: media: the type of media that is sent; schema: of its data, at *place*
    #: encodings: what the document says of single properties of a form; properties: their schemas
    #: lost: what is not read of it
    """

    media: str
    schema: Any
    is_required: bool
    description: str | None
    encodings: Mapping[str, Any]
    properties: Mapping[str, Any]
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


def is_json(media: str) -> bool:
    """Tell whether *media* is JSON (RFC 6839, 3.1).

    >>> is_json("application/problem+json; charset=utf-8"), is_json("text/plain")
    (True, False)
    """
    name = plain_media(media)
    return name == "application/json" or name.endswith("+json")


def plain_media(media: str) -> str:
    """Return *media* without its parameters, in lower case."""
    return media.partition(";")[0].strip().lower()


#: Types of texts whose names do not say so.
_TEXTS = frozenset(
    f"application/{name}"
    for name in (
        "graphql", "javascript", "jwt", "sql", "toml", "x-javascript", "x-pem-file", "x-sh",
        "x-subrip", "x-yaml",
    )
)  # fmt: skip

#: Lists in JSON whose items are lines (OpenAPI 3.2, "Sequential JSON"; `x-jsonlines` is the name
#: that was common before).
_LINES = frozenset({"application/jsonl", "application/x-jsonlines", "application/x-ndjson"})

#: What stands before each text of a JSON text sequence (RFC 7464, 2.2).
SEPARATOR = "\x1e"


def is_json_items(media: str) -> bool:
    """Tell whether *media* is a list whose items are JSON texts, one after the other.

    >>> is_json_items("application/jsonl; charset=utf-8"), is_json_items("application/json")
    (True, False)
    """
    return plain_media(media) in _LINES or _is_sequence(media)


def _is_sequence(media: str) -> bool:
    """Tell whether *media* is a JSON text sequence (RFC 7464, and RFC 8091 for the suffix)."""
    name = plain_media(media)
    return name == "application/json-seq" or name.endswith("+json-seq")


def is_text(media: str) -> bool:
    """Tell whether *media* is text of any kind.

    >>> is_text("text/csv"), is_text("application/soap+xml"), is_text("image/png")
    (True, True, False)
    """
    name = plain_media(media)
    known = name in _TEXTS or is_json_items(name) or is_json(name)
    return known or name.startswith("text/") or name.endswith(("/xml", "+xml", "/yaml", "+yaml"))


def _json(body: Body, data: Any) -> tuple[str, bytes]:
    media = body.media if is_json(body.media) else "application/json"
    return media, json.dumps(data, separators=(",", ":")).encode()


def _items(body: Body, data: Any) -> tuple[str, bytes]:
    before = SEPARATOR if _is_sequence(body.media) else ""
    texts = [json.dumps(each, separators=(",", ":")) for each in data]
    return body.media, "".join(f"{before}{text}\n" for text in texts).encode()


def is_form(media: str) -> bool:
    """Tell whether *media* is a form of pairs.

    >>> is_form("application/x-www-form-urlencoded")
    True
    """
    return plain_media(media) == "application/x-www-form-urlencoded"


def _members(data: Any) -> Iterable[tuple[str, Any]]:
    """Return the members of *data*, of a form; raise `ToolError` if it has none."""
    if not isinstance(data, dict):
        raise ToolError("a form takes an object")
    return data.items()


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
    return plain_media(body.media), "&".join(filter(None, pairs)).encode()


def _encoding(body: Body, name: str) -> dict[str, Any]:
    """Return what the document says of how the property *name* of a form is written."""
    said = body.encodings.get(name)
    return said if isinstance(said, dict) else {}


def _parts(body: Body, data: Any) -> tuple[str, bytes]:
    """Write a form of parts (RFC 7578); a property of bytes is a file."""
    parts: list[tuple[str, _File]] = []
    for name, value in _members(data):
        is_list = isinstance(value, list)
        schema = body.properties.get(name)
        schema = schema.get("items") if is_list and isinstance(schema, dict) else schema
        told = _one_media(_encoding(body, name).get("contentType"))
        make = partial(_file_part, schema) if is_binary(schema) else _text_part
        parts += [(name, make(name, each, told)) for each in (value if is_list else [value])]
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


def _text_part(name: str, value: Any, told: str | None) -> _File:
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


def is_binary(schema: object) -> bool:
    """Tell whether the values of *schema* are bytes, in the words of OpenAPI 3.0 or 3.1."""
    if not isinstance(schema, dict):
        return False
    media = schema.get("contentMediaType")
    is_encoded = "contentEncoding" in schema
    has_bytes = isinstance(media, str) and not is_encoded and not is_text(media)
    return schema.get("format") == "binary" or has_bytes


def media_of(name: str) -> Media:
    """Return the row for the type of media *name*."""
    return next(row for row in MEDIA if row.fits(plain_media(name)))


def chosen_media(content: Mapping[str, Any]) -> str:
    """Return the type of media in *content* that is preferred; the first of several."""
    return min(content, key=lambda name: MEDIA.index(media_of(name)))
