"""The keys that a typed map takes: those of its key type, and texts for keywords.

JSON has no keywords, so a text stands for the keyword of a key.  `MapKeys` says so as a type, in
which proofs and samples find both forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import both, enum, negated, one, union
from typesig.algebra.nodes import (
    STRING,
    Both,
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
from typesig.algebra.scalars import SCALARS
from typesig.algebra.values import Const
from typesig.relations.normal_form import NEVER
from typesig.relations.work import Work, size

#: The texts that stand for a keyword: a keyword has no colon before it.
_TEXTS: Type = Refined(STRING, (Constraint("pattern", "^[^:]"),))


class MapKeys:
    """The keys that maps take by the types of their keys; steps are those of *work*."""

    def __init__(self, names: Mapping[str, Type], work: Work) -> None:
        self._texts = _Texts(names, work)
        self._known: dict[Type, Type] = {}

    def taken(self, key: Type) -> Type:
        """Return the type of the keys that a map with keys of *key* takes."""
        known = self._known.get(key)
        if known is None:
            texts = self._texts.of(key)
            known = self._known[key] = key if texts == NEVER else union([key, texts])
        return known


class _Texts:
    """Finds the texts of the keywords that types take.

    #: names: the definitions of references
    """

    def __init__(self, names: Mapping[str, Type], work: Work) -> None:
        self.names = names
        self._work = work
        self._named: dict[str, tuple[Type, int]] = {}

    def of(self, t: Type) -> Type:
        """Return the type of the texts whose keywords are of *t*, or `NEVER`."""
        match t:
            case Scalar(name):
                kinds = SCALARS[name].kinds
                return NEVER if kinds and "keyword" not in kinds else _TEXTS
            case List() | Set() | Tuple() | MapOf() | Record():
                return NEVER
            case Maybe(inner) | Noted(inner):
                return self.of(inner)
            case Enum(values):
                return _listed(values)
            case Union(members):
                found = [texts for texts in map(self.of, members) if texts != NEVER]
                return union(found) if found else NEVER
            case One(members):
                return one(map(self.of, members))
            case Both(members):
                return both(map(self.of, members))
            case Not(inner):
                return both([_TEXTS, negated(self.of(inner))])
            case Refined(inner, constraints):
                texts = self.of(inner)
                return NEVER if texts == NEVER else _limited(texts, constraints)
            case Ref(name):
                return self._of_name(name)
            case _:
                assert_never(t)

    def _of_name(self, name: str) -> Type:
        if name not in self._named:
            texts = self.of(self.names[name])
            self._named[name] = texts, size(texts)
        texts, count = self._named[name]
        # The type of a name is written in each of its places.
        self._work.take(count)
        return texts


def _listed(values: tuple[Const, ...]) -> Type:
    names = [str.__str__(value.value) for value in values if value.kind == "keyword"]
    texts = [name for name in names if name]
    return enum(texts) if texts else NEVER


def _limited(texts: Type, constraints: tuple[Constraint, ...]) -> Type:
    # A constraint of other values says nothing of texts.
    limits = tuple([c for c in constraints if "keyword" in c.row.kinds])
    return Refined(texts, limits) if limits else texts
