"""Send requests with an httpx client, or with a callable of the caller."""

from __future__ import annotations

import inspect
import logging
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, Protocol, TypeVar, runtime_checkable
from urllib.parse import urljoin, urlsplit

from typesig.calls.functions import ToolError
from typesig.calls.running import WaitMode
from typesig.errors import TooLarge, TypesigError
from typesig.lazy_imports import import_extra
from typesig.limits.network import MAX_REDIRECTS, MAX_RESPONSE, MAX_RESPONSE_SECONDS
from typesig.openapi.messages import REDIRECTS, Request, Response

# --- Decompression of responses within their limit ---
# A few thousand bytes can become gigabytes: a limit that is checked behind a client's own decoder
# is checked too late.

#: The value of `Accept-Encoding` for bodies that `Decoder` reads.
ACCEPTED = "gzip, deflate"

#: Bytes that are made at a time.
_PIECE = 1 << 16

#: Encodings of one body, one around the other.
_MOST = 3


class DecodeError(Exception):
    """Error for a response body that cannot be decompressed."""


class Decoder:
    """Decompresses a body whose `Content-Encoding` is *encoding*, to at most *limit* bytes.

    Raises `DecodeError` for an encoding that is not one of `ACCEPTED`.

    >>> import gzip
    >>> b"".join(Decoder("gzip", 100).feed(gzip.compress(b"hello")))
    b'hello'
    """

    __slots__ = ("_limit", "_sizes", "_stages")

    def __init__(self, encoding: str, limit: int) -> None:
        names = [name.strip().lower() for name in encoding.split(",")]
        names = [name for name in names if name not in ("", "identity")]
        unknown = [name for name in names if name not in _STAGES]
        if unknown or len(names) > _MOST:
            raise DecodeError(f"its encoding {encoding[:80]!r} was not asked for")
        # The last encoding was applied last.
        self._stages = [_STAGES[name]() for name in reversed(names)]
        self._sizes = [0] * (len(names) + 1)
        self._limit = limit

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Decompress *chunk*, and yield the data in pieces.

        Raises `DecodeError` for what is not compressed so, and `TooLarge` beyond the limit.
        """
        return self._pieces(chunk, 0)

    def _pieces(self, chunk: bytes, level: int) -> Iterator[bytes]:
        """Yield *chunk* decoded by the content encodings from index *level* on."""
        # What stands between two encodings is bounded, too: it takes time to make.
        self._sizes[level] += len(chunk)
        if self._sizes[level] > self._limit:
            raise TooLarge(f"the body has more than {self._limit} bytes")
        if level == len(self._stages):
            yield chunk
            return
        for piece in self._stages[level].feed(chunk):
            yield from self._pieces(piece, level + 1)

    def end(self) -> None:
        """Raise `DecodeError` if the body ended before its compressed data did."""
        if any(stage.is_open for stage in self._stages):
            raise DecodeError("it ended too early")


class _Stage:
    """Decompresses one encoding; *make* returns the decompressor of its next member."""

    __slots__ = ("_inflate", "_make", "is_open")

    def __init__(self, make: Callable[[bytes], Any]) -> None:
        self._make = make
        self._inflate: Any = None
        self.is_open = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decompressed pieces of *data*, across concatenated members."""
        while data:
            if self._inflate is None:
                self._inflate, self.is_open = self._make(data), True
            try:
                made = self._inflate.decompress(data, _PIECE)
            except zlib.error as error:
                raise DecodeError("it is not compressed as it says") from error
            if made:
                yield made
            data = self._inflate.unconsumed_tail
            if self._inflate.eof:
                # A body may consist of several members (RFC 1952, 2.2).
                data, self._inflate, self.is_open = self._inflate.unused_data, None, False


def _gzip(_: bytes) -> Any:
    """Make a decompressor for gzip data."""
    return zlib.decompressobj(zlib.MAX_WBITS | 16)


def _deflate(data: bytes) -> Any:
    """Make a decompressor for deflate data, with or without its zlib header."""
    # By RFC 9110 (8.4.1.2) it has the header of zlib, which some servers leave out.
    has_header = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] << 8 | data[1]) % 31 == 0)
    return zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


_STAGES: dict[str, Callable[[], _Stage]] = {
    "deflate": lambda: _Stage(_deflate),
    "gzip": lambda: _Stage(_gzip),
    "x-gzip": lambda: _Stage(_gzip),
}


#: Seconds that the default client waits for a server.
_SECONDS = 30.0

T = TypeVar("T")


