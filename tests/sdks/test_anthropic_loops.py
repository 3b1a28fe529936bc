"""Whole conversations through Anthropic's own client, with a stand-in server on loopback."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("anthropic")

import anthropic

from examples import anthropic_loop, booking
from tests.sdks.server import anthropic_rule, serving

ASKED: Any = [{"role": "user", "content": "a"}]
ANSWER = "Elm is yours on 30 June."


def message(text: str, calls: Any, reason: str = "") -> dict[str, Any]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    made = {**anthropic_loop.message(text, *calls), "id": "msg", "model": "m", "usage": usage}
    return {**made, "stop_sequence": None, **({"stop_reason": reason} if reason else {})}


MESSAGES = [
    message(*pair) for pair in zip(anthropic_loop.ANSWERS, anthropic_loop.CALLS, strict=True)
]


def client_of(url: str) -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key="k", base_url=url, max_retries=0)


def asked(url: str) -> Any:
    """Return the message that the client makes of the next answer."""
    with client_of(url) as client:
        return client.messages.create(model="m", max_tokens=9, messages=ASKED)


def test_a_conversation() -> None:
    with serving(anthropic_rule, *MESSAGES) as server, client_of(server.url) as client:
        assert ANSWER == anthropic_loop.ask(client, booking.QUESTION)

    first, second, third = server.requests
    assert [*map(dict, anthropic_loop.WIRE.definitions)] == first["tools"]
    rooms, bad = second["messages"][-1]["content"]
    assert "toolu_1" == rooms["tool_use_id"]
    assert "is_error" not in rooms
    assert bad["is_error"] is True
    assert '// missing: "day": string (format date)' in bad["content"]
    [booked] = third["messages"][-1]["content"]
    assert "Elm is booked for Wednesday, 2027-06-30" == booked["content"]


def test_a_conversation_by_the_asynchronous_client() -> None:
    async def main(url: str) -> list[Any]:
        wire = booking.TOOLS.project("anthropic")
        messages: list[Any] = [{"role": "user", "content": booking.QUESTION}]
        async with anthropic.AsyncAnthropic(api_key="k", base_url=url, max_retries=0) as client:
            while True:
                done = await client.messages.create(model="m", max_tokens=9, messages=messages)
                messages.append({"role": "assistant", "content": done.content})
                results = await wire.ahandle(done)
                if not results:
                    return messages
                messages += results

    with serving(anthropic_rule, *MESSAGES) as server:
        messages = asyncio.run(main(server.url))

    assert ANSWER == messages[-1]["content"][0].text
    assert ["toolu_1", "toolu_2"] == [each["tool_use_id"] for each in messages[2]["content"]]


def streamed(reason: str = "tool_use", cut: int = 0) -> list[Any]:
    """Return the events of two calls, the input of each in pieces; of the last, *cut* is missing."""
    whole = MESSAGES[0]
    started = {**whole, "content": [], "stop_reason": None}
    events: list[Any] = [{"type": "message_start", "message": started}]
    for index, block in enumerate(whole["content"]):
        where = {"index": index}
        if block["type"] == "text":
            begun, pieces = {"type": "text", "text": ""}, [block["text"][:3], block["text"][3:]]
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
        else:
            text = json.dumps(block["input"])
            if index == 2 and cut:
                text = text[:-cut]
            begun = {**block, "input": {}}
            deltas = [
                {"type": "input_json_delta", "partial_json": each} for each in (text[:4], text[4:])
            ]
        events.append({"type": "content_block_start", **where, "content_block": begun})
        events += [{"type": "content_block_delta", **where, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", **where})
    delta = {"stop_reason": reason, "stop_sequence": None}
    events.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 2}})
    events.append({"type": "message_stop"})
    return [(each["type"], each) for each in events]


def of_stream(events: Any, until: str = "message_stop") -> Any:
    """Return the message that the client assembled of *events* before one of the type *until*."""
    with (
        serving(anthropic_rule, events) as server,
        client_of(server.url) as client,
        client.messages.stream(model="m", max_tokens=9, messages=ASKED) as stream,
    ):
        for event in stream:
            if event.type == until:
                return stream.current_message_snapshot
        return stream.get_final_message()


def test_a_stream_that_the_client_assembled() -> None:
    done = of_stream(streamed())
    [results] = anthropic_loop.WIRE.handle(done)
    rooms, bad = results["content"]

    assert "toolu_1" == rooms["tool_use_id"]
    assert "Elm" in rooms["content"]
    assert '// missing: "day": string (format date)' in bad["content"]


def test_a_call_that_was_cut_is_refused_even_though_the_client_completes_its_json() -> None:
    done = of_stream(streamed("max_tokens", cut=6), until="none")
    assert {"room": "Elm"} == {k: v for k, v in done.content[-1].input.items() if k == "room"}
    [results] = anthropic_loop.WIRE.handle(done)
    rooms, cut = results["content"]

    assert "is_error" not in rooms
    assert cut["is_error"] is True
    assert "this call was not run: the answer reached its limit of length" in cut["content"]


def test_a_message_of_which_the_stream_has_not_ended_does_not_run_its_last_call() -> None:
    snapshot = of_stream(streamed(), until="content_block_stop")
    [results] = anthropic_loop.WIRE.handle(of_stream(streamed(), until="input_json"))

    assert [] == anthropic_loop.WIRE.handle(snapshot)
    assert ["this call was not run" in block["content"] for block in results["content"]] == [True]


def test_a_stream_is_taken_as_it_is() -> None:
    wire = anthropic_loop.WIRE
    with serving(anthropic_rule, *[streamed()] * 3) as server, client_of(server.url) as client:
        create = client.messages.create
        expected = wire.handle(create(model="m", max_tokens=9, messages=ASKED, stream=True))
        events = [*create(model="m", max_tokens=9, messages=ASKED, stream=True)]
        with client.messages.stream(model="m", max_tokens=9, messages=ASKED) as stream:
            assert expected == wire.handle(iter(stream))

    assert "Elm" in expected[0]["content"][0]["content"]
    assert expected == wire.handle(events)
    assert expected == wire.handle(anthropic.types.Message.model_validate(wire.assembled(events)))
    with pytest.raises(Exception, match="it is one event of a stream"):
        wire.handle(events[0])
    with pytest.raises(Exception, match="the stream was cut off"):
        wire.handle(events[:-2])


def test_the_blocks_of_tools_that_anthropic_runs_ask_for_nothing() -> None:
    made = message("a", [("toolu_1", "rooms", {})])
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "a"}}
    made["content"].insert(0, search)
    with serving(anthropic_rule, made) as server:
        [results] = anthropic_loop.WIRE.handle(asked(server.url))

    assert ["toolu_1"] == [block["tool_use_id"] for block in results["content"]]


def test_what_the_client_says_of_results_is_what_they_are() -> None:
    from anthropic.types import MessageParam
    from pydantic import TypeAdapter

    with serving(anthropic_rule, MESSAGES[0]) as server:
        [results] = anthropic_loop.WIRE.handle(asked(server.url))

    TypeAdapter(MessageParam).validate_python(results)


def test_the_server_refuses_what_it_should() -> None:
    """Else it would prove nothing."""
    asked_for: Any = {"role": "assistant", "content": MESSAGES[0]["content"]}
    one = {"type": "tool_result", "tool_use_id": "toolu_1", "content": ""}
    answers: list[Any] = [
        ([*ASKED, asked_for, {"role": "user", "content": [one]}], "without tool_result blocks"),
        ([*ASKED, *ASKED], "roles must alternate"),
    ]
    for messages, told in answers:
        with (
            serving(anthropic_rule) as server,
            client_of(server.url) as client,
            pytest.raises(anthropic.BadRequestError, match=told),
        ):
            client.messages.create(model="m", max_tokens=9, messages=messages)
