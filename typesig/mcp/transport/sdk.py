"""The official SDK, an optional dependency, imported on first use."""

from __future__ import annotations

from functools import cache
from typing import Any

from typesig.bridges.bridge import import_extra


def import_sdk(module: str = "mcp") -> Any:
    """Import *module* of the SDK; raise `TypesigError` with the extra if it is missing."""
    return import_extra(module, "mcp", "typesig.mcp")


@cache
def get_object_adapter() -> Any:
    """Pydantic adapter for any JSON object; cached, since building one is slow."""
    return import_sdk("pydantic").TypeAdapter(dict[str, Any])
