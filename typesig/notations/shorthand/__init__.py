"""The shorthand, `(query :string, limit :int = 10) -> [{id :int}]`: `parse` and `render`.

`shorthand.lark` is the grammar, and `parse_tables.json` is made of it.  `rules` reads texts by
the tables and makes types of what is read; `remedies` has the messages about mistakes.
`writer` writes the canonical text.
"""

from __future__ import annotations

from typesig.algebra.constructors import make_noted
from typesig.algebra.loss import Losses
from typesig.algebra.nodes import Annotation, Type
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import transform
from typesig.notations.texts.notation import Notation, make_text_parser

#: The strings, comments, patterns and brackets of a text.
_PIECES = r'"(?:[^"\\\n]|\\.)*"?|;[^\n]*|/(?:[^/\\\n]|\\.)+/?|[(\[{]|[)\]}]'

parse, parse_text = make_text_parser(
    "shorthand",
    "shorthand is text such as '(id :int) -> :bool'",
    _PIECES,
)


def render(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return the canonical text of *signature*, or only of its result if *lone*, and the losses."""
    from typesig.notations.shorthand.writer import find_losses, write_result, write_signature

    text = write_result(signature) if lone else write_signature(signature)
    return text, find_losses(signature)


def make_expressible(signature: Signature) -> Signature:
    """Return *signature* without titles, as parsing its shorthand restores it."""
    return map_types(signature, lambda t: transform(t, _drop_titles))


def _drop_titles(t: Type) -> Type:
    """Remove the title from the type *t* if it is an annotation."""
    return make_noted(t.inner, t.text) if isinstance(t, Annotation) else t


NOTATION = Notation(
    "shorthand",
    "(id :int) -> {name :string}",
    render,
    lambda source, _lossy: (parse(source), ()),
    make_expressible,
)

__all__ = ["NOTATION", "parse", "parse_text", "render"]
