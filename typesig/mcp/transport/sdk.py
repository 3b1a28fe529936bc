"""The official SDK, an optional dependency that is imported on first use, and its private parts.

What is private and has no public counterpart is used only through this module.  A test names the
versions that this was tested with; the extra `mcp` excludes the next major one.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, TypeAlias

from typesig.lazy_imports import import_extra

if TYPE_CHECKING:
    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext


def import_sdk(module: str = "mcp") -> Any:
    """Import *module* of the SDK; raise `TypesigError` with the extra if it is missing."""
    return import_extra(module, "mcp", "typesig.mcp")


@cache
def get_object_adapter() -> Any:
    """Pydantic adapter for any JSON object; cached, since building one is slow."""
    return import_sdk("pydantic").TypeAdapter(dict[str, Any])


def get_connection(context: ServerRequestContext[Any, Any]) -> Connection:
    """Return the client connection of *context*, for notifications after the request.

    Public names reach it only while a request runs.
    """
    made: Connection = context.session._connection
    return made


async def start_process(asked: Any, errlog: TextIO) -> Any:
    """Start the server process with the parameters *asked*, on any platform."""
    stdio = import_sdk("mcp.client.stdio")
    return await stdio._create_platform_compatible_process(
        command=await stdio._get_executable_command(asked.command),
        args=asked.args,
        env=stdio.get_default_environment() | (asked.env or {}),
        errlog=errlog,
        cwd=asked.cwd,
    )


async def stop_process(process: Any) -> None:
    """Stop *process*, gracefully first, and its child processes."""
    stdio = import_sdk("mcp.client.stdio")
    await stdio._stop_server_process(process)
    # One that ends by itself may leave others.
    await stdio._terminate_process_tree(process)


@contextmanager
def claim_stdin() -> Iterator[BinaryIO]:
    """Yield standard input as a binary file; hide it from the rest of the process."""
    with _claim(0, sys.stdin, "rb", import_sdk("mcp.server.stdio")._open_stdin_diversion) as source:
        yield source


@contextmanager
def claim_stdout() -> Iterator[BinaryIO]:
    """Yield standard output as a binary file; hide it from the rest of the process."""
    with _claim(1, sys.stdout, "wb", import_sdk("mcp.server.stdio")._open_stdout_diversion) as sink:
        yield sink


@contextmanager
def _claim(number: int, *stream: Any) -> Iterator[BinaryIO]:
    """Yield the file descriptor *number* as a binary file reserved for the SDK."""
    claimed, restore = import_sdk("mcp.server.stdio")._claim_fd(number, *stream)
    try:
        yield claimed
    finally:
        if restore is not None:
            restore()


#: Answers a POST of a session over HTTP: takes the scope, the request, `receive` and `send`.
PostHandler: TypeAlias = Callable[[Any, Any, Any, Any], Awaitable[None]]


def replace_post_handler(manager: Any, handler: Callable[..., Awaitable[None]]) -> None:
    """Let *handler* answer the POSTs of the sessions that the session *manager* admits.

    It also takes the transport of the session, and the handler that it replaces.
    """
    admit = manager._admit_session

    def admit_session(asking: Any) -> Any:
        transport = admit(asking)
        if transport is not None:
            usual: PostHandler = transport._handle_post_request
            transport._handle_post_request = partial(handler, transport, usual)
        return transport

    manager._admit_session = admit_session


class PostedRequest:
    """A request over HTTP, in the session of *transport*, that has the id *name*.

    #: reader: receives the messages that answer it; session: the id of the session
    """

    __slots__ = ("_name", "_transport", "reader", "session")

    def __init__(self, transport: Any, name: str) -> None:
        self._transport = transport
        self._name = name
        streams = import_sdk("anyio").create_memory_object_stream(_BUFFER)
        transport._request_streams[name] = streams
        self.reader: Any = streams[1]
        self.session: str = transport.mcp_session_id

    async def start(self, message: Any, request: Any) -> None:
        """Hand *message*, read from the HTTP *request*, to the session."""
        version = request.headers.get("mcp-protocol-version", "")
        sent = self._transport._create_session_message(message, request, self._name, version)
        await self._transport._read_stream_writer.send(sent)

    async def end(self) -> None:
        """Forget the request; what would still answer it is dropped."""
        await self._transport._clean_up_memory_streams(self._name)

    def make_error(self, text: str, status: int) -> Any:
        """Build the ASGI response with an error of the protocol."""
        return self._transport._create_error_response(text, status)

    async def write_events(self, writer: Any, first: Any) -> None:
        """Write *first*, unless it is None, and what *reader* receives to *writer* as events."""
        transport = self._transport
        transport._sse_stream_writers[self._name] = writer
        begun = None if first is None else transport._create_event_data(first)
        await transport._run_sse_writer(self._name, writer, self.reader, begun)


#: The messages of one call that wait for a client that reads slowly.
_BUFFER = 16
