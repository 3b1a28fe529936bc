"""The official SDK, which only this room needs: it is imported when it is first needed."""

from __future__ import annotations

from functools import cache
from typing import Any

from typesig.bridges.bridge import needed


def sdk(module: str = "mcp") -> Any:
    """Return *module* of the SDK; raise `TypesigError` with the extra if it is missing."""
    return needed(module, "mcp", "typesig.mcp")


@cache
def any_object() -> Any:
    """Return pydantic's adapter for any JSON object; making one takes as long as a call."""
    return sdk("pydantic").TypeAdapter(dict[str, Any])
