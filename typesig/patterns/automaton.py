"""The automaton of a regular expression: its places, and which may follow which.

A place is one mention of a set of characters.  A text is read along as many paths through the
places as there are ways to read it, and those are what a search that backtracks walks:
`backtracking` counts them.  What the automaton leaves out, such as anchors,
can only make paths fewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from typesig.limits import MAX_AUTOMATON_COPIES as MOST_COPIES
from typesig.limits import MAX_AUTOMATON_PLACES as MOST_PLACES
from typesig.limits import MAX_AUTOMATON_STEPS as MOST_STEPS
from typesig.patterns.charset import Charset
from typesig.patterns.nodes import (
    Anchor,
    Chars,
    Choice,
    Look,
    Node,
    Repeat,
    Sequence,
    nullable,
)

#: What may come next: places, and lists of places that are still being made.
Links = list["int | Links"]


class Unbounded(Exception):
    """Why an expression cannot be said to be searched in bounded time."""


class Automaton:
    """Places by number: their sets of characters, what follows each, and how it repeats.

    #: counts: the least and the most times that a place repeats by itself, outside of any loop
    #: behind: what is looked at behind, which no path goes through
    #: first: the places that a text may begin with
    """

    __slots__ = ("_links", "_steps", "behind", "counts", "first", "follow", "masks", "sets")

    def __init__(self, node: Node) -> None:
        self.sets: list[Charset] = []
        self.counts: list[tuple[int, int]] = []
        self.behind: list[Node] = []
        self._links: list[Links] = []
        self._steps = 0
        self.first = self._flat(self._add(node, [], looped=False))
        flat: dict[int, tuple[int, ...]] = {}
        for links in self._links:
            if id(links) not in flat:
                flat[id(links)] = self._flat(links)
        self.follow = [flat[id(links)] for links in self._links]
        if sum(map(len, self.follow)) > MOST_STEPS:
            raise Unbounded("is too large")
        self.masks = _masks(self.sets)

    def tries(self) -> int:
        """Return how many places are tried at most for one character on one path."""
        # A set is looked up in a table, but for ranges beyond it, which are tried in turn.
        costs = [1 + sum(1 for _, high in ranges if high > 0xFFFF) // 12 for ranges in self.sets]
        each = {links: sum(costs[to] for to in links) for links in {*self.follow, self.first}}
        return max(each.values()) + 1

    def _place(self, ranges: Charset, links: Links, low: int = 1, high: int = 1) -> int:
        if len(self.sets) >= MOST_PLACES:
            raise Unbounded("is too large")
        self.sets.append(ranges)
        self.counts.append((low, high))
        self._links.append(links)
        return len(self.sets) - 1

    def _add(self, node: Node, after: Links, looped: bool) -> Links:
        """Add the places of *node*, which *after* follows, and return those it may begin with."""
        match node:
            case Chars(ranges):
                return [self._place(ranges, after)]
            case Sequence(parts):
                for part in reversed(parts):
                    after = self._add(part, after, looped)
                return after
            case Choice(branches):
                return [link for branch in branches for link in self._add(branch, after, looped)]
            case Repeat(part, low, high):
                return self._repeat(part, low, high, after, looped)
            case Look(part, behind):
                if behind:
                    self.behind.append(part)
                    return [after]
                # What is looked at ahead is read, and nothing follows it.
                return [*self._add(part, [], looped), after]
            case Anchor():
                return [after]
            case _:
                assert_never(node)

    def _repeat(self, part: Node, low: int, high: int | None, after: Links, looped: bool) -> Links:
        if nullable(part):
            raise Unbounded("repeats what can be empty")
        if high is not None:
            if isinstance(part, Chars) and not looped:
                place = self._place(part.ranges, after, low, high)
                return [place, after] if low == 0 else [place]
            if high <= MOST_COPIES or low == high <= MOST_COPIES * 4:
                onward = after
                for copy in range(high, 0, -1):
                    links = self._add(part, onward, looped)
                    # After enough of them the next may be left out, and all others with it.
                    onward = [*links, after] if copy > low else links
                return onward
        # Any number of times: more paths than there are, never fewer.
        again: Links = []
        entries = self._add(part, again, looped=True)
        again += [*entries, after]
        return [*entries, after] if low == 0 else entries

    def _flat(self, links: Links) -> tuple[int, ...]:
        out: list[int] = []
        stack: list[Iterator[int | Links]] = [iter(links)]
        while stack:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise Unbounded("is too large")
            link = next(stack[-1], None)
            if link is None:
                stack.pop()
            elif isinstance(link, int):
                out.append(link)
            else:
                stack.append(iter(link))
        return tuple(out)


def _masks(sets: list[Charset]) -> list[int]:
    """Return for each set a number, whose bits are shared by those that share characters."""
    distinct = set(sets)
    starts: dict[int, int] = {}
    for number, ranges in enumerate(distinct):
        for low, high in ranges:
            starts[low] = starts.get(low, 0) ^ 1 << number
            starts[high + 1] = starts.get(high + 1, 0) ^ 1 << number
    held, kinds = 0, set[int]()
    for start in sorted(starts):
        held ^= starts[start]
        kinds.add(held)
    if len(kinds) * len(distinct) > MOST_STEPS:
        raise Unbounded("is too large")
    masks = dict.fromkeys(distinct, 0)
    for bit, kind in enumerate(kinds):
        for number, ranges in enumerate(distinct):
            if kind >> number & 1:
                masks[ranges] |= 1 << bit
    return [masks[ranges] for ranges in sets]


def components(follow: list[tuple[int, ...]]) -> list[list[int]]:
    """Return the strongly connected parts of a graph, those that are reached first in the end."""
    index = [-1] * len(follow)
    low = [0] * len(follow)
    out: list[list[int]] = []
    path: list[int] = []
    open_ = [False] * len(follow)
    count = 0
    for root in range(len(follow)):
        work = [(root, iter(follow[root]))] if index[root] < 0 else []
        while work:
            at, rest = work[-1]
            if index[at] < 0:
                index[at] = low[at] = count
                count += 1
                path.append(at)
                open_[at] = True
            for to in rest:
                if index[to] < 0:
                    work.append((to, iter(follow[to])))
                    break
                if open_[to]:
                    low[at] = min(low[at], low[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    cut = path.index(at)
                    out.append(path[cut:])
                    del path[cut:]
                    for each in out[-1]:
                        open_[each] = False
    return out
