"""Texts in a grammar: any, of some lengths, of a pattern; and keys that are none of some names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from typesig import patterns
from typesig.algebra.rows.constraints import Constraint
from typesig.errors import Unsupported, format_value
from typesig.limits.engines import MAX_REPEATED
from typesig.providers.engines.grammar import shapes
from typesig.providers.engines.grammar.spellings import (
    GrammarSpelling,
    Quotes,
    Signs,
    intersect_ranges,
)
from typesig.providers.engines.word_exclusion import exclude_words

#: What a key without quotes is made of here.
_LETTERS: patterns.Charset = ((65, 90), (95, 95), (97, 122))


def complete_pattern(pattern: str) -> patterns.Node | None:
    """Extend *pattern* to match complete texts; return None for inner assertions.

    >>> complete_pattern("^a$")
    Chars(ranges=((97, 97),))
    """
    node = patterns.extend_pattern(patterns.parse_pattern(pattern))
    return node if _is_plain(node) else None


def _is_plain(node: patterns.Node) -> bool:
    """Whether *node* has no anchors, lookarounds or large repetitions."""
    match node:
        case patterns.Chars(ranges):
            return bool(ranges)
        case patterns.Sequence(parts) | patterns.Choice(parts):
            return all(map(_is_plain, parts))
        case patterns.Repeat(part, low, high):
            return max(low, high or 0) <= MAX_REPEATED and _is_plain(part)
        case _:
            return False


def is_covered(node: patterns.Node, ranges: patterns.Charset) -> bool:
    """Whether all characters in texts of the pattern *node* are in *ranges*.

    >>> is_covered(patterns.parse_pattern("[a-c]"), ((97, 122),))
    True
    """
    return all(
        intersect_ranges(part.ranges, ranges) == part.ranges
        for part in patterns.walk(node)
        if isinstance(part, patterns.Chars)
    )


class TextShape(NamedTuple):
    """The constraints on a text in a grammar: length limits or one pattern."""

    low: int = 0
    high: int | None = None
    node: patterns.Node | None = None


def read_text_shape(constraints: Iterable[Constraint]) -> TextShape:
    """Lengths or the supported pattern in *constraints*."""
    found = TextShape()
    for each in constraints:
        match each.name:
            case "at_least":
                found = found._replace(low=each.argument.value)
            case "at_most":
                found = found._replace(high=each.argument.value)
            case _:
                found = found._replace(node=complete_pattern(each.argument.value))
    return found


def make_text(signs: Signs, wanted: TextShape, sign: shapes.Part) -> shapes.Part:
    """Build the part for text of the shape *wanted*; *sign* matches any one character."""
    if wanted.node is None:
        return shapes.make_repeat(sign, wanted.low, wanted.high)
    part = signs.spell_node(wanted.node, sign)
    assert part is not None  # every character can be spelt between quotes
    return part


def exclude_names(names: Iterable[str]) -> TextShape | None:
    """Build the shape of texts other than *names*; return None if impossible."""
    pattern = exclude_words(names)
    return None if pattern is None else TextShape(node=complete_pattern(pattern))


def make_bare_key(names: Iterable[str]) -> shapes.Part | None:
    """Build the part for an unquoted key other than *names*; return None if impossible.

    >>> make_bare_key(["a" * 99]) is None
    True
    """
    wanted = exclude_names([*names, ""])
    part = (
        None if wanted is None or wanted.node is None else Signs(_LETTERS).spell_node(wanted.node)
    )
    return None if part is None else shapes.Terminal(part)


def make_quoted_text(quotes: Quotes, wanted: TextShape) -> shapes.Part:
    """Build the part for text of the shape *wanted* between *quotes* without escapes."""
    assert wanted.node is not None
    part = quotes.signs.spell_node(wanted.node)
    assert part is not None  # it has texts of letters
    return shapes.Terminal(shapes.make_sequence(quotes.mark, part, quotes.mark))


def make_key(spelling: GrammarSpelling, name: str) -> shapes.Part:
    """Return the key *name*; raise `Unsupported` if it has no spelling."""
    if spelling.bare and name.isidentifier():
        return shapes.Literal(name)
    return shapes.make_choice([make_constant_text(quotes, name) for quotes in spelling.quotes])


def make_constant_text(quotes: Quotes, text: str) -> shapes.Part:
    """Return *text* between quotes; raise `Unsupported` if it has no spelling."""
    if quotes.is_plain and quotes.mark in text:
        raise Unsupported(f"no text has {format_value(quotes.mark)}, which ends it")
    word = text if quotes.is_plain else quotes.signs.spell_text(text)
    return shapes.Literal(f"{quotes.mark}{word}{quotes.mark}")
