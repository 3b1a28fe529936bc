"""What happens while a tool's function runs: its thread, and the items that it yields."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from itertools import islice
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

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
    """Return what *function*, the plain one of the tool *name*, returns: run in a thread.

    What has to be awaited is, here.
    """
    returned = await run_in_thread(lambda: kept(name, function(*args, **named)))
    return await returned if is_awaitable(returned) else returned


def kept(name: str, returned: Any) -> Any:
    """Return what the tool *name* returned, the items of an iterator in a list.

    An iterator can be read only once.  Raises `TooLarge` for more than `MAX_ITEMS` items.
    """
    # Not `isinstance`, which asks the object itself for its class.
    if not issubclass(type(returned), Iterator):
        return returned
    items = list(islice(returned, MAX_ITEMS + 1))
    if len(items) > MAX_ITEMS:
        raise _too_large(name)
    return items


#: The flag of the code of a generator that `types.coroutine` made awaitable, as `inspect` names it.
_CO_ITERABLE_COROUTINE = 0x100


def is_awaitable(value: object) -> bool:
    """Return what `inspect.isawaitable` does; importing `inspect` takes longer than many calls."""
    if type(value) is GeneratorType:
        return bool(value.gi_code.co_flags & _CO_ITERABLE_COROUTINE)
    return issubclass(type(value), Awaitable)


def refuse_awaitable(name: str, returned: Any) -> None:
    """Raise `TypesigError` if what the tool *name* returned has to be awaited."""
    if is_awaitable(returned) or type(returned) is AsyncGeneratorType:
        if type(returned) is CoroutineType:
            returned.close()
        raise TypesigError(f"{name} returned an awaitable: write await {name}.acall(…)")


async def kept_from_async(name: str, returned: Any) -> Any:
    """Return what the tool *name* returned, the items of an asynchronous iterator in a list.

    A generator is closed.  Raises `TooLarge` as `kept` does.
    """
    if not issubclass(type(returned), AsyncIterator):
        return returned
    items: list[Any] = []
    try:
        async for item in returned:
            if len(items) == MAX_ITEMS:
                raise _too_large(name)
            items.append(item)
    finally:
        if isinstance(returned, AsyncGenerator):
            await returned.aclose()
    return items


def _too_large(name: str) -> TooLarge:
    return TooLarge(f"{name} returned an iterator of more than {MAX_ITEMS} items")
