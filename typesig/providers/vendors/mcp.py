"""The Model Context Protocol: tools with schemas of what goes in and of what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Profile, checked_options
from typesig.providers.rows.wire import WireTool

NAMES = NameRule("A-Za-z0-9_.-", "A-Za-z0-9_.-", 128)

#: The versions of the protocol; from the last one on, a result may be any JSON value.
VERSIONS = ("2025-11-25", "2025-06-18", "2026-07-28")
ANY_RESULT = frozenset({"2026-07-28"})


def profile_of(options: Mapping[str, Any]) -> Profile:
    """Return the profile of *options*."""
    api, strict, limits = checked_options("mcp", options, VERSIONS, None)
    style = Style(whole_objects=True)
    return Profile("mcp", api, strict, NAMES, limits, titles=True, style=style)


def definition_of(profile: Profile, made: WireTool) -> dict[str, Any]:
    """Return the definition of a tool."""
    out: dict[str, Any] = {"name": made.name}
    if made.title:
        out["title"] = made.title
    if made.description:
        out["description"] = made.description
    out["inputSchema"] = made.parameters
    if made.results is not None:
        out["outputSchema"] = made.results
    if made.annotations:
        out["annotations"] = dict(made.annotations)
    return {**out, **made.beside}


def format_of(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that asks for an answer, as `requestedSchema` has it."""
    return schema
