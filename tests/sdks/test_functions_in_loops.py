"""Functions of tools in the loops of frameworks that take plain functions, with scripted models.

Each loop gets `as_function` of a tool, and a model that calls it once and then ends.  What the model
reads is the result, or the complaint about the call: that of typesig, where the framework does not
check what it hands on.  Each test needs its framework, of which not all can be installed together
with the extras:

    pip install llama-index-core google-adk agno autogen-agentchat autogen-ext dspy crewai
    python -m pytest --noconftest tests/sdks/test_functions_in_loops.py
"""

from __future__ import annotations

import asyncio
import datetime
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from typesig import Injected, tool


@dataclass
class Line:
    item: str
    count: int = 1


class Store:
    """What the host injects."""

    def __init__(self) -> None:
        self.orders: list[Any] = []


@tool
def place_order(
    store: Injected[Store], number: int, lines: list[Line], day: datetime.date | None = None
) -> str:
    """Place an order.

    Args:
        store: where orders are
        number: of the order
        lines: what is ordered
        day: when it is needed
    """
    store.orders.append((number, lines, day))
    return f"order {number}: {lines[0].count} {lines[0].item}"


#: What a loop gives: the arguments that the model sends, to the text that it reads then.
Loop = Callable[[Any, dict[str, Any]], str]


def in_llama_index(function: Any, sent: dict[str, Any]) -> str:
    workflow = pytest.importorskip("llama_index.core.agent.workflow")
    from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
    from llama_index.core.llms.mock import MockFunctionCallingLLM

    read: list[str] = []

    async def chunks(message: Any) -> AsyncIterator[Any]:
        yield message

    def answer(messages: Any, **_: Any) -> Any:
        read.extend(each.content for each in messages if each.role == "tool")
        block = ToolCallBlock(tool_call_id="c", tool_name=function.__name__, tool_kwargs=sent)
        blocks = [TextBlock(text="Done.")] if read else [block]
        return chunks(ChatMessage(role="assistant", blocks=blocks))

    model = MockFunctionCallingLLM(response_generator=answer)
    agent = workflow.FunctionAgent(tools=[function], llm=model)

    async def run() -> None:
        await agent.run("Place it.")

    asyncio.run(run())
    return read[0]


def in_google_adk(function: Any, sent: dict[str, Any]) -> str:
    pytest.importorskip("google.adk")
    from google.adk.agents import LlmAgent
    from google.adk.models.base_llm import BaseLlm
    from google.adk.models.llm_response import LlmResponse
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    read: list[str] = []

    class Scripted(BaseLlm):  # type: ignore[misc, unused-ignore]
        async def generate_content_async(
            self, llm_request: Any, stream: bool = False
        ) -> AsyncIterator[Any]:
            parts = [part for each in llm_request.contents for part in each.parts]
            read.extend(
                part.function_response.response["result"]
                for part in parts
                if part.function_response is not None
            )
            call = types.FunctionCall(name=function.__name__, args=sent)
            part = types.Part(text="Done.") if read else types.Part(function_call=call)
            yield LlmResponse(content=types.Content(role="model", parts=[part]))

    agent = LlmAgent(name="shop", model=Scripted(model="scripted"), tools=[function])
    runner = InMemoryRunner(agent=agent)
    asyncio.run(runner.run_debug("Place it.", quiet=True))
    return read[0]


