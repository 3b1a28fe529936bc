"""The Model Context Protocol: tools with schemas of what goes in and of what comes out."""

from __future__ import annotations

from typing import Any

from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Profile
from typesig.providers.rows.vendor import Vendor, as_it_is
from typesig.providers.rows.wire import WireTool
from typesig.providers.vendors import mcp_calls

NAMES = NameRule("A-Za-z0-9_.-", "A-Za-z0-9_.-", 128)

#: The versions of the protocol; from the last one on, a result may be any JSON value.
VERSIONS = ("2025-11-25", "2025-06-18", "2026-07-28")
ANY_RESULT = frozenset({"2026-07-28"})


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


def _profile(version: str) -> Profile:
    return Profile(
        "mcp",
        version,
        False,
        NAMES,
        titles=True,
        style=Style(whole_objects=True),
        results="any" if version in ANY_RESULT else "object",
        originals=True,
    )


MCP = Vendor(
    name="mcp",
    title="MCP",
    definitions="with `inputSchema` and `outputSchema`; from 2026-07-28 on, a result may be any "
    "JSON",
    profiles=tuple([_profile(version) for version in VERSIONS]),
    strict_answers=False,
    limits=(),
    definition_of=definition_of,
    format_of=format_of,
    result_of=as_it_is,
    calls=mcp_calls.FORMAT,
)
