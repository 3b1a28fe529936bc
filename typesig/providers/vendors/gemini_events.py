"""Streams of the Gemini API: the chunks of a response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.providers.rows.calls import has_any, items_of, member
from typesig.providers.rows.events import Pieces, cut_off, joined, plain_event, told_error
from typesig.providers.vendors.gemini_arguments import CALL, StreamedCall, is_streamed

_BLOCKED = ("block_reason", "blockReason")
_FEEDBACK = ("prompt_feedback", "promptFeedback")
_REASON = ("finish_reason", "finishReason")

#: What a part may have to go on with the text of the part before it.
_TEXT = {"text", "thought"}


def is_chunk(message: object) -> bool:
    """Tell whether *message* is a response, or a chunk of one."""
    return has_any(message, "candidates", *_FEEDBACK)


def assembled(events: Sequence[object]) -> dict[str, Any]:
    """Return the response whose stream has *events*."""
    whole: dict[str, Any] = {}
    candidates: dict[int, dict[str, Any]] = {}
    calls: dict[int, StreamedCall] = {}
    for each in events:
        event = plain_event(each)
        if isinstance(event.get("error"), dict):
            raise told_error(event)
        for candidate in items_of(event.pop("candidates", None)):
            index = candidate.get("index") or 0
            known = candidates.setdefault(index, {})
            content = candidate.pop("content", None)
            known |= {key: part for key, part in candidate.items() if part is not None}
            if content is not None:
                content["parts"] = [
                    part for part in items_of(content.get("parts")) if _is_new(part, index, calls)
                ]
                _add(known.setdefault("content", {}), content)
        whole |= {key: part for key, part in event.items() if part is not None}
    has_ended = all(member(each, *_REASON) for each in candidates.values())
    is_blocked = member(member(whole, *_FEEDBACK), *_BLOCKED) is not None
    if not has_ended or not (candidates or is_blocked):
        raise cut_off("its last chunk, which has a finish reason, is missing")
    return {**whole, "candidates": [joined(candidates[index]) for index in sorted(candidates)]}


def _is_new(part: dict[str, Any], index: int, calls: dict[int, StreamedCall]) -> bool:
    """Tell whether *part* is new; else add it to the call of the candidate *index* in *calls*."""
    call = member(part, *CALL)
    if not isinstance(call, dict):
        return True
    last = calls.get(index)
    if last is not None and last.goes_on_with(call):
        last.add(part, call)
        return False
    if is_streamed(call):
        calls[index] = StreamedCall(part, call)
    else:
        calls.pop(index, None)
    return True


def _add(content: dict[str, Any], more: dict[str, Any]) -> None:
    """Add to *content* the parts of *more*; a text goes on where the last one was of its kind."""
    parts = content.setdefault("parts", [])
    for part in items_of(more.pop("parts", None)):
        last = parts[-1] if parts else {}
        is_text = isinstance(part.get("text"), str) and part.keys() <= _TEXT
        if is_text and isinstance(last.get("text"), Pieces) and _thought(last) == _thought(part):
            last["text"].append(part["text"])
        else:
            parts.append({**part, "text": Pieces([part["text"]])} if is_text else part)
    content |= more


def _thought(part: dict[str, Any]) -> bool:
    return bool(part.get("thought"))
