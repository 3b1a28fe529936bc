"""Numbers as JSON writes them: within bounds, digit by digit."""

from __future__ import annotations

from fractions import Fraction

from typesig.engine_limits import MAX_EXPONENT
from typesig.providers.engines.grammar.shapes import (
    Literal,
    Part,
    chars,
    choice,
    optional,
    repeat,
    sequence,
)

_DIGIT = chars("09")
_MORE = chars("19")

#: A whole number without bounds, and a number without bounds.
ANY_INTEGER = sequence(
    optional(Literal("-")), choice([Literal("0"), sequence(_MORE, repeat(_DIGIT, 0, None))])
)
ANY_NUMBER = sequence(
    ANY_INTEGER,
    optional(sequence(".", repeat(_DIGIT, 1, None))),
    optional(sequence(chars("EEee"), optional(chars("++--")), repeat(_DIGIT, 1, MAX_EXPONENT))),
)


def integers(low: int | None, high: int | None) -> Part:
    """Return the whole numbers from *low* to *high*, of which None is no bound."""
    if low is None and high is None:
        return ANY_INTEGER
    branches: list[Part] = []
    if low is None or low < 0:
        least = 1 if high is None or high >= 0 else -high
        branches.append(sequence("-", _natural(least, None if low is None else -low)))
    if high is None or high >= 0:
        branches.append(_natural(max(low or 0, 0), high))
    return choice(branches)


def _natural(low: int, high: int | None) -> Part:
    """Return the numbers from *low*, which is not negative, to *high*."""
    branches: list[Part] = []
    size = len(str(low))
    most = None if high is None else len(str(high))
    if most == size:
        return _same_size(str(low), str(high))
    branches.append(_same_size(str(low), "9" * size))
    if most is None:
        branches.append(sequence(_MORE, repeat(_DIGIT, size, None)))
        return choice(branches)
    if most > size + 1:
        branches.append(sequence(_MORE, repeat(_DIGIT, size, most - 2)))
    branches.append(_same_size("1" + "0" * (most - 1), str(high)))
    return choice(branches)


def _same_size(low: str, high: str) -> Part:
    """Return the numbers from *low* to *high*, which have equally many digits."""
    if low == high:
        return Literal(low)
    same = 0
    while low[same] == high[same]:
        same += 1
    left = len(low) - same - 1
    first, last = int(low[same]), int(high[same])
    branches: list[Part] = []
    if low[same + 1 :].strip("0"):
        branches.append(sequence(str(first), _same_size(low[same + 1 :], "9" * left)))
        first += 1
    tail: list[Part] = []
    if high[same + 1 :].strip("9"):
        tail = [sequence(str(last), _same_size("0" * left, high[same + 1 :]))]
        last -= 1
    if first <= last:
        branches.append(sequence(_digits(first, last), repeat(_DIGIT, left, left)))
    return sequence(low[:same], choice([*branches, *tail]))


def _digits(first: int, last: int) -> Part:
    return Literal(str(first)) if first == last else chars(f"{first}{last}")


def numbers_within(
    low: Fraction | None, high: Fraction | None, above: bool = False, below: bool = False
) -> Part:
    """Return the numbers from *low* to *high*, without those if *above* or *below*.

    Bounds are decimal fractions.  Numbers have no exponent if there is a bound.
    """
    if low is None and high is None:
        return ANY_NUMBER
    branches: list[Part] = []
    if low is None or low < 0 or (low == 0 and not above):
        least, strict = (-high, below) if high is not None and high < 0 else (Fraction(0), False)
        strict = strict or (high == 0 and below)
        most = None if low is None else -low
        branches.append(sequence("-", _positive(least, most, strict, above)))
    if high is None or high > 0 or (high == 0 and not below):
        is_low = low is not None and low >= 0
        least, strict = (low, above) if is_low and low is not None else (Fraction(0), False)
        branches.append(_positive(least, high, strict, below))
    return choice(branches)


def _positive(low: Fraction, high: Fraction | None, above: bool, below: bool) -> Part:
    """Return the numbers from *low*, which is not negative, to *high*."""
    whole, part = _split(low)
    if high is not None and int(high) == int(low):
        return sequence(str(whole), _fractions(part, _split(high)[1], above, below))
    branches = [sequence(str(whole), _fractions(part, None, above, False))]
    last = None if high is None else int(high) - 1
    if last is None or last > whole:
        branches.append(sequence(_natural(whole + 1, last), _ANY_FRACTION))
    if high is not None:
        end = _split(high)[1]
        if end or not below:
            branches.append(sequence(str(int(high)), _fractions("", end, False, below)))
    return choice(branches)


def _split(value: Fraction) -> tuple[int, str]:
    """Return the whole part of *value*, and the digits behind its point."""
    whole = int(value)
    rest = value - whole
    digits = ""
    while rest:
        rest *= 10
        digits += str(int(rest))
        rest -= int(rest)
    return whole, digits


_ANY_FRACTION = optional(sequence(".", repeat(_DIGIT, 1, None)))


def _fractions(low: str, high: str | None, above: bool, below: bool) -> Part:
    """Return what may stand behind a whole number: a fraction from *low* to *high*, in digits.

    Both may be empty, which is zero; without *high* it is less than one.
    """
    behind = _behind(low, high, above, below, True)
    assert behind is not None  # a range without numbers has no grammar
    part = sequence(".", behind)
    has_zero = not low and not above and bool(high or not below)
    return optional(part) if has_zero else part


def _behind(low: str, high: str | None, above: bool, below: bool, needs: bool) -> Part | None:
    """Return the digits of fractions from *low* to *high*, one or more if *needs*, or None."""
    if high is None:
        return _at_least(low, above, needs)
    if not low and not above:
        return _at_most(high, below, needs)
    first, last = int((low or "0")[0]), int((high or "0")[0])
    branches: list[Part | None] = []
    if first == last:
        inner = _behind(low[1:], high[1:], above, below, bool(low[1:]) or above)
        return _with_digit(first, inner)
    branches.append(_with_digit(first, _at_least(low[1:], above, False)))
    if last - first > 1:
        branches.append(sequence(_digits(first + 1, last - 1), repeat(_DIGIT, 0, None)))
    branches.append(_with_digit(last, _at_most(high[1:], below, False)))
    return _one_of(branches)


def _at_least(low: str, above: bool, needs: bool) -> Part | None:
    if not low:
        if above:
            return sequence(repeat(Literal("0"), 0, None), _MORE, repeat(_DIGIT, 0, None))
        return repeat(_DIGIT, 1 if needs else 0, None)
    first = int(low[0])
    branches = [_with_digit(first, _at_least(low[1:], above, False))]
    if first < 9:
        branches.append(sequence(_digits(first + 1, 9), repeat(_DIGIT, 0, None)))
    return _one_of(branches)


def _at_most(high: str, below: bool, needs: bool) -> Part | None:
    if not high:
        return None if below else repeat(Literal("0"), 1 if needs else 0, None)
    first = int(high[0])
    branches: list[Part | None] = []
    if first:
        branches.append(sequence(_digits(0, first - 1), repeat(_DIGIT, 0, None)))
    branches.append(_with_digit(first, _at_most(high[1:], below, False)))
    made = _one_of(branches)
    # Fewer digits are less.
    return made if needs or made is None else optional(made)


def _with_digit(digit: int, rest: Part | None) -> Part | None:
    return None if rest is None else sequence(str(digit), rest)


def _one_of(branches: list[Part | None]) -> Part | None:
    found = [branch for branch in branches if branch is not None]
    return choice(found) if found else None
