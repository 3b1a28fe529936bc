"""Connections to servers: what is started, what it gets, and what is said if it does not answer."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import mcp

from tests.sdks.foreign import server, tool
from typesig import TypesigError
from typesig.mcp import connect, tools_from

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import asyncio, os, sys
sys.path.insert(0, {root!r})
from mcp.server.stdio import stdio_server
from tests.sdks.foreign import server, tool

def answer(params):
    if params.name == "die":
        os._exit(3)
    found = repr([sys.argv[1:], sorted(os.environ), os.getcwd()])
    return {{"content": [{{"type": "text", "text": found}}]}}

async def main():
    made = server([[tool("look"), tool("die")]], answer)
    async with stdio_server() as streams:
        await made.run(*streams, made.create_initialization_options())

print("started", file=sys.stderr)
asyncio.run(main())
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "a server.py"
    path.write_text(SCRIPT.format(root=str(ROOT)))
    return str(path)


@pytest.mark.needs_process
def test_a_command_is_split_gets_a_small_environment_and_no_shell(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    log = tmp_path / "log"

    async def use() -> Any:
        command = f'"{sys.executable}" "{script}" "$HOME; ls" *'
        with log.open("w") as errlog:
            opened = connect(command, env={"MINE": "1"}, cwd=tmp_path, errlog=errlog)
            async with opened as session:
                tools = await tools_from(session)
                outcome = await tools.acall("look")
                with pytest.raises(mcp.MCPError, match="Connection closed"):
                    await tools.acall("die")
                return outcome.value

    arguments, names, folder = eval(asyncio.run(use()), {"__builtins__": {}})

    assert ["$HOME; ls", "*"] == arguments
    assert {"MINE", "PATH"} <= set(names)
    assert not {"SECRET_TOKEN", "PYTHONPATH", "PYTEST_CURRENT_TEST"} & set(names)
    assert str(tmp_path) == os.path.realpath(folder)
    assert "started\n" == log.read_text()


@pytest.mark.needs_process
def test_a_command_that_is_no_server_is_told() -> None:
    async def use(command: list[str]) -> None:
        async with connect(command):
            raise AssertionError

    told = {}
    for command in ([sys.executable, "-c", "pass"], ["/no/such/program"]):
        with pytest.raises(TypesigError) as raised:
            asyncio.run(use(command))
        told[command[-1]] = str(raised.value)

    assert told["pass"].endswith("as a server of MCP: MCPError: Connection closed")
    assert "['/no/such/program'] does not answer" in told["/no/such/program"]
    assert "FileNotFoundError" in told["/no/such/program"]


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        (
            "npx 'open",
            {},
            'the command "npx \'open" cannot be split: no closing quotation; close the quotation, '
            "or give the parts in a list",
        ),
        (
            " ",
            {},
            'the command is empty: write the program and its arguments, as in "npx -y …", or an '
            "address that begins with https://",
        ),
        ([], {}, None),
        (["", "a"], {}, None),
        ("npx x", {"headers": {}}, "headers are for an address, not for a command"),
        ("https://x", {"env": {}}, "env and cwd are for a command, not for an address"),
        ("https://x", {"cwd": "."}, "env and cwd are for a command, not for an address"),
    ],
)
def test_what_is_no_server_is_refused(
    given: Any, options: dict[str, Any], message: str | None
) -> None:
    async def use() -> None:
        async with connect(given, **options):
            raise AssertionError

    with pytest.raises(TypesigError) as raised:
        asyncio.run(use())

    assert str(raised.value) == message or (message is None and "is empty" in str(raised.value))


@pytest.fixture
def addressed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the addresses that are connected to, which are a server in this process."""
    from mcp.client import streamable_http
    from mcp.client._memory import InMemoryTransport

    seen: list[Any] = []

    def client(url: str, *, http_client: Any, max_sse_event_size: int) -> Any:
        seen.append((url, http_client.headers.get("authorization"), http_client.follow_redirects))
        return InMemoryTransport(server([[tool()]]))

    monkeypatch.setattr(streamable_http, "streamable_http_client", client)
    return seen


def test_an_address_gets_the_headers_and_redirects_are_not_followed(addressed: list[Any]) -> None:
    async def use(**options: Any) -> Any:
        async with connect("http://localhost:1/mcp", **options) as session:
            return (await tools_from(session)).names

    assert ("search",) == asyncio.run(use(headers={"Authorization": "Bearer x"}))
    assert ("search",) == asyncio.run(use())
    assert [
        ("http://localhost:1/mcp", "Bearer x", False),
        ("http://localhost:1/mcp", None, False),
    ] == addressed


def test_what_a_block_raises_is_raised_as_it_is(addressed: list[Any]) -> None:
    async def use(error: BaseException) -> None:
        async with connect("http://localhost:1/mcp"):
            raise error

    for error in (KeyError("mine"), ExceptionGroup("two", [KeyError(), ValueError()])):
        with pytest.raises(type(error)) as raised:
            asyncio.run(use(error))

        assert error is raised.value


def test_a_group_of_errors_of_a_block_and_of_the_connection_passes(
    addressed: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(mcp.Client):
        async def __aexit__(self, *raised: Any) -> None:
            try:
                await super().__aexit__(*raised)
            except BaseExceptionGroup as group:
                raise BaseExceptionGroup("both", [group, OSError("gone")]) from None

    monkeypatch.setattr(mcp, "Client", Failing)

    async def use() -> None:
        async with connect("http://localhost:1/mcp"):
            raise KeyError("mine")

    with pytest.raises(BaseExceptionGroup) as raised:
        asyncio.run(use())

    assert raised.group_contains(KeyError, depth=None)
    assert raised.group_contains(OSError, depth=None)
