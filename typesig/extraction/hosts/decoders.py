"""Decode plans: how algebra values become the Python objects that hints promise.

A plan is data, a closed set of shapes.  `typesig.extraction.hosts.decoded` makes objects by it, of
values that the check has passed; `typesig.extraction.onepass.fused` writes code that does the same.
What stays as it is has no plan.  To add a host type, add a row to `LEAVES` in `host_leaves`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from typesig.algebra.rows.values import Const, Keyword
from typesig.extraction.hosts.encoders import Encode

if TYPE_CHECKING:
    from typesig.validation.rows.run import Run


class Bad(dict[str | int, "Bad | None"]):
    """The parts of a value that were refused, by their steps; None is for a part as a whole."""


class BadInBranch(Bad):
    """The same of a value in a union, as one branch of the union refuses it."""


#: No part was refused.
NO_BAD = Bad()

B = TypeVar("B", bound=Bad)


def bad_parts(run: Run, kind: type[B]) -> B | None:
    """Return the parts that *run* found errors in; None if they are not known, or are all."""
    bad = kind()
    if run.unseen:
        return None
    for found in run.found:
        if found.warning:
            continue
        if not found.steps or found.is_limit:
            return None
        inside: Bad | None = bad
        for step in reversed(found.steps[1:]):
            inside = None if inside is None else inside.setdefault(step, kind())
        if inside is not None:
            inside[found.steps[0]] = None
    return bad


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


def build_or_refuse(build: Callable[[Any], Any], parts: Any) -> Any:
    """Return what *build* makes of *parts*; raise `HostError` if it cannot."""
    try:
        return build(parts)
    except (TypeError, ValueError) as error:
        raise refusal_of(error) from error


#: Stands for the object of a value that was refused, or that has a refused part.
LOST: Any = object()


class Leaf(NamedTuple):
    """A hint whose objects *make* makes.

    #: is_pure: whether that runs nothing of the user's
    #: inner: the plan by which *make* decodes the value first, if there is one
    """

    make: Callable[[Any], Any]
    is_pure: bool = False
    inner: Decode = None


#: The plan of floats.
FLOATS = Leaf(float_of, True)


class Members(NamedTuple):
    """An enum or a `Literal`, with the member of each constant."""

    members: Mapping[Const, Any]


class Items(NamedTuple):
    """A collection, which *build* makes of a list of items; None for a list."""

    item: Decode
    build: Callable[[Any], Any] | None = None


class Positions(NamedTuple):
    """A tuple; *rest* decodes any number of items at position *open_at*."""

    parts: tuple[Decode, ...]
    build: Callable[[Any], Any]
    rest: Decode = None
    open_at: int | None = None


class Pairs(NamedTuple):
    """A map, which *build* makes of a dict; None for a dict."""

    key: Decode
    item: Decode
    build: Callable[[Any], Any] | None = None


class Nullable(NamedTuple):
    """A hint that takes None, too."""

    inner: DecodePlan


class Either(NamedTuple):
    """A union: the first branch that accepts the value decodes it.

    If there are several records, *undeclared* returns how many keys of a value the branch at a
    place does not declare; the branch with the fewest decodes a map, as the check has taken it.
    *meant* finds the branch that a refused value was meant for.
    """

    branches: tuple[tuple[Callable[[Any], bool], Decode], ...]
    undeclared: Callable[[int, Any], int] | None = None
    meant: Callable[[Any, Bad], Meant | None] | None = None


class Meant(NamedTuple):
    """The branch of a union that a refused value was meant for.

    #: place: of the branch; value: as that branch reads it; bad: what it refuses
    """

    place: int
    value: Any
    bad: BadInBranch


class FieldPlan(NamedTuple):
    """How one field of a record reaches the host.

    #: name: the declared name; attribute: the host's name for it
    #: nil: whether the host gets None if the field is absent
    #: encode: its encoder in a result
    """

    name: str
    attribute: str
    decode: Decode
    nil: bool
    encode: Encode = None


class OfMap(NamedTuple):
    """Makes an object of its fields in a dict of its own.

    #: model: the class of pydantic whose core would do the same, or None
    #: judge: raises what it refuses of fields of which some are `LOST`; None if all are needed
    """

    make: Callable[[dict[str, Any]], Any]
    model: Any = None
    judge: Callable[[dict[str, Any]], None] | None = None


class Named(NamedTuple):
    """A record.

    #: build: makes the object of the fields by name; None for a dict
    #: rest: decodes the values of undeclared keys; if it is None, an object does not get them
    """

    fields: tuple[FieldPlan, ...]
    build: Callable[..., Any] | OfMap | None
    rest: Decode = None


class Later(NamedTuple):
    """What *known* will have for *key* by the time a value is decoded."""

    known: Mapping[Any, Decode]
    key: Any


DecodePlan: TypeAlias = (
    Leaf | Members | Items | Positions | Pairs | Nullable | Either | Named | Later
)

#: The decode plan of a hint; None if the values are the host's already.
Decode: TypeAlias = DecodePlan | None


def items(item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the plan of a collection whose items *item* decodes."""
    return None if item is None and build is None else Items(item, build)


def mapping(key: Decode, item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the plan of a map."""
    return None if key is None and item is None and build is None else Pairs(key, item, build)


def maybe(inner: Decode) -> Decode:
    """Return the plan of a nullable hint."""
    return None if inner is None else Nullable(inner)


def either(
    branches: tuple[tuple[Callable[[Any], bool], Decode], ...],
    undeclared: Callable[[int, Any], int] | None = None,
    meant: Callable[[Any, Bad], Meant | None] | None = None,
) -> Decode:
    """Return the plan of a union, each branch with the test of its type; see `Either`."""
    return Either(branches, undeclared, meant) if any(plan for _, plan in branches) else None


def constants(members: dict[Const, Any]) -> Decode:
    """Return the plan of an enum, from each constant to its member."""
    is_same = all(
        member is known.value and type(member) is not Keyword for known, member in members.items()
    )
    return None if is_same else Members(members)


def named(
    fields: tuple[FieldPlan, ...], build: Callable[..., Any] | OfMap | None, rest: Decode = None
) -> Decode:
    """Return the plan of a record; see `Named`."""
    is_same = build is None and rest is None and not any(f.decode or f.nil for f in fields)
    return None if is_same else Named(fields, build, rest)


def takes_in_order(build: Any, names: tuple[str, ...]) -> bool:
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