@runtime_checkable
class Client(Protocol):
    """Protocol of an httpx client, sync or async."""

    def build_request(self, method: str, url: str, *, headers: Any, content: Any) -> Any:
        """Build a request for *method* and *url*."""
        ...

    def send(self, request: Any, *, stream: bool, follow_redirects: bool) -> Any:
        """Send *request*; the response, or its awaitable, has an unread body."""
        ...


def is_async(send: object) -> bool:
    """Whether *send*, a client or callable, is async."""
    if isinstance(send, Client):
        return inspect.iscoroutinefunction(send.send)
    return inspect.iscoroutinefunction(send) or inspect.iscoroutinefunction(
        getattr(send, "__call__", None)  # noqa: B004 - how it is called
    )


def check_send(send: object) -> Any:
    """Check that *send* is a client or callable; make a default client for None."""
    if send is None:
        return _DefaultClient()
    if isinstance(send, type):
        raise TypesigError(f"send is the class {send.__name__}; give an object of it")
    if not isinstance(send, Client) and not callable(send):
        raise TypesigError(
            f"send is a client of httpx, or takes a Request and returns a Response; "
            f"{type(send).__name__} does neither"
        )
    return send


class _DefaultClient:
    """An httpx client that is created on first use."""

    __slots__ = ("_client",)

    def __init__(self) -> None:
        self._client: Any = None

    def build_request(self, method: str, url: str, *, headers: Any, content: Any) -> Any:
        """Build the request, and create the client if needed."""
        if self._client is None:
            httpx = import_extra("httpx", "openapi", "calling an operation without send=")
            self._client = httpx.Client(timeout=_SECONDS)
        return self._client.build_request(method, url, headers=headers, content=content)

    def send(self, request: Any, *, stream: bool, follow_redirects: bool) -> Any:
        """Send *request* and return the response."""
        return self._client.send(request, stream=stream, follow_redirects=follow_redirects)


async def send_request(
    send: Any, request: Request, has_secret: bool, waiting: WaitMode
) -> Response:
    """Send *request*, awaited as *waiting* does, and follow redirects on the same host.

    With *has_secret*, the query is hidden in logs.
    """
    if not isinstance(send, Client):
        refusal = "send returned an awaitable; give an async def, or an httpx.AsyncClient"
        return _read_response(await waiting.await_value(send(request), refusal))
    with _hide_query_in_logs(send, has_secret):
        for _ in range(MAX_REDIRECTS + 1):
            response = await _send_once(send, request, waiting.awaits)
            target = _find_redirect(request, response)
            if target is None:
                return response
            request = target
    raise ToolError(f"the server redirected the request more than {MAX_REDIRECTS} times")


#: Whether the query of the request that is sent has a credential.
_HAS_SECRET: ContextVar[bool] = ContextVar("has_secret", default=False)


class _QueryFilter(logging.Filter):
    """Log filter that removes the query of requests with a credential."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Remove the query of URLs from the log *record* if it has a secret."""
        if _HAS_SECRET.get() and isinstance(record.args, tuple):
            record.args = tuple(
                str(each).partition("?")[0] if type(each).__name__ == "URL" else each
                for each in record.args
            )
        return True


_WITHOUT_QUERY = _QueryFilter()


@contextmanager
def _hide_query_in_logs(client: object, has_secret: bool) -> Iterator[None]:
    """Hide credentials in the requests that the HTTP client logs."""
    if not has_secret:
        yield
        return
    rooms = {cls.__module__.partition(".")[0] for cls in type(client).__mro__}
    for name in rooms & {"httpx", "httpx2"} or {"httpx"}:
        logging.getLogger(name).addFilter(_WITHOUT_QUERY)
    token = _HAS_SECRET.set(True)
    try:
        yield
    finally:
        _HAS_SECRET.reset(token)


def _find_redirect(request: Request, response: Response) -> Request | None:
    """Request that *response* redirects to (RFC 9110, 15.4), if on the same origin."""
    location = response.header("location")
    if response.status not in REDIRECTS or not location:
        return None
    try:
        url = urljoin(request.url, location)
        if _parse_origin(url) != _parse_origin(request.url):
            return None
    except ValueError:
        return None
    if response.status == 303 or (response.status < 303 and request.method == "POST"):
        kept = {
            name: value for name, value in request.headers.items() if name.lower() != "content-type"
        }
        method = "HEAD" if request.method == "HEAD" else "GET"
        return Request(method, url, kept)
    return request._replace(url=url)


