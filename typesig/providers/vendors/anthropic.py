"""Anthropic: the Messages API, strict or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Applied, Profile, checked_options
from typesig.providers.rows.wire import WireTool

NAMES = NameRule("A-Za-z0-9_-", "A-Za-z0-9_-", 64)

# Only the properties of the arguments are checked, but nobody says so for the others.
PROPERTIES = NameRule("A-Za-z0-9_.-", "A-Za-z0-9_.-", 64)

_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)

_STRICT_KEYWORDS: frozenset[Applied] = frozenset({("at_least", "array"), ("pattern", "string")})


def profile_of(options: Mapping[str, Any]) -> Profile:
    """Return the profile of *options*."""
    api, strict, limits = checked_options("anthropic", options, ("messages",), False)
    if not strict:
        style = Style(whole_objects=True)
        return Profile("anthropic", api, strict, NAMES, limits, PROPERTIES, style=style)
    return Profile(
        "anthropic",
        api,
        strict,
        NAMES,
        limits,
        PROPERTIES,
        closed=True,
        typed=True,
        one_of=False,
        all_of=False,
        negations=False,
        tuples=False,
        key_patterns=False,
        recursion=False,
        defaults=False,
        enums=frozenset({"bool", "int", "float", "string"}),
        mixed_enums=False,
        constraints=_STRICT_KEYWORDS,
        formats=_FORMATS,
        most_min_items=1,
        lookarounds=False,
        style=Style(whole_objects=True, lone_references=True),
    )


def definition_of(profile: Profile, made: WireTool) -> dict[str, Any]:
    """Return the definition of a tool."""
    described = {"description": made.description} if made.description else {}
    strict = {"strict": True} if profile.strict else {}
    return {"name": made.name, **described, "input_schema": made.parameters, **strict}


def format_of(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the output format that asks for an answer of *schema*."""
    return {"type": "json_schema", "schema": schema}
