"""The command `typesig serve`."""

from __future__ import annotations

from typing import Any

import click

from typesig.cli.inputs import servers
from typesig.cli.inputs.completing import modules
from typesig.cli.inputs.options import MODE
from typesig.cli.inputs.servers import of_held_server
from typesig.cli.work import proxying, serving
from typesig.errors import TypesigError
from typesig.validation.rows.policy import ModeName


@click.command("serve")
@click.argument("target", required=False, shell_complete=modules)
@of_held_server
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
@click.option("--all", "undecorated", is_flag=True, help="Serve public functions as well as tools.")
def serve_(
    target: str | None,
    asked: servers.Asked | None,
    names: tuple[str, ...],
    prefix: str,
    tools_only: bool,
    http: bool,
    lifespan: str | None,
    seconds: float | None,
    called: str | None,
    version: str | None,
    mode: ModeName | None,
    undecorated: bool,
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
    listening = serving.Listening(**where) if http else None
    if asked is not None:
        if undecorated or lifespan is not None:
            raise TypesigError("--all and --lifespan are for a target, not for --mcp")
        proxied = proxying.Proxied(asked, names, prefix, tools_only, mode, seconds, called, version)
        proxying.serve(proxied, listening)
        return
    if names or prefix or tools_only:
        raise TypesigError("--select, --prefix and --tools-only need --mcp")
    assert target is not None
    served = serving.Asked(target, undecorated, lifespan, mode, seconds, called, version)
    serving.serve(lambda: serving.server_of(served), listening)