def _parse_origin(url: str) -> tuple[str, str | None, int | None]:
    """Split *url* into scheme, host and port, with the default port of the scheme."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, parts.port or usual


async def _send_once(client: Client, request: Request, awaits: bool) -> Response:
    """Send *request* with the HTTP *client*, without following redirects."""
    try:
        made = client.send(_build_request(client, request), stream=True, follow_redirects=False)
        got = await made if awaits else made
        try:
            body = _BodyReader(got)
            if awaits:
                async for chunk in got.aiter_bytes() if body.is_read else got.aiter_raw():
                    body.add(chunk)
            else:
                for chunk in got.iter_bytes() if body.is_read else got.iter_raw():
                    body.add(chunk)
        finally:
            if awaits:
                await got.aclose()
            else:
                got.close()
    except Exception as error:
        raise _convert_error(error) from error
    return Response(got.status_code, dict(got.headers), body.end())


def _build_request(client: Client, request: Request) -> Any:
    """Build *request* for *client*, accepting encodings that `Decoder` supports."""
    headers = {"Accept-Encoding": ACCEPTED, **request.headers}
    return client.build_request(request.method, request.url, headers=headers, content=request.body)


class _BodyReader:
    """Reader of a response body in chunks, with decompression and limits.

    #: is_read: whether the client has read and decompressed it already, as those for tests do
    """

    __slots__ = ("_decoder", "_end", "data", "is_read")

    def __init__(self, got: Any) -> None:
        self.is_read = got.is_stream_consumed
        encoding = "" if self.is_read else got.headers.get("content-encoding", "")
        self.data = bytearray()
        self._decoder = _run_decoder(lambda: Decoder(encoding, MAX_RESPONSE))
        self._end = monotonic() + MAX_RESPONSE_SECONDS

    def add(self, chunk: bytes) -> None:
        """Add *chunk*; raise `ToolError` if the body is too large, or takes too long."""
        _run_decoder(lambda: self.data.extend(b"".join(self._decoder.feed(chunk))))
        if monotonic() > self._end:
            raise ToolError(
                f"the response did not end within {MAX_RESPONSE_SECONDS} seconds; ask for less"
            )

    def end(self) -> bytes:
        """Return the complete body; raise `ToolError` if it is truncated."""
        _run_decoder(self._decoder.end)
        return bytes(self.data)


def _run_decoder(step: Callable[[], T]) -> T:
    """Run *step*; raise `ToolError` if the body cannot be decompressed."""
    try:
        return step()
    except TooLarge:
        raise _make_size_error() from None
    except DecodeError as error:
        text = "the server answered with content that could not be decompressed"
        raise ToolError(f"{text}: {error}") from None


def _make_size_error() -> ToolError:
    """Build the error of a response body larger than `MAX_RESPONSE` bytes."""
    return ToolError(f"the response has more than {MAX_RESPONSE} bytes; ask for less")


def _check_size(body: bytes) -> None:
    """Raise `ToolError` if the response *body* has more than `MAX_RESPONSE` bytes."""
    if len(body) > MAX_RESPONSE:
        raise _make_size_error()


def _convert_error(error: Exception) -> Exception:
    """Convert a connection error to a `ToolError`; return others unchanged.

    Its text is that of the class, since the address may hold a credential.
    """
    names = {cls.__name__ for cls in type(error).__mro__}
    if "TimeoutException" in names:
        return ToolError("the server did not answer in time; try again later")
    if "TransportError" in names:
        return ToolError(f"the server could not be reached ({type(error).__name__})")
    if "InvalidURL" in names:
        return ToolError("the address of the request is too long, or no address; send less in it")
    return error


def _read_response(given: object) -> Response:
    """Convert *given*, the result of the caller's function, to a response."""
    # A response of httpx, requests or a test client.
    is_ours = isinstance(given, Response)
    content: Any = getattr(given, "body" if is_ours else "content", None)
    status: Any = getattr(given, "status" if is_ours else "status_code", None)
    headers: Any = getattr(given, "headers", {})
    if not is_ours and not hasattr(given, "status_code"):
        raise TypesigError(
            f"send returns a typesig.openapi.Response, or a response of httpx; not "
            f"{type(given).__name__}"
        )
    for name, part, kind, wanted in (
        ("status", status, int, "an int"),
        ("headers", headers, Mapping, "a dict"),
        ("body", content, bytes, "bytes"),
    ):
        if not isinstance(part, kind):
            raise TypesigError(
                f"the {name} of the response that send returned is {wanted}, not "
                f"{type(part).__name__}"
            )
    _check_size(content)
    return Response(status, {str(k): str(v) for k, v in headers.items()}, content)


#: What the caller may give as `send`.
Send = Callable[[Request], Any]
