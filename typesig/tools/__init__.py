"""Tools, toolsets and contracts: functions that a model calls, and answers that it gives.

In: functions, modules, classes, or definitions that others wrote.  Out: a `Tool`, a `Toolset` or a
`Contract`, with what a model reads of it and the methods that check and run calls.

- `tool` is one tool, `decorator` makes it of a function, and `explicit` joins a written signature
  with the hints; `collection` finds the tools of a module or an object.
- `toolset` is several tools, `named` their calls by name, `search` and `pages` what it adds.
- `answers` asks a model for a value; `streams` reads text that is still arriving; `foreign` makes
  tools of schemas.

To add a source of tools, write a function that returns a `Toolset`, as `foreign.definitions` does.
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
