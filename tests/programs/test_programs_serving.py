"""The server of three tools, as the SDK's own client sees it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client

from tests.programs.test_programs_runs import Script, find
from typesig import TypesigError, tool, tools_of
from typesig.mcp import Request
from typesig.programs import Asked, Ran


@tool
def who(request: Request) -> str:
    return type(request).__name__


def results(calls: list[tuple[str, dict[str, Any]]], script: Script) -> list[str]:
    """Return the texts that a client reads of *calls*."""

    async def run() -> list[str]:
        server = tools_of([find, who]).code(runner=script).serve(given={"store": "s"})
        async with Client(server.lowlevel) as client:
            listed = [one.name for one in (await client.list_tools()).tools]
            found = [await client.call_tool(*call) for call in calls]
            return [", ".join(listed), *[each.content[0].text for each in found]]  # type: ignore[union-attr]

    return asyncio.run(run())


@pytest.mark.needs_process
def test_functions_are_found_described_and_called() -> None:
    script = Script([[Asked("find", ("a",))], [Asked("who")]])
    listed, found, none, stub, unknown, ran, wrong = results(
        [
            ("search", {"query": "rows"}),
            ("search", {"query": "rows", "limit": 0}),
            ("describe", {"functions": ["who", "find"]}),
            ("describe", {"functions": ["fond"]}),
            ("run", {"program": "find('a')"}),
            ("run", {"program": "fond('a')"}),
        ],
        script,
    )

    assert "search, describe, run" == listed
    assert '[{"name":"find","description":"Find rows."}]' == found
    assert "limit is 1 or more" in none
    assert stub.index("def who() -> str") < stub.index("def find(query: str")
    assert 'there is no tool "fond"; did you mean find?' in unknown
    assert '[[{"id":0},{"id":1}],"Request"]' == ran
    assert 'there is no tool "fond" (did you mean find?)' in wrong


def test_what_the_host_gives_is_asked_for_when_it_is_served() -> None:
    @tool
    def need(store: Any) -> int: ...

    with pytest.raises(TypesigError, match="code is served without lifespan"):
        tools_of([find]).code(runner=Script([], Ran())).serve(lifespan=print)
