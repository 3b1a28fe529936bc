"""Searching texts for the patterns of strangers, in bounded time.

A pattern is written anew for one of two engines: RE2, the extra `re2`, whose time is linear in the
text; else Python's `re`, for patterns that `backtracking` proves bounded.  Both give
the same verdict.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, assert_never

from typesig.errors import TypesigError
from typesig.limits import LEAST_SEARCHED, MAX_SEARCHED, MAX_STEPS
from typesig.limits import MAX_RE2_MEMORY as _RE2_MEMORY
from typesig.limits import MAX_RE2_RANGES as _RE2_WEIGHT
from typesig.patterns.automaton import Unbounded
from typesig.patterns.backtracking import anchored, ceiling, longest
from typesig.patterns.charset import ALL, LAST, Charset, complement
from typesig.patterns.nodes import (
    Anchor,
    Chars,
    Choice,
    Look,
    Node,
    Repeat,
    Sequence,
    trimmed,
)
from typesig.patterns.reader import parse_pattern, pattern_text

#: Tells whether a pattern is found anywhere in a text.
Search = Callable[[str], bool]


@lru_cache(maxsize=128)
def searcher(pattern: str) -> Search:
    """Return the function that tells whether *pattern* is found anywhere in a text.

    Raises `TypesigError` where it is no regular expression of ECMA-262, and where no engine here
    searches for it in bounded time.
    """
    node = trimmed(parse_pattern(pattern), head=True, tail=True)
    linear = _linear(node)
    if linear is not None:
        return linear
    try:
        length = longest(node)
        most = ceiling(node)
        if length < LEAST_SEARCHED and (most is None or length < most):
            raise Unbounded("has too many repetitions that overlap")
    except Unbounded as unbounded:
        raise TypesigError(
            f"the pattern {pattern_text(pattern)} {unbounded}, so that a search could take too "
            f"long: write it so that each character of a text can be read in one way{_extra(node)}"
        ) from None
    return _backtracking(node, length)


def _extra(node: Node) -> str:
    """Return what else can be done: an engine that is not installed may search for *node*."""
    if _re2() is not None or not _taken(node):
        return ""
    return ", or install the extra: pip install 'typesig[re2]'"


def _taken(node: Node) -> bool:
    """Tell whether RE2 may take *node*: it looks nowhere around, and has its bounds."""
    return not _has_look(node) and _weight(node) <= _RE2_WEIGHT


def _re2() -> Any:
    try:
        import re2
    except ImportError:
        return None
    return re2


def _linear(node: Node) -> Search | None:
    """Return the search by RE2, None where it is absent or cannot take *node*."""
    re2 = _re2() if _taken(node) else None
    if re2 is None:
        return None
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _RE2_MEMORY
    try:
        compiled = re2.compile(_written(node, _RE2), options)
    except re2.error:
        return None
    # At worst, each character costs a step for each instruction of the program, a short one.
    length = min(MAX_SEARCHED, MAX_STEPS * 4 // compiled.programsize)
    search = compiled.search

    def found(text: str) -> bool:
        if len(text) > length:
            return False
        try:
            return search(text.encode()) is not None
        except UnicodeEncodeError:
            return False

    return found


def _backtracking(node: Node, length: int) -> Search:
    compiled = re.compile(_written(node, _RE))
    search = compiled.match if anchored(node) else compiled.search

    def found(text: str) -> bool:
        if len(text) > length or not (text.isascii() or _is_unicode(text)):
            return False
        return search(text) is not None

    return found


def _is_unicode(text: str) -> bool:
    """Tell whether *text* has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _weight(node: Node) -> int:
    """Return how many ranges of characters *node* has when each repetition is written out."""
    match node:
        case Chars(ranges):
            return 1 + len(ranges)
        case Sequence(parts) | Choice(parts):
            return sum(map(_weight, parts))
        case Repeat(part, low, high):
            return _weight(part) * (low + 1 if high is None else high)
        case Look() | Anchor():
            return 1
        case _:
            assert_never(node)


def _has_look(node: Node) -> bool:
    """Tell whether *node* looks around, which RE2 never does.

    RE2 would also find an edge `B` between the bytes of one character.
    """
    match node:
        case Look() | Anchor("B"):
            return True
        case Sequence(parts) | Choice(parts):
            return any(map(_has_look, parts))
        case Repeat(part):
            return _has_look(part)
        case _:
            return False


class _Style(NamedTuple):
    """How an engine spells what the engines spell differently.

    #: point: a code point in hexadecimal
    #: most: the most times that it takes something, None for any number
    """

    point: Callable[[int], str]
    nothing: str
    end: str
    edge: str
    most: int | None


def _python_point(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# Before Python 3.14 `\B` is not found in the empty text, so it is said by its contrary.
_RE = _Style(_python_point, "(?!)", r"\Z", r"(?a:\b)", None)
_RE2 = _Style(lambda code: f"\\x{{{code:x}}}", r"[^\x{0}-\x{10ffff}]", r"\z", r"\b", 1000)


def _written(node: Node, style: _Style) -> str:
    """Return *node* as a regular expression of an engine, without groups, flags and greed."""
    match node:
        case Chars(ranges):
            return _class(ranges, style)
        case Sequence(parts):
            return "".join([_inner(part, style, Choice) for part in parts])
        case Choice(branches):
            return "|".join([_written(branch, style) for branch in branches])
        case Repeat(part, low, high):
            return _repeated(_inner(part, style, Choice | Sequence | Repeat), low, high, style)
        case Look(part, behind, negative):
            sign = ("<" if behind else "") + ("!" if negative else "=")
            return f"(?{sign}{_written(part, style)})"
        case Anchor("^"):
            return "\\A"
        case Anchor("$"):
            return style.end
        case Anchor(kind):
            return style.edge if kind == "b" else f"(?!{style.edge})"
        case _:
            assert_never(node)


def _inner(node: Node, style: _Style, loose: Any) -> str:
    text = _written(node, style)
    return f"(?:{text})" if isinstance(node, loose) else text


def _repeated(part: str, low: int, high: int | None, style: _Style) -> str:
    step = style.most
    out = []
    # What is asked for more often than the engine can count is said several times.
    while step is not None and low > step:
        out.append(f"{part}{{{step}}}")
        low, high = low - step, None if high is None else high - step
    while step is not None and high is not None and high > step:
        out.append(f"{part}{{{low},{step}}}")
        low, high = 0, high - step
    signs = {(0, 1): "?", (0, None): "*", (1, None): "+"}
    most = "" if high is None else high
    out.append(part + signs.get((low, high), f"{{{low},{most}}}"))
    return "".join(out)


def _class(ranges: Charset, style: _Style) -> str:
    if not ranges:
        return style.nothing
    if ranges == ALL:
        return "(?s:.)"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _point(ranges[0][0], style)
    # What goes on to the last character is shorter said by what it leaves out.
    negative = ranges[-1][1] == LAST
    each = [
        _point(low, style) if low == high else f"{_point(low, style)}-{_point(high, style)}"
        for low, high in (complement(ranges) if negative else ranges)
    ]
    return f"[{'^' if negative else ''}{''.join(each)}]"


def _point(code: int, style: _Style) -> str:
    return chr(code) if code < 0x7F and chr(code).isalnum() else style.point(code)
