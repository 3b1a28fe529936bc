"""OpenAI: Chat Completions and Responses, strict or not: definitions, calls and streams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from typesig.notations.json_schema.writer import Style
from typesig.providers.registry.answers import HOST, AnswerPlace, AnswerRow, CallFormat, CallRow
from typesig.providers.registry.calls import (
    INPUT,
    ONE_EVENT,
    RESULT,
    EventFormat,
    MessageForm,
    Reply,
    Stop,
    as_items,
    get_kind,
    get_member,
    get_text_member,
    has_any,
    has_member,
    make_refusal,
)
from typesig.providers.registry.provider import Advice, LimitRow, NameRule, find_first_key_clash
from typesig.providers.registry.vendor import (
    EVERY_KEYWORD,
    PRIMITIVES,
    ExtraName,
    Profile,
    SentTool,
    Vendor,
    return_unchanged,
)
from typesig.providers.vendors import media
from typesig.providers.vendors.openai_events import ITEMS, build_answer

WANTED = (
    "handle takes a chat completion, its choice or message, a response, or calls of their tools"
)

#: Why a chat completion ended, where its calls may not be whole.
_FINISHED: Mapping[str | None, Stop] = {"length": "length", "content_filter": "stopped"}

#: Why a response is incomplete; for the other reasons it ends behind a whole item.
_INCOMPLETE: Mapping[str | None, Stop] = {
    "max_output_tokens": "length",
    "content_filter": "stopped",
}

#: States of a response in which its calls may not be whole.
_UNFINISHED: Mapping[str | None, Stop] = dict.fromkeys(
    ("failed", "cancelled", "in_progress", "queued"), "stopped"
)

#: The items of a response that ask for a call which the client runs, and where the arguments are.
_ITEMS = {"function_call": "arguments", "custom_tool_call": "input"}


#: What only messages of Chat Completions have.
_OF_CHAT = ("tool_calls", "refusal", "annotations", "audio", "function_call")

#: The parts of messages that only Responses has.
_CONTENT = ("output_text", "refusal")

#: What only the messages of Anthropic have, which are of the role assistant, too.
_OF_ANTHROPIC = "stop_reason"

#: The types of items that only a response has, and the results of calls.
_OWN_ITEM = re.compile(r"reasoning|\w*_call|mcp_list_tools|mcp_approval_request")
_RESULT = re.compile(r"\w*_call_output")


def _is_chunk(message: object) -> bool:
    """Whether *message* is a chunk of a chat completion, or one of its choices."""
    if has_member(message, "choices"):
        choices = as_items(get_member(message, "choices"))
        is_empty = get_text_member(message, "object") == "chat.completion.chunk"
        return has_member(choices[0], "delta") if choices else is_empty
    return has_member(message, "delta") and has_member(message, "finish_reason")


def _is_event(message: object) -> bool:
    """Whether *message* is an event of a stream of the client."""
    if _is_chunk(message) or get_kind(message).startswith("response."):
        return True
    # What `client.chat.completions.stream` yields.
    return get_kind(message) == "chunk" and has_member(message, "chunk")


def _has_response(event: object) -> bool:
    """Whether the stream *event* contains the complete response."""
    has_output = has_member(get_member(event, "response"), "output")
    return has_output and get_kind(event) not in ("response.created", "response.in_progress")


def _is_tool_call(message: object) -> bool:
    """Whether *message* is a bare tool call, without a role."""
    asked = get_member(message, "function", "custom")
    return asked is not None and get_text_member(message, "role") is None


def _is_message(message: object) -> bool:
    """Whether *message* is a message of the assistant, possibly of another vendor."""
    is_own = get_text_member(message, "role") == "assistant" or has_member(message, "tool_calls")
    return is_own and not has_member(message, _OF_ANTHROPIC)


def _is_own_message(message: object) -> bool:
    """Whether *message* is an assistant message in a format that only OpenAI has."""
    if not _is_message(message):
        return False
    parts = as_items(get_member(message, "content"))
    return has_any(message, *_OF_CHAT) or any(get_kind(part) in _CONTENT for part in parts)


def _is_input(message: object) -> bool:
    """Whether *message* is an input message, from a role other than the assistant."""
    role = get_text_member(message, "role")
    return role not in (None, "assistant") and not has_member(message, "parts")


#: A call of Chat Completions, of a function or of a custom tool: every item is one.
_ASKED = AnswerPlace(("function", "custom"))
_TOOL_CALL = CallRow(
    AnswerPlace(("arguments", "input"), _ASKED),
    AnswerPlace(("name",), _ASKED),
    extra={"type": "tool"},
)

#: The calls of Responses, by type.
_ITEM_CALLS = {
    kind: CallRow(
        AnswerPlace((data,)),
        id=AnswerPlace(("call_id",)),
        kind=kind,
        extra={"type": kind},
        namespace=AnswerPlace(("namespace",)),
        caller=("type", "caller_id"),
        whole={AnswerPlace(("status",)): "completed"},
    )
    for kind, data in _ITEMS.items()
}

_CHOICES, _OUTPUT = AnswerPlace(("choices",), single="choice"), AnswerPlace(("output",))
_ROLE, _TYPE, _CALLS = AnswerPlace(("role",)), AnswerPlace(("type",)), AnswerPlace(("tool_calls",))


#: What is said of an answer that ended for its calls, and has none.
_CALLS_LOST = {
    "tool_calls": "but the answer has no calls, so its server lost them: ask the model again"
}

#: What is said of a response without calls that has not ended.
_UNENDED: Mapping[str, str] = dict.fromkeys(
    ("in_progress", "queued"), "the response has not ended: retrieve it again until it has"
)

_OLD = "its function_call is of the API before tools: send the definitions as tools"


def _make_chat_row(
    message: AnswerPlace | None,
    signs: Mapping[AnswerPlace, str | None],
    others: Iterable[AnswerPlace],
) -> AnswerRow:
    """Make the layout of an answer with *message*, or of a bare message if None."""
    return AnswerRow(
        AnswerPlace(("tool_calls",), message),
        (_TOOL_CALL,),
        {} if message is None else {AnswerPlace(("finish_reason",), message.of): _FINISHED},
        signs,
        dict.fromkeys(others),
        {AnswerPlace(("function_call",), message): make_refusal(WANTED, _OLD)},
        ITEMS,
        AnswerPlace(("content",), message),
        {} if message is None else {AnswerPlace(("finish_reason",), message.of): _CALLS_LOST},
    )


_MESSAGE = _make_chat_row(None, {_CALLS: None}, [AnswerPlace((_OF_ANTHROPIC,))])
_CHOICE = _make_chat_row(AnswerPlace(("message",)), {}, [])
_COMPLETION = _make_chat_row(
    AnswerPlace(("message",), _CHOICES),
    {_CHOICES: None},
    [_ROLE, _CALLS, _TYPE, AnswerPlace(("delta",), _CHOICES)],
)
_RESPONSE = AnswerRow(
    _OUTPUT,
    tuple(_ITEM_CALLS.values()),
    {
        AnswerPlace(("status",)): _UNFINISHED,
        AnswerPlace(("reason",), AnswerPlace(("incomplete_details",))): _INCOMPLETE,
    },
    {_OUTPUT: None},
    dict.fromkeys([AnswerPlace(("choices",)), AnswerPlace(("delta",)), _ROLE, _CALLS, _TYPE]),
    table=ITEMS,
    unfinished={AnswerPlace(("status",)): _UNENDED},
)


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Write *replies* as messages of the role tool or output items of Responses."""
    messages = [_write_message(reply) for reply in replies]
    for reply in replies:
        if reply.media:
            shown = [each for each in replies if each.media]
            in_chat = [each for each in shown if each.call.extra.get("type", "tool") == "tool"]
            return [*messages, *media.write_openai_chat(in_chat)]
    return messages


