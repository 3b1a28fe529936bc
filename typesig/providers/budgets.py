"""Budgets: what counts against a provider's limits."""

from __future__ import annotations

from typing import NamedTuple


class Excess(NamedTuple):
    """A limit that is exceeded.

    #: limit: the name of the limit; tool: the tool at fault, or None if it is all of them
    #: count: what was counted; value: what the limit allows
    """

    limit: str
    tool: str | None
    count: int
    value: int
