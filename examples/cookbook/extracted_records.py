"""Records from messy text: clear mistakes are repaired, the others go back to the model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from annotated_types import Gt

import typesig

MAIL = "Hi, please send 12 chairs on 3 May, and a table the week after. Best, Ann"


@dataclass
class Line:
    """One thing that is ordered."""

    item: Literal["chair", "table"]
    count: Annotated[int, Gt(0)]
    day: date


LINES = typesig.contract(list[Line])

#: What the model answers: prose and a fence around it, a misspelt word, a date in words.
ANSWERS = iter(
    [
        """<think>Two lines.</think> Here you are:
```json
[{"item": "chair", "count": "12", "day": "2027-05-03"},
 {"item": "tabel", "count": 1, "day": "a week later"}]
```""",
        '[{"item": "chair", "count": 12, "day": "2027-05-03"},'
        ' {"item": "table", "count": 1, "day": "2027-05-10"}]',
    ]
)


def complete(messages: list[dict[str, str]]) -> str:
    """Return what a model answers to *messages*: here it is a script."""
    print("---", messages[-1]["content"], sep="\n")
    return next(ANSWERS)


def demo() -> None:
    answer = LINES.ask(complete, f"What is ordered, in 2027?\n\n{MAIL}")
    print("---", f"after {answer.attempts} attempts:", sep="\n")
    for line in answer.result:
        print(line)


if __name__ == "__main__":
    demo()
