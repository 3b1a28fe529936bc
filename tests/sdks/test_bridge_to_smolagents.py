"""Tools in smolagents: a run of a scripted model, and what each kind of call becomes."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

import pytest

pytest.importorskip("smolagents")

from smolagents import AgentImage, CodeAgent, Model, ToolCallingAgent
from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    get_tool_json_schema,
)
from smolagents.monitoring import LogLevel
from smolagents.tools import validate_tool_arguments

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
from typesig import Media, ToolError, TypesigError, tool
from typesig.bridges import smolagents


class Scripted(Model):
    """A model that gives its answers in order, and keeps what it was sent."""

    def __init__(self, *answers: Any) -> None:
        super().__init__()
        self.answers = list(answers)
        self.messages: list[Any] = []

    def generate(self, messages: list[Any], **_: Any) -> ChatMessage:
        self.messages = messages
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return ChatMessage(MessageRole.ASSISTANT, answer)
        name, arguments = answer
        function = ChatMessageToolCallFunction(name=name, arguments=arguments)
        call = ChatMessageToolCall(id=f"c{len(messages)}", type="function", function=function)
        return ChatMessage(MessageRole.ASSISTANT, "", tool_calls=[call])

    def told(self) -> str:
        """Return the text of what the model was sent in the end."""
        return "\n".join(
            part["text"] for message in self.messages[1:] for part in message.content or ()
        )


def run_agent(model: Scripted, *tools: Any) -> Any:
    agent = ToolCallingAgent(tools=[*tools], model=model, verbosity_level=LogLevel.OFF)
    return agent.run("Which order is 7?")


def test_a_model_corrects_a_bad_call_and_reads_the_result() -> None:
    model = Scripted(
        ("find_order", BAD), ("find_order", GOOD), ("final_answer", {"answer": "It is Budget."})
    )

    answer = run_agent(model, *smolagents.tools(ORDERS, given={"store": STORE}))

    assert "It is Budget." == answer
    assert COMPLAINT in model.told()
    assert str(RESULT) in model.told()


def test_an_agent_that_writes_code_gets_data() -> None:
    model = Scripted(
        "<code>\nfind_order('seven')\n</code>",
        "<code>\nfinal_answer(find_order('7', note=None)['title'])\n</code>",
    )
    tools = smolagents.tools(ORDERS, given={"store": STORE})
    agent = CodeAgent(tools=tools, model=model, verbosity_level=LogLevel.OFF)

    assert "Budget" == agent.run("Which order is 7?")
    assert COMPLAINT in model.told()


def test_the_model_is_shown_the_input_schema_without_what_the_host_gives() -> None:
    shown = get_tool_json_schema(smolagents.tool(find_order, given={"store": STORE}))

    assert "find_order" == shown["function"]["name"]
    assert {
        "type": "object",
        "properties": {
            "number": {"type": "integer", "description": "of the order"},
            "note": {"type": "string", "description": "for the record", "nullable": True},
        },
        "required": ["number"],
    } == json.loads(json.dumps(shown["function"]["parameters"]))


@tool(
    '(u :int|:string "one of two", m :any|:int, n? [{x :int}], r :Node, e :enum[a b], c :enum[1 "x"])'
    " -> [:int] where Node = {next? :Node, _key :string}"
)
def shapes(u, m, n=None, r=None, e=None, c=None):
    """Take every shape."""
    return [1]


def test_what_smolagents_cannot_express_is_told_in_the_description() -> None:
    made = smolagents.tool(shapes)

    shown = json.loads(json.dumps(get_tool_json_schema(made)["function"]))
    parts = shown["parameters"]["properties"]
    assert {"type": ["integer", "string"], "description": "one of two"} == parts["u"]
    assert {"type": "string", "description": ""} == parts["m"]
    assert {"type": "integer"} == parts["n"]["items"]["properties"]["x"]
    assert "$ref" not in json.dumps(shown)
    assert shown["description"].startswith("Take every shape.\n\nshapes(u :int|:string")
    assert shown["description"].endswith("-> [:int] where Node = {next? :Node}")
    assert {"items": [1]} == made(u="a", m=1, r={}, e="a", c=1)
    assert "object" == made.output_type


def test_undeclared_names_are_told_in_the_description() -> None:
    @tool
    def tagged(id: int, **tags: str) -> dict[str, str]:
        return tags

    made = smolagents.tool(tagged)

    assert "tagged(id :int, ** :string) -> :map[:string]" == made.description
    assert {"a": "b"} == made(1, a="b")


def test_the_name_that_smolagents_keeps_is_refused() -> None:
    @tool
    def named(sanitize_inputs_outputs: bool) -> bool:
        return sanitize_inputs_outputs

    with pytest.raises(TypesigError, match="named: smolagents keeps the name sanitize_inputs_out"):
        smolagents.tool(named)


def test_smolagents_leaves_types_to_the_tool_which_coerces() -> None:
    made = smolagents.tool(ship)

    validate_tool_arguments(made, {"weight": "2", "to": 3})
    assert "2.0 kg to Ann" == made(weight="2", to="Ann")
    with pytest.raises(ValueError, match="Argument weight is required"):
        validate_tool_arguments(made, {"to": "Ann"})


def test_a_result_that_is_no_object_has_no_schema_there() -> None:
    assert ("string", None) == _output(ship)
    assert ("any", None) == _output(tool("() -> :int|:string", name="any")(lambda: 1))


def _output(one: Any) -> tuple[str, Any]:
    made = smolagents.tool(one)
    return made.output_type, made.output_schema


def test_the_given_function_takes_no_context() -> None:
    made = smolagents.tool(find_order, given=lambda: {"store": STORE})

    assert RESULT == made(number="7")
    with pytest.raises(TypesigError, match="given for find_order is a coroutine function"):
        smolagents.tool(find_order, given=given_later)(number=7)
    seen: list[Any] = []
    smolagents.tool(find_order, given=asked(seen))(number=7)
    assert [None] == seen


def test_an_asynchronous_tool_runs_with_and_without_a_loop() -> None:
    made = smolagents.tool(list_orders, given={"store": STORE})

    async def within() -> Any:
        return made()

    assert {"items": ["o7", "o8"]} == made()
    assert {"items": ["o7", "o8"]} == asyncio.run(within())


def test_errors_of_the_tool_and_of_its_result_are_raised_for_the_model() -> None:
    with pytest.raises(ToolError, match="no such order; call list_orders"):
        smolagents.tool(find_order, given={"store": Store()})(number=1)
    with pytest.raises(ToolError, match="The tool ran; what it returned does not fit"):
        smolagents.tool(count)()


def test_another_exception_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        smolagents.tool(ship)(2000, "Ann")


def test_arguments_by_position_are_those_of_the_schema() -> None:
    made = smolagents.tool(ship)

    assert "2.0 kg to Ann" == made(2, to="Ann") == made("2", "Ann")
    with pytest.raises(ToolError, match="ship takes 2 arguments, not 3"):
        made(1, "Ann", "Bob")
    with pytest.raises(ToolError, match="ship got weight twice"):
        made(1, weight=2)


def test_a_result_that_is_an_image_is_one_for_the_agent() -> None:
    made = smolagents.tool(draw)

    model = Scripted("<code>\nfinal_answer(draw())\n</code>")
    coding = CodeAgent(tools=[made], model=model, verbosity_level=LogLevel.OFF)
    answer = coding.run("Draw.")

    assert ("image", None) == (made.output_type, made.output_schema)
    assert (AgentImage, (1, 1)) == (type(answer), answer.to_raw().size)
    calling = Scripted(("draw", {}), ("final_answer", {"answer": "image.png"}))
    assert (1, 1) == run_agent(calling, made).to_raw().size
    assert "Stored 'image.png' in memory." in calling.told()


def test_other_media_are_texts() -> None:
    assert {"items": EXPORTED} == smolagents.tool(export)()


def test_what_is_no_image_after_all_is_an_error() -> None:
    @tool
    def broken() -> Annotated[bytes, Media("image/png")]:
        return "none"  # type: ignore[return-value]

    with pytest.raises(ToolError, match="broken returned no image, but none"):
        smolagents.tool(broken)()
