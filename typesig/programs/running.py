"""A program runs: each call that it asks for is a call of a tool, whose result is plain data."""

from __future__ import annotations

import asyncio
import contextvars
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any, NamedTuple

from typesig.calls.waiting import at_once
from typesig.errors import TypesigError
from typesig.governance.decisions import Ask, Call, Refuse
from typesig.governance.turn import Turn
from typesig.limits import MAX_DIGITS
from typesig.programs.checks.expressions import Known
from typesig.programs.checks.flaws import Flaw, Flaws
from typesig.programs.checks.reading import lines_of
from typesig.programs.outcomes import RunOutcome, ToolCall
from typesig.programs.runner import (
    Answer,
    Asked,
    Bounds,
    Failure,
    Opaque,
    Ran,
    Runner,
    Running,
)
from typesig.tools.governing import AsyncPerson, Governed, Person, Wanted
from typesig.tools.toolset import Toolset
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger
from typesig.validation.outcome.outcome import Outcome

#: Threads for the calls that a program gathers.
_THREADS = 8


class Calling(NamedTuple):
    """How the calls of a program reach the tools.

    #: tools: the tools; known: their names in programs; given, ledger: as for `Toolset.call`
    #: turn: the calls of the program under a governance; person: asks a person about one of them
    """

    tools: Toolset
    known: Known
    given: Mapping[str, Any] | None
    ledger: Ledger | None
    turn: Turn
    person: Person | AsyncPerson | None

    async def call(self, name: str, arguments: dict[str, Any]) -> Outcome[Any]:
        """Return the outcome of a call of the tool *name*."""
        one, mode, given = self.tools._chosen(name, None, self.given)
        wanted = Wanted(name, arguments)
        governed = Governed(self.turn, one, wanted, mode, given=given, ledger=self.ledger)
        return await governed.call(self._asked)

    async def _asked(self, question: Ask, call: Call) -> Refuse | None:
        made = (self.person or _nobody)(question, call)
        refusal = "person is a coroutine function: write await code.arun(…)"
        return checked_answer(await self.turn.waiting.value(made, refusal))


def _nobody(question: Ask, call: Call) -> Refuse:
    return Refuse("a person has to allow it, and the program cannot wait for one")


def checked_answer(made: object) -> Refuse | None:
    """Return what a person decided; raise `TypesigError` if it is no decision."""
    if made is None or isinstance(made, Refuse):
        return made
    raise TypesigError(f"person returns None, or Refuse(reason), not {type(made).__name__}")


#: Integers from here on are not written as JSON.
_TOO_LARGE = 10**MAX_DIGITS

#: Characters of an object that a message shows.
_SHOWN = 60


class NoForm(Exception):
    """A value of a program that JSON has no form for."""


