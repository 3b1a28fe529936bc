"""The shorthand, `(query :string, limit :int = 10) -> [{id :int}]`: `parse` and `render`.

`shorthand.lark` is the grammar, and `parse_tables.json` is made of it.  `rules` reads texts by
the tables and makes types of what is read; `remedies` has the messages about mistakes.
`writer` writes the canonical text.
"""

from __future__ import annotations

import re
from functools import cache

from typesig.algebra.constructors import noted
from typesig.algebra.loss import Losses
from typesig.algebra.nodes import Noted, Type
from typesig.algebra.signature import Signature, mapped
from typesig.algebra.traversal import transform
from typesig.notations.texts.notation import Notation, text_parser


@cache
def _pieces() -> re.Pattern[str]:
    # An unclosed text or pattern matches too: looking for its end from each place would take long.
    return re.compile(r'"(?:[^"\\\n]|\\.)*"?|;[^\n]*|/(?:[^/\\\n]|\\.)+/?|[(\[{]|[)\]}]')


parse, parse_text = text_parser(
    "shorthand", "shorthand is text such as '(id :int) -> :bool'", _pieces
)


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


NOTATION = Notation(
    "shorthand",
    "(id :int) -> {name :string}",
    render,
    lambda source, _lossy: (parse(source), ()),
    expressible,
)

__all__ = ["NOTATION", "parse", "parse_text", "render"]
