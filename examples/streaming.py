"""Show an answer and the arguments of a call while a model is still writing them.

The model is scripted, so that the example runs without a network.  In place of `pieces`, write a
function that yields the texts that a client library hands on, such as `delta.content`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
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

ANSWER = """Here are my findings:

```json
[
  {"line": 12, "severity": "high", "text": "divides by zero"},
  {"line": "40", "severity": "low", "text": "unused name"}
]
```"""

ARGUMENTS = '{"room": "Birch", "days": ["Monday", "Tuesday"], "seats": "6"}'


def pieces(text: str, width: int = 9) -> Iterator[str | None]:
    """Yield *text* in pieces, as a model writes it; a piece without text is None."""
    yield None
    for place in range(0, len(text), width):
        yield text[place : place + width]


def findings() -> Iterator[Finding]:
    """Yield each finding as soon as the model has written it."""
    for part in REVIEW.stream(pieces(ANSWER)):
        for closed in part.closed:
            if len(closed.path) == 1:
                yield closed.result


@typesig.tool
def book(room: str, seats: int, days: list[str]) -> str:
    """Book a room."""
    return f"{room} is booked for {seats} on {', '.join(days)}"


async def arriving() -> AsyncIterator[str | None]:
    """Yield the arguments of a call in pieces, as an asynchronous client does."""
    for piece in pieces(ARGUMENTS):
        yield piece


async def call() -> typesig.Outcome[str]:
    """Show the arguments as they arrive, and call the tool when all of them are there."""
    stream = book.stream(arriving())
    async for part in stream:
        missing = ", ".join(str(path[-1]) for path in part.missing if path)
        print(f"{part.value}  missing: {missing or 'nothing'}")
    return book.call(stream.text)


def demo() -> None:
    """Print findings and arguments as they arrive, and what is known of an answer that was cut."""
    for finding in findings():
        print(finding)
    print(asyncio.run(call()).text())
    print(REVIEW.read(ANSWER[:130], partial=True).report())


if __name__ == "__main__":
    demo()
