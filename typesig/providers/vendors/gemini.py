"""Gemini: function declarations with `parameters` or `parametersJsonSchema`, calls and streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typesig.algebra.rows.values import ConstKind
from typesig.limits import MAX_VALUE_DEPTH
from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.advice import Advice, any_union, required_cycle
from typesig.providers.rows.answers import AnswerRow, CallFormat, CallRow, Place
from typesig.providers.rows.calls import (
    EventFormat,
    Form,
    Reply,
    Stop,
    WireCall,
    has_any,
    has_member,
    items_of,
    kind_member,
    member,
    no_answer,
    text_member,
)
from typesig.providers.rows.events import Pieces, cut_off, joined, plain_event, told_error
from typesig.providers.rows.items import HOST, ItemTable
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Applied, Profile
from typesig.providers.rows.vendor import Vendor
from typesig.providers.rows.wire import WireTool
from typesig.providers.vendors import media
from typesig.providers.vendors.gemini_arguments import (
    CALL,
    GOES_ON,
    PARTS,
    StreamedCall,
    is_streamed,
)

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
    """Tell whether *message* is a candidate: the content of others is a text or a list."""
    if not has_member(message, "content") or has_member(message, "role"):
        return False
    content = member(message, "content")
    has_reason = has_any(message, "finish_reason", "finishReason")
    return has_member(content, "parts") or (has_reason and not isinstance(content, str | list))


def _is_call(message: object) -> bool:
    return has_member(message, "name") and has_member(message, "args") and not kind_member(message)


def _is_part(message: object) -> bool:
    is_own = not has_any(message, "role", "parts", "content") and not kind_member(message)
    return is_own and has_any(message, *_PART)


#: The integers that a float holds exactly.
_EXACT = 2**53


def _with_integers(data: Any, depth: int = 0) -> Any:
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


def _call(asked: Place | None, of_map: Mapping[str, Any]) -> CallRow:
    """Return how the call at *asked* is spelled, or that which is no part of anything."""
    return CallRow(
        Place(("args",), asked),
        Place(("name",), asked),
        Place(("id",), asked),
        holder=asked,
        of_map=of_map,
        kept={} if asked is None else {"thought_signature": _SIGNATURE},
        # A part of a call, where arguments are streamed, never runs.
        whole={Place(names, asked): None for names in (GOES_ON, PARTS)},
        data=_with_integers,
    )


_SIGNATURE = Place(("thought_signature", "thoughtSignature"))

#: A call alone, and the calls of a part, whose answer has its spelling if the part is a mapping.
_LONE = _call(None, {})
_CALLS = (_call(Place(CALL[:1]), {}), _call(Place(CALL[1:]), {"key": "functionResponse"}))


def _camel(name: str) -> str:
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
ITEMS = ItemTable(members=tuple(dict.fromkeys([*_MEMBERS, *map(_camel, _MEMBERS)])))


def _answer(candidate: Place | None, signs: Mapping[Place, str | None]) -> AnswerRow:
    """Return where an answer with a *candidate*, or one alone, has its calls."""
    parts = Place(("parts",), Place(("content",), candidate))
    stops = {Place(_REASON, candidate): _FINISHED}
    return AnswerRow(parts, _CALLS, stops, signs=signs, table=ITEMS)


_CANDIDATES = Place(("candidates",), single="candidate")
_RESPONSE = _answer(_CANDIDATES, {_CANDIDATES: None})
_CANDIDATE = _answer(None, {})
_CONTENT = AnswerRow(Place(("parts",)), _CALLS, table=ITEMS)


def _of_response(response: object) -> list[WireCall]:
    return _RESPONSE.read(response) or _unreadable(_CANDIDATES.at(response))


def _of_candidate(candidate: object) -> list[WireCall]:
    return _CANDIDATE.read(candidate) or _unreadable(candidate)


def _unreadable(candidate: object) -> list[WireCall]:
    """Return what stands for the call that the API could not read, if there was one."""
    if text_member(candidate, *_REASON) not in _UNREADABLE:
        return []
    # The model is told in words of the user, since there is no call to answer.
    written = text_member(candidate, "finish_message", "finishMessage") or ""
    return [WireCall(None, "", written, stop="malformed")]


def _of_content(content: object) -> list[WireCall]:
    role = text_member(content, "role")
    if role not in (None, "model"):
        raise no_answer(content, WANTED, f'it is a content of the role "{role}"')
    return _CONTENT.read(content)


def _of_part(part: object) -> list[WireCall]:
    found = [row.read(part) for row in _CALLS if row.is_of(part)][:1]
    other = None if found else ITEMS.read(part)
    return found if other is None else [other]


def write(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Return one content of the user with a part for each result, in the order of the calls."""
    if not replies:
        return []
    parts = [_part(reply) for reply in replies]
    for reply in replies:
        if reply.media:
            parts += media.gemini(reply, "key" in reply.call.extra)
    return [{"role": "user", "parts": parts}]


def _part(reply: Reply) -> dict[str, Any]:
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
        response["response"] = _with_notice(response["response"], reply.notice)
    return {call.extra.get("key", "function_response"): response}


def _with_notice(result: dict[str, Any], notice: str) -> dict[str, Any]:
    """Copy *result*, which has only `output` or `error`, and add the *notice*."""
    return {**result, "warnings": notice}


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
    Form("a call", _is_call, lambda call: [_LONE.read(call)]),
    Form("a part", _is_part, _of_part),
)

FORMAT = CallFormat(
    WANTED, FORMS, write, EventFormat(is_chunk, assembled), takes_texts=False, answers=(_RESPONSE,)
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
    any_union,
    "Vertex AI may refuse",
    "2026-11",
    "Ombre-Brain#119 ('didn't specify the schema type field')",
)
_REQUIRED_CYCLE = Advice(
    required_cycle,
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


def definition_of(profile: Profile, made: WireTool) -> dict[str, Any]:
    """Return the declaration of a function; one without parameters has no schema."""
    words = made.description or ""
    declared = {"name": made.name, "description": words if words.strip() else made.name}
    if not made.parameters.get("properties") and not made.parameters.get("additionalProperties"):
        return declared
    return {**declared, _field_of(profile): made.parameters}


def _field_of(profile: Profile) -> str:
    return "parametersJsonSchema" if profile.api == JSON else "parameters"


def format_of(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the part of the configuration that asks for an answer of *schema*."""
    field = "responseJsonSchema" if profile.api == JSON else "responseSchema"
    return {"responseMimeType": "application/json", field: schema}


def result_of(data: Any) -> dict[str, Any]:
    """Return a result as the object that a response has to be."""
    return {"output": data}


GEMINI = Vendor(
    name="gemini",
    title="Gemini",
    definitions="function declarations with `parameters` or `parametersJsonSchema`",
    profiles=(_WITH_PARAMETERS, _WITH_JSON),
    strict_answers=False,
    limits=(),
    definition_of=definition_of,
    format_of=format_of,
    result_of=result_of,
    calls=FORMAT,
)
