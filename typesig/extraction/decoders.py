"""Decoders: algebra values to the Python objects that hints promise.

A decoder gets a value that the check has passed.  To add a host type, add a row to `LEAVES` in
`leaves`.
"""

from __future__ import annotations

import threading
import types
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from typesig.algebra.values import Const, Keyword, const, exact

#: An algebra value to a host object; None if they are the same.
Decode = Callable[[Any], Any] | None


class Encoder(NamedTuple):
    """How values of a hint that has serializers are written.

    #: takes: whether a value is one of the hint, by its class alone; a union chooses by it
    #: write: writes the parts with serializers; a value that is not of the hint stays as it is
    """

    takes: Callable[[Any], bool]
    write: Callable[[Any], Any]


#: The encoder of a hint; None if no part of it has a serializer.
Encode = Encoder | None


class HostError(Exception):
    """A value that a host type refuses, or a host object that has no JSON form.

    #: steps: the path of the value, from the inside out
    #: bottom: the object at which the nesting was found too deep, or None
    #: loop: the steps of one turn of a loop of references, or None
    #: more: other refusals, each with its own path from the same place
    #: shows: whether messages show the value
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.steps: list[str | int] = []
        self.bottom: object = None
        self.loop: list[str | int] | None = None
        self.more: list[HostError] = []
        self.shows = True

    def copy(self) -> HostError:
        """Return the same refusal with a path of its own."""
        other = HostError(self.message)
        other.steps = self.steps[:]
        other.bottom, other.loop, other.shows = self.bottom, self.loop, self.shows
        other.more = [each.copy() for each in self.more]
        return other

    def unwound(self, value: object) -> None:
        """Shorten the path to one turn of the loop if *value* is the object at the bottom."""
        if self.bottom is not None and self.bottom is value:
            self.loop = self.steps if self.loop is None else self.loop
            self.steps = list(self.loop)


def refusal_of(error: Exception) -> HostError:
    """Return *error*, raised by a host type's constructor, as a `HostError`."""
    return HostError(str(error).strip().partition("\n")[0][:200] or type(error).__name__)


def at(step: str | int, decode: Callable[[Any], Any], value: Any) -> Any:
    """Return what *decode* makes of *value*; a `HostError` gets *step* added to its path."""
    try:
        return decode(value)
    except HostError as error:
        for each in (error, *error.more):
            each.steps.append(step)
        raise


def _gathered(first: HostError | None, error: HostError, step: str | int) -> HostError:
    """Return *first*, or *error* if there is none, with *error* among its refusals.

    *error*, of the part at *step*, gets *step* added to its path.
    """
    for each in (error, *error.more):
        each.steps.append(step)
    if first is None:
        return error
    first.more += [error, *error.more]
    error.more = []
    return first


def float_of(value: Any) -> float:
    """Return the number *value* as a float; raise `HostError` if no float is equal to it."""
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number != value:
        raise HostError("expected float, got an int that is not exactly a float")
    return number


