"""Programs run in Monty, a sandbox for Python in a process of its own; extra `code`."""

from __future__ import annotations

import ast
import os
import re
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import Any

from typesig.lazy_imports import import_extra
from typesig.programs.checks.sandbox import MONTY, Sandbox
from typesig.programs.runner import Answer, Asked, Bounds, Failure, OpaqueValue, Ran, Running

#: What ends a process at once.
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


class MontyRunner:
    """Runs programs in Monty, each in a fresh process.

    A program has no files, no network, no environment and no packages.  Monty counts no steps: its
    seconds bound them.  Raises `TypesigError` without the package.
    """

    def __init__(self) -> None:
        self._monty = import_extra("pydantic_monty", "code", "running programs")

    @property
    def sandbox(self) -> Sandbox:
        """The Python features that Monty supports."""
        return MONTY

    def start(self, program: str, names: frozenset[str], awaited: bool, bounds: Bounds) -> Running:
        """Start *program* in Monty and return the running program; see `Runner`."""
        return _MontyRun(self._monty, program, names, awaited, bounds)


class _MontyRun(Generator[Sequence[Asked], Sequence[Answer], Ran]):
    """A program running in a Monty process, which `stop` ends from any thread."""

    def __init__(
        self, monty: Any, program: str, names: frozenset[str], awaited: bool, bounds: Bounds
    ) -> None:
        self._monty = monty
        self._values = _Values(program)
        self._lock = threading.Lock()
        self._is_stopped = False
        self._pid: int | None = None
        self._running = self._run(program, names, awaited, bounds)

    def send(self, answers: Any) -> Sequence[Asked]:
        """Continue the program with *answers* to its tool calls."""
        return self._running.send(answers)

    def throw(self, *raised: Any) -> Sequence[Asked]:
        """Raise an exception in the generator that runs the program."""
        return self._running.throw(*raised)

    def stop(self) -> None:
        """End the process of the program."""
        with self._lock:
            self._is_stopped = True
            if self._pid is not None:
                with suppress(OSError):
                    os.kill(self._pid, _KILL)

    def _register_process(self, pid: int | None) -> bool:
        """Store the process of the program; False if the program must not run."""
        with self._lock:
            self._pid = pid
            return not self._is_stopped

    def _run(
        self, program: str, names: frozenset[str], awaited: bool, bounds: Bounds
    ) -> Generator[Sequence[Asked], Sequence[Answer], Ran]:
        """Run *program* in a Monty process within *bounds*; yield its calls of *names*."""
        monty = self._monty
        limits = {
            "max_feed_duration_secs": bounds.seconds,
            "max_memory": bounds.memory,
            "max_recursion_depth": bounds.recursion,
            # Name lookups and futures count as well.
            "max_suspensions": 1_000 + 8 * bounds.calls,
        }
        policy = {"sleep": "zero"}
        printed = monty.CollectString(bounds.printed)
        with monty.Monty() as pool, pool.checkout(limits=limits, os_policy=policy) as session:
            try:
                if not self._register_process(session.worker_pid):
                    return Ran(failure=Failure("limit", "the program was stopped"))
                step = session.feed_start(program, print_callback=printed)
                value = yield from self._advance(step, program.encode(), names, awaited)
            except monty.MontyError as error:
                return Ran(None, printed.output, _make_failure(error))
            finally:
                self._register_process(None)
        with suppress(RecursionError):
            value = self._values.read(value)
        return Ran(value, printed.output)

    def _advance(self, step: Any, source: bytes, names: frozenset[str], awaited: bool) -> Any:
        """Drive the run from *step* to its end; yield its calls, receive their answers."""
        monty = self._monty
        waiting: dict[int, Asked] = {}
        while not isinstance(step, monty.MontyComplete):
            if isinstance(step, monty.NameLookupSnapshot):
                name = step.variable_name
                step = step.resume(value=_make_function(name)) if name in names else step.resume()
            elif isinstance(step, monty.FutureSnapshot):
                ids = step.pending_call_ids
                answers = yield [waiting.pop(each) for each in ids]
                results = dict(zip(ids, map(_make_result, answers), strict=True))
                step = step.resume(results)
            elif step.is_os_function:
                step = step.resume_not_handled()
            elif (called := _name_of(step.function_name)) not in names:
                said = f"name '{called}' is not defined"
                step = step.resume({"exc_type": "NameError", "message": said})
            else:
                line = source.count(b"\n", 0, step.position.start) + 1
                asked = self._values.call(called, step.args, step.kwargs, line)
                if awaited:
                    waiting[step.call_id] = asked
                    step = step.resume({"future": ...})
                else:
                    answers = yield [asked]
                    step = step.resume(_make_result(answers[0]))
        return step.output


