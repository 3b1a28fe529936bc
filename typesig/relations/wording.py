"""Texts that constraints on texts may well hold of: lengths, patterns, formats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from typesig.algebra.values import Keyword
from typesig.limits import MAX_MADE
from typesig.relations.bounds import Limit, sizes
from typesig.relations.formatted import FORMATTED
from typesig.relations.patterns import texts

#: What a text is where nothing says what it should be.
WORDS = ("", "a", "Ada", "hello world", "x_1", "42", "é", "日本", "A-b", "true", "null", " ", "q.7")


def candidates(limits: list[Limit], kind: str, rng: Random) -> Iterator[str]:
    """Yield texts of *kind* that *limits* may well hold of."""
    low, high = sizes(limits)
    if low > MAX_MADE or (high is not None and low > high):
        return
    high = None if high is not None and high > MAX_MADE else high
    for text in _texts(limits, low, high, rng):
        fit = text if high is None else text[: max(high, 0)]
        yield from (Keyword(t.lstrip(":")) if kind == "keyword" else t for t in (text, fit))


def _texts(limits: list[Limit], low: int, high: int | None, rng: Random) -> Iterator[str]:
    formats = [c.argument.value for c, wanted in limits if wanted and c.name == "format"]
    patterns = [c.argument.value for c, wanted in limits if wanted and c.name == "pattern"]
    shaped = [
        FORMATTED[name].make(rng, size)
        for name in formats
        for size in (0, low, low + 1, high or 0, 0, 12, 20)
    ]
    yield from shaped
    for _ in range(3 if patterns else 0):
        made = [list(texts(pattern, rng, low)) for pattern in patterns]
        for found in made:
            yield from found
            # One end of a text of the format may be what the pattern asks for.
            for text, whole in product(found[:1], shaped[:3]):
                yield from (whole[:at] + text for at in range(min(len(whole), 12)))
                yield from (text + whole[-at:] for at in range(1, min(len(whole), 12)))
        if len(made) > 1:
            # Where neither is tied to the ends, one text can hold what both look for.
            yield "".join([rng.choice(found) for found in made if found])
    words = list(WORDS)
    rng.shuffle(words)
    for word in words:
        size = rng.randint(low, low + 4 if high is None else min(high, low + 4))
        yield word if len(word) >= low and not patterns else _lengthened(word, size, rng)
    for size in (low, low if high is None else high):
        yield "".join(rng.choices("abcdefghij", k=size))


def _lengthened(word: str, size: int, rng: Random) -> str:
    return (word + "".join(rng.choices("abcdefghij", k=size)))[:size]
