"""Events of a stream: assembled they are the whole answer, however it was cut; else it is an error."""

from __future__ import annotations

import asyncio
import enum
import json
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import pairwise
from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typesig
from tests.generators import LAW
from tests.providers.projection.test_call_handler import as_objects
from typesig import TypesigError
from typesig.limits import MAX_EVENTS
from typesig.providers.projection import messages

RAN: list[Any] = []


@typesig.tool
def book(room: str = "", seats: int = 1) -> str:
    """Book a room."""
    RAN.append((room, seats))
    return f"{room} for {seats}"


@typesig.tool
async def later(room: str = "") -> str:
    """Book a room later."""
    return room


TOOLS = typesig.tools_of([book])
Pieces = Callable[[str], list[str]]

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["book", "nook"]),
        st.dictionaries(st.sampled_from(["room", "seats", "x"]), TEXTS | st.integers(), max_size=3),
    ),
    max_size=3,
)


@st.composite
def pieces(draw: st.DrawFn) -> Pieces:
    """Draw how texts are cut."""
    chances = draw(st.randoms(use_true_random=False))

    def cut(text: str) -> list[str]:
        places = sorted(chances.randint(0, len(text)) for _ in range(chances.randint(0, 4)))
        edges = [0, *places, len(text)]
        return [text[a:b] for a, b in pairwise(edges)]

    return cut


# -- Whole answers, and their events


def chat(text: str | None, calls: Any) -> dict[str, Any]:
    asked = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(sent)}}
        for n, (name, sent) in enumerate(calls)
    ]  # fmt: skip
    message = {"role": "assistant", "content": text, **({"tool_calls": asked} if asked else {})}
    reason = "tool_calls" if asked else "stop"
    choice = {"index": 0, "finish_reason": reason, "message": message}
    return {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice]}


def chat_events(whole: Any, cut: Pieces) -> Iterator[Any]:
    [choice] = whole["choices"]
    message = choice["message"]

    def chunk(delta: Any, reason: str | None = None) -> Any:
        part = {"index": 0, "delta": delta, "finish_reason": reason}
        return {**whole, "object": "chat.completion.chunk", "choices": [part]}

    yield chunk({"role": "assistant", "content": None})
    for piece in [] if message["content"] is None else cut(message["content"]):
        yield chunk({"content": piece})
    for index, call in enumerate(message.get("tool_calls", [])):
        function = {**call["function"], "arguments": ""}
        yield chunk({"tool_calls": [{**call, "index": index, "function": function}]})
        for piece in cut(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, choice["finish_reason"])
    yield {**whole, "object": "chat.completion.chunk", "choices": []}


def responses(text: str | None, calls: Any) -> dict[str, Any]:
    said = {"type": "message", "role": "assistant", "status": "completed"}
    output: list[Any] = [
        {"type": "function_call", "call_id": f"c{n}", "name": name, "arguments": json.dumps(sent)}
        for n, (name, sent) in enumerate(calls)
    ]
    if text is not None:
        output.insert(0, {**said, "content": [{"type": "output_text", "text": text}]})
    return {"object": "response", "status": "completed", "output": output}


