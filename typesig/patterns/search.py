"""Searching texts for patterns from untrusted sources, in bounded time.

A pattern is rewritten for one of two engines: RE2, from the extra `re2`, whose time is linear in
the text, or else Python's `re`, if `backtracking` proves the time bounded.  A pattern that neither
takes is searched by `simulation`, which is slower.  All engines give the same result.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, assert_never

from typesig import limits
from typesig.errors import TypesigError, escape_code_point
from typesig.patterns import nodes
from typesig.patterns.automaton import UnboundedPattern
from typesig.patterns.backtracking import (
    find_max_text_length,
    find_search_bounds,
    is_anchored_at_start,
)
from typesig.patterns.charset import ALL, LAST, Charset, load_google_re2, make_complement
from typesig.patterns.reader import parse_pattern, quote_pattern

# --- The canonical spelling of a pattern, which can be written between slashes on one line ---


def to_canonical_pattern(pattern: str) -> str:
    r"""Return *pattern* in its canonical spelling, without line ends and never empty.

    >>> to_canonical_pattern("a\nb"), to_canonical_pattern("")
    ('a\\nb', '(?:)')
    """
    out, at = [], 0
    while at < len(pattern):
        c = pattern[at]
        if c == "\\" and at + 1 < len(pattern):
            at += 1
            escaped = pattern[at]
            # An escaped slash or line end stands for the character itself.
            out.append("/" if escaped == "/" else _escape(escaped) or "\\" + escaped)
        else:
            out.append(_escape(c) or c)
        at += 1
    return "".join(out) or "(?:)"


def _escape(c: str) -> str:
    """Return the escape of *c* if it is not printable, else an empty text."""
    if c.isprintable():
        return ""
    if c in "\n\r":
        return "\\n" if c == "\n" else "\\r"
    return escape_code_point(ord(c))


#: Tells whether a pattern is found anywhere in a text.
Search = Callable[[str], bool]


class PatternSearch(NamedTuple):
    """Search predicate of a pattern, and the work of analysing the pattern.

    #: search: tells whether it is found anywhere in a text
    #: steps: the work of the analysis
    """

    search: Search
    steps: int


def build_search(pattern: str) -> Search:
    """Build the predicate that finds *pattern* anywhere in a text.

    Raises `TypesigError` if it is not a regular expression of ECMA-262, or if none of the engines
    searches for it in bounded time.
    """
    return analyze_pattern(pattern).search


@lru_cache(maxsize=128)
def analyze_pattern(pattern: str) -> PatternSearch:
    """Choose an engine for *pattern* and build its search; raise like `build_search`."""
    node = nodes.trim_optional_ends(parse_pattern(pattern), head=True, tail=True)
    steps = 100 + len(pattern) + _count_reading_steps(node)
    if steps <= _SHORT and (quick := _build_quick_search(node)) is not None:
        return PatternSearch(quick, steps)
    search = _build_re2_search(node)
    if search is not None:
        return PatternSearch(search, steps)
    try:
        length, proof = find_search_bounds(node)
        most = find_max_text_length(node)
        if length < limits.LEAST_SEARCHED and (most is None or length < most):
            raise UnboundedPattern("has too many repetitions that overlap")
    except UnboundedPattern as unbounded:
        simulated = _build_simulated_search(node)
        if simulated is not None:
            return PatternSearch(simulated, steps + limits.MAX_AUTOMATON_STEPS)
        raise TypesigError(
            f"the pattern {quote_pattern(pattern)} {unbounded}, so that a search could take too "
            f"long: write it so that each character of a text can be read in one way"
            f"{_suggest_extra(node)}"
        ) from None
    return PatternSearch(_build_python_search(node, length), steps + proof)


#: The steps of a pattern that is analysed for `re` although RE2 may be there.
_SHORT = 500


def _build_quick_search(node: nodes.Node) -> Search | None:
    """Build the search for *node* by `re` if its time is linear; None for other patterns.

    For short texts, the calls of RE2 from Python take several times as long.
    """
    try:
        length, _ = find_search_bounds(node)
    except UnboundedPattern:
        return None
    return _build_python_search(node, length) if length >= limits.MAX_SEARCHED else None


def _suggest_extra(node: nodes.Node) -> str:
    """Return a hint to install RE2 if that would help with *node*, or the empty text."""
    if load_google_re2() is not None or not _is_for_re2(node):
        return ""
    return ", or install the extra: pip install 'typesig[re2]'"


def to_rust_pattern(pattern: str) -> str | None:
    r"""Convert *pattern* to Rust's regex syntax; None if it needs lookarounds or `\b`.

    >>> to_rust_pattern(r"^\d+$"), to_rust_pattern("a(?=b)")
    ('^[0-9]+$', None)
    """
    node = parse_pattern(pattern)
    return _write_node(node, _RUST) if _is_plain(node) else None


def to_whole_pattern(pattern: str) -> str | None:
    """Convert *pattern* for matching whole JSON strings; None if not possible.

    None if it may match a part of a text, or a character that JSON writes as an escape.

    >>> to_whole_pattern("^a$|^b$"), to_whole_pattern("a"), to_whole_pattern("^.$")
    ('^[a-b]$', None, None)
    """
    node = _strip_anchors(parse_pattern(pattern))
    if node is None or not _is_plain(node) or not _is_raw(node):
        return None
    return _write_node(nodes.Sequence((nodes.Anchor("^"), node, nodes.Anchor("$"))), _ECMA)


def _strip_anchors(node: nodes.Node) -> nodes.Node | None:
    """Part of *node* between `^` and `$`, or None if these are not at its ends."""
    match node:
        case nodes.Sequence((nodes.Anchor("^"), *parts, nodes.Anchor("$"))):
            return nodes.make_sequence(parts)
        case nodes.Choice(branches):
            each = [_strip_anchors(branch) for branch in branches]
            kept = [branch for branch in each if branch is not None]
            return nodes.make_choice(kept) if len(kept) == len(each) else None
        case _:
            return None


def extend_pattern(node: nodes.Node) -> nodes.Node:
    """Extend *node*, which is found anywhere in a text, to match whole texts.

    >>> extend_pattern(parse_pattern("^a$"))
    Chars(ranges=((97, 97),))
    """
    if isinstance(node, nodes.Choice):
        return nodes.make_choice([extend_pattern(branch) for branch in node.branches])
    parts = list(node.parts) if isinstance(node, nodes.Sequence) else [node]
    is_first, is_last = parts[:1] == [nodes.Anchor("^")], parts[-1:] == [nodes.Anchor("$")]
    inner = parts[is_first : len(parts) - is_last]
    before, behind = [] if is_first else [_ANY], [] if is_last else [_ANY]
    return nodes.make_sequence([*before, *inner, *behind])


_ANY = nodes.Repeat(nodes.Chars(((0, LAST),)), 0, None)


def to_raw_pattern(pattern: str) -> str | None:
    r"""Convert *pattern* for matching whole JSON strings without escapes; None if not possible.

    >>> to_raw_pattern("^[a-c]+"), to_raw_pattern('^"$')
    ('^[a-c]+[^\\u0000-\\u001f\\u0022\\u005c]*$', None)
    """
    node = _keep_raw(extend_pattern(parse_pattern(pattern)))
    if node is None or not _is_plain(node) or not _is_raw(node):
        return None
    return _write_node(nodes.Sequence((nodes.Anchor("^"), node, nodes.Anchor("$"))), _ECMA)


def _keep_raw(node: nodes.Node) -> nodes.Node | None:
    """Restrict *node* to texts without escapes, or return None if it matches none."""
    match node:
        case nodes.Chars(ranges):
            kept = [(max(a, c), min(b, d)) for a, b in ranges for c, d in _RAW if a <= d and c <= b]
            return nodes.Chars(tuple(kept)) if kept else None
        case nodes.Sequence(parts):
            each = [_keep_raw(part) for part in parts]
            found = [part for part in each if part is not None]
            return nodes.make_sequence(found) if len(found) == len(each) else None
        case nodes.Choice(branches):
            left = [made for made in map(_keep_raw, branches) if made is not None]
            return nodes.make_choice(left) if left else None
        case nodes.Repeat(part, low, high):
            made = _keep_raw(part)
            if made is None:
                return None if low else nodes.EMPTY
            return nodes.Repeat(made, low, high)
        case _:
            return node


#: The characters that JSON writes as escapes.
_ESCAPES: Charset = ((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C))
_RAW = make_complement(_ESCAPES)


def _is_raw(node: nodes.Node) -> bool:
    """Whether *node* has no anchors, and no characters that JSON has to escape."""
    parts = list(nodes.walk(node))
    ranges = [pair for part in parts if isinstance(part, nodes.Chars) for pair in part.ranges]
    return not any(isinstance(part, nodes.Look | nodes.Anchor) for part in parts) and not any(
        a <= d and c <= b for a, b in ranges for c, d in _ESCAPES
    )


def _is_plain(node: nodes.Node) -> bool:
    """Whether *node* has no empty classes and no assertions except `^` and `$`."""
    return not nodes.has_assertion(node, "b", "B") and all(
        part.ranges for part in nodes.walk(node) if isinstance(part, nodes.Chars)
    )


def _is_for_re2(node: nodes.Node) -> bool:
    """Whether RE2 can search the pattern *node*: no Python-only parts, few ranges."""
    # RE2 has no lookaround, and its `\B` also matches between the bytes of one character.
    return not nodes.has_assertion(node, "B") and _count_ranges(node) <= limits.MAX_RE2_RANGES


def _build_re2_search(node: nodes.Node) -> Search | None:
    """Build the search for *node* by RE2; None if RE2 is missing or refuses *node*."""
    re2 = load_google_re2() if _is_for_re2(node) else None
    if re2 is None:
        return None
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = limits.MAX_RE2_MEMORY
    try:
        compiled = re2.compile(_write_node(node, _RE2), options)
    except re2.error:
        return None
    # At worst, each character takes one short step for each instruction of the program.
    length = min(limits.MAX_SEARCHED, limits.MAX_STEPS * 4 // compiled.programsize)
    search = compiled.search

    def found(text: str) -> bool:
        if len(text) > length:
            return False
        try:
            return search(text.encode()) is not None
        except UnicodeEncodeError:
            return False

    return found


def _build_python_search(node: nodes.Node, length: int) -> Search:
    """Build the search for *node* by `re`, always False for texts beyond *length*."""
    compiled = re.compile(_write_node(node, _RE))
    search = compiled.match if is_anchored_at_start(node) else compiled.search

    def found(text: str) -> bool:
        if len(text) > length or not (text.isascii() or _is_unicode(text)):
            return False
        return search(text) is not None

    return found


def _build_simulated_search(node: nodes.Node) -> Search | None:
    """Build the search for *node* by `Simulation`; None if that cannot search *node*."""
    from typesig.patterns.simulation import Simulation

    try:
        simulation = Simulation(node)
    except UnboundedPattern:
        return None
    if simulation.length < limits.LEAST_SEARCHED:
        return None
    found_in = simulation.has_match
    return lambda text: (text.isascii() or _is_unicode(text)) and found_in(text)


def _is_unicode(text: str) -> bool:
    """Whether *text* has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _count_reading_steps(node: nodes.Node) -> int:
    """Estimate the steps of writing *node* for an engine and compiling it there."""
    steps = 0
    for part in nodes.walk(node):
        steps += isinstance(part, nodes.Chars | nodes.Anchor)
        if isinstance(part, nodes.Chars):
            # The engines make a table for a set with characters beyond Latin-1.
            is_wide = len(part.ranges) > 1 and part.ranges[-1][1] > 0xFF
            steps += 10 * len(part.ranges) + (200 if is_wide else 0)
    return steps


