"""The command `serve`: the tools of a target over MCP, over stdio or HTTP."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from typesig.cli.command_completion import complete_modules
from typesig.cli.inputs.options import (
    MODE,
    ServerOptions,
    add_functions,
    add_locked_server_options,
    check_name,
)
from typesig.cli.inputs.output import BAD, print_errors, stop
from typesig.cli.inputs.targets import Functions, find_toolset, load_module, load_object
from typesig.errors import TypesigError
from typesig.limits.network import MAX_STOP_SECONDS
from typesig.mcp.transport.http import Access
from typesig.mcp.transport.lifespans import get_first_error
from typesig.tools.collection import tools_of
from typesig.tools.foreign.foreign_texts import strip_invisible_line
from typesig.tools.toolset import Toolset
from typesig.validation.policy import ModeName

if TYPE_CHECKING:
    from typesig.mcp.serving.server import Server
    from typesig.providers.registry.calls import WireCall


# --- Serving the tools of a target, to one client over stdio or over HTTP ---

#: The variable with the bearer token, unless another is named.
TOKEN = "TYPESIG_MCP_TOKEN"


class ListenOptions(NamedTuple):
    """Address and access rules of a server over HTTP; see `Server.serve_http`."""

    host: str
    port: int
    path: str
    variable: str | None
    hosts: tuple[str, ...]
    origins: tuple[str, ...]


def serve(make: Callable[[], Server], listening: ListenOptions | None) -> None:
    """Serve the server from *make* until it ends, over HTTP if *listening* is set."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="typesig: %(message)s")
    if listening is None:
        with redirect_prints():
            server = make()
        if server.tools:
            # A proxy knows its tools when it is connected; what is wrong with it is told alone.
            _print_address(server, "over standard input and output", _get_own_command())
        _freeze_loaded()
        _run(server, server.serve_stdio)
        return
    # What is wrong with these is told before anything is imported.
    token = _read_token(listening.variable)
    Access(listening.host, token, listening.hosts, listening.origins)
    server = make()

    def print_start(address: str) -> None:
        secured = "" if token is None else ", with a token"
        _print_address(server, f"at {address}{secured}", {"type": "http", "url": address})
        _freeze_loaded()

    _run(
        server,
        lambda: server.serve_http(
            listening.host,
            listening.port,
            path=listening.path,
            token=token,
            hosts=listening.hosts,
            origins=listening.origins,
            on_start=print_start,
        ),
    )


def make_server(
    target: str,
    functions: Functions,
    lifespan: str | None,
    mode: ModeName | None,
    seconds: float | None,
    name: str | None,
    version: str | None,
) -> Server:
    """Make the server for *target*; stop with a message if that is not possible.

    *target* is a module, a class in it, a toolset or a server, *lifespan* `module:name` of the
    lifespan function.
    """
    from typesig.mcp.serving.call_runner import get_required_names
    from typesig.mcp.serving.server import Server, server

    found: Any = load_object(target) if ":" in target else load_module(target)
    if isinstance(found, Server):
        if any((functions, lifespan, mode, seconds, name, version)):
            stop(f"{target} is a server, which says itself how it serves; give no options")
        return found
    if callable(found) and not isinstance(found, type):
        found = [found]
    tools = functions.find_tools(found)
    if not len(tools) and not functions.undecorated:
        if (named := find_toolset(found, target)) is not None:
            stop(f"{target} decorates no tools, but has a toolset; write {named}")
        # What a network can call is said by its owner, so they are not served without being asked.
        stop(f"{target} decorates no tools; --all serves its public functions")
    for warning in tools.omissions:
        print_errors(str(warning))
    if not len(tools):
        stop(f"{target} has no public functions with hints")
    tools = tools_of(tools, mode=mode)
    for finding in tools.project("mcp").check():
        print_errors(str(finding))
    entered = None if lifespan is None else load_object(lifespan)
    name = name or target.rpartition("/")[2].partition(":")[0].removesuffix(".py")
    for one in tools if entered is None else ():
        if missing := get_required_names(one):
            stop(
                f"{one.name} needs {', '.join(missing)} from its host: --lifespan names a function "
                "that yields them"
            )
    return server(tools, name=name, version=version, lifespan=entered, seconds=seconds)


