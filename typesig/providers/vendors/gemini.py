"""Gemini: function declarations with `parameters` or `parametersJsonSchema`, calls and streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typesig.algebra.rows.values import ConstKind
from typesig.notations.json_schema.writer import Style
from typesig.providers.registry.answers import (
    HOST,
    AnswerPlace,
    AnswerRow,
    CallFormat,
    CallRow,
    ItemTable,
)
from typesig.providers.registry.calls import (
    EventFormat,
    MessageForm,
    Reply,
    Stop,
    TextPieces,
    WireCall,
    as_items,
    get_kind,
    get_member,
    get_text_member,
    has_any,
    has_member,
    join_pieces,
    make_answer_error,
    make_cut_off_error,
    make_stream_error,
    to_plain_event,
)
from typesig.providers.registry.provider import Advice, NameRule, find_required_cycle, find_union
from typesig.providers.registry.vendor import Applied, Profile, SentTool, Vendor
from typesig.providers.vendors import media
from typesig.providers.vendors.gemini_arguments import (
    CALL,
    GOES_ON,
    PARTS,
    StreamedCall,
    is_call_part,
    use_integers,
)

_BLOCKED = ("block_reason", "blockReason")
_FEEDBACK = ("prompt_feedback", "promptFeedback")
_REASON = ("finish_reason", "finishReason")

#: What a part may have to go on with the text of the part before it.
_TEXT = {"text", "thought"}


def is_chunk(message: object) -> bool:
    """Whether *message* is a Gemini response or a chunk of a streamed response."""
    return has_any(message, "candidates", *_FEEDBACK)


def build_answer(events: Sequence[object]) -> dict[str, Any]:
    """Build the response from the *events* of its stream."""
    whole: dict[str, Any] = {}
    candidates: dict[int, dict[str, Any]] = {}
    calls: dict[int, StreamedCall] = {}
    for each in events:
        event = to_plain_event(each)
        if isinstance(event.get("error"), dict):
            raise make_stream_error(event)
        for candidate in as_items(event.pop("candidates", None)):
            index = candidate.get("index") or 0
            known = candidates.setdefault(index, {})
            content = candidate.pop("content", None)
            known |= {key: part for key, part in candidate.items() if part is not None}
            if content is not None:
                content["parts"] = [
                    part for part in as_items(content.get("parts")) if _is_new(part, index, calls)
                ]
                _add_parts(known.setdefault("content", {}), content)
        whole |= {key: part for key, part in event.items() if part is not None}
    has_ended = all(get_member(each, *_REASON) for each in candidates.values())
    is_blocked = get_member(get_member(whole, *_FEEDBACK), *_BLOCKED) is not None
    if not has_ended or not (candidates or is_blocked):
        raise make_cut_off_error("its last chunk, which has a finish reason, is missing")
    return {**whole, "candidates": [join_pieces(candidates[index]) for index in sorted(candidates)]}


def _is_new(part: dict[str, Any], index: int, calls: dict[int, StreamedCall]) -> bool:
    """Whether *part* is new; otherwise, add it to the streamed call in *calls*."""
    call = get_member(part, *CALL)
    if not isinstance(call, dict):
        return True
    last = calls.get(index)
    if last is not None and last.accepts_part(call):
        last.add(part, call)
        return False
    if is_call_part(call):
        calls[index] = StreamedCall(part, call)
    else:
        calls.pop(index, None)
    return True


def _add_parts(content: dict[str, Any], more: dict[str, Any]) -> None:
    """Append the parts of *more* to *content*; merge adjacent texts of the same kind."""
    parts = content.setdefault("parts", [])
    for part in as_items(more.pop("parts", None)):
        last = parts[-1] if parts else {}
        is_text = isinstance(part.get("text"), str) and part.keys() <= _TEXT
        if (
            is_text
            and isinstance(last.get("text"), TextPieces)
            and bool(last.get("thought")) == bool(part.get("thought"))
        ):
            last["text"].append(part["text"])
        else:
            parts.append({**part, "text": TextPieces([part["text"]])} if is_text else part)
    content |= more


WANTED = "handle takes a response, its candidate or content, or its parts"

#: Why a candidate ended, where its calls may not be whole.
_FINISHED: Mapping[str | None, Stop] = {
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",
    **dict.fromkeys(
        (
            "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR",
            "LANGUAGE", "ESCALATION", "PUP_LIMITED_DISABLED", "MISSING_THOUGHT_SIGNATURE",
            "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE",
            "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "IMAGE_OTHER",
            "NO_IMAGE",
        ),
        "stopped",
    ),
}  # fmt: skip

#: Why a candidate ended without the call that the model made, since the API could not read it.
_UNREADABLE = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL")

#: What a part has, one or the other.
_PART = (*CALL, "text", "thought", "inline_data", "inlineData", "executable_code", "executableCode")


def _is_candidate(message: object) -> bool:
    """Whether *message* is a candidate of a response, with Gemini's form of content."""
    if not has_member(message, "content") or has_member(message, "role"):
        return False
    content = get_member(message, "content")
    has_reason = has_any(message, "finish_reason", "finishReason")
    return has_member(content, "parts") or (has_reason and not isinstance(content, str | list))


