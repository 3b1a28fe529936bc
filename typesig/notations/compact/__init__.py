"""The compact notation for prompts, `(query, limit int=10) -> [{id int}]`: `parse` and `render`.

`compact.lark` is the grammar, and `parse_tables.json` is made of it.  `rules` reads texts by
the tables and makes types of what is read; `remedies` has the messages about mistakes.
`writer` writes what the notation can express of a signature.

>>> str(parse("(query, limit int=10, order [asc desc]) -> [{id int}]"))
'(query :string, limit :int = 10, order :enum["asc" "desc"]) -> [{id :int}]'
"""

from __future__ import annotations

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.notations.texts.notation import Notation, make_text_parser

#: The strings, comments, patterns and brackets of a text.
_PIECES = r'"(?:[^"\\\n]|\\.)*"?|;[^\n\r]*|/(?:[^/\\\n]|\\.)+/?|[(\[{]|[)\]}]'

parse, _ = make_text_parser(
    "compact",
    "the compact notation is text such as '(id int) -> bool'",
    _PIECES,
)


def render(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return the text of *signature* and the losses; a lone result has an empty parameter list."""
    from typesig.notations.compact.writer import expressed, write_signature

    shown, losses = expressed(signature)
    return write_signature(shown), losses


def make_expressible(signature: Signature) -> Signature:
    """Return *signature* as parsing its compact text restores it.

    A line break in the description of a field, a key pattern or the result becomes a blank.
    """
    from typesig.notations.compact.writer import expressed

    return expressed(signature)[0]


NOTATION = Notation(
    "compact",
    "(id int) -> {name}",
    render,
    lambda source, _lossy: (parse(source), ()),
    make_expressible,
)

__all__ = ["NOTATION", "make_expressible", "parse", "render"]
