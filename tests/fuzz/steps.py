"""A budget of steps: an end for what would never end, on a slow machine too."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

R = TypeVar("R")


class OutOfSteps(BaseException):
    """More calls were made than the budget allows; no `except Exception` catches it."""


def within(limit: int, function: Callable[[], R]) -> R:
    """Return the result of *function*; raise `OutOfSteps` after *limit* calls, builtins included.

    A loop that calls nothing, and work inside one builtin, is not seen.

    >>> within(10, lambda: len("ab"))
    2
    >>> within(10, lambda: [len("ab") for _ in range(20)])
    Traceback (most recent call last):
    tests.fuzz.steps.OutOfSteps: more than 10 calls
    """
    left = limit

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal left
        if event in ("call", "c_call"):
            left -= 1
            if left < 0:
                sys.setprofile(None)
                raise OutOfSteps(f"more than {limit:,} calls")

    previous = sys.getprofile()
    sys.setprofile(count)
    try:
        return function()
    finally:
        sys.setprofile(previous)
