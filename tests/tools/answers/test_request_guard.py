"""Asking under a governance, and with tools that the model calls before it answers."""

from __future__ import annotations

import asyncio
import json
import pickle
import time
from typing import Any

import pytest

import typesig
from tests.governance.test_spans import Seen
from tests.tools.answers.test_client_asks import (
    anthropic,
    chunks,
    completion,
    gemini,
    message,
    openai,
    response,
    responses,
)
from tests.tools.answers.test_conversation import Scripted
from typesig import ToolError, TypesigError, tool, tools_of
from typesig.calls.running import BLOCKING, run_blocking
from typesig.governance import Ask, Governance, Paused, PendingCalls, Refuse, Spans
from typesig.governance.timing import Deadline, Usage
from typesig.tools.answers import exchanges
from typesig.tools.answers.request_guard import Pace, StreamTimeout
from typesig.validation.issues.ledger import Ledger

NUMBER = typesig.contract(int)
RIGHT, WRONG = '{"result": 7}', '{"result": "many"}'
RAN: list[Any] = []


@pytest.fixture(autouse=True)
def _none_ran() -> None:
    RAN.clear()


@tool
def find(text: str) -> int:
    """Find."""
    RAN.append(text)
    return len(text)


@tool
async def later(text: str) -> int:
    """Find later."""
    RAN.append(text)
    return len(text)


@tool
def fail() -> int:
    """Raise."""
    raise KeyError("private")


@tool(name="answer")
def find_as_answer(text: str) -> int:
    """Find."""
    return len(text)


TOOLS = tools_of([find])


def asked(client: Any, how: str = "ask", **options: Any) -> Any:
    prompt = options.pop("prompt", "How many?")
    if how == "ask":
        return NUMBER.ask(client, prompt, model="m", **options)
    return asyncio.run(NUMBER.aask(client, prompt, model="m", **options))


hows = pytest.mark.parametrize("how", ["ask", "aask"])


# Tools


def use(name: str, arguments: Any, id: str = "t1") -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def item(name: str, arguments: Any) -> dict[str, Any]:
    sent = json.dumps(arguments)
    return {"type": "function_call", "call_id": "c", "name": name, "arguments": sent}


def part(name: str, arguments: Any) -> dict[str, Any]:
    parts = [{"functionCall": {"name": name, "args": arguments}}]
    content = {"role": "model", "parts": parts}
    return {"candidates": [{"content": content, "finishReason": "STOP"}]}


def text_part(text: str) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]}
    return {"candidates": [{"content": content, "finishReason": "STOP"}]}


#: A client that calls a tool and answers, and where the tools and their results are in requests.
INTERFACES: dict[str, Any] = {
    "chat": (
        lambda: openai(completion(None, ("find", '{"text": "ab"}')), completion(RIGHT)),
        {},
        lambda request: request["tools"][0]["function"]["name"],
        lambda request: request["messages"][-1]["content"],
    ),
    "responses": (
        lambda: responses(response(item("find", {"text": "ab"})), response(RIGHT)),
        {"api": "responses"},
        lambda request: request["tools"][0]["name"],
        lambda request: request["input"][-1]["output"],
    ),
    "anthropic": (
        lambda: anthropic(message(use("find", {"text": "ab"})), message(RIGHT)),
        {},
        lambda request: request["tools"][0]["name"],
        lambda request: request["messages"][-1]["content"][0]["content"],
    ),
    "gemini": (
        lambda: gemini(part("find", {"text": "ab"}), text_part("7")),
        {"way": "text"},
        lambda request: request["config"]["tools"][0]["function_declarations"][0]["name"],
        lambda request: str(
            request["contents"][-1]["parts"][0]["function_response"]["response"]["output"]
        ),
    ),
}


@pytest.mark.needs_process
@hows
@pytest.mark.parametrize("interface", INTERFACES)
def test_the_model_calls_tools_before_it_answers(interface: str, how: str) -> None:
    make, options, tool_in, result_in = INTERFACES[interface]
    client = make()
    out = asked(client, how, tools=TOOLS, **options)

    assert 7 == out.result
    assert 1 == out.attempts
    assert ["ab"] == RAN
    assert "find" == tool_in(client.seen[0])
    assert "2" == result_in(client.seen[1])