def _count_ranges(node: nodes.Node) -> int:
    """Return how many ranges of characters *node* has when each repetition is written out."""
    match node:
        case nodes.Chars(ranges):
            return 1 + len(ranges)
        case nodes.Sequence(parts) | nodes.Choice(parts):
            return sum(map(_count_ranges, parts))
        case nodes.Repeat(part, low, high):
            return _count_ranges(part) * (low + 1 if high is None else high)
        case nodes.Look() | nodes.Anchor():
            return 1
        case _:
            assert_never(node)


class _Style(NamedTuple):
    """Syntax of one regex engine, where engines differ.

    #: point: returns the escape of a code point
    #: nothing: an expression that never matches
    #: start, end: the start and the end of the text
    #: boundary: a word boundary
    #: max_count: the largest count of a repetition, or None for no limit
    """

    point: Callable[[int], str]
    nothing: str
    start: str
    end: str
    boundary: str
    max_count: int | None


# Before Python 3.14 `\B` does not match in the empty text, so it is written as "not `\b`".
_RE = _Style(escape_code_point, "(?!)", r"\A", r"\Z", r"(?a:\b)", None)
_RE2 = _Style(lambda code: f"\\x{{{code:x}}}", r"[^\x{0}-\x{10ffff}]", r"\A", r"\z", r"\b", 1000)
# The crate `regex` of Rust.
_RUST = _RE2._replace(start="^", end="$")
# ECMA-262 as XGrammar reads it, which repeats no part more often.
_ECMA = _RUST._replace(
    point=lambda code: f"\\u{code:04x}" if code < 0x10000 else f"\\u{{{code:x}}}", max_count=128
)


