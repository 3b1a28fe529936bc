"""Conditions for types that one expression can test: scalars, enums, unions, refinements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from math import inf
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.constraints import Constraint, get_identity
from typesig.algebra.rows.scalars import SCALARS, ScalarName, ScalarRow
from typesig.algebra.rows.values import SMALL, Const, Keyword, Kind, get_kind, is_long
from typesig.codegen import Constants
from typesig.validation.check.check import Compiler
from typesig.validation.check.scalar_checks import allows_other_format
from typesig.validation.keys import KeyPlan

#: The constants of the expressions by name.
NAMES: Mapping[str, object] = {"infinity": inf, "minus_infinity": -inf}


class Place(NamedTuple):
    """The variable of a value that is checked, with the compiler of its type.

    #: name: the variable that holds it; compiler: has the policy and the definitions
    #: choices: the unions around it of which several branches look into one value
    """

    name: str
    compiler: Compiler
    choices: int = 0

    def with_name(self, name: str) -> Place:
        """Return the place of a part of this value in the variable *name*."""
        return self._replace(name=name)

    def as_strict(self) -> Place:
        """Return the place under a policy that coerces nothing."""
        return self._replace(compiler=self.compiler.as_strict())


def build_condition(t: nodes.Type, place: Place, constants: Constants) -> str | None:
    """Build the expression that is true for a value of *place* that is not known to be of *t*.

    It is empty if each value conforms, and None if one expression is not enough.
    """
    match t:
        case nodes.Scalar(name):
            return _build_scalar_test(name, place, constants)
        case nodes.Enum(values):
            return _build_enum_test(values, place, constants)
        case nodes.Maybe(inner):
            test = build_condition(inner, place, constants)
            return f"({place.name} is not None and ({test}))" if test else test
        case nodes.Annotation(inner):
            return build_condition(inner, place, constants)
        case nodes.Union(members):
            tests = [build_condition(member, place, constants) for member in members]
            found = [test for test in tests if test is not None]
            if len(found) < len(tests):
                return None
            return f"({' and '.join([f'({test})' for test in found])})" if all(found) else ""
        case nodes.Refinement(inner, constraints):
            return _build_refinement_test(inner, constraints, place, constants)
        case nodes.Container() | nodes.Through() | nodes.Not():
            return None
        case _:
            assert_never(t)


def build_class_test(t: nodes.Type, place: Place, other: str = "") -> str:
    """Build the test of the class of a value of *t*, empty if there is no such test.

    A tuple as a list also sets the variable *other*, if there is one.
    """
    x = place.name
    match t:
        case nodes.List() | nodes.Tuple():
            is_no_tuple = f"type({x}) is not tuple"
            if other:
                is_no_tuple = f"({is_no_tuple} or not ({other} := True))"
            return f"(type({x}) is not list and {is_no_tuple})"
        case nodes.Set():
            return f"(type({x}) is not set and type({x}) is not frozenset)"
        case nodes.MapOf() | nodes.Record():
            return f"type({x}) is not dict"
        case nodes.Leaf() | nodes.ItemCount() | nodes.Through() | nodes.Not():
            return ""
        case _:
            assert_never(t)


def _build_scalar_test(name: ScalarName, place: Place, constants: Constants) -> str:
    x, policy = place.name, place.compiler.policy
    match name:
        case "any":
            return ""
        case "string":
            return f"type({x}) is not str"
        case "int":
            return _write_int_test(x, constants)
        case "bool":
            return f"type({x}) is not bool"
        case "nil":
            return f"{x} is not None"
        case "float":
            # NaN is neither below nor above.
            infinite = f"type({x}) is not float or not ({x} < infinity and {x} > minus_infinity)"
            if "float_from_int" in policy.coercions:
                return f"({infinite})"
            return f"(({infinite}) and ({_write_int_test(x, constants)}))"
        case "keyword":
            return f"type({x}) is not {constants.bind(Keyword)}"
        case "datetime":
            return f"(type({x}) is not {constants.bind(datetime)} or {x}.utcoffset() is None)"
        case "map" | _:
            # A value of another class is given to the check.
            row = SCALARS[name]
            known = _MAPS if row.kinds == {"map"} else BUILTIN
            fits = constants.bind(_make_row_test(row))
            return f"(type({x}) not in {constants.bind(known)} or not {fits}({x}))"


#: The classes whose values conform to what their class tells.
_MAPS: frozenset[type] = frozenset({dict})
BUILTIN: frozenset[type] = frozenset({
    type(None), str, bool, int, float, list, tuple, dict, set, frozenset, datetime, Keyword, bytes,
    complex, range, object,
})  # fmt: skip


def _write_int_test(x: str, constants: Constants) -> str:
    """Expression that is false only if *x* holds an integer short enough to write as text."""
    is_wide = f"({x} > {SMALL} or {x} < -{SMALL})"
    return f"type({x}) is not int or {is_wide} and {constants.bind(is_long)}({x})"


def _make_row_test(row: ScalarRow) -> Callable[[Any], bool]:
    """Make the function that tests whether a value conforms to *row*."""

    def conforms(value: Any) -> bool:
        is_of_kind = not row.kinds or get_kind(value) in row.kinds
        fits = is_of_kind and (row.fits is None or row.fits(value))
        return fits or (row.also is not None and row.also(value))

    return conforms


#: The classes of constants that a set can tell apart by value, by their kinds.
_PLAIN: dict[str, str] = {"string": "str", "int": "int"}


def _build_enum_test(values: tuple[Const, ...], place: Place, constants: Constants) -> str:
    x = place.name
    kinds = {value.kind for value in values}
    held = _PLAIN.get(values[0].kind) if len(kinds) == 1 else None
    if held is None:
        return f"not {constants.bind(_make_membership_test(values))}({x})"
    if len(values) == 1:
        return f"(type({x}) is not {held} or {x} != {constants.bind(values[0].value)})"
    known = constants.bind(frozenset(value.value for value in values))
    return f"(type({x}) is not {held} or {x} not in {known})"


def _make_membership_test(values: tuple[Const, ...]) -> Any:
    """Make the function that tests whether *values* has a value, by kind and value."""
    known = frozenset(get_identity(value.thaw()) for value in values)
    kinds = frozenset(value.kind for value in values)

    def is_member(value: Any) -> bool:
        return get_kind(value) in kinds and get_identity(value) in known

    return is_member


def _build_refinement_test(
    inner: nodes.Type, constraints: tuple[Constraint, ...], place: Place, constants: Constants
) -> str | None:
    x = place.name
    test = build_condition(inner, place, constants)
    is_read = allows_other_format(constraints, place.compiler.policy)
    if test is None or (is_read and inner != nodes.STRING):
        return None
    kind = _KINDS[inner.name] if isinstance(inner, nodes.Scalar) else None
    if kind is not None:
        limits = write_limit_tests(kind, constraints, x, constants)
    else:
        limits = [f"not {constants.bind(make_constraints_test(constraints))}({x})"]
    parts = [part for part in (test, *limits) if part]
    return f"({' or '.join(parts)})" if parts else ""


#: The kind of the values of each scalar; None if there are several to tell apart.
_KINDS: dict[ScalarName, Kind | None] = {
    "string": "string", "int": "int", "float": "float", "bool": "bool", "keyword": "keyword",
    "any": None, "nil": "nil", "datetime": "datetime", "map": "map",
}  # fmt: skip


def make_constraints_test(constraints: tuple[Constraint, ...]) -> Callable[[Any], bool]:
    """Make the test of *constraints* for values of any kind."""
    tests = tuple([(c.row.kinds, c.test()) for c in constraints])

    def meets(value: Any) -> bool:
        kind = get_kind(value)
        return all(test(value) for kinds, test in tests if kind in kinds)

    return meets


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


def make_key_test(plan: KeyPlan, refused: frozenset[str]) -> Callable[[dict[Any, Any]], bool]:
    """Make the test of the keys of a map that may have unknown ones."""
    known = set(plan.names - refused)

    def conforms(data: dict[Any, Any]) -> bool:
        if data.keys() <= known:
            return True
        made, twice, near = plan.rename_keys(data)
        if made is not data or twice or near:
            return False
        for key in data:
            if key in known:
                continue
            if type(key) is not str or key in refused:
                return False
            if plan.get_near_names(key):
                # What stays undeclared beside a near name is told, or may stand for it elsewhere.
                if plan.reads_near:
                    return False
            elif len(known) < _MOST_KEYS:
                known.add(key)
        return True

    return conforms


#: How many undeclared keys of one record are remembered.
_MOST_KEYS = 1_000
