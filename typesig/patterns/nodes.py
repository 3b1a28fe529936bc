"""Regular expressions as a tree of a few kinds of nodes.

The tree leaves out the numbers of groups and whether a repetition is greedy: neither changes
whether a text matches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias, assert_never

from typesig.patterns.charset import Charset, make_charset


class Chars(NamedTuple):
    """Pattern node that matches one character out of a set."""

    ranges: Charset


class Sequence(NamedTuple):
    """Pattern node that matches *parts* in order; without parts, the empty text."""

    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """Pattern node that matches any one of several branches."""

    branches: tuple[Node, ...]


class Repeat(NamedTuple):
    """Pattern node for a part repeated `low` to `high` times; None for no limit."""

    part: Node
    low: int
    high: int | None


class Look(NamedTuple):
    """Pattern node for a lookahead or lookbehind, positive or negative."""

    part: Node
    behind: bool
    negative: bool


#: The start and the end of the text, a word boundary, and a place that is not one.
AnchorKind: TypeAlias = Literal["^", "$", "b", "B"]


class Anchor(NamedTuple):
    """Pattern node that asserts a text edge or a word boundary."""

    kind: AnchorKind


Node = Chars | Sequence | Choice | Repeat | Look | Anchor

EMPTY = Sequence(())


def walk(node: Node) -> Iterator[Node]:
    """Yield *node* and all pattern nodes inside it."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        match current:
            case Sequence(parts) | Choice(parts):
                pending += parts
            case Repeat(part) | Look(part):
                pending.append(part)
            case Chars() | Anchor():
                pass
            case _:
                assert_never(current)


def has_assertion(node: Node, *kinds: AnchorKind) -> bool:
    r"""Whether *node* has a lookaround, or an anchor of *kinds*.

    >>> from typesig.patterns import has_assertion, parse_pattern
    >>> (
    ...     has_assertion(parse_pattern(r"^a"), "b", "B"),
    ...     has_assertion(parse_pattern(r"(a\b)?"), "b", "B"),
    ... )
    (False, True)
    """
    return any(
        isinstance(part, Look) or (isinstance(part, Anchor) and part.kind in kinds)
        for part in walk(node)
    )


def is_nullable(node: Node, unconditionally: bool = False) -> bool:
    r"""Whether *node* can match the empty text.

    A node that does so only where an assertion holds, such as `\b`, counts unless
    *unconditionally*.
    """
    match node:
        case Chars():
            return False
        case Sequence(parts):
            return all(is_nullable(part, unconditionally) for part in parts)
        case Choice(branches):
            return any(is_nullable(branch, unconditionally) for branch in branches)
        case Repeat(part, low):
            return low == 0 or is_nullable(part, unconditionally)
        case Look() | Anchor():
            return not unconditionally
        case _:
            assert_never(node)


def measure_width(node: Node) -> tuple[int, int | None]:
    """Return the least and greatest match length of *node*; None for no upper limit."""
    match node:
        case Chars():
            return 1, 1
        case Sequence(parts):
            each = [measure_width(part) for part in parts]
            most = [high for _, high in each if high is not None]
            return sum(low for low, _ in each), sum(most) if len(most) == len(each) else None
        case Choice(branches):
            each = [measure_width(branch) for branch in branches]
            most = [high for _, high in each if high is not None]
            return min(low for low, _ in each), max(most) if len(most) == len(each) else None
        case Repeat(part, low, high):
            least, widest = measure_width(part)
            return least * low, None if high is None or widest is None else widest * high
        case Look() | Anchor():
            return 0, 0
        case _:
            assert_never(node)


def make_sequence(parts: list[Node]) -> Node:
    """Return a node that matches *parts* one after the other; nested sequences are flattened."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Sequence) else [part])
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def make_choice(branches: list[Node]) -> Node:
    """Return a node that matches one of *branches*; single characters are merged into a class."""
    singles = [branch.ranges for branch in branches if isinstance(branch, Chars)]
    if len(singles) > 1:
        single = Chars(make_charset(pair for ranges in singles for pair in ranges))
        branches = [branch for branch in branches if not isinstance(branch, Chars)]
        branches.append(single)
    return branches[0] if len(branches) == 1 else Choice(tuple(branches))


def make_repeat(part: Node, low: int, high: int | None) -> Node:
    """Return *part* repeated *low* to *high* times; if possible, never the empty text repeated."""
    if high == 0 or (low == 0 and measure_width(part)[1] == 0):
        return EMPTY
    if low == high == 1 or measure_width(part)[1] == 0:
        return part
    # A part that is empty only under a condition, such as `\b`, keeps its least count.
    if is_nullable(part) and (low == 0 or is_nullable(part, unconditionally=True)):
        filled = _drop_empty_match(part)
        part, low = (part, low) if filled is None else (filled, 0)
    return Repeat(part, low, high)


def _drop_empty_match(node: Node) -> Node | None:
    """Return *node* without its match of the empty text, or None if there is no simple form."""
    match node:
        case Repeat(part, 0, high) if not is_nullable(part):
            return make_repeat(part, 1, high)
        case Choice(branches):
            filled = [_drop_empty_match(b) if is_nullable(b) else b for b in branches if b != EMPTY]
            kept = [branch for branch in filled if branch is not None]
            return make_choice(kept) if len(kept) == len(filled) else None
        case Sequence(parts):
            wide = [place for place, part in enumerate(parts) if measure_width(part)[1] != 0]
            inner = _drop_empty_match(parts[wide[0]]) if len(wide) == 1 else None
            if inner is None:
                return None
            return make_sequence([inner if at == wide[0] else p for at, p in enumerate(parts)])
        case Repeat() | Chars() | Look() | Anchor():
            return None
        case _:
            assert_never(node)


def trim_optional_ends(node: Node, head: bool, tail: bool) -> Node:
    """Drop optional repetitions at the ends of *node* that do not affect a search.

    `.*foo[a-z]+` is found in a text exactly if `foo[a-z]` is.  *head* and *tail* tell which ends
    are open, that is, where anything may stand before or after the match.
    """
    match node:
        case Repeat(part, low, high) if low != high:
            return trim_optional_ends(make_repeat(part, low, low), head, tail)
        case Choice(branches):
            short = [trim_optional_ends(branch, head, tail) for branch in branches]
            return EMPTY if EMPTY in short else make_choice(short)
        case Sequence(parts):
            kept = list(parts)
            while tail and kept and kept[-1] != (last := trim_optional_ends(kept[-1], False, True)):
                kept[-1:] = last.parts if isinstance(last, Sequence) else [last]
            while head and kept and kept[0] != (first := trim_optional_ends(kept[0], True, False)):
                kept[:1] = first.parts if isinstance(first, Sequence) else [first]
            return make_sequence(kept)
        case Repeat() | Chars() | Look() | Anchor():
            return node
        case _:
            assert_never(node)
