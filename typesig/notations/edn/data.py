"""What EDN has and Python has not: symbols, the names of them and of keywords, and brackets."""

from __future__ import annotations

import re

from typesig.algebra.frozen import Frozen
from typesig.errors import TypesigError

# EDN's letters and signs; letters and digits of any script, as Clojure reads them.
_FIRST, _NEXT = r"[\w.*+!?$%&=<>-]", r"[\w.*+!?$%&=<>:#'-]*(?<!:)"
_PART = _FIRST + _NEXT
_NAME = re.compile(f"{_PART}(?:/{_PART})?")
_LIKE_A_NUMBER = re.compile(r"(?:^|/)[+.-]?\.?\d")

#: Texts, comments and characters whole, so that brackets in them are none; and brackets.
PIECES = re.compile(r'"(?:[^"\\]|\\[\s\S])*"?|;[^\n]*|\\[\s\S]|#\{|[(\[{]|[)\]}]')

#: Each bracket that opens, and the one that closes it.
CLOSED_BY = {"(": ")", "[": "]", "{": "}", "#{": "}"}

#: Symbols that are values of their own.
CONSTANTS = {"nil": None, "true": True, "false": False}


def is_name(text: str) -> bool:
    """Return whether *text* can stand behind a colon, as the keyword `:a` or `:a/b` does.

    >>> [is_name(text) for text in ("id", "user/id", ">=", "a b", "", "a/b/c")]
    [True, True, True, False, False, False]
    """
    return _NAME.fullmatch(text) is not None


class Symbol(Frozen):
    """A name that stands for something, `int?` in EDN; it is equal to no text and no keyword.

    Raises `TypesigError` where EDN would read *name* as something else, or not at all.

    >>> Symbol("int?")
    Symbol('int?')
    """

    __slots__ = ("name",)
    __match_args__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        if name != "/" and (not is_name(name) or _LIKE_A_NUMBER.search(name) or name in CONSTANTS):
            raise TypesigError(f"{name!r} is no symbol: it would not be read back as one")
        self._fill(name)
