"""The source for each shape: lines that return from the function unless a value conforms."""

from __future__ import annotations

from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds, make_both, strip_annotations
from typesig.algebra.nodes import ANY, BOOL, STRING, Field, PatternField, Record, Type
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.rows.values import Kind
from typesig.validation.check.record_checks import is_decided_by_defaults
from typesig.validation.check.scalar_checks import is_undecided
from typesig.validation.generated import predicate_answers, union_source
from typesig.validation.generated.conditions import class_test, condition, limits_of, meets_all
from typesig.validation.generated.source import Function, Place, Test, key_of
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import Extras

# --- The source for records: declared fields, then the keys that are not declared ---


def record(f: Function, t: Record, place: Place) -> None:
    """Write lines that judge the dict in the variable of *place* as a record *t*."""
    tests = [(matching.test(), matching.type) for matching in t.matching]
    slots: list[tuple[Field, Type]] = []
    for field in t.fields:
        also = [inner for test, inner in tests if test(field.name)]
        slots.append((field, make_both([field.type, *also]) if also else field.type))
    plan = place.compiler.plan(t, place.exact)
    extra: Type | Extras = place.compiler.policy.extras
    if t.extra != ANY:
        extra = "reject" if t.extra is None else t.extra
    fields(f, slots, plan, extra, place, t.matching)


def fields(
    f: Function,
    slots: list[tuple[Field, Type]],
    plan: KeyPlan,
    extra: Type | Extras,
    place: Place,
    matching: tuple[PatternField, ...] = (),
    fills: bool = True,
) -> None:
    """Write lines that judge the dict in the variable of *place* by its fields and other keys.

    *fills* is whether a map without a default is to have it.
    """
    x, policy = place.name, place.compiler.policy
    fills = fills and policy.defaults
    refused = frozenset(s.name for s, _ in slots if policy.firewall and s.firewalled)
    declared = [(field, t) for field, t in slots if field.name not in refused]
    required = [s for s in declared if _is_needed(s[0], fills)]
    held: list[tuple[Type, Place]] = []
    for field, t in required:
        held.append((t, _held(f, t, place, f.program.bind_key(field.name))))
        # The default of an absent field is filled in without a warning.
        f.refusals.soft_keys |= field.default is not None
    f.refusals.soft_keys |= bool(required) and _folds(plan)
    _together(f, held)
    count = f"{len(required)}"
    optional = [s for s in declared if not _is_needed(s[0], fills)]
    if len(optional) > _MANY:
        # A map with few of many optional fields costs what it holds: the check sees to that.
        with f.open_block(f"if {_MANY} * (len({x}) + 1) < {len(optional)}:"):
            f.refuse("None")
    if optional:
        count, start = f.variable(), count
        f.add(f"{count} = {start}")
    for field, t in optional:
        key, inner = f.program.bind_key(field.name), place.at(f.variable())
        with f.open_block(f"if {key} in {x}:"):
            f.add(f"{inner.name} = {x}[{key}]")
            f.judge(t, inner)
            f.add(f"{count} += 1")
    with f.open_block(f"if len({x}) != {count}:"):
        if matching or not isinstance(extra, str):
            _typed(f, plan, refused, extra, place, matching)
        elif extra == "keep":
            judge = f.program.bind(predicate_answers.undeclared(plan, refused))
            f.leave(x, f"{judge}({x})")
        else:
            judge = f.program.bind(predicate_answers.closed(plan, _folds(plan)))
            f.refuse(f"{judge}({x})")
    f.own_keys(x)


#: How many optional fields for one key of a map are looked at one by one.
_MANY = 4


def _held(f: Function, t: Type, place: Place, key: str) -> Place:
    """Return the place of the value of *key*, in a variable if it is looked at more than once."""
    looked_up = f"{place.name}[{key}]"
    if strip_annotations(t) in (STRING, BOOL):
        return place.at(looked_up)
    inner = place.at(f.variable())
    f.add(f"{inner.name} = {looked_up}")
    return inner


def _is_needed(field: Field, fills: bool) -> bool:
    """Whether a map without *field* is refused, or changed by the default of it."""
    return field.required or (fills and field.default is not None)


def _folds(plan: KeyPlan) -> bool:
    """Whether a key of another spelling may stand for a name of *plan*."""
    return any("_" in key for key in plan.fold)


def _together(f: Function, held: list[tuple[Type, Place]]) -> None:
    """Write lines that judge several values: first those that one expression decides, together."""
    tests: list[tuple[Test, str]] = []
    later: list[tuple[Type, Place, bool]] = []
    for t, place in held:
        f.program.count()
        test = condition(t, place, f.program)
        if test is not None:
            tests.append((test, place.name))
            continue
        first = None if f.is_full else class_test(t, place, f.odd)
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


def _typed(
    f: Function,
    plan: KeyPlan,
    refused: frozenset[str],
    extra: Type | Extras,
    place: Place,
    matching: tuple[PatternField, ...],
) -> None:
    """Write lines that judge the keys that are not declared, where they have types."""
    key, value = f.variable(), f.variable()
    inner = place.at(value)
    f.leave(place.name)
    with f.open_block(f"for {key}, {value} in {place.name}.items():"):
        with f.open_block(f"if {key} in {f.program.bind(plan.names - refused)}:"):
            f.add("continue")
        with f.open_block(f"if type({key}) is not str:"):
            f.refuse(f"hard({key})")
        with f.open_block(f"if {f.program.bind(plan.get_declared_name)}({key}) is not None:"):
            f.refuse("0")
        found = f.variable()
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
        _body(f, t, place)
        return
    f.program.count()
    test = condition(t, place, f.program)
    if test is not None:
        f.require([(test, place.name)])
        return
    if f.is_full:
        f.pass_on(f.call(f.function_of(t, place), place.name))
        return
    first = class_test(t, place, f.odd)
    if first is not None:
        f.require([(first, place.name)])
    _body(f, t, place)


