"""Tests of tools that nobody wrote: they come from the signatures, and find a mistake.

`pytest --typesig my_package.my_tools` runs the same cases; this program runs them by itself.
"""

from __future__ import annotations

import typesig
from typesig import tool
from typesig.contracts.rehearsals import cases, rehearse


@tool(annotations={"readOnlyHint": True})
def mean(numbers: list[float]) -> float:
    """Return the mean of numbers."""
    return sum(numbers) / len(numbers)


@tool(annotations={"readOnlyHint": True})
def initials(name: str) -> str:
    """Return the first letters of a name."""
    return "".join(word[0] for word in name.split())


def demo() -> None:
    for case in cases([mean, initials], seed=1):
        try:
            case()
        except AssertionError as error:
            print(f"{case}: {str(error).splitlines()[0]}")
        else:
            print(f"{case}: passed")

    report = rehearse(typesig.tools_of([mean, initials]), ["openai"], seed=1)
    print("mistakes of a careless model that were let through:", report.let_through)


if __name__ == "__main__":
    demo()
