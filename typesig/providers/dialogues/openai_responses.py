"""Responses, of OpenAI and of all who have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.providers.dialogues.dialogue import (
    Dialogue,
    StopCode,
    StopReason,
    Turn,
    find_stop_reason,
    join_text,
    make_tool_forcer,
    read_usage,
)
from typesig.providers.registry.calls import as_items, get_member, get_text_member, has_member


def _add_format(request: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    """Copy *request* with the response format *definition* added."""
    return {**request, "text": {**(request.get("text") or {}), "format": definition}}


def _make_choice(name: str | None) -> Any:
    """Make a tool choice that forces the tool *name*, or any tool if None."""
    return "required" if name is None else {"type": "function", "name": name}


_ENDINGS: Mapping[str, StopCode] = {
    "max_output_tokens": "truncated",
    "content_filter": "filtered",
}


def _read_turn(response: object) -> Turn:
    """Read text, usage and stop reason of a model's *response*."""
    output = as_items(get_member(response, "output"))
    written = [each for each in output if get_text_member(each, "type") == "message"]
    parts = [part for each in written for part in as_items(get_member(each, "content"))]
    refusal = "".join([get_text_member(part, "refusal") or "" for part in parts])
    reason = get_text_member(get_member(response, "incomplete_details"), "reason")
    ending = StopReason("refusal", refusal) if refusal else find_stop_reason(reason, _ENDINGS)
    usage = read_usage(get_member(response, "usage"), ("input_tokens",), ("output_tokens",))
    text = join_text(parts, ("output_text",)) or refusal
    return Turn(text, list(output), usage, ending=ending)


def _read_piece(event: object) -> str | None:
    """Text that a stream *event* adds to the answer, or None."""
    is_text = get_text_member(event, "type") == "response.output_text.delta"
    return get_text_member(event, "delta") if is_text else None


def _read_arguments(event: object) -> str | None:
    """JSON text that a stream *event* adds to the arguments of a call, or None."""
    is_part = get_text_member(event, "type") == "response.function_call_arguments.delta"
    return get_text_member(event, "delta") if is_part else None


RESPONSES = Dialogue(
    method=("responses", "create"),
    streaming=("responses", "create"),
    messages="input",
    formatted=_add_format,
    forced=make_tool_forcer(_make_choice),
    title="a response",
    fits=lambda answer: has_member(answer, "output"),
    turn=_read_turn,
    piece=_read_piece,
    arguments=_read_arguments,
    limited=lambda request, tokens: {**request, "max_output_tokens": tokens},
)
