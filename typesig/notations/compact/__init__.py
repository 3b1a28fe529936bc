"""The compact notation for prompts, `(query, limit int=10) -> [{id int}]`: `parse` and `render`.

`compact.lark` is the grammar, and `parse_tables.json` is made of it.  `rules` reads texts by
the tables and makes types of what is read; `remedies` has the messages about mistakes.
`writer` writes what `expressing` leaves of a signature.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.errors import TypesigError
from typesig.notations.texts.notation import Notation, check_text


@cache
def _pieces() -> re.Pattern[str]:
    # An unclosed text or pattern matches too: looking for its end from each place would take long.
    return re.compile(r'"(?:[^"\\\n]|\\.)*"?|;[^\n\r]*|/(?:[^/\\\n]|\\.)+/?|[(\[{]|[)\]}]')


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
    check_text(source, _pieces())
    from typesig.algebra.rows.pattern_budget import bounded_patterns
    from typesig.notations.compact.rules import read

    with bounded_patterns():
        return read(source)


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
