"""The meaning of a type: one walk that checks and coerces, compiled to closures.

Tests compare every other judge of values, such as JSON Schema, with this one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any, assert_never

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import bare, both
from typesig.algebra.formats import EXAMPLES
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
from typesig.algebra.values import Kind, kind_of
from typesig.limits import MAX_FRAMES
from typesig.validation import choices, collections, records, scalars
from typesig.validation.coercions import COERCIONS, KEY_COERCIONS, REFUSED, Coercion
from typesig.validation.excerpt import shown
from typesig.validation.expected import expected
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import Extras, Policy
from typesig.validation.run import Checker, Found, Run
from typesig.validation.undeclared import is_record, undeclared


@lru_cache(maxsize=2048)
def compiled(t: Type, definitions: tuple[Definition, ...], policy: Policy) -> Checker:
    """Return the check of *t* under *policy*, from the cache if there is one."""
    names = {d.name: d.type for d in definitions}
    return Compiler(names, policy).checker(t)


@lru_cache(maxsize=2048)
def compiled_arguments(signature: Signature, policy: Policy, undeclared: Extras) -> Checker:
    """Return the check of named arguments; *undeclared* arguments are kept, rejected or dropped.

    *undeclared* has no effect if the signature types other arguments (`** :int`) or excludes them.
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
        # The texts of references, and whether they admit nil, by name.
        self.said: dict[str, str] = {}
        self.nil: dict[str, bool] = {}
        # A reference is compiled when a value first reaches it.
        self.refs: dict[str, Checker] = {}
        # Exact names that other members of an intersection declare: such keys are not folded.
        self.exact: dict[Record, frozenset[str]] = {}

    def checker(self, t: Type, said: str = "") -> Checker:
        """Return the check of *t*; *said* is what messages say was expected, by default *t*."""
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
                return self._union(members, said)
            case One(members):
                return self._one(members, said)
            case Both():
                return self._both(t)
            case Not(inner):
                strict = Compiler(self.names, _strictly(self.policy))
                return choices.negated(strict.checker(inner), said)
            case Refined(inner, constraints):
                return self._refined(inner, constraints, said)
            case Noted(inner):
                return self.checker(inner, said)
            case Ref(name):
                return self._ref(name)
            case _:
                assert_never(t)

    def _union(self, members: tuple[Type, ...], said: str) -> Checker:
        checks = tuple([self.checker(member) for member in members])
        names = self.names
        measures = tuple(
            [partial(_undeclared, m, names) if is_record(m, names) else None for m in members]
        )
        if len([each for each in measures if each is not None]) < 2:
            return choices.union(checks, said, self._tags(members))
        return choices.union_with_records(checks, measures, said, self._tags(members))

    def _one(self, members: tuple[Type, ...], said: str) -> Checker:
        checks = tuple([self.checker(member) for member in members])
        policy = _strictly(self.policy)
        if policy == self.policy:
            return choices.one(checks, checks, said, self._tags(members))
        strict = Compiler(self.names, policy)
        also = tuple([strict.checker(member) for member in members])
        return choices.one(checks, also, said, self._tags(members))

    def _tags(self, members: tuple[Type, ...]) -> frozenset[str]:
        """Return the names of the constant fields that tell the records of *members* apart."""
        found: list[dict[str, Type]] = []
        for member in members:
            parts = [part for part in level(member, self.names) if isinstance(part, Record)]
            if parts:
                fields = [(f.name, bare(f.type)) for part in parts for f in part.fields]
                enums = [(name, t) for name, t in fields if isinstance(t, Enum)]
                found.append({name: t for name, t in enums if len(t.values) == 1})
        common = set[str]() if len(found) < 2 else set.intersection(*map(set, found))
        return frozenset(
            name for name in common if len({each[name] for each in found}) == len(found)
        )

    def _map_of(self, key: Type, value: Type, said: str) -> Checker:
        policy = self.policy
        if policy.decoding:
            policy = policy.on(*KEY_COERCIONS)
        keys = Compiler(self.names, policy).checker(key)
        item = self.checker(value)
        named = expected(key, self.names, self.said)
        return collections.map_of(keys, item, said, named, key == STRING, policy.decoding)

    def _record(self, t: Record, said: str) -> Checker:
        tests = [(matching.test(), matching.type) for matching in t.matching]
        slots = []
        for field in t.fields:
            # Patterns apply to declared names too.
            also = [inner for test, inner in tests if test(field.name)]
            slots.append(self._slot(field.with_type(both([field.type, *also]))))
        plan = KeyPlan(t.fields, self.exact.get(t, frozenset()))
        matching = tuple([(test, self.checker(inner)) for test, inner in tests])
        extra = self._extra(t.extra)
        return records.record(tuple(slots), plan, extra, self.policy, said, matching)

    def _slot(self, field: Field) -> records.Slot:
        check = fill = self.checker(field.type)
        if field.default is not None and self.policy.extras == "reject":
            # Nobody sent a default, so none of its keys is a sender's mistake.
            keeping = Compiler(self.names, self.policy.changed(extras="keep"))
            fill = keeping.checker(field.type)
        return records.slot(
            field,
            check,
            fill,
            expected(field.type, self.names, self.said),
            admits_nil(field.type, self.names, self.nil),
            self.policy,
        )

    def _extra(self, extra: Type | None) -> Checker | Extras:
        if extra is None:
            return "reject"
        return self.policy.extras if extra == ANY else self.checker(extra)

    def _refined(self, inner: Type, constraints: tuple[Constraint, ...], said: str) -> Checker:
        whole = _refined(self.checker(inner, said), constraints, said)
        if self.policy.defaults and self._fills(inner):
            # A default that is filled in counts as an entry, which may exceed an upper bound.
            bare = Compiler(self.names, self.policy.changed(defaults=False)).checker(inner, said)
            whole = choices.filled(_refined(bare, constraints, said), whole)
        formats = {c.argument.value for c in constraints if c.name == "format"}
        rows = [
            row
            for row in COERCIONS.values()
            if row.format in formats and row.id in self.policy.coercions
        ]
        return _formatted(whole, rows) if rows else whole

    def _fills(self, t: Type) -> bool:
        """Tell whether checking *t* may fill in a default at its own level."""
        records_ = (part for part in level(t, self.names) if isinstance(part, Record))
        return any(field.default is not None for part in records_ for field in part.fields)

    def _both(self, t: Both) -> Checker:
        # A key that one member does not declare another may: they are judged together.
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
        whole, strict = self._all_of(t, policy), _strictly(policy)
        return whole if policy == strict else choices.either_way(self._all_of(t, strict), whole)

    def _all_of(self, t: Both, policy: Policy) -> Checker:
        inner = Compiler(self.names, policy)
        found = [part for part in level(t, self.names) if isinstance(part, Record)]
        exact = frozenset(f.name for part in found for f in part.fields if f.exact)
        if exact:
            inner.exact = dict.fromkeys(found, exact)
        return choices.both(tuple([inner.checker(member) for member in t.members]))

    def _declared(self, t: Type) -> tuple[Field, ...] | None:
        """Return the fields that *t* declares at its own level, or None if any key is allowed."""
        fields: dict[str, Field] = {}
        for part in level(t, self.names):
            match part:
                case Record():
                    if part.extra not in (ANY, None) or part.matching:
                        return None
                    fields.update((field.name, field) for field in part.fields)
                case Scalar() | List() | Set() | Tuple() | MapOf() | Enum():
                    return None
                case Maybe() | Union() | One() | Both() | Not() | Refined() | Noted() | Ref():
                    # `level` yields their parts; they declare no keys of their own.
                    pass
                case _:
                    assert_never(part)
        return tuple(fields.values())

    def _ref(self, name: str) -> Checker:
        names, refs = self.names, self.refs
        # All names of a type share one check, since results are remembered by check.
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
    """Return the result of *inner* for *value*, computed once for all branches."""
    known = run.memo.get((id(inner), id(value)))
    if known is None:
        trial = run.branch()
        made = inner(value, trial)
        # Both are kept alive, so that their ids stay theirs while the check runs.
        known = run.memo[id(inner), id(value)] = (inner, value), made, trial.found
    for found in known[2]:
        run.add(found.copy())
    return known[1]