def items(item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the decoder of a collection: *item* decodes its items, *build* makes it of a list."""
    if item is None:
        return None if build is None else lambda value: build_or_refuse(build, exact(value))

    def decode(value: Any) -> Any:
        first: HostError | None = None
        out: list[Any] = []
        for element in exact(value):
            try:
                made = item(element)
            except HostError as error:
                first, made = _gathered(first, error, len(out)), None
            out.append(made)
        if first is not None:
            raise first
        return out if build is None else build_or_refuse(build, out)

    return decode


def build_or_refuse(build: Callable[[Any], Any], parts: Any) -> Any:
    """Return what *build* makes of *parts*; raise `HostError` if it cannot."""
    try:
        return build(parts)
    except (TypeError, ValueError) as error:
        raise refusal_of(error) from error


def positions(
    parts: tuple[Decode, ...],
    build: Callable[[Any], Any],
    rest: Decode = None,
    open_at: int | None = None,
) -> Decode:
    """Return the decoder of a tuple; *rest* decodes any number of items at position *open_at*."""

    def decode(value: Any) -> Any:
        value = exact(value)
        more = len(value) - len(parts) if isinstance(value, list | tuple) else -1
        if more < 0 or (more and open_at is None):
            raise HostError(
                f"expected a list of {len(parts)}{'' if open_at is None else ' or more'}"
            )
        split = len(parts) if open_at is None else open_at
        each = (*parts[:split], *[rest] * more, *parts[split:])
        out = list(value)
        steps = ((place, place, part) for place, part in enumerate(each) if part is not None)
        _decode_places(out, steps)
        return build(iter(out))

    return decode


def mapping(key: Decode, item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the decoder of a map."""
    if key is None and item is None:
        return None if build is None else lambda value: build_or_refuse(build, exact(value))

    def decode(value: Any) -> Any:
        first: HostError | None = None
        out: dict[Any, Any] = {}
        for k, v in exact(value).items():
            name = k if key is None else at(str(k), key, k)
            try:
                out[name] = v if item is None else item(v)
            except HostError as error:
                first = _gathered(first, error, str(k))
        if first is not None:
            raise first
        return out if build is None else build_or_refuse(build, out)

    return decode


def maybe(inner: Decode) -> Decode:
    """Return the decoder of a nullable type."""
    return None if inner is None else lambda value: None if value is None else inner(value)


def either(
    branches: tuple[tuple[Callable[[Any], bool], Decode], ...],
    undeclared: Callable[[int, Any], int] | None = None,
) -> Decode:
    """Return the decoder of a union: the first branch that accepts the value decodes it.

    If there are several records, *undeclared* returns how many keys of a value the branch at a
    place does not declare; the branch with the fewest decodes a map, as the check has taken it.
    """
    if all(decode is None for _, decode in branches):
        return None

    def decode(value: Any) -> Any:
        return once(tried, value) if isinstance(value, dict | list) else tried(value)

    def tried(value: Any) -> Any:
        reason: HostError | None = None
        fitting = range(len(branches))
        if undeclared is not None and isinstance(value, dict):
            # Sorting keeps the order of equals.
            counts = {place: undeclared(place, value) for place in fitting}
            fitting = sorted(fitting, key=counts.__getitem__)  # type: ignore[assignment]
        for fits, branch in map(branches.__getitem__, fitting):
            if fits(value):
                try:
                    return value if branch is None else branch(value)
                except HostError as error:
                    reason = reason or error
        if reason is not None:
            raise reason
        return value

    return decode


class _Memory(threading.local):
    """What unions have decoded within the outermost one.

    #: known: a value, what it was decoded to, or why it was refused, by decoder and value
    """

    known: dict[tuple[int, int], tuple[Any, Any, HostError | None]] | None = None


_memory = _Memory()


def once(decode: Callable[[Any], Any], value: Any) -> Any:
    """Return what *decode* makes of *value*, which it does once within the outermost union.

    What is below a union is decoded for each branch: without a memory, the branches of unions
    within each other would be tried twice as often at each level.
    """
    known, key = _memory.known, (id(decode), id(value))
    if known is None:
        _memory.known = {}
        try:
            return decode(value)
        finally:
            _memory.known = None
    if key not in known:
        made, refused = None, None
        try:
            made = decode(value)
        except HostError as error:
            refused = error
        # The value is kept alive, so that its id stays its own.
        known[key] = value, made, refused
    _, made, refused = known[key]
    if refused is not None:
        raise refused.copy()
    return made


def constants(members: dict[Const, Any]) -> Decode:
    """Return the decoder of an enum, from each constant to its member."""
    if all(
        member is known.value and type(member) is not Keyword for known, member in members.items()
    ):
        return None
    return lambda value: members.get(const(value), value)


def decode_later(known: dict[Any, Decode], key: Any) -> Decode:
    """Return the decoder that *known* will have for *key* by the time a value is decoded."""

    def decode(value: Any) -> Any:
        found = known[key]
        return value if found is None else found(value)

    return decode


class FieldPlan:
    """How one field of a record reaches the host.

    #: name: the declared name; attribute: the host's name for it
    #: nil: whether the host gets None if the field is absent
    #: encode: its encoder in a result
    """

    __slots__ = ("attribute", "decode", "encode", "name", "nil")

    def __init__(
        self, name: str, attribute: str, decode: Decode, nil: bool, encode: Encode = None
    ) -> None:
        self.name = name
        self.attribute = attribute
        self.decode = decode
        self.nil = nil
        self.encode = encode


def named(
    plans: tuple[FieldPlan, ...], build: Callable[..., Any] | None, rest: Decode = None
) -> Decode:
    """Return the decoder of a record; *build* takes the fields by name, or is None for a dict.

    *rest* decodes the values of undeclared keys.
    """
    if build is None:
        return _decoder_of_dict(plans, rest)
    if rest is not None:
        return _decoder_with_others(plans, build, rest)
    names = tuple(plan.name for plan in plans)
    attributes = tuple(plan.attribute for plan in plans)
    absent = tuple(None if plan.nil and plan.decode is None else _ABSENT for plan in plans)
    steps = [
        (place, plan.name, plan.decode)
        for place, plan in enumerate(plans)
        if plan.decode is not None
    ]
    in_order = _takes_in_order(build, attributes)
    decode_present = _decoder_with_others(plans, build, None)

    def decode(value: Any) -> Any:
        if type(value) is not dict:
            value = exact(value)
        parts = list(map(value.get, names, absent))
        if _ABSENT in parts:
            return decode_present(value)
        if steps:
            _decode_places(parts, steps)
        try:
            if in_order:
                return build(*parts)
            return build(**dict(zip(attributes, parts, strict=True)))
        except (TypeError, ValueError) as error:
            raise refusal_of(error) from error

    return decode


_ABSENT: Any = object()


def _decode_places(parts: list[Any], steps: Iterable[tuple[int, str | int, Any]]) -> None:
    """Decode some of *parts* in place; raise all refusals as one `HostError`.

    *steps* has the place of a part, its step in a path and its decoder.
    """
    first: HostError | None = None
    for place, step, decode in steps:
        part = parts[place]
        if decode is float_of and type(part) is float:
            continue
        try:
            parts[place] = decode(part)
        except HostError as error:
            first = _gathered(first, error, step)
    if first is not None:
        raise first


def _takes_in_order(build: Any, names: tuple[str, ...]) -> bool:
    """Return whether *build* is a class whose constructor takes just *names*, by position too."""
    init = getattr(build, "__init__", None)
    if type(build) is not type or not isinstance(init, types.FunctionType):
        # The constructor of a struct of msgspec is not written in Python.
        is_struct = type(build).__name__ == "StructMeta" and init is object.__init__
        return is_struct and build.__struct_fields__ == build.__match_args__ == names
    code = init.__code__
    if code.co_kwonlyargcount or code.co_flags & _VARIADIC:
        return False
    makes: object = build.__new__
    return makes is object.__new__ and code.co_varnames[1 : code.co_argcount] == names


#: The flags of code that takes `*args` or `**kwargs`, which `inspect` is not imported for.
_VARIADIC = 0x04 | 0x08


def _decoder_of_dict(plans: tuple[FieldPlan, ...], rest: Decode) -> Decode:
    """Return the decoder of a record to a dict; a value that needs no decoding stays as it is."""
    if rest is None and not any(plan.decode or plan.nil for plan in plans):
        return None
    rows = [(plan.name, plan.decode, plan.nil) for plan in plans if plan.decode or plan.nil]
    declared = frozenset(plan.name for plan in plans)

    def decode(value: Any) -> Any:
        value = exact(value)
        first: HostError | None = None
        out = value
        others = [] if rest is None else [(k, rest, False) for k in value if k not in declared]
        for name, part, nil in (*rows, *others) if others else rows:
            made = old = value.get(name, _ABSENT)
            if old is _ABSENT:
                made = None if nil else old
            elif part is not None and not (part is float_of and type(old) is float):
                try:
                    made = part(old)
                except HostError as error:
                    first = _gathered(first, error, name)
            if made is not old:
                out = dict(value) if out is value else out
                out[name] = made
        if first is not None:
            raise first
        return out

    return decode


def _decoder_with_others(
    plans: tuple[FieldPlan, ...], build: Callable[..., Any], rest: Decode
) -> Callable[[Any], Any]:
    """Return the decoder of a record that may lack fields, or take undeclared keys by name."""
    rows = [(plan.name, plan.attribute, plan.decode, plan.nil) for plan in plans]
    declared = frozenset(plan.name for plan in plans)

    def decode(value: Any) -> Any:
        value = exact(value)
        first: HostError | None = None
        out: dict[str, Any] = {}
        others = [] if rest is None else [(k, k, rest, False) for k in value if k not in declared]
        for name, attribute, part, nil in (*rows, *others) if others else rows:
            made = value.get(name, _ABSENT)
            if made is _ABSENT:
                if nil:
                    out[attribute] = None
                continue
            if part is not None:
                try:
                    made = part(made)
                except HostError as error:
                    first = _gathered(first, error, name)
            out[attribute] = made
        if first is not None:
            raise first
        try:
            return build(**out)
        except (TypeError, ValueError) as error:
            raise refusal_of(error) from error

    return decode