def _write_message(reply: Reply) -> dict[str, Any]:
    """Write *reply* as a tool message, an output item, or the host's own item."""
    call = reply.call
    extra = call.extra
    if HOST in extra:
        return dict(reply.data)
    kind = extra.get("type", "tool")
    if kind == "tool":
        return {"role": "tool", "tool_call_id": call.id or "", "content": reply.whole_text}
    item = {
        "type": f"{kind}_output",
        "call_id": call.id or "",
        "output": media.write_openai_responses(reply) if reply.media else reply.whole_text,
    }
    return {**item, "caller": extra["caller"]} if "caller" in extra else item


#: The first that fits is read; what is handed over most often comes first.
FORMS = (
    MessageForm("a message of OpenAI", _is_own_message, _MESSAGE.read),
    MessageForm(
        "the last event of a response",
        lambda e: get_kind(e).startswith("response.") and _has_response(e),
        lambda event: _RESPONSE.read(get_member(event, "response")),
    ),
    MessageForm("an event of a stream", _is_event, make_refusal(WANTED, ONE_EVENT)),
    MessageForm("a chat completion", lambda m: has_member(m, "choices"), _COMPLETION.read),
    MessageForm(
        "a response", lambda m: has_member(m, "output") and not get_kind(m), _RESPONSE.read
    ),
    MessageForm(
        "a choice of a chat completion",
        lambda m: has_member(m, "message") and has_member(m, "finish_reason"),
        _CHOICE.read,
    ),
    MessageForm(
        "a call of a response",
        lambda m: get_kind(m) in _ITEMS,
        lambda item: [_ITEM_CALLS[get_kind(item)].read(item)],
    ),
    MessageForm("a call of a chat completion", _is_tool_call, lambda call: [_TOOL_CALL.read(call)]),
    MessageForm("a message", _is_message, _MESSAGE.read, vague=True),
    MessageForm("an input", _is_input, make_refusal(WANTED, INPUT)),
    MessageForm(
        "a result of a call",
        lambda m: _RESULT.fullmatch(get_kind(m)) is not None,
        make_refusal(WANTED, RESULT),
    ),
    MessageForm(
        "an item of a response",
        lambda m: _OWN_ITEM.fullmatch(get_kind(m)) is not None,
        ITEMS.read_all,
    ),
    MessageForm(
        "an item",
        lambda m: get_kind(m) != "" and not has_member(m, _OF_ANTHROPIC),
        ITEMS.read_all,
        vague=True,
    ),
)


