"""Gates: at most so many at once, over threads and loops, and no place is lost."""

from __future__ import annotations

import asyncio
import threading

import pytest

from typesig.governance.governance import Gate


def test_who_leaves_hands_the_place_on() -> None:
    gate = Gate(1)

    assert gate.enter(0)
    assert not gate.enter(0)
    gate.leave()
    assert gate.enter(0)


@pytest.mark.needs_process
def test_a_thread_waits_for_a_place() -> None:
    gate = Gate(1)
    gate.enter(None)
    threading.Timer(0.02, gate.leave).start()

    assert gate.enter(10)


def test_a_place_that_is_handed_over_as_the_time_ends_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = Gate(1)
    gate.enter(None)

    class Event(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            gate.leave()
            return False

    monkeypatch.setattr(threading, "Event", Event)

    assert gate.enter(1)
    monkeypatch.undo()
    assert not gate.enter(0)


def test_tasks_wait_in_their_order() -> None:
    entered: list[int] = []

    async def one(gate: Gate, n: int) -> None:
        assert await gate.enter_async(10)
        entered.append(n)
        await asyncio.sleep(0)
        gate.leave()

    async def run() -> None:
        gate = Gate(2)
        await asyncio.gather(*[one(gate, n) for n in range(6)])
        assert gate.enter(0)
        assert gate.enter(0)
        assert not await gate.enter_async(0.01)

    asyncio.run(run())

    assert list(range(6)) == entered


def test_a_task_that_is_cancelled_does_not_keep_a_place() -> None:
    async def run() -> None:
        gate = Gate(1)
        gate.enter(None)
        waiting = asyncio.ensure_future(gate.enter_async(None))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        gate.leave()
        assert gate.enter(0)
        # Cancelled when the place was handed over already.
        waiting = asyncio.ensure_future(gate.enter_async(None))
        await asyncio.sleep(0)
        gate.leave()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert gate.enter(0)

    asyncio.run(run())


def test_a_loop_that_has_ended_does_not_keep_a_place() -> None:
    gate = Gate(1)
    gate.enter(None)
    loop = asyncio.new_event_loop()
    waiting = loop.create_task(gate.enter_async(None))
    loop.run_until_complete(asyncio.sleep(0))
    waiting._log_destroy_pending = False  # type: ignore[attr-defined]
    loop.close()

    gate.leave()

    assert gate.enter(0)
