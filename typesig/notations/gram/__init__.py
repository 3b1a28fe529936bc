"""Gram, `(name: Text, age: Maybe Int) --> IO Text`, and its path form: `parse` and `render`.

To read: `gram.lark` is the grammar, and `parse_tables.json` is made of it; `rules` reads texts by
the tables and has the value of each rule, `remedies` the messages for mistakes.
To write: `signatures` widens a signature to what gram or its path form can express, with `widening`
for its types and `joining` for the nearest type of several; `writer` writes it.

>>> str(parse("(name: Text, age: Maybe Int) --> IO Text"))
'(name :string, age :int?) -> :string'
>>> str(parse('(name::String {default:"world"})==>(::String)'))
'(name :string = "world") -> :string'
"""

from __future__ import annotations

from functools import partial
from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.notations.texts.notation import Notation, make_text_parser

#: The strings and brackets of a text.
_PIECES = r'"(?:[^"\\\n]|\\.)*"?|[(\[{]|[)\]}]'

parse, _ = make_text_parser("gram", "gram is text such as '(id: Int) --> IO Bool'", _PIECES)


def render(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return *signature* as gram text, or only its result if *lone*, and the losses."""
    from typesig.notations.gram.signatures import widen_for_text
    from typesig.notations.gram.writer import write_result, write_signature

    widened, losses = widen_for_text(signature)
    return write_result(widened) if lone else write_signature(widened), losses


def render_path(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return *signature* in the path form, or only its last node if *lone*, and its losses."""
    from typesig.notations.gram.signatures import widen_for_path
    from typesig.notations.gram.writer import write_last_node, write_path

    widened, losses = widen_for_path(signature)
    return write_last_node(widened) if lone else write_path(widened), losses


def _make_expressible(is_path: bool, signature: Signature) -> Signature:
    """Return *signature* as parsing its gram text or path form restores it."""
    from typesig.notations.gram.signatures import widen_for_path, widen_for_text

    return (widen_for_path if is_path else widen_for_text)(signature)[0]


def _parse(source: Any, lossy: bool) -> tuple[Signature, Losses]:
    """Parse the gram text *source*; *lossy* has no effect, and there are no losses."""
    return parse(source), ()


NOTATION = Notation(
    "gram",
    "(name: Text, age: Maybe Int) --> IO Text",
    render,
    _parse,
    partial(_make_expressible, False),
)

#: The same language, written in its path form.
PATH_NOTATION = Notation(
    "gram_path",
    '(name::String {default:"world"})==>(::String)',
    render_path,
    _parse,
    partial(_make_expressible, True),
)

__all__ = ["NOTATION", "PATH_NOTATION", "parse", "render", "render_path"]
