"""Free text as an automaton, for engines whose grammars cannot say what a text does not have.

Its states are the beginnings of marks that the text so far ends with, as in the search of Aho and
Corasick, and whether there were only blanks so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from typesig.patterns import Charset
from typesig.providers.engines.grammar.shapes import Free
from typesig.providers.engines.grammar.spellings import exclude_codes

#: The characters that `str.strip` takes off.
BLANKS: Charset = (
    (9, 13), (28, 32), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip

#: The end of a mark that is still missing: a state.  And whether only blanks came before.
_State = tuple[str, bool]


class Step(NamedTuple):
    """A possible next step of an automaton.

    #: ranges: the characters; to: the number of the state behind them, or None at the end
    """

    ranges: Charset
    to: int | None


class Automaton(NamedTuple):
    """An automaton of free text: the transitions of each state; the first state starts.

    #: ends: whether the text may end in any state
    """

    states: tuple[tuple[Step, ...], ...]
    ends: bool


def build_automaton(free: Free) -> Automaton:
    r"""Build the automaton that accepts the free text *free*.

    >>> for steps in build_automaton(Free(("ab",), end="\n")).states:
    ...     print([(step.to, len(step.ranges)) for step in steps])
    [(1, 1), (0, 4), (None, 1)]
    [(1, 1), (None, 1), (0, 4)]
    """
    marks = (*free.without, *((free.end,) if free.end else ()))
    signs = dict.fromkeys(sign for mark in (*marks, free.first) for sign in mark)
    beginnings = {mark[:size] for mark in marks for size in range(len(mark))} | {""}
    blanks = {chr(code) for low, high in BLANKS for code in range(low, high + 1)}
    known = [*dict.fromkeys([*signs, *(sorted(blanks) if free.first else ())])]
    others = exclude_codes(map(ord, known))
    start: _State = ("", bool(free.first))
    numbers: dict[_State, int] = {start: 0}
    states: list[tuple[Step, ...]] = []
    todo: list[_State] = [start]
    while len(states) < len(todo):
        state = todo[len(states)]
        found: dict[_State | None, list[str]] = {}
        for sign in known:
            if state[1] and sign in free.first:
                continue
            held = state[0] + sign
            if free.end and held.endswith(free.end):
                found.setdefault(None, []).append(sign)
            elif not any(held.endswith(mark) for mark in free.without):
                behind = (_find_longest(held, beginnings), state[1] and sign in blanks)
                found.setdefault(behind, []).append(sign)
        base: _State = ("", False)
        found.setdefault(base, [])
        for to in found:
            if to is not None and to not in numbers:
                numbers[to] = len(todo)
                todo.append(to)
        states.append(tuple(_iter_steps(found, base, numbers, others)))
    return Automaton(tuple(states), not free.end)


def _find_longest(held: str, beginnings: set[str]) -> str:
    """Return the longest suffix of *held* that is in *beginnings*, starts of marks."""
    return next(held[at:] for at in range(len(held) + 1) if held[at:] in beginnings)


def _iter_steps(
    found: dict[_State | None, list[str]], base: _State, numbers: dict[_State, int], others: Charset
) -> Iterator[Step]:
    """Yield the transitions of a state; *others* are further characters to *base*."""
    for to, signs in found.items():
        ranges: Iterable[tuple[int, int]] = sorted((ord(sign), ord(sign)) for sign in signs)
        if to == base:
            ranges = _join_ranges([*ranges, *others])
        yield Step(tuple(ranges), None if to is None else numbers[to])


def _join_ranges(ranges: list[tuple[int, int]]) -> Charset:
    """Sort character *ranges* and merge adjacent ranges."""
    out: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if out and low == out[-1][1] + 1:
            out[-1] = (out[-1][0], high)
        else:
            out.append((low, high))
    return tuple(out)
