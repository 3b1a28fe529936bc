"""Reading a model's structured answer: asked for, checked, and decoded to the host's types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import typesig


@dataclass
class Finding:
    """One thing that a review found."""

    line: int
    severity: Literal["low", "high"]
    text: str


REVIEW = typesig.contract(list[Finding])

#: What a model may well answer: fenced, wrapped, a number in quotes.
ANSWER = """```json
{"items": [{"line": "12", "severity": "high", "text": "divides by zero"}]}
```"""


def demo() -> None:
    """Print the request, the findings, and what the model hears of a wrong answer."""
    print(REVIEW.prompt())
    outcome = REVIEW.read(ANSWER)
    print(outcome.result)
    print([str(warning) for warning in outcome.warnings])
    print(REVIEW.read('[{"line": 3, "severity": "hgih", "text": "typo"}]').report())


if __name__ == "__main__":
    demo()
