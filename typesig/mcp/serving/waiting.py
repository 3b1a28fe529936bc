"""Calls that run: how long they may, and those that wait for a client to call again."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, Literal, NoReturn

from typesig.mcp.serving.asking import Questions
from typesig.mcp.serving.requests import Request
from typesig.mcp.transport.sdk import sdk
from typesig.network_limits import MAX_ASKING_SECONDS, MAX_WAITING_CALLS
from typesig.providers.rows.calls import WireCall


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
