"""Read a structured answer of a model: request it, check it, and convert it to Python objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import typesig


@dataclass
class Finding:
    """One finding of a review."""

    line: int
    severity: Literal["low", "high"]
    text: str


REVIEW = typesig.contract(list[Finding])

#: A typical answer of a model: fenced, wrapped in an object, a number in quotes.
ANSWER = """```json
{"items": [{"line": "12", "severity": "high", "text": "divides by zero"}]}
```"""


def demo() -> None:
    """Print the request, the findings, and the report on a wrong answer."""
    print(REVIEW.prompt())
    outcome = REVIEW.read(ANSWER)
    print(outcome.result)
    print([str(warning) for warning in outcome.warnings])
    print(REVIEW.read('[{"line": 3, "severity": "hgih", "text": "typo"}]').report())


if __name__ == "__main__":
    demo()
