"""Bounds on host values that JSON writes as text, such as a `Decimal`.

They are checked on the object that the function gets or returns, and told in the description.  So
is whether dates and times have an offset.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from typesig.algebra.constructors import (
    get_description,
    make_maybe,
    make_noted,
    make_refined,
    strip_annotations,
)
from typesig.algebra.nodes import ANY, DATETIME, STRING, Maybe, Refinement
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.extraction.encoder import encode
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.metadata import NumericLimit
from typesig.extraction.python_types.decoders import Decode, HostError, LeafDecoder
from typesig.extraction.python_types.leaves import find_leaf, is_enum, make_leaf_decoder
from typesig.extraction.python_types.plan_decoder import CheckedDecoder, decode_by_plan


class _BoundTest(NamedTuple):
    """A comparison of a value with a bound, and its words in a message."""

    words: str
    test: Callable[[Any, Any], bool]


def _has_digits(value: Any, most: tuple[int | None, int | None]) -> bool:
    """Whether a decimal has at most *most* digits and decimal places, as pydantic counts them.

    Zeros at the end do not count if it has too many with them.
    """
    _, written, exponent = value.as_tuple()
    # `normalize` would round to the precision of the context.
    text = "".join(map(str, written))
    kept = len(text.rstrip("0")) or 1
    short = exponent + len(text) - kept if any(written) else 0
    counts = map(min, _count_digits(len(text), exponent), _count_digits(kept, short))
    digits, places = most
    whole = None if digits is None or places is None else max(0, digits - places)
    limits = zip(counts, (digits, places, whole), strict=True)
    return all(limit is None or count <= limit for count, limit in limits)


def _count_digits(digits: int, exponent: int) -> tuple[int, int, int]:
    """Count the digits, decimal places and digits before the point of a decimal."""
    places = max(0, -exponent)
    size = max(digits + max(0, exponent), places)
    return size, places, size - places


#: How a host's value relates to a bound.
_RELATIONS: Mapping[ConstraintName | Literal["digits"], _BoundTest] = {
    "at_least": _BoundTest("at least", operator.ge),
    "above": _BoundTest("above", operator.gt),
    "at_most": _BoundTest("at most", operator.le),
    "below": _BoundTest("below", operator.lt),
    "multiple_of": _BoundTest(
        "a multiple of", lambda value, bound: bool(value % bound == value - value)
    ),
    "digits": _BoundTest("at most", _has_digits),
}


def is_checked_on_host(cls: Any) -> bool:
    """Whether bounds on *cls* apply to Python values, as its JSON form is text."""
    if cls in (Any, object):
        # Nobody knows what JSON spells.
        return True
    if not isinstance(cls, type) or issubclass(cls, str) or is_enum(cls):
        return False
    leaf = find_leaf(cls)
    if leaf is None or leaf.decode is None:
        return False
    t = leaf.type.inner if isinstance(leaf.type, Refinement) else leaf.type
    return t in (STRING, DATETIME)


def has_length(cls: type) -> bool:
    """Whether values of *cls* have a length."""
    # An enum class has a length itself, which its members do not have.
    return any("__len__" in vars(ancestor) for ancestor in cls.__mro__)


class _ChecksByClass:
    """The bound checks of a type, by class; a value must pass at least one check."""

    __slots__ = ("by_class",)

    def __init__(self) -> None:
        self.by_class: dict[Any, Callable[[Any], Any]] = {}

    def __call__(self, value: Any) -> Any:
        refusals = []
        for check in self.by_class.values():
            try:
                return check(value)
            except HostError as error:
                refusals.append(error)
        raise refusals[0]


def with_bounds(
    context: HintContext, inner: HostType, bounds: list[NumericLimit], cls: Any, text: str | None
) -> HostType:
    """Add *bounds*, checked on the Python values of *cls*, to the host type *inner*.

    *text* is its description, to which the bounds are added.
    """
    # Without a measure, the bound is on the length of what has one.
    sized = isinstance(cls, type) and has_length(cls)
    measured = [
        bound._replace(measure="length" if sized else "value") if bound.measure is None else bound
        for bound in bounds
    ]
    unit = "bytes" if cls is not Any and cls is not object else "items or characters"
    texts = [describe_bound(bound, unit) for bound in measured]
    whole = inner.type.inner if isinstance(inner.type, Maybe) else inner.type
    known = filter(None, [text, get_description(whole)])
    t = make_noted(strip_annotations(whole), ", ".join([*known, *texts]))
    check = _make_bound_check(inner.decode, measured, texts)
    if strip_annotations(whole) != ANY or not context.output:
        # A result of any type is JSON already where it is checked.
        checks = context.findings.bounds.setdefault(t, _ChecksByClass())
        assert isinstance(checks, _ChecksByClass)
        checks.by_class[cls] = check
    whole = make_maybe(t) if isinstance(inner.type, Maybe) else t
    # Comparisons of these run no function of others.
    is_pure = getattr(cls, "__module__", "") in ("datetime", "decimal")
    return inner._replace(type=whole, decode=LeafDecoder(check, is_pure))


def describe_bound(bound: NumericLimit, unit: str) -> str:
    """Describe *bound* in words; *unit* is the unit of a length."""
    if bound.relation == "digits":
        counts = zip(bound.argument, ("digit", "decimal place"), strict=True)
        parts = [f"{n} {noun}{'' if n == 1 else 's'}" for n, noun in counts if n is not None]
        return f"at most {', '.join(parts)}"
    words, text = _RELATIONS[bound.relation].words, encode(bound.argument)
    text = text.isoformat() if hasattr(text, "isoformat") else text
    return f"{words} {text} {unit}" if bound.measure == "length" else f"{words} {text}"


def _make_bound_check(
    decode: Decode, bounds: list[NumericLimit], texts: list[str]
) -> CheckedDecoder:
    """Build the function that decodes a value and checks *bounds*."""
    tests = [(_RELATIONS[b.relation].test, b.argument) for b in bounds if b.measure != "length"]
    has_lengths = len(tests) < len(bounds)

    def check(made: Any) -> None:
        try:
            if not has_lengths and all(test(made, limit) for test, limit in tests):
                return
        except (TypeError, ArithmeticError):
            pass
        outside = [
            text
            for bound, text in zip(bounds, texts, strict=True)
            if made is not None and not _is_within(bound, made)
        ]
        if outside:
            raise HostError(f"expected {', '.join(outside)}")

    return CheckedDecoder(decode, check)


def _is_within(bound: NumericLimit, value: Any) -> bool:
    """Whether *value*, or its length, satisfies *bound*; false if not comparable."""
    try:
        measured = len(value) if bound.measure == "length" else value
        return _RELATIONS[bound.relation].test(measured, bound.argument)
    except (TypeError, ArithmeticError):
        return False


_WITHOUT = "without an offset"


def can_have_offset(cls: Any) -> bool:
    """Whether values of *cls*, such as `datetime` or `time`, can have a UTC offset."""
    return _get_kind(cls) in ("datetime", "time")


def _get_kind(cls: Any) -> str:
    """Return the name of *cls* if it is a class of the module `datetime`, else ""."""
    return cls.__name__ if isinstance(cls, type) and cls.__module__ == "datetime" else ""


def with_offset(context: HintContext, found: HostType, cls: Any, needed: bool) -> HostType:
    """Make the date or time type *found* require an offset if *needed*, else refuse it."""
    if needed:
        # `:datetime` has an offset always.
        is_time = _get_kind(cls) == "time" and not context.ptc_runner
        timed = make_refined(STRING, [Constraint("format", "offset-time")])
        return found._replace(type=timed) if is_time else found
    t = make_noted(found.type, _WITHOUT)
    if found.type == DATETIME and not context.output:
        t = make_noted(STRING, f"a date and time {_WITHOUT}")
    decode = _make_offset_check(cls)
    context.findings.bounds[t] = decode
    return found._replace(type=t, decode=LeafDecoder(decode))


def _make_offset_check(cls: Any) -> Callable[[Any], Any]:
    """Make a function that decodes a date or time *cls* and refuses a UTC offset."""
    leaf = find_leaf(cls)
    assert leaf is not None
    decode = make_leaf_decoder(leaf, cls)

    def checked(value: Any) -> Any:
        made = decode_by_plan(decode, value)
        if made.tzinfo is not None:
            raise HostError(f"expected a {_get_kind(cls)} {_WITHOUT}")
        return made

    return checked
