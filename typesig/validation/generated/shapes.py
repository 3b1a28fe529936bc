"""The source for each shape: lines that return from the function unless a value conforms."""

from __future__ import annotations

from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import find_kinds
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.rows.values import Kind
from typesig.validation.check.constrained import is_undecided
from typesig.validation.check.record_checks import is_decided_by_defaults
from typesig.validation.generated import record_source, union_source
from typesig.validation.generated.conditions import class_test, condition, limits_of, meets_all
from typesig.validation.generated.source import Function, Place, Test, key_of


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
            record_source.record(f, t, place)
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
