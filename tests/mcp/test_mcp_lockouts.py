"""A client that holds connections and sessions does not keep other clients out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client

import typesig
from typesig import tool
from typesig.mcp.transport import connections
from typesig.mcp.transport.connections import Connections, Sessions

pytestmark = pytest.mark.needs_process

HEAD = b"POST /mcp HTTP/1.1\r\nX: "


@tool
def double(n: int) -> int:
    """Double it."""
    return 2 * n


@tool
async def slow(n: int) -> int:
    await asyncio.sleep(1.5)
    return n


def serving(use: Callable[[str, int], Awaitable[None]]) -> None:
    """Call *use* with the address and the port of a server that runs."""
    import uvicorn

    servers: list[Any] = []
    real = uvicorn.Server

    class Kept(real):  # type: ignore[misc,valid-type]
        def __init__(self, config: Any) -> None:
            super().__init__(config)
            servers.append(self)

    async def main() -> None:
        address = asyncio.get_running_loop().create_future()
        served = typesig.mcp.server([double, slow])
        running = asyncio.create_task(served.serve_http(port=0, on_start=address.set_result))
        url = await address
        try:
            await use(url, int(url.rpartition(":")[2].partition("/")[0]))
        finally:
            servers[0].should_exit = True
            await running

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uvicorn, "Server", Kept)
        asyncio.run(main())


async def call(url: str, mode: str = "auto") -> Any:
    async with Client(url, mode=mode) as client:
        return (await client.call_tool("double", {"n": 4})).structured_content


async def ended(reader: asyncio.StreamReader) -> bytes:
    """Return what a connection sends until it ends."""
    try:
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionResetError:
        return b"reset"


@pytest.mark.parametrize("begin", [b"", HEAD, b"GET"])
def test_the_head_of_a_request_has_to_arrive_in_time(
    begin: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_HEAD_SECONDS", 0.2)

    async def use(url: str, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begin)
        assert (await ended(reader)).startswith(b"HTTP/1.1 408 ")
        writer.close()

    serving(use)


def test_each_head_on_a_connection_has_the_time_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "MAX_HEAD_SECONDS", 0.3)
    request = b"GET /other HTTP/1.1\r\nhost: localhost\r\n\r\n"

    async def use(url: str, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(request[:9])
            await asyncio.sleep(0.1)
            writer.write(request[9:])
            assert b"404" in await reader.readline()
            await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(9)
            # An idle connection stays.
            await asyncio.sleep(0.5)
        writer.write(request[:9])
        assert (await ended(reader)).startswith(b"HTTP/1.1 408 ")
        writer.close()

    serving(use)


@pytest.mark.parametrize("limit", ["MAX_ADDRESS_CONNECTIONS", "MAX_CONNECTIONS"])
def test_connections_without_a_request_make_room(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, limit, 5)

    async def use(url: str, port: int) -> None:
        held = []
        for _ in range(12):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(HEAD)
            await writer.drain()
            held.append((reader, writer))
        assert {"result": 8} == await asyncio.wait_for(call(url, "legacy"), 20)
        assert await ended(held[0][0]) in (b"", b"reset")
        for _, writer in held:
            writer.close()

    serving(use)


def test_a_connection_with_a_request_is_not_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_ADDRESS_CONNECTIONS", 2)
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
         "params": {"name": "slow", "arguments": {"n": 3}, "_meta": {
             "io.modelcontextprotocol/protocolVersion": "2026-07-28",
             "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
             "io.modelcontextprotocol/clientCapabilities": {}}}}
    ).encode()  # fmt: skip
    request = (
        b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        b"accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\n"
        b"mcp-method: tools/call\r\nmcp-name: slow\r\n"
        b"connection: close\r\ncontent-length: " + str(len(body)).encode() + b"\r\n\r\n" + body
    )

    async def use(url: str, port: int) -> None:
        busy = []
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            busy.append((reader, writer))
        await asyncio.sleep(0.3)
        refused, other = await asyncio.open_connection("127.0.0.1", port)
        assert await ended(refused) in (b"", b"reset")
        other.close()
        for reader, writer in busy:
            assert b'"structuredContent":3' in (await ended(reader)).replace(b" ", b"")
            writer.close()

    serving(use)


def test_the_longest_unused_session_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_SESSIONS", 3)
    initialize = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                   "clientInfo": {"name": "x", "version": "1"}},
    }  # fmt: skip
    accept = {"accept": "application/json, text/event-stream"}

    async def use(url: str, port: int) -> None:
        import httpx2

        async with Client(url, mode="legacy") as kept, httpx2.AsyncClient() as client:
            names = []
            for _ in range(9):
                made = await client.post(url, headers=accept, json=initialize)
                names.append(made.headers["mcp-session-id"])
                # Used again and again, so never the longest unused.
                found = await kept.call_tool("double", {"n": 4})
                assert {"result": 8} == found.structured_content
            ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
            codes = [
                (
                    await client.post(url, headers={**accept, "mcp-session-id": name}, json=ping)
                ).status_code
                for name in names
            ]
            assert 404 in codes
            assert codes.count(200) in (2, 3)
            assert {"result": 8} == await call(url, "legacy")
            ended = await client.delete(url, headers={"mcp-session-id": names[-1]})
            assert ended.status_code in (200, 404)

    serving(use)


class Inner:
    """An application that opens a session for each request without one, and keeps what it gets."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, bytes | None]] = []
        self.gate = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        name = dict(scope["headers"]).get(b"mcp-session-id")
        self.seen.append((scope["method"], name))
        if name is None:
            name = str(len(self.seen)).encode()
        elif scope["method"] == "DELETE":
            await receive()
        elif dict(scope["headers"]).get(b"wait"):
            await self.gate.wait()
        status = 404 if dict(scope["headers"]).get(b"gone") else 200
        headers = [(b"mcp-session-id", name)]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def request(method: str = "POST", name: bytes | None = None, *more: tuple[bytes, bytes]) -> Any:
    own = [] if name is None else [(b"mcp-session-id", name)]
    return {"type": "http", "method": method, "headers": [(b"host", b"h"), *own, *more]}


