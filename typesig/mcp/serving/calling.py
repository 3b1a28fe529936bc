"""One served call: what the host gives, how long it may take, and what becomes of its failure."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from typesig.calls.binding import names_from_host
from typesig.calls.given import Given, Giver
from typesig.calls.unknown import find_name
from typesig.errors import TypesigError
from typesig.governance.decisions import Ask, Call, Refuse
from typesig.mcp.serving.asking import Questions
from typesig.mcp.serving.notices import Notices
from typesig.mcp.serving.requests import Request, make_current
from typesig.mcp.transport.lifetimes import LOG
from typesig.mcp.transport.sdk import sdk
from typesig.network_limits import (
    MAX_ASKING_SECONDS,
    MAX_CALL_SECONDS,
    MAX_SERVED_CALLS,
    MAX_STOP_SECONDS,
    MAX_WAITING_CALLS,
)
from typesig.notations.texts.quoting import encodable
from typesig.providers.rows.calls import WireCall

if TYPE_CHECKING:
    from typesig.calls.called import Called
    from typesig.governance.governance import Governance
    from typesig.providers.projection.handling import OnException
    from typesig.providers.projection.projection import Projection
    from typesig.validation.issues.ledger import Ledger


class Calls:
    """Runs the calls of one server.

    *given* is what the host supplies beside the values of the lifespan function; *on_exception* has
    the text for the model of an exception, or raises; *seconds* is how long a call may take;
    *ledger* counts what is mended and refused.
    """

    __slots__ = (
        "_given", "_governance", "_ledger", "_on_exception", "_running", "_seconds", "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        given: Given | None,
        on_exception: OnException | None,
        seconds: float | None,
        ledger: Ledger | None,
        governance: Governance | None = None,
    ) -> None:
        if not (given is None or callable(given) or isinstance(given, Mapping)):
            raise TypesigError(
                f"given is a dict, or a function that returns one, not {type(given).__name__}"
            )
        check_on_exception(on_exception)
        self._given = given
        self._ledger = ledger
        self._governance = governance
        self._on_exception = on_exception
        self._seconds = MAX_CALL_SECONDS if seconds is None else seconds
        self._running: dict[asyncio.Task[dict[str, Any]], Request] = {}
        self._waiting = Waiting()

    @property
    def unended(self) -> int:
        """How many calls have not ended, those that nobody waits for any more included."""
        return len(self._running)

    @property
    def requests(self) -> list[Request]:
        """The requests of the calls that have not ended, the latest last."""
        return list(self._running.values())

    def check(self, one: Called, values: Mapping[str, Any] | None) -> None:
        """Raise `TypesigError` if the tool *one* lacks something that its host gives.

        *values* are those of the lifespan function, or None while they are not known.
        """
        if values is None or callable(self._given):
            return
        Giver(one.name, needs_of(one), {**values, **(self._given or {})})

    async def answer(
        self,
        projection: Projection,
        call: WireCall,
        request: Request,
        questions: Questions,
        notices: Notices,
        values: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Return the result of *call*, or what it asks its client before.

        If this task is cancelled, so is the call, and what is left of it is not waited for.
        """
        if len(self._running) >= MAX_SERVED_CALLS:
            return failed("the server is busy with other calls: send this one again later")
        work = self._run(projection, call, request, questions, values)
        task = questions.loop.create_task(work)
        self._running[task] = request
        task.add_done_callback(partial(self._end, questions))
        return await self._outcome(Running(call, request, questions, task, self._seconds), notices)

    def _end(self, questions: Questions, task: asyncio.Task[dict[str, Any]]) -> None:
        del self._running[task]
        # A task that is cancelled before it begins does not do this itself.
        questions.change()

    async def go_on(
        self, state: str, call: WireCall, answers: Mapping[str, Any], notices: Notices, context: Any
    ) -> dict[str, Any]:
        """Return the result of *call*, which waited by *state* for the *answers* of its client."""
        running = self._waiting.take(state, call)
        running.request.move(notices.post, context.request_id, context)
        running.questions.give(answers)
        return await self._outcome(running, notices)

    async def _outcome(self, running: Running, notices: Notices) -> dict[str, Any]:
        call, task = running.call, running.task
        try:
            state = await running.wait()
        except BaseException:
            # The client has cancelled the call, or it has gone.
            notices.drop()
            running.stop()
            raise
        if state == "asks":
            await notices.close()
            return self._waiting.put(running)
        if state == "late":
            running.stop()
            await notices.close()
            LOG.warning("the tool %s did not end within %g s", call.name, self._seconds)
            return failed(
                f"{call.name} did not end within {self._seconds:g} s and was stopped; it may have "
                "done a part of its work"
            )
        await notices.close()
        if task.cancelled():
            LOG.error("the tool %s cancelled itself", call.name)
            return failed(_raised(call))
        return task.result()

    async def ended(self) -> None:
        """Cancel the calls that run, and wait for them for some seconds."""
        # A run in another loop has calls of its own.
        loop = asyncio.get_running_loop()
        running = [task for task in self._running if task.get_loop() is loop]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=MAX_STOP_SECONDS)

    async def _run(
        self,
        projection: Projection,
        call: WireCall,
        request: Request,
        questions: Questions,
        values: Mapping[str, Any],
    ) -> dict[str, Any]:
        from typesig.providers.projection import handling

        make_current(request)
        try:
            name = find_name(call.name, projection.tools)
            one = None if name is None else projection.tools[name]
            given = await self._given_to(one.tool, request, values) if one and one.needs else {}
            told = self._on_exception or logged
            options: dict[str, Any] = {
                "given": given, "on_exception": told, "ledger": self._ledger
            }  # fmt: skip
            if self._governance is None:
                return await handling.areply(projection, call, **options)
            from typesig.providers.projection import governed

            asking = partial(ask_person, request)
            return await governed.areply(projection, call, self._governance, asking, **options)
        except (Exception, SystemExit, GeneratorExit, KeyboardInterrupt) as error:
            # What the host gives, or makes of an exception, failed; and no tool may end the server.
            return failed(logged(error, call))
        finally:
            # What waits goes on one turn of the loop earlier than by the callback of the task.
            questions.change()

    async def _given_to(
        self, one: Called, request: Request, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        needs = needs_of(one)
        requests = dict.fromkeys(requests_of(one), request)
        if not needs:
            return requests
        if not callable(self._given):
            return {**values, **(self._given or {}), **requests}
        # The function need not give what the lifespan function does.
        asked = {name: optional or name in values for name, optional in needs.items()}
        given = await Giver(one.name, asked, self._given).avalues(request)
        return {**values, **given, **requests}


async def ask_person(request: Request, asked: Ask, _: Call) -> Refuse | None:
    """Return what the person at the client of *request* decides, who is asked the question."""
    if not request.can_elicit:
        return Refuse("a person has to allow it, and this client has no way to ask one")
    found = await request.aelicit(bool, asked.question)
    allowed = found.action == "accept" and found.outcome is not None and found.outcome.ok
    return None if allowed and found.value else Refuse("the person at the client did not allow it")


def check_on_exception(given: object) -> None:
    """Raise `TypesigError` if *given* is no function and not None."""
    if not (given is None or callable(given)):
        raise TypesigError(
            f"on_exception is a function, not {type(given).__name__}; write "
            "on_exception=lambda error, call: str(error)"
        )


def lacking(one: Called) -> list[str]:
    """Return the names that the host has to give to *one*, beside the request."""
    return [name for name, optional in needs_of(one).items() if not optional]


def requests_of(one: Called) -> list[str]:
    """Return the names of the parameters of *one* that take the request."""
    return [param.name for param in one.binding.host.params if param.supplied is Request]


def needs_of(one: Called) -> dict[str, bool]:
    """Return what the host gives to *one* beside the request, and whether it can go without."""
    requests = requests_of(one)
    named = names_from_host(one.binding).items()
    return {name: optional for name, optional in named if name not in requests}


def logged(error: BaseException, call: WireCall) -> str:
    """Return what a model reads of *error*, which may have private data: that it was raised."""
    LOG.error("the tool %s raised", call.name, exc_info=error)
    return _raised(call)


def _raised(call: WireCall) -> str:
    return (
        f"{call.name} failed with an error of its own, which its host has been told; it may have "
        "done a part of its work"
    )


def failed(text: str) -> dict[str, Any]:
    """Return the result of a call that tells a model *text*, what went wrong."""
    return {"content": [{"type": "text", "text": encodable(text)}], "isError": True}


class Running:
    """A call that runs; *task* has to `change` its questions when it ends.

    #: call, request, questions: what it is, and what it asks; task: has its result
    #: left: the seconds that it may take yet
    """

    __slots__ = ("call", "left", "questions", "request", "task")

    def __init__(
        self,
        call: WireCall,
        request: Request,
        questions: Questions,
        task: asyncio.Task[dict[str, Any]],
        seconds: float,
    ) -> None:
        self.call = call
        self.request = request
        self.questions = questions
        self.task = task
        self.left = seconds

    async def wait(self) -> Literal["ended", "late", "asks"]:
        """Return when the call has ended, has taken too long, or waits for its client.

        While the client is asked, its time does not pass.
        """
        loop, questions = asyncio.get_running_loop(), self.questions
        while not self.task.done():
            if questions.waiting:
                # Whatever is asked at the same time goes with it.
                await asyncio.sleep(0)
                return "asks"
            changed = questions.changed = loop.create_future()
            is_asking, began = questions.asking, loop.time()
            late = None if is_asking else loop.call_at(began + self.left, questions.change)
            try:
                await changed
            finally:
                if late is not None:
                    late.cancel()
            if not is_asking:
                self.left -= loop.time() - began
                if self.left <= 0 and not self.task.done():
                    return "late"
        return "ended"

    def stop(self) -> None:
        """Cancel the call."""
        self.request.cancel()
        self.task.cancel()


class Waiting:
    """Calls that wait until their clients have answered a question, each by a secret state."""

    __slots__ = ("_calls",)

    def __init__(self) -> None:
        self._calls: dict[str, Running] = {}

    def put(self, running: Running) -> dict[str, Any]:
        """Let *running* wait; return the result that asks its client."""
        while len(self._calls) >= MAX_WAITING_CALLS:
            self._expire(next(iter(self._calls)))
        # Nobody guesses it, so nothing in it has to be signed.
        state = secrets.token_urlsafe(32)
        self._calls[state] = running
        asyncio.get_running_loop().call_later(MAX_ASKING_SECONDS, self._expire, state)
        asked = {
            key: {"method": each.method, "params": dict(each.params)}
            for key, each in running.questions.waiting.items()
        }
        return {"resultType": "input_required", "inputRequests": asked, "requestState": state}

    def take(self, state: str, call: WireCall) -> Running:
        """Return the call that waits by *state*; raise the SDK's `MCPError` if it is not *call*."""
        running = self._calls.get(state)
        if running is None:
            _refuse(
                "the state is not known: it was answered, has expired, or is not of this server"
            )
        if running.task.get_loop() is not asyncio.get_running_loop() or (
            (running.call.name, running.call.arguments) != (call.name, call.arguments)
        ):
            _refuse("the state is that of another call")
        return self._calls.pop(state)

    def _expire(self, state: str) -> None:
        running = self._calls.pop(state, None)
        if running is not None:
            running.stop()


def _refuse(text: str) -> NoReturn:
    raise sdk().MCPError(sdk("mcp_types").INVALID_PARAMS, text)
