"""Callables that are marked as deprecated (PEP 702)."""

from __future__ import annotations

import functools
import types
from typing import Any


def get_deprecation(target: Any) -> str | None:
    """Return the message of the `deprecated` decorator on *target*, or None without it."""
    if isinstance(target, functools.partial):
        return get_deprecation(target.func)
    if isinstance(target, staticmethod | classmethod | types.MethodType):
        return get_deprecation(target.__func__)
    # An attribute of an ancestor or of the class of an object marks another thing.
    found = getattr(target, "__dict__", {}).get("__deprecated__")
    return str.__str__(found) if isinstance(found, str) else None


def mark_deprecated(description: str | None, message: str | None) -> str | None:
    """Append the deprecation *message*, if not None, to the tool *description*."""
    if message is None:
        return description
    mark = f"Deprecated: {message}" if message.strip() else "Deprecated."
    return mark if description is None else f"{description}\n\n{mark}"
