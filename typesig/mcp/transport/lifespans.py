"""Lifespan functions: resources that open and close with a server."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from typing import Any, TypeAlias

from typesig.errors import TypesigError

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

    __slots__ = ("_awaited", "_lifespan", "_plain")

    def __init__(self, lifespan: Lifespan) -> None:
        if not callable(lifespan):
            raise TypesigError(f"lifespan is a function, not {type(lifespan).__name__}")
        self._lifespan = lifespan
        self._plain: AbstractContextManager[Mapping[str, Any]] | None = None
        self._awaited: AbstractAsyncContextManager[Mapping[str, Any]] | None = None

    def __enter__(self) -> Mapping[str, Any]:
        self._plain = _enter_sync_lifespan(self._lifespan)
        return self._plain.__enter__()

    def __exit__(self, *raised: Any) -> bool | None:
        assert self._plain is not None
        return self._plain.__exit__(*raised)

    async def __aenter__(self) -> Mapping[str, Any]:
        self._awaited = enter_lifespan(self._lifespan)
        return await self._awaited.__aenter__()

    async def __aexit__(self, *raised: Any) -> bool | None:
        assert self._awaited is not None
        return await self._awaited.__aexit__(*raised)


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
        return _wrap_generator(made)
    return made


def _make_context_error(made: Any) -> TypesigError:
    """Build the error for *made*, a lifespan's result that is no context manager."""
    if inspect.iscoroutine(made):
        made.close()
    return TypesigError(
        "lifespan is a function that yields a dict of values by name, or returns a context "
        f"manager that does, not one that returns {type(made).__name__}"
    )


def _wrap_generator(made: Any) -> Any:
    """Build the context manager of the generator *made*, plain or asynchronous."""
    manager: Any = asynccontextmanager if inspect.isasyncgen(made) else contextmanager
    return manager(lambda: made)()


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
