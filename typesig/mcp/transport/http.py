"""Serving over HTTP: access control, size limits and time limits."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from typesig.errors import TypesigError, format_value
from typesig.limits.network import (
    MAX_BODY,
    MAX_BODY_SECONDS,
    MAX_IDLE_SECONDS,
    MAX_SESSIONS,
    MAX_STOP_SECONDS,
    MIN_TOKEN,
)
from typesig.mcp.transport.connections import Sessions, make_limited_protocol
from typesig.mcp.transport.frames import find_refusal
from typesig.mcp.transport.json_answers import answer_with_json
from typesig.mcp.transport.lifespans import unwrap_group
from typesig.mcp.transport.sdk import import_sdk

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as SdkServer

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

#: The names of this machine that only it knows itself by.
_LOOPBACK = ("127.0.0.1", "localhost", "::1")

#: The schemes of pages, and the ports that browsers do not write.
_PORTS = {"http": 80, "https": 443}


class Access:
    """Access rules for a server that listens at *host*.

    With *token*, whoever has it; further names of the server are *hosts*, and web pages whose
    scripts may ask are those of *origins*.  Raises `TypesigError` for a host that needs a token.
    """

    __slots__ = ("_hosts", "_origins", "_token")

    def __init__(
        self, host: str, token: str | None, hosts: tuple[str, ...], origins: tuple[str, ...]
    ) -> None:
        is_open = not is_loopback(host)
        if token is None and is_open:
            raise TypesigError(
                f"{host} can be reached from other machines, so clients need a token: give one, or "
                "listen at 127.0.0.1"
            )
        if token is None and hosts:
            raise TypesigError(
                f"a server with the name {hosts[0]} can be reached from elsewhere, so clients need "
                "a token"
            )
        if token is not None:
            _check_token(token)
        self._token = None if token is None else token.encode()
        # Whoever has the token is no web page that took the name of this machine for its own.
        is_any = is_open and host in ("0.0.0.0", "::", "") and not hosts
        named = {_check_host(each) for each in hosts}
        self._hosts = None if is_any else {_read_host_name(host), *named, *_LOOPBACK}
        self._origins = {_check_origin(each) for each in origins}

    def check_headers(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        """Status and reason to refuse a request with *headers*, or None to accept it."""
        sent: dict[bytes, list[str]] = {b"host": [], b"origin": [], b"authorization": []}
        for key, value in headers:
            if (values := sent.get(key.lower())) is not None:
                values.append(value.decode("latin-1"))
        hosts, origins, tokens = sent.values()
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            return 421, "this server does not go by that name"
        if any(not self._may_ask(origin) for origin in origins):
            return 403, "pages of that origin may not ask this server"
        if self._token is not None and not self._has_token(tokens):
            return 401, "this server wants a bearer token"
        return None

    def _is_own(self, host: str) -> bool:
        """Whether the `Host` header *host* is a name of this server."""
        name = _read_host_name(host)
        return bool(name) and (self._hosts is None or name in self._hosts)

    def _may_ask(self, origin: str) -> bool:
        """Whether pages of the `Origin` header *origin* may send requests."""
        parts = _parse_origin(origin)
        if parts is None:
            return False
        is_local = parts[0] in _PORTS and parts[1] in _LOOPBACK
        # Another port of this machine is trusted as far as another program on it is.
        return parts in self._origins or (is_local and self._is_own(parts[1]))

    def _has_token(self, sent: list[str]) -> bool:
        """Whether *sent*, the `Authorization` headers, is the single correct token."""
        scheme, _, token = sent[0].partition(" ") if len(sent) == 1 else ("", "", "")
        if scheme.lower() != "bearer" or self._token is None:
            return False
        return hmac.compare_digest(token.strip().encode("utf-8", "replace"), self._token)


def _check_token(token: object) -> None:
    """Raise `TypesigError` unless *token* is a long enough bearer token in ASCII."""
    if not isinstance(token, str):
        raise TypesigError(f"token is text, not {type(token).__name__}")
    if len(token) < MIN_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise TypesigError(
            f"a token has at least {MIN_TOKEN} characters of ASCII and no blanks; for example, the "
            'output of python -c "import secrets; print(secrets.token_urlsafe())"'
        )


def is_loopback(host: str) -> bool:
    """Whether *host* is reachable from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@lru_cache(maxsize=16)
