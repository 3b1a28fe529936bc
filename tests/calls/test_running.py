"""What is written once as a coroutine runs to its end without a loop, and raises what it raises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

import typesig
from typesig import TypesigError
from typesig.calls.running import AWAITING, BLOCKING, iterate_blocking, run_blocking
from typesig.governance import Governance


async def returned(value: Any) -> Any:
    return value


async def raised(error: Exception) -> None:
    raise error


def test_a_coroutine_that_blocks_runs_to_its_end() -> None:
    assert run_blocking(returned(3)) == 3


@pytest.mark.parametrize("error", [ValueError("no"), RuntimeError("raised StopIteration")])
def test_what_it_raises_passes(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        run_blocking(raised(error))

    assert caught.value is error


def test_the_end_of_an_iterator_passes_as_it_was_raised() -> None:
    error = StopIteration("the end")

    with pytest.raises(StopIteration) as caught:
        run_blocking(raised(error))

    assert caught.value is error


def test_a_coroutine_that_is_suspended_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="a coroutine that blocks was suspended"):
        run_blocking(asyncio.sleep(0))


def test_a_value_that_has_to_be_awaited_is_refused_where_nothing_awaits() -> None:
    with pytest.raises(TypesigError, match="write await"):
        run_blocking(BLOCKING.await_value(returned(3), "write await"))

    assert run_blocking(BLOCKING.await_value(3, "write await")) == 3
    assert asyncio.run(AWAITING.await_value(returned(3), "")) == 3


def test_each_of_several_is_run_whatever_another_raises() -> None:
    error = ValueError("no")

    for made in (
        run_blocking(BLOCKING.run_all(iter([raised(error), returned(1)]))),
        asyncio.run(AWAITING.run_all(iter([raised(error), returned(1)]))),
    ):
        assert made == [error, 1]


def test_what_is_iterated_over_is_closed_when_it_is_left() -> None:
    seen: list[Any] = []

    async def flow() -> AsyncGenerator[int, None]:
        try:
            yield await returned(1)
            yield await returned(2)
        finally:
            seen.append(await returned("closed"))

    assert list(iterate_blocking(flow())) == [1, 2]
    one = iterate_blocking(flow())
    assert next(one) == 1
    one.close()  # type: ignore[attr-defined]

    assert seen == ["closed", "closed"]


@pytest.mark.parametrize("governance", [None, Governance(retries=1)])
def test_a_tool_may_raise_the_end_of_an_iterator(governance: Governance | None) -> None:
    seen: list[Exception] = []
    empty = iter(list[int]())

    def take() -> int:
        """Take the next."""
        return next(empty)

    def told(error: Exception, call: object) -> str:
        seen.append(error)
        return "there are no more"

    wire = typesig.tools_of([take]).project("mcp")
    message = {"name": "take", "arguments": {}}
    made = wire.handle(message, on_exception=told, governance=governance)

    assert made[0]["content"] == [{"type": "text", "text": "there are no more"}]
    assert [type(error) for error in seen] == [StopIteration]
    with pytest.raises(StopIteration):
        wire.handle(message, governance=governance)


def test_a_model_s_function_may_raise_the_end_of_an_iterator() -> None:
    empty = iter(list[str]())

    with pytest.raises(StopIteration):
        typesig.contract(int).ask(lambda messages: next(empty), "How many?")
