"""Source code for each shape of types: lines that return unless a value conforms."""

from __future__ import annotations

from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds, make_both, strip_annotations
from typesig.algebra.nodes import ANY, BOOL, STRING, Field, PatternField, Record, Type
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.rows.values import Kind
from typesig.validation.check.record_checks import is_decided_by_defaults
from typesig.validation.check.scalar_checks import allows_other_format
from typesig.validation.generated import predicate_answers, union_source
from typesig.validation.generated.conditions import (
    build_class_test,
    build_condition,
    make_constraints_test,
    write_limit_tests,
)
from typesig.validation.generated.source import Function, Place, Test, make_function_key
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import Extras

# --- The source for records: declared fields, then the keys that are not declared ---


def record(f: Function, t: Record, place: Place) -> None:
    """Write lines that check the dict in the variable of *place* against the record *t*."""
    tests = [(matching.test(), matching.type) for matching in t.matching]
    slots: list[tuple[Field, Type]] = []
    for field in t.fields:
        also = [inner for test, inner in tests if test(field.name)]
        slots.append((field, make_both([field.type, *also]) if also else field.type))
    plan = place.compiler.key_plan(t, place.exact)
    extra: Type | Extras = place.compiler.policy.extras
    if t.extra != ANY:
        extra = "reject" if t.extra is None else t.extra
    write_fields(f, slots, plan, extra, place, t.matching)


def write_fields(
    f: Function,
    slots: list[tuple[Field, Type]],
    plan: KeyPlan,
    extra: Type | Extras,
    place: Place,
    matching: tuple[PatternField, ...] = (),
    fills: bool = True,
) -> None:
    """Write lines that check the fields and other keys of the dict in the variable of *place*.

    *fills* is whether a map without a default is to have it.
    """
    x, policy = place.name, place.compiler.policy
    fills = fills and policy.defaults
    refused = frozenset(s.name for s, _ in slots if policy.firewall and s.firewalled)
    declared = [(field, t) for field, t in slots if field.name not in refused]
    required = [s for s in declared if _is_needed(s[0], fills)]
    held: list[tuple[Type, Place]] = []
    for field, t in required:
        held.append((t, _write_field_value(f, t, place, f.program.bind_key(field.name))))
        # The default of an absent field is filled in without a warning.
        f.refusals.soft_keys |= field.default is not None
    f.refusals.soft_keys |= bool(required) and _has_folds(plan)
    _together(f, held)
    count = f"{len(required)}"
    optional = [s for s in declared if not _is_needed(s[0], fills)]
    if len(optional) > _MANY:
        # A map with few of many optional fields costs what it holds: the check sees to that.
        with f.open_block(f"if {_MANY} * (len({x}) + 1) < {len(optional)}:"):
            f.refuse("None")
    if optional:
        count, start = f.new_variable(), count
        f.add(f"{count} = {start}")
    for field, t in optional:
        key, inner = f.program.bind_key(field.name), place.with_name(f.new_variable())
        with f.open_block(f"if {key} in {x}:"):
            f.add(f"{inner.name} = {x}[{key}]")
            f.judge(t, inner)
            f.add(f"{count} += 1")
    with f.open_block(f"if len({x}) != {count}:"):
        if matching or not isinstance(extra, str):
            _write_typed_keys(f, plan, refused, extra, place, matching)
        elif extra == "keep":
            judge = f.program.bind(predicate_answers.make_key_judge(plan, refused))
            f.leave(x, f"{judge}({x})")
        else:
            judge = f.program.bind(predicate_answers.make_closed_judge(plan, _has_folds(plan)))
            f.refuse(f"{judge}({x})")
    f.note_key_classes(x)


#: How many optional fields for one key of a map are looked at one by one.
_MANY = 4


def _write_field_value(f: Function, t: Type, place: Place, key: str) -> Place:
    """Return the place of the value of *key*, in a variable if it is used more than once."""
    looked_up = f"{place.name}[{key}]"
    if strip_annotations(t) in (STRING, BOOL):
        return place.with_name(looked_up)
    inner = place.with_name(f.new_variable())
    f.add(f"{inner.name} = {looked_up}")
    return inner


def _is_needed(field: Field, fills: bool) -> bool:
    """Whether a map without *field* is refused, or changed by its default."""
    return field.required or (fills and field.default is not None)


