"""Programs run in Monty, a sandbox for Python in a process of its own; extra `code`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from typesig.bridges.bridge import needed
from typesig.programs.checks.sandbox import MONTY, Sandbox
from typesig.programs.runner import Answer, Asked, Bounds, Failure, Ran, Running


class MontyRunner:
    """Runs programs in Monty, each in a fresh process.

    A program has no files, no network, no environment and no packages.  Monty counts no steps: its
    seconds bound them.  Raises `TypesigError` without the package.
    """

    def __init__(self) -> None:
        self._monty = needed("pydantic_monty", "code", "running programs")

    @property
    def sandbox(self) -> Sandbox:
        """What it runs."""
        return MONTY

    def start(self, program: str, names: frozenset[str], awaited: bool, bounds: Bounds) -> Running:
        """Return *program* as it runs; see `Runner`."""
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
                step = session.feed_start(program, print_callback=printed)
                value = yield from self._steps(step, program.encode(), names, awaited)
            except monty.MontyError as error:
                return Ran(None, printed.output, _failure(error))
        return Ran(value, printed.output)

    def _steps(self, step: Any, source: bytes, names: frozenset[str], awaited: bool) -> Any:
        monty = self._monty
        waiting: dict[int, Asked] = {}
        while not isinstance(step, monty.MontyComplete):
            if isinstance(step, monty.NameLookupSnapshot):
                name = step.variable_name
                step = step.resume(value=_function(name)) if name in names else step.resume()
            elif isinstance(step, monty.FutureSnapshot):
                ids = step.pending_call_ids
                answers = yield [waiting.pop(each) for each in ids]
                results = dict(zip(ids, map(_result, answers), strict=True))
                step = step.resume(results)
            elif step.is_os_function:
                step = step.resume_not_handled()
            elif step.function_name not in names:
                said = f"name '{step.function_name}' is not defined"
                step = step.resume({"exc_type": "NameError", "message": said})
            else:
                line = source.count(b"\n", 0, step.position.start) + 1
                asked = Asked(step.function_name, step.args, step.kwargs, line)
                if awaited:
                    waiting[step.call_id] = asked
                    step = step.resume({"future": ...})
                else:
                    answers = yield [asked]
                    step = step.resume(_result(answers[0]))
        return step.output


def _function(name: str) -> Callable[..., None]:
    """Return a function that stands for the tool *name*; Monty asks for its calls by that name."""

    def function(*args: Any, **kwargs: Any) -> None:
        """Stand for a tool; it is never called."""

    function.__name__ = name
    return function


def _result(answer: Answer) -> dict[str, Any]:
    if answer.raised is not None:
        return {"exc_type": answer.raised, "message": answer.message}
    return {"return_value": answer.value}


def _failure(error: Any) -> Failure:
    """Return why a program ended with *error*."""
    inner = error.exception()
    frames: Sequence[Any] = error.traceback() if hasattr(error, "traceback") else ()
    line, column = (frames[-1].line, frames[-1].column) if frames else (0, 0)
    is_limit = isinstance(inner, TimeoutError | MemoryError | RecursionError)
    return Failure("limit" if is_limit else "raised", str(error), line, column)
