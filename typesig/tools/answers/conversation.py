"""The loop of `ask`: prompt, answer and feedback in rounds, until the answer fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    NoReturn,
    Protocol,
    TypeAlias,
    TypeVar,
)

from typesig.algebra.loss import Losses
from typesig.algebra.rows.frozen import set_part
from typesig.calls.running import WaitMode
from typesig.errors import TypesigError
from typesig.governance.pending import PendingCalls
from typesig.tools.answers.request_guard import EndReason, RequestGuard
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import PARTS, Outcome

if TYPE_CHECKING:
    # merged
    from typesig.governance.governance import Governance
    from typesig.governance.spans import AskSpan
    from typesig.governance.timing import Usage
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.policy import ModeName, Policy


# --- Answers of `ask`: the last outcome, and the attempts behind it ---

T = TypeVar("T")

#: A message: its role (system, user or assistant) and its content; of a client, what it takes.
Message: TypeAlias = dict[str, Any]


class Answer(Outcome[T], Generic[T]):
    """Outcome of the last attempt of an ask, with all messages and the attempt count.

    #: attempts: how many answers the model gave
    #: messages: the whole conversation, the last answer included
    #: usage: the tokens of all attempts, or None if it is not told how many they are
    #: ended: why nothing more was asked though attempts were left, or None
    #: losses: what the response format or the grammar of the last answer does not say as the
    #:     contract does, such as the bounds of a grammar

    >>> import typesig
    >>> answer = typesig.contract(int).ask(lambda messages: "7", "How many days has a week?")
    >>> answer.value, answer.attempts, len(answer.messages)
    (7, 1, 2)
    """

    __slots__ = ("attempts", "ended", "losses", "messages", "usage")

    attempts: int
    ended: str | None
    losses: Losses
    messages: tuple[Message, ...]
    usage: Usage | None

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an outcome cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        revive, parts, words = super().__reduce__()
        outcome: Outcome[T] = revive(*parts)
        outcome.__setstate__(words)
        more = self.attempts, self.messages, self.usage, self.ended, self.losses
        return make_answer, (outcome, *more)


def make_answer(
    outcome: Outcome[T],
    attempts: int,
    messages: Iterable[Message],
    usage: Usage | None = None,
    ended: str | None = None,
    losses: Losses = (),
) -> Answer[T]:
    """Build the `Answer` of an ask from *outcome* and its conversation."""
    made = Answer[T].__new__(Answer)
    for name in PARTS:
        set_part(made, name, getattr(outcome, name))
    set_part(made, "attempts", attempts)
    set_part(made, "messages", tuple(messages))
    set_part(made, "usage", usage)
    set_part(made, "ended", ended)
    set_part(made, "losses", losses)
    return made


# --- Rounds of one ask: a request, then the tool calls in its answer, until one fits ---


class AskState(ABC, Generic[T]):
    """State of an ask of at most *most* answers, by a function or by a client.

    #: messages: those so far
    """

    messages: list[Any]
    _usage: Usage | None = None
    _losses: Losses = ()

    def __init__(self, guard: RequestGuard, most: int) -> None:
        self.guard = guard
        self._attempts, self._most = 0, most
        self._previous: Outcome[T] | None = None

    @property
    def attempt(self) -> int:
        """Which attempt is under way, from 1 on."""
        return self._attempts + 1

    def copy_messages(self) -> list[Any]:
        """Return a copy of the messages so far."""
        return list(self.messages)

    def find_exhausted_budget(self) -> EndReason | None:
        """Return the reason to stop for an exhausted budget, or None."""
        return self.guard.find_exhausted_budget()

    @abstractmethod
    def receive(self, response: Any, span: AskSpan | None) -> Outcome[T] | None:
        """Return the outcome of the answer in *response*, or None if there is none yet."""

    def settle(self, outcome: Outcome[T]) -> Answer[T] | None:
        """Return *outcome* as the answer if it fits or was the last; else ask again."""
        previous, self._previous = self._previous, outcome
        if outcome.ok or self._attempts == self._most:
            return self.make_answer(outcome)
        spent = self.find_exhausted_budget()
        return self.ask_again(outcome, previous) if spent is None else self.make_ended_answer(spent)

    @abstractmethod
    def ask_again(self, outcome: Outcome[T], previous: Outcome[T] | None) -> Answer[T] | None:
        """Add the feedback on *outcome*; return the answer if nothing more is asked."""

    def make_answer(self, outcome: Outcome[T], ended: str | None = None) -> Answer[T]:
        """Build the answer from its last *outcome*; *ended* is why it ended early, if it did."""
        told = self._attempts, self.copy_messages(), self._usage
        return make_answer(outcome, *told, ended, self._losses)

    def make_ended_answer(self, ended: EndReason) -> Answer[T]:
        """Build the answer of an ask that ended early, for the reason *ended*.

        Without an outcome, it states that no request was made.
        """
        outcome = self._previous
        if outcome is None:
            outcome = Outcome(stage="answer", errors=[Issue(ended.code, (), "", ended.why)])
        return self.make_answer(outcome, ended.why)

    async def run(self) -> None:
        """Answer the calls of tools in the last answer, if there are any."""


async def run_rounds(exchange: AskState[T], send: Callable[[], Awaitable[Any]]) -> Answer[T]:
    """Send the requests of *exchange* by *send* until there is an answer."""
    answer: Answer[T] | None = None
    while answer is None:
        await exchange.run()
        answer = await _round(exchange, send)
    return answer


async def begin_round(exchange: AskState[T]) -> EndReason | None:
    """Reason for not sending the next request, or None."""
    spent = exchange.find_exhausted_budget()
    if spent is not None:
        return spent
    guard = exchange.guard
    call = guard.make_call(exchange.attempt)
    return guard.find_refusal(call, await guard.decide(call), exchange.messages)


async def _round(exchange: AskState[T], send: Callable[[], Awaitable[Any]]) -> Answer[T] | None:
    """Send the next request by *send*; return the final answer, or None to continue."""
    ended, guard = await begin_round(exchange), exchange.guard
    if ended is not None:
        return exchange.make_ended_answer(ended)
    call = guard.make_call(exchange.attempt)
    with guard.span() as span:
        found = await guard.send_request(call, send)
        if isinstance(found, EndReason):
            if span is not None:
                span.fail(found.code)
            return exchange.make_ended_answer(found)
        outcome = exchange.receive(found, span)
        if outcome is None:
            return None
        outcome = await guard.turn.apply_after(call, outcome)
        record_outcome(span, outcome)
    return exchange.settle(outcome)


def record_outcome(span: AskSpan | None, outcome: Outcome[Any]) -> None:
    """Record *outcome* in *span*, if there is one."""
    if span is not None:
        span.end(outcome)


# --- The loop of `ask` with a function: prompt, answer, feedback, until the answer fits ---
# A function from messages to text stands for the model, so that no client library is needed.

T_co = TypeVar("T_co", covariant=True)


class Promptable(Protocol[T_co]):
    """Protocol of a contract, as an ask by a function needs it."""

    def prompt(self) -> str:
        """Text that asks the model for the answer."""
        ...

    def read(
        self, text: object, mode: ModeName | Policy | None = None, *, ledger: Ledger | None = None
    ) -> Outcome[T_co]:
        """Return the outcome of reading a model's answer."""
        ...


