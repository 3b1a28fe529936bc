"""Long files: their lines in batches, over several processes, and the progress.

Results come back in the order of the batches, of which only as many are read ahead as keep the
processes busy; so the memory used does not grow with the file.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from typesig.cli.data import Line, place_of
from typesig.cli.output import stop

T = TypeVar("T")

#: The most lines, and the most bytes, of a batch. A longer line is a batch of its own.
_BATCH_LINES, _BATCH_BYTES = 2_000, 1 << 20

#: Batches that are read ahead for each process.
_AHEAD = 3

#: Lines between two reports of progress.
_STEP = 10_000


def batches(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield *lines* in batches."""
    batch: list[Line] = []
    size = 0
    for line in lines:
        if batch and (len(batch) >= _BATCH_LINES or size + len(line[1]) > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line[1])
    if batch:
        yield batch


def in_processes(
    work: Callable[[Any, list[Line]], T], asked: Any, lines: Iterable[Line], jobs: int, name: str
) -> Generator[tuple[list[Line], T], None, None]:
    """Yield each batch of *lines* and `work(asked, batch)`, which *jobs* processes compute.

    *work* is a function of a module, and *asked* is pickled once for each process.  If a process
    dies, the command stops with the first line of *name* whose result was not yielded.
    """
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=started, initargs=(work, asked)
    )
    waiting: deque[tuple[list[Line], Future[T]]] = deque()
    batch: list[Line] = []
    try:
        for batch in batches(lines):
            with _interrupts_held():
                # Processes start in this call.
                future = pool.submit(worked, batch)
            waiting.append((batch, future))
            if len(waiting) > _AHEAD * jobs:
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
    except BrokenProcessPool:
        # A batch that could not be handed over is not among those that wait.
        first = waiting[0][0] if waiting else batch
        stop(
            f"a process died, so nothing is told of {place_of(name, first[0])} and what follows; "
            "if memory ran out, ask for fewer with --jobs"
        )
    finally:
        # A batch takes no longer than some tenths of a second.
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    # A terminal interrupts all processes of a command.  One that starts has to leave that to the
    # process that starts it from its first instruction on; and it inherits what is blocked here.
    # What arrives in the meantime is handled at the end.  Windows has no such mask.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _first(waiting: deque[tuple[list[Line], Future[T]]]) -> tuple[list[Line], T]:
    # A batch is taken away when it has its result, so that an error can name it.
    batch, future = waiting[0]
    result = future.result()
    waiting.popleft()
    return batch, result


#: What a process that was prepared does with a batch.
_work: Callable[[list[Line]], Any] | None = None


def started(work: Callable[[Any, list[Line]], Any], asked: Any) -> None:
    """Prepare this process, which an interrupt leaves to the one that started it."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    _work = lambda batch: work(asked, batch)  # noqa: E731


def end_with_parent() -> None:
    """End this process when the one that started it has ended."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def worked(batch: list[Line]) -> Any:
    """Return the result for *batch*, in a process that was prepared."""
    assert _work is not None
    return _work(batch)


class Progress:
    """Counts lines on standard error, if that is a terminal or *asked*."""

    def __init__(self, asked: bool) -> None:
        self._terminal = sys.stderr.isatty()
        self._on = asked or self._terminal
        self._count = 0

    def over(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield *lines*, and count them."""
        if not self._on:
            yield from lines
            return
        for count, line in enumerate(lines, 1):
            if count % _STEP == 0:
                self._say(f"{count} values…")
            yield line
        if self._terminal:
            print("\r" + " " * 30 + "\r", end="", file=sys.stderr, flush=True)

    def _say(self, text: str) -> None:
        start, end = ("\r", "") if self._terminal else ("", "\n")
        print(f"{start}{text}", end=end, file=sys.stderr, flush=True)
