"""Bounds on host types that JSON spells as text: they bound the host's value, not the text.

They are checked on the object that the function gets or returns, and told in the description.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import Any, NamedTuple

from typesig.algebra.constraints import COMPARISONS, Constraint, ConstraintName
from typesig.algebra.constructors import maybe, noted
from typesig.algebra.nodes import DATETIME, STRING, Maybe, Refined
from typesig.extraction.context import HintContext, HostType
from typesig.extraction.decoders import Decode, HostError
from typesig.extraction.encoding import encode
from typesig.extraction.enums import is_enum
from typesig.extraction.leaves import leaf_above
from typesig.extraction.metadata import read_metadata


class HostBound(NamedTuple):
    """One bound on a host's value, or on its length.

    #: relation: how the value relates to the bound; is_length: whether its length does
    """

    relation: ConstraintName
    bound: Any
    is_length: bool

    def told(self) -> str:
        """Return the bound in words."""
        words = _RELATIONS[self.relation].words
        text = encode(self.bound)
        text = text.isoformat() if hasattr(text, "isoformat") else text
        return f"{words} {text} bytes" if self.is_length else f"{words} {text}"

    def holds(self, value: Any) -> bool:
        """Return whether *value* is within the bound."""
        measured = len(value) if self.is_length else value
        return _RELATIONS[self.relation].test(measured, self.bound)


class _Relation(NamedTuple):
    words: str
    test: Callable[[Any, Any], bool]


def _multiple(value: Any, bound: Any) -> bool:
    return bool(value % bound == value - value)


#: How a host's value relates to a bound.
_RELATIONS: Mapping[ConstraintName, _Relation] = {
    "at_least": _Relation("at least", lambda value, bound: bool(value >= bound)),
    "above": _Relation("above", lambda value, bound: bool(value > bound)),
    "at_most": _Relation("at most", lambda value, bound: bool(value <= bound)),
    "below": _Relation("below", lambda value, bound: bool(value < bound)),
    "multiple_of": _Relation("a multiple of", _multiple),
}

_VALUES: dict[str, ConstraintName] = {
    "ge": "at_least", "gt": "above", "le": "at_most", "lt": "below", "multiple_of": "multiple_of",
}  # fmt: skip
_LENGTHS: dict[str, ConstraintName] = {"min_length": "at_least", "max_length": "at_most"}
_PACKAGES = ("annotated_types", "pydantic", "msgspec")


def _bounds_of(item: Any, sized: bool) -> Iterator[HostBound]:
    """Yield the bounds that *item*, metadata beside a hint, states."""
    name, home = type(item).__name__, type(item).__module__
    if isinstance(item, Constraint):
        if item.name in _RELATIONS:
            yield HostBound(item.name, item.argument.thaw(), sized)
    elif name == "FieldInfo" and hasattr(item, "metadata"):
        for inner in item.metadata:
            yield from _bounds_of(inner, sized)
    elif home == "attr.validators":
        if name == "_NumberValidator" and item.compare_op in COMPARISONS:
            yield HostBound(COMPARISONS[item.compare_op], item.bound, False)
        for attribute in _LENGTHS if name in ("_MaxLengthValidator", "_MinLengthValidator") else ():
            if hasattr(item, attribute):
                yield HostBound(_LENGTHS[attribute], getattr(item, attribute), True)
    elif home.partition(".")[0] in _PACKAGES:
        for names, is_length in ((_VALUES, False), (_LENGTHS, True)):
            for attribute, relation in names.items():
                bound = getattr(item, attribute, None)
                if bound is not None and not (attribute == "min_length" and not bound):
                    yield HostBound(relation, bound, is_length)


def _host_of(hint: Any) -> Any:
    """Return the host type of *hint*, which may also admit None, or None if JSON has its form."""
    if typing.get_origin(hint) in (typing.Union, UnionType):
        kept = [each for each in typing.get_args(hint) if each is not type(None)]
        hint = kept[0] if len(kept) == 1 else None
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    if not isinstance(hint, type) or issubclass(hint, str) or is_enum(hint):
        return None
    leaf = leaf_above(hint)
    if leaf is None or leaf.decode is None:
        return None
    t = leaf.type.inner if isinstance(leaf.type, Refined) else leaf.type
    return hint if t in (STRING, DATETIME) else None


def is_bounded_host(hint: Any, _origin: Any) -> bool:
    """Return whether *hint* is a host type that JSON spells as text, with bounds."""
    cls = _host_of(hint.__origin__) if hasattr(hint, "__metadata__") else None
    if cls is None:
        return False
    return any(True for item in hint.__metadata__ for _ in _bounds_of(item, True))


def read_bounded_host(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return the type of a host type with bounds, which are checked on the host's value."""
    cls, inner = _host_of(hint.__origin__), context.read(hint.__origin__)
    sized = hasattr(cls, "__len__")
    found = [bound for item in hint.__metadata__ for bound in _bounds_of(item, sized)]
    kept = [bound for bound in found if sized or not bound.is_length]
    if len(kept) < len(found):
        context.warn(hint, "a value of it has no length", "bound the value, or write str")
    if context.ptc_runner:
        context.warn(
            hint,
            'profile="ptc_runner" has no bounds, so they are left out',
            "check them in the function",
        )
        return inner
    text = ", ".join([*filter(None, [read_metadata(hint.__metadata__).text]), *_told(kept)])
    bare = inner.type.inner if isinstance(inner.type, Maybe) else inner.type
    t = noted(bare, text or None)
    decode = _checked(inner.decode, kept)
    context.findings.bounds[t] = decode
    return HostType(maybe(t) if isinstance(inner.type, Maybe) else t, decode, inner.nil)


def _told(bounds: list[HostBound]) -> list[str]:
    return [bound.told() for bound in bounds]


def _checked(decode: Decode, bounds: list[HostBound]) -> Callable[[Any], Any]:
    """Return what decodes a value and refuses it if it is not within *bounds*."""

    def checked(value: Any) -> Any:
        made = value if decode is None else decode(value)
        outside = [bound.told() for bound in bounds if made is not None and not bound.holds(made)]
        if outside:
            raise HostError(f"expected {', '.join(outside)}")
        return made

    return checked
