r"""How long a text may be so that `re`, which backtracks, searches it in bounded time.

A search walks each path along which a text can be read, so its time is the paths that are open
at once, times the characters of the text.  Where repetitions overlap within each other, as in
`(a+)+`, the paths double with each character: such a pattern is refused.  Where they overlap one
after the other, as in `\d+\d+`, there is one path for each place in the text: it is bounded by
the length.  Where the next character always tells the way, there is one path.
"""

from __future__ import annotations

from typesig.limits import LEAST_SEARCHED, MAX_SEARCHED, MAX_STEPS
from typesig.limits import MAX_AUTOMATON_STEPS as MOST_STEPS
from typesig.limits import MAX_POWER as MOST_POWER
from typesig.patterns.automaton import Automaton, Unbounded, components
from typesig.patterns.nodes import Anchor, Choice, Look, Node, Repeat, Sequence, widths

#: A number that hangs on the text's length n: one factor for n to the power of each place.
Count = tuple[int, ...]

#: For each place some that may follow it.
Follow = dict[int, tuple[int, ...]]


def longest(node: Node) -> int:
    """Return the length of the longest text that is searched for *node* in `MAX_STEPS` steps.

    Raises `Unbounded` where no length bounds the time.
    """
    automaton = Automaton(node)
    most = _reach(node)
    start = anchored(node)
    paths = _Paths(automaton, most)
    open_at_once = paths.of(automaton.first) if start else paths.anywhere()
    tries = automaton.tries() + sum(map(_behind, automaton.behind))

    def steps(length: int) -> int:
        each = 0
        for power, factor in enumerate(open_at_once):
            each += factor * int(length**power)
        reach = length if most is None or not start else min(length, most)
        return each * tries * (reach + 1)

    low, high = -1, MAX_SEARCHED + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if steps(middle) <= MAX_STEPS else (low, middle)
    return low


def _reach(node: Node) -> int | None:
    """Return how many characters a path through *node* reads at most, None for no most.

    Those that are looked at ahead are read too.
    """
    match node:
        case Choice(parts):
            each = [_reach(part) for part in parts]
            return None if None in each else max(filter(None, each), default=0)
        case Sequence(parts):
            each = [_reach(part) for part in parts]
            return None if None in each else sum(filter(None, each))
        case Repeat(part, _, high):
            once = _reach(part)
            return None if high is None or once is None else once * high
        case Look(part, behind):
            return 0 if behind else _reach(part)
        case _:
            return widths(node)[1]


def _behind(node: Node) -> int:
    """Return the steps that it takes at most to look behind for *node*."""
    automaton = Automaton(node)
    least, most = widths(node)
    if most is None or least != most or automaton.behind:
        raise Unbounded("looks behind for texts of several lengths")
    reach = _reach(node)
    open_at_once = _Paths(automaton, reach).of(automaton.first)
    if reach is None or len(open_at_once) > 1:
        raise Unbounded("looks ahead from where it looks behind")
    return sum(open_at_once) * automaton.tries() * (reach + 1)


def anchored(node: Node) -> bool:
    """Tell whether *node* is found at the start of a text alone."""
    match node:
        case Anchor(kind):
            return kind == "^"
        case Choice(branches):
            return all(map(anchored, branches))
        case Repeat(part, low):
            return low > 0 and anchored(part)
        case Look(part, behind, negative):
            return not behind and not negative and anchored(part)
        case Sequence(parts):
            for part in parts:
                if anchored(part):
                    return True
                if widths(part)[1] != 0:
                    return False
    return False


def ceiling(node: Node) -> int | None:
    """Return the length of the longest text that *node* can be found in, None for no such one.

    It is said by both anchors, as in `^[a-z]{1,63}$`, and by `^(?=.{1,63}$)` of all that follows.
    """
    match node:
        case Choice(branches):
            each = [ceiling(branch) for branch in branches]
            return None if None in each else max(filter(None, each), default=0)
        case Sequence(parts) if anchored(node):
            found = [widths(node)[1]] if _closed(node) else []
            for part in parts:
                if widths(part)[1] != 0:
                    found.append(ceiling(part))
                    break
                if isinstance(part, Look) and not part.behind and not part.negative:
                    found.append(widths(part.part)[1] if _closed(part.part) else None)
            return min([most for most in found if most is not None], default=None)
        case _:
            return None


