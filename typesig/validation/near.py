"""The declared name, or the value of an enum, that is closest to a wrong one: "did you mean …"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from typesig.limits import MAX_NEAR, MAX_NEAR_NAME, MAX_NEAR_WORK


class Near(NamedTuple):
    """A wrong name or value, and what may have been meant.

    #: known: returns the texts that *word* is compared with, and what a message says for each
    """

    word: str
    known: Callable[[], Mapping[str, str]]


class Search:
    """Looks for the closest names, within `MAX_NEAR_WORK` for all of them."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_NEAR_WORK

    def hint(self, near: Near) -> str:
        """Return a hint with what is closest to *near*, or an empty text."""
        word, known = near.word, near.known()
        if len(word) > MAX_NEAR_NAME or len(known) > MAX_NEAR:
            return ""
        self.left -= (len(word) + 1) * sum(map(len, known))
        return closest(word, known) if self.left >= 0 else ""


def closest(word: str, known: Mapping[str, str]) -> str:
    """Return a hint with what *known* says for the text closest to *word*, or an empty text."""
    from difflib import get_close_matches

    near = get_close_matches(word, known, 1)
    return f"did you mean {known[near[0]]}?" if near else ""
