"""Gemini: function declarations, with `parameters` or with `parametersJsonSchema`."""

from __future__ import annotations

from typing import Any

from typesig.algebra.rows.values import ConstKind
from typesig.notations.json_schema.writing.writer import Style
from typesig.providers.rows.advice import Advice, any_union, required_cycle
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.profile import Applied, Profile
from typesig.providers.rows.vendor import Vendor
from typesig.providers.rows.wire import WireTool
from typesig.providers.vendors import gemini_calls

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


_UNION = Advice(
    any_union,
    "Vertex AI may refuse",
    "2026-11",
    "Ombre-Brain#119 ('didn't specify the schema type field')",
)
_REQUIRED_CYCLE = Advice(
    required_cycle,
    "Gemini is documented to take in optional properties only",
    "2026-11",
    "github.com/googleapis/python-genai/blob/main/google/genai/types.py",
)

_WITH_PARAMETERS = Profile(
    "gemini",
    PARAMETERS,
    False,
    NAMES,
    property_names=PROPERTIES,
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
    advice=(_UNION,),
)

_WITH_JSON = Profile(
    "gemini",
    JSON,
    False,
    NAMES,
    property_names=PROPERTIES,
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
    advice=(_REQUIRED_CYCLE,),
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


GEMINI = Vendor(
    name="gemini",
    title="Gemini",
    definitions="function declarations with `parameters` or `parametersJsonSchema`",
    profiles=(_WITH_PARAMETERS, _WITH_JSON),
    strict_answers=False,
    limits=(),
    definition_of=definition_of,
    format_of=format_of,
    result_of=result_of,
    calls=gemini_calls.FORMAT,
)
