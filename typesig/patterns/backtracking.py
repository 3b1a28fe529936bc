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

from collections.abc import Callable
from functools import partial
from operator import add
from typing import assert_never

from typesig.graphs import find_strongly_connected
from typesig.limits import LEAST_SEARCHED, MAX_AUTOMATON_STEPS, MAX_POWER, MAX_SEARCHED, MAX_STEPS
from typesig.patterns.automaton import Automaton, UnboundedPattern
from typesig.patterns.nodes import (
    Anchor,
    Chars,
    Choice,
    Look,
    Node,
    Repeat,
    Sequence,
    measure_width,
)

#: A number that depends on the text's length n: the factors of 1, n, n² and so on.
Polynomial = tuple[int, ...]

#: For each position of a component, positions that may follow it.
Follow = dict[int, tuple[int, ...]]


def find_search_bounds(node: Node) -> tuple[int, int]:
    """Find the greatest text length for which a search takes at most `MAX_STEPS` steps.

    The steps that the proof took come with it.  Raises `UnboundedPattern` if no length bounds the
    time.
    """
    automaton = Automaton(node)
    max_read = _find_max_read(node)
    anchored = is_anchored_at_start(node)
    counter = _PathCounter(automaton, max_read)
    open_paths = counter.open_paths(anchored)
    tries = automaton.max_tries() + sum(map(_count_lookbehind_steps, automaton.lookbehinds))

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
    return low, automaton.edges + counter.work


def _find_max_read(node: Node) -> int | None:
    """Return the most characters that one path through *node* reads, or None for no limit.

    The characters that a lookahead reads count too.
    """
    match node:
        case Choice(parts):
            each = [_find_max_read(part) for part in parts]
            return None if None in each else max(filter(None, each), default=0)
        case Sequence(parts):
            each = [_find_max_read(part) for part in parts]
            return None if None in each else sum(filter(None, each))
        case Repeat(part, _, high):
            once = _find_max_read(part)
            return None if high is None or once is None else once * high
        case Look(part, behind):
            return 0 if behind else _find_max_read(part)
        case Chars() | Anchor():
            return measure_width(node)[1]
        case _:
            assert_never(node)


def _count_lookbehind_steps(node: Node) -> int:
    """Return the most steps that a lookbehind with the part *node* takes."""
    automaton = Automaton(node)
    least, most = measure_width(node)
    if most is None or least != most or automaton.lookbehinds:
        raise UnboundedPattern("looks behind for texts of several lengths")
    max_read = _find_max_read(node)
    open_paths = _PathCounter(automaton, max_read).open_paths(anchored=True)
    if max_read is None or len(open_paths) > 1:
        raise UnboundedPattern("looks ahead from where it looks behind")
    return sum(open_paths) * automaton.max_tries() * (max_read + 1)


def is_anchored_at_start(node: Node) -> bool:
    """Whether *node* can match only at the start of a text."""
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
                if measure_width(part)[1] != 0:
                    return False
            return False
        case Chars():
            return False
        case _:
            assert_never(node)


def _is_anchored_at_end(node: Node) -> bool:
    """Whether the pattern *node* is a sequence that ends with `$`."""
    return isinstance(node, Sequence) and len(node.parts) > 0 and node.parts[-1] == Anchor("$")


def find_max_text_length(node: Node) -> int | None:
    """Find the greatest length of a text that can contain *node*; None for no limit.

    A limit follows from both anchors, as in `^[a-z]{1,63}$`, or from `^(?=.{1,63}$)`.
    """
    match node:
        case Choice(branches):
            each = [find_max_text_length(branch) for branch in branches]
            return None if None in each else max(filter(None, each), default=0)
        case Sequence(parts) if is_anchored_at_start(node):
            found = [measure_width(node)[1]] if _is_anchored_at_end(node) else []
            for part in parts:
                if measure_width(part)[1] != 0:
                    found.append(find_max_text_length(part))
                    break
                if isinstance(part, Look) and not part.behind and not part.negative:
                    ended = _is_anchored_at_end(part.part)
                    found.append(measure_width(part.part)[1] if ended else None)
            return min([most for most in found if most is not None], default=None)
        case Sequence() | Repeat() | Chars() | Look() | Anchor():
            return None
        case _:
            assert_never(node)


