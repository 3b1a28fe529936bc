"""The server of three tools, as the SDK's own client sees it."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp_types as types
from mcp import Client

from tests.programs.test_programs_runs import Script, find
from typesig import Injected, TypesigError, tool, tools_of
from typesig.governance import Ask, Governance, Refuse
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


def served(script: Script, tools: Any, **options: Any) -> str:
    """Return what a client reads of a run; the person at it allows every call."""

    async def person(context: Any, params: Any) -> Any:
        return types.ElicitResult(action="accept", content={"value": "Find?" == params.message})

    async def run() -> str:
        server = tools.code(runner=script).serve(**options)
        async with Client(server.lowlevel, elicitation_callback=person) as client:
            found = await client.call_tool("run", {"program": "find('a')"})
            return found.content[0].text  # type: ignore[union-attr]

    return asyncio.run(run())


@pytest.mark.needs_process
def test_programs_are_served_with_a_lifespan_function() -> None:
    seen: list[str] = []

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[dict[str, Any]]:
        seen.append("opened")
        yield {"store": "s", "other": 1}
        seen.append("closed")

    script = Script([[Asked("stored", ("a",))]])
    found = served(script, tools_of([find, stored]), lifespan=lifespan, given=dict)

    assert '["a of s"]' == found
    assert ["opened", "closed"] == seen


@tool
def stored(query: str, store: Injected[str]) -> str:
    return f"{query} of {store}"


@pytest.mark.needs_process
def test_what_neither_the_host_nor_the_lifespan_function_gives_is_told_at_the_start() -> None:
    with pytest.raises(TypesigError, match="run needs store from its host"):
        tools_of([stored]).code(runner=Script([], Ran())).serve()

    def lifespan() -> Any:
        yield {"other": 1}

    with pytest.raises(Exception, match=r"unhandled errors|run needs store") as caught:
        served(Script([]), tools_of([stored]), lifespan=lifespan)
    assert "run needs store from its host" in "".join(traceback.format_exception(caught.value))


@pytest.mark.needs_process
def test_calls_of_served_programs_are_governed_and_the_person_at_the_client_is_asked() -> None:
    script = Script([[Asked("find", ("a",))], [Asked("stored", ("a",))]])
    governance = Governance(
        before=lambda call: Ask("Find?") if call.name == "find" else Refuse("no stores")
    )
    found = served(script, tools_of([find, stored]), given={"store": "s"}, governance=governance)

    assert [[{"id": 0}, {"id": 1}], None] == [answer.value for answer in script.answers]
    assert "stored: this call was not run: no stores" == script.answers[1].message
    assert found.startswith('[[{"id":0},{"id":1}],null]')


def test_a_governance_is_asked_for_when_it_is_served() -> None:
    with pytest.raises(TypesigError, match=r"^governance takes a typesig\.governance\.Governance"):
        tools_of([find]).code(runner=Script([])).serve(governance=3)  # type: ignore[arg-type]