def responses_events(whole: Any, cut: Pieces) -> Iterator[Any]:
    started = {**whole, "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    for index, item in enumerate(whole["output"]):
        where = {"output_index": index}
        opened = {**item, "arguments": ""} if "arguments" in item else {**item, "content": []}
        yield {"type": "response.output_item.added", **where, "item": opened}
        if "arguments" in item:
            for piece in cut(item["arguments"]):
                yield {"type": "response.function_call_arguments.delta", **where, "delta": piece}
        else:
            for piece in cut(item["content"][0]["text"]):
                yield {"type": "response.output_text.delta", **where, "delta": piece}
        yield {"type": "response.output_item.done", **where, "item": item}
    yield {"type": "response.completed", "response": whole}


def anthropic(text: str | None, calls: Any) -> dict[str, Any]:
    blocks: list[Any] = [
        {"type": "tool_use", "id": f"c{n}", "name": name, "input": sent}
        for n, (name, sent) in enumerate(calls)
    ]
    if text is not None:
        thought = {"type": "thinking", "thinking": text, "signature": "c2ln"}
        blocks = [thought, {"type": "text", "text": text}, *blocks]
    reason = "tool_use" if calls else "end_turn"
    ended = {"stop_reason": reason, "stop_sequence": None, "usage": {"output_tokens": 9}}
    return {"type": "message", "role": "assistant", "content": blocks, **ended}


def anthropic_events(whole: Any, cut: Pieces) -> Iterator[Any]:
    started = {**whole, "content": [], "stop_reason": None, "usage": {"output_tokens": 1}}
    yield {"type": "message_start", "message": started}
    yield {"type": "ping"}
    for index, block in enumerate(whole["content"]):
        deltas: list[dict[str, Any]] = []
        opened = dict(block)
        if "input" in block:
            opened["input"] = {}
            # Without input there is an empty piece, or none.
            sent = json.dumps(block["input"]) if block["input"] else ""
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in cut(sent)]
        elif "thinking" in block:
            opened |= {"thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": p} for p in cut(block["thinking"])]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        else:
            opened["text"] = ""
            deltas = [{"type": "text_delta", "text": piece} for piece in cut(block["text"])]
        yield {"type": "content_block_start", "index": index, "content_block": opened}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": whole["usage"]}
    yield {"type": "message_stop"}


def gemini(text: str | None, calls: Any) -> dict[str, Any]:
    parts: list[Any] = [
        {"functionCall": {"id": f"c{n}", "name": name, "args": sent}, "thoughtSignature": "c2ln"}
        for n, (name, sent) in enumerate(calls)
    ]
    if text is not None:
        parts = [{"text": text, "thought": True}, {"text": text}, *parts]
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    return {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 3}}


def gemini_events(whole: Any, cut: Pieces) -> Iterator[Any]:
    [candidate] = whole["candidates"]
    for part in candidate["content"]["parts"]:
        for piece in cut(part["text"]) if "text" in part else [None]:
            shown = part if piece is None else {**part, "text": piece}
            content = {"role": "model", "parts": [shown]}
            yield {"candidates": [{"index": 0, "content": content}]}
    last = {"role": "model", "parts": []}
    yield {**whole, "candidates": [{**candidate, "content": last}]}


Made = tuple[str, Callable[..., Any], Callable[..., Iterator[Any]]]
STREAMS: dict[str, Made] = {
    "chat": ("openai", chat, chat_events),
    "responses": ("openai", responses, responses_events),
    "anthropic": ("anthropic", anthropic, anthropic_events),
    "gemini": ("gemini", gemini, gemini_events),
}
streams = pytest.mark.parametrize("spelling", STREAMS)


def whole_text(text: str) -> list[str]:
    return [text]


def events_of(spelling: str, calls: Any = (("book", {"room": "Elm"}),)) -> tuple[Any, list[Any]]:
    """Return the projection, and the events of an answer with *calls*."""
    provider, make, cut_up = STREAMS[spelling]
    projection = TOOLS.project(provider)  # type: ignore[arg-type]
    return projection, [*cut_up(make("ok", calls), whole_text)]


@streams
@LAW
@given(cut=pieces(), text=st.none() | TEXTS, calls=CALLS)
def test_the_events_of_an_answer_are_the_answer_however_it_was_cut(
    spelling: str, cut: Pieces, text: str | None, calls: Any
) -> None:
    provider, make, cut_up = STREAMS[spelling]
    projection = TOOLS.project(provider)  # type: ignore[arg-type]
    whole = make(text, calls)
    events = [*cut_up(whole, cut)]

    assert whole == projection.assembled(events)
    assert projection.handle(whole) == projection.handle(events)


@streams
@LAW
@given(cut=pieces(), text=st.none() | TEXTS, calls=CALLS, data=st.data())
def test_a_stream_that_is_cut_off_is_an_error_and_no_tool_runs(
    spelling: str, cut: Pieces, text: str | None, calls: Any, data: st.DataObject
) -> None:
    provider, make, cut_up = STREAMS[spelling]
    projection = TOOLS.project(provider)  # type: ignore[arg-type]
    events = [*cut_up(make(text, calls), cut)]
    # What ends an answer: of chat and Anthropic, one event follows it.
    last = len(events) - (2 if spelling in ("chat", "anthropic") else 1)
    if last == 0:
        return
    RAN.clear()
    with pytest.raises(TypesigError) as raised:
        projection.handle(iter(events[: data.draw(st.integers(1, last))]))

    assert str(raised.value).startswith("the stream was cut off: ")
    assert "; no tool was run, since a call may not be whole: ask the model again" in str(
        raised.value
    )
    assert [] == RAN


