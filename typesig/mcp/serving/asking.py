"""What a running call asks of its client: the person, a model, its folders; and what comes back."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from typesig.calls.errors import ToolError
from typesig.errors import TypesigError, short
from typesig.network_limits import MAX_ASKING_SECONDS

#: Sends a request of the protocol, its method and its params, and returns the result.
Ask: TypeAlias = Callable[[str, Mapping[str, Any]], Any]

#: What a client can be asked: the ability that it needs, and what it does.
ABILITIES = {
    "elicitation/create": ("elicitation", "ask the person"),
    "roots/list": ("roots", "tell its folders"),
    "sampling/createMessage": ("sampling", "ask a model"),
}


class Question(NamedTuple):
    """What is asked, until *answer* has a result."""

    method: str
    params: Mapping[str, Any]
    answer: asyncio.Future[Mapping[str, Any]]


class Questions:
    """What one call asks; *lacks* returns why a client cannot be asked, or None.

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

    def lacks(self, method: str, params: Mapping[str, Any]) -> str | None:
        """Return why the client cannot be asked for *method*, or None."""
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
            raise TypesigError(f"the key {short(name)} is that of another question that waits")
        try:
            async with asyncio.timeout(MAX_ASKING_SECONDS):
                if self._ask is None:
                    return await self._waited(name, method, params)
                return await self._asked(self._ask, method, params)
        except TimeoutError:
            _, does = ABILITIES[method]
            raise ToolError(
                f"the client was to {does}, and did not answer within {MAX_ASKING_SECONDS} s"
            ) from None

    def give(self, answers: Mapping[str, Any]) -> None:
        """Answer the questions that wait by *answers*; others that it has are ignored."""
        for key in [each for each in self.waiting if each in answers]:
            question = self.waiting.pop(key)
            if not question.answer.done():
                question.answer.set_result(answers[key])

    def change(self) -> None:
        """Wake what waits for the call: something of it has changed."""
        if not self.changed.done():
            self.changed.set_result(None)

    async def _waited(self, key: str, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        question = Question(method, params, self.loop.create_future())
        self.waiting[key] = question
        self.change()
        try:
            return await question.answer
        finally:
            if self.waiting.get(key) is question:
                del self.waiting[key]

    async def _asked(self, ask: Ask, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asking += 1
        self.change()
        try:
            return await answered(ask, method, params)
        finally:
            self.asking -= 1
            self.change()


async def answered(ask: Ask, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what *ask*, a function that may be a coroutine function, returns."""
    made = ask(method, params)
    found: Mapping[str, Any] = await made if inspect.isawaitable(made) else made
    return found
