"""The base classes of immutable values: equal by structure, hashed once.

A subclass lists its parts in `__match_args__` and passes them to `_fill`; equality, hash, pickle,
copy and repr follow from that list.  The classes with the most instances set their parts
themselves, on an instance of their `make_unsealed_factory` twin that then becomes one of theirs:
this takes a fifth of the time.
`dataclasses` would do the same, but imports `inspect` and compiles source for each class at import.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, TypeVar

from typesig.errors import TooDeep, TypesigError
from typesig.limits import MAX_DEPTH

set_part = object.__setattr__

T = TypeVar("T")


def seal(cls: type[T]) -> type[T]:
    """Make the properties of the outcome class *cls* impossible to set or delete."""

    def refuse(made: object, value: object = None) -> NoReturn:
        raise AttributeError("an outcome cannot be changed")

    for name, part in [*vars(cls).items()]:
        if isinstance(part, property):
            setattr(cls, name, property(part.fget, refuse, refuse, part.__doc__))
    return cls


def check_text(what: str, value: object) -> None:
    """Raise `TypesigError` if *value*, labelled in the message, is not a string."""
    if not isinstance(value, str):
        raise TypesigError(f"{what} is text, not {type(value).__name__}")


def check_depth(depth: int) -> int:
    """Return the nesting *depth* of a type; raise `TooDeep` if it exceeds `MAX_DEPTH`."""
    if depth > MAX_DEPTH:
        raise TooDeep(f"a type may nest {MAX_DEPTH} levels, this one has more")
    return depth


# Types of parts that have no parts of their own, skipped quickly.
_PLAIN = frozenset({str, bool})

#: Bits of `flags`: what a value contains, so that a walk can skip a value without it.  Hidden: a
#: name that a model does not see, of a field or in a constant.  Foreign: something that JSON has no
#: form of its own for, or that may be written in another form.  Defaults: a default of which only a
#: check can tell whether it fits its type.
NAMES, NOTES, RECORDS, NEGATIONS, HIDDEN, FOREIGN, DEFAULTS = 1, 2, 4, 8, 16, 32, 64


class Frozen:
    """Base class of immutable values, compared by class and attributes."""

    __slots__ = ("_hash",)
    __match_args__: ClassVar[tuple[str, ...]] = ()

    _hash: int
    _read_parts: ClassVar[Callable[[Any], Any] | None] = None

    def _fill(self, *parts: Any) -> None:
        """Set the attributes in `__match_args__` to the given parts and cache the hash."""
        for name, part in zip(self.__match_args__, parts, strict=True):
            set_part(self, name, part)
        # The hash is computed once, from the hashes of the parts, so a deep value never recurses.
        set_part(self, "_hash", hash((type(self).__name__, *parts)))

    def __init_subclass__(cls) -> None:
        names = cls.__match_args__
        if len(names) > 1:
            # It takes a fraction of the time of a loop.
            cls._read_parts = attrgetter(*names)

    def _get_parts(self) -> tuple[Any, ...]:
        """Return the values of the attributes in `__match_args__`, in order."""
        read = type(self)._read_parts
        if read is not None:
            return read(self)  # type: ignore[no-any-return]
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed: make another one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be changed: make another one")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Frozen)
        return self._hash == other._hash and self._get_parts() == other._get_parts()

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._get_parts()

    def __copy__(self) -> Frozen:
        return self

    def __deepcopy__(self, memo: object) -> Frozen:
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._get_parts()))})"


class NestedValue(Frozen):
    """A frozen value that stores its nesting depth and flags of its contents."""

    __slots__ = ("depth", "flags")

    #: Levels of nested values, this one included.
    depth: int
    #: The bits of what this value contains, itself included.
    flags: int
    #: The bits and the levels that a class adds to those of its parts.
    _FLAG: ClassVar[int] = 0
    _DEPTH: ClassVar[int] = 1

    def _fill(self, *parts: Any) -> None:
        """Set the attributes to *parts*, and the depth; raise `TooDeep` if too deep."""
        depth, flags = 0, self._FLAG
        for part in parts:
            kind = type(part)
            if part is None or kind in _PLAIN:
                continue
            for inner in part if kind is tuple else (part,):
                if isinstance(inner, NestedValue):
                    flags |= inner.flags
                    if inner.depth > depth:
                        depth = inner.depth
        set_part(self, "depth", check_depth(depth + self._DEPTH))
        set_part(self, "flags", flags)
        super()._fill(*parts)


def make_unsealed_factory(cls: type[Any]) -> Callable[[], Any]:
    """Build a factory of instances laid out like *cls* whose attributes can be set.

    Setting its `__class__` to *cls* seals it.
    """
    # If either were a method of Python, CPython would look both up for each part that is set.
    own = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    parts = {"__slots__": cls.__slots__, **own}
    return partial(object.__new__, type(cls.__name__, cls.__bases__, parts))


# --- A cache by identity ---

V = TypeVar("V")
R = TypeVar("R")

#: The values that one cache has at most.
_MOST = 4_096


def cache_by_identity(function: Callable[[V], R]) -> Callable[[V], R]:
    """Wrap *function* in a cache keyed by the identity of its immutable argument.

    >>> cache_by_identity(len)("abc")
    3
    """
    known: dict[int, tuple[Any, Any]] = {}

    def call_cached(value: V) -> R:
        found = known.get(id(value))
        # The value is kept with its result, so that its id stays its own.
        if found is not None and found[0] is value:
            return found[1]  # type: ignore[no-any-return]
        made = function(value)
        if len(known) >= _MOST:
            known.clear()
        known[id(value)] = value, made
        return made

    return call_cached
