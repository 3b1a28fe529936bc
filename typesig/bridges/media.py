"""Images, audio and files in results, converted to each framework's types.

Most results have no media; `find_media` tells it without looking at the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typesig.calls.results import ToolResult
from typesig.extraction.hints.result_hints import get_media_type
from typesig.extraction.python_types.media import Media
from typesig.providers.vendors.media import (
    TEXT,
    TEXTS,
    MediaRow,
    decode_text,
    encode_base64,
    split_media,
)

if TYPE_CHECKING:
    from typesig.tools.tool import Tool
    from typesig.validation.outcome.outcome import Outcome

_LANGCHAIN = "langchain-core 1.8 TOOL_MESSAGE_BLOCK_TYPES in tools/base.py"

#: The message of a tool has no blocks for audio and video.  The integration of a provider refuses
#: what its models do not take.
LANGCHAIN = (
    MediaRow("image", ("image/",), None, _LANGCHAIN),
    MediaRow(TEXT, TEXTS, None, _LANGCHAIN),
    MediaRow("file", ("application/",), None, _LANGCHAIN),
)

_PYDANTIC_AI = "pydantic-ai 2.68 messages.py"
_SOUNDS = ("wav", "mpeg", "ogg", "flac", "aiff", "aac")
_VIDEOS = ("x-matroska", "quicktime", "mp4", "webm", "x-flv", "mpeg", "x-ms-wmv", "3gpp")
_OFFICE = "application/vnd.openxmlformats-officedocument."

#: What `BinaryContent` is for.
PYDANTIC_AI = (
    MediaRow(
        "image",
        ("image/jpeg", "image/png", "image/gif", "image/webp"),
        None,
        f"{_PYDANTIC_AI} ImageMediaType",
    ),
    MediaRow(
        "audio", tuple([f"audio/{s}" for s in _SOUNDS]), None, f"{_PYDANTIC_AI} AudioMediaType"
    ),
    MediaRow(
        "video", tuple([f"video/{v}" for v in _VIDEOS]), None, f"{_PYDANTIC_AI} VideoMediaType"
    ),
    MediaRow(
        "document",
        (
            "application/pdf", f"{_OFFICE}wordprocessingml.document",
            f"{_OFFICE}spreadsheetml.sheet", "application/msword", "application/vnd.ms-excel",
        ),
        None,
        f"{_PYDANTIC_AI} DocumentMediaType",
    ),
    MediaRow(TEXT, TEXTS, None, f"{_PYDANTIC_AI} UserContent"),
)  # fmt: skip

#: The images that Pillow opens for smolagents.
_OPENED = ("image/jpeg", "image/png", "image/gif", "image/webp")


def find_media(outcome: Outcome[Any]) -> tuple[Media, ...]:
    """Media in *outcome*, which has no errors, that a model may see."""
    result = outcome.result
    return result.media() if isinstance(result, ToolResult) else outcome.media


def returns_image(tool: Tool[..., Any]) -> bool:
    """Whether the whole result of *tool* is, by its hint, an image that Pillow opens."""
    return get_media_type(tool.binding.host.encode) in _OPENED


def make_langchain_blocks(text: str, media: tuple[Media, ...]) -> list[dict[str, Any]]:
    """Return the content of a `ToolMessage`: the *text*, and LangChain's own blocks of *media*."""
    found = split_media(LANGCHAIN, "LangChain", media)
    blocks: list[dict[str, Any]] = [{"type": "text", "text": "\n".join([text, *found.told])}]
    for kind, each in found.taken:
        if kind == TEXT:
            blocks.append({"type": "text", "text": decode_text(each)})
            continue
        block = {"type": kind, "base64": encode_base64(each), "mime_type": each.type}
        named = {} if each.name is None else {"extras": {"filename": each.name}}
        blocks.append({**block, **named})
    return blocks