def test_sessions_in_use_end_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_SESSIONS", 2)

    async def main() -> None:
        inner = Inner()
        app = Sessions(inner)

        async def send(message: Any) -> None:
            """Take a message."""

        async def ask(*given: Any) -> None:
            await app(request(*given), connections._receive_nothing, send)

        def deleted() -> list[bytes | None]:
            return [name for method, name in inner.seen if method == "DELETE"]

        await ask()
        await ask()
        stream = asyncio.create_task(ask("GET", b"1", (b"wait", b"1")))
        await asyncio.sleep(0)
        await ask()
        assert [b"2"] == deleted()
        running = [asyncio.create_task(ask("POST", b"4", (b"wait", b"1")))]
        await asyncio.sleep(0)
        await ask()
        assert [b"2", b"1"] == deleted()
        running.append(asyncio.create_task(ask("POST", b"7", (b"wait", b"1"))))
        await asyncio.sleep(0)
        # Each of the others has a call.
        await ask()
        assert [b"2", b"1", b"10"] == deleted()
        inner.gate.set()
        await asyncio.gather(stream, *running)
        await ask("DELETE", b"4")
        await ask("POST", b"7", (b"gone", b"1"))
        await ask("POST", b"unknown")
        await ask()
        await ask()
        assert [b"2", b"1", b"10", b"4"] == deleted()

    asyncio.run(main())


class Connection:
    def __init__(self, is_waiting: bool = True) -> None:
        self.is_waiting, self.is_dropped = is_waiting, False

    def drop(self) -> None:
        self.is_dropped = True
        KNOWN.remove(self, "a")


KNOWN = Connections()


def test_the_longest_unused_connection_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_ADDRESS_CONNECTIONS", 2)
    one, other, third, last = Connection(), Connection(), Connection(), Connection()
    assert KNOWN.add(one, "a")
    assert KNOWN.add(other, "a")
    KNOWN.use(one, "a")
    assert KNOWN.add(third, "a")
    assert [False, True, False] == [each.is_dropped for each in (one, other, third)]
    one.is_waiting = third.is_waiting = False
    assert not KNOWN.add(last, "a")
    KNOWN.use(last, "a")
    KNOWN.remove(last, "a")
    assert KNOWN.add(last, "b")
    for each, address in ((one, "a"), (third, "a"), (last, "b")):
        KNOWN.remove(each, address)
    assert {} == KNOWN._by_address
