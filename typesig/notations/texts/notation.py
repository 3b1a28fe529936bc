"""The record of a notation: its name, an example, and the functions that write and read it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.errors import TooDeep, TooLarge, TypesigError
from typesig.limits import MAX_DEPTH, MAX_TEXT

NotationName: TypeAlias = Literal[
    "shorthand", "compact", "malli", "edn", "json_schema", "gram", "gram_path", "typescript",
    "python",
]  # fmt: skip

#: The text itself; JSON; or data if the text is JSON, else the text.
Given: TypeAlias = Literal["text", "json", "json or text"]


class Notation(NamedTuple):
    """A notation that signatures are written in and, in most cases, read from.

    The functions import their modules when they are called, so that a notation costs nothing until
    it is used.

    #: example: a signature or a type in the notation
    #: render: takes a signature, whether only its result type is to be written, and options by
    #:     name; returns what is written, and the losses
    #: parse: takes what is to be read, whether it may be widened, and options by name; returns the
    #:     signature, and the losses; None if the notation is only written
    #: expressible: takes a signature and the options of `render`; returns what the notation can
    #:     express of it, which is what reading back gives; None if the notation is only written
    #: given: what `parse` takes for an argument of the command line
    #: options, read_options: the names of the options of `render`, and of `parse`
    """

    name: NotationName
    example: Any
    render: Callable[..., tuple[Any, Losses]]
    parse: Callable[..., tuple[Signature, Losses]] | None = None
    expressible: Callable[..., Signature] | None = None
    options: frozenset[str] = frozenset()
    given: Given = "text"
    read_options: frozenset[str] = frozenset()


def make_text_parser(
    package: str, what: str, pieces: str
) -> tuple[Callable[[Any], Signature], Callable[[str], Signature]]:
    """Build the parsers of any source and of a text, for the notation of *package*.

    *what* says what its texts are; *pieces* is the pattern of `check_text`.  Both
    raise `SignatureSyntaxError` with the place and a remedy, `TooLarge` or `TooDeep`; the first
    raises `TypesigError` for anything but text.
    """

    @lru_cache(maxsize=1024)
    def parse_text(source: str) -> Signature:
        check_text(source, pieces)
        from importlib import import_module

        from typesig.algebra.rows.pattern_budget import limit_pattern_work

        with limit_pattern_work():
            found: Signature = import_module(f"typesig.notations.{package}.rules").read(source)
            return found

    def parse(source: Any) -> Signature:
        if not isinstance(source, str):
            raise TypesigError(f"{what}, not {type(source).__name__}")
        return parse_text(source)

    return parse, parse_text


def check_text(source: str, pieces: str) -> None:
    """Raise `TooLarge` or `TooDeep` if *source* is too long or nested too deep for a parser.

    The pattern *pieces* finds brackets, and what may hold brackets that do not count, such as a
    quoted text.  It finds an unclosed text too, since looking for its end from each place is slow.
    """
    if len(source) > MAX_TEXT:
        raise TooLarge(f"a signature may have {MAX_TEXT} characters, this one has {len(source)}")
    depth = 0
    for piece in re.finditer(pieces, source):
        if piece[0] in "([{":
            depth += 1
            # Parentheses around a type do not deepen the type, so the text may nest deeper.
            if depth > 2 * MAX_DEPTH:
                raise TooDeep(f"a type may nest {MAX_DEPTH} levels, this text has more brackets")
        elif piece[0] in ")]}":
            depth -= 1
