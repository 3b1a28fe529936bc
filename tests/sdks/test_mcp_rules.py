"""The rules of the Model Context Protocol, beside the types and validators of its package."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("mcp")
methods = pytest.importorskip("mcp_types.methods")

from mcp.shared.tool_name_validation import validate_tool_name  # noqa: E402
from mcp.types import Tool  # noqa: E402

from tests.sdks.rows import is_accepted, rows_of  # noqa: E402
from tests.vendors.cases import Row  # noqa: E402


def named(row: Row) -> str:
    return f"{row.rule.id}-{row.profile}"


def judge(profile: str, definition: Any) -> None:
    """Raise if *definition* is not a tool in a list of tools, in version *profile*."""
    result = {"tools": [definition]}
    if profile == "2026-07-28":
        result |= {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
    methods.validate_server_result("tools/list", profile, result)
    Tool.model_validate(definition)


@pytest.mark.parametrize("row", rows_of("mcp"), ids=named)
def test_the_packages_types_accept_what_the_rules_accept(row: Row) -> None:
    for definition in row.accepted:
        judge(row.profile, definition)


#: The types ignore unknown keys; those of the last version do not look into the schemas.
WHOLE = ("M-input-root", "M-output-root")


@pytest.mark.parametrize("row", rows_of("mcp", *WHOLE), ids=named)
def test_the_packages_types_refuse_what_the_rules_refuse(row: Row) -> None:
    assert not is_accepted(lambda each: judge(row.profile, each), row.rejected)


@pytest.mark.parametrize("rule", ["M-shape", "M-input-form"])
@pytest.mark.parametrize("profile", ["2025-06-18", "2025-11-25"])
def test_the_packages_types_refuse_some_of_what_the_rules_refuse(rule: str, profile: str) -> None:
    rows = rows_of("mcp", rule, profiles=(profile,))

    assert any(not is_accepted(lambda each: judge(profile, each), row.rejected) for row in rows)


@pytest.mark.parametrize("row", rows_of("mcp", "M-name"), ids=named)
def test_the_package_judges_names_alike(row: Row) -> None:
    assert validate_tool_name(row.accepted[0]["name"]).is_valid
    assert not validate_tool_name(row.rejected[0]["name"]).is_valid
