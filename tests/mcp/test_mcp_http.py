"""Serving over HTTP: who may ask, how much and for how long, and the official client."""

from __future__ import annotations

import asyncio
import hmac
import json
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client

import typesig
from typesig import TypesigError, tool
from typesig.mcp.transport import http
from typesig.mcp.transport.http import Access

TOKEN = "0123456789abcdef"


@tool
def double(n: int) -> int:
    """Double it."""
    return 2 * n


def headers(**given: str) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in given.items()]


def status(access: Access, *more: tuple[bytes, bytes], **given: str) -> int:
    refused = access.check_headers([*headers(**given), *more])
    return 200 if refused is None else refused[0]


LOCAL = Access("127.0.0.1", None, (), ())


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1:8000", 200),
        ("127.0.0.1", 200),
        ("localhost:1", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:8000", 200),
        ("::1", 200),
        ("example.org", 421),
        ("localhost.example.org", 421),
        ("127.0.0.1.example.org:80", 421),
        ("localhost:80@example.org", 421),
        ("example.org/localhost", 421),
        ("localhost:99999", 421),
        ("localhost:x", 421),
        ("localhost:+80", 421),
        ("localhost.", 421),
        ("127.0.0.1.", 421),
        ("[::1]x", 421),
        ("::1:80", 421),
        ("[localhost]", 421),
        ("[::ffff:127.0.0.1]", 421),
        ("127.1", 421),
        ("2130706433", 421),
        ("0.0.0.0", 421),
        ("127.0.0.1.nip.io", 421),
        ("localhost,example.org", 421),
        ("localhost ", 421),
        ("[::1", 421),
        ("", 421),
    ],
)
def test_a_request_is_for_a_name_of_this_machine(host: str, expected: int) -> None:
    assert expected == status(LOCAL, host=host)


def test_a_request_has_one_host() -> None:
    assert 421 == status(LOCAL)
    assert 421 == status(LOCAL, (b"Host", b"localhost"), host="localhost")


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://localhost:3000", 200),
        ("https://127.0.0.1", 200),
        ("http://[::1]:6274", 200),
        ("https://app.example.org", 200),
        ("https://APP.example.org", 200),
        ("http://app.example.org", 403),
        ("https://app.example.org:8443", 403),
        ("https://example.org", 403),
        ("http://localhost.example.org", 403),
        ("file://localhost", 403),
        ("https://app.example.org:443", 200),
        ("http://localhost:80", 200),
        ("http://LOCALHOST", 200),
        ("null", 403),
        ("NULL", 403),
        ("", 403),
        ("*", 403),
        ("localhost", 403),
        ("://localhost", 403),
        ("http://", 403),
        ("http://::1", 403),
        ("http://localhost/", 403),
        ("http://localhost?", 403),
        ("http://localhost#", 403),
        ("http://example.org@localhost", 403),
        ("http://localhost@example.org", 403),
        ("http://example.org#@localhost", 403),
        ("http://localhost\\example.org", 403),
        (" http://localhost", 403),
        ("http://localhost http://example.org", 403),
        ("http://localhost:99999", 403),
        ("http://localhost.", 403),
        ("http://127.0.0.2", 403),
        ("http://0.0.0.0", 403),
        ("chrome-extension://localhost", 403),
        ("http://[", 403),
    ],
)
def test_only_pages_of_this_machine_and_of_origins_that_are_named_may_ask(
    origin: str, expected: int
) -> None:
    access = Access("127.0.0.1", None, (), ("https://app.example.org",))

    assert expected == status(access, host="localhost", origin=origin)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN} ", 200),
        (f"Bearer {TOKEN}x", 401),
        (f"Bearer {TOKEN[:-1]}", 401),
        (f"Bearer {TOKEN}\0", 401),
        (f"Bearer {TOKEN}, Bearer {TOKEN}", 401),
        (f"Bearer\t{TOKEN}", 401),
        ("Bearer " + "a" * 100_000, 401),
        ("Bearer ", 401),
        ("Bearer é", 401),
        (f"Basic {TOKEN}", 401),
        (TOKEN, 401),
        ("", 401),
    ],
)
def test_a_token_is_asked_for(sent: str, expected: int) -> None:
    assert expected == status(
        Access("127.0.0.1", TOKEN, (), ()), host="localhost", authorization=sent
    )


