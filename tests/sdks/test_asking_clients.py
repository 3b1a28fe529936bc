"""Contracts ask through the clients of the vendors, with a stand-in server on loopback."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any, NotRequired, TypedDict

import pytest

import typesig
from tests.sdks.server import (
    Events,
    anthropic_rule,
    chat_rule,
    gemini_rule,
    responses_rule,
    serving,
)

pytestmark = pytest.mark.needs_process

SDKS = {"openai": "openai", "anthropic": "anthropic", "gemini": "google.genai"}


def is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


class Room(TypedDict):
    name: str
    seats: int
    prices: dict[str, int]
    note: NotRequired[str]


ROOM = typesig.contract(Room)
RIGHT: Any = {"name": "Elm", "seats": 8, "prices": {"day": 40, "hour": 6}}
WRONG: Any = {**RIGHT, "seats": "many"}


def sent(data: Any, provider: str, api: str | None = None) -> Any:
    """Return *data* as the model sends it."""
    options = {} if api is None else {"api": api}
    return ROOM.project(provider, **options).encode(data)  # type: ignore[call-overload]


# What the vendors answer, as a whole and in events.


def completion(text: str | None, call: str | None = None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if call is not None:
        function = {"name": "answer", "arguments": call}
        message["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    choices = [{"index": 0, "finish_reason": "stop", "message": message}]
    made = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    return {**made, "choices": choices, "usage": usage}


def chunks(text: str | None, call: str | None = None) -> Events:
    whole = completion(text, call)
    made = {**whole, "object": "chat.completion.chunk", "usage": None}
    deltas: list[Any] = [{"content": each} for each in pieces(text or "")]
    for number, each in enumerate(pieces(call or "")):
        begun = {"id": "c1", "type": "function"} if number == 0 else {}
        named = {"name": "answer"} if number == 0 else {}
        deltas.append(
            {"tool_calls": [{"index": 0, **begun, "function": {**named, "arguments": each}}]}
        )
    events: list[Any] = [
        {**made, "choices": [{"index": 0, "delta": each, "finish_reason": None}]}
        for each in [{"role": "assistant"}, *deltas]
    ]
    events.append({**made, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    events.append({**made, "choices": [], "usage": whole["usage"]})
    return [*((None, each) for each in events), (None, "[DONE]")]


def response(text: str | None, call: str | None = None) -> dict[str, Any]:
    output: list[Any] = [{"type": "reasoning", "id": "rs_1", "summary": []}]
    if text is not None:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        output.append({"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": content})  # fmt: skip
    if call is not None:
        output.append({"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "answer", "arguments": call, "status": "completed"})  # fmt: skip
    usage = {
        "input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed",
        "output": output, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "usage": usage,
    }  # fmt: skip


def response_events(text: str | None, call: str | None = None) -> Events:
    whole = response(text, call)
    kind = (
        "response.output_text.delta" if call is None else "response.function_call_arguments.delta"
    )
    place = {"item_id": "m1", "output_index": 1, "content_index": 0, "logprobs": []}
    events = [
        {"type": kind, **place, "delta": each, "sequence_number": n}
        for n, each in enumerate(pieces(text if call is None else call))
    ]
    last = {"type": "response.completed", "response": whole, "sequence_number": 99}
    return [(each["type"], each) for each in [*events, last]]


def message(text: str | None, call: Any = None) -> dict[str, Any]:
    blocks: list[Any] = [] if text is None else [{"type": "text", "text": text}]
    if call is not None:
        blocks.append({"type": "tool_use", "id": "c1", "name": "answer", "input": json.loads(call)})
    usage = {"input_tokens": 6, "cache_read_input_tokens": 4, "output_tokens": 5}
    made = {"id": "msg", "type": "message", "role": "assistant", "model": "m", "content": blocks}
    reason = "end_turn" if call is None else "tool_use"
    return {**made, "stop_reason": reason, "stop_sequence": None, "usage": usage}


def message_events(text: str | None, call: str | None = None) -> Events:
    whole = message(text, call)
    started = {**whole, "content": [], "stop_reason": None}
    block: Any = {"type": "text", "text": ""}
    deltas: list[Any] = [{"type": "text_delta", "text": each} for each in pieces(text or "")]
    if call is not None:
        block = {"type": "tool_use", "id": "c1", "name": "answer", "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": each} for each in pieces(call)]
    events: list[Any] = [
        {"type": "message_start", "message": started},
        {"type": "content_block_start", "index": 0, "content_block": block},
        *[{"type": "content_block_delta", "index": 0, "delta": each} for each in deltas],
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    ]
    return [(each["type"], each) for each in events]


def contents(text: str | None, call: str | None = None) -> dict[str, Any]:
    parts: list[Any] = [] if text is None else [{"text": text}]
    if call is not None:
        called = {"name": "answer", "args": json.loads(call)}
        parts.append({"functionCall": called, "thoughtSignature": "c2lnbmVk"})
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 4, "thoughtsTokenCount": 1}
    content = {"role": "model", "parts": parts}
    return {
        "candidates": [{"content": content, "finishReason": "STOP"}],
        "usageMetadata": {**usage, "totalTokenCount": 15},
    }


def contents_events(text: str | None, call: str | None = None) -> Events:
    if call is not None:
        return [(None, contents(text, call))]
    last = contents("")
    part = [contents(each)["candidates"][0]["content"] for each in pieces(text or "")]
    return [*((None, {"candidates": [{"content": each}]}) for each in part), (None, last)]


def pieces(text: str | None) -> list[str]:
    whole = text or ""
    return [whole[at : at + 7] for at in range(0, len(whole), 7)]


#: Each interface: its provider, its api, the rule of its server, its answers and their events.
INTERFACES: dict[str, tuple[str, str | None, Any, Any, Any]] = {
    "chat": ("openai", None, chat_rule, completion, chunks),
    "responses": ("openai", "responses", responses_rule, response, response_events),
    "anthropic": ("anthropic", None, anthropic_rule, message, message_events),
    "gemini": ("gemini", None, gemini_rule, contents, contents_events),
    "gemini json": ("gemini", "json", gemini_rule, contents, contents_events),
}
interfaces = pytest.mark.parametrize("interface", INTERFACES)
ways = pytest.mark.parametrize("way", ["format", "tool"])


def client_of(provider: str, url: str, is_async: bool = False) -> Any:
    if not is_installed(SDKS[provider]):
        pytest.skip(f"{SDKS[provider]} is not installed")
    if provider == "openai":
        import openai

        made: Any = openai.AsyncOpenAI if is_async else openai.OpenAI
        return made(api_key="k", base_url=f"{url}/v1", max_retries=0)
    if provider == "anthropic":
        import anthropic

        made = anthropic.AsyncAnthropic if is_async else anthropic.Anthropic
        return made(api_key="k", base_url=url, max_retries=0)
    from google import genai

    return genai.Client(api_key="k", http_options={"base_url": url})


@asynccontextmanager
async def closing(client: Any) -> AsyncIterator[Any]:
    """Close *client*, of which the part that is awaited may be another one."""
    async with getattr(client, "aio", client):
        yield client


def answers_of(interface: str, way: str, streams: bool) -> list[Any]:
    """Return a wrong answer, and a right one."""
    provider, api, _, whole, events = INTERFACES[interface]
    made = events if streams else whole
    texts = [json.dumps(sent(each, provider, api)) for each in (WRONG, RIGHT)]
    return [made(text) if way == "format" else made(None, text) for text in texts]


def options_of(interface: str, way: str) -> dict[str, Any]:
    api = INTERFACES[interface][1]
    return {"model": "m", "way": way, **({} if api is None else {"api": api})}


def check(out: Any, requests: list[Any]) -> None:
    assert RIGHT == out.result
    assert (2, 20, 10) == (out.attempts, out.usage.input, out.usage.output)
    assert "many" in json.dumps(requests[1])
    assert "integer" in json.dumps(requests[1])
    assert RIGHT == pickle.loads(pickle.dumps(out)).result


@interfaces
@ways
def test_an_answer_is_asked_for_until_it_fits(interface: str, way: str) -> None:
    provider, _, rule, *_ = INTERFACES[interface]
    with (
        serving(rule, *answers_of(interface, way, False)) as server,
        client_of(provider, server.url) as client,
    ):
        out = ROOM.ask(client, "Which room?", **options_of(interface, way))

    check(out, server.requests)


@interfaces
@ways
def test_an_asynchronous_client_is_awaited(interface: str, way: str) -> None:
    provider, _, rule, *_ = INTERFACES[interface]

    async def main(url: str) -> Any:
        async with closing(client_of(provider, url, is_async=True)) as client:
            return await ROOM.aask(client, "Which room?", **options_of(interface, way))

    with serving(rule, *answers_of(interface, way, False)) as server:
        check(asyncio.run(main(server.url)), server.requests)


@interfaces
@ways
def test_an_answer_is_shown_while_it_arrives(interface: str, way: str) -> None:
    provider, _, rule, *_ = INTERFACES[interface]
    with (
        serving(rule, *answers_of(interface, way, True)) as server,
        client_of(provider, server.url) as client,
    ):
        asking = ROOM.asking(client, "Which room?", **options_of(interface, way))
        shown = [(part.attempt, part.value) for part in asking]

    check(asking.answer, server.requests)
    assert {1, 2} == {attempt for attempt, _ in shown}
    assert (2, RIGHT) == shown[-1]
    if provider != "gemini" or way == "format":
        assert (2, {"name": "Elm", "seats": 8}) in shown


@interfaces
def test_an_answer_is_shown_while_it_arrives_from_an_asynchronous_client(interface: str) -> None:
    provider, _, rule, *_ = INTERFACES[interface]

    async def main(url: str) -> Any:
        async with closing(client_of(provider, url, is_async=True)) as client:
            asking = ROOM.asking(client, "Which room?", **options_of(interface, "format"))
            return [part.value async for part in asking], asking.answer

    with serving(rule, *answers_of(interface, "format", True)) as server:
        shown, answer = asyncio.run(main(server.url))

    check(answer, server.requests)
    assert {"name": "Elm", "seats": 8} in shown


def test_parts_developers_and_images_are_sent_as_they_are() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    given: Any = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Which?"}, image]},
    ]
    with (
        serving(chat_rule, completion(json.dumps(sent(RIGHT, "openai")))) as server,
        client_of("openai", server.url) as client,
    ):
        out = ROOM.ask(client, given, model="m", temperature=0)

    [request] = server.requests
    assert given == request["messages"]
    assert 0 == request["temperature"]
    assert given == list(out.messages[:2])


def test_a_client_of_openai_asks_a_compatible_server_as_its_provider_takes_it() -> None:
    text = json.dumps(sent(RIGHT, "deepseek"))
    with (
        serving(chat_rule, completion(text)) as server,
        client_of("openai", server.url) as client,
    ):
        out = ROOM.ask(client, "Which room?", model="m", provider="deepseek")

    [request] = server.requests
    assert RIGHT == out.result
    assert {"type": "json_object"} == request["response_format"]
    assert "Answer with JSON that fits this JSON Schema: {" in request["messages"][0]["content"]


def test_the_configuration_of_gemini_keeps_what_it_has() -> None:
    with (
        serving(gemini_rule, contents(json.dumps(sent(RIGHT, "gemini")))) as server,
        client_of("gemini", server.url) as client,
    ):
        from google.genai import types

        config = types.GenerateContentConfig(system_instruction="Be brief.", temperature=0.5)
        out = ROOM.ask(client, "Which room?", model="m", config=config)

    [request] = server.requests
    assert RIGHT == out.result
    assert 0.5 == request["generationConfig"]["temperature"]
    assert "application/json" == request["generationConfig"]["responseMimeType"]
    assert "Be brief." in json.dumps(request["systemInstruction"])
