"""The meaning of a type: one walk that checks and coerces, compiled to closures.

Whatever else judges values (the fast predicate, schemas) is joined to this by a law.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, assert_never

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import both
from typesig.algebra.nodes import (
    ANY,
    STRING,
    Both,
    Enum,
    Field,
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
from typesig.algebra.signature import Definition, Signature
from typesig.algebra.traversal import admits_nil, level
from typesig.algebra.values import kind_of
from typesig.validation import choices, collections, records, scalars
from typesig.validation.expected import expected
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import Policy
from typesig.validation.run import MAX_FRAMES, Checker, Found, Run

DECIMAL = Constraint("format", "decimal")


@lru_cache(maxsize=2048)
def compiled(t: Type, definitions: tuple[Definition, ...], policy: Policy) -> Checker:
    """Return the check of *t* under *policy*, made once."""
    names = {d.name: d.type for d in definitions}
    return Compiler(names, policy).checker(t)


@lru_cache(maxsize=2048)
def compiled_arguments(signature: Signature, policy: Policy, undeclared: str) -> Checker:
    """Return the check of named arguments, where *undeclared* ones are kept, rejected, dropped.

    Names that the signature types (`** :int`) or excludes are judged by it alone.
    """
    compiler = Compiler(signature.names, policy)
    extra = undeclared if signature.extra == ANY else compiler._extra(signature.extra)
    slots = tuple([compiler._slot(field) for field in signature.params])
    return records.record(slots, KeyPlan(signature.params), extra, policy)


class Compiler:
    """Makes checks of types that share definitions and a policy."""

    def __init__(self, names: Mapping[str, Type], policy: Policy) -> None:
        self.names = names
        self.policy = policy
        # What is known of references by name, found out once.
        self.said: dict[str, str] = {}
        self.nil: dict[str, bool] = {}
        # A reference is compiled when a value first reaches it.
        self.refs: dict[str, Checker] = {}
        # Exact names that stand beside a record in an intersection: no key folds away from them.
        self.exact: dict[Record, frozenset[str]] = {}

    def checker(self, t: Type, said: str = "") -> Checker:
        """Return the check of *t*; *said* is what messages say was expected, else *t* itself."""
        said = said or expected(t, self.names, self.said)
        match t:
            case Scalar(name):
                return scalars.scalar(name, said, self.policy)
            case List(item):
                return collections.sequence(self.checker(item), said, self.policy)
            case Set(item):
                return collections.unique(self.checker(item), said, self.policy)
            case Tuple(items, rest):
                positions = tuple([self.checker(item) for item in items])
                behind = None if rest is None else self.checker(rest)
                return collections.tuple_of(positions, behind, said)
            case MapOf(key, value):
                return self._map_of(key, value, said)
            case Record():
                return self._record(t, said)
            case Maybe(inner):
                return _maybe(self.checker(inner, said))
            case Enum(values):
                return scalars.enum(values, self.policy)
            case Union(members):
                return choices.union(tuple([self.checker(m) for m in members]), said)
            case One(members):
                return self._one(members, said)
            case Both():
                return self._both(t)
            case Not(inner):
                strict = Compiler(self.names, _to_the_letter(self.policy))
                return choices.negated(strict.checker(inner), said)
            case Refined(inner, constraints):
                return self._refined(inner, constraints, said)
            case Noted(inner):
                return self.checker(inner, said)
            case Ref(name):
                return self._ref(name)
            case _:
                assert_never(t)

    def _one(self, members: tuple[Type, ...], said: str) -> Checker:
        checks = tuple([self.checker(member) for member in members])
        policy = _to_the_letter(self.policy)
        if policy == self.policy:
            return choices.one(checks, checks, said)
        strict = Compiler(self.names, policy)
        return choices.one(checks, tuple([strict.checker(member) for member in members]), said)

    def _map_of(self, key: Type, value: Type, said: str) -> Checker:
        policy = self.policy
        if policy.decoding:
            # JSON keys are text, so a number or a truth value is read from it in any mode.
            policy = policy.on("int_from_string", "float_from_string", "bool_from_string")
            policy = policy.on("enum_from_string")
        keys = Compiler(self.names, policy).checker(key)
        item = self.checker(value)
        return collections.map_of(
            keys, item, said, expected(key, self.names, self.said), key == STRING
        )

    def _record(self, t: Record, said: str) -> Checker:
        tests = [(matching.test(), matching.type) for matching in t.matching]
        slots = []
        for field in t.fields:
            # A pattern speaks of declared names too, which are known here.
            also = [inner for test, inner in tests if test(field.name)]
            slots.append(self._slot(field.with_type(both([field.type, *also]))))
        plan = KeyPlan(t.fields, self.exact.get(t, frozenset()))
        matching = tuple([(test, self.checker(inner)) for test, inner in tests])
        extra = self._extra(t.extra)
        return records.record(tuple(slots), plan, extra, self.policy, said, matching)

    def _slot(self, field: Field) -> records.Slot:
        return records.slot(
            field,
            self.checker(field.type),
            expected(field.type, self.names, self.said),
            admits_nil(field.type, self.names, self.nil),
            self.policy,
        )

    def _extra(self, extra: Type | None) -> Checker | str:
        if extra is None:
            return "reject"
        return self.policy.extras if extra == ANY else self.checker(extra)

    def _refined(self, inner: Type, constraints: tuple[Constraint, ...], said: str) -> Checker:
        whole = _refined(self.checker(inner, said), constraints, said)
        if self.policy.defaults and self._fills(inner):
            # A default that is filled in counts as an entry, which may be one too many.
            bare = Compiler(self.names, self.policy.changed(defaults=False)).checker(inner, said)
            whole = choices.filled(_refined(bare, constraints, said), whole)
        takes_numbers = "decimal_from_number" in self.policy.coercions
        return _decimal(whole) if takes_numbers and DECIMAL in constraints else whole

    def _fills(self, t: Type) -> bool:
        """Tell whether checking *t* may fill in a default at its own level."""
        records_ = (part for part in level(t, self.names) if isinstance(part, Record))
        return any(field.default is not None for part in records_ for field in part.fields)

    def _both(self, t: Both) -> Checker:
        # What one member does not declare another may: undeclared keys are judged together.
        extras = self.policy.extras
        whole = self._members(t, self.policy.changed(extras="keep", defaults=False))
        if self.policy.defaults:
            # A default of one member may be a key that another one excludes.
            filling = self._all_of(t, self.policy.changed(extras="keep"))
            whole = choices.filled(whole, filling)
        fields = self._declared(t)
        if extras == "keep" or fields is None:
            return whole
        judged = records.record((), KeyPlan(fields), extras, self.policy)

        def check(value: Any, run: Run) -> Any:
            errors = run.errors + run.unseen
            new = whole(value, run)
            return new if run.errors + run.unseen > errors else judged(new, run)

        return check

    def _members(self, t: Both, policy: Policy) -> Checker:
        whole, letter = self._all_of(t, policy), _to_the_letter(policy)
        return whole if policy == letter else choices.either_way(self._all_of(t, letter), whole)

    def _all_of(self, t: Both, policy: Policy) -> Checker:
        inner = Compiler(self.names, policy)
        found = [part for part in level(t, self.names) if isinstance(part, Record)]
        exact = frozenset(f.name for part in found for f in part.fields if f.exact)
        if exact:
            inner.exact = dict.fromkeys(found, exact)
        return choices.both(tuple([inner.checker(member) for member in t.members]))

    def _declared(self, t: Type) -> tuple[Field, ...] | None:
        """Return the fields that *t* declares at its own level, None where any key may stand."""
        fields: dict[str, Field] = {}
        for part in level(t, self.names):
            if isinstance(part, Record):
                if part.extra not in (ANY, None) or part.matching:
                    return None
                fields.update((field.name, field) for field in part.fields)
            elif not isinstance(part, _CHOICES):
                return None
        return tuple(fields.values())

    def _ref(self, name: str) -> Checker:
        names, refs = self.names, self.refs
        # One check for all the names of a type, since what it came to is remembered by check.
        while isinstance(following := names[name], Ref):
            name = following.name
        cost = names[name].depth + 1

        def check(value: Any, run: Run) -> Any:
            if run.frames + cost > MAX_FRAMES:
                run.add(Found("depth", f"{run.frames // cost}"))
                return value
            inner = refs.get(name)
            if inner is None:
                inner = refs[name] = self.checker(names[name])
            run.frames += cost
            try:
                return _remembered(inner, value, run) if run.trial else inner(value, run)
            finally:
                run.frames -= cost

        return check


def _remembered(inner: Checker, value: Any, run: Run) -> Any:
    """Return what *inner* makes of *value*, worked out once however many branches ask."""
    known = run.memo.get((id(inner), id(value)))
    if known is None:
        trial = run.branch()
        made = inner(value, trial)
        # Both are kept, lest their ids be given to others while the check runs.
        known = run.memo[id(inner), id(value)] = (inner, value), made, trial.found
    for found in known[2]:
        run.add(found.copy())
    return known[1]


#: What says nothing of its own about keys.
_CHOICES = (Maybe, Union, One, Both, Not, Refined, Noted, Ref)


def _to_the_letter(policy: Policy) -> Policy:
    return policy.changed(coercions=frozenset(), defaults=False, decoding=False, extras="keep")


def _maybe(inner: Checker) -> Checker:
    def check(value: Any, run: Run) -> Any:
        return None if value is None else inner(value, run)

    return check


def _decimal(inner: Checker) -> Checker:
    def check(value: Any, run: Run) -> Any:
        # A number stands for its own digits, as exactly as it was written.
        written = kind_of(value) in ("int", "float") and value - value == 0
        return inner(repr(value) if written else value, run)

    return check


def _refined(inner: Checker, constraints: tuple[Constraint, ...], said: str) -> Checker:
    tests = [(constraint.row.kinds, constraint.test()) for constraint in constraints]

    def check(value: Any, run: Run) -> Any:
        errors = run.errors + run.unseen
        new = inner(value, run)
        if run.errors + run.unseen > errors:
            return new
        kind = kind_of(new)
        if not all(test(new) for speaks, test in tests if kind in speaks):
            run.error("refined", said, new)
        return new

    return check
