"""The media of results as blocks of each vendor: accepted types, and the writers."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, NamedTuple

from typesig.extraction.python_types.media import Media, format_size
from typesig.providers.registry.calls import Reply


class MediaRow(NamedTuple):
    """A kind of content block for media that a vendor takes beside a tool's result.

    #: kind: the kind of block
    #: types: the media types, one that ends with `/` for all below it, or `ANY`
    #: most: how many bytes one may have, or None if nothing is published
    #: source: where that was read, in November 2026
    """

    kind: str
    types: tuple[str, ...]
    most: int | None
    source: str

    def fits(self, media: Media) -> bool:
        """Whether the block takes *media*, by its media type."""
        return any(
            media.type.startswith(each) if each.endswith("/") else each in (media.type, ANY)
            for each in self.types
        )


class MediaParts(NamedTuple):
    """The media of a result that a vendor takes, and text lines about other media.

    #: taken: the kind of the content block of each, and the medium
    """

    taken: tuple[tuple[str, Media], ...]
    told: tuple[str, ...]


#: Stands for all types.
ANY = "*/*"

#: The kind of what is sent as text, whose bytes have to be UTF-8.
TEXT = "text"

#: Types that are text.
TEXTS = ("text/", "application/json", "application/xml", "application/yaml")


def split_media(rows: Sequence[MediaRow], title: str, media: Sequence[Media]) -> MediaParts:
    """Split *media* into media that fit any of *rows* and text lines about the others."""
    taken: list[tuple[str, Media]] = []
    told: list[str] = []
    for each in media:
        row = next((row for row in rows if row.fits(each)), None)
        size = len(each.data or b"")
        if row is None:
            types = ", ".join([t + "*" * t.endswith("/") for row in rows for t in row.types])
            told.append(f"[not sent: {each.shown[1:-1]}; {title} takes {types}]")
        elif row.most is not None and size > row.most:
            told.append(
                f"[not sent: {each.shown[1:-1]}; {title} takes at most {format_size(row.most)}]"
            )
        elif row.kind == TEXT and decode_text(each) is None:
            told.append(f"[not sent: {each.shown[1:-1]}; it is not UTF-8 text]")
        else:
            taken.append((row.kind, each))
    return MediaParts(tuple(taken), tuple(told))


def decode_text(media: Media) -> str | None:
    """Decode *media* as text, or None if it is not UTF-8."""
    try:
        return (media.data or b"").decode()
    except UnicodeDecodeError:
        return None


def encode_base64(media: Media) -> str:
    """Encode the bytes of *media* as base64 text."""
    return base64.b64encode(media.data or b"").decode("ascii")


def make_data_url(media: Media) -> str:
    """Make a data URL with the bytes of *media*."""
    return f"data:{media.type};base64,{encode_base64(media)}"


def make_name(media: Media, place: int) -> str:
    """Return the file name of *media*, or a name made from *place* and its type."""
    if media.name is not None:
        return media.name
    ending = media.type.partition("/")[2].partition("+")[0].rpartition(".")[2]
    return f"file{place + 1}.{'txt' if ending == 'plain' else ending}"


_IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_PDF = ("application/pdf",)

#: In Chat Completions only messages of the user have media.
OPENAI_CHAT = (
    MediaRow("image_url", _IMAGES, None, "openai 3.57 chat_completion_content_part_image_param.py"),
    MediaRow(
        "input_audio",
        ("audio/wav", "audio/mpeg"),
        None,
        "openai 3.57 chat_completion_content_part_input_audio_param.py",
    ),
    MediaRow("file", _PDF, None, "openai 3.57 chat_completion_content_part_param.py File"),
    MediaRow(TEXT, TEXTS, None, "openai 3.57 chat_completion_content_part_text_param.py"),
)

OPENAI_RESPONSES = (
    MediaRow("input_image", _IMAGES, None, "openai 3.57 response_input_image_content_param.py"),
    MediaRow("input_file", _PDF, None, "openai 3.57 response_input_file_content_param.py"),
    MediaRow(TEXT, TEXTS, None, "openai 3.57 response_input_text_content_param.py"),
)

_CLAUDE = "platform.claude.com/docs/en/build-with-claude/"

ANTHROPIC = (
    MediaRow("image", _IMAGES, 5_000_000, f"{_CLAUDE}vision; anthropic 2.13 image_block_param.py"),
    MediaRow("document", _PDF, None, f"{_CLAUDE}pdf-support; anthropic 2.13"),
    MediaRow(TEXT, TEXTS, None, "anthropic 2.13 plain_text_source_param.py"),
)

_GEMINI = "ai.google.dev/gemini-api/docs/"
_SOUNDS = ("wav", "mp3", "mpeg", "aiff", "aac", "ogg", "flac")

GEMINI = (
    MediaRow(
        "inline_data",
        ("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"),
        None,
        f"{_GEMINI}image-understanding",
    ),
    MediaRow("inline_data", tuple([f"audio/{s}" for s in _SOUNDS]), None, f"{_GEMINI}audio"),
    MediaRow(
        "inline_data",
        ("video/mp4", "video/mpeg", "video/quicktime", "video/webm"),
        None,
        f"{_GEMINI}video-understanding",
    ),
    MediaRow("inline_data", _PDF, None, f"{_GEMINI}document-processing"),
    MediaRow(TEXT, TEXTS, None, "google-genai 3.6 types.py Part.text"),
)

_MCP = "modelcontextprotocol.io/specification/2025-11-25/server/tools"

MCP = (
    MediaRow("image", ("image/",), None, f"{_MCP}#image-content"),
    MediaRow("audio", ("audio/",), None, f"{_MCP}#audio-content"),
    MediaRow("resource", (ANY,), None, f"{_MCP}#embedded-resources"),
)


def append_lines(text: str, told: Sequence[str]) -> str:
    """Append to *text* the lines about media that are not sent."""
    return "\n".join([text, *told])


def write_openai_chat(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Write the media of *replies* as a list with one user message, or none.

    Messages of the role tool have texts only.
    """
    parts: list[dict[str, Any]] = []
    for reply in replies:
        found = split_media(OPENAI_CHAT, "OpenAI", reply.media)
        for place, (kind, media) in enumerate(found.taken):
            beside = f"{media.shown} of the result of {reply.call.name}"
            id = f" ({reply.call.id})" if reply.call.id else ""
            parts += [
                {"type": "text", "text": f"{beside}{id}:"},
                _write_chat_part(kind, media, place),
            ]
        parts += [{"type": "text", "text": line} for line in found.told]
    return [{"role": "user", "content": parts}] if parts else []


