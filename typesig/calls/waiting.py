"""Two ways to wait, so that each flow is written once: awaited, or blocking.

It is written as a coroutine.  One that waits by `BLOCKING` alone is never suspended: `run_blocking`
runs it to its end, without an event loop.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Iterator
from inspect import isawaitable, iscoroutine
from typing import Any, NamedTuple, TypeVar

from typesig.errors import TypesigError

T = TypeVar("T")


class WaitMode(NamedTuple):
    """Mode of waiting for awaitables: in an asyncio task, or blocking a thread.

    #: awaits: whether it is in a task
    """

    awaits: bool

    async def await_value(self, made: Any, refusal: str) -> Any:
        """Return *made*, awaited if it is awaitable; raise when blocking."""
        if not isawaitable(made):
            return made
        if self.awaits:
            return await made
        if iscoroutine(made):
            made.close()
        raise TypesigError(refusal)

    async def run_off_thread(self, work: Callable[[], T]) -> T:
        """Run *work*, a blocking request, in a thread if called in a task."""
        if not self.awaits:
            return work()
        import asyncio

        return await asyncio.to_thread(work)

    async def run_all(self, works: Iterable[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
        """Run the coroutines *works*; return their results or exceptions."""
        if self.awaits:
            import asyncio

            # If this task is cancelled, so are those, and it ends when they have.
            return await asyncio.gather(*works, return_exceptions=True)
        done: list[T | BaseException] = []
        for work in works:
            try:
                done.append(run_blocking(work))
            except Exception as error:
                # Kept, so that the others run, too.
                done.append(error)
        return done

    async def sleep(self, seconds: float) -> None:
        """Wait for *seconds*."""
        if not self.awaits:
            time.sleep(seconds)
            return
        import asyncio

        await asyncio.sleep(seconds)

    def unwrap_error(self, error: Exception) -> Exception:
        """Return the exception that *error* of a coroutine wraps, or *error*."""
        return error if self.awaits else _unwrap_stop_iteration(error)


BLOCKING = WaitMode(False)
AWAITING = WaitMode(True)


def run_blocking(flow: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine *flow* without an event loop, and return its result.

    What it raises passes.  No coroutine lets `StopIteration` out, and raises a `RuntimeError` for
    it: here it is raised as it was.
    """
    try:
        flow.send(None)
    except StopIteration as end:
        made: T = end.value
        return made
    except RuntimeError as error:
        raise _unwrap_stop_iteration(error) from error.__cause__
    flow.close()
    raise AssertionError("a coroutine that blocks was suspended")


def iterate_blocking(flow: AsyncGenerator[T, None]) -> Iterator[T]:
    """Yield the items of *flow*, which waits by `BLOCKING`."""
    try:
        while True:
            yield run_blocking(anext(flow))
    except StopAsyncIteration:
        return
    finally:
        run_blocking(flow.aclose())


def _unwrap_stop_iteration(error: Exception) -> Exception:
    """The `StopIteration` that *error* wraps, or *error*."""
    cause = error.__cause__
    is_stop = isinstance(cause, StopIteration) and str(error).endswith(" raised StopIteration")
    return cause if is_stop and isinstance(cause, Exception) else error
