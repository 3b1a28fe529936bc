"""The compiler of checkers: one traversal of a type makes the closures that check and coerce.

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
    place_coercions,
    record_checks,
    scalar_checks,
    union_checks,
)
from typesig.validation.check.record_branches import (
    KeyCounter,
    UnionTags,
    find_declared_fields,
    find_tag_names,
    get_record,
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
def compile_checker(t: Type, definitions: tuple[Definition, ...], policy: Policy) -> Checker:
    """Compile the checker of *t* under *policy*; cached."""
    return get_compiler(t, definitions, policy).place_checker(t)


@lru_cache(maxsize=2048)
def get_compiler(t: Type, definitions: tuple[Definition, ...], policy: Policy) -> Compiler:
    """Return the cached compiler of the checkers of *t* and its parts."""
    return Compiler({d.name: d.type for d in definitions}, policy, whole=t)


@lru_cache(maxsize=2048)
def compile_argument_checker(
    signature: Signature, policy: Policy, undeclared: Extras, any_name: bool = False
) -> Checker:
    """Compile the checker of named arguments; *undeclared* ones are kept, rejected or dropped.

    *undeclared* has no effect if the signature types other arguments (`** :int`) or excludes them.
    *any_name* is whether the function takes arguments of any name (`**kwargs`).
    """
    compiler, plan = get_argument_compiler(signature, policy, any_name)
    extra = undeclared if signature.extra == ANY else compiler._compile_extra(signature.extra)
    if extra == "reject" and policy.on_issue == "warn" and not any_name:
        # The function cannot be called with it.
        extra = "drop"
    slots = tuple([compiler._make_slot(field) for field in signature.params])
    return record_checks.make_record_check(slots, plan, extra, policy)


@lru_cache(maxsize=2048)
def get_argument_compiler(
    signature: Signature, policy: Policy, any_name: bool
) -> tuple[Compiler, KeyPlan]:
    """Return the compiler for the arguments of *signature*, and their key plan."""
    near = policy._reads_near and signature.extra in (ANY, None) and not any_name
    return Compiler(signature.names, policy), KeyPlan(signature.params, near=near)


#: Names that records spell exactly.
Exact = frozenset[str]
_NONE: Exact = frozenset()


class Compiler:
    """Makes checkers of *whole* and other types that share definitions and a policy.

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
        self.labels: dict[str, str] = {} if other is None else other.labels
        self.nil: dict[str, bool] = {} if other is None else other.nil
        # The results of `takes_text` by type.
        self.texts: dict[Type, bool] = {} if other is None else other.texts
        self.counter: KeyCounter = KeyCounter(names) if other is None else other.counter
        # The compilers of the same definitions under other policies, which share all that is here.
        self.variants: dict[Policy, Compiler] = {} if other is None else other.variants
        # A compiler that also has names for the keys that named types take, once there is one.
        self.key_compilers: list[Compiler] = [] if other is None else other.key_compilers
        self.changes: dict[tuple[tuple[str, Any], ...], Compiler] = {}
        # A type is compiled once: below a level that asks twice, the work would double each time.
        self.checkers: dict[tuple[Type, str, Exact], Checker] = {}
        self.plans: dict[tuple[nodes.Record, Exact], KeyPlan] = {}
        self.tags: dict[int, tuple[tuple[Type, ...], UnionTags]] = {}
        # A reference is compiled when a value first reaches it.
        self.refs: dict[tuple[str, Exact], Checker] = {}
        # Other threads may find it as soon as it is here, so it comes last.
        self.variants[policy] = self

    def with_policy(self, **parts: Any) -> Compiler:
        """Return the compiler of the same definitions under a policy with other *parts*."""
        key = tuple(parts.items())
        known = self.changes.get(key)
        if known is None:
            policy = self.policy.changed(**parts)
            known = self.variants.get(policy) or Compiler(self.names, policy, self, self.whole)
            self.changes[key] = known
        return known

    def as_strict(self) -> Compiler:
        """Return the compiler of the same definitions that coerces nothing and keeps all keys."""
        return self.with_policy(
            coercions=frozenset(), defaults=False, decoding=False, extras="keep"
        )

    def as_counting(self) -> Compiler:
        """Return the compiler that only accepts values that are equal in JSON, to count items."""
        equal = self.policy.coercions & {"int_from_whole_float"}
        return self.with_policy(coercions=equal, defaults=False, extras="keep")

    def checker(self, t: Type, said: str = "", exact: Exact = _NONE) -> Checker:
        """Return the checker of *t*.

        *said* is the label of the expected type in messages, by default that of *t*.  *exact* are
        names that other members of an intersection spell exactly: such keys are not folded.
        """
        said = said or describe_type(t, self.names, self.labels)
        key = t, said, exact
        made = self.checkers.get(key)
        if made is None:
            made = self._compile(t, said, exact)
            if self._is_repeated(t):
                made = remember_results(made)
            self.checkers[key] = made
        return made

    def place_checker(self, t: Type, is_item: bool = False) -> Checker:
        """Return the checker of *t* as the whole type of a place; see `make_place_check`."""
        return place_coercions.make_place_check(
            t, self.checker(t), self.names, self.policy, self.texts, is_item
        )

    def _is_repeated(self, t: Type) -> bool:
        """Whether the checker of *t* may run more than once on one value.

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

    def _compile(self, t: Type, said: str, exact: Exact) -> Checker:
        match t:
            case nodes.Scalar(name):
                return scalar_checks.make_scalar_check(name, said, self.policy)
            case nodes.List(item):
                return collection_checks.make_list_check(
                    self.place_checker(item, True), said, self.policy
                )
            case nodes.Set(item):
                return self._compile_set(item, t, said)
            case nodes.Tuple(items, rest):
                positions = tuple([self.place_checker(item) for item in items])
                behind = None if rest is None else self.place_checker(rest)
                return collection_checks.make_tuple_check(positions, behind, said)
            case nodes.MapOf(key, value):
                return self._compile_map(key, value, said)
            case nodes.Record():
                return self._compile_record(t, said, exact)
            case nodes.Maybe(inner):
                return allow_nil(self.checker(inner, said, exact))
            case nodes.Enum(values):
                return scalar_checks.make_enum_check(values, self.policy)
            case nodes.Union(members):
                return self._compile_union(members, said, exact)
            case nodes.One(members):
                return self._compile_exactly_one(members, said, exact)
            case nodes.Both():
                return self._compile_intersection(t, exact)
            case nodes.Not(inner):
                return union_checks.make_not_check(self.as_strict().checker(inner), said)
            case nodes.ItemCount(item):
                return union_checks.make_item_count_check(self.as_counting().checker(item), t, said)
            case nodes.Refinement():
                return self._compile_refinement(t, said, exact)
            case nodes.Annotation(inner):
                return self.checker(inner, said, exact)
            case nodes.Ref(name):
                return self._compile_reference(name, exact)
            case _:
                assert_never(t)

    def _compile_union(self, members: tuple[Type, ...], said: str, exact: Exact) -> Checker:
        checks = tuple([self.checker(member, exact=exact) for member in members])
        takes = scalar_checks.make_plain_test(
            [member.name for member in members if isinstance(member, nodes.Scalar)], self.policy
        )
        return union_checks.make_fast_check(takes, self._compile_branches(members, checks, said))

    def _compile_branches(
        self, members: tuple[Type, ...], checks: tuple[Checker, ...], said: str
    ) -> Checker:
        """Compile the union of *members*, each checked by its own entry of *checks*."""
        names, counter = self.names, self.counter
        measures = tuple(
            [partial(counter.count, m) if get_record(m, names) else None for m in members]
        )
        if len([each for each in measures if each is not None]) < 2:
            return union_checks.make_union_check(checks, said, find_tag_names(members, self.names))
        return union_checks.make_record_union_check(
            checks, measures, said, self.get_union_tags(members)
        )

    def get_union_tags(self, members: tuple[Type, ...]) -> UnionTags:
        """Return the tags that select a record in the union of *members*."""
        found = self.tags.get(id(members))
        if found is None:
            names = sorted(find_tag_names(members, self.names))
            checks = {name: self._get_tag_checks(name, members) for name in names}
            tags = UnionTags(checks, tuple(map(self._list_required_keys, members)))
            found = self.tags[id(members)] = members, tags
        return found[1]

    def _list_required_keys(self, t: Type) -> list[str]:
        """List the keys that a map must have to conform to *t*."""
        record = get_record(t, self.names)
        fields = () if record is None else record.fields
        return [f.name for f in fields if f.required and f.default is None and not f.firewalled]

    def _get_tag_checks(self, name: str, members: tuple[Type, ...]) -> tuple[Checker | None, ...]:
        """Return the checker of the field *name* in each member; None where other rules apply."""
        found: list[Checker | None] = []
        for member in members:
            t = get_record(member, self.names)
            # A pattern may apply to the field, too; a hidden name is in no path.
            fields = () if t is None or t.matching else t.fields
            types = [f.type for f in fields if f.name == name and not f.firewalled]
            found.append(self.checker(types[0]) if types else None)
        return tuple(found)

    def _compile_exactly_one(self, members: tuple[Type, ...], said: str, exact: Exact) -> Checker:
        checks = tuple([self.checker(member, exact=exact) for member in members])
        strict = self.as_strict()
        also = checks if strict is self else tuple([strict.checker(m, "", exact) for m in members])
        return union_checks.make_one_check(checks, also, said, find_tag_names(members, self.names))

    def _compile_map(self, key: Type, value: Type, said: str) -> Checker:
        named = describe_type(key, self.names, self.labels)
        return collection_checks.make_map_check(
            self._compile_key(key), self.place_checker(value), said, named, key == STRING
        )

    def _compile_key(self, key: Type) -> Checker:
        compiler, taken = self.get_key_compiler(key)
        if not self.policy.decoding:
            return self._get_named_key_compiler(key).checker(taken)
        reading = compiler.checker(key)
        if taken == key:
            return reading
        return collection_checks.make_key_check(
            reading, self._get_named_key_compiler(key).as_strict().checker(taken)
        )

    def get_key_compiler(self, key: Type) -> tuple[Compiler, Type]:
        """Return the compiler for keys of type *key*, and the type of the keys that maps may hold.

        Where nothing is decoded, keys are not read.
        """
        taken = get_map_key_type(key, _make_key_reference)
        if not self.policy.decoding:
            return self, taken
        coercions = self.policy.off(*KEY_GUESSES).on(*KEY_COERCIONS).coercions
        return self.with_policy(coercions=coercions), taken

    def _get_named_key_compiler(self, key: Type) -> Compiler:
        """Return the compiler with definitions for named key types, if *key* refers to names."""
        if not key.flags & NAMES:
            return self
        if not self.key_compilers:
            names = dict(self.names)
            for name, t in self.names.items():
                names[_KEY_PREFIX + name] = get_map_key_type(t, _make_key_reference)
            known = Compiler(names, self.policy)
            known.key_compilers.append(known)
            self.key_compilers.append(known)
        # Of those that threads make at once, all take the first.
        known = self.key_compilers[0]
        return known.variants.get(self.policy) or Compiler(known.names, self.policy, known)

    def _compile_record(self, t: nodes.Record, said: str, exact: Exact) -> Checker:
        tests = [(matching.test(), matching.type) for matching in t.matching]
        slots = []
        for field in t.fields:
            # Patterns apply to declared names too.
            also = [inner for test, inner in tests if test(field.name)]
            whole = field.with_type(make_both([field.type, *also])) if also else field
            slots.append(self._make_slot(whole))
        plan = self.key_plan(t, exact)
        matching = tuple([(test, self.place_checker(inner)) for test, inner in tests])
        extra = self._compile_extra(t.extra)
        return record_checks.make_record_check(
            tuple(slots), plan, extra, self.policy, said, matching
        )

    def key_plan(self, t: nodes.Record, exact: Exact = _NONE) -> KeyPlan:
        """Return the key plan of *t*; for *exact* see `checker`."""
        plan = self.plans.get((t, exact))
        if plan is None:
            # Extras that have a type are meant as they are spelled.
            untyped = t.extra in (ANY, None) and not t.matching
            near = self.policy._reads_near and untyped and TOGETHER not in exact
            plan = self.plans[t, exact] = KeyPlan(t.fields, exact, near)
        return plan

    def _make_slot(self, field: nodes.Field) -> record_checks.FieldSlot:
        t = field.type
        # Without names and records, what is made does not depend on where the type stands.
        is_common = t.depth <= _SHALLOW and not t.flags & (NAMES | RECORDS)
        check, said, nil = _common_slot_parts(t, self.policy) if is_common else self.slot_parts(t)
        fill = check
        if field.default is not None and self.policy.extras == "reject":
            # Nobody sent a default, so none of its keys is a sender's mistake.
            fill = self.with_policy(extras="keep").place_checker(t)
        return record_checks.make_slot(field, check, fill, said, nil, self.policy)

    def slot_parts(self, t: Type) -> tuple[Checker, str, bool]:
        """Return the checker of *t* at a place, its label for messages, and whether nil passes."""
        text = describe_type(t, self.names, self.labels)
        return self.place_checker(t), text, allows_nil(t, self.names, self.nil)

    def _compile_extra(self, extra: Type | None) -> Checker | Extras:
        if extra is None:
            return "reject"
        return self.policy.extras if extra == ANY else self.place_checker(extra)

    def _compile_set(self, item: Type, t: nodes.Set, said: str) -> Checker:
        whole = collection_checks.make_set_check(self.place_checker(item, True), said, self.policy)
        if self.policy.defaults and fills_within(item, self.names):
            # Items that differ may become the same by a default that is filled in.
            return union_checks.make_filling_check(
                self.with_policy(defaults=False).checker(t, said), whole
            )
        return whole

    def _compile_refinement(self, t: nodes.Refinement, said: str, exact: Exact) -> Checker:
        inner, constraints = t.inner, t.constraints
        whole = scalar_checks.make_refinement_check(
            self.checker(inner, said, exact), constraints, said, self.policy
        )
        if self.policy.defaults and is_decided_by_defaults(t, self.names):
            # A default that is filled in counts as an entry, which may exceed an upper bound.
            # By one within the items, items that differ may become the same.
            without = self.with_policy(defaults=False)
            whole = union_checks.make_filling_check(without.checker(t, said, exact), whole)
        rows = scalar_checks.find_format_conversions(constraints, self.policy)
        return scalar_checks.make_format_check(whole, rows) if rows else whole

    def _compile_intersection(self, t: nodes.Both, exact: Exact) -> Checker:
        # A key that one member does not declare another may: they are judged together.
        extras = self.policy.extras
        whole = self.with_policy(extras="keep", defaults=False)._compile_members(t, exact)
        if self.policy.defaults and fills_within(t, self.names):
            # A default of one member may be a key that another one excludes.
            whole = union_checks.make_filling_check(
                whole, self.with_policy(extras="keep")._compile_all_members(t, exact)
            )
        fields = find_declared_fields(t, self.names)
        if fields is None:
            return whole
        if self.policy._reads_near:
            hidden = frozenset(field.name for field in fields if field.firewalled)
            whole = record_checks.make_near_names_check(KeyPlan(fields, near=True), hidden, whole)
        if extras == "keep":
            return whole
        near = self.policy._reads_near
        judged = record_checks.make_extras_check(KeyPlan(fields, near=near), extras, self.policy)

        def check(value: Any, run: CheckState) -> Any:
            errors = run.errors + run.unseen
            new = whole(value, run)
            # Members that are no records accept values without keys, such as nil.
            if run.errors + run.unseen > errors or get_kind(new) != "map":
                return new
            return judged(new, value, run)

        return check

    def _compile_members(self, t: nodes.Both, exact: Exact) -> Checker:
        """Compile the members of *t*; a value that conforms unchanged is not coerced."""
        made, strict = self._compile_all_members(t, exact), self.as_strict()
        either = union_checks.make_strict_first_check
        return made if strict is self else either(strict.checker(t, "", exact), made)

    def _compile_all_members(self, t: nodes.Both, exact: Exact) -> Checker:
        found = [
            part for part in iter_same_value_types(t, self.names) if isinstance(part, nodes.Record)
        ]
        exact |= {field.name for part in found for field in part.fields if field.exact} | {TOGETHER}
        return union_checks.make_intersection_check(
            tuple([self.checker(each, exact=exact) for each in t.members])
        )

    def _compile_reference(self, name: str, exact: Exact) -> Checker:
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
def _common_slot_parts(t: Type, policy: Policy) -> tuple[Checker, str, bool]:
    """Return `Compiler.slot_parts` for a *t* without names or records; cached."""
    return Compiler({}, policy).slot_parts(t)


#: The keys that a named type takes have its name behind this one.
_KEY_PREFIX = "\0"


def _make_key_reference(name: str) -> Type:
    return nodes.Ref(_KEY_PREFIX + name)
