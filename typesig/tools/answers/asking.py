"""Asking a model until its answer fits: a prompt, an answer, feedback, and so on.

A function from messages to text stands for the model, so that no client library is needed.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeAlias, TypeVar

from typesig.algebra.rows.frozen import set_part
from typesig.errors import TypesigError
from typesig.validation.outcome.outcome import PARTS, Outcome

if TYPE_CHECKING:
    from typesig.providers.dialogues.dialogue import Usage
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


#: A message: its role (system, user or assistant) and its content; of a client, what it takes.
Message: TypeAlias = dict[str, Any]

#: What is asked: the text of a user, or the messages so far.
Prompt: TypeAlias = str | Iterable[Mapping[str, str]]


class Answer(Outcome[T], Generic[T]):
    """The outcome of the last attempt, and how it came about.

    #: attempts: how many answers the model gave
    #: messages: the whole conversation, the last answer included
    #: usage: the tokens of all attempts, or None if it is not told how many they are

    >>> import typesig
    >>> answer = typesig.contract(int).ask(lambda messages: "7", "How many days has a week?")
    >>> answer.value, answer.attempts, len(answer.messages)
    (7, 1, 2)
    """

    __slots__ = ("attempts", "messages", "usage")

    attempts: int
    messages: tuple[Message, ...]
    usage: Usage | None

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an outcome cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        revive, parts, words = super().__reduce__()
        outcome: Outcome[T] = revive(*parts)
        outcome.__setstate__(words)
        return answered, (outcome, self.attempts, self.messages, self.usage)


def answered(
    outcome: Outcome[T], attempts: int, messages: Iterable[Message], usage: Usage | None = None
) -> Answer[T]:
    """Return *outcome* with the conversation that led to it."""
    made = Answer[T].__new__(Answer)
    for name in PARTS:
        set_part(made, name, getattr(outcome, name))
    set_part(made, "attempts", attempts)
    set_part(made, "messages", tuple(messages))
    set_part(made, "usage", usage)
    return made


class _Conversation(Generic[T]):
    """The messages so far, and the outcome of the last answer."""

    def __init__(
        self,
        contract: Asked[T],
        prompt: Prompt,
        mode: ModeName | Policy | None,
        ledger: Ledger | None,
    ) -> None:
        self._ledger = ledger
        self._contract = contract
        self._mode: ModeName | Policy | None = mode
        self._messages = _opening(prompt, contract.prompt())
        self._outcome: Outcome[T] | None = None
        self._attempts = 0

    @property
    def messages(self) -> list[Message]:
        """A copy of the messages, which the model's function may change."""
        return [dict(message) for message in self._messages]

    def take(self, answer: object, attempts: int) -> Answer[T] | None:
        """Return the outcome if *answer* fits or was the last of *attempts*; else ask again."""
        if not isinstance(answer, str):
            raise TypesigError(f"complete returns the text of the answer, not {_named(answer)}")
        self._messages.append({"role": "assistant", "content": answer})
        self._attempts += 1
        previous = self._outcome
        outcome = self._contract.read(answer, self._mode, ledger=self._ledger)
        self._outcome = outcome
        if outcome.ok or self._attempts == attempts:
            return answered(outcome, self._attempts, self.messages)
        self._messages.append({"role": "user", "content": outcome.feedback(previous)})
        return None


def ask(
    contract: Asked[T],
    complete: Callable[[list[Message]], str],
    prompt: Prompt,
    attempts: int,
    mode: ModeName | Policy | None,
    ledger: Ledger | None = None,
) -> Answer[T]:
    """Return the answer that *complete* gives to *prompt*; see `Contract.ask`."""
    check_attempts(attempts)
    conversation = _Conversation(contract, prompt, mode, ledger)
    while True:
        text: Any = complete(conversation.messages)
        if inspect.isawaitable(text):
            if inspect.iscoroutine(text):
                text.close()
            raise TypesigError("complete returned an awaitable: write await contract.aask(…)")
        answer = conversation.take(text, attempts)
        if answer is not None:
            return answer


async def aask(
    contract: Asked[T],
    complete: Callable[[list[Message]], Awaitable[str] | str],
    prompt: Prompt,
    attempts: int,
    mode: ModeName | Policy | None,
    ledger: Ledger | None = None,
) -> Answer[T]:
    """Return the same as `ask` for a coroutine function; see `Contract.aask`."""
    check_attempts(attempts)
    conversation = _Conversation(contract, prompt, mode, ledger)
    while True:
        text: Any = complete(conversation.messages)
        if inspect.isawaitable(text):
            text = await text
        answer = conversation.take(text, attempts)
        if answer is not None:
            return answer


def check_attempts(attempts: object) -> None:
    """Raise `TypesigError` if *attempts* is no number from 1 on."""
    if type(attempts) is not int or attempts < 1:
        raise TypesigError(f"attempts is an int of at least 1, not {attempts!r}")


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
