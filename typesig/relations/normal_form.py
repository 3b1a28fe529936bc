"""Types in disjunctive normal form: alternatives of what a value must be and must not be.

`Scope.clauses` and `Scope.negated_clauses` take one shape apart; the atoms, which they leave whole,
are what the proof of emptiness and the sampler deal with kind by kind.  A new shape needs a case in
both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never, get_args

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.names import fold_name
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import Const, Kind
from typesig.algebra.traversal import find_references, get_children
from typesig.limits import MAX_VALUE_DEPTH
from typesig.relations.step_budget import Work

Parts = tuple[nodes.Type, ...]

#: A conjunction: the types that a value must be of, and those that it must not be of.
Clause = tuple[Parts, Parts]

#: The type without values.
NEVER: nodes.Type = nodes.Not(nodes.ANY)

#: A map with text keys is an open record without fields.
OPEN: nodes.Type = nodes.Record((), nodes.ANY)


def limit(constraint: Constraint) -> nodes.Type:
    """Return the type of all values that meet *constraint*."""
    return nodes.Refinement(nodes.ANY, (constraint,))


def estimate_clause_cost(t: nodes.Type) -> int:
    """Return the steps of `Work` that it costs to split *t* into clauses."""
    match t:
        case nodes.Leaf() | nodes.Container() | nodes.Wrapper() | nodes.Not() | nodes.Ref():
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
        """Split *t* into clauses that cover its values; None if *t* is an atom.

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
                return tuple(
                    [((m,), members[:at] + members[at + 1 :]) for at, m in enumerate(members)]
                )
            case nodes.Both(members):
                return ((self.select_independent(members), ()),)
            case nodes.Not(inner):
                return (((), (inner,)),)
            case nodes.Refinement(inner, constraints):
                if inner == nodes.ANY and len(constraints) == 1:
                    return None
                return (((inner, *map(limit, constraints)), ()),)
            case nodes.Annotation(inner):
                return (((inner,), ()),)
            case nodes.Ref(name):
                return (((self.names[name],), ()),)
            case _:
                assert_never(t)

    def find_negated_clauses(self, t: nodes.Type) -> tuple[Clause, ...] | None:
        """Split the values outside *t* into clauses; None if *t* is an atom."""
        match t:
            case nodes.Scalar("any"):
                return ()
            case nodes.Scalar("map"):
                return (((), (OPEN,)),)
            case nodes.ItemCount(item, at_least, at_most):
                others: list[Clause] = [((), (nodes.List(nodes.ANY),))]
                if at_least:
                    others.append(((nodes.ItemCount(item, 0, at_least - 1),), ()))
                if at_most is not None:
                    others.append(((nodes.ItemCount(item, at_most + 1),), ()))
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
            case nodes.Refinement(inner, constraints):
                return self._negate_refined(t, inner, constraints)
            case nodes.Annotation(inner):
                return (((), (inner,)),)
            case nodes.Ref(name):
                return (((), (self.names[name],)),)
            case _:
                assert_never(t)

    def _negate_refined(
        self, t: nodes.Type, inner: nodes.Type, constraints: tuple[Constraint, ...]
    ) -> tuple[Clause, ...] | None:
        """Split the values outside *t*, type *inner* with *constraints*, into clauses."""
        if inner == nodes.ANY and len(constraints) == 1:
            return None
        clauses: list[Clause] = [((), (inner,))]
        for constraint in constraints:
            # Constraints see folded keys: items that differ may become the same by that.
            vague = may_depend_on_spelling(constraint) and self.find_folded_keys(t)
            clauses.append(((inner,), () if vague else (limit(constraint),)))
        return tuple(clauses)

    def iter_reachable(self, t: nodes.Type) -> Iterator[nodes.Type]:
        """Yield *t*, its parts and the definitions that they refer to, without repeats."""
        pending, seen = [t], {t}
        while pending:
            current = pending.pop()
            self._work.take()
            yield current
            inner = get_children(current)
            if isinstance(current, nodes.Ref):
                inner = (self.names[current.name],)
            for part in inner:
                if part not in seen:
                    seen.add(part)
                    pending.append(part)

    def find_folded_keys(self, t: nodes.Type) -> frozenset[str]:
        """Collect the folded keys in *t* that can be spelled in more than one way."""
        known = self._folds.get(t)
        if known is None:
            records = [part for part in self.iter_reachable(t) if isinstance(part, nodes.Record)]
            fields = [field for record in records for field in record.fields]
            # A key without a hyphen or an underscore has one spelling.
            keys = [field.key for field in fields if not field.exact and "_" in field.key]
            known = self._folds[t] = frozenset(keys)
        return known

    def select_independent(self, members: Parts) -> Parts:
        """Select the *members* of an intersection that are checked independently.

        Each member is given the result of the one before, which may spell keys in another way.
        """
        known = self._independent.get(members)
        if known is None:
            known = self._independent[members] = self._find_independent(members)
        return known

    def _find_independent(self, members: Parts) -> Parts:
        """Select the independent *members* of an intersection, uncached."""
        keys = frozenset().union(*[self.find_folded_keys(member) for member in members])
        if not keys:
            return members
        # A key that is exact in one member folds in none of them.
        exact = frozenset().union(*[self._find_exact_keys(member) for member in members])
        out: list[nodes.Type] = []
        before: frozenset[str] = frozenset()
        for member in members:
            folds = self.find_folded_keys(member)
            may_depend = before and (
                self._find_exact_keys(member) & before
                or any(map(_may_depend_on_spelling, self.iter_reachable(member)))
            )
            if not folds & exact and not may_depend:
                out.append(member)
            before |= folds
        return tuple(out)

    def _find_exact_keys(self, t: nodes.Type) -> frozenset[str]:
        """Collect the folded names of exact fields in all records within *t*."""
        records = [part for part in self.iter_reachable(t) if isinstance(part, nodes.Record)]
        return frozenset([fold_name(f.name) for r in records for f in r.fields if f.exact])


