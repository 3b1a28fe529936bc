"""The command `typesig serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from typesig.cli.inputs import servers
from typesig.cli.inputs.completing import complete_modules
from typesig.cli.inputs.functions import Functions
from typesig.cli.inputs.options import MODE, add_functions
from typesig.cli.inputs.output import print_errors, stop
from typesig.cli.inputs.servers import add_locked_server_options
from typesig.cli.work import serving
from typesig.errors import TypesigError
from typesig.tools.foreign.foreign_texts import strip_invisible_line
from typesig.tools.toolset import Toolset
from typesig.validation.rows.policy import ModeName

if TYPE_CHECKING:
    from typesig.mcp.serving.server import Server
    from typesig.providers.rows.calls import WireCall


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
    asked: servers.ServerOptions | None,
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
    listening = serving.ListenOptions(**where) if http else None
    if asked is not None:
        if functions or lifespan is not None:
            options = "--all, --inferred, --results and --lifespan"
            raise TypesigError(f"{options} are for a target, not for --mcp")
        proxied = ProxyOptions(asked, names, prefix, tools_only, mode, seconds, called, version)
        serve(proxied, listening)
        return
    if names or prefix or tools_only:
        raise TypesigError("--select, --prefix and --tools-only need --mcp")
    assert target is not None
    served = serving.ServeOptions(target, functions, lifespan, mode, seconds, called, version)
    serving.serve(lambda: serving.make_server(served), listening)


class ProxyOptions(NamedTuple):
    """Options for serving the tools of another server.

    #: asked: the server; names: the tools that are served, all of them if there are none
    #: prefix: what is put before each name; tools_only: whether only tools are served
    #: name, version: what clients are told, or None for those of the other server
    """

    asked: servers.ServerOptions
    names: tuple[str, ...]
    prefix: str
    tools_only: bool
    mode: ModeName | None
    seconds: float | None
    name: str | None = None
    version: str | None = None


class _ToolSelector:
    """Filter for the tools to serve, which raises for a missing name at first."""

    def __init__(self, proxied: ProxyOptions) -> None:
        self._names = proxied.names
        self._prefix = proxied.prefix
        self._is_first = True

    def __call__(self, tools: Toolset) -> Toolset:
        """Return those of *tools* that are served; raise `TypesigError` for an unknown name.

        What is refused later is told with the warnings of the tools.
        """
        missing = [name for name in self._names if name not in tools.names]
        for name in missing:
            if self._is_first:
                servers.check_name(tools, name)
            if name not in tools.refused:
                print_errors(
                    f"{strip_invisible_line(name)}: the other server has this tool no longer"
                )
        self._is_first = False
        names = [name for name in self._names if name not in missing]
        found = tools.select(*names) if self._names else tools
        return found.prefixed(self._prefix) if self._prefix else found


def make_proxy(proxied: ProxyOptions) -> Server:
    """Server that connects to another server when it runs, and serves its tools."""
    from typesig.mcp.proxies.proxy import proxy

    return proxy(
        proxied.asked.server,
        choose=_ToolSelector(proxied),
        # Who names tools wants nothing else of the server.
        tools_only=proxied.tools_only or bool(proxied.names),
        mode=proxied.mode,
        on_exception=_describe_error,
        seconds=proxied.seconds,
        name=proxied.name,
        version=proxied.version,
        **proxied.asked.get_connect_options(),
    )


def _describe_error(error: BaseException, call: WireCall) -> str:
    """Write the message for a model about *error* of the upstream server."""
    print_errors(
        f"{strip_invisible_line(call.name)}: the other server failed: "
        f"{strip_invisible_line(str(error))}"
    )
    return f"{call.name} cannot be called: its server failed; use another tool"


def serve(proxied: ProxyOptions, listening: serving.ListenOptions | None) -> None:
    """Serve the tools of another server; stop with a message if the connection fails."""
    try:
        serving.serve(lambda: make_proxy(proxied), listening)
    except BaseExceptionGroup as group:
        # The tasks of a server put what its lifespan function raises into a group.
        ours, others = group.split(TypesigError)
        if ours is None or others is not None:
            raise
        stop(str(_get_first_error(ours)))


def _get_first_error(error: BaseException) -> BaseException:
    """Return the first exception within *error* that is not an exception group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
