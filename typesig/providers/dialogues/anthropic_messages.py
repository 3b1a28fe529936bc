"""Messages, of Anthropic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.providers.dialogues.dialogue import (
    Dialogue,
    StopCode,
    Turn,
    find_stop_reason,
    join_text,
    make_tool_forcer,
    read_usage,
)
from typesig.providers.registry.calls import as_items, get_member, get_text_member, has_member

#: Anthropic tells tokens that were read from a cache, or written to one, apart from the others.
_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def _add_format(request: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    """Copy *request* with the response format *definition* added."""
    config = {**(request.get("output_config") or {}), "format": definition}
    return {**request, "output_config": config}


_ENDINGS: Mapping[str, StopCode] = {
    "refusal": "refusal",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
}


def _read_turn(message: object) -> Turn:
    """Read text, usage and stop reason of a model's answer, a *message*."""
    content = as_items(get_member(message, "content"))
    # An empty turn is refused.
    messages = [{"role": "assistant", "content": list(content)}] if content else []
    usage = read_usage(get_member(message, "usage"), _INPUTS, ("output_tokens",))
    text, reason = join_text(content), get_text_member(message, "stop_reason")
    ending = find_stop_reason(reason, _ENDINGS)
    if ending is not None and ending.code == "refusal" and text:
        ending = ending._replace(reason=text)
    return Turn(text, messages, usage, reason in ("pause_turn", "compaction"), ending)


def _read_delta(event: object, name: str) -> str | None:
    """Text of the member *name* in a content delta *event*, or None."""
    is_delta = get_text_member(event, "type") == "content_block_delta"
    return get_text_member(get_member(event, "delta"), name) if is_delta else None


MESSAGES = Dialogue(
    method=("messages", "create"),
    streaming=("messages", "create"),
    messages="messages",
    required={"max_tokens": 4096},
    formatted=_add_format,
    forced=make_tool_forcer(
        lambda name: {"type": "any"} if name is None else {"type": "tool", "name": name}
    ),
    title="a message",
    fits=lambda answer: has_member(answer, "content"),
    turn=_read_turn,
    piece=lambda event: _read_delta(event, "text"),
    arguments=lambda event: _read_delta(event, "partial_json"),
    limited=lambda request, tokens: {**request, "max_tokens": tokens},
)