@pytest.mark.parametrize(
    ("client", "options", "choice"),
    [
        (
            lambda: openai(
                completion(None, ("find", '{"text": "ab"}'), ("answer", RIGHT)),
                completion(None, ("answer", WRONG)),
                completion(None, ("answer", RIGHT)),
            ),
            {},
            lambda request: request["tool_choice"],
        ),
        (
            lambda: responses(
                response(item("find", {"text": "ab"}), item("answer", {"result": 7})),
                response(item("answer", {"result": "many"})),
                response(item("answer", {"result": 7})),
            ),
            {"api": "responses"},
            lambda request: request["tool_choice"],
        ),
        (
            lambda: anthropic(
                message(use("find", {"text": "ab"}), use("answer", {"result": 7}, "t2")),
                message(use("answer", {"result": "many"})),
                message(use("answer", {"result": 7})),
            ),
            {},
            lambda request: request["tool_choice"],
        ),
        (
            lambda: gemini(
                {
                    "candidates": [
                        {
                            "content": {
                                "role": "model",
                                "parts": [
                                    {"functionCall": {"name": "find", "args": {"text": "ab"}}},
                                    {"functionCall": {"name": "answer", "args": {"result": 7}}},
                                ],
                            }
                        }
                    ]
                },
                part("answer", {"result": "many"}),
                part("answer", {"result": 7}),
            ),
            {},
            lambda request: request["config"]["tool_config"]["function_calling_config"]["mode"],
        ),
    ],
    ids=["chat", "responses", "anthropic", "gemini"],
)
def test_an_answer_by_a_tool_has_to_come_alone(client: Any, options: Any, choice: Any) -> None:
    made = client()
    out = asked(made, tools=TOOLS, way="tool", **options)

    assert 7 == out.result
    assert 2 == out.attempts
    assert ["ab"] == RAN
    assert choice(made.seen[0]) in ("required", {"type": "any"}, "ANY")
    assert "the answer has to come alone" in str(made.seen[1])
    assert "many" in str(made.seen[2])


def test_a_projection_and_what_its_calls_take_can_be_given() -> None:
    wire = tools_of([fail, find]).project("openai")
    client = openai(completion(None, ("fail", "{}")), completion(RIGHT))
    pages = tools_of([find]).pages(budget=90)
    out = asked(
        client, tools=wire, on_exception=lambda error, call: "it failed", pages=pages, given={}
    )

    assert "it failed" == out.messages[2]["content"]
    assert 7 == out.result


def test_tools_of_the_vendor_are_sent_as_they_are() -> None:
    own = [{"type": "web_search"}]
    client = openai(completion(RIGHT))
    asked(client, tools=own)

    assert own == client.seen[0]["tools"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"given": {"db": 1}}, "given, on_exception, pages and host_items are for tools: write "),
        (
            {"tools": TOOLS.project("anthropic")},
            "the tools are projected for anthropic, the client is openai",
        ),
        (
            {"tools": tools_of([find_as_answer]), "way": "tool"},
            "a tool is called answer, which is how the answer is called",
        ),
        ({"tools": tools_of([later])}, "later cannot be called without await: write await "),
        ({"governance": {}}, "governance takes a typesig.governance.Governance, not dict"),
        ({"pending": {}}, "pending takes what pending.decided({…}) of a Paused returns"),
    ],
)
def test_wrong_options_are_told_before_anything_is_asked(options: Any, told: str) -> None:
    client = openai()
    with pytest.raises(TypesigError) as caught:
        asked(client, **options)

    assert str(caught.value).startswith(told)
    assert [] == client.seen


