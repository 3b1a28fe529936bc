"""Calls and results as the Model Context Protocol spells them: `tools/call` and its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.providers.rows.calls import (
    CallFormat,
    Reply,
    WireCall,
    has_member,
    is_several,
    items_of,
    member,
    no_answer,
    text_member,
)

_WANTED = "handle takes the params of tools/call, or the request"


def read(message: object) -> list[WireCall]:
    """Return the call of the params of `tools/call`, or of the request with them."""
    if isinstance(message, WireCall):
        return [message]
    if is_several(message):
        return [call for each in items_of(message) for call in read(each)]
    if text_member(message, "method") == "tools/call":
        return [_of_params(member(message, "params"))]
    if has_member(message, "name") and not has_member(message, "type"):
        return [_of_params(message)]
    raise no_answer(message, _WANTED)


def _of_params(params: object) -> WireCall:
    return WireCall(None, text_member(params, "name") or "", member(params, "arguments"))


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Return a result of `tools/call` for each reply.

    The structured content is there only if the tool's definition has a schema for it.
    """
    return [_result(reply) for reply in replies]


def _result(reply: Reply) -> dict[str, Any]:
    told = {"type": "text", "text": reply.text}
    result = {"content": list(reply.content) or [told], "isError": reply.is_error}
    if reply.meta is not None:
        result["_meta"] = dict(reply.meta)
    if reply.is_error or not reply.typed:
        return result
    return {**result, "structuredContent": reply.data}


FORMAT = CallFormat(read, write)
