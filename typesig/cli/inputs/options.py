"""Options that several commands take, with the servers and signatures that they name."""

from __future__ import annotations

import functools
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeVar, assert_never

import click

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.calls.unknown_tools import explain_unknown_tool
from typesig.cli.inputs import data
from typesig.cli.inputs.output import USAGE, is_piped, print_errors, print_text, stop
from typesig.cli.inputs.targets import Functions, join_names
from typesig.errors import TypesigError
from typesig.limits import MAX_NEAR_NAME
from typesig.notations import NOTATIONS, convert, parse, readable
from typesig.notations.texts.notation import NotationName
from typesig.tools.foreign.foreign_texts import strip_invisible
from typesig.tools.toolset import Toolset
from typesig.validation.issues import excerpt
from typesig.validation.issues.suggestions import suggest_closest
from typesig.validation.policy import MODES

if TYPE_CHECKING:
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.policy import ModeName


# --- Options that several commands take ---


class Choice(click.Choice[str]):
    """One of some words; a misspelt one is refused with the closest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return *value*, or refuse it if it is none of the words."""
        if value in self.choices:
            return str(value)
        given, known = str(value), [*map(str, self.choices)]
        near = suggest_closest(given[:MAX_NEAR_NAME], {each: each for each in known})
        text = f"{excerpt.quote_text(given)} is not one of {join_names(known)}"
        raise click.BadParameter(f"{text}; {near}" if near else text, ctx, param)


FROM = click.option(
    "--from",
    "source",
    type=Choice(readable()),
    default="shorthand",
    help="The notation of SIGNATURE.",
)

RESOURCE = click.option(
    "--resource",
    "resources",
    metavar="URI=FILE",
    multiple=True,
    help="A schema that references lead to (json_schema). May be repeated.",
)

TO = click.option(
    "--to",
    "notation",
    type=Choice(list(NOTATIONS)),
    metavar="NOTATION",
    default="shorthand",
    help=f"The notation to write: {join_names(list(NOTATIONS))}; shorthand by default.",
)


def _refuse_jobs(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Refuse a number of processes: an option of earlier versions."""
    if value is not None:
        said = "there is no --jobs any more: leave it out, the result is the same"
        raise click.UsageError(said, ctx)


#: Earlier versions read lines in several processes, which took as long as one.
JOBS = click.option("--jobs", hidden=True, expose_value=False, callback=_refuse_jobs)

PROGRESS = click.option(
    "--progress", is_flag=True, help="Count the values on standard error, as at a terminal."
)

MODE = click.option(
    "--mode",
    type=Choice(list(MODES)),
    help="How strict a check is; enabled, or the tool's own.",
)

_INFERRED = click.option(
    "--inferred", is_flag=True, help="As --all, also without hints: types of docstrings, defaults."
)
_RESULTS = click.option(
    "--results", metavar="CLASS=ATTRIBUTE", multiple=True,
    help="What objects of a class are in results, as Issue=raw. May be repeated.",
)  # fmt: skip


def add_functions(verb: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options for which functions are tools, which a command gets as *functions*.

    *verb* says what a command does with public functions; a command of one function has none.
    """

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(
            *, inferred: bool, results: tuple[str, ...], undecorated: bool = False, **others: Any
        ) -> Any:
            functions = Functions("inferred" if inferred else undecorated, results)
            return command(functions=functions, **others)

        run = _INFERRED(_RESULTS(run))
        if not verb:
            return run
        text = f"{verb} public functions as well as tools."
        return click.option("--all", "undecorated", is_flag=True, help=text)(run)

    return add


# --- The tools of another server, for commands that take `--mcp` ---

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

    async def choose(tools: Toolset) -> Toolset:
        return tools if name is None else tools.select(check_name(tools, name))

    return _with_tools(asked, choose)


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


# --- Signatures that commands read from arguments and files, and types that they write ---


def print_converted(
    x: object,
    notation: NotationName,
    losses: Losses = (),
    options: dict[str, Any] | None = None,
    as_json: bool = False,
) -> None:
    """Print *x*, a signature or a type, in *notation*, and the losses of this and *losses*."""
    result, others = convert(x, notation, **(options or {}))
    if as_json:
        told = [each.to_json() for each in (*losses, *others)]
        print_text(data.write_indented_json({"result": result, "losses": told}))
        return
    print_text(result if isinstance(result, str) else data.write_indented_json(result))
    print_errors(map(str, (*losses, *others)), "lost")


def parse_signature(
    signature: str, source: NotationName, resources: Sequence[str], lossy: bool = False
) -> Signature:
    """Return the signature that *signature* denotes in the notation *source*."""
    options = {"resources": _read_resources(resources)} if resources else {}
    return parse(_read_argument(signature, source), source, lossy=lossy, **options)


def _read_resources(given: Sequence[str]) -> dict[str, Any]:
    """Parse options `URI=FILE`, and return the schema in each file by URI."""
    found = {}
    for each in given:
        uri, sign, file = each.rpartition("=")
        if not sign:
            stop(f"--resource is URI=FILE, not {excerpt.describe_value(each)}")
        found[uri] = data.read_document(file)
    return found


def _read_argument(argument: str, source: NotationName) -> object:
    """Read *argument* as the notation *source* needs it: as text, JSON or a file."""
    given = NOTATIONS[source].given
    match given:
        case "json":
            return data.read_document(argument)
        case "json or text":
            return data.parse_json_or_text(argument)
        case "text":
            return argument
        case _:
            assert_never(given)
