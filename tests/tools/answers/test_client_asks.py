"""Asking clients of vendors until an answer fits, with clients that give prepared answers."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any, NotRequired, TypedDict

import pytest

from examples.scripted import objects
from tests.tools.answers.test_conversation import Scripted
from typesig import Answer, TypesigError, contract, tools_of
from typesig.errors import TooLarge
from typesig.governance.timing import Usage
from typesig.providers.dialogues import clients
from typesig.providers.vendors.registry import VENDORS
from typesig.tools.answers import client_asks as asking_clients
from typesig.validation.issues.ledger import Ledger


class Room(TypedDict):
    name: str
    seats: int
    prices: NotRequired[dict[str, int]]


ROOM = contract(Room)
RIGHT = {"name": "Elm", "seats": 8}
SENT = '{"name": "Elm", "seats": 8, "prices": null}'
WRONG = '{"name": "Elm", "seats": "many", "prices": null}'


def fake(package: str, name: str, method: str, answers: list[Any], **more: Any) -> Any:
    """Return a client whose class is *name* of *package*; its *method* gives *answers*."""
    seen: list[dict[str, Any]] = []

    def send(**request: Any) -> Any:
        seen.append(request)
        answer = answers.pop(0)
        if isinstance(answer, list):
            return iter(map(objects, answer))
        return answer if hasattr(answer, "__await__") else objects(answer)

    async def later(**request: Any) -> Any:
        found = send(**request)
        return arriving(found) if hasattr(found, "__next__") else found

    async def arriving(events: Any) -> Any:
        for event in events:
            yield event

    *parts, last = method.split(".")
    held: Any = SimpleNamespace(**{last: later if name.startswith("Async") else send})
    for part in reversed(parts[1:]):
        held = SimpleNamespace(**{part: held})
    cls = type(name, (), {"__module__": package, parts[0]: held, "seen": seen, **more})
    return cls()


def completion(text: str | None, *calls: tuple[str, str], tokens: int | None = 15) -> Any:
    asked = [
        {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for at, (name, arguments) in enumerate(calls)
    ]
    made = {"role": "assistant", "content": text, **({"tool_calls": asked} if asked else {})}
    usage = None if tokens is None else {"prompt_tokens": tokens - 5, "completion_tokens": 5}
    choices = [{"index": 0, "finish_reason": "stop", "message": made}]
    return {"choices": choices, "usage": usage}


def chunks(text: str) -> list[Any]:
    parts = [text[at : at + 9] for at in range(0, len(text), 9)]
    events: list[Any] = [
        {"choices": [{"index": 0, "delta": {"content": p}, "finish_reason": None}]} for p in parts
    ]
    last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return [*events, last, {"choices": [], "usage": usage}]


def message(*blocks: Any, reason: str = "end_turn") -> dict[str, Any]:
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    usage = {"input_tokens": 10, "output_tokens": 5}
    return {"role": "assistant", "content": content, "stop_reason": reason, "usage": usage}


def response(*items: Any) -> dict[str, Any]:
    output = [
        {"type": "message", "content": [{"type": "output_text", "text": each}]}
        if isinstance(each, str)
        else each
        for each in items
    ]
    usage = {"input_tokens": 10, "output_tokens": 5}
    return {"status": "completed", "output": output, "usage": usage}


def contents(text: str) -> dict[str, Any]:
    parts = [{"text": "I think.", "thought": True}, {"text": text}] if text else []
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 4, "thoughtsTokenCount": 1}
    content = {"role": "model", "parts": parts}
    return {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}


def openai(*answers: Any, name: str = "OpenAI", **more: Any) -> Any:
    return fake("openai", name, "chat.completions.create", [*answers], **more)


def responses(*answers: Any, name: str = "OpenAI") -> Any:
    return fake("openai", name, "responses.create", [*answers])


def anthropic(*answers: Any, name: str = "Anthropic") -> Any:
    return fake("anthropic._client", name, "messages.create", [*answers])


def gemini(*answers: Any, name: str = "Client", streams: bool = False, **more: Any) -> Any:
    method = f"models.generate_content{'_stream' * streams}"
    made = fake("google.genai.client", name, method, [*answers], **more)
    if streams:
        type(made).models.generate_content = type(made).models.generate_content_stream
    return made


def asked(client: Any, how: str = "ask", **options: Any) -> Answer[Any]:
    if how == "ask":
        return ROOM.ask(client, "Which room?", model="m", **options)
    return asyncio.run(ROOM.aask(client, "Which room?", model="m", **options))


ASKED = {"role": "user", "content": "Which room?"}

#: A client of each interface, its answers of texts, and the schema of the answer in its requests.
INTERFACES: dict[str, Any] = {
    "chat": (openai, completion, {}, lambda r: r["response_format"]["json_schema"]["schema"]),
    "responses": (
        responses,
        response,
        {"api": "responses"},
        lambda r: r["text"]["format"]["schema"],
    ),
    "anthropic": (anthropic, message, {}, lambda r: r["output_config"]["format"]["schema"]),
    "gemini": (gemini, contents, {}, lambda r: r["config"]["responseSchema"]),
}


@pytest.mark.parametrize("interface", INTERFACES)
def test_a_client_is_asked_until_the_answer_fits(interface: str) -> None:
    client_of, answer_of, options, schema_of = INTERFACES[interface]
    sent = [json.dumps(ROOM.project(*known(interface)).encode(each)) for each in (RIGHT,)]
    client = client_of(answer_of(WRONG), answer_of(*sent))
    out = asked(client, **options)

    assert RIGHT == out.result
    assert (2, Usage(20, 10), 30) == (out.attempts, out.usage, out.usage.total)  # type: ignore[union-attr]
    assert {"name", "seats", "prices"} == set(schema_of(client.seen[0])["properties"])
    assert "many" in str(client.seen[1])
    assert "m" == client.seen[0]["model"]


def known(interface: str) -> Any:
    return (
        ("gemini",)
        if interface == "gemini"
        else ("anthropic",)
        if interface == "anthropic"
        else ("openai",)
    )


@pytest.mark.parametrize("interface", INTERFACES)
def test_a_client_that_is_awaited_is_asked_so(interface: str) -> None:
    client_of, answer_of, options, _ = INTERFACES[interface]
    name = {"anthropic": "AsyncAnthropic", "gemini": "AsyncClient"}.get(interface, "AsyncOpenAI")
    client = client_of(answer_of(WRONG), answer_of(SENT), name=name)
    out = asked(client, "aask", **options)

    assert RIGHT == out.result
    assert 2 == out.attempts
    with pytest.raises(
        TypesigError, match=r"^this client is asynchronous: write await contract\.aask\(…\)$"
    ):
        asked(client, **options)
    with pytest.raises(TypesigError, match=r"^this client is asynchronous: write async for$"):
        next(iter(ROOM.asking(client, "Which?", model="m", **options)))


def test_a_client_of_google_for_both_ways_is_awaited_by_its_own_part() -> None:
    inner = gemini(contents(SENT), name="AsyncClient")
    client = gemini(aio=inner)

    assert RIGHT == asked(client, "aask").result
    assert 1 == len(inner.seen)


@pytest.mark.needs_process
def test_a_client_that_is_not_awaited_is_asked_in_a_thread() -> None:
    assert RIGHT == asked(openai(completion(SENT)), "aask").result


def test_a_client_like_openais_may_be_awaited_whatever_its_class_is_called() -> None:
    async def create(**request: Any) -> Any:
        return completion(SENT)

    client: Any = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))

    assert RIGHT == asked(client, "aask").result
    with pytest.raises(TypesigError, match=r"^this client is asynchronous: "):
        asked(client)

    class Later:
        def __await__(self) -> Any:
            yield

    with pytest.raises(TypesigError, match=r"^this client is asynchronous: "):
        asked(openai(Later()))


def test_messages_are_sent_as_they_are() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    given = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Which?"}, image]},
    ]
    client = openai(completion(SENT))
    out = ROOM.ask(client, given, model="m", temperature=0, tools=[{"type": "web_search"}])
    [request] = client.seen

    assert all(ours is theirs for ours, theirs in zip(given, request["messages"], strict=True))
    assert (0, [{"type": "web_search"}]) == (request["temperature"], request["tools"])
    assert given == list(out.messages[:2])
    assert 2 == len(given)


def test_what_a_request_has_beside_the_format_is_kept() -> None:
    client = anthropic(message(SENT))
    asked(client, output_config={"effort": "high"}, max_tokens=9)
    [request] = client.seen

    assert {"effort", "format"} == set(request["output_config"])
    assert 9 == request["max_tokens"]
    client = responses(response(SENT))
    asked(client, api="responses", text={"verbosity": "low"})
    assert {"verbosity", "format"} == set(client.seen[0]["text"])
    config = SimpleNamespace(model_fields_set={"temperature"}, temperature=1, seed=None)
    client = gemini(contents(SENT))
    asked(client, config=config)
    assert {"temperature", "responseMimeType", "responseSchema"} == set(client.seen[0]["config"])


def test_a_tool_can_be_forced_in_place_of_a_format() -> None:
    chat = openai(completion(None, ("answer", WRONG)), completion(None, ("answer", SENT)))
    out = asked(chat, way="tool", tools=[{"type": "web_search"}])
    first, second = chat.seen

    assert (RIGHT, 2) == (out.result, out.attempts)
    assert ["web_search", "function"] == [each["type"] for each in first["tools"]]
    assert {"type": "function", "function": {"name": "answer"}} == first["tool_choice"]
    assert "response_format" not in first
    assert [ASKED] == first["messages"]
    assert ("tool", "c0") == (
        second["messages"][-1]["role"],
        second["messages"][-1]["tool_call_id"],
    )
    called = {"type": "function_call", "call_id": "c", "name": "answer", "arguments": SENT}
    client = responses(response(called))
    assert RIGHT == asked(client, way="tool", api="responses").result
    assert {"type": "function", "name": "answer"} == client.seen[0]["tool_choice"]
    use = {"type": "tool_use", "id": "t", "name": "answer", "input": RIGHT}
    client = anthropic(message("Here it is.", use))
    assert RIGHT == asked(client, way="tool").result
    assert {"type": "tool", "name": "answer"} == client.seen[0]["tool_choice"]
    part = {"functionCall": {"name": "answer", "args": {**RIGHT, "seats": 8.0}}}
    client = gemini({"candidates": [{"content": {"parts": [part]}}]})
    assert RIGHT == asked(client, way="tool").result
    calling = client.seen[0]["config"]["tool_config"]["function_calling_config"]
    assert {"mode": "ANY", "allowed_function_names": ["answer"]} == calling


def test_a_model_that_writes_in_place_of_calling_the_forced_tool_is_read() -> None:
    out = asked(openai(completion("hm"), completion(SENT)), way="tool")

    assert (RIGHT, 2) == (out.result, out.attempts)
    assert "user" == out.messages[2]["role"]


def test_the_text_asks_where_nothing_else_can() -> None:
    client = openai(completion('{"name": "Elm", "seats": "8"}'))
    out = asked(client, way="text")

    assert RIGHT == out.result
    assert ["messages", "model"] == sorted(client.seen[0])
    assert f"Which room?\n\n{ROOM.prompt()}" == client.seen[0]["messages"][0]["content"]
    client = openai(completion(SENT))
    ROOM.ask(client, [ASKED], model="m", way="text")
    assert [ASKED, {"role": "user", "content": ROOM.prompt()}] == client.seen[0]["messages"]


def test_feedback_is_that_of_the_contract_where_the_text_asked() -> None:
    client = openai(*[completion('{"name": 3}')] * 2, completion(SENT))
    out = asked(client, way="text")

    first = ROOM.read('{"name": 3}')
    again = ROOM.read('{"name": 3}').feedback(first)
    told = [client.seen[number]["messages"][-1]["content"] for number in (1, 2)]
    assert (RIGHT, [first.feedback(), again]) == (out.result, told)


@pytest.mark.parametrize("prompt", ["", []])
def test_without_a_prompt_the_contract_asks(prompt: Any) -> None:
    client = openai(completion(SENT))
    ROOM.ask(client, prompt, model="m")

    assert [{"role": "user", "content": ROOM.prompt()}] == client.seen[0]["messages"]


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("https://api.mistral.ai/v1", "mistral"),
        ("https://api.deepseek.com", "deepseek"),
        ("https://api.moonshot.cn/v1", "moonshot"),
        ("https://api.x.ai/v1", "xai"),
        ("https://api.openai.com/v1", "openai"),
        ("http://localhost:8000", "openai"),
        ("http://[", "openai"),
    ],
)
def test_a_provider_is_known_by_the_address_of_its_client(address: str, provider: str) -> None:
    for package in ("openai", "groq"):
        client = fake(package, "OpenAI", "chat.completions.create", [], base_url=address)

        assert provider == clients.recognise_client(client, None, None, False).provider


def test_every_provider_but_mcp_can_be_asked() -> None:
    for name in VENDORS:
        text = '{"items": [1, 2]}'
        client = {"anthropic": anthropic, "gemini": gemini}.get(name, openai)
        answer = {"anthropic": message, "gemini": contents}.get(name, completion)
        if name == "mcp":
            with pytest.raises(TypesigError, match=r"mcp has no models"):
                contract(list[int]).ask(openai(), "Which?", model="m", provider=name)
            continue
        made = client(answer(text))
        out = contract(list[int]).ask(made, "Which?", model="m", provider=name)

        assert [1, 2] == out.result
        assert ("json_object" in str(made.seen)) is (name == "deepseek")
        assert ("JSON Schema: {" in str(made.seen)) is (name == "deepseek")


def test_the_tokens_are_a_budget() -> None:
    out = asked(openai(completion(WRONG), completion(WRONG), completion(SENT)), tokens=30)

    assert (2, 30, False) == (out.attempts, out.usage.total, out.ok)  # type: ignore[union-attr]
    message = r"^tokens is a budget, but the client does not tell how many it used$"
    with pytest.raises(TypesigError, match=message):
        asked(openai(completion(SENT, tokens=None)), tokens=30)
    assert asked(openai(completion(WRONG), completion(SENT, tokens=None))).usage is None
    assert ROOM.ask(Scripted(SENT), "Which?").usage is None


def test_what_is_refused_is_counted_in_the_ledger() -> None:
    ledger = Ledger()
    asked(openai(completion(WRONG), completion(SENT)), ledger=ledger)

    assert 1 == sum(each.times for each in ledger.rows())


def ended(answer: dict[str, Any], reason: str) -> dict[str, Any]:
    """Return *answer*, of any vendor, as one that ended for *reason*."""
    for choice in answer.get("choices", ()):
        choice["finish_reason"] = reason
    for candidate in answer.get("candidates", ()):
        candidate["finishReason"] = reason
    if "output" in answer:
        return {**answer, "status": "incomplete", "incomplete_details": {"reason": reason}}
    return {**answer, "stop_reason": reason} if "stop_reason" in answer else answer


def refused(answer: dict[str, Any]) -> dict[str, Any]:
    answer["choices"][0]["message"]["refusal"] = "I will not."
    return answer


REFUSAL = {"type": "message", "content": [{"type": "refusal", "refusal": "I will not."}]}
BLOCKED = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "candidates": []}

#: Clients, what they answer, the code of the issue, and the words of the model or the vendor.
ENDINGS: list[Any] = [
    pytest.param(openai, refused(completion(None)), "refusal", "I will not.", id="refusal"),
    pytest.param(openai, ended(completion(SENT), "content_filter"), "filtered", "content_filter"),
    pytest.param(openai, ended(completion('{"na'), "length"), "truncated", "length"),
    pytest.param(responses, response(REFUSAL), "refusal", "I will not.", id="part"),
    pytest.param(responses, ended(response(SENT), "content_filter"), "filtered", "content_filter"),
    pytest.param(
        responses, ended(response(SENT), "max_output_tokens"), "truncated", "max_output_tokens"
    ),
    pytest.param(anthropic, message("I will not.", reason="refusal"), "refusal", "I will not."),
    pytest.param(anthropic, message(reason="refusal"), "refusal", "refusal", id="bare"),
    pytest.param(anthropic, message(SENT, reason="max_tokens"), "truncated", "max_tokens"),
    pytest.param(gemini, ended(contents(""), "SAFETY"), "filtered", "SAFETY"),
    pytest.param(gemini, ended(contents(SENT), "RECITATION"), "filtered", "RECITATION"),
    pytest.param(gemini, BLOCKED, "filtered", "PROHIBITED_CONTENT", id="blocked"),
    pytest.param(gemini, ended(contents(SENT), "MAX_TOKENS"), "truncated", "MAX_TOKENS"),
]


@pytest.mark.parametrize(("make", "answer", "code", "reason"), ENDINGS)
def test_a_refusal_and_a_cut_answer_end_the_asking_at_once(
    make: Any, answer: Any, code: Any, reason: str
) -> None:
    client, ledger = make(answer, answer, answer), Ledger()
    api: Any = {"api": "responses"} if make is responses else {}
    out = asked(client, ledger=ledger, **api)

    assert [code] == [error.code for error in out.errors]
    assert repr(reason) in out.report()
    assert (1, 1) == (out.attempts, len(client.seen))
    assert f"the answer is no answer: {code}" == out.ended
    assert [(code, 1)] == [(row.id, row.times) for row in ledger.rows()]


@pytest.mark.parametrize(
    ("make", "answer", "right", "name"),
    [
        (openai, ended(completion('{"na'), "length"), completion(SENT), "max_completion_tokens"),
        (responses, ended(response("{"), "max_output_tokens"), response(SENT), "max_output_tokens"),
        (anthropic, message("{", reason="max_tokens"), message(SENT), "max_tokens"),
        (gemini, ended(contents("{"), "MAX_TOKENS"), contents(SENT), "max_output_tokens"),
    ],
    ids=["chat", "responses", "anthropic", "gemini"],
)
def test_a_cut_answer_is_asked_for_once_more_with_more_tokens(
    make: Any, answer: Any, right: Any, name: str
) -> None:
    api: Any = {"api": "responses"} if make is responses else {}
    client = make(answer, right)
    out = asked(client, more_tokens=9000, **api)
    first, second = client.seen
    limit = second.get("config", second)[name]

    assert (RIGHT, 2, None) == (out.result, out.attempts, out.ended)
    assert 9000 == limit
    # The answer that was cut is not repeated.
    assert [first.get(key) for key in ("messages", "input", "contents")] == [
        second.get(key) for key in ("messages", "input", "contents")
    ]
    client = make(answer, answer, answer)
    assert "truncated" == asked(client, more_tokens=9000, **api).errors[0].code
    assert 2 == len(client.seen)
    client = make(answer)
    assert "truncated" == asked(client, more_tokens=9000, attempts=1, **api).errors[0].code


def test_the_limit_that_a_request_has_is_the_one_that_is_raised() -> None:
    cut = ended(completion("{"), "length")
    client = openai(cut, completion(SENT))
    asked(client, more_tokens=90, max_tokens=5)
    mistral = openai(cut, completion(SENT))
    asked(mistral, more_tokens=90, provider="mistral")

    assert (5, 90) == tuple(each["max_tokens"] for each in client.seen)
    assert 90 == mistral.seen[1]["max_tokens"]


def test_a_cut_answer_that_arrives_in_pieces_ends_the_asking() -> None:
    events = chunks(SENT)
    events[-2]["choices"][0]["finish_reason"] = "length"
    asking = ROOM.asking(openai(events), "Which room?", model="m")
    list(asking)

    assert ["truncated"] == [error.code for error in asking.answer.errors]
    assert 1 == asking.answer.attempts


def test_an_empty_turn_is_not_sent_back() -> None:
    client = anthropic(message(), message(SENT))

    assert RIGHT == asked(client).result
    assert ["user", "user"] == [each["role"] for each in client.seen[1]["messages"]]
    client = gemini(contents(""), {"candidates": []}, contents(SENT))
    assert RIGHT == asked(client).result
    client = openai({"choices": []}, completion(SENT))
    assert RIGHT == asked(client).result


def test_a_turn_that_is_paused_is_sent_back_to_go_on() -> None:
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    client = anthropic(message(search, reason="pause_turn"), message(SENT))
    out = asked(client)

    assert (RIGHT, 1) == (out.result, out.attempts)
    assert "assistant" == client.seen[1]["messages"][-1]["role"]
    client = anthropic(message(reason="compaction"), message(SENT))
    assert RIGHT == asked(client).result
    client = anthropic(*[message(search, reason="pause_turn") for _ in range(22)])
    assert not asked(client, attempts=1).ok
    assert 21 == len(client.seen)


def test_a_model_that_calls_another_tool_is_a_mistake_of_the_developer() -> None:
    message = (
        r"^the model called 'find': without tools=tools_of\(…\), ask runs none; answer calls with "
        r"tools\.project\(…\)\.handle, and ask for the answer after them$"
    )
    with pytest.raises(TypesigError, match=message):
        asked(openai(completion(None, ("find", "{}"), ("find", "{}"))))


def test_every_call_is_answered_where_a_tool_is_forced() -> None:
    client = openai(completion(None, ("find", "{}"), ("answer", WRONG)), completion(SENT))
    asked(client, way="tool")

    assert ["c0", "c1"] == [each["tool_call_id"] for each in client.seen[1]["messages"][-2:]]


class Plain:
    """No client."""


@pytest.mark.parametrize(
    ("client", "options", "message"),
    [
        (Plain(), {"model": "m"}, r"or another one with chat\.completions\.create, not Plain$"),
        (Plain(), {}, r"create; not Plain without model=…$"),
        (openai(), {"way": "text"}, r"^way: for a client only, with model=…; ask takes "),
        (openai(), {"model": 5}, r"^model is the name of a model, not 5$"),
        (
            openai(),
            {"model": "m", "way": "json"},
            r"^there is no way 'json'; there are format, tool, text$",
        ),
        (openai(), {"model": "m", "tokens": 0}, r"^tokens is an int of at least 1, not 0$"),
        (openai(), {"model": "m", "attempts": 0}, r"^attempts is an int of at least 1, not 0$"),
        (openai(), {"model": "m", "api": "chats"}, r"^openai has no api 'chats'"),
        (
            openai(),
            {"model": "m", "api": "responses"},
            r"^the client, OpenAI, has no responses\.create$",
        ),
        (openai(), {"model": "m", "provider": "opnai"}, r"\(did you mean openai\?\)$"),
        (
            openai("text"),
            {"model": "m"},
            r"^the client returned str, which is not a chat completion$",
        ),
        (
            openai(),
            {"model": "m", "prompt": 5},
            r"^prompt is a str or a list of messages, not int$",
        ),
        (
            openai(),
            {"model": "m", "prompt": ASKED},
            r"^prompt is a str or a list of messages, not dict$",
        ),
    ],
)
def test_a_mistake_of_the_developer_is_told(client: Any, options: Any, message: str) -> None:
    prompt = options.pop("prompt", "Which?") if "prompt" in options else "Which?"
    with pytest.raises(TypesigError, match=message):
        ROOM.ask(client, prompt, **options)
    if isinstance(client, Plain):
        with pytest.raises(TypesigError, match=message):
            asyncio.run(ROOM.aask(client, prompt, **options))  # type: ignore[call-overload]


def test_an_exception_of_a_client_passes_through() -> None:
    def create(**request: Any) -> Any:
        raise ConnectionError("no network")

    client: Any = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))
    with pytest.raises(ConnectionError, match=r"^no network$"):
        asked(client)


# While an answer arrives


PRICED = '{"name": "Elm", "seats": 8, "prices": [{"key": "day", "value": 40}, {"key": "hour", "value": 6}]}'


def test_what_has_come_of_an_answer_is_shown_in_the_form_of_the_contract() -> None:
    client = openai(chunks(WRONG), chunks(PRICED))
    asking = ROOM.asking(client, "Which?", model="m")
    with pytest.raises(
        TypesigError, match=r"^the answer is not whole before the iteration has ended$"
    ):
        _ = asking.answer

    assert "<asking, attempt 1>" == repr(asking)
    shown = [(part.attempt, part.value) for part in asking]
    priced = [value for attempt, value in shown if attempt == 2]
    assert {"name": "E"} == priced[0] or "name" in priced[0]
    assert {**RIGHT, "prices": {"day": 40}} in priced
    assert {**RIGHT, "prices": {"day": 40, "hour": 6}} == priced[-1] == asking.answer.result
    sizes = [len(json.dumps(value)) for value in priced]
    assert sorted(sizes) == sizes
    assert Usage(20, 10) == asking.answer.usage
    assert "<asking, ended>" == repr(asking)
    assert {"include_usage": True} == client.seen[0]["stream_options"]
    with pytest.raises(TypesigError, match=r"^the model was asked: the answer is in answer$"):
        list(asking)


@pytest.mark.parametrize(
    ("hint", "text", "shown"),
    [
        (list[int], '{"items": [1, 2, 3]}', [[1, 2], [1, 2, 3]]),
        (int, '{"result": 123}', [123]),
        (str, '{"result": "hello you"}', ["hello ", "hello you"]),
        (
            dict[str, int],
            '{"additional_properties": [{"key": "a", "value": 1}, {"key": "b", "value": 2}]}',
            [{"a": 1}, {"a": 1, "b": 2}],
        ),
    ],
)
def test_answers_in_wrappers_are_shown_without_them(hint: Any, text: str, shown: Any) -> None:
    asking = contract(hint).asking(openai(chunks(text)), "Which?", model="m")
    values = [part.value for part in asking]

    assert all(each in values for each in shown)
    assert asking.answer.ok


def test_an_answer_that_is_asked_for_by_text_is_shown_as_it_is() -> None:
    asking = ROOM.asking(
        openai(chunks('{"name": "Elm", "seats": 8}')), "Which?", model="m", way="text"
    )
    parts = list(asking)

    assert {"name": "Elm"} in [part.value for part in parts]
    assert "Part(1, Partial(complete))" == repr(parts[-1])
    assert RIGHT == asking.answer.result


def test_the_arguments_of_a_forced_tool_are_shown_while_they_arrive() -> None:
    def delta(arguments: str, **begun: Any) -> Any:
        call = {"index": 0, **begun, "function": {"name": "answer", "arguments": arguments}}
        return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]}

    last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    events = [delta(SENT[:20], id="c"), delta(SENT[20:]), last]
    for event in events[1:2]:
        del event["choices"][0]["delta"]["tool_calls"][0]["function"]["name"]
    asking = ROOM.asking(openai(events), "Which?", model="m", way="tool")

    assert {"name": "Elm"} in [part.value for part in asking]
    assert RIGHT == asking.answer.result
    assert asking.answer.usage is None
    use = {"type": "tool_use", "id": "t", "name": "answer", "input": {}}
    pieces = [
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": each},
        }
        for each in (SENT[:20], SENT[20:])
    ]
    events = [
        {"type": "message_start", "message": message()},
        {"type": "content_block_start", "index": 0, "content_block": use},
        *pieces,
        {"type": "message_stop"},
    ]
    asking = ROOM.asking(anthropic(events), "Which?", model="m", way="tool")
    assert {"name": "Elm"} in [part.value for part in asking]
    assert RIGHT == asking.answer.result


def test_events_of_every_interface_are_read() -> None:
    delta = {"type": "response.output_text.delta", "delta": SENT}
    last = {"type": "response.completed", "response": response(SENT)}
    asking = ROOM.asking(responses([delta, last]), "Which?", model="m", api="responses")

    assert RIGHT == [part.value for part in asking][-1]
    call = {"type": "function_call", "call_id": "c", "name": "answer", "arguments": SENT}
    delta = {"type": "response.function_call_arguments.delta", "delta": SENT}
    last = {"type": "response.completed", "response": response(call)}
    client = responses([delta, last])
    asking = ROOM.asking(client, "Which?", model="m", api="responses", way="tool")
    assert RIGHT == [part.value for part in asking][-1]
    events = [
        {"type": "message_start", "message": message()},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SENT}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    ]
    asking = ROOM.asking(anthropic(events), "Which?", model="m")
    assert RIGHT == [part.value for part in asking][-1]
    events = [
        contents('{"name": "Elm", '),
        contents('"seats": 8}'),
        {"candidates": [], "usageMetadata": {}},
    ]
    asking = ROOM.asking(gemini(events, streams=True), "Which?", model="m")
    assert RIGHT == [part.value for part in asking][-1]
    part = {"functionCall": {"name": "answer", "args": RIGHT}}
    whole = {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]
    }
    asking = ROOM.asking(gemini([whole], streams=True), "Which?", model="m", way="tool")
    assert RIGHT == [part.value for part in asking][-1]


def shown_later(client: Any) -> Any:
    async def main() -> Any:
        asking = ROOM.asking(client, "Which?", model="m")
        return [part.value async for part in asking], asking.answer

    return asyncio.run(main())


def test_a_stream_that_is_awaited_is_shown_while_it_arrives() -> None:
    values, answer = shown_later(openai(chunks(WRONG), chunks(SENT), name="AsyncOpenAI"))

    assert (RIGHT, 2) == (answer.result, answer.attempts)
    assert {"name": "Elm"} in values


@pytest.mark.needs_process
def test_a_stream_that_is_not_awaited_is_read_in_a_thread() -> None:
    values, answer = shown_later(openai(chunks(SENT)))

    assert RIGHT == answer.result == values[-1]


def test_a_stream_without_text_is_read_as_an_answer() -> None:
    asking = ROOM.asking(openai(chunks(""), chunks(SENT)), "Which?", model="m")

    assert RIGHT == [part.value for part in asking][-1]
    assert 2 == asking.answer.attempts


def test_a_stream_of_too_many_events_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking_clients, "MAX_EVENTS", 2)
    with pytest.raises(TooLarge, match=r"^the stream has more than 2 events$"):
        list(ROOM.asking(openai(chunks(SENT)), "Which?", model="m"))


def test_a_client_without_streams_is_told() -> None:
    client = gemini(contents(SENT))
    with pytest.raises(
        TypesigError, match=r"^the client, Client, has no models\.generate_content_stream$"
    ):
        list(ROOM.asking(client, "Which?", model="m"))


def test_an_item_of_the_host_is_answered_before_the_answer() -> None:
    def seats(name: str) -> int:
        return 8

    item = {"type": "mcp_approval_request", "id": "a", "name": "f", "arguments": "{}"}
    answer = {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True}
    options: dict[str, Any] = {"api": "responses", "tools": tools_of([seats])}
    client = responses(response(item), response(SENT))
    host_items = {"mcp_approval_request": lambda item: answer}

    assert RIGHT == asked(client, host_items=host_items, **options).result
    assert answer == client.seen[1]["input"][-1]
    with pytest.raises(TypesigError, match="waits for your program"):
        asked(responses(response(item)), **options)
