"""Encode plans: where the serializers in a hint stand in a result.

A plan is data, a closed set of shapes; `typesig.extraction.serializing` writes values by it.  The
parts of a hint without serializers have no plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias


class Leaf(NamedTuple):
    """A hint with a serializer.

    #: takes: whether a value is one of the hint, by its class alone
    #: write: writes it
    """

    takes: Callable[[Any], bool]
    write: Callable[[Any], Any]


class Items(NamedTuple):
    """A collection whose items have serializers."""

    item: EncodePlan


class Positions(NamedTuple):
    """A tuple; *rest* writes any number of items at position *open_at*."""

    parts: Sequence[Encode]
    rest: Encode
    open_at: int | None


class Pairs(NamedTuple):
    """A map."""

    key: Encode
    item: Encode


class Nullable(NamedTuple):
    """A hint that takes None, too."""

    inner: EncodePlan


class Either(NamedTuple):
    """A union: the first branch that takes a value writes it.

    What it writes has to fit the type of the branch, whose test comes with it.
    """

    branches: Sequence[tuple[Callable[[Any], bool], Encode]]


class Named(NamedTuple):
    """A record of *cls*, whose *parts* come by the names that are written.

    *rest* writes the values of undeclared keys.  A class that has no instances, such as a
    protocol, is None; a TypedDict is `dict`.
    """

    cls: Any
    parts: Mapping[str, Encode]
    rest: Encode


class Later(NamedTuple):
    """What *known* will have for *key* by the time a value is written."""

    known: Mapping[Any, Encode]
    key: Any


class Root(NamedTuple):
    """A root model *cls*, whose root *inner* writes."""

    cls: Any
    inner: EncodePlan


EncodePlan: TypeAlias = Leaf | Items | Positions | Pairs | Nullable | Either | Named | Later | Root

#: The encode plan of a hint; None if no part of it has a serializer.
Encode: TypeAlias = EncodePlan | None


def items(item: Encode) -> Encode:
    """Return the plan of a collection whose items *item* writes."""
    return None if item is None else Items(item)


def positions(parts: Sequence[Encode], rest: Encode, open_at: int | None) -> Encode:
    """Return the plan of a tuple; *rest* writes any number of items at position *open_at*."""
    return Positions(parts, rest, open_at) if rest is not None or any(parts) else None


def mapping(key: Encode, item: Encode) -> Encode:
    """Return the plan of a map."""
    return None if key is None and item is None else Pairs(key, item)


def maybe(inner: Encode) -> Encode:
    """Return the plan of a nullable hint."""
    return None if inner is None else Nullable(inner)


def either(branches: Sequence[tuple[Callable[[Any], bool], Encode]]) -> Encode:
    """Return the plan of a union, each branch with the test of its type."""
    return Either(branches) if any(branch for _, branch in branches) else None


def named(cls: Any, parts: Mapping[str, Encode], rest: Encode = None) -> Encode:
    """Return the plan of a record; see `Named`."""
    return Named(cls, parts, rest) if rest is not None or any(parts.values()) else None


def root(cls: Any, inner: Encode) -> Encode:
    """Return the plan of a root model *cls*, whose root *inner* writes."""
    return None if inner is None else Root(cls, inner)