def test_a_token_is_sent_once_and_is_never_missing() -> None:
    access = Access("127.0.0.1", TOKEN, (), ())
    sent = f"Bearer {TOKEN}"

    assert 401 == status(access, host="localhost")
    assert 401 == status(
        access, (b"authorization", sent.encode()), host="localhost", authorization=sent
    )


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)

    assert 401 == status(
        Access("::1", TOKEN, (), ()), host="localhost", authorization=f"Bearer {TOKEN}"
    )
    assert [(TOKEN.encode(), TOKEN.encode())] == compared


def test_a_server_for_other_machines_goes_by_its_address_and_the_names_that_it_is_given() -> None:
    sent = {"authorization": f"Bearer {TOKEN}"}
    named = Access("0.0.0.0", TOKEN, ("tools.example.org",), ())
    bound = Access("192.0.2.7", TOKEN, (), ())
    everywhere = Access("::", TOKEN, (), ())

    assert [200, 421] == [
        status(named, host=host, **sent) for host in ("tools.example.org:443", "example.org")
    ]
    assert [200, 421] == [
        status(bound, host=host, **sent) for host in ("192.0.2.7:8000", "example.org")
    ]
    assert [200, 421] == [status(everywhere, host=host, **sent) for host in ("example.org", "a b@")]
    assert 401 == status(everywhere, host="example.org")


SHORT = "a token has at least 16 characters of ASCII and no blanks; for example, the output of "
NO_ORIGIN = (
    "{} is no origin of web pages: write its scheme and its name, as https://example.org; there is "
    "no sign for all"
)
NO_NAME = (
    "{} is no name of a server: write it without a scheme and a path, as tools.example.org; there "
    "is no sign for all"
)
SHORT += 'python -c "import secrets; print(secrets.token_urlsafe())"'


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Access("0.0.0.0", None, (), ()), "0.0.0.0 can be reached from other machines, so clients need a token: give one, or listen at 127.0.0.1"),
        (lambda: Access("0", None, (), ()), "0 can be reached from other machines, so clients need a token: give one, or listen at 127.0.0.1"),
        (lambda: Access("localhost", None, ("x.org",), ()), "a server with the name x.org can be reached from elsewhere, so clients need a token"),
        (lambda: Access("localhost", "short", (), ()), SHORT),
        (lambda: Access("localhost", "", (), ()), SHORT),
        (lambda: Access("localhost", "a b" * 10, (), ()), SHORT),
        (lambda: Access("localhost", "é" * 20, (), ()), SHORT),
        (lambda: Access("localhost", "0123456789abcdef\0", (), ()), SHORT),
        (lambda: Access("localhost", None, (), ("*",)), NO_ORIGIN.format("'*'")),
        (lambda: Access("localhost", None, (), ("null",)), NO_ORIGIN.format("'null'")),
        (lambda: Access("localhost", None, (), ("https://a.org/b",)), NO_ORIGIN.format("'https://a.org/b'")),
        (lambda: Access("localhost", None, (), ("a.org",)), NO_ORIGIN.format("'a.org'")),
        (lambda: Access("localhost", TOKEN, ("*.a.org",), ()), NO_NAME.format("'*.a.org'")),
        (lambda: Access("localhost", TOKEN, ("https://a.org/b",), ()), NO_NAME.format("'https://a.org/b'")),
        (lambda: Access("localhost", b"0123456789abcdef", (), ()), "token is text, not bytes"),  # type: ignore[arg-type]
        (lambda: typesig.mcp.server([double]).app(path="mcp"), "path begins with a slash, as /mcp does, not 'mcp'"),
        (lambda: http._open_socket("127.0.0.1", 70_000), "a port is a number from 0 to 65535, not 70000"),
    ],
)  # fmt: skip
def test_wrong_use_of_the_options(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        make()

    assert message == str(raised.value)


def test_an_origin_that_is_named_may_end_in_a_slash_and_have_the_usual_port() -> None:
    access = Access("localhost", None, (), ("https://a.org/", "http://b.org:80"))

    for origin in ("https://a.org", "https://a.org:443", "http://b.org"):
        assert 200 == status(access, host="localhost", origin=origin)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "127.8.0.1", "localhost"])
