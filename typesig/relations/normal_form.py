"""Types taken apart: what a value must be, and must not be, one alternative at a time.

`Scope.clauses` and `Scope.clauses_not` take one shape apart; what they leave whole (the atoms) is what
the proof of emptiness and the sampler deal with kind by kind.  A new shape needs a case in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from typesig.algebra.constraints import Constraint
from typesig.algebra.nodes import (
    ANY,
    NIL,
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
    folded,
)
from typesig.algebra.traversal import children
from typesig.algebra.values import Const

Parts = tuple[Type, ...]

#: What a value must be, and what it must not be, besides.
Clause = tuple[Parts, Parts]

#: What no value is.
NEVER: Type = Not(ANY)

#: A map with text keys is a record that declares nothing.
OPEN: Type = Record((), ANY)


def limit(constraint: Constraint) -> Type:
    """Return *constraint* alone, of a value of any kind."""
    return Refined(ANY, (constraint,))


class Scope:
    """The definitions that types refer to, and what has been found out about those."""

    def __init__(self, names: Mapping[str, Type]) -> None:
        self.names = names
        self._certain: dict[Parts, Parts] = {}
        self._folds: dict[Type, frozenset[str]] = {}

    def clauses(self, t: Type) -> tuple[Clause, ...] | None:
        """Return ways to be a *t*, all of them and maybe more; None where *t* is an atom."""
        match t:
            case Scalar("any"):
                return (((), ()),)
            case Scalar("map"):
                return (((OPEN,), ()),)
            case Scalar() | List() | Set() | Tuple() | MapOf() | Record() | Enum():
                return None
            case Maybe(inner):
                return (((inner,), ()), ((NIL,), ()))
            case Union(members):
                return tuple([((member,), ()) for member in members])
            case One(members):
                return tuple([((m,), _others(members, at)) for at, m in enumerate(members)])
            case Both(members):
                return ((self.certain(members), ()),)
            case Not(inner):
                return (((), (inner,)),)
            case Refined(inner, constraints):
                if inner == ANY and len(constraints) == 1:
                    return None
                return (((inner, *map(limit, constraints)), ()),)
            case Noted(inner):
                return (((inner,), ()),)
            case Ref(name):
                return (((self.names[name],), ()),)
            case _:
                assert_never(t)

    def negated_clauses(self, t: Type) -> tuple[Clause, ...] | None:
        """Return ways to be no *t*, all of them and maybe more; None where *t* is an atom."""
        match t:
            case Scalar("any"):
                return ()
            case Scalar("map"):
                return (((), (OPEN,)),)
            case Scalar() | List() | Set() | Tuple() | MapOf() | Record() | Enum():
                return None
            case Maybe(inner):
                return (((), (inner, NIL)),)
            case Union(members):
                return (((), members),)
            case One(members):
                pairs = [(a, b) for at, a in enumerate(members) for b in members[at + 1 :]]
                return (((), members), *[(pair, ()) for pair in pairs])
            case Both(members):
                if self.certain(members) != members:
                    return (((), ()),)
                # One after the other, so that no two ways have a value in common.
                return tuple([(members[:at], (m,)) for at, m in enumerate(members)])
            case Not(inner):
                return (((inner,), ()),)
            case Refined(inner, constraints):
                return self._not_refined(t, inner, constraints)
            case Noted(inner):
                return (((), (inner,)),)
            case Ref(name):
                return (((), (self.names[name],)),)
            case _:
                assert_never(t)

    def _not_refined(
        self, t: Type, inner: Type, constraints: tuple[Constraint, ...]
    ) -> tuple[Clause, ...] | None:
        if inner == ANY and len(constraints) == 1:
            return None
        ways: list[Clause] = [((), (inner,))]
        for constraint in constraints:
            # Items are compared once their keys are folded: two that differ may become the same.
            vague = constraint.name == "unique" and self.folds(t)
            ways.append(((inner,), () if vague else (limit(constraint),)))
        return tuple(ways)

    def reach(self, t: Type) -> Iterator[Type]:
        """Yield *t* and all within it, what its names mean among that, each once."""
        pending, seen = [t], {t}
        while pending:
            current = pending.pop()
            yield current
            inner = children(current)
            if isinstance(current, Ref):
                inner = (self.names[current.name],)
            for part in inner:
                if part not in seen:
                    seen.add(part)
                    pending.append(part)

    def folds(self, t: Type) -> frozenset[str]:
        """Return the folded keys that a value may spell in more than one way, anywhere in *t*."""
        known = self._folds.get(t)
        if known is None:
            records = [part for part in self.reach(t) if isinstance(part, Record)]
            fields = [field for record in records for field in record.fields]
            # A key without a hyphen or an underscore has one spelling.
            keys = [field.key for field in fields if not field.exact and "_" in field.key]
            known = self._folds[t] = frozenset(keys)
        return known

    def certain(self, members: Parts) -> Parts:
        """Return those of *members* that a value is by itself where it is all of them in turn.

        Each is given what the one before made: keys may come to it spelled in another way.
        """
        known = self._certain.get(members)
        if known is None:
            known = self._certain[members] = self._judged(members)
        return known

    def _judged(self, members: Parts) -> Parts:
        keys = frozenset().union(*[self.folds(member) for member in members])
        if not keys:
            return members
        # A key that one member takes to the letter folds in none of them.
        letter = frozenset().union(*[self._to_the_letter(member) for member in members])
        out: list[Type] = []
        before: frozenset[str] = frozenset()
        for member in members:
            folds = self.folds(member)
            if not folds & letter and not (before and self._minds(member, before)):
                out.append(member)
            before |= folds
        return tuple(out)

    def _to_the_letter(self, t: Type) -> frozenset[str]:
        records = [part for part in self.reach(t) if isinstance(part, Record)]
        return frozenset([folded(f.name) for r in records for f in r.fields if f.exact])

    def _minds(self, t: Type, keys: frozenset[str]) -> bool:
        """Tell whether it may matter to *t* how one of *keys* is spelled."""
        return bool(self._to_the_letter(t) & keys) or any(map(_minds_spelling, self.reach(t)))


def _others(members: Parts, at: int) -> Parts:
    return members[:at] + members[at + 1 :]


def _minds_spelling(t: Type) -> bool:
    """Tell whether what *t* itself says may hang on how a key is spelled."""
    match t:
        case Record():
            return bool(t.matching)
        case MapOf(key):
            return key != ANY
        case Enum(values):
            return any(map(_has_map, values))
        case Refined(_, constraints):
            return any(constraint.name == "unique" for constraint in constraints)
        case Scalar() | List() | Set() | Tuple() | Maybe() | Union() | One() | Both() | Not():
            return False
        case Noted() | Ref():
            return False
        case _:
            assert_never(t)


def _has_map(value: Const) -> bool:
    return value.kind == "map" or (value.kind == "list" and any(map(_has_map, value.value)))
