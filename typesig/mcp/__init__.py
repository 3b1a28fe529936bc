"""The Model Context Protocol: toolsets that are served, and the tools of other servers.

It needs the extra `mcp`, the official SDK, which is imported when it is first needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.fronts import front

if TYPE_CHECKING:
    from typesig.calls.results import ToolResult as ToolResult
    from typesig.mcp.client.connecting import connect as connect
    from typesig.mcp.client.reading import tools_from as tools_from
    from typesig.mcp.proxies.proxying import proxy as proxy
    from typesig.mcp.serving.forms import Elicited as Elicited
    from typesig.mcp.serving.forms import Form as Form
    from typesig.mcp.serving.requests import Request as Request
    from typesig.mcp.serving.serving import Server as Server
    from typesig.mcp.serving.serving import server as server
    from typesig.mcp.transport.lifespans import opened as opened

#: Each public name, and the module that defines it.
_HOMES = {
    "Elicited": "typesig.mcp.serving.forms",
    "Form": "typesig.mcp.serving.forms",
    "Request": "typesig.mcp.serving.requests",
    "Server": "typesig.mcp.serving.serving",
    "ToolResult": "typesig.calls.results",
    "connect": "typesig.mcp.client.connecting",
    "opened": "typesig.mcp.transport.lifespans",
    "proxy": "typesig.mcp.proxies.proxying",
    "server": "typesig.mcp.serving.serving",
    "tools_from": "typesig.mcp.client.reading",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = front(__name__, _HOMES)
