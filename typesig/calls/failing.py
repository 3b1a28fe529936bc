"""What becomes of a call whose function raised a `ToolError`."""

from __future__ import annotations

from typing import Any

from typesig.calls.binding import Binding
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import Outcome


def outcome_of_tool_error(
    binding: Binding, error: Exception, warnings: tuple[Issue, ...]
) -> Outcome[Any]:
    """Return the outcome of a call whose function raised a `ToolError`."""
    text, retry = str(error) or "the tool failed", getattr(error, "retry", False)
    if retry is False:
        issue = Issue("tool", (), "", text)
    else:
        issue = Issue("passing", (), "" if retry is True else f"{retry}", text)
    return Outcome(stage="call", errors=[issue], warnings=warnings)
