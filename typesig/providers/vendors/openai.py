"""OpenAI: Chat Completions and Responses, strict or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Profile, checked_options, keywords_without
from typesig.providers.rows.wire import WireTool

CHAT, RESPONSES = "chat", "responses"

NAMES = NameRule("A-Za-z0-9_-", "A-Za-z0-9_-", 64)

_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)

_STRICT_KEYWORDS = keywords_without(
    # Refused in 2025, and by some endpoints since.
    ("at_least", "string"),
    ("at_most", "string"),
    ("at_least", "object"),
    ("at_most", "object"),
    ("unique", "array"),
)


def profile_of(options: Mapping[str, Any]) -> Profile:
    """Return the profile of *options*."""
    api, strict, limits = checked_options("openai", options, (CHAT, RESPONSES), False)
    if not strict:
        # Every array needs `items`, beside which positions are not looked at.
        style = Style(whole_objects=True)
        return Profile("openai", api, strict, NAMES, limits, tuples=False, style=style)
    return Profile(
        "openai",
        api,
        strict,
        NAMES,
        limits,
        closed=True,
        complete=True,
        typed=True,
        one_of=False,
        all_of=False,
        negations=False,
        tuples=False,
        key_patterns=False,
        defaults=False,
        enums=frozenset({"bool", "int", "float", "string"}),
        mixed_enums=False,
        constraints=_STRICT_KEYWORDS,
        formats=_FORMATS,
        lookarounds=False,
        style=Style(whole_objects=True, lone_references=True),
    )


def definition_of(profile: Profile, made: WireTool) -> dict[str, Any]:
    """Return the definition of a tool."""
    described = {"description": made.description} if made.description else {}
    function = {"name": made.name, **described, "parameters": made.parameters}
    if profile.api == RESPONSES:
        # Without `strict`, the server tries to make the schema strict.
        return {"type": "function", **function, "strict": profile.strict}
    strict = {"strict": True} if profile.strict else {}
    return {"type": "function", "function": {**function, **strict}}


def format_of(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the response format that asks for an answer of *schema*."""
    parts = {"name": name, "schema": schema, "strict": profile.strict}
    if profile.api == RESPONSES:
        return {"type": "json_schema", **parts}
    return {"type": "json_schema", "json_schema": parts}
