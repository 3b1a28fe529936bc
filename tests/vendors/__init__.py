"""A stand-in for what providers refuse, written from their documents and from refusals.

Nothing here is taken from `typesig.providers`: the two are written apart, so that one can judge the
other. A vendor is a module with `PROFILES`, `RULES` (a row for each thing that it refuses, with the
page or the thread that says so) and `read`, which finds the parts of its definitions.

    violations("openai", "chat_strict", definitions)

returns a `Violation` for each place that a rule refuses. A rule is `hard` (the provider refuses the
request), a `budget` (a limit for one request), or `soft` (advice, or the sources disagree).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.vendors import anthropic, compatible, gemini, mcp, openai
from tests.vendors.rules import Rule, Violation

VENDORS: dict[str, Any] = {
    "openai": openai,
    "anthropic": anthropic,
    "gemini": gemini,
    "mcp": mcp,
    "mistral": compatible.MISTRAL,
    "deepseek": compatible.DEEPSEEK,
    "moonshot": compatible.MOONSHOT,
    "xai": compatible.XAI,
}

#: Each vendor with each of its profiles.
PROFILES: tuple[tuple[str, str], ...] = tuple(
    (vendor, profile) for vendor, module in VENDORS.items() for profile in module.PROFILES
)

RULES: dict[str, Rule] = {rule.id: rule for module in VENDORS.values() for rule in module.RULES}


def violations(vendor: str, profile: str, definitions: Sequence[Any]) -> list[Violation]:
    """Return what *vendor* refuses in a request with *definitions*, which *profile* describes.

    Raises KeyError for an unknown vendor or profile, and TooLargeToJudge if a definition has more
    nodes than a walk visits.
    """
    module = VENDORS[vendor]
    form = module.PROFILES[profile]
    request = module.read(form, definitions)
    return [
        Violation(rule, str(place), text)
        for rule in module.RULES
        if profile in rule.profiles
        for place, text in rule.find(request)
    ]


def refusals(vendor: str, profile: str, definitions: Sequence[Any]) -> list[Violation]:
    """Return the violations that make *vendor* refuse the request: all but those of soft rules."""
    found = violations(vendor, profile, definitions)
    return [violation for violation in found if violation.rule.kind != "soft"]
