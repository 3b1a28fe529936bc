"""Streams of Anthropic's Messages API: the events of a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.providers.rows.calls import text_member
from typesig.providers.rows.events import Pieces, cut_off, joined, merge, plain_event, told_error
from typesig.validation.rows.json_text import BadJson, read_json

#: What arrives whole, and could come again.
_WHOLE = frozenset({"type", "stop_reason", "stop_sequence", "signature"})

_EVENTS = (
    "message_start",
    "content_block_start",
    "content_block_delta",
    "message_delta",
    "message_stop",
    "error",
)


def assembled(events: Sequence[object]) -> dict[str, Any]:
    """Return the message whose stream has *events*."""
    message: dict[str, Any] | None = None
    blocks: dict[Any, dict[str, Any]] = {}
    has_ended = False
    for each in events:
        # The client's helper yields events of its own, which have all that came before.
        kind = text_member(each, "type")
        if kind not in _EVENTS:
            continue
        event = plain_event(each)
        if kind == "error":
            raise told_error(event)
        if kind == "message_start":
            message = event.get("message") or {}
        elif message is None:
            break
        elif kind == "content_block_start":
            blocks[event.get("index")] = event.get("content_block") or {}
        elif kind == "content_block_delta":
            _add(blocks, event)
        elif kind == "message_delta":
            usage = {"usage": event["usage"]} if event.get("usage") else {}
            merge(message, {**(event.get("delta") or {}), **usage}, _WHOLE)
        has_ended = has_ended or kind == "message_stop"
    if message is None:
        raise cut_off("its beginning, the event message_start, is missing")
    if not (has_ended or message.get("stop_reason")):
        raise cut_off("its end, the event message_stop, is missing")
    content = [_whole(block) for block in blocks.values()]
    return {**joined(message), "content": content}


def _add(blocks: dict[Any, dict[str, Any]], event: dict[str, Any]) -> None:
    """Add to one of *blocks* what *event* brings."""
    delta = event.get("delta") or {}
    block = blocks.get(event.get("index"))
    if block is None:
        raise cut_off("the beginning of a block, the event content_block_start, is missing")
    if "partial_json" in delta:
        # The input that a block begins with is empty.
        pieces = block.get("input")
        block["input"] = pieces if isinstance(pieces, Pieces) else Pieces()
        block["input"].append(str(delta["partial_json"]))
    elif "citation" in delta:
        block["citations"] = block.get("citations") or []
        block["citations"].append(delta["citation"])
    else:
        merge(block, {key: part for key, part in delta.items() if key != "type"}, _WHOLE)


def _whole(block: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = joined(block)
    if not isinstance(block.get("input"), Pieces):
        return found
    try:
        return {**found, "input": read_json(found["input"] or "{}")}
    except BadJson:
        # The tool's check mends it, or tells what is wrong with it.
        return found
