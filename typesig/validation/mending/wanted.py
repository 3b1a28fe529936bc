"""What a type wants of a text in which its value is searched for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, assert_never

from typesig.algebra.nodes import (
    BOOL,
    STRING,
    Both,
    Counted,
    Enum,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.rows.names import folded


class Wanted(NamedTuple):
    """The types that a whole value may be of, and the types of references."""

    types: tuple[Type, ...]
    names: Mapping[str, Type]

    @property
    def text(self) -> bool:
        """Whether a text of any words is wanted."""
        return STRING in self.types

    @property
    def lists(self) -> bool:
        """Whether a list is wanted."""
        return any(isinstance(t, List | Set | Tuple | Counted) for t in self.types)

    def knows(self, data: Any) -> bool:
        """Return whether a map has a key that a record declares, if only records take it."""
        if isinstance(data, list) and data:
            lists = [t for t in self.types if isinstance(t, List | Set)]
            inner = [wanted_of(t.item, self.names) for t in lists]
            return not inner or any(each.knows(data[0]) for each in inner)
        records = [t for t in self.types if isinstance(t, Record)]
        if not isinstance(data, dict) or any(not t.fields for t in records):
            return True
        keys = {folded(str(key)).casefold() for key in data}
        declared = {folded(f.name).casefold() for t in records for f in t.fields}
        return not records or not keys.isdisjoint(declared)

    def words(self) -> dict[str, Any]:
        """Return the values that are words, by their words in small letters."""
        values: list[Any] = [True, False] if BOOL in self.types else []
        for t in self.types:
            if isinstance(t, Enum):
                values.extend(each.value for each in t.values if isinstance(each.value, str))
        out: dict[str, Any] = {}
        for value in values:
            word = str(value).casefold()
            # Two values that differ only in the case of letters are told apart by neither.
            out[word] = value if out.get(word, value) == value else None
        return {word: value for word, value in out.items() if value is not None}


def wanted_of(t: Type, names: Mapping[str, Type]) -> Wanted:
    """Return what *t* wants; *names* has the types of references."""
    types: list[Type] = []
    seen: set[str] = set()
    todo: list[Type] = [t]
    while todo:
        match each := todo.pop():
            case Ref(name):
                if name not in seen:
                    seen.add(name)
                    todo.append(names[name])
            case Maybe(inner) | Noted(inner) | Refined(inner):
                todo.append(inner)
            case Union(members) | One(members) | Both(members):
                todo.extend(members)
            case Scalar() | List() | Set() | Tuple() | MapOf() | Record() | Enum():
                types.append(each)
            case Not() | Counted():
                types.append(each)
            case _:
                assert_never(each)
    return Wanted(tuple(types), names)