def _may_depend_on_spelling(t: nodes.Type) -> bool:
    """Whether *t*, apart from its parts, may depend on how a key is spelled."""
    match t:
        case nodes.Record():
            return bool(t.matching)
        case nodes.MapOf(key):
            return key != nodes.ANY
        case nodes.Enum(values):
            return any(map(_has_map, values))
        case nodes.Refinement(_, constraints):
            return any(map(may_depend_on_spelling, constraints))
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return False
        case _:
            assert_never(t)


def may_depend_on_spelling(constraint: Constraint) -> bool:
    """Whether *constraint* may depend on how the keys within a value are spelled."""
    return constraint.row.sort == "items"


def _has_map(value: Const) -> bool:
    """Whether the constant *value* is a map or contains a map."""
    match value.kind:
        case "map":
            return True
        case "list":
            return any(map(_has_map, value.value))
        case "nil" | "bool" | "int" | "float" | "string" | "keyword":
            return False
        case _:
            assert_never(value.kind)


# --- The kinds of values that a type without parts accepts or refuses ---
# To add a scalar, add its row to `WHOLE_KINDS`.

ALL: frozenset[Kind] = frozenset(get_args(Kind))

#: The kinds of the members of Python enums, which are keywords whatever else they are.
MEMBERS: frozenset[Kind] = ALL - {"nil", "bool"}

#: The kinds of which every value conforms to the scalar.
WHOLE_KINDS: dict[ScalarName, frozenset[Kind]] = {
    "string": frozenset({"string"}),
    "int": frozenset({"int"}),
    # Among the floats are nan and the infinite ones.
    "float": frozenset({"int"}),
    "bool": frozenset({"bool"}),
    "keyword": frozenset({"keyword"}),
    "any": ALL,
    "nil": frozenset({"nil"}),
    # A datetime may lack an offset, and a map may have keys other than text.
    "datetime": frozenset(),
    "map": frozenset(),
}


def find_accepted_kinds(atom: nodes.Type) -> frozenset[Kind]:
    """Return the kinds of values that *atom* may accept."""
    if atom == nodes.KEYWORD:
        return MEMBERS
    is_known = isinstance(atom, nodes.Leaf | nodes.Container)
    return (find_kinds(atom) if is_known else None) or ALL