def _write_node(node: nodes.Node, style: _Style) -> str:
    """Write *node* as a regular expression in the syntax *style* of an engine."""
    match node:
        case nodes.Chars(ranges):
            return _write_class(ranges, style)
        case nodes.Sequence(parts):
            return "".join([_write_group(part, style, nodes.Choice) for part in parts])
        case nodes.Choice(branches):
            return "|".join([_write_node(branch, style) for branch in branches])
        case nodes.Repeat(part, low, high):
            return _write_repetition(
                _write_group(part, style, nodes.Choice | nodes.Sequence | nodes.Repeat),
                low,
                high,
                style,
            )
        case nodes.Look(part, behind, negative):
            sign = ("<" if behind else "") + ("!" if negative else "=")
            return f"(?{sign}{_write_node(part, style)})"
        case nodes.Anchor(kind):
            return _write_anchor(kind, style)
        case _:
            assert_never(node)


def _write_anchor(kind: nodes.AnchorKind, style: _Style) -> str:
    """Write the anchor *kind* in the syntax *style* of a regex engine."""
    match kind:
        case "^":
            return style.start
        case "$":
            return style.end
        case "b":
            return style.boundary
        case "B":
            return f"(?!{style.boundary})"
        case _:
            assert_never(kind)


def _write_group(node: nodes.Node, style: _Style, loose: Any) -> str:
    """Write *node* in *style*, in a non-capturing group if its class is in *loose*."""
    text = _write_node(node, style)
    return f"(?:{text})" if isinstance(node, loose) else text


def _write_repetition(part: str, low: int, high: int | None, style: _Style) -> str:
    """Write *part* repeated *low* to *high* times, in steps below the engine's limit."""
    step = style.max_count
    out = []
    # A count above the engine's limit is written as several repetitions.
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


def _write_class(ranges: Charset, style: _Style) -> str:
    """Write the character set *ranges* as a character class for a regex engine."""
    if not ranges:
        return style.nothing
    if ranges == ALL:
        return "(?s:.)"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _write_code_point(ranges[0][0], style)
    # A class that includes the last character is shorter when it is negated.
    negative = ranges[-1][1] == LAST
    each = [
        _write_code_point(low, style)
        if low == high
        else f"{_write_code_point(low, style)}-{_write_code_point(high, style)}"
        for low, high in (make_complement(ranges) if negative else ranges)
    ]
    return f"[{'^' if negative else ''}{''.join(each)}]"


def _write_code_point(code: int, style: _Style) -> str:
    """Write *code* as a character if alphanumeric, else as an escape of *style*."""
    return chr(code) if code < 0x7F and chr(code).isalnum() else style.point(code)
