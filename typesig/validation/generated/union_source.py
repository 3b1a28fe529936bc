"""Source code for unions, exactly-one types, intersections and negations."""

from __future__ import annotations

from functools import partial

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import Both, Enum, Field, ItemCount, Record, Type
from typesig.algebra.traversal import iter_same_value_types
from typesig.validation.check.check import Compiler
from typesig.validation.check.record_branches import find_declared_fields, get_record
from typesig.validation.generated import predicate_answers
from typesig.validation.generated.conditions import build_condition
from typesig.validation.generated.source import Function, Place, Test, make_function_key
from typesig.validation.keys import TOGETHER, KeyPlan


def write_union(f: Function, t: Type, members: tuple[Type, ...], place: Place) -> None:
    """Write lines that check a value against the union *t* of *members*."""
    names = place.compiler.names
    at = [index for index, member in enumerate(members) if get_record(member, names)]
    if len(at) < 2:
        _write_any_of(f, members, place)
        return
    inner = place._replace(name="x0")
    name = f.program.define(
        make_function_key("union", t, place),
        lambda other: _write_record_union(other, members, inner),
    )
    f.pass_on(f.call(name, place.name))


def _write_any_of(f: Function, members: tuple[Type, ...], place: Place) -> None:
    """Write lines that return unless one of *members* accepts the value."""
    simple: list[Test] = []
    others: list[Type] = []
    for member in members:
        test = build_condition(member, place, f.program)
        if test is None:
            others.append(member)
        else:
            simple.append(test)
    if simple and not all(test.text for test in simple):
        return
    x, found = place.name, list[str]()
    if simple:
        answer = f.new_variable()
        text = " and ".join([f"({test.text})" for test in simple])
        refused = "soft" if any(test.soft for test in simple) else "hard"
        f.add(f"{answer} = {refused}({x}) if {text} else True")
        found.append(answer)
    for member in others:
        answer = f.new_variable()
        call = f.call(f.define_judge(member, place), x)
        f.add(f"{answer} = {f'True if {found[-1]} is True else ' if found else ''}{call}")
        found.append(answer)
    with f.open_block(f"if {found[-1]} is not True:"):
        f.refuse(f"worst({', '.join(found)})")


def _write_record_union(f: Function, members: tuple[Type, ...], place: Place) -> None:
    """Write the function of a union in which several members are records."""
    names, compiler = place.compiler.names, place.compiler
    at = [index for index, member in enumerate(members) if get_record(member, names)]
    others = [member for index, member in enumerate(members) if index not in at]
    with f.open_block("if type(x0) is not dict:"):
        _write_any_of(f, members, place)
        f.add("return True")
    answer = "False"
    if others:
        answer = f.new_variable()
        name = f.program.define(
            ("others", *make_function_key("", members[0], place), tuple(others)),
            lambda other: _write_any_of(other, tuple(others), place),
        )
        f.add(f"{answer} = {f.call(name, 'x0')}")
        with f.open_block(f"if {answer} is True:"):
            f.add("return True")
    functions = {index: f.define_judge(members[index], place) for index in at}
    _write_tag_routes(f, members, functions, answer, place)
    calls = ", ".join([f.call(functions[index], "x0") for index in at])
    counts = tuple([partial(compiler.counter.count, members[index]) for index in at])
    certain = is_certain(compiler)
    best = f.new_variable()
    f.add(f"{best} = rank_records(x0, ({calls},), {f.program.bind(counts)}, {certain})")
    with f.open_block(f"if {best} is not True:"):
        f.add(f"return worst({answer}, {best})")


def _write_tag_routes(
    f: Function, members: tuple[Type, ...], functions: dict[int, str], other: str, place: Place
) -> None:
    """Write lines that pass a map to the only record that its tag selects."""
    tags = place.compiler.get_union_tags(members)
    if len(tags.checks) != 1:
        return
    [tag] = tags.checks
    routes: dict[str, int] = {}
    for index in functions:
        for part in iter_same_value_types(members[index], place.compiler.names):
            found = part.fields if isinstance(part, Record) else ()
            for field in [each for each in found if each.name == tag]:
                constant = strip_annotations(field.type)
                values = constant.values if isinstance(constant, Enum) else ()
                for text in [value.value for value in values if value.kind == "string"]:
                    if tags.find_branches({tag: text}) == (index,):
                        routes[text] = index
    if not routes:
        return
    held, place_of = f.new_variable(), f.new_variable()
    f.add(f"{held} = x0.get({f.program.bind_key(tag)})")
    with f.open_block(f"if type({held}) is str:"):
        f.add(f"{place_of} = {f.program.bind(routes)}.get({held})")
        for index in dict.fromkeys(routes.values()):
            with f.open_block(f"if {place_of} == {index}:"):
                call = f.call(functions[index], "x0")
                f.add(f"{held} = {call}")
                f.add(f"return True if {held} is True else worst({other}, {held})")


