"""Tools in pydantic-ai: a run of a scripted model, and what each kind of call becomes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pydantic_ai")

from pydantic_ai import Agent, RunContext, UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel as ModelThatCallsAll

from tests.sdks.orders import (
    BAD,
    COMPLAINT,
    DOT,
    EXPORTED,
    GOOD,
    ORDERS,
    RESULT,
    STORE,
    Store,
    asked,
    count,
    draw,
    export,
    find_order,
    given_later,
    list_orders,
    ship,
)
from typesig import TypesigError
from typesig.bridges import pydantic_ai


class Scripted:
    """A model that gives its answers in order, and keeps what it was sent."""

    def __init__(self, *answers: ToolCallPart | TextPart) -> None:
        self.answers: Iterator[Any] = iter(answers)
        self.returned: list[Any] = []
        self.info: Any = None

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.info = info
        self.returned = [
            part
            for message in messages
            for part in message.parts
            if part.part_kind in ("tool-return", "retry-prompt")
        ]
        return ModelResponse([next(self.answers)])


def run_agent(model: Scripted, *tools: Any, deps: Any = None) -> Any:
    agent = Agent(FunctionModel(model), tools=[*tools], deps_type=dict)
    return asyncio.run(agent.run("Which order is 7?", deps=deps))


def called(tool: Any, arguments: Any) -> Any:
    """Return what a model gets back for one call of *tool*."""
    model = Scripted(ToolCallPart(tool.name, arguments), TextPart("Done."))
    run_agent(model, tool)
    return model.returned[-1]


def test_a_model_corrects_a_bad_call_and_reads_the_result() -> None:
    model = Scripted(
        ToolCallPart("find_order", json.dumps(BAD)),
        ToolCallPart("find_order", GOOD),
        TextPart("It is Budget."),
    )

    result = run_agent(model, *pydantic_ai.tools(ORDERS, given={"store": STORE}))

    refused, found = model.returned
    assert "It is Budget." == result.output
    assert COMPLAINT == refused.content
    assert RESULT == found.content


def test_the_model_is_shown_the_input_schema_without_what_the_host_gives() -> None:
    model = Scripted(TextPart("Nothing to do."))

    run_agent(model, pydantic_ai.tool(find_order, given={"store": STORE}))

    [shown] = model.info.function_tools
    assert ("find_order", "Find an order.") == (shown.name, shown.description)
    assert find_order.signature.input_schema() == shown.parameters_json_schema
    assert "store" not in json.dumps(shown.parameters_json_schema)


def test_the_schema_of_the_result_is_that_of_the_signature() -> None:
    made = pydantic_ai.tool(list_orders, given={"store": STORE})

    assert list_orders.signature.to_json_schema() == made.tool_def.return_schema


def test_every_tool_runs_with_the_arguments_that_the_schema_asks_for() -> None:
    tools = pydantic_ai.tools(ORDERS, given={"store": STORE})
    agent = Agent(ModelThatCallsAll(call_tools=["list_orders", "ship"]), tools=tools)

    result = asyncio.run(agent.run("Do all."))

    assert {"list_orders", "ship"} == set(json.loads(result.output))


def test_the_given_function_gets_the_context_of_the_run() -> None:
    seen: list[RunContext[Any]] = []
    model = Scripted(ToolCallPart("find_order", GOOD), TextPart("Done."))

    run_agent(model, pydantic_ai.tool(find_order, given=asked(seen)), deps={"user": "ann"})

    assert [({"user": "ann"}, "find_order")] == [(c.deps, c.tool_name) for c in seen]


def test_an_asynchronous_tool_and_given_function_are_awaited() -> None:
    returned = called(pydantic_ai.tool(list_orders, given=given_later), {})

    assert {"items": ["o7", "o8"]} == returned.content


@pytest.mark.parametrize(
    "sent", ['```json\n{"number": 7}\n```', '{"number": "7"}', '"{\\"number\\": 7}"']
)
def test_text_that_is_nearly_json_is_mended(sent: str) -> None:
    assert RESULT == called(pydantic_ai.tool(find_order, given={"store": STORE}), sent).content


@pytest.mark.parametrize("sent", ["[1, 2]", "{", "[" * 100_000, '{"number": 1, "number": 2}'])
def test_arguments_that_cannot_be_read_are_a_retry(sent: str) -> None:
    returned = called(pydantic_ai.tool(find_order, given={"store": STORE}), sent)

    assert "Tool validation errors:" in returned.content


def test_errors_of_the_tool_and_of_its_result_go_to_the_model_without_a_retry() -> None:
    missing = called(
        pydantic_ai.tool(find_order, given={"store": Store()}, max_retries=0), {"number": 1}
    )
    broken = called(pydantic_ai.tool(count, max_retries=0), {})

    assert "failed" == missing.outcome == broken.outcome
    assert "Tool errors:\n- no such order; call list_orders" == missing.content
    assert broken.content.startswith("The tool ran; what it returned does not fit")


def test_a_model_that_does_not_correct_its_call_ends_the_run() -> None:
    made = pydantic_ai.tool(find_order, given={"store": STORE}, max_retries=1)
    model = Scripted(*[ToolCallPart("find_order", BAD) for _ in range(3)])

    with pytest.raises(UnexpectedModelBehavior, match="exceeded max retries"):
        run_agent(model, made)


def test_another_exception_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        called(pydantic_ai.tool(ship), {"weight": 2000, "to": "Ann"})


def test_a_mistake_of_the_host_is_raised() -> None:
    with pytest.raises(TypesigError, match="find_order needs store from its host"):
        called(pydantic_ai.tool(find_order, given=dict), {"number": 7})


def test_options_of_the_framework_are_kept() -> None:
    made = pydantic_ai.tool(find_order, given={"store": STORE}, requires_approval=True)

    assert made.requires_approval is True


def user_parts(tool: Any) -> list[Any]:
    """Return the parts of the user that a model gets with one call of *tool*."""
    seen: list[Any] = []
    answers = iter([ToolCallPart(tool.name, {}), TextPart("Done.")])

    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        seen[:] = [part for message in messages for part in message.parts]
        return ModelResponse([next(answers)])

    asyncio.run(Agent(FunctionModel(answer), tools=[tool]).run("Go."))
    return [part for part in seen if part.part_kind == "user-prompt"][1:]


def test_media_are_content_beside_the_result() -> None:
    made = pydantic_ai.tool(export)

    [part] = user_parts(made)

    beside, image, _, csv, _, pdf, _, wav, told = part.content
    assert "[image/png, 69 B] of the result of export:" == beside
    assert (DOT, "image/png", True) == (image.data, image.media_type, image.is_image)
    assert "number,title" == csv
    assert (b"pdf", True) == (pdf.data, pdf.is_document)
    assert (b"wav", True) == (wav.data, wav.is_audio)
    assert told.startswith("[not sent: font/woff, 4 B; pydantic-ai takes image/jpeg, ")
    assert {"items": EXPORTED} == called(made, {}).content


def test_one_image_is_beside_its_text() -> None:
    made = pydantic_ai.tool(draw)

    [part] = user_parts(made)

    assert DOT == part.content[1].data
    assert "[image/png, 69 B]" == called(made, {}).content
