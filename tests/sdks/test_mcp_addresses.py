"""Servers at an address: answers of bounded length, and requests that do not reach them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Any

import pytest

pytest.importorskip("mcp")

import httpx2
import mcp
import uvicorn

import typesig
from tests.sdks.test_mcp_proxying import names, until
from typesig import tool
from typesig.mcp import connect, proxy, tools_from
from typesig.mcp.client import http_client


def answered(
    parts: list[bytes | Exception],
    headers: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    status: int = 200,
    limit: int = 10,
) -> Any:
    """Return the response of a server that sends *parts* and *headers*, whose body is read."""

    class Parts(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for part in parts:
                if isinstance(part, Exception):
                    raise part
                yield part

    async def answer(request: httpx2.Request) -> httpx2.Response:
        assert ("identity", "x") == (request.headers["accept-encoding"], request.headers["mine"])
        if not parts:
            raise httpx2.ConnectError("refused")
        return httpx2.Response(status, headers=headers, stream=Parts())

    async def main() -> Any:
        async with http_client.make_http_client({"mine": "x"}) as client:
            client._transport = httpx2.MockTransport(answer)
            async with client.stream("POST", "http://localhost/mcp") as response:
                return response, await response.aread()

    monkeypatch.setattr(http_client, "MAX_ANSWER", limit)
    return asyncio.run(main())


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("parts", "headers"),
    [
        ([b"12345", b"67890"], JSON),
        ([b"12345", b"67890"], {}),
        ([b"12345"] * 9, {"content-type": "Text/Event-Stream; charset=utf-8"}),
    ],
)
def test_an_answer_is_read_up_to_its_limit_and_events_have_their_own(
    parts: list[Any], headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, body = answered(parts, headers, monkeypatch)

    assert b"".join(parts) == body


@pytest.mark.parametrize(
    ("parts", "headers", "message"),
    [
        ([b"12345", b"67890", b"1"], JSON, "the answer has more than 10 bytes"),
        ([b"1"], {**JSON, "content-encoding": "gzip"}, "the answer is compressed"),
        (
            [b"1"],
            {"content-type": "text/event-stream", "content-encoding": "br"},
            "the answer is compressed",
        ),
        ([b"1", httpx2.ReadError("lost")], JSON, "the answer has ended: ReadError: lost"),
    ],
)
def test_an_answer_that_cannot_be_kept_or_is_not_whole_is_one_that_cannot_be_read(
    parts: list[Any], headers: dict[str, str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(httpx2.StreamError) as raised:
        answered(parts, headers, monkeypatch)

    assert message == str(raised.value)


def test_a_server_that_is_not_reached_is_an_error_of_the_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    response, body = answered([], {}, monkeypatch)

    told = {"code": -32000, "message": "the server cannot be reached: ConnectError: refused"}
    assert 502 == response.status_code
    assert {"jsonrpc": "2.0", "id": None, "error": told} == json.loads(body)


#: An error of the protocol.
ERROR = b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32602, "message": "no"}}'


@pytest.mark.parametrize(
    ("status", "body", "kind", "message"),
    [
        (500, b"Internal Server Error", "text/plain", "the server answers with 500 Internal Server Error"),
        (599, b"", "", "the server answers with 599"),
        (403, b'{"detail": "no"}', "application/json", "the server answers with 403 Forbidden"),
        (400, b'{"jsonrpc": "2.0", "id": 1, "result": {}}', "application/json", "the server answers with 400 Bad Request"),
        (500, ERROR * 9, "application/json", "the answer has more than 200 bytes"),
        (400, ERROR, "Application/JSON; charset=utf-8", "no"),
    ],
)  # fmt: skip
def test_the_status_of_an_error_is_told_unless_the_server_tells_one_of_the_protocol(
    status: int, body: bytes, kind: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    response, read = answered([body], {"content-type": kind}, monkeypatch, status, 200)

    assert status == response.status_code
    assert message == json.loads(read)["error"]["message"]


def test_the_end_of_a_session_is_left_to_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    response, body = answered([b"gone"], {}, monkeypatch, 404)

    assert (404, b"gone") == (response.status_code, body)


def test_an_address_where_no_server_is_is_told() -> None:
    async def use() -> None:
        async with connect("http://127.0.0.1:9/mcp"):
            raise AssertionError

    with pytest.raises(typesig.TypesigError) as raised:
        asyncio.run(use())

    assert "does not answer as a server of MCP: MCPError: the server cannot be reached" in str(
        raised.value
    )


@tool
async def wait() -> int:
    """Wait."""
    await asyncio.sleep(1000)
    return 1


@tool
def one() -> int:
    """Count."""
    return 1


def text_of(result: Any) -> str:
    return str(result.content[0].text)


class Running:
    """Servers that run in this loop, over HTTP."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._servers: list[Any] = []
        original, servers = uvicorn.Server.__init__, self._servers

        def kept(server: Any, config: Any) -> None:
            original(server, config)
            servers.append(server)

        monkeypatch.setattr(uvicorn.Server, "__init__", kept)
        # They take no signals: several run at once, and each would restore what it found.
        monkeypatch.setattr(uvicorn.Server, "capture_signals", lambda _: nullcontext())

    async def start(self, made: typesig.mcp.Server) -> tuple[str, Any]:
        """Return the address of *made*, and what ends it."""
        told = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(made.serve_http(port=0, on_start=told.set_result))
        address, server = await told, self._servers[-1]

        async def end() -> None:
            server.should_exit = server.force_exit = True
            await task

        return address, end


@pytest.mark.needs_process
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_proxy_over_http_follows_and_outlives_the_other_server(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Running(monkeypatch)
    other = typesig.mcp.server([wait])

    async def main() -> Any:
        there, end_other = await running.start(other)
        here, end = await running.start(proxy(there))
        async with mcp.Client(here, mode=mode) as client:
            assert ["wait"] == await names(client)
            # Those who are told of changes over the older protocol have listed the tools.
            other.replace([wait, one])
            await until(lambda: is_followed(client))
            assert "1" == text_of(await client.call_tool("one"))
            waiting = asyncio.ensure_future(client.call_tool("wait"))
            await until(lambda: other.calls.unfinished_count)
            await end_other()
            broken = await waiting, await client.call_tool("one")
        await end()
        return list(map(text_of, broken))

    async def is_followed(client: Any) -> bool:
        return "one" in await names(client)

    stopped, unreached = asyncio.run(main())

    failed = "failed with an error of its own, which its host has been told"
    assert f"wait {failed}" in stopped
    assert unreached.startswith(f"one {failed}")


@pytest.mark.needs_process
def test_an_answer_that_is_too_long_is_an_error_of_the_call_over_http_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @tool
    def long(count: int) -> str:
        return "x" * count

    for module in ("client.http_client", "client.connection"):
        monkeypatch.setattr(f"typesig.mcp.{module}.MAX_ANSWER", 100_000)
    running = Running(monkeypatch)

    async def main() -> Any:
        there, end = await running.start(typesig.mcp.server([long]))
        async with connect(there) as session:
            tools = await tools_from(session)
            found = [(await tools.acall("long", {"count": n})).ok for n in (1, 200_000, 1)]
        await end()
        return found

    assert [True, False, True] == asyncio.run(main())
