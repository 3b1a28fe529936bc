"""Asking a model until its answer fits: a prompt, an answer, feedback, and so on.

A function from messages to text stands for the model, so that no client library is needed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
)

from typesig.calls.waiting import Waiting
from typesig.errors import TypesigError
from typesig.governance.pending import PendingCalls
from typesig.tools.answers.answered import Answer, Message, answered, ended_answer
from typesig.tools.answers.guarding import Ended, Guard
from typesig.tools.answers.rounds import asked
from typesig.validation.outcome.outcome import Outcome

if TYPE_CHECKING:
    from typesig.governance.governance import Governance
    from typesig.governance.spans import AskSpan
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.rows.policy import ModeName, Policy

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Asked(Protocol[T_co]):
    """What is asked for; a contract is."""

    def prompt(self) -> str:
        """Return the text that asks a model for the answer."""
        ...

    def read(
        self, text: object, mode: ModeName | Policy | None = None, *, ledger: Ledger | None = None
    ) -> Outcome[T_co]:
        """Return the outcome of reading a model's answer."""
        ...


#: What is asked: the text of a user, or the messages so far.
Prompt: TypeAlias = str | Iterable[Mapping[str, str]]


class _Conversation(Generic[T]):
    """The messages so far, and the outcome of the last answer."""

    def __init__(
        self,
        contract: Asked[T],
        prompt: Prompt,
        attempts: int,
        mode: ModeName | Policy | None,
        ledger: Ledger | None,
        governed: Governed,
    ) -> None:
        check_attempts(attempts)
        self._ledger = ledger
        self._contract = contract
        self._mode: ModeName | Policy | None = mode
        self.guard = Guard(governed.governance, ledger, governed.waiting)
        self._attempts, self._most = 0, attempts
        self._outcome: Outcome[T] | None = None
        if governed.pending is None:
            self.messages = _opening(prompt, contract.prompt())
        else:
            self.messages = _resumed(prompt)
            self._attempts = self.guard.resume(decided(governed.pending)) - 1

    @property
    def attempt(self) -> int:
        """Which attempt is under way, from 1 on."""
        return self._attempts + 1

    def copied(self) -> list[Message]:
        """Return a copy of the messages, which the model's function may change."""
        return [dict(message) for message in self.messages]

    def spent(self) -> Ended | None:
        """Return which budget is spent, or None."""
        return self.guard.spent()

    def receive(self, response: object, span: AskSpan | None) -> Outcome[T]:
        """Return the outcome of *response*, the text of the answer."""
        if not isinstance(response, str):
            raise TypesigError(f"complete returns the text of the answer, not {_named(response)}")
        self.guard.spend(None)
        self.messages.append({"role": "assistant", "content": response})
        self._attempts += 1
        return self._contract.read(response, self._mode, ledger=self._ledger)

    def settle(self, outcome: Outcome[T]) -> Answer[T] | None:
        """Return *outcome* as the answer if it fits or was the last; else ask again."""
        previous, self._outcome = self._outcome, outcome
        if outcome.ok or self._attempts == self._most:
            return answered(outcome, self._attempts, self.copied())
        spent = self.spent()
        if spent is not None:
            return self.ended(spent)
        self.messages.append({"role": "user", "content": outcome.feedback(previous)})
        return None

    def ended(self, ended: Ended) -> Answer[T]:
        """Return the answer if nothing more is asked."""
        return ended_answer(self._outcome, ended, self._attempts, self.copied())

    async def run(self) -> None:
        """Do nothing: a function calls no tools of ours."""


class Governed(NamedTuple):
    """How an asking is governed, what of it a person has decided, and how it is waited for."""

    governance: Governance | None
    pending: PendingCalls | None
    waiting: Waiting


async def ask(
    contract: Asked[T],
    complete: Callable[[list[Message]], Awaitable[str] | str],
    prompt: Prompt,
    attempts: int,
    mode: ModeName | Policy | None,
    ledger: Ledger | None,
    governed: Governed,
) -> Answer[T]:
    """Return the answer that *complete* gives to *prompt*; see `Contract.ask`."""
    conversation = _Conversation(contract, prompt, attempts, mode, ledger, governed)

    async def send() -> Any:
        refusal = "complete returned an awaitable: write await contract.aask(…)"
        return await governed.waiting.value(complete(conversation.copied()), refusal)

    return await asked(conversation, send)


def check_attempts(attempts: object) -> None:
    """Raise `TypesigError` if *attempts* is no number from 1 on."""
    if type(attempts) is not int or attempts < 1:
        raise TypesigError(f"attempts is an int of at least 1, not {attempts!r}")


def decided(pending: object) -> PendingCalls:
    """Return *pending*; raise `TypesigError` if they are no calls that are decided."""
    if not isinstance(pending, PendingCalls) or pending.asked:
        raise TypesigError("pending takes what pending.decided({…}) of a Paused returns")
    return pending


def _resumed(prompt: Prompt) -> list[Message]:
    """Return the messages of a conversation that waited for a person."""
    if isinstance(prompt, str | Mapping) or not isinstance(prompt, Iterable):
        raise TypesigError("prompt is the messages of the Paused that pending is from")
    return [_message(each) for each in prompt]


def _opening(prompt: Prompt, request: str) -> list[Message]:
    """Return the first messages: *prompt* with *request* at its end, in a message of the user."""
    if isinstance(prompt, str):
        return [{"role": "user", "content": f"{prompt}\n\n{request}" if prompt else request}]
    if not isinstance(prompt, Iterable):
        raise TypesigError(f"prompt is a text or messages, not {_named(prompt)}")
    messages = [_message(each) for each in prompt]
    if messages and messages[-1]["role"] == "user":
        messages[-1]["content"] += f"\n\n{request}"
    else:
        messages.append({"role": "user", "content": request})
    return messages


def _message(given: object) -> Message:
    """Return a copy of a message; raise `TypesigError` if it is none."""
    if isinstance(given, Mapping):
        role, content = given.get("role"), given.get("content")
        if role in ("system", "user", "assistant") and isinstance(content, str):
            return {"role": str(role), "content": content}
    raise TypesigError(
        'a message of the prompt is {"role": …, "content": …}, the role one of system, user, '
        "assistant, the content a text"
    )


def _named(value: object) -> str:
    return "None" if value is None else type(value).__name__
