"""Results of servers that keep to the protocol in their own ways, over loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp

import typesig
from tests.sdks.test_mcp_renewal import Backend, running
from typesig.calls.results import ToolResult
from typesig.mcp.client.connection import replace_unknown_blocks, wrap_transport
from typesig.mcp.client.tool_list import unwrap_schema

pytestmark = pytest.mark.needs_process


class Described(Backend):
    """A server whose tool has an output schema."""

    schema: Any = None

    def answer(self, message: dict[str, Any], name: str | None) -> Any:
        status, data, headers = super().answer(message, name)
        if message["method"] == "tools/list" and status == 200 and self.schema is not None:
            data["result"]["tools"][0]["outputSchema"] = self.schema
        return status, data, headers


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def outcome_of(result: Any, schema: Any = None) -> Any:
    """Return the outcome of a call of a tool with the output *schema* that returns *result*."""
    backend = Described()
    backend.result, backend.schema = result, schema

    async def main(url: str) -> Any:
        async with typesig.mcp.connect(url) as session:
            return await (await typesig.mcp.tools_from(session)).acall("t", {})

    with running(backend) as url:
        return asyncio.run(main(url))


UNKNOWN = "(a block of content of an unknown type: "


@pytest.mark.parametrize(
    ("result", "value"),
    [
        ({"content": [text("A")], "structuredContent": {"a": 1}}, ["A", {"a": 1}]),
        ({"content": [text('{"a": 1}')], "structuredContent": {"a": 1}}, {"a": 1}),
        ({"content": [text("{")], "structuredContent": {"a": 1}}, ["{", {"a": 1}]),
        ({"content": [], "structuredContent": {"a": 1}}, {"a": 1}),
        ({"content": None, "structuredContent": {"a": 1}}, {"a": 1}),
        ({"structuredContent": {"a": 1}}, {"a": 1}),
        ({"content": None}, None),
        (
            {"content": [text("A"), {"type": "hologram"}]},
            ["A", UNKNOWN + '{"type": "hologram"})'],
        ),
        ({"content": [text("A"), 5, {"text": "b"}]}, ["A", UNKNOWN + "5)", UNKNOWN + '{"text": "b"})']),
        ({"content": [{"type": "text"}, text("A")]}, [UNKNOWN + '{"type": "text"})', "A"]),
    ],
)  # fmt: skip
def test_no_block_is_lost_without_an_output_schema(result: Any, value: Any) -> None:
    outcome = outcome_of(result)

    assert outcome.ok, outcome.report()
    assert value == outcome.value


def test_a_long_unknown_block_is_cut() -> None:
    [block] = replace_unknown_blocks({"content": [{"type": "x", "y": "z" * 5_000}]})["content"]

    assert len(block["text"]) < 2_200
    assert {"content": 3} == replace_unknown_blocks({"content": 3})
    assert 3 == replace_unknown_blocks(3)


OBJECT = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("result", "value"),
    [
        ({"content": [text('{"a": 1}')]}, {"a": 1}),
        ({"content": [text("A")], "structuredContent": {"a": 1}}, {"a": 1}),
    ],
)
def test_json_text_stands_for_structured_content(result: Any, value: Any) -> None:
    assert value == outcome_of(result, OBJECT).value


@pytest.mark.parametrize("found", ["A", '{"a": "x"}', '{"a": 1, "a": 2}'])
def test_text_that_does_not_fit_the_output_schema_is_an_error(found: str) -> None:
    outcome = outcome_of({"content": [text(found)]}, OBJECT)

    assert "output" == outcome.stage
    assert not outcome.ok


def wrapped(inner: Any, **more: Any) -> Any:
    return {
        "type": "object", "properties": {"result": inner}, "required": ["result"],
        "x-fastmcp-wrap-result": True, **more,
    }  # fmt: skip


INTEGERS = {"type": "array", "items": {"type": "integer"}}


@pytest.mark.parametrize(
    ("inner", "value"), [({"type": "integer"}, 5), (INTEGERS, [1, 2]), (OBJECT, {"a": 1})]
)
def test_a_result_that_is_wrapped_is_unwrapped(inner: Any, value: Any) -> None:
    result = {"content": [text("x")], "structuredContent": {"result": value}}

    assert value == outcome_of(result, wrapped(inner)).value
    assert not outcome_of({**result, "structuredContent": {"result": "x"}}, wrapped(inner)).ok


def test_a_reference_within_a_wrapped_result_is_read() -> None:
    schema = wrapped({"$ref": "#/$defs/A"}, **{"$defs": {"A": OBJECT}})
    result = {"content": [], "structuredContent": {"result": {"a": 1}}}

    assert {"a": 1} == outcome_of(result, schema).value
    for other in (None, {}, {"x-fastmcp-wrap-result": True}, wrapped(True)):
        assert None is unwrap_schema(other)


@pytest.mark.parametrize("inner", [{"type": "integer"}, OBJECT])
def test_a_proxy_serves_what_fits_its_own_schema(inner: Any) -> None:
    value = 5 if inner != OBJECT else {"a": 5}
    backend = Described()
    backend.schema = wrapped(inner)
    backend.result = {"content": [text("5")], "structuredContent": {"result": value}}

    async def main(url: str) -> None:
        async with mcp.Client(typesig.mcp.proxy(url).lowlevel) as client:
            # The official client checks the result by the schema that is listed.
            await client.list_tools()
            found = await client.call_tool("t", {})
            assert not found.is_error, found.content
            assert found.structured_content in (value, {"result": value})

    with running(backend) as url:
        asyncio.run(main(url))


def test_content_that_repeats_the_structured_content_is_told_once() -> None:
    several = ToolResult((text("1"), text("1")), 1, True, None, False)

    assert ["1", "1", 1] == several.data()
    assert 1 == ToolResult((text("1"),), 1, True, None, False).data()
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    assert [{"mimeType": "image/png", "size": 1, "type": "image"}, 1] == ToolResult(
        (image,), 1, True, None, False
    ).data()


def test_known_blocks_stay_and_deep_ones_are_told() -> None:
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    known = {"content": [image, text("a")]}
    assert known is replace_unknown_blocks(known)
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    [block] = replace_unknown_blocks({"content": [{"deep": deep}]})["content"]
    assert UNKNOWN + "nested too deep)" == block["text"]
    # Python frees it level by level otherwise.
    while deep:
        deep = deep.pop()


def test_a_stream_is_otherwise_the_same() -> None:
    import anyio

    async def main() -> None:
        send, receive = anyio.create_memory_object_stream[Any](3)
        async with wrap_transport(_transport(receive, send)) as (read, write):
            assert write is send
            async with read:
                await send.send(ValueError("x"))
                await send.send(3)
                assert "x" == str(await read.receive())
                assert [3] == [await anext(aiter(read))]
                assert 0 == read.statistics().current_buffer_used
            send.close()

    asyncio.run(main())


@asynccontextmanager
async def _transport(*streams: Any) -> AsyncIterator[Any]:
    yield streams


def test_a_result_that_is_not_wrapped_is_not_unwrapped() -> None:
    result = {"content": [text("x")], "structuredContent": {"other": 1}}

    assert not outcome_of(result, wrapped({"type": "integer"})).ok
