"""A module for `tools_of`: with tools, and with objects that are not tools."""

from __future__ import annotations

from json import dumps
from typing import NotRequired, TypedDict

from typesig import tool


class Row(TypedDict):
    id: int
    title: str
    _owner: NotRequired[str]


@tool
def search(query: str, limit: int = 10) -> list[Row]:
    """Search for items matching query."""
    return [{"id": 1, "title": query}][:limit]


def helper(text: str) -> str:
    """Help with text."""
    return dumps(text)


@tool("(text :string) -> {category :enum[spam ham]}")
def classify(text):  # type: ignore[no-untyped-def]
    """Classify text into categories."""
    return {"category": "spam" if "buy" in text else "ham"}


def unhinted(a, b):  # type: ignore[no-untyped-def]
    return a, b


def _private(a: int) -> int:
    return a


class NotATool:
    pass


CONSTANT = 3

again = search


@tool
async def fetch(url: str) -> str:
    """Fetch a page."""
    return url
