"""For each rule, definitions that it refuses and near neighbours that pass: the kinds of cases.

A case is made for every profile of its rule. It is written as two schemas of a parameter, two
schemas of all parameters, two sets of changes to a definition, or two whole requests; `definition`
and `schema_of` put the rest around them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.vendors import VENDORS, openai
from tests.vendors.rules import Rule

Definitions = list[Any]
#: Makes the definitions of a vendor and a profile.
Maker = Callable[[str, str], Definitions]


@dataclass(frozen=True, slots=True)
class Case:
    """Two requests that differ little: *rule* refuses only the first.

    *also* are other rules that refuse the first one too, where they cannot be kept apart.
    """

    rule: str
    rejected: Maker
    accepted: Maker
    also: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A case for one profile."""

    rule: Rule
    vendor: str
    profile: str
    rejected: Definitions
    accepted: Definitions
    also: tuple[str, ...]


def is_proto(vendor: str, profile: str) -> bool:
    """Return whether schemas of *profile* are Gemini's `Schema`."""
    return vendor == "gemini" and profile in ("parameters", "response_schema")


def schema_of(vendor: str, profile: str, properties: dict[str, Any], **others: Any) -> Any:
    """Return a closed object with *properties*, all required, as *profile* spells it."""
    if is_proto(vendor, profile):
        return {
            "type": "OBJECT",
            "properties": properties,
            "required": list(properties),
            **others,
        }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **others,
    }


def text_of(vendor: str, profile: str) -> Any:
    """Return the schema of text."""
    return {"type": "STRING" if is_proto(vendor, profile) else "string"}


def definition(vendor: str, profile: str, schema: Any = None, /, **changes: Any) -> Any:
    """Return a definition that every rule accepts, with *schema* and *changes*.

    A change to None takes the key away.
    """
    if schema is None:
        schema = schema_of(vendor, profile, {"a": text_of(vendor, profile)})
    form = VENDORS[vendor].PROFILES[profile]
    body: dict[str, Any]
    if isinstance(form, openai.Profile):
        strict = {"strict": form.strict}
        named = {"name": "look_up", "description": "Look up.", **strict}
        named["parameters" if form.is_tool else "schema"] = schema
        body = _changed(named, changes)
        kind = "function" if form.is_tool else "json_schema"
        return {"type": kind, kind: body} if form.api == "chat" else {"type": kind, **body}
    if vendor == "anthropic" and form.is_tool:
        body = {"name": "look_up", "description": "Look up.", "input_schema": schema}
        body |= {"strict": True} if form.strict else {}
    elif vendor == "anthropic":
        body = {"type": "json_schema", "schema": schema}
    elif vendor == "gemini" and form.is_tool:
        body = {"name": "look_up", "description": "Look up.", form.field: schema}
    elif vendor == "gemini":
        body = {"responseMimeType": "application/json", form.field: schema}
    else:
        body = {"name": "look_up", "description": "Look up.", "inputSchema": schema}
    return _changed(body, changes)


def _changed(body: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**body, **changes}.items() if value is not None}


# kinds of cases


def parameter(rule: str, rejected: Any, accepted: Any, *also: str, defs: Any = None) -> Case:
    """Make a case of two schemas of the parameter `a`; *defs* are the definitions beside it."""

    def made(schema: Any) -> Maker:
        others = {} if defs is None else {"$defs": defs}

        def make(vendor: str, profile: str) -> Definitions:
            whole = schema_of(vendor, profile, {"a": schema}, **others)
            return [definition(vendor, profile, whole)]

        return make

    return Case(rule, made(rejected), made(accepted), also)


def root(rule: str, rejected: Any, accepted: Any, *also: str, **kept: Any) -> Case:
    """Make a case of changes to the schema of all parameters; a change to None takes a key away."""

    def made(changes: dict[str, Any]) -> Maker:
        def make(vendor: str, profile: str) -> Definitions:
            text = text_of(vendor, profile)
            whole = schema_of(vendor, profile, {"a": text})
            return [definition(vendor, profile, _changed({**whole, **kept}, changes))]

        return make

    return Case(rule, made(rejected), made(accepted), also)


def changes(rule: str, rejected: Any, accepted: Any, *also: str, profiles: Any = ()) -> Case:
    """Make a case of changes to a definition; a change to None takes a key away."""

    def made(changed: dict[str, Any]) -> Maker:
        return lambda vendor, profile: [definition(vendor, profile, **changed)]

    return Case(rule, made(rejected), made(accepted), also, tuple(profiles))


def request(
    rule: str,
    rejected: Maker,
    accepted: Maker,
    *also: str,
    profiles: Any = (),
) -> Case:
    """Make a case of two requests."""
    return Case(rule, rejected, accepted, also, tuple(profiles))


def tools(*names: str, schema: Any = None) -> Maker:
    """Make a maker of definitions with *names*."""

    def make(vendor: str, profile: str) -> Definitions:
        return [definition(vendor, profile, schema, name=name) for name in names]

    return make


def nested(levels: int, leaf: Any) -> Any:
    """Return *levels* closed objects within each other, around *leaf*."""
    for _ in range(levels):
        leaf = schema_of("openai", "chat_strict", {"a": leaf})
    return leaf
