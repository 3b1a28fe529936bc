"""Items that are not calls of tools: who answers each, and that none is left out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import typesig
from typesig import TypesigError, tool
from typesig.governance import Ask, Governance, Paused, PendingCalls
from typesig.providers.registry.answers import HOST
from typesig.providers.registry.calls import WireCall

RAN: list[str] = []


@tool
def lookup(id: int) -> str:
    """Look a row up."""
    RAN.append(f"lookup {id}")
    return f"row {id}"


@tool(name="crm.lookup")
def lookup_customer(id: int) -> str:
    """Look a customer up."""
    return f"customer {id}"


WIRE = typesig.tools_of([lookup]).project("openai", api="responses")
CLAUDE = typesig.tools_of([lookup]).project("anthropic")
GEMINI = typesig.tools_of([lookup]).project("gemini")
CALL = {"type": "function_call", "call_id": "c", "name": "lookup", "arguments": '{"id": 1}'}
DONE = {"type": "function_call_output", "call_id": "c", "output": "row 1"}

#: Items of Responses that wait for the host.
WAITING: list[dict[str, Any]] = [
    {"type": "tool_search_call", "id": "i", "call_id": "s", "execution": "client", "arguments": {}},
    {
        "type": "mcp_approval_request",
        "id": "a",
        "name": "f",
        "arguments": "{}",
        "server_label": "x",
    },
    {"type": "apply_patch_call", "id": "p", "call_id": "q", "operation": {}, "status": "completed"},
    {"type": "local_shell_call", "id": "l", "call_id": "m", "action": {}, "status": "completed"},
    {"type": "shell_call", "id": "h", "call_id": "j", "action": {}, "environment": None},
    {"type": "shell_call", "id": "h", "call_id": "j", "environment": {"type": "local"}},
    {"type": "computer_call", "id": "o", "call_id": "u", "pending_safety_checks": []},
    {"type": "x_search_call", "id": "x", "status": "completed"},
    {"type": "new.invocation", "id": "x"},
    {"type": "strange", "call_id": "x", "arguments": "{}"},
    {"name": "lookup", "arguments": "{}"},
]

#: Items of Responses that the vendor answers, or that ask for nothing.
SILENT: list[dict[str, Any]] = [
    {
        "type": "tool_search_call",
        "id": "i",
        "call_id": None,
        "execution": "server",
        "arguments": {},
    },
    {"type": "shell_call", "call_id": "j", "environment": {"type": "container_reference"}},
    {"type": "new_call", "id": "x", "output": "done"},
    {"type": "web_search_call", "id": "w", "status": "completed"},
    {"type": "strange", "text": "a"},
]


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    RAN.clear()


@pytest.mark.parametrize("item", WAITING, ids=lambda item: item.get("type", "no type"))
@pytest.mark.parametrize("shape", ["response", "output", "item", "beside a call", "events"])
def test_an_item_that_waits_for_the_host_is_never_left_out(item: Any, shape: str) -> None:
    response = {"object": "response", "status": "completed", "output": [item]}
    message: Any = {
        "response": response,
        "output": [item],
        "item": item,
        "beside a call": {**response, "output": [CALL, item]},
        "events": [{"type": "response.completed", "response": response}],
    }[shape]
    if shape in ("item", "output") and "type" not in item:
        pytest.skip("a call without a type is no item")
    with pytest.raises(TypesigError) as caught:
        WIRE.handle(message)

    kind = item.get("type", "")
    id = item.get("call_id") or item.get("id")
    assert str(caught.value).startswith(
        f"the item {kind}{f' ({id!r})' if id else ''} waits for your"
    )
    assert f'host_items={{"{kind}": answer}}' in str(caught.value)
    assert [] == RAN


@pytest.mark.parametrize("item", SILENT, ids=lambda item: item["type"])
def test_an_item_that_the_vendor_answers_asks_for_nothing(item: Any) -> None:
    assert [] == WIRE.handle({"output": [item], "status": "completed"})
    assert [] == WIRE.handle([item])
    assert [] == WIRE.handle(item)
    [answer] = WIRE.handle({"output": [item, CALL], "status": "completed"})
    assert "row 1" == answer["output"]


def test_a_function_of_the_host_answers_its_items_in_their_order() -> None:
    seen: list[Any] = []

    def approve(item: dict[str, Any]) -> dict[str, Any]:
        seen.append(item)
        asked = {"approval_request_id": item["id"], "approve": True}
        return {"type": "mcp_approval_response", **asked}

    request = WAITING[1]
    message = {"output": [request, CALL], "status": "completed"}
    found = WIRE.handle(message, host_items={"mcp_approval_request": approve})
    response = {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True}

    assert [request] == seen
    assert [response, {"type": "function_call_output", "call_id": "c", "output": "row 1"}] == found


def test_an_item_is_given_to_coroutine_functions_by_ahandle_alone() -> None:
    async def search(item: dict[str, Any]) -> dict[str, Any]:
        return {"type": "tool_search_output", "call_id": item["call_id"], "tools": []}

    host_items = {"tool_search_call": search}
    found = asyncio.run(WIRE.ahandle([WAITING[0]], host_items=host_items))

    assert [{"type": "tool_search_output", "call_id": "s", "tools": []}] == found
    with pytest.raises(TypesigError, match=r"write await ….ahandle\(…\)"):
        WIRE.handle([WAITING[0]], host_items=host_items)


def test_what_a_function_of_the_host_raises_passes_when_the_other_calls_have_ended() -> None:
    def fail(item: dict[str, Any]) -> dict[str, Any]:
        raise OSError("no patch")

    with pytest.raises(OSError, match="no patch"):
        WIRE.handle([WAITING[2], CALL], host_items={"apply_patch_call": fail})
    assert ["lookup 1"] == RAN


def test_none_leaves_items_alone() -> None:
    assert [] == WIRE.handle([WAITING[7]], host_items={"x_search_call": None})


@pytest.mark.parametrize(
    "host_items", [{"x": 1}, {1: print}, ["mcp_approval_request"], "shell_call"], ids=repr
)
def test_host_items_are_functions_by_types(host_items: Any) -> None:
    with pytest.raises(TypesigError, match=r"^host_items are functions by the types of items"):
        WIRE.handle([CALL], host_items=host_items)


def test_a_function_of_the_host_returns_an_item() -> None:
    with pytest.raises(TypesigError, match="returns the item that answers, a dict, not None"):
        WIRE.handle([WAITING[2]], host_items={"apply_patch_call": lambda item: None})  # type: ignore[dict-item,return-value]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ([{**WAITING[2], "status": "in_progress"}], "it is not whole; ask the model again"),
        (
            {
                "output": [{**WAITING[2], "status": None}],
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
            },
            "it is not whole; ask the model again",
        ),
        ({"output": [WAITING[2]], "status": "failed"}, "the answer was stopped before its end"),
        ([*[CALL] * 128, WAITING[2]], "only the first 128 calls and items of an answer are"),
        ([WireCall("p", "apply_patch_call", {}, {HOST: ""}, "unread")], "it could not be read"),
    ],
    ids=["item", "response", "failed", "many", "unread"],
)
def test_an_item_that_may_not_be_whole_is_not_answered(message: Any, why: str) -> None:
    with pytest.raises(TypesigError) as caught:
        WIRE.handle(message, host_items={"apply_patch_call": lambda item: item})

    assert why in str(caught.value)
    assert [] == RAN


def test_an_item_that_another_one_answers_is_not_answered_again() -> None:
    shell = {**WAITING[4], "environment": None}
    output = {"type": "shell_call_output", "call_id": "j", "output": []}

    for items in ([shell, output], [CALL, DONE]):
        assert [] == WIRE.handle({"output": items, "status": "completed"})
        assert [] == WIRE.handle(items)
    assert [] == RAN
    with pytest.raises(TypesigError, match="it is the result of a call"):
        WIRE.handle([{**DONE, "call_id": "other"}])
    with pytest.raises(TypesigError, match="it is the result of a call"):
        WIRE.handle([CALL, DONE, {**DONE, "call_id": None}])


def test_under_a_governance_items_of_the_host_wait_with_the_calls() -> None:
    governance = Governance(before=lambda call: Ask("May it?"))
    host_items = {"apply_patch_call": lambda item: {"type": "apply_patch_call_output", **item}}
    with pytest.raises(Paused) as paused:
        WIRE.handle([WAITING[2], CALL], governance=governance, host_items=host_items)
    pending = PendingCalls.from_json(paused.value.pending.to_json())
    [asked] = pending.asked
    found = WIRE.handle(
        pending.decided({asked.key: None}), governance=governance, host_items=host_items
    )

    assert ["apply_patch_call", "function_call_output"] == [each["type"] for each in found]


@pytest.mark.parametrize("status", ["queued", "in_progress"])
def test_a_response_that_has_not_ended_is_not_the_last(status: str) -> None:
    with pytest.raises(TypesigError, match=f"status is {status}: the response has not ended"):
        WIRE.handle({"output": [], "status": status})


def test_an_answer_that_ended_for_calls_that_are_not_there_is_not_the_last() -> None:
    chat = typesig.tools_of([lookup]).project("openai")
    message = {"role": "assistant", "content": "", "tool_calls": None}

    with pytest.raises(TypesigError, match="finish_reason is tool_calls: but the answer has no"):
        chat.handle({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    with pytest.raises(TypesigError, match="tool_calls of an answer is a list, not dict"):
        chat.handle({"choices": [{"message": {**message, "tool_calls": {}}, "finish_reason": ""}]})
    with pytest.raises(TypesigError, match=r"the item tool_call \('a'\) waits for your program"):
        chat.handle({**message, "refusal": None, "content": [{"type": "tool_call", "id": "a"}]})


SEARCH = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
USE = {"type": "tool_use", "id": "c", "name": "lookup", "input": {"id": 1}}


@pytest.mark.parametrize("reason", ["pause_turn", "compaction", "tool_use"])
def test_a_message_of_anthropic_that_goes_on_is_not_the_last(reason: str) -> None:
    message: Any = {"role": "assistant", "content": [SEARCH], "stop_reason": reason}
    with pytest.raises(TypesigError, match=f"stop_reason is {reason}: "):
        CLAUDE.handle(message)
    events = [
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "message_delta", "delta": {"stop_reason": reason}},
    ]
    with pytest.raises(TypesigError, match=f"stop_reason is {reason}: "):
        CLAUDE.handle(events)
    [answer] = CLAUDE.handle({**message, "content": [SEARCH, USE]})

    assert ["c"] == [each["tool_use_id"] for each in answer["content"]]


def test_content_that_ends_before_the_vendor_has_run_its_tool_is_not_the_last() -> None:
    with pytest.raises(
        TypesigError, match=r"^server_tool_use 's' has no result yet: send the conv"
    ):
        CLAUDE.handle([SEARCH])
    assert [] == CLAUDE.handle([SEARCH, FOUND])
    assert 1 == len(CLAUDE.handle([SEARCH, USE]))


def test_a_block_or_a_part_that_looks_like_a_call_is_not_left_out() -> None:
    block = {"type": "desktop_tool_use", "id": "d", "input": {}}
    part = {"robotCall": {"id": "r", "args": {}}}
    content = {"role": "model", "parts": [part]}
    messages: list[tuple[Any, Any, str]] = [
        (CLAUDE, block, "desktop_tool_use"),
        (CLAUDE, [block], "desktop_tool_use"),
        (CLAUDE, {"role": "assistant", "content": [block], "stop_reason": "end_turn"}, "desktop"),
        (GEMINI, content, "robotCall"),
        (GEMINI, {"candidates": [{"content": content, "finishReason": "STOP"}]}, "robotCall"),
        (GEMINI, {**part, "thought": False}, "robotCall"),
    ]
    for wire, message, kind in messages:
        with pytest.raises(TypesigError, match=f"^the item {kind}.* waits for your program"):
            wire.handle(message)
    taken = {"type": "desktop_tool_result", "tool_use_id": "d"}
    answers = {"desktop_tool_use": lambda item: taken}
    assert [{"role": "user", "content": [taken]}] == CLAUDE.handle([block], host_items=answers)
    answer: dict[str, Any] = {"robotResponse": {}}
    found = GEMINI.handle(content, host_items={"robotCall": lambda item: answer})
    assert [{"role": "user", "parts": [answer]}] == found
    assert [] == GEMINI.handle({"parts": [{"toolCall": {"id": "t"}}, {"text": "a", "xCall": {}}]})
    assert [] == GEMINI.handle({"parts": [{"robotCall": 1}, {"anything": {}}]})


def test_a_call_with_a_namespace_runs_a_tool_of_that_namespace_alone() -> None:
    [answer] = WIRE.handle([{**CALL, "namespace": "crm"}])

    assert [] == RAN
    assert 'there is no tool "crm.lookup"' in answer["output"]
    both = typesig.tools_of([lookup, lookup_customer]).project("openai", api="responses")
    answers = both.handle({"output": [{**CALL, "namespace": "crm"}, CALL], "status": "completed"})
    assert ["customer 1", "row 1"] == [each["output"] for each in answers]


@pytest.mark.parametrize("namespace", [None, "", "functions", "lookup"])
def test_a_namespace_of_tools_that_are_in_none_is_none(namespace: Any) -> None:
    [answer] = WIRE.handle({"output": [{**CALL, "namespace": namespace}], "status": "completed"})

    assert "row 1" == answer["output"]
