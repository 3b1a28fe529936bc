"""Source code for each shape of types: lines that return unless a value conforms."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds, make_both, strip_annotations
from typesig.algebra.nodes import ANY, BOOL, STRING, Enum, Field, PatternField, Record, Type
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.traversal import iter_same_value_types, strip_wrappers
from typesig.validation.check.record_branches import (
    find_declared_fields,
    get_record,
    make_record_finder,
    may_overlap,
)
from typesig.validation.check.record_checks import fills_within, is_decided_by_defaults
from typesig.validation.check.scalar_checks import allows_other_format
from typesig.validation.check.value_classes import find_classes
from typesig.validation.check_state import Checker, CheckState
from typesig.validation.generated.conditions import (
    BUILTIN,
    Place,
    build_class_test,
    build_condition,
    make_constraints_test,
    make_key_test,
    write_limit_tests,
)
from typesig.validation.generated.source import Function, count_parts
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
    plan = place.compiler.key_plan(t)
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
    held = [
        (t, _write_field_value(f, t, place, f.program.bind_key(field.name)))
        for field, t in required
    ]
    _judge_together(f, held)
    count = f"{len(required)}"
    optional = [s for s in declared if not _is_needed(s[0], fills)]
    if len(optional) > _MANY:
        # A map with few of many optional fields costs what it holds: the check sees to that.
        f.require([f"{_MANY} * (len({x}) + 1) < {len(optional)}"])
    if optional:
        count, start = f.new_variable(), count
        f.add(f"{count} = {start}")
    for field, t in optional:
        key, inner = f.program.bind_key(field.name), place.with_name(f.new_variable())
        with f.open_block(f"if {key} in {x}:"):
            f.add(f"{inner.name} = {x}[{key}]")
            judge(f, t, inner)
            f.add(f"{count} += 1")
    with f.open_block(f"if len({x}) != {count}:"):
        if matching or not isinstance(extra, str):
            _write_typed_keys(f, plan, refused, extra, place, matching)
        elif extra == "keep":
            write_untyped_keys(f, plan, refused, x)
        else:
            f.refuse()
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


def _judge_together(f: Function, held: list[tuple[Type, Place]]) -> None:
    """Write lines that judge several values: first those that one expression decides, together."""
    later: list[tuple[Type, Place]] = []
    for t, place in held:
        f.program.count()
        test = build_condition(t, place, f.program)
        is_class = test is None and not f.is_full
        f.require([build_class_test(t, place, f.odd) if is_class else test or ""])
        if test is None:
            later.append((t, place))
    for t, place in later:
        judge(f, t, place, not f.is_full and bool(build_class_test(t, place)))


def write_untyped_keys(f: Function, plan: KeyPlan, refused: frozenset[str], x: str) -> None:
    """Write lines that check and count the keys of the map *x*, of which some are unknown."""
    f.require([f"not {f.program.bind(make_key_test(plan, refused))}({x})"])
    f.leave(x)


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
    types = [each.type for each in matching] + ([] if isinstance(extra, str) else [extra])
    f.leave(place.name, sum(map(count_parts, types)))
    with f.open_block(f"for {key}, {value} in {place.name}.items():"):
        with f.open_block(f"if {key} in {f.program.bind(plan.names - refused)}:"):
            f.add("continue")
        f.require([f"type({key}) is not str"])
        f.require([f"{f.program.bind(plan.get_declared_name)}({key}) is not None"])
        found = f.new_variable()
        if matching:
            f.add(f"{found} = False")
        for each in matching:
            with f.open_block(f"if {f.program.bind(each.test())}({key}):"):
                f.add(f"{found} = True")
                judge(f, each.type, inner)
        if not isinstance(extra, str):
            with f.open_block(f"if not {found}:" if matching else "if True:"):
                judge(f, extra, inner)
        elif extra != "keep":
            f.require([f"not {found}"])


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
        f.require([test])
    elif f.is_full:
        f.require([f"not {f.call(_define_judge(f, t, place), place.name)}"])
    else:
        f.require([build_class_test(t, place, f.odd)])
        _write_body(f, t, place)


def _define_judge(f: Function, t: nodes.Type, place: Place) -> str:
    """Define a function that checks a value of *t*, and return its name."""
    return f.define("whole", t, place, lambda other, inner: judge(other, t, inner))


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
        case nodes.Record(matching=patterns) if len(patterns) <= _MOST_PATTERNS:
            record(f, t, place)
        case nodes.Maybe(inner):
            with f.open_block(f"if {place.name} is not None:"):
                judge(f, inner, place)
        case nodes.Union(members):
            _write_union(f, t, members, place)
        case nodes.Refinement():
            _write_refinement(f, t, place)
        case nodes.Annotation(inner):
            judge(f, inner, place)
        case nodes.Ref(name):
            _write_reference(f, name, place)
        case nodes.One(members):
            _write_exactly_one(f, t, members, place)
        case nodes.Both(members):
            _write_intersection(f, t, members, place)
        case nodes.Not(inner):
            _write_negation(f, t, inner, place)
        case nodes.Record() | nodes.ItemCount():
            # The check finds the patterns that matter, and remembers what it found.
            f.ask_check(t, place)
        case _:
            assert_never(t)


#: Patterns of a record that are tried one after the other.
_MOST_PATTERNS = 4


def write_items(f: Function, item: nodes.Type, place: Place, source: str) -> None:
    """Write lines that check each item in *source*, the value of *place* or a part."""
    test = build_condition(item, place, f.program)
    f.visit(place.name, count_parts(item), test is not None)
    if test != "":
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
    f.require([f"len({x}) {'!=' if rest is None else '<'} {count}"])
    for index, item in enumerate(items):
        name = f.new_variable()
        f.add(f"{name} = {x}[{index}]")
        judge(f, item, place.with_name(name))
    if rest is not None:
        write_items(f, rest, place, f"{x}[{count}:]")


def _write_map(f: Function, key: nodes.Type, value: nodes.Type, place: Place) -> None:
    name, held = f.new_variable(), f.new_variable()
    f.visit(place.name, count_parts(value))
    with f.open_block(f"for {name}, {held} in {place.name}.items():"):
        _write_key(f, key, place.with_name(name))
        judge(f, value, place.with_name(held))


def _write_key(f: Function, key: nodes.Type, place: Place) -> None:
    """Write lines that check a key of a map."""
    reading, taken = place.compiler.get_key_compiler(key)
    tests = [build_condition(taken, place.as_strict(), f.program)]
    if place.compiler.policy.decoding:
        # What is read has to be a key that maps may hold.
        tests.append(build_condition(key, place._replace(compiler=reading), f.program))
    if key == STRING:
        f.require([f"type({place.name}) is not str"])
    elif None in tests or key.flags & NAMES:
        test = _make_map_key_test(place.compiler._compile_key(key))
        f.require([f"not {f.program.bind(test)}({place.name})"])
    else:
        f.require([test or "" for test in tests])


def _make_map_key_test(check: Checker) -> Callable[[Any], bool]:
    """Make the test of whether *check* takes a key as it is, with warnings or without."""

    def conforms(key: Any) -> bool:
        run = CheckState(1)
        return as_builtin(key) is key and check(key, run) is key and not run.errors

    return conforms


def _write_refinement(f: Function, t: nodes.Refinement, place: Place) -> None:
    policy, names = place.compiler.policy, place.compiler.names
    # A default that breaks a constraint is not filled in, and the value conforms as it is.
    is_filled = policy.defaults and is_decided_by_defaults(t, names)
    if is_filled or allows_other_format(t.constraints, policy):
        f.ask_check(t, place)
        return
    judge(f, t.inner, place)
    inner = nodes.strip_annotations(t.inner)
    kinds = find_kinds(inner) if isinstance(inner, nodes.Container) else None
    if kinds:
        [kind] = kinds
        f.require(write_limit_tests(kind, t.constraints, place.name, f.program))
    else:
        f.require([f"not {f.program.bind(make_constraints_test(t.constraints))}({place.name})"])


def _write_reference(f: Function, name: str, place: Place) -> None:
    names = place.compiler.names
    while isinstance(following := names[name], nodes.Ref):
        name = following.name
    t = names[name]

    def write(other: Function, inner: Place) -> None:
        other.add(f"left -= {t.depth + 1}")
        other.require(["left < 0"])
        other.count_call(f"{count_parts(t)}")
        judge(other, t, inner)

    called = f.define("name", nodes.Ref(name), place, write)
    f.require([f"not {f.call(called, place.name)}"])


# --- The source for unions, whose branches have functions of their own ---


def _write_union(
    f: Function, t: nodes.Union | nodes.One, members: tuple[Type, ...], place: Place
) -> None:
    """Write lines that check a value against one of *members* of *t* at least."""
    names = place.compiler.names
    tests = [build_condition(member, place, f.program) for member in members]
    if "" in tests:
        return
    others = [member for member, test in zip(members, tests, strict=True) if test is None]
    records = [member for member in others if get_record(member, names) is not None]
    single = [member for member in others if len(records) < 2 or member not in records]
    kinds = [find_kinds(strip_wrappers(member, names)) for member in single]
    kinds += [frozenset({"map"})] * (len(records) > 1)
    known = [*chain.from_iterable([each or () for each in kinds])]
    if len(set(known)) < len(known):
        # Several branches look into one value.
        place = place._replace(choices=place.choices + 1)
    if None in kinds or place.choices > _MOST_CHOICES or len(others) > _MOST_BRANCHES:
        f.ask_check(t, place)
        return
    calls = [f.call(_define_judge(f, member, place), place.name) for member in single]
    if len(records) > 1:
        name = f.define("records", t, place, lambda g, inner: _write_records(g, t, records, inner))
        calls.append(f.call(name, place.name))
    refused = [f"({test})" for test in tests if test] + [f"not {call}" for call in calls]
    f.require([" and ".join(refused)])


#: Choices within choices whose branches are tried one after the other, and branches of each.
_MOST_CHOICES = 3
_MOST_BRANCHES = 16


def _write_exactly_one(f: Function, t: nodes.One, members: tuple[Type, ...], place: Place) -> None:
    """Write lines that check a value against exactly one of *members*."""
    x, names, strict = place.name, place.compiler.names, place.as_strict()
    tests = [build_condition(member, strict, f.program) for member in members]
    if all(tests):
        f.require([f"type({x}) not in {f.program.bind(BUILTIN)}"])
        refused = " + ".join([f"bool({test})" for test in tests])
        f.require([f"{refused} != {len(tests) - 1}"])
        _write_union(f, t, members, place)
        return
    found = [find_classes(member, names, place.compiler.policy) for member in members]
    classes = list(chain.from_iterable([each or () for each in found]))
    records = all(get_record(member, names) is not None for member in members)
    # Of several records, the tag or the keys tell the only one that a map may be.
    if records or (all(found) and len(set(classes)) == len(classes)):
        _write_union(f, t, members, place)
    else:
        f.ask_check(t, place)


def _write_intersection(
    f: Function, t: nodes.Both, members: tuple[Type, ...], place: Place
) -> None:
    """Write lines that check a value against all *members*, without coercion."""
    x, names, policy = place.name, place.compiler.names, place.compiler.policy
    if place.choices or (policy.defaults and fills_within(t, names)):
        f.ask_check(t, place)
        return
    for member in members:
        judge(f, member, place.as_strict()._replace(choices=1))
    fields = find_declared_fields(t, names)
    if fields is not None and (policy._reads_near or policy.extras != "keep"):
        if policy.extras == "keep":
            plan = KeyPlan(fields, near=True)
            known = f"{f.program.bind(make_key_test(plan, frozenset()))}({x})"
        else:
            known = f"{x}.keys() <= {f.program.bind(frozenset([field.name for field in fields]))}"
        # Other maps, and values without keys that all members accept, are left to the check.
        f.require([f"{x} is not None and (type({x}) is not dict or not {known})"])


def _write_negation(f: Function, t: nodes.Not, inner: Type, place: Place) -> None:
    """Write lines that check a value against a negation."""
    test = build_condition(inner, place.as_strict(), f.program)
    if test is None:
        f.ask_check(t, place)
        return
    known = f.program.bind(BUILTIN)
    f.require([f"type({place.name}) not in {known} or not ({test or 'False'})"])


def _write_records(
    f: Function, t: nodes.Union | nodes.One, members: list[Type], place: Place
) -> None:
    """Write the function of the records *members* of the union *t*."""
    names, x = place.compiler.names, place.name
    records = [record for each in members if (record := get_record(each, names)) is not None]
    with f.open_block(f"if type({x}) is dict:"):
        _write_tag_routes(f, t.members, members, place)
        if not any(field.firewalled for record in records for field in record.fields):
            found = f.new_variable()
            find = make_record_finder(records, isinstance(t, nodes.Union))
            f.add(f"{found} = {f.program.bind(find)}({x})")
            # Of records inside themselves, each level would be judged again.
            asks = may_overlap(records) and not t.flags & NAMES
            for index, member in enumerate(members):
                with f.open_block(f"if {found} == {index}:"):
                    call = f.call(_define_judge(f, member, place), x)
                    # One that comes later may take the map, too.
                    f.add(f"if {call}: return True" if asks else f"return {call}")
    f.ask_check(t, place)


def _write_tag_routes(
    f: Function, members: tuple[Type, ...], records: list[Type], place: Place
) -> None:
    """Write lines that pass a map to the only record that its tag selects."""
    tags = place.compiler.get_union_tags(members)
    if len(tags.checks) != 1:
        return
    [tag] = tags.checks
    routes: dict[str, int] = {}
    for index, member in enumerate(members):
        for part in (
            iter_same_value_types(member, place.compiler.names) if member in records else ()
        ):
            found = part.fields if isinstance(part, Record) else ()
            for field in [each for each in found if each.name == tag]:
                constant = strip_annotations(field.type)
                values = constant.values if isinstance(constant, Enum) else ()
                for text in [value.value for value in values if value.kind == "string"]:
                    if tags.find_branches({tag: text}) == (index,):
                        routes[text] = index
    held = f.new_variable()
    f.add(f"{held} = {place.name}.get({f.program.bind_key(tag)})")
    with f.open_block(f"if type({held}) is str:"):
        f.add(f"{held} = {f.program.bind(routes)}.get({held})")
        for index in dict.fromkeys(routes.values()):
            with f.open_block(f"if {held} == {index}:"):
                f.add(f"return {f.call(_define_judge(f, members[index], place), place.name)}")
