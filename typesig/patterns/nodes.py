"""Regular expressions as a small closed tree, smaller than what it was read from.

The tree knows neither the numbers of groups nor greed: whether a text matches hangs on neither.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

from typesig.patterns.charset import Charset, charset


class Chars(NamedTuple):
    """One character of a set."""

    ranges: Charset


class Sequence(NamedTuple):
    """One after the other; none is the empty text."""

    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """One of several."""

    branches: tuple[Node, ...]


class Repeat(NamedTuple):
    """One, some number of times; `high` is None where there is no most."""

    part: Node
    low: int
    high: int | None


class Look(NamedTuple):
    """What stands ahead or behind, or must not, without being taken."""

    part: Node
    behind: bool
    negative: bool


class Anchor(NamedTuple):
    """A place: the start `^`, the end `$`, the edge of a word `b`, or no such edge `B`."""

    kind: str


Node = Chars | Sequence | Choice | Repeat | Look | Anchor

EMPTY = Sequence(())


def nullable(node: Node, freely: bool = False) -> bool:
    """Tell whether *node* can match the empty text where its assertions hold, or *freely*."""
    match node:
        case Chars():
            return False
        case Sequence(parts):
            return all(nullable(part, freely) for part in parts)
        case Choice(branches):
            return any(nullable(branch, freely) for branch in branches)
        case Repeat(part, low):
            return low == 0 or nullable(part, freely)
        case Look() | Anchor():
            return not freely
        case _:
            assert_never(node)


def widths(node: Node) -> tuple[int, int | None]:
    """Return the least and the most characters that *node* takes, None for no most."""
    match node:
        case Chars():
            return 1, 1
        case Sequence(parts):
            each = [widths(part) for part in parts]
            most = [high for _, high in each if high is not None]
            return sum(low for low, _ in each), sum(most) if len(most) == len(each) else None
        case Choice(branches):
            each = [widths(branch) for branch in branches]
            most = [high for _, high in each if high is not None]
            return min(low for low, _ in each), max(most) if len(most) == len(each) else None
        case Repeat(part, low, high):
            least, widest = widths(part)
            return least * low, None if high is None or widest is None else widest * high
        case Look() | Anchor():
            return 0, 0
        case _:
            assert_never(node)


def sequence(parts: list[Node]) -> Node:
    """Return *parts* one after the other, as one sequence."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Sequence) else [part])
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def choice(branches: list[Node]) -> Node:
    """Return one of *branches*; those of a single character are one class."""
    singles = [branch.ranges for branch in branches if isinstance(branch, Chars)]
    if len(singles) > 1:
        single = Chars(charset(pair for ranges in singles for pair in ranges))
        branches = [branch for branch in branches if not isinstance(branch, Chars)]
        branches.append(single)
    return branches[0] if len(branches) == 1 else Choice(tuple(branches))


def repeat(part: Node, low: int, high: int | None) -> Node:
    """Return *part*, *low* to *high* times; what can be empty is repeated without that."""
    if high == 0 or (low == 0 and widths(part)[1] == 0):
        return EMPTY
    if low == high == 1 or widths(part)[1] == 0:
        return part
    # What is empty under a condition alone, as `\b` is, has to hold as often as is asked.
    if nullable(part) and (low == 0 or nullable(part, freely=True)):
        filled = _filled(part)
        part, low = (part, low) if filled is None else (filled, 0)
    return Repeat(part, low, high)


def _filled(node: Node) -> Node | None:
    """Return *node* but for the empty text, or None where that is not plainly said."""
    match node:
        case Repeat(part, 0, high) if not nullable(part):
            return repeat(part, 1, high)
        case Choice(branches):
            filled = [_filled(b) if nullable(b) else b for b in branches if b != EMPTY]
            kept = [branch for branch in filled if branch is not None]
            return choice(kept) if len(kept) == len(filled) else None
        case Sequence(parts):
            wide = [place for place, part in enumerate(parts) if widths(part)[1] != 0]
            inner = _filled(parts[wide[0]]) if len(wide) == 1 else None
            if inner is None:
                return None
            return sequence([inner if at == wide[0] else p for at, p in enumerate(parts)])
        case _:
            return None


def trimmed(node: Node, head: bool, tail: bool) -> Node:
    """Return *node* without what need not be taken at its open ends, where it is searched for.

    Whether `.*foo[a-z]+` is found anywhere is whether `foo[a-z]` is: a shorter match will do.
    """
    match node:
        case Repeat(part, low, high) if low != high:
            return trimmed(repeat(part, low, low), head, tail)
        case Choice(branches):
            short = [trimmed(branch, head, tail) for branch in branches]
            return EMPTY if EMPTY in short else choice(short)
        case Sequence(parts):
            kept = list(parts)
            while tail and kept and kept[-1] != (last := trimmed(kept[-1], False, True)):
                kept[-1:] = last.parts if isinstance(last, Sequence) else [last]
            while head and kept and kept[0] != (first := trimmed(kept[0], True, False)):
                kept[:1] = first.parts if isinstance(first, Sequence) else [first]
            return sequence(kept)
        case _:
            return node