@streams
def test_a_stream_is_taken_in_whichever_form_it_comes(spelling: str) -> None:
    projection, events = events_of(spelling)
    found = projection.handle(events)

    assert "Elm for 1" in json.dumps(found)
    assert found == projection.handle(tuple(events))
    assert found == projection.handle(iter(events))
    assert found == projection.handle(each for each in events)
    assert found == projection.handle(as_objects(events))
    assert found == projection.handle(projection.assembled(iter(events)))


@streams
def test_an_asynchronous_stream_needs_ahandle(spelling: str) -> None:
    provider, make, cut_up = STREAMS[spelling]
    projection = typesig.tools_of([later]).project(provider)  # type: ignore[arg-type]
    whole = make(None, [("later", {"room": "Elm"})])

    async def stream() -> AsyncIterator[Any]:
        for event in cut_up(whole, whole_text):
            yield event

    expected = asyncio.run(projection.ahandle(whole))
    with pytest.raises(TypesigError, match=r"asynchronous stream: write await ….ahandle\(…\)"):
        projection.handle(stream())

    assert "Elm" in json.dumps(expected)
    assert expected == asyncio.run(projection.ahandle(stream()))
    assert expected == asyncio.run(projection.ahandle(cut_up(whole, whole_text)))


@streams
def test_what_a_stream_raises_passes(spelling: str) -> None:
    projection, events = events_of(spelling)

    def broken() -> Iterator[Any]:
        yield from events[:-1]
        raise ConnectionError("gone")

    RAN.clear()
    with pytest.raises(ConnectionError, match="gone"):
        projection.handle(broken())

    assert [] == RAN


def test_a_stream_that_was_read_before_is_an_error() -> None:
    projection, events = events_of("chat")
    stream = iter(events)
    assert len(events) == len([*stream])
    told = "the stream has no events: it was read before; keep its events in a list, and pass that"
    with pytest.raises(TypesigError) as raised:
        projection.handle(stream)

    assert told == str(raised.value)


def test_a_stream_has_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_EVENTS == messages.MAX_EVENTS
    monkeypatch.setattr(messages, "MAX_EVENTS", 3)
    projection, events = events_of("anthropic")

    async def stream() -> AsyncIterator[Any]:
        for event in events:
            yield event

    with pytest.raises(typesig.errors.TooLarge, match="the stream has more than 3 events"):
        projection.handle(iter(events))
    with pytest.raises(typesig.errors.TooLarge, match="the stream has more than 3 events"):
        asyncio.run(projection.ahandle(stream()))


@streams
def test_one_event_is_no_answer(spelling: str) -> None:
    projection, events = events_of(spelling)
    if spelling == "gemini":
        return
    with pytest.raises(TypesigError, match="it is one event of a stream: pass all of them"):
        projection.handle(events[0])


def test_the_last_event_of_a_response_is_an_answer() -> None:
    projection, events = events_of("responses")

    assert projection.handle(events) == projection.handle(events[-1])


@pytest.mark.parametrize("own", STREAMS)
@pytest.mark.parametrize("other", ["openai", "anthropic", "gemini"])
def test_a_stream_of_another_vendor_is_refused_and_named(own: str, other: Any) -> None:
    provider, _, _ = STREAMS[own]
    if provider == other:
        return
    _, events = events_of(own)
    projection = TOOLS.project(other)
    for refused in (projection.handle, projection.assembled):
        with pytest.raises(TypesigError) as raised:
            refused(iter(events))

        assert f'project("{provider}")' in str(raised.value)


def test_what_is_no_stream_is_not_assembled() -> None:
    with pytest.raises(
        TypesigError, match="assembled takes a stream, or its events in a list, not"
    ):
        TOOLS.project("openai").assembled(5)
    with pytest.raises(TypesigError, match="MCP has no streams of answers"):
        TOOLS.project("mcp").assembled([])


