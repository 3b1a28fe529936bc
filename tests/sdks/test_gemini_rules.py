"""The rules of Gemini, beside the types of google-genai."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

pytest.importorskip("google.genai")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from google.genai import types

from tests.sdks.rows import is_accepted, rows_of
from tests.vendors.cases import Row


def named(row: Row) -> str:
    return f"{row.rule.id}-{row.profile}"


def judge(profile: str, definition: Any) -> None:
    """Raise if *definition* is not of the package's types."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of unknown types, which it admits
        if isinstance(definition, dict) and "functionDeclarations" in definition:
            types.Tool.model_validate(definition)
        elif profile in ("parameters", "json_schema"):
            types.Tool.model_validate({"functionDeclarations": [definition]})
        else:
            types.GenerateContentConfig.model_validate(definition)
            if "responseSchema" in definition:
                types.Schema.model_validate(definition["responseSchema"])


@pytest.mark.parametrize("row", rows_of("gemini"), ids=named)
def test_the_packages_types_accept_what_the_rules_accept(row: Row) -> None:
    for definition in row.accepted:
        judge(row.profile, definition)


#: Rules that the types hold whole, and in part: they have `additionalProperties`, and take any
#: text for a type; what excludes what is only written.
WHOLE = ("GP-enum-string",)
PART = ("GP-keyword", "GP-type", "G-shape")


@pytest.mark.parametrize("row", rows_of("gemini", *WHOLE), ids=named)
def test_the_packages_types_refuse_what_the_rules_refuse(row: Row) -> None:
    assert not is_accepted(lambda each: judge(row.profile, each), row.rejected)


@pytest.mark.parametrize("rule", PART)
@pytest.mark.parametrize("profile", ["parameters", "response_schema"])
def test_the_packages_types_refuse_some_of_what_the_rules_refuse(rule: str, profile: str) -> None:
    rows = rows_of("gemini", rule, profiles=(profile,))
    refused = [
        row for row in rows if not is_accepted(lambda each: judge(profile, each), row.rejected)
    ]

    assert refused


def test_the_types_refuse_keywords_of_json_schema_but_one_in_schema() -> None:
    admitted = [
        str(row.rejected)
        for row in rows_of("gemini", "GP-keyword", profiles=("parameters",))
        if is_accepted(lambda each: judge("parameters", each), row.rejected)
    ]

    assert all("additionalProperties" in each for each in admitted)
