"""The media of results as blocks of each vendor: what each takes, and how it is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.providers.rows.calls import Reply
from typesig.providers.rows.media import (
    ANY,
    TEXT,
    TEXTS,
    MediaRow,
    Taken,
    base64_of,
    data_url,
    name_of,
    split,
    text_of,
)

_IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_DATE = "2026-11"

_VISION = "developers.openai.com/api/docs/guides/images-vision; "
_FILES = "developers.openai.com/api/docs/guides/pdf-files; "

#: In Chat Completions only messages of the user have media.
OPENAI_CHAT = (
    MediaRow("image_url", _IMAGES, None, _DATE, f"{_VISION}openai 3.57 ChatCompletionContentPartImageParam"),
    MediaRow("input_audio", ("audio/wav", "audio/mpeg"), None, _DATE, "openai 3.57 ChatCompletionContentPartInputAudioParam"),
    MediaRow("file", ("application/pdf",), None, _DATE, f"{_FILES}openai 3.57 File"),
    MediaRow(TEXT, TEXTS, None, _DATE, "openai 3.57 ChatCompletionContentPartTextParam"),
)  # fmt: skip

OPENAI_RESPONSES = (
    MediaRow("input_image", _IMAGES, None, _DATE, f"{_VISION}openai 3.57 ResponseInputImageContentParam"),
    MediaRow("input_file", ("application/pdf",), None, _DATE, f"{_FILES}openai 3.57 ResponseInputFileContentParam"),
    MediaRow(TEXT, TEXTS, None, _DATE, "openai 3.57 ResponseInputTextContentParam"),
)  # fmt: skip

ANTHROPIC = (
    MediaRow("image", _IMAGES, 5_000_000, _DATE, "platform.claude.com/docs/en/build-with-claude/vision; anthropic 2.13 Base64ImageSourceParam"),
    MediaRow("document", ("application/pdf",), None, _DATE, "platform.claude.com/docs/en/build-with-claude/pdf-support; anthropic 2.13 Base64PDFSourceParam"),
    MediaRow(TEXT, TEXTS, None, _DATE, "anthropic 2.13 PlainTextSourceParam"),
)  # fmt: skip

_GEMINI = "ai.google.dev/gemini-api/docs/"
GEMINI = (
    MediaRow("inline_data", ("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"), None, _DATE, f"{_GEMINI}image-understanding"),
    MediaRow("inline_data", ("audio/wav", "audio/mp3", "audio/mpeg", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"), None, _DATE, f"{_GEMINI}audio"),
    MediaRow("inline_data", ("video/mp4", "video/mpeg", "video/quicktime", "video/webm"), None, _DATE, f"{_GEMINI}video-understanding"),
    MediaRow("inline_data", ("application/pdf",), None, _DATE, f"{_GEMINI}document-processing"),
    MediaRow(TEXT, TEXTS, None, _DATE, "google-genai 3.6 Part.text"),
)  # fmt: skip

_MCP = "modelcontextprotocol.io/specification/2025-11-25/server/tools"
MCP = (
    MediaRow("image", ("image/",), None, _DATE, f"{_MCP}#image-content"),
    MediaRow("audio", ("audio/",), None, _DATE, f"{_MCP}#audio-content"),
    MediaRow("resource", (ANY,), None, _DATE, f"{_MCP}#embedded-resources"),
)  # fmt: skip


def text_with(text: str, told: Sequence[str]) -> str:
    """Return *text* with a line for each of the media that are not sent."""
    return "\n".join([text, *told])


def openai_chat(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Return one message of the user with the media of *replies*, in a list; none without any.

    Messages of the role tool have texts only.
    """
    parts: list[dict[str, Any]] = []
    for reply in replies:
        found = split(OPENAI_CHAT, "OpenAI", reply.media)
        for place, taken in enumerate(found.taken):
            beside = f"{taken.media.shown} of the result of {reply.call.name}"
            id = f" ({reply.call.id})" if reply.call.id else ""
            parts += [{"type": "text", "text": f"{beside}{id}:"}, _chat_part(taken, place)]
        parts += [{"type": "text", "text": line} for line in found.told]
    return [{"role": "user", "content": parts}] if parts else []