def _has_folds(plan: KeyPlan) -> bool:
    """Whether another spelling of a key may match a name of *plan*."""
    return any("_" in key for key in plan.fold)


def _together(f: Function, held: list[tuple[Type, Place]]) -> None:
    """Write lines that judge several values: first those that one expression decides, together."""
    tests: list[tuple[Test, str]] = []
    later: list[tuple[Type, Place, bool]] = []
    for t, place in held:
        f.program.count()
        test = build_condition(t, place, f.program)
        if test is not None:
            tests.append((test, place.name))
            continue
        first = None if f.is_full else build_class_test(t, place, f.odd)
        if first is not None:
            tests.append((first, place.name))
        later.append((t, place, first is not None))
    # Few in one expression, so that few variables make an answer uncertain.
    for start in range(0, len(tests), _TOGETHER):
        f.require(tests[start : start + _TOGETHER])
    for t, place, is_guarded in later:
        f.judge(t, place, is_guarded)


#: How many tests are in one expression.
_TOGETHER = 20


def _write_typed_keys(
    f: Function,
    plan: KeyPlan,
    refused: frozenset[str],
    extra: Type | Extras,
    place: Place,
    matching: tuple[PatternField, ...],
) -> None:
    """Write lines that check unknown keys where they have types."""
    key, value = f.new_variable(), f.new_variable()
    inner = place.with_name(value)
    f.leave(place.name)
    with f.open_block(f"for {key}, {value} in {place.name}.items():"):
        with f.open_block(f"if {key} in {f.program.bind(plan.names - refused)}:"):
            f.add("continue")
        with f.open_block(f"if type({key}) is not str:"):
            f.refuse(f"hard({key})")
        with f.open_block(f"if {f.program.bind(plan.get_declared_name)}({key}) is not None:"):
            f.refuse("0")
        found = f.new_variable()
        if matching:
            f.add(f"{found} = False")
        for each in matching:
            with f.open_block(f"if {f.program.bind(each.test())}({key}):"):
                f.add(f"{found} = True")
                f.judge(each.type, inner)
        if not isinstance(extra, str):
            with f.open_block(f"if not {found}:" if matching else "if True:"):
                f.judge(extra, inner)
        elif extra != "keep":
            with f.open_block(f"if not {found}:"):
                f.refuse("False")


def judge(f: Function, t: nodes.Type, place: Place, is_guarded: bool = False) -> None:
    """Write lines that return from *f* unless the value in the variable of *place* is of *t*.

    *is_guarded* is whether it passed the test of its class.
    """
    if is_guarded:
        _write_body(f, t, place)
        return
    f.program.count()
    test = build_condition(t, place, f.program)
    if test is not None:
        f.require([(test, place.name)])
        return
    if f.is_full:
        f.pass_on(f.call(f.define_judge(t, place), place.name))
        return
    first = build_class_test(t, place, f.odd)
    if first is not None:
        f.require([(first, place.name)])
    _write_body(f, t, place)


def _write_body(f: Function, t: nodes.Type, place: Place) -> None:
    """Write lines that check a value whose class has been tested."""
    match t:
        case nodes.Leaf():
            pass  # pragma: no cover - one expression decides these
        case nodes.List(item) | nodes.Set(item):
            write_items(f, item, place, place.name)
        case nodes.Tuple(items, rest):
            _write_tuple(f, items, rest, place)
        case nodes.MapOf(key, value):
            _write_map(f, key, value, place)
        case nodes.Record():
            record(f, t, place)
        case nodes.Maybe(inner):
            with f.open_block(f"if {place.name} is not None:"):
                judge(f, inner, place)
        case nodes.Union(members):
            union_source.write_union(f, t, members, place)
        case nodes.One(members):
            union_source.write_exactly_one(f, t, members, place)
        case nodes.Both():
            union_source.write_intersection(f, t, place)
        case nodes.Not(inner):
            union_source.write_not(f, inner, place)
        case nodes.ItemCount():
            union_source.write_item_count(f, t, place)
        case nodes.Refinement():
            _write_refinement(f, t, place)
        case nodes.Annotation(inner):
            judge(f, inner, place)
        case nodes.Ref(name):
            _write_reference(f, name, place)
        case _:
            assert_never(t)


def write_items(f: Function, item: nodes.Type, place: Place, source: str) -> None:
    """Write lines that check each item in *source*, the value of *place* or a part."""
    test = build_condition(item, place.with_name(place.name), f.program)
    f.visit(place.name, test is not None)
    if test is None or test.text:
        write_loop(f, item, place, source)


