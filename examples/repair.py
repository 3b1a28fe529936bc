"""Bring a model to a right answer and a right call: it errs twice, reads the feedback, corrects.

The model is scripted, so that the example runs without a network.  In place of `Scripted`, write a
function that sends the messages to a model and returns the text that it answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge

import typesig


class Scripted:
    """A model that gives prepared answers, one after the other."""

    def __init__(self, *answers: str) -> None:
        self._answers = iter(answers)

    def __call__(self, messages: list[dict[str, str]]) -> str:
        return next(self._answers)


@dataclass
class Finding:
    """One finding of a review."""

    line: Annotated[int, Ge(1)]
    severity: Literal["low", "high"]
    text: str


REVIEW = typesig.contract(list[Finding])

ANSWERS = (
    '[{"line": 12, "severity": "hgih", "txt": "divides by zero"}]',
    '[{"line": 12, "severity": "severe", "text": "divides by zero"}]',
    '[{"line": 12, "severity": "high", "text": "divides by zero"}]',
)


def ask_for_findings() -> typesig.Answer[list[Finding]]:
    """Return the outcome of asking for findings, of the third attempt."""
    return REVIEW.ask(Scripted(*ANSWERS), "Review the function `mean`.")


@typesig.tool
def book(room: str, seats: int, days: list[str]) -> str:
    """Book a room."""
    return f"{room} is booked for {seats} on {', '.join(days)}"


TOOLS = typesig.tools_of([book])

#: The calls of the model, as a client library hands them on: the name, and the arguments as text.
CALLS = (
    ("book", '{"room": "Birch", "seats": "a few", "dys": ["Monday"]}'),
    ("book", '{"room": "Birch", "seats": "a few", "days": ["Monday"]}'),
    ("book", '{"room": "Birch", "seats": 6, "days": ["Monday"]}'),
)


def run_calls() -> Iterator[str]:
    """Yield what the model reads after each of its calls."""
    previous: typesig.Outcome[Any] | None = None
    for name, arguments in CALLS:
        outcome = TOOLS.call(name, arguments)
        yield outcome.text() if outcome.ok else outcome.feedback(previous)
        previous = outcome


def demo() -> None:
    """Print a conversation about an answer, and what the model reads after each call of a tool."""
    answer = ask_for_findings()
    for message in answer.messages:
        print(f"--- {message['role']}\n{message['content']}")
    print(f"--- after {answer.attempts} attempts\n{answer.result}")
    for read in run_calls():
        print(f"--- tool\n{read}")


if __name__ == "__main__":
    demo()
