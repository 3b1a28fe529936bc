"""Programs that vendors run: their answers and our results, as the SDKs' own types have them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.providers.projection.test_programmatic_calls import CODE, PROGRAM, TOOLS, item, used


def test_several_calls_of_one_program_of_anthropic() -> None:
    pytest.importorskip("anthropic")
    from anthropic.types import Message, MessageParam, ToolUnionParam

    wire = TOOLS.project(
        "anthropic",
        allowed_callers=[CODE],
        server_tools=[{"type": CODE, "name": "code_execution"}],
    )
    blocks: list[Any] = [
        {"type": "server_tool_use", "id": "s1", "name": "code_execution", "input": {"code": "x"}},
        used("t1", "find", {"query": "a"}),
        used("t2", "name", {"id": 1}),
    ]
    usage = {"input_tokens": 1, "output_tokens": 1}
    made = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": blocks}
    answer = Message.model_validate({**made, "stop_reason": "tool_use", "usage": usage})
    [found] = wire.handle(answer)
    history = [answer.model_dump(exclude_none=True, include={"role", "content"}), found]

    for each in wire.definitions:
        TypeAdapter(ToolUnionParam).validate_python(each)
    TypeAdapter(list[MessageParam]).validate_python(history)
    assert ["t1", "t2"] == [each["tool_use_id"] for each in found["content"]]
    assert {"tool_result"} == {each["type"] for each in found["content"]}


def test_several_calls_of_one_program_of_openai() -> None:
    pytest.importorskip("openai")
    from openai.types.responses import FunctionToolParam, Response, ResponseInputItemParam

    wire = TOOLS.project("openai", api="responses", allowed_callers=["direct", "programmatic"])
    output = [PROGRAM, item("c1", "find", '{"query": "a"}'), item("c2", "name", '{"id": 1}')]
    made = {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    more = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    answer = Response.model_validate({**made, **more, "output": output})
    found = wire.handle(answer)
    history = [*[each.model_dump(exclude_none=True) for each in answer.output], *found]

    for each in wire.definitions:
        TypeAdapter(FunctionToolParam).validate_python(each)
    for each in history:
        TypeAdapter(ResponseInputItemParam).validate_python(each)
    assert ["program"] * 2 == [each["caller"]["type"] for each in found]