def test_a_model_that_never_answers_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchanges, "MAX_ROUNDS", 3)
    client = openai(*[completion(None, ("find", '{"text": "ab"}'))] * 9)
    out = asked(client, tools=TOOLS)

    assert 4 == len(client.seen)
    assert "the model was not asked on: it called tools in more than 3 answers" == out.ended
    assert ["refused"] == [error.code for error in out.errors]


# Budgets


@hows
@pytest.mark.needs_process
def test_a_conversation_has_a_budget_of_tokens_over_all_that_is_asked(how: str) -> None:
    governance = Governance(tokens=40)
    client = openai(*[completion(WRONG)] * 9)
    first = asked(client, how, governance=governance, attempts=2)
    second = asked(client, how, governance=governance)
    third = asked(client, how, governance=governance)

    assert (2, None, Usage(20, 10)) == (first.attempts, first.ended, first.usage)
    assert (1, "the model was not asked on: 45 tokens were used, of 40") == (
        second.attempts,
        second.ended,
    )
    assert ["type"] == [error.code for error in second.errors]
    assert 0 == third.attempts
    assert ["refused"] == [error.code for error in third.errors]
    assert (30, 15) == governance.usage
    assert (0, 0) == governance.conversation().usage
    assert second.ended == pickle.loads(pickle.dumps(second)).ended


@hows
def test_a_conversation_has_a_budget_of_attempts(how: str) -> None:
    governance = Governance(attempts=3)
    model = Scripted(WRONG, "many", "still", "7")
    complete: Any = model if how == "ask" else model.later
    outs = [
        NUMBER.ask(complete, "How many?", 2, governance=governance)
        if how == "ask"
        else asyncio.run(NUMBER.aask(complete, "How many?", 2, governance=governance))
        for _ in range(3)
    ]

    assert [2, 1, 0] == [out.attempts for out in outs]
    told = "the model was not asked on: 3 answers were asked for, which is all"
    assert [None, told, told] == [out.ended for out in outs]
    assert 3 == len(model.seen)


def test_a_budget_of_tokens_needs_a_client_that_tells_them() -> None:
    message = r"^tokens is a budget, but the client does not tell how many it used$"
    with pytest.raises(TypesigError, match=message):
        asked(openai(completion(RIGHT, tokens=None)), governance=Governance(tokens=10))
    with pytest.raises(TypesigError, match=message):
        NUMBER.ask(lambda messages: "7", "How many?", governance=Governance(tokens=10))


def test_a_budget_is_a_positive_number() -> None:
    with pytest.raises(TypesigError, match=r"^tokens of a governance is an int of at least 1"):
        Governance(tokens=0)


# Hooks and persons


def test_a_request_can_be_refused() -> None:
    seen = []

    def before(call: Any) -> Any:
        seen.append(call)
        return Refuse("it is late")

    out = asked(openai(), governance=Governance(before=before))

    assert ["refused"] == [error.code for error in out.errors]
    assert "the model was not asked: it is late" == out.ended
    assert [("answer", {"model": "m", "attempt": 1})] == [(e.name, e.arguments) for e in seen]


@hows
@pytest.mark.needs_process
def test_a_person_decides_on_a_request_and_it_goes_on_later(how: str) -> None:
    def before(call: Any) -> Any:
        return Ask("Once more?") if call.arguments["attempt"] > 1 else None

    client = openai(completion(WRONG), completion(RIGHT))
    governance = Governance(before=before)
    with pytest.raises(Paused) as caught:
        asked(client, how, governance=governance)
    pending = PendingCalls.from_json(json.loads(json.dumps(caught.value.pending.to_json())))
    messages = caught.value.messages
    out = asked(
        client,
        how,
        prompt=messages,
        pending=pending.decided({"0": None}),
        governance=governance,
    )

    assert ["Once more?"] == [call.question for call in pending.asked]
    assert 7 == out.result
    assert 2 == out.attempts
    assert messages == out.messages[:3]
    refused = pending.decided({"0": Refuse("enough")})
    out = asked(client, how, prompt=messages, pending=refused, governance=governance)
    assert "the model was not asked: enough" == out.ended


