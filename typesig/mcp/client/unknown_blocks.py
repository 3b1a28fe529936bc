"""Replace content blocks that the SDK does not know, which would fail the whole result."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from typesig.mcp.transport.sdk import import_sdk
from typesig.tools.foreign.foreign_texts import strip_invisible

#: Characters of a block of unknown type that a model reads.
_SHOWN = 2_000


@cache
def _get_block_adapter() -> Any:
    """Return pydantic's adapter for a block of content."""
    return import_sdk("pydantic").TypeAdapter(import_sdk("mcp_types").ContentBlock)


def replace_unknown_blocks(result: Any) -> Any:
    """Return *result* with a text in place of each unknown block, and an empty list for null.

    Only the result of a tool has content that is a list.
    """
    if not isinstance(result, dict) or "content" not in result:
        return result
    content = result["content"]
    if content is None:
        return {**result, "content": []}
    if not isinstance(content, list):
        return result
    blocks = [_replace_unknown_block(block) for block in content]
    return (
        result
        if all(a is b for a, b in zip(blocks, content, strict=True))
        else {
            **result,
            "content": blocks,
        }
    )


def _replace_unknown_block(block: Any) -> Any:
    """Return the content *block*, as a text block if its type is unknown to the SDK."""
    kind = block.get("type") if isinstance(block, dict) else None
    if kind == "text" and isinstance(block.get("text"), str):
        return block
    try:
        if isinstance(kind, str):
            _get_block_adapter().validate_python(block, by_name=False)
            return block
    except ValueError:
        pass
    try:
        text = strip_invisible(json.dumps(block, ensure_ascii=False))
    except RecursionError:
        text = "nested too deep"
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return {"type": "text", "text": f"(a block of content of an unknown type: {shown})"}


class _KnownBlockStream:
    """A message stream whose results contain only blocks that the SDK knows."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __aiter__(self) -> _KnownBlockStream:
        return self

    async def __anext__(self) -> Any:
        return _replace_in_message(await self._stream.__anext__())

    async def receive(self) -> Any:
        """Return the next message."""
        return _replace_in_message(await self._stream.receive())

    async def __aenter__(self) -> _KnownBlockStream:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> Any:
        return await self._stream.__aexit__(*raised)


def _replace_in_message(item: Any) -> Any:
    """Replace unknown content blocks if *item* is a JSON-RPC response."""
    message: Any = getattr(item, "message", None)
    if isinstance(message, import_sdk("mcp_types").JSONRPCResponse):
        result = replace_unknown_blocks(message.result)
        if result is not message.result:
            message.result = result
    return item


@asynccontextmanager
async def wrap_transport(transport: Any) -> AsyncIterator[Any]:
    """Open *transport* with unknown blocks in results replaced by text."""
    async with transport as (read, *rest):
        yield (_KnownBlockStream(read), *rest)
