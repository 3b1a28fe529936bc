"""Long files: chunks of lines, spread over several processes.

A chunk is sent as it was read, and its process takes it apart.  Results come back in the order of
the chunks, of which only as many are read ahead as keep the processes busy; so the memory used does
not grow with the file.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from typesig.cli.inputs.data import Chunk, format_place
from typesig.cli.inputs.output import stop

T = TypeVar("T")

#: Chunks that are read ahead for each process.
_AHEAD = 3


def run_in_processes(
    work: Callable[[Any, Chunk], T], asked: Any, chunks: Iterable[Chunk], jobs: int, name: str
) -> Generator[tuple[Chunk, T], None, None]:
    """Call *work* on each of *chunks* in *jobs* processes; yield chunks and results.

    *work* is a function of a module, and *asked* is pickled once for each process.  If a process
    dies, the command stops with the first line of *name* whose result was not yielded.
    """
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=start_process, initargs=(work, asked)
    )
    waiting: deque[tuple[Chunk, Future[T]]] = deque()
    chunk = Chunk(0, b"")
    try:
        for chunk in chunks:
            with _hold_interrupts():
                # Processes start in this call.
                future = pool.submit(work_on_chunk, chunk)
            waiting.append((chunk, future))
            while waiting and (len(waiting) > _AHEAD * jobs or waiting[0][1].done()):
                yield _get_first(waiting)
        while waiting:
            yield _get_first(waiting)
    except BrokenProcessPool:
        # A chunk that could not be handed over is not among those that wait.
        first, text, _ = waiting[0][0] if waiting else chunk
        stop(
            f"a process died, so nothing is told of {format_place(name, (first, text))} and what "
            "follows; if memory ran out, ask for fewer with --jobs"
        )
    finally:
        # A chunk takes no longer than some tenths of a second.
        pool.shutdown(cancel_futures=True)


@contextmanager
def _hold_interrupts() -> Iterator[None]:
    """Block SIGINT within the context, also in processes that start there."""
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


def _get_first(waiting: deque[tuple[Chunk, Future[T]]]) -> tuple[Chunk, T]:
    """Wait for the first chunk in *waiting*, and remove and return it with its result."""
    # A chunk is taken away when it has its result, so that an error can name it.
    chunk, future = waiting[0]
    result = future.result()
    waiting.popleft()
    return chunk, result


#: What a process that was prepared does with a chunk.
_work: Callable[[Chunk], Any] | None = None


def start_process(work: Callable[[Any, Chunk], Any], asked: Any) -> None:
    """Initialize a worker process to call *work* with *asked*."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    _work = lambda chunk: work(asked, chunk)  # noqa: E731


def end_with_parent() -> None:
    """End this worker process when its parent process has ended."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def work_on_chunk(chunk: Chunk) -> Any:
    """Process *chunk* by the work function of this worker process."""
    assert _work is not None
    return _work(chunk)
