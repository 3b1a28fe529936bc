"""Serving over standard input and output: frames, and processes that start and end."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import anyio
from mcp import Client, StdioServerParameters
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, jsonrpc_message_adapter

import typesig
from typesig import tool
from typesig.mcp.transport import stdio
from typesig.mcp.transport.frames import OverlongLine
from typesig.mcp.transport.lifespans import unwrap_group

INITIALIZE = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "tester", "version": "1"},
    },
}  # fmt: skip
DEEP = "[" * 3000 + "]" * 3000
PARSE = {"code": -32700, "message": "Parse error: this is no JSON that can be read"}
INVALID = {"code": -32600, "message": "Invalid request: this is no message of JSON-RPC"}


@pytest.mark.parametrize(
    ("frame", "number", "error"),
    [
        ("garbage", None, PARSE),
        ('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":' + DEEP + "}}", 7, PARSE),
        ('{"id":-7,"method":"tools/call","params":{"x":' + DEEP + "}}", -7, PARSE),
        ('{"method":"tools/call","params":{"x":' + DEEP + '},"jsonrpc":"2.0","id":"a1"} ', "a1", PARSE),
        ('{"method":"tools/call","params":{"id":5,"x":' + DEEP + '},"jsonrpc":"2.0"}', None, PARSE),
        ('{"jsonrpc":"2.0","id":5}', 5, INVALID),
        ('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":"x"}', 9, INVALID),
        ('{"jsonrpc":"2.0","id":[9],"method":"tools/call","params":"x"}', None, INVALID),
        ('{"jsonrpc":"2.0","id":true,"result":3}', None, INVALID),
        ("[]", None, INVALID),
        ('{"id":3}', None, INVALID),
    ],
)  # fmt: skip
def test_a_frame_that_is_no_message_is_answered(frame: str, number: Any, error: Any) -> None:
    answered = answer_to(frame)

    assert (number, error) == (answered.get("id"), answered["error"])


@pytest.mark.parametrize("frame", ["", "\n", "  "])
def test_an_empty_line_is_no_frame(frame: str) -> None:
    assert answer_to(frame) is None


def test_an_error_that_says_nothing_of_its_frame_is_answered_too() -> None:
    answered = stdio._make_error_answer(OSError("x")).message

    assert (None, INVALID["code"]) == (answered.id, answered.error.code)


def test_a_frame_that_is_too_long_is_answered() -> None:
    answered = answer_to(OverlongLine('{"jsonrpc":"2.0","id":7,"method":"x","params":{"y":"\0"}}'))

    told = "Invalid request: a message has at most 4194304 bytes; send less"
    assert (7, {"code": INVALID["code"], "message": told}) == (answered["id"], answered["error"])


def test_the_lines_of_standard_input_are_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "MAX_BODY", 5)
    source = io.BytesIO(b"one\n" + b"x" * 100_000 + b"\ntwo\nend")

    async def main() -> list[str]:
        return [line async for line in stdio._iter_lines(source)]

    lines = asyncio.run(main())

    assert [("one", str), ("two", str), ("end", str)] == [
        (line, type(line)) for line in lines if len(line) < 9
    ]
    assert [OverlongLine] == [type(line) for line in lines if len(line) >= 9]


def answer_to(frame: str) -> Any:
    try:
        jsonrpc_message_adapter.validate_json(frame, by_name=False)
    except ValueError as error:
        answered = stdio._make_error_answer(error)
        return None if answered is None else answered.message.model_dump(exclude_none=True)
    raise AssertionError("it is a message")


@tool
def double(n: int) -> int:
    """Double it."""
    return 2 * n


def test_a_server_goes_on_after_bad_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    server = typesig.mcp.server([double])
    received: list[Any] = []
    restored: list[bool] = []

    def claim(*_: Any) -> Any:
        return io.BytesIO(), lambda: restored.append(True)

    with pytest.raises(ValueError, match="json_invalid") as raised:
        jsonrpc_message_adapter.validate_json("\n")
    empty = raised.value

    async def main() -> None:
        async with create_client_server_memory_streams() as ((read, write), ends):

            @asynccontextmanager
            async def stdio_server(*_: Any) -> Any:
                yield ends

            monkeypatch.setattr("mcp.server.stdio.stdio_server", stdio_server)
            monkeypatch.setattr("mcp.server.stdio._claim_fd", claim)
            async with anyio.create_task_group() as group:
                group.start_soon(server.serve_stdio)
                for bad in (empty, ValueError("a bad frame")):
                    await write.send(bad)  # type: ignore[arg-type]
                await write.send(SessionMessage(JSONRPCRequest.model_validate(INITIALIZE)))
                received.extend([await read.receive(), await read.receive()])
                await write.aclose()

    asyncio.run(main())

    assert [None, 0] == sorted((each.message.id for each in received), key=str, reverse=True)
    assert [True, True] == restored


def test_what_is_received_ends_when_whoever_reads_leaves() -> None:
    async def main() -> list[Any]:
        async with create_client_server_memory_streams() as ((_, write), (read, answers)):
            async with (
                stdio.AnsweringReader(read, answers) as answering,
                anyio.create_task_group() as group,
            ):
                group.start_soon(write.send, "a message")  # type: ignore[arg-type]
                found = await answering.receive()
            with pytest.raises(anyio.ClosedResourceError):
                await answering.receive()
            return [found]

    assert ["a message"] == asyncio.run(main())


def test_a_client_that_has_closed_its_end_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def stdio_server(*_: Any) -> Any:
        raise BaseExceptionGroup("", [ExceptionGroup("", [BrokenPipeError()])])
        yield

    monkeypatch.setattr("mcp.server.stdio.stdio_server", stdio_server)

    asyncio.run(typesig.mcp.server([double]).serve_stdio())


def test_what_the_lifespan_function_raises_reaches_whoever_serves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lifespan() -> Any:
        raise KeyError("no database")
        yield

    @asynccontextmanager
    async def stdio_server(*_: Any) -> Any:
        async with create_client_server_memory_streams() as (_, ends), anyio.create_task_group():
            yield ends

    monkeypatch.setattr("mcp.server.stdio.stdio_server", stdio_server)
    with pytest.raises(KeyError, match="no database"):
        asyncio.run(typesig.mcp.server([double], lifespan=lifespan).serve_stdio())


def test_several_exceptions_stay_together() -> None:
    group = BaseExceptionGroup("two", [KeyError("a"), KeyError("b")])

    assert group is unwrap_group(BaseExceptionGroup("one", [group]))


SHOP = """
import asyncio, os, sys, time
import typesig
from typesig import Injected, tool