def _is_call(message: object) -> bool:
    """Whether *message* is a bare function call, with `name` and `args`."""
    return has_member(message, "name") and has_member(message, "args") and not get_kind(message)


def _is_part(message: object) -> bool:
    """Whether *message* is a bare part of a content."""
    is_own = not has_any(message, "role", "parts", "content") and not get_kind(message)
    return is_own and has_any(message, *_PART)


def _make_call_row(asked: AnswerPlace | None, of_map: Mapping[str, Any]) -> CallRow:
    """Make the layout of a call at *asked* in a part, or of a bare call if None."""
    return CallRow(
        AnswerPlace(("args",), asked),
        AnswerPlace(("name",), asked),
        AnswerPlace(("id",), asked),
        holder=asked,
        of_map=of_map,
        kept={} if asked is None else {"thought_signature": _SIGNATURE},
        # A part of a call, where arguments are streamed, never runs.
        whole={AnswerPlace(names, asked): None for names in (GOES_ON, PARTS)},
        data=use_integers,
    )


_SIGNATURE = AnswerPlace(("thought_signature", "thoughtSignature"))

#: A call alone, and the calls of a part, whose answer has its spelling if the part is a mapping.
_LONE = _make_call_row(None, {})
_CALLS = (
    _make_call_row(AnswerPlace(CALL[:1]), {}),
    _make_call_row(AnswerPlace(CALL[1:]), {"key": "functionResponse"}),
)


def _to_camel_case(name: str) -> str:
    """Convert a snake_case *name* to camelCase."""
    first, *others = name.split("_")
    return first + "".join([each.title() for each in others])


#: What a part may have beside a call of a tool; none of it waits for the host: `tool_call` is one
#: of the vendor's own.
_MEMBERS = (
    "text", "thought", "thought_signature", "media_resolution", "code_execution_result",
    "executable_code", "file_data", "function_call", "function_response", "inline_data",
    "video_metadata", "tool_call", "tool_response", "part_metadata", "audio_transcription",
    "media_processing", "speech_metadata", "document_metadata", "spreadsheet_metadata",
    "audio_metadata",
)  # fmt: skip

#: The members are those of the SDK's `Part`, in both spellings; a test compares them.
ITEMS = ItemTable(members=tuple(dict.fromkeys([*_MEMBERS, *map(_to_camel_case, _MEMBERS)])))


def _make_answer_row(
    candidate: AnswerPlace | None, signs: Mapping[AnswerPlace, str | None]
) -> AnswerRow:
    """Make the layout of an answer with *candidate*, or of a bare candidate if None."""
    parts = AnswerPlace(("parts",), AnswerPlace(("content",), candidate))
    stops = {AnswerPlace(_REASON, candidate): _FINISHED}
    return AnswerRow(parts, _CALLS, stops, signs=signs, table=ITEMS)


_CANDIDATES = AnswerPlace(("candidates",), single="candidate")
_RESPONSE = _make_answer_row(_CANDIDATES, {_CANDIDATES: None})
_CANDIDATE = _make_answer_row(None, {})
_CONTENT = AnswerRow(AnswerPlace(("parts",)), _CALLS, table=ITEMS)


def _read_response(response: object) -> list[WireCall]:
    """Read the calls of a whole *response*, unreadable calls included."""
    return _RESPONSE.read(response) or _read_unreadable_call(_CANDIDATES.get_value(response))


def _read_candidate(candidate: object) -> list[WireCall]:
    """Read the calls of a bare *candidate*, unreadable calls included."""
    return _CANDIDATE.read(candidate) or _read_unreadable_call(candidate)


def _read_unreadable_call(candidate: object) -> list[WireCall]:
    """Return a call in place of a call that the API could not read, if any."""
    if get_text_member(candidate, *_REASON) not in _UNREADABLE:
        return []
    # The model is told in words of the user, since there is no call to answer.
    written = get_text_member(candidate, "finish_message", "finishMessage") or ""
    return [WireCall(None, "", written, stop="malformed")]


def _read_content(content: object) -> list[WireCall]:
    """Read the calls of a bare *content*; raise an error unless its role is `model`."""
    role = get_text_member(content, "role")
    if role not in (None, "model"):
        raise make_answer_error(content, WANTED, f'it is a content of the role "{role}"')
    return _CONTENT.read(content)


