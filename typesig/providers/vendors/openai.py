"""OpenAI: Chat Completions and Responses, strict or not."""

from __future__ import annotations

from typing import Any

from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.advice import Advice, first_key
from typesig.providers.rows.limits import LimitRow
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Profile, keywords_without
from typesig.providers.rows.vendor import Vendor, as_it_is
from typesig.providers.rows.wire import WireTool
from typesig.providers.vendors import openai_calls

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


_STRUCTURED = "developers.openai.com/api/docs/guides/structured-outputs#supported-schemas"

_LIMITS = (
    LimitRow(
        "tools", 128, False, False, "2026-11",
        "developers.openai.com/api/docs/guides/function-calling",
    ),
    LimitRow(
        "description", 1024, False, False, "2026-11",
        "github.com/FoundationAgents/OpenManus/issues/818",
    ),
    LimitRow("levels", 10, True, True, "2026-11", _STRUCTURED),
    LimitRow("properties", 5_000, True, True, "2026-11", _STRUCTURED),
    LimitRow("enum_values", 1_000, True, True, "2026-11", _STRUCTURED),
    LimitRow("enum_text", 15_000, True, True, "2026-11", _STRUCTURED),
    LimitRow("schema_text", 120_000, True, True, "2026-11", _STRUCTURED),
)  # fmt: skip

_FIRST_KEY = Advice(
    first_key,
    "Azure and older models refuse",
    "2026-11",
    "github.com/openai/openai-python/issues/2193",
)

# Every array needs `items`, beside which positions are not looked at.
_PLAIN = Profile("openai", CHAT, False, NAMES, tuples=False, style=Style(whole_objects=True))

_STRICT = Profile(
    "openai",
    CHAT,
    True,
    NAMES,
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
    advice=(_FIRST_KEY,),
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


OPENAI = Vendor(
    name="openai",
    title="OpenAI",
    definitions="of Chat Completions, of Responses",
    profiles=(
        _PLAIN,
        _PLAIN._replace(api=RESPONSES),
        _STRICT,
        _STRICT._replace(api=RESPONSES),
    ),
    strict_answers=True,
    limits=_LIMITS,
    definition_of=definition_of,
    format_of=format_of,
    result_of=as_it_is,
    calls=openai_calls.FORMAT,
)
