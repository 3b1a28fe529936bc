"""The cases of all vendors, each for every profile of its rule."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vendors import (
    RULES,
    VENDORS,
    cases_anthropic,
    cases_compatible,
    cases_gemini,
    cases_mcp,
    cases_openai,
)
from tests.vendors.cases import Case, Row

CASES: dict[str, tuple[Case, ...]] = {
    "openai": cases_openai.CASES,
    "anthropic": cases_anthropic.CASES,
    "gemini": cases_gemini.CASES,
    "mcp": cases_mcp.CASES,
    **cases_compatible.CASES,
}


def _rows() -> Iterator[Row]:
    for vendor, cases in CASES.items():
        for case in cases:
            rule = RULES[case.rule]
            for profile in VENDORS[vendor].PROFILES:
                if profile in (case.profiles or rule.profiles):
                    yield Row(
                        rule,
                        vendor,
                        profile,
                        case.rejected(vendor, profile),
                        case.accepted(vendor, profile),
                        case.also,
                    )


ROWS: tuple[Row, ...] = tuple(_rows())
