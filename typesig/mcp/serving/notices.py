"""Progress and log messages of a running call: in order, thread-safe, without waiting."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from typesig.limits.network import MAX_NOTICES
from typesig.mcp.serving.requests import Entry, Progress

Notice: TypeAlias = Progress | Entry


class Notices:
    """Queue of a call's progress and log notices; *send* delivers them one by one.

    They are made on the loop on which the call is answered.
    """

    __slots__ = ("_left_out", "_lock", "_loop", "_open", "_send", "_task", "_waiting")

    def __init__(self, send: Callable[[Notice], Awaitable[None]]) -> None:
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting: deque[Notice] = deque()
        self._task: asyncio.Task[None] | None = None
        self._left_out = 0
        self._open = True

    def post(self, notice: Notice) -> None:
        """Queue *notice*; do nothing once the call has ended."""
        with self._lock:
            if not self._open:
                return
            waiting = self._waiting
            is_newer = len(waiting) > 1 and isinstance(waiting[-1], Progress)
            if is_newer and isinstance(notice, Progress):
                # It says all that the older one does.  The first may be on its way.
                waiting[-1] = notice
                return
            if len(waiting) >= MAX_NOTICES:
                self._left_out += 1
                return
            waiting.append(notice)
            if len(waiting) > 1:
                return
        try:
            self._loop.call_soon_threadsafe(self._start)
        except RuntimeError:
            # The loop has ended, and the thread of the call has not.
            self._open = False

    async def close(self) -> None:
        """Send the queued notices, and wait until they are sent."""
        with self._lock:
            self._open = False
            if not (self._waiting or self._left_out):
                return
            if self._left_out:
                text = f"{self._left_out} messages were left out: they came too fast"
                self._waiting.append(Entry("warning", text, None))
        if self._task is not None:
            await asyncio.wait([self._task])
        await self._run()

    def drop(self) -> None:
        """Discard the queued notices and later ones."""
        with self._lock:
            self._open = False
            self._waiting.clear()

    def _start(self) -> None:
        """Start the task that sends the queued notices, unless a task is running."""
        # Once it is closed, what is left is sent there.
        if self._open and (self._task is None or self._task.done()):
            self._task = self._loop.create_task(self._run())

    async def _run(self) -> None:
        """Send the queued notices in order; drop all of them if sending fails."""
        while True:
            with self._lock:
                if not self._waiting:
                    return
                # It stays the first until it is sent, so that no second task is started for others.
                notice = self._waiting[0]
            try:
                await self._send(notice)
            except Exception:
                # The client has gone; what it would have been told is of no use.
                self.drop()
                return
            with self._lock:
                if self._waiting:
                    self._waiting.popleft()
