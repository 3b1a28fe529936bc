r"""EDN, the data format of Clojure, as text: `read` and `write`.  It knows no types.

`edn.lark` is the grammar, and `parse_tables.json` is made of it.  `reader` reads texts by the
tables, and has the messages for mistakes; `rules` has the value of each rule.  `writer` writes the
canonical text.

=================  ======================================================
EDN                Python
=================  ======================================================
`nil true false`   `None True False`
`"text"`, `\a`      `str`
`:a`, `:a/b`       `Keyword`; `::a` is read as `:a`
`a`, `a/b`         `Symbol`
`1`, `1N`          `int`
`1.5`, `1.5M`      `float`, `Decimal`
`[1 2]`, `(1 2)`   `list`, `tuple`
`{:a 1}`           `dict`; its keys are not collections
`#{1 2}`           `frozenset`; its members are not collections
=================  ======================================================
"""

from __future__ import annotations

import re
from typing import Any

from typesig.algebra.rows.frozen import Frozen
from typesig.errors import TooDeep, TooLarge, TypesigError, format_value
from typesig.limits import MAX_EDN_DEPTH, MAX_TEXT

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


def read(text: str) -> Any:
    r"""Return the Python value that the EDN text *text* represents.

    EDN without a value in Python is refused by name: ratios, `##NaN`, tags, and collections as
    keys of maps or members of sets.  Source: the EDN specification, and Clojure's reader where it
    accepts more: characters `\b` and `\f` in texts, letters of any script in names.
    Raises `SignatureSyntaxError` with line, column, caret and remedy, `TooLarge`, `TooDeep`.

    >>> read('[:map {:closed true} [:id int?] ["name" #_:string]] ; a comment')
    [Keyword('map'), {Keyword('closed'): True}, [Keyword('id'), Symbol('int?')], ['name']]
    """
    if not isinstance(text, str):
        raise TypesigError(f"EDN is read from text, not from {type(text).__name__}: decode it")
    _check_limits(text)
    from typesig.notations.edn import reader

    return reader.read(text)


def _check_limits(text: str) -> None:
    """Raise if the EDN text *text* is too long or nested too deep."""
    if len(text) > MAX_TEXT:
        raise TooLarge(f"an EDN text may have {MAX_TEXT} characters, this one has {len(text)}")
    depth = 0
    for piece in PIECES.finditer(text):
        if piece[0] in CLOSED_BY:
            depth += 1
            if depth > MAX_EDN_DEPTH:
                raise TooDeep(f"EDN may nest {MAX_EDN_DEPTH} levels, this text has more")
        elif piece[0] in (")", "]", "}"):
            depth -= 1


def write(value: object) -> str:
    """Return *value* as EDN text on one line, which `read` reads back to an equal value.

    A list is written as a vector, a tuple as a list; the members of a set are sorted by their text.
    Raises `Unsupported` with the place of a value that EDN has no form for, `TooLarge`, `TooDeep`.

    >>> from typesig.algebra import Keyword
    >>> write([Keyword("map"), {Keyword("min"): 1, Keyword("max"): 5}, ["name", None, 1.5]])
    '[:map {:min 1 :max 5} ["name" nil 1.5]]'
    """
    from typesig.notations.edn import writer

    return writer.write(value)


__all__ = ["Symbol", "is_name", "read", "write"]
