"""Anthropic: the Messages API, strict or not: definitions, calls and streams."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from typesig.notations.json_schema.writer import Style
from typesig.providers.registry.answers import (
    HOST,
    AnswerPlace,
    AnswerRow,
    CallFormat,
    CallRow,
    ItemRow,
    ItemTable,
)
from typesig.providers.registry.calls import (
    INPUT,
    ONE_EVENT,
    RESULT,
    EventFormat,
    MessageForm,
    Reply,
    Stop,
    TextPieces,
    as_items,
    get_kind,
    get_member,
    get_text_member,
    has_member,
    join_pieces,
    make_cut_off_error,
    make_refusal,
    make_stream_error,
    merge_delta,
    to_plain_event,
)
from typesig.providers.registry.provider import LimitRow, NameRule
from typesig.providers.registry.vendor import (
    PRIMITIVES,
    Applied,
    ExtraName,
    Profile,
    SentTool,
    Vendor,
    return_unchanged,
)
from typesig.providers.vendors import media
from typesig.validation.json_text import BadJson, read_json

#: What arrives whole, and could come again.
_WHOLE = frozenset({"type", "stop_reason", "stop_sequence", "signature"})

_EVENTS = (
    "message_start", "content_block_start", "content_block_delta", "message_delta",
    "message_stop", "error",
)  # fmt: skip


def build_answer(events: Sequence[object]) -> dict[str, Any]:
    """Build the message from the *events* of its stream."""
    message: dict[str, Any] | None = None
    blocks: dict[Any, dict[str, Any]] = {}
    has_ended = False
    for each in events:
        # The client's helper yields events of its own, which have all that came before.
        kind = get_text_member(each, "type")
        if kind not in _EVENTS:
            continue
        event = to_plain_event(each)
        if kind == "error":
            raise make_stream_error(event)
        if kind == "message_start":
            message = event.get("message") or {}
        elif message is None:
            break
        elif kind == "content_block_start":
            blocks[event.get("index")] = event.get("content_block") or {}
        elif kind == "content_block_delta":
            _add_delta(blocks, event)
        elif kind == "message_delta":
            usage = {"usage": event["usage"]} if event.get("usage") else {}
            merge_delta(message, {**(event.get("delta") or {}), **usage}, _WHOLE)
        has_ended = has_ended or kind == "message_stop"
    if message is None:
        raise make_cut_off_error("its beginning, the event message_start, is missing")
    if not (has_ended or message.get("stop_reason")):
        raise make_cut_off_error("its end, the event message_stop, is missing")
    content = [_finish_block(block) for block in blocks.values()]
    return {**join_pieces(message), "content": content}


def _add_delta(blocks: dict[Any, dict[str, Any]], event: dict[str, Any]) -> None:
    """Merge the delta of the stream *event* into its content block in *blocks*."""
    delta = event.get("delta") or {}
    block = blocks.get(event.get("index"))
    if block is None:
        raise make_cut_off_error(
            "the beginning of a block, the event content_block_start, is missing"
        )
    if "partial_json" in delta:
        # The input that a block begins with is empty.
        pieces = block.get("input")
        block["input"] = pieces if isinstance(pieces, TextPieces) else TextPieces()
        block["input"].append(str(delta["partial_json"]))
    elif "citation" in delta:
        block["citations"] = block.get("citations") or []
        block["citations"].append(delta["citation"])
    else:
        merge_delta(block, {key: part for key, part in delta.items() if key != "type"}, _WHOLE)


def _finish_block(block: dict[str, Any]) -> dict[str, Any]:
    """Join the streamed pieces of a content *block* and parse its input as JSON."""
    found: dict[str, Any] = join_pieces(block)
    if not isinstance(block.get("input"), TextPieces):
        return found
    try:
        return {**found, "input": read_json(found["input"] or "{}")}
    except BadJson:
        # The tool's check mends it, or tells what is wrong with it.
        return found


WANTED = "handle takes a message of the assistant, its content, or its blocks"

#: Why a message ended, where its calls may not be whole; one without a reason is of a stream.
_STOPPED: Mapping[str | None, Stop] = {
    None: "length",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "stopped",
}


#: The types of blocks that only Anthropic has: texts, thoughts, calls, and results of what it runs.
_BLOCK = re.compile(r"text|thinking|redacted_thinking|\w*tool_use|\w+_tool_result")

#: How the types of a stream's events begin.
_EVENT = re.compile(r"message_\w+|content_block_\w+|ping")


def _is_event(message: object) -> bool:
    """Whether *message* is an event of a Messages stream."""
    return _EVENT.fullmatch(get_kind(message)) is not None


def _is_message(message: object) -> bool:
    """Whether *message* is a message of the assistant, possibly of another vendor."""
    return get_text_member(message, "role") == "assistant"


def _is_own_message(message: object) -> bool:
    """Whether *message* is an assistant message in a format that only Anthropic has."""
    if not _is_message(message) or has_member(message, "tool_calls"):
        return False
    blocks = as_items(get_member(message, "content"))
    is_own = any(_BLOCK.fullmatch(get_kind(block)) for block in blocks)
    return is_own or has_member(message, "stop_reason")


def _is_input(message: object) -> bool:
    """Whether *message* is an input message, with a role and without `parts`."""
    return get_text_member(message, "role") is not None and not has_member(message, "parts")


_CALL = CallRow(
    AnswerPlace(("input",)),
    kind="tool_use",
    kept={"toolset_name": AnswerPlace(("toolset_name",))},
    caller=("type", "tool_id"),
)

_REASON = AnswerPlace(("stop_reason",))

_ON = "send the conversation with this message at its end again, and handle what comes then"

#: Why a message without calls is not the last one.
_UNFINISHED = {
    "pause_turn": f"the tools that Anthropic runs took long; {_ON}",
    "compaction": f"the conversation was summarized; {_ON}",
    "tool_use": "but the message has no calls, so its content was lost: pass the whole message",
}

_TOOL_RESULTS = (
    "web_search", "web_fetch", "code_execution", "bash_code_execution", "advisor",
    "text_editor_code_execution", "tool_search",
)  # fmt: skip

_ROWS = (
    ItemRow("text", "text"),
    ItemRow("thinking", "text"),
    ItemRow("redacted_thinking", "text"),
    ItemRow("compaction", "text"),
    ItemRow("tool_use", "call"),
    ItemRow("server_tool_use", "server"),
    ItemRow("mcp_tool_use", "server"),
    ItemRow("mcp_tool_result", "server"),
    ItemRow("mcp_tool_listing", "server"),
    ItemRow("container_upload", "server"),
    ItemRow("fallback", "server"),
    *[ItemRow(f"{name}_tool_result", "server") for name in _TOOL_RESULTS],
)

#: The types are those of the SDK's unions, of its beta too; a test compares them.
ITEMS = ItemTable(
    {row.kind: row for row in _ROWS},
    uses=frozenset({"server_tool_use", "mcp_tool_use"}),
    resolved_by="tool_use_id",
)

# The content of a message that was written by hand can be a text.
_MESSAGE = AnswerRow(
    AnswerPlace(("content",)),
    (_CALL,),
    {_REASON: _STOPPED},
    signs={AnswerPlace(("role",)): "assistant", _REASON: None},
    others={AnswerPlace(("tool_calls",)): None, AnswerPlace(("type",)): "message"},
    table=ITEMS,
    unfinished={_REASON: _UNFINISHED},
    has_text=True,
)


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Write *replies* as one user message, since Anthropic refuses several."""
    if not replies:
        return []
    return [{"role": "user", "content": [_write_result(reply) for reply in replies]}]


