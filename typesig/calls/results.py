"""What the tools of other servers return: blocks of content, and structured content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class ToolResult(NamedTuple):
    """What the tool of another server returned.

    #: content: the blocks of the Model Context Protocol, as JSON data
    #: structured: the structured content, or None; has_structured: whether there is any
    #: meta: what the server sent beside them
    """

    content: tuple[dict[str, Any], ...]
    structured: Any = None
    has_structured: bool = False
    meta: Mapping[str, Any] | None = None

    def data(self) -> Any:
        """Return JSON data for Python and for a model: the structured content, or else the texts.

        One text is a string, several blocks are a list. A block with bytes is told without them, by
        its type and size.
        """
        if self.has_structured:
            return self.structured
        told = [told_block(block) for block in self.content]
        return told[0] if len(told) == 1 else told or None


def told_block(block: Mapping[str, Any]) -> Any:
    """Return what a model reads of *block*: a text as it is, others as objects without bytes."""
    if block.get("type") == "text":
        return block.get("text")
    # Those of an embedded resource are one level below.
    rest = {
        key: _without_bytes(each) if isinstance(each, dict) else each
        for key, each in sorted(_without_bytes(block).items())
        if key not in ("annotations", "_meta", "type")
    }
    return {"type": block.get("type"), **rest}


def _without_bytes(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return *part* with the size of its bytes, which are text in base64, in place of them."""
    out = dict(part)
    for name in ("data", "blob"):
        text = out.get(name)
        if isinstance(text, str):
            del out[name]
            out["size"] = len(text.rstrip("=")) * 3 // 4
    return out
