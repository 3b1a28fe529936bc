"""Encoders: how the serializers in a hint write the parts of a result that they stand beside.

An encoder makes a host object in which these parts are written, and the others are as they were.
`encoding` writes the others, by the class of each object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence, Set
from functools import cache
from typing import Any

from typesig.extraction.hosts.decoders import Encode, Encoder, HostError, at, once


@cache
def _encoding() -> Any:
    """Return the module that writes values, which only calls need."""
    from typesig.extraction import encoding

    return encoding


def _guarded(takes: Callable[[Any], bool], write: Callable[[Any], Any]) -> Encoder:
    return Encoder(takes, lambda value: write(value) if takes(value) else value)


def _is_sequence(value: Any) -> bool:
    if isinstance(value, str | bytes | bytearray | memoryview) or hasattr(value, "_fields"):
        return False
    return isinstance(value, Sequence | Set | Iterator | MappingView)


def items(item: Encode) -> Encode:
    """Return the encoder of a collection whose items *item* writes."""
    if item is None:
        return None

    def write(value: Any) -> Any:
        out = [at(index, item.write, element) for index, element in enumerate(value)]
        if not isinstance(value, Set):
            return out
        return _encoding().set_of([_encoding().encode(each) for each in out])

    return _guarded(_is_sequence, write)


def positions(parts: Sequence[Encode], rest: Encode, open_at: int | None) -> Encode:
    """Return the encoder of a tuple; *rest* writes any number of items at position *open_at*."""
    if rest is None and not any(parts):
        return None
    split = len(parts) if open_at is None else open_at

    def takes(value: Any) -> bool:
        more = len(value) - len(parts) if isinstance(value, list | tuple) else -1
        return more == 0 or (more > 0 and open_at is not None)

    def write(value: Any) -> Any:
        each = (*parts[:split], *[rest] * (len(value) - len(parts)), *parts[split:])
        return [
            element if part is None else at(index, part.write, element)
            for index, (part, element) in enumerate(zip(each, value, strict=True))
        ]

    return _guarded(takes, write)


def mapping(key: Encode, item: Encode) -> Encode:
    """Return the encoder of a map."""
    if key is None and item is None:
        return None

    def write(value: Any) -> Any:
        return {
            (k if key is None else at(str(k), key.write, k)): _field(str(k), item, v)
            for k, v in value.items()
        }

    return _guarded(lambda value: isinstance(value, Mapping), write)


def _field(name: str, part: Encode, value: Any) -> Any:
    if part is None:
        return value
    try:
        return at(name, part.write, value)
    except HostError:
        if name.startswith("_"):
            # Private: no model sees it, so it need not be written.
            return value
        raise


def maybe(inner: Encode) -> Encode:
    """Return the encoder of a nullable hint."""
    if inner is None:
        return None
    return Encoder(
        lambda value: value is None or inner.takes(value),
        lambda value: None if value is None else inner.write(value),
    )


def either(branches: Sequence[tuple[Callable[[Any], bool], Encode]]) -> Encode:
    """Return the encoder of a union: the first branch that takes a value writes it.

    What it writes has to fit the type of the branch, whose test comes with it.
    """
    known = [(fits, branch) for fits, branch in branches if branch is not None]
    if not known:
        return None

    def write(value: Any) -> Any:
        reason: HostError | None = None
        for fits, branch in known:
            if branch.takes(value):
                try:
                    written = branch.write(value)
                    if fits(_encoding().encode(written)):
                        return written
                except HostError as error:
                    reason = reason or error
        if reason is not None and not any(_fits_plainly(fits, value) for fits, _ in branches):
            raise reason
        return value

    return Encoder(
        lambda value: any(branch.takes(value) for _, branch in known),
        lambda value: once(write, value),
    )


def _fits_plainly(fits: Callable[[Any], bool], value: Any) -> bool:
    try:
        return fits(_encoding().encode(value))
    except HostError:
        return False


def named(cls: Any, parts: Mapping[str, Encode], rest: Encode = None) -> Encode:
    """Return the encoder of a record of *cls*, whose *parts* come by the names that are written.

    *rest* writes the values of undeclared keys.  A class that has no instances, such as a
    protocol, is None; a TypedDict is `dict`.
    """
    if rest is None and not any(parts.values()):
        return None

    def takes(value: Any) -> bool:
        return isinstance(value, Mapping) or (
            _encoding().parts_of_record(value) is not None
            if cls is None
            else isinstance(value, cls)
        )

    def write(value: Any) -> Any:
        held = value if isinstance(value, Mapping) else _encoding().parts_of_record(value)
        if isinstance(held, Mapping):
            return {k: _field(str(k), parts.get(k, rest), v) for k, v in held.items()}
        if isinstance(held, list) and len(held) == len(parts):
            # A struct that is written as a list has its parts in their order.
            given = zip(parts.items(), held, strict=True)
            return [_field(name, part, element) for (name, part), element in given]
        return value

    return _guarded(takes, write)


def encode_later(known: Mapping[Any, Encode], key: Any) -> Encode:
    """Return the encoder that *known* will have for *key* by the time a value is written."""

    def takes(value: Any) -> bool:
        found = known[key]
        return found is not None and found.takes(value)

    def write(value: Any) -> Any:
        found = known[key]
        return value if found is None else found.write(value)

    return Encoder(takes, write)


def root(cls: Any, inner: Encode) -> Encode:
    """Return the encoder of a root model *cls*, whose root *inner* writes."""
    if inner is None:
        return None
    return _guarded(lambda value: isinstance(value, cls), lambda value: inner.write(value.root))
