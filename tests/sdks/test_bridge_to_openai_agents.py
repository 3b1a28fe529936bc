"""Tools in openai-agents: a run of a scripted model, and what each kind of call becomes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("agents")

from agents import Agent, FunctionTool, Model, ModelResponse, RunConfig, Runner, Usage
from agents.strict_schema import ensure_strict_json_schema
from agents.tool_context import ToolContext
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from tests.sdks.orders import (
    BAD,
    COMPLAINT,
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
from typesig import Toolset, TypesigError, tool, tools_of
from typesig.bridges import openai_agents


class Scripted(Model):
    """A model that gives its answers in order, and keeps what it was sent."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.inputs: list[Any] = []
        self.tools: list[Any] = []

    async def get_response(
        self,
        system_instructions: Any,
        input: Any,
        model_settings: Any,
        tools: Any,
        *_: Any,
        **__: Any,
    ) -> ModelResponse:
        self.inputs.append(input)
        self.tools = tools
        return ModelResponse(output=[self.answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def calling(name: str, arguments: str, identity: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id=identity, name=name, arguments=arguments
    )


def saying(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        type="message", id="m", role="assistant", status="completed", content=[content]
    )


def outputs(model: Scripted) -> list[str]:
    """Return the outputs of tools that the model was sent in the end."""
    return [
        item["output"] for item in model.inputs[-1] if item.get("type") == "function_call_output"
    ]


def run_agent(model: Scripted, tools: list[FunctionTool], context: Any = None) -> Any:
    agent = Agent(name="shop", model=model, tools=[*tools])
    config = RunConfig(tracing_disabled=True)
    run = Runner.run(agent, "Which order is 7?", run_config=config, context=context)
    return asyncio.run(run)


def invoke(tool: FunctionTool, arguments: str, context: Any = None) -> Any:
    """Return what one call of *tool* returns to the framework."""
    call = ToolContext(context, tool_name=tool.name, tool_call_id="c", tool_arguments=arguments)
    return asyncio.run(tool.on_invoke_tool(call, arguments))


def test_a_model_corrects_a_bad_call_and_reads_the_result() -> None:
    model = Scripted(
        calling("find_order", json.dumps(BAD), "a"),
        calling("find_order", json.dumps(GOOD), "b"),
        saying("It is Budget."),
    )

    result = run_agent(model, openai_agents.tools(ORDERS, given={"store": STORE}))

    assert "It is Budget." == result.final_output
    assert [COMPLAINT, json.dumps(RESULT, separators=(",", ":"))] == outputs(model)


def test_the_model_is_shown_the_input_schema_without_what_the_host_gives() -> None:
    made = openai_agents.tool(find_order, given={"store": STORE})

    assert find_order.signature.input_schema() == made.params_json_schema
    assert ("find_order", "Find an order.", False) == (
        made.name, made.description, made.strict_json_schema
    )  # fmt: skip
    assert "store" not in json.dumps(made.params_json_schema)


def test_the_given_function_gets_the_context_of_the_call() -> None:
    seen: list[Any] = []
    model = Scripted(calling("find_order", json.dumps(GOOD), "a"), saying("Done."))

    run_agent(model, [openai_agents.tool(find_order, given=asked(seen))], context={"user": "ann"})

    assert [({"user": "ann"}, "find_order")] == [(c.context, c.tool_name) for c in seen]


def test_an_asynchronous_tool_and_given_function_are_awaited() -> None:
    assert '["o7","o8"]' == invoke(openai_agents.tool(list_orders, given=given_later), "{}")


def test_text_that_is_nearly_json_is_mended() -> None:
    made = openai_agents.tool(find_order, given={"store": STORE})

    assert invoke(made, '```json\n{"number": 7}\n```').startswith('{"number":7')


def test_errors_of_the_tool_and_of_its_result_go_to_the_model() -> None:
    missing = invoke(openai_agents.tool(find_order, given={"store": Store()}), '{"number": 1}')
    broken = invoke(openai_agents.tool(count), "")

    assert "Tool errors:\n- no such order; call list_orders" == missing
    assert broken.startswith("The tool ran; what it returned does not fit")


def test_another_exception_becomes_the_text_of_the_failure_function(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def later(_: Any, error: Exception) -> str:
        return f"later: {error}"

    call = '{"weight": 2000, "to": "Ann"}'

    assert "An error occurred" in invoke(openai_agents.tool(ship), call)
    assert "it was: the scale broke" == invoke(
        openai_agents.tool(ship, failure_error_function=lambda _, error: f"it was: {error}"), call
    )
    assert "later: the scale broke" == invoke(
        openai_agents.tool(ship, failure_error_function=later), call
    )
    assert ["Tool ship raised ZeroDivisionError"] * 3 == caplog.messages
    with pytest.raises(ZeroDivisionError):
        invoke(openai_agents.tool(ship, failure_error_function=None), call)


def test_a_mistake_of_the_host_is_never_told_to_the_model() -> None:
    made = openai_agents.tool(find_order, given=dict)

    with pytest.raises(TypesigError, match="find_order needs store from its host"):
        invoke(made, '{"number": 7}')


@tool
def stock(counts: dict[str, int], at: str = "here", note: str | None = None) -> int:
    """Add counts."""
    return sum(counts.values()) + (note is not None)


@tool("(deep {a {b {c {d {e {f {g {h {i {j {k :int}}}}}}}}}}}, e :enum[1]) -> :int")
def deep(deep: Any, e: int) -> int:
    return e


TOO_MANY = tool(f"(e :enum[{', '.join(map(str, range(1_001)))}]) -> :int", name="many")(lambda e: e)


def test_a_strict_tool_asks_for_nothing_that_the_model_would_have_to_invent() -> None:
    made = openai_agents.tool(stock, strict_json_schema=True)
    schema = made.params_json_schema
    wire = tools_of([stock]).project("openai", strict=True)

    assert made.strict_json_schema is True
    assert wire.tools["stock"].schema == schema
    assert ["counts", "at", "note"] == schema["required"]
    assert {"type": "null"} in schema["properties"]["note"]["anyOf"]
    assert 3 == invoke_json(made, {"counts": [{"key": "a", "value": 3}], "at": None, "note": None})


def invoke_json(made: FunctionTool, arguments: Any) -> Any:
    return json.loads(invoke(made, json.dumps(arguments)))


def test_the_checker_of_the_package_changes_nothing_of_a_strict_tool() -> None:
    given = {"store": STORE}
    for made in openai_agents.tools(
        tools_of([*ORDERS, stock, deep]), given=given, strict_json_schema=True
    ):
        before = json.dumps(made.params_json_schema)

        assert made.strict_json_schema is True
        assert before == json.dumps(ensure_strict_json_schema(json.loads(before)))


def test_a_run_with_strict_tools_shows_a_bad_call_as_the_model_wrote_it() -> None:
    bad = {"counts": [{"key": "a", "value": "x"}], "at": None, "note": None}
    twice = {"counts": [{"key": "a", "value": 1}, {"key": "a", "value": 2}], "at": None}
    good = {"counts": [{"key": "a", "value": 1}, {"key": "b", "value": "2"}], "at": None}
    model = Scripted(
        calling("stock", json.dumps(bad), "a"),
        calling("stock", json.dumps(twice | {"note": None}), "b"),
        calling("stock", json.dumps({"arguments": good | {"note": "ok"}}), "c"),
        saying("It is 4."),
    )

    result = run_agent(model, openai_agents.tools(tools_of([stock]), strict_json_schema=True))

    assert "It is 4." == result.final_output
    first, second, third = outputs(model)
    assert '"value": "x"  // expected integer, got string "x"' in first
    assert '"key": "a",  // the key "a" is sent twice' in second
    assert (
        'A call that fits: stock with {"counts": array of {"key": string, "value": integer}'
        in first
    )
    assert "4" == third


def test_injected_parameters_and_the_mode_hold_for_a_strict_tool() -> None:
    made = openai_agents.tool(
        find_order, given={"store": STORE}, mode="strict", strict_json_schema=True
    )

    assert {"number": 7, "title": "Budget"} == invoke_json(made, {"number": 7, "note": None})
    assert "expected integer" in invoke(made, '{"number": "7", "note": null}')
    assert "store" not in json.dumps(made.params_json_schema)


def test_a_tool_without_a_strict_definition_stays_as_it_is_beside_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    both = tools_of([stock, TOO_MANY])
    made = openai_agents.tools(both, strict_json_schema=True)

    assert [True, False] == [each.strict_json_schema for each in made]
    assert ["Tool many is not strict: enum values 1001, at most 1000"] == caplog.messages
    assert "7" == invoke(made[1], '{"e": 7}')
    assert [] == openai_agents.tools(Toolset(), strict_json_schema=True)
    with pytest.raises(TypesigError) as raised:
        openai_agents.tool(TOO_MANY, strict_json_schema=True)
    assert (
        "many has no strict definition: enum values 1001, at most 1000; leave strict_json_schema "
        "out"
    ) == str(raised.value)


def test_options_of_the_framework_are_kept() -> None:
    made = openai_agents.tool(find_order, given={"store": STORE}, needs_approval=True)

    assert made.needs_approval is True


def test_media_are_parts_of_the_output() -> None:
    from openai.types.responses.response_input_item_param import FunctionCallOutput
    from pydantic import TypeAdapter

    model = Scripted(calling("export", "{}", "a"), saying("Done."))

    run_agent(model, [openai_agents.tool(export)])

    [output] = outputs(model)
    text, image, csv, pdf = output
    assert text["text"].startswith(json.dumps(EXPORTED, separators=(",", ":")) + "\n[not sent: aud")
    assert ("input_image", "auto") == (image["type"], image["detail"])
    assert {"type": "input_text", "text": "number,title"} == csv
    assert {
        "type": "input_file",
        "file_data": "data:application/pdf;base64,cGRm",
        "filename": "orders.pdf",
    } == pdf
    sent = {"type": "function_call_output", "call_id": "a", "output": output}
    TypeAdapter(FunctionCallOutput).validate_python(sent)


def test_a_strict_tool_gives_media_too_and_none_with_an_error() -> None:
    [text, image] = invoke(openai_agents.tool(draw, strict_json_schema=True), "{}")

    assert "[image/png, 69 B]" == text.text
    assert image.image_url.startswith("data:image/png;base64,iVBOR")
    assert "no" in invoke(openai_agents.tool(draw), '{"no": 1, "n": "')
