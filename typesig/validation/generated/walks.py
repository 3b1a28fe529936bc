"""The source that goes on where a value does not conform: it finds and changes what the check does.

A part that conforms costs what it costs in the predicate; one that does not is given to the check
of that part, and only the maps and lists around a changed part are copied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import ANY, BOOL, FLOAT, INT, Field, List, Maybe, Record, Scalar, Type
from typesig.limits import MAX_DIGITS
from typesig.validation.check.scalar_checks import active, warned
from typesig.validation.generated import predicate_answers, shapes
from typesig.validation.generated.conditions import condition
from typesig.validation.generated.function_texts import Walk
from typesig.validation.generated.source import Function, Place, Program
from typesig.validation.rows.coercions import REFUSED
from typesig.validation.rows.run import Checker, LaterFound, Run

#: How many optional fields for one key of a map are looked at one by one.
_MANY = 4

#: Rows that conform, one after the other, before the rest is looked through by the predicate.
_STREAK = 4


def walker(program: Program, t: Type, place: Place, is_item: bool) -> str:
    """Return the name of a function that checks a value of *t* as the check of its place does."""
    t = bare(t)
    key = "walk", t, place.compiler.policy, is_item
    inner = place._replace(name="x0")
    check = place.compiler.place(t, is_item)
    match t:
        case List(item):
            return program.defined(key, lambda f: _items(f, item, inner, check), Walk)
        case Record():
            return program.defined(key, lambda f: _record(f, t, inner, check), Walk)
        case _:
            raise AssertionError(t)  # pragma: no cover - is_walked is asked first


def is_walked(t: Type) -> bool:
    """Tell whether the parts of a value of *t* are looked at one by one."""
    t = bare(t)
    match t:
        case Record(_, extra, matching):
            return extra in (ANY, None) and not matching
        case _:
            return isinstance(t, List)


def _items(f: Function, item: Type, place: Place, check: Checker) -> None:
    _unless(f, "type(x0) is not list", check)
    inner = place.at("x1")
    scan = f.program.defined(("scan", item), lambda g: shapes.scan(g, item, place, "x0"))
    f.add("run.watch.visit(len(x0))")
    f.add("out = None")
    f.add("it = iter(x0)")
    f.add("done = 0")
    with f.block("while True:"):
        # The predicate looks through items up to one that does not conform.
        with f.block(f"if {f.call(scan, 'it')} is True:"):
            with f.block("if out is not None:"):
                f.add("out += x0[done:]")
            f.add("return x0 if out is None else out")
        f.add("at = len(x0) - it.__length_hint__() - 1")
        with f.block("if out is not None:"):
            f.add("out += x0[done:at]")
        f.add("calm = 0")
        with f.block("for x1 in chain((x0[at],), it):"):
            f.add("before = len(found)")
            f.add("x2 = x1")
            _part(f, item, inner, "at", "False", "x2", True)
            with f.block("if x2 is not x1:"):
                f.add("calm = -1")
                with f.block("if out is None:"):
                    f.add("out = x0[:at]")
            with f.block("if out is not None:"):
                f.add("out.append(x2)")
            f.add("calm = 0 if len(found) > before else calm + 1")
            f.add("at += 1")
            with f.block(f"if calm == {_STREAK}:"):
                f.add("break")
        f.add("done = at")


def _unless(f: Function, text: str, check: Checker) -> None:
    with f.block(f"if {text}:"):
        f.add(f"return {f.program.bound(check)}(x0, run)")


def _record(f: Function, t: Record, place: Place, check: Checker) -> None:
    """Write the function of a record: the check has a map that lacks keys or has others."""
    policy, program = place.compiler.policy, f.program
    held = [(field, program.key(field.name), f.variable()) for field in t.fields]
    _unless(f, "type(x0) is not dict", check)
    f.add("run.watch.visit(len(x0))")
    if any(policy.firewall and field.firewalled for field in t.fields):
        f.add(f"return {program.bound(check)}(x0, run)")
        return
    fills = {field.name for field in t.fields if policy.defaults and field.default is not None}
    needed = [each for each in held if each[0].required or each[0].name in fills]
    count = f"{len(needed)}"
    if needed:
        with f.block("try:"):
            for _, key, name in needed:
                f.add(f"{name} = x0[{key}]")
        with f.block("except KeyError:"):
            f.add(f"return {program.bound(check)}(x0, run)")
    names = {each[0].name for each in needed}
    optional = [each for each in held if each[0].name not in names]
    if len(optional) > _MANY:
        _unless(f, f"{_MANY} * (len(x0) + 1) < {len(optional)}", check)
    if optional:
        count, start = f.variable(), count
        f.add(f"{count} = {start}")
    for _, key, name in optional:
        f.add(f"{name} = absent")
        with f.block(f"if {key} in x0:"):
            f.add(f"{name} = x0[{key}]")
            f.add(f"{count} += 1")
    for field, _, name in held:
        # A null may count as absent.
        is_left_out = "absent_from_null" in policy.coercions and not field.required
        if (field.name in fills or is_left_out) and not isinstance(bare(field.type), Maybe):
            _unless(f, f"{name} is None", check)
    known = "False"
    if t.extra == ANY and policy.extras == "keep":
        judge = predicate_answers.undeclared(place.compiler.plan(t), frozenset())
        known = f"{program.bound(judge)}(x0) is True"
    _unless(f, f"len(x0) != {count} and not {known}", check)
    f.add("out = x0")
    for field, key, name in held:
        _field(f, field, key, place.at(name), field.name not in names)
    f.add("return out")


def _field(f: Function, field: Field, key: str, place: Place, is_optional: bool) -> None:
    name = place.name
    made = f.variable()
    with f.block(f"if {name} is not absent:" if is_optional else "if True:"):
        f.add(f"{made} = {name}")
        _part(f, field.type, place, key, str(field.firewalled), made, False)
        with f.block(f"if {made} is not {name}:"):
            with f.block("if out is x0:"):
                f.add("out = x0.copy()")
            f.add(f"out[{key}] = {made}")


def _part(
    f: Function, t: Type, place: Place, step: str, hidden: str, made: str, is_item: bool
) -> None:
    """Write lines that set *made* to what the check makes of the part in *place*."""
    program, x = f.program, place.name
    program.count()
    test = condition(t, place, program)
    if test is not None:
        if test.text:
            call = f"{program.bound(leaf(t, place, is_item))}({x}, run)"
            with f.block(f"if {test.text}:"):
                _mended(f, _reads_digits(t, place), x, call, step, hidden, made)
        return
    if is_walked(t):
        call = f.call(walker(program, t, place, is_item), f"{x}, run, found")
        inner = bare(t)
        item = condition(inner.item, place.at("e"), program) if isinstance(inner, List) else None
        if item is None:
            _slowly(f, call, step, hidden, made)
            return
        # A list of scalars is looked through by the predicate.
        judge = f.function_of(t, place)
        with f.block(f"if {f.call(judge, x)} is not True:"):
            _slowly(f, call, step, hidden, made)
        return
    check = program.bound(place.compiler.place(t, is_item))
    judge = f.function_of(t, place)
    with f.block(f"if {f.call(judge, x)} is not True:"):
        _slowly(f, f"{check}({x}, run)", step, hidden, made)


_DIGITS = (
    f"type({{x}}) is str and {{x}}.isdigit() and {{x}}.isascii() and len({{x}}) <= {MAX_DIGITS}"
)


def _reads_digits(t: Type, place: Place) -> bool:
    """Tell whether the digits of an int are read with a warning at a place of *t*."""
    is_on = "int_from_string" in place.compiler.policy.coercions
    return bare(t) == INT and is_on


def _mended(
    f: Function, digits: bool, x: str, call: str, step: str, hidden: str, made: str
) -> None:
    if not digits:
        _slowly(f, call, step, hidden, made)
        return
    # A warning beyond the limit is only counted.
    text = f"type({x}) is str and {x}.isdigit() and {x}.isascii() and len({x}) <= {MAX_DIGITS}"
    with f.block(f"if run.warnings >= run.limit and {text}:"):
        f.add("run.unseen_warnings += 1")
        f.add(f"{made} = int({x})")
    with f.block("else:"):
        _slowly(f, call, step, hidden, made)


def _slowly(f: Function, call: str, step: str, hidden: str, made: str) -> None:
    f.add("seen = len(found)")
    f.add(f"{made} = {call}")
    with f.block("if len(found) > seen:"):
        if hidden == "False":
            # One finding is usual.
            with f.block("if len(found) == seen + 1:"):
                f.add(f"found[seen].steps.append({step})")
            with f.block("else:"):
                f.add(f"run.prefix(seen, {step})")
        else:
            f.add(f"run.prefix(seen, {step}, True)")


def leaf(t: Type, place: Place, is_item: bool) -> Checker:
    """Return the check of a value that does not conform to *t*, a type without parts."""
    compiler = place.compiler
    check = compiler.place(t, is_item)
    inner = bare(t)
    inner = bare(inner.inner) if isinstance(inner, Maybe) else inner
    is_number = isinstance(inner, Scalar) and inner in (INT, FLOAT, BOOL)
    if not is_number or check is not compiler.checker(t):
        return check
    assert isinstance(inner, Scalar)
    rows = active(compiler.policy, inner.name).get("string", [])
    # Each row that reads a number or a bool from text has a warning.
    assert all(warned(row, compiler.policy) for row in rows)
    return _of_text(check, [row.apply for row in rows])


def _of_text(check: Checker, ways: list[Callable[[Any], Any]]) -> Checker:
    """Return *check*, which for text finds the same later: when its messages are read."""

    def mend(value: Any, run: Run) -> Any:
        if type(value) is not str:
            return check(value, run)
        for apply in ways:
            made = apply(value)
            if made is not REFUSED:
                if run.warnings < run.limit:
                    run.warnings += 1
                    run.found.append(LaterFound(check, value, True))
                else:
                    run.unseen_warnings += 1
                return made
        if run.errors < run.limit:
            run.errors += 1
            run.found.append(LaterFound(check, value, False))
        else:
            run.unseen += 1
        return value

    return mend