def chunk(*calls: Any, reason: str | None = None) -> Any:
    delta = {"tool_calls": [*calls]} if calls else {}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


END = chunk(reason="tool_calls")
ELM = {"id": "a", "type": "function", "function": {"name": "book", "arguments": '{"room": "Elm"}'}}
OAK = {"id": "b", "type": "function", "function": {"name": "book", "arguments": '{"room": "Oak"}'}}
HALF = {"id": "b", "type": "function", "function": {"name": "book", "arguments": '{"room": '}}
REST = {"function": {"arguments": '"Oak"}'}}


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([chunk({**ELM, "index": 0}, {**OAK, "index": 1}), END], id="in one chunk"),
        pytest.param([chunk(ELM), chunk(OAK), END], id="without an index"),
        pytest.param([chunk({**ELM, "index": 0}), chunk({**OAK, "index": 0}), END], id="of one index"),
        pytest.param([chunk(ELM), chunk(HALF), chunk(REST), END], id="a rest without an index"),
        pytest.param([chunk(ELM), chunk(HALF), chunk({**REST, "id": "b"}), END], id="the id again"),
        pytest.param([chunk({**ELM, "index": 0}), chunk({**HALF, "index": 1}), chunk({**REST, "index": 1, "id": ""}), END], id="an empty id"),
    ],
)  # fmt: skip
def test_calls_of_servers_that_spell_chunks_in_other_ways_are_assembled(events: Any) -> None:
    found = TOOLS.project("openai").handle(events)

    assert [("a", "Elm for 1"), ("b", "Oak for 1")] == [
        (each["tool_call_id"], each["content"]) for each in found
    ]


def test_events_of_the_clients_own_helpers_have_the_chunks() -> None:
    """`client.chat.completions.stream` and `client.messages.stream` yield more than events."""
    projection, events = events_of("chat")
    wrapped = [{"type": "chunk", "chunk": each, "snapshot": {}} for each in events]
    helper = [{"type": "content.delta", "delta": "o"}, *wrapped, {"type": "content.done"}]
    own, blocks = events_of("anthropic")

    assert projection.handle(events) == projection.handle(helper)
    assert own.handle(blocks) == own.handle([*blocks, {"type": "text", "text": "ok"}])


def test_a_choice_of_a_chunk_is_no_answer() -> None:
    with pytest.raises(TypesigError, match="it is one event of a stream"):
        TOOLS.project("openai").handle(END["choices"][0])


@pytest.mark.parametrize(
    ("provider", "events", "told"),
    [
        ("openai", [END, {"error": {"message": "overloaded", "code": 503}}], "503: overloaded"),
        ("openai", [{"error": {}, **END}], "it says no more"),
        ("openai", [{"type": "response.created"}, {"type": "error", "code": "server_error", "message": "sorry"}], "server_error: sorry"),
        ("anthropic", [{"type": "ping"}, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}], "overloaded_error: Overloaded"),
        ("gemini", [{"candidates": []}, {"error": {"code": 503, "message": "later"}}], "503: later"),
    ],
)  # fmt: skip
def test_an_error_in_a_stream_is_told(provider: Any, events: Any, told: str) -> None:
    with pytest.raises(TypesigError) as raised:
        TOOLS.project(provider).handle(events)

    assert (
        f"the stream ends in an error: {told}; no tool was run: ask the model again"
    ) == str(raised.value)  # fmt: skip


@pytest.mark.parametrize(
    ("events", "missing"),
    [
        ([{"type": "content_block_stop", "index": 0}], "its beginning, the event message_start"),
        ([{"type": "message_stop"}], "its beginning, the event message_start"),
        ([{"type": "message_start"}, {"type": "content_block_delta", "index": 0}], "the beginning of a block, the event content_block_start"),
        ([{"type": "ping"}], "its beginning, the event message_start"),
    ],
)  # fmt: skip
def test_a_stream_without_its_beginning_is_cut_off_too(events: Any, missing: str) -> None:
    with pytest.raises(TypesigError, match=f"the stream was cut off: {missing}, is missing"):
        TOOLS.project("anthropic").handle(events)