def test_these_addresses_are_only_reached_from_this_machine(address: str) -> None:
    assert http.is_loopback(address)


def asked(
    body: list[bytes | None], *given: tuple[bytes, bytes], kind: str = "http", **place: str
) -> list[dict[str, Any]]:
    """Return what the application sends for a request; None in *body* never arrives."""
    app = typesig.mcp.server([double]).app()
    sent: list[dict[str, Any]] = []
    parts = [
        {"type": "http.request", "body": part, "more_body": number < len(body)}
        for number, part in enumerate(body, 1)
    ]

    async def receive() -> Any:
        if parts and parts[0]["body"] is not None:
            return parts.pop(0)
        return await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind, "method": "POST", "path": "/mcp", "query_string": b"", "root_path": "",
        "http_version": "1.1", "scheme": "http", "server": ("localhost", 80),
        "headers": [
            (b"host", b"localhost"), (b"content-type", b"application/json"),
            (b"accept", b"application/json, text/event-stream"), *given,
        ],
        **place,
    }  # fmt: skip

    async def main() -> None:
        states: asyncio.Queue[Any] = asyncio.Queue()
        started = asyncio.Event()

        async def told(message: Any) -> None:
            started.set()

        await states.put({"type": "lifespan.startup"})
        running = asyncio.create_task(app({"type": "lifespan"}, states.get, told))
        await started.wait()
        await asyncio.wait_for(app(scope, receive, send), 5)
        await states.put({"type": "lifespan.shutdown"})
        await running

    asyncio.run(main())
    return sent


def test_a_refused_request_is_answered_before_its_body_is_read() -> None:
    sent = asked([None], (b"origin", b"https://example.org"))

    assert 403 == sent[0]["status"]
    assert b"pages of that origin may not ask this server" == sent[1]["body"]


def test_a_client_is_told_that_a_token_is_wanted() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(http._refuse(send, 401, "this server wants a bearer token"))

    assert (b"www-authenticate", b"Bearer") in sent[0]["headers"]


def test_a_body_that_does_not_arrive_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_BODY_SECONDS", 0.01)

    start, body = asked([b"{", None])

    assert (408, b"the body did not arrive in time") == (start["status"], body["body"])


def test_a_body_that_is_too_long_is_refused() -> None:
    assert 413 == asked([b" " * (3 << 20), b" " * (3 << 20), b"{}"])[0]["status"]


INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}  # fmt: skip


def test_a_body_in_parts_is_read_as_a_whole() -> None:
    text = json.dumps(INITIALIZE).encode()

    assert 200 == asked([text[:9], text[9:]])[0]["status"]


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("/mcp", "", 200),
        ("/here/mcp", "/here", 200),
        ("/mcp", "/mcp", 404),
        ("/mcp/", "", 307),
        ("/other", "", 404),
        ("/here/mcp", "", 404),
    ],
)
def test_requests_are_for_one_path(path: str, root: str, expected: int) -> None:
    sent = asked([json.dumps(INITIALIZE).encode()], path=path, root_path=root)

    assert expected == sent[0]["status"]


def test_nothing_follows_the_answer_to_a_body_that_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_BODY_SECONDS", 0)
    sent: list[Any] = []

    async def never() -> Any:
        await asyncio.Event().wait()

    async def keep(message: Any) -> None:
        sent.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert {"type": "http.disconnect"} == await receive()
        await send({"type": "http.response.start", "status": 500})
        raise KeyError("the client has gone")

    async def main() -> None:
        await http._Exchange(never, keep).run(app, {})

    asyncio.run(main())

    assert [408] == [message["status"] for message in sent if "status" in message]


