"""Operations that are called through clients of httpx, and a server over HTTP."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.openapi_shop import SHOP, Seen, document
from typesig import TypesigError
from typesig.openapi import Request, tools_from

httpx = pytest.importorskip("httpx")
BASE = "http://shop.test/v1"
ORDER = {"id": 7, "item": "x"}


def client(handle: Any) -> Any:
    return httpx.Client(transport=httpx.MockTransport(handle))


def search(handle: Any, method: str = "get") -> Any:
    paths = {"/search": {method: {"operationId": "it", "responses": {}}}}
    with client(handle) as http:
        return tools_from(document(paths), base=BASE, send=http)["it"].call()


def redirected(*targets: str, status: int = 302) -> Any:
    """Return a handler that redirects to each of *targets*, and then tells what it got."""
    left = list(targets)

    def handle(request: Any) -> Any:
        if left:
            return httpx.Response(status, headers={"location": left.pop(0)})
        return httpx.Response(
            200, json=[request.method, str(request.url), dict(request.headers).get("x")]
        )

    return handle


def test_a_client_sends_what_the_arguments_say() -> None:
    def handle(request: Any) -> Any:
        given = Request(request.method, str(request.url), request.headers, request.content)
        got.append(Seen(SHOP, given))
        return httpx.Response(200, json=ORDER)

    got: list[Seen] = []
    with client(handle) as http:
        tools = tools_from(SHOP, base=BASE, send=http)
        outcome = tools["change_order"].call({"id": 7, "item": "x", "pin": "1"})

    assert ORDER == outcome.value
    assert ("PUT /orders/{id}", {"id": "7"}, {"item": "x", "pin": "1"}) == (
        got[0].operation, got[0].path, got[0].body,
    )  # fmt: skip


def test_an_async_client_makes_coroutine_tools() -> None:
    async def called() -> Any:
        async with httpx.AsyncClient(transport=httpx.MockTransport(redirected("/v1/y"))) as http:
            return await tools_from(SHOP, base=BASE, send=http)["search"].acall()

    assert ["GET", "http://shop.test/v1/y", None] == asyncio.run(called()).value


@pytest.mark.parametrize(
    ("status", "method", "then"),
    [
        (302, "get", "GET"), (303, "post", "GET"), (303, "head", "HEAD"), (301, "post", "GET"),
        (307, "post", "POST"), (308, "put", "PUT"), (301, "put", "PUT"),
    ],
)  # fmt: skip
def test_redirects_on_the_host_are_followed(status: int, method: str, then: str) -> None:
    outcome = search(redirected("http://shop.test:80/v1/other", status=status), method)

    assert outcome.ok
    if method != "head":
        assert [then, "http://shop.test/v1/other", None] == outcome.value


@pytest.mark.parametrize(
    "target",
    [
        "http://evil.test/",
        "https://shop.test/",
        "//evil.test",
        "http://shop.test:81/",
        "http://[",
        "ftp://shop.test/",
    ],
)
def test_redirects_to_other_hosts_are_not_followed(target: str) -> None:
    [error] = search(redirected(target)).errors

    assert (
        "the server answered 302 Found; redirects to other hosts are not followed" == error.message
    )


def test_redirects_have_a_limit() -> None:
    [error] = search(redirected(*["/v1/again"] * 6)).errors

    assert "the server redirected the request more than 5 times" == error.message


@pytest.mark.parametrize(
    ("raised", "text"),
    [
        (httpx.ConnectTimeout("key=s3cret"), "the server did not answer in time; try again later"),
        (httpx.ConnectError("key=s3cret"), "the server could not be reached (ConnectError)"),
    ],
)
def test_a_server_that_does_not_answer_is_told(raised: Exception, text: str) -> None:
    def handle(request: Any) -> Any:
        raise raised

    [error] = search(handle).errors

    assert text == error.message


def test_another_error_of_the_client_passes() -> None:
    def handle(request: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search(handle)

    async def called() -> Any:
        async with httpx.AsyncClient(transport=httpx.MockTransport(handle)) as http:
            return await tools_from(SHOP, base=BASE, send=http)["search"].acall()

    with pytest.raises(ZeroDivisionError):
        asyncio.run(called())


def test_a_response_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.openapi.http_client.MAX_RESPONSE", 3)
    [error] = search(lambda _: httpx.Response(200, content=b"abcd")).errors

    assert "the response has more than 3 bytes; ask for less" == error.message


class Handler(BaseHTTPRequestHandler):
    """Answers with what it understood of a request."""

    def do_GET(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        request = Request(self.command, self.path, dict(self.headers), self.rfile.read(length))
        got = Seen(SHOP, request)
        body = json.dumps([got.operation, got.path, got.query, self.headers.get("authorization")])
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    do_DELETE = do_GET  # noqa: N815 - as the class above asks for

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.needs_process
def test_a_server_over_http_gets_what_the_document_says(address: str) -> None:
    # The default client, whose connection ends with it.
    tools = tools_from(SHOP, base=address, credentials={"login": ("me", "pw")}, mode="disabled")
    outcome = tools.call("search", {"q": "a&b ü", "tag": ["x", "y"], "price": {"from": "1"}})
    gone = tools.call("delete_orders_id", {"id": 3})

    assert [
        "GET /search",
        {},
        [["q", "a&b ü"], ["tag", "x"], ["tag", "y"], ["price[from]", "1"]],
        None,
    ] == outcome.value
    assert ["DELETE /orders/{id}", {"id": "3"}, [], "Basic bWU6cHc="] == gone.value


# documents in YAML

YAML = """
openapi: 3.0.0
x-shared: &shared
  description: yes