def _freeze_loaded() -> None:
    """Exclude all loaded objects from garbage collection.

    Otherwise it looks through all the modules again after some hundred calls, and the call that
    meets it takes tens of milliseconds longer.  What calls make is collected as always.
    """
    # Only CPython has it.
    getattr(gc, "freeze", gc.isenabled)()


def _read_token(variable: str | None) -> str | None:
    """Read the bearer token from the environment variable *variable*; stop if empty."""
    found = os.environ.get(variable or TOKEN)
    # An empty one is a mistake, as of a command that failed; who wants none does not set it.
    if not found and (variable is not None or found is not None):
        stop(f"the variable {variable or TOKEN} has no token")
    return found


def _print_address(server: Server, where: str, entry: dict[str, Any]) -> None:
    """Print the address of *server*, and its *entry* for the settings of clients."""
    count = f"{len(server.tools)} tool{'' if len(server.tools) == 1 else 's'}"
    settings = json.dumps({"mcpServers": {server.lowlevel.name: entry}}, ensure_ascii=False)
    print_errors(f"{count} {where}; in the settings of a client: {settings}")


def _get_own_command() -> dict[str, Any]:
    """Command that starts this process again."""
    program, *arguments = sys.argv
    if program.endswith(".py"):
        # It was python -m typesig.
        return {"command": sys.executable, "args": ["-m", "typesig", *arguments]}
    return {"command": os.path.abspath(program), "args": arguments}


