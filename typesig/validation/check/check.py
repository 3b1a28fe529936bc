"""The meaning of a type: one walk that checks and coerces, compiled to closures.

Tests compare every other judge of values, such as JSON Schema, with this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import get_map_key_type, make_both
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY, STRING, Type
from typesig.algebra.rows.frozen import NAMES, RECORDS
from typesig.algebra.rows.values import get_kind
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import allows_nil, iter_same_value_types
from typesig.limits import MAX_FRAMES
from typesig.validation.check import (
    collection_checks,
    json_places,
    record_checks,
    scalar_checks,
    union_checks,
)
from typesig.validation.check.record_branches import (
    KeyCounter,
    Tags,
    declared_by,
    record_of,
    tag_names,
)
from typesig.validation.check.record_checks import fills_within, is_decided_by_defaults
from typesig.validation.check_state import (
    Checker,
    CheckState,
    Finding,
    allow_nil,
    remember_results,
)
from typesig.validation.coercions import KEY_COERCIONS, KEY_GUESSES
from typesig.validation.issues.excerpt import describe_type
from typesig.validation.keys import TOGETHER, KeyPlan
from typesig.validation.policy import Extras, Policy


@lru_cache(maxsize=2048)
def compiled(t: Type, definitions: tuple[Definition, ...], policy: Policy) -> Checker:
    """Return the check of *t* under *policy*, from the cache if there is one."""
    return compiler_of(t, definitions, policy).place(t)


@lru_cache(maxsize=2048)
def compiler_of(t: Type, definitions: tuple[Definition, ...], policy: Policy) -> Compiler:
    """Return the compiler that makes, and keeps, the checks of *t* and its parts."""
    return Compiler({d.name: d.type for d in definitions}, policy, whole=t)


@lru_cache(maxsize=2048)
def compiled_arguments(
    signature: Signature, policy: Policy, undeclared: Extras, any_name: bool = False
) -> Checker:
    """Return the check of named arguments; *undeclared* arguments are kept, rejected or dropped.

    *undeclared* has no effect if the signature types other arguments (`** :int`) or excludes them.
    *any_name* is whether the function takes arguments of any name (`**kwargs`).
    """
    compiler, plan = arguments_of(signature, policy, any_name)
    extra = undeclared if signature.extra == ANY else compiler._extra(signature.extra)
    if extra == "reject" and policy.on_issue == "warn" and not any_name:
        # The function cannot be called with it.
        extra = "drop"
    slots = tuple([compiler._slot(field) for field in signature.params])
    return record_checks.record(slots, plan, extra, policy)


@lru_cache(maxsize=2048)
def arguments_of(signature: Signature, policy: Policy, any_name: bool) -> tuple[Compiler, KeyPlan]:
    """Return what makes the checks of the arguments of *signature*, and their key plan."""
    near = policy._reads_near and signature.extra in (ANY, None) and not any_name
    return Compiler(signature.names, policy), KeyPlan(signature.params, near=near)


#: Names that records spell exactly.
Exact = frozenset[str]
_NONE: Exact = frozenset()


class Compiler:
    """Makes checks of *whole* and other types that share definitions and a policy.

    Equal types have one check.
    """

    def __init__(
        self,
        names: Mapping[str, Type],
        policy: Policy,
        other: Compiler | None = None,
        whole: Type = ANY,
    ) -> None:
        self.names = names
        self.policy = policy
        self.whole = whole
        # The texts of references, and whether they admit nil, by name.
        self.said: dict[str, str] = {} if other is None else other.said
        self.nil: dict[str, bool] = {} if other is None else other.nil
        # What `takes_text` says of types.
        self.texts: dict[Type, bool] = {} if other is None else other.texts
        self.counter: KeyCounter = KeyCounter(names) if other is None else other.counter
        # The compilers of the same definitions under other policies, which share all that is here.
        self.variants: dict[Policy, Compiler] = {} if other is None else other.variants
        # A compiler that also has names for the keys that named types take, once there is one.
        self.of_keys: list[Compiler] = [] if other is None else other.of_keys
        self.changes: dict[tuple[tuple[str, Any], ...], Compiler] = {}
        # A type is compiled once: below a level that asks twice, the work would double each time.
        self.made: dict[tuple[Type, str, Exact], Checker] = {}
        self.plans: dict[tuple[nodes.Record, Exact], KeyPlan] = {}
        self.tags: dict[int, tuple[tuple[Type, ...], Tags]] = {}
        # A reference is compiled when a value first reaches it.
        self.refs: dict[tuple[str, Exact], Checker] = {}
        # Other threads may find it as soon as it is here, so it comes last.
        self.variants[policy] = self

    def changed(self, **parts: Any) -> Compiler:
        """Return the compiler of the same definitions under a policy with other *parts*."""
        key = tuple(parts.items())
        known = self.changes.get(key)
        if known is None:
            policy = self.policy.changed(**parts)
            known = self.variants.get(policy) or Compiler(self.names, policy, self, self.whole)
            self.changes[key] = known
        return known

    def strict(self) -> Compiler:
        """Return the compiler of the same definitions that coerces nothing and keeps all keys."""
        return self.changed(coercions=frozenset(), defaults=False, decoding=False, extras="keep")

    def counting(self) -> Compiler:
        """Return the compiler of the same definitions that takes what is equal in JSON, no more."""
        equal = self.policy.coercions & {"int_from_whole_float"}
        return self.changed(coercions=equal, defaults=False, extras="keep")

    def checker(self, t: Type, said: str = "", exact: Exact = _NONE) -> Checker:
        """Return the check of *t*.

        *said* is what messages say was expected, by default *t*.  *exact* are names that other
        members of an intersection spell exactly: such keys are not folded.
        """
        said = said or describe_type(t, self.names, self.said)
        key = t, said, exact
        made = self.made.get(key)
        if made is None:
            made = self._compiled(t, said, exact)
            if self._is_repeated(t):
                made = remember_results(made)
            self.made[key] = made
        return made

    def place(self, t: Type, is_item: bool = False) -> Checker:
        """Return the check of *t* as the whole type of a place; see `json_places`."""
        return json_places.place(t, self.checker(t), self.names, self.policy, self.texts, is_item)

    def _is_repeated(self, t: Type) -> bool:
        """Whether the check of *t* may judge a value more than once.

        At each level of such types, what is below would be judged twice as often.
        """
        match t:
            case nodes.Set(item):
                return fills_within(item, self.names)
            case nodes.One() | nodes.Both() | nodes.Not() | nodes.ItemCount():
                return True
            case nodes.Union(members):
                return not all(isinstance(member, nodes.Scalar | nodes.Enum) for member in members)
            case nodes.Refinement():
                return is_decided_by_defaults(t, self.names)
            case nodes.Leaf() | nodes.Container() | nodes.Through():
                return False
            case _:
                assert_never(t)

    def _compiled(self, t: Type, said: str, exact: Exact) -> Checker:
        match t:
            case nodes.Scalar(name):
                return scalar_checks.scalar(name, said, self.policy)
            case nodes.List(item):
                return collection_checks.sequence(self.place(item, True), said, self.policy)
            case nodes.Set(item):
                return self._set(item, t, said)
            case nodes.Tuple(items, rest):
                positions = tuple([self.place(item) for item in items])
                behind = None if rest is None else self.place(rest)
                return collection_checks.tuple_of(positions, behind, said)
            case nodes.MapOf(key, value):
                return self._map_of(key, value, said)
            case nodes.Record():
                return self._record(t, said, exact)
            case nodes.Maybe(inner):
                return allow_nil(self.checker(inner, said, exact))
            case nodes.Enum(values):
                return scalar_checks.enum(values, self.policy)
            case nodes.Union(members):
                return self._union(members, said, exact)
            case nodes.One(members):
                return self._one(members, said, exact)
            case nodes.Both():
                return self._both(t, exact)
            case nodes.Not(inner):
                return union_checks.negated(self.strict().checker(inner), said)
            case nodes.ItemCount(item):
                return union_checks.counted(self.counting().checker(item), t, said)
            case nodes.Refinement():
                return self._refined(t, said, exact)
            case nodes.Annotation(inner):
                return self.checker(inner, said, exact)
            case nodes.Ref(name):
                return self._ref(name, exact)
            case _:
                assert_never(t)

    def _union(self, members: tuple[Type, ...], said: str, exact: Exact) -> Checker:
        checks = tuple([self.checker(member, exact=exact) for member in members])
        takes = scalar_checks.make_plain_test(
            [member.name for member in members if isinstance(member, nodes.Scalar)], self.policy
        )
        return union_checks.try_first(takes, self._branches(members, checks, said))

    def _branches(
        self, members: tuple[Type, ...], checks: tuple[Checker, ...], said: str
    ) -> Checker:
        """Return the check of the union of *members*, of which each has one of *checks*."""
        names, counter = self.names, self.counter
        measures = tuple(
            [partial(counter.count, m) if record_of(m, names) else None for m in members]
        )
        if len([each for each in measures if each is not None]) < 2:
            return union_checks.union(checks, said, tag_names(members, self.names))
        return union_checks.union_with_records(checks, measures, said, self.tags_of(members))

    def tags_of(self, members: tuple[Type, ...]) -> Tags:
        """Return the fields that tell the records of the union of *members* apart."""
        found = self.tags.get(id(members))
        if found is None:
            names = sorted(tag_names(members, self.names))
            checks = {name: self._checks_of(name, members) for name in names}
            tags = Tags(checks, tuple([self._required(member) for member in members]))
            found = self.tags[id(members)] = members, tags
        return found[1]

    def _required(self, t: Type) -> list[str]:
        """Return the keys without which *t* takes no map."""
        record = record_of(t, self.names)
        fields = () if record is None else record.fields
        return [f.name for f in fields if f.required and f.default is None and not f.firewalled]

    def _checks_of(self, name: str, members: tuple[Type, ...]) -> tuple[Checker | None, ...]:
        """Return the check of the field *name* in each of *members*, None where others decide."""
        found: list[Checker | None] = []
        for member in members:
            t = record_of(member, self.names)
            # A pattern may apply to the field, too; a hidden name is in no path.
            fields = () if t is None or t.matching else t.fields
            types = [f.type for f in fields if f.name == name and not f.firewalled]
            found.append(self.checker(types[0]) if types else None)
        return tuple(found)

    def _one(self, members: tuple[Type, ...], said: str, exact: Exact) -> Checker:
        checks = tuple([self.checker(member, exact=exact) for member in members])
        strict = self.strict()
        also = checks if strict is self else tuple([strict.checker(m, "", exact) for m in members])
        return union_checks.one(checks, also, said, tag_names(members, self.names))

    def _map_of(self, key: Type, value: Type, said: str) -> Checker:
        named = describe_type(key, self.names, self.said)
        return collection_checks.map_of(
            self._key(key), self.place(value), said, named, key == STRING
        )

    def _key(self, key: Type) -> Checker:
        compiler, taken = self.keys_of(key)
        if not self.policy.decoding:
            return self._knowing_keys(key).checker(taken)
        reading = compiler.checker(key)
        if taken == key:
            return reading
        return collection_checks.key_read(reading, self._knowing_keys(key).strict().checker(taken))

    def keys_of(self, key: Type) -> tuple[Compiler, Type]:
        """Return the compiler that reads keys of type *key*, and the type of what such a map takes.

        Where nothing is decoded, keys are not read.
        """
        taken = get_map_key_type(key, _taken_by_name)
        if not self.policy.decoding:
            return self, taken
        coercions = self.policy.off(*KEY_GUESSES).on(*KEY_COERCIONS).coercions
        return self.changed(coercions=coercions), taken

    def _knowing_keys(self, key: Type) -> Compiler:
        """Return a compiler that has names for the keys that named types take, if *key* has any."""
        if not key.flags & NAMES:
            return self
        if not self.of_keys:
            names = dict(self.names)
            for name, t in self.names.items():
                names[_TAKEN + name] = get_map_key_type(t, _taken_by_name)
            known = Compiler(names, self.policy)
            known.of_keys.append(known)
            self.of_keys.append(known)
        # Of those that threads make at once, all take the first.
        known = self.of_keys[0]
        return known.variants.get(self.policy) or Compiler(known.names, self.policy, known)

    def _record(self, t: nodes.Record, said: str, exact: Exact) -> Checker:
        tests = [(matching.test(), matching.type) for matching in t.matching]
        slots = []
        for field in t.fields:
            # Patterns apply to declared names too.
            also = [inner for test, inner in tests if test(field.name)]
            whole = field.with_type(make_both([field.type, *also])) if also else field
            slots.append(self._slot(whole))
        plan = self.plan(t, exact)
        matching = tuple([(test, self.place(inner)) for test, inner in tests])
        extra = self._extra(t.extra)
        return record_checks.record(tuple(slots), plan, extra, self.policy, said, matching)

    def plan(self, t: nodes.Record, exact: Exact = _NONE) -> KeyPlan:
        """Return the key plan of *t*; for *exact* see `checker`."""
        plan = self.plans.get((t, exact))
        if plan is None:
            # Extras that have a type are meant as they are spelled.
            untyped = t.extra in (ANY, None) and not t.matching
            near = self.policy._reads_near and untyped and TOGETHER not in exact
            plan = self.plans[t, exact] = KeyPlan(t.fields, exact, near)
        return plan

    def _slot(self, field: nodes.Field) -> record_checks.Slot:
        t = field.type
        # Without names and records, what is made does not depend on where the type stands.
        is_common = t.depth <= _SHALLOW and not t.flags & (NAMES | RECORDS)
        check, said, nil = _common(t, self.policy) if is_common else self.told(t)
        fill = check
        if field.default is not None and self.policy.extras == "reject":
            # Nobody sent a default, so none of its keys is a sender's mistake.
            fill = self.changed(extras="keep").place(t)
        return record_checks.slot(field, check, fill, said, nil, self.policy)

    def told(self, t: Type) -> tuple[Checker, str, bool]:
        """Return the check of *t* at a place, what messages say is expected, and whether nil is."""
        text = describe_type(t, self.names, self.said)
        return self.place(t), text, allows_nil(t, self.names, self.nil)

    def _extra(self, extra: Type | None) -> Checker | Extras:
        if extra is None:
            return "reject"
        return self.policy.extras if extra == ANY else self.place(extra)

    def _set(self, item: Type, t: nodes.Set, said: str) -> Checker:
        whole = collection_checks.unique(self.place(item, True), said, self.policy)
        if self.policy.defaults and fills_within(item, self.names):
            # Items that differ may become the same by a default that is filled in.
            return union_checks.filled(self.changed(defaults=False).checker(t, said), whole)
        return whole

    def _refined(self, t: nodes.Refinement, said: str, exact: Exact) -> Checker:
        inner, constraints = t.inner, t.constraints
        whole = scalar_checks.refined(
            self.checker(inner, said, exact), constraints, said, self.policy
        )
        if self.policy.defaults and is_decided_by_defaults(t, self.names):
            # A default that is filled in counts as an entry, which may exceed an upper bound.
            # By one within the items, items that differ may become the same.
            without = self.changed(defaults=False)
            whole = union_checks.filled(without.checker(t, said, exact), whole)
        rows = scalar_checks.formatting(constraints, self.policy)
        return scalar_checks.formatted(whole, rows) if rows else whole

    def _both(self, t: nodes.Both, exact: Exact) -> Checker:
        # A key that one member does not declare another may: they are judged together.
        extras = self.policy.extras
        whole = self.changed(extras="keep", defaults=False)._members(t, exact)
        if self.policy.defaults and fills_within(t, self.names):
            # A default of one member may be a key that another one excludes.
            whole = union_checks.filled(whole, self.changed(extras="keep")._all_of(t, exact))
        fields = declared_by(t, self.names)
        if fields is None:
            return whole
        if self.policy._reads_near:
            hidden = frozenset(field.name for field in fields if field.firewalled)
            whole = record_checks.respelled(KeyPlan(fields, near=True), hidden, whole)
        if extras == "keep":
            return whole
        near = self.policy._reads_near
        judged = record_checks.check_others(KeyPlan(fields, near=near), extras, self.policy)

        def check(value: Any, run: CheckState) -> Any:
            errors = run.errors + run.unseen
            new = whole(value, run)
            # Members that are no records accept values without keys, such as nil.
            if run.errors + run.unseen > errors or get_kind(new) != "map":
                return new
            return judged(new, value, run)

        return check

    def _members(self, t: nodes.Both, exact: Exact) -> Checker:
        """Return the check of *t* that nothing is coerced for, if it conforms as it is."""
        made, strict = self._all_of(t, exact), self.strict()
        either = union_checks.either_way
        return made if strict is self else either(strict.checker(t, "", exact), made)

    def _all_of(self, t: nodes.Both, exact: Exact) -> Checker:
        found = [
            part for part in iter_same_value_types(t, self.names) if isinstance(part, nodes.Record)
        ]
        exact |= {field.name for part in found for field in part.fields if field.exact} | {TOGETHER}
        return union_checks.both(tuple([self.checker(each, exact=exact) for each in t.members]))

    def _ref(self, name: str, exact: Exact) -> Checker:
        names, refs = self.names, self.refs
        # All names of a type share one check, since results are remembered by check.
        while isinstance(following := names[name], nodes.Ref):
            name = following.name
        cost, key = names[name].depth + 1, (name, exact)

        def check(value: Any, run: CheckState) -> Any:
            if run.frames + cost > MAX_FRAMES:
                run.add(Finding("depth", f"{run.frames // cost}"))
                return value
            inner = refs.get(key)
            if inner is None:
                inner = self.checker(names[name], exact=exact)
                inner = refs[key] = (
                    inner if self._is_repeated(names[name]) else remember_results(inner)
                )
            run.frames += cost
            try:
                return inner(value, run)
            finally:
                run.frames -= cost

        return check


#: The levels of types, such as `[:string]`, whose checks all compilers of a policy share.
_SHALLOW = 2


@lru_cache(maxsize=2048)
def _common(t: Type, policy: Policy) -> tuple[Checker, str, bool]:
    """Return what a compiler tells of *t*, which has neither names nor records."""
    return Compiler({}, policy).told(t)


#: The keys that a named type takes have its name behind this one.
_TAKEN = "\0"


def _taken_by_name(name: str) -> Type:
    return nodes.Ref(_TAKEN + name)