def _write_result(reply: Reply) -> dict[str, Any]:
    """Write *reply* as a `tool_result` block, or as the item that the host returned."""
    call = reply.call
    if HOST in call.extra:
        return dict(reply.data)
    result: dict[str, Any] = {
        "type": "tool_result",
        "tool_use_id": call.id or "",
        "content": media.write_anthropic(reply) if reply.media or reply.notice else reply.text,
    }
    if reply.is_error:
        result["is_error"] = True
    if call.extra:
        # The result of a call of a program does not repeat who made it.
        result.update({name: part for name, part in call.extra.items() if name != "caller"})
    return result


#: The first that fits is read.  The blocks of tools that Anthropic runs itself ask for nothing.
FORMS = (
    MessageForm("a call", _CALL.is_call, lambda block: [_CALL.read(block)]),
    MessageForm("an event of a stream", _is_event, make_refusal(WANTED, ONE_EVENT)),
    MessageForm("a message of Anthropic", _is_own_message, _MESSAGE.read),
    MessageForm("a message", _is_message, _MESSAGE.read, vague=True),
    MessageForm("an input", _is_input, make_refusal(WANTED, INPUT)),
    MessageForm("a block", lambda m: _BLOCK.fullmatch(get_kind(m)) is not None, ITEMS.read_all),
    MessageForm(
        "a result of a call", lambda m: get_kind(m) == "tool_result", make_refusal(WANTED, RESULT)
    ),
    MessageForm("another block", lambda m: get_kind(m) != "", ITEMS.read_all, vague=True),
)