def _body(f: Function, t: nodes.Type, place: Place) -> None:
    """Write lines that judge a value that passed the guard of *t*."""
    match t:
        case nodes.Leaf():
            pass  # pragma: no cover - one expression decides these
        case nodes.List(item) | nodes.Set(item):
            each(f, item, place, place.name)
        case nodes.Tuple(items, rest):
            _tuple(f, items, rest, place)
        case nodes.MapOf(key, value):
            _map_of(f, key, value, place)
        case nodes.Record():
            record(f, t, place)
        case nodes.Maybe(inner):
            with f.open_block(f"if {place.name} is not None:"):
                judge(f, inner, place)
        case nodes.Union(members):
            union_source.union(f, t, members, place)
        case nodes.One(members):
            union_source.one(f, t, members, place)
        case nodes.Both():
            union_source.both(f, t, place)
        case nodes.Not(inner):
            union_source.negated(f, inner, place)
        case nodes.ItemCount():
            union_source.counted(f, t, place)
        case nodes.Refinement():
            _refined(f, t, place)
        case nodes.Annotation(inner):
            judge(f, inner, place)
        case nodes.Ref(name):
            _ref(f, name, place)
        case _:
            assert_never(t)


def each(f: Function, item: nodes.Type, place: Place, source: str) -> None:
    """Write lines that judge each of the items in *source*, the value of *place* or a part."""
    test = condition(item, place.at(place.name), f.program)
    f.visit(place.name, test is not None)
    if test is None or test.text:
        scan(f, item, place, source)


def scan(f: Function, item: nodes.Type, place: Place, source: str) -> None:
    """Write lines that judge each of the items that *source* yields."""
    name = f.variable()
    inner = place.at(name)
    with f.open_block(f"for {name} in {source}:"):
        judge(f, item, inner)


def _tuple(
    f: Function, items: tuple[nodes.Type, ...], rest: nodes.Type | None, place: Place
) -> None:
    x, count = place.name, len(items)
    with f.open_block(f"if len({x}) {'!=' if rest is None else '<'} {count}:"):
        f.refuse("False")
    for index, item in enumerate(items):
        name = f.variable()
        f.add(f"{name} = {x}[{index}]")
        judge(f, item, place.at(name))
    if rest is not None:
        each(f, rest, place, f"{x}[{count}:]")


def _map_of(f: Function, key: nodes.Type, value: nodes.Type, place: Place) -> None:
    name, held = f.variable(), f.variable()
    f.visit(place.name)
    with f.open_block(f"for {name}, {held} in {place.name}.items():"):
        _key(f, key, place.at(name))
        judge(f, value, place.at(held))


def _key(f: Function, key: nodes.Type, place: Place) -> None:
    """Write lines that judge a key of a map."""
    compiler = place.compiler
    policy = compiler.policy
    if key == nodes.STRING:
        with f.open_block(f"if type({place.name}) is not str:"):
            f.refuse(f"{'soft' if policy.decoding else 'hard'}({place.name})")
        return
    if key.flags & NAMES:
        f.refuse("None")
        return
    reading, taken = compiler.keys_of(key)
    checks = [(reading, key)] if policy.decoding else []
    if taken != key or not policy.decoding:
        checks.append((reading.strict() if policy.decoding else reading, taken))
    # A key that is only read, or that passes with a warning, conforms: the check decides.
    for other, t in checks:
        answer = f.variable()
        inner = Place(place.name, other)
        f.add(f"{answer} = {f.call(f.function_of(t, inner), place.name)}")
        with f.open_block(f"if {answer} is not True:"):
            is_sure = not policy.decoding and not policy.coercions
            f.refuse(f"{answer if is_sure else None}")


def _refined(f: Function, t: nodes.Refinement, place: Place) -> None:
    compiler = place.compiler
    if is_undecided(t.constraints, compiler.policy):
        f.refuse("None")
        return
    if compiler.policy.defaults and is_decided_by_defaults(t, compiler.names):
        # A default that breaks a constraint is not filled in, and the value conforms as it is.
        other = place._replace(name="x0")

        def write(g: Function) -> None:
            _limited(g, t, other)

        name = f.program.defined(key_of("filled", t, place), write)
        answer = f.variable()
        f.add(f"{answer} = {f.call(name, place.name)}")
        with f.open_block(f"if {answer} is not True:"):
            f.refuse("None")
        return
    _limited(f, t, place)


def _limited(f: Function, t: nodes.Refinement, place: Place) -> None:
    judge(f, t.inner, place)
    kind = _kind_of(t.inner)
    if kind is None:
        texts = [f"not {f.program.bind(meets_all(t.constraints))}({place.name})"]
    else:
        texts = limits_of(kind, t.constraints, place.name, f.program)
    f.require([(Test(text), place.name) for text in texts])


def _kind_of(t: nodes.Type) -> Kind | None:
    """Return the kind of all values of *t* if they are lists, sets or maps."""
    t = nodes.strip_annotations(t)
    kinds = find_kinds(t) if isinstance(t, nodes.Container) else None
    return next(iter(kinds)) if kinds else None


def _ref(f: Function, name: str, place: Place) -> None:
    names = place.compiler.names
    while isinstance(following := names[name], nodes.Ref):
        name = following.name
    t, inner = names[name], place._replace(name="x0")

    def write(other: Function) -> None:
        other.add(f"left -= {t.depth + 1}")
        with other.open_block("if left < 0:"):
            other.add("return None")
        judge(other, t, inner)

    called = f.program.defined(key_of("name", nodes.Ref(name), place), write)
    f.pass_on(f.call(called, place.name))
