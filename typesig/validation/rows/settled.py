"""Findings as issues: which of them are errors, and which warnings."""

from __future__ import annotations

from typesig.validation.issues.issues import Issue
from typesig.validation.issues.near import Search
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.run import Found
from typesig.validation.rows.subject import Stage


def settled(found: list[Found], policy: Policy, stage: Stage) -> tuple[list[Issue], list[Issue]]:
    """Return *found* as errors and warnings; what a model left out is one in any policy."""
    errors: list[Issue] = []
    warnings: list[Issue] = []
    search = Search()
    for one in found:
        named = stage in ("input", "answer") and len(one.steps) == 1
        missing = named and one.code == "missing"
        fails = not one.warning and (policy.on_issue == "fail" or missing)
        (errors if fails else warnings).append(one.frozen(search))
    return errors, warnings
