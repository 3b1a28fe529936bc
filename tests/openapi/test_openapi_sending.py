"""Compressed bodies and waiting, with a server on this machine."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from tests.openapi_shop import document
from typesig.errors import TooLarge
from typesig.governance import Governance
from typesig.limits.network import MAX_RESPONSE
from typesig.openapi import Response, tools_from
from typesig.openapi.http_client import DecodeError, Decoder

MEGABYTE = b"x" * 1_000_000


def compressed(*parts: bytes, wbits: int = 31) -> bytes:
    made = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return b"".join([*(made.compress(part) for part in parts), made.flush()])


def decoded(encoding: str, *chunks: bytes, limit: int = 1_000_000) -> bytes:
    decoder = Decoder(encoding, limit)
    made = b"".join(piece for chunk in chunks for piece in decoder.feed(chunk))
    decoder.end()
    return made


ENCODERS: dict[str, Any] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "identity": bytes,
}


@LAW
@given(
    st.binary(max_size=500),
    st.lists(st.sampled_from(sorted(ENCODERS)), max_size=3),
    st.integers(1, 50),
)
def test_what_is_compressed_in_any_order_is_decompressed(
    data: bytes, names: list[str], size: int
) -> None:
    sent = data
    for name in names:
        sent = ENCODERS[name](sent)
    chunks = [sent[at : at + size] for at in range(0, len(sent), size)]

    assert data == decoded(" , ".join(names).upper(), *chunks)


def test_deflate_without_its_header_and_several_members_are_read() -> None:
    assert b"hello" == decoded("deflate", compressed(b"hello", wbits=-15))
    assert b"hello you" == decoded("gzip", gzip.compress(b"hello ") + gzip.compress(b"you"))


@pytest.mark.parametrize(
    ("encoding", "body", "error"),
    [
        ("br", b"", "its encoding 'br' was not asked for"),
        ("gzip, gzip, gzip, gzip", b"", "its encoding 'gzip, gzip, gzip, gzip' was not asked for"),
        ("gzip", b"no gzip", "it is not compressed as it says"),
        ("deflate", b"\xff\xff", "it is not compressed as it says"),
        ("gzip", gzip.compress(b"hello", mtime=0)[:-3], "it ended too early"),
    ],
)
def test_other_bodies_are_refused(encoding: str, body: bytes, error: str) -> None:
    with pytest.raises(DecodeError) as raised:
        decoded(encoding, body)

    assert error == str(raised.value)


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_memory_is_bounded_by_the_limit(levels: int) -> None:
    body = compressed(*[MEGABYTE] * 100)
    for _ in range(levels - 1):
        body = gzip.compress(body)
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            decoded(", ".join(["gzip"] * levels), body)

        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()


class Handler(BaseHTTPRequestHandler):
    """Answers as its server says, and keeps what was asked for."""

    def do_GET(self) -> None:
        found: Any = self.server
        found.seen.append((self.command, self.headers.get("accept-encoding")))
        status, headers, body = found.answers[min(len(found.seen), len(found.answers)) - 1]
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_GET  # noqa: N815 - as the class above asks for

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Any]:
    made: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.seen, made.answers = [], []
    thread = Thread(target=made.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join()


def tool_at(server: Any, method: str = "get", **options: Any) -> Any:
    paths = {"/x": {method: {"operationId": "it"}}}
    return tools_from(document(paths), base=f"http://127.0.0.1:{server.server_port}", **options)


@pytest.mark.needs_process
@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_compressed_answer_is_read(server: Any, encoding: str) -> None:
    body = ENCODERS[encoding](b'{"a": 1}')
    server.answers = [(200, {"content-encoding": encoding}, body)]

    httpx = pytest.importorskip("httpx")

    async def called() -> Any:
        async with httpx.AsyncClient() as http:
            return (await tool_at(server, send=http).acall("it")).value

    assert {"a": 1} == tool_at(server).call("it").value == asyncio.run(called())
    assert [("GET", "gzip, deflate")] * 2 == server.seen


@pytest.mark.needs_process
def test_a_bomb_does_not_use_more_than_the_limit(server: Any) -> None:
    import resource  # systems without it start no process

    pytest.importorskip("httpx")
    body = gzip.compress(compressed(b'{"a":"', *[MEGABYTE] * 300), 9)
    server.answers = [(200, {"content-encoding": "gzip, gzip"}, body)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    [error] = tool_at(server).call("it").errors

    assert f"the response has more than {MAX_RESPONSE} bytes; ask for less" == error.message
    assert len(body) < 3_000
    # Kilobytes: the limit, and the copy of it that grows.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 80_000


@pytest.mark.needs_process
@pytest.mark.parametrize(("method", "runs"), [("get", 3), ("put", 3), ("post", 1)])
@pytest.mark.parametrize("after", ["0", "date"])
def test_a_time_to_try_again_is_kept(server: Any, method: str, runs: int, after: str) -> None:
    pytest.importorskip("httpx")
    date = format_datetime(datetime.now(UTC) - timedelta(seconds=2), usegmt=True)
    busy = (429, {"retry-after": date if after == "date" else after}, b"{}")
    server.answers = [busy, busy, (200, {}, b'"there"')]

    outcome = tool_at(server, method).call("it", governance=Governance(retries=2))

    assert runs == len(server.seen)
    assert (runs == 3) == outcome.ok
    if not outcome.ok:
        assert "(try again after 0 seconds)" in outcome.report()


@pytest.mark.parametrize(
    ("header", "low", "high"),
    [
        ("7", 7, 7),
        ("%a, %d %b %Y %H:%M:%S GMT", 170_000, 172_801),
        ("%d %b %Y %H:%M:%S", 170_000, 172_801),
        ("soon", None, None),
        ("-1", None, None),
        ("٣", None, None),
        ("Wed, 99 Oct 2015 07:28:00 GMT", None, None),
    ],
)
def test_the_seconds_are_those_of_a_number_or_a_date(header: str, low: Any, high: Any) -> None:
    in_two_days = datetime.now(UTC) + timedelta(days=2)
    header = in_two_days.strftime(header) if "%" in header else header

    def send(request: object) -> Response:
        return Response(503, {"retry-after": header})

    tools = tools_from(document({"/x": {"get": {"operationId": "it"}}}), base="http://h", send=send)
    [error] = tools.call("it").errors

    retry = error.code == "passing"

    assert retry == (low is not None)
    assert not retry or low <= float(error.expected) <= high


def test_a_body_that_arrives_byte_by_byte_is_decompressed() -> None:
    body = gzip.compress(b"hello", mtime=0)

    assert b"hello" == decoded("gzip", *[body[at : at + 1] for at in range(len(body))])
