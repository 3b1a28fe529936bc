"""Arguments that an MCP client leaves out: the function gets its own defaults."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.calls.test_binding import PARAMETERS, build
from tests.calls.test_binding_fields import assert_own, records
from typesig import tool, tools_of
from typesig.mcp import server

mcp = pytest.importorskip("mcp")

MODES = st.sampled_from(["enabled", "strict", "lenient", "warn_only", "json", "disabled"])


def call_in_process(made: Any, sent: list[dict[str, Any]]) -> None:
    """Call the tool *made*, the only one of a server, with each of the arguments *sent*."""

    async def use() -> None:
        async with mcp.Client(server(tools_of([made])).lowlevel) as client:
            [listed] = (await client.list_tools()).tools
            for arguments in sent:
                result = await client.call_tool(listed.name, arguments)
                assert not result.is_error, result

    asyncio.run(use())


@settings(max_examples=40, deadline=None)
@given(st.lists(PARAMETERS, max_size=5), st.integers(0, 5), st.booleans(), st.booleans(), MODES)
def test_a_served_call_leaves_all_defaults_to_the_function(
    parts: list[tuple[Any, Any]], by_name: int, is_async: bool, wraps: bool, mode: Any
) -> None:
    f = build(parts, (0, by_name), is_async, wraps)
    call_in_process(tool(f, name="f", mode=mode), [{"q": 1}] * 5 + [{"q": 2}])

    defaults = [default for _, default in parts]
    for got in f.got:
        assert all(one is other for one, other in zip(got, defaults, strict=True)), (got, defaults)
    assert 6 == len(f.got)


@settings(max_examples=40, deadline=None)
@given(records(), st.sampled_from(["enabled", "strict", "lenient", "warn_only", "json"]))
def test_a_served_call_has_records_with_the_defaults_of_their_class(
    record: tuple[Any, dict[str, Any]], mode: Any
) -> None:
    cls, defaults = record
    got: list[Any] = []

    def f(one, many=()) -> None:  # type: ignore[no-untyped-def]
        got.extend([one, *many])

    f.__annotations__ = {"one": cls, "many": list[cls], "return": None}
    sent = [{"one": {"q": 1}}, {"one": {"q": 1}, "many": [{"q": 1}, {"q": 2}]}]
    call_in_process(tool(f, mode=mode), sent * 3)

    assert 12 == len(got)
    for each in got:
        assert_own(each, defaults)