def test_a_call_that_reached_the_limit_is_refused_as_in_a_whole_answer() -> None:
    projection, events = events_of("anthropic", [("book", {"room": "Elm"})])
    cut = [each for each in events if each["type"] != "content_block_delta" or each["index"] < 2]
    cut.insert(-3, {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"room": "E'}})  # fmt: skip
    cut[-2] = {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}
    [message] = projection.handle(cut)

    assert "this call was not run: the answer reached its limit of length" in json.dumps(message)
    assert '{"room": "E' == projection.assembled(cut)["content"][-1]["input"]


def test_citations_are_assembled() -> None:
    citation = {"type": "char_location", "cited_text": "a"}
    delta = {"type": "citations_delta", "citation": citation}
    block = {"type": "text", "text": "a"}
    events = [
        {"type": "message_start", "message": {"role": "assistant"}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    ]
    found = TOOLS.project("claude").assembled(events)

    assert [{**block, "citations": [citation, citation]}] == found["content"]


def test_items_that_the_last_event_of_a_response_lacks_are_those_of_others() -> None:
    projection, events = events_of("responses")
    last = {**events[-1], "response": {**events[-1]["response"], "output": []}}

    assert projection.handle(events) == projection.handle([*events[:-1], last])


def test_a_prompt_that_gemini_blocked_has_no_answer_and_is_not_cut_off() -> None:
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}}

    assert [] == TOOLS.project("gemini").handle(iter([blocked]))


def test_lists_and_nested_parts_of_chunks_go_on() -> None:
    log = [{"token": "a"}]
    parts = [
        {"delta": {"content": "a", "extra": {"why": "b"}}, "logprobs": {"content": log}},
        {"delta": {"content": "a", "extra": {"why": "c"}}, "logprobs": {"content": log}},
        {"delta": {}, "logprobs": None, "finish_reason": "stop"},
    ]
    [choice] = TOOLS.project("openai").assembled([{"choices": [p]} for p in parts])["choices"]

    assert "bc" == choice["message"]["extra"]["why"]
    assert [*log, *log] == choice["logprobs"]["content"]


def test_what_nests_deep_in_a_chunk_is_handed_on() -> None:
    deep: Any = []
    for _ in range(2_000):
        deep = {"a": deep}
    parts = [{"delta": {"x": deep}}, {"delta": {"x": deep}, "finish_reason": "stop"}]
    found = TOOLS.project("openai").handle([{"choices": [p]} for p in parts])

    assert [] == found


def test_what_is_no_event_in_a_stream_of_events_is_passed_over() -> None:
    projection, events = events_of("chat")

    assert projection.handle(events) == projection.handle([*events, None, "", 5])


class Reason(enum.Enum):
    STOP = "STOP"


class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    role: str = "set by the client itself"


def test_events_are_read_from_objects_of_pydantic_and_enums() -> None:
    projection, events = events_of("gemini")
    models = [Model.model_validate(event) for event in events]
    last = events[-1]["candidates"][0]
    named = [*events[:-1], {"candidates": [{**last, "finishReason": Reason.STOP}]}]

    assert projection.assembled(events) == projection.assembled(models)
    assert projection.handle(events) == projection.handle(models)
    assert projection.handle(events) == projection.handle(named)
    assert "STOP" == projection.assembled(named)["candidates"][0]["finishReason"]


def test_a_last_chunk_of_gemini_may_have_no_content() -> None:
    projection, events = events_of("gemini")
    last = {"candidates": [{"finishReason": "STOP"}]}

    assert projection.handle(events) == projection.handle([*events[:-1], last])


def test_a_text_of_gemini_goes_on_in_the_next_chunk_of_a_stream_that_has_to_end() -> None:
    said = [{"candidates": [{"content": {"parts": [{"text": text}]}}]} for text in ("Hel", "lo")]
    last = {"candidates": [{"finishReason": "STOP"}]}
    projection = TOOLS.project("gemini")

    [candidate] = projection.assembled([*said, last])["candidates"]

    assert [{"text": "Hello"}] == candidate["content"]["parts"]
    with pytest.raises(TypesigError, match="its last chunk, which has a finish reason, is missing"):
        projection.handle(said)
