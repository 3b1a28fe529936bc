"""Tools in LangChain: a run of a scripted model, and what each kind of call becomes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("langchain_core")

from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool

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
from typesig import TypesigError, tool
from typesig.bridges import langchain


def call(name: str, arguments: Any, identity: str = "c1") -> dict[str, Any]:
    return {"type": "tool_call", "id": identity, "name": name, "args": arguments}


class Scripted(FakeMessagesListChatModel):
    """A model that says what it is told to, and accepts tools."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(one) for one in tools])


def run_agent(model: Any, tools: list[BaseTool], question: str) -> list[BaseMessage]:
    """Return the messages of the usual loop of an agent."""
    by_name = {one.name: one for one in tools}
    model = model.bind_tools(tools)
    messages: list[BaseMessage] = [HumanMessage(question)]
    while True:
        answer = model.invoke(messages)
        messages.append(answer)
        if not answer.tool_calls:
            return messages
        messages += [by_name[each["name"]].invoke(each) for each in answer.tool_calls]


def test_a_model_corrects_a_bad_call_and_reads_the_result() -> None:
    model = Scripted(
        responses=[
            AIMessage("", tool_calls=[call("find_order", BAD, "a")]),
            AIMessage("", tool_calls=[call("find_order", GOOD, "b")]),
            AIMessage("It is Budget."),
        ]
    )

    tools = langchain.tools(ORDERS, given={"store": STORE})
    messages = run_agent(model, tools, "Which order is 7?")

    refused, found = [m for m in messages if isinstance(m, ToolMessage)]
    assert ("error", COMPLAINT, "a") == (refused.status, refused.content, refused.tool_call_id)
    assert ("success", json.dumps(RESULT, separators=(",", ":"))) == (found.status, found.content)
    assert RESULT == found.artifact
    assert "It is Budget." == messages[-1].content


def test_the_model_is_shown_the_input_schema_without_what_the_host_gives() -> None:
    shown = convert_to_openai_tool(langchain.tool(find_order, given={"store": STORE}))

    assert {
        "type": "function",
        "function": {
            "name": "find_order",
            "description": "Find an order.",
            "parameters": find_order.signature.input_schema(),
        },
    } == shown
    assert "store" not in json.dumps(shown)


def test_the_given_function_gets_the_config_of_the_call() -> None:
    seen: list[Any] = []
    made = langchain.tool(find_order, given=asked(seen))

    found = made.invoke(call("find_order", GOOD), config={"configurable": {"user": "ann"}})

    assert RESULT == found.artifact
    assert ["ann"] == [config["configurable"]["user"] for config in seen]


def test_an_asynchronous_tool_and_given_function_run_asynchronously() -> None:
    made = langchain.tool(list_orders, given=given_later)

    found = asyncio.run(made.ainvoke(call("list_orders", {})))

    assert ('["o7","o8"]', {"items": ["o7", "o8"]}) == (found.content, found.artifact)
    with pytest.raises(NotImplementedError, match="does not support sync invocation"):
        made.invoke(call("list_orders", {}))


def test_a_plain_tool_runs_asynchronously_too() -> None:
    made = langchain.tool(find_order, given=given_later)

    assert RESULT == asyncio.run(made.ainvoke(call("find_order", GOOD))).artifact
    with pytest.raises(TypesigError, match="given for find_order is a coroutine function"):
        made.invoke(call("find_order", GOOD))


def test_errors_of_the_tool_and_of_its_result_go_to_the_model() -> None:
    orders = langchain.tool(find_order, given={"store": Store()})

    missing = orders.invoke(call("find_order", {"number": 1}))
    broken = langchain.tool(count).invoke(call("count", {}))

    assert "error" == missing.status == broken.status
    assert "Tool errors:\n- no such order; call list_orders" == missing.content
    assert broken.content.startswith("The tool ran; what it returned does not fit")


def test_another_exception_is_raised_as_langchain_raises_those_of_its_tools() -> None:
    with pytest.raises(ZeroDivisionError):
        langchain.tool(ship).invoke(call("ship", {"weight": 2000, "to": "Ann"}))


def test_a_parameter_may_have_a_name_that_langchain_uses() -> None:
    @tool
    def named(config: str, callbacks: int, run_manager: bool, tool_input: str = "") -> str:
        """Name."""
        return f"{config} {callbacks} {run_manager}"

    arguments = {"config": "a", "callbacks": 1, "run_manager": True}
    found = langchain.tool(named).invoke(call("named", arguments))

    assert "a 1 True" == found.content


def test_arguments_as_text_are_read_as_json() -> None:
    found = langchain.tool(ship).invoke('{"weight": "2", "to": "Ann"}')

    assert "2.0 kg to Ann" == found


def test_a_mode_and_options_of_the_framework_are_kept() -> None:
    made = langchain.tool(
        find_order, given={"store": STORE}, mode="strict", return_direct=True, tags=["shop"]
    )

    assert isinstance(made, StructuredTool)
    assert (True, ["shop"]) == (made.return_direct, made.tags)
    assert "error" == made.invoke(call("find_order", GOOD)).status


