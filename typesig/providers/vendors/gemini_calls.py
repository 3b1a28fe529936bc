"""Calls and results as the Gemini API spells them.

The SDK writes names as `function_call`, JSON as `functionCall`: both are read, and a result is
written as its call was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typesig.limits import MAX_VALUE_DEPTH
from typesig.providers.rows.calls import (
    CallFormat,
    EventFormat,
    Form,
    Reply,
    Stop,
    WireCall,
    has_any,
    has_member,
    items_of,
    member,
    no_answer,
    single,
    stopped,
    text_member,
)
from typesig.providers.vendors.gemini_arguments import CALL, is_streamed
from typesig.providers.vendors.gemini_events import assembled, is_chunk

WANTED = "handle takes a response, its candidate or content, or its parts"

#: Why a candidate ended, where its calls may not be whole.
_FINISHED: Mapping[str, Stop] = {
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",
    "SAFETY": "stopped",
    "RECITATION": "stopped",
    "BLOCKLIST": "stopped",
    "PROHIBITED_CONTENT": "stopped",
    "SPII": "stopped",
    "MODEL_ARMOR": "stopped",
    "MALFORMED_FUNCTION_CALL": "stopped",
    "UNEXPECTED_TOOL_CALL": "stopped",
    "MALFORMED_RESPONSE": "stopped",
}

#: Why a candidate ended without the call that the model made, since the API could not read it.
_UNREADABLE = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL")

#: What a part has, one or the other.
_PART = (
    *CALL,
    "text",
    "thought",
    "inline_data",
    "inlineData",
    "executable_code",
    "executableCode",
)


def _kind(value: object) -> str:
    return text_member(value, "type") or ""


def _is_candidate(message: object) -> bool:
    """Tell whether *message* is a candidate: the content of others is a text or a list."""
    if not has_member(message, "content") or has_member(message, "role"):
        return False
    content = member(message, "content")
    has_reason = has_any(message, "finish_reason", "finishReason")
    return has_member(content, "parts") or (has_reason and not isinstance(content, str | list))


def _is_call(message: object) -> bool:
    return has_member(message, "name") and has_member(message, "args") and not _kind(message)


def _is_part(message: object) -> bool:
    is_own = not has_any(message, "role", "parts", "content") and not _kind(message)
    return is_own and has_any(message, *_PART)


def _of_response(response: object) -> list[WireCall]:
    candidate = single(items_of(member(response, "candidates")), "candidate")
    return [] if candidate is None else _of_candidate(candidate)


def _of_content(content: object) -> list[WireCall]:
    role = text_member(content, "role")
    if role not in (None, "model"):
        raise no_answer(content, WANTED, f'it is a content of the role "{role}"')
    return [call for part in items_of(member(content, "parts")) for call in _of_part(part)]


def _of_candidate(candidate: object) -> list[WireCall]:
    parts = items_of(member(member(candidate, "content"), "parts"))
    calls = [call for part in parts for call in _of_part(part)]
    reason = text_member(candidate, "finish_reason", "finishReason") or ""
    if not calls and reason in _UNREADABLE:
        # The model is told in words of the user, since there is no call to answer.
        written = text_member(candidate, "finish_message", "finishMessage") or ""
        return [WireCall(None, "", written, stop="malformed")]
    stop = _FINISHED.get(reason)
    return stopped(calls, stop, bool(parts) and member(parts[-1], *CALL) is not None)


def _of_part(part: object) -> list[WireCall]:
    call = member(part, *CALL)
    if call is None:
        return []
    extra: dict[str, Any] = {}
    signature = member(part, "thought_signature", "thoughtSignature")
    if signature is not None:
        extra["thought_signature"] = signature
    if isinstance(part, Mapping) and "functionCall" in part:
        extra["key"] = "functionResponse"
    return [_of_call(call, extra)]


def _of_call(call: object, extra: dict[str, Any]) -> WireCall:
    return WireCall(
        text_member(call, "id"),
        text_member(call, "name") or "",
        _with_integers(member(call, "args"), 0),
        extra,
        # A part of a call, where arguments are streamed, never runs.
        "length" if is_streamed(call) else None,
    )


#: The integers that a float holds exactly.
_EXACT = 2**53


def _with_integers(data: Any, depth: int) -> Any:
    """Return *data* with its whole numbers as integers: the API has only floats.

    What nests deeper than a check takes stays as it is.
    """
    if type(data) is float:
        return int(data) if abs(data) <= _EXACT and data.is_integer() else data
    if depth > MAX_VALUE_DEPTH:
        return data
    if type(data) is dict:
        return {key: _with_integers(item, depth + 1) for key, item in data.items()}
    return [_with_integers(item, depth + 1) for item in data] if type(data) is list else data


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Return one content of the user with a part for each result, in the order of the calls."""
    if not replies:
        return []
    return [{"role": "user", "parts": [_part(reply) for reply in replies]}]


def _part(reply: Reply) -> dict[str, Any]:
    call = reply.call
    if call.stop == "malformed":
        return {"text": reply.text}
    response: dict[str, Any] = {} if call.id is None else {"id": call.id}
    response["name"] = call.name
    if reply.is_error:
        response["response"] = {"error": reply.text}
    elif _has_reference(reply.data):
        # Gemini reads the key as a reference to a part of the response.
        response["response"] = {"output": reply.text}
    else:
        response["response"] = reply.data
    return {call.extra.get("key", "function_response"): response}


def _has_reference(data: object) -> bool:
    left = [data]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            if "$ref" in part:
                return True
            left.extend(part.values())
        elif isinstance(part, list):
            left.extend(part)
    return False


#: The first that fits is read.
FORMS = (
    Form("a response of Gemini", is_chunk, _of_response),
    Form("a candidate", _is_candidate, _of_candidate),
    Form("a content", lambda m: has_member(m, "parts"), _of_content),
    Form("a call", _is_call, lambda call: [_of_call(call, {})]),
    Form("a part", _is_part, _of_part),
)

FORMAT = CallFormat(WANTED, FORMS, write, EventFormat(is_chunk, assembled))
