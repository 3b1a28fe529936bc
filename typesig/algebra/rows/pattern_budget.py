"""The work that the patterns of one signature may take to read, counted in steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from typesig.errors import TooLarge, TypesigError
from typesig.limits import MAX_PATTERN_WORK

# A pattern that is refused counts as if its proof had taken this much.
_REFUSED = 10_000


class _Budget:
    """Steps still allowed for the patterns of a signature, and the counted patterns."""

    __slots__ = ("known", "left")

    def __init__(self) -> None:
        self.left = MAX_PATTERN_WORK
        self.known: set[str] = set()

    def spend(self, steps: int) -> None:
        """Subtract *steps* from the remaining work; raise `TooLarge` if it is used up."""
        self.left -= steps
        if self.left < 0:
            raise TooLarge(
                f"the patterns of a signature may take {MAX_PATTERN_WORK} steps to read, these "
                f"take more; write fewer or shorter patterns"
            )


_BUDGET: ContextVar[_Budget | None] = ContextVar("pattern budget", default=None)


@contextmanager
def limit_pattern_work() -> Iterator[None]:
    """Let `check_pattern` raise `TooLarge` when its patterns take more than `MAX_PATTERN_WORK`."""
    if _BUDGET.get() is not None:
        # A part of a signature that is being read.
        yield
        return
    token = _BUDGET.set(_Budget())
    try:
        yield
    finally:
        _BUDGET.reset(token)


def check_pattern(pattern: str) -> None:
    """Raise `TypesigError` if the regex *pattern* is too slow, or exceeds the budget."""
    from typesig.patterns import analyze_pattern

    budget = _BUDGET.get()
    if budget is None:
        analyze_pattern(pattern)
        return
    # Once the budget is spent, every further pattern is refused at once.
    budget.spend(0)
    if pattern in budget.known:
        return
    try:
        steps = analyze_pattern(pattern).steps
    except TypesigError:
        budget.spend(_REFUSED + len(pattern))
        raise
    budget.known.add(pattern)
    budget.spend(steps)
