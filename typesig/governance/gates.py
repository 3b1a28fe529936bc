"""Gates: how many calls run at the same time, over threads and loops; the others wait in order."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable

from typesig.calls.waiting import WaitMode


class Gate:
    """Limit of *most* concurrent calls, which lets waiting calls in by arrival."""

    __slots__ = ("_free", "_lock", "_waiting")

    def __init__(self, most: int) -> None:
        self._free = most
        self._lock = threading.Lock()
        self._waiting: deque[Callable[[], None]] = deque()

    def enter(self, seconds: float | None) -> bool:
        """Wait up to *seconds* for a free slot; return whether it was taken."""
        woken = threading.Event()
        wake = woken.set
        if self._try_to_take(wake) or woken.wait(seconds):
            return True
        return not self._forget(wake)

    async def enter_async(self, seconds: float | None) -> bool:
        """Like `enter`, in a task that can be cancelled."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            try:
                loop.call_soon_threadsafe(turn.set_result, None)
            except RuntimeError:
                # The loop has ended, and so has who waited in it.
                self.leave()

        if self._try_to_take(wake):
            return True
        try:
            await asyncio.wait([turn], timeout=seconds)
        except asyncio.CancelledError:
            if not self._forget(wake):
                self.leave()
            raise
        return turn.done() or not self._forget(wake)

    async def wait_to_enter(self, waiting: WaitMode, seconds: float | None) -> bool:
        """Like `enter`, in a task or in a thread, depending on *waiting*."""
        return await self.enter_async(seconds) if waiting.awaits else self.enter(seconds)

    def leave(self) -> None:
        """Release a slot, and pass it to the longest-waiting call, if any."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            wake = self._waiting.popleft()
        wake()

    def _try_to_take(self, wake: Callable[[], None]) -> bool:
        """Take a free slot and return True, or queue *wake* for a free one."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            self._waiting.append(wake)
            return False

    def _forget(self, wake: Callable[[], None]) -> bool:
        """Unregister *wake*; True if it was still waiting."""
        with self._lock:
            try:
                self._waiting.remove(wake)
            except ValueError:
                return False
            return True
