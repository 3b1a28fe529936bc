"""The compact notation for prompts, `(query, limit int=10) -> [{id int}]`: `parse` and `render`.

`compact.lark` is the grammar, and `rules` makes types of it.  `reader` runs the parser; `writer`
writes what `expressing` leaves of a signature, and `remedies` has the messages about mistakes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.pattern_budget import bounded_patterns
from typesig.algebra.signature import Signature
from typesig.errors import TooDeep, TooLarge, TypesigError
from typesig.limits import MAX_DEPTH, MAX_TEXT
from typesig.notations.notation import Notation

# An unclosed text or pattern matches too: looking for its end from each place would take long.
_PIECES = re.compile(r'"(?:[^"\\\n]|\\.)*"?|;[^\n\r]*|/(?:[^/\\\n]|\\.)+/?|[(\[{]|[)\]}]')


def parse(source: Any) -> Signature:
    """Return the signature that *source* describes.

    Raises `SignatureSyntaxError` with the place and a remedy, `TooLarge` or `TooDeep`;
    `TypesigError` for anything but text.

    >>> str(parse("(query, limit int=10, order [asc desc]) -> [{id int}]"))
    '(query :string, limit :int = 10, order :enum["asc" "desc"]) -> [{id :int}]'
    """
    if not isinstance(source, str):
        message = "the compact notation is text such as '(id int) -> bool'"
        raise TypesigError(f"{message}, not {type(source).__name__}")
    return _parse_text(source)


@lru_cache(maxsize=1024)
def _parse_text(source: str) -> Signature:
    _check_limits(source)
    from typesig.notations.compact.reader import read

    with bounded_patterns():
        return read(source)


def _check_limits(source: str) -> None:
    """Raise if *source* is too long or nested too deep for the parser."""
    if len(source) > MAX_TEXT:
        raise TooLarge(f"a signature may have {MAX_TEXT} characters, this one has {len(source)}")
    depth = 0
    for piece in _PIECES.finditer(source):
        if piece[0] in "([{":
            depth += 1
            # Parentheses around a type do not deepen the type, so the text may nest deeper.
            if depth > 2 * MAX_DEPTH:
                raise TooDeep(f"a type may nest {MAX_DEPTH} levels, this text has more brackets")
        elif piece[0] in ")]}":
            depth -= 1


def render(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return the text of *signature* and the losses; a lone result has an empty parameter list."""
    from typesig.notations.compact.expressing import expressed
    from typesig.notations.compact.writer import signature_text

    shown, losses = expressed(signature)
    return signature_text(shown), losses


def expressible(signature: Signature) -> Signature:
    """Return what reading *signature* back gives: without firewalled names and titles.

    A line break in the description of a field, a key pattern or the result becomes a blank.
    """
    from typesig.notations.compact.expressing import expressed

    return expressed(signature)[0]


def _parse(source: Any, lossy: bool) -> tuple[Signature, Losses]:
    return parse(source), ()


NOTATION = Notation("compact", "(id int) -> {name}", render, _parse, expressible)

__all__ = ["NOTATION", "expressible", "parse", "render"]
