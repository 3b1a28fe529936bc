"""A proxy whose other server ends: it is started again, and calls are told what happened."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp
import mcp_types as types

import typesig
from tests.sdks.foreign import server, tool
from typesig import TypesigError
from typesig.mcp import connect, forwarder, proxy
from typesig.mcp.client import command_transport

#: A server that dies at a call, and says how often it was started.
MORTAL = """\
import json, os, pathlib, signal, sys, time

count = pathlib.Path(sys.argv[1])
with count.open("a") as file:
    file.write("x")
starts = len(count.read_text())
if starts > int(sys.argv[2]):
    sys.exit(4)
tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("starting", "die")]
about = {"name": "mortal", "version": "1"}
begun = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}

def die(how):
    if how == "mute":
        os.close(1)
    elif how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        os._exit(3)
    time.sleep(1000)

for line in sys.stdin:
    sent = json.loads(line)
    params, result = sent.get("params", {}), None
    match sent["method"]:
        case "initialize":
            result = begun
        case "tools/list":
            result = {"tools": tools}
        case "tools/call":
            if params["name"] == "die":
                die(params["arguments"]["how"])
            result = {"content": [{"type": "text", "text": str(starts)}]}
    error = {"error": {"code": -32601, "message": "no"}}
    answer = error if result is None else {"result": result}
    if "id" in sent:
        print(json.dumps({"jsonrpc": "2.0", "id": sent["id"], **answer}), flush=True)
"""


@pytest.fixture
def mortal(tmp_path: Path) -> Callable[[int], list[str]]:
    """Return what makes the command of a server that can be started so many times."""
    (tmp_path / "mortal.py").write_text(MORTAL)

    def command(starts: int) -> list[str]:
        return [sys.executable, str(tmp_path / "mortal.py"), str(tmp_path / "count"), str(starts)]

    return command


def using(made: typesig.mcp.Server, use: Callable[[Any], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with mcp.Client(made.lowlevel) as client:
            return await use(client)

    return asyncio.run(run())


async def text(client: Any, name: str, how: str | None = None) -> str:
    arguments = {} if how is None else {"how": how}
    told = str((await client.call_tool(name, arguments)).content[0].text)
    return told.removeprefix("Tool errors:\n- ")


@pytest.mark.needs_process
@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("exit", "its process has ended with the status 3"),
        ("kill", "its process was ended by the signal 9"),
        ("mute", "it has closed its output"),
    ],
)
def test_a_server_that_dies_is_started_again_and_the_call_in_flight_says_so(
    how: str, why: str, mortal: Callable[[int], list[str]]
) -> None:
    async def use(client: Any) -> Any:
        return [await text(client, *call) for call in [("starting",), ("die", how), ("starting",)]]

    first, died, again = using(proxy(mortal(9)), use)

    assert ("1", "2") == (first, again)
    assert (
        f"die did not end: the other server has stopped ({why}), and is started again; the call may "
        "have done a part of its work"
    ) == died


@pytest.mark.needs_process
def test_a_server_that_does_not_come_again_is_given_up(
    mortal: Callable[[int], list[str]], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr(forwarder, "MAX_RESTARTS", 2)
    monkeypatch.setattr(forwarder, "_AGAIN", 0.01)

    async def use(client: Any) -> Any:
        return await text(client, "die", "exit"), await text(client, "starting")

    with caplog.at_level(logging.WARNING, "typesig.mcp"):
        _, gone = using(proxy([*mortal(1)], errlog=None), use)

    assert gone.startswith("starting cannot be called: the other server has stopped (its process")
    assert gone.endswith(" 3 times in a row, and is not started again")
    assert caplog.messages[-1].endswith(" 3 times in a row, and is not started again")
    failed = [each for each in caplog.messages if "is not there again" in each]
    assert 2 == len(failed)


class Back:
    """Other servers, one after the other, in this process; each lists a tool of its own.

    #: ends: what ends each connection with a reason; is_there: whether another one begins
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ends: list[Callable[[str], object]] = []
        self.is_there = True
        monkeypatch.setattr(forwarder, "connect", self.connect)
        monkeypatch.setattr(forwarder, "_AGAIN", 0.001)

    @asynccontextmanager
    async def connect(self, other: Any, *, on_end: Any, **_: Any) -> AsyncIterator[Any]:
        if not self.is_there:
            raise TypesigError(f"{other} cannot be started")
        self.ends.append(on_end)
        name = f"tool{len(self.ends)}"

        def answer(params: Any) -> Any:
            if params.arguments:
                raise mcp.MCPError(types.METHOD_NOT_FOUND, "no")
            return {"content": [{"type": "text", "text": name}]}

        made = server([[tool(name), tool("ask")]], answer)

        async def prompt(*_: Any) -> Any:
            return types.GetPromptResult(messages=[])

        made.add_request_handler("prompts/get", types.GetPromptRequestParams, prompt)
        made.add_request_handler("prompts/list", types.PaginatedRequestParams, prompt)
        async with mcp.Client(made) as client:
            yield client.session


