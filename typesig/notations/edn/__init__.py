"""EDN, the data format of Clojure, as text: `read` and `write`.  It knows no types.

The language is in `edn.lark`; `rules` says what each rule makes, `reader` runs the parser,
`writer` makes the canonical text, `remedies` says what to do about mistakes.

=================  ======================================================
EDN                Python
=================  ======================================================
`nil true false`   `None True False`
`"text"`, `\\a`     `str`
`:a`, `:a/b`       `Keyword`; `::a` is read as `:a`
`a`, `a/b`         `Symbol`
`1`, `1N`          `int`
`1.5`, `1.5M`      `float`, `Decimal`
`[1 2]`, `(1 2)`   `list`, `tuple`
`{:a 1}`           `dict`; its keys are none of the collections
`#{1 2}`           `frozenset`; its members are none of the collections
=================  ======================================================
"""

from __future__ import annotations

from typing import Any

from typesig.notations.edn.data import Symbol, is_name


def read(text: str) -> Any:
    """Return the one value that *text* writes; raise `SignatureSyntaxError` with the place."""
    raise NotImplementedError


def write(value: object) -> str:
    """Return *value* as EDN text; raise `TypesigError` where EDN has no form for it."""
    raise NotImplementedError


__all__ = ["Symbol", "is_name", "read", "write"]
