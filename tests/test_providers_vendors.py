"""Projections pass the stand-ins for what providers refuse, which were written apart from them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import typesig
from tests.generators import LAW, lone_signatures, signatures
from tests.vendors import refusals, violations
from tests.vendors.hostile_toolsets import toolsets
from typesig import Toolset, tool

#: The options of a projection for each profile of tools.
OPTIONS: dict[tuple[str, str], dict[str, Any]] = {
    ("openai", "chat"): {"api": "chat", "strict": False},
    ("openai", "chat_strict"): {"api": "chat", "strict": True},
    ("openai", "responses"): {"api": "responses", "strict": False},
    ("openai", "responses_strict"): {"api": "responses", "strict": True},
    ("anthropic", "tools"): {"strict": False},
    ("anthropic", "tools_strict"): {"strict": True},
    ("gemini", "parameters"): {"api": "parameters"},
    ("gemini", "json_schema"): {"api": "json"},
    ("mcp", "2025-06-18"): {"api": "2025-06-18"},
    ("mcp", "2025-11-25"): {"api": "2025-11-25"},
    ("mcp", "2026-07-28"): {"api": "2026-07-28"},
}
#: The options of the response format of a contract for each profile of formats.
FORMATS: dict[tuple[str, str], dict[str, Any]] = {
    ("openai", "chat_format_strict"): {"api": "chat"},
    ("openai", "responses_format_strict"): {"api": "responses"},
    ("anthropic", "format"): {},
    ("gemini", "response_schema"): {"api": "parameters"},
    ("gemini", "response_json_schema"): {"api": "json"},
}
PROFILES = [pytest.param(*key, id=" ".join(key)) for key in OPTIONS]
FORMAT_PROFILES = [pytest.param(*key, id=" ".join(key)) for key in FORMATS]
TOOLSETS = toolsets()

#: What advice the projections do not follow, and in which toolsets.
IGNORED_ADVICE = {
    "O-description": {"descriptions"},
    "OS-first-key": {"unions", "enums"},
    "G-description": {"descriptions"},
    "GP-anyof-type": {"recursion", "unions", "exactly-ones", "maps", "enums", "lists", "hints"},
    "GJ-recursion": {"recursion"},
}


@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
@pytest.mark.parametrize("name", TOOLSETS)
def test_projections_of_hostile_toolsets_break_no_hard_rule(
    name: str, vendor: str, profile: str
) -> None:
    projection = TOOLSETS[name].project(vendor, **OPTIONS[vendor, profile])  # type: ignore[arg-type]
    found = violations(vendor, profile, projection.definitions)

    assert [] == [str(each) for each in found if each.rule.kind == "hard"]
    # A budget that is exceeded is told before the request is sent.
    assert projection.check() or not [each for each in found if each.rule.kind == "budget"]
    ignored = {each.rule.id for each in found if each.rule.kind == "soft"}
    assert set() == {rule for rule in ignored if name not in IGNORED_ADVICE[rule]}


@pytest.mark.parametrize(("vendor", "profile"), PROFILES)
@pytest.mark.parametrize("name", TOOLSETS)
def test_a_tool_without_a_definition_is_a_loss_that_names_it(
    name: str, vendor: str, profile: str
) -> None:
    projection = TOOLSETS[name].project(vendor, **OPTIONS[vendor, profile])  # type: ignore[arg-type]
    left_out = {one.name for one in TOOLSETS[name]} - {
        each.tool.name for each in projection.tools.values()
    }

    assert len(projection.definitions) == len(projection.tools)
    assert left_out <= {str(loss).split(".")[0].split(":")[0] for loss in projection.losses}


def _made(signature: Any) -> Toolset:
    def function(**given: Any) -> Any:
        return given

    return Toolset([tool(signature, name="look_up", description="Look up.")(function)])


@LAW
@given(signatures(titled=True))
def test_projections_of_any_signature_break_no_rule(signature: Any) -> None:
    toolset = _made(signature)
    for (vendor, profile), options in OPTIONS.items():
        projection = toolset.project(vendor, **options)  # type: ignore[arg-type]
        refused = refusals(vendor, profile, projection.definitions)

        # Every budget is of a request: a single tool is left out if it exceeds one alone.
        assert projection.check() or [] == [str(each) for each in refused]


@LAW
@given(lone_signatures())
def test_response_formats_of_any_type_break_no_rule(signature: Any) -> None:
    made = typesig.contract(signature.returns)
    for (vendor, profile), options in FORMATS.items():
        projection = made.project(vendor, **options)  # type: ignore[arg-type]

        assert [] == [str(each) for each in refusals(vendor, profile, [projection.definition])]
