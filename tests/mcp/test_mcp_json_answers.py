"""Answers over HTTP: JSON where a call sends nothing but its result, else a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("mcp")

import sse_starlette.sse

import typesig
from typesig import tool
from typesig.mcp import Request
from typesig.mcp.transport import json_answers

BEGIN = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}  # fmt: skip
BOTH = "application/json, text/event-stream"


@pytest.fixture(autouse=True)
def forget_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget a signal that ended a server of this process: it would end all streams."""
    monkeypatch.setattr(sse_starlette.sse.AppStatus, "should_exit", False)


@tool
def double(n: int) -> int:
    """Double it."""
    return 2 * n


@tool
async def report(n: int, request: Request) -> int:
    """Report progress."""
    request.progress(1, 2)
    await asyncio.sleep(0)
    return n


@tool
async def wait(n: int) -> int:
    """Wait for a moment."""
    await asyncio.sleep(0.05 * n)
    return n


class Client:
    """A client that hands requests to an application, without a connection."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._session: list[tuple[bytes, bytes]] = []

    async def send(
        self, message: Any, accept: str = BOTH, method: str = "POST"
    ) -> tuple[int, str, str]:
        """Return the status, the content type and the body of the response."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        sent: list[Any] = []
        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return parts.pop() if parts else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        headers += [(b"accept", accept.encode()), *self._session]
        scope = {
            "type": "http", "method": method, "path": "/mcp", "query_string": b"",
            "root_path": "", "http_version": "1.1", "scheme": "http", "headers": headers,
            "server": ("localhost", 80),
        }  # fmt: skip
        await asyncio.wait_for(self._app(scope, receive, send), 20)
        found = {key.lower(): value for key, value in sent[0]["headers"]}
        if name := found.get(b"mcp-session-id"):
            self._session = [(b"mcp-session-id", name), (b"mcp-protocol-version", b"2025-11-25")]
        text = b"".join(each.get("body", b"") for each in sent[1:]).decode()
        return sent[0]["status"], found.get(b"content-type", b"").decode(), text

    async def ask(self, method: str, params: Any, number: int = 7) -> tuple[int, str, str]:
        return await self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    async def call(self, name: str, n: int, meta: Any = None) -> tuple[int, str, str]:
        params = {"name": name, "arguments": {"n": n}}
        return await self.ask("tools/call", params if meta is None else {**params, "_meta": meta})


@asynccontextmanager
async def session() -> AsyncIterator[Client]:
    app = typesig.mcp.server([double, report, wait]).app()
    states: asyncio.Queue[Any] = asyncio.Queue()
    started = asyncio.Event()

    async def told(message: Any) -> None:
        started.set()

    await states.put({"type": "lifespan.startup"})
    running = asyncio.create_task(app({"type": "lifespan"}, states.get, told))
    await started.wait()
    client = Client(app)
    await client.send({"jsonrpc": "2.0", "id": 1, **BEGIN})
    await client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    yield client
    await states.put({"type": "lifespan.shutdown"})
    await running


def test_a_call_that_sends_its_result_alone_is_answered_with_json() -> None:
    async def main() -> None:
        async with session() as client:
            status, kind, text = await client.call("double", 4)
            assert (200, "application/json") == (status, kind)
            assert "8" == json.loads(text)["result"]["content"][0]["text"]
            status, kind, text = await client.ask("tools/list", {})
            assert (200, "application/json") == (status, kind)
            assert 3 == len(json.loads(text)["result"]["tools"])

    asyncio.run(main())


def test_an_error_of_the_protocol_is_answered_with_json() -> None:
    async def main() -> None:
        async with session() as client:
            status, kind, text = await client.ask("no/such", {})
            assert (200, "application/json") == (status, kind)
            assert "error" in json.loads(text)

    asyncio.run(main())


def test_a_call_that_reports_progress_gets_a_stream() -> None:
    async def main() -> None:
        async with session() as client:
            _, kind, text = await client.call("report", 4, {"progressToken": "t"})
            assert kind.startswith("text/event-stream")
            events = [
                json.loads(line.removeprefix("data: "))
                for line in text.splitlines()
                if line.startswith("data: ")
            ]
            assert "notifications/progress" == events[0]["method"]
            assert "4" == events[-1]["result"]["content"][0]["text"]

    asyncio.run(main())


def test_a_slow_call_gets_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_answers, "MAX_QUIET_SECONDS", 0.01)

    async def main() -> None:
        async with session() as client:
            _, kind, text = await client.call("wait", 4)
            assert kind.startswith("text/event-stream")
            assert '"text":"4"' in text

    asyncio.run(main())


@pytest.mark.parametrize(
    "body", [b"{", b"[1]", b"{}", b'{"method": "x"}', b'{"id": 1, "method": 3}']
)
def test_a_body_that_is_no_request_is_refused(body: bytes) -> None:
    async def main() -> None:
        async with session() as client:
            status, kind, text = await client.send(body)
            assert (400, "application/json") == (status, kind)
            assert "error" in json.loads(text)

    asyncio.run(main())


def test_a_client_that_takes_no_stream_is_refused_as_before() -> None:
    async def main() -> None:
        async with session() as client:
            message = {"jsonrpc": "2.0", "id": 3, "method": "ping"}
            assert 406 == (await client.send(message, accept="application/json"))[0]
            assert 200 == (await client.send(message))[0]

    asyncio.run(main())


def test_a_call_whose_session_ends_is_an_error() -> None:
    async def main() -> None:
        async with session() as client:
            calling = asyncio.create_task(client.call("wait", 20))
            await asyncio.sleep(0.2)
            await client.send(b"", method="DELETE")
            status, kind, text = await calling
            assert (404, "application/json") == (status, kind)
            assert "the session has ended" == json.loads(text)["error"]["message"]

    asyncio.run(main())


def test_a_request_that_is_cancelled_leaves_nothing_behind() -> None:
    async def main() -> None:
        async with session() as client:
            calling = asyncio.create_task(client.call("wait", 20))
            await asyncio.sleep(0.2)
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
            assert '"text":"6"' in (await client.call("double", 3))[2]

    asyncio.run(main())


def test_a_session_that_is_not_let_in_stays_out() -> None:
    class Manager:
        def _admit_session(self, requestor: Any) -> Any:
            return None

    manager = Manager()
    json_answers.answer_with_json(manager)
    assert manager._admit_session(None) is None
