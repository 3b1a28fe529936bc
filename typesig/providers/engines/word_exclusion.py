"""A pattern of all texts but some."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typesig.limits.engines import MAX_LEFT_OUT, MAX_LEFT_OUT_WORD

_ANY = r"[\s\S]"

#: What stands for the end of a word in the tree of words.
_END = ""


def exclude_words(words: Iterable[str]) -> str | None:
    r"""Write a pattern of all texts except *words*; return None if *words* is too long.

    >>> exclude_words(["ab", "a"])
    '^(?:[^a][\\s\\S]*|a(?:[^b][\\s\\S]*|b(?:[\\s\\S]+)))?$'
    """
    root: dict[str, Any] = {}
    left = MAX_LEFT_OUT
    for word in words:
        left -= len(word) + 1
        if left < 0 or len(word) > MAX_LEFT_OUT_WORD:
            return None
        place = root
        for sign in word:
            place = place.setdefault(sign, {})
        place[_END] = None
    return f"^{_write_branch(root)}$"


def _write_branch(place: dict[str, Any]) -> str:
    """Write a pattern of the texts allowed after the prefix of the trie node *place*."""
    signs = [sign for sign in place if sign != _END]
    first = f"[^{''.join(map(_escape, signs))}]{_ANY}*" if signs else f"{_ANY}+"
    branches = [first, *[f"{_escape(sign)}{_write_branch(place[sign])}" for sign in signs]]
    return f"(?:{'|'.join(branches)}){'' if _END in place else '?'}"


def _escape(sign: str) -> str:
    """Escape a character, *sign*, for a regular expression, unless it is alphanumeric."""
    if sign.isascii() and sign.isalnum():
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else sign
