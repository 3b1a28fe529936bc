"""The shorthand, `(query :string, limit :int = 10) -> [{id :int}]`: `parse` and `render`.

`shorthand.lark` is the grammar, and `parse_tables.json` is made of it.  `rules` reads texts by
the tables and makes types of what is read; `remedies` has the messages about mistakes.
`writer` writes the canonical text.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from typesig.algebra.constructors import noted
from typesig.algebra.loss import Losses
from typesig.algebra.nodes import Noted, Type
from typesig.algebra.signature import Signature, mapped
from typesig.algebra.traversal import transform
from typesig.errors import TypesigError
from typesig.notations.texts.notation import Notation, check_text


@cache
def _pieces() -> re.Pattern[str]:
    # An unclosed text or pattern matches too: looking for its end from each place would take long.
    return re.compile(r'"(?:[^"\\\n]|\\.)*"?|;[^\n]*|/(?:[^/\\\n]|\\.)+/?|[(\[{]|[)\]}]')


def parse(source: Any) -> Signature:
    """Return the signature that *source* describes.

    Raises `SignatureSyntaxError` with the place and a remedy, `TooLarge` or `TooDeep`;
    `TypesigError` for anything but text.
    """
    if not isinstance(source, str):
        raise TypesigError(
            f"shorthand is text such as '(id :int) -> :bool', not {type(source).__name__}"
        )
    return parse_text(source)


@lru_cache(maxsize=1024)
def parse_text(source: str) -> Signature:
    """Return the signature that the text *source* describes; see `parse`."""
    check_text(source, _pieces())
    from typesig.algebra.rows.pattern_budget import bounded_patterns
    from typesig.notations.shorthand.rules import read

    with bounded_patterns():
        return read(source)


def render(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return the canonical text of *signature*, or only of its result if *lone*, and the losses."""
    from typesig.notations.shorthand.writer import lone_text, losses_of, signature_text

    text = lone_text(signature) if lone else signature_text(signature)
    return text, losses_of(signature)


def expressible(signature: Signature) -> Signature:
    """Return *signature* without titles, as reading it back gives it."""
    return mapped(signature, lambda t: transform(t, _untitled))


def _untitled(t: Type) -> Type:
    return noted(t.inner, t.text) if isinstance(t, Noted) else t


def _parse(source: Any, lossy: bool) -> tuple[Signature, Losses]:
    return parse(source), ()


NOTATION = Notation("shorthand", "(id :int) -> {name :string}", render, _parse, expressible)

__all__ = ["NOTATION", "parse", "parse_text", "render"]