def plain_data(value: Any) -> Any:
    """Return *value* as plain data; raise `NoForm` for what JSON has no form for.

    >>> plain_data({"at": (1, {2})})
    {'at': [1, [2]]}
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Opaque):
        text = value.text if len(value.text) <= _SHOWN else f"{value.text[:_SHOWN]}…"
        raise NoForm(f"{text} is an object of the program, which has no form in JSON")
    if isinstance(value, int):
        if abs(value) >= _TOO_LARGE:
            raise NoForm(
                f"an integer of more than {MAX_DIGITS} digits has no form; send it as text"
            )
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NoForm(f"{value} has no form in JSON")
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_data(item) for item in value]
    if isinstance(value, dict):
        return {_key(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    raise NoForm(f"a value of {type(value).__name__} has no form in JSON")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, int | float) and not isinstance(key, bool):
        return str(plain_data(key))
    raise NoForm(f"a key of {type(key).__name__} has no form in JSON")


class Progress:
    """One run of a program: its calls so far."""

    def __init__(self, program: str, calling: Calling, bounds: Bounds) -> None:
        self._program = program
        self._calling = calling
        self._bounds = bounds
        self._calls: list[ToolCall] = []
        self._count = 0

    def beyond(self, asked: Sequence[Asked]) -> Ran | None:
        """Return how the program ends if *asked* are too many calls, or None."""
        self._count += len(asked)
        if self._count <= self._bounds.calls:
            return None
        said = f"the program makes more than {self._bounds.calls} calls"
        return Ran(failure=Failure("limit", said, asked[-1].line))

    def arguments(self, asked: Asked) -> dict[str, Any] | Answer:
        """Return the arguments of a call by the names of the tool, or why there are none."""
        callee = self._calling.known.callees[asked.name]
        names = {called: field.name for called, field in callee.params.items()}
        if len(asked.args) > len(names):
            said = f"{asked.name} takes {len(names)} arguments, not {len(asked.args)}"
            return Answer(raised="ValueError", message=said)
        given = [*zip(names, asked.args, strict=False), *asked.kwargs.items()]
        try:
            sent = {names.get(name, name): plain_data(value) for name, value in given}
        except RecursionError:
            return Answer(raised="ValueError", message=f"{asked.name}: nested too deep")
        except NoForm as error:
            return Answer(raised="ValueError", message=f"{asked.name}: {error}")
        if len(sent) < len(given):
            return Answer(raised="ValueError", message=f"{asked.name} is given an argument twice")
        return sent

    def tool_of(self, asked: Asked) -> str:
        """Return the name of the tool that is called."""
        return self._calling.known.callees[asked.name].name

    def answer(self, asked: Asked, outcome: Outcome[Any]) -> Answer:
        """Return what a call gives the program."""
        name = self.tool_of(asked)
        self._calls.append(ToolCall(name, asked.line, outcome))
        if outcome.ok:
            return Answer(outcome._model_data(False).data)
        more = len(outcome.errors) - 5 + outcome.unseen
        said = "; ".join([str(issue) for issue in outcome.errors[:5]])
        said += f"; and {more} more" if more > 0 else ""
        raised: Any = "ValueError" if outcome.stage == "input" else "RuntimeError"
        return Answer(raised=raised, message=f"{asked.name}: {said}")

    def _make_form_failure(self, message: str) -> Failure:
        """Return the failure of a result that has no form: at the last line, which made it."""
        lines = enumerate(lines_of(self._program), 1)
        used = [place for place, line in lines if line.strip() and line.lstrip()[0] != "#"]
        return Failure("raised", message, used[-1])

    def ended(self, ran: Ran, warnings: Sequence[Issue]) -> RunOutcome:
        """Return the outcome of the program."""
        failure, value = ran.failure, None
        if failure is None:
            try:
                value = plain_data(ran.value)
            except RecursionError:
                failure = self._make_form_failure("the result of the program is nested too deep")
            except NoForm as error:
                failure = self._make_form_failure(f"the result of the program: {error}")
        if failure is None:
            value = ran.printed if value is None and ran.printed else value
            return RunOutcome(value, (), warnings, printed=ran.printed, calls=self._calls)
        source = Flaws(lines_of(self._program)).line(failure.line)
        column = max(failure.column, 1)
        width = len(source) - column + 1
        if not failure.column:
            column = len(source) - len(source.lstrip()) + 1
            width = len(source.strip())
        flaw = Flaw(failure.kind, failure.message, "", failure.line, column, source, max(width, 1))
        return RunOutcome(
            None, [flaw], warnings, rejected=self._program, printed=ran.printed, calls=self._calls
        )


def run(runner: Runner, program: str, calling: Calling, bounds: Bounds) -> tuple[Ran, Progress]:
    """Return what is left of *program*, and its calls; those that it gathers run in threads."""
    progress = Progress(program, calling, bounds)
    running = _started(runner, program, calling, bounds)
    try:
        step = _next(running, None)
        while not isinstance(step, Ran):
            ended = progress.beyond(step)
            if ended is not None:
                return ended, progress
            step = _next(running, _answers(progress, calling, step))
    finally:
        running.close()
    return step, progress


def _started(runner: Runner, program: str, calling: Calling, bounds: Bounds) -> Running:
    names = frozenset(calling.known.callees)
    return runner.start(program, names, calling.known.awaited, bounds)


def _next(running: Running, answers: Sequence[Answer] | None) -> list[Asked] | Ran:
    """Return the calls that the program waits for next, or what is left of it."""
    try:
        return list(next(running) if answers is None else running.send(answers))
    except StopIteration as end:
        ran: Ran = end.value
        return ran


def _answers(progress: Progress, calling: Calling, asked: Sequence[Asked]) -> list[Answer]:
    sent = [progress.arguments(each) for each in asked]

    def call(each: Asked, given: dict[str, Any] | Answer) -> Outcome[Any] | Answer:
        if isinstance(given, Answer):
            return given
        return at_once(calling.call(progress.tool_of(each), given))

    if len(asked) == 1:
        outcomes = [call(asked[0], sent[0])]
    else:
        with ThreadPoolExecutor(min(len(asked), _THREADS)) as threads:
            works = [
                threads.submit(_within(contextvars.copy_context(), call), each, given)
                for each, given in zip(asked, sent, strict=True)
            ]
        outcomes = [work.result() for work in works]
    return _told(progress, asked, outcomes)


def _within(context: contextvars.Context, call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: context.run(call, *args)


def _told(
    progress: Progress, asked: Sequence[Asked], outcomes: Sequence[Outcome[Any] | Answer]
) -> list[Answer]:
    return [
        outcome if isinstance(outcome, Answer) else progress.answer(each, outcome)
        for each, outcome in zip(asked, outcomes, strict=True)
    ]


async def arun(
    runner: Runner, program: str, calling: Calling, bounds: Bounds
) -> tuple[Ran, Progress]:
    """Return what is left of *program*, and its calls; those that it gathers run at once."""
    progress = Progress(program, calling, bounds)
    running = _started(runner, program, calling, bounds)
    try:
        step = await _stepped(running, None)
        while not isinstance(step, Ran):
            ended = progress.beyond(step)
            if ended is not None:
                return ended, progress
            step = await _stepped(running, await _aanswers(progress, calling, step))
    finally:
        running.close()
    return step, progress


async def _stepped(running: Running, answers: Sequence[Answer] | None) -> list[Asked] | Ran:
    """Return the next step, which a thread waits for; if this is cancelled, it has ended."""
    work = asyncio.ensure_future(asyncio.to_thread(_next, running, answers))
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


async def _aanswers(progress: Progress, calling: Calling, asked: Sequence[Asked]) -> list[Answer]:
    async def call(each: Asked) -> Outcome[Any] | Answer:
        given = progress.arguments(each)
        if isinstance(given, Answer):
            return given
        return await calling.call(progress.tool_of(each), given)

    found = await asyncio.gather(*map(call, asked), return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException):
            raise each
    return _told(progress, asked, [each for each in found if not isinstance(each, BaseException)])
