"""The loops of frameworks that take plain functions, with scripted models; see `frameworks.py`.

Each gets a function, and a model that calls it once with certain arguments and then ends.  It
returns the text that the model reads after its call, and raises `ImportError` where the framework
is not installed.  The frameworks are told to send nothing about their use.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, NamedTuple

#: What keeps the frameworks from sending anything.
QUIET = {
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "true",
    "OTEL_SDK_DISABLED": "true",
}
os.environ.update(QUIET)


def in_llama_index(function: Any, sent: dict[str, Any]) -> str:
    """Return what the model of LlamaIndex reads after its call."""
    from llama_index.core.agent.workflow import FunctionAgent
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
    agent = FunctionAgent(tools=[function], llm=model)

    async def run() -> None:
        await agent.run("Place it.")

    asyncio.run(run())
    return read[0]


def in_google_adk(function: Any, sent: dict[str, Any]) -> str:
    """Return what the model of Google's ADK reads after its call."""
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
                str(said.get("result", said))
                for part in parts
                if part.function_response is not None
                for said in [part.function_response.response]
            )
            call = types.FunctionCall(name=function.__name__, args=sent)
            part = types.Part(text="Done.") if read else types.Part(function_call=call)
            yield LlmResponse(content=types.Content(role="model", parts=[part]))

    agent = LlmAgent(name="shop", model=Scripted(model="scripted"), tools=[function])
    runner = InMemoryRunner(agent=agent)
    asyncio.run(runner.run_debug("Place it.", quiet=True))
    return read[0]


def in_agno(function: Any, sent: dict[str, Any]) -> str:
    """Return what the model of Agno reads after its call."""
    from agno.agent import Agent
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

    Agent(model=Scripted(id="scripted"), tools=[function], telemetry=False).run("Place it.")
    return read[0]


def in_autogen(function: Any, sent: dict[str, Any]) -> str:
    """Return what the model of AutoGen reads after its call."""
    from autogen_agentchat.agents import AssistantAgent
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
    agent = AssistantAgent("shop", model, tools=[function])
    done = asyncio.run(agent.run(task="Place it."))
    [read] = [each.content for each in done.messages if each.type == "ToolCallExecutionEvent"]
    return str(read[0].content)


def in_dspy(function: Any, sent: dict[str, Any]) -> str:
    """Return what the model of DSPy reads after its call."""
    import dspy
    from dspy.utils.dummies import DummyLM

    step = {"next_thought": "t", "next_tool_name": function.__name__, "next_tool_args": sent}
    end = {"next_thought": "t", "next_tool_name": "finish", "next_tool_args": {}}
    model = DummyLM([step, end, {"reasoning": "r", "answer": "Done."}])
    with dspy.context(lm=model):
        done = dspy.ReAct("question -> answer", tools=[function])(question="Place it.")
    return str(done.trajectory["observation_0"])


def in_crewai(function: Any, sent: dict[str, Any]) -> str:
    """Return what the model of CrewAI reads after its call."""
    import crewai
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
    return read[0].partition("Observation: ")[2]


class Framework(NamedTuple):
    """A framework that takes plain functions.

    #: packages: what is installed for it; the first has its version
    #: loop: from a function, and the arguments that a model sends, to the text that it reads then
    """

    packages: tuple[str, ...]
    loop: Callable[[Any, dict[str, Any]], str]


FRAMEWORKS = {
    "llama-index": Framework(("llama-index-core",), in_llama_index),
    "google-adk": Framework(("google-adk",), in_google_adk),
    "agno": Framework(("agno",), in_agno),
    "autogen": Framework(("autogen-agentchat", "autogen-ext"), in_autogen),
    "dspy": Framework(("dspy",), in_dspy),
    "crewai": Framework(("crewai",), in_crewai),
}