def _strictly(policy: Policy) -> Policy:
    return policy.changed(coercions=frozenset(), defaults=False, decoding=False, extras="keep")


def _maybe(inner: Checker) -> Checker:
    def check(value: Any, run: Run) -> Any:
        return None if value is None else inner(value, run)

    return check


def _formatted(inner: Checker, rows: list[Coercion]) -> Checker:
    """Return *inner* after the coercions *rows* to text in a format."""
    ways: dict[Kind, Coercion] = {kind: row for row in rows for kind in row.sources}

    def check(value: Any, run: Run) -> Any:
        way = ways.get(kind_of(value))
        made = REFUSED if way is None else way.apply(value)
        if way is None or made is REFUSED:
            return inner(value, run)
        if way.warns:
            got = shown(value)
            run.add(Found("coerced", f"{way.format}", got, rule=way.id, warning=True))
        return inner(made, run)

    return check


def _undeclared(t: Type, names: Mapping[str, Type], value: Any) -> int:
    return undeclared(t, value, names)


def _refined(inner: Checker, constraints: tuple[Constraint, ...], said: str) -> Checker:
    tests = [(c.row.kinds, c.test(), _form(c)) for c in constraints]

    def check(value: Any, run: Run) -> Any:
        errors = run.errors + run.unseen
        new = inner(value, run)
        if run.errors + run.unseen > errors:
            return new
        kind = kind_of(new)
        for kinds, test, form in tests:
            if kind in kinds and not test(new):
                run.error("refined", said, new, _advice(form, new))
                break
        return new

    return check


def _form(constraint: Constraint) -> str:
    """Return a text that has the format *constraint*, or an empty one."""
    return EXAMPLES.get(constraint.argument.value, "") if constraint.name == "format" else ""


def _advice(form: str, value: Any) -> str:
    """Return the hint that *value* be written like *form*, unless it is written like that."""
    if not form or (isinstance(value, str) and _DIGIT.sub("0", value) == _DIGIT.sub("0", form)):
        # 2026-02-30 has the form of a date, but there is no such day.
        return ""
    return f"write it as {form}"


_DIGIT = re.compile("[0-9]")
