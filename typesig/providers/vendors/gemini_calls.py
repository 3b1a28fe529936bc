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
    Reply,
    Stop,
    WireCall,
    has_member,
    is_several,
    items_of,
    member,
    no_answer,
    single,
    stopped,
    text_member,
)

_WANTED = "handle takes a response, its candidate or content, or its parts"

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

_CALL = ("function_call", "functionCall")


def read(message: object) -> list[WireCall]:
    """Return the calls of a response, a candidate, a content, or of parts."""
    if isinstance(message, WireCall):
        return [message]
    if is_several(message):
        return [call for each in items_of(message) for call in read(each)]
    if has_member(message, "candidates"):
        candidate = single(items_of(member(message, "candidates")), "candidate")
        return [] if candidate is None else _of_candidate(candidate)
    # The content of other providers' messages is a text or a list.
    if has_member(message, "content") and not isinstance(member(message, "content"), str | list):
        return _of_candidate(message)
    if has_member(message, "parts"):
        role = text_member(message, "role")
        if role not in (None, "model"):
            raise no_answer(message, _WANTED, f'it is a content of the role "{role}"')
        return [call for part in items_of(member(message, "parts")) for call in _of_part(part)]
    if has_member(message, "name") and has_member(message, "args"):
        return [_of_call(message, {})]
    if any(has_member(message, name) for name in (*_CALL, "text", "thought")):
        return _of_part(message)
    raise no_answer(message, _WANTED)


def _of_candidate(candidate: object) -> list[WireCall]:
    parts = items_of(member(member(candidate, "content"), "parts"))
    calls = [call for part in parts for call in _of_part(part)]
    reason = text_member(candidate, "finish_reason", "finishReason") or ""
    if not calls and reason in _UNREADABLE:
        # The model is told in words of the user, since there is no call to answer.
        written = text_member(candidate, "finish_message", "finishMessage") or ""
        return [WireCall(None, "", written, stop="malformed")]
    stop = _FINISHED.get(reason)
    return stopped(calls, stop, bool(parts) and member(parts[-1], *_CALL) is not None)


def _of_part(part: object) -> list[WireCall]:
    call = member(part, *_CALL)
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
    # A part of a call, where arguments are streamed: never run.
    is_part = bool(member(call, "will_continue", "willContinue", "partial_args", "partialArgs"))
    return WireCall(
        text_member(call, "id"),
        text_member(call, "name") or "",
        _with_integers(member(call, "args"), 0),
        extra,
        "length" if is_part else None,
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


FORMAT = CallFormat(read, write)
