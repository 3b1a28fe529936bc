"""An answer that is shown while it arrives, item by item, and an answer that was cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import typesig


@dataclass
class Step:
    """A step of a recipe."""

    minutes: int
    heat: Literal["none", "low", "high"]
    text: str


RECIPE = typesig.contract(list[Step])

TEXT = """[{"minutes": 5, "heat": "none", "text": "Cut the onions."},
{"minutes": "20", "heat": "low", "text": "Stew them."},
{"minutes": 1, "heat": "high", "text": "Brown them."}]"""


def pieces(text: str, width: int = 17) -> Iterator[str]:
    """Yield *text* as a model writes it; a client's `delta.content` takes its place."""
    for start in range(0, len(text), width):
        yield text[start : start + width]


def demo() -> None:
    stream = RECIPE.stream(pieces(TEXT))
    for part in stream:
        for closed in part.closed:
            if len(closed.path) == 1:
                print(closed.result)
    outcome = stream.close()
    print(sum(step.minutes for step in outcome.result), "minutes")

    cut = RECIPE.read(TEXT[:95], partial=True)
    print(cut.value)
    print(cut.report())


if __name__ == "__main__":
    demo()
