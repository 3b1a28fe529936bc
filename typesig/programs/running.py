"""A program runs: each call that it asks for is a call of a tool, whose result is plain data."""

from __future__ import annotations

import asyncio
import contextvars
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any, NamedTuple

from typesig.calls.running import run_blocking
from typesig.errors import TypesigError
from typesig.governance.pending import Ask, Call, Refuse
from typesig.governance.turn import Turn
from typesig.limits import MAX_DIGITS
from typesig.programs.checks.expressions import KnownNames
from typesig.programs.checks.flaws import Flaw, Flaws
from typesig.programs.checks.program_check import split_lines
from typesig.programs.runner import (
    Answer,
    Asked,
    Bounds,
    Failure,
    OpaqueValue,
    Ran,
    Runner,
    Running,
    RunOutcome,
    ToolCall,
)
from typesig.tools.governed_calls import AsyncPerson, GovernedCall, Person, WantedCall
from typesig.tools.toolset import Toolset
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger
from typesig.validation.outcome.outcome import Outcome

#: Threads for the calls that a program gathers.
_THREADS = 8


class CallHandling(NamedTuple):
    """The tools, host values and governance by which a program's calls are run.

    #: tools: the tools; known: their names in programs; given, ledger: as for `Toolset.call`
    #: turn: the calls of the program under a governance; person: asks a person about one of them
    """

    tools: Toolset
    known: KnownNames
    given: Mapping[str, Any] | None
    ledger: Ledger | None
    turn: Turn
    person: Person | AsyncPerson | None

    async def call(self, name: str, arguments: dict[str, Any]) -> Outcome[Any]:
        """Return the outcome of a call of the tool *name*."""
        one, mode, given = self.tools._choose(name, None, self.given)
        wanted = WantedCall(name, arguments)
        governed = GovernedCall(self.turn, one, wanted, mode, given=given, ledger=self.ledger)
        return await governed.call(self._ask_person)

    async def _ask_person(self, question: Ask, call: Call) -> Refuse | None:
        """Ask the person about *call*; return None to allow it, or a `Refuse`."""
        made = (self.person or _refuse_without_person)(question, call)
        refusal = "person is a coroutine function: write await code.arun(…)"
        return check_answer(await self.turn.waiting.await_value(made, refusal))


def _refuse_without_person(question: Ask, call: Call) -> Refuse:
    """Refuse *call*, since nobody can answer *question*."""
    return Refuse("a person has to allow it, and the program cannot wait for one")


def check_answer(made: object) -> Refuse | None:
    """Return a person's decision; raise `TypesigError` if *made* is not a decision."""
    if made is None or isinstance(made, Refuse):
        return made
    raise TypesigError(f"person returns None, or Refuse(reason), not {type(made).__name__}")


#: Integers from here on are not written as JSON.
_TOO_LARGE = 10**MAX_DIGITS

#: Characters of an object that a message shows.
_SHOWN = 60


class NotJson(Exception):
    """Raised for a value without a form in JSON."""


