"""Projections pass the stand-ins for the providers' rules, which share no code with them."""

from __future__ import annotations

from typing import Any

import pytest

import typesig
from tests.vendors import refusals, violations
from tests.vendors.hostile_toolsets import toolsets
from typesig.providers.profile import ProfileOptions, ProviderName

#: The options of each profile of tools, and what the stand-in calls it.
TOOLS: list[tuple[ProviderName, ProfileOptions, str]] = [
    ("openai", {"api": "chat"}, "chat"),
    ("openai", {"api": "chat", "strict": True}, "chat_strict"),
    ("openai", {"api": "responses"}, "responses"),
    ("openai", {"api": "responses", "strict": True}, "responses_strict"),
    ("anthropic", {}, "tools"),
    ("anthropic", {"strict": True}, "tools_strict"),
    ("gemini", {"api": "parameters"}, "parameters"),
    ("gemini", {"api": "json"}, "json_schema"),
    ("mcp", {"api": "2025-06-18"}, "2025-06-18"),
    ("mcp", {"api": "2025-11-25"}, "2025-11-25"),
    ("mcp", {"api": "2026-07-28"}, "2026-07-28"),
]

#: The same for response formats.
FORMATS: list[tuple[ProviderName, ProfileOptions, str]] = [
    ("openai", {"api": "chat", "strict": False}, "chat_format"),
    ("openai", {"api": "chat"}, "chat_format_strict"),
    ("openai", {"api": "responses", "strict": False}, "responses_format"),
    ("openai", {"api": "responses"}, "responses_format_strict"),
    ("anthropic", {}, "format"),
    ("gemini", {"api": "parameters"}, "response_schema"),
    ("gemini", {"api": "json"}, "response_json_schema"),
]

#: The budgets of the stand-ins by their rules.
BUDGETS = {
    "O-count": "tools",
    "AS-tools": "tools",
    "AS-optionals": "optionals",
    "AS-unions": "unions",
}

HOSTILE = toolsets()


@pytest.mark.parametrize(("provider", "options", "profile"), TOOLS, ids=lambda part: str(part))
def test_no_provider_refuses_a_projection(
    provider: ProviderName, options: ProfileOptions, profile: str
) -> None:
    refused: list[str] = []
    for name, tools in HOSTILE.items():
        made = tools.project(provider, **options)
        named = {finding.limit for finding in made.check()}
        for violation in refusals(provider, profile, made.definitions):
            rule = violation.rule
            if rule.kind != "budget" or BUDGETS[rule.id] not in named:
                refused.append(f"{name}: {violation}")

    assert refused == []


@pytest.mark.parametrize(("provider", "options", "profile"), FORMATS, ids=lambda part: str(part))
def test_no_provider_refuses_a_response_format(
    provider: ProviderName, options: ProfileOptions, profile: str
) -> None:
    refused: list[str] = []
    for name, tools in HOSTILE.items():
        for tool in tools:
            for signature in (tool.signature, _of_arguments(tool.signature)):
                made = _answer(signature, provider, options)
                if made is None or any(each.is_left_out for each in made.check()):
                    continue
                refused += [
                    f"{name} {tool.name}: {violation}"
                    for violation in refusals(provider, profile, [made.definition])
                    if violation.rule.kind == "hard"
                ]

    assert refused == []


def _answer(signature: Any, provider: ProviderName, options: ProfileOptions) -> Any:
    try:
        return typesig.contract(signature).project(provider, **options)
    except typesig.TooLarge:
        return None


def _of_arguments(signature: Any) -> Any:
    """Return the arguments of *signature* as the result of another one."""
    return typesig.Signature((), signature.arguments, signature.definitions)


def test_the_only_advice_that_is_not_taken_is_of_texts_and_unions() -> None:
    found = {
        violation.rule.id
        for tools in HOSTILE.values()
        for provider, options, profile in TOOLS
        for violation in violations(
            provider, profile, tools.project(provider, **options).definitions
        )
        if violation.rule.kind == "soft"
    }

    assert found == {"O-description", "OS-first-key", "GP-anyof-type", "GJ-recursion"}
