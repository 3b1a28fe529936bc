"""Large tools: told of by `check()`, and made small by `depth=`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.openapi_shop import TEXT, answer, document
from typesig import TypesigError, tools_of
from typesig.openapi import Response, tools_from

LINE = {"type": "object", "properties": {"item": {"$ref": "#/components/schemas/Item"}}}
ITEM = {
    "type": "object",
    "properties": {
        "name": TEXT,
        "parent": {"$ref": "#/components/schemas/Item"},
        "tags": {"type": "array", "items": {"type": "object", "properties": {"t": TEXT}}},
    },
}
ORDER = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "lines": {"type": "array", "items": LINE}},
}


def tools(depth: Any, value: Any = None) -> Any:
    made = document(
        {
            "/x": {
                "get": {
                    "operationId": "g",
                    "responses": answer({"$ref": "#/components/schemas/Order"}),
                }
            }
        },
        "3.1.0",
        components={"schemas": {"Item": ITEM, "Order": ORDER}},
    )
    response = Response(200, {"content-type": "application/json"}, json.dumps(value).encode())
    return tools_from(made, base="http://h", send=lambda _: response, depth=depth)


@pytest.mark.parametrize(
    ("depth", "shown"),
    [
        (0, ":Order where Order = :map"),
        (1, ":Order where Order = {id? :int, lines? [:map]}"),
        (
            2,
            ":Order where Item = :map, Order = {id? :int, lines? [{item? :Item}]}",
        ),
        (
            3,
            ":Order where Item = {name? :string, parent? :Item2, tags? [:map]}, Item2 = :map, "
            "Order = {id? :int, lines? [{item? :Item}]}",
        ),
    ],
)
def test_results_are_told_down_to_a_depth(depth: int, shown: str) -> None:
    value = {"id": 1, "lines": [{"item": {"name": "a", "parent": {"odd": [1]}, "tags": []}}]}
    found = tools(depth, value)
    tool = found["g"]
    known = set(shown.partition(" where ")[2].split(", "))

    assert known == set(str(tool.signature).partition(" where ")[2].split(", "))
    [warning] = tool.warnings
    assert f"they are deeper than depth={depth}" in warning.reason
    assert "output" == warning.place
    assert value == found.call("g").value
    assert "odd" not in str(found.project("mcp").definitions)


def test_a_type_at_the_same_depth_in_several_places_is_cut_once() -> None:
    item = {"$ref": "#/components/schemas/Item"}
    pair = {"type": "object", "properties": {"first": item, "last": item}}
    made = document(
        {"/x": {"get": {"operationId": "g", "responses": answer(pair)}}},
        "3.1.0",
        components={"schemas": {"Item": ITEM}},
    )
    found = tools_from(made, base="http://h", depth=1)["g"]

    assert "{first? :Item, last? :Item} where Item = :map" in str(found.signature)


def test_a_result_that_is_not_deeper_stays() -> None:
    shallow = document({"/x": {"get": {"operationId": "g", "responses": answer(TEXT)}}})

    assert () == tools_from(shallow, base="http://h", depth=1)["g"].warnings
    assert () == tools(None)["g"].warnings


@pytest.mark.parametrize("depth", [-1, True, "2", 1.0])
def test_a_depth_is_a_number_of_levels(depth: Any) -> None:
    with pytest.raises(TypesigError, match="depth is a number of levels of at least 0, or None"):
        tools(depth)


def wide(size: int) -> Any:
    return {"type": "object", "properties": {f"property_{n}": TEXT for n in range(size)}}


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "mcp"])
def test_large_tools_are_advised_against_without_a_counter(provider: str) -> None:
    body = {"required": True, "content": {"application/json": {"schema": wide(400)}}}
    made = document(
        {
            "/in": {"post": {"operationId": "large_input", "requestBody": body, "responses": {}}},
            "/out": {"get": {"operationId": "large_result", "responses": answer(wide(600))}},
            "/small": {"get": {"operationId": "small", "responses": answer(TEXT)}},
        }
    )
    found = (
        tools_from(made, base="http://h", send=lambda _: Response(204)).project(provider).check()
    )
    large = {each.tool: each for each in found if "tokens, more than 2000" in each.message}

    assert {"large_input", "large_result"} == {*large}
    assert all(each.counted > each.allowed == 2_000 for each in large.values())
    assert {"advice"} == {each.limit for each in large.values()}


def test_a_counter_counts_the_tokens_of_large_tools() -> None:
    def f(x: int) -> int:
        return x

    wire = tools_of([f], undecorated=True).project("openai")

    assert () == wire.check()
    assert [3_000] == [each.counted for each in wire.check(lambda text: 3_000)]
    assert "f: 3000 tokens, more than 2000; " in str(wire.check(lambda text: 3_000)[0])
