"""A server of three tools: functions are searched and described, and a program that calls them runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from typesig.calls.errors import ToolError
from typesig.calls.given import Given
from typesig.errors import TypesigError
from typesig.mcp.serving.naming import name_of
from typesig.mcp.serving.requests import Request
from typesig.mcp.serving.serving import Server, server
from typesig.programs.runner import Bounds
from typesig.tools.tool import Tool
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typesig.programs.code import Code

#: Functions that are found at once.
_FOUND = 10


def server_of(
    code: Code, given: Given | None, bounds: Bounds, options: Mapping[str, Any]
) -> Server:
    """Return the server of *code*; see `Code.serve`."""
    raise NotImplementedError
