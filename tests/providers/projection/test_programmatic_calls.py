"""Calls of programs that a vendor runs: allowed or refused, and answered with plain data."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import pytest

from tests.tools.answers.test_client_asks import anthropic, message
from typesig import Media, contract, tool, tools_of
from typesig.governance import Governance, PendingCalls

CODE = "code_execution_20260120"


class Row(TypedDict):
    id: int
    _owner: str


@tool
def find(query: str) -> list[Row]:
    """Find."""
    return [{"id": n, "_owner": "ann"} for n in range(3)]


@tool
def name(id: int) -> str:
    """Name."""
    return f"row {id}"


@tool
def draw(id: int) -> Annotated[bytes, Media("image/png")]:
    """Draw."""
    return bytes(2_000)


TOOLS = tools_of([find, name, draw])


def used(id: str, called: str, arguments: Any, kind: str = CODE) -> dict[str, Any]:
    caller = {"type": kind, **({} if kind == "direct" else {"tool_id": "s1"})}
    block = {"type": "tool_use", "id": id, "name": called, "input": arguments}
    return {**block, "caller": caller}


def item(id: str, called: str, arguments: str, kind: str = "program") -> dict[str, Any]:
    caller = {"type": kind, **({} if kind == "direct" else {"caller_id": "p1"})}
    made = {"type": "function_call", "call_id": id, "name": called, "arguments": arguments}
    return {**made, "caller": caller}


PROGRAM = {"type": "program", "id": "pr", "call_id": "p1", "code": "…", "fingerprint": "f"}


def test_a_program_of_anthropic_reads_plain_data_and_its_caller_is_not_repeated() -> None:
    wire = TOOLS.project("anthropic", allowed_callers=[CODE])
    pages = TOOLS.pages(budget=90)
    blocks = [
        {"type": "server_tool_use", "id": "s1", "name": "code_execution", "input": {"code": "…"}},
        used("t1", "find", {"query": "a"}),
        used("t2", "name", {"id": "3"}),
        used("t3", "draw", {"id": 1}),
    ]
    [found] = wire.handle(message(*blocks, reason="tool_use"), pages=pages)

    assert [
        {"type": "tool_result", "tool_use_id": "t1", "content": '[{"id":0},{"id":1},{"id":2}]'},
        {"type": "tool_result", "tool_use_id": "t2", "content": "row 3"},
        {"type": "tool_result", "tool_use_id": "t3", "content": "[image/png, 2 kB]"},
    ] == found["content"]


def test_a_program_of_openai_reads_json_of_the_schema_and_its_caller_is_repeated() -> None:
    wire = TOOLS.project("openai", api="responses", allowed_callers=["programmatic"])
    answer = {
        "status": "completed",
        "output": [
            PROGRAM,
            item("c1", "find", '{"query": "a"}'),
            item("c2", "name", '{"id": 3}'),
        ],
    }
    found = wire.handle(answer)
    rows = {"type": "array", "items": {"type": "object"}}

    assert ['[{"id":0},{"id":1},{"id":2}]', '"row 3"'] == [each["output"] for each in found]
    assert [{"type": "program", "caller_id": "p1"}] * 2 == [each["caller"] for each in found]
    schemas = [each["output_schema"] for each in wire.definitions]
    assert rows["type"] == schemas[0]["type"]
    assert ["id"] == list(schemas[0]["items"]["properties"])
    assert {"type": "string"} == schemas[1]
    direct = item("c3", "name", '{"id": 3}', "direct")
    assert "only a program may call name" in wire.handle(direct)[0]["output"]


@pytest.mark.parametrize("governance", [None, Governance()])
def test_a_caller_that_a_tool_does_not_allow_is_refused(governance: Governance | None) -> None:
    allowed = {"find": ["direct"], "name": [CODE], "draw": ["direct", "code_execution_20250825"]}
    wire = TOOLS.project("anthropic", allowed_callers=allowed)
    blocks = [
        used("t1", "find", {"query": "a"}),
        used("t2", "name", {"id": 3}, "direct"),
        used("t3", "draw", {"id": 3}),
        {"type": "tool_use", "id": "t4", "name": "name", "input": {"id": 3}},
    ]
    [found] = wire.handle(message(*blocks), governance=governance)
    texts = [each["content"] for each in found["content"]]

    assert [
        "Tool validation errors:\n- this call was not run: no program may call find; call it yourself",
        "Tool validation errors:\n- this call was not run: only a program may call name; write one that does",
        # Another version of what is allowed.
        "[image/png, 2 kB]",
        "row 3",
    ] == texts
    assert [True, True, None, None] == [each.get("is_error") for each in found["content"]]


def test_a_tool_without_callers_answers_whoever_calls() -> None:
    [found] = TOOLS.project("anthropic").handle(message(used("t1", "name", {"id": 3})))

    assert "row 3" == found["content"][0]["content"]


def test_a_call_of_a_program_that_waits_keeps_its_caller() -> None:
    from typesig.governance import Ask, Paused

    wire = TOOLS.project("anthropic", allowed_callers=[CODE])
    governance = Governance(before=lambda call: Ask("May it?"))
    with pytest.raises(Paused) as caught:
        wire.handle(message(used("t1", "draw", {"id": 3})), governance=governance)
    stored = PendingCalls.from_json(caught.value.pending.to_json())
    [found] = wire.handle(stored.decided({"t1": None}), governance=governance)

    assert "[image/png, 2 kB]" == found["content"][0]["content"]


def test_a_model_that_is_asked_may_write_a_program() -> None:
    wire = TOOLS.project(
        "anthropic",
        allowed_callers=[CODE],
        server_tools=[{"type": CODE, "name": "code_execution"}],
    )
    ran = {"type": "code_execution_tool_result", "tool_use_id": "s1", "content": {}}
    client = anthropic(
        message(
            {"type": "server_tool_use", "id": "s1", "name": "code_execution", "input": {}},
            used("t1", "find", {"query": "a"}),
        ),
        message(used("t2", "name", {"id": 2})),
        message(ran, '{"result": 7}'),
    )
    out = contract(int).ask(client, "How many?", model="m", tools=wire, container="c1")

    assert 7 == out.result
    assert ["c1"] * 3 == [each["container"] for each in client.seen]
    assert "row 2" == client.seen[2]["messages"][-1]["content"][0]["content"]
    assert 4 == len(client.seen[0]["tools"])
