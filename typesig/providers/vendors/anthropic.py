"""Anthropic: the Messages API, strict or not."""

from __future__ import annotations

from typing import Any

from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.limits import LimitRow
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Applied, Profile
from typesig.providers.rows.vendor import Vendor, as_it_is
from typesig.providers.rows.wire import WireTool
from typesig.providers.vendors import anthropic_calls

NAMES = NameRule("A-Za-z0-9_-", "A-Za-z0-9_-", 64)

# Only the properties of the arguments are checked, but nobody says so for the others.
PROPERTIES = NameRule("A-Za-z0-9_.-", "A-Za-z0-9_.-", 64)

_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)

_STRICT_KEYWORDS: frozenset[Applied] = frozenset({("at_least", "array"), ("pattern", "string")})


_STRUCTURED = "platform.claude.com/docs/en/build-with-claude/structured-outputs"

_LIMITS = (
    LimitRow("tools", 20, True, False, "2026-11", _STRUCTURED),
    LimitRow("optionals", 24, True, False, "2026-11", _STRUCTURED),
    LimitRow("unions", 16, True, False, "2026-11", _STRUCTURED),
)

_PLAIN = Profile(
    "anthropic",
    "messages",
    False,
    NAMES,
    property_names=PROPERTIES,
    style=Style(whole_objects=True),
)

_STRICT = Profile(
    "anthropic",
    "messages",
    True,
    NAMES,
    property_names=PROPERTIES,
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


ANTHROPIC = Vendor(
    name="anthropic",
    title="Anthropic",
    definitions="of Messages",
    profiles=(_PLAIN, _STRICT),
    strict_answers=True,
    limits=_LIMITS,
    definition_of=definition_of,
    format_of=format_of,
    result_of=as_it_is,
    calls=anthropic_calls.FORMAT,
)