@pytest.fixture
def back(monkeypatch: pytest.MonkeyPatch) -> Back:
    return Back(monkeypatch)


def test_a_call_waits_for_the_new_server_and_its_tools(back: Back) -> None:
    async def use(client: Any) -> Any:
        back.ends[-1]("gone")
        return await text(client, "ask"), await text(client, "tool2")

    assert ("tool2", "tool2") == using(proxy("x"), use)


def test_a_call_does_not_wait_for_ever(back: Back, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarder, "MAX_RESTART_SECONDS", 0.05)
    monkeypatch.setattr(forwarder, "_AGAIN", 1000)
    monkeypatch.setattr(forwarder, "_LONGEST", 1000)
    why = "the other server has stopped (gone), and has not been started again within 0.05 s"

    async def use(client: Any) -> Any:
        back.ends[-1]("gone")
        with pytest.raises(mcp.MCPError) as raised:
            await client.get_prompt("x")
        return await text(client, "ask"), raised.value.error.message

    assert (f"ask cannot be called: {why}", why) == using(proxy("x"), use)


def test_ends_that_lie_far_apart_do_not_add_up(back: Back, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarder, "MAX_RESTARTS", 2)
    monkeypatch.setattr(forwarder, "MIN_RUN_SECONDS", 0)

    async def use(client: Any) -> Any:
        for _ in range(9):
            back.ends[-1]("gone")
            await text(client, "ask")
        return await text(client, "ask")

    assert "tool10" == using(proxy("x"), use)


def test_a_server_that_ends_while_its_tools_are_chosen_is_started_again(back: Back) -> None:
    def choose(tools: typesig.Toolset) -> typesig.Toolset:
        if len(back.ends) == 1:
            back.ends[-1]("gone")
        return tools

    assert "tool2" == using(proxy("x", choose=choose), lambda client: text(client, "ask"))


def test_a_server_that_is_not_there_at_first_is_not_tried_again(back: Back) -> None:
    back.is_there = False

    async def main() -> None:
        async with proxy("x").start_lifetime():
            raise AssertionError

    with pytest.raises(TypesigError, match="x cannot be started"):
        asyncio.run(main())


def test_other_exceptions_of_a_call_are_told_as_they_were(back: Back) -> None:
    seen: list[Any] = []

    def told(error: Exception, call: Any) -> str:
        seen.append(call.name)
        return "own words"

    async def use(client: Any) -> Any:
        before = await text(client, "ask", "fail")
        back.ends[-1]("gone")
        return before, await text(client, "ask"), await text(client, "ask", "fail")

    assert ("own words", "tool2", "own words") == using(proxy("x", on_exception=told), use)
    assert ["ask", "ask"] == seen


def test_on_exception_of_a_proxy_is_a_function() -> None:
    with pytest.raises(TypesigError, match="on_exception is a function, not str"):
        proxy("x", on_exception="x")  # type: ignore[arg-type]


@pytest.mark.needs_process
def test_on_end_is_not_told_of_a_connection_that_is_closed_here(
    mortal: Callable[[int], list[str]],
) -> None:
    told: list[str] = []

    async def main() -> None:
        async with connect(mortal(1), on_end=told.append):
            pass

    asyncio.run(main())

    assert [] == told


def test_the_reason_of_an_end_is_told_in_words() -> None:
    assert [
        "it has closed its output",
        "its process was ended by the signal 15",
        "its process has ended with the status 0",
    ] == [command_transport._describe_end(status) for status in (None, -15, 0)]
