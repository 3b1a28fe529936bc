"""Chat Completions and Responses, of OpenAI and of all who have them."""

from __future__ import annotations

from collections.abc import Mapping

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

_CHAT_ENDINGS: Mapping[str, StopCode] = {"length": "truncated", "content_filter": "filtered"}


def _read_completion(completion: object) -> Turn:
    """Read text, usage and stop reason of a model's answer, a *completion*."""
    choice = get_single(as_items(get_member(completion, "choices")), "choice")
    message = get_member(choice, "message")
    refusal = get_text_member(message, "refusal")
    text = join_text(get_member(message, "content")) or refusal or ""
    ending = find_stop_reason(get_text_member(choice, "finish_reason"), _CHAT_ENDINGS)
    ending = StopReason("refusal", refusal) if refusal else ending
    usage = read_usage(get_member(completion, "usage"), ("prompt_tokens",), ("completion_tokens",))
    return Turn(text, [] if message is None else [message], usage, ending=ending)


def _read_delta(chunk: object) -> object:
    """Return the delta of the first choice in *chunk*, or None."""
    choices = as_items(get_member(chunk, "choices"))
    return (
        get_member(choices[0], "delta") if choices and not get_member(choices[0], "index") else None
    )


def _read_call_delta(chunk: object) -> str | None:
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
    formatted=lambda request, definition: {**request, "response_format": definition},
    forced=make_tool_forcer(
        lambda name: (
            "required" if name is None else {"type": "function", "function": {"name": name}}
        )
    ),
    title="a chat completion",
    fits=lambda answer: has_member(answer, "choices"),
    turn=_read_completion,
    piece=lambda chunk: join_text(get_member(_read_delta(chunk), "content")),
    arguments=_read_call_delta,
    limited=lambda request, tokens: {
        **request,
        "max_tokens" if "max_tokens" in request else "max_completion_tokens": tokens,
    },
)

#: Its streams tell their tokens unasked, and no page has an option for it.
MISTRAL = CHAT._replace(
    streamed={"stream": True},
    limited=lambda request, tokens: {**request, "max_tokens": tokens},
)


_RESPONSE_ENDINGS: Mapping[str, StopCode] = {
    "max_output_tokens": "truncated",
    "content_filter": "filtered",
}


def _read_response(response: object) -> Turn:
    """Read text, usage and stop reason of a model's *response*."""
    output = as_items(get_member(response, "output"))
    written = [each for each in output if get_text_member(each, "type") == "message"]
    parts = [part for each in written for part in as_items(get_member(each, "content"))]
    refusal = "".join([get_text_member(part, "refusal") or "" for part in parts])
    reason = get_text_member(get_member(response, "incomplete_details"), "reason")
    ending = (
        StopReason("refusal", refusal) if refusal else find_stop_reason(reason, _RESPONSE_ENDINGS)
    )
    usage = read_usage(get_member(response, "usage"), ("input_tokens",), ("output_tokens",))
    text = join_text(parts, ("output_text",)) or refusal
    return Turn(text, list(output), usage, ending=ending)


def _read_event(event: object, kind: str) -> str | None:
    """Text that a stream *event* of the *kind* adds, or None."""
    return get_text_member(event, "delta") if get_text_member(event, "type") == kind else None


RESPONSES = Dialogue(
    method=("responses", "create"),
    streaming=("responses", "create"),
    messages="input",
    formatted=lambda request, definition: {
        **request,
        "text": {**(request.get("text") or {}), "format": definition},
    },
    forced=make_tool_forcer(
        lambda name: "required" if name is None else {"type": "function", "name": name}
    ),
    title="a response",
    fits=lambda answer: has_member(answer, "output"),
    turn=_read_response,
    piece=lambda event: _read_event(event, "response.output_text.delta"),
    arguments=lambda e: _read_event(e, "response.function_call_arguments.delta"),
    limited=lambda request, tokens: {**request, "max_output_tokens": tokens},
)