def _make_function(name: str) -> Callable[..., None]:
    """Build the placeholder function for the tool *name*, which Monty never calls."""

    def function(*args: Any, **kwargs: Any) -> None:
        """Placeholder for a tool; it is never called."""

    function.__name__ = f"{_TOOL}{name}>"
    return function


#: Begins the name of a function that stands for a tool.  The name is the text that comes back if a
#: program uses the function as a value, so it must be no usual text.
_TOOL = "<tool "


def _name_of(called: str) -> str:
    """Return the tool name behind *called*, the name of a function in Monty."""
    return called.removeprefix(_TOOL).removesuffix(">") if called.startswith(_TOOL) else called


#: Monty gives these values to the host as their `repr`.
_REPRS = re.compile(
    r"<tool \w+>|<(?:function|module|class) .*>|<\w+ object\b.*>|<re\.Match object.*>"
    r"|re\.compile\(.*\)|range\(-?\d+, -?\d+(?:, -?\d+)?\)|slice\(.*\)"
    r"|dict_(?:keys|values|items)\(\[.*\]\)",
    re.DOTALL,
)


class _Values:
    """Converter of a program's values, with objects without a JSON form marked as such."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._written: frozenset[str] | None = None

    def call(self, name: str, args: Any, kwargs: Any, line: int) -> Asked:
        """Build the `Asked` for a call of the tool *name* with converted arguments."""
        with suppress(RecursionError):
            # What nests too deep is refused later.
            args = tuple([self.read(each) for each in args])
            kwargs = {key: self.read(each) for key, each in kwargs.items()}
        return Asked(name, args, kwargs, line)

    def read(self, value: Any) -> Any:
        """Convert *value*, with `OpaqueValue` for every text that is an object's `repr`."""
        if isinstance(value, str):
            is_repr = value[-1:] in (">", ")") and _REPRS.fullmatch(value) is not None
            return OpaqueValue(value) if is_repr and value not in self._find_literals() else value
        if isinstance(value, list | tuple):
            return [self.read(each) for each in value]
        if isinstance(value, dict):
            return {self.read(key): self.read(each) for key, each in value.items()}
        if isinstance(value, set | frozenset):
            return frozenset([self.read(each) for each in value])
        return value

    def _find_literals(self) -> frozenset[str]:
        """Return the string literals of the program, which represent no objects."""
        if self._written is None:
            tree = ast.parse(self._program)
            found = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
            self._written = frozenset(each for each in found if isinstance(each, str))
        return self._written


def _make_result(answer: Answer) -> dict[str, Any]:
    """Convert the *answer* to a call into Monty's return value or exception."""
    if answer.raised is not None:
        return {"exc_type": answer.raised, "message": answer.message}
    return {"return_value": answer.value}


def _make_failure(error: Any) -> Failure:
    """Failure for the *error* that ended a program."""
    inner = error.exception()
    frames: Sequence[Any] = error.traceback() if hasattr(error, "traceback") else ()
    line, column = (frames[-1].line, frames[-1].column) if frames else (0, 0)
    is_limit = isinstance(inner, TimeoutError | MemoryError | RecursionError)
    return Failure("limit" if is_limit else "raised", str(error), line, column)