#: What is asked: the text of a user, or the messages so far.
Prompt: TypeAlias = str | Iterable[Mapping[str, str]]


class _Conversation(AskState[T]):
    """State of an ask by a function: the messages and the last outcome."""

    def __init__(
        self,
        contract: Promptable[T],
        prompt: Prompt,
        waiting: WaitMode,
        *,
        attempts: int,
        mode: ModeName | Policy | None,
        ledger: Ledger | None,
        governance: Governance | None,
        pending: PendingCalls | None,
    ) -> None:
        check_attempts(attempts)
        super().__init__(RequestGuard(governance, ledger, waiting), attempts)
        self._ledger = ledger
        self._contract = contract
        self._mode: ModeName | Policy | None = mode
        if pending is None:
            self.messages = _make_opening(prompt, contract.prompt())
        else:
            self.messages = _resume(prompt)
            self._attempts = self.guard.resume(check_decided(pending)) - 1

    def copy_messages(self) -> list[Message]:
        """Return a copy of the messages, which the model's function may change."""
        return [dict(message) for message in self.messages]

    def receive(self, response: object, span: AskSpan | None) -> Outcome[T]:
        """Read *response*, the text of the answer, and return its outcome."""
        if not isinstance(response, str):
            raise TypesigError(
                f"complete returns the text of the answer, not {_describe_type(response)}"
            )
        self.guard.spend(None)
        self.messages.append({"role": "assistant", "content": response})
        self._attempts += 1
        return self._contract.read(response, self._mode, ledger=self._ledger)

    def ask_again(self, outcome: Outcome[T], previous: Outcome[T] | None) -> None:
        """Add the feedback on *outcome* to the messages."""
        self.messages.append({"role": "user", "content": outcome.feedback(previous)})


