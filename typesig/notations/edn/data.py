"""The parts of EDN that Python lacks: symbols, names of symbols and keywords, and brackets."""

from __future__ import annotations

import re

from typesig.algebra.rows.frozen import Frozen
from typesig.errors import TypesigError, format_value

# EDN's letters and signs; letters and digits of any script, as Clojure reads them.
_FIRST, _NEXT = r"[\w.*+!?$%&=<>-]", r"[\w.*+!?$%&=<>:#'-]*(?<!:)"
_PART = _FIRST + _NEXT
_NAME = re.compile(f"{_PART}(?:/{_PART})?")
_LIKE_A_NUMBER = re.compile(r"(?:^|/)[+.-]?\.?\d")

#: Texts, comments and characters as wholes, so that brackets in them do not count; and brackets.
PIECES = re.compile(r'"(?:[^"\\]|\\[\s\S])*"?|;[^\n]*|\\[\s\S]|#\{|[(\[{]|[)\]}]')

#: The closing bracket of each opening bracket.
CLOSED_BY = {"(": ")", "[": "]", "{": "}", "#{": "}"}

#: Symbols that stand for a value.
CONSTANTS = {"nil": None, "true": True, "false": False}


def is_name(text: str) -> bool:
    """Whether *text* can be the name of a keyword, such as `:a` or `:a/b`.

    >>> [is_name(text) for text in ("id", "user/id", ">=", "a b", "", "a/b/c")]
    [True, True, True, False, False, False]
    """
    return _NAME.fullmatch(text) is not None


class Symbol(Frozen):
    """A symbol such as `int?`; not equal to any text or keyword.

    Raises `TypesigError` if EDN would read *name* as something else, or not at all.

    >>> Symbol("int?")
    Symbol('int?')
    """

    __slots__ = ("name",)
    __match_args__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        if name != "/" and (not is_name(name) or _LIKE_A_NUMBER.search(name) or name in CONSTANTS):
            raise TypesigError(
                f"{format_value(name)} is not a symbol: it would not be read back as one"
            )
        self._fill(name)
