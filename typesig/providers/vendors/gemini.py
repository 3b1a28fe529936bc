"""Gemini: function declarations, with `parameters` or with `parametersJsonSchema`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typesig.algebra.rows.values import ConstKind
from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Applied, Profile, checked_options
from typesig.providers.rows.wire import WireTool

PARAMETERS, JSON = "parameters", "json"

# Some models take 64 characters, though the page says 128; all take no more than these signs.
NAMES = NameRule("A-Za-z_", "A-Za-z0-9_.:-", 64)
PROPERTIES = NameRule("A-Za-z_", "A-Za-z0-9_", 64)

_NUMBERS: frozenset[Applied] = frozenset(
    {
        ("at_least", "number"),
        ("at_most", "number"),
        ("at_least", "array"),
        ("at_most", "array"),
    }
)
_TEXTS: frozenset[Applied] = frozenset(
    {("at_least", "string"), ("at_most", "string"), ("pattern", "string")}
)
_TEXT: frozenset[ConstKind] = frozenset({"string"})
_FORMATS = frozenset({"date-time"})


def profile_of(options: Mapping[str, Any]) -> Profile:
    """Return the profile of *options*."""
    api, strict, limits = checked_options("gemini", options, (PARAMETERS, JSON), None)
    if api == JSON:
        return Profile(
            "gemini",
            api,
            strict,
            NAMES,
            limits,
            PROPERTIES,
            all_of=False,
            negations=False,
            key_patterns=False,
            defaults=False,
            enums=frozenset({"int", "float", "string"}),
            mixed_enums=False,
            empty_texts=False,
            constraints=_NUMBERS,
            wide_integers=False,
            style=Style(enums=True, ordering=True, lone_references=True),
        )
    return Profile(
        "gemini",
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
        references=False,
        recursion=False,
        defaults=False,
        empty_objects=False,
        enums=_TEXT,
        mixed_enums=False,
        empty_texts=False,
        constraints=_NUMBERS | _TEXTS,
        formats=_FORMATS,
        wide_integers=False,
        style=Style(nullable=True, enums=True, closing=False, ordering=True),
    )


def definition_of(profile: Profile, made: WireTool) -> dict[str, Any]:
    """Return the declaration of a function; one without parameters has no schema."""
    words = made.description or ""
    declared = {"name": made.name, "description": words if words.strip() else made.name}
    if not made.parameters.get("properties") and not made.parameters.get("additionalProperties"):
        return declared
    return {**declared, _field_of(profile): made.parameters}


def _field_of(profile: Profile) -> str:
    return "parametersJsonSchema" if profile.api == JSON else "parameters"


def format_of(profile: Profile, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the part of the configuration that asks for an answer of *schema*."""
    field = "responseJsonSchema" if profile.api == JSON else "responseSchema"
    return {"responseMimeType": "application/json", field: schema}


def result_of(data: Any) -> dict[str, Any]:
    """Return a result as the object that a response has to be."""
    return {"output": data}
