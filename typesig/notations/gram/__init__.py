"""Gram, `(name: Text, age: Maybe Int) --> IO Text`, and its path form: `parse` and `render`.

The language is in `gram.lark`; `rules` says what each rule makes, `reader` runs the parser, `image`
widens what gram cannot say, `joining` finds the nearest type of several, `writer` writes what is
left, `remedies` says what to do about mistakes.  Source: seed 002.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.errors import TooDeep, TooLarge, TypesigError
from typesig.limits import MAX_DEPTH, MAX_TEXT
from typesig.notations.notation import Notation

# What is not closed is taken to its end: to look for its end again and again would take long.
_PIECES = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[(\[{]|[)\]}]')


def parse(source: Any) -> Signature:
    """Return the signature that *source* writes, in either form; a type alone has no parameters.

    Raises `SignatureSyntaxError` with the place, a code and a remedy, `TooLarge`, `TooDeep`.

    >>> str(parse("(name: Text, age: Maybe Int) --> IO Text"))
    '(name :string, age :int?) -> :string'
    >>> str(parse('(name::String {default:"world"})==>(::String)'))
    '(name :string = "world") -> :string'
    """
    if not isinstance(source, str):
        message = "gram is text such as '(id: Int) --> IO Bool'"
        raise TypesigError(f"{message}, not {type(source).__name__}")
    return _parsed(source)


@lru_cache(maxsize=1024)
def _parsed(source: str) -> Signature:
    _bounded(source)
    from typesig.notations.gram.reader import read

    return read(source)


def _bounded(source: str) -> None:
    """Raise for a *source* beyond the limits, before anything recursive sees it."""
    if len(source) > MAX_TEXT:
        raise TooLarge(f"a signature may have {MAX_TEXT} characters, this one has {len(source)}")
    depth = 0
    for piece in _PIECES.finditer(source):
        if piece[0] in "([{":
            depth += 1
            # Parentheses around a type add none to its depth, so the text may nest deeper.
            if depth > 2 * MAX_DEPTH:
                raise TooDeep(f"a type may nest {MAX_DEPTH} levels, this text has more brackets")
        elif piece[0] in ")]}":
            depth -= 1


def render(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return the text of *signature*, its result alone where *lone*, and its losses."""
    from typesig.notations.gram.rewriting import text_expressible
    from typesig.notations.gram.writer import lone_text, signature_text

    made, losses = text_expressible(signature)
    return lone_text(made) if lone else signature_text(made), losses


def render_path(signature: Signature, lone: bool = False) -> tuple[str, Losses]:
    """Return *signature* in the path form, its last node alone where *lone*, and its losses."""
    from typesig.notations.gram.rewriting import path_expressible
    from typesig.notations.gram.writer import lone_node_text, path_text

    made, losses = path_expressible(signature)
    return lone_node_text(made) if lone else path_text(made), losses


def expressible(signature: Signature) -> Signature:
    """Return what reading *signature* back from gram gives."""
    from typesig.notations.gram.rewriting import text_expressible

    return text_expressible(signature)[0]


def expressible_in_path(signature: Signature) -> Signature:
    """Return what reading *signature* back from the path form gives."""
    from typesig.notations.gram.rewriting import path_expressible

    return path_expressible(signature)[0]


def _parse(source: Any, lossy: bool) -> tuple[Signature, Losses]:
    return parse(source), ()


NOTATION = Notation("gram", "(name: Text, age: Maybe Int) --> IO Text", render, _parse, expressible)

#: The same language, written in its path form.
PATH_NOTATION = Notation(
    "gram_path",
    '(name::String {default:"world"})==>(::String)',
    render_path,
    _parse,
    expressible_in_path,
)

__all__ = ["NOTATION", "PATH_NOTATION", "parse", "render", "render_path"]
