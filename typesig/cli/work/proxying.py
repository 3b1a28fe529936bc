"""The command `serve --mcp`: the tools of another server, chosen and renamed, served again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from typesig.cli.inputs import servers
from typesig.cli.inputs.output import complain, stop
from typesig.cli.work import serving
from typesig.errors import TypesigError
from typesig.tools.foreign.foreign_texts import seen_line
from typesig.tools.toolset import Toolset
from typesig.validation.rows.policy import ModeName

if TYPE_CHECKING:
    from typesig.mcp.serving.serving import Server
    from typesig.providers.rows.calls import WireCall


class Proxied(NamedTuple):
    """What is served of another server.

    #: asked: the server; names: the tools that are served, all of them if there are none
    #: prefix: what is put before each name; tools_only: whether only tools are served
    #: name, version: what clients are told, or None for those of the other server
    """

    asked: servers.Asked
    names: tuple[str, ...]
    prefix: str
    tools_only: bool
    mode: ModeName | None
    seconds: float | None
    name: str | None = None
    version: str | None = None


class _Choice:
    """Chooses the tools of *proxied*; each that is named has to be there the first time."""

    def __init__(self, proxied: Proxied) -> None:
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
                servers.checked_name(tools, name)
            if name not in tools.refused:
                complain(f"{seen_line(name)}: the other server has this tool no longer")
        self._is_first = False
        names = [name for name in self._names if name not in missing]
        found = tools.select(*names) if self._names else tools
        return found.prefixed(self._prefix) if self._prefix else found


def server_of(proxied: Proxied) -> Server:
    """Return a server that connects to another one when it runs, and serves the tools of that."""
    from typesig.mcp.proxies.proxying import proxy

    return proxy(
        proxied.asked.server,
        choose=_Choice(proxied),
        # Who names tools wants nothing else of the server.
        tools_only=proxied.tools_only or bool(proxied.names),
        mode=proxied.mode,
        on_exception=_told,
        seconds=proxied.seconds,
        name=proxied.name,
        version=proxied.version,
        **proxied.asked.options(),
    )


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