def find_refused_kinds(atom: nodes.Type) -> frozenset[Kind]:
    """Return the kinds of values that *atom* may refuse."""
    match atom:
        case nodes.Scalar(name):
            return ALL - WHOLE_KINDS[name]
        case nodes.Refinement(inner, (constraint,)) if inner == nodes.Scalar("any"):
            return constraint.row.kinds
        case nodes.Enum() | nodes.Container() | nodes.Through() | nodes.Not():
            return ALL
        case _:
            assert_never(atom)


def has_own_test(atom: nodes.Type, kind: Kind) -> bool:
    """Whether *atom* is a scalar that accepts some values of *kind* and refuses others."""
    if not isinstance(atom, nodes.Scalar):
        return False
    return kind in SCALARS[atom.name].kinds and kind not in WHOLE_KINDS[atom.name]


# --- The least depth of a value of a type, by which drawing of recursive types ends ---


class Heights:
    """Least nesting depths of the values of types; None if no finite value exists."""

    def __init__(self, names: Mapping[str, nodes.Type]) -> None:
        self.named: dict[str, int | None] = dict.fromkeys(names)
        self._known: dict[nodes.Type, int | None] = {}
        users: dict[str, list[str]] = {}
        for name, t in names.items():
            for used in find_references(t):
                users.setdefault(used, []).append(name)
        # Each round settles names one level higher; a name that is never settled is endless.
        pending = list(names)
        while pending:
            found = {name: self.get_height(names[name]) for name in pending}
            changed = {name: high for name, high in found.items() if high != self.named[name]}
            self.named.update(changed)
            self._known.clear()
            pending = list(dict.fromkeys(user for name in changed for user in users.get(name, ())))

    def get_height(self, t: nodes.Type) -> int | None:
        """Return the least nesting depth of a value of *t*; None if there is none."""
        known = self._known
        if t not in known:
            known[t] = self._compute_height(t)
        return known[t]

    def _compute_height(self, t: nodes.Type) -> int | None:
        """Compute the least nesting depth of a value of *t*, from known heights."""
        match t:
            case nodes.Leaf() | nodes.List() | nodes.Set():
                return 0
            case nodes.MapOf() | nodes.Maybe() | nodes.Not():
                return 0
            case nodes.Tuple(items):
                return _add_level(self.find_tallest(items))
            case nodes.Record(fields):
                needed = [field.type for field in fields if field.required]
                return _add_level(self.find_tallest(needed)) if needed else 0
            case nodes.Union(members) | nodes.One(members):
                found = [self.get_height(member) for member in members]
                return min([height for height in found if height is not None], default=None)
            case nodes.Both(members):
                return self.find_tallest(members)
            case nodes.ItemCount(item, at_least):
                return _add_level(self.get_height(item)) if at_least else 0
            case nodes.Refinement(inner, constraints):
                if any(c.name == "at_least" and c.argument.value > 0 for c in constraints):
                    return self._compute_nonempty_height(inner)
                return self.get_height(inner)
            case nodes.Annotation(inner):
                return self.get_height(inner)
            case nodes.Ref(name):
                return self.named[name]
            case _:
                assert_never(t)

    def find_tallest(self, types: Iterable[nodes.Type]) -> int | None:
        """Return the greatest of the heights of *types*; None if any is None."""
        most = 0
        for t in types:
            height = self.get_height(t)
            if height is None:
                return None
            most = max(most, height)
        return most

    def _compute_nonempty_height(self, t: nodes.Type) -> int | None:
        """Compute the least nesting depth of a value of *t* that is not empty."""
        match t:
            case nodes.List(item) | nodes.Set(item):
                return _add_level(self.get_height(item))
            case nodes.MapOf(key, value):
                return _add_level(self.find_tallest((key, value)))
            case nodes.Annotation(inner) | nodes.Refinement(inner):
                return self._compute_nonempty_height(inner)
            case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
                return self.get_height(t)
            case _:
                assert_never(t)


def _add_level(height: int | None) -> int | None:
    """Return *height* plus one level; None if it is None or at the depth limit."""
    return None if height is None or height >= MAX_VALUE_DEPTH else height + 1