paths:
  /x:
    get:
      operationId: it
      parameters:
        - {name: on, in: query, schema: {type: string, default: no, enum: [no, 2026-01-31, 1e3x, 12:30, ~]}}
        - {name: n, in: query, schema: {type: number, default: 1.5, maximum: 1e3, minimum: -2, nullable: true}}
      responses:
        200:
          <<: *shared
          content: {application/json: {schema: {type: boolean, enum: [true]}}}
"""


def test_yaml_is_read_as_json_has_it(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    path = tmp_path / "x.yaml"
    path.write_text("\ufeff" + YAML, encoding="utf-8")
    for given in (YAML, path):
        [tool] = tools_from(given)

        assert (
            '(on :enum["no" "2026-01-31" "1e3x" "12:30"] = "no", n :float[-2..1000.0]? = 1.5)! '
            "-> :enum[true]"
        ) == str(tool.signature)


def test_yaml_that_grows_without_end_is_refused() -> None:
    pytest.importorskip("yaml")
    lines = ["a0: &a0 [1, 1]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    with pytest.raises(TypesigError, match=r"the document has more than 5000000 values"):
        tools_from("\n".join(lines))


def test_a_body_that_cannot_be_decompressed_is_told() -> None:
    def handle(request: Any) -> Any:
        return httpx.Response(
            200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip")
        )

    [error] = search(handle).errors

    assert (
        "the server answered with content that could not be decompressed: it is not compressed as "
        "it says"
    ) == error.message


def test_an_address_that_is_too_long_is_told() -> None:
    given = [{"name": "q", "in": "query", "schema": {"type": "string"}}]
    paths = {"/search": {"get": {"operationId": "it", "parameters": given, "responses": {}}}}
    with client(lambda request: httpx.Response(204)) as http:
        tools = tools_from(document(paths), base=BASE, send=http)
        [error] = tools["it"].call({"q": "a" * 70_000}).errors

    assert "the address of the request is too long, or no address; send less in it" == error.message


def test_a_body_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typesig.openapi.http_client.MAX_RESPONSE_SECONDS", -1)
    [error] = search(lambda _: httpx.Response(200, content=b"a")).errors

    assert "the response did not end within -1 seconds; ask for less" == error.message


def test_cookies_of_a_server_stay_with_its_client_and_host() -> None:
    def handle(request: Any) -> Any:
        got.append((request.url.host, request.headers.get("cookie")))
        return httpx.Response(204, headers={"set-cookie": "sid=1"})

    got: list[Any] = []
    paths = {"/search": {"get": {"operationId": "it", "responses": {}}}}
    with client(handle) as http:
        for base in (BASE, BASE, "http://other.test"):
            tools_from(document(paths), base=base, send=http)["it"].call()

    assert [("shop.test", None), ("shop.test", "sid=1"), ("other.test", None)] == got


def test_a_credential_in_a_query_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    key = {"type": "apiKey", "in": "query", "name": "key"}
    given = [{"name": "q", "in": "query", "schema": {"type": "string"}}]
    operation = {"operationId": "it", "parameters": given, "responses": {}, "security": [{"k": []}]}
    made = document({"/search": {"get": operation}}, components={"securitySchemes": {"k": key}})

    def handle(request: Any) -> Any:
        got.append(str(request.url))
        return httpx.Response(204)

    async def called() -> Any:
        transport = httpx.MockTransport(handle)
        async with httpx.AsyncClient(transport=transport) as http:
            tools = tools_from(made, base=BASE, send=http, credentials={"k": "s3cret"})
            return await tools["it"].acall({"q": "a"})

    got: list[str] = []
    with client(handle) as http:
        tools_from(made, base=BASE, send=http, credentials={"k": "s3cret"})["it"].call({"q": "a"})
        asyncio.run(called())
        logged = [each.getMessage() for each in caplog.records if each.name == "httpx"]
        tools_from(made, base=BASE, send=http)["it"].call({"q": "b"})
        http.get(f"{BASE}/other?c=d")
        logging.getLogger("httpx").info("no address: %s", "s")
        logging.getLogger("httpx").info("none")

    assert ["http://shop.test/v1/search?q=a&key=s3cret"] * 2 == got[:2]
    assert ['HTTP Request: GET http://shop.test/v1/search "HTTP/1.1 204 No Content"'] * 2 == logged
    assert "s3cret" not in caplog.text
    assert "search?q=b" in caplog.text
    assert "other?c=d" in caplog.text