def _closed(node: Node) -> bool:
    """Tell whether *node* is found at the end of a text alone."""
    return isinstance(node, Sequence) and len(node.parts) > 0 and node.parts[-1] == Anchor("$")


class _Paths:
    """Counts the paths of an automaton that a text can keep open at once."""

    __slots__ = ("counts", "follow", "home", "known", "masks", "most", "steps", "widths")

    def __init__(self, automaton: Automaton, most: int | None) -> None:
        # One more place stands for a search that has not begun to match: it begins anywhere.
        idle = len(automaton.sets)
        every = 0
        for mask in automaton.masks:
            every |= mask
        self.follow = [*automaton.follow, (idle, *automaton.first)]
        self.masks = [*automaton.masks, every]
        self.counts = [*automaton.counts, (1, 1)]
        self.most = most
        self.steps = 0
        self.home = [0] * len(self.follow)
        self.widths: list[Count] = [(1,)] * len(self.follow)
        self.known: dict[tuple[int, ...], Count] = {}
        parts = components(self.follow)
        for number, part in enumerate(parts):
            for place in part:
                self.home[place] = number
        for part in parts:
            width = self.part(part)
            for place in part:
                self.widths[place] = width

    def anywhere(self) -> Count:
        """Return how many paths a search keeps open that may begin at each character."""
        return self.widths[-1]

    def of(self, places: tuple[int, ...]) -> Count:
        """Return how many paths stay open at most out of one that goes on to any of *places*."""
        known = self.known.get(places)
        if known is None:
            known = (1,)
            for group in self.groups(places):
                total: Count = (0,)
                for place in group:
                    total = _add(total, self.widths[place])
                known = _most(known, total)
            self.known[places] = known
        return known

    def groups(self, places: tuple[int, ...]) -> list[list[int]]:
        """Return those of *places* that one character leads to, for each that tells them apart."""
        seen = twice = 0
        for place in places:
            twice |= seen & self.masks[place]
            seen |= self.masks[place]
        groups = [[place] for place in places]
        while twice:
            bit = twice & -twice
            twice ^= bit
            groups.append([place for place in places if self.masks[place] & bit])
        self.walked(len(groups) + len(places))
        return groups

    def walked(self, steps: int) -> None:
        """Give up where counting takes too long itself."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise Unbounded("is too large")

    def part(self, part: list[int]) -> Count:
        """Return how many paths stay open out of one that enters a strongly connected part."""
        if len(part) == 1 and part[0] not in self.follow[part[0]]:
            return self.counted(part[0])
        inside, outside = self.split(part)
        single = all(len(g) == 1 for to in set(inside.values()) for g in self.groups(to))
        if not single:
            self.refuse_doubling(inside)
        ahead: Count = (1,)
        for places in set(outside.values()):
            ahead = _most(ahead, self.of(places))
        if not any(outside.values()):
            return (1 if single else len(part),)
        if single and not any(self.meet(inside[place], outside[place]) for place in part):
            return ahead
        if single:
            return _add((1,), self.longer(ahead, self.together(inside, outside)))
        # There is a path at each place of the part.  Where what follows is none of what may stand
        # within, all of them leave it at one character, else each may have left at any.
        within = tuple([to for places in set(inside.values()) for to in places])
        onward = tuple([to for places in set(outside.values()) for to in places])
        if self.meet(within, onward):
            ahead = _add((1,), self.longer(ahead))
        return _scaled(ahead, len(part))

    def counted(self, place: int) -> Count:
        """Return how many paths stay open out of a place that repeats by itself, or not at all."""
        low, high = self.counts[place]
        ahead = self.of(self.follow[place])
        if low == high or not self.meet((place,), self.follow[place]):
            return ahead
        return _add((1,), self.longer(ahead, high - low + 1))

    def longer(self, ahead: Count, times: int | None = None) -> Count:
        """Return *ahead* that many times, or once for each character of the text."""
        if times is None or times > LEAST_SEARCHED:
            if len(ahead) > MOST_POWER:
                raise Unbounded("has too many repetitions that overlap")
            return (0, *ahead)
        return _scaled(ahead, times)

    def meet(self, some: tuple[int, ...], others: tuple[int, ...]) -> bool:
        """Tell whether one character leads to one of *some* and to one of *others*."""
        self.walked(len(some) + len(others))
        one = other = 0
        for place in some:
            one |= self.masks[place]
        for place in others:
            other |= self.masks[place]
        return one & other != 0

    def split(self, part: list[int]) -> tuple[Follow, Follow]:
        """Return what follows each place of *part* within it, and what outside."""
        here = self.home[part[0]]
        inside: Follow = {}
        outside: Follow = {}
        for place in part:
            self.walked(len(self.follow[place]))
            inside[place] = tuple([to for to in self.follow[place] if self.home[to] == here])
            outside[place] = tuple([to for to in self.follow[place] if self.home[to] != here])
        return inside, outside

    def refuse_doubling(self, inside: Follow) -> None:
        """Refuse a part within which two paths part on the same text and meet again."""
        todo: list[tuple[int, int]] = []
        for places in set(inside.values()):
            for group in self.groups(places):
                self.walked(len(group) ** 2)
                todo += [(a, b) for at, a in enumerate(group) for b in group[at + 1 :]]
        seen = set(todo)
        while todo:
            one, other = todo.pop()
            if one == other:
                raise Unbounded("repeats what can be read in several ways")
            self.walked(len(inside[one]) * len(inside[other]))
            for a in inside[one]:
                for b in inside[other]:
                    if self.masks[a] & self.masks[b] and (a, b) not in seen:
                        seen.add((a, b))
                        todo.append((a, b))

    def together(self, inside: Follow, outside: Follow) -> int | None:
        """Return how often one path can leave a part while one that left it before goes on.

        None stands for any number: the length of the text bounds it.
        """
        numbers: dict[tuple[int, int], int] = {}
        todo: list[tuple[int, int]] = []

        def number(stays: int, gone: int) -> int:
            if (stays, gone) not in numbers:
                numbers[stays, gone] = len(numbers)
                todo.append((stays, gone))
            return numbers[stays, gone]

        for place, places in inside.items():
            for stays in places:
                for gone in outside[place]:
                    if self.masks[stays] & self.masks[gone]:
                        number(stays, gone)
        steps: dict[int, list[int]] = {}
        leaving: list[tuple[int, int]] = []
        while todo:
            place, gone = todo.pop()
            at = numbers[place, gone]
            steps[at] = []
            onward = self.follow[gone]
            if self.counts[gone][1] > 1:
                onward = (gone, *onward)
            self.walked(len(inside[place]) * len(onward) * (1 + len(outside[place])))
            for stays in inside[place]:
                for to in onward:
                    both = self.masks[stays] & self.masks[to]
                    if both:
                        steps[at].append(number(stays, to))
                        if any(both & self.masks[leaves] for leaves in outside[place]):
                            leaving.append((at, steps[at][-1]))
        home: dict[int, int] = {}
        parts = components([tuple(steps[at]) for at in range(len(steps))])
        for label, part in enumerate(parts):
            home |= dict.fromkeys(part, label)
        # A path is left and left again on a circle of steps, else on each step once.
        times = None if any(home[a] == home[b] for a, b in leaving) else len(leaving) + 2
        if self.most is not None and (times is None or self.most < times):
            return self.most + 2
        return times


def _add(one: Count, other: Count) -> Count:
    short, long = sorted((one, other), key=len)
    return tuple([a + b for a, b in zip(short, long, strict=False)]) + long[len(short) :]


def _most(one: Count, other: Count) -> Count:
    short, long = sorted((one, other), key=len)
    return tuple([max(a, b) for a, b in zip(short, long, strict=False)]) + long[len(short) :]


def _scaled(count: Count, factor: int) -> Count:
    return tuple([each * factor for each in count])
