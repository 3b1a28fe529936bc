"""Lifespan functions: resources that open and close with a server."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import (
    asynccontextmanager,
    contextmanager,
)
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args
from weakref import WeakSet

from typesig.errors import TypesigError
from typesig.limits.network import MAX_LISTENERS
from typesig.mcp.transport.sdk import import_sdk

if TYPE_CHECKING:
    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext


#: A function whose context is open while a server runs; it yields values to inject, by name.
Lifespan: TypeAlias = Callable[[], Any]


class opened:  # noqa: N801 - a context manager, as those of contextlib
    """Context manager that yields the values of *lifespan* for calls without a server.

    In a `with` or an `async with` block, it gives the values by name that *lifespan*, as that of
    `typesig.mcp.server`, yields; what it has opened is closed at the end.  Hand them to `handle`,
    `ask` or `call` as *given*.  Raises `TypesigError` if *lifespan* is no function, or its context
    is no context of a dict, or has to be awaited in a plain `with`.

    >>> from typesig import Injected, tools_of
    >>> def lifespan():
    ...     yield {"rows": [1, 2]}
    >>> def count(rows: Injected[list[int]]) -> int:
    ...     return len(rows)
    >>> with opened(lifespan) as values:
    ...     tools_of([count]).call("count", given=values).value
    2
    """

    __slots__ = ("_entered", "_lifespan")

    def __init__(self, lifespan: Lifespan) -> None:
        if not callable(lifespan):
            raise TypesigError(f"lifespan is a function, not {type(lifespan).__name__}")
        self._lifespan = lifespan
        self._entered: Any = None

    def __enter__(self) -> Mapping[str, Any]:
        self._entered = _enter_sync_lifespan(self._lifespan)
        return self._entered.__enter__()  # type: ignore[no-any-return]

    def __exit__(self, *raised: Any) -> bool | None:
        return self._entered.__exit__(*raised)  # type: ignore[no-any-return]

    async def __aenter__(self) -> Mapping[str, Any]:
        self._entered = enter_lifespan(self._lifespan)
        return await self._entered.__aenter__()  # type: ignore[no-any-return]

    async def __aexit__(self, *raised: Any) -> bool | None:
        return await self._entered.__aexit__(*raised)  # type: ignore[no-any-return]


@asynccontextmanager
async def enter_lifespan(lifespan: Lifespan | None) -> AsyncIterator[Mapping[str, Any]]:
    """Yield the values of *lifespan* by name, and close it at the end.

    Raises `TypesigError` if it is no context of a dict.
    """
    if lifespan is None:
        yield {}
        return
    made = _make_context(lifespan)
    if hasattr(type(made), "__aenter__"):
        async with made as values:
            yield _check_values(values)
    elif hasattr(type(made), "__enter__"):
        with made as values:
            yield _check_values(values)
    else:
        raise _make_context_error(made)


@contextmanager
def _enter_sync_lifespan(lifespan: Lifespan) -> Iterator[Mapping[str, Any]]:
    """Yield the values of *lifespan*, which must be synchronous, and close it after."""
    made = _make_context(lifespan)
    if hasattr(type(made), "__enter__"):
        with made as values:
            yield _check_values(values)
    elif hasattr(type(made), "__aenter__"):
        raise TypesigError("this lifespan is asynchronous: write async with opened(…)")
    else:
        raise _make_context_error(made)


def _make_context(lifespan: Lifespan) -> Any:
    """Call *lifespan* and return its context manager; generators are wrapped."""
    made: Any = lifespan()
    if inspect.isasyncgen(made) or inspect.isgenerator(made):
        manager: Any = asynccontextmanager if inspect.isasyncgen(made) else contextmanager
        return manager(lambda: made)()
    return made


def _make_context_error(made: Any) -> TypesigError:
    """Build the error for *made*, a lifespan's result that is no context manager."""
    if inspect.iscoroutine(made):
        made.close()
    return TypesigError(
        "lifespan is a function that yields a dict of values by name, or returns a context "
        f"manager that does, not one that returns {type(made).__name__}"
    )


def _check_values(values: Any) -> Mapping[str, Any]:
    """Return the *values* that a lifespan yields, as a mapping; None becomes empty."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise TypesigError(
            f"lifespan yields a dict of values by name, not {type(values).__name__}; write "
            'yield {"db": db}'
        )
    return values


# --- One run of a server: its lifespan values and its clients ---

#: The lists that a server has.
Kind: TypeAlias = Literal["prompts", "resources", "tools"]
KINDS: tuple[Kind, ...] = get_args(Kind)

LOG = logging.getLogger("typesig.mcp")


class Lifetime:
    """A single run of a server on an event loop, with its clients.

    #: loop: the loop; values: what the lifespan function gave, by name, once it has
    #: connections: the clients that have listed something, and are told when it changes
    """

    __slots__ = ("_announcing", "_bus", "_listen", "connections", "loop", "values")

    def __init__(self) -> None:
        subscriptions = import_sdk("mcp.server.subscriptions")
        self.loop = asyncio.get_running_loop()
        self.values: Mapping[str, Any] | None = None
        self.connections: WeakSet[Connection] = WeakSet()
        self._bus = subscriptions.InMemorySubscriptionBus()
        self._listen = subscriptions.ListenHandler(self._bus, max_subscriptions=MAX_LISTENERS)
        self._announcing: set[asyncio.Task[None]] = set()

    async def listen(self, context: ServerRequestContext[Any, Any], params: Any) -> Any:
        """Send list changes to a client until it disconnects (protocol 2026-07-28)."""
        return await self._listen(context, params)

    def announce(self, kind: Kind) -> None:
        """Notify all clients that the list of *kind* has changed; thread-safe."""
        try:
            self.loop.call_soon_threadsafe(self._start, kind)
        except RuntimeError:
            # The loop has been closed: nobody is left to be told.
            return

    def _start(self, kind: Kind) -> None:
        """Start a task that announces a changed list of *kind* to all clients."""
        task = self.loop.create_task(self._announce(kind))
        self._announcing.add(task)
        task.add_done_callback(self._announcing.discard)

    async def _announce(self, kind: Kind) -> None:
        """Announce a changed list of *kind* to subscribers and open connections."""
        changed = getattr(import_sdk("mcp.server.subscriptions"), f"{kind.title()}ListChanged")
        await self._bus.publish(changed())
        sending = [self._tell(connection, kind) for connection in list(self.connections)]
        await asyncio.gather(*sending)

    async def _tell(self, connection: Connection, kind: Kind) -> None:
        """Notify the client of *connection* that its list of *kind* has changed."""
        try:
            await getattr(connection, f"send_{kind.removesuffix('s')}_list_changed")()
        except Exception as error:
            LOG.debug("a client could not be told that the %s have changed: %r", kind, error)


def unwrap_group(group: BaseExceptionGroup[Any]) -> BaseException:
    """Return the exception inside *group* and its nested groups of a single exception."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def get_first_error(error: BaseException) -> BaseException:
    """Return the first exception within *error* that is not an exception group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
