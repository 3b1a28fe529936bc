"""Texts of bounded length, as the page shows them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from typesig.algebra.loss import Loss
from typesig.errors import TypesigError

#: Characters of one text that is shown.  The text is cut, and says so.
MAX_TEXT = 20_000

#: Characters of one line of what is told.  The line is cut, and says so.
MAX_LINE = 2_000

#: Losses, warnings and errors that are shown of one thing.  The others are counted.
MAX_TOLD = 100


def tried(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what *make* returns, or why it cannot."""
    try:
        return make()
    except TypesigError as error:
        return {"error": str(error)}


def cut(text: str, limit: int = MAX_TEXT, whole: int = 0) -> str:
    """Return *text*, or its beginning and how much is left out.

    *whole* is its size if it was cut before.
    """
    size = max(len(text), whole)
    return text if size <= limit else f"{text[:limit]}\n… ({size - limit:,} more characters)"


def json_text(data: Any) -> str:
    """Return *data* as JSON, the lists of Malli on one line."""
    return indented(data) if isinstance(data, dict) else json.dumps(data, ensure_ascii=False)


def indented(data: Any) -> str:
    """Return *data* as JSON on several lines."""
    return json.dumps(data, ensure_ascii=False, indent=2)


def lines(told: Iterable[object]) -> list[str]:
    """Return each of *told* as a line, as many as are shown."""
    made = [cut(str(each), MAX_LINE) for each in told]
    if len(made) > MAX_TOLD:
        made[MAX_TOLD:] = [f"… and {len(made) - MAX_TOLD:,} more"]
    return made


def loss_lines(losses: Iterable[Loss]) -> list[str]:
    """Return each of *losses* as a line with its kind, as many as are shown."""
    return lines(f"{loss} ({loss.kind})" for loss in losses)