def test_a_function_is_asked_on_when_a_person_has_decided() -> None:
    governance = Governance(before=lambda call: Ask("May it?"))
    model = Scripted("7")
    with pytest.raises(Paused) as caught:
        NUMBER.ask(model, "How many?", governance=governance)
    pending, messages = caught.value.pending.decided({"0": None}), caught.value.messages
    out = NUMBER.ask(model, messages, pending=pending, governance=governance)

    assert 7 == out.result
    for prompt, wrong, told in (
        ("How many?", pending, "prompt is the messages of the Paused that pending is from"),
        (messages, caught.value.pending, "pending takes what pending.decided({…}) of a Paused"),
        (
            messages,
            PendingCalls.from_json({"provider": "ask", "calls": [{"key": "0", "name": "f"}]}),
            "the pending call has no attempt: keep what Paused has as it is",
        ),
    ):
        with pytest.raises(TypesigError) as raised:
            NUMBER.ask(model, prompt, pending=wrong)
        assert str(raised.value).startswith(told)


def test_what_is_pending_needs_its_messages_and_its_tools() -> None:
    pending = PendingCalls.from_json(
        {"provider": "openai", "calls": [{"key": "0", "name": "find", "arguments": "{}"}]}
    )
    for prompt, told in (("How many?", "prompt is the messages of"), ([], "the pending calls are")):
        with pytest.raises(TypesigError) as caught:
            asked(openai(), prompt=prompt, pending=pending)
        assert str(caught.value).startswith(told)


@hows
@pytest.mark.needs_process
def test_what_after_returns_is_the_outcome_and_is_fed_back(how: str) -> None:
    even = typesig.parse(":int[..6]")

    def after(call: Any, outcome: Any) -> Any:
        return even.validate_output(outcome.value) if outcome.ok else None

    client = openai(completion(RIGHT), completion('{"result": 4}'))
    out = asked(client, how, governance=Governance(after=after))

    assert (4, 2) == (out.result, out.attempts)
    assert "expected int[..6], got int 7" in client.seen[1]["messages"][-1]["content"]


@pytest.mark.needs_process
def test_hooks_may_be_coroutine_functions_where_asking_is_awaited() -> None:
    async def hook(*_: Any) -> None:
        await asyncio.sleep(0)

    governance = Governance(before=hook, after=hook)

    assert 7 == asked(openai(completion(RIGHT)), "aask", governance=governance).result
    with pytest.raises(TypesigError, match="before is a coroutine function: write await"):
        asked(openai(), governance=governance)


# Time


@hows
@pytest.mark.needs_process
def test_a_late_answer_ends_the_asking(how: str) -> None:
    def complete(messages: Any) -> str:
        time.sleep(0.3)
        return "7"

    governance = Governance(seconds={"answer": 0.02})
    if how == "ask":
        out = NUMBER.ask(complete, "How many?", governance=governance)
    else:
        out = asyncio.run(NUMBER.aask(_later, "How many?", governance=governance))

    assert ["late"] == [error.code for error in out.errors]
    assert "the model was not asked on: no answer came in time" == out.ended


async def _later(messages: Any) -> str:
    await asyncio.sleep(60)
    return "7"


@pytest.mark.needs_process
def test_all_of_an_asking_has_the_time_of_a_turn() -> None:
    @tool
    def wait() -> str:
        """Wait."""
        time.sleep(0.3)
        return "waited"

    client = openai(completion(None, ("wait", "{}")), completion(RIGHT))
    out = asked(client, tools=tools_of([wait]), governance=Governance(turn=0.1))

    told = out.messages[2]["content"]
    # The first request may take all of the time where the machine is slow.
    assert "wait did not end within" in told or "for all calls of the answer were over" in told
    assert "the model was not asked on: no answer came in time" == out.ended