FORMAT = CallFormat(
    WANTED,
    FORMS,
    write,
    EventFormat(_is_event, build_answer),
    takes_data=False,
    answers=(_MESSAGE, _COMPLETION, _RESPONSE),
    items=(ITEMS, ""),
)


CHAT, RESPONSES = "chat", "responses"

NAMES = NameRule("A-Za-z0-9_-", "A-Za-z0-9_-", 64)

_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)

_STRICT_KEYWORDS = EVERY_KEYWORD - {
    # Refused in 2025, and by some endpoints since.
    ("at_least", "string"),
    ("at_most", "string"),
    ("at_least", "object"),
    ("at_most", "object"),
    ("unique", "array"),
}


_STRUCTURED = "developers.openai.com/api/docs/guides/structured-outputs#supported-schemas"

_LIMITS = (
    LimitRow(
        "tools", 128, False, False, "2026-11",
        "developers.openai.com/api/docs/guides/function-calling",
    ),
    LimitRow(
        "description", 1024, False, False, "2026-11",
        "github.com/FoundationAgents/OpenManus/issues/818",
    ),
    LimitRow("levels", 10, True, True, "2026-11", _STRUCTURED),
    LimitRow("properties", 5_000, True, True, "2026-11", _STRUCTURED),
    LimitRow("enum_values", 1_000, True, True, "2026-11", _STRUCTURED),
    LimitRow("enum_text", 15_000, True, True, "2026-11", _STRUCTURED),
    LimitRow("schema_text", 120_000, True, True, "2026-11", _STRUCTURED),
)  # fmt: skip

_FIRST_KEY = Advice(
    find_first_key_clash,
    "Azure and older models refuse",
    "2026-11",
    "github.com/openai/openai-python/issues/2193",
)

# Every array needs `items`, beside which positions are not looked at.
_PLAIN = Profile(
    "openai",
    CHAT,
    False,
    NAMES,
    tuples=False,
    style=Style(whole_objects=True),
    extras=frozenset({"server_tools"}),
)

_STRICT = Profile(
    "openai",
    CHAT,
    True,
    NAMES,
    closed=True,
    complete=True,
    typed=True,
    one_of=False,
    all_of=False,
    negations=False,
    tuples=False,
    key_patterns=False,
    defaults=False,
    enums=PRIMITIVES,
    mixed_enums=False,
    constraints=_STRICT_KEYWORDS,
    formats=_FORMATS,
    lookarounds=False,
    style=Style(whole_objects=True, lone_references=True),
    advice=(_FIRST_KEY,),
    extras=frozenset({"server_tools"}),
)


#: Of Responses alone; a chat has only functions, and custom tools. openai 3.54,
#: types/responses/function_tool_param.py and namespace_tool_param.py.
_EXTRAS: frozenset[ExtraName] = frozenset(
    {"defer_loading", "allowed_callers", "server_tools", "async_tools", "namespaces"}
)


def build_definition(profile: Profile, made: SentTool) -> dict[str, Any]:
    """Build the definition of a tool."""
    described = {"description": made.description} if made.description else {}
    function = {"name": made.name, **described, "parameters": made.parameters}
    if profile.api == RESPONSES:
        # Without `strict`, the server tries to make the schema strict.
        return {"type": "function", **function, "strict": profile.strict}
    strict = {"strict": True} if profile.strict else {}
    return {"type": "function", "function": {**function, **strict}}


def build_format(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the response format that asks for an answer of *schema*."""
    parts = {"name": name, "schema": schema, "strict": profile.strict}
    if profile.api == RESPONSES:
        return {"type": "json_schema", **parts}
    return {"type": "json_schema", "json_schema": parts}


OPENAI = Vendor(
    name="openai",
    title="OpenAI",
    definitions="of Chat Completions, of Responses",
    profiles=(
        _PLAIN,
        _PLAIN._replace(api=RESPONSES, extras=_EXTRAS),
        _STRICT,
        _STRICT._replace(api=RESPONSES, extras=_EXTRAS),
    ),
    strict_answers=True,
    limits=_LIMITS,
    definition_of=build_definition,
    format_of=build_format,
    result_of=return_unchanged,
    calls=FORMAT,
)