@contextmanager
def redirect_prints() -> Iterator[None]:
    """Redirect standard output to standard error, for other processes too.

    Standard output carries frames, and a module that is imported may print.
    """
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:
        # There is no standard output.
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _run(server: Server, serving: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run *serving* to its end, and end the process even if calls of tools do not end."""
    # Who ends a server may send either signal; both close what the lifespan function has opened.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    loop = asyncio.new_event_loop()
    task = loop.create_task(serving())
    try:
        loop.run_until_complete(task)
        if unended := server.calls.unfinished_count:
            one, several = "1 call did not end, and is", f"{unended} calls did not end, and are"
            print_errors(f"typesig: {one if unended == 1 else several} left")
            _leave(BAD)
        loop.run_until_complete(loop.shutdown_asyncgens())
    except KeyboardInterrupt:
        task.cancel()
        loop.run_until_complete(_wait_until_closed(server, task))
        # A thread waits for standard input, and Python would wait for the thread.
        _leave(130)
    finally:
        loop.close()


async def _wait_until_closed(server: Server, task: asyncio.Task[None]) -> None:
    """Wait until *server* is closed, or for some seconds."""
    # A proxy ends another server, which may have to be killed.
    deadline = asyncio.get_running_loop().time() + 5 * MAX_STOP_SECONDS
    while server.is_running and asyncio.get_running_loop().time() < deadline:
        await asyncio.wait([task], timeout=0.05)


def _leave(status: int) -> NoReturn:
    """End the process at once with *status*, even if threads still run."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


# --- The command `typesig serve` ---


@click.command("serve")
@click.argument("target", required=False, shell_complete=complete_modules)
@add_locked_server_options
@click.option(
    "--select", "names", metavar="NAME", multiple=True,
    help="With --mcp: serve only this tool. May be repeated.",
)  # fmt: skip
@click.option("--prefix", default="", help="With --mcp: what is put before the name of each tool.")
@click.option(
    "--tools-only", is_flag=True,
    help="With --mcp: do not pass on resources and prompts; --select does not either.",
)  # fmt: skip
@click.option("--http", is_flag=True, help="Serve over HTTP, not over standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="The port to listen at; 0 is any free one.",
)  # fmt: skip
@click.option("--path", default="/mcp", show_default=True, help="The path of the address.")
@click.option(
    "--token-env", "variable", metavar="NAME",
    help="The variable with the bearer token; without, TYPESIG_MCP_TOKEN if it is set.",
)  # fmt: skip
@click.option(
    "--allow-host", "hosts", metavar="NAME", multiple=True,
    help="Another name of the server. May be repeated.",
)  # fmt: skip
@click.option(
    "--allow-origin", "origins", metavar="ORIGIN", multiple=True,
    help="Web pages that may ask, as https://example.org. May be repeated.",
)  # fmt: skip
@click.option(
    "--lifespan", metavar="TARGET",
    help="The function that yields injected parameters, as module:name.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), metavar="N",
    help="Cancel a call that takes longer.",
)  # fmt: skip
@click.option(
    "--name", "called", metavar="NAME",
    help="The name that clients are told; without, that of the module or of the other server.",
)  # fmt: skip
@click.option(
    "--server-version", "version", metavar="TEXT",
    help="The version that clients are told; without, that of the package or of the other server.",
)  # fmt: skip
@MODE
@add_functions("Serve")
def serve_(
    target: str | None,
    asked: ServerOptions | None,
    names: tuple[str, ...],
    prefix: str,
    tools_only: bool,
    http: bool,
    lifespan: str | None,
    seconds: float | None,
    called: str | None,
    version: str | None,
    mode: ModeName | None,
    functions: Functions,
    **where: Any,
) -> None:
    """Serve the tools of TARGET over MCP, to one client or over HTTP.

    TARGET is a module or the path of a file, or module:name for a class, a function, a toolset, or
    a server that `typesig.mcp.server` made.  Without --http, the client is the program that started
    the command, and talks to it over standard input and output; what tools print goes to standard
    error.  Over HTTP, another address than the loopback one needs a token.
    With --mcp, the tools of another server are served, checked and mended by the mode.
    """
    given = click.get_current_context().get_parameter_source
    default = click.core.ParameterSource.DEFAULT
    if not http and any(given(name) is not default for name in where):
        raise TypesigError("--host, --port, --path, --token-env and --allow-… need --http")
    if (target is None) is (asked is None):
        raise TypesigError("serve takes a target, or --mcp with a server")
    listening = ListenOptions(**where) if http else None
    if asked is not None:
        if functions or lifespan is not None:
            wrong = "--all, --inferred, --results and --lifespan"
            raise TypesigError(f"{wrong} are for a target, not for --mcp")
        about = {"mode": mode, "seconds": seconds, "name": called, "version": version}
        serve_proxy(partial(make_proxy, asked, names, prefix, tools_only, **about), listening)
        return
    if names or prefix or tools_only:
        raise TypesigError("--select, --prefix and --tools-only need --mcp")
    assert target is not None
    options = functions, lifespan, mode, seconds, called, version
    serve(partial(make_server, target, *options), listening)


class _ToolSelector:
    """Filter for the tools to serve, which raises for a missing name at first."""

    def __init__(self, names: tuple[str, ...], prefix: str) -> None:
        self._names, self._prefix = names, prefix
        self._is_first = True

    def __call__(self, tools: Toolset) -> Toolset:
        """Return those of *tools* that are served; raise `TypesigError` for an unknown name.

        What is refused later is told with the warnings of the tools.
        """
        missing = [name for name in self._names if name not in tools.names]
        for name in missing:
            if self._is_first:
                check_name(tools, name)
            if name not in tools.refused:
                print_errors(
                    f"{strip_invisible_line(name)}: the other server has this tool no longer"
                )
        self._is_first = False
        names = [name for name in self._names if name not in missing]
        found = tools.select(*names) if self._names else tools
        return found.prefixed(self._prefix) if self._prefix else found


def make_proxy(
    asked: ServerOptions, names: tuple[str, ...], prefix: str, tools_only: bool, **about: Any
) -> Server:
    """Server that connects to the server *asked* when it runs, and serves its tools.

    These are those called *names*, or all, with *prefix* before each name.
    """
    from typesig.mcp.proxy_server import proxy

    return proxy(
        asked.server,
        choose=_ToolSelector(names, prefix),
        # Who names tools wants nothing else of the server.
        tools_only=tools_only or bool(names),
        on_exception=_describe_error,
        **about,
        **asked.get_connect_options(),
    )


def _describe_error(error: BaseException, call: WireCall) -> str:
    """Write the message for a model about *error* of the upstream server."""
    print_errors(
        f"{strip_invisible_line(call.name)}: the other server failed: "
        f"{strip_invisible_line(str(error))}"
    )
    return f"{call.name} cannot be called: its server failed; use another tool"


def serve_proxy(make: Callable[[], Server], listening: ListenOptions | None) -> None:
    """Serve the proxy from *make*; stop with a message if the connection fails."""
    try:
        serve(make, listening)
    except BaseExceptionGroup as group:
        # The tasks of a server put what its lifespan function raises into a group.
        ours, others = group.split(TypesigError)
        if ours is None or others is not None:
            raise
        stop(str(get_first_error(ours)))
