"""Bounds on host values that JSON spells as text: on a `Decimal` they bound the number.

They are checked on the object that the function gets or returns, and told in the description.  So
is whether dates and times have an offset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from typesig.algebra.constructors import bare, maybe, noted, refined, text_of
from typesig.algebra.nodes import ANY, DATETIME, STRING, Maybe, Refined
from typesig.algebra.rows.constraints import Constraint, ConstraintName
from typesig.extraction.encoding import encode
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.metadata import Bound
from typesig.extraction.hosts.decoded import decoded
from typesig.extraction.hosts.decoders import Decode, HostError, Leaf
from typesig.extraction.hosts.enums import is_enum
from typesig.extraction.hosts.host_leaves import decoder_of_leaf, leaf_above


class _Relation(NamedTuple):
    words: str
    test: Callable[[Any, Any], bool]


def _multiple(value: Any, bound: Any) -> bool:
    return bool(value % bound == value - value)


def _has_digits(value: Any, most: tuple[int | None, int | None]) -> bool:
    """Whether a decimal has at most *most* digits and decimal places, as pydantic counts them.

    Zeros at the end do not count if it has too many with them.
    """
    counts = map(min, _count_digits(value), _count_digits(value.normalize()))
    digits, places = most
    whole = None if digits is None or places is None else max(0, digits - places)
    limits = zip(counts, (digits, places, whole), strict=True)
    return all(limit is None or count <= limit for count, limit in limits)


def _count_digits(value: Any) -> tuple[int, int, int]:
    """Digits, decimal places, and digits before the point of a decimal."""
    _, digits, exponent = value.as_tuple()
    places = max(0, -exponent)
    size = max(len(digits) + max(0, exponent), places)
    return size, places, size - places


#: How a host's value relates to a bound.
_RELATIONS: Mapping[ConstraintName | Literal["digits"], _Relation] = {
    "at_least": _Relation("at least", lambda value, bound: bool(value >= bound)),
    "above": _Relation("above", lambda value, bound: bool(value > bound)),
    "at_most": _Relation("at most", lambda value, bound: bool(value <= bound)),
    "below": _Relation("below", lambda value, bound: bool(value < bound)),
    "multiple_of": _Relation("a multiple of", _multiple),
    "digits": _Relation("at most", _has_digits),
}


def is_host(cls: Any) -> bool:
    """Return whether bounds on *cls* are checked on its values, since JSON spells them as text."""
    if cls in (Any, object):
        # Nobody knows what JSON spells.
        return True
    if not isinstance(cls, type) or issubclass(cls, str) or is_enum(cls):
        return False
    leaf = leaf_above(cls)
    if leaf is None or leaf.decode is None:
        return False
    t = leaf.type.inner if isinstance(leaf.type, Refined) else leaf.type
    return t in (STRING, DATETIME)


def has_length(cls: type) -> bool:
    """Return whether values of *cls* have a length."""
    # An enum class has a length itself, which its members do not have.
    return any("__len__" in vars(ancestor) for ancestor in cls.__mro__)


class _Checks:
    """The checks of one type with bounds, by the class of the hint; one has to take a value."""

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
    context: HintContext, inner: HostType, bounds: list[Bound], cls: Any, text: str | None
) -> HostType:
    """Return *inner*, the type of *cls*, with *bounds* that are checked on the host's value.

    *text* is its description, to which the bounds are added.
    """
    # Without a measure, the bound is on the length of what has one.
    sized = isinstance(cls, type) and has_length(cls)
    measured = [
        bound._replace(measure="length" if sized else "value") if bound.measure is None else bound
        for bound in bounds
    ]
    unit = "bytes" if cls is not Any and cls is not object else "items or characters"
    texts = [told(bound, unit) for bound in measured]
    whole = inner.type.inner if isinstance(inner.type, Maybe) else inner.type
    known = filter(None, [text, text_of(whole)])
    t = noted(bare(whole), ", ".join([*known, *texts]))
    check = _checked(inner.decode, measured, texts)
    if bare(whole) != ANY or not context.output:
        # A result of any type is JSON already where it is checked.
        checks = context.findings.bounds.setdefault(t, _Checks())
        assert isinstance(checks, _Checks)
        checks.by_class[cls] = check
    whole = maybe(t) if isinstance(inner.type, Maybe) else t
    return inner._replace(type=whole, decode=Leaf(check))


def told(bound: Bound, unit: str) -> str:
    """Return *bound* in words; *unit* is what a length counts."""
    if bound.relation == "digits":
        counts = zip(bound.argument, ("digit", "decimal place"), strict=True)
        parts = [f"{n} {noun}{'' if n == 1 else 's'}" for n, noun in counts if n is not None]
        return f"at most {', '.join(parts)}"
    words, text = _RELATIONS[bound.relation].words, encode(bound.argument)
    text = text.isoformat() if hasattr(text, "isoformat") else text
    return f"{words} {text} {unit}" if bound.measure == "length" else f"{words} {text}"


def _checked(decode: Decode, bounds: list[Bound], texts: list[str]) -> Callable[[Any], Any]:
    """Return what decodes a value and refuses it if it is not within *bounds*."""

    def checked(value: Any) -> Any:
        made = decoded(decode, value)
        outside = [
            text
            for bound, text in zip(bounds, texts, strict=True)
            if made is not None and not _holds(bound, made)
        ]
        if outside:
            raise HostError(f"expected {', '.join(outside)}")
        return made

    return checked


def _holds(bound: Bound, value: Any) -> bool:
    """Return whether *value* is within *bound*; a value that cannot be compared is not."""
    try:
        measured = len(value) if bound.measure == "length" else value
        return _RELATIONS[bound.relation].test(measured, bound.argument)
    except (TypeError, ArithmeticError):
        return False


_WITHOUT = "without an offset"


def takes_offset(cls: Any) -> bool:
    """Return whether values of *cls* can have an offset."""
    return _kind(cls) in ("datetime", "time")


def _kind(cls: Any) -> str:
    return cls.__name__ if isinstance(cls, type) and cls.__module__ == "datetime" else ""


def with_offset(context: HintContext, found: HostType, cls: Any, needed: bool) -> HostType:
    """Return *found*, the type of *cls*, with an offset if one is *needed*, else without one."""
    if needed:
        # `:datetime` has an offset always.
        is_time = _kind(cls) == "time" and not context.ptc_runner
        timed = refined(STRING, [Constraint("format", "offset-time")])
        return found._replace(type=timed) if is_time else found
    t = noted(found.type, _WITHOUT)
    if found.type == DATETIME and not context.output:
        t = noted(STRING, f"a date and time {_WITHOUT}")
    decode = _without_offset(cls)
    context.findings.bounds[t] = decode
    return found._replace(type=t, decode=Leaf(decode))


def _without_offset(cls: Any) -> Callable[[Any], Any]:
    """Return what makes an object of *cls* and refuses it if it has an offset."""
    leaf = leaf_above(cls)
    assert leaf is not None
    decode = decoder_of_leaf(leaf, cls)

    def checked(value: Any) -> Any:
        made = decoded(decode, value)
        if made.tzinfo is not None:
            raise HostError(f"expected a {_kind(cls)} {_WITHOUT}")
        return made

    return checked