def is_certain(compiler: Compiler) -> bool:
    """Whether all findings of a check are errors."""
    policy = compiler.policy
    return not policy.coercions and policy.naive_datetime is None and policy.extras != "drop"


def write_exactly_one(f: Function, t: Type, members: tuple[Type, ...], place: Place) -> None:
    """Write lines that check a value against exactly one of *members*."""
    inner = place._replace(name="x0")
    name = f.program.define(
        make_function_key("one", t, place), lambda other: _write_match_choice(other, members, inner)
    )
    f.pass_on(f.call(name, place.name))


def _write_match_choice(f: Function, members: tuple[Type, ...], place: Place) -> None:
    compiler = place.compiler
    strict = compiler.as_strict()
    uncoerced = place._replace(compiler=strict)
    calls = [f.call(f.define_judge(member, uncoerced), "x0") for member in members]
    found = f.new_variable()
    f.add(f"{found} = find_only_match(({', '.join(calls)},))")
    with f.open_block(f"if {found} is None:"):
        f.add("return None")
    with f.open_block(f"if {found} == -1:"):
        f.add("return False" if strict is compiler else "return 0")
    if strict is compiler:
        return
    for index, member in enumerate(members):
        with f.open_block(f"if {found} == {index}:"):
            f.add(f"return {f.call(f.define_judge(member, place), 'x0')}")


def write_not(f: Function, inner: Type, place: Place) -> None:
    """Write lines that check a value against a negation."""
    strict = place._replace(compiler=place.compiler.as_strict())
    answer = f.new_variable()
    name = f.define_judge(inner, strict)
    f.add(f"{answer} = invert({f.call(name, place.name)})")
    with f.open_block(f"if {answer} is not True:"):
        f.refuse(answer)


def write_item_count(f: Function, t: ItemCount, place: Place) -> None:
    """Write lines that check a list by the number of its items that conform."""
    name = f.define_judge(t.item, place._replace(compiler=place.compiler.as_counting()))
    f.visit(place.name)
    item, answer = f.new_variable(), f.new_variable()
    answers = f"[{f.call(name, item)} for {item} in {place.name}]"
    f.add(f"{answer} = judge_item_count({answers}, {t.at_least}, {t.at_most})")
    with f.open_block(f"if {answer} is not True:"):
        f.refuse(answer)


def write_intersection(f: Function, t: Both, place: Place) -> None:
    """Write lines that check a value against all members of *t*."""
    compiler = place.compiler
    policy = compiler.policy
    found = [part for part in iter_same_value_types(t, compiler.names) if isinstance(part, Record)]
    names = {field.name for part in found for field in part.fields if field.exact}
    exact = place.exact | names | {TOGETHER}
    base = compiler.with_policy(extras="keep", defaults=False)
    strict = base.as_strict()
    answer = f.new_variable()
    f.add(f"{answer} = {f.call(_define_all_members(f, t, Place('x0', strict, exact)), place.name)}")
    with f.open_block(f"if {answer} is not True:"):
        f.refuse(answer if strict is base else f"soften({answer})")
    if policy.defaults:
        filling = Place("x0", compiler.with_policy(extras="keep"), exact)
        f.add(f"{answer} = {f.call(_define_all_members(f, t, filling), place.name)}")
        with f.open_block(f"if {answer} is not True:"):
            f.refuse("None")
    _write_declared_keys(f, find_declared_fields(t, compiler.names), place)


def _define_all_members(f: Function, t: Both, place: Place) -> str:
    """Define a function that checks a value against each member of *t*; return its name."""

    def write(other: Function) -> None:
        for member in t.members:
            other.judge(member, place)

    return f.program.define(make_function_key("all", t, place), write)


def _write_declared_keys(f: Function, fields: tuple[Field, ...] | None, place: Place) -> None:
    """Write lines that check the keys of a map against all *fields* of an intersection."""
    x, policy = place.name, place.compiler.policy
    if fields is None:
        return
    if policy._reads_near:
        near = f.program.bind(
            predicate_answers.make_key_judge(KeyPlan(fields, near=True), frozenset())
        )
        with f.open_block(f"if type({x}) is dict and {near}({x}) is not True:"):
            f.refuse("None")
    if policy.extras == "keep":
        return
    plan = KeyPlan(fields)
    # Other maps, and values without keys that all members accept, are left to the check.
    with f.open_block(f"if type({x}) is not dict and {x} is not None:"):
        f.refuse("None")
    with f.open_block(f"if {x} is not None and not {x}.keys() <= {f.program.bind(plan.names)}:"):
        f.refuse(f"{f.program.bind(predicate_answers.make_closed_judge(plan, True))}({x})")
