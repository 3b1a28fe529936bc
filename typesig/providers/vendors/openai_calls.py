"""Calls and results as OpenAI's APIs spell them: Chat Completions and Responses.

The two differ in every name, so what was passed tells which of them it is of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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

_WANTED = (
    "handle takes a chat completion, its choice or message, a response, or calls of their tools"
)

#: Why a chat completion ended, where its calls may not be whole.
_FINISHED: Mapping[str, Stop] = {"length": "length", "content_filter": "stopped"}

#: Why a response is incomplete; for the other reasons it ends behind a whole item.
_INCOMPLETE: Mapping[str, Stop] = {"max_output_tokens": "length", "content_filter": "stopped"}

#: States of a response in which its calls may not be whole.
_UNFINISHED = ("failed", "cancelled", "in_progress", "queued")

#: The items of a response that ask for a call which the client runs, and where the arguments are.
_ITEMS = {"function_call": "arguments", "custom_tool_call": "input"}


#: Items that are none of an answer: results, and calls of another provider.
_FOREIGN = ("function_call_output", "custom_tool_call_output", "tool_use", "tool_result")

#: What only the messages of Anthropic have, which are of the role assistant, too.
_OF_ANTHROPIC = "stop_reason"


def read(message: object) -> list[WireCall]:
    """Return the calls of a chat completion or a response, or of any part of them."""
    return list(_calls(message))


def _calls(message: object) -> Iterator[WireCall]:
    kind = text_member(message, "type")
    if isinstance(message, WireCall):
        yield message
    elif is_several(message):
        for each in items_of(message):
            yield from _calls(each)
    elif has_member(message, "choices"):
        yield from _of_choice(single(items_of(member(message, "choices")), "choice"))
    elif has_member(message, "output") and kind is None:
        yield from _of_response(message)
    elif has_member(member(message, "response"), "output"):
        # The last event of a stream has the whole response.
        yield from _of_response(member(message, "response"))
    elif has_member(message, "message") and has_member(message, "finish_reason"):
        yield from _of_choice(message)
    elif kind in _ITEMS:
        yield _of_item(message, kind)
    elif member(message, "function", "custom") is not None:
        yield _of_tool_call(message)
    elif _is_answer(message):
        yield from _of_message(message)
    elif _is_other(message, kind):
        raise no_answer(message, _WANTED, _reason(message))
    # Other items are the provider's own: reasoning, texts, searches.


def _is_answer(message: object) -> bool:
    """Return whether *message* is one of the assistant, of Chat Completions or Responses."""
    is_own = text_member(message, "role") == "assistant" or has_member(message, "tool_calls")
    return is_own and not has_member(message, _OF_ANTHROPIC)


def _is_other(message: object, kind: str | None) -> bool:
    """Return whether *message* is nothing that OpenAI answers: no item of a response."""
    if kind is None or kind in _FOREIGN or kind.startswith("response."):
        return True
    if has_member(message, _OF_ANTHROPIC):
        return True
    return member(message, "role") not in (None, "assistant")


def _reason(message: object) -> str:
    role = text_member(message, "role")
    return f'it is a message of the role "{role}"' if role else ""


def _of_choice(choice: object) -> list[WireCall]:
    if choice is None:
        return []
    if has_member(choice, "delta"):
        raise no_answer(choice, _WANTED, "it is a chunk of a stream: assemble the stream first")
    calls = _of_message(member(choice, "message"))
    stop = _FINISHED.get(text_member(choice, "finish_reason") or "")
    return stopped(calls, stop, ends_in_call=True)


def _of_message(message: object) -> Iterator[WireCall]:
    """Yield the calls of a message of Chat Completions."""
    if member(message, "function_call") is not None:
        reason = "its function_call is of the API before tools: send the definitions as tools"
        raise no_answer(message, _WANTED, reason)
    yield from map(_of_tool_call, items_of(member(message, "tool_calls")))


def _of_tool_call(call: object) -> WireCall:
    """Return a call of Chat Completions, of a function or of a custom tool."""
    asked = member(call, "function", "custom")
    return WireCall(
        text_member(call, "id"),
        text_member(asked, "name") or "",
        member(asked, "arguments", "input"),
        {"type": "tool"},
    )


def _of_response(response: object) -> list[WireCall]:
    items = items_of(member(response, "output"))
    kinds = [text_member(item, "type") for item in items]
    calls = [_of_item(i, kind) for i, kind in zip(items, kinds, strict=True) if kind in _ITEMS]
    status = text_member(response, "status")
    if status in _UNFINISHED:
        return stopped(calls, "stopped", ends_in_call=False)
    if status != "incomplete":
        return calls
    stop = _INCOMPLETE.get(text_member(member(response, "incomplete_details"), "reason") or "")
    ends_in_call = bool(kinds) and kinds[-1] in _ITEMS
    is_open = ends_in_call and member(items[-1], "status") != "completed"
    return stopped(calls, stop, ends_in_call=is_open)


def _of_item(item: object, kind: str) -> WireCall:
    """Return a call of Responses, an item of the type *kind*."""
    extra: dict[str, Any] = {"type": kind}
    caller = member(item, "caller")
    if caller is not None:
        names = ("type", "caller_id")
        extra["caller"] = {name: member(caller, name) for name in names if member(caller, name)}
    whole = text_member(item, "status") in (None, "completed")
    return WireCall(
        text_member(item, "call_id"),
        text_member(item, "name") or "",
        member(item, _ITEMS[kind]),
        extra,
        None if whole else "length",
    )


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Return a message for each reply: of the role tool, or an output item of Responses."""
    return [_message(reply) for reply in replies]


def _message(reply: Reply) -> dict[str, Any]:
    call = reply.call
    kind = call.extra.get("type", "tool")
    if kind == "tool":
        return {"role": "tool", "tool_call_id": call.id or "", "content": reply.text}
    item = {"type": f"{kind}_output", "call_id": call.id or "", "output": reply.text}
    return {**item, "caller": call.extra["caller"]} if "caller" in call.extra else item


FORMAT = CallFormat(read, write, takes_data=False)
