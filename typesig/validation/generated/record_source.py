"""The source for records: declared fields, then the keys that are not declared."""

from __future__ import annotations

from typesig.algebra.constructors import make_both, strip_annotations
from typesig.algebra.nodes import ANY, BOOL, STRING, Field, PatternField, Record, Type
from typesig.validation.generated import predicate_answers
from typesig.validation.generated.conditions import class_test, condition
from typesig.validation.generated.source import Function, Place, Test
from typesig.validation.keys import KeyPlan
from typesig.validation.policy import Extras


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