def write_loop(f: Function, item: nodes.Type, place: Place, source: str) -> None:
    """Write a loop that checks each item that *source* yields."""
    name = f.new_variable()
    inner = place.with_name(name)
    with f.open_block(f"for {name} in {source}:"):
        judge(f, item, inner)


def _write_tuple(
    f: Function, items: tuple[nodes.Type, ...], rest: nodes.Type | None, place: Place
) -> None:
    x, count = place.name, len(items)
    with f.open_block(f"if len({x}) {'!=' if rest is None else '<'} {count}:"):
        f.refuse("False")
    for index, item in enumerate(items):
        name = f.new_variable()
        f.add(f"{name} = {x}[{index}]")
        judge(f, item, place.with_name(name))
    if rest is not None:
        write_items(f, rest, place, f"{x}[{count}:]")


def _write_map(f: Function, key: nodes.Type, value: nodes.Type, place: Place) -> None:
    name, held = f.new_variable(), f.new_variable()
    f.visit(place.name)
    with f.open_block(f"for {name}, {held} in {place.name}.items():"):
        _write_key(f, key, place.with_name(name))
        judge(f, value, place.with_name(held))


def _write_key(f: Function, key: nodes.Type, place: Place) -> None:
    """Write lines that check a key of a map."""
    compiler = place.compiler
    policy = compiler.policy
    if key == nodes.STRING:
        with f.open_block(f"if type({place.name}) is not str:"):
            f.refuse(f"{'soft' if policy.decoding else 'hard'}({place.name})")
        return
    if key.flags & NAMES:
        f.refuse("None")
        return
    reading, taken = compiler.get_key_compiler(key)
    checks = [(reading, key)] if policy.decoding else []
    if taken != key or not policy.decoding:
        checks.append((reading.as_strict() if policy.decoding else reading, taken))
    # A key that is only read, or that passes with a warning, conforms: the check decides.
    for other, t in checks:
        answer = f.new_variable()
        inner = Place(place.name, other)
        f.add(f"{answer} = {f.call(f.define_judge(t, inner), place.name)}")
        with f.open_block(f"if {answer} is not True:"):
            is_sure = not policy.decoding and not policy.coercions
            f.refuse(f"{answer if is_sure else None}")


def _write_refinement(f: Function, t: nodes.Refinement, place: Place) -> None:
    compiler = place.compiler
    if allows_other_format(t.constraints, compiler.policy):
        f.refuse("None")
        return
    if compiler.policy.defaults and is_decided_by_defaults(t, compiler.names):
        # A default that breaks a constraint is not filled in, and the value conforms as it is.
        other = place._replace(name="x0")

        def write(g: Function) -> None:
            _write_limits(g, t, other)

        name = f.program.define(make_function_key("filled", t, place), write)
        answer = f.new_variable()
        f.add(f"{answer} = {f.call(name, place.name)}")
        with f.open_block(f"if {answer} is not True:"):
            f.refuse("None")
        return
    _write_limits(f, t, place)


def _write_limits(f: Function, t: nodes.Refinement, place: Place) -> None:
    judge(f, t.inner, place)
    kind = _find_kind(t.inner)
    if kind is None:
        texts = [f"not {f.program.bind(make_constraints_test(t.constraints))}({place.name})"]
    else:
        texts = write_limit_tests(kind, t.constraints, place.name, f.program)
    f.require([(Test(text), place.name) for text in texts])


def _find_kind(t: nodes.Type) -> Kind | None:
    """Find the kind of all values of *t* if they are lists, sets or maps."""
    t = nodes.strip_annotations(t)
    kinds = find_kinds(t) if isinstance(t, nodes.Container) else None
    return next(iter(kinds)) if kinds else None


def _write_reference(f: Function, name: str, place: Place) -> None:
    names = place.compiler.names
    while isinstance(following := names[name], nodes.Ref):
        name = following.name
    t, inner = names[name], place._replace(name="x0")

    def write(other: Function) -> None:
        other.add(f"left -= {t.depth + 1}")
        with other.open_block("if left < 0:"):
            other.add("return None")
        judge(other, t, inner)

    called = f.program.define(make_function_key("name", nodes.Ref(name), place), write)
    f.pass_on(f.call(called, place.name))
