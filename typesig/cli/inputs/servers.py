"""The tools of another server, for commands that take `--mcp`."""

from __future__ import annotations

import functools
import os
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeVar

import click

from typesig.calls.unknown_tools import explain_unknown_tool
from typesig.cli.inputs.output import USAGE, is_piped, print_errors, print_text, stop
from typesig.errors import TypesigError
from typesig.tools.foreign.foreign_texts import strip_invisible
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.rows.policy import ModeName

T = TypeVar("T")

#: How many of the last lines that a server wrote are shown if it cannot be used.
_LINES = 10


class ServerOptions(NamedTuple):
    """Options for connecting to an MCP server.

    #: server: a command or an address; names: environment variables for a command, `NAME` or
    #:     `NAME=VALUE`; token: the environment variable with the bearer token for an address
    #: timeout: the seconds that an answer may take
    #: lock: the path of the lock that the tools are held to
    """

    server: str
    names: tuple[str, ...] = ()
    token: str | None = None
    timeout: float | None = None
    lock: str | None = None

    def get_connect_options(self) -> dict[str, Any]:
        """Return the options of `connect`; stop if a variable is not set."""
        found: dict[str, Any] = {} if self.timeout is None else {"timeout": self.timeout}
        if self.lock is not None:
            found["lock"] = self.lock
        if self.names:
            found["env"] = dict(map(_read_variable, self.names))
        if self.token is not None:
            name, value = _read_variable(self.token)
            if not value or not value.isascii() or not value.isprintable() or " " in value:
                # Its value is not told.
                stop(
                    f"the environment variable {strip_invisible(name)} has no token of plain ASCII"
                )
            found["headers"] = {"Authorization": f"Bearer {value}"}
        return found


_MCP = click.option(
    "--mcp", "mcp", metavar="COMMAND|URL",
    help="Take the tools of the MCP server that COMMAND starts, or that is at URL.",
)  # fmt: skip
_ENV = click.option(
    "--env", "variables", metavar="NAME[=VALUE]", multiple=True,
    help="With --mcp: an environment variable that COMMAND gets. May be repeated.",
)  # fmt: skip
_TOKEN = click.option(
    "--mcp-token-env", "token", metavar="NAME",
    help="With --mcp: the environment variable with the bearer token that URL gets.",
)  # fmt: skip
_TIMEOUT = click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
    help="With --mcp: how long the server may take for an answer (60).",
)  # fmt: skip
_LOCK = click.option(
    "--lock", "lock", metavar="FILE",
    help="With --mcp: the lock that the tools are held to; the first use writes it.",
)  # fmt: skip


def add_server_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a server to *command*, passed as `asked`."""

    @functools.wraps(command)
    def run(
        *args: Any,
        mcp: str | None,
        variables: tuple[str, ...],
        token: str | None,
        timeout: float | None,
        lock: str | None = None,
        **kwargs: Any,
    ) -> Any:
        if mcp is None and lock is not None:
            raise TypesigError("--lock is for the tools of others: it needs --mcp")
        if mcp is None and (variables or token or timeout):
            raise TypesigError("--env, --mcp-token-env and --timeout need --mcp")
        asked = None if mcp is None else ServerOptions(mcp, variables, token, timeout, lock)
        return command(*args, asked=asked, **kwargs)

    return _MCP(_ENV(_TOKEN(_TIMEOUT(run))))


def add_locked_server_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of an MCP server and a lock of its tools to *command*."""
    return add_server_options(_LOCK(command))


def _read_variable(given: str) -> tuple[str, str]:
    """Parse `NAME=VALUE`, or read the environment variable `NAME`; stop if unset."""
    name, sign, value = given.partition("=")
    if not sign and name not in os.environ:
        stop(f"the environment variable {strip_invisible(name)} is not set")
    return name, value if sign else os.environ[name]


def read_toolset(asked: ServerOptions, name: str | None = None) -> Toolset:
    """List the tools of an MCP server, or only the tool *name*.

    They cannot be called: the connection has ended.
    """

    async def chosen(tools: Toolset) -> Toolset:
        return tools if name is None else tools.select(check_name(tools, name))

    return _with_tools(asked, chosen)


def check_name(tools: Toolset, name: str) -> str:
    """Return *name*; raise `TypesigError` if *tools* lacks that tool or refused it."""
    if name not in tools and name not in tools.refused:
        raise TypesigError(explain_unknown_tool(name, tools.names))
    return tools[name].name


def call_tool(
    asked: ServerOptions, name: str, arguments: str | bytes, mode: ModeName | None
) -> Outcome[Any]:
    """Call the tool *name* of an MCP server; stop if the server is unusable."""

    async def call(tools: Toolset) -> Outcome[Any]:
        if name in tools.refused:
            check_name(tools, name)
        return await tools.acall(name, arguments, mode=mode)

    return _with_tools(asked, call)


def _with_tools(asked: ServerOptions, use: Callable[[Toolset], Awaitable[T]]) -> T:
    """Call *use* with the tools of an MCP server; stop the command if it fails."""
    # Other commands do without these.
    import asyncio
    import tempfile

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        options = asked.get_connect_options()
        try:
            return asyncio.run(_connect(asked.server, options, use, errors))
        except TypesigError as error:
            print_errors(_get_last_lines(errors))
            stop(str(error), USAGE)


async def _connect(
    server: str, options: dict[str, Any], use: Callable[[Toolset], Awaitable[T]], errors: TextIO
) -> T:
    """Connect to the MCP *server*, call *use* with its tools, and return the result."""
    from typesig.mcp.client.connection import connect
    from typesig.mcp.client.tool_list import tools_from
    from typesig.mcp.transport.sdk import import_sdk

    error_of_protocol = import_sdk().MCPError
    async with connect(server, errlog=errors, **options) as session:
        try:
            return await use(await tools_from(session))
        except error_of_protocol as error:
            raise TypesigError(f"the server failed: {strip_invisible(str(error))}") from error


def _get_last_lines(errors: TextIO) -> Iterable[str]:
    """Return the last lines of the server's error output, without control characters."""
    # Its process wrote to the file, and not this one.
    errors.seek(0)
    lines = [strip_invisible(line.rstrip("\n")) for line in errors]
    return [f"server: {line}" for line in lines[-_LINES:]]


def print_foreign(text: str) -> None:
    """Print *text* of a server, without invisible characters on a terminal."""
    print_text(text if is_piped() else strip_invisible(text))
