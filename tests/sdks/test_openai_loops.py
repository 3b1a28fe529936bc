"""Whole conversations through OpenAI's own client, with a stand-in server on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("openai")

import openai

import typesig
from examples import booking, openai_loop
from tests.sdks.server import chat_rule, responses_rule, serving

USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
BOOKED = "Elm is booked for Wednesday, 2027-06-30"
ASKED: Any = [{"role": "user", "content": "a"}]
ANSWER = "Elm is yours on 30 June."


def completion(text: str | None, calls: Any, reason: str = "") -> dict[str, Any]:
    made = openai_loop.completion(text, *calls)
    made.update(id="x", object="chat.completion", created=1, model="m", usage=USAGE)
    if reason:
        made["choices"][0]["finish_reason"] = reason
    return made


def response(text: str | None, calls: Any, **changed: Any) -> dict[str, Any]:
    output = openai_loop.response(None, *calls)["output"]
    output = [{"id": f"fc_{n}", "status": "completed", **item} for n, item in enumerate(output)]
    output.insert(0, {"type": "reasoning", "id": "rs_1", "summary": []})
    if text is not None:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        output.append({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content})  # fmt: skip
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed",
        "output": output, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], **changed,
    }  # fmt: skip


PAIRS = [*zip(openai_loop.ANSWERS, openai_loop.CALLS, strict=True)]


def client_of(url: str) -> openai.OpenAI:
    return openai.OpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0)


def test_a_conversation_by_chat_completions() -> None:
    with (
        serving(chat_rule, *[completion(*pair) for pair in PAIRS]) as server,
        client_of(server.url) as client,
    ):
        assert ANSWER == openai_loop.ask_chat(client, booking.QUESTION)

    first, second, third = server.requests
    assert [*map(dict, openai_loop.CHAT.definitions)] == first["tools"]
    rooms, bad = second["messages"][-2:]
    assert "call_1" == rooms["tool_call_id"]
    assert "Elm" in rooms["content"]
    assert '// missing: "day": string (format date)' in bad["content"]
    assert {"role": "tool", "tool_call_id": "call_3", "content": BOOKED} == third["messages"][-1]


def test_a_conversation_by_responses() -> None:
    with (
        serving(responses_rule, *[response(*pair) for pair in PAIRS]) as server,
        client_of(server.url) as client,
    ):
        assert ANSWER == openai_loop.ask_responses(client, booking.QUESTION)

    first, second, third = server.requests
    assert [*map(dict, openai_loop.RESPONSES.definitions)] == first["tools"]
    assert '// missing: "day": string (format date)' in second["input"][-1]["output"]
    assert ("call_3", BOOKED) == (third["input"][-1]["call_id"], third["input"][-1]["output"])


def test_a_conversation_by_the_asynchronous_client() -> None:
    async def main(url: str) -> list[Any]:
        wire = booking.TOOLS.project("openai", api="chat")
        messages: list[Any] = [{"role": "user", "content": booking.QUESTION}]
        async with openai.AsyncOpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0) as client:
            while True:
                done = await client.chat.completions.create(
                    model="m", messages=messages, tools=wire.definitions
                )
                messages.append(done.choices[0].message)
                results = await wire.ahandle(done)
                if not results:
                    return messages
                messages += results

    with serving(chat_rule, *[completion(*pair) for pair in PAIRS]) as server:
        messages = asyncio.run(main(server.url))

    assert ANSWER == messages[-1].content
    assert ["call_1", "call_2"] == [m["tool_call_id"] for m in server.requests[1]["messages"][-2:]]


def chunk(delta: dict[str, Any], reason: str | None = None) -> tuple[None, dict[str, Any]]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return None, {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}  # fmt: skip


def streamed_completion(reason: str = "tool_calls") -> list[Any]:
    """Return the chunks of two calls, the arguments of each in pieces."""
    chunks: list[Any] = [chunk({"role": "assistant", "content": None})]
    for index, (id, name, arguments) in enumerate(openai_loop.CALLS[0]):
        function = {"name": name, "arguments": ""}
        chunks.append(chunk({"tool_calls": [{"index": index, "id": id, "type": "function", "function": function}]}))  # fmt: skip
        chunks += [
            chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
            for piece in (arguments[:5], arguments[5:])
        ]
    return [*chunks, chunk({}, reason), (None, "[DONE]")]


def test_a_stream_of_a_chat_completion_that_the_client_assembled() -> None:
    wire = booking.TOOLS.project("openai", api="chat")
    with (
        serving(chat_rule, streamed_completion()) as server,
        client_of(server.url) as client,
        client.chat.completions.stream(model="m", messages=ASKED) as stream,
    ):
        for _ in stream:
            pass
        done = stream.get_final_completion()
    rooms, bad = wire.handle(done)

    assert "call_1" == rooms["tool_call_id"]
    assert "Elm" in rooms["content"]
    assert "call_2" == bad["tool_call_id"]
    assert '// missing: "day": string (format date)' in bad["content"]


def streamed_response() -> list[Any]:
    """Return the events of a response with two calls."""
    done = response(None, openai_loop.CALLS[0])
    events: list[Any] = [{"type": "response.created", "response": {**done, "output": [], "status": "in_progress"}}]  # fmt: skip
    for index, item in enumerate(done["output"]):
        started = {
            **item,
            **({"arguments": "", "status": "in_progress"} if "call_id" in item else {}),
        }
        events.append(
            {"type": "response.output_item.added", "output_index": index, "item": started}
        )
        if "call_id" in item:
            where = {"item_id": item["id"], "output_index": index}
            events += [
                {"type": "response.function_call_arguments.delta", **where, "delta": piece}
                for piece in (item["arguments"][:5], item["arguments"][5:])
            ]
            events.append({"type": "response.function_call_arguments.done", **where, "name": item["name"], "arguments": item["arguments"]})  # fmt: skip
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append({"type": "response.completed", "response": done})
    return [(each["type"], {"sequence_number": n, **each}) for n, each in enumerate(events)]


def test_a_stream_of_a_response_that_the_client_assembled() -> None:
    wire = booking.TOOLS.project("openai", api="responses")
    with (
        serving(responses_rule, streamed_response()) as server,
        client_of(server.url) as client,
        client.responses.stream(model="m", input=ASKED) as stream,
    ):
        events = [*stream]
        done = stream.get_final_response()
    results = wire.handle(done)

    assert ["call_1", "call_2"] == [each["call_id"] for each in results]
    assert '// missing: "day": string (format date)' in results[1]["output"]
    assert results == wire.handle(events[-1])
    with pytest.raises(Exception, match="it is one event of a stream"):
        wire.handle(events[2])


def test_a_stream_is_taken_as_it_is() -> None:
    wire = booking.TOOLS.project("openai", api="chat")
    with (
        serving(chat_rule, *[streamed_completion()] * 4) as server,
        client_of(server.url) as client,
    ):
        expected = wire.handle(
            client.chat.completions.create(model="m", messages=ASKED, stream=True)
        )
        chunks = [*client.chat.completions.create(model="m", messages=ASKED, stream=True)]
        with pytest.raises(Exception, match="it is one event of a stream"):
            wire.handle(chunks[0])
        with client.chat.completions.stream(model="m", messages=ASKED) as stream:
            assert expected == wire.handle(stream)
        stream = client.chat.completions.create(model="m", messages=ASKED, stream=True)
        assert len(chunks) == len([*stream])
        with pytest.raises(Exception, match="the stream has no events: it was read before"):
            wire.handle(stream)

    assert ["call_1", "call_2"] == [each["tool_call_id"] for each in expected]
    assert expected == wire.handle(chunks)
    whole = openai.types.chat.ChatCompletion.model_validate(wire.assembled(chunks))
    assert expected == wire.handle(whole)
    with pytest.raises(Exception, match="the stream was cut off"):
        wire.handle(chunks[:-1])


def test_a_stream_of_a_response_is_taken_as_it_is() -> None:
    wire = booking.TOOLS.project("openai", api="responses")
    with (
        serving(responses_rule, streamed_response(), streamed_response()) as server,
        client_of(server.url) as client,
    ):
        expected = wire.handle(client.responses.create(model="m", input=ASKED, stream=True))
        events = [*client.responses.create(model="m", input=ASKED, stream=True)]

    assert ["call_1", "call_2"] == [each["call_id"] for each in expected]
    assert expected == wire.handle(events)
    with pytest.raises(Exception, match="the stream was cut off"):
        wire.handle(events[:-1])


def test_a_stream_of_the_asynchronous_client_is_taken_as_it_is() -> None:
    wire = booking.TOOLS.project("openai", api="chat")

    async def main(url: str) -> list[Any]:
        async with openai.AsyncOpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0) as client:
            stream = await client.chat.completions.create(model="m", messages=ASKED, stream=True)
            return await wire.ahandle(stream)

    with serving(chat_rule, streamed_completion()) as server:
        results = asyncio.run(main(server.url))

    assert ["call_1", "call_2"] == [each["tool_call_id"] for each in results]


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_call_that_was_cut_is_refused(reason: str) -> None:
    wire = booking.TOOLS.project("openai", api="chat")
    cut = completion(None, [("call_1", "rooms", '{"seats": 8')], reason)
    with serving(chat_rule, cut) as server, client_of(server.url) as client:
        done = client.chat.completions.create(model="m", messages=ASKED)
    [message] = wire.handle(done)

    assert "this call was not run: the answer" in message["content"]


def test_a_response_that_was_cut_runs_the_calls_that_are_whole() -> None:
    wire = booking.TOOLS.project("openai", api="responses")
    cut = response(
        None,
        [("call_1", "rooms", "{}"), ("call_2", "rooms", '{"seats"')],
        status="incomplete",
        incomplete_details={"reason": "max_output_tokens"},
    )
    cut["output"][-1]["status"] = "incomplete"
    with serving(responses_rule, cut) as server, client_of(server.url) as client:
        done = client.responses.create(model="m", input=ASKED)
    whole, refused = wire.handle(done)

    assert "Birch" in whole["output"]
    assert "this call was not run" in refused["output"]
    assert json.dumps([whole, refused])


@typesig.tool
def grade(points: dict[str, int], note: str | None = None) -> dict[str, int]:
    """Add up points."""
    return {"sum": sum(points.values())}


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_with_a_strict_definition_calls_have_the_form_that_it_asks_for(api: str) -> None:
    """A map is a list of its pairs, and what is left out is null: so is the feedback."""
    wire = typesig.tools_of([grade]).project("openai", api=api, strict=True)
    pairs = [{"key": "a", "value": 2}, {"key": "b", "value": 3}]
    good = json.dumps({"points": pairs, "note": None})
    bad = json.dumps({"points": [{"key": "a", "value": "two"}], "note": None})
    calls = [("call_1", "grade", good), ("call_2", "grade", bad)]
    with client_of_calls(api, calls) as done:
        added, refused = wire.handle(done)

    key = "content" if api == "chat" else "output"
    assert '{"sum":5}' == added[key]
    assert '"value": "two"  // expected integer, got string "two"' in refused[key]


@contextmanager
def client_of_calls(api: str, calls: Any) -> Iterator[Any]:
    """Yield what the client makes of an answer with *calls*."""
    if api == "chat":
        with serving(chat_rule, completion(None, calls)) as server, client_of(server.url) as client:
            yield client.chat.completions.create(model="m", messages=ASKED)
        return
    with serving(responses_rule, response(None, calls)) as server, client_of(server.url) as client:
        yield client.responses.create(model="m", input=ASKED)


def test_the_server_refuses_what_it_should() -> None:
    """Else it would prove nothing."""
    wrong: Any = [
        {"type": "function", "function": {"name": "a b", "parameters": {"type": "object"}}}
    ]
    asked: Any = openai_loop.completion(None, ("call_1", "rooms", "{}"))["choices"][0]["message"]
    result: Any = {"role": "tool", "tool_call_id": "call_2", "content": ""}
    with serving(chat_rule) as server, client_of(server.url) as client:
        create = client.chat.completions.create
        with pytest.raises(openai.BadRequestError, match="O-name"):
            create(model="m", messages=ASKED, tools=wrong)
        with pytest.raises(openai.BadRequestError, match="did not have response messages"):
            create(model="m", messages=[*ASKED, asked])
        with pytest.raises(openai.BadRequestError, match="no call call_2 precedes its result"):
            create(model="m", messages=[*ASKED, asked, result])
        with pytest.raises(openai.BadRequestError, match="there is no further answer"):
            create(model="m", messages=ASKED)
