"""Results of foreign tools: content blocks, and structured content."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from typing import Any, NamedTuple

from typesig.errors import TypesigError
from typesig.extraction.hosts.media import Media


class ToolResult(NamedTuple):
    """Result of a foreign tool: content blocks and structured content, as in MCP.

    #: content: the blocks of the Model Context Protocol, as JSON data
    #: structured: the structured content, or None; has_structured: whether there is any
    #: meta: what the server sent beside them
    #: is_described: whether the tool has an output schema, which the structured content fits
    """

    content: tuple[dict[str, Any], ...]
    structured: Any = None
    has_structured: bool = False
    meta: Mapping[str, Any] | None = None
    is_described: bool = True

    def data(self) -> Any:
        """Return the structured content, or else the content blocks, as JSON data.

        Without an output schema it is both, unless the only block is the text of the structured
        content.  One block is itself, several are a list.  A block with bytes is told without them,
        by its type and size.
        """
        if self.has_structured and (self.is_described or self._is_repeated()):
            return self.structured
        told = [convert_block(block) for block in self.content]
        told += [self.structured] if self.has_structured else []
        return told[0] if len(told) == 1 else told or None

    def _is_repeated(self) -> bool:
        """Whether the content is only the JSON text of the structured content."""
        texts: list[Any] = [
            block.get("text") for block in self.content if block.get("type") == "text"
        ]
        try:
            return len(self.content) == 1 and [json.loads(t) for t in texts] == [self.structured]
        except (TypeError, ValueError, RecursionError):
            return False

    def media(self) -> tuple[Media, ...]:
        """Return the media among the content blocks that a model may see."""
        found: list[Media] = []
        for block in self.content:
            made = _find_media(block)
            if made is not None:
                found.append(made)
        return tuple(found)


def _find_media(block: Mapping[str, Any]) -> Media | None:
    """Return the image, audio or file in the content *block*, or None."""
    annotations = block.get("annotations")
    audience = annotations.get("audience") if isinstance(annotations, dict) else None
    if isinstance(audience, list) and audience and "assistant" not in audience:
        return None
    held = block.get("resource") if block.get("type") == "resource" else block
    if not isinstance(held, dict):
        return None
    text: Any = held.get("blob" if held is not block else "data")
    try:
        return Media(held.get("mimeType", ""), b64decode(text, validate=True))
    except (TypesigError, TypeError, ValueError):
        # The text tells of it, as of any block.
        return None


def convert_block(block: Mapping[str, Any]) -> Any:
    """Data of *block* for the model: a plain text, or an object without bytes."""
    if block.get("type") == "text":
        return block.get("text")
    # Those of an embedded resource are one level below.
    rest = {
        key: _replace_bytes(each) if isinstance(each, dict) else each
        for key, each in sorted(_replace_bytes(block).items())
        if key not in ("annotations", "_meta", "type")
    }
    return {"type": block.get("type"), **rest}


def _replace_bytes(part: Mapping[str, Any]) -> dict[str, Any]:
    """Copy *part*, of a content block, with the size of its bytes instead of them."""
    out = dict(part)
    for name in ("data", "blob"):
        text = out.get(name)
        if isinstance(text, str):
            del out[name]
            out["size"] = len(text.rstrip("=")) * 3 // 4
    return out
