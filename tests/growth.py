"""How the work of a function grows with what it is given, counted instead of timed.

`steps` counts the lines that Python code executes.  A call and each turn of a loop count, also of a
loop within one line, and the number is the same in each run, however busy the machine is.  Work
within one C function, such as `x in a_list` with texts, is not seen; a comparison of two types or
constants is, since these are compared by Python code.

`assert_growth` compares the counts at several sizes.  The tests in files about growth have a marker,
since they take long and find the same on every Python:

    @pytest.mark.once
    def test_reading_a_list_takes_time_in_proportion_to_its_length() -> None:
        assert_growth(lambda size: [1] * size, lambda data: LIST.accepts(data), (50, 200, 800))

A cache hides work: *run* must clear the caches that a user's first call would not find filled.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

#: The steps after which a function is stopped: work that doubles with each size has no end.
MOST_STEPS = 5_000_000

#: By which factor a count may exceed the growth that is expected: for tables that become fuller.
_TOLERANCE = 1.15


class TooManySteps(BaseException):
    """Raised within a function that takes more steps than it may; no `except Exception` stops it."""


def steps(function: Callable[[], object], most: int = MOST_STEPS) -> int:
    """Return the number of lines that *function* executes, with each turn of a loop and each call.

    Raises `TooManySteps` if there are more than *most*.
    """
    count = 0

    def step(_frame: FrameType, _event: str, _argument: object) -> Any:
        nonlocal count
        count += 1
        if count > most:
            raise TooManySteps(f"more than {most} steps")
        return step

    def call(_frame: FrameType, _event: str, _argument: object) -> Any:
        # Its first line and its end are events of their own.
        return step

    before, collecting = sys.gettrace(), gc.isenabled()
    # A collection at a random moment may call Python code.
    gc.disable()
    sys.settrace(call)
    try:
        function()
    finally:
        sys.settrace(before)
        if collecting:
            gc.enable()
    return count


def assert_growth(
    make: Callable[[int], T],
    run: Callable[[T], object],
    sizes: Sequence[int],
    power: float = 1,
    spare: int = 0,
) -> None:
    """Assert that the steps of `run(make(size))` grow with *size* to the *power* at most.

    *make* is not counted.  *spare* steps more are allowed at each size.  The smallest size runs
    once without being counted, so that modules are loaded.
    """
    run(make(sizes[0]))
    counts: list[int] = []
    for place, size in enumerate(sizes):
        made, most = make(size), MOST_STEPS
        if place:
            factor = (size / sizes[place - 1]) ** power * _TOLERANCE
            most = min(most, int(counts[-1] * factor) + spare)
        try:
            counts.append(steps(lambda made=made: run(made), most))  # type: ignore[misc]
        except TooManySteps as error:
            before = ", ".join(f"{n}: {c}" for n, c in zip(sizes, counts, strict=False))
            raise AssertionError(
                f"the work grows faster than size ** {power}: {before}, {size}: {error}"
            ) from None
