"""A server for a toolset: one client over stdio, or many over HTTP."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import Distribution, distributions
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from typesig.calls.arguments import Given
from typesig.errors import TypesigError
from typesig.mcp.serving import lowlevel
from typesig.mcp.serving.apps import NO_PAGES, AppPage, AppPages
from typesig.mcp.serving.call_runner import Calls
from typesig.mcp.transport.lifespans import LOG, Kind, Lifespan, Lifetime, enter_lifespan
from typesig.mcp.transport.sdk import import_sdk
from typesig.providers.vendors.mcp import VERSIONS
from typesig.tools.collection import tools_of
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as SdkServer

    from typesig.governance.governance import Governance
    from typesig.mcp.transport.http import App
    from typesig.providers.projection.call_handler import OnException
    from typesig.providers.projection.projection import Projection
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.policy import ModeName, Policy


# --- Default name and version of a server, from the module of its tools ---

#: What a server is called if its tools have no module in common, and the version of no package.
NO_NAME, NO_VERSION = "tools", "0"

#: The modules of functions that call the tools of others say nothing of these.
_OWN = "typesig"


def find_server_name(tools: Iterable[Any]) -> str:
    """Find a server name: the common module or package of *tools*, or the script's name."""
    module = _find_common_module(tools)
    if module != "__main__":
        return module or NO_NAME
    main: Any = sys.modules["__main__"]
    spec, file = getattr(main, "__spec__", None), getattr(main, "__file__", None)
    if spec is not None:
        return str(spec.name).removesuffix(".__main__")
    return NO_NAME if file is None else Path(file).stem


def find_server_version(tools: Iterable[Any]) -> str:
    """Version of the distribution that contains the module of *tools*.

    Without one, it is the `__version__` of the module or of the nearest package around it.
    """
    name = _find_common_module(tools)
    module = sys.modules.get(name)
    if module is None:
        return NO_VERSION
    found = _find_distribution(module)
    metadata: Any = {} if found is None else found.metadata
    told = metadata.get("Version")
    while told is None and name:
        own = getattr(sys.modules.get(name), "__version__", None)
        told = own if isinstance(own, str) else None
        name = name.rpartition(".")[0]
    return told or NO_VERSION


def _find_common_module(tools: Iterable[Any]) -> str:
    """Return the module of *tools*, or the package that their modules share."""
    names = {str(getattr(one, "__module__", "")) for one in tools}
    parts = [each.split(".") for each in names if each.partition(".")[0] != _OWN]
    shared = takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False))
    return ".".join(level[0] for level in shared)


def _find_distribution(module: ModuleType) -> Distribution | None:
    """Distribution that contains the file of *module*, or is installed around it."""
    if not isinstance(getattr(module, "__file__", None), str):
        return None
    path, top = Path(str(module.__file__)).resolve(), module.__name__.partition(".")[0]
    around: dict[int, Distribution] = {}
    for each in distributions():
        if _has(each, path, top):
            return each
        folder = _find_source_folder(each)
        if folder is not None and path.is_relative_to(folder):
            around[len(folder.parts)] = each
    return around[max(around)] if around else None


def _has(found: Distribution, path: Path, top: str) -> bool:
    """Whether the distribution *found* has installed *path* of the package *top*."""
    root = Path(str(found.locate_file(""))).resolve()
    if not path.is_relative_to(root):
        return False
    record = found.read_text("RECORD")
    if record is None:
        return top in (found.read_text("top_level.txt") or "").split()
    return f"\n{path.relative_to(root).as_posix()}," in f"\n{record}"


def _find_source_folder(found: Distribution) -> Path | None:
    """Return the source folder of the distribution *found* if its install is editable."""
    try:
        told = json.loads(found.read_text("direct_url.json") or "{}")
        if not told.get("dir_info", {}).get("editable"):
            return None
        return Path(url2pathname(urlsplit(told["url"]).path)).resolve()
    except (ValueError, KeyError, TypeError, AttributeError):
        # A file that its installer did not write.
        return None


#: The version by which clients of older versions are served.
_OLDEST = "2025-06-18"


