"""Definitions with what stands beside their schemas are of the packages' own types."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.providers.projection.test_extras import CODE, SEARCH_TOOL, TOOLS, WEB
from tests.sdks.rows import keys_of

OPTIONS: Any = {"defer_loading": ["search"], "input_examples": {"book": [{"room": "Elm"}]}}


@pytest.mark.parametrize("strict", [False, True])
def test_anthropic_types_them(strict: bool) -> None:
    types = pytest.importorskip("anthropic.types")
    wire = TOOLS.project(
        "anthropic",
        strict=strict,
        allowed_callers=[CODE],
        server_tools=[WEB, SEARCH_TOOL],
        **OPTIONS,
    )
    for each in wire.definitions[:2]:
        TypeAdapter(types.ToolParam).validate_python(each)
        assert set(each) <= keys_of(types.ToolParam)
    TypeAdapter(list[types.ToolUnionParam]).validate_python([*wire.definitions])


def test_openai_types_them() -> None:
    types = pytest.importorskip("openai.types.responses")
    wire = TOOLS.project(
        "openai",
        api="responses",
        defer_loading=True,
        allowed_callers=["direct", "programmatic"],
        server_tools=[{"type": "tool_search"}, {"type": "web_search"}],
    )
    for each in wire.definitions[:2]:
        TypeAdapter(types.FunctionToolParam).validate_python(each, strict=True)
        assert set(each) <= keys_of(types.FunctionToolParam)
    TypeAdapter(list[types.ToolParam]).validate_python([*wire.definitions])
    chat = pytest.importorskip("openai.types.chat")
    custom = {"type": "custom", "custom": {"name": "patch"}}
    made = TOOLS.project("openai", server_tools=[custom]).definitions
    TypeAdapter(list[chat.ChatCompletionToolUnionParam]).validate_python([*made])


def test_answers_of_anthropic_with_tools_that_it_ran_are_answered_for_ours() -> None:
    types = pytest.importorskip("anthropic.types")
    message = types.Message.model_validate(
        {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
            "content": [
                {
                    "type": "server_tool_use",
                    "id": "s",
                    "name": "tool_search_tool_bm25",
                    "input": {"query": "book"},
                    "caller": {"type": "direct"},
                },
                {
                    "type": "tool_search_tool_result",
                    "tool_use_id": "s",
                    "content": {
                        "type": "tool_search_tool_search_result",
                        "tool_references": [{"type": "tool_reference", "tool_name": "book"}],
                    },
                },
                {
                    "type": "tool_use",
                    "id": "t",
                    "name": "book",
                    "input": {"room": "Elm"},
                    "caller": {"type": "code_execution_20260120", "tool_id": "s"},
                },
            ],
        }
    )
    [answer] = TOOLS.project("anthropic", server_tools=[SEARCH_TOOL]).handle(message)

    assert ["t"] == [each["tool_use_id"] for each in answer["content"]]
    TypeAdapter(types.MessageParam).validate_python(answer)
