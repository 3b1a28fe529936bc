"""Chat Completions, of OpenAI and of all who have them."""

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
from typesig.providers.rows.calls import has_member, items_of, member, single, text_member


def _formatted(request: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    return {**request, "response_format": definition}


def _choice(name: str | None) -> Any:
    return "required" if name is None else {"type": "function", "function": {"name": name}}


_ENDINGS: Mapping[str, EndingCode] = {"length": "truncated", "content_filter": "filtered"}


def _turn(completion: object) -> Turn:
    choice = single(items_of(member(completion, "choices")), "choice")
    message = member(choice, "message")
    refusal = text_member(message, "refusal")
    text = text_of(member(message, "content")) or refusal or ""
    ending = find_ending(text_member(choice, "finish_reason"), _ENDINGS)
    ending = StopReason("refusal", refusal) if refusal else ending
    usage = usage_of(member(completion, "usage"), ("prompt_tokens",), ("completion_tokens",))
    return Turn(text, [] if message is None else [message], usage, ending=ending)


def _limit_tokens(request: dict[str, Any], tokens: int) -> dict[str, Any]:
    name = "max_tokens" if "max_tokens" in request else "max_completion_tokens"
    return {**request, name: tokens}


def _delta(chunk: object) -> object:
    """Return what *chunk* adds to the first choice."""
    choices = items_of(member(chunk, "choices"))
    return member(choices[0], "delta") if choices and not member(choices[0], "index") else None


def _piece(chunk: object) -> str | None:
    return text_of(member(_delta(chunk), "content"))


def _arguments(chunk: object) -> str | None:
    calls = [c for c in items_of(member(_delta(chunk), "tool_calls")) if not member(c, "index")]
    return "".join([text_member(member(call, "function"), "arguments") or "" for call in calls])


CHAT = Dialogue(
    method=("chat", "completions", "create"),
    streaming=("chat", "completions", "create"),
    streamed={"stream": True, "stream_options": {"include_usage": True}},
    messages="messages",
    formatted=_formatted,
    forced=forced_by(_choice),
    title="a chat completion",
    fits=lambda answer: has_member(answer, "choices"),
    turn=_turn,
    piece=_piece,
    arguments=_arguments,
    limited=_limit_tokens,
)

#: Its streams tell their tokens unasked, and no page has an option for it.
MISTRAL = CHAT._replace(
    streamed={"stream": True},
    limited=lambda request, tokens: {**request, "max_tokens": tokens},
)
