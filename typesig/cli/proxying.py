"""The command `serve --mcp`: the tools of another server, chosen and renamed, served again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.cli import servers, serving
from typesig.cli.output import complain, stop
from typesig.errors import TypesigError
from typesig.tools.foreign_texts import seen_line
from typesig.tools.toolset import Toolset
from typesig.tools.unknown import unknown_tool
from typesig.validation.policy import ModeName

if TYPE_CHECKING:
    from typesig.mcp.serving import Server
    from typesig.providers.calls import WireCall


class Proxied(NamedTuple):
    """What is served of another server.

    #: asked: the server; names: the tools that are served, all of them if there are none
    #: prefix: what is put before each name
    """

    asked: servers.Asked
    names: tuple[str, ...]
    prefix: str
    mode: ModeName | None
    seconds: float | None

    def chosen(self, tools: Toolset) -> Toolset:
        """Return those of *tools* that are served; raise `TypesigError` for an unknown name."""
        for name in self.names:
            if name not in tools.names:
                raise TypesigError(unknown_tool(name, tools.names))
        found = tools.select(*self.names) if self.names else tools
        return found.prefixed(self.prefix) if self.prefix else found


def server_of(proxied: Proxied) -> Server:
    """Return a server that connects to another one when it runs, and serves the tools of that."""
    from typesig.mcp.serving import server, version_of_this

    options = proxied.asked.options()

    @asynccontextmanager
    async def connected() -> AsyncIterator[dict[str, Any]]:
        from typesig.mcp.connecting import connect
        from typesig.mcp.reading import tools_from

        async with connect(proxied.asked.server, **options) as session:
            tools = proxied.chosen(await tools_from(session, mode=proxied.mode))
            complain(str(warning) for warning in tools.warnings)
            made.replace(tools)
            made.lowlevel.instructions = session.instructions
            yield {}

    made = server(
        Toolset(),
        version=version_of_this(),
        lifespan=connected,
        on_exception=_told,
        seconds=proxied.seconds,
    )
    return made


def _told(error: BaseException, call: WireCall) -> str:
    """Return what a model reads of *error*, which the other server or the way to it has."""
    complain(f"{seen_line(call.name)}: the other server failed: {seen_line(str(error))}")
    return f"{call.name} cannot be called: its server failed; use another tool"


def serve(proxied: Proxied, listening: serving.Listening | None) -> None:
    """Serve what is *proxied*; stop with a message if the other server cannot be used."""
    try:
        serving.serve(lambda: server_of(proxied), listening)
    except BaseExceptionGroup as group:
        # The tasks of a server put what its lifespan function raises into a group.
        ours, others = group.split(TypesigError)
        if ours is None or others is not None:
            raise
        stop(str(_first(ours)))


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
