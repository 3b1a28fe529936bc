"""Contents, of Gemini."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from typesig.providers.dialogues.dialogue import (
    Dialogue,
    EndingCode,
    StopReason,
    Turn,
    find_ending,
    usage_of,
)
from typesig.providers.rows.calls import has_any, items_of, member, single, text_member
from typesig.providers.vendors.gemini import FORMAT

#: The names of objects, and those of JSON.
_INPUTS = (
    *("prompt_token_count", "tool_use_prompt_token_count"),
    *("promptTokenCount", "toolUsePromptTokenCount"),
)
_OUTPUTS = (
    *("candidates_token_count", "thoughts_token_count"),
    *("candidatesTokenCount", "thoughtsTokenCount"),
)


def _opening(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def _configured(request: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    return {**request, "config": {**_config_of(request), **more}}


def _config_of(request: dict[str, Any]) -> dict[str, Any]:
    """Return what the configuration of *request*, an object of the client or a dict, sets."""
    config = request.get("config")
    if config is None or isinstance(config, Mapping):
        return dict(config or {})
    return {name: getattr(config, name) for name in config.model_fields_set}


def _forced(
    request: dict[str, Any], definition: dict[str, Any], name: str | None
) -> dict[str, Any]:
    calling: dict[str, Any] = {"mode": "ANY"}
    if name is not None:
        calling["allowed_function_names"] = [name]
    choice = {"function_calling_config": calling}
    return _configured(_offered(request, [definition]), {"tool_config": choice})


def _offered(request: dict[str, Any], definitions: Sequence[Any]) -> dict[str, Any]:
    tools = list(_config_of(request).get("tools") or ())
    return _configured(request, {"tools": [*tools, {"function_declarations": [*definitions]}]})


#: The reasons for which a filter stops an answer, or blocks what was asked.
_FILTERS = (
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "JAILBREAK",
    "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION",
)  # fmt: skip
_ENDINGS: Mapping[str, EndingCode] = {
    "MAX_TOKENS": "truncated",
    **dict.fromkeys(_FILTERS, "filtered"),
}


def _turn(response: object) -> Turn:
    candidate = single(items_of(member(response, "candidates")), "candidate")
    content = member(candidate, "content")
    blocked = member(response, "prompt_feedback", "promptFeedback")
    reason = text_member(candidate, "finish_reason", "finishReason")
    ending = find_ending(reason, _ENDINGS)
    if (why := text_member(blocked, "block_reason", "blockReason")) is not None:
        ending = StopReason("filtered", why)
    counted = member(response, "usage_metadata", "usageMetadata")
    # A content without parts is refused.
    messages = [content] if items_of(member(content, "parts")) else []
    usage = usage_of(counted, _INPUTS, _OUTPUTS)
    return Turn(_text(content), messages, usage, ending=ending)


def _text(content: object) -> str:
    """Return the text of *content* without its thoughts."""
    parts = [part for part in items_of(member(content, "parts")) if not member(part, "thought")]
    return "".join([text_member(part, "text") or "" for part in parts])


def _piece(chunk: object) -> str | None:
    candidates = items_of(member(chunk, "candidates"))
    return _text(member(candidates[0], "content")) if candidates else None


def _arguments(chunk: object) -> str | None:
    # They come as a whole, as data.
    return "".join([json.dumps(call.arguments) for call in FORMAT.read(chunk)])


CONTENTS = Dialogue(
    method=("models", "generate_content"),
    streaming=("models", "generate_content_stream"),
    streamed={},
    messages="contents",
    opening=_opening,
    formatted=_configured,
    forced=_forced,
    offered=_offered,
    title="a response of Gemini",
    fits=lambda answer: has_any(answer, "candidates", "prompt_feedback", "promptFeedback"),
    turn=_turn,
    piece=_piece,
    arguments=_arguments,
    limited=lambda request, tokens: _configured(request, {"max_output_tokens": tokens}),
)
