"""The command `serve`: the tools of a target over MCP, to one client over stdio or over HTTP."""

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
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from typesig.cli.inputs.functions import Functions
from typesig.cli.inputs.output import BAD, print_errors, stop
from typesig.cli.inputs.targets import find_toolset, load_module, load_object
from typesig.limits.network import MAX_STOP_SECONDS
from typesig.mcp.transport.http import Access
from typesig.tools.collection import tools_of
from typesig.validation.rows.policy import ModeName

if TYPE_CHECKING:
    from typesig.mcp.serving.server import Server

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


class ServeOptions(NamedTuple):
    """Options of `typesig serve`.

    #: target: a module, a class in it, a toolset or a server; functions: which of its functions
    #: lifespan: `module:name` of the lifespan function, or None
    #: name, version: what clients are told, or None for those of the module
    """

    target: str
    functions: Functions
    lifespan: str | None
    mode: ModeName | None
    seconds: float | None
    name: str | None = None
    version: str | None = None


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

    def started(address: str) -> None:
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
            on_start=started,
        ),
    )


def make_server(asked: ServeOptions) -> Server:
    """Make the server for *asked*; stop with a message if that is not possible."""
    from typesig.mcp.serving.call_runner import get_required_names
    from typesig.mcp.serving.server import Server, server

    found: Any = load_object(asked.target) if ":" in asked.target else load_module(asked.target)
    if isinstance(found, Server):
        if any(asked[1:]):
            stop(f"{asked.target} is a server, which says itself how it serves; give no options")
        return found
    if callable(found) and not isinstance(found, type):
        found = [found]
    tools = asked.functions.find_tools(found)
    if not len(tools) and not asked.functions.undecorated:
        if (named := find_toolset(found, asked.target)) is not None:
            stop(f"{asked.target} decorates no tools, but has a toolset; write {named}")
        # What a network can call is said by its owner, so they are not served without being asked.
        stop(f"{asked.target} decorates no tools; --all serves its public functions")
    for warning in tools.omissions:
        print_errors(str(warning))
    if not len(tools):
        stop(f"{asked.target} has no public functions with hints")
    tools = tools_of(tools, mode=asked.mode)
    for finding in tools.project("mcp").check():
        print_errors(str(finding))
    lifespan = None if asked.lifespan is None else load_object(asked.lifespan)
    name = asked.target.rpartition("/")[2].partition(":")[0].removesuffix(".py")
    for one in tools if lifespan is None else ():
        if missing := get_required_names(one):
            stop(
                f"{one.name} needs {', '.join(missing)} from its host: --lifespan names a function "
                "that yields them"
            )
    return server(
        tools,
        name=asked.name or name,
        version=asked.version,
        lifespan=lifespan,
        seconds=asked.seconds,
    )


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