def in_agno(function: Any, sent: dict[str, Any]) -> str:
    agent = pytest.importorskip("agno.agent")
    from agno.models.base import Model
    from agno.models.response import ModelResponse

    read: list[str] = []

    class Scripted(Model):  # type: ignore[misc, unused-ignore]
        def invoke(self, messages: Any, assistant_message: Any, **_: Any) -> Any:
            read.extend(str(each.content) for each in messages if each.role == "tool")
            function_ = {"name": function.__name__, "arguments": json.dumps(sent)}
            call = {"id": "c", "type": "function", "function": function_}
            if read:
                return ModelResponse(role="assistant", content="Done.")
            return ModelResponse(role="assistant", tool_calls=[call])

        async def ainvoke(self, *args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError

        def invoke_stream(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
            raise NotImplementedError

        def ainvoke_stream(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            raise NotImplementedError

        def _parse_provider_response(self, response: Any, **_: Any) -> Any:
            return response

        def _parse_provider_response_delta(self, response: Any) -> Any:
            return response

    agent.Agent(model=Scripted(id="scripted"), tools=[function], telemetry=False).run("Place it.")
    return read[0]


def in_autogen(function: Any, sent: dict[str, Any]) -> str:
    agents = pytest.importorskip("autogen_agentchat.agents")
    from autogen_core import FunctionCall
    from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
    from autogen_ext.models.replay import ReplayChatCompletionClient

    info = ModelInfo(
        vision=False,
        function_calling=True,
        json_output=False,
        family=ModelFamily.UNKNOWN,
        structured_output=False,
    )
    call = FunctionCall(id="c", name=function.__name__, arguments=json.dumps(sent))
    result = CreateResult(
        finish_reason="function_calls",
        content=[call],
        usage=RequestUsage(prompt_tokens=0, completion_tokens=0),
        cached=False,
    )
    model = ReplayChatCompletionClient([result, "Done."], model_info=info)
    agent = agents.AssistantAgent("shop", model, tools=[function])
    done = asyncio.run(agent.run(task="Place it."))
    [read] = [each.content for each in done.messages if each.type == "ToolCallExecutionEvent"]
    return str(read[0].content)


def in_dspy(function: Any, sent: dict[str, Any]) -> str:
    dspy = pytest.importorskip("dspy")
    from dspy.utils.dummies import DummyLM

    step = {"next_thought": "t", "next_tool_name": function.__name__, "next_tool_args": sent}
    end = {"next_thought": "t", "next_tool_name": "finish", "next_tool_args": {}}
    model = DummyLM([step, end, {"reasoning": "r", "answer": "Done."}])
    with dspy.context(lm=model):
        done = dspy.ReAct("question -> answer", tools=[function])(question="Place it.")
    return str(done.trajectory["observation_0"])


def in_crewai(function: Any, sent: dict[str, Any]) -> str:
    crewai = pytest.importorskip("crewai")
    from crewai.llms.base_llm import BaseLLM
    from crewai.tools import tool as tool_of

    read: list[str] = []

    class Scripted(BaseLLM):  # type: ignore[misc, unused-ignore]
        def call(self, messages: Any, *args: Any, **kwargs: Any) -> str:
            told = [str(each["content"]) for each in messages if each["role"] == "assistant"]
            read.extend(told)
            if told:
                return "Thought: I know.\nFinal Answer: Done."
            called = f"Action: {function.__name__}\nAction Input: {json.dumps(sent)}"
            return f"Thought: I call it.\n{called}\n"

    agent = crewai.Agent(
        role="shop",
        goal="to sell",
        backstory="none",
        llm=Scripted(model="scripted"),
        tools=[tool_of(function.__name__)(function)],
    )
    agent.kickoff("Place it.")
    return read[0]


@pytest.fixture(autouse=True)
def _without_telemetry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CREWAI_DISABLE_TELEMETRY", "OTEL_SDK_DISABLED"):
        monkeypatch.setenv(name, "true")
    monkeypatch.setenv("CREWAI_TRACING_ENABLED", "false")


LOOPS = [in_llama_index, in_google_adk, in_agno, in_autogen, in_dspy, in_crewai]
#: These check nothing themselves, or hand on what does not fit.
HANDING_ON = [in_llama_index, in_google_adk]
#: It wants each argument to have its type, and refuses a number in quotes.
STRICT = [in_dspy]

RAW = {"number": "7", "lines": [{"item": "fig", "count": "2"}], "day": "2026-01-02"}
EXACT = {"number": 7, "lines": [{"item": "fig", "count": 2}], "day": "2026-01-02"}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_function_gets_objects_for_what_a_model_sends(loop: Loop) -> None:
    store = Store()
    function = place_order.as_function({"store": store})
    read = loop(function, EXACT if loop in STRICT else RAW)

    assert "order 7: 2 fig" in read
    assert [(7, [Line("fig", 2)], datetime.date(2026, 1, 2))] == store.orders


@pytest.mark.parametrize("loop", HANDING_ON)
def test_a_model_reads_what_is_wrong_with_its_call(loop: Loop) -> None:
    store = Store()
    function = place_order.as_function({"store": store})
    try:
        read = loop(function, {**RAW, "number": "seven"})
    except Exception as error:
        # A framework that does not catch what a function raises.
        read = str(error)

    assert '"number": "seven",  // expected int, got string "seven"' in read
    assert "A call that fits: place_order(number :int" in read
    assert [] == store.orders
