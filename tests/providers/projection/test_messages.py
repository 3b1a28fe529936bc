"""A message of another provider is refused, and named: the loop does not end in silence."""

from __future__ import annotations

import json
from typing import Any

import pytest

import typesig
from tests.providers.projection.test_call_handler import SPELLINGS, as_objects
from typesig import TypesigError
from typesig.providers.registry.provider import SPELLING_NAMES
from typesig.providers.vendors.registry import VENDORS

RAN: list[Any] = []


@typesig.tool
def book(room: str) -> str:
    """Book a room."""
    RAN.append(room)
    return room


TOOLS = typesig.tools_of([book])
CALL = {"id": "c", "type": "function", "function": {"name": "book", "arguments": '{"room":"Elm"}'}}
ITEM = {"type": "function_call", "call_id": "c", "name": "book", "arguments": '{"room":"Elm"}'}
USE = {"type": "tool_use", "id": "c", "name": "book", "input": {"room": "Elm"}}
PART = {"function_call": {"name": "book", "args": {"room": "Elm"}}}
CONTENT = {"role": "model", "parts": [{"text": "ok"}, PART]}
TEXT = {"type": "text", "text": "ok"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}

#: What each vendor's client returns and takes, whole and in parts, with and without calls.
FORMS: dict[str, dict[str, Any]] = {
    "openai": {
        "a completion": SPELLINGS["chat"][1](("book", {"room": "Elm"})),
        "a completion without calls": SPELLINGS["chat"][1](),
        "a choice": SPELLINGS["chat"][1](("book", {"room": "Elm"}))["choices"][0],
        "a message": {"role": "assistant", "content": None, "tool_calls": [CALL]},
        "a message without calls": {"role": "assistant", "content": "ok", "tool_calls": None},
        "a message of a text": {"role": "assistant", "content": "ok", "refusal": None},
        "a call": CALL,
        "calls": [CALL],
        "a response": SPELLINGS["responses"][1](("book", {"room": "Elm"})),
        "a response without calls": SPELLINGS["responses"][1](),
        "an item": ITEM,
        "items": [{"type": "reasoning", "summary": []}, SAID, ITEM],
        "a search": {"type": "web_search_call", "status": "completed"},
        "an item of text": SAID,
        "a chunk": {"choices": [{"delta": {"content": "a"}, "finish_reason": None}]},
        "chunks": [{"object": "chat.completion.chunk", "choices": []}],
        "an event": {"type": "response.created", "response": {"output": []}},
    },
    "anthropic": {
        "a message": SPELLINGS["anthropic"][1](("book", {"room": "Elm"})),
        "a message without calls": SPELLINGS["anthropic"][1](),
        "a message of no blocks": {"role": "assistant", "content": [], "stop_reason": "end_turn"},
        "a written message": {"role": "assistant", "content": [TEXT, USE]},
        "a written message without calls": {"role": "assistant", "content": [TEXT]},
        "content": [TEXT, USE],
        "content without calls": [TEXT],
        "a call": USE,
        "a thought": {"type": "thinking", "thinking": "…", "signature": "s"},
        "a search": {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        "an event": {"type": "message_start", "message": {}},
        "events": [{"type": "content_block_delta", "index": 0, "delta": {}}],
    },
    "gemini": {
        "a response": SPELLINGS["gemini"][1](("book", {"room": "Elm"})),
        "a response without calls": SPELLINGS["gemini"][1](),
        "a blocked response": {"promptFeedback": {"blockReason": "SAFETY"}},
        "a candidate": {"content": CONTENT, "finish_reason": "STOP"},
        "a content": CONTENT,
        "parts": CONTENT["parts"],
        "a part": {"functionCall": {"name": "book", "args": {}}},
        "a part of text": {"text": "ok"},
        "a call": PART["function_call"],
    },
    "mcp": {
        "a request": {"method": "tools/call", "params": {"name": "book", "arguments": {}}},
        "params": {"name": "book", "arguments": {"room": "Elm"}},
        "params without arguments": {"name": "book"},
    },
}

CASES = [
    pytest.param(other, own, message, id=f"{title} of {own} to {other}")
    for own, forms in FORMS.items()
    for title, message in forms.items()
    for other in FORMS
    if other != own
]


def test_every_vendor_has_forms_here() -> None:
    assert set(SPELLING_NAMES) == set(FORMS)
    assert {row.calls for row in VENDORS.values()} == {VENDORS[name].calls for name in FORMS}


@pytest.mark.parametrize(("other", "own", "message"), CASES)
def test_a_message_of_another_vendor_is_refused_and_named(
    other: Any, own: str, message: Any
) -> None:
    for each in (message, as_objects(message)):
        with pytest.raises(TypesigError) as raised:
            TOOLS.project(other).handle(each)

        told = str(raised.value)
        assert told.startswith(VENDORS[other].calls.wanted)
        assert f'for which the projection is project("{own}")' in told
    assert [] == RAN


def test_the_error_says_what_the_message_looks_like() -> None:
    with pytest.raises(TypesigError) as raised:
        TOOLS.project("anthropic").handle(FORMS["openai"]["a message"])

    assert (
        "handle takes a message of the assistant, its content, or its blocks, not dict; it looks "
        'like a message of OpenAI, for which the projection is project("openai")'
    ) == str(raised.value)


def test_a_message_of_others_among_own_ones_is_refused_before_a_tool_runs() -> None:
    with pytest.raises(TypesigError, match=r'project\("openai"\)'):
        TOOLS.project("anthropic").handle([USE, CALL])

    assert [] == RAN


@pytest.mark.parametrize(
    ("own", "message"),
    [(own, message) for own, forms in FORMS.items() for message in forms.values()],
)
def test_a_vendor_knows_its_own_forms(own: Any, message: Any) -> None:
    """What is no answer, or the stream of none, is refused with another reason."""
    told = ""
    try:
        TOOLS.project(own).handle(message)
    except TypesigError as error:
        told = str(error)
    RAN.clear()

    assert "it looks like" not in told


def test_a_message_of_a_text_may_be_of_either() -> None:
    said = {"role": "assistant", "content": "done"}

    assert [] == TOOLS.project("openai").handle(said)
    assert [] == TOOLS.project("anthropic").handle(said)


@pytest.mark.parametrize(("name", "own"), [("claude", "anthropic"), ("google", "gemini")])
def test_other_names_of_a_provider_are_understood(name: Any, own: Any) -> None:
    projection = TOOLS.project(name)

    assert own == projection.provider
    assert projection.definitions == TOOLS.project(own).definitions
    assert own == typesig.contract(dict[str, int]).project(name).provider
    assert json.dumps(book.project(name).definitions) == json.dumps(projection.definitions)
