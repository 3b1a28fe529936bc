"""Calls and results of the Model Context Protocol, as the official package validates them."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("mcp_types")

import mcp_types as types

from examples import booking

WIRE = booking.TOOLS.project("mcp")


@pytest.mark.parametrize(
    ("arguments", "is_error"), [({"seats": 8}, False), ({"seats": "many"}, True), (None, False)]
)
def test_the_params_of_a_call_and_its_result(arguments: Any, is_error: bool) -> None:
    params = types.CallToolRequestParams(name="rooms", arguments=arguments)
    [result] = WIRE.handle(params)
    read = types.CallToolResult.model_validate(result)

    assert is_error == read.is_error
    assert [result] == WIRE.handle(types.CallToolRequest(params=params))


def test_structured_content_is_there_for_results_and_not_for_errors() -> None:
    good, bad = WIRE.handle(
        [types.CallToolRequestParams(name="rooms", arguments=sent) for sent in ({}, {"seats": []})]
    )

    assert isinstance(good["structuredContent"], dict)
    assert "structuredContent" not in bad
