"""Answers in the form that a client returns most often, whose calls are read at once.

A reader takes plain dicts, and objects of pydantic, of which the SDKs are made, by the dict that
holds their members.  It returns None for all that is not just as it knows, which is left to the
forms of the vendor: these alone tell what an answer means, and a law compares both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from typesig.algebra.rows.builtin import as_builtin
from typesig.providers.rows.calls import WireCall, member
from typesig.providers.vendors.gemini_arguments import is_streamed

#: The members that are asked for here; a class may have none of them by another way.
_ASKED = frozenset(
    {
        *("args", "arguments", "call_id", "caller", "candidates", "choices", "content", "custom"),
        *("delta", "finishReason", "finish_reason", "function", "functionCall", "function_call"),
        *("id", "input", "message", "name", "output", "partialArgs", "partial_args", "role"),
        *("status", "stop_reason", "thoughtSignature", "thought_signature", "tool_calls"),
        *("toolset_name", "type", "willContinue", "will_continue"),
    }
)

_TEXT = frozenset({str})
_SCALARS = frozenset({str, int, bool, type(None)})

#: Makes a call of its parts, in half of the time that its class takes.
_made: Callable[..., WireCall] = tuple.__new__


@lru_cache(maxsize=256)
def _is_held(cls: Any) -> bool:
    """Tell whether the members of objects of *cls* that are asked for are what their dict holds."""
    if (
        not hasattr(cls, "__pydantic_fields__")
        or cls.__getattribute__ is not object.__getattribute__
    ):
        return False
    return not any(_ASKED & vars(each).keys() for each in cls.__mro__)


def _members(value: Any) -> dict[str, Any]:
    """Return the members of *value* by name; raise `_Other` if they are not known."""
    cls: Any = type(value)
    if cls is dict:
        return value  # type: ignore[no-any-return]
    if not _is_held(cls) or value.__pydantic_extra__:
        raise _Other
    held: dict[str, Any] = value.__dict__
    return held


class _Other(Exception):
    """The answer has another form."""


def _is_flat(data: dict[Any, Any]) -> bool:
    """Tell whether *data* is a map of scalars that are not floats."""
    for key, item in data.items():
        if type(key) is not str or type(item) not in _SCALARS:
            return False
    return True


def _is_text(value: Any, *texts: str) -> bool:
    """Tell whether *value*, or that of an enum, is None or one of *texts*."""
    return value is None or getattr(value, "value", value) in texts


def openai_usual(answer: Any) -> list[WireCall] | None:
    """Return the calls in *answer*, or None if it has not the usual form."""
    try:
        return _of_openai(answer)
    except Exception:
        # What has other members, and objects of others, whose methods may raise anything.
        return None


def _of_openai(answer: Any) -> list[WireCall]:
    message = _members(answer)
    if "choices" in message:
        [one] = message["choices"]
        choice = _members(one)
        is_other = not message.keys().isdisjoint(_NO_COMPLETION) or "delta" in choice
        if is_other or not _is_text(choice.get("finish_reason"), "tool_calls", "stop"):
            raise _Other
        message = _members(choice["message"])
    elif "output" in message:
        return _of_response(message)
    elif "stop_reason" in message or message["role"] != "assistant":
        raise _Other
    calls = message["tool_calls"]
    if type(calls) is not list or message.get("function_call") is not None:
        raise _Other
    found = []
    for each in calls:
        call = _members(each)
        function = _members(call["function"])
        named, name, arguments = call["id"], function["name"], function["arguments"]
        if type(named) is not str or type(name) is not str or type(arguments) is not str:
            raise _Other
        found.append(_made(WireCall, (named, name, arguments, {"type": "tool"}, None)))
    return found


#: What a completion or a response does not have.
_NO_COMPLETION = ("output", "role", "tool_calls", "type")
_NO_RESPONSE = ("choices", "delta", "message", "role", "tool_calls", "type")


def _of_response(response: dict[str, Any]) -> list[WireCall]:
    items = response["output"]
    is_other = type(items) is not list or not response.keys().isdisjoint(_NO_RESPONSE)
    if is_other or not _is_text(response.get("status"), "completed"):
        raise _Other
    found = []
    for each in items:
        item = _members(each)
        kind = item["type"]
        if type(kind) is not str or kind == "custom_tool_call":
            raise _Other
        if kind == "function_call":
            named, name, arguments = item["call_id"], item["name"], item["arguments"]
            is_other = item.get("caller") is not None or not _TEXT.issuperset(
                map(type, (named, name, arguments))
            )
            if is_other or not _is_text(item.get("status"), "completed"):
                raise _Other
            found.append(_made(WireCall, (named, name, arguments, {"type": kind}, None)))
    return found


def anthropic_usual(answer: Any) -> list[WireCall] | None:
    """Return the calls in *answer*, or None if it has not the usual form."""
    try:
        return _of_anthropic(answer)
    except Exception:
        # What has other members, and objects of others, whose methods may raise anything.
        return None


def _of_anthropic(answer: Any) -> list[WireCall]:
    message = _members(answer)
    blocks = message["content"]
    is_other = message["role"] != "assistant" or type(blocks) is not list or "tool_calls" in message
    if is_other or not _is_ended(message):
        raise _Other
    found = []
    for each in blocks:
        block = _members(each)
        kind = block["type"]
        if type(kind) is not str:
            raise _Other
        if kind == "tool_use":
            named, name, data = block["id"], block["name"], block["input"]
            is_other = type(named) is not str or type(name) is not str or type(data) is not dict
            is_other = is_other or block.get("caller") is not None
            if is_other or block.get("toolset_name") is not None:
                raise _Other
            if not _is_flat(data) and as_builtin(data) is not data:
                raise _Other
            found.append(_made(WireCall, (named, name, data, {}, None)))
    return found


def _is_ended(message: dict[str, Any]) -> bool:
    """Tell whether *message* is whole."""
    return message["stop_reason"] in _ENDED and message.get("type", "message") == "message"


_ENDED = frozenset({"end_turn", "stop_sequence", "tool_use"})

#: The members that each call of Gemini has, and those with its signature.
_OF_CALL = frozenset({"args", "id", "name"})
_SIGNATURE = ("thought_signature", "thoughtSignature")


def gemini_usual(answer: Any) -> list[WireCall] | None:
    """Return the calls in *answer*, or None if it has not the usual form."""
    try:
        return _of_gemini(answer)
    except Exception:
        # What has other members, and objects of others, whose methods may raise anything.
        return None


def _of_gemini(answer: Any) -> list[WireCall]:
    [one] = _members(answer)["candidates"]
    candidate = _members(one)
    parts = _members(candidate["content"])["parts"]
    is_whole = _is_text(candidate.get("finish_reason"), "STOP")
    if not (is_whole and _is_text(candidate.get("finishReason"), "STOP") and type(parts) is list):
        raise _Other
    found = []
    for each in parts:
        part = _members(each)
        asked = part.get("function_call")
        if asked is None:
            asked = part.get("functionCall")
            if asked is None:
                continue
        call = _members(asked)
        named, name, data = call.get("id"), call["name"], call["args"]
        is_other = type(name) is not str or not (named is None or type(named) is str)
        # Numbers among the arguments may be floats, which the form makes integers.
        if is_other or type(data) is not dict or not _is_flat(data):
            raise _Other
        if not call.keys() <= _OF_CALL and is_streamed(call):
            raise _Other
        extra: dict[str, Any] = {}
        signature = None if len(part) == 1 else member(part, *_SIGNATURE)
        if signature is not None:
            extra["thought_signature"] = signature
        if "functionCall" in part and type(each) is dict:
            extra["key"] = "functionResponse"
        found.append(_made(WireCall, (named, name, data, extra, None)))
    return found
