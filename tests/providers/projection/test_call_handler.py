"""From a model's answer to the messages that go back: every provider's spelling, every kind of call."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import typesig
from typesig import Injected, Ledger, ToolError, TypesigError, tools_of
from typesig.limits import MAX_CALLS
from typesig.providers.registry.calls import Reply, WireCall
from typesig.providers.vendors.registry import VENDORS, find_vendor

RAN: list[Any] = []


@pytest.fixture(autouse=True)
def _none_ran() -> None:
    RAN.clear()


@typesig.tool
def book(room: str, seats: int = 1) -> str:
    """Book a room."""
    RAN.append((room, seats))
    return f"{room} for {seats}"


@typesig.tool
def rooms(least: int = 0) -> dict[str, int]:
    """List the rooms."""
    RAN.append(least)
    return {"Birch": 6}


@typesig.tool
def nothing() -> None:
    """Do nothing."""


@typesig.tool
def refuse(why: str) -> str:
    """Refuse."""
    raise ToolError(f"no: {why}")


@typesig.tool
def fail(key: str) -> str:
    """Fail."""
    raise KeyError(key)


@typesig.tool
def lie() -> int:
    """Return what does not fit."""
    return "many"  # type: ignore[return-value]


@typesig.tool
def whose(room: str, db: Injected[dict[str, str]]) -> str:
    """Tell who has a room."""
    return db[room]


@typesig.tool
async def later(seconds: float) -> float:
    """Wait."""
    await asyncio.sleep(seconds)
    RAN.append(seconds)
    return seconds


TOOLS = typesig.tools_of([book, rooms, nothing, refuse, fail, lie, whose, later])
Spell = Callable[..., Any]


def chat(*calls: tuple[str, Any], reason: str = "") -> Any:
    asked = [
        {
            "id": f"c{n}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(sent)},
        }
        for n, (name, sent) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": asked}
    reason = reason or ("tool_calls" if calls else "stop")
    return {"choices": [{"index": 0, "finish_reason": reason, "message": message}]}


def responses(*calls: tuple[str, Any], reason: str = "") -> Any:
    items: list[Any] = [{"type": "reasoning", "id": "r", "summary": []}]
    items += [
        {"type": "function_call", "call_id": f"c{n}", "name": name, "arguments": json.dumps(sent)}
        for n, (name, sent) in enumerate(calls)
    ]
    done = {"status": "completed", "incomplete_details": None}
    cut = {"status": "incomplete", "incomplete_details": {"reason": reason}}
    return {"object": "response", "output": items, **(cut if reason else done)}


def anthropic(*calls: tuple[str, Any], reason: str = "") -> Any:
    blocks: list[Any] = [
        {"type": "text", "text": "I look it up."},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
    ]
    blocks += [
        {"type": "tool_use", "id": f"c{n}", "name": name, "input": sent}
        for n, (name, sent) in enumerate(calls)
    ]
    reason = reason or ("tool_use" if calls else "end_turn")
    return {"type": "message", "role": "assistant", "content": blocks, "stop_reason": reason}


def gemini(*calls: tuple[str, Any], reason: str = "STOP") -> Any:
    parts: list[Any] = [{"text": "I look it up."}]
    parts += [
        {"function_call": {"id": f"c{n}", "name": name, "args": sent}, "thought_signature": b"s"}
        for n, (name, sent) in enumerate(calls)
    ]
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "finish_reason": reason}]}


def mcp(*calls: tuple[str, Any]) -> Any:
    return [{"name": name, "arguments": sent} for name, sent in calls]


SPELLINGS: dict[str, tuple[str, Spell]] = {
    "chat": ("openai", chat),
    "responses": ("openai", responses),
    "anthropic": ("anthropic", anthropic),
    "gemini": ("gemini", gemini),
    "mcp": ("mcp", mcp),
}
CUT = {
    "chat": "length",
    "responses": "max_output_tokens",
    "anthropic": "max_tokens",
    "gemini": "MAX_TOKENS",
}
STOPPED = {
    "chat": "content_filter",
    "responses": "content_filter",
    "anthropic": "refusal",
    "gemini": "SAFETY",
}


def as_objects(value: Any) -> Any:
    """Return *value* as an SDK has it: objects with attributes; arguments and input stay data."""
    if isinstance(value, list):
        return [as_objects(item) for item in value]
    if isinstance(value, dict):
        kept = ("args", "input", "arguments")
        return SimpleNamespace(**{k: v if k in kept else as_objects(v) for k, v in value.items()})
    return value


def told(spelling: str, messages: list[dict[str, Any]]) -> list[tuple[str | None, str, bool]]:
    """Return the id, the text and whether it is an error of each result in *messages*."""
    if spelling == "chat":
        return [(m["tool_call_id"], m["content"], "rrors:" in m["content"]) for m in messages]
    if spelling == "responses":
        return [(m["call_id"], m["output"], "rrors:" in m["output"]) for m in messages]
    if spelling == "mcp":
        return [(None, m["content"][0]["text"], m["isError"]) for m in messages]
    [message] = messages
    assert "user" == message["role"]
    if spelling == "anthropic":
        blocks = message["content"]
        return [(b["tool_use_id"], b["content"], b.get("is_error", False)) for b in blocks]
    out = []
    for part in message["parts"]:
        response = part["function_response"]
        [(key, text)] = response["response"].items()
        shown = text if isinstance(text, str) else json.dumps(text, separators=(",", ":"))
        out.append((response["id"], shown, key == "error"))
    return out


def handled(spelling: str, *calls: tuple[str, Any], **options: Any) -> list[tuple[Any, str, bool]]:
    """Return what is told after *calls*: the same for dicts and objects, sync and async."""
    provider, spell = SPELLINGS[spelling]
    projection = TOOLS.project(provider)  # type: ignore[arg-type]
    reason = {"reason": options.pop("reason")} if "reason" in options else {}
    message = spell(*calls, **reason)
    found = projection.handle(message, **options)

    assert json.loads(json.dumps(found)) == found
    assert found == projection.handle(as_objects(message), **options)
    assert found == asyncio.run(projection.ahandle(message, **options))
    return told(spelling, found)


def ids(spelling: str, count: int) -> list[str | None]:
    return [None if spelling == "mcp" else f"c{n}" for n in range(count)]


def test_the_calls_of_every_provider_are_spelled_here() -> None:
    spelled = {find_vendor(provider).calls for provider, _ in SPELLINGS.values()}

    assert {vendor.calls for vendor in VENDORS.values()} == spelled


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_several_calls_are_answered_in_their_order(spelling: str) -> None:
    calls = [("book", {"room": "Birch", "seats": "6"}), ("rooms", {}), ("nothing", {})]
    texts = ["Birch for 6", '{"Birch":6}', "null"]

    assert [*zip(ids(spelling, 3), texts, [False] * 3, strict=True)] == handled(spelling, *calls)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_call_that_does_not_fit_gets_feedback_and_the_others_run(spelling: str) -> None:
    bad, good = handled(spelling, ("book", {"rom": "Birch"}), ("book", {"room": "Elm"}))

    assert bad[2]
    assert '"rom": "Birch"  // unexpected key (did you mean room?)' in bad[1]
    assert bad[1].endswith(
        'A call that fits: book with {"room": string, "seats": integer (optional, default 1)}'
    )
    assert (ids(spelling, 2)[1], "Elm for 1", False) == good


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_unknown_tool_is_answered_with_the_nearest_name(spelling: str) -> None:
    [(_, text, is_error)] = handled(spelling, ("bok", {"room": "Birch"}))

    assert is_error
    assert 'Tool validation errors:\n- there is no tool "bok"; did you mean book?' == text


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_tool_error_is_an_error_result_and_so_is_a_result_that_does_not_fit(
    spelling: str,
) -> None:
    calls = [("refuse", {"why": "closed"}), ("lie", {}), ("rooms", {})]
    refused, lied, listed = handled(spelling, *calls)

    assert ("Tool errors:\n- no: closed", True) == refused[1:]
    assert lied[1].startswith("The tool ran; what it returned does not fit its signature.")
    assert lied[2]
    assert ('{"Birch":6}', False) == listed[1:]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_the_host_gives_reaches_the_tools_that_take_it(spelling: str) -> None:
    given = {"db": {"Birch": "Ada"}}
    found = handled(spelling, ("whose", {"room": "Birch"}), ("rooms", {}), given=given)

    assert ["Ada", '{"Birch":6}'] == [text for _, text, _ in found]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_the_host_forgot_to_give_is_told_before_any_tool_runs(spelling: str) -> None:
    with pytest.raises(TypesigError) as raised:
        handled(spelling, ("book", {"room": "Birch"}), ("whose", {"room": "Birch"}))

    assert 'whose needs db from its host: write handle(…, given={"db": …})' == str(raised.value)
    assert [] == RAN


@pytest.mark.parametrize("spelling", CUT)
def test_of_an_answer_at_its_limit_only_the_last_call_is_refused(spelling: str) -> None:
    calls = [("book", {"room": "Birch"}), ("book", {"room": "E"})]
    first, last = handled(spelling, *calls, reason=CUT[spelling])

    assert ("Birch for 1", False) == first[1:]
    assert last[2]
    assert (
        "Tool validation errors:\n- this call was not run: the answer reached its limit of length "
        "before the call was whole; send it again with shorter arguments, or as several calls"
    ) == last[1]
    assert {("Birch", 1)} == set(RAN)


@pytest.mark.parametrize("spelling", STOPPED)
def test_of_an_answer_that_was_stopped_no_call_runs(spelling: str) -> None:
    calls = [("book", {"room": "Birch"}), ("book", {"room": "Elm"})]
    found = handled(spelling, *calls, reason=STOPPED[spelling])

    assert [True, True] == [is_error for _, _, is_error in found]
    assert "this call was not run: the answer was stopped before its end" in found[0][1]
    assert [] == RAN


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_exception_passes_when_the_other_calls_have_ended(spelling: str) -> None:
    with pytest.raises(KeyError) as raised:
        handled(spelling, ("fail", {"key": "x"}), ("book", {"room": "Birch"}))

    named = "" if spelling == "mcp" else " (call c0)"
    assert [f"raised by the tool fail{named}; the other calls have ended"] == raised.value.__notes__
    assert [("Birch", 1)] == RAN


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_several_exceptions_pass_as_a_group(spelling: str) -> None:
    with pytest.raises(ExceptionGroup) as raised:
        handled(spelling, ("fail", {"key": "x"}), ("rooms", {}), ("fail", {"key": "y"}))

    assert "2 calls of tools raised" in str(raised.value)
    assert ["'x'", "'y'"] == [str(error) for error in raised.value.exceptions]
    assert [0] == RAN


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_on_exception_says_what_the_model_reads(spelling: str) -> None:
    found = handled(
        spelling,
        ("fail", {"key": "x"}),
        ("rooms", {}),
        on_exception=lambda error, call: f"errors: {call.name} lacks {error}",
    )

    assert [("errors: fail lacks 'x'", True), ('{"Birch":6}', False)] == [f[1:] for f in found]


def test_what_on_exception_raises_passes_when_the_other_calls_have_ended() -> None:
    def give_up(error: Exception, call: WireCall) -> str:
        raise RuntimeError(call.name) from error

    with pytest.raises(RuntimeError, match="fail"):
        handled("chat", ("fail", {"key": "x"}), ("rooms", {}), on_exception=give_up)
    assert [0] == RAN


def test_on_exception_has_to_return_text() -> None:
    answer = chat(("fail", {"key": "x"}))
    with pytest.raises(TypesigError, match="on_exception returns the text that the model reads"):
        TOOLS.project("openai").handle(answer, on_exception=lambda error, call: None)  # type: ignore
    with pytest.raises(TypesigError, match="on_exception is a function, not str"):
        TOOLS.project("openai").handle(answer, on_exception="tell")  # type: ignore[arg-type]
    with pytest.raises(TypesigError, match="given is a dict of values by name, not list"):
        TOOLS.project("openai").handle(answer, given=["db"])  # type: ignore[arg-type]


def test_on_exception_can_be_a_coroutine_function_where_calls_are_awaited() -> None:
    async def told(error: Exception, call: WireCall) -> str:
        await asyncio.sleep(0)
        return f"lacks {error}"

    projection = TOOLS.project("openai")
    answer = chat(("fail", {"key": "x"}))
    [message] = asyncio.run(projection.ahandle(answer, on_exception=told))

    assert "lacks 'x'" == message["content"]
    with pytest.raises(TypesigError, match="on_exception is a coroutine function: write await"):
        projection.handle(answer, on_exception=told)


def test_a_coroutine_function_needs_ahandle_and_no_other_tool_runs_before_that_is_told() -> None:
    projection = TOOLS.project("openai")
    answer = chat(("rooms", {}), ("later", {"seconds": 0}))
    with pytest.raises(TypesigError, match="later is a coroutine function: write await"):
        projection.handle(answer)
    assert [] == RAN

    assert ['{"Birch":6}', "0.0"] == [m["content"] for m in asyncio.run(projection.ahandle(answer))]


def test_calls_run_at_once_and_are_answered_in_their_order() -> None:
    answer = chat(("later", {"seconds": 0.05}), ("later", {"seconds": 0.0}))
    found = asyncio.run(TOOLS.project("openai").ahandle(answer))

    assert [0.0, 0.05] == RAN
    assert ["0.05", "0.0"] == [message["content"] for message in found]


@pytest.mark.needs_process
def test_plain_functions_run_in_threads_at_once() -> None:
    both = threading.Barrier(2, timeout=120)

    @typesig.tool
    def meet(n: int) -> int:
        return n + both.wait() * 0

    answer = chat(("meet", {"n": 1}), ("meet", {"n": 2}))
    found = asyncio.run(typesig.tools_of([meet]).project("openai").ahandle(answer))

    assert ["1", "2"] == [message["content"] for message in found]


def test_cancelling_the_handling_cancels_its_calls() -> None:
    async def main() -> None:
        answer = chat(("later", {"seconds": 60}), ("later", {"seconds": 60}))
        task = asyncio.ensure_future(TOOLS.project("openai").ahandle(answer))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert {asyncio.current_task()} == asyncio.all_tasks()

    before = time.monotonic()
    asyncio.run(main())

    assert time.monotonic() - before < 30
    assert [] == RAN


def test_calls_beyond_the_limit_are_answered_and_not_run() -> None:
    found = handled("chat", *[("rooms", {})] * (MAX_CALLS + 1))

    assert MAX_CALLS + 1 == len(found)
    assert [True] == [is_error for _, _, is_error in found if is_error]
    assert f"only the first {MAX_CALLS} calls of an answer are; send it again" in found[-1][1]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_answer_without_calls_has_no_messages(spelling: str) -> None:
    provider, spell = SPELLINGS[spelling]

    assert [] == TOOLS.project(provider).handle(spell())  # type: ignore[arg-type]
    assert [] == TOOLS.project(provider).handle([])  # type: ignore[arg-type]


async def waiting() -> None: ...


USER = {"role": "user", "content": "hello"}
CHUNK = {"choices": [{"delta": {"content": "a"}}]}
EVENT = {"type": "response.output_text.delta", "delta": "a"}
OLD = {"role": "assistant", "content": None, "function_call": {"name": "book", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("provider", "message", "told"),
    [
        ("openai", None, "handle takes a chat completion, its choice or message, a response, or calls of their tools, not None"),
        ("openai", "hello", "not str"),
        ("openai", 5, "not int"),
        ("openai", {}, "not dict"),
        ("openai", USER, 'not dict; it is a message of the role "user"'),
        ("openai", [{"role": "tool", "content": ""}], 'it is a message of the role "tool"'),
        ("openai", CHUNK, "it is one event of a stream: pass all of them, or the stream"),
        ("openai", EVENT, "not dict"),
        ("openai", OLD, "its function_call is of the API before tools: send the definitions as tools"),
        ("openai", {"type": "function_call_output", "call_id": "a", "output": ""}, "not dict"),
        ("openai", {"type": "message", "role": "user", "content": []}, 'the role "user"'),
        ("openai", anthropic(("book", {})), "not dict"),
        ("openai", gemini(("book", {})), "not dict"),
        ("openai", {"choices": [{}, {}]}, "this answer has 2 choices, and a conversation goes on with one of them: pass that choice"),
        ("anthropic", None, "handle takes a message of the assistant, its content, or its blocks, not None"),
        ("anthropic", USER, 'it is a message of the role "user"'),
        ("anthropic", {"type": "message_start", "message": {}}, "not dict"),
        ("anthropic", chat(("book", {})), "not dict"),
        ("anthropic", responses(("book", {}))["output"][1], "not dict"),
        ("anthropic", {"type": "tool_result", "tool_use_id": "a"}, "not dict"),
        ("gemini", None, "handle takes a response, its candidate or content, or its parts, not None"),
        ("gemini", {"role": "user", "parts": [{"text": "hello"}]}, 'it is a content of the role "user"'),
        ("gemini", chat(("book", {})), "not dict"),
        ("gemini", anthropic(("book", {})), "not dict"),
        ("gemini", {"candidates": [{}, {}]}, "this answer has 2 candidates"),
        ("mcp", None, "handle takes the params of tools/call, or the request, not None"),
        ("mcp", {"method": "tools/list"}, "not dict"),
        ("mcp", chat(("book", {})), "not dict"),
    ],
)  # fmt: skip
def test_what_is_no_answer_of_the_provider_is_refused(
    provider: Any, message: Any, told: str
) -> None:
    projection = TOOLS.project(provider)
    with pytest.raises(TypesigError) as raised:
        projection.handle(message)

    assert told in str(raised.value)


def test_a_missing_await_is_named() -> None:
    forgotten = waiting()
    with pytest.raises(TypesigError, match="it is an awaitable: write await before it"):
        TOOLS.project("openai").handle(forgotten)
    forgotten.close()


CALL = {"id": "c", "type": "function", "function": {"name": "rooms", "arguments": "{}"}}
ITEM = {"type": "function_call", "call_id": "c", "name": "rooms", "arguments": "{}"}
USE = {"type": "tool_use", "id": "c", "name": "rooms", "input": {}}
PART = {"function_call": {"id": "c", "name": "rooms", "args": {}}}
ANSWER = {"role": "tool", "tool_call_id": "c", "content": '{"Birch":6}'}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": '{"Birch":6}'}
RESULT = {
    "role": "user",
    "content": [{"type": "tool_result", "tool_use_id": "c", "content": '{"Birch":6}'}],
}
RESPONSE = {
    "role": "user",
    "parts": [{"function_response": {"id": "c", "name": "rooms", "response": {"output": {"Birch": 6}}}}],
}  # fmt: skip
CAMEL = {
    "role": "user",
    "parts": [{"functionResponse": {"id": "c", "name": "rooms", "response": {"output": {"Birch": 6}}}}],
}  # fmt: skip
ASSISTANT = {"role": "assistant", "tool_calls": [CALL]}


@pytest.mark.parametrize(
    ("provider", "message", "answer"),
    [
        pytest.param("openai", CALL, ANSWER, id="a call of chat"),
        pytest.param("openai", [CALL], ANSWER, id="calls of chat"),
        pytest.param("openai", ASSISTANT, ANSWER, id="a message"),
        pytest.param("openai", [ASSISTANT], ANSWER, id="messages"),
        pytest.param("openai", {"tool_calls": [CALL]}, ANSWER, id="a message without a role"),
        pytest.param("openai", {"finish_reason": "stop", "message": ASSISTANT}, ANSWER, id="a choice"),
        pytest.param("openai", ITEM, OUTPUT, id="an item"),
        pytest.param("openai", [{"type": "message", "role": "assistant"}, ITEM], OUTPUT, id="items"),
        pytest.param("openai", {"type": "response.completed", "response": {"output": [ITEM]}}, OUTPUT, id="an event with the response"),
        pytest.param("openai", {**ITEM, "caller": {"type": "program", "caller_id": "p"}}, {**OUTPUT, "caller": {"type": "program", "caller_id": "p"}}, id="an item that a program calls"),
        pytest.param("anthropic", USE, RESULT, id="a block"),
        pytest.param("anthropic", [USE], RESULT, id="content"),
        pytest.param("anthropic", {"role": "assistant", "content": [USE]}, RESULT, id="a written message"),
        pytest.param("gemini", PART, RESPONSE, id="a part"),
        pytest.param("gemini", [PART], RESPONSE, id="parts"),
        pytest.param("gemini", PART["function_call"], RESPONSE, id="a call of Gemini"),
        pytest.param("gemini", {"content": {"parts": [PART]}}, RESPONSE, id="a candidate"),
        pytest.param("gemini", {"parts": [PART]}, RESPONSE, id="a content"),
        pytest.param("gemini", {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": PART["function_call"]}]}, "finishReason": "STOP"}]}, CAMEL, id="JSON of Gemini"),
    ],
)  # fmt: skip
def test_any_part_of_an_answer_is_taken(provider: Any, message: Any, answer: Any) -> None:
    assert [answer] == TOOLS.project(provider).handle(message)


def test_a_call_of_a_custom_tool_is_answered_as_such() -> None:
    projection = TOOLS.project("openai")
    item = {"type": "custom_tool_call", "call_id": "c", "name": "rooms", "input": "{}"}
    call = {"id": "c", "type": "custom", "custom": {"name": "rooms", "input": "{}"}}

    assert [{**OUTPUT, "type": "custom_tool_call_output"}] == projection.handle(item)
    assert [ANSWER] == projection.handle(call)


def test_the_toolset_of_a_call_is_repeated_in_its_result() -> None:
    [message] = TOOLS.project("anthropic").handle({**USE, "toolset_name": "rooms_2026"})

    assert "rooms_2026" == message["content"][0]["toolset_name"]


def test_the_thought_signature_of_a_call_is_kept() -> None:
    [call] = find_vendor("gemini").calls.read(gemini(("rooms", {})))

    assert b"s" == call.extra["thought_signature"]
    assert [RESPONSE["parts"][0]["function_response"]["name"]] == [call.name]  # type: ignore[index]
    assert call == find_vendor("gemini").calls.read(call)[0]


@pytest.mark.parametrize("provider", {name: None for name, _ in SPELLINGS.values()})
def test_calls_that_were_read_can_be_handled(provider: Any) -> None:
    spell = next(spell for name, spell in SPELLINGS.values() if name == provider)
    answer = spell(("rooms", {}), ("book", {"room": "Elm"}))
    first = find_vendor(provider).calls.read(answer)[:1]
    projection = TOOLS.project(provider)

    assert projection.handle(first) == projection.handle(first[0])
    assert [0, 0] == RAN


ODD = [
    None,
    5,
    True,
    "",
    "null",
    "{",
    "[]",
    [],
    [1],
    "\ud800",
    b"{}",
    object(),
    {"room": object()},
    {1: 2},
]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: re.sub(" at 0x[0-9a-f]+", "", repr(odd)))
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_whatever_a_model_sends_is_answered(spelling: str, odd: Any) -> None:
    """As arguments, as a name and as an id."""
    provider, _ = SPELLINGS[spelling]
    spelled: dict[str, list[Any]] = {
        "chat": [
            {**CALL, "id": odd},
            {**CALL, "function": {"name": odd, "arguments": "{}"}},
            {**CALL, "function": {"name": "book", "arguments": odd}},
        ],
        "responses": [{**ITEM, "call_id": odd}, {**ITEM, "name": odd}, {**ITEM, "name": "book", "arguments": odd}],
        "anthropic": [{**USE, "id": odd}, {**USE, "name": odd}, {**USE, "name": "book", "input": odd}],
        "gemini": [{"function_call": {**PART["function_call"], **each}} for each in ({"id": odd}, {"name": odd}, {"name": "book", "args": odd})],
        "mcp": [{"name": "rooms", "arguments": {}}, {"name": odd, "arguments": {}}, {"name": "book", "arguments": odd}],
    }  # fmt: skip
    found = TOOLS.project(provider).handle(spelled[spelling])  # type: ignore[arg-type]
    results = found[0].get("content", found[0].get("parts")) if len(found) == 1 else found

    assert 3 == len(results)
    assert json.dumps(found)


@pytest.mark.parametrize(
    "broken",
    [
        {"choices": None},
        {"choices": []},
        {"choices": "x"},
        {"choices": [{"message": None, "finish_reason": None}]},
        {"choices": [{"message": {"tool_calls": []}, "finish_reason": 5}]},
        {"output": None, "status": "completed"},
        {"output": [], "status": "incomplete", "incomplete_details": None},
        {"role": "assistant", "tool_calls": None},
    ],
)
def test_an_answer_of_openai_that_lacks_its_parts_has_no_calls(broken: Any) -> None:
    assert [] == TOOLS.project("openai").handle(broken)


@pytest.mark.parametrize(
    ("provider", "broken"),
    [
        ("anthropic", {"role": "assistant", "content": None, "stop_reason": None}),
        ("anthropic", {"role": "assistant", "content": "done", "stop_reason": "max_tokens"}),
        ("gemini", {"candidates": None}),
        ("gemini", {"candidates": [{"content": None, "finish_reason": "MALFORMED_RESPONSE"}]}),
        ("gemini", {"content": None, "finish_reason": "MALFORMED_RESPONSE"}),
        ("gemini", {"parts": [{"thought": True, "text": "…"}]}),
    ],
)
def test_an_answer_that_lacks_its_parts_has_no_calls(provider: Any, broken: Any) -> None:
    assert [] == TOOLS.project(provider).handle(broken)


@pytest.mark.parametrize("odd", [None, 5, "x", [], [[[]]], {}, {"type": 5}])
def test_parts_of_an_answer_that_are_no_parts_ask_for_nothing(odd: Any) -> None:
    handled = {
        "openai": [{"output": [odd]}, {"choices": [{"message": odd, "finish_reason": "stop"}]}],
        "anthropic": [{"role": "assistant", "content": [odd, USE], "stop_reason": "tool_use"}],
        "gemini": [{"candidates": [{"content": {"parts": [odd]}}]}, {"candidates": [{"content": odd}]}],
    }  # fmt: skip
    for message in handled["openai"]:
        assert [] == TOOLS.project("openai").handle(message)
    for message in handled["gemini"]:
        assert [] == TOOLS.project("gemini").handle(message)
    [results] = TOOLS.project("anthropic").handle(handled["anthropic"][0])
    assert RESULT["content"] == results["content"][-1:]


def test_items_and_blocks_that_are_no_calls_ask_for_nothing() -> None:
    items = [
        {"type": "reasoning", "summary": []},
        {"type": "web_search_call", "status": "completed"},
    ]
    blocks = [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": "b"}]

    assert [] == TOOLS.project("openai").handle(items)
    assert [] == TOOLS.project("anthropic").handle(blocks)


def is_error(message: dict[str, Any]) -> bool:
    return "this call was not run" in json.dumps(message)


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ({"output": [{**ITEM, "status": "incomplete"}, ITEM], "status": "incomplete"}, [True, False]),
        ({"output": [{**ITEM, "status": "in_progress"}], "status": "completed"}, [True]),
        ({"output": [{**ITEM, "status": "completed"}], "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, [False]),
        ({"output": [ITEM, {"type": "message"}], "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, [False]),
        ({"output": [ITEM], "status": "incomplete", "incomplete_details": {"reason": "max_messages"}}, [False]),
        ({"output": [ITEM, ITEM], "status": "failed"}, [True, True]),
        ({"output": [ITEM], "status": "in_progress"}, [True]),
    ],
)  # fmt: skip
def test_the_items_of_a_response_tell_which_of_them_are_whole(answer: Any, refused: Any) -> None:
    assert refused == [is_error(message) for message in TOOLS.project("openai").handle(answer)]


def test_a_call_before_the_text_in_which_a_message_was_cut_is_whole() -> None:
    content = [USE, {"type": "text", "text": "and"}]
    message = {"role": "assistant", "content": content, "stop_reason": "max_tokens"}

    assert [RESULT] == TOOLS.project("anthropic").handle(message)


def test_a_message_from_a_stream_that_has_not_ended_does_not_run_its_last_call() -> None:
    message = {"role": "assistant", "content": [USE], "stop_reason": None}

    assert is_error(TOOLS.project("anthropic").handle(message)[0])


@pytest.mark.parametrize("partial", [{"will_continue": True}, {"partialArgs": [{}]}])
def test_a_part_of_a_call_of_gemini_does_not_run(partial: Any) -> None:
    assert is_error(TOOLS.project("gemini").handle({**PART["function_call"], **partial})[0])


@typesig.tool
def schema_of(name: str) -> dict[str, Any]:
    """Return what a provider could take for something else."""
    if name == "reference":
        return {"items": [{"$ref": "#/$defs/a"}]}
    if name == "text":
        return {"key": "$ref", "items": [{"a": 1}, "b"]}
    return {"\ud800": ["\ud800", 1, None]}


ODD_TOOLS = typesig.tools_of([schema_of])


def test_a_result_with_a_reference_is_text_for_gemini() -> None:
    [message] = ODD_TOOLS.project("gemini").handle(gemini(("schema_of", {"name": "reference"})))
    response = message["parts"][0]["function_response"]["response"]

    assert {"output": '{"items":[{"$ref":"#/$defs/a"}]}'} == response


def test_a_text_that_reads_as_the_key_of_a_reference_is_data_for_gemini() -> None:
    [message] = ODD_TOOLS.project("gemini").handle(gemini(("schema_of", {"name": "text"})))
    response = message["parts"][0]["function_response"]["response"]

    assert {"output": {"key": "$ref", "items": [{"a": 1}, "b"]}} == response


def test_a_result_with_a_lone_surrogate_can_be_sent() -> None:
    [message] = ODD_TOOLS.project("gemini").handle(gemini(("schema_of", {"name": "a"})))

    assert "\\\\ud800" in json.dumps(message, ensure_ascii=False).encode().decode()
    [text] = ODD_TOOLS.project("openai").handle(chat(("schema_of", {"name": "a"})))
    assert {"\ud800": ["\ud800", 1, None]} == json.loads(text["content"].encode())


def test_the_mode_of_the_toolset_holds_for_its_calls() -> None:
    strict = typesig.tools_of([book], mode="strict").project("openai")
    [message] = strict.handle(chat(("book", {"room": "Birch", "seats": "6"})))

    assert 'expected integer, got string "6"' in message["content"]


def test_a_request_of_mcp_is_taken_whole() -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rooms"}}

    [result] = TOOLS.project("mcp").handle(request)
    assert [{"type": "text", "text": '{"Birch":6}'}] == result["content"]
    assert result["isError"] is False


def test_a_result_of_mcp_has_structured_content_if_its_schema_was_told() -> None:
    call, write = WireCall(None, "rooms", {}), find_vendor("mcp").calls.write
    plain, typed, failed = write(
        [
            Reply(call, "[1]", False, {"result": [1]}),
            Reply(call, "[1]", False, {"result": [1]}, typed=True),
            Reply(call, "wrong", True, None, typed=True),
        ]
    )

    assert {"content": [{"type": "text", "text": "[1]"}], "isError": False} == plain
    assert {**plain, "structuredContent": {"result": [1]}} == typed
    assert {"content": [{"type": "text", "text": "wrong"}], "isError": True} == failed


@typesig.tool(name="team.score")
def score(points: dict[str, int], note: str | None = None) -> int:
    """Add points."""
    return sum(points.values())


def test_feedback_has_the_form_that_the_model_was_told_to_send() -> None:
    """Here a map travels as a list of its pairs, and a dot in a name as something else."""
    projection = typesig.tools_of([score]).project("openai", strict=True)
    [name] = projection.tools
    sent = {"points": [{"key": "a", "value": "many"}], "note": None}
    call = {**CALL, "function": {"name": name, "arguments": json.dumps(sent)}}
    [message] = projection.handle([call])

    assert '"value": "many"  // expected integer, got string "many"' in message["content"]
    assert f'A call that fits: {name} with {{"points": array of {{"key"' in message["content"]
    good = sent | {"points": [{"key": "a", "value": 2}, {"key": "b", "value": 3}]}
    called = {**CALL, "function": {"name": name, "arguments": json.dumps(good)}}
    assert ["5"] == [message["content"] for message in projection.handle([called])]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ('{"points": ', "the arguments are not valid JSON"),
        ("[1]", "expected named arguments"),
        (
            '{"points": [{"key": "a", "value": 2}, {"key": "a", "value": 3}], "note": null}',
            "points",
        ),
    ],
)
def test_what_only_the_tool_refuses_is_told_by_the_tool_under_the_name_that_the_model_knows(
    sent: str, told: str
) -> None:
    projection = typesig.tools_of([score]).project("openai", strict=True)
    [name] = projection.tools
    [message] = projection.handle([{**CALL, "function": {"name": name, "arguments": sent}}])

    assert "team.score" != name
    assert told in message["content"]
    assert f'A call that fits: {name} with {{"points": ' in message["content"]


def test_unknown_names_are_compared_with_the_names_that_the_model_knows() -> None:
    projection = typesig.tools_of([score]).project("openai")
    [name] = projection.tools
    [message] = projection.handle(
        [{**CALL, "function": {"name": "team.scores", "arguments": "{}"}}]
    )

    assert f'there is no tool "team.scores"; did you mean {name}?' in message["content"]


@typesig.tool("(points {:string :int}, _user :string, more {pin :int, _key :string}?) -> :int")
def private(points: Any, _user: Any, more: Any = None) -> Any:
    return 1


@pytest.mark.parametrize("sent", [{"_user": "Ada"}, {"more": {"_key": "hush", "pin": "x"}}])
def test_what_is_private_is_not_repeated(sent: dict[str, Any]) -> None:
    projection = typesig.tools_of([private]).project("openai", strict=True)
    call = {**CALL, "function": {"name": "private", "arguments": json.dumps(sent)}}
    [message] = projection.handle([call], given={"_user": "Grace"})

    assert 'missing: "points": {"' in message["content"]
    assert not any(text in message["content"] for text in ("Ada", "hush", "Grace"))


def test_a_secret_is_not_repeated() -> None:
    schema = {
        "properties": {"pin": {"type": "string", "writeOnly": True}, "n": {"type": "integer"}}
    }
    signature = typesig.from_json_schema(schema, {})
    tools = typesig.tools_of([typesig.tool(signature, name="pay")(lambda pin=None, n=1: n)])
    sent = {"pin": "1234", "n": "x"}
    call = {**CALL, "function": {"name": "pay", "arguments": json.dumps(sent)}}
    [message] = tools.project("openai", strict=True).handle([call])

    assert '"n": "<Secret>"  // expected integer, got string\n' in message["content"]
    assert "1234" not in message["content"]


@typesig.tool
def numbers(whole: int, part: float, any: list[Any]) -> list[Any]:
    """Return what was sent."""
    return [whole, part, *any]


def test_whole_numbers_of_gemini_are_integers_since_the_api_has_only_floats() -> None:
    projection = typesig.tools_of([numbers]).project("gemini", api="json")
    nested: Any = 1.0
    for _ in range(200):
        nested = [nested]
    infinite = float("inf")
    sent = {"whole": 8.0, "part": 8.0, "any": [2.5, 1e300, {"a": 3.0}, "4.0", True]}
    [call] = find_vendor("gemini").calls.read(
        {"name": "numbers", "args": {**sent, "n": nested, "i": infinite}}
    )

    assert isinstance(call.arguments, dict)
    assert infinite == call.arguments["i"]
    [results] = projection.handle({"name": "numbers", "args": sent})
    [part] = results["parts"]
    said = part["function_response"]["response"]["output"]
    assert [8, 8.0, 2.5, 1e300, {"a": 3}, "4.0", True] == said
    assert [int, float, float, float] == [type(each) for each in said[:4]]


@pytest.mark.parametrize("name", ["book", "rooms", "nothing"])
def test_structured_content_of_mcp_fits_the_schema_that_was_told(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    projection = TOOLS.project("mcp")
    arguments = {"room": "Birch"} if name == "book" else {}
    [result] = projection.handle({"name": name, "arguments": arguments})

    assert isinstance(result["structuredContent"], dict)
    schema = projection.tools[name].definition["outputSchema"]
    jsonschema.validate(result["structuredContent"], schema)


def test_a_tool_that_is_cancelled_from_within_does_not_stop_the_others() -> None:
    @typesig.tool
    async def stops() -> int:
        raise asyncio.CancelledError

    projection = typesig.tools_of([stops, later]).project("openai")

    async def main() -> None:
        with pytest.raises(asyncio.CancelledError):
            await projection.ahandle(chat(("stops", {}), ("later", {"seconds": 0.01})))
        assert [0.01] == RAN

    asyncio.run(main())


MALFORMED = "Malformed function call: print(score({'a'}))"


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
@pytest.mark.parametrize("content", [None, {}, {"role": "model"}, {"parts": [{"text": "So:"}]}])
def test_a_call_that_gemini_could_not_read_is_answered_in_words(reason: str, content: Any) -> None:
    wire = typesig.tools_of([score]).project("gemini")
    candidate = {"content": content, "finishReason": reason, "finishMessage": MALFORMED}
    ledger = typesig.Ledger()

    assert [
        {
            "role": "user",
            "parts": [
                {
                    "text": "Tool validation errors:\n- your call could not be read, so no tool was "
                    f'run ("{MALFORMED}"); call one of the tools again, with arguments as it '
                    "declares them"
                }
            ],
        }
    ] == wire.handle({"candidates": [candidate]}, ledger=ledger)
    assert 1 == ledger.count("refused", "call")
    [told] = wire.handle({"content": content, "finish_reason": reason})
    assert "no tool was run; call one of the tools again" in told["parts"][0]["text"]


def test_calls_beside_one_that_gemini_could_not_read_are_refused() -> None:
    wire = typesig.tools_of([score]).project("gemini")
    parts = [{"functionCall": {"name": next(iter(wire.tools)), "args": {"points": []}}}]
    candidate = {"content": {"parts": parts}, "finishReason": "MALFORMED_FUNCTION_CALL"}
    [told] = wire.handle({"candidates": [candidate]})

    assert ["functionResponse"] == [*told["parts"][0]]
    assert "was not run" in told["parts"][0]["functionResponse"]["response"]["error"]


def test_what_is_mended_and_refused_is_counted() -> None:
    wire = typesig.tools_of([score]).project("openai", strict=True)
    [name] = wire.tools
    fenced = '```json\n{"points": [], "note": null}\n```'
    calls = [
        {**CALL, "function": {"name": name, "arguments": fenced}},
        {**CALL, "function": {"name": "other", "arguments": "{}"}},
    ]
    ledger = typesig.Ledger()
    wire.handle(calls, ledger=ledger)
    asyncio.run(wire.ahandle(calls, ledger=ledger))

    assert [("code_fence", name, 2), ("call", "", 2)] == [
        (row.id, row.tool, row.times) for row in sorted(ledger.rows(), key=lambda row: row.fate)
    ]


def test_exceptions_of_awaited_tools_are_raised_with_the_call_that_they_are_of() -> None:
    async def fail(a: int) -> int:
        raise ValueError(a)

    made = tools_of([fail]).project("openai")

    def message(count: int) -> Any:
        function = {"name": "fail", "arguments": '{"a": 1}'}
        calls = [{"id": f"c{n}", "type": "function", "function": function} for n in range(count)]
        return {"role": "assistant", "content": None, "tool_calls": calls}

    with pytest.raises(ValueError, match="1") as one:
        asyncio.run(made.ahandle(message(1)))
    with pytest.raises(ExceptionGroup) as several:
        asyncio.run(made.ahandle(message(2)))

    assert ["raised by the tool fail (call c0); the other calls have ended"] == one.value.__notes__
    assert 2 == len(several.value.exceptions)


def test_an_awaited_answer_is_the_same_each_time() -> None:
    async def add(a: int, b: int | None = None) -> int:
        return a + (b or 0)

    made = tools_of([add]).project("openai", strict=True)
    sent = ['{"a": 1, "b": null}', '{"a": "1"}', '{"a": 1, "z": 2}', "{}", ""]
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": "add", "arguments": text}}
        for n, text in enumerate(sent)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls}

    async def main() -> None:
        first = await made.ahandle(message, ledger=Ledger())
        assert [first] * 6 == [await made.ahandle(message) for _ in range(6)]
        for call, reply in zip(calls, first, strict=True):
            assert [reply] == await made.ahandle({**message, "tool_calls": [call]})

    asyncio.run(main())
