"""Running a tool's function: threads, and collected items of iterators."""

from __future__ import annotations

import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
)
from itertools import islice
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any, NamedTuple, TypeVar

from typesig.errors import TooLarge, TypesigError
from typesig.limits import MAX_ITEMS


async def run_in_thread(function: Callable[[], Any]) -> Any:
    """Return the result of *function*, run in a thread that sees a copy of the context.

    A thread cannot be stopped: if the task is cancelled meanwhile, `CancelledError` is raised when
    the function has ended, so no thread is left behind.
    """
    import asyncio
    import contextvars

    loop = asyncio.get_running_loop()
    # A future of the executor, not a task: what cancels all tasks of a loop must not cancel it.
    running = loop.run_in_executor(None, contextvars.copy_context().run, function)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        while not running.done():
            try:
                await asyncio.wait([running])
            except asyncio.CancelledError:
                continue
        if (error := running.exception()) is not None:
            # The cancellation is what the caller asked for; the error is its context.
            raise asyncio.CancelledError from error
        raise


async def run_plain(name: str, function: Callable[..., Any], /, *args: Any, **named: Any) -> Any:
    """Run *function*, the plain function of the tool *name*.

    What has to be awaited is, here.
    """
    returned = await run_in_thread(lambda: collect_items(name, function(*args, **named)))
    return await returned if is_awaitable(returned) else returned


def collect_items(name: str, returned: Any) -> Any:
    """Return the result of the tool *name*, with an iterator's items in a list.

    An iterator can be read only once.  Raises `TooLarge` for more than `MAX_ITEMS` items.
    """
    # Not `isinstance`, which asks the object itself for its class.
    if not issubclass(type(returned), Iterator):
        return returned
    items = list(islice(returned, MAX_ITEMS + 1))
    if len(items) > MAX_ITEMS:
        raise _make_too_large(name)
    return items


#: The flag of the code of a generator that `types.coroutine` made awaitable, as `inspect` names it.
_CO_ITERABLE_COROUTINE = 0x100


def is_awaitable(value: object) -> bool:
    """Like `inspect.isawaitable`, without importing `inspect`."""
    if type(value) is GeneratorType:
        return bool(value.gi_code.co_flags & _CO_ITERABLE_COROUTINE)
    return issubclass(type(value), Awaitable)


def refuse_awaitable(name: str, returned: Any) -> None:
    """Raise `TypesigError` if *returned*, the result of tool *name*, must be awaited."""
    if is_awaitable(returned) or type(returned) is AsyncGeneratorType:
        if type(returned) is CoroutineType:
            returned.close()
        raise TypesigError(f"{name} returned an awaitable: write await {name}.acall(…)")


async def collect_async_items(name: str, returned: Any) -> Any:
    """Convert *returned*, a result of *name*, to a list if it is async iterable.

    A generator is closed.  Raises `TooLarge` as `collect_items` does.
    """
    if not issubclass(type(returned), AsyncIterator):
        return returned
    items: list[Any] = []
    try:
        async for item in returned:
            if len(items) == MAX_ITEMS:
                raise _make_too_large(name)
            items.append(item)
    finally:
        if isinstance(returned, AsyncGenerator):
            await returned.aclose()
    return items


def _make_too_large(name: str) -> TooLarge:
    """Build the error that the tool *name* returned an iterator with too many items."""
    return TooLarge(f"{name} returned an iterator of more than {MAX_ITEMS} items")


# --- Two ways to wait, so that each flow is written once: awaited, or blocking ---
# It is written as a coroutine.  One that waits by `BLOCKING` alone is never suspended:
# `run_blocking` runs it to its end, without an event loop.

T = TypeVar("T")


class WaitMode(NamedTuple):
    """Mode of waiting for awaitables: in an asyncio task, or blocking a thread.

    #: awaits: whether it is in a task
    """

    awaits: bool

    async def await_value(self, made: Any, refusal: str) -> Any:
        """Return *made*, awaited if it is awaitable; raise when blocking."""
        if not is_awaitable(made):
            return made
        if self.awaits:
            return await made
        if isinstance(made, CoroutineType):
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
