"""A search tool with long results: the model reads the first items, and asks for more."""

from __future__ import annotations

import json
from typing import Any, TypedDict

import typesig
from typesig import tool


class Book(TypedDict):
    id: int
    title: str


BOOKS: list[Book] = [{"id": n, "title": f"Atlas of the sea, part {n}"} for n in range(1, 41)]


@tool
def search(words: str) -> list[Book]:
    """Search for books by words of their titles."""
    return [book for book in BOOKS if words.lower() in book["title"].lower()]


#: Pages belong to one conversation. A result takes 150 characters; `more` has the rest of it.
PAGES = typesig.tools_of([search]).pages(budget=150)
WIRE = PAGES.tools.project("openai")


def asks(name: str, **arguments: Any) -> dict[str, Any]:
    """Return what a model sends: here it is a script."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"id": "call_1", "type": "function", "function": function}]}


def demo() -> None:
    print([definition["function"]["name"] for definition in WIRE.definitions])
    for call in (
        asks("search", words="atlas"),
        asks("more", cursor="p1"),
        asks("more", cursor="x"),
    ):
        [message] = WIRE.handle(call, pages=PAGES)
        print(message["content"])


if __name__ == "__main__":
    demo()
