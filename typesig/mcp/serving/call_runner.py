"""One served call: injected values, time limit, and conversion of failures."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

from typesig.calls.arguments import Given, InjectedValues
from typesig.calls.binding import get_host_names
from typesig.calls.unknown_tools import find_name
from typesig.errors import TypesigError
from typesig.governance.pending import Ask, Call, Refuse
from typesig.limits.network import (
    MAX_ASKING_SECONDS,
    MAX_CALL_SECONDS,
    MAX_NOTICES,
    MAX_SERVED_CALLS,
    MAX_STOP_SECONDS,
    MAX_WAITING_CALLS,
)
from typesig.mcp.serving.questions import Questions
from typesig.mcp.serving.requests import CURRENT_REQUEST, Entry, Progress, Request
from typesig.mcp.transport.lifespans import LOG
from typesig.mcp.transport.sdk import import_sdk
from typesig.notations.texts.quoting import escape_surrogates
from typesig.providers.registry.calls import WireCall

if TYPE_CHECKING:
    from typesig.calls.protocols import ToolLike
    from typesig.governance.governance import Governance
    from typesig.providers.projection.call_handler import OnException
    from typesig.providers.projection.projection import Projection
    from typesig.validation.issues.ledger import Ledger


# --- Progress and log messages of a running call: in order, thread-safe, without waiting ---

Notice: TypeAlias = Progress | Entry


class Notices:
    """Queue of a call's progress and log notices; *send* delivers them one by one.

    They are made on the loop on which the call is answered.
    """

    __slots__ = ("_left_out", "_lock", "_loop", "_open", "_send", "_task", "_waiting")

    def __init__(self, send: Callable[[Notice], Awaitable[None]]) -> None:
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting: deque[Notice] = deque()
        self._task: asyncio.Task[None] | None = None
        self._left_out = 0
        self._open = True

    def post(self, notice: Notice) -> None:
        """Queue *notice*; do nothing once the call has ended."""
        with self._lock:
            if not self._open:
                return
            waiting = self._waiting
            is_newer = len(waiting) > 1 and isinstance(waiting[-1], Progress)
            if is_newer and isinstance(notice, Progress):
                # It says all that the older one does.  The first may be on its way.
                waiting[-1] = notice
                return
            if len(waiting) >= MAX_NOTICES:
                self._left_out += 1
                return
            waiting.append(notice)
            if len(waiting) > 1:
                return
        try:
            self._loop.call_soon_threadsafe(self._start)
        except RuntimeError:
            # The loop has ended, and the thread of the call has not.
            self._open = False

    async def close(self) -> None:
        """Send the queued notices, and wait until they are sent."""
        with self._lock:
            self._open = False
            if not (self._waiting or self._left_out):
                return
            if self._left_out:
                text = f"{self._left_out} messages were left out: they came too fast"
                self._waiting.append(Entry("warning", text, None))
        if self._task is not None:
            await asyncio.wait([self._task])
        await self._run()

    def drop(self) -> None:
        """Discard the queued notices and later ones."""
        with self._lock:
            self._open = False
            self._waiting.clear()

    def _start(self) -> None:
        """Start the task that sends the queued notices, unless a task is running."""
        # Once it is closed, what is left is sent there.
        if self._open and (self._task is None or self._task.done()):
            self._task = self._loop.create_task(self._run())

    async def _run(self) -> None:
        """Send the queued notices in order; drop all of them if sending fails."""
        while True:
            with self._lock:
                if not self._waiting:
                    return
                # It stays the first until it is sent, so that no second task is started for others.
                notice = self._waiting[0]
            try:
                await self._send(notice)
            except Exception:
                # The client has gone; what it would have been told is of no use.
                self.drop()
                return
            with self._lock:
                if self._waiting:
                    self._waiting.popleft()


class Calls:
    """Runner of the tool calls that a server receives.

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
        self._waiting = WaitingCalls()

    @property
    def unfinished_count(self) -> int:
        """How many calls have not ended, including abandoned ones."""
        return len(self._running)

    @property
    def requests(self) -> list[Request]:
        """The requests of the calls that have not ended, the latest last."""
        return list(self._running.values())

    def check(self, one: ToolLike, values: Mapping[str, Any] | None) -> None:
        """Raise `TypesigError` if a host value that the tool *one* needs is missing.

        *values* are those of the lifespan function, or None while they are not known.
        """
        if values is None or callable(self._given):
            return
        InjectedValues(one.name, get_injected_names(one), {**values, **(self._given or {})})

    async def answer(
        self,
        projection: Projection,
        call: WireCall,
        request: Request,
        questions: Questions,
        notices: Notices,
        values: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Run *call* and return its result, or the questions for its client.

        If this task is cancelled, so is the call, and what is left of it is not waited for.
        """
        if len(self._running) >= MAX_SERVED_CALLS:
            return make_error_result(
                "the server is busy with other calls: send this one again later"
            )
        work = self._run(projection, call, request, questions, values)
        task = questions.loop.create_task(work)
        self._running[task] = request
        task.add_done_callback(partial(self._end, questions))
        return await self._await_result(
            RunningCall(call, request, questions, task, self._seconds), notices
        )

    def _end(self, questions: Questions, task: asyncio.Task[dict[str, Any]]) -> None:
        """Remove an ended *task* from the running calls and wake its waiter."""
        del self._running[task]
        # A task that is cancelled before it begins does not do this itself.
        questions.change()

    async def resume(
        self, state: str, call: WireCall, answers: Mapping[str, Any], notices: Notices, context: Any
    ) -> dict[str, Any]:
        """Continue *call*, which waits under *state*, with the *answers* of its client."""
        running = self._waiting.take(state, call)
        running.request.move(notices.post, context.request_id, context)
        running.questions.give(answers)
        return await self._await_result(running, notices)

    async def _await_result(self, running: RunningCall, notices: Notices) -> dict[str, Any]:
        """Wait for a *running* call; return its result, a time-out or its questions."""
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
            return make_error_result(
                f"{call.name} did not end within {self._seconds:g} s and was stopped; it may have "
                "done a part of its work"
            )
        await notices.close()
        if task.cancelled():
            LOG.error("the tool %s cancelled itself", call.name)
            return make_error_result(_format_failure(call))
        return task.result()

    async def cancel_all(self) -> None:
        """Cancel the running calls, and wait some seconds for them."""
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
        """Run *call* with its tool from *projection* and return the wire result."""
        from typesig.providers.projection import call_handler

        CURRENT_REQUEST.set(request)
        try:
            name = find_name(call.name, projection.tools)
            one = None if name is None else projection.tools[name]
            given = (
                await self._collect_injected(one.tool, request, values) if one and one.needs else {}
            )
            told = self._on_exception or log_exception
            host = call_handler.HostOptions(given, told, self._ledger)
            if self._governance is None:
                return await call_handler.run_call(projection, call, host)
            from typesig.providers.projection import governed_calls

            asking = partial(ask_person, request)
            return await governed_calls.run_call(projection, call, self._governance, asking, host)
        except (Exception, SystemExit, GeneratorExit, KeyboardInterrupt) as error:
            # What the host gives, or makes of an exception, failed; and no tool may end the server.
            return make_error_result(log_exception(error, call))
        finally:
            # What waits goes on one turn of the loop earlier than by the callback of the task.
            questions.change()

    async def _collect_injected(
        self, one: ToolLike, request: Request, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Collect the host values that the tool *one* needs for *request*, by name."""
        needs = get_injected_names(one)
        requests = dict.fromkeys(get_request_parameters(one), request)
        if not needs:
            return requests
        if not callable(self._given):
            return {**values, **(self._given or {}), **requests}
        # The function need not give what the lifespan function does.
        asked = {name: optional or name in values for name, optional in needs.items()}
        given = await InjectedValues(one.name, asked, self._given).avalues(request)
        return {**values, **given, **requests}


async def ask_person(request: Request, asked: Ask, _: Call) -> Refuse | None:
    """Ask the person at the client of *request* for permission."""
    if not request.can_elicit:
        return Refuse("a person has to allow it, and this client has no way to ask one")
    found = await request.aelicit(bool, asked.question)
    allowed = found.action == "accept" and found.outcome is not None and found.outcome.ok
    return None if allowed and found.value else Refuse("the person at the client did not allow it")


def check_on_exception(given: object) -> None:
    """Raise `TypesigError` if *given* is neither a function nor None."""
    if not (given is None or callable(given)):
        raise TypesigError(
            f"on_exception is a function, not {type(given).__name__}; write "
            "on_exception=lambda error, call: str(error)"
        )


def get_required_names(one: ToolLike) -> list[str]:
    """List the host values, except the request, that the tool *one* cannot do without."""
    return [name for name, optional in get_injected_names(one).items() if not optional]


def get_request_parameters(one: ToolLike) -> list[str]:
    """List the parameters of the tool *one* that receive the `Request`."""
    return [param.name for param in one.binding.host.params if param.supplied is Request]


def get_injected_names(one: ToolLike) -> dict[str, bool]:
    """Map the host values, except the request, of the tool *one* to whether optional."""
    requests = get_request_parameters(one)
    named = get_host_names(one.binding).items()
    return {name: optional for name, optional in named if name not in requests}


def log_exception(error: BaseException, call: WireCall) -> str:
    """Log *error*; return a text for the model without its details."""
    LOG.error("the tool %s raised", call.name, exc_info=error)
    return _format_failure(call)


def _format_failure(call: WireCall) -> str:
    """Format the text for the model after *call* failed with an unexpected error."""
    return (
        f"{call.name} failed with an error of its own, which its host has been told; it may have "
        "done a part of its work"
    )


def make_error_result(text: str) -> dict[str, Any]:
    """Error result of a call, with *text* for the model."""
    return {"content": [{"type": "text", "text": escape_surrogates(text)}], "isError": True}


class RunningCall:
    """A tool call that runs in *task*, with its request, questions and time limit.

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
        """Wait until the call ends, exceeds its time, or needs an answer of its client.

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


class WaitingCalls:
    """Calls that wait for answers of their clients, by secret request state."""

    __slots__ = ("_calls",)

    def __init__(self) -> None:
        self._calls: dict[str, RunningCall] = {}

    def put(self, running: RunningCall) -> dict[str, Any]:
        """Store the *running* call; return the result that asks its client."""
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

    def take(self, state: str, call: WireCall) -> RunningCall:
        """Remove and return the call under *state*; raise the SDK's `MCPError` on a mismatch."""
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
        """Stop and forget the call waiting under *state*, if it still waits."""
        running = self._calls.pop(state, None)
        if running is not None:
            running.stop()


def _refuse(text: str) -> NoReturn:
    """Raise the SDK's `MCPError` for invalid parameters, with the message *text*."""
    raise import_sdk().MCPError(import_sdk("mcp_types").INVALID_PARAMS, text)