@hows
def test_an_error_of_the_function_that_may_pass_is_asked_again(how: str) -> None:
    ledger = Ledger()
    model = Scripted(ToolError("busy", retry=True), ToolError("busy", retry=0.001), "7")
    governance = Governance(retries=2)
    if how == "ask":
        out = NUMBER.ask(model, "How many?", governance=governance, ledger=ledger)
    else:
        asking = NUMBER.aask(model.later, "How many?", governance=governance, ledger=ledger)
        out = asyncio.run(asking)

    assert 7 == out.result
    assert [("retried", "answer", 1)] == [(row.id, row.tool, row.times) for row in ledger.rows()]


@hows
def test_an_error_of_the_function_that_does_not_pass_reaches_the_caller(how: str) -> None:
    for error in (ToolError("busy", retry=0.001), ToolError("gone")):
        model, governance = Scripted(error, error, "7"), Governance(retries=1)

        def run(model: Any = model, governance: Any = governance) -> Any:
            if how == "ask":
                return NUMBER.ask(model, "How many?", governance=governance)
            return asyncio.run(NUMBER.aask(model.later, "How many?", governance=governance))

        with pytest.raises(ToolError) as caught:
            run()
        assert error is caught.value


# Streams


def called_in_chunks(name: str, arguments: str) -> list[Any]:
    function = {"name": name, "arguments": arguments}
    call = {"index": 0, "id": "c0", "type": "function", "function": function}
    delta = {"content": "Let me look.", "tool_calls": [call]}
    made = {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    return [made, *chunks("")]


def streamed(client: Any, how: str, **options: Any) -> Any:
    asking = NUMBER.asking(client, options.pop("prompt", "How many?"), model="m", **options)
    if how == "asking":
        list(asking)
        return asking.answer

    async def run() -> None:
        async for _ in asking:
            pass

    asyncio.run(run())
    return asking.answer


streams = pytest.mark.parametrize("how", ["asking", "async for"])


def client_of(how: str, *answers: Any) -> Any:
    return openai(*answers, name="OpenAI" if how == "asking" else "AsyncOpenAI")


@streams
@pytest.mark.needs_process
def test_a_stream_may_call_tools_before_it_answers(how: str) -> None:
    ledger = Ledger()
    client = client_of(how, called_in_chunks("find", '{"text": "ab"}'), chunks(RIGHT))
    governance = Governance(at_once=1, seconds=30)
    out = streamed(client, how, tools=TOOLS, governance=governance, ledger=ledger)

    assert 7 == out.result
    assert ["ab"] == RAN
    assert [] == list(ledger.rows())
    assert 30 == governance.usage.total


@streams
@pytest.mark.needs_process
def test_a_stream_that_is_late_is_not_read_any_further(how: str) -> None:
    class Slow:
        """Events of which the second takes long."""

        def __init__(self) -> None:
            self.left = iter(chunks(RIGHT))

        def __iter__(self) -> Any:
            return self

        __aiter__ = __iter__

        def __next__(self) -> Any:
            time.sleep(0.05)
            return next(self.left)

        async def __anext__(self) -> Any:
            await asyncio.sleep(0.05)
            return next(self.left, None)

    class Waiting:
        """A client."""

        def __init__(self) -> None:
            self.chat = self.completions = self

        def create(self, **request: Any) -> Any:
            return Slow() if how == "asking" else _awaited(Slow())

    out = streamed(Waiting(), how, governance=Governance(seconds=0.03))

    assert "the model was not asked on: no answer came in time" == out.ended
    assert 0 == out.attempts


async def _awaited(made: Any) -> Any:
    return made


@streams
@pytest.mark.needs_process
def test_a_stream_that_has_no_place_in_time_is_not_begun(how: str) -> None:
    governance = Governance(at_once=1, turn=0.03)
    gate = governance.get_gate("answer")
    assert gate is not None
    gate.enter(0)
    client = client_of(how, chunks(RIGHT))
    out = streamed(client, how, governance=governance)

    assert "the model was not asked on: no answer came in time" == out.ended
    assert [] == client.seen


@streams
@pytest.mark.needs_process
def test_a_stream_is_not_begun_where_a_budget_is_spent_or_a_hook_refuses(how: str) -> None:
    governance = Governance(before=lambda call: Refuse("no"))

    assert (
        "the model was not asked: no" == streamed(client_of(how), how, governance=governance).ended
    )
    spent = Governance(attempts=1)
    spent.spend(None)
    assert 0 == streamed(client_of(how), how, governance=spent).attempts


@streams
@pytest.mark.needs_process
def test_a_stream_goes_on_when_a_person_has_decided(how: str) -> None:
    governance = Governance(before=lambda call: Ask("May it?") if call.name == "find" else None)
    client = client_of(how, called_in_chunks("find", '{"text": "ab"}'), chunks(RIGHT))
    with pytest.raises(Paused) as caught:
        streamed(client, how, tools=TOOLS, governance=governance)
    decided = caught.value.pending.decided({"c0": None})
    options: Any = {"tools": TOOLS, "governance": governance, "pending": decided}
    out = streamed(client, how, prompt=caught.value.messages, **options)

    assert 7 == out.result
    assert ["ab"] == RAN


@pytest.mark.needs_process
def test_a_stream_with_tools_that_are_awaited_is_read_by_async_for() -> None:
    asking = NUMBER.asking(openai(), "How many?", model="m", tools=tools_of([later]))

    with pytest.raises(TypesigError, match=r"^later cannot be called without await"):
        list(asking)


def test_no_piece_is_waited_for_when_the_time_is_over() -> None:
    pace = Pace(Deadline(0), Governance(), BLOCKING)

    with pytest.raises(StreamTimeout):
        run_blocking(pace.run_step(lambda: asyncio.sleep(0)))


# Spans


def spans_of(how: str, *answers: Any, content: bool = False, **more: Any) -> list[dict[str, Any]]:
    pytest.importorskip("opentelemetry.trace")
    seen = Seen()
    spans = Spans(provider=seen, content=content)  # type: ignore[arg-type]
    governance = Governance(spans=spans, **more)
    is_stream = how in ("asking", "async for")
    run = streamed if is_stream else asked
    run(client_of(how, *answers) if is_stream else openai(*answers), how, governance=governance)
    return seen.spans


@pytest.mark.parametrize("how", ["ask", "aask", "asking", "async for"])
@pytest.mark.needs_process
def test_each_request_has_a_span_with_its_tokens(how: str) -> None:
    is_stream = how in ("asking", "async for")
    answers = [chunks(WRONG), chunks(RIGHT)] if is_stream else map(completion, (WRONG, RIGHT))
    found = spans_of(how, *answers, content=True)

    wanted = {
        "name": "chat m",
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "m",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 5,
        "ended": True,
    }
    assert [True, False] == [each["failed"] for each in found]
    for each in found:
        assert wanted == {name: each.get(name) for name in wanted}
    assert "type" == found[0]["error.type"]
    [told] = json.loads(found[1]["gen_ai.output.messages"])
    assert [{"type": "text", "content": "7"}] == told["parts"]


@pytest.mark.parametrize("how", ["asking", "ask"])
@pytest.mark.needs_process
def test_a_late_request_fails_its_span(how: str) -> None:
    class Slow:
        """A client."""

        def __init__(self) -> None:
            self.chat = self.completions = self

        def create(self, **request: Any) -> Any:
            time.sleep(0.1)

    pytest.importorskip("opentelemetry.trace")
    seen = Seen()
    governance = Governance(spans=Spans(provider=seen), seconds=0.01)  # type: ignore[arg-type]
    (streamed if how == "asking" else asked)(Slow(), how, governance=governance)

    assert [("late", True)] == [(each["error.type"], each["ended"]) for each in seen.spans]


def test_a_function_has_a_span_without_a_model_and_its_error_is_told() -> None:
    pytest.importorskip("opentelemetry.trace")
    seen = Seen()
    governance = Governance(spans=Spans(provider=seen))  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        NUMBER.ask(Scripted(KeyError("private")), "How many?", governance=governance)

    [found] = seen.spans
    assert ("chat", "KeyError", True) == (found["name"], found["error.type"], found["ended"])
    assert "gen_ai.provider.name" not in found