def test_what_an_application_raises_passes() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise KeyError("x")

    async def main() -> None:
        with pytest.raises(KeyError):
            await http._Exchange(app, app).run(app, {})  # type: ignore[arg-type]

    asyncio.run(main())


def test_web_sockets_are_closed() -> None:
    assert [{"type": "websocket.close", "code": 1008}] == asked([], kind="websocket")


@pytest.mark.needs_process
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_uses_the_server_and_its_limits_hold(mode: str) -> None:
    import httpx2
    import uvicorn
    from mcp.client.streamable_http import streamable_http_client

    servers: list[Any] = []
    results: list[Any] = []
    address: asyncio.Future[str]

    async def main() -> None:
        nonlocal address
        address = asyncio.get_running_loop().create_future()
        served = typesig.mcp.server([double])
        running = asyncio.create_task(
            served.serve_http(port=0, token=TOKEN, on_start=address.set_result)
        )
        url = await address
        given = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=given) as sending,
            Client(streamable_http_client(url, http_client=sending), mode=mode) as client,
        ):
            results.append((await client.call_tool("double", {"n": "4"})).content[0].text)  # type: ignore[union-attr]
            results.append((await client.call_tool("double", {"n": "x"})).is_error)
        async with httpx2.AsyncClient() as sending:
            results.append((await sending.post(url, content=b"{}")).status_code)
        servers[0].should_exit = True
        await running

    original = uvicorn.Server.__init__

    def kept(self: Any, config: Any) -> None:
        original(self, config)
        servers.append(self)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(uvicorn.Server, "__init__", kept)
        asyncio.run(main())

    assert ["8", True, 401] == results


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let SIGINT raise, which a shell has its background processes ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.needs_process
@pytest.mark.usefixtures("interruptible")
def test_a_signal_ends_the_server_and_closes_what_it_has_opened() -> None:
    closed: list[bool] = []

    async def lifespan() -> Any:
        try:
            yield
        finally:
            await asyncio.sleep(0)
            closed.append(True)

    def interrupt(address: str) -> None:
        signal.raise_signal(signal.SIGINT)

    served = typesig.mcp.server([double], lifespan=lifespan)
    # As the command runs it: asyncio.run has a handler of its own for this signal.
    loop = asyncio.new_event_loop()
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(served.serve_http(port=0, on_start=interrupt))
    loop.close()

    assert [True] == closed


@pytest.mark.needs_process
@pytest.mark.usefixtures("interruptible")
def test_a_server_answers_in_a_process_where_a_signal_has_ended_another() -> None:
    async def call(address: str) -> Any:
        async with Client(address, mode="legacy") as client:
            answer = await client.call_tool("double", {"n": 4})
        signal.raise_signal(signal.SIGINT)
        return answer

    def serve() -> Any:
        calls: list[asyncio.Task[Any]] = []
        loop = asyncio.new_event_loop()
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(
                typesig.mcp.server([double]).serve_http(
                    port=0, on_start=lambda at: calls.append(loop.create_task(call(at)))
                )
            )
        answer = loop.run_until_complete(calls[0])
        loop.close()
        return answer.content[0].text

    assert ["8", "8"] == [serve(), serve()]


@pytest.mark.needs_process
def test_what_the_lifespan_function_raises_reaches_whoever_serves() -> None:
    def lifespan() -> Any:
        raise KeyError("no database")
        yield

    with pytest.raises(KeyError, match="no database"):
        asyncio.run(typesig.mcp.server([double], lifespan=lifespan).serve_http(port=0))


@pytest.mark.needs_process
def test_an_address_that_cannot_be_listened_at() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(TypesigError, match=f"cannot listen at 127.0.0.1:{port}: Address"):
            http._open_socket("127.0.0.1", port)
    with pytest.raises(
        TypesigError, match=r"no.such.host.invalid is not an address of this machine: "
    ):
        http._open_socket("no.such.host.invalid", 0)