print("imported, and printed")
os.system("echo from a process")

def life():
    yield {"store": "the store"}
    print("closed", file=sys.stderr)

@tool
def find(query: str, store: Injected[str]) -> str:
    print("a tool prints")
    os.system("echo a process of a tool prints")
    return query + " in " + store

@tool
async def wait(seconds: float) -> float:
    await asyncio.sleep(seconds)
    return seconds

@tool
def hang() -> int:
    print("hanging", file=sys.stderr, flush=True)
    time.sleep(1000)
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    return tmp_path


def command() -> list[str]:
    return [sys.executable, "-m", "typesig", "serve", "shop", "--lifespan", "shop:life"]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(typesig.__file__).parent.parent)}


@pytest.mark.needs_process
def test_the_official_client_uses_the_command_and_the_process_ends(shop: Path) -> None:
    [program, *arguments] = command()

    async def main() -> None:
        started = StdioServerParameters(
            command=program, args=arguments, cwd=shop, env=environment()
        )
        async with Client(started) as client:
            assert ["find", "wait", "hang"] == [o.name for o in (await client.list_tools()).tools]
            async with anyio.create_task_group() as group:
                for number in range(20):
                    group.start_soon(client.call_tool, "wait", {"seconds": number / 1e6})
                    group.start_soon(client.call_tool, "wait", {"seconds": 1000})
                await anyio.sleep(0.01)
                group.cancel_scope.cancel()
            result = await client.call_tool("find", {"query": "nuts"})
            assert "nuts in the store" == result.content[0].text  # type: ignore[union-attr]

    with (shop / "stderr").open("w") as kept:
        stderr, sys.stderr = sys.stderr, kept
        try:
            asyncio.run(main())
        finally:
            sys.stderr = stderr


@pytest.fixture
def process(shop: Path) -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command(), cwd=shop, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe
    ) as started:
        yield started
        started.kill()


def send(process: subprocess.Popen[bytes], *messages: Any) -> None:
    assert process.stdin is not None
    for message in messages:
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def call(name: str, arguments: Any) -> Any:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.mark.needs_process
def test_nothing_but_frames_is_written_and_a_client_that_goes_ends_the_process(
    process: subprocess.Popen[bytes],
) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    send(process, INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    # It is refused, and the server goes on.
    send(process, {**call("find", {"query": "x" * (5 << 20)}), "id": 2})
    send(process, call("find", {"query": "x"}))
    lines = [json.loads(process.stdout.readline()) for _ in range(3)]
    send(process, call("hang", {}))
    errors = b""
    while b"hanging" not in errors:
        errors += process.stderr.readline()
    process.stdin.close()
    process.stdout.close()

    assert 1 == process.wait(20)
    assert [(0, False), (2, True), (1, False)] == [(line["id"], "error" in line) for line in lines]
    errors += process.stderr.read()
    for printed in (b"imported, and printed", b"from a process", b"a process of a tool prints"):
        assert printed in errors
    assert b"typesig: 1 call did not end, and is left" in errors


@pytest.mark.needs_process
@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
def test_a_signal_closes_what_the_server_has_opened(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None
    assert process.stderr is not None
    send(process, INITIALIZE)
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)

    assert 130 == process.wait(20)
