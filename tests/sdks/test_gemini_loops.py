"""Whole conversations through Google's own client, with a stand-in server on loopback."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any, Literal

import pytest

pytest.importorskip("google.genai")

from google import genai

import typesig
from examples import booking, gemini_loop
from tests.sdks.server import SIGNATURE, gemini_rule, serving

ASKED: Any = {"role": "user", "parts": [{"text": "a"}]}
ANSWER = "Elm is yours on 30 June."


def response(text: str, calls: Any, reason: str = "STOP", ids: bool = False) -> dict[str, Any]:
    """Return a response in JSON: only the first of several calls is signed."""
    parts: list[Any] = [{"text": text}]
    for n, (name, args) in enumerate(calls):
        call = {**({"id": f"id{n}"} if ids else {}), "name": name, "args": args}
        signed = {} if n else {"thoughtSignature": SIGNATURE}
        parts.append({"functionCall": call, **signed})
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason}]}


PAIRS = [*zip(gemini_loop.ANSWERS, gemini_loop.CALLS, strict=True)]
RESPONSES = [response(*pair) for pair in PAIRS]


def client_of(url: str) -> genai.Client:
    return genai.Client(api_key="k", http_options={"base_url": url})


@pytest.mark.parametrize("ids", [False, True])
def test_a_conversation(ids: bool) -> None:
    answers = [response(*pair, ids=ids) for pair in PAIRS]
    with serving(gemini_rule, *answers) as server, client_of(server.url) as client:
        assert ANSWER == gemini_loop.ask(client, booking.QUESTION)

    first, second, third = server.requests
    assert ["rooms", "book"] == [each["name"] for each in first["tools"][0]["functionDeclarations"]]
    rooms, bad = [part["functionResponse"] for part in second["contents"][-1]["parts"]]
    assert "Elm" in str(rooms["response"]["output"])
    assert '// missing: "day": string (format date)' in bad["response"]["error"]
    assert ["id0", "id1"] == [each.get("id") for each in (rooms, bad)] or not ids
    [booked] = third["contents"][-1]["parts"]
    output = {"output": "Elm is booked for Wednesday, 2027-06-30"}
    assert output == booked["functionResponse"]["response"]
    signed = [part.get("thoughtSignature") for part in third["contents"][1]["parts"]]
    assert [None, SIGNATURE, None] == signed


def test_a_conversation_by_the_asynchronous_client() -> None:
    async def main(url: str) -> list[Any]:
        wire = booking.TOOLS.project("gemini")
        client = client_of(url)
        contents: list[Any] = [{"role": "user", "parts": [{"text": booking.QUESTION}]}]
        while True:
            done = await client.aio.models.generate_content(model="m", contents=contents)
            contents.append(done.candidates[0].content)  # type: ignore[index]
            results = await wire.ahandle(done)
            if not results:
                await client.aio.aclose()
                return contents
            contents += results

    with serving(gemini_rule, *RESPONSES) as server:
        contents = asyncio.run(main(server.url))

    assert ANSWER == contents[-1].parts[0].text
    assert 3 == len(server.requests)


def test_a_chat_of_the_client() -> None:
    wire = gemini_loop.WIRE
    with serving(gemini_rule, *RESPONSES) as server, client_of(server.url) as client:
        chat = client.chats.create(model="m")
        done = chat.send_message(booking.QUESTION)
        while results := wire.handle(done):
            # A chat of the client takes its own objects only.
            parts = map(genai.types.Part.model_validate, results[0]["parts"])
            done = chat.send_message([*parts])

    assert ANSWER == done.text
    assert 3 == len(server.requests)


def streamed() -> list[Any]:
    """Return the chunks of a response with two calls, each call whole in its chunk."""
    [content] = [each["content"] for each in RESPONSES[0]["candidates"]]
    chunks = [
        {"candidates": [{"content": {"role": "model", "parts": [p]}}]} for p in content["parts"]
    ]
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    return [(None, chunk) for chunk in chunks]


def test_a_stream_whose_chunks_are_collected() -> None:
    with serving(gemini_rule, streamed()) as server, client_of(server.url) as client:
        chunks = [*client.models.generate_content_stream(model="m", contents="a")]
        [results] = gemini_loop.WIRE.handle(chunks)
    rooms, bad = [part["function_response"] for part in results["parts"]]

    assert ("rooms", "book") == (rooms["name"], bad["name"])
    assert '// missing: "day": string (format date)' in bad["response"]["error"]


def test_a_stream_is_taken_as_it_is() -> None:
    wire = gemini_loop.WIRE
    with serving(gemini_rule, *[streamed()] * 2) as server, client_of(server.url) as client:
        ask = client.models.generate_content_stream
        expected = wire.handle(ask(model="m", contents="a"))
        chunks = [*ask(model="m", contents="a")]

    assert 2 == len(expected[0]["parts"])
    assert expected == wire.handle(chunks)
    whole = genai.types.GenerateContentResponse.model_validate(wire.assembled(chunks))
    assert expected == wire.handle(whole)
    with pytest.raises(Exception, match="the stream was cut off"):
        wire.handle(chunks[:-1])


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "SAFETY", "PROHIBITED_CONTENT"])
def test_a_call_that_was_cut_is_refused(reason: str) -> None:
    cut = response("a", [("rooms", {"seats": 8})], reason)
    with serving(gemini_rule, cut) as server, client_of(server.url) as client:
        done = client.models.generate_content(model="m", contents="a")
    [results] = gemini_loop.WIRE.handle(done)

    error = results["parts"][0]["function_response"]["response"]["error"]
    assert "this call was not run: the answer" in error


def test_a_loop_goes_on_after_a_call_that_the_model_could_not_spell() -> None:
    malformed = {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "…"}]}
    with (
        serving(gemini_rule, malformed, response("Done.", [])) as server,
        client_of(server.url) as client,
    ):
        said = gemini_loop.ask(client, "Book a room.")
        sent = server.requests[-1]["contents"]

    assert "Done." == said
    assert ["user", "user"] == [each["role"] for each in sent]
    assert "your call could not be read" in sent[1]["parts"][0]["text"]


def test_any_part_of_a_response_is_taken_and_keeps_its_signature() -> None:
    with serving(gemini_rule, RESPONSES[0]) as server, client_of(server.url) as client:
        done = client.models.generate_content(model="m", contents="a")
    candidate = done.candidates[0]  # type: ignore[index]
    whole = gemini_loop.WIRE.handle(done)

    assert whole == gemini_loop.WIRE.handle(candidate)
    assert whole == gemini_loop.WIRE.handle(candidate.content)
    assert whole == gemini_loop.WIRE.handle(candidate.content.parts)  # type: ignore[union-attr]
    assert whole == gemini_loop.WIRE.handle(done.function_calls)
    assert b"signed" == candidate.content.parts[1].thought_signature  # type: ignore
    genai.types.Content.model_validate(whole[0])


@pytest.mark.parametrize("api", ["parameters", "json"])
def test_the_definitions_of_a_declaration_with_everything_pass(api: str) -> None:
    """They go through the client's own types, which spell names in another way."""

    @typesig.tool
    def plan(rooms: list[dict[str, int]], kind: Literal[1, 2] | None, day: date | int) -> str:
        """Plan a day."""
        return f"{kind}"

    wire = typesig.tools_of([plan]).project("gemini", api=api)
    sent = wire.tools["plan"].encode_arguments({"rooms": [{"a": 1}], "kind": 2, "day": 3})
    config: Any = {"tools": [{"function_declarations": wire.definitions}]}
    answer = response("a", [("plan", sent)])
    with serving(gemini_rule, answer) as server, client_of(server.url) as client:
        done = client.models.generate_content(model="m", contents="a", config=config)
    [results] = wire.handle(done)

    assert {"output": "2"} == results["parts"][0]["function_response"]["response"]


def test_the_server_refuses_what_it_should() -> None:
    """Else it would prove nothing."""
    call = {"name": "rooms", "args": {}}
    unsigned: Any = {"role": "model", "parts": [{"function_call": call}]}
    signed: Any = {
        "role": "model",
        "parts": [{"function_call": call, "thought_signature": SIGNATURE}],
    }
    for contents, told in [([unsigned], "thought_signature"), ([signed, ASKED], "the number of")]:
        with (
            serving(gemini_rule) as server,
            client_of(server.url) as client,
            pytest.raises(genai.errors.ClientError, match=told),
        ):
            client.models.generate_content(model="m", contents=contents)
