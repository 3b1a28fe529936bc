"""Responses, of OpenAI and of all who have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.providers.dialogues.dialogue import (
    Dialogue,
    EndingCode,
    StopReason,
    Turn,
    find_ending,
    forced_by,
    text_of,
    usage_of,
)
from typesig.providers.rows.calls import has_member, items_of, member, text_member


def _formatted(request: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    return {**request, "text": {**(request.get("text") or {}), "format": definition}}


def _choice(name: str | None) -> Any:
    return "required" if name is None else {"type": "function", "name": name}


_ENDINGS: Mapping[str, EndingCode] = {
    "max_output_tokens": "truncated",
    "content_filter": "filtered",
}


def _turn(response: object) -> Turn:
    output = items_of(member(response, "output"))
    written = [each for each in output if text_member(each, "type") == "message"]
    parts = [part for each in written for part in items_of(member(each, "content"))]
    refusal = "".join([text_member(part, "refusal") or "" for part in parts])
    reason = text_member(member(response, "incomplete_details"), "reason")
    ending = StopReason("refusal", refusal) if refusal else find_ending(reason, _ENDINGS)
    usage = usage_of(member(response, "usage"), ("input_tokens",), ("output_tokens",))
    text = text_of(parts, ("output_text",)) or refusal
    return Turn(text, list(output), usage, ending=ending)


def _piece(event: object) -> str | None:
    is_text = text_member(event, "type") == "response.output_text.delta"
    return text_member(event, "delta") if is_text else None


def _arguments(event: object) -> str | None:
    is_part = text_member(event, "type") == "response.function_call_arguments.delta"
    return text_member(event, "delta") if is_part else None


RESPONSES = Dialogue(
    method=("responses", "create"),
    streaming=("responses", "create"),
    messages="input",
    formatted=_formatted,
    forced=forced_by(_choice),
    title="a response",
    fits=lambda answer: has_member(answer, "output"),
    turn=_turn,
    piece=_piece,
    arguments=_arguments,
    limited=lambda request, tokens: {**request, "max_output_tokens": tokens},
)