async def ask(
    contract: Promptable[T],
    complete: Callable[[list[Message]], Awaitable[str] | str],
    prompt: Prompt,
    waiting: WaitMode,
    **options: Any,
) -> Answer[T]:
    """Ask the function *complete* for an answer that fits *contract*."""
    conversation = _Conversation(contract, prompt, waiting, **options)

    async def send() -> Any:
        refusal = "complete returned an awaitable: write await contract.aask(…)"
        return await waiting.await_value(complete(conversation.copy_messages()), refusal)

    return await run_rounds(conversation, send)


def check_attempts(attempts: object) -> None:
    """Raise `TypesigError` if *attempts* is no number from 1 on."""
    if type(attempts) is not int or attempts < 1:
        raise TypesigError(f"attempts is an int of at least 1, not {attempts!r}")


def check_decided(pending: object) -> PendingCalls:
    """Return *pending*; raise `TypesigError` unless it is pending calls, all decided."""
    if not isinstance(pending, PendingCalls) or pending.asked:
        raise TypesigError("pending takes what pending.decided({…}) of a Paused returns")
    return pending


def _resume(prompt: Prompt) -> list[Message]:
    """Check *prompt*, the messages of a paused conversation, and return a copy."""
    if isinstance(prompt, str | Mapping) or not isinstance(prompt, Iterable):
        raise TypesigError("prompt is the messages of the Paused that pending is from")
    return [_check_message(each) for each in prompt]


def _make_opening(prompt: Prompt, request: str) -> list[Message]:
    """Build the first messages: *prompt*, followed by *request* for the answer."""
    if isinstance(prompt, str):
        return [{"role": "user", "content": f"{prompt}\n\n{request}" if prompt else request}]
    if not isinstance(prompt, Iterable):
        raise TypesigError(f"prompt is a str or a list of messages, not {_describe_type(prompt)}")
    messages = [_check_message(each) for each in prompt]
    if messages and messages[-1]["role"] == "user":
        messages[-1]["content"] += f"\n\n{request}"
    else:
        messages.append({"role": "user", "content": request})
    return messages


def _check_message(given: object) -> Message:
    """Return a copy of the message *given*; raise `TypesigError` if it is no message."""
    if isinstance(given, Mapping):
        role, content = given.get("role"), given.get("content")
        if role in ("system", "user", "assistant") and isinstance(content, str):
            return {"role": str(role), "content": content}
    raise TypesigError(
        'a message of the prompt is {"role": …, "content": …}, the role one of system, user, '
        "assistant, the content a text"
    )


def _describe_type(value: object) -> str:
    """Return the class name of *value*, or "None" for None, for a message."""
    return "None" if value is None else type(value).__name__
