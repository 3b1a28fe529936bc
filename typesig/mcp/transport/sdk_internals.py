"""Private parts of the SDK without a public counterpart, used only through this module.

A test names the versions that this was tested with; the extra `mcp` excludes the next major one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from typesig.mcp.transport.sdk import import_sdk

if TYPE_CHECKING:
    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext


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
