"""Texts in which a pattern is found, made from the pattern itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import assert_never

from typesig.errors import TypesigError
from typesig.limits import MAX_MADE
from typesig.patterns import (
    EMPTY,
    Anchor,
    Chars,
    Charset,
    Choice,
    Look,
    Node,
    Repeat,
    Sequence,
    parse_pattern,
    widths,
)

#: Characters that a text is made of, where the pattern leaves the choice.
_PLAIN = ((97, 122), (48, 57), (65, 90))


@lru_cache(maxsize=512)
def tree(pattern: str) -> Node | None:
    """Return *pattern* as a tree, None where it is none that can be read."""
    try:
        return parse_pattern(pattern)
    except TypesigError:
        return None


def least(pattern: str) -> int:
    """Return the fewest characters of a text in which *pattern* is found.

    >>> least("^[a-z]{2,}-?$")
    2
    """
    node = tree(pattern)
    return 0 if node is None else widths(node)[0]


def texts(pattern: str, rng: Random, low: int = 0) -> Iterator[str]:
    """Yield texts that may well match *pattern*, the longer ones being about *low* long.

    >>> "abb" in texts("^ab{2}$", Random(0))
    True
    """
    node = tree(pattern)
    if node is None or widths(node)[0] > MAX_MADE:
        return
    for more in (0, 1, 3, max(low - widths(node)[0], 0), 8, low, 2 * low, 20):
        text = Maker(rng, min(more, MAX_MADE)).made(node)
        # Where the pattern is not tied to the ends, anything may stand around it.
        missing = min(max(low - len(text), rng.randint(1, 3)), MAX_MADE)
        fill = "".join(rng.choices("abcdefgh", k=missing))
        found = [text, text, text + fill, f"{fill} {text}", f"{text} {fill}"]
        rng.shuffle(found)
        yield from found


class Maker:
    """Makes one text of a tree; what is repeated comes up to *more* times more than it must."""

    def __init__(self, rng: Random, more: int) -> None:
        self.rng = rng
        self.more = more

    def made(self, node: Node) -> str:
        """Return a text of *node*; what it looks ahead for is put in somewhere."""
        match node:
            case Chars(ranges):
                return _char(ranges, self.rng)
            case Sequence(parts):
                return self._sequence(parts)
            case Choice(branches):
                return self.made(self.rng.choice(branches))
            case Repeat(part, low, high):
                most = low + self.more if high is None else min(high, low + self.more)
                return "".join([self.made(part) for _ in range(self.rng.randint(low, most))])
            case Look() | Anchor():
                return ""
            case _:
                assert_never(node)

    def _sequence(self, parts: tuple[Node, ...]) -> str:
        pieces = [self.made(part) for part in parts]
        for part in parts:
            if isinstance(part, Look) and not part.negative:
                # What is asked for anywhere ahead: its narrowest part is what counts.
                wanted = Maker(self.rng, 0).made(_narrow(part.part))
                text = "".join(pieces)
                at = self.rng.randint(0, len(text))
                pieces = [text[:at], wanted, text[at:]]
        return "".join(pieces)


def _narrow(node: Node) -> Node:
    """Return *node* without leading and trailing parts that may be empty."""
    if isinstance(node, Sequence):
        wide = [part for part in node.parts if widths(part)[0]]
        return Sequence(tuple(wide))
    return node if widths(node)[0] else EMPTY


def _char(ranges: Charset, rng: Random) -> str:
    plain = [
        (max(low, first), min(high, last))
        for first, last in _PLAIN
        for low, high in ranges
        if low <= last and high >= first
    ]
    low, high = rng.choice(plain or ranges[:4] or ((63, 63),))
    return chr(rng.randint(low, min(high, low + 25)))