def _read_host_name(host: str) -> str:
    """Extract the host name from the `Host` header *host*; empty if it is invalid."""
    try:
        # An address of the sixth version has brackets where a port follows.
        bare = host if host.count(":") < 2 or host.startswith("[") else f"[{host}]"
        parts = urlsplit(f"//{bare}")
        _ = parts.port
    except ValueError:
        return ""
    is_plain = parts.netloc == bare and "@" not in bare
    name = parts.hostname or ""
    # What follows the brackets is a port or nothing.
    rest = bare.rpartition("]")[2] if "]" in bare else ""
    return name if is_plain and (not rest or rest.startswith(":")) else ""


def _check_host(host: str) -> str:
    """Return the host name in the setting *host*; raise `TypesigError` if it is invalid."""
    found = _read_host_name(host)
    if not found or "*" in found:
        raise TypesigError(
            f"{format_value(host)} is no name of a server: write it without a scheme and a "
            "path, as "
            "tools.example.org; there is no sign for all"
        )
    return found


def _parse_origin(origin: str) -> tuple[str, str, int | None] | None:
    """Split the web *origin* into scheme, name and port; None if it is invalid.

    A page without an origin, as in a sandbox, sends `null`.
    """
    scheme, sign, rest = origin.partition("://")
    # As browsers send it: nothing but a name and a port.
    if not sign or any(c in "/?#@\\" or c.isspace() for c in rest):
        return None
    name, scheme = _read_host_name(rest), scheme.lower()
    if not name or (":" in name and not rest.startswith("[")):
        return None
    port = urlsplit(f"//{rest}").port
    return scheme, name, _PORTS.get(scheme) if port is None else port


def _check_origin(origin: str) -> tuple[str, str, int | None]:
    """Parse the allowed *origin* of web pages; raise `TypesigError` if it is invalid."""
    found = _parse_origin(origin.removesuffix("/"))
    if found is None:
        raise TypesigError(
            f"{format_value(origin)} is no origin of web pages: write its scheme and its name, as "
            "https://example.org; there is no sign for all"
        )
    return found


class App:
    """An ASGI application that serves MCP over HTTP; it needs lifespan events."""

    __slots__ = ("_access", "_app", "_path", "_sessions")

    def __init__(self, lowlevel: SdkServer[Any], path: str, access: Access) -> None:
        if not path.startswith("/"):
            raise TypesigError(f"path begins with a slash, as /mcp does, not {path!r}")
        self._access = access
        self._path = path
        security = import_sdk("mcp.server.transport_security")
        self._app: Any = lowlevel.streamable_http_app(
            streamable_http_path=path,
            max_request_body_size=MAX_BODY,
            session_idle_timeout=MAX_IDLE_SECONDS,
            # That application refuses a further one; here, an unused one ends for it.
            max_sessions=2 * MAX_SESSIONS,
            # This application has refused before what that would.
            transport_security=security.TransportSecuritySettings(
                enable_dns_rebinding_protection=False
            ),
        )
        answer_with_json(lowlevel.session_manager)
        self._sessions: Any = Sessions(lowlevel.session_manager.handle_request)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve one request, or the events of the lifespan."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            # MCP has no use for web sockets, which could be opened by any page.
            await send({"type": "websocket.close", "code": 1008})
        elif (refused := self._access.check_headers(scope["headers"])) is not None:
            await _refuse(send, *refused)
        else:
            # That application has one path, and each message would pass through its layers.
            is_path = scope["path"] == self._path and not scope.get("root_path")
            app = self._sessions if is_path else self._app
            await _Exchange(receive, send).run(app, scope)


