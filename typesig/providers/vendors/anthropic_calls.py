"""Calls and results as Anthropic's Messages API spells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typesig.providers.rows.calls import (
    CallFormat,
    Reply,
    Stop,
    WireCall,
    has_member,
    is_several,
    items_of,
    member,
    no_answer,
    stopped,
    text_member,
)

_WANTED = "handle takes a message of the assistant, its content, or its blocks"

#: Why a message ended, where its calls may not be whole.
_STOPPED: Mapping[str, Stop] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "stopped",
}


#: Blocks that are none of an answer: results, and calls of another provider.
_FOREIGN = ("tool_result", "function", "function_call")

#: How the types of a stream's events begin.
_EVENTS = ("message_", "content_block_")


def read(message: object) -> list[WireCall]:
    """Return the calls of a message, of its content, or of one block.

    The blocks of tools that Anthropic runs itself ask for nothing.
    """
    if isinstance(message, WireCall):
        return [message]
    if is_several(message):
        return [call for each in items_of(message) for call in read(each)]
    kind = text_member(message, "type")
    if kind == "tool_use":
        return [_of_block(message)]
    role = text_member(message, "role")
    if role == "assistant":
        return _of_message(message)
    if role is not None:
        raise no_answer(message, _WANTED, f'it is a message of the role "{role}"')
    if kind is None or kind in _FOREIGN or kind.startswith(_EVENTS):
        raise no_answer(message, _WANTED)
    return []


def _of_message(message: object) -> list[WireCall]:
    # The content of a message that was written by hand can be a text.
    blocks = items_of(member(message, "content"))
    calls = [_of_block(block) for block in blocks if text_member(block, "type") == "tool_use"]
    reason = text_member(message, "stop_reason")
    # A message without a reason, from a stream, is not at its end.
    is_open = reason is None and has_member(message, "stop_reason")
    stop = "length" if is_open else _STOPPED.get(reason or "")
    ends_in_call = bool(blocks) and text_member(blocks[-1], "type") == "tool_use"
    return stopped(calls, stop, ends_in_call)


def _of_block(block: object) -> WireCall:
    toolset = text_member(block, "toolset_name")
    return WireCall(
        text_member(block, "id"),
        text_member(block, "name") or "",
        member(block, "input"),
        {} if toolset is None else {"toolset_name": toolset},
    )


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Return one message of the user with all the results: Anthropic refuses them in several."""
    if not replies:
        return []
    return [{"role": "user", "content": [_result(reply) for reply in replies]}]


def _result(reply: Reply) -> dict[str, Any]:
    result = {"type": "tool_result", "tool_use_id": reply.call.id or "", "content": reply.text}
    failed = {"is_error": True} if reply.is_error else {}
    return {**result, **failed, **reply.call.extra}


FORMAT = CallFormat(read, write, takes_data=False)
