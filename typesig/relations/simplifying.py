"""Saying the same in less.

A rule looks at one shape whose parts are simple already, and returns another or None.  To add one,
write it and add it to the row of its shape in `_RULES`.  Each rule keeps every verdict of
`accepts`; and what an input is coerced to, for which it asks that a value which fits is `steady`:
left as it is by the check of input, so that it does not matter who takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import bare, both, enum, kinds_of, refined, union
from typesig.algebra.nodes import (
    ANY,
    DATETIME,
    NIL_CONST,
    Both,
    Enum,
    Field,
    Maybe,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Type,
    Union,
)
from typesig.algebra.signature import Definition, Signature, mapped
from typesig.algebra.traversal import transform, walk
from typesig.errors import TypesigError
from typesig.limits import MAX_PROOFS
from typesig.limits import MAX_SIMPLIFYING_STEPS as PROOF_STEPS
from typesig.notations import parse
from typesig.relations.clauses import Scope, limit
from typesig.relations.emptiness import Prover, Spent
from typesig.relations.judging import accepts


@overload
def simplify(x: Type) -> Type: ...
@overload
def simplify(x: Signature | str) -> Signature: ...
def simplify(x: Any) -> Any:
    """Return what says the same as *x* in less: a type for a type, else a signature.

    Every value is accepted or refused as before.  On input, what was accepted still is, and comes
    to the same value; a little more may be accepted.  Descriptions and titles stay.

    >>> from typesig.notations import render
    >>> render(simplify(":one[:int, :string]"))
    '() -> :int|:string'
    >>> render(simplify("{a :int} & {b :string[3..] & :any[..5]}"))
    '() -> {a :int, b :string[3..5]}'
    """
    signature = parse(x)
    simplifier = Simplifier(signature.definitions)
    if isinstance(x, Type):
        return simplifier.simple(x)
    return mapped(signature, simplifier.simple)


class Simplifier:
    """Simplifies types that share definitions."""

    def __init__(self, definitions: tuple[Definition, ...]) -> None:
        self.definitions = definitions
        self.scope = Scope({d.name: d.type for d in definitions})
        self.left = MAX_PROOFS

    def simple(self, t: Type) -> Type:
        """Return *t* said in less, or *t* itself."""
        # Each rule says less, or makes a union of a choice: there is an end to it.
        while (made := transform(t, self._step)) != t:
            t = made
        return t

    def _step(self, t: Type) -> Type:
        for rule in _RULES.get(type(t), ()):
            made = rule(self, t)
            if made is not None and size(made) <= size(t):
                return made
        return t

    def empty(self, pos: tuple[Type, ...], neg: tuple[Type, ...] = ()) -> bool:
        """Tell whether it is proved that no value is all of *pos* and none of *neg*."""
        self.left -= 1
        if self.left < 0:
            return False
        prover = Prover(self.definitions)
        prover.left = PROOF_STEPS
        try:
            return prover.empty(pos, neg)
        except (Spent, RecursionError):
            return False

    def steady(self, t: Type, folding: bool = False) -> bool:
        """Tell whether the check of input leaves each value of *t* as it is.

        With *folding*, the spelling of keys does not count.
        """
        return (folding or not self.scope.folds(t)) and all(map(_is_steady, self.scope.reach(t)))

    def firm(self, t: Type) -> bool:
        """Tell whether what the check of input makes of a value is a *t* to the letter."""
        # A default need not be, nor a datetime without an offset; nor what the last member of an
        # intersection makes of what the first one made.
        parts = list(self.scope.reach(t))
        fields = [field for part in parts if isinstance(part, Record) for field in part.fields]
        plain = DATETIME not in parts and not any(isinstance(part, Both) for part in parts)
        return plain and all(field.default is None for field in fields)


def size(t: Type) -> int:
    """Return how much *t* says: its shapes, fields, values and constraints.

    >>> size(Enum((NIL_CONST, NIL_CONST))), size(Maybe(ANY))
    (3, 2)
    """
    return sum(map(_own_size, walk(t)))


def _own_size(t: Type) -> int:
    match t:
        case Record(fields, _, matching):
            return 1 + len(fields) + len(matching)
        case Enum(values):
            return 1 + len(values)
        case Refined(_, constraints):
            return 1 + len(constraints)
        case _:
            return 1


def _is_steady(t: Type) -> bool:
    match t:
        case Scalar(name):
            # An int becomes a float; a datetime without an offset may be let pass.
            return name not in ("float", "datetime")
        case Record(fields):
            return all(field.default is None for field in fields)
        case Refined(_, constraints):
            # A number is written out where a decimal is asked for.
            return Constraint("format", "decimal") not in constraints
        case _:
            return True


def _described(t: Type) -> bool:
    """Tell whether words, or a name, would be lost with *t*."""
    return any(isinstance(part, Noted | Ref) for part in walk(t))


def _adjacent(
    members: Sequence[Type], joined: Callable[[Type, Type], Type | None]
) -> list[Type] | None:
    """Return *members* with the first two neighbours that can be *joined* made one, or None."""
    for at in range(len(members) - 1):
        made = joined(members[at], members[at + 1])
        if made is not None:
            return [*members[:at], made, *members[at + 2 :]]
    return None


def _nullable(rules: Simplifier, t: Maybe) -> Type | None:
    inner = t.inner
    if inner == ANY or (isinstance(inner, Enum) and NIL_CONST in inner.values):
        return inner
    return None


def _any_of_all(rules: Simplifier, t: Union) -> Type | None:
    return ANY if ANY in t.members and not _described(t) else None


def _no_void(rules: Simplifier, t: Union) -> Type | None:
    kept = [m for m in t.members if _described(m) or not _is_void(rules, m)]
    return union(kept) if kept and len(kept) < len(t.members) else None


def _is_void(rules: Simplifier, t: Type) -> bool:
    return rules.firm(t) and rules.empty((t,))


def _enums_joined(rules: Simplifier, t: Union) -> Type | None:
    found = _adjacent(t.members, _one_enum)
    return None if found is None else union(found)


def _one_enum(a: Type, b: Type) -> Type | None:
    if not isinstance(a, Enum) or not isinstance(b, Enum):
        return None
    kinds, others = {v.kind for v in a.values}, {v.kind for v in b.values}
    # What is coerced is tried kind by kind: the order of the kinds is to stay.
    if kinds & others and len(kinds | others) > 1:
        return None
    return enum([*a.values, *b.values])


def _wider_only(rules: Simplifier, t: Union) -> Type | None:
    """Return *t* without members that another one, of the same shape but for limits, covers."""
    for at, member in enumerate(t.members):
        for other, wider in enumerate(t.members):
            # What stands between the two might coerce a value first.
            near = other < at or other == at + 1
            if other != at and near and not _described(member) and _covers(rules, wider, member):
                return union([m for m in t.members if m is not member])
    return None


def _covers(rules: Simplifier, wider: Type, t: Type) -> bool:
    return _unlimited(wider) == _unlimited(t) and rules.empty((t,), (wider,))


def _unlimited(t: Type) -> Type:
    return t.inner if isinstance(t, Refined) else t


def _union_of_apart(rules: Simplifier, t: One) -> Type | None:
    """Return a union where no two members of *t* have a value in common."""
    members = t.members
    pairs = [(a, b) for at, a in enumerate(members) for b in members[at + 1 :]]
    if _tagged(rules, members) or (
        all(rules.steady(m) and rules.firm(m) for m in members)
        and all(rules.empty(pair) for pair in pairs)
    ):
        return union(members)
    return None


def _tagged(rules: Simplifier, members: tuple[Type, ...]) -> bool:
    """Tell whether a field tells *members* from one another, even where it is coerced."""
    found = [tuple(_tags(_meant(rules, member))) for member in members]
    names = {(name, exact) for name, exact, _ in found[0]}
    for name, exact in sorted(names):
        values = [[v for n, e, v in tags if (n, e) == (name, exact)] for tags in found]
        if all(values):
            every = [value for (tag,) in values for value in tag]
            if len(set(every)) == len(every):
                return True
    return False


def _meant(rules: Simplifier, t: Type) -> Type:
    while isinstance(t, Noted | Ref):
        t = t.inner if isinstance(t, Noted) else rules.scope.names[t.name]
    return t


def _tags(t: Type) -> Iterator[tuple[str, bool, frozenset[str]]]:
    for field in t.fields if isinstance(t, Record) and not t.matching else ():
        inner = bare(field.type)
        values = inner.values if isinstance(inner, Enum) and field.required else ()
        if values and all(value.kind == "string" for value in values):
            yield field.name, field.exact, frozenset([value.value for value in values])


def _no_anything(rules: Simplifier, t: Both) -> Type | None:
    kept = [member for member in t.members if member != ANY]
    if len(kept) == len(t.members) or not all(map(rules.steady, kept)):
        return None
    return both(kept)


def _both_joined(rules: Simplifier, t: Both) -> Type | None:
    def joined(a: Type, b: Type) -> Type | None:
        if not rules.steady(a, folding=True) or not rules.steady(b, folding=True):
            return None
        if rules.scope.certain(t.members) != t.members:
            return None
        if isinstance(a, Record) and isinstance(b, Record):
            return _one_record(a, b)
        return _one_refined(a, b)

    found = _adjacent(t.members, joined)
    return None if found is None else both(found)


def _one_refined(a: Type, b: Type) -> Type | None:
    inner, other = _unlimited(a), _unlimited(b)
    if other in (ANY, inner):
        return _limited(a, b)
    # Limits that come first look at what is sent: of what it becomes, they may say another thing.
    kinds = kinds_of(b)
    if inner == ANY and kinds is not None and kinds <= {"string", "list", "map"}:
        return _limited(b, a)
    return None


def _limited(t: Type, by: Type) -> Type | None:
    """Return *t* with the constraints of *by*, too; None where these are none of its matter."""
    try:
        return refined(t, by.constraints if isinstance(by, Refined) else ())
    except TypesigError:
        return None


def _one_record(a: Record, b: Record) -> Type | None:
    if a.matching or b.matching or not {a.extra, b.extra} <= {ANY, None}:
        return None
    keys = [{field.key for field in t.fields} for t in (a, b)]
    if (a.extra is None and not keys[1] <= keys[0]) or (b.extra is None and not keys[0] <= keys[1]):
        return None
    named = {field.name: field for field in a.fields}
    for new in b.fields:
        old = named.get(new.name)
        named[new.name] = new if old is None else _one_field(old, new)
    try:
        return Record(tuple(named.values()), ANY if a.extra == b.extra == ANY else None)
    except TypesigError:
        return None


def _one_field(a: Field, b: Field) -> Field:
    types = [t for t in (a.type, b.type) if t != ANY]
    t = both(types) if types else ANY
    return Field(a.name, t, a.required or b.required, None, a.exact)


def _no_implied(rules: Simplifier, t: Refined) -> Type | None:
    """Return *t* without a constraint that the others, or its inner type, imply."""
    if not rules.firm(t.inner):
        return None
    for constraint in t.constraints:
        others = tuple([c for c in t.constraints if c is not constraint])
        left = Refined(t.inner, others) if others else t.inner
        if constraint.name == "unique" and rules.scope.folds(t):
            continue
        if rules.empty((left,), (limit(constraint),)):
            return left
    return None


def _filtered(rules: Simplifier, t: Refined) -> Type | None:
    if not isinstance(t.inner, Enum):
        return None
    kept = [v for v in t.inner.values if accepts(t, rules.definitions, v.thaw())]
    return Enum(tuple(kept)) if kept else None


_RULES: dict[type, tuple[Callable[[Simplifier, Any], Type | None], ...]] = {
    Maybe: (_nullable,),
    Union: (_any_of_all, _no_void, _enums_joined, _wider_only),
    One: (_union_of_apart,),
    Both: (_no_anything, _both_joined),
    Refined: (_filtered, _no_implied),
}
