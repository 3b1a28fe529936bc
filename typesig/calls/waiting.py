"""The two ways to wait, so that what is waited for, in which order, is written once.

It is written as a coroutine.  One that waits by `BLOCKING` alone is never suspended: `at_once` runs
it to its end, without an event loop.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Iterator
from inspect import isawaitable, iscoroutine
from typing import Any, NamedTuple, TypeVar

from typesig.errors import TypesigError

T = TypeVar("T")


class Waiting(NamedTuple):
    """How to wait: in a task, or in a thread that is blocked meanwhile.

    #: awaits: whether it is in a task
    """

    awaits: bool

    async def value(self, made: Any, refusal: str) -> Any:
        """Return *made*, awaited if need be; blocked, raise `TypesigError` with *refusal* then."""
        if not isawaitable(made):
            return made
        if self.awaits:
            return await made
        if iscoroutine(made):
            made.close()
        raise TypesigError(refusal)

    async def off(self, work: Callable[[], T]) -> T:
        """Return what *work* returns, which waits for the network: a task has a thread do it."""
        if not self.awaits:
            return work()
        import asyncio

        return await asyncio.to_thread(work)

    async def all(self, works: Iterable[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
        """Return what each of *works* returns or raises: tasks run at once, others in turn."""
        if self.awaits:
            import asyncio

            # If this task is cancelled, so are those, and it ends when they have.
            return await asyncio.gather(*works, return_exceptions=True)
        done: list[T | BaseException] = []
        for work in works:
            try:
                done.append(at_once(work))
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

    def raised(self, error: Exception) -> Exception:
        """Return what was raised where a coroutine raised *error*; see `at_once`."""
        return error if self.awaits else _raised(error)


BLOCKING = Waiting(False)
AWAITING = Waiting(True)


def at_once(flow: Coroutine[Any, Any, T]) -> T:
    """Return what *flow* returns, a coroutine that waits by `BLOCKING`.

    What it raises passes.  No coroutine lets `StopIteration` out, and raises a `RuntimeError` for
    it: here it is raised as it was.
    """
    try:
        flow.send(None)
    except StopIteration as end:
        made: T = end.value
        return made
    except RuntimeError as error:
        raise _raised(error) from error.__cause__
    flow.close()
    raise AssertionError("a coroutine that blocks was suspended")


def each(flow: AsyncGenerator[T, None]) -> Iterator[T]:
    """Yield what *flow* yields, which waits by `BLOCKING`."""
    try:
        while True:
            yield at_once(anext(flow))
    except StopAsyncIteration:
        return
    finally:
        at_once(flow.aclose())


def _raised(error: Exception) -> Exception:
    """Return the `StopIteration` that *error* stands for, or *error*."""
    cause = error.__cause__
    is_stop = isinstance(cause, StopIteration) and str(error).endswith(" raised StopIteration")
    return cause if is_stop and isinstance(cause, Exception) else error