def test_without_a_call_id_the_text_is_returned() -> None:
    assert COMPLAINT == langchain.tool(find_order, given={"store": STORE}).invoke(BAD)


def test_media_are_blocks_of_the_content() -> None:
    from langchain_core.messages.content import FileContentBlock, ImageContentBlock
    from pydantic import TypeAdapter

    message = langchain.tool(export).invoke(call("export", {}))

    text, image, csv, pdf = message.content
    assert text["text"].startswith(json.dumps(EXPORTED, separators=(",", ":")) + "\n[not sent: aud")
    assert {"items": EXPORTED} == message.artifact
    assert {"type": "text", "text": "number,title"} == csv
    TypeAdapter(ImageContentBlock).validate_python(image)
    TypeAdapter(FileContentBlock).validate_python(pdf)
    assert ["text", "image", "text", "file"] == [each["type"] for each in message.content_blocks]


def test_media_are_in_the_messages_of_a_graph_too() -> None:
    [*_, message] = in_graph([langchain.tool(draw)], {})["messages"]

    assert ["[image/png, 69 B]", "image/png"] == [
        message.content[0]["text"], message.content[1]["mime_type"]
    ]  # fmt: skip


# LangGraph


def in_graph(tools: list[BaseTool], arguments: Any, **state: Any) -> Any:
    """Return the state after the node of *tools* has run a call of the first of them."""
    pytest.importorskip("langgraph")
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    class Shop(MessagesState):
        user: str
        found: int

    graph = StateGraph(Shop)
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    asked = AIMessage("", tool_calls=[call(tools[0].name, arguments)])
    made = graph.compile()
    done = made.invoke({"messages": [asked], **state})
    later = asyncio.run(made.ainvoke({"messages": [asked], **state}))
    assert [each.content for each in later["messages"]] == [
        each.content for each in done["messages"]
    ]
    return done


def test_a_command_of_a_tool_is_applied() -> None:
    pytest.importorskip("langgraph")
    from langgraph.types import Command

    def remember(n: int) -> Any:
        """Keep it."""
        kept = [ToolMessage("kept", tool_call_id="c1")]
        return Command(update={"found": n, "messages": kept})

    class Unwritten:
        """A class that has no JSON form."""

    for returns in (Command, Any, str, Unwritten):
        remember.__annotations__["return"] = returns
        done = in_graph([langchain.tool(tool(remember))], {"n": "3"})

        assert 3 == done["found"]
        assert "kept" == done["messages"][-1].content


def test_a_message_and_a_list_of_them_are_handed_on() -> None:
    def told(n: int) -> Any:
        """Tell it."""
        message = ToolMessage(f"n is {n}", tool_call_id="c1", artifact=n)
        return [message] if n else message

    for n in (0, 1):
        [*_, message] = in_graph([langchain.tool(tool(told))], {"n": n})["messages"]

        assert (f"n is {n}", n) == (message.content, message.artifact)


def test_a_list_without_messages_is_a_result() -> None:
    @tool
    def none(n: int) -> Any:
        """Find none."""
        return []

    made = langchain.tool(none)

    assert "[]" == made.invoke(call("none", {"n": 1})).content
    assert "error" == made.invoke(call("none", {"n": "x"})).status


def test_the_given_function_can_take_the_runtime() -> None:
    prebuilt = pytest.importorskip("langgraph.prebuilt")

    def by_name(runtime: Any) -> dict[str, Any]:
        return {"store": Store(o7=runtime.state["user"])}

    def by_hint(own: Any) -> dict[str, Any]:
        return by_name(own)

    by_hint.__annotations__["own"] = prebuilt.ToolRuntime
    for given in (by_name, by_hint):
        [*_, message] = in_graph(
            [langchain.tool(find_order, given=given)], {"number": "7"}, user="Ida"
        )["messages"]

        assert "Ida" in message.content
        assert "typesig_runtime" not in message.content


def test_a_runtime_is_no_data_of_a_model() -> None:
    pytest.importorskip("langgraph")
    made = langchain.tool(find_order, given=lambda runtime: {"store": STORE})

    for arguments in (GOOD, {**GOOD, "typesig_runtime": {"state": {}}}):
        with pytest.raises(TypesigError) as raised:
            made.invoke(call("find_order", arguments))

        assert (
            "given for find_order takes a ToolRuntime, which only agents and the ToolNode of "
            "LangGraph pass"
        ) == str(raised.value)


def test_a_given_function_without_a_signature_takes_no_runtime() -> None:
    made = langchain.tool(find_order, given=type("Given", (dict,), {})(store=STORE))

    assert "success" == made.invoke(call("find_order", GOOD)).status
    with pytest.raises(TypeError, match="max expected"):
        langchain.tool(find_order, given=max).invoke(call("find_order", GOOD))
