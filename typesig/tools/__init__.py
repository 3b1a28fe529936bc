"""Tools, toolsets, contracts and templates: everything a model sees and calls.

`tool` is about one tool and `call` about calling it; `toolset` is about several tools; `firewall`
hides values from a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset


def make_single_toolset(tool: Tool[..., Any]) -> Toolset:
    """Build a toolset with only *tool*; raise `ExtractionError` for unreadable hints."""
    from typesig.tools.toolset import Toolset

    return Toolset([tool])
