"""Calls and results as Anthropic's Messages API spells them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from typesig.providers.rows.calls import (
    CallFormat,
    EventFormat,
    Form,
    Reply,
    Stop,
    WireCall,
    has_member,
    items_of,
    member,
    no_answer,
    no_calls,
    stopped,
    text_member,
)
from typesig.providers.vendors.anthropic_events import assembled

WANTED = "handle takes a message of the assistant, its content, or its blocks"

#: Why a message ended, where its calls may not be whole.
_STOPPED: Mapping[str, Stop] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "stopped",
}


#: The types of blocks that only Anthropic has: texts, thoughts, calls, and results of what it runs.
_BLOCK = re.compile(r"text|thinking|redacted_thinking|\w*tool_use|\w+_tool_result")

#: How the types of a stream's events begin.
_EVENT = re.compile(r"message_\w+|content_block_\w+|ping")


def _kind(value: object) -> str:
    return text_member(value, "type") or ""


def _is_event(message: object) -> bool:
    return _EVENT.fullmatch(_kind(message)) is not None


def _is_message(message: object) -> bool:
    """Tell whether *message* is one of the assistant, or may be."""
    return text_member(message, "role") == "assistant"


def _is_own_message(message: object) -> bool:
    """Tell whether *message* is one of the assistant that no other provider spells so."""
    if not _is_message(message) or has_member(message, "tool_calls"):
        return False
    blocks = items_of(member(message, "content"))
    is_own = any(_BLOCK.fullmatch(_kind(block)) for block in blocks)
    return is_own or has_member(message, "stop_reason")


def _is_input(message: object) -> bool:
    return text_member(message, "role") is not None and not has_member(message, "parts")


def _refused_event(event: object) -> NoReturn:
    raise no_answer(event, WANTED, "it is one event of a stream: pass all of them, or the stream")


def _refused_input(message: object) -> NoReturn:
    role = text_member(message, "role")
    raise no_answer(message, WANTED, f'it is a message of the role "{role}"')


def _refused_result(message: object) -> NoReturn:
    raise no_answer(message, WANTED, "it is the result of a call")


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


#: The first that fits is read.  The blocks of tools that Anthropic runs itself ask for nothing.
FORMS = (
    Form("a call", lambda m: _kind(m) == "tool_use", lambda block: [_of_block(block)]),
    Form("an event of a stream", _is_event, _refused_event),
    Form("a message of Anthropic", _is_own_message, _of_message),
    Form("a message", _is_message, _of_message, vague=True),
    Form("an input", _is_input, _refused_input),
    Form("a block", lambda m: _BLOCK.fullmatch(_kind(m)) is not None, no_calls),
    Form("a result of a call", lambda m: _kind(m) == "tool_result", _refused_result),
    Form("another block", lambda m: _kind(m) != "", no_calls, vague=True),
)

FORMAT = CallFormat(WANTED, FORMS, write, EventFormat(_is_event, assembled), takes_data=False)