FORMAT = CallFormat(
    WANTED,
    FORMS,
    write,
    EventFormat(_is_event, build_answer),
    takes_data=False,
    answers=(_MESSAGE,),
    items=(ITEMS, _ON),
)


NAMES = NameRule("A-Za-z0-9_-", "A-Za-z0-9_-", 64)

# Only the properties of the arguments are checked, but nobody says so for the others.
PROPERTIES = NameRule("A-Za-z0-9_.-", "A-Za-z0-9_.-", 64)

_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)

_STRICT_KEYWORDS: frozenset[Applied] = frozenset({("at_least", "array"), ("pattern", "string")})


_STRUCTURED = "platform.claude.com/docs/en/build-with-claude/structured-outputs"

_LIMITS = (
    LimitRow("tools", 20, True, False, "2026-11", _STRUCTURED),
    LimitRow("optionals", 24, True, False, "2026-11", _STRUCTURED),
    LimitRow("unions", 16, True, False, "2026-11", _STRUCTURED),
)

# anthropic 2.12, types/tool_param.py.
_EXTRAS: frozenset[ExtraName] = frozenset(
    {
        "input_examples", "defer_loading", "allowed_callers", "server_tools",
        "eager_input_streaming", "cache_control",
    }
)  # fmt: skip

_PLAIN = Profile(
    "anthropic",
    "messages",
    False,
    NAMES,
    property_names=PROPERTIES,
    style=Style(whole_objects=True),
    extras=_EXTRAS,
)

_STRICT = Profile(
    "anthropic",
    "messages",
    True,
    NAMES,
    property_names=PROPERTIES,
    closed=True,
    typed=True,
    one_of=False,
    all_of=False,
    negations=False,
    tuples=False,
    key_patterns=False,
    recursion=False,
    defaults=False,
    enums=PRIMITIVES,
    mixed_enums=False,
    constraints=_STRICT_KEYWORDS,
    formats=_FORMATS,
    most_min_items=1,
    lookarounds=False,
    style=Style(whole_objects=True, lone_references=True),
    extras=_EXTRAS,
)


def build_definition(profile: Profile, made: SentTool) -> dict[str, Any]:
    """Build the definition of a tool."""
    described = {"description": made.description} if made.description else {}
    strict = {"strict": True} if profile.strict else {}
    return {"name": made.name, **described, "input_schema": made.parameters, **strict}


ANTHROPIC = Vendor(
    name="anthropic",
    title="Anthropic",
    definitions="of Messages",
    profiles=(_PLAIN, _STRICT),
    strict_answers=True,
    limits=_LIMITS,
    definition_of=build_definition,
    format_of=lambda _profile, _name, schema: {"type": "json_schema", "schema": schema},
    result_of=return_unchanged,
    calls=FORMAT,
)
