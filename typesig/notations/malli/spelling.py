"""How names and texts are told apart: in Python data, and in what EDN text reads to.

In Python data a keyword is text with a leading colon, and a symbol is any other text; so a text
that itself begins with a colon has no form there.  EDN tells all of them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from typesig.algebra.values import Const, Keyword
from typesig.notations.edn import Symbol, is_name


class Spelling(NamedTuple):
    """How names and texts are told apart in the data of a form.

    #: name: what the notation is called
    #: word: the name of a keyword, None for what is none
    #: symbol: the name of a symbol, None for what is none
    #: keyword: the keyword of a name
    #: says: whether it has a form for a text or a keyword
    """

    name: str
    word: Callable[[object], str | None]
    symbol: Callable[[object], str | None]
    keyword: Callable[[str], Any]
    says: Callable[[Const], bool]


def text_of(form: object) -> str | None:
    """Return the text that *form* is, None for what is none; a keyword is none."""
    return str.__str__(form) if isinstance(form, str) and not isinstance(form, Keyword) else None


def _python_word(form: object) -> str | None:
    if isinstance(form, Keyword):
        return str.__str__(form)
    if isinstance(form, str) and form.startswith(":"):
        # In Clojure "::" stands for the name space of the file, which data has not.
        return str.__str__(form)[1:].removeprefix(":")
    return None


def _python_symbol(form: object) -> str | None:
    return form.name if isinstance(form, Symbol) else text_of(form)


def _python_says(value: Const) -> bool:
    return value.kind != "string" or not value.value.startswith(":")


def _edn_word(form: object) -> str | None:
    return str.__str__(form) if isinstance(form, Keyword) else None


def _edn_symbol(form: object) -> str | None:
    return form.name if isinstance(form, Symbol) else None


def _edn_says(value: Const) -> bool:
    return value.kind != "keyword" or is_name(value.value)


PYTHON = Spelling("malli", _python_word, _python_symbol, ":".__add__, _python_says)
EDN = Spelling("edn", _edn_word, _edn_symbol, lru_cache(maxsize=1024)(Keyword), _edn_says)
