"""The limits of a text that is parsed, checked before anything recursive reads it."""

from __future__ import annotations

import re

from typesig.errors import TooDeep, TooLarge
from typesig.limits import MAX_DEPTH, MAX_TEXT


def check_text(source: str, pieces: re.Pattern[str]) -> None:
    """Raise `TooLarge` or `TooDeep` if *source* is too long or nested too deep for a parser.

    *pieces* finds brackets, and what may hold brackets that do not count, such as a quoted text.
    """
    if len(source) > MAX_TEXT:
        raise TooLarge(f"a signature may have {MAX_TEXT} characters, this one has {len(source)}")
    depth = 0
    for piece in pieces.finditer(source):
        if piece[0] in "([{":
            depth += 1
            # Parentheses around a type do not deepen the type, so the text may nest deeper.
            if depth > 2 * MAX_DEPTH:
                raise TooDeep(f"a type may nest {MAX_DEPTH} levels, this text has more brackets")
        elif piece[0] in ")]}":
            depth -= 1
