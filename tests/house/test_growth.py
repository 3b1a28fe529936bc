"""The counter of steps that tests about growth use."""

from __future__ import annotations

import sys

import pytest

from tests.growth import TooManySteps, assert_growth, steps


def _linear(size: int) -> list[int]:
    return [number + 1 for number in range(size)]


def _quadratic(size: int) -> int:
    total = 0
    for one in range(size):
        for other in range(size):
            total += one * other
    return total


def _exponential(size: int) -> int:
    return 1 if size == 0 else _exponential(size - 1) + _exponential(size - 1)


def test_steps_count_each_turn_of_a_loop_and_each_call() -> None:
    assert steps(lambda: _linear(200)) - steps(lambda: _linear(100)) >= 100
    assert steps(lambda: _exponential(9)) > 1.9 * steps(lambda: _exponential(8))


def test_steps_are_the_same_in_each_run() -> None:
    assert steps(lambda: _quadratic(20)) == steps(lambda: _quadratic(20))


def test_steps_end_a_function_that_takes_too_many() -> None:
    with pytest.raises(TooManySteps, match="more than 1000 steps"):
        steps(lambda: _exponential(60), most=1_000)


def test_steps_leave_the_trace_function_as_it_was() -> None:
    before = sys.gettrace()
    with pytest.raises(ZeroDivisionError):
        steps(lambda: 1 // 0)
    assert sys.gettrace() is before


def test_growth_is_compared_with_a_power_of_the_size() -> None:
    sizes = (20, 80, 320)
    assert_growth(int, _linear, sizes)
    assert_growth(int, _quadratic, (10, 40), power=2)
    with pytest.raises(AssertionError, match=r"faster than size \*\* 1: 20: \d+, 80: more than"):
        assert_growth(int, _quadratic, sizes)
    with pytest.raises(AssertionError, match="the work grows faster"):
        assert_growth(int, _exponential, (4, 64), power=2)
