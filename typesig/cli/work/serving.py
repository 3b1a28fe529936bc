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
from typesig.cli.inputs.output import BAD, complain, stop
from typesig.cli.inputs.targets import module_of, object_of, toolset_in
from typesig.mcp.transport.http import Access
from typesig.network_limits import MAX_STOP_SECONDS
from typesig.tools.collecting import tools_of
from typesig.validation.rows.policy import ModeName

if TYPE_CHECKING:
    from typesig.mcp.serving.serving import Server

#: The variable with the bearer token, unless another is named.
TOKEN = "TYPESIG_MCP_TOKEN"


class Listening(NamedTuple):
    """Where and to whom a server over HTTP listens; see `Server.serve_http`."""

    host: str
    port: int
    path: str
    variable: str | None
    hosts: tuple[str, ...]
    origins: tuple[str, ...]


class Asked(NamedTuple):
    """What is asked to be served.

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


def serve(make: Callable[[], Server], listening: Listening | None) -> None:
    """Serve what *make* returns, over HTTP if *listening* says where, until it ends."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="typesig: %(message)s")
    if listening is None:
        with printing_to_stderr():
            server = make()
        if server.tools:
            # A proxy knows its tools when it is connected; what is wrong with it is told alone.
            _tell(server, "over standard input and output", _started_by())
        _keep_loaded()
        _run(server, server.serve_stdio)
        return
    # What is wrong with these is told before anything is imported.
    token = _token(listening.variable)
    Access(listening.host, token, listening.hosts, listening.origins)
    server = make()

    def started(address: str) -> None:
        secured = "" if token is None else ", with a token"
        _tell(server, f"at {address}{secured}", {"type": "http", "url": address})
        _keep_loaded()

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


def server_of(asked: Asked) -> Server:
    """Return the server of what is *asked*; stop with a message if there is none."""
    from typesig.mcp.serving.calling import lacking
    from typesig.mcp.serving.serving import Server, server

    found: Any = object_of(asked.target) if ":" in asked.target else module_of(asked.target)
    if isinstance(found, Server):
        if any(asked[1:]):
            stop(f"{asked.target} is a server, which says itself how it serves; give no options")
        return found
    if callable(found) and not isinstance(found, type):
        found = [found]
    tools = asked.functions.find_tools(found)
    if not len(tools) and not asked.functions.undecorated:
        if (named := toolset_in(found, asked.target)) is not None:
            stop(f"{asked.target} decorates no tools, but has a toolset; write {named}")
        # What a network can call is said by its owner, so they are not served without being asked.
        stop(f"{asked.target} decorates no tools; --all serves its public functions")
    for warning in tools.omissions:
        complain(str(warning))
    if not len(tools):
        stop(f"{asked.target} has no public functions with hints")
    tools = tools_of(tools, mode=asked.mode)
    for finding in tools.project("mcp").check():
        complain(str(finding))
    lifespan = None if asked.lifespan is None else object_of(asked.lifespan)
    name = asked.target.rpartition("/")[2].partition(":")[0].removesuffix(".py")
    for one in tools if lifespan is None else ():
        if missing := lacking(one):
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


def _keep_loaded() -> None:
    """Tell the garbage collector that all that is there stays.

    Otherwise it looks through all the modules again after some hundred calls, and the call that
    meets it takes tens of milliseconds longer.  What calls make is collected as always.
    """
    # Only CPython has it.
    getattr(gc, "freeze", gc.isenabled)()


def _token(variable: str | None) -> str | None:
    """Return the token in *variable* of the environment, which is there if it is named or set."""
    found = os.environ.get(variable or TOKEN)
    # An empty one is a mistake, as of a command that failed; who wants none does not set it.
    if not found and (variable is not None or found is not None):
        stop(f"the variable {variable or TOKEN} has no token")
    return found


def _tell(server: Server, where: str, entry: dict[str, Any]) -> None:
    """Print where *server* listens, and the *entry* by which the settings of clients name it."""
    count = f"{len(server.tools)} tool{'' if len(server.tools) == 1 else 's'}"
    settings = json.dumps({"mcpServers": {server.lowlevel.name: entry}}, ensure_ascii=False)
    complain(f"{count} {where}; in the settings of a client: {settings}")


def _started_by() -> dict[str, Any]:
    """Return the command that a client starts this server with: that of this process."""
    program, *arguments = sys.argv
    if program.endswith(".py"):
        # It was python -m typesig.
        return {"command": sys.executable, "args": ["-m", "typesig", *arguments]}
    return {"command": os.path.abspath(program), "args": arguments}


@contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Let what is printed meanwhile, by other languages and processes too, go to standard error.

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
        if unended := server.calls.unended:
            one, several = "1 call did not end, and is", f"{unended} calls did not end, and are"
            complain(f"typesig: {one if unended == 1 else several} left")
            _leave(BAD)
        loop.run_until_complete(loop.shutdown_asyncgens())
    except KeyboardInterrupt:
        task.cancel()
        loop.run_until_complete(_closed(server, task))
        # A thread waits for standard input, and Python would wait for the thread.
        _leave(130)
    finally:
        loop.close()


async def _closed(server: Server, task: asyncio.Task[None]) -> None:
    """Return when *server* is closed, or has not been for some seconds."""
    # A proxy ends another server, which may have to be killed.
    deadline = asyncio.get_running_loop().time() + 5 * MAX_STOP_SECONDS
    while server.is_running and asyncio.get_running_loop().time() < deadline:
        await asyncio.wait([task], timeout=0.05)


def _leave(status: int) -> NoReturn:
    """End the process at once, whatever threads do."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
