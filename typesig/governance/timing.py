"""Time limits, after which nobody waits for a run, and the tokens that answers took."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from typesig.calls.running import WaitMode, run_blocking
from typesig.errors import TypesigError
from typesig.limits.calls import MAX_STOPPING

# --- Time limits: a timed-out run is abandoned, and nobody waits for its result ---

T = TypeVar("T")


class Deadline:
    """A time *seconds* from now, or never for None."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def get_remaining(self, most: float | None = None) -> float | None:
        """Return the seconds that are left, at most *most*; None if there is no end."""
        if self._end is None:
            return most
        left = max(0.0, self._end - time.monotonic())
        return left if most is None else min(left, most)


#: What became of a run that did not end in time: it was stopped, or it may go on.
Fate: TypeAlias = Literal["stopped", "left"]


class TimedOut(NamedTuple):
    """Result in place of that of a call that exceeded its time limit."""

    fate: Fate


def do_nothing() -> None:
    """Do nothing at the end of a run."""


def run_within(
    name: str, work: Callable[[], T], seconds: float | None, end: Callable[[], None]
) -> T | TimedOut:
    """Run *work*; return its result, or `TimedOut` after *seconds*.

    With a limit, it runs in a thread of its own that sees a copy of the context.  A thread cannot
    be stopped: a late one goes on, does not keep the program from ending, and what it returns or
    raises is dropped.  *end* is called when the work has really ended.
    """
    if seconds is None:
        try:
            return work()
        finally:
            end()
    returned: list[T] = []
    raised: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            returned.append(work())
        except BaseException as error:
            raised.append(error)
        finally:
            end()
            ended.set()

    thread = threading.Thread(
        target=copy_context().run, args=(run,), daemon=True, name=f"typesig {name}"
    )
    try:
        thread.start()
    except RuntimeError:
        end()
        raise TypesigError(
            f"a time limit for the plain function {name} needs a thread, and none can be started "
            "here; leave out seconds and turn, or make it a coroutine function"
        ) from None
    if not ended.wait(seconds):
        return TimedOut("left")
    if raised:
        raise raised[0]
    return returned[0]


async def run_limited(
    waiting: WaitMode,
    name: str,
    work: Callable[[], Coroutine[Any, Any, T]],
    seconds: float | None,
    end: Callable[[], None],
    left: set[asyncio.Task[Any]],
) -> T | TimedOut:
    """Run *work* for at most *seconds*, in a task or a thread, depending on *waiting*."""
    if waiting.awaits:
        return await run_within_async(work(), seconds, end, left)
    return run_within(name, lambda: run_blocking(work()), seconds, end)


async def run_within_async(
    work: Coroutine[Any, Any, T],
    seconds: float | None,
    end: Callable[[], None],
    left: set[asyncio.Task[Any]],
) -> T | TimedOut:
    """Await *work* for at most *seconds*; return its result or `TimedOut`.

    What goes on all the same, such as a plain function in its thread, is kept in *left* until it
    has ended.  If this task is cancelled, so is the work, and it ends when that has ended.
    """
    if seconds is None:
        try:
            return await work
        finally:
            end()
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda _: end())
    try:
        await asyncio.wait([task], timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        await _wait_until_ended(task)
        raise
    if task.done():
        return task.result()
    task.cancel()
    left.add(task)
    task.add_done_callback(left.discard)
    task.add_done_callback(_discard_exception)
    await asyncio.wait([task], timeout=MAX_STOPPING)
    return TimedOut("stopped" if task.done() else "left")


async def _wait_until_ended(task: asyncio.Task[Any]) -> None:
    """Wait until the cancelled *task* has ended, even if the waiter is cancelled too."""
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            continue
    _discard_exception(task)


def _discard_exception(task: asyncio.Task[Any]) -> None:
    """Read the exception of *task*, so that asyncio does not report it."""
    if not task.cancelled():
        task.exception()


# --- Token counts of answers, as vendors' clients report them ---


class Usage(NamedTuple):
    """Number of input and output tokens of model requests.

    #: input: those of the requests, cached ones too; output: those that the model wrote
    """

    input: int
    output: int

    @property
    def total(self) -> int:
        """The sum of input and output tokens."""
        return self.input + self.output

    def add(self, other: Usage) -> Usage:
        """Return the sum of this usage and *other*."""
        return Usage(self.input + other.input, self.output + other.output)
