r"""A search that follows all ways to read a text at once, so that its time is linear in the text.

A pattern becomes a program of states, as Thompson made them.  The set of the states that a text has
led to is all that a search needs to know of it: sets that were met before are looked up.  This is
slower than `re` where `re` does not backtrack, and takes no lookahead or lookbehind.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias, assert_never

from typesig import limits
from typesig.patterns.automaton import UnboundedPattern
from typesig.patterns.charset import WORD, Charset
from typesig.patterns.nodes import Anchor, AnchorKind, Chars, Choice, Look, Node, Repeat, Sequence

#: What stands before or behind a place in a text.
Side: TypeAlias = Literal["edge", "word", "other"]


class _Read(NamedTuple):
    """State that reads one character of a numbered set and goes on to `then`."""

    number: int
    then: int


class _Fork(NamedTuple):
    """State that goes on to any of several states without reading."""

    to: tuple[int, ...]


class _Assert(NamedTuple):
    """A state that goes on where an anchor holds."""

    kind: AnchorKind
    then: int


_State = _Read | _Fork | _Assert

#: The state in which the pattern is found.
_FOUND = 0


class Simulation:
    """Search for one pattern that follows all states at once, in linear time.

    #: length: the length of the longest text that is searched
    """

    def __init__(self, node: Node) -> None:
        self._states: list[_State] = [_Fork(())]
        self._numbers: dict[Charset, int] = {}
        self._first = self._add(node, _FOUND)
        edges = sum(len(s.to) if isinstance(s, _Fork) else 1 for s in self._states)
        # A step of Python code takes as long as several of those that an engine takes.
        self.length = min(
            limits.MAX_SEARCHED, limits.MAX_STEPS // (8 * (edges + len(self._states)))
        )
        self._starts, self._classes = self._build_alphabet()
        self._known: dict[tuple[frozenset[int], Side], _StateSet] = {}

    # the program

    def _add_state(self, state: _State) -> int:
        """Append *state* and return its number; raise if there are too many states."""
        if len(self._states) >= limits.MAX_AUTOMATON_PLACES:
            raise UnboundedPattern("is too large")
        self._states.append(state)
        return len(self._states) - 1

    def _add(self, node: Node, then: int) -> int:
        """Add the states of *node*, followed by state *then*; return the entry state."""
        match node:
            case Chars(ranges):
                number = self._numbers.setdefault(ranges, len(self._numbers))
                return self._add_state(_Read(number, then))
            case Sequence(parts):
                for part in reversed(parts):
                    then = self._add(part, then)
                return then
            case Choice(branches):
                return self._add_state(
                    _Fork(tuple([self._add(branch, then) for branch in branches]))
                )
            case Repeat(part, low, high):
                return self._add_repeat(part, low, high, then)
            case Anchor(kind):
                return self._add_state(_Assert(kind, then))
            case Look():
                raise UnboundedPattern("looks around")
            case _:
                assert_never(node)

    def _add_repeat(self, part: Node, low: int, high: int | None, then: int) -> int:
        """Add states for *part* repeated *low* to *high* times; return the first state."""
        first = then
        if high is None:
            first = self._add_state(_Fork(()))
            self._states[first] = _Fork((self._add(part, first), then))
        else:
            for _ in range(high - low):
                first = self._add_state(_Fork((self._add(part, first), then)))
        for _ in range(low):
            first = self._add(part, first)
        return first

    def _build_alphabet(self) -> tuple[list[int], list[tuple[frozenset[int], Side]]]:
        """Split all characters into classes; return their starts, sets and sides."""
        sets = [*self._numbers, WORD]
        ends = {end for ranges in sets for low, high in ranges for end in (low, high + 1)}
        starts = sorted({0, *ends})
        if len(starts) * len(sets) > 4 * limits.MAX_AUTOMATON_STEPS:
            raise UnboundedPattern("is too large")
        members: list[list[int]] = [[] for _ in starts]
        for number, ranges in enumerate(sets):
            for low, high in ranges:
                for at in range(bisect_right(starts, low) - 1, bisect_right(starts, high)):
                    members[at].append(number)
        word = len(sets) - 1
        kinds: dict[frozenset[int], tuple[frozenset[int], Side]] = {}
        classes: list[tuple[frozenset[int], Side]] = []
        for numbers in map(frozenset, members):
            side: Side = "word" if word in numbers else "other"
            classes.append(kinds.setdefault(numbers, (numbers, side)))
        return starts, classes

    # the search

    def has_match(self, text: str) -> bool:
        """Whether *text*, without surrogates, contains a match of the pattern."""
        if len(text) > self.length:
            return False
        here = self._intern_states((), "edge")
        for char in text:
            step = here.after.get(char)
            if step is None:
                step = self._advance(here, char)
            if step.is_found:
                return True
            here = step
        return _FOUND in self._compute_closure(here, "edge")

    def _advance(self, here: _StateSet, char: str) -> _StateSet:
        """Return the states reached from *here* by reading *char*, cached."""
        members, side = self._classes[bisect_right(self._starts, ord(char)) - 1]
        closure = self._compute_closure(here, side)
        if _FOUND in closure:
            made = _StateSet(frozenset(), side, True)
        else:
            states = [self._states[at] for at in closure]
            onward = [s.then for s in states if isinstance(s, _Read) and s.number in members]
            made = self._intern_states(onward, side)
        if len(here.after) < limits.MAX_KNOWN_SETS:
            here.after[char] = made
        return made

    def _intern_states(self, states: Iterable[int], before: Side) -> _StateSet:
        """Return the cached set of *states* reached after the text side *before*."""
        key = (frozenset(states), before)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= limits.MAX_KNOWN_SETS:
                # All of them are forgotten, and each refers to others.
                for each in list(self._known.values()):
                    each.after.clear()
                self._known.clear()
            known = self._known[key] = _StateSet(*key)
        return known

    def _compute_closure(self, here: _StateSet, behind: Side) -> set[int]:
        """Collect the states reached from *here* or the start without reading."""
        pending = [self._first, *here.states]
        seen = set(pending)
        while pending:
            state = self._states[pending.pop()]
            onward: tuple[int, ...]
            match state:
                case _Fork(to):
                    onward = to
                case _Assert(kind, then):
                    onward = (then,) if _holds(kind, here.before, behind) else ()
                case _Read():
                    onward = ()
                case _:
                    assert_never(state)
            for to_state in onward:
                if to_state not in seen:
                    seen.add(to_state)
                    pending.append(to_state)
        return seen


class _StateSet:
    """Set of states of a simulation, with the preceding side and cached transitions."""

    __slots__ = ("after", "before", "is_found", "states")

    def __init__(self, states: frozenset[int], before: Side, is_found: bool = False) -> None:
        self.states = states
        self.before: Side = before
        self.is_found = is_found
        self.after: dict[str, _StateSet] = {}


def _holds(kind: AnchorKind, before: Side, behind: Side) -> bool:
    """Whether the anchor *kind* holds between the sides *before* and *behind*."""
    match kind:
        case "^":
            return before == "edge"
        case "$":
            return behind == "edge"
        case "b":
            return (before == "word") != (behind == "word")
        case "B":
            return (before == "word") == (behind == "word")
        case _:
            assert_never(kind)