def server(
    tools: object,
    *,
    name: str | None = None,
    version: str | None = None,
    title: str | None = None,
    instructions: str | None = None,
    given: Given | None = None,
    lifespan: Lifespan | None = None,
    mode: ModeName | Policy | None = None,
    on_exception: OnException | None = None,
    seconds: float | None = None,
    ledger: Ledger | None = None,
    governance: Governance | None = None,
    apps: Mapping[str, AppPage | str] | None = None,
) -> Server:
    """Make a server for *tools*, a toolset or an argument of `tools_of`.

    *name*, *version*, *title* and *instructions* are what clients are told of it: by default the
    name of the module that the tools are from, and the version of its package. *given* supplies
    injected and firewalled parameters: a dict, or a function that returns one for each call and can
    take the call's `Request`. *lifespan* is a function whose context is open while the server runs,
    and yields such values too. *mode* is that of tools without one. *on_exception*, a function of
    an exception and the call, returns the text that the model reads; without it, the model reads
    only that the tool failed. A call is cancelled after *seconds*. *ledger* counts repairs and
    refusals. *governance* says which calls run, and how; where it asks a person, that at the client
    is asked. *apps* are pages, by the names of tools, that clients show for their results: HTML
    text, or an `AppPage`. Raises `TypesigError` if a tool lacks what its host gives, or without the
    SDK.
    """
    import_sdk()
    about = {"name": name, "version": version, "title": title, "instructions": instructions}
    for key, told in about.items():
        if not isinstance(told, str | None):
            raise TypesigError(f"{key} is text, not {type(told).__name__}")
    if lifespan is not None and not callable(lifespan):
        raise TypesigError(f"lifespan is a function, not {type(lifespan).__name__}")
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if seconds is not None and not (is_number and 0 < seconds < float("inf")):
        raise TypesigError(f"seconds is a positive number, not {seconds!r}")
    found = tools_of(tools, mode=mode)
    about["name"] = find_server_name(found) if name is None else name
    about["version"] = find_server_version(found) if version is None else version
    pages = AppPages(apps, found.names, str(about["name"]))
    calls = Calls(given, on_exception, seconds, ledger, governance)
    return Server(found, about, calls, lifespan, pages)


