"""Calls and results as the Model Context Protocol spells them: `tools/call` and its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.providers.rows.calls import (
    CallFormat,
    Form,
    Reply,
    WireCall,
    has_any,
    has_member,
    member,
    text_member,
)

WANTED = "handle takes the params of tools/call, or the request"


def _is_request(message: object) -> bool:
    return text_member(message, "method") == "tools/call"


def _is_params(message: object) -> bool:
    return has_member(message, "name") and not has_any(message, "type", "args")


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


#: The first that fits is read.
FORMS = (
    Form("a request of MCP", _is_request, lambda request: [_of_params(member(request, "params"))]),
    Form("the params of a call", _is_params, lambda params: [_of_params(params)]),
)

FORMAT = CallFormat(WANTED, FORMS, write)
