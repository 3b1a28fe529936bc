"""The same tool under another name."""

from __future__ import annotations

from typing import Any

from typesig.tools.functions import checked_name
from typesig.tools.tool import Tool


def renamed(one: Tool[..., Any], name: str) -> Tool[..., Any]:
    """Return the tool *one* with another name; raise `ExtractionError` if it cannot be one."""
    other: Any = object.__new__(type(one))
    binding = one.binding._replace(name=checked_name(name, own=False))
    other.__dict__.update({**one.__dict__, "name": name, "binding": binding})
    return other  # type: ignore[no-any-return]
