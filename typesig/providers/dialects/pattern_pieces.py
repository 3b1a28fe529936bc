"""Pieces of the patterns of a response template: marks, blanks and named groups.

A pattern comes from a model's files, so it is never searched with.  What is not made of literal
marks, optional blanks and named groups is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias, assert_never

from typesig.errors import TypesigError, Unsupported
from typesig.limits import MAX_MARKS
from typesig.patterns import Anchor, Chars, Choice, Look, Node, Repeat, Sequence, parse_pattern


class Group(NamedTuple):
    """A named group in a pattern of a response template."""

    name: str


#: The text of a mark, blanks that may be there, or a named group.
Piece: TypeAlias = str | Group | None

_Pieces: TypeAlias = tuple[Piece, ...]


def split_pattern(pattern: str, place: str) -> list[_Pieces]:
    """Split *pattern* into the piece sequences that it matches; blanks become None.

    Raises `Unsupported` with the *place* in the template if it has another form.
    """
    _parse(pattern, place)
    ways: list[_Pieces] = [()]
    for kind, text in _split_groups(pattern, place):
        found = [(Group(text),)] if kind == "group" else _list_ways(_parse(text, place), place)
        ways = _combine(ways, list(found), place)
    return [_join_pieces(way) for way in ways]


def _parse(pattern: str, place: str) -> Node:
    """Parse a regular expression; errors are `Unsupported` and name *place*."""
    try:
        return parse_pattern(pattern)
    except TypesigError as error:
        raise Unsupported(f"{place}: {error}") from None


def _split_groups(pattern: str, place: str) -> Iterator[tuple[Literal["text", "group"], str]]:
    """Yield the texts between the named groups of *pattern* and the group names."""
    at = start = depth = 0
    in_class = in_group = False
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == ")":
            depth -= 1
            if in_group and not depth:
                in_group, start = False, at + 1
        elif char == "(":
            if pattern.startswith("(?P<", at) and not in_group:
                if depth:
                    raise Unsupported(f"{place}: a named group stands in another group")
                yield "text", pattern[start:at]
                yield "group", pattern[at + 4 : pattern.index(">", at)]
                in_group = True
            depth += 1
        at += 1
    yield "text", pattern[start:]


def _list_ways(node: Node, place: str) -> list[_Pieces]:
    """List the sequences of pieces that match the parsed pattern *node*."""
    match node:
        case Chars():
            return _list_char_ways(node, place)
        case Sequence(parts):
            ways: list[_Pieces] = [()]
            for part in parts:
                ways = _combine(ways, _list_ways(part, place), place)
            return ways
        case Choice(branches):
            return _check_count(
                [way for branch in branches for way in _list_ways(branch, place)], place
            )
        case Repeat(part, low, high):
            if _is_blank(part):
                return [(None,)]
            if (low, high) == (0, 1):
                return [(), *_list_ways(part, place)]
            raise _make_refusal(place, "a repetition")
        case Look():
            raise _make_refusal(place, "a lookaround")
        case Anchor():
            raise _make_refusal(place, "an anchor")
        case _:
            assert_never(node)


def _list_char_ways(node: Chars, place: str) -> list[_Pieces]:
    """List the characters of a class as pieces, or a blank piece for blanks."""
    count = sum(last - first + 1 for first, last in node.ranges)
    if count > 1 and _is_blank(node):
        return [(None,)]
    if count > MAX_MARKS:
        raise _make_refusal(place, "a class of characters")
    return [(chr(code),) for first, last in node.ranges for code in range(first, last + 1)]


def _is_blank(node: Node) -> bool:
    """Whether *node* matches blanks only."""
    if not isinstance(node, Chars) or not node.ranges:
        return False
    few = all(last - first < MAX_MARKS for first, last in node.ranges)
    return few and all(
        chr(code).isspace() or code == 0xFEFF
        for first, last in node.ranges
        for code in range(first, last + 1)
    )


def _combine(one: list[_Pieces], other: list[_Pieces], place: str) -> list[_Pieces]:
    """Concatenate all pairs of piece sequences; raise `Unsupported` if too many."""
    if len(one) * len(other) > MAX_MARKS:
        raise _make_too_many(place)
    return [left + right for left in one for right in other]


def _check_count(ways: list[_Pieces], place: str) -> list[_Pieces]:
    """Return the piece sequences *ways*; raise `Unsupported` if there are too many."""
    if len(ways) > MAX_MARKS:
        raise _make_too_many(place)
    return ways


def _make_too_many(place: str) -> Unsupported:
    """Make the error for a pattern at *place* that expands to too many marks."""
    return Unsupported(f"{place}: the pattern stands for more than {MAX_MARKS} marks")


def _join_pieces(way: _Pieces) -> _Pieces:
    """Merge neighbouring texts and neighbouring blanks in the piece sequence *way*."""
    out: list[Piece] = []
    for piece in way:
        last = out[-1] if out else Group("")
        if isinstance(piece, str) and isinstance(last, str):
            out[-1] = last + piece
        elif piece is not None or last is not None:
            out.append(piece)
    return tuple(out)


def _make_refusal(place: str, what: str) -> Unsupported:
    """Make the error for an unsupported pattern feature in the template at *place*."""
    return Unsupported(
        f"{place}: a dialect has literal marks with optional blanks and named groups, not {what}"
    )
