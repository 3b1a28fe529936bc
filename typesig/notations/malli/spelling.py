"""How names and texts are told apart: in Python data, and in what EDN text reads to.

In Python data a keyword is text with a leading colon, and a symbol is any other text; so a text
that itself begins with a colon has no form there.  EDN tells all of them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from typesig.algebra.rows.values import Keyword
from typesig.notations.edn import Symbol, is_name


class FormSpelling(NamedTuple):
    """The functions that distinguish keywords, symbols and texts in Malli data.

    #: word: returns the name of a keyword, or None for anything else
    #: symbol: returns the name of a symbol, or None for anything else
    #: keyword: returns the keyword of a name
    #: has_text: tells whether it has a form for a text
    #: has_keyword: tells whether it has a form for a keyword
    #: why: why it has no form for some texts or keywords
    """

    word: Callable[[object], str | None]
    symbol: Callable[[object], str | None]
    keyword: Callable[[str], Any]
    has_text: Callable[[str], bool]
    has_keyword: Callable[[str], bool]
    why: str


def get_text(form: object) -> str | None:
    """Return *form* if it is a text and not a keyword, else None."""
    return str.__str__(form) if isinstance(form, str) and not isinstance(form, Keyword) else None


def _read_python_word(form: object) -> str | None:
    """Return the name of *form*, a keyword in Python data such as `":int"`, or None."""
    if isinstance(form, Keyword):
        return str.__str__(form)
    if isinstance(form, str) and form.startswith(":"):
        # Clojure's "::" refers to the namespace of the file; data has none.
        return str.__str__(form)[1:].removeprefix(":")
    return None


def _read_python_symbol(form: object) -> str | None:
    """Return the name of *form*, a symbol or string in Python data, or None."""
    return form.name if isinstance(form, Symbol) else get_text(form)


def _read_edn_word(form: object) -> str | None:
    """Return the name of *form*, a keyword read from EDN text, or None."""
    return str.__str__(form) if isinstance(form, Keyword) else None


def _read_edn_symbol(form: object) -> str | None:
    """Return the name of *form*, a symbol read from EDN text, or None."""
    return form.name if isinstance(form, Symbol) else None


PYTHON = FormSpelling(
    word=_read_python_word,
    symbol=_read_python_symbol,
    keyword=":".__add__,
    has_text=lambda text: not text.startswith(":"),
    has_keyword=lambda name: True,
    why="text with a leading colon is a keyword in malli",
)

EDN = FormSpelling(
    word=_read_edn_word,
    symbol=_read_edn_symbol,
    keyword=lru_cache(maxsize=1024)(Keyword),
    has_text=lambda text: True,
    has_keyword=is_name,
    why="EDN has no keyword of such a name",
)
