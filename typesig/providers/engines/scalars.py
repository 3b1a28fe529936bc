"""Numbers and texts, lowered: bounds, steps, lengths, patterns, formats, excluded constants."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Any

from typesig.algebra import nodes
from typesig.algebra.constructors import make_both, make_refined
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.algebra.rows.values import Const
from typesig.limits.engines import MAX_BRANCHES, MAX_LEFT_OUT, MAX_LEFT_OUT_WORD
from typesig.notations.json_schema.keywords import IPV6, NEVER, SPELLINGS
from typesig.patterns import measure_width, parse_pattern, to_whole_pattern
from typesig.providers.engines.engine import LoweringState, Path, get_constants, unite_types
from typesig.relations.bounds import (
    Bounds,
    Limit,
    TextLimits,
    find_common_multiple,
    read_bounds,
    read_text_limits,
)
from typesig.relations.normal_form import Parts

# --- Numbers: bounds, steps, and constants that are left out ---


def lower_numbers(
    settler: LoweringState,
    shapes: Iterable[nodes.Type],
    others: Parts,
    limits: list[Limit],
    at: Path,
) -> nodes.Type:
    """Lower the type of numbers in all *shapes* and *limits* and in none of *others*."""
    is_int = nodes.INT in shapes
    found = read_bounds(limits)
    without = {Fraction(value.value) for value in get_constants(others, "number")}
    if not all(isinstance(other, nodes.Enum) for other in others):
        # Of scalars, only integers are some numbers and not all; and they are none here.
        settler.lose(at, "numbers that are no integers", "any number")
    if found.missed:
        settler.lose(at, "numbers that are no multiples of another", "any number")
    found = _limit_steps(settler, found, is_int, at)
    pieces = _split_at(found, sorted(without))
    if len(pieces) > MAX_BRANCHES:
        settler.lose(at, "constants that are left out", "any number")
        pieces = [found]
    return unite_types([_lower_range(settler, piece, is_int, at) for piece in pieces])


def _limit_steps(settler: LoweringState, found: Bounds, is_int: bool, at: Path) -> Bounds:
    """Copy *found* with at most one step, which must be supported by the engine."""
    if not found.steps:
        return found
    enforced = settler.enforced
    is_bounded = found.low is not None or found.high is not None
    is_lost = enforced.steps == "none" or (enforced.steps == "integers" and not is_int)
    if is_lost or (is_bounded and not enforced.bounded_steps):
        settler.lose(at, "a step", "any number")
        return found._replace(steps=())
    step = Fraction(found.step) if is_int else reduce(find_common_multiple, found.steps)
    if max(step.numerator, step.denominator) > enforced.most_step:
        settler.lose(at, "a step of so many digits", "any number")
        return found._replace(steps=())
    return found._replace(steps=() if is_int and step == 1 else (step,))


def _split_at(found: Bounds, values: list[Fraction]) -> list[Bounds]:
    """Split the range *found* at the sorted *values*, which are excluded."""
    out = []
    for value in values:
        if _has(found, value):
            out.append(found._replace(high=value, below=True))
            found = found._replace(low=value, above=True)
    return [*out, found]


def _has(found: Bounds, value: Fraction) -> bool:
    """Whether *value* lies within the bounds *found*."""
    above = found.low is None or value > found.low or (value == found.low and not found.above)
    below = found.high is None or value < found.high or (value == found.high and not found.below)
    return above and below


def _lower_range(settler: LoweringState, found: Bounds, is_int: bool, at: Path) -> nodes.Type:
    """Lower the bounds and steps *found* to an integer or float type."""
    scalar = nodes.INT if is_int else nodes.FLOAT
    for step in found.steps or ((Fraction(1),) if is_int else ()):
        # The nearest multiples are the bounds, so that the engine has no range without a value.
        low, above = _find_multiple(found.low, found.above, step, 1)
        high, below = _find_multiple(found.high, found.below, step, -1)
        found = found._replace(low=low, above=above, high=high, below=below)
    if found.empty:
        return NEVER
    constraints = [
        *_make_bound(settler, "above" if found.above else "at_least", found.low, at),
        *_make_bound(settler, "below" if found.below else "at_most", found.high, at),
        *[Constraint("multiple_of", to_plain_number(step)) for step in found.steps],
    ]
    return make_refined(scalar, constraints)


def _find_multiple(
    value: Fraction | None, strict: bool, step: Fraction, sign: int
) -> tuple[Fraction | None, bool]:
    """Return the nearest multiple of *step* from *value* on, up if *sign* is 1, else down."""
    if value is None:
        return None, False
    count = -((-sign * value) // step)
    if strict and count * step == sign * value:
        count += 1
    return sign * count * step, False


def _make_bound(
    settler: LoweringState, name: ConstraintName, value: Fraction | None, at: Path
) -> list[Constraint]:
    """Make a list with the bound *name* at *value*, empty if the engine is inexact."""
    if value is None:
        return []
    enforced = settler.enforced
    shown = to_plain_number(value)
    digits = -int(Decimal(repr(shown)).as_tuple().exponent) if type(shown) is float else 0
    if abs(value) <= enforced.most_bound and digits <= enforced.most_digits:
        return [Constraint(name, shown)]
    settler.lose(at, f"a bound of {shown:.3g}", "no bound")
    return []


def to_plain_number(value: Fraction) -> int | float:
    """Convert the fraction *value* to an int if it is integral, otherwise to a float."""
    return value.numerator if value.denominator == 1 else float(value)


def is_exact(settler: LoweringState, value: Const) -> bool:
    """Whether the engine writes all digits of the numbers in *value*."""
    match value.kind:
        case "int":
            return bool(abs(value.value) <= settler.enforced.most_bound)
        case "float":
            number = value.value
            text = repr(number)
            if text == "-0.0" or "e" in text or abs(number) > settler.enforced.most_bound:
                return False
            is_long = settler.enforced.long_constants
            return not is_long or f"{number:.17g}" == text.removesuffix(".0")
        case "list":
            return all(is_exact(settler, item) for item in value.value)
        case "map":
            return all(is_exact(settler, pair.const) for pair in value.value)
        case _:
            return True


# --- A pattern of all texts but some ---

_ANY = r"[\s\S]"

#: What stands for the end of a word in the tree of words.
_END = ""


def exclude_words(words: Iterable[str]) -> str | None:
    r"""Write a pattern of all texts except *words*; return None if *words* is too long.

    >>> exclude_words(["ab", "a"])
    '^(?:[^a][\\s\\S]*|a(?:[^b][\\s\\S]*|b(?:[\\s\\S]+)))?$'
    """
    root: dict[str, Any] = {}
    left = MAX_LEFT_OUT
    for word in words:
        left -= len(word) + 1
        if left < 0 or len(word) > MAX_LEFT_OUT_WORD:
            return None
        place = root
        for sign in word:
            place = place.setdefault(sign, {})
        place[_END] = None
    return f"^{_write_branch(root)}$"


def _write_branch(place: dict[str, Any]) -> str:
    """Write a pattern of the texts allowed after the prefix of the trie node *place*."""
    signs = [sign for sign in place if sign != _END]
    first = f"[^{''.join(map(_escape, signs))}]{_ANY}*" if signs else f"{_ANY}+"
    branches = [first, *[f"{_escape(sign)}{_write_branch(place[sign])}" for sign in signs]]
    return f"(?:{'|'.join(branches)}){'' if _END in place else '?'}"


def _escape(sign: str) -> str:
    """Escape a character, *sign*, for a regular expression, unless it is alphanumeric."""
    if sign.isascii() and sign.isalnum():
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else sign


# --- Texts: lengths, patterns, formats, and constants that are left out ---

# Patterns of formats that JSON Schema has a name for and engines have not, or take loosely; each
# with what it lets through beyond the format, or empty.
_DAYS = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
_FOURTH = "(?:0[48]|[2468][048]|[13579][26])"
_LEAP = f"(?:[0-9]{{2}}{_FOURTH}|{_FOURTH}00)-02-29"
# There is no year 0.
_YEAR = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"

_DATE = f"(?:{_YEAR}-{_DAYS}|{_LEAP})"
_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_TIME = (
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?"
    "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_POINTER = "(?:/(?:[^~/]|~[01])*)*"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = f"{_LABEL}(?:\\.{_LABEL})*"
_WORD = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = f'(?:{_WORD}(?:\\.{_WORD})*|"(?:[ !#-\\[\\]-~]|\\\\[ -~])*")'
_IN_URI = "[!#-;=?-\\[\\]_a-z~]"
_CLOCK = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_SPAN = "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"

PATTERNS: dict[str, tuple[str, str]] = {
    "date": (f"^{_DATE}$", ""),
    "date-time": (f"^{_DATE}[Tt]{_TIME}$", "such a text, with a second 60 in each minute"),
    "time": (f"^{_TIME}$", "such a text, with a second 60 in each minute"),
    "ipv4": (f"^(?:{_BYTE}\\.){{3}}{_BYTE}$", ""),
    "duration": (f"^P(?:[0-9]+W|{_SPAN}(?:{_CLOCK})?|{_CLOCK})$", ""),
    "email": (
        f"^{_LOCAL}@(?:{_HOST}|\\[[0-9A-Za-z.:]*\\])$",
        "such a text of any length or address",
    ),
    "hostname": (f"^{_HOST}$", "such a name of any length or script"),
    "ipv6": (f"^(?:{IPV6})$", ""),
    "uri": (f"^[A-Za-z][A-Za-z0-9+.-]*:{_IN_URI}*$", "a scheme and the characters of a URI"),
    "uri-reference": (f"^{_IN_URI}*$", "the characters of a URI"),
    "uuid": ("^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$", ""),
    "json-pointer": (f"^{_POINTER}$", ""),
    "relative-json-pointer": (f"^(?:0|[1-9][0-9]*)(?:#|{_POINTER})$", ""),
}


def lower_texts(settler: LoweringState, others: Parts, limits: list[Limit], at: Path) -> nodes.Type:
    """Lower the type of texts within *limits* and outside *others*."""
    found = read_text_limits(limits)
    if found.high is not None and found.low > found.high:
        return NEVER
    low, high = settler.limit_size((found.low, found.high), at)
    if found.not_formats or found.not_patterns:
        settler.lose(at, "texts without a pattern or a format", "any text")
    parts = _collect_patterns(settler, found, others, at)
    lengths = []
    if low > 0:
        lengths.append(Constraint("at_least", low))
    if high is not None:
        lengths.append(Constraint("at_most", high))
    if lengths and parts and not settler.enforced.lengths_beside:
        if not _is_implied(parts, low, high):
            settler.lose(at, "a length beside a pattern or a format", "the pattern or the format")
        lengths = []
    if lengths and not _counts(settler, low, high, bool(parts), at):
        settler.lose(at, "a length", "any length")
        lengths = []
    if len(parts) > 1 and not settler.enforced.many_patterns:
        settler.lose(at, "several patterns or formats", "the first of them")
        del parts[1:]
    first = make_refined(nodes.STRING, [*lengths, *parts[:1]])
    return make_both([first, *[make_refined(nodes.STRING, [each]) for each in parts[1:]]])


def _counts(
    settler: LoweringState, low: int, high: int | None, has_pattern: bool, at: Path
) -> bool:
    """Whether the engine enforces a length from *low* to *high*; it may cost escapes, a loss."""
    raw = settler.enforced.raw_length
    if not raw or has_pattern:
        return settler.enforced.lengths
    if max(low, high or 0) > raw:
        return False
    settler.drop(at, "a character that JSON escapes, within a length")
    return True


def _collect_patterns(
    settler: LoweringState, found: TextLimits, others: Parts, at: Path
) -> list[Constraint]:
    """Collect the pattern and format constraints in *found* that the engine supports."""
    out: list[Constraint] = []
    for name in found.formats:
        out += _lower_format(settler, name, at)
    for text in found.patterns:
        out += _lower_pattern(settler, text, at)
    words = [value.value for value in get_constants(others, "string")]
    if words:
        without = exclude_words(words)
        if without is None:
            settler.lose(at, "texts that are left out", "any text")
        else:
            out += _lower_pattern(settler, without, at)
    return list(dict.fromkeys(out))


def _lower_format(settler: LoweringState, name: str, at: Path) -> list[Constraint]:
    """Constraints the engine enforces for the format *name*; losses are recorded."""
    spelled = SPELLINGS[name]
    written = spelled.get("format")
    if written is None:
        return _lower_pattern(settler, spelled["pattern"], at)
    loose = settler.enforced.formats.get(written)
    if loose == "":
        return [Constraint("format", name)]
    own, beyond = PATTERNS.get(written, ("", ""))
    if own and loose is None and settler.enforced.takes(own):
        if beyond:
            settler.lose(at, f"the format {name}", beyond)
        return [Constraint("pattern", own)]
    settler.lose(at, f"the format {name}", loose or "any text")
    return [] if loose is None else [Constraint("format", name)]


def _lower_pattern(settler: LoweringState, text: str, at: Path) -> list[Constraint]:
    """Make a list with the constraint for the pattern *text*, empty if unsupported."""
    if settler.enforced.takes(text):
        if settler.enforced.narrows(text):
            settler.drop(at, "a character that JSON escapes, within a pattern")
        return [Constraint("pattern", text)]
    settler.lose(at, f"the pattern {text}", "any text")
    return []


def _is_implied(parts: list[Constraint], low: int, high: int | None) -> bool:
    """Whether the first pattern of *parts* implies a length from *low* to *high*."""
    text = parts[0].argument.value
    if parts[0].name != "pattern" or to_whole_pattern(text) is None:
        return False
    least, most = measure_width(parse_pattern(text))
    return least >= low and (high is None or (most is not None and most <= high))
