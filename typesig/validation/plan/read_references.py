"""Reading named types, which may contain themselves."""

from __future__ import annotations

from _thread import _local
from collections.abc import Callable
from typing import Any

from typesig.limits import MAX_FRAMES
from typesig.validation.plan.operations import Mismatch, Run, Source, compile_operation
from typesig.validation.plan.read_leaves import ValueReader


class Depth(_local):
    """How many types the value that a thread reads is inside of, through references."""

    frames = 0


class ReferenceReader(ValueReader):
    """A value of a named type.

    #: cost: how many types are inside of the named one
    #: depth: counts them
    #: inner: reads a value of the named type; set when it is known
    """

    __slots__ = ("_compiled", "_is_compiled", "_run", "cost", "depth", "inner")

    inner: ValueReader

    def __init__(self, cost: int, depth: Depth) -> None:
        self.cost = cost
        self.depth = depth
        self._run: Run | None = None
        self._compiled: Run | None = None
        self._is_compiled = False

    def closure(self) -> Run:
        """Return the function that reads a value one level further inside."""
        return self._enter(self._get_run)

    def emit(self, source: Source, var: str) -> str:
        """Return the call of a compiled function, which all references to the name share."""
        if not self._is_compiled:
            self._is_compiled = True
            self._compiled = compile_operation(self.inner)
        # Another thread may be compiling it.
        run = self._enter(lambda: self._compiled or self._get_run())
        return f"{source.constants.bind(run)}({var})"

    def _get_run(self) -> Run:
        """Return the closure of the named type, made when a value first reaches it."""
        # Of two threads that make it at the same time, either result is kept.
        run = self._run
        if run is None:
            run = self._run = self.inner.closure()
        return run

    def _enter(self, find: Callable[[], Run]) -> Run:
        """Make the function that counts a level, and reads by what *find* returns."""
        depth, cost = self.depth, self.cost

        def run(value: Any) -> Any:
            frames = depth.frames
            if frames + cost > MAX_FRAMES:
                raise Mismatch
            depth.frames = frames + cost
            try:
                return find()(value)
            finally:
                depth.frames = frames

        return run
