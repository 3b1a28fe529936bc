"""A tool changes: see what breaks callers with the old contract, before you release it."""

from __future__ import annotations

from typing import Literal

import typesig
from typesig import contracts, tool


def released() -> typesig.Toolset:
    @tool
    def book(room: str, seats: int) -> dict[str, str]:
        """Book a room."""
        return {"room": room}

    return typesig.tools_of([book])


def proposed() -> typesig.Toolset:
    @tool
    def book(room: Literal["Birch", "Elm"], day: str, seats: int | None = None) -> dict[str, str]:
        """Book a room."""
        return {"room": room, "day": day}

    return typesig.tools_of([book])


def mended() -> typesig.Toolset:
    @tool
    def book(room: str, seats: int | None = None, day: str | None = None) -> dict[str, str]:
        """Book a room."""
        return {"room": room}

    return typesig.tools_of([book])


def demo() -> None:
    # The lock is a file in the repository: `typesig lock my_package.my_tools -o tools.lock`.
    lock = contracts.Lock.of(released()).text()
    for version in (proposed, mended):
        found = contracts.diff(contracts.Lock.read(lock), version())
        print(f"{version.__name__}: {found.severity}")
        for each in found:
            print(f"  {each.severity}: {each}")


if __name__ == "__main__":
    demo()
