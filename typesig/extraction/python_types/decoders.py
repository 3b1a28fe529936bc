"""Decode plans: how algebra values become the Python objects of hints.

A plan is data, a closed set of shapes.  `plan_decoder` makes objects by it, of values that the
check has passed; `typesig.extraction.onepass.read_plans` makes operations of it that check values
as well.
What stays as it is has no plan.  To add a host type, add a row to `LEAVES` in `leaves`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from typesig.algebra.nodes import Type
from typesig.algebra.rows.values import Const, Keyword
from typesig.extraction.python_types.encoders import Encode

if TYPE_CHECKING:
    from typesig.validation.check_state import CheckState


class BadParts(dict[str | int, "BadParts | None"]):
    """The refused parts of a value as a tree by step; None for a wholly refused part."""


class BranchBadParts(BadParts):
    """The parts of a value that a single union branch refuses."""


#: No part was refused.
NO_BAD = BadParts()

B = TypeVar("B", bound=BadParts)


def find_bad_parts(run: CheckState, kind: type[B]) -> B | None:
    """Return the parts with errors in the check *run*; None if unknown or all."""
    bad = kind()
    if run.unseen:
        return None
    for found in run.found:
        if found.warning:
            continue
        if not found.steps or found.is_limit:
            return None
        inside: BadParts | None = bad
        for step in reversed(found.steps[1:]):
            inside = None if inside is None else inside.setdefault(step, kind())
        if inside is not None:
            inside[found.steps[0]] = None
    return bad


class HostError(Exception):
    """A value that a host type refuses, or a Python object that has no JSON form.

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
        """Return a copy of this error whose path can be changed separately."""
        other = HostError(self.message)
        other.steps = self.steps[:]
        other.bottom, other.loop, other.shows = self.bottom, self.loop, self.shows
        other.more = [each.copy() for each in self.more]
        return other

    def shorten_loop(self, value: object) -> None:
        """Cut the path to one cycle when unwinding reaches the repeated *value*."""
        if self.bottom is not None and self.bottom is value:
            self.loop = self.steps if self.loop is None else self.loop
            self.steps = list(self.loop)


def to_host_error(error: Exception) -> HostError:
    """Convert *error*, raised by a host type's constructor, to a `HostError`."""
    return HostError(str(error).strip().partition("\n")[0][:200] or type(error).__name__)


