"""Asking on after repair and feedback: constrained decoding of what failed, and an early stop."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from tests.tools.answers.test_client_asks import RIGHT, ROOM, SENT, WRONG, fake, gemini
from typesig import TypesigError, contract, tool, tools_of
from typesig.tools.answers.request_options import ENGINES

OTHER = '{"name": "Elm", "seats": "few", "prices": null}'
USAGE = {"prompt_tokens": 1, "completion_tokens": 1}
COUNT = contract("{n :int}")


def text(content: str) -> dict[str, Any]:
    """Return a chat completion with the text *content*."""
    message = {"role": "assistant", "content": content}
    return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": USAGE}


def calling(name: str, arguments: str, id: str = "c") -> dict[str, Any]:
    """Return a chat completion with a call."""
    call = {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": USAGE}


def chat(*answers: dict[str, Any]) -> Any:
    return fake("openai", "OpenAI", "chat.completions.create", list(answers))


def test_an_answer_that_fails_after_feedback_is_constrained() -> None:
    client = chat(text(WRONG), text(OTHER), text(SENT))
    out = ROOM.ask(client, "Which?", model="m", way="text", escalate=True)

    assert (RIGHT, 3) == (out.value, out.attempts)
    assert [False, False, True] == ["response_format" in sent for sent in client.seen]
    assert "seats" in client.seen[2]["messages"][-1]["content"]


def test_the_last_attempt_is_constrained() -> None:
    client = chat(text(WRONG), text(SENT))
    out = ROOM.ask(client, "Which?", 2, model="m", way="text", escalate=True)

    assert out.ok
    assert [False, True] == ["response_format" in sent for sent in client.seen]


def test_an_answer_that_repeats_itself_is_constrained_at_once() -> None:
    client = chat(text(WRONG), text(WRONG), text(SENT))
    out = ROOM.ask(client, "Which?", 9, model="m", way="text", escalate=True)

    assert (RIGHT, 3) == (out.value, out.attempts)
    assert "response_format" in client.seen[2]


@pytest.mark.parametrize("way", ["text", "format", "tool"])
def test_a_constrained_answer_that_repeats_itself_ends_the_asking(way: Any) -> None:
    answer = calling("answer", WRONG) if way == "tool" else text(WRONG)
    client = chat(*[answer] * 9)
    out = ROOM.ask(client, "Which?", 9, model="m", way=way, escalate=True)

    assert not out.ok
    assert (3 if way == "text" else 2) == out.attempts
    assert "the model was not asked on: it repeated what had failed" == out.ended


def test_without_escalation_nothing_changes() -> None:
    client = chat(*[text(WRONG)] * 3)
    out = ROOM.ask(client, "Which?", model="m", way="text")

    assert (3, None) == (out.attempts, out.ended)
    assert not any("response_format" in sent for sent in client.seen)


@pytest.mark.parametrize(("server", "member"), [
    ("vllm", "structured_outputs"), ("sglang", "ebnf"), ("llama.cpp", "grammar"),
])  # fmt: skip
@pytest.mark.parametrize("way", ["text", "format", "tool"])
def test_a_server_is_told_by_its_own_body(server: Any, member: str, way: Any) -> None:
    wrong = calling("answer", '{"n": "x"}') if way == "tool" else text('{"n": "x"}')
    client = chat(wrong, wrong, text('{"n": 3}'))
    out = COUNT.ask(
        client, "How many?", model="m", way=way, escalate=server, extra_body={"top_k": 1}
    )

    assert {"n": 3} == out.value
    body = client.seen[2]["extra_body"]
    assert {"top_k", member} == body.keys()
    assert {"top_k"} == client.seen[1]["extra_body"].keys()
    assert not {"response_format", "tool_choice"} & client.seen[2].keys()
    if server == "vllm":
        assert "n" in body[member]["json"]["properties"]
    else:
        assert body[member].startswith("root ::= ")


@pytest.mark.parametrize("server", ["vllm", "llama.cpp"])
def test_the_bounds_of_a_grammar_are_losses_of_the_answer(server: Any) -> None:
    client = chat(text('{"n": "x"}'), text('{"n": 3}'))
    out = COUNT.ask(client, "How many?", 2, model="m", way="text", escalate=server)
    free = COUNT.ask(chat(text('{"n": 3}')), "How many?", 2, model="m", way="text")

    assert COUNT.project(ENGINES[server]).losses == out.losses
    assert "numbers of more than 18 digits" in [loss.what for loss in out.losses]
    assert () == free.losses
    assert out.losses == pickle.loads(pickle.dumps(out)).losses


def test_an_ask_that_ends_early_has_the_losses_of_its_constraint() -> None:
    client = chat(*[text('{"n": "x"}')] * 9)
    out = COUNT.ask(client, "How many?", 9, model="m", way="text", escalate="llama.cpp")

    assert (False, True) == (out.ok, out.ended is not None)
    assert COUNT.project("gbnf").losses == out.losses


def test_a_response_format_has_its_losses_from_the_start() -> None:
    dated = contract("{n :int, day? :string[date]}")
    out = dated.ask(chat(text('{"n": 4, "day": null}')), "Which?", 1, model="m")

    assert dated.project("openai").losses == out.losses


def test_a_streamed_ask_escalates_as_well() -> None:
    def streamed(content: str) -> list[dict[str, Any]]:
        piece = {"index": 0, "delta": {"content": content}, "finish_reason": "stop"}
        return [{"choices": [piece], "usage": None}, {"choices": [], "usage": USAGE}]

    client = fake("openai", "OpenAI", "chat.completions.create", [streamed(WRONG), streamed(SENT)])
    asking = ROOM.asking(client, "Which?", 2, model="m", way="text", escalate=True)
    list(asking)

    assert RIGHT == asking.answer.value
    assert [False, True] == ["response_format" in sent for sent in client.seen]


# Tools


@tool
def seats(room: str, day: int) -> int:
    """Count the seats."""
    return 8


GEMINI = {"candidates": [{"content": {"role": "model", "parts": [{"text": '{"n": 3}'}]}}]}


@pytest.mark.parametrize(("config", "mode"), [
    ({}, "VALIDATED"),
    ({"tool_config": {"function_calling_config": {"mode": "AUTO"}}}, "AUTO"),
])  # fmt: skip
def test_gemini_holds_calls_to_their_schemas_unless_told_otherwise(config: Any, mode: str) -> None:
    client = gemini(GEMINI)
    out = COUNT.ask(
        client, "How many?", model="m", tools=tools_of([seats]), config=config, escalate=True
    )

    assert {"n": 3} == out.value
    sent = client.seen[0]["config"]
    assert mode == sent["tool_config"]["function_calling_config"]["mode"]
    assert ["seats"] == [each["name"] for each in sent["tools"][0]["function_declarations"]]


def test_gemini_chooses_its_mode_without_escalation() -> None:
    client = gemini(GEMINI)
    COUNT.ask(client, "How many?", model="m", tools=tools_of([seats]))

    assert "tool_config" not in client.seen[0]["config"]


BAD = '{"room": "Elm"}'
TOOLS = tools_of([seats])


def test_a_tool_whose_call_fails_twice_is_forced() -> None:
    client = chat(
        calling("seats", BAD), calling("seats", '{"day": "x"}'),
        calling("seats", '{"room": "Elm", "day": 1}'), text('{"n": 8}'),
    )  # fmt: skip
    out = COUNT.ask(client, "How many?", model="m", tools=TOOLS, escalate=True)

    assert {"n": 8} == out.value
    choices = [sent.get("tool_choice") for sent in client.seen]
    assert [None, None, {"type": "function", "function": {"name": "seats"}}, None] == choices
    assert ["seats"] == [each["function"]["name"] for each in client.seen[2]["tools"]]
    assert "response_format" not in client.seen[2]


def test_a_forced_call_that_repeats_itself_ends_the_asking() -> None:
    client = chat(*[calling("seats", BAD)] * 9)
    out = COUNT.ask(client, "How many?", model="m", tools=TOOLS, escalate=True)

    assert (3, "the model was not asked on: it repeated what had failed") == (
        len(client.seen), out.ended,
    )  # fmt: skip


def test_calls_that_fit_or_name_no_tool_force_nothing() -> None:
    client = chat(
        calling("seat", BAD), calling("seat", BAD), calling("seats", '{"room": "a", "day": 1}'),
        calling("seats", BAD), calling("seats", '{"room": "a", "day": 1}'), text('{"n": 8}'),
    )  # fmt: skip
    out = COUNT.ask(client, "How many?", model="m", tools=TOOLS, escalate=True)

    assert out.ok
    assert not any("tool_choice" in sent for sent in client.seen)


def test_without_escalation_no_tool_is_forced() -> None:
    client = chat(*[calling("seats", BAD)] * 3, text('{"n": 8}'))

    assert COUNT.ask(client, "How many?", model="m", tools=TOOLS).ok
    assert not any("tool_choice" in sent for sent in client.seen)


# Mistakes


def test_a_wrong_escalation_is_told() -> None:
    wrong: Any = {"escalate": "tgi"}
    with pytest.raises(TypesigError, match="escalate is True, False, 'vllm', 'sglang', "):
        COUNT.ask(chat(), "?", model="m", **wrong)
    client = fake("anthropic", "Anthropic", "messages.create", [])
    with pytest.raises(TypesigError, match="escalate='vllm' is for clients with chat"):
        COUNT.ask(client, "?", model="m", escalate="vllm")
    with pytest.raises(TypesigError, match="escalate: for a client only"):
        COUNT.ask(lambda messages: json.dumps({"n": 1}), "?", escalate=True)  # type: ignore[call-overload]
