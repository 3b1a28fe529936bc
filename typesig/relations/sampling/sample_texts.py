"""Texts that are likely to meet constraints: lengths, patterns, formats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from typesig.limits import MAX_MADE
from typesig.relations.limits.bounds import Limit, TextLimits, text_limits
from typesig.relations.limits.format_texts import FORMAT_TEXTS
from typesig.relations.limits.work import Work
from typesig.relations.sampling.pattern_texts import texts_matching

#: Texts for a place that no constraint limits.
WORDS = ("", "a", "Ada", "hello world", "x_1", "42", "é", "日本", "A-b", "true", "null", " ", "q.7")


def texts_near(limits: list[Limit], rng: Random, work: Work) -> Iterator[str]:
    """Yield texts that are likely to meet *limits*; making them takes steps of *work*."""
    found = text_limits(limits)
    if found.low > MAX_MADE or (found.high is not None and found.low > found.high):
        return
    if found.high is not None and found.high > MAX_MADE:
        found = found._replace(high=None)
    for text in _texts(found, rng, work):
        work.take(len(text) // 8)
        yield text
        yield text if found.high is None else text[: max(found.high, 0)]


def _texts(limits: TextLimits, rng: Random, work: Work) -> Iterator[str]:
    low, high, patterns = limits.low, limits.high, limits.patterns
    shaped = [
        FORMAT_TEXTS[name].make(rng, size)
        for name in limits.formats
        for size in (0, low, low + 1, high or 0, 0, 12, 20)
    ]
    yield from shaped
    for _ in range(3 if patterns else 0):
        made = [list(texts_matching(pattern, rng, work, low)) for pattern in patterns]
        for found in made:
            yield from found
            # The start or the end of a formatted text may be replaced by a match of the pattern.
            for text, whole in product(found[:1], shaped[:3]):
                yield from (whole[:at] + text for at in range(min(len(whole), 12)))
                yield from (text + whole[-at:] for at in range(1, min(len(whole), 12)))
        if len(made) > 1:
            # Patterns without anchors may all match within one text.
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
