"""Operations: the steps of plans, each in two forms that do the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from typesig.codegen import Constants, Lines

#: A form of an operation: takes a value, and returns the result or raises `Mismatch`.  The forms of
#: operations that count what they visit take the count as well.
Run: TypeAlias = Callable[..., Any]

#: The calls of a plan before source is compiled for it, which takes as long as some of them.
COLD_CALLS = 2

#: Loops within loops, and levels of indentation, in one function; CPython allows 20 and 100.
_MOST_LOOPS = 16
_MOST_LEVELS = 40


class Mismatch(Exception):
    """A value that does not conform; the check tells where and why."""


class Source(Lines):
    """The lines of one generated function of the variable `v0`.

    #: state: further parameters, which are passed to all operations, such as ", left"; or empty
    """

    __slots__ = ("_variables", "state")

    def __init__(self, state: str = "") -> None:
        super().__init__(Constants({"Mismatch": Mismatch}))
        self._variables = 0
        self.state = state

    def variable(self) -> str:
        """Return the name of a variable that is not used yet."""
        self._variables += 1
        return f"v{self._variables}"

    def refuse(self, test: str) -> None:
        """Add lines that raise `Mismatch` if the expression *test* is true."""
        self.guard(test, "raise Mismatch")

    def place(self, operation: Operation, var: str) -> str:
        """Add the lines of *operation* for the variable *var*, and return its result's expression.

        Where lines are nested too deeply, they are put into a function of their own.
        """
        if self.loops < _MOST_LOOPS and self.level < _MOST_LEVELS:
            return operation.emit(self, var)
        run = operation.compile(self.state)
        return f"{self.constants.bind(run)}({var}{self.state})"


class Operation:
    """One step of a plan; a subclass is frozen data."""

    __slots__ = ()

    def closure(self) -> Run:
        """Return the form that is used at once."""
        raise NotImplementedError

    def emit(self, source: Source, var: str) -> str:
        """Add lines for the value in *var* to *source*; return the expression of the result.

        By default, the closure is called.
        """
        return f"{source.constants.bind(self.closure())}({var}{source.state})"

    def compile(self, state: str = "") -> Run:
        """Return generated code that does what the closure does; *state* is that of `Source`."""
        source = Source(state)
        result = self.emit(source, "v0")
        source.add(f"return {result}")
        run: Run = source.compile_function(f"def run(v0{state}):", "run")
        return run


class Plan:
    """An operation in use: by its closure at first, and by generated code from then on.

    #: run: returns the result for a value, or raises `Mismatch`
    """

    __slots__ = ("_calls", "_operation", "run")

    run: Run

    def __init__(self, operation: Operation, state: str = "") -> None:
        self._operation = operation
        self._calls = 0
        closure = operation.closure()

        def run_cold(value: Any, *rest: Any) -> Any:
            # Of two threads that compile at the same time, either result is kept.
            self._calls += 1
            if self._calls > COLD_CALLS:
                self.run = operation.compile(state)
            return closure(value, *rest)

        self.run = run_cold
