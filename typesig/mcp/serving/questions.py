"""Requests of a running call to its client: elicitation, sampling and roots."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from typesig.calls.functions import ToolError
from typesig.errors import TypesigError, format_value
from typesig.limits.network import MAX_ASKING_SECONDS
from typesig.mcp.transport.sdk import import_sdk
from typesig.tools.foreign.foreign_texts import strip_invisible

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext


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


# --- Questions to the client of a request: its abilities, and how to ask ---

#: The names in the SDK of each request to a client, and of its result.
_MODELS = {
    "elicitation/create": ("ElicitRequest", "ElicitResult"),
    "roots/list": ("ListRootsRequest", "ListRootsResult"),
    "sampling/createMessage": ("CreateMessageRequest", "CreateMessageResult"),
}


def is_modern(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client of *context* uses the protocol without sessions."""
    return context.protocol_version in _get_modern_versions()


@cache
def _get_modern_versions() -> frozenset[str]:
    """Return the MCP protocol versions that the SDK classes as modern; cached."""
    return frozenset(import_sdk("mcp_types.version").MODERN_PROTOCOL_VERSIONS)


def make_questions(
    context: ServerRequestContext[Any, Any], answers: Mapping[str, Any]
) -> Questions:
    """Build the `Questions` to the client of *context*, with *answers* of its request.

    From 2026-07-28 on, a client is asked by the result of its request.
    """
    ask = None if is_modern(context) else partial(_ask, context)
    return Questions(partial(_find_missing_ability, context), ask, answers)


def _find_missing_ability(
    context: ServerRequestContext[Any, Any], method: str, params: Mapping[str, Any]
) -> str | None:
    """Reason why the client of *context* does not support *method*, or None."""
    ability, does = ABILITIES[method]
    able = context.session.client_capabilities
    found = getattr(able, ability, None)
    if found is None:
        return f"the client cannot {does}: it has no {ability}; go on without, or ask the user"
    if ability == "elicitation":
        mode = params.get("mode", "form")
        # One that says neither has the forms that there were first.
        is_form = found.form is not None or found.url is None
        if not (is_form if mode == "form" else found.url is not None):
            return f"the client cannot {does}: it has no {ability} of the mode {mode}"
    return None


def refuse_lacking(questions: Questions, result: Mapping[str, Any]) -> None:
    """Raise the SDK's `MCPError` if *result* failed for a missing client ability.

    From 2026-07-28 on, a server has to tell a client so; before, only the model is told.
    """
    if questions.lacking is None or not result.get("isError"):
        return
    method, why = questions.lacking
    if not any(why in str(each.get("text")) for each in result["content"]):
        return
    ability, _ = ABILITIES[method]
    code = import_sdk("mcp_types").MISSING_REQUIRED_CLIENT_CAPABILITY
    raise import_sdk().MCPError(code, why, {"requiredCapabilities": {ability: {}}})


async def _ask(
    context: ServerRequestContext[Any, Any], method: str, params: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Send *method* to the client of *context*, and return its answer."""
    mcp, types, message = import_sdk(), import_sdk("mcp_types"), import_sdk("mcp.shared.message")
    asked, answer = _MODELS[method]
    _, does = ABILITIES[method]
    request = getattr(types, asked).model_validate(
        {"method": method, "params": dict(params)}, by_name=False
    )
    if params.get("tools") is not None:
        answer += "WithTools"
    related = message.ServerMessageMetadata(related_request_id=context.request_id)
    try:
        found = await context.session.send_request(
            request, getattr(types, answer), MAX_ASKING_SECONDS, related
        )
    except mcp.MCPError as error:
        raise ToolError(f"the client did not {does}: {strip_invisible(error.message)}") from error
    except import_sdk("pydantic").ValidationError:
        raise ToolError(f"the client was to {does}, and returned an invalid answer") from None
    made: dict[str, Any] = found.model_dump(by_alias=True, mode="json", exclude_none=True)
    return made