def to_plain_data(value: Any) -> Any:
    """Convert *value* to plain data; raise `NotJson` for values without a JSON form.

    >>> to_plain_data({"at": (1, {2})})
    {'at': [1, [2]]}
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, OpaqueValue):
        text = value.text if len(value.text) <= _SHOWN else f"{value.text[:_SHOWN]}…"
        raise NotJson(f"{text} is an object of the program, which has no form in JSON")
    if isinstance(value, int):
        if abs(value) >= _TOO_LARGE:
            raise NotJson(
                f"an integer of more than {MAX_DIGITS} digits has no form; send it as text"
            )
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotJson(f"{value} has no form in JSON")
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain_data(item) for item in value]
    if isinstance(value, dict):
        return {_check_key(key): to_plain_data(item) for key, item in value.items()}
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    raise NotJson(f"a value of {type(value).__name__} has no form in JSON")


def _check_key(key: Any) -> str:
    """Return a dict *key* as JSON text; raise `NotJson` if it has none."""
    if isinstance(key, str):
        return key
    if isinstance(key, int | float) and not isinstance(key, bool):
        return str(to_plain_data(key))
    raise NotJson(f"a key of {type(key).__name__} has no form in JSON")


class RunProgress:
    """The tool calls of a running program so far, with their outcomes."""

    def __init__(self, program: str, calling: CallHandling, bounds: Bounds) -> None:
        self._program = program
        self._calling = calling
        self._bounds = bounds
        self._calls: list[ToolCall] = []
        self._count = 0

    def check_limits(self, asked: Sequence[Asked]) -> Ran | None:
        """Return the end of the program if *asked* exceeds its call limit, or None."""
        self._count += len(asked)
        if self._count <= self._bounds.calls:
            return None
        said = f"the program makes more than {self._bounds.calls} calls"
        return Ran(failure=Failure("limit", said, asked[-1].line))

    def bind_arguments(self, asked: Asked) -> dict[str, Any] | Answer:
        """Map the arguments of *asked* to the tool's names, or return an error answer."""
        callee = self._calling.known.callees[asked.name]
        names = {called: field.name for called, field in callee.params.items()}
        if len(asked.args) > len(names):
            said = f"{asked.name} takes {len(names)} arguments, not {len(asked.args)}"
            return Answer(raised="ValueError", message=said)
        given = [*zip(names, asked.args, strict=False), *asked.kwargs.items()]
        try:
            sent = {names.get(name, name): to_plain_data(value) for name, value in given}
        except RecursionError:
            return Answer(raised="ValueError", message=f"{asked.name}: nested too deep")
        except NotJson as error:
            return Answer(raised="ValueError", message=f"{asked.name}: {error}")
        if len(sent) < len(given):
            return Answer(raised="ValueError", message=f"{asked.name} is given an argument twice")
        return sent

    def get_tool_name(self, asked: Asked) -> str:
        """Return the name of the tool that the call *asked* calls."""
        return self._calling.known.callees[asked.name].name

    def answer(self, asked: Asked, outcome: Outcome[Any]) -> Answer:
        """Record a call's *outcome* and return the answer for the program."""
        name = self.get_tool_name(asked)
        self._calls.append(ToolCall(name, asked.line, outcome))
        if outcome.ok:
            return Answer(outcome._make_model_data(False).data)
        more = len(outcome.errors) - 5 + outcome.unseen
        said = "; ".join([str(issue) for issue in outcome.errors[:5]])
        said += f"; and {more} more" if more > 0 else ""
        raised: Any = "ValueError" if outcome.stage == "input" else "RuntimeError"
        return Answer(raised=raised, message=f"{asked.name}: {said}")

    def _make_form_failure(self, message: str) -> Failure:
        """Build the failure for a result without a JSON form, at the last line."""
        lines = enumerate(split_lines(self._program), 1)
        used = [place for place, line in lines if line.strip() and line.lstrip()[0] != "#"]
        return Failure("raised", message, used[-1])

    def make_outcome(self, ran: Ran, warnings: Sequence[Issue]) -> RunOutcome:
        """Build the outcome of the program from its result *ran* and *warnings*."""
        failure, value = ran.failure, None
        if failure is None:
            try:
                value = to_plain_data(ran.value)
            except RecursionError:
                failure = self._make_form_failure("the result of the program is nested too deep")
            except NotJson as error:
                failure = self._make_form_failure(f"the result of the program: {error}")
        if failure is None:
            value = ran.printed if value is None and ran.printed else value
            return RunOutcome(value, (), warnings, printed=ran.printed, calls=self._calls)
        source = Flaws(split_lines(self._program)).get_line(failure.line)
        column = max(failure.column, 1)
        width = len(source) - column + 1
        if not failure.column:
            column = len(source) - len(source.lstrip()) + 1
            width = len(source.strip())
        flaw = Flaw(failure.kind, failure.message, "", failure.line, column, source, max(width, 1))
        return RunOutcome(
            None, [flaw], warnings, rejected=self._program, printed=ran.printed, calls=self._calls
        )


async def run(
    runner: Runner, program: str, calling: CallHandling, bounds: Bounds
) -> tuple[Ran, RunProgress]:
    """Run *program* in *runner*, gathered calls at the same time; return result and calls."""
    progress = RunProgress(program, calling, bounds)
    names, awaits = frozenset(calling.known.callees), calling.turn.waiting.awaits
    running = runner.start(program, names, calling.known.awaited, bounds)

    async def advance(answers: Sequence[Answer] | None) -> list[Asked] | Ran:
        return await _step(running, answers) if awaits else _get_next(running, answers)

    try:
        step = await advance(None)
        while not isinstance(step, Ran):
            ended = progress.check_limits(step)
            if ended is not None:
                return ended, progress
            step = await advance(await _answer(progress, calling, step))
    finally:
        running.close()
    return step, progress


def _get_next(running: Running, answers: Sequence[Answer] | None) -> list[Asked] | Ran:
    """Send *answers* to the program; return its next calls, or its result at the end."""
    try:
        return list(next(running) if answers is None else running.send(answers))
    except StopIteration as end:
        ran: Ran = end.value
        return ran


async def _step(running: Running, answers: Sequence[Answer] | None) -> list[Asked] | Ran:
    """Await `_get_next` in a thread; when cancelled, stop the program first."""
    work = asyncio.ensure_future(asyncio.to_thread(_get_next, running, answers))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stop = getattr(running, "stop", None)
        if stop is not None:
            stop()
        while not work.done():
            # Cancelled again: the thread still uses the program, which ends soon.
            with suppress(asyncio.CancelledError):
                await asyncio.wait([work])
        raise


async def _answer(
    progress: RunProgress, calling: CallHandling, asked: Sequence[Asked]
) -> list[Answer]:
    """Run the *asked* calls at the same time, in tasks or in threads; return their answers."""

    async def call(each: Asked) -> Outcome[Any] | Answer:
        given = progress.bind_arguments(each)
        if isinstance(given, Answer):
            return given
        return await calling.call(progress.get_tool_name(each), given)

    if calling.turn.waiting.awaits:
        ended = await asyncio.gather(*map(call, asked), return_exceptions=True)
        failed = [each for each in ended if isinstance(each, BaseException)]
        if failed:
            raise failed[0]
        found = [each for each in ended if not isinstance(each, BaseException)]
    elif len(asked) == 1:
        found = [await call(asked[0])]
    else:
        with ThreadPoolExecutor(min(len(asked), _THREADS)) as threads:
            works = [
                threads.submit(contextvars.copy_context().run, run_blocking, call(each))
                for each in asked
            ]
        found = [work.result() for work in works]
    return [
        outcome if isinstance(outcome, Answer) else progress.answer(each, outcome)
        for each, outcome in zip(asked, found, strict=True)
    ]
