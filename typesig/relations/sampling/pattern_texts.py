"""Texts that match a pattern, made from the pattern itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import assert_never

from typesig import patterns
from typesig.errors import TypesigError
from typesig.limits import MAX_MADE
from typesig.relations.limits.work import Work

#: Characters that a text is made of where the pattern allows them.
_PLAIN = ((97, 122), (48, 57), (65, 90))


@lru_cache(maxsize=512)
def parse_pattern(pattern: str) -> patterns.Node | None:
    """Return *pattern* as a tree, or None if it cannot be parsed."""
    try:
        return patterns.parse_pattern(pattern)
    except TypesigError:
        return None


def get_min_length(pattern: str) -> int:
    """Return the fewest characters of a text that matches *pattern*.

    >>> min_length("^[a-z]{2,}-?$")
    2
    """
    node = parse_pattern(pattern)
    return 0 if node is None else patterns.widths(node)[0]


def iter_matching_texts(pattern: str, rng: Random, work: Work, low: int = 0) -> Iterator[str]:
    """Yield texts that are likely to match *pattern*, the longer ones about *low* long.

    Making them takes steps of *work*.

    >>> "abb" in texts_matching("^ab{2}$", Random(0), Work())
    True
    """
    node = parse_pattern(pattern)
    if node is None or patterns.widths(node)[0] > MAX_MADE:
        return
    for more in (0, 1, 3, max(low - patterns.widths(node)[0], 0), 8, low, 2 * low, 20):
        text = _TextMaker(rng, work, min(more, MAX_MADE)).make_text(node)
        # A pattern without anchors matches with other text around it.
        missing = min(max(low - len(text), rng.randint(1, 3)), MAX_MADE)
        fill = "".join(rng.choices("abcdefgh", k=missing))
        found = [text, text, text + fill, f"{fill} {text}", f"{text} {fill}"]
        rng.shuffle(found)
        yield from found


class _TextMaker:
    """Makes a text of a tree; a repetition comes up to *more* times more often than it must.

    #: left: how many parts are made before repetitions come no more often than they must
    """

    def __init__(self, rng: Random, work: Work, more: int) -> None:
        self.rng = rng
        self.work = work
        self.more = more
        self.left = MAX_MADE

    def make_text(self, node: patterns.Node) -> str:
        """Return a text of *node*; a text of each lookahead is inserted somewhere."""
        self.left -= 1
        self.work.take(self.left % 2)
        match node:
            case patterns.Chars(ranges):
                return _draw_char(ranges, self.rng)
            case patterns.Sequence(parts):
                return self._make_sequence(parts)
            case patterns.Choice(branches):
                return self.make_text(self.rng.choice(branches))
            case patterns.Repeat(part, low, high):
                most = low + self.more if high is None else min(high, low + self.more)
                count = self.rng.randint(low, most)
                return "".join(
                    [self.make_text(part) for at in range(count) if at < low or self.left > 0]
                )
            case patterns.Look() | patterns.Anchor():
                return ""
            case _:
                assert_never(node)

    def _make_sequence(self, parts: tuple[patterns.Node, ...]) -> str:
        pieces = [self.make_text(part) for part in parts]
        for part in parts:
            if isinstance(part, patterns.Look) and not part.negative:
                # The lookahead usually begins with `.*`, so its narrow part can stand anywhere.
                wanted = _TextMaker(self.rng, self.work, 0).make_text(_narrow(part.part))
                text = "".join(pieces)
                at = self.rng.randint(0, len(text))
                pieces = [text[:at], wanted, text[at:]]
        return "".join(pieces)


def _narrow(node: patterns.Node) -> patterns.Node:
    """Return *node* without the parts that may be empty."""
    if isinstance(node, patterns.Sequence):
        wide = [part for part in node.parts if patterns.widths(part)[0]]
        return patterns.Sequence(tuple(wide))
    return node if patterns.widths(node)[0] else patterns.EMPTY


def _draw_char(ranges: patterns.Charset, rng: Random) -> str:
    plain = [
        (max(low, first), min(high, last))
        for first, last in _PLAIN
        for low, high in ranges
        if low <= last and high >= first
    ]
    low, high = rng.choice(plain or ranges[:4] or ((63, 63),))
    return chr(rng.randint(low, min(high, low + 25)))
