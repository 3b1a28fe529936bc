"""The declared name, or the value of an enum, that is closest to a wrong one: "did you mean …"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from typesig.limits import MAX_NEAR, MAX_NEAR_NAME, MAX_NEAR_WORK
from typesig.validation.issues.remedies import Remedy
from typesig.validation.issues.words import filled


class Near(NamedTuple):
    """A wrong name or value, and what may have been meant.

    #: known: returns the texts that *word* is compared with, and what a message says for each
    """

    word: str
    known: Callable[[], Mapping[str, str]]


class Search:
    """Looks for the closest names, within `MAX_NEAR_WORK` for all of them."""

    __slots__ = ("_meant", "left")

    def __init__(self) -> None:
        self.left = MAX_NEAR_WORK
        self._meant: dict[tuple[str, tuple[str, ...]], str] = {}

    def hint(self, near: Near | Remedy) -> str:
        """Return the names closest to *near*, or the text of a remedy; empty if there is none."""
        if isinstance(near, Remedy):
            return near.text()
        word, known = near.word, near.known()
        if len(word) > MAX_NEAR_NAME or len(known) > MAX_NEAR:
            return ""
        self.left -= (len(word) + 1) * sum(map(len, known))
        return closest(word, known) if self.left >= 0 else ""

    def find_meant(self, word: str, names: tuple[str, ...]) -> str:
        """Find the one of *names* that *word* is a misspelling of; empty without one.

        Closer than a hint, since a call is refused for it.  It is searched for once per check: the
        items of a list often have the same undeclared keys.
        """
        self.left -= 1 + len(names)
        if self.left < 0 or len(word) > MAX_NEAR_NAME or len(names) > MAX_NEAR:
            return ""
        found = self._meant.get((word, names))
        if found is None:
            self.left -= (len(word) + 1) * sum(map(len, names))
            found = _find_meant(word, names) if self.left >= 0 else ""
            if len(self._meant) < _MOST_MEANT:
                self._meant[word, names] = found
        return found


#: How many words one check remembers.
_MOST_MEANT = 1_000


def _find_meant(word: str, names: tuple[str, ...]) -> str:
    likeness, name = max([(_likeness(word, each), each) for each in names], default=(0.0, ""))
    is_part = likeness >= _LEAST and (word in name or name in word)
    return name if likeness >= _MISSPELT or is_part else ""


def closest(word: str, known: Mapping[str, str]) -> str:
    """Return a hint with what *known* says for the text closest to *word*, or an empty text."""
    likeness, near = max([(_likeness(word, each), each) for each in known], default=(0.0, ""))
    return filled("did you mean {}?", known[near]) if likeness >= _LEAST else ""


#: The likeness from which a text may have been meant.
_LEAST = 0.6

#: The likeness from which a word is a misspelling, unless one text is a part of the other.
_MISSPELT = 0.75


def _likeness(word: str, other: str) -> float:
    """Return twice the matching characters of two texts for one of both, or 0 below `_LEAST`.

    This is the ratio of `difflib`, which takes ten times as long for texts as short as names.
    """
    whole = len(word) + len(other)
    if not whole:
        return 1.0
    least = _LEAST * whole / 2
    shorter, longer = (word, other) if len(word) < len(other) else (other, word)
    if len(shorter) < least:
        return 0.0
    left = longer
    for c in shorter:
        left = left.replace(c, "", 1)
    if len(longer) - len(left) < least:
        return 0.0
    return 2.0 * _matching(other, word) / whole


def _matching(first: str, second: str) -> int:
    """Return the number of characters in the blocks that two texts share, in the same order.

    The longest block is found first, of several the leftmost, and then those on both its sides.
    """
    pending, count = [(first, second)], 0
    while pending:
        a, b = pending.pop()
        start = size = at = 0
        while at + size < len(a):
            if a[at : at + size + 1] in b:
                start, size = at, size + 1
            else:
                at += 1
        if size:
            count += size
            there, end = b.find(a[start : start + size]), start + size
            if start and there:
                pending.append((a[:start], b[:there]))
            if end < len(a) and there + size < len(b):
                pending.append((a[end:], b[there + size :]))
    return count
