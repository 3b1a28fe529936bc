"""Requests of a running call to its client: elicitation, sampling and roots."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from typesig.calls.errors import ToolError
from typesig.errors import TypesigError, format_value
from typesig.limits.network import MAX_ASKING_SECONDS

#: Sends a request of the protocol, its method and its params, and returns the result.
Ask: TypeAlias = Callable[[str, Mapping[str, Any]], Any]

#: What a client can be asked: the ability that it needs, and what it does.
ABILITIES = {
    "elicitation/create": ("elicitation", "ask the person"),
    "roots/list": ("roots", "tell its folders"),
    "sampling/createMessage": ("sampling", "ask a model"),
}


class Question(NamedTuple):
    """A request to the client; *answer* receives the result."""

    method: str
    params: Mapping[str, Any]
    answer: asyncio.Future[Mapping[str, Any]]


class Questions:
    """A call's requests to its client; *lacks* finds an ability that the client lacks.

    *ask* asks at once.  Without it, the questions wait until the client has them as the result of
    its request, and calls again with the answers; *given* are those that came with the call.

    #: waiting: the questions that wait, by their keys; asking: how many are asked at once
    #: changed: has a result when either has changed, or the call has ended
    #: lacking: what was asked last that the client does not have, and why; or None
    """

    __slots__ = (
        "_ask", "_count", "_given", "_lacks", "asking", "changed", "lacking", "loop", "waiting",
    )  # fmt: skip

    def __init__(
        self,
        lacks: Callable[[str, Mapping[str, Any]], str | None],
        ask: Ask | None,
        given: Mapping[str, Any],
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self._lacks = lacks
        self._ask = ask
        self._given = dict(given)
        self._count = 0
        self.asking = 0
        self.lacking: tuple[str, str] | None = None
        self.waiting: dict[str, Question] = {}
        self.changed = self.loop.create_future()

    def find_missing_ability(self, method: str, params: Mapping[str, Any]) -> str | None:
        """Reason why the client does not support *method*, or None."""
        return self._lacks(method, params)

    async def ask(
        self, method: str, params: Mapping[str, Any], key: str | None
    ) -> Mapping[str, Any]:
        """Return the client's answer; raise `ToolError` if there is none."""
        if (why := self._lacks(method, params)) is not None:
            self.lacking = method, why
            raise ToolError(why)
        self._count += 1
        name = f"question {self._count}" if key is None else key
        if name in self._given:
            found: Mapping[str, Any] = self._given.pop(name)
            return found
        if self._ask is None and name in self.waiting:
            raise TypesigError(
                f"the key {format_value(name)} is that of another question that waits"
            )
        try:
            async with asyncio.timeout(MAX_ASKING_SECONDS):
                if self._ask is None:
                    return await self._wait_for_answer(name, method, params)
                return await self._await_answer(self._ask, method, params)
        except TimeoutError:
            _, does = ABILITIES[method]
            raise ToolError(
                f"the client was to {does}, and did not answer within {MAX_ASKING_SECONDS} s"
            ) from None

    def give(self, answers: Mapping[str, Any]) -> None:
        """Resolve the waiting questions by *answers*; ignore answers to other keys."""
        for key in [each for each in self.waiting if each in answers]:
            question = self.waiting.pop(key)
            if not question.answer.done():
                question.answer.set_result(answers[key])

    def change(self) -> None:
        """Wake the task that waits for a change of the call's questions."""
        if not self.changed.done():
            self.changed.set_result(None)

    async def _wait_for_answer(
        self, key: str, method: str, params: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Wait until `give` delivers the client's answer to the question under *key*."""
        question = Question(method, params, self.loop.create_future())
        self.waiting[key] = question
        self.change()
        try:
            return await question.answer
        finally:
            if self.waiting.get(key) is question:
                del self.waiting[key]

    async def _await_answer(
        self, ask: Ask, method: str, params: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Send a *method* request to the client by *ask*; count it as open meanwhile."""
        self.asking += 1
        self.change()
        try:
            return await await_answer(ask, method, params)
        finally:
            self.asking -= 1
            self.change()


async def await_answer(ask: Ask, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Call *ask* with *method* and *params*, and await the result if necessary."""
    made = ask(method, params)
    found: Mapping[str, Any] = await made if inspect.isawaitable(made) else made
    return found
