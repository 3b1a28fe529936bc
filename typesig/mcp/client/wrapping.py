"""Results that FastMCP has wrapped in an object, since structured content had to be one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from typesig.calls.results import ToolResult

#: The keyword by which FastMCP marks the schema of such a result, and the name of the value in it.
_MARK, _NAME = "x-fastmcp-wrap-result", "result"

#: Keywords of the whole schema that the schema of the value may refer to.
_SHARED = ("$defs", "$schema", "definitions")


def unwrap_schema(schema: Any) -> Any:
    """Return the schema of the value that *schema* wraps, or None if it wraps none.

    >>> unwrap_schema({"x-fastmcp-wrap-result": True, "properties": {"result": {"type": "null"}}})
    {'type': 'null'}
    """
    if not isinstance(schema, Mapping) or schema.get(_MARK) is not True:
        return None
    properties = schema.get("properties")
    inner = properties.get(_NAME) if isinstance(properties, Mapping) else None
    if not isinstance(inner, Mapping):
        return None
    return {**{key: schema[key] for key in _SHARED if key in schema}, **inner}


def unwrap_results(
    call: Callable[..., Awaitable[ToolResult]],
) -> Callable[..., Awaitable[ToolResult]]:
    """Return a function like *call* whose results are not wrapped."""

    async def unwrap(**arguments: Any) -> ToolResult:
        found = await call(**arguments)
        held = found.structured
        if isinstance(held, dict) and held.keys() == {_NAME}:
            return found._replace(structured=held[_NAME])
        return found

    return unwrap
