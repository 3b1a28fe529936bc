"""Conditions for types that one expression can test: scalars, enums, unions, refinements."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import Constraint, get_identity
from typesig.algebra.rows.scalars import SCALARS, ScalarName, ScalarRow
from typesig.algebra.rows.values import SMALL, Const, Keyword, Kind, get_kind, is_long
from typesig.codegen import Constants
from typesig.validation.check.scalar_checks import allows_other_format
from typesig.validation.generated.predicate_answers import KNOWN, join_tests
from typesig.validation.generated.source import Place, Test


def build_condition(t: nodes.Type, place: Place, constants: Constants) -> Test | None:
    """Build the test of a value of *t* in the variable of *place*, or None if one is not enough."""
    match t:
        case nodes.Scalar(name):
            return _build_scalar_test(name, place, constants)
        case nodes.Enum(values):
            return _build_enum_test(values, place, constants)
        case nodes.Maybe(inner):
            test = build_condition(inner, place, constants)
            if test is None or not test.text:
                return test
            return Test(f"({place.name} is not None and ({test.text}))", test.soft)
        case nodes.Annotation(inner):
            return build_condition(inner, place, constants)
        case nodes.Union(members):
            tests = [build_condition(member, place, constants) for member in members]
            found = [test for test in tests if test is not None]
            if len(found) < len(tests):
                return None
            if not all(test.text for test in found):
                return Test("")
            text = " and ".join([f"({test.text})" for test in found])
            return Test(f"({text})", any(test.soft for test in found))
        case nodes.Refinement(inner, constraints):
            return _build_refinement_test(inner, constraints, place, constants)
        case nodes.Container() | nodes.Through() | nodes.Not():
            return None
        case _:
            assert_never(t)


def build_class_test(t: nodes.Type, place: Place, other: str = "") -> Test | None:
    """Build the test of the class of a value of *t*, or None if there is no such test.

    A tuple as a list also sets the variable *other*, if there is one.
    """
    x, policy = place.name, place.compiler.policy
    match t:
        case nodes.List():
            read = "list_from_set" in policy.coercions
            return Test(_write_list_test(x, other), soft=read)
        case nodes.Tuple() | nodes.ItemCount():
            return Test(_write_list_test(x, other))
        case nodes.Set():
            text = f"(type({x}) is not set and type({x}) is not frozenset)"
            return Test(text, soft=policy.decoding)
        case nodes.MapOf() | nodes.Record():
            return Test(f"type({x}) is not dict")
        case nodes.Leaf() | nodes.Through() | nodes.Not():
            return None
        case _:
            assert_never(t)


def _write_list_test(x: str, other: str) -> str:
    is_no_tuple = f"type({x}) is not tuple"
    if other:
        is_no_tuple = f"({is_no_tuple} or not ({other} := True))"
    return f"(type({x}) is not list and {is_no_tuple})"


def _build_scalar_test(name: ScalarName, place: Place, constants: Constants) -> Test:
    x, policy = place.name, place.compiler.policy
    match name:
        case "any":
            return Test("")
        case "string":
            return Test(f"type({x}) is not str")
        case "int":
            return Test(_write_int_test(x, constants))
        case "bool":
            return Test(f"type({x}) is not bool")
        case "nil":
            return Test(f"{x} is not None")
        case "float":
            # NaN is neither below nor above.
            infinite = f"type({x}) is not float or not ({x} < infinity and {x} > minus_infinity)"
            if "float_from_int" in policy.coercions:
                return Test(f"({infinite})", soft=True)
            return Test(f"(({infinite}) and ({_write_int_test(x, constants)}))")
        case "keyword":
            keyword = constants.bind(Keyword)
            return Test(f"type({x}) is not {keyword}", soft=policy.decoding)
        case "datetime":
            moment = constants.bind(datetime)
            is_read = policy.decoding or policy.naive_datetime is not None
            return Test(f"(type({x}) is not {moment} or {x}.utcoffset() is None)", soft=is_read)
        case "map" | _:
            row = SCALARS[name]
            if row.kinds == {"map"}:
                # Nothing is read as a map; a value of another class is given to the check.
                return Test(f"(type({x}) is not dict or not {constants.bind(row.fits)}({x}))")
            known, fits = constants.bind(KNOWN), constants.bind(_make_row_test(row))
            is_soft = bool(policy.coercions or policy.decoding)
            return Test(f"(type({x}) not in {known} or not {fits}({x}))", is_soft)


def _write_int_test(x: str, constants: Constants) -> str:
    """Expression that is false only if *x* holds an integer short enough to write as text."""
    is_wide = f"({x} > {SMALL} or {x} < -{SMALL})"
    return f"type({x}) is not int or {is_wide} and {constants.bind(is_long)}({x})"


def _make_row_test(row: ScalarRow) -> Callable[[Any], bool]:
    """Make the function that tests whether a value conforms to *row*."""

    def conforms(value: Any) -> bool:
        if row.also is not None and row.also(value):
            return True
        is_of_kind = not row.kinds or get_kind(value) in row.kinds
        return is_of_kind and (row.fits is None or row.fits(value))

    return conforms


#: The classes of constants that a set can tell apart by value, by their kinds.
_PLAIN: dict[str, str] = {"string": "str", "int": "int"}


def _build_enum_test(values: tuple[Const, ...], place: Place, constants: Constants) -> Test:
    x, policy = place.name, place.compiler.policy
    kinds = {value.kind for value in values}
    # Each coercion to text has a warning.
    is_soft = kinds != {"string"} and bool(policy.coercions or policy.decoding)
    held = _PLAIN.get(values[0].kind) if len(kinds) == 1 else None
    if held is None:
        return Test(f"not {constants.bind(_make_membership_test(values))}({x})", is_soft)
    if len(values) == 1:
        only = constants.bind(values[0].value)
        return Test(f"(type({x}) is not {held} or {x} != {only})", is_soft)
    known = constants.bind(frozenset(value.value for value in values))
    return Test(f"(type({x}) is not {held} or {x} not in {known})", is_soft)


def _make_membership_test(values: tuple[Const, ...]) -> Any:
    """Make the function that tests whether *values* has a value, by kind and value."""
    known = frozenset(get_identity(value.thaw()) for value in values)
    kinds = frozenset(value.kind for value in values)

    def is_member(value: Any) -> bool:
        return get_kind(value) in kinds and get_identity(value) in known

    return is_member


def _build_refinement_test(
    inner: nodes.Type, constraints: tuple[Constraint, ...], place: Place, constants: Constants
) -> Test | None:
    x = place.name
    test = build_condition(inner, place, constants)
    if test is None:
        return None
    if allows_other_format(constraints, place.compiler.policy):
        if inner != nodes.STRING:
            return None
        limits = write_limit_tests("string", constraints, x, constants)
        return Test(f"({' or '.join([test.text, *limits])})", soft=True)
    if isinstance(inner, nodes.Scalar) and (kind := _KINDS[inner.name]) is not None:
        limits = write_limit_tests(kind, constraints, x, constants)
    else:
        limits = [f"not {constants.bind(make_constraints_test(constraints))}({x})"]
    parts = [part for part in (test.text, *limits) if part]
    return Test(f"({' or '.join(parts)})" if parts else "", test.soft)


#: The kind of the values of each scalar; None if there are several to tell apart.
_KINDS: dict[ScalarName, Kind | None] = {
    "string": "string", "int": "int", "float": "float", "bool": "bool", "keyword": "keyword",
    "any": None, "nil": "nil", "datetime": "datetime", "map": "map",
}  # fmt: skip


def make_constraints_test(constraints: tuple[Constraint, ...]) -> Any:
    """Make the test of *constraints* for values of any kind."""
    return join_tests(tuple([(c.row.kinds, c.test()) for c in constraints]))


def write_limit_tests(
    kind: Kind, constraints: tuple[Constraint, ...], x: str, constants: Constants
) -> list[str]:
    """Expressions that are true if the value in *x*, of *kind*, breaks a constraint."""
    return [_write_limit_test(c, kind, x, constants) for c in constraints if kind in c.row.kinds]


def _write_limit_test(limit: Constraint, kind: Kind, x: str, constants: Constants) -> str:
    is_number = kind in ("int", "float")
    size = x if is_number else f"len({x})"
    match limit.name:
        case "at_least":
            return f"{size} < {constants.bind(limit.argument.thaw())}"
        case "at_most":
            return f"{size} > {constants.bind(limit.argument.thaw())}"
        case "above":
            return f"{x} <= {constants.bind(limit.argument.thaw())}"
        case "below":
            return f"{x} >= {constants.bind(limit.argument.thaw())}"
        case "multiple_of" | "pattern" | "format" | "unique":
            return f"not {constants.bind(limit.test())}({x})"
        case _:
            assert_never(limit.name)
