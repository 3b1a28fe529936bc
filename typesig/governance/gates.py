"""Gates: how many calls run at the same time, over threads and loops; the others wait in order."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable

from typesig.calls.waiting import Waiting


class Gate:
    """Lets *most* callers in at once; who leaves hands the place to the one that waits longest."""

    __slots__ = ("_free", "_lock", "_waiting")

    def __init__(self, most: int) -> None:
        self._free = most
        self._lock = threading.Lock()
        self._waiting: deque[Callable[[], None]] = deque()

    def enter(self, seconds: float | None) -> bool:
        """Return whether a place was free within *seconds*, which `leave` gives back."""
        woken = threading.Event()
        wake = woken.set
        if self._takes(wake) or woken.wait(seconds):
            return True
        return not self._forgets(wake)

    async def aenter(self, seconds: float | None) -> bool:
        """Return the same as `enter`, in a task that can be cancelled."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            try:
                loop.call_soon_threadsafe(turn.set_result, None)
            except RuntimeError:
                # The loop has ended, and so has who waited in it.
                self.leave()

        if self._takes(wake):
            return True
        try:
            await asyncio.wait([turn], timeout=seconds)
        except asyncio.CancelledError:
            if not self._forgets(wake):
                self.leave()
            raise
        return turn.done() or not self._forgets(wake)

    async def entered(self, waiting: Waiting, seconds: float | None) -> bool:
        """Return the same as `enter`, *waiting* in a task or in a thread."""
        return await self.aenter(seconds) if waiting.awaits else self.enter(seconds)

    def leave(self) -> None:
        """Give the place to who waits longest, or back."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            wake = self._waiting.popleft()
        wake()

    def _takes(self, wake: Callable[[], None]) -> bool:
        """Return whether a place is free, which is taken; else *wake* is called when one is."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            self._waiting.append(wake)
            return False

    def _forgets(self, wake: Callable[[], None]) -> bool:
        """Return whether *wake* still waited, and does not any more."""
        with self._lock:
            try:
                self._waiting.remove(wake)
            except ValueError:
                return False
            return True
