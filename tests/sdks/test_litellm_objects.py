"""LiteLLM's objects have OpenAI's form under any model."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("litellm")

import litellm

from examples import booking

# The package warns of its own types.
pytestmark = pytest.mark.filterwarnings("ignore")

WIRE = booking.TOOLS.project("openai", api="chat")
CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "rooms", "arguments": '{"seats": 8}'},
}
MODELS = ["claude-sonnet-4-5", "gemini/gemini-2.5-pro", "gpt-4o"]


def completion(model: str, **options: Any) -> Any:
    asked: Any = [{"role": "user", "content": "a"}]
    return litellm.completion(model=model, messages=asked, mock_tool_calls=[CALL], mock_response="", **options)  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_its_answers_work_with_the_projection_of_openai(model: str) -> None:
    done = completion(model)
    [result] = WIRE.handle(done)

    assert "call_1" == result["tool_call_id"]
    assert "Elm" in result["content"]
    assert [result] == WIRE.handle(done.choices[0].message)
    assert [result] == WIRE.handle(done.model_dump())


@pytest.mark.parametrize(("model", "provider"), [*zip(MODELS, ["claude", "google"], strict=False)])
def test_the_projection_of_the_model_says_which_one_it_is(model: str, provider: Any) -> None:
    done = completion(model)
    for message in (done, done.choices[0].message):
        with pytest.raises(Exception, match=r'the projection is project\("openai"\)'):
            booking.TOOLS.project(provider).handle(message)


def test_its_streams_are_taken() -> None:
    message: Any = [{"role": "user", "content": "a"}]
    stream = litellm.completion(model=MODELS[0], messages=message, mock_response="b", stream=True)
    chunks = [*stream]

    assert [] == WIRE.handle(chunks)
    assert "b" == WIRE.assembled(chunks)["choices"][0]["message"]["content"]
