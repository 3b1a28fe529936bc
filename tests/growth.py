"""How the work of a function grows with what it is given, counted instead of timed.

`steps` counts the bytecode instructions that Python code executes, so a call and each turn of a
loop count, and the number is the same in each run, however busy the machine is.  Work within one C
function, such as `x in a_list` with texts, is not seen; a comparison of two types or constants is,
since these are compared by Python code.

`assert_growth` compares the counts at several sizes:

    def test_reading_a_list_takes_time_in_proportion_to_its_length() -> None:
        assert_growth(lambda size: [1] * size, lambda data: LIST.accepts(data), (50, 200, 800))

A cache hides work: *run* must clear the caches that a user's first call would not find filled.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, TypeVar

T = TypeVar("T")

#: The steps after which a function is stopped: work that doubles with each size has no end.
MOST_STEPS = 20_000_000

#: By which factor a count may exceed the growth that is expected: for tables that become fuller.
_TOLERANCE = 1.15


class TooManySteps(BaseException):
    """Raised within a function that takes more steps than it may; no `except Exception` stops it."""


def steps(function: Callable[[], object], most: int = MOST_STEPS) -> int:
    """Return the number of bytecode instructions that *function* executes, calls included.

    Raises `TooManySteps` if there are more than *most*.
    """
    count = 0

    def counted() -> None:
        nonlocal count
        count += 1
        if count > most:
            raise TooManySteps(f"more than {most} steps")

    collecting = gc.isenabled()
    # A collection at a random moment may call Python code.
    gc.disable()
    try:
        with _each_instruction(counted):
            function()
    finally:
        if collecting:
            gc.enable()
    return count


if sys.version_info >= (3, 12):
    # A tracer does not see each instruction there.
    _TOOL = 4  # one of the numbers that `sys.monitoring` leaves to everyone

    @contextmanager
    def _each_instruction(counted: Callable[[], None]) -> Iterator[None]:
        """Call *counted* at each instruction within the block."""
        monitoring = sys.monitoring
        event = monitoring.events.INSTRUCTION

        def callback(_code: CodeType, _offset: int) -> None:
            try:
                counted()
            except BaseException:
                # Else the next instructions, those that clean up, would raise too.
                monitoring.set_events(_TOOL, 0)
                raise

        monitoring.use_tool_id(_TOOL, "steps")
        monitoring.register_callback(_TOOL, event, callback)
        monitoring.set_events(_TOOL, event)
        try:
            yield
        finally:
            monitoring.set_events(_TOOL, 0)
            monitoring.register_callback(_TOOL, event, None)
            monitoring.free_tool_id(_TOOL)

else:

    @contextmanager
    def _each_instruction(counted: Callable[[], None]) -> Iterator[None]:
        """Call *counted* at each instruction of the functions called within the block."""

        def trace(frame: FrameType, event: str, _argument: object) -> Any:
            if event == "call":
                frame.f_trace_opcodes, frame.f_trace_lines = True, False
            elif event == "opcode":
                counted()
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            yield
        finally:
            sys.settrace(before)


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
