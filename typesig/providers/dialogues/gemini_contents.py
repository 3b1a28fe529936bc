"""Contents, of Gemini."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from typesig.providers.dialogues.dialogue import (
    Dialogue,
    StopCode,
    StopReason,
    Turn,
    find_stop_reason,
    read_usage,
)
from typesig.providers.registry.calls import (
    as_items,
    get_member,
    get_single,
    get_text_member,
    has_any,
)
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


def _add_config(request: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Copy *request* with the members *more* added to its config."""
    return {**request, "config": {**_read_config(request), **more}}


def _read_config(request: dict[str, Any]) -> dict[str, Any]:
    """Return the configuration in *request*, a client object or a dict, as a dict."""
    config = request.get("config")
    if config is None or isinstance(config, Mapping):
        return dict(config or {})
    return {name: getattr(config, name) for name in config.model_fields_set}


def _force_tool(
    request: dict[str, Any], definition: dict[str, Any], name: str | None
) -> dict[str, Any]:
    """Copy *request* with a tool added and forced; *name* None allows any tool."""
    calling: dict[str, Any] = {"mode": "ANY"}
    if name is not None:
        calling["allowed_function_names"] = [name]
    choice = {"function_calling_config": calling}
    return _add_config(_add_tools(request, [definition]), {"tool_config": choice})


def _hold_calls(request: dict[str, Any]) -> dict[str, Any]:
    """Copy *request* with calls held to their schemas, unless the caller chose a mode.

    The mode VALIDATED leaves the model the choice between a call and text, as AUTO does, and
    constrains it to calls that fit: `FunctionCallingConfigMode` of
    https://github.com/googleapis/python-genai/blob/main/google/genai/types.py.
    """
    if _read_config(request).get("tool_config") is not None:
        return request
    return _add_config(request, {"tool_config": {"function_calling_config": {"mode": "VALIDATED"}}})


def _add_tools(request: dict[str, Any], definitions: Sequence[Any]) -> dict[str, Any]:
    """Copy *request* with function *definitions* added as a tool of its config."""
    tools = list(_read_config(request).get("tools") or ())
    return _add_config(request, {"tools": [*tools, {"function_declarations": [*definitions]}]})


#: The reasons for which a filter stops an answer, or blocks what was asked.
_FILTERS = (
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "JAILBREAK",
    "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION",
)  # fmt: skip
_ENDINGS: Mapping[str, StopCode] = {
    "MAX_TOKENS": "truncated",
    **dict.fromkeys(_FILTERS, "filtered"),
}


def _read_turn(response: object) -> Turn:
    """Read text, usage and stop reason of a model's *response*."""
    candidate = get_single(as_items(get_member(response, "candidates")), "candidate")
    content = get_member(candidate, "content")
    blocked = get_member(response, "prompt_feedback", "promptFeedback")
    reason = get_text_member(candidate, "finish_reason", "finishReason")
    ending = find_stop_reason(reason, _ENDINGS)
    if (why := get_text_member(blocked, "block_reason", "blockReason")) is not None:
        ending = StopReason("filtered", why)
    counted = get_member(response, "usage_metadata", "usageMetadata")
    # A content without parts is refused.
    messages = [content] if as_items(get_member(content, "parts")) else []
    usage = read_usage(counted, _INPUTS, _OUTPUTS)
    return Turn(_join_text(content), messages, usage, ending=ending)


def _join_text(content: object) -> str:
    """Return the text of *content* without its thoughts."""
    parts = [
        part for part in as_items(get_member(content, "parts")) if not get_member(part, "thought")
    ]
    return "".join([get_text_member(part, "text") or "" for part in parts])


def _read_piece(chunk: object) -> str | None:
    """Text that a *chunk* of the stream adds to the answer, or None."""
    candidates = as_items(get_member(chunk, "candidates"))
    return _join_text(get_member(candidates[0], "content")) if candidates else None


def _read_arguments(chunk: object) -> str | None:
    """Arguments of the calls in a *chunk* of the stream, as JSON text."""
    # They come as a whole, as data.
    return "".join([json.dumps(call.arguments) for call in FORMAT.read(chunk)])


CONTENTS = Dialogue(
    method=("models", "generate_content"),
    streaming=("models", "generate_content_stream"),
    streamed={},
    messages="contents",
    opening=lambda text: {"role": "user", "parts": [{"text": text}]},
    formatted=_add_config,
    forced=_force_tool,
    offered=_add_tools,
    held=_hold_calls,
    title="a response of Gemini",
    fits=lambda answer: has_any(answer, "candidates", "prompt_feedback", "promptFeedback"),
    turn=_read_turn,
    piece=_read_piece,
    arguments=_read_arguments,
    limited=lambda request, tokens: _add_config(request, {"max_output_tokens": tokens}),
)
