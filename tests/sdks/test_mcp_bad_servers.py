"""Servers of others that answer badly, over real pipes: an error of the call, and no hang."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import anyio
import mcp

from typesig.mcp import connect, tools_from
from typesig.mcp.client import command_transport

#: Answers each call by what its arguments say; it needs nothing but the standard library.
SCRIPT = r"""
import json, os, subprocess, sys, time

def out(answer):
    sys.stdout.write((answer if isinstance(answer, str) else json.dumps(answer)) + "\n")
    sys.stdout.flush()

print("a banner, which is no frame")
pids = [os.getpid()]
if "kid" in sys.argv:
    pids.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]).pid)
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    number = asked["id"]
    answer = {"jsonrpc": "2.0", "id": number}
    match asked["method"]:
        case "initialize":
            info = {"name": "bad", "version": "1"}
            version = asked["params"]["protocolVersion"]
            result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
            out({**answer, "result": result})
        case "tools/list":
            out({**answer, "result": {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}})
        case "tools/call":
            sent = asked["params"]["arguments"]
            if "die" in sent:
                sys.stdout.write('{"jsonrpc":"2.0","id":')
                sys.stdout.flush()
                os._exit(3)
            elif "deaf" in sent:
                os.close(0)
                out({**answer, "result": {"content": []}})
                time.sleep(1000)
            elif "frame" in sent:
                out(sent["frame"].replace("$ID", json.dumps(number)))
            elif "pids" in sent:
                text = json.dumps(pids)
                out({**answer, "result": {"content": [{"type": "text", "text": text}]}})
            else:
                out({**answer, "result": sent["result"]})
        case _:
            out({**answer, "error": {"code": -32601, "message": "no"}})
