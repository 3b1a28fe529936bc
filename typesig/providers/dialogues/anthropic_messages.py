"""Messages, of Anthropic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.providers.dialogues.dialogue import (
    Dialogue,
    EndingCode,
    Turn,
    find_ending,
    forced_by,
    text_of,
    usage_of,
)
from typesig.providers.rows.calls import has_member, items_of, member, text_member

#: Anthropic tells tokens that were read from a cache, or written to one, apart from the others.
_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def _formatted(request: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    config = {**(request.get("output_config") or {}), "format": definition}
    return {**request, "output_config": config}


def _choice(name: str | None) -> Any:
    return {"type": "any"} if name is None else {"type": "tool", "name": name}


_ENDINGS: Mapping[str, EndingCode] = {
    "refusal": "refusal",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
}


def _turn(message: object) -> Turn:
    content = items_of(member(message, "content"))
    # An empty turn is refused.
    messages = [{"role": "assistant", "content": list(content)}] if content else []
    usage = usage_of(member(message, "usage"), _INPUTS, ("output_tokens",))
    text, reason = text_of(content), text_member(message, "stop_reason")
    ending = find_ending(reason, _ENDINGS)
    if ending is not None and ending.code == "refusal" and text:
        ending = ending._replace(reason=text)
    return Turn(text, messages, usage, reason in ("pause_turn", "compaction"), ending)


def _piece(event: object) -> str | None:
    return _delta(event, "text")


def _arguments(event: object) -> str | None:
    return _delta(event, "partial_json")


def _delta(event: object, name: str) -> str | None:
    is_delta = text_member(event, "type") == "content_block_delta"
    return text_member(member(event, "delta"), name) if is_delta else None


MESSAGES = Dialogue(
    method=("messages", "create"),
    streaming=("messages", "create"),
    messages="messages",
    required={"max_tokens": 4096},
    formatted=_formatted,
    forced=forced_by(_choice),
    title="a message",
    fits=lambda answer: has_member(answer, "content"),
    turn=_turn,
    piece=_piece,
    arguments=_arguments,
    limited=lambda request, tokens: {**request, "max_tokens": tokens},
)
