"""A server at an address restarts and has forgotten its sessions: clients and proxies go on."""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("mcp")

import httpx2
import mcp
import mcp_types

import typesig
from typesig.mcp.client.http_client import Renewal

pytestmark = pytest.mark.needs_process


class Backend:
    """A server of one tool, in an own thread, that can forget its sessions.

    #: begun: the sessions that were begun; ran: the calls that ran; accepts: whether more may begin
    """

    def __init__(self) -> None:
        self.sessions: set[str] = set()
        self.begun: list[str] = []
        self.ran: list[Any] = []
        self.accepts = True
        self.result: dict[str, Any] = {"content": [{"type": "text", "text": "hi"}]}

    def answer(self, message: dict[str, Any], name: str | None) -> tuple[int, Any, dict[str, str]]:
        method, number = message["method"], message.get("id")
        if method == "initialize" and self.accepts:
            begun = uuid.uuid4().hex
            self.sessions.add(begun)
            self.begun.append(begun)
            info = {"name": "e", "version": "1"}
            result: Any = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
            return (
                200,
                {"id": number, "result": {**result, "serverInfo": info}},
                {"mcp-session-id": begun},
            )
        if method == "initialize":
            return 503, {"id": number, "error": {"code": -32000, "message": "full"}}, {}
        if method == "server/discover":
            return 200, {"id": number, "error": {"code": -32601, "message": "no"}}, {}
        if name not in self.sessions:
            error = {"code": -32001, "message": "Session not found"}
            return 404, {"id": number, "error": error}, {}
        if number is None:
            return 202, None, {}
        if method == "tools/list":
            tools = [{"name": "t", "inputSchema": {"type": "object"}}]
            return 200, {"id": number, "result": {"tools": tools}}, {}
        self.ran.append(message["params"].get("arguments"))
        return 200, {"id": number, "result": self.result}, {}


@contextmanager
def running(made: Backend) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *given: Any) -> None:
            """Keep still."""

        def send(self, status: int, data: Any, headers: dict[str, str]) -> None:
            body = b"" if data is None else json.dumps({"jsonrpc": "2.0", **data}).encode()
            self.send_response(status)
            own = {"content-type": "application/json", "content-length": str(len(body))}
            for key, value in {**own, **headers}.items():
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.send(405, None, {})

        def do_DELETE(self) -> None:
            self.send(405, None, {})

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self.send(*made.answer(message, self.headers.get("mcp-session-id")))

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
    finally:
        server.shutdown()
        server.server_close()


def test_a_client_begins_another_session_and_sends_the_call_once() -> None:
    backend = Backend()
    changed: list[Any] = []

    async def main(url: str) -> None:
        async with typesig.mcp.connect(url, on_change=changed.append) as session:
            tools = await typesig.mcp.tools_from(session)
            for number in range(3):
                backend.sessions.clear()
                assert "hi" == (await tools.acall("t", {"n": number})).value
            # Several calls find out at the same time.
            backend.sessions.clear()
            found = await asyncio.gather(*[tools.acall("t", {"n": n}) for n in (3, 4, 5)])
            assert ["hi"] * 3 == [each.value for each in found]

    with running(backend) as url:
        asyncio.run(main(url))
    assert [{"n": n} for n in range(6)] == sorted(backend.ran, key=str)
    assert 5 == len(backend.begun)
    assert {"tools": 4, "resources": 4, "prompts": 4} == Counter(changed)


def test_a_proxy_goes_on_as_well() -> None:
    backend = Backend()

    async def main(url: str) -> None:
        async with mcp.Client(typesig.mcp.proxy(url).lowlevel) as client:
            for number in range(2):
                found = await client.call_tool("t", {"n": number})
                assert "hi" == found.content[0].text  # type: ignore[union-attr]
                backend.sessions.clear()

    with running(backend) as url:
        asyncio.run(main(url))
    assert [{"n": 0}, {"n": 1}] == backend.ran


def test_the_host_is_told_if_no_other_session_begins() -> None:
    backend = Backend()

    async def main(url: str) -> None:
        async with typesig.mcp.connect(url) as session:
            tools = await typesig.mcp.tools_from(session)
            backend.sessions.clear()
            backend.accepts = False
            with pytest.raises(mcp.MCPError, match="ended the session, and begins no other") as no:
                await tools.acall("t", {})
            assert mcp_types.INVALID_REQUEST == no.value.code
            backend.accepts = True
            assert "hi" == (await tools.acall("t", {})).value

    with running(backend) as url:
        asyncio.run(main(url))
    assert 1 == len(backend.ran)


def responses(*found: httpx2.Response) -> Any:
    left = list(found)

    async def send(request: httpx2.Request) -> httpx2.Response:
        return left.pop(0)

    return send


def request(name: str | None = None) -> httpx2.Request:
    headers = {} if name is None else {"mcp-session-id": name}
    return httpx2.Request("POST", "http://localhost/mcp", headers=headers, content=b"{}")


class Broken(httpx2.AsyncByteStream):
    async def __aiter__(self) -> Any:
        yield b"{"
        raise httpx2.StreamError("too long")


def test_a_session_that_was_not_begun_here_is_not_renewed() -> None:
    async def main() -> None:
        send = responses(httpx2.Response(404))
        response = await Renewal().send(request("x"), send, httpx2.Request)
        assert 404 == response.status_code

    asyncio.run(main())


def test_an_answer_that_cannot_be_read_begins_no_session() -> None:
    async def main() -> None:
        begun = {"mcp-session-id": "a"}
        send = responses(
            httpx2.Response(200, headers=begun),
            httpx2.Response(404, content=b""),
            httpx2.Response(200, headers=begun, stream=Broken()),
        )
        renewal = Renewal()
        await renewal.send(request(), send, httpx2.Request)
        response = await renewal.send(request("a"), send, httpx2.Request)
        assert b"begins no other one" in response.content

    asyncio.run(main())