"""
TEXT = {"type": "text", "text": "x"}
UNKNOWN = "(a block of content of an unknown type: {})"
NO_RESULT = "the server answered with what is no result of a tool; use another tool"


@pytest.fixture
def script(tmp_path: Path) -> list[str]:
    path = tmp_path / "bad.py"
    path.write_text(SCRIPT)
    return [sys.executable, str(path)]


def told(outcome: Any) -> Any:
    """Return the value of *outcome*, or what a model is told of its error, in a list."""
    return outcome.value if outcome.ok else [error.message for error in outcome.errors]


RESULTS: list[tuple[dict[str, Any], Any]] = [
    ({}, [NO_RESULT]),
    # A block that is not known does not lose the others, and is told.
    ({"content": None}, None),
    ({"content": "x"}, [NO_RESULT]),
    ({"content": {}}, [NO_RESULT]),
    ({"content": ["x"]}, UNKNOWN.format('"x"')),
    ({"content": [1]}, UNKNOWN.format("1")),
    ({"content": [{}]}, UNKNOWN.format("{}")),
    ({"content": [{"type": "odd"}]}, UNKNOWN.format('{"type": "odd"}')),
    ({"content": [{"type": "text", "text": 3}]}, UNKNOWN.format('{"type": "text", "text": 3}')),
    ({"content": [TEXT], "isError": "no"}, [NO_RESULT]),
    ({"content": [TEXT], "isError": 1}, [NO_RESULT]),
    ({"content": [TEXT], "isError": None}, "x"),
    ({"content": [TEXT], "structuredContent": [1]}, [NO_RESULT]),
    ({"content": [TEXT], "structuredContent": "x"}, [NO_RESULT]),
    ({"content": [TEXT], "_meta": 3}, [NO_RESULT]),
    # Servers wrote null for none.
    ({"content": [TEXT], "structuredContent": None}, "x"),
    # Other clients take a result without content, so there are servers that send it.
    ({"structuredContent": {"a": 1}}, {"a": 1}),
    ({"structuredContent": {"a": 1}, "isError": True}, ['{"a":1}']),
    ({"structuredContent": [1]}, [NO_RESULT]),
    ({"structuredContent": None}, [NO_RESULT]),
    ({"isError": True}, ["the tool failed and does not say why"]),
]
FRAMES = [
    '{"jsonrpc":"2.0","id":$ID,"result":[1]}',
    '{"jsonrpc":"2.0","id":$ID}',
    '{"jsonrpc":"2.0","id":$ID,"error":"x"}',
    '{"id":$ID,"result":{"content":[]}}',
    '{"jsonrpc":"2.0","id":$ID,"result":{"content":[' + "[" * 3000 + "]" * 3000 + "]}}",
    '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"\\ud800"}]}}',
]


@pytest.mark.needs_process
def test_what_is_no_result_is_an_error_of_the_call_and_the_connection_goes_on(
    script: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_transport, "MAX_ANSWER", 100_000)
    long = {"content": [{"type": "text", "text": "x" * 100_000}]}

    async def use() -> Any:
        async with connect(script, timeout=20) as session:
            tools = await tools_from(session)
            results = [told(await tools.acall("t", {"result": each})) for each, _ in RESULTS]
            frames = [told(await tools.acall("t", {"frame": each})) for each in FRAMES]
            overlong = told(await tools.acall("t", {"result": long}))
            surrogate = told(await tools.acall("t", {"result": "\ud800"}))
            last = told(await tools.acall("t", {"result": {"content": [TEXT]}}))
        return results, frames, overlong, surrogate, last

    results, frames, overlong, surrogate, last = asyncio.run(use())

    assert [expected for _, expected in RESULTS] == results
    assert [[NO_RESULT]] * len(FRAMES) == frames
    assert ["the server's answer has more than 100000 bytes, the limit; ask for less"] == overlong
    assert surrogate == [
        "the arguments have a lone surrogate, which is half a character and cannot be sent; send "
        "whole characters"
    ]
    assert "x" == last


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # What is dead and not waited for by its parent is no process any more.
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.needs_process
@pytest.mark.skipif(os.name == "nt", reason="processes end in another way there")
def test_a_server_that_dies_in_a_call_is_told_and_nothing_that_it_started_is_left(
    script: list[str],
) -> None:
    async def use() -> Any:
        async with connect([*script, "kid"]) as session:
            tools = await tools_from(session)
            pids = json.loads((await tools.acall("t", {"pids": 1})).value)
            waiting = asyncio.create_task(tools.acall("t", {"frame": ""}))
            await asyncio.sleep(0)
            with pytest.raises(mcp.MCPError, match="Connection closed"):
                await tools.acall("t", {"die": 1})
            with pytest.raises(mcp.MCPError, match="Connection closed"):
                await waiting
            with pytest.raises(mcp.MCPError):
                await tools.acall("t", {"frame": ""})
        return pids

    pids = asyncio.run(use())
    deadline = time.monotonic() + 10
    while any(map(is_there, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)

    assert [] == [pid for pid in pids if is_there(pid)]


@pytest.mark.needs_process
def test_a_server_that_closes_its_standard_input_is_gone(
    script: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp.client.stdio.PROCESS_TERMINATION_TIMEOUT", 0.1)

    async def use() -> None:
        async with connect(script) as session:
            tools = await tools_from(session)
            assert (await tools.acall("t", {"deaf": 1})).ok
            with pytest.raises(mcp.MCPError, match="Connection closed"):
                await tools.acall("t", {"result": {"content": [TEXT]}})

    asyncio.run(use())


def test_what_a_server_writes_is_read_even_if_nobody_takes_it() -> None:
    left = [b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'] * 3

    async def stdout() -> AsyncIterator[bytes]:
        while left:
            yield left.pop()

    async def main() -> None:
        passing, received = anyio.create_memory_object_stream[Any](0)
        received.close()
        end = command_transport._ConnectionEnd(Ended, passing, None)
        await command_transport._read(Stdout(stdout()), passing, end)

    asyncio.run(main())

    assert [] == left


class Ended:
    """A process that has ended."""

    returncode = 0


class Stdout:
    """Standard output that can be read on after an interruption, as a pipe can."""

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        self._parts = parts

    def __aiter__(self) -> Stdout:
        return self

    async def __anext__(self) -> bytes:
        return await anext(self._parts)