def merge_errors(first: HostError | None, error: HostError, step: str | int) -> HostError:
    """Add *step* to the path of *error*, and *error* to *first*, if that is not None.

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


def to_float(value: Any) -> float:
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
    """Call *build* with *parts*; raise `HostError` if it fails."""
    try:
        return build(parts)
    except (TypeError, ValueError) as error:
        raise to_host_error(error) from error


#: Stands for the object of a value that was refused, or that has a refused part.
LOST: Any = object()


class LeafDecoder(NamedTuple):
    """Decode plan that calls *make* with the value.

    #: is_pure: whether that runs nothing of the user's
    #: inner: the plan by which *make* decodes the value first, if there is one
    """

    make: Callable[[Any], Any]
    is_pure: bool = False
    inner: Decode = None


#: The plan of floats.
FLOATS = LeafDecoder(to_float, True)


class MembersDecoder(NamedTuple):
    """Decode plan of an enum or a `Literal`, with the member for each constant."""

    members: Mapping[Const, Any]


class ItemsDecoder(NamedTuple):
    """Decode plan of a collection; *build* makes it from a list of items; None for list."""

    item: Decode
    build: Callable[[Any], Any] | None = None


class TupleDecoder(NamedTuple):
    """Decode plan of a tuple; *rest* decodes any number of items at index *open_at*."""

    parts: tuple[Decode, ...]
    build: Callable[[Any], Any]
    rest: Decode = None
    open_at: int | None = None


class MapDecoder(NamedTuple):
    """Decode plan of a map; *build* makes the object from a dict; None for a dict."""

    key: Decode
    item: Decode
    build: Callable[[Any], Any] | None = None


class NullableDecoder(NamedTuple):
    """Decode plan of a hint that also accepts None."""

    inner: DecodePlan


class UnionDecoder(NamedTuple):
    """Decode plan of a union: the first branch that accepts the value decodes it.

    If there are several records, *undeclared* returns how many keys of a value the branch at a
    place does not declare; the branch with the fewest decodes a map, as the check has taken it.
    *meant* finds the branch that a refused value was meant for.

    #: types: of the branches, in their order; empty if they are not known
    """

    branches: tuple[tuple[Callable[[Any], bool], Decode], ...]
    undeclared: Callable[[int, Any], int] | None = None
    meant: Callable[[Any, BadParts], BranchMatch | None] | None = None
    types: tuple[Type, ...] = ()


class BranchMatch(NamedTuple):
    """The branch of a union that a refused value most likely belongs to.

    #: place: of the branch; value: as that branch reads it; bad: what it refuses
    """

    place: int
    value: Any
    bad: BranchBadParts


class FieldPlan(NamedTuple):
    """The decode plan of a record field, with its declared name and attribute.

    #: name: the declared name; attribute: the host's name for it
    #: nil: whether the host gets None if the field is absent
    #: encode: its encoder in a result
    """

    name: str
    attribute: str
    decode: Decode
    nil: bool
    encode: Encode = None


class DictFactory(NamedTuple):
    """Builder of an object of a class from a dict of its fields.

    #: model: the class of pydantic whose core would do the same, or None
    #: judge: raises what it refuses of fields of which some are `LOST`; None if all are needed
    """

    make: Callable[[dict[str, Any]], Any]
    model: Any = None
    judge: Callable[[dict[str, Any]], None] | None = None


class RecordDecoder(NamedTuple):
    """Decode plan of a record, with the plans of its fields.

    #: build: makes the object of the fields by name; None for a dict
    #: rest: decodes the values of undeclared keys; if it is None, an object does not get them
    """

    fields: tuple[FieldPlan, ...]
    build: Callable[..., Any] | DictFactory | None
    rest: Decode = None


class LazyDecoder(NamedTuple):
    """Decode plan of a named type, looked up in *known* when a value is decoded."""

    known: Mapping[Any, Decode]
    key: Any


DecodePlan: TypeAlias = (
    LeafDecoder
    | MembersDecoder
    | ItemsDecoder
    | TupleDecoder
    | MapDecoder
    | NullableDecoder
    | UnionDecoder
    | RecordDecoder
    | LazyDecoder
)

#: The decode plan of a hint; None if the values are the host's already.
Decode: TypeAlias = DecodePlan | None


def make_items(item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the decode plan of a collection with items decoded by *item*."""
    return None if item is None and build is None else ItemsDecoder(item, build)


def make_map(key: Decode, item: Decode, build: Callable[[Any], Any] | None = None) -> Decode:
    """Return the decode plan of a map with keys decoded by *key* and values by *item*."""
    return None if key is None and item is None and build is None else MapDecoder(key, item, build)


def make_nullable(inner: Decode) -> Decode:
    """Return the decode plan of a hint that accepts None or a value for *inner*."""
    return None if inner is None else NullableDecoder(inner)


def make_union(
    branches: tuple[tuple[Callable[[Any], bool], Decode], ...],
    undeclared: Callable[[int, Any], int] | None = None,
    meant: Callable[[Any, BadParts], BranchMatch | None] | None = None,
    types: tuple[Type, ...] = (),
) -> Decode:
    """Return the decode plan of a union of *branches*, pairs of a type test and a plan."""
    return (
        UnionDecoder(branches, undeclared, meant, types)
        if any(plan for _, plan in branches)
        else None
    )


def make_members(members: dict[Const, Any]) -> Decode:
    """Return the decode plan from constants to *members*; None if values are the same."""
    is_same = all(
        member is known.value and type(member) is not Keyword for known, member in members.items()
    )
    return None if is_same else MembersDecoder(members)


def make_record(
    fields: tuple[FieldPlan, ...],
    build: Callable[..., Any] | DictFactory | None,
    rest: Decode = None,
) -> Decode:
    """Return the decode plan of a record; None if values stay unchanged."""
    is_same = build is None and rest is None and not any(f.decode or f.nil for f in fields)
    return None if is_same else RecordDecoder(fields, build, rest)


def can_call_by_position(build: Any, names: tuple[str, ...]) -> bool:
    """Whether the class *build* takes exactly *names*, by position too."""
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