class _Exchange:
    """An HTTP request with its response; a late or invalid body is refused.

    After a response of its own, nothing that the application sends goes out.
    """

    __slots__ = ("_deadline", "_is_late", "_is_whole", "_parts", "_receive", "_send")

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._deadline = asyncio.get_running_loop().time() + MAX_BODY_SECONDS
        self._is_whole = False
        self._is_late = False
        self._parts: list[bytes] = []

    async def run(self, app: Any, scope: Any) -> None:
        """Run the ASGI *app*; simulate a disconnect if the request body is late."""
        try:
            await app(scope, self.receive, self.send)
        except Exception:
            if not self._is_late:
                raise

    def send(self, message: Message) -> Awaitable[None]:
        """Send *message* to the client, unless a late body was refused before."""
        return _send_nothing() if self._is_late else self._send(message)

    def receive(self) -> Awaitable[Message]:
        """Receive the next ASGI message; enforce the deadline of the request body."""
        return self._receive() if self._is_whole else self._receive_in_time()

    async def _receive_in_time(self) -> Message:
        """Receive and check a chunk of the request body, within its deadline."""
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            self._is_whole = self._is_late = True
            await _refuse(self._send, 408, "the body did not arrive in time")
            return {"type": "http.disconnect"}
        self._is_whole = not message.get("more_body", False)
        self._parts.append(message.get("body", b""))
        if self._is_whole:
            text, self._parts = b"".join(self._parts).decode("utf-8", "replace"), []
            answer = find_refusal(text)
            if answer is not None:
                self._is_late = True
                await _refuse(self._send, 400, json.dumps(answer), b"application/json")
                return {"type": "http.disconnect"}
        return message


async def _send_nothing() -> None:
    """Do nothing, in place of sending a message after a refusal."""


async def _refuse(
    send: Send, status: int, reason: str, kind: bytes = b"text/plain; charset=utf-8"
) -> None:
    """Send a response with *status* and the text *reason*; *kind* is its content type."""
    headers = [(b"content-type", kind), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": reason.encode()})


async def serve(
    lowlevel: SdkServer[Any],
    host: str,
    port: int,
    path: str,
    access: Access,
    on_start: Callable[[str], None] | None,
) -> None:
    """Serve *lowlevel* at *host* and *port* until a signal ends it."""
    uvicorn = import_sdk("uvicorn")
    app = App(lowlevel, path, access)
    listening = _open_socket(host, port)
    name, bound = listening.getsockname()[:2]
    shown = f"[{name}]" if ":" in name else name
    told = on_start or (lambda address: None)
    streams = import_sdk("sse_starlette.sse")

    class AnnouncingServer(uvicorn.Server):  # type: ignore[misc,name-defined]
        async def startup(self, sockets: Any = None) -> None:
            # A signal that ended an earlier server of this process is kept there, and would end
            # every stream of this one as it begins.
            streams.AppStatus.should_exit = False
            await super().startup(sockets=sockets)
            told(f"http://{shown}:{bound}{path}")

    config = uvicorn.Config(
        app,
        lifespan="off",
        log_level="warning",
        # It is not written at that level, but would be made for each request.
        access_log=False,
        # Idle connections, and those beyond the limits, do not keep others out.
        timeout_keep_alive=MAX_BODY_SECONDS,
        timeout_graceful_shutdown=MAX_STOP_SECONDS,
        server_header=False,
        ws="none",
    )
    config.load()
    config.http_protocol_class = make_limited_protocol(config.http_protocol_class)
    with listening:
        try:
            # Entered here, so that what the lifespan function raises reaches the caller.
            async with lowlevel.session_manager.run():
                await AnnouncingServer(config).serve(sockets=[listening])
        except BaseExceptionGroup as group:
            # A signal, for one, which uvicorn raises again at its end.
            raise unwrap_group(group) from None


def _open_socket(host: str, port: int) -> socket.socket:
    """Open a socket bound to *host* and *port*."""
    if not 0 <= port < 65536:
        raise TypesigError(f"a port is a number from 0 to 65535, not {port!r}")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        made = socket.socket(family, kind, protocol)
    except OSError as error:
        raise TypesigError(f"{host} is not an address of this machine: {error.strerror}") from None
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.set_inheritable(True)
    except OSError as error:
        made.close()
        raise TypesigError(f"cannot listen at {host}:{port}: {error.strerror}") from None
    return made