def _read_part(part: object) -> list[WireCall]:
    """Read the call, or the item for the host, in a bare *part*."""
    found = [row.read(part) for row in _CALLS if row.is_call(part)][:1]
    other = None if found else ITEMS.read(part)
    return found if other is None else [other]


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Write *replies* as one user content with a part for each result."""
    if not replies:
        return []
    parts = [_write_part(reply) for reply in replies]
    for reply in replies:
        if reply.media:
            parts += media.write_gemini(reply, "key" in reply.call.extra)
    return [{"role": "user", "parts": parts}]


def _write_part(reply: Reply) -> dict[str, Any]:
    """Write *reply* as a function response part, or as the item the host returned."""
    call = reply.call
    if HOST in call.extra:
        return dict(reply.data)
    if call.stop == "malformed":
        return {"text": reply.text}
    name = call.name
    response: dict[str, Any] = {"name": name} if call.id is None else {"id": call.id, "name": name}
    if reply.is_error:
        response["response"] = {"error": reply.text}
    elif '"$ref"' in reply.text and _has_reference(reply.data):
        # Gemini reads the key as a reference to a part of the response.
        response["response"] = {"output": reply.text}
    else:
        response["response"] = reply.data
    if reply.notice:
        response["response"] = {**response["response"], "warnings": reply.notice}
    return {call.extra.get("key", "function_response"): response}


def _has_reference(data: object) -> bool:
    """Whether *data* has a `$ref` key at any depth."""
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
    MessageForm("a response of Gemini", is_chunk, _read_response),
    MessageForm("a candidate", _is_candidate, _read_candidate),
    MessageForm("a content", lambda m: has_member(m, "parts"), _read_content),
    MessageForm("a call", _is_call, lambda call: [_LONE.read(call)]),
    MessageForm("a part", _is_part, _read_part),
)

FORMAT = CallFormat(
    WANTED,
    FORMS,
    write,
    EventFormat(is_chunk, build_answer),
    takes_texts=False,
    answers=(_RESPONSE,),
)


PARAMETERS, JSON = "parameters", "json"

# Some models take 64 characters, though the page says 128; all take no more than these signs.
NAMES = NameRule("A-Za-z_", "A-Za-z0-9_.:-", 64)
PROPERTIES = NameRule("A-Za-z_", "A-Za-z0-9_", 64)

_NUMBERS: frozenset[Applied] = frozenset(
    {("at_least", "number"), ("at_most", "number"), ("at_least", "array"), ("at_most", "array")}
)
_TEXTS: frozenset[Applied] = frozenset(
    {("at_least", "string"), ("at_most", "string"), ("pattern", "string")}
)
_ENUMS: frozenset[ConstKind] = frozenset({"string"})
_FORMATS = frozenset({"date-time"})


_UNION = Advice(
    find_union,
    "Vertex AI may refuse",
    "2026-11",
    "Ombre-Brain#119 ('didn't specify the schema type field')",
)
_REQUIRED_CYCLE = Advice(
    find_required_cycle,
    "Gemini is documented to take in optional properties only",
    "2026-11",
    "github.com/googleapis/python-genai/blob/main/google/genai/types.py",
)

_WITH_PARAMETERS = Profile(
    "gemini",
    PARAMETERS,
    False,
    NAMES,
    property_names=PROPERTIES,
    closed=True,
    typed=True,
    one_of=False,
    all_of=False,
    negations=False,
    tuples=False,
    key_patterns=False,
    references=False,
    recursion=False,
    defaults=False,
    empty_objects=False,
    enums=_ENUMS,
    mixed_enums=False,
    empty_texts=False,
    constraints=_NUMBERS | _TEXTS,
    formats=_FORMATS,
    wide_integers=False,
    style=Style(nullable=True, enums=True, closing=False, ordering=True),
    advice=(_UNION,),
)

_WITH_JSON = Profile(
    "gemini",
    JSON,
    False,
    NAMES,
    property_names=PROPERTIES,
    all_of=False,
    negations=False,
    key_patterns=False,
    defaults=False,
    enums=frozenset({"int", "float", "string"}),
    mixed_enums=False,
    empty_texts=False,
    constraints=_NUMBERS,
    wide_integers=False,
    style=Style(enums=True, ordering=True, lone_references=True),
    advice=(_REQUIRED_CYCLE,),
)


def build_definition(profile: Profile, made: SentTool) -> dict[str, Any]:
    """Build the function declaration of the tool *made* in the format of Gemini."""
    words = made.description or ""
    declared = {"name": made.name, "description": words if words.strip() else made.name}
    if not made.parameters.get("properties") and not made.parameters.get("additionalProperties"):
        return declared
    return {
        **declared,
        ("parametersJsonSchema" if profile.api == JSON else "parameters"): made.parameters,
    }


def build_format(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the part of the configuration that asks for an answer of *schema*."""
    field = "responseJsonSchema" if profile.api == JSON else "responseSchema"
    return {"responseMimeType": "application/json", field: schema}


def wrap_result(data: Any) -> dict[str, Any]:
    """Wrap a result in an object, as responses require."""
    return {"output": data}


GEMINI = Vendor(
    name="gemini",
    title="Gemini",
    definitions="function declarations with `parameters` or `parametersJsonSchema`",
    profiles=(_WITH_PARAMETERS, _WITH_JSON),
    strict_answers=False,
    limits=(),
    definition_of=build_definition,
    format_of=build_format,
    result_of=wrap_result,
    calls=FORMAT,
)
