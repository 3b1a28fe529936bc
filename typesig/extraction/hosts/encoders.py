"""Encode plans: the positions of serializers in the hint of a result.

A plan is data, a closed set of shapes; `typesig.extraction.serializer` writes values by it.  The
parts of a hint without serializers have no plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias


class LeafEncoder(NamedTuple):
    """Plan of a hint with a serializer.

    #: takes: whether a value is one of the hint, by its class alone
    #: write: writes it
    """

    takes: Callable[[Any], bool]
    write: Callable[[Any], Any]


class ItemsEncoder(NamedTuple):
    """Plan of a collection whose items have serializers."""

    item: EncodePlan


class TupleEncoder(NamedTuple):
    """Plan of a tuple; *rest* writes any number of items at position *open_at*."""

    parts: Sequence[Encode]
    rest: Encode
    open_at: int | None


class MapEncoder(NamedTuple):
    """Plan of a map."""

    key: Encode
    item: Encode


class NullableEncoder(NamedTuple):
    """Plan of a hint that also accepts None."""

    inner: EncodePlan


class UnionEncoder(NamedTuple):
    """Plan of a union: the first branch that accepts a value writes it.

    What it writes has to fit the type of the branch, whose test comes with it.
    """

    branches: Sequence[tuple[Callable[[Any], bool], Encode]]


class RecordEncoder(NamedTuple):
    """Plan of a record of *cls*; *parts* has the plans by output name.

    *rest* writes the values of undeclared keys.  A class that has no instances, such as a
    protocol, is None; a TypedDict is `dict`.
    """

    cls: Any
    parts: Mapping[str, Encode]
    rest: Encode


class LazyEncoder(NamedTuple):
    """Plan of a named type: *known* has the plan for *key* when a value is written."""

    known: Mapping[Any, Encode]
    key: Any


class RootEncoder(NamedTuple):
    """Plan of a root model *cls*, whose root is written by *inner*."""

    cls: Any
    inner: EncodePlan


EncodePlan: TypeAlias = (
    LeafEncoder
    | ItemsEncoder
    | TupleEncoder
    | MapEncoder
    | NullableEncoder
    | UnionEncoder
    | RecordEncoder
    | LazyEncoder
    | RootEncoder
)

#: The encode plan of a hint; None if no part of it has a serializer.
Encode: TypeAlias = EncodePlan | None


def make_items(item: Encode) -> Encode:
    """Return the plan of a collection whose items *item* writes."""
    return None if item is None else ItemsEncoder(item)


def make_tuple(parts: Sequence[Encode], rest: Encode, open_at: int | None) -> Encode:
    """Return the plan of a tuple; *rest* writes any number of items at position *open_at*."""
    return TupleEncoder(parts, rest, open_at) if rest is not None or any(parts) else None


def make_map(key: Encode, item: Encode) -> Encode:
    """Return the plan of a map."""
    return None if key is None and item is None else MapEncoder(key, item)


def make_nullable(inner: Encode) -> Encode:
    """Return the plan of a nullable hint."""
    return None if inner is None else NullableEncoder(inner)


def make_union(branches: Sequence[tuple[Callable[[Any], bool], Encode]]) -> Encode:
    """Return the plan of a union, each branch with the test of its type."""
    return UnionEncoder(branches) if any(branch for _, branch in branches) else None


def make_record(cls: Any, parts: Mapping[str, Encode], rest: Encode = None) -> Encode:
    """Return the plan of a record, or None if no part has a serializer."""
    return RecordEncoder(cls, parts, rest) if rest is not None or any(parts.values()) else None


def make_root(cls: Any, inner: Encode) -> Encode:
    """Return the plan of a root model *cls*, whose root *inner* writes."""
    return None if inner is None else RootEncoder(cls, inner)
