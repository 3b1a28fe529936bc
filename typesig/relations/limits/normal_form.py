"""Types in disjunctive normal form: alternatives of what a value must be and must not be.

`Scope.clauses` and `Scope.negated_clauses` take one shape apart; the atoms, which they leave whole,
are what the proof of emptiness and the sampler deal with kind by kind.  A new shape needs a case in
both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.names import folded
from typesig.algebra.rows.values import Const
from typesig.algebra.traversal import children
from typesig.relations.limits.work import Work

Parts = tuple[nodes.Type, ...]

#: A conjunction: the types that a value must be of, and those that it must not be of.
Clause = tuple[Parts, Parts]

#: The type without values.
NEVER: nodes.Type = nodes.Not(nodes.ANY)

#: A map with text keys is an open record without fields.
OPEN: nodes.Type = nodes.Record((), nodes.ANY)


def limit(constraint: Constraint) -> nodes.Type:
    """Return the type of all values that meet *constraint*."""
    return nodes.Refined(nodes.ANY, (constraint,))


def estimate_clause_cost(t: nodes.Type) -> int:
    """Return the steps of `Work` that taking *t* apart costs."""
    match t:
        case nodes.Leaf() | nodes.Container() | nodes.Around() | nodes.Not() | nodes.Ref():
            return 1
        case nodes.Union(members):
            return 1 + len(members) // 4
        case nodes.One(members) | nodes.Both(members):
            # Each clause has all members, or there is one for each pair of them.
            return 1 + len(members) ** 2 // 16
        case _:
            assert_never(t)


class Scope:
    """The definitions that types refer to, with cached facts about types.

    The steps of finding these facts are those of *work*.
    """

    def __init__(self, names: Mapping[str, nodes.Type], work: Work) -> None:
        self.names = names
        self._work = work
        self._independent: dict[Parts, Parts] = {}
        self._folds: dict[nodes.Type, frozenset[str]] = {}

    def find_clauses(self, t: nodes.Type) -> tuple[Clause, ...] | None:
        """Return clauses that cover *t*, or None if it is an atom.

        Each value of *t* meets one of them; some of those that meet one may be refused by *t*.
        """
        match t:
            case nodes.Scalar("any"):
                return (((), ()),)
            case nodes.Scalar("map"):
                return (((OPEN,), ()),)
            case nodes.Leaf() | nodes.Container():
                return None
            case nodes.Maybe(inner):
                return (((inner,), ()), ((nodes.NIL,), ()))
            case nodes.Union(members):
                return tuple([((member,), ()) for member in members])
            case nodes.One(members):
                return tuple([((m,), _drop_member(members, at)) for at, m in enumerate(members)])
            case nodes.Both(members):
                return ((self.select_independent(members), ()),)
            case nodes.Not(inner):
                return (((), (inner,)),)
            case nodes.Refined(inner, constraints):
                if inner == nodes.ANY and len(constraints) == 1:
                    return None
                return (((inner, *map(limit, constraints)), ()),)
            case nodes.Noted(inner):
                return (((inner,), ()),)
            case nodes.Ref(name):
                return (((self.names[name],), ()),)
            case _:
                assert_never(t)

    def find_negated_clauses(self, t: nodes.Type) -> tuple[Clause, ...] | None:
        """Return clauses that cover all values outside *t*, or None if it is an atom."""
        match t:
            case nodes.Scalar("any"):
                return ()
            case nodes.Scalar("map"):
                return (((), (OPEN,)),)
            case nodes.Counted(item, at_least, at_most):
                others: list[Clause] = [((), (nodes.List(nodes.ANY),))]
                if at_least:
                    others.append(((nodes.Counted(item, 0, at_least - 1),), ()))
                if at_most is not None:
                    others.append(((nodes.Counted(item, at_most + 1),), ()))
                return tuple(others)
            case nodes.Leaf() | nodes.Container():
                return None
            case nodes.Maybe(inner):
                return (((), (inner, nodes.NIL)),)
            case nodes.Union(members):
                return (((), members),)
            case nodes.One(members):
                pairs = [(a, b) for at, a in enumerate(members) for b in members[at + 1 :]]
                return (((), members), *[(pair, ()) for pair in pairs])
            case nodes.Both(members):
                if self.select_independent(members) != members:
                    return (((), ()),)
                # In this form no two clauses have a value in common.
                return tuple([(members[:at], (m,)) for at, m in enumerate(members)])
            case nodes.Not(inner):
                return (((inner,), ()),)
            case nodes.Refined(inner, constraints):
                return self._negate_refined(t, inner, constraints)
            case nodes.Noted(inner):
                return (((), (inner,)),)
            case nodes.Ref(name):
                return (((), (self.names[name],)),)
            case _:
                assert_never(t)

    def _negate_refined(
        self, t: nodes.Type, inner: nodes.Type, constraints: tuple[Constraint, ...]
    ) -> tuple[Clause, ...] | None:
        if inner == nodes.ANY and len(constraints) == 1:
            return None
        clauses: list[Clause] = [((), (inner,))]
        for constraint in constraints:
            # Constraints see folded keys: items that differ may become the same by that.
            vague = may_depend_on_spelling(constraint) and self.find_folded_keys(t)
            clauses.append(((inner,), () if vague else (limit(constraint),)))
        return tuple(clauses)

    def iter_reachable(self, t: nodes.Type) -> Iterator[nodes.Type]:
        """Yield *t*, its parts and the types that their names refer to, each once."""
        pending, seen = [t], {t}
        while pending:
            current = pending.pop()
            self._work.take()
            yield current
            inner = children(current)
            if isinstance(current, nodes.Ref):
                inner = (self.names[current.name],)
            for part in inner:
                if part not in seen:
                    seen.add(part)
                    pending.append(part)

    def find_folded_keys(self, t: nodes.Type) -> frozenset[str]:
        """Return the folded keys, anywhere in *t*, that have more than one spelling."""
        known = self._folds.get(t)
        if known is None:
            records = [part for part in self.iter_reachable(t) if isinstance(part, nodes.Record)]
            fields = [field for record in records for field in record.fields]
            # A key without a hyphen or an underscore has one spelling.
            keys = [field.key for field in fields if not field.exact and "_" in field.key]
            known = self._folds[t] = frozenset(keys)
        return known

    def select_independent(self, members: Parts) -> Parts:
        """Members of an intersection whose check does not depend on the other members.

        Each member is given the result of the one before, which may spell keys in another way.
        """
        known = self._independent.get(members)
        if known is None:
            known = self._independent[members] = self._find_independent(members)
        return known

    def _find_independent(self, members: Parts) -> Parts:
        keys = frozenset().union(*[self.find_folded_keys(member) for member in members])
        if not keys:
            return members
        # A key that is exact in one member folds in none of them.
        exact = frozenset().union(*[self._find_exact_keys(member) for member in members])
        out: list[nodes.Type] = []
        before: frozenset[str] = frozenset()
        for member in members:
            folds = self.find_folded_keys(member)
            if not folds & exact and not (before and self._may_depend_on_keys(member, before)):
                out.append(member)
            before |= folds
        return tuple(out)

    def _find_exact_keys(self, t: nodes.Type) -> frozenset[str]:
        records = [part for part in self.iter_reachable(t) if isinstance(part, nodes.Record)]
        return frozenset([folded(f.name) for r in records for f in r.fields if f.exact])

    def _may_depend_on_keys(self, t: nodes.Type, keys: frozenset[str]) -> bool:
        """Whether *t* may depend on how one of *keys* is spelled."""
        return bool(self._find_exact_keys(t) & keys) or any(
            map(_may_depend_on_spelling, self.iter_reachable(t))
        )


def _drop_member(members: Parts, at: int) -> Parts:
    return members[:at] + members[at + 1 :]


def _may_depend_on_spelling(t: nodes.Type) -> bool:
    """Whether *t*, apart from its parts, may depend on how a key is spelled."""
    match t:
        case nodes.Record():
            return bool(t.matching)
        case nodes.MapOf(key):
            return key != nodes.ANY
        case nodes.Enum(values):
            return any(map(_has_map, values))
        case nodes.Refined(_, constraints):
            return any(map(may_depend_on_spelling, constraints))
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return False
        case _:
            assert_never(t)


def may_depend_on_spelling(constraint: Constraint) -> bool:
    """Whether *constraint* may depend on how the keys within a value are spelled."""
    return constraint.row.sort == "items"


def _has_map(value: Const) -> bool:
    match value.kind:
        case "map":
            return True
        case "list":
            return any(map(_has_map, value.value))
        case "nil" | "bool" | "int" | "float" | "string" | "keyword":
            return False
        case _:
            assert_never(value.kind)
