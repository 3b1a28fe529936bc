"""What the quick readers of shorthand and compact text have in common: types.

A reader of a notation adds how it writes names, fields, lists and enums.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from typesig.algebra.constructors import both, map_of, maybe, negated, noted, one, refined, union
from typesig.algebra.nodes import ANY, STRING, Field, List, Matching, Record, Ref, Set, Tuple, Type
from typesig.notations.quick_values import (
    LETTERS,
    REFINE,
    Unknown,
    constraints,
    take,
    takes,
    text,
    unquoted,
)

#: The fields of a record or of parameters, those of key patterns, and the type of other names.
Fields = tuple[tuple[Field, ...], tuple[Matching, ...], Type | None]


class QuickTypes(ABC):
    """Takes the types of one text from the end of *left*, its tokens.

    #: SCALARS: the types of the names of scalars, as tokens
    #: MAP: the token of a map, which may hold types or constraints in brackets
    #: BRACKETED: what takes the rest of a type whose name a bracket follows directly
    #: STARTS: the first characters of types
    """

    __slots__ = ("left",)
    SCALARS: ClassVar[Mapping[str, Type]]
    MAP: ClassVar[str]
    BRACKETED: ClassVar[Mapping[str, Callable[[Any], Type]]]
    STARTS: ClassVar[frozenset[str]]

    def __init__(self, left: list[str]) -> None:
        self.left = left

    @abstractmethod
    def bracketed(self) -> Type:
        """Take what follows a "[" that begins a type."""

    @abstractmethod
    def fields(self, end: str) -> Fields:
        """Take the fields up to the bracket *end*."""

    def definitions(self) -> dict[str, Type]:
        """Take `where`, which is next, and the definitions; return the types by name."""
        left = self.left
        found: dict[str, Type] = {}
        left.pop()
        while True:
            name = self.name()[0]
            if left[-1] == "=(":
                # Compact text may begin with this token; here it is two.
                left[-1:] = ["(", "="]
            take(left, "=")
            if name in found:
                raise Unknown
            found[name] = self.type()[0]
            if not takes(left, ","):
                return found

    def name(self) -> tuple[str, bool]:
        """Take a name, and tell whether it is quoted."""
        token = self.left.pop()
        if token[:1] == '"':
            return unquoted(token), True
        if token[:1] not in LETTERS:
            raise Unknown
        return token, False

    def closed(self, fields: Fields) -> Fields:
        """Take a `!` if one is next, and return *fields* with the type of undeclared names."""
        named, matching, extra = fields
        if not takes(self.left, "!"):
            return named, matching, ANY if extra is None else extra
        if extra is not None:
            raise Unknown
        return fields

    def type(self) -> tuple[Type, bool]:
        """Take a type, and tell whether it ends with a `?` that belongs to the whole type."""
        t, optional = self.postfix()
        following = self.left[-1]
        if following != "|" and following != "&":
            return t, optional
        members = [self._intersection(t)]
        while takes(self.left, "|"):
            members.append(self._intersection(self.postfix()[0]))
        return (union(members) if members[1:] else members[0]), False

    def _intersection(self, first: Type) -> Type:
        if self.left[-1] != "&":
            return first
        members = [first]
        while takes(self.left, "&"):
            members.append(self.postfix()[0])
        return both(members)

    def postfix(self) -> tuple[Type, bool]:
        """Take a type without operators, and tell whether a `?` follows it."""
        left = self.left
        token = left.pop()
        t = self.SCALARS.get(token)
        if t is None:
            t = self._compound(token)
        if left[-1] == REFINE:
            left.pop()
            if token == self.MAP and left[-1][:1] in self.STARTS:
                t = self._map()
                if takes(left, REFINE):
                    t = refined(t, constraints(left))
            else:
                t = refined(t, constraints(left))
        if left[-1] != "?":
            return t, False
        left.pop()
        return maybe(t), True

    def _compound(self, token: str) -> Type:
        if token == "[":
            return self.bracketed()
        if token == "{":
            return self.record()
        if token == "#{":
            item = self.type()[0]
            take(self.left, "}")
            return Set(item)
        if token == "(":
            t = noted(self.type()[0], text(self.left))
            take(self.left, ")")
            return t
        return self.named(token)

    def named(self, token: str) -> Type:
        """Return the type whose name is *token*, with what its brackets hold."""
        take_rest = self.BRACKETED.get(token)
        if take_rest is not None and takes(self.left, REFINE):
            return take_rest(self)
        if token[:1] != ":":
            raise Unknown
        name = unquoted(token[1:]) if token[1:2] == '"' else token[1:]
        if not name:
            raise Unknown
        return Ref(name)

    def record(self) -> Type:
        """Take a record after its "{"."""
        fields, matching, extra = self.closed(self.fields("}"))
        return Record(fields, extra, matching)

    def list_or_tuple(self) -> Type:
        """Take a list or a tuple after its "["."""
        left = self.left
        items = [self.type()[0]]
        rest: Type | None = None
        while takes(left, ","):
            if takes(left, "**"):
                rest = self.type()[0]
                break
            items.append(self.type()[0])
        take(left, "]")
        return List(items[0]) if rest is None and not items[1:] else Tuple(tuple(items), rest)

    def _map(self) -> Type:
        first = self.type()[0]
        second = None if self.left[-1] == "]" else self.type()[0]
        take(self.left, "]")
        return map_of(STRING, first) if second is None else map_of(first, second)

    def one(self) -> Type:
        """Take the types of which exactly one fits."""
        members = [self.type()[0]]
        while takes(self.left, ","):
            members.append(self.type()[0])
        take(self.left, "]")
        if not members[1:]:
            raise Unknown
        return one(members)

    def negation(self) -> Type:
        """Take the type that does not fit."""
        inner = self.type()[0]
        take(self.left, "]")
        return negated(inner)
