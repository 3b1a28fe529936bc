"""The Model Context Protocol: serve toolsets, and use the tools of other servers.

It needs the extra `mcp`, the official SDK, which is imported when it is first needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.calls.results import ToolResult as ToolResult
    from typesig.mcp.client.connection import connect as connect
    from typesig.mcp.client.tool_list import tools_from as tools_from
    from typesig.mcp.proxy_server import proxy as proxy
    from typesig.mcp.serving.apps import AppPage as AppPage
    from typesig.mcp.serving.forms import Elicited as Elicited
    from typesig.mcp.serving.forms import Form as Form
    from typesig.mcp.serving.requests import Request as Request
    from typesig.mcp.serving.server import Server as Server
    from typesig.mcp.serving.server import server as server
    from typesig.mcp.transport.lifespans import opened as opened

#: Each public name, and the module that defines it.
_HOMES = {
    "AppPage": "typesig.mcp.serving.apps",
    "Elicited": "typesig.mcp.serving.forms",
    "Form": "typesig.mcp.serving.forms",
    "Request": "typesig.mcp.serving.requests",
    "Server": "typesig.mcp.serving.server",
    "ToolResult": "typesig.calls.results",
    "connect": "typesig.mcp.client.connection",
    "opened": "typesig.mcp.transport.lifespans",
    "proxy": "typesig.mcp.proxy_server",
    "server": "typesig.mcp.serving.server",
    "tools_from": "typesig.mcp.client.tool_list",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