def _write_chat_part(kind: str, media: Media, place: int) -> dict[str, Any]:
    """Write an accepted medium as a content part of Chat Completions."""
    if kind == "image_url":
        return {"type": kind, "image_url": {"url": make_data_url(media)}}
    if kind == "input_audio":
        sound = {
            "data": encode_base64(media),
            "format": "wav" if media.type == "audio/wav" else "mp3",
        }
        return {"type": kind, "input_audio": sound}
    if kind == "file":
        file = {"filename": make_name(media, place), "file_data": make_data_url(media)}
        return {"type": kind, "file": file}
    return {"type": "text", "text": decode_text(media)}


def write_openai_responses(reply: Reply) -> list[dict[str, Any]]:
    """Write the text and the media of *reply* as an output of OpenAI's Responses."""
    found = split_media(OPENAI_RESPONSES, "OpenAI", reply.media)
    parts: list[dict[str, Any]] = [
        {"type": "input_text", "text": append_lines(reply.whole_text, found.told)}
    ]
    for place, (kind, media) in enumerate(found.taken):
        if kind == "input_image":
            parts.append({"type": kind, "image_url": make_data_url(media), "detail": "auto"})
        elif kind == "input_file":
            name = make_name(media, place)
            parts.append({"type": kind, "filename": name, "file_data": make_data_url(media)})
        else:
            parts.append({"type": "input_text", "text": decode_text(media)})
    return parts


def write_anthropic(reply: Reply) -> list[dict[str, Any]]:
    """Write the text, the notice and the media of *reply* as Anthropic content blocks."""
    found = split_media(ANTHROPIC, "Anthropic", reply.media)
    blocks: list[dict[str, Any]] = [{"type": "text", "text": append_lines(reply.text, found.told)}]
    if reply.notice:
        blocks.append({"type": "text", "text": reply.notice})
    for kind, media in found.taken:
        source: dict[str, Any] = {
            "type": "base64", "media_type": media.type, "data": encode_base64(media)
        }  # fmt: skip
        if kind == TEXT:
            kind = "document"
            source = {"type": "text", "media_type": "text/plain", "data": decode_text(media)}
        block: dict[str, Any] = {"type": kind, "source": source}
        if kind == "document" and media.name is not None:
            block["title"] = media.name
        blocks.append(block)
    return blocks


def write_gemini(reply: Reply, is_rest: bool) -> list[dict[str, Any]]:
    """Write the media of *reply* as Gemini parts beside the function response.

    The SDK takes bytes; with *is_rest*, the keys and the bytes are those of JSON.
    """
    parts: list[dict[str, Any]] = []
    found = split_media(GEMINI, "Gemini", reply.media)
    for kind, media in found.taken:
        parts.append({"text": f"{media.shown} of the result of {reply.call.name}:"})
        if kind == TEXT:
            parts.append({"text": decode_text(media)})
        elif is_rest:
            parts.append({"inlineData": {"mimeType": media.type, "data": encode_base64(media)}})
        else:
            parts.append({"inline_data": {"mime_type": media.type, "data": media.data or b""}})
    return [*parts, *[{"text": line} for line in found.told]]


def write_mcp(reply: Reply) -> list[dict[str, Any]]:
    """Write the media of *reply* as MCP content blocks."""
    found = split_media(MCP, "MCP", reply.media)
    blocks: list[dict[str, Any]] = []
    for place, (kind, media) in enumerate(found.taken):
        if kind != "resource":
            blocks.append({"type": kind, "data": encode_base64(media), "mimeType": media.type})
            continue
        text = decode_text(media) if any(map(media.type.startswith, TEXTS)) else None
        held = {"blob": encode_base64(media)} if text is None else {"text": text}
        uri = f"attachment:///{make_name(media, place)}"
        resource = {"uri": uri, "mimeType": media.type, **held}
        blocks.append({"type": kind, "resource": resource})
    return blocks
