r"""How long a text may be so that `re`, which backtracks, searches it in bounded time.

The search walks every path along which the text can be read.  Its time is at most the number of
paths that are open at once, times the length of the text.

- If the next character always decides the path, there is one path.
- If repetitions overlap one after the other, as in `\d+\d+`, there is one path for each position
  in the text: the time is a polynomial in the length, so a limit of the length bounds it.
- If repetitions overlap within each other, as in `(a+)+`, each character doubles the paths: such
  a pattern is refused.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

from typesig.graphs import strongly_connected
from typesig.limits import LEAST_SEARCHED, MAX_AUTOMATON_STEPS, MAX_POWER, MAX_SEARCHED, MAX_STEPS
from typesig.patterns.automaton import Automaton, Unbounded
from typesig.patterns.nodes import Anchor, Chars, Choice, Look, Node, Repeat, Sequence, widths

#: A number that depends on the text's length n: the factors of 1, n, n² and so on.
Polynomial = tuple[int, ...]

#: For each position of a component, positions that may follow it.
Follow = dict[int, tuple[int, ...]]


class Searchable(NamedTuple):
    """How long a text may be for a pattern to be searched in it, and the steps of the proof."""

    length: int
    steps: int


def searchable(node: Node) -> Searchable:
    """Return the length of the longest text that is searched for *node* in `MAX_STEPS` steps.

    The steps that the proof took come with it.  Raises `Unbounded` if no length bounds the time.
    """
    automaton = Automaton(node)
    max_read = _max_read(node)
    anchored = is_anchored_at_start(node)
    counter = _PathCounter(automaton, max_read)
    open_paths = counter.open_paths(anchored)
    tries = automaton.max_tries() + sum(map(_lookbehind_steps, automaton.lookbehinds))

    def steps(length: int) -> int:
        paths = 0
        for power, factor in enumerate(open_paths):
            paths += factor * int(length**power)
        read = length if max_read is None or not anchored else min(length, max_read)
        return paths * tries * (read + 1)

    low, high = -1, MAX_SEARCHED + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if steps(middle) <= MAX_STEPS else (low, middle)
    return Searchable(low, automaton.edges + counter.work)


def _max_read(node: Node) -> int | None:
    """Return the most characters that one path through *node* reads, or None for no limit.

    The characters that a lookahead reads count too.
    """
    match node:
        case Choice(parts):
            each = [_max_read(part) for part in parts]
            return None if None in each else max(filter(None, each), default=0)
        case Sequence(parts):
            each = [_max_read(part) for part in parts]
            return None if None in each else sum(filter(None, each))
        case Repeat(part, _, high):
            once = _max_read(part)
            return None if high is None or once is None else once * high
        case Look(part, behind):
            return 0 if behind else _max_read(part)
        case Chars() | Anchor():
            return widths(node)[1]
        case _:
            assert_never(node)


def _lookbehind_steps(node: Node) -> int:
    """Return the most steps that a lookbehind with the part *node* takes."""
    automaton = Automaton(node)
    least, most = widths(node)
    if most is None or least != most or automaton.lookbehinds:
        raise Unbounded("looks behind for texts of several lengths")
    max_read = _max_read(node)
    open_paths = _PathCounter(automaton, max_read).open_paths(anchored=True)
    if max_read is None or len(open_paths) > 1:
        raise Unbounded("looks ahead from where it looks behind")
    return sum(open_paths) * automaton.max_tries() * (max_read + 1)


def is_anchored_at_start(node: Node) -> bool:
    """Tell whether *node* can match only at the start of a text."""
    match node:
        case Anchor(kind):
            return kind == "^"
        case Choice(branches):
            return all(map(is_anchored_at_start, branches))
        case Repeat(part, low):
            return low > 0 and is_anchored_at_start(part)
        case Look(part, behind, negative):
            return not behind and not negative and is_anchored_at_start(part)
        case Sequence(parts):
            for part in parts:
                if is_anchored_at_start(part):
                    return True
                if widths(part)[1] != 0:
                    return False
            return False
        case Chars():
            return False
        case _:
            assert_never(node)


def _is_anchored_at_end(node: Node) -> bool:
    return isinstance(node, Sequence) and len(node.parts) > 0 and node.parts[-1] == Anchor("$")


def max_text_length(node: Node) -> int | None:
    """Return the length of the longest text that *node* can be found in, or None for no limit.

    A limit follows from both anchors, as in `^[a-z]{1,63}$`, or from `^(?=.{1,63}$)`.
    """
    match node:
        case Choice(branches):
            each = [max_text_length(branch) for branch in branches]
            return None if None in each else max(filter(None, each), default=0)
        case Sequence(parts) if is_anchored_at_start(node):
            found = [widths(node)[1]] if _is_anchored_at_end(node) else []
            for part in parts:
                if widths(part)[1] != 0:
                    found.append(max_text_length(part))
                    break
                if isinstance(part, Look) and not part.behind and not part.negative:
                    ended = _is_anchored_at_end(part.part)
                    found.append(widths(part.part)[1] if ended else None)
            return min([most for most in found if most is not None], default=None)
        case Sequence() | Repeat() | Chars() | Look() | Anchor():
            return None
        case _:
            assert_never(node)


class _PathCounter:
    """Counts the paths through an automaton that a text can keep open at once.

    #: component_of: the number of the strongly connected component that a position is in
    #: paths_from: the paths that stay open after one that has reached a position
    #: max_read: the most characters that a path reads, or None for no limit
    """

    __slots__ = (
        "component_of", "counts", "first", "follow", "known", "masks", "max_read", "paths_from",
        "work",
    )  # fmt: skip

    def __init__(self, automaton: Automaton, max_read: int | None) -> None:
        # The last position stands for a search that has not begun to match: a match may begin at
        # any character.
        idle = len(automaton.sets)
        any_mask = 0
        for mask in automaton.masks:
            any_mask |= mask
        self.first = automaton.first
        self.follow = [*automaton.follow, (idle, *automaton.first)]
        self.masks = [*automaton.masks, any_mask]
        self.counts = [*automaton.counts, (1, 1)]
        self.max_read = max_read
        self.work = 0
        self.component_of = [0] * len(self.follow)
        self.paths_from: list[Polynomial] = [(1,)] * len(self.follow)
        self.known: dict[tuple[int, ...], Polynomial] = {}
        components = strongly_connected(self.follow)
        for number, component in enumerate(components):
            for position in component:
                self.component_of[position] = number
        for component in components:
            paths = self.paths_through(component)
            for position in component:
                self.paths_from[position] = paths

    def open_paths(self, anchored: bool) -> Polynomial:
        """Return the most open paths of a search; if *anchored*, a match begins at one place."""
        return self.paths_into(self.first) if anchored else self.paths_from[-1]

    def paths_into(self, positions: tuple[int, ...]) -> Polynomial:
        """Return the most paths that stay open after one that goes on to any of *positions*."""
        known = self.known.get(positions)
        if known is None:
            known = (1,)
            for group in self.overlapping(positions):
                total: Polynomial = (0,)
                for position in group:
                    total = _add(total, self.paths_from[position])
                known = _maximum(known, total)
            self.known[positions] = known
        return known

    def overlapping(self, positions: tuple[int, ...]) -> list[list[int]]:
        """Return the groups of *positions* that one character can lead to."""
        seen = shared = 0
        for position in positions:
            shared |= seen & self.masks[position]
            seen |= self.masks[position]
        groups = [[position] for position in positions]
        while shared:
            bit = shared & -shared
            shared ^= bit
            groups.append([position for position in positions if self.masks[position] & bit])
        self.spend(len(groups) + len(positions))
        return groups

    def spend(self, work: int) -> None:
        """Raise `Unbounded` if the counting itself takes too long."""
        self.work += work
        if self.work > MAX_AUTOMATON_STEPS:
            raise Unbounded("is too large")

    def paths_through(self, component: list[int]) -> Polynomial:
        """Return the most paths that stay open after one that enters a component."""
        if len(component) == 1 and component[0] not in self.follow[component[0]]:
            return self.paths_through_position(component[0])
        inside, outside = self.split_follow(component)
        # Whether the next character decides the path within the component.
        decided = all(len(g) == 1 for to in set(inside.values()) for g in self.overlapping(to))
        if not decided:
            self.refuse_exponential(inside)
        ahead: Polynomial = (1,)
        for positions in set(outside.values()):
            ahead = _maximum(ahead, self.paths_into(positions))
        if not any(outside.values()):
            return (1 if decided else len(component),)
        if decided and not any(self.overlap(inside[at], outside[at]) for at in component):
            return ahead
        if decided:
            return _add((1,), self.multiplied(ahead, self.max_departures(inside, outside)))
        # There may be a path at each position of the component.  If no character both stays within
        # it and leaves it, all of them leave at one character; else each may leave at any.
        within = tuple([to for positions in set(inside.values()) for to in positions])
        onward = tuple([to for positions in set(outside.values()) for to in positions])
        if self.overlap(within, onward):
            ahead = _add((1,), self.multiplied(ahead))
        return _scaled(ahead, len(component))

    def paths_through_position(self, position: int) -> Polynomial:
        """Return the most paths after one that enters a position outside of any loop."""
        low, high = self.counts[position]
        ahead = self.paths_into(self.follow[position])
        if low == high or not self.overlap((position,), self.follow[position]):
            return ahead
        return _add((1,), self.multiplied(ahead, high - low + 1))

    def multiplied(self, ahead: Polynomial, times: int | None = None) -> Polynomial:
        """Return *ahead* multiplied by *times*, or by the length of the text."""
        if times is None or times > LEAST_SEARCHED:
            if len(ahead) > MAX_POWER:
                raise Unbounded("has too many repetitions that overlap")
            return (0, *ahead)
        return _scaled(ahead, times)

    def overlap(self, some: tuple[int, ...], others: tuple[int, ...]) -> bool:
        """Tell whether one character can lead both to one of *some* and to one of *others*."""
        self.spend(len(some) + len(others))
        one = other = 0
        for position in some:
            one |= self.masks[position]
        for position in others:
            other |= self.masks[position]
        return one & other != 0

    def split_follow(self, component: list[int]) -> tuple[Follow, Follow]:
        """Return what follows each position within *component*, and what follows it outside."""
        number = self.component_of[component[0]]
        inside: Follow = {}
        outside: Follow = {}
        for position in component:
            follow = self.follow[position]
            self.spend(len(follow))
            inside[position] = tuple([to for to in follow if self.component_of[to] == number])
            outside[position] = tuple([to for to in follow if self.component_of[to] != number])
        return inside, outside

    def refuse_exponential(self, inside: Follow) -> None:
        """Raise `Unbounded` if two paths within a component part on the same text and meet again.

        Each round doubles the paths then.
        """
        todo: list[tuple[int, int]] = []
        for positions in set(inside.values()):
            for group in self.overlapping(positions):
                self.spend(len(group) ** 2)
                todo += [(a, b) for at, a in enumerate(group) for b in group[at + 1 :]]
        seen = set(todo)
        while todo:
            one, other = todo.pop()
            if one == other:
                raise Unbounded("repeats what can be read in several ways")
            self.spend(len(inside[one]) * len(inside[other]))
            for a in inside[one]:
                for b in inside[other]:
                    if self.masks[a] & self.masks[b] and (a, b) not in seen:
                        seen.add((a, b))
                        todo.append((a, b))

    def max_departures(self, inside: Follow, outside: Follow) -> int | None:
        """Return how often a path can leave a component while one that left earlier goes on.

        None means any number, which the length of the text limits.
        """
        # A pair is a position within the component, and one outside that the same text leads to.
        numbers: dict[tuple[int, int], int] = {}
        todo: list[tuple[int, int]] = []

        def number(stays: int, left: int) -> int:
            if (stays, left) not in numbers:
                numbers[stays, left] = len(numbers)
                todo.append((stays, left))
            return numbers[stays, left]

        for position, positions in inside.items():
            for stays in positions:
                for left in outside[position]:
                    if self.masks[stays] & self.masks[left]:
                        number(stays, left)
        edges: dict[int, list[int]] = {}
        departures: list[tuple[int, int]] = []
        while todo:
            position, left = todo.pop()
            at = numbers[position, left]
            edges[at] = []
            onward = self.follow[left]
            if self.counts[left][1] > 1:
                onward = (left, *onward)
            self.spend(len(inside[position]) * len(onward) * (1 + len(outside[position])))
            for stays in inside[position]:
                for to in onward:
                    both = self.masks[stays] & self.masks[to]
                    if both:
                        edges[at].append(number(stays, to))
                        if any(both & self.masks[leaves] for leaves in outside[position]):
                            departures.append((at, edges[at][-1]))
        label: dict[int, int] = {}
        components = strongly_connected([tuple(edges[at]) for at in range(len(edges))])
        for each, component in enumerate(components):
            label |= dict.fromkeys(component, each)
        # A departure within a cycle of pairs can recur; any other happens once.
        recurs = any(label[a] == label[b] for a, b in departures)
        times = None if recurs else len(departures) + 2
        if self.max_read is not None and (times is None or self.max_read < times):
            return self.max_read + 2
        return times


def _add(one: Polynomial, other: Polynomial) -> Polynomial:
    short, long = sorted((one, other), key=len)
    return tuple([a + b for a, b in zip(short, long, strict=False)]) + long[len(short) :]


def _maximum(one: Polynomial, other: Polynomial) -> Polynomial:
    """Return the larger factor of each power."""
    short, long = sorted((one, other), key=len)
    return tuple([max(a, b) for a, b in zip(short, long, strict=False)]) + long[len(short) :]


def _scaled(count: Polynomial, factor: int) -> Polynomial:
    return tuple([each * factor for each in count])
