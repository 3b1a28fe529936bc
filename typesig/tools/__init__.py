"""What a model sees and calls: tools, toolsets, contracts, templates, and the listing.

`tool` is about one tool and `call` about calling it; `toolset` is about several tools; `firewall`
hides values from a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset


def lone(tool: Tool[..., Any]) -> Toolset:
    """Return the toolset of *tool* alone; raise `ExtractionError` if its hints cannot be read."""
    from typesig.tools.toolset import Toolset

    return Toolset([tool])
