"""The manner of all values in typesig: immutable, equal by structure, hashed once.

A class lists its parts in `__match_args__` and hands them to `_fill`; equality, hash, pickle,
copy and repr follow from that list, so a new class writes none of them.  Those of which most are
made set their parts themselves, for that takes a third of the time.
`dataclasses` would do the same, but loads `inspect` and writes source for each class at import.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from typesig.errors import TooDeep
from typesig.limits import MAX_DEPTH

set_part = object.__setattr__

# What is no value with parts, told quickly.
_PLAIN = frozenset({str, bool})

#: What may stand within a value, as bits of `flags`: a walk that looks for it need not begin
#: where it is not. Hidden is a name that a model does not see, of a field or in a constant;
#: foreign is what JSON has no form of its own for, or may write in another one.
NAMES, NOTES, RECORDS, NEGATIONS, HIDDEN, FOREIGN = 1, 2, 4, 8, 16, 32


class Frozen:
    """A value made of parts, compared by class and parts."""

    __slots__ = ("_hash", "depth", "flags")
    __match_args__: ClassVar[tuple[str, ...]] = ()

    #: Levels of values within this one, itself included.
    depth: int
    #: The bits of what stands within this one, itself included.
    flags: int
    _hash: int
    #: The bit that a class adds to what it holds, and the levels that it adds to its depth.
    _FLAG: ClassVar[int] = 0
    _DEPTH: ClassVar[int] = 1

    def _fill(self, *parts: Any) -> None:
        depth, flags = 0, self._FLAG
        for name, part in zip(self.__match_args__, parts, strict=True):
            set_part(self, name, part)
            kind = type(part)
            if part is None or kind in _PLAIN:
                continue
            for inner in part if kind is tuple else (part,):
                if isinstance(inner, Frozen):
                    flags |= inner.flags
                    if inner.depth > depth:
                        depth = inner.depth
        # The hash is made of the parts' hashes, once: a deep value never recurses here.
        self._seal(depth + self._DEPTH, flags, hash((type(self).__name__, *parts)))

    def _seal(self, depth: int, flags: int, hashed: int) -> None:
        """Set what is known of the parts; the classes of which most are made call it themselves."""
        if depth > MAX_DEPTH:
            raise TooDeep(f"a type may nest {MAX_DEPTH} levels, this one has more")
        set_part(self, "depth", depth)
        set_part(self, "flags", flags)
        set_part(self, "_hash", hashed)

    def _parts(self) -> tuple[Any, ...]:
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
        return self._hash == other._hash and self._parts() == other._parts()

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts()

    def __copy__(self) -> Frozen:
        return self

    def __deepcopy__(self, memo: object) -> Frozen:
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"