class Server:
    """An MCP server for a toolset; create it by `typesig.mcp.server`.

    #: calls: runs the calls; lowlevel: the SDK's server, for other transports and for tests
    #: apps: the pages that clients show for results
    #: changing: the lists that may change while it runs
    #: ready: returns when its tools can be called, or why they cannot
    """

    __slots__ = (
        "_lifespan", "_lifetimes", "_projections", "_tools", "apps", "calls", "changing",
        "lowlevel", "wait_until_ready",
    )  # fmt: skip
    apps: AppPages
    calls: Calls
    wait_until_ready: lowlevel.ReadinessCheck
    changing: tuple[Kind, ...]
    lowlevel: SdkServer[Any]

    def __init__(
        self,
        tools: Toolset,
        about: Mapping[str, Any],
        calls: Calls,
        lifespan: Lifespan | None,
        apps: AppPages = NO_PAGES,
    ) -> None:
        self.apps, self.calls = apps, calls
        self.changing = ("tools",)
        self.wait_until_ready = _skip_wait
        self._lifespan = lifespan
        self._lifetimes: set[Lifetime] = set()
        # Checked before anything is made for them.
        self._check(tools, {} if lifespan is None else None)
        self._tools = tools
        self._projections: dict[str, Projection] = {}
        self.lowlevel = lowlevel.make_lowlevel_server(self, about)

    def __repr__(self) -> str:
        return f"<MCP server {self.lowlevel.name!r}: {', '.join(self._tools.names)}>"

    @property
    def tools(self) -> Toolset:
        """The tools that are served now."""
        return self._tools

    @property
    def is_running(self) -> bool:
        """Whether the server runs, or still closes its lifespan context."""
        return bool(self._lifetimes)

    def rename(self, name: str, version: str, title: str | None = None) -> None:
        """Set the *name* and *version* that newly connected clients see."""
        self.lowlevel.name, self.lowlevel.version, self.lowlevel.title = name, version, title
        # Private in the SDK, which keeps what it has told before.
        vars(self.lowlevel).pop("_server_info_stamp_source", None)

    def replace(self, tools: object) -> None:
        """Serve *tools* instead; notify clients if their lists have changed.

        It can be called from any thread; calls that run are not disturbed.  Raises `TypesigError`,
        and goes on with the old tools, if a tool lacks what its host gives.
        """
        new = tools_of(tools)
        lifetimes = list(self._lifetimes)
        if not lifetimes:
            self._check(new, {} if self._lifespan is None else None)
        for each in lifetimes:
            self._check(new, each.values)
        old = {version: made.definitions for version, made in list(self._projections.items())}
        self._tools, self._projections = new, {}
        if any(self.get_projection(version).definitions != was for version, was in old.items()):
            self.announce("tools")

    def announce(self, kind: Kind) -> None:
        """Notify clients that the list of *kind* has changed; thread-safe."""
        if kind in self.changing:
            for each in list(self._lifetimes):
                each.announce(kind)

    def get_projection(self, version: str) -> Projection:
        """Tools as listed to clients of *version* of the protocol."""
        api = version if version in VERSIONS else _OLDEST
        projections, tools = self._projections, self._tools
        if api not in projections:
            made = tools.project("mcp", api=api)
            for loss in made.losses:
                if loss.kind == "refused":
                    LOG.warning("not served: %s", loss)
            projections[api] = made
        return projections[api]

    def find_schema(self, name: str) -> Mapping[str, Any] | None:
        """Schema of the arguments of the tool *name*, or None."""
        one = self.get_projection(VERSIONS[-1]).tools.get(name)
        return None if one is None else one.schema

    @asynccontextmanager
    async def start_lifetime(self, _: object = None) -> AsyncIterator[Lifetime]:
        """Start a run of the server with the values of its lifespan function."""
        lifetime = Lifetime()
        # It is there until what the lifespan function has opened is closed.
        self._lifetimes.add(lifetime)
        try:
            async with enter_lifespan(self._lifespan) as lifetime.values:
                self._check(self._tools, lifetime.values)
                try:
                    yield lifetime
                finally:
                    # Calls may still use what is closed next, even if the client has gone.
                    with import_sdk("anyio").CancelScope(shield=True):
                        await self.calls.cancel_all()
        finally:
            self._lifetimes.discard(lifetime)

    async def serve_stdio(self) -> None:
        """Serve one client over standard input and output, until it closes them.

        Meanwhile what tools print goes to standard error.
        """
        from typesig.mcp.transport.stdio import serve

        await serve(self.lowlevel)

    async def serve_http(
        self,
        host: str = "127.0.0.1",
        port: int = 8000,
        *,
        path: str = "/mcp",
        token: str | None = None,
        hosts: tuple[str, ...] = (),
        origins: tuple[str, ...] = (),
        on_start: Any = None,
    ) -> None:
        """Serve clients over HTTP at *path* of *host* and *port*, until a signal ends it.

        With *token*, clients send it as their bearer token; it is needed unless *host* is the
        loopback address.  *hosts* are further names by which clients reach the server, *origins*
        further web pages that may, as `https://example.org`.  Port 0 is any free one; *on_start* is
        called with the address when requests are taken.  Raises `TypesigError` for an address that
        cannot be listened at, or needs a token.
        """
        from typesig.mcp.transport.http import Access, serve

        await serve(self.lowlevel, host, port, path, Access(host, token, hosts, origins), on_start)

    def app(
        self,
        *,
        path: str = "/mcp",
        token: str | None = None,
        hosts: tuple[str, ...] = (),
        origins: tuple[str, ...] = (),
    ) -> App:
        """ASGI application that serves HTTP at *path*, for your own server.

        The options are those of `serve_http`, which checks what reaches it in the same way: with
        neither *hosts* nor *token*, only requests to this machine's loopback names.
        """
        from typesig.mcp.transport.http import Access, App

        return App(self.lowlevel, path, Access("127.0.0.1", token, hosts, origins))

    def _check(self, tools: Toolset, values: Mapping[str, Any] | None) -> None:
        """Check that the host and lifespan *values* supply all that *tools* need."""
        for one in tools:
            self.calls.check(one, values)


async def _skip_wait() -> None:
    """Return at once without a reason, since tools of this process are always ready."""