class _PathCounter:
    """Counter of the paths that a backtracking search can keep open at once.

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
        components = find_strongly_connected(self.follow)
        for number, component in enumerate(components):
            for position in component:
                self.component_of[position] = number
        for component in components:
            paths = self.count_paths_through(component)
            for position in component:
                self.paths_from[position] = paths

    def open_paths(self, anchored: bool) -> Polynomial:
        """Return the most open paths of a search; if *anchored*, a match begins at one place."""
        return self.count_paths_into(self.first) if anchored else self.paths_from[-1]

    def count_paths_into(self, positions: tuple[int, ...]) -> Polynomial:
        """Count the most open paths after a path that goes on to any of *positions*."""
        known = self.known.get(positions)
        if known is None:
            known = (1,)
            for group in self.group_overlapping(positions):
                total: Polynomial = (0,)
                for position in group:
                    total = _add(total, self.paths_from[position])
                known = _take_maximum(known, total)
            self.known[positions] = known
        return known

    def group_overlapping(self, positions: tuple[int, ...]) -> list[list[int]]:
        """Group *positions* that one and the same character can lead to."""
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
        """Count *work* steps; raise `UnboundedPattern` if the analysis takes too many."""
        self.work += work
        if self.work > MAX_AUTOMATON_STEPS:
            raise UnboundedPattern("is too large")

    def count_paths_through(self, component: list[int]) -> Polynomial:
        """Count the most open paths after a path that enters *component*."""
        if len(component) == 1 and component[0] not in self.follow[component[0]]:
            return self.count_paths_through_position(component[0])
        inside, outside = self.split_follow(component)
        # Whether the next character decides the path within the component.
        decided = all(
            len(g) == 1 for to in set(inside.values()) for g in self.group_overlapping(to)
        )
        if not decided:
            self.refuse_exponential(inside)
        ahead: Polynomial = (1,)
        for positions in set(outside.values()):
            ahead = _take_maximum(ahead, self.count_paths_into(positions))
        if not any(outside.values()):
            return (1 if decided else len(component),)
        if decided and not any(self.do_overlap(inside[at], outside[at]) for at in component):
            return ahead
        if decided:
            return _add((1,), self.multiply(ahead, self.find_max_departures(inside, outside)))
        # There may be a path at each position of the component.  If no character both stays within
        # it and leaves it, all of them leave at one character; else each may leave at any.
        within = tuple([to for positions in set(inside.values()) for to in positions])
        onward = tuple([to for positions in set(outside.values()) for to in positions])
        if self.do_overlap(within, onward):
            ahead = _add((1,), self.multiply(ahead))
        return _scale(ahead, len(component))

    def count_paths_through_position(self, position: int) -> Polynomial:
        """Count the most open paths after a path that enters *position*, in no loop."""
        low, high = self.counts[position]
        ahead = self.count_paths_into(self.follow[position])
        if low == high or not self.do_overlap((position,), self.follow[position]):
            return ahead
        return _add((1,), self.multiply(ahead, high - low + 1))

    def multiply(self, ahead: Polynomial, times: int | None = None) -> Polynomial:
        """Multiply the polynomial *ahead* by *times*, or by the text length if None."""
        if times is None or times > LEAST_SEARCHED:
            if len(ahead) > MAX_POWER:
                raise UnboundedPattern("has too many repetitions that overlap")
            return (0, *ahead)
        return _scale(ahead, times)

    def do_overlap(self, some: tuple[int, ...], others: tuple[int, ...]) -> bool:
        """Whether one character can lead into both position sets *some* and *others*."""
        self.spend(len(some) + len(others))
        one = other = 0
        for position in some:
            one |= self.masks[position]
        for position in others:
            other |= self.masks[position]
        return one & other != 0

    def split_follow(self, component: list[int]) -> tuple[Follow, Follow]:
        """Split the successors of each position into those inside and outside *component*."""
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
        """Raise `UnboundedPattern` if two paths for the same text in a loop meet again.

        Each round doubles the paths then.
        """
        todo: list[tuple[int, int]] = []
        for positions in set(inside.values()):
            for group in self.group_overlapping(positions):
                self.spend(len(group) ** 2)
                todo += [(a, b) for at, a in enumerate(group) for b in group[at + 1 :]]
        seen = set(todo)
        while todo:
            one, other = todo.pop()
            if one == other:
                raise UnboundedPattern("repeats what can be read in several ways")
            self.spend(len(inside[one]) * len(inside[other]))
            for a in inside[one]:
                for b in inside[other]:
                    if self.masks[a] & self.masks[b] and (a, b) not in seen:
                        seen.add((a, b))
                        todo.append((a, b))

    def find_max_departures(self, inside: Follow, outside: Follow) -> int | None:
        """Count how often a path can leave a loop while an earlier departure goes on.

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
        components = find_strongly_connected([tuple(edges[at]) for at in range(len(edges))])
        for each, component in enumerate(components):
            label |= dict.fromkeys(component, each)
        # A departure within a cycle of pairs can recur; any other happens once.
        recurs = any(label[a] == label[b] for a, b in departures)
        times = None if recurs else len(departures) + 2
        if self.max_read is not None and (times is None or self.max_read < times):
            return self.max_read + 2
        return times


def _join(join: Callable[[int, int], int], one: Polynomial, other: Polynomial) -> Polynomial:
    """Build a polynomial; *join* computes each coefficient from those of two polynomials."""
    short, long = sorted((one, other), key=len)
    return tuple(map(join, short, long)) + long[len(short) :]


_add, _take_maximum = partial(_join, add), partial(_join, max)


def _scale(count: Polynomial, factor: int) -> Polynomial:
    """Multiply the polynomial *count* by the integer *factor*."""
    return tuple([each * factor for each in count])
