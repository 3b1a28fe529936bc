"""Rewrites types to shorter ones with the same meaning.

A rule takes one shape whose parts are simple already, and returns another or None.  To add a rule,
write it and add it to the row of its shape in `RULES`.  A rule must keep every verdict of
`accepts` and the result of every coercion.  For the latter it may require that a type is steady:
that the check of input leaves conforming values as they are, whichever member accepts them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, assert_never, overload

from typesig.algebra import nodes
from typesig.algebra.constructors import (
    find_kinds,
    make_both,
    make_enum,
    make_refined,
    make_union,
    strip_annotations,
)
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const, Kind
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import iter_types, transform
from typesig.errors import TypesigError
from typesig.limits import MAX_PART_STEPS
from typesig.notations import parse
from typesig.relations.normal_form import limit, may_depend_on_spelling
from typesig.relations.proofs.emptiness import EmptinessProver
from typesig.relations.step_budget import OutOfSteps, Work, count_own_size, count_size


@overload
def simplify(x: nodes.Type) -> nodes.Type: ...
@overload
def simplify(x: Signature | str) -> Signature: ...
def simplify(x: Any) -> Any:
    """Return *x* rewritten to a shorter equivalent: a type for a type, else a signature.

    Every value is accepted or refused as before.  Input that was accepted still is, with the same
    result; a little more input may be accepted.  Descriptions and titles are kept.

    >>> from typesig.notations import render
    >>> render(simplify(":one[:int, :string]"))
    '() -> :int|:string'
    >>> render(simplify("{a :int} & {b :string[3..] & :any[..5]}"))
    '() -> {a :int, b :string[3..5]}'
    """
    signature = parse(x)
    simplifier = Simplifier(signature.definitions)
    if isinstance(x, nodes.Type):
        return simplifier.simplify(x)
    return map_types(signature, simplifier.simplify)


class Simplifier:
    """Rewriter of types with shared definitions to shorter equivalents."""

    def __init__(self, definitions: tuple[Definition, ...]) -> None:
        self.work = Work()
        self._prover = EmptinessProver(definitions, self.work)
        self.judge = self._prover.judge
        self.scope = self._prover.scope
        self._steady: dict[nodes.Type, bool] = {}
        self._firm: dict[nodes.Type, bool] = {}

    def simplify(self, t: nodes.Type) -> nodes.Type:
        """Return a shorter equivalent of *t*, or *t* itself."""
        # This ends, since each rule shortens the type or turns a `One` into a `Union`.
        while (made := transform(t, self._apply_rules)) != t:
            t = made
        return t

    def _apply_rules(self, t: nodes.Type) -> nodes.Type:
        """Apply the first rule that shortens *t* or keeps its size; else return *t*."""
        try:
            for rule in RULES[type(t)]:
                self.work.take(count_own_size(t))
                made = rule(self, t)
                if made is not None and self._count_size(made) <= self._count_size(t):
                    return made
        except OutOfSteps:
            # What is not simplified yet stays as it is.
            pass
        return t

    def _count_size(self, t: nodes.Type) -> int:
        """Count the size of *t*, at the cost of steps."""
        count = count_size(t)
        self.work.take(count // 4)
        return count

    def is_empty(self, pos: tuple[nodes.Type, ...], neg: tuple[nodes.Type, ...] = ()) -> bool:
        """Whether it is proved that no value is of all of *pos* and of none of *neg*."""
        with self.work.limit_steps(MAX_PART_STEPS):
            return self._prover.prove(pos, neg)

    def is_steady(self, t: nodes.Type, folding: bool = False) -> bool:
        """Whether input validation returns all values of *t* unchanged.

        With *folding*, it may change the spelling of keys.
        """
        if t not in self._steady:
            self._steady[t] = all(map(_is_steady, self.scope.iter_reachable(t)))
        return self._steady[t] and (folding or not self.scope.find_folded_keys(t))

    def is_firm(self, t: nodes.Type) -> bool:
        """Whether input coerced to *t* always conforms to *t* without further coercion."""
        if t not in self._firm:
            self._firm[t] = all(map(_is_firm, self.scope.iter_reachable(t)))
        return self._firm[t]


def _is_steady(t: nodes.Type) -> bool:
    """Whether *t*, apart from its parts, leaves conforming input unchanged."""
    match t:
        case nodes.Scalar(name):
            # An int becomes a float, and a policy may accept a datetime without an offset.
            return name not in ("float", "datetime")
        case nodes.Record(fields):
            return all(field.default is None for field in fields)
        case nodes.Refinement(_, constraints):
            # The check writes a number as text for this format, and for no other.
            return Constraint("format", "decimal") not in constraints
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return True
        case _:
            assert_never(t)


def _is_firm(t: nodes.Type) -> bool:
    """Whether *t*, apart from its parts, accepts the input that it has coerced."""
    match t:
        case nodes.Scalar(name):
            # A policy may accept a datetime without an offset.
            return name != "datetime"
        case nodes.Record(fields):
            # A default need not conform.
            return all(field.default is None for field in fields)
        case nodes.Both():
            # The last member may coerce the result of the first one.
            return False
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return True
        case _:
            assert_never(t)


def _has_description(t: nodes.Type) -> bool:
    """Whether *t* contains a description, a title or a reference to a name."""
    return any(isinstance(part, nodes.Annotation | nodes.Ref) for part in iter_types(t))


def _join_neighbours(
    members: Sequence[nodes.Type], joined: Callable[[nodes.Type, nodes.Type], nodes.Type | None]
) -> list[nodes.Type] | None:
    """Merge neighbouring *members* by the function *joined*; None if it merges none."""
    out = [members[0]]
    for member in members[1:]:
        made = joined(out[-1], member)
        if made is None:
            out.append(member)
        else:
            out[-1] = made
    return out if len(out) < len(members) else None


def _simplify_nullable(rules: Simplifier, t: nodes.Maybe) -> nodes.Type | None:
    """Unwrap the nullable type *t* if its inner type is `any` or lists nil; else None."""
    inner = t.inner
    if inner == nodes.ANY or (isinstance(inner, nodes.Enum) and nodes.NIL_CONST in inner.values):
        return inner
    return None


def _absorb_into_any(rules: Simplifier, t: nodes.Union) -> nodes.Type | None:
    """Simplify a union with a member `any` to `any`; else None."""
    return nodes.ANY if nodes.ANY in t.members and not _has_description(t) else None


def _drop_empty(rules: Simplifier, t: nodes.Union) -> nodes.Type | None:
    """Drop the members without values, even for coerced input, from union *t*, or None."""
    kept = [
        m
        for m in t.members
        if _has_description(m) or not (rules.is_firm(m) and rules.is_empty((m,)))
    ]
    return make_union(kept) if kept and len(kept) < len(t.members) else None


def _join_enums(rules: Simplifier, t: nodes.Union) -> nodes.Type | None:
    """Join the neighbouring enums of union *t* into a single enum; None if none joins."""
    out: list[nodes.Type] = []
    for alike, run in groupby(t.members, key=lambda member: isinstance(member, nodes.Enum)):
        members = list(run)
        out += _iter_joined_enums(members) if alike else members
    return make_union(out) if len(out) < len(t.members) else None


def _iter_joined_enums(members: list[Any]) -> Iterator[nodes.Type]:
    """Yield *members*, which are enums, with neighbours joined where that is allowed."""
    values: list[Const] = []
    kinds: set[Kind] = set()
    for member in members:
        others = {value.kind for value in member.values}
        # Coercion tries one kind after the other, so the order of the kinds must stay.
        if values and kinds & others and len(kinds | others) > 1:
            yield make_enum(values)
            values, kinds = [], set()
        values += member.values
        kinds |= others
    yield make_enum(values)


def _drop_covered(rules: Simplifier, t: nodes.Union) -> nodes.Type | None:
    """Drop members of union *t* that a wider member of like type covers, or None."""
    kept = list(t.members)
    alike = Counter(map(_strip_limits, kept))
    at = 0
    while at < len(kept):
        member = kept[at]
        if (
            alike[_strip_limits(member)] > 1
            and not _has_description(member)
            and _has_wider(rules, kept, at)
        ):
            del kept[at]
            alike[_strip_limits(member)] -= 1
        else:
            at += 1
    return make_union(kept) if len(kept) < len(t.members) else None


def _has_wider(rules: Simplifier, members: list[nodes.Type], at: int) -> bool:
    """Whether the member at index *at* is covered by another of *members*."""
    rules.work.take(at)
    t, inner = members[at], _strip_limits(members[at])
    # A member between the two might coerce a value first.
    near = [*members[:at], *members[at + 1 : at + 2]]
    return any(_strip_limits(wider) == inner and rules.is_empty((t,), (wider,)) for wider in near)


def _strip_limits(t: nodes.Type) -> nodes.Type:
    """Unwrap the refinement *t*; other types are returned unchanged."""
    return t.inner if isinstance(t, nodes.Refinement) else t


def _to_disjoint_union(rules: Simplifier, t: nodes.One) -> nodes.Type | None:
    """Turn the exclusive union *t* into a plain union if members are disjoint."""
    members = t.members
    pairs = ((a, b) for at, a in enumerate(members) for b in members[at + 1 :])
    if _is_tagged(rules, members) or (
        all(rules.is_steady(m) and rules.is_firm(m) for m in members)
        and all(map(rules.is_empty, pairs))
    ):
        return make_union(members)
    return None


def _is_tagged(rules: Simplifier, members: tuple[nodes.Type, ...]) -> bool:
    """Whether *members* form a discriminated union, even for coerced input."""
    found = [tuple(_iter_tags(_resolve(rules, member))) for member in members]
    names = {(name, exact) for name, exact, _ in found[0]}
    for name, exact in sorted(names):
        values = [[v for n, e, v in tags if (n, e) == (name, exact)] for tags in found]
        if all(values):
            every = [value for (tag,) in values for value in tag]
            if len(set(every)) == len(every):
                return True
    return False


def _resolve(rules: Simplifier, t: nodes.Type) -> nodes.Type:
    """Strip annotations from *t* and follow its references to their definitions."""
    while isinstance(t, nodes.Annotation | nodes.Ref):
        t = t.inner if isinstance(t, nodes.Annotation) else rules.scope.names[t.name]
    return t


def _iter_tags(t: nodes.Type) -> Iterator[tuple[str, bool, frozenset[str]]]:
    """Yield name, exactness and texts of the required string enums among record fields."""
    for field in t.fields if isinstance(t, nodes.Record) and not t.matching else ():
        inner = strip_annotations(field.type)
        values = inner.values if isinstance(inner, nodes.Enum) and field.required else ()
        if values and all(value.kind == "string" for value in values):
            yield field.name, field.exact, frozenset([value.value for value in values])


def _drop_any(rules: Simplifier, t: nodes.Both) -> nodes.Type | None:
    """Drop `any` from intersection *t*; None if that could change a result."""
    kept = [member for member in t.members if member != nodes.ANY]
    if len(kept) == len(t.members) or not all(map(rules.is_steady, kept)):
        return None
    return make_both(kept)


def _join_both(rules: Simplifier, t: nodes.Both) -> nodes.Type | None:
    """Merge neighbouring members of intersection *t*; None if none can be merged."""

    def joined(a: nodes.Type, b: nodes.Type) -> nodes.Type | None:
        rules.work.take(1 + (count_own_size(a) + count_own_size(b)) // 4)
        if not rules.is_steady(a, folding=True) or not rules.is_steady(b, folding=True):
            return None
        if rules.scope.select_independent(t.members) != t.members:
            return None
        if isinstance(a, nodes.Record) and isinstance(b, nodes.Record):
            return _merge_records(a, b)
        return _merge_refined(a, b)

    found = _join_neighbours(t.members, joined)
    return None if found is None else make_both(found)


def _merge_refined(a: nodes.Type, b: nodes.Type) -> nodes.Type | None:
    """Merge two types that differ in constraints only; None if they cannot be merged."""
    inner, other = _strip_limits(a), _strip_limits(b)
    if other in (nodes.ANY, inner):
        return _add_limits(a, b)
    kinds = find_kinds(b)
    # Limits of numbers, for example, do not apply to the text that a number is read from.
    if inner == nodes.ANY and kinds is not None and kinds <= {"string", "list", "map"}:
        return _add_limits(b, a)
    return None


def _add_limits(t: nodes.Type, by: nodes.Type) -> nodes.Type | None:
    """Return *t* with the constraints of *by* too, or None if they do not apply to it."""
    try:
        return make_refined(t, by.constraints if isinstance(by, nodes.Refinement) else ())
    except TypesigError:
        return None


def _merge_records(a: nodes.Record, b: nodes.Record) -> nodes.Type | None:
    """Merge two records of an intersection; None if they cannot be merged."""
    if a.matching or b.matching or not {a.extra, b.extra} <= {nodes.ANY, None}:
        return None
    keys = [{field.key for field in t.fields} for t in (a, b)]
    if (a.extra is None and not keys[1] <= keys[0]) or (b.extra is None and not keys[0] <= keys[1]):
        return None
    named = {field.name: field for field in a.fields}
    for new in b.fields:
        old = named.get(new.name)
        named[new.name] = new if old is None else _merge_fields(old, new)
    try:
        return nodes.Record(
            tuple(named.values()), nodes.ANY if a.extra == b.extra == nodes.ANY else None
        )
    except TypesigError:
        return None


def _merge_fields(a: nodes.Field, b: nodes.Field) -> nodes.Field:
    """Merge two fields with the same name; both types have to hold."""
    types = [t for t in (a.type, b.type) if t != nodes.ANY]
    t = make_both(types) if types else nodes.ANY
    return nodes.Field(a.name, t, a.required or b.required, None, a.exact)


def _drop_implied(rules: Simplifier, t: nodes.Refinement) -> nodes.Type | None:
    """Return *t* without a constraint that the others or the inner type imply."""
    if not rules.is_firm(t.inner):
        return None
    for constraint in t.constraints:
        others = tuple([c for c in t.constraints if c is not constraint])
        left = nodes.Refinement(t.inner, others) if others else t.inner
        if may_depend_on_spelling(constraint) and rules.scope.find_folded_keys(t):
            continue
        if rules.is_empty((left,), (limit(constraint),)):
            return left
    return None


def _filter_enum(rules: Simplifier, t: nodes.Refinement) -> nodes.Type | None:
    """Reduce a refined enum *t* to the values that its constraints accept, or None."""
    if not isinstance(t.inner, nodes.Enum):
        return None
    kept = [v for v in t.inner.values if rules.judge.accepts(t, v.thaw())]
    return nodes.Enum(tuple(kept)) if kept else None


RULES: dict[type, tuple[Callable[[Simplifier, Any], nodes.Type | None], ...]] = {
    nodes.Scalar: (),
    nodes.List: (),
    nodes.Set: (),
    nodes.Tuple: (),
    nodes.MapOf: (),
    nodes.Record: (),
    nodes.Maybe: (_simplify_nullable,),
    nodes.Enum: (),
    nodes.Union: (_absorb_into_any, _drop_empty, _join_enums, _drop_covered),
    nodes.One: (_to_disjoint_union,),
    nodes.Both: (_drop_any, _join_both),
    nodes.Not: (),
    nodes.ItemCount: (),
    nodes.Refinement: (_filter_enum, _drop_implied),
    nodes.Annotation: (),
    nodes.Ref: (),
}
