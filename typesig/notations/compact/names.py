"""The words that stand for something of their own in the compact notation."""

from __future__ import annotations

from typesig.algebra.rows.names import is_plain
from typesig.algebra.rows.scalars import SCALARS

#: The names that a reference to a definition must quote.
RESERVED = frozenset({*SCALARS, "enum", "one", "not", "count"})

#: The words that an enum writes in quotes.
_QUOTED = frozenset({*SCALARS, "true", "false", "null"})


def is_bare(word: str) -> bool:
    """Tell whether an enum of several words can write *word* without quotes."""
    return is_plain(word) and word not in _QUOTED and not word[0].isupper()
