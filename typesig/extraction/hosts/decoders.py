"""Decoders: algebra values to the Python objects that hints promise.

A decoder gets a value that the check has passed.  To add a host type, add a row to `LEAVES` in
`leaves`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import islice
from typing import Any

from typesig.algebra.rows.values import Const, Keyword, const, exact
from typesig.extraction.hosts.encoders import Encode

#: The number of items in a collection from which generated code takes less time.
MANY = 50

#: An algebra value to a host object; None if they are the same.
Decode = Callable[[Any], Any] | None


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


#: What `part_of` returns if it is not known how a part is decoded.
UNKNOWN: Any = object()


def part_of(decode: Decode, step: str | int) -> Any:
    """Return the decoder of the part at *step* of what *decode* reads, or `UNKNOWN`.

    What no decoder reads has parts that no decoder reads.
    """
    if decode is None:
        return None
    part: Callable[[str | int], Any] | None = getattr(decode, "part", None)
    return UNKNOWN if part is None else part(step)


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


def gathered(first: HostError | None, error: HostError, step: str | int) -> HostError:
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


#: The same in the words of JSON Schema.
_INEXACT = "expected number, got an integer that no double is"


def float_of(value: Any) -> float:
    """Return the number *value* as a float; raise `HostError` if no float is equal to it."""
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number != value:
        # Loaded for values that are refused only.
        from typesig.validation.issues.words import Phrase

        said = "expected float, got an int that is not exactly a float"
        raise HostError(Phrase(said, lambda _words: _INEXACT))
    return number


def items(item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the decoder of a collection: *item* decodes its items, *build* makes it of a list."""
    if item is None:
        return None if build is None else lambda value: build_or_refuse(build, exact(value))

    def decode(value: Any) -> Any:
        first: HostError | None = None
        value = exact(value)
        is_long = len(value) >= MANY
        out: list[Any] = firsts_of(item, value) if is_long else []
        decode_item = for_many(item) if is_long else item
        rest = iter(islice(value, len(out), None) if out else value)
        while True:
            try:
                # What is made before a refusal is kept.
                out.extend(map(decode_item, rest))
                break
            except HostError as error:
                first = gathered(first, error, len(out))
                out.append(None)
        if first is not None:
            raise first
        return out if build is None else build_or_refuse(build, out)

    decode.part = lambda _step: item  # type: ignore[attr-defined]
    if build is None:
        # What the items of a list are read by; see `typesig.extraction.onepass.handed`.
        decode.item = item  # type: ignore[attr-defined]
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
        decode_places(out, steps)
        return build(iter(out))

    # Behind a part that may be absent, the place of a part depends on their number.
    known = dict(enumerate(parts)) if rest is None else {}
    decode.part = lambda step: known.get(step, UNKNOWN)  # type: ignore[attr-defined]
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
                first = gathered(first, error, str(k))
        if first is not None:
            raise first
        return out if build is None else build_or_refuse(build, out)

    decode.part = lambda _step: item  # type: ignore[attr-defined]
    return decode


def maybe(inner: Decode) -> Decode:
    """Return the decoder of a nullable type."""
    if inner is None:
        return None

    def decode(value: Any) -> Any:
        return None if value is None else inner(value)

    decode.inner = inner  # type: ignore[attr-defined]
    decode.part = partial(part_of, inner)  # type: ignore[attr-defined]
    return decode


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
        return once(tried, tried, value) if isinstance(value, dict | list) else tried(value)

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


@cache
def _memory() -> Any:
    """Return what unions have decoded within the outermost one, in each thread."""
    # Imported here, since it takes long, and most tools have no such union.
    import threading

    class Memory(threading.local):
        """The memory of one thread.

        #: known: a value, what it was decoded to, or why it was refused, by union and value
        """

        known: dict[tuple[int, int], tuple[Any, Any, HostError | None]] | None = None

    return Memory()


def once(owner: object, decode: Callable[[Any], Any], value: Any) -> Any:
    """Return what *decode*, of the union *owner*, makes of *value*.

    It does that once within the outermost union.

    What is below a union is decoded for each branch: without a memory, the branches of unions
    within each other would be tried twice as often at each level.
    """
    memory, key = _memory(), (id(owner), id(value))
    known = memory.known
    if known is None:
        memory.known = {}
        try:
            return decode(value)
        finally:
            memory.known = None
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

    def decode(value: Any) -> Any:
        return members.get(const(value), value)

    # It runs nothing of the user's; see `typesig.extraction.onepass.fused`.
    decode.is_pure = True  # type: ignore[attr-defined]
    return decode


def decode_later(known: dict[Any, Decode], key: Any) -> Decode:
    """Return the decoder that *known* will have for *key* by the time a value is decoded."""

    def decode(value: Any) -> Any:
        found = known[key]
        return value if found is None else found(value)

    decode.part = lambda step: part_of(known[key], step)  # type: ignore[attr-defined]
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


def decode_places(parts: list[Any], steps: Iterable[tuple[int, str | int, Any]]) -> None:
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
            first = gathered(first, error, step)
    if first is not None:
        raise first


def firsts_of(decode: Callable[[Any], Any], values: Any) -> list[Any]:
    """Return what *decode* makes of the first of *values*, as many as are made at once."""
    make: Callable[[Any], list[Any]] | None = getattr(decode, "firsts", None)
    return [] if make is None else make(values)


def for_many(decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return *decode*, or the same in generated code."""
    make: Callable[[], Callable[[Any], Any]] | None = getattr(decode, "for_many", None)
    return decode if make is None else make()
