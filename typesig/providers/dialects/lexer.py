"""Marks in a text that arrives in pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


class Lexer:
    """A searcher for the next of several marks in a text that arrives in pieces.

    Of marks that begin at one place the longest is found.
    """

    __slots__ = ("_longest", "_pattern", "_prefixes")

    def __init__(self, marks: Iterable[str], escapes: bool) -> None:
        """With *escapes*, a backslash and the character behind it are a mark."""
        ordered = sorted({mark for mark in marks if mark}, key=len, reverse=True)
        found = [r"\\[\s\S]"] if escapes else []
        found += [re.escape(mark) for mark in ordered]
        # What no text has stands for no marks.
        self._pattern = re.compile("|".join(found) or r"(?!)")
        prefixes = {mark[:size] for mark in ordered for size in range(1, len(mark))}
        self._prefixes = prefixes | ({"\\"} if escapes else set())
        self._longest = max((len(each) for each in self._prefixes), default=0)

    def next(self, source: str, start: int, is_last: bool) -> tuple[int, int]:
        """Return the start and the end of the next mark in *source* from *start* on.

        Without one the two are equal: what comes before is certainly no part of a mark.  Unless
        the text *is_last*, more may follow.
        """
        found = self._pattern.search(source, start)
        if is_last:
            return (len(source), len(source)) if found is None else found.span()
        if found is not None and found.start() < len(source) - self._longest:
            return found.span()
        held = self._find_held(source, start)
        if found is None or held <= found.start():
            # A longer mark may begin where the one that was found begins.
            return held, held
        return found.span()

    def _find_held(self, source: str, start: int) -> int:
        """Return the index from which the rest of *source* may be a partial mark."""
        end = len(source)
        for place in range(max(start, end - self._longest), end):
            if source[place:] in self._prefixes:
                return place
        return end


@lru_cache(maxsize=512)
def get_lexer(marks: tuple[str, ...], escapes: bool = False) -> Lexer:
    """Return the cached lexer of *marks*; *escapes* adds backslash escapes to the marks."""
    return Lexer(marks, escapes)
