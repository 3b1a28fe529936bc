"""A proxy: forwards another server, with its tools selected, checked and repaired."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

from typesig.contracts.pins import ContractBroken
from typesig.errors import TypesigError
from typesig.extraction.callables.warnings import HintWarning, get_exception_message
from typesig.mcp.client.connection import TIMEOUT
from typesig.mcp.client.tool_list import Changes, Path, tools_from
from typesig.mcp.forwarder import ClientForwarder, Link, pass_on
from typesig.mcp.serving.call_runner import check_on_exception, log_exception
from typesig.mcp.serving.server import Server, server
from typesig.mcp.transport.lifespans import LOG
from typesig.tools.foreign.foreign_texts import strip_invisible, strip_invisible_line
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    import os

    from typesig.providers.projection.call_handler import OnException
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.policy import ModeName, Policy


#: Returns the tools that are served of those that the other server has.
Choose: TypeAlias = Callable[[Toolset], Toolset]


def proxy(
    other: str | Sequence[str],
    *,
    choose: Choose | None = None,
    tools_only: bool = False,
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT,
    errlog: TextIO | None = None,
    name: str | None = None,
    version: str | None = None,
    mode: ModeName | Policy | None = None,
    on_exception: OnException | None = None,
    seconds: float | None = None,
    ledger: Ledger | None = None,
    lock: Path | None = None,
    keep_locked: bool = False,
) -> Server:
    """Return a server that connects to the server *other* when it runs, and serves its tools.

    *choose* returns those that are served; without it, all are.  It is called again whenever the
    other server says that its tools have changed, and clients are told.  Resources, prompts and
    completions are passed on, and what the other server asks the person, a model and for folders,
    and its log, unless *tools_only*.  *env*, *cwd*, *headers*, *timeout*, *errlog*, *lock*
    and *keep_locked* are those of `connect`, the other options those of `server`; *name* and
    *version* are those of the other server without them.  The process of a command that ends is
    started again, a number of times.  What cannot be served, and what is refused, is told to the
    logger `typesig.mcp`.
    """
    if choose is not None and not callable(choose):
        raise TypesigError(
            f"choose is a function of a toolset, not {type(choose).__name__}; write "
            'choose=lambda tools: tools.select("search")'
        )
    check_on_exception(on_exception)
    connected = {"env": env, "cwd": cwd, "headers": headers, "timeout": timeout, "errlog": errlog}
    connected.update(lock=lock, keep_locked=keep_locked)
    made = _Proxy(other, connected, choose, mode, tools_only, name, version)
    made.server = server(
        Toolset(),
        name=name,
        version=version,
        lifespan=made.open_connection,
        on_exception=made.link.wrap_on_exception(on_exception or log_exception),
        seconds=seconds,
        ledger=ledger,
    )
    made.server.wait_until_ready = made.link.wait_until_ready
    return made.server


def rename_server(server: Server, about: Any, name: str | None, version: str | None) -> None:
    """Name *server*, by default as the upstream server names itself in *about*."""
    if about is None:
        return
    theirs = strip_invisible_line(about.name), strip_invisible_line(about.version)
    title = None if about.title is None else strip_invisible_line(about.title)
    server.rename(
        theirs[0] if name is None else name,
        theirs[1] if version is None else version,
        title if name is None else None,
    )


class _Proxy:
    """The connection of a proxy, and the task that follows upstream changes.

    #: server: the server of the proxy; link: its connection to the other one
    """

    __slots__ = (
        "_changes", "_choose", "_is_running", "_mode", "_name", "_options", "_tools_only",
        "_version", "_warned", "link", "server",
    )  # fmt: skip
    server: Server

    def __init__(
        self,
        other: str | Sequence[str],
        options: Mapping[str, Any],
        choose: Choose | None,
        mode: ModeName | Policy | None,
        tools_only: bool,
        name: str | None,
        version: str | None,
    ) -> None:
        self._options = {**options}
        self.link = Link(other, self._options, self.use)
        self._choose = choose
        self._mode: ModeName | Policy | None = mode
        self._tools_only = tools_only
        self._name, self._version = name, version
        self._is_running = False
        self._warned: list[HintWarning] = []

    @asynccontextmanager
    async def open_connection(self) -> AsyncIterator[dict[str, Any]]:
        """Connect to the upstream server, serve its tools and follow its changes."""
        if self._is_running:
            raise TypesigError("the proxy runs already: make another one for another transport")
        self._is_running, self._changes, self._warned = True, Changes(), []
        self._options["on_change"] = self._changes.note
        if not self._tools_only:
            self._options.update(ClientForwarder(lambda: self.server.calls.requests).make_options())
        try:
            async with self.link.open_connection():
                task = asyncio.get_running_loop().create_task(self._follow(self._changes))
                try:
                    yield {}
                finally:
                    task.cancel()
        finally:
            self._is_running = False

    async def use(self, session: Any) -> None:
        """Serve the tools and other features of the server of *session*."""
        await self._read(session)
        rename_server(self.server, session.server_info, self._name, self._version)
        told = session.instructions
        self.server.lowlevel.instructions = None if told is None else strip_invisible(told)
        if not self._tools_only:
            passed = pass_on(self.server.lowlevel, self.link, session.server_capabilities)
            self.server.changing = ("tools", *passed)

    async def _read(self, session: Any) -> None:
        """Read the tools of the upstream server, and serve them from now on."""
        timeout = self._options["timeout"]
        # Those that are for a page of the server, too: the client shows that page.
        tools = await tools_from(session, timeout=timeout, mode=self._mode, apps=True)
        try:
            self.server.replace(tools if self._choose is None else self._choose(tools))
        except Exception:
            if any(isinstance(each, ContractBroken) for each in tools.refused.values()):
                # What was served may be what is refused now.
                self.server.replace(Toolset())
            raise
        for warning in self.server.tools.omissions:
            if warning not in self._warned:
                LOG.warning("%s", warning)
        self._warned = list(self.server.tools.omissions)

    async def _follow(self, changes: Changes) -> None:
        """Update the served lists on each change, while the upstream server is connected."""
        while True:
            for kind in await changes.next():
                if kind != "tools":
                    self.server.announce(kind)
                    continue
                try:
                    await self._read(self.link.session)
                except Exception as error:
                    LOG.warning(
                        "the tools of the other server have changed and cannot be read: %s",
                        strip_invisible(get_exception_message(error)),
                    )
