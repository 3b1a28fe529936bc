"""Which parts of an old contract became which of a new one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")


def sole_pairs(
    key: Callable[[T], Hashable], gone: Iterable[T], come: Iterable[T]
) -> list[tuple[T, T]]:
    """Return which of *gone* became which of *come*: those with a *key* that no other one has.

    What has None for a key is in no pair.

    >>> sole_pairs(len, ["a", "bc", "de"], ["x", "yz"])
    [('a', 'x')]
    """
    olds, news = _by(key, gone), _by(key, come)
    return [
        (parts[0], news[each][0])
        for each, parts in olds.items()
        if each is not None and len(parts) == 1 and len(news.get(each, ())) == 1
    ]


def _by(key: Callable[[T], Hashable], parts: Iterable[T]) -> dict[Hashable, list[T]]:
    out: dict[Hashable, list[T]] = {}
    for part in parts:
        out.setdefault(key(part), []).append(part)
    return out
