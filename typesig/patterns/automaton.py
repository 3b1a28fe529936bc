"""The position automaton of a regular expression, also called Glushkov's automaton.

A position is one mention of a set of characters in the expression.  A text can be read along as
many paths through the positions as there are ways to read it, and a search that backtracks walks
all of them: `backtracking` counts them.  The automaton ignores anchors and lookbehinds, which can
only make paths fewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from typesig.limits import MAX_AUTOMATON_COPIES, MAX_AUTOMATON_PLACES, MAX_AUTOMATON_STEPS
from typesig.patterns import nodes
from typesig.patterns.charset import Charset

#: The positions that may come next; nested lists stand for positions that are added later.
Links = list["int | Links"]


class UnboundedPattern(Exception):
    """The error for a pattern that cannot be searched in bounded time."""


class Automaton:
    """Glushkov automaton of a regular expression, with numbered positions.

    #: sets: the characters of each position
    #: follow: the positions that may follow each position
    #: first: the positions that a match may begin with
    #: counts: the least and the most times that a position repeats by itself, outside of any loop
    #: masks: a bit set for each position; two overlap if the positions have characters in common
    #: edges: how many transitions were followed to make it
    #: lookbehinds: the parts of lookbehinds, which no path goes through
    """

    __slots__ = ("_links", "counts", "edges", "first", "follow", "lookbehinds", "masks", "sets")

    def __init__(self, node: nodes.Node) -> None:
        self.sets: list[Charset] = []
        self.counts: list[tuple[int, int]] = []
        self.lookbehinds: list[nodes.Node] = []
        self._links: list[Links] = []
        self.edges = 0
        self.first = self._flatten(self._add(node, [], looped=False))
        flat: dict[int, tuple[int, ...]] = {}
        for links in self._links:
            if id(links) not in flat:
                flat[id(links)] = self._flatten(links)
        self.follow = [flat[id(links)] for links in self._links]
        if sum(map(len, self.follow)) > MAX_AUTOMATON_STEPS:
            raise UnboundedPattern("is too large")
        self.masks = _build_overlap_masks(self.sets)

    def max_tries(self) -> int:
        """Return the most positions that are tried for one character on one path."""
        # `re` looks a character up in a table, and tries ranges beyond U+FFFF one after the other.
        costs = [1 + sum(1 for _, high in ranges if high > 0xFFFF) // 12 for ranges in self.sets]
        each = {links: sum(costs[to] for to in links) for links in {*self.follow, self.first}}
        return max(each.values()) + 1

    def _add_position(self, ranges: Charset, links: Links, low: int = 1, high: int = 1) -> int:
        """Add a position for characters *ranges* before *links*; return its number."""
        if len(self.sets) >= MAX_AUTOMATON_PLACES:
            raise UnboundedPattern("is too large")
        self.sets.append(ranges)
        self.counts.append((low, high))
        self._links.append(links)
        return len(self.sets) - 1

    def _add(self, node: nodes.Node, after: Links, looped: bool) -> Links:
        """Add the positions of *node* before *after*; return its entry positions."""
        match node:
            case nodes.Chars(ranges):
                return [self._add_position(ranges, after)]
            case nodes.Sequence(parts):
                for part in reversed(parts):
                    after = self._add(part, after, looped)
                return after
            case nodes.Choice(branches):
                return [link for branch in branches for link in self._add(branch, after, looped)]
            case nodes.Repeat(part, low, high):
                return self._add_repeat(part, low, high, after, looped)
            case nodes.Look(part, behind):
                if behind:
                    self.lookbehinds.append(part)
                    return [after]
                # A lookahead reads its part, after which the path ends.
                return [*self._add(part, [], looped), after]
            case nodes.Anchor():
                return [after]
            case _:
                assert_never(node)

    def _add_repeat(
        self, part: nodes.Node, low: int, high: int | None, after: Links, looped: bool
    ) -> Links:
        """Add *part* repeated *low* to *high* times before *after*; return its entries."""
        if nodes.is_nullable(part):
            raise UnboundedPattern("repeats what can be empty")
        if high is not None:
            if isinstance(part, nodes.Chars) and not looped:
                position = self._add_position(part.ranges, after, low, high)
                return [position, after] if low == 0 else [position]
            if high <= MAX_AUTOMATON_COPIES or low == high <= MAX_AUTOMATON_COPIES * 4:
                onward = after
                for copy in range(high, 0, -1):
                    links = self._add(part, onward, looped)
                    # A copy beyond the least count may be left out, with all copies after it.
                    onward = [*links, after] if copy > low else links
                return onward
        # Repeated without limit, which gives more paths than there are, never fewer.
        again: Links = []
        entries = self._add(part, again, looped=True)
        again += [*entries, after]
        return [*entries, after] if low == 0 else entries

    def _flatten(self, links: Links) -> tuple[int, ...]:
        """Flatten the nested list *links* to position numbers, in order."""
        out: list[int] = []
        stack: list[Iterator[int | Links]] = [iter(links)]
        while stack:
            self.edges += 1
            if self.edges > MAX_AUTOMATON_STEPS:
                raise UnboundedPattern("is too large")
            link = next(stack[-1], None)
            if link is None:
                stack.pop()
            elif isinstance(link, int):
                out.append(link)
            else:
                stack.append(iter(link))
        return tuple(out)


def _build_overlap_masks(sets: list[Charset]) -> list[int]:
    """Return a bit set for each of *sets*; two overlap if the sets have characters in common."""
    distinct = set(sets)
    changes: dict[int, int] = {}
    for number, ranges in enumerate(distinct):
        for low, high in ranges:
            changes[low] = changes.get(low, 0) ^ 1 << number
            changes[high + 1] = changes.get(high + 1, 0) ^ 1 << number
    # Each bit stands for the characters that are in the same sets.
    members, combinations = 0, set[int]()
    for start in sorted(changes):
        members ^= changes[start]
        combinations.add(members)
    if len(combinations) * len(distinct) > MAX_AUTOMATON_STEPS:
        raise UnboundedPattern("is too large")
    masks = dict.fromkeys(distinct, 0)
    for bit, combination in enumerate(combinations):
        for number, ranges in enumerate(distinct):
            if combination >> number & 1:
                masks[ranges] |= 1 << bit
    return [masks[ranges] for ranges in sets]
