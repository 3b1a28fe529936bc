"""Numbers and texts in a grammar: digits within bounds; lengths, patterns, excluded keys."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from typesig import patterns
from typesig.algebra.rows.constraints import Constraint
from typesig.errors import Unsupported, format_value
from typesig.limits.engines import MAX_EXPONENT, MAX_REPEATED
from typesig.providers.engines.scalars import exclude_words
from typesig.providers.grammars import shapes
from typesig.providers.grammars.shapes import (
    Choice,
    GrammarSpelling,
    Literal,
    Part,
    Quotes,
    Repeat,
    Sequence,
    Signs,
    intersect_ranges,
    make_chars,
    make_choice,
    make_optional,
    make_repeat,
    make_sequence,
)

# --- Numbers as JSON writes them: within bounds, digit by digit ---

_DIGIT = make_chars("09")
_MORE = make_chars("19")

#: A whole number without bounds, and a number without bounds.
ANY_INTEGER = make_sequence(
    make_optional(Literal("-")),
    make_choice([Literal("0"), make_sequence(_MORE, make_repeat(_DIGIT, 0, None))]),
)
ANY_NUMBER = make_sequence(
    ANY_INTEGER,
    make_optional(make_sequence(".", make_repeat(_DIGIT, 1, None))),
    make_optional(
        make_sequence(
            make_chars("EEee"),
            make_optional(make_chars("++--")),
            make_repeat(_DIGIT, 1, MAX_EXPONENT),
        )
    ),
)


def limit_digits(part: Part, most: int | None) -> Part:
    """Bound the repetitions in *part*, a number, to *most*; None leaves it unchanged.

    >>> limit_digits(make_repeat(Literal("0"), 1, None), 3)
    Repeat(part=Literal(text='0'), low=1, high=3)
    """
    if most is None:
        return part
    match part:
        case Sequence(parts):
            return Sequence(tuple([limit_digits(each, most) for each in parts]))
        case Choice(branches):
            return Choice(tuple([limit_digits(each, most) for each in branches]))
        case Repeat(each, low, high):
            high = max(low, most if low else most - 1) if high is None else high
            return Repeat(limit_digits(each, most), low, high)
        case _:
            return part


def make_integers(low: int | None, high: int | None) -> Part:
    """Build the whole numbers from *low* to *high*; None means unbounded."""
    if low is None and high is None:
        return ANY_INTEGER
    branches: list[Part] = []
    if low is None or low < 0:
        least = 1 if high is None or high >= 0 else -high
        branches.append(make_sequence("-", _make_natural(least, None if low is None else -low)))
    if high is None or high >= 0:
        branches.append(_make_natural(max(low or 0, 0), high))
    return make_choice(branches)


def _make_natural(low: int, high: int | None) -> Part:
    """Build the part for the integers from *low*, at least 0, to *high*."""
    branches: list[Part] = []
    size = len(str(low))
    most = None if high is None else len(str(high))
    if most == size:
        return _make_same_size(str(low), str(high))
    branches.append(_make_same_size(str(low), "9" * size))
    if most is None:
        branches.append(make_sequence(_MORE, make_repeat(_DIGIT, size, None)))
        return make_choice(branches)
    if most > size + 1:
        branches.append(make_sequence(_MORE, make_repeat(_DIGIT, size, most - 2)))
    branches.append(_make_same_size("1" + "0" * (most - 1), str(high)))
    return make_choice(branches)


def _make_same_size(low: str, high: str) -> Part:
    """Build the part for the numerals from *low* to *high*, equal in length."""
    if low == high:
        return Literal(low)
    same = 0
    while low[same] == high[same]:
        same += 1
    left = len(low) - same - 1
    first, last = int(low[same]), int(high[same])
    branches: list[Part] = []
    if low[same + 1 :].strip("0"):
        branches.append(make_sequence(str(first), _make_same_size(low[same + 1 :], "9" * left)))
        first += 1
    tail: list[Part] = []
    if high[same + 1 :].strip("9"):
        tail = [make_sequence(str(last), _make_same_size("0" * left, high[same + 1 :]))]
        last -= 1
    if first <= last:
        branches.append(
            make_sequence(_make_digit_range(first, last), make_repeat(_DIGIT, left, left))
        )
    return make_sequence(low[:same], make_choice([*branches, *tail]))


def _make_digit_range(first: int, last: int) -> Part:
    """Part that matches a digit from *first* to *last*."""
    return Literal(str(first)) if first == last else make_chars(f"{first}{last}")


def make_numbers(
    low: Fraction | None, high: Fraction | None, above: bool = False, below: bool = False
) -> Part:
    """Build the part for decimals from *low* to *high*, exclusive if *above* or *below*.

    Bounds are decimal fractions.  Numbers have no exponent if there is a bound.
    """
    if low is None and high is None:
        return ANY_NUMBER
    branches: list[Part] = []
    if low is None or low < 0 or (low == 0 and not above):
        least, strict = (-high, below) if high is not None and high < 0 else (Fraction(0), False)
        strict = strict or (high == 0 and below)
        most = None if low is None else -low
        branches.append(make_sequence("-", _make_positive(least, most, strict, above)))
    if high is None or high > 0 or (high == 0 and not below):
        is_low = low is not None and low >= 0
        least, strict = (low, above) if is_low and low is not None else (Fraction(0), False)
        branches.append(_make_positive(least, high, strict, below))
    return make_choice(branches)


def _make_positive(low: Fraction, high: Fraction | None, above: bool, below: bool) -> Part:
    """Build the part for decimals from *low*, at least 0, to *high*."""
    whole, part = _split_digits(low)
    if high is not None and int(high) == int(low):
        return make_sequence(
            str(whole), _make_fractions(part, _split_digits(high)[1], above, below)
        )
    branches = [make_sequence(str(whole), _make_fractions(part, None, above, False))]
    last = None if high is None else int(high) - 1
    if last is None or last > whole:
        branches.append(make_sequence(_make_natural(whole + 1, last), _ANY_FRACTION))
    if high is not None:
        end = _split_digits(high)[1]
        if end or not below:
            branches.append(make_sequence(str(int(high)), _make_fractions("", end, False, below)))
    return make_choice(branches)


def _split_digits(value: Fraction) -> tuple[int, str]:
    """Return the whole part of *value*, and the digits behind its point."""
    whole = int(value)
    rest = value - whole
    digits = ""
    while rest:
        rest *= 10
        digits += str(int(rest))
        rest -= int(rest)
    return whole, digits


_ANY_FRACTION = make_optional(make_sequence(".", make_repeat(_DIGIT, 1, None)))


def _make_fractions(low: str, high: str | None, above: bool, below: bool) -> Part:
    """Build the part for the decimal point and the fraction digits from *low* to *high*.

    Both may be empty, which is zero; without *high* it is less than one.
    """
    behind = _make_fraction_digits(low, high, above, below, True)
    assert behind is not None  # a range without numbers has no grammar
    part = make_sequence(".", behind)
    has_zero = not low and not above and bool(high or not below)
    return make_optional(part) if has_zero else part


def _make_fraction_digits(
    low: str, high: str | None, above: bool, below: bool, needs: bool
) -> Part | None:
    """Part for digits behind a point, from *low* up to *high*, or None if there are none.

    *high* None is no bound; *above* and *below* exclude the bounds; *needs* asks for a digit where
    none would do.
    """
    is_free = not low and not above
    if high is None and not low:
        zeros = make_repeat(Literal("0"), 0, None)
        more = make_sequence(zeros, _MORE, make_repeat(_DIGIT, 0, None))
        return make_repeat(_DIGIT, int(needs), None) if is_free else more
    if is_free and high == "":
        return None if below else make_repeat(Literal("0"), int(needs), None)
    first = int(low[:1] or "0")
    last, behind = (9, None) if high is None else (int(high[:1] or "0"), high[1:])
    branches: list[Part | None] = []
    if first == last:
        inner = _make_fraction_digits(low[1:], behind, above, below, bool(low[1:]) or above)
        branches.append(_prefix_digit(first, inner))
    else:
        start, end = first + (not is_free), last - (high is not None)
        if not is_free:
            inner = _make_fraction_digits(low[1:], None, above, False, False)
            branches.append(_prefix_digit(first, inner))
        if start <= end:
            digit = _make_digit_range(start, end)
            branches.append(make_sequence(digit, make_repeat(_DIGIT, 0, None)))
        if high is not None:
            inner = _make_fraction_digits("", behind, False, below, False)
            branches.append(_prefix_digit(last, inner))
    found = [branch for branch in branches if branch is not None]
    made = make_choice(found) if found else None
    return make_optional(made) if made is not None and is_free and not needs else made


def _prefix_digit(digit: int, rest: Part | None) -> Part | None:
    """Sequence of *digit* and *rest*, or None if *rest* is None."""
    return None if rest is None else make_sequence(str(digit), rest)


# --- Texts in a grammar: any, of some lengths, of a pattern; and keys outside some names ---

#: What a key without quotes is made of here.
_LETTERS: patterns.Charset = ((65, 90), (95, 95), (97, 122))


def complete_pattern(pattern: str) -> patterns.Node | None:
    """Extend *pattern* to match complete texts; return None for inner assertions.

    >>> complete_pattern("^a$")
    Chars(ranges=((97, 97),))
    """
    node = patterns.extend_pattern(patterns.parse_pattern(pattern))
    return node if _is_plain(node) else None


def _is_plain(node: patterns.Node) -> bool:
    """Whether *node* has no anchors, lookarounds or large repetitions."""
    match node:
        case patterns.Chars(ranges):
            return bool(ranges)
        case patterns.Sequence(parts) | patterns.Choice(parts):
            return all(map(_is_plain, parts))
        case patterns.Repeat(part, low, high):
            return max(low, high or 0) <= MAX_REPEATED and _is_plain(part)
        case _:
            return False


def is_covered(node: patterns.Node, ranges: patterns.Charset) -> bool:
    """Whether all characters in texts of the pattern *node* are in *ranges*.

    >>> is_covered(patterns.parse_pattern("[a-c]"), ((97, 122),))
    True
    """
    return all(
        intersect_ranges(part.ranges, ranges) == part.ranges
        for part in patterns.walk(node)
        if isinstance(part, patterns.Chars)
    )


class TextShape(NamedTuple):
    """The constraints on a text in a grammar: length limits or one pattern."""

    low: int = 0
    high: int | None = None
    node: patterns.Node | None = None


def read_text_shape(constraints: Iterable[Constraint]) -> TextShape:
    """Lengths or the supported pattern in *constraints*."""
    found = TextShape()
    for each in constraints:
        match each.name:
            case "at_least":
                found = found._replace(low=each.argument.value)
            case "at_most":
                found = found._replace(high=each.argument.value)
            case _:
                found = found._replace(node=complete_pattern(each.argument.value))
    return found


def make_text(signs: Signs, wanted: TextShape, sign: shapes.Part) -> shapes.Part:
    """Build the part for text of the shape *wanted*; *sign* matches any one character."""
    if wanted.node is None:
        return shapes.make_repeat(sign, wanted.low, wanted.high)
    part = signs.spell_node(wanted.node, sign)
    assert part is not None  # every character can be spelt between quotes
    return part


def exclude_names(names: Iterable[str]) -> TextShape | None:
    """Build the shape of texts other than *names*; return None if impossible."""
    pattern = exclude_words(names)
    return None if pattern is None else TextShape(node=complete_pattern(pattern))


def make_bare_key(names: Iterable[str]) -> shapes.Part | None:
    """Build the part for an unquoted key other than *names*; return None if impossible.

    >>> make_bare_key(["a" * 99]) is None
    True
    """
    wanted = exclude_names([*names, ""])
    part = (
        None if wanted is None or wanted.node is None else Signs(_LETTERS).spell_node(wanted.node)
    )
    return None if part is None else shapes.Terminal(part)


def make_quoted_text(quotes: Quotes, wanted: TextShape) -> shapes.Part:
    """Build the part for text of the shape *wanted* between *quotes* without escapes."""
    assert wanted.node is not None
    part = quotes.signs.spell_node(wanted.node)
    assert part is not None  # it has texts of letters
    return shapes.Terminal(shapes.make_sequence(quotes.mark, part, quotes.mark))


def make_key(spelling: GrammarSpelling, name: str) -> shapes.Part:
    """Return the key *name*; raise `Unsupported` if it has no spelling."""
    if spelling.bare and name.isidentifier():
        return shapes.Literal(name)
    return shapes.make_choice([make_constant_text(quotes, name) for quotes in spelling.quotes])


def make_constant_text(quotes: Quotes, text: str) -> shapes.Part:
    """Return *text* between quotes; raise `Unsupported` if it has no spelling."""
    if quotes.is_plain and quotes.mark in text:
        raise Unsupported(f"no text has {format_value(quotes.mark)}, which ends it")
    word = text if quotes.is_plain else quotes.signs.spell_text(text)
    return shapes.Literal(f"{quotes.mark}{word}{quotes.mark}")