def _chat_part(taken: Taken, place: int) -> dict[str, Any]:
    kind, media = taken
    if kind == "image_url":
        return {"type": kind, "image_url": {"url": data_url(media)}}
    if kind == "input_audio":
        sound = {"data": base64_of(media), "format": "wav" if media.type == "audio/wav" else "mp3"}
        return {"type": kind, "input_audio": sound}
    if kind == "file":
        file = {"filename": name_of(media, place), "file_data": data_url(media)}
        return {"type": kind, "file": file}
    return {"type": "text", "text": text_of(media)}


def openai_responses(reply: Reply) -> str | list[dict[str, Any]]:
    """Return the output of an item of Responses: the text, or parts with the media."""
    if not reply.media:
        return reply.text
    found = split(OPENAI_RESPONSES, "OpenAI", reply.media)
    parts: list[dict[str, Any]] = [
        {"type": "input_text", "text": text_with(reply.text, found.told)}
    ]
    for place, (kind, media) in enumerate(found.taken):
        if kind == "input_image":
            parts.append({"type": kind, "image_url": data_url(media), "detail": "auto"})
        elif kind == "input_file":
            name = name_of(media, place)
            parts.append({"type": kind, "filename": name, "file_data": data_url(media)})
        else:
            parts.append({"type": "input_text", "text": text_of(media)})
    return parts


def anthropic(reply: Reply) -> str | list[dict[str, Any]]:
    """Return the content of a block `tool_result`: the text, or blocks with the media."""
    if not reply.media:
        return reply.text
    found = split(ANTHROPIC, "Anthropic", reply.media)
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text_with(reply.text, found.told)}]
    for kind, media in found.taken:
        source: dict[str, Any] = {
            "type": "base64", "media_type": media.type, "data": base64_of(media)
        }  # fmt: skip
        if kind == TEXT:
            kind = "document"
            source = {"type": "text", "media_type": "text/plain", "data": text_of(media)}
        block: dict[str, Any] = {"type": kind, "source": source}
        if kind == "document" and media.name is not None:
            block["title"] = media.name
        blocks.append(block)
    return blocks


def gemini(reply: Reply, is_rest: bool) -> list[dict[str, Any]]:
    """Return the parts that stand beside the function response: all models take media there.

    The SDK takes bytes; with *is_rest*, the keys and the bytes are those of JSON.
    """
    parts: list[dict[str, Any]] = []
    found = split(GEMINI, "Gemini", reply.media)
    for kind, media in found.taken:
        parts.append({"text": f"{media.shown} of the result of {reply.call.name}:"})
        if kind == TEXT:
            parts.append({"text": text_of(media)})
        elif is_rest:
            parts.append({"inlineData": {"mimeType": media.type, "data": base64_of(media)}})
        else:
            parts.append({"inline_data": {"mime_type": media.type, "data": media.data or b""}})
    return [*parts, *[{"text": line} for line in found.told]]


def mcp(reply: Reply) -> list[dict[str, Any]]:
    """Return the blocks of content with the media."""
    found = split(MCP, "MCP", reply.media)
    blocks: list[dict[str, Any]] = []
    for place, (kind, media) in enumerate(found.taken):
        if kind != "resource":
            blocks.append({"type": kind, "data": base64_of(media), "mimeType": media.type})
            continue
        text = text_of(media) if any(map(media.type.startswith, TEXTS)) else None
        held = {"blob": base64_of(media)} if text is None else {"text": text}
        uri = f"attachment:///{name_of(media, place)}"
        resource = {"uri": uri, "mimeType": media.type, **held}
        blocks.append({"type": kind, "resource": resource})
    return blocks
