"""Apps: pages that a client shows for the results of tools, as the extension MCP Apps has them.

https://modelcontextprotocol.io/seps/1865-mcp-apps-interactive-user-interfaces-for-mcp and
https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
describe it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

from typesig.errors import TypesigError, format_value
from typesig.sentinels import NOTHING

#: The name of the extension in the capabilities of a server, and the type of a page.
EXTENSION = "io.modelcontextprotocol/ui"
MIME_TYPE = "text/html;profile=mcp-app"

_SCHEME = "ui://"

#: Who sees a tool and may call it: the model, or the page of the same server.
Viewer: TypeAlias = Literal["model", "app"]

VIEWERS: tuple[Viewer, ...] = ("model", "app")

#: What a resource says of its page.
_ABOUT = ("csp", "permissions", "domain", "prefersBorder")


class AppPage(NamedTuple):
    """A page that a client shows for the results of a tool.

    A page loads nothing from elsewhere and has no permissions unless *ui* says so.

    #: html: the whole document; uri: its address, which begins with `ui://`, or None for one that
    #:     is made of the names of server and tool
    #: ui: what clients are told of the page: `csp`, `permissions`, `domain`, `prefersBorder`
    #: visibility: who sees the tool: the model, the page, or both

    >>> AppPage("<!doctype html><p>…", ui={"prefersBorder": True}).visibility
    ('model', 'app')
    """

    html: str
    uri: str | None = None
    ui: Mapping[str, Any] = NOTHING
    visibility: tuple[Viewer, ...] = VIEWERS


class AppPages:
    """The pages of a server: the metadata of its tools, and its resources."""

    __slots__ = ("_pages", "_tools")

    def __init__(
        self, given: Mapping[str, AppPage | str] | None, names: Iterable[str], server: str
    ) -> None:
        known = set(names)
        self._tools: dict[str, dict[str, Any]] = {}
        self._pages: dict[str, tuple[str, AppPage]] = {}
        if given is not None and not isinstance(given, Mapping):
            raise TypesigError(f"apps are pages by the names of tools, not {format_value(given)}")
        for name, app in (given or {}).items():
            if name not in known:
                there = ", ".join(sorted(known)) or "none"
                raise TypesigError(
                    f"apps: there is no tool {format_value(name)}; the tools are: {there}"
                )
            self._add(name, _check_app(name, AppPage(app) if isinstance(app, str) else app), server)

    def __bool__(self) -> bool:
        return bool(self._tools)

    def _add(self, name: str, app: AppPage, server: str) -> None:
        """Add the *app* of the tool *name* of *server*; tools may share a page."""
        uri = f"{_SCHEME}{quote(server)}/{quote(name)}" if app.uri is None else app.uri
        _, known = self._pages.setdefault(uri, (name, app))
        if known.html != app.html or known.ui != app.ui:
            raise TypesigError(
                f"apps: there are two pages at {uri}; give each an address of its own"
            )
        told: dict[str, Any] = {"resourceUri": uri}
        if app.visibility != VIEWERS:
            told["visibility"] = list(app.visibility)
        self._tools[name] = told

    def describe(self, definition: dict[str, Any]) -> dict[str, Any]:
        """Copy the *definition* of a tool with the address of its page, if it has one."""
        told = self._tools.get(definition["name"])
        if told is None:
            return definition
        return {**definition, "_meta": {**definition.get("_meta", {}), "ui": told}}

    def list_resources(self) -> list[dict[str, Any]]:
        """List the pages as resources."""
        return [
            {"uri": uri, "name": name, "mimeType": MIME_TYPE, **_write_about(app)}
            for uri, (name, app) in self._pages.items()
        ]

    def read_resource(self, uri: str) -> dict[str, Any] | None:
        """Return the content of the page at *uri*, or None if there is none."""
        if uri not in self._pages:
            return None
        _, app = self._pages[uri]
        return {"uri": uri, "mimeType": MIME_TYPE, "text": app.html, **_write_about(app)}


#: The pages of a server without apps.
NO_PAGES = AppPages(None, (), "")


def _write_about(app: AppPage) -> dict[str, Any]:
    """Write what a resource says of the page of *app*."""
    return {"_meta": {"ui": dict(app.ui)}} if app.ui else {}


def _check_app(name: str, app: Any) -> AppPage:
    """Return the *app* of the tool *name*; raise `TypesigError` if it is none."""
    if not isinstance(app, AppPage) or not isinstance(app.html, str):
        raise TypesigError(f"the app of {name} is HTML text or an AppPage, not {format_value(app)}")
    if app.uri is not None and not app.uri.startswith(_SCHEME):
        raise TypesigError(f"the address of an app begins with ui://: {format_value(app.uri)}")
    unknown = [key for key in app.ui if key not in _ABOUT]
    if unknown:
        raise TypesigError(f"apps have {', '.join(_ABOUT)}, not {', '.join(map(str, unknown))}")
    if not app.visibility or not set(app.visibility) <= set(VIEWERS):
        raise TypesigError(f"visibility is of model, app, not {format_value(app.visibility)}")
    return app
