"""Chat Completions, of OpenAI and of all who have them."""

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
from typesig.providers.registry.calls import (
    as_items,
    get_member,
    get_single,
    get_text_member,
    has_member,
)


def _add_format(request: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    """Copy *request* with the response format *definition* added."""
    return {**request, "response_format": definition}


def _make_choice(name: str | None) -> Any:
    """Make a tool choice that forces the tool *name*, or any tool if None."""
    return "required" if name is None else {"type": "function", "function": {"name": name}}


_ENDINGS: Mapping[str, StopCode] = {"length": "truncated", "content_filter": "filtered"}


def _read_turn(completion: object) -> Turn:
    """Read text, usage and stop reason of a model's answer, a *completion*."""
    choice = get_single(as_items(get_member(completion, "choices")), "choice")
    message = get_member(choice, "message")
    refusal = get_text_member(message, "refusal")
    text = join_text(get_member(message, "content")) or refusal or ""
    ending = find_stop_reason(get_text_member(choice, "finish_reason"), _ENDINGS)
    ending = StopReason("refusal", refusal) if refusal else ending
    usage = read_usage(get_member(completion, "usage"), ("prompt_tokens",), ("completion_tokens",))
    return Turn(text, [] if message is None else [message], usage, ending=ending)


def _limit_tokens(request: dict[str, Any], tokens: int) -> dict[str, Any]:
    """Copy *request* with a limit of output *tokens*."""
    name = "max_tokens" if "max_tokens" in request else "max_completion_tokens"
    return {**request, name: tokens}


def _read_delta(chunk: object) -> object:
    """Return the delta of the first choice in *chunk*, or None."""
    choices = as_items(get_member(chunk, "choices"))
    return (
        get_member(choices[0], "delta") if choices and not get_member(choices[0], "index") else None
    )


def _read_piece(chunk: object) -> str | None:
    """Text that a *chunk* of the stream adds to the answer, or None."""
    return join_text(get_member(_read_delta(chunk), "content"))


def _read_arguments(chunk: object) -> str | None:
    """JSON text that a *chunk* of the stream adds to the first call's arguments."""
    calls = [
        c
        for c in as_items(get_member(_read_delta(chunk), "tool_calls"))
        if not get_member(c, "index")
    ]
    return "".join(
        [get_text_member(get_member(call, "function"), "arguments") or "" for call in calls]
    )


CHAT = Dialogue(
    method=("chat", "completions", "create"),
    streaming=("chat", "completions", "create"),
    streamed={"stream": True, "stream_options": {"include_usage": True}},
    messages="messages",
    formatted=_add_format,
    forced=make_tool_forcer(_make_choice),
    title="a chat completion",
    fits=lambda answer: has_member(answer, "choices"),
    turn=_read_turn,
    piece=_read_piece,
    arguments=_read_arguments,
    limited=_limit_tokens,
)

#: Its streams tell their tokens unasked, and no page has an option for it.
MISTRAL = CHAT._replace(
    streamed={"stream": True},
    limited=lambda request, tokens: {**request, "max_tokens": tokens},
)
