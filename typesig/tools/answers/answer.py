"""Answers of `ask`: the last outcome, and the attempts behind it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar

from typesig.algebra.loss import Losses
from typesig.algebra.rows.frozen import set_part
from typesig.tools.answers.request_guard import EndReason
from typesig.validation.issues.issues import Issue
from typesig.validation.outcome.outcome import PARTS, Outcome

if TYPE_CHECKING:
    from typesig.governance.timing import Usage


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


def make_ended_answer(
    previous: Outcome[T] | None,
    ended: EndReason,
    attempts: int,
    messages: Iterable[Message],
    usage: Usage | None = None,
    losses: Losses = (),
) -> Answer[T]:
    """Build the `Answer` of an ask that *ended* early, from the *previous* outcome.

    Without a previous outcome, the outcome states that no request was made.
    """
    outcome = previous
    if outcome is None:
        outcome = Outcome(stage="answer", errors=[Issue(ended.code, (), "", ended.why)])
    return make_answer(outcome, attempts, messages, usage, ended.why, losses)
