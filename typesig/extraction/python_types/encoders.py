"""Encode plans: the positions of serializers in the hint of a result.

A plan is data, a closed set of shapes; `typesig.extraction.serializer` writes values by it.  The
parts of a hint without serializers have no plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias


class LeafEncoder(NamedTuple):
    """Encode plan of a hint with a serializer of its own.

    #: takes: whether a value is one of the hint, by its class alone
    #: write: writes it
    """

    takes: Callable[[Any], bool]
    write: Callable[[Any], Any]


class ItemsEncoder(NamedTuple):
    """Encode plan of a collection whose items have serializers."""

    item: EncodePlan


class TupleEncoder(NamedTuple):
    """Encode plan of a tuple; *rest* encodes any number of items at index *open_at*."""

    parts: Sequence[Encode]
    rest: Encode
    open_at: int | None


class MapEncoder(NamedTuple):
    """Encode plan of a map whose keys or values have serializers."""

    key: Encode
    item: Encode


class NullableEncoder(NamedTuple):
    """Encode plan of a hint that also accepts None."""

    inner: EncodePlan


class UnionEncoder(NamedTuple):
    """Encode plan of a union: the first branch that accepts a value encodes it.

    What it writes has to fit the type of the branch, whose test comes with it.
    """

    branches: Sequence[tuple[Callable[[Any], bool], Encode]]


class RecordEncoder(NamedTuple):
    """Encode plan of a record of *cls*; *parts* has the field plans by output name.

    *rest* writes the values of undeclared keys.  A class that has no instances, such as a
    protocol, is None; a TypedDict is `dict`.
    """

    cls: Any
    parts: Mapping[str, Encode]
    rest: Encode


class LazyEncoder(NamedTuple):
    """Encode plan of a named type, looked up in *known* when a value is encoded."""

    known: Mapping[Any, Encode]
    key: Any


class RootEncoder(NamedTuple):
    """Encode plan of a pydantic root model *cls*, whose root *inner* encodes."""

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
    """Return the encode plan of a collection with items encoded by *item*."""
    return None if item is None else ItemsEncoder(item)


def make_tuple(parts: Sequence[Encode], rest: Encode, open_at: int | None) -> Encode:
    """Return the encode plan of a tuple; *rest* encodes items at index *open_at*."""
    return TupleEncoder(parts, rest, open_at) if rest is not None or any(parts) else None


def make_map(key: Encode, item: Encode) -> Encode:
    """Return the encode plan of a map with keys encoded by *key* and values by *item*."""
    return None if key is None and item is None else MapEncoder(key, item)


def make_nullable(inner: Encode) -> Encode:
    """Return the encode plan of a hint that accepts None or a value for *inner*."""
    return None if inner is None else NullableEncoder(inner)


def make_union(branches: Sequence[tuple[Callable[[Any], bool], Encode]]) -> Encode:
    """Return the encode plan of a union of *branches*, pairs of a type test and a plan."""
    return UnionEncoder(branches) if any(branch for _, branch in branches) else None


def make_record(cls: Any, parts: Mapping[str, Encode], rest: Encode = None) -> Encode:
    """Return the encode plan of a record of *cls*; None if no field has a serializer."""
    return RecordEncoder(cls, parts, rest) if rest is not None or any(parts.values()) else None


def make_root(cls: Any, inner: Encode) -> Encode:
    """Return the encode plan of a pydantic root model *cls*, whose root *inner* encodes."""
    return None if inner is None else RootEncoder(cls, inner)
