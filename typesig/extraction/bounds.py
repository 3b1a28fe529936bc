"""Bounds in `Annotated`: each applies to a value or to its length.

A bound that does not fit its hint is left out with a warning; in a union it applies to the members
that it fits.
"""

from __future__ import annotations

import sys
import typing
from decimal import Decimal
from types import UnionType
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import (
    find_kinds,
    make_enum,
    make_maybe,
    make_noted,
    make_refined,
    make_union,
)
from typesig.algebra.rows.constraints import CONSTRAINTS, NUMBERS, SIZED, Constraint
from typesig.algebra.rows.values import Kind
from typesig.errors import TypesigError
from typesig.extraction.callables.generics import get_generic, is_alias, is_variable
from typesig.extraction.callables.hint_resolver import TEXT, HintScope, resolve_if_text
from typesig.extraction.hints.choice_hints import join_branches
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.fields import get_qualifier
from typesig.extraction.hints.metadata import HintMetadata, Measure, NumericLimit, add_text
from typesig.extraction.host_bounds import (
    can_have_offset,
    has_length,
    is_checked_on_host,
    with_bounds,
    with_offset,
)
from typesig.extraction.python_types.leaves import is_enum
from typesig.limits import MAX_HINT_DEPTH

#: The kinds of JSON values that have what a bound measures.
_MEASURED: dict[Measure, frozenset[Kind]] = {"value": NUMBERS, "length": SIZED}
#: What a message calls a bound on a length; a bound on a value has the word of its constraint.
_LENGTH = "a length"
_REMEDY = "put it beside the hint that it is meant for"
_UNIONS = (typing.Union, UnionType)
#: The attributes by which the class of a record is known.
_RECORDS = (
    "__attrs_attrs__", "__dataclass_fields__", "__pydantic_fields__", "__struct_config__",
)  # fmt: skip


class _UnionBranch(NamedTuple):
    """A hint that is a branch of a union or the only branch; cls: its class or None."""

    hint: Any
    cls: Any
    scope: HintScope


class _ConstraintTarget(NamedTuple):
    """A type that takes bounds, read from one or several branches of a union."""

    cls: Any
    found: HostType


def read_bounded(context: HintContext, hint: Any, notes: HintMetadata) -> HostType:
    """Read the `Annotated` *hint* as a host type with the bounds and text in *notes*."""
    if not notes.bounds and notes.offset is None:
        found = context.read(hint.__origin__)
        return found._replace(type=add_text(found.type, notes.text))
    parts = _read_parts(context, _find_branches(context, hint.__origin__, context.scope))
    fitting: list[list[NumericLimit]] = [[] for _ in parts]
    shown = next((part for part in parts if part.found.type is not nodes.NIL), parts[0])
    for bound in notes.bounds:
        reasons = [_explain_misfit(context, part, bound) for part in parts]
        for place, reason in enumerate(reasons):
            if not reason:
                fitting[place].append(bound)
        if all(reasons):
            context.warn(hint, _explain_misfit(context, shown, bound), _REMEDY)
    # A single host value tells its bounds in its description, after the text.
    is_told = sum(part.found.type is not nodes.NIL for part in parts) == 1
    without_offset = notes.offset is False
    is_told = is_told and any(
        is_checked_on_host(part.cls) and (bounds or (without_offset and can_have_offset(part.cls)))
        for part, bounds in zip(parts, fitting, strict=True)
    )
    text = notes.text if is_told else None
    if notes.offset is not None:
        parts = _with_offsets(context, hint, parts, notes.offset)
    made = [_add_bounds(context, *each, text) for each in zip(parts, fitting, strict=True)]
    found = made[0] if len(made) == 1 else join_branches(context, made)
    return found if is_told else found._replace(type=add_text(found.type, notes.text))


def _with_offsets(
    context: HintContext, hint: Any, parts: list[_ConstraintTarget], needed: bool
) -> list[_ConstraintTarget]:
    """Make date and time types in *parts* require an offset if *needed*, else refuse it."""
    if not any(can_have_offset(part.cls) for part in parts):
        context.warn(hint, "a value of it has no offset", _REMEDY)
    return [
        part._replace(found=with_offset(context, part.found, part.cls, needed))
        if can_have_offset(part.cls)
        else part
        for part in parts
    ]


# the parts of a hint


def _find_branches(context: HintContext, hint: Any, scope: HintScope) -> list[_UnionBranch]:
    """Return the branches of *hint*, including those in nested unions."""
    return _expand_branches(context, hint, scope, context.aliases, {})


def _expand_branches(
    context: HintContext,
    hint: Any,
    scope: HintScope,
    around: tuple[Any, ...],
    seen: dict[tuple[int, ...], Any],
) -> list[_UnionBranch]:
    """List the branches of the union *hint* that are not in *seen*.

    *around* are the names and unions around the hint, which may refer to themselves.
    """
    beside: tuple[Any, ...] = ()
    whole, inner, known = _unwrap_hint(context, hint, scope, around)
    while hasattr(whole, "__metadata__"):
        if any(whole is each for each in known):
            # `X = Annotated["X", …]`
            return [_UnionBranch(hint, None, scope)]
        known = (*known, whole)
        beside = (*whole.__metadata__, *beside)
        whole, inner, known = _unwrap_hint(context, whole.__origin__, inner, known)
    if typing.get_origin(whole) not in _UNIONS:
        cls = typing.get_origin(whole) or whole
        return [_UnionBranch(hint, cls if cls is Any or isinstance(cls, type) else None, scope)]
    if any(whole is each for each in known):
        return [_UnionBranch(hint, None, scope)]
    place = (id(whole), *map(id, beside))
    if place in seen:
        return []
    # What is kept keeps its id.
    seen[place] = whole, beside
    branches, known = typing.get_args(whole), (*known, whole)
    if beside:
        branches = tuple(typing.Annotated[(branch, *beside)] for branch in branches)
    within = [_expand_branches(context, each, inner, known, seen) for each in branches]
    return [found for each in within for found in each]


def _read_parts(context: HintContext, branches: list[_UnionBranch]) -> list[_ConstraintTarget]:
    """Read union *branches* as host types, as one type if JSON and Python measure alike."""
    # Those of which Python and JSON measure the values differently.
    apart = [
        each.cls is type(None) or is_checked_on_host(each.cls) or _is_host_only(each.cls)
        for each in branches
    ]
    rest = [each for each, is_apart in zip(branches, apart, strict=True) if not is_apart]
    if len(branches) == 1 or not rest:
        return [
            _ConstraintTarget(each.cls, _read_in_scope(context, each.hint, each.scope))
            for each in branches
        ]
    # `int | float` is one type.
    whole: Any = typing.Union[tuple(each.hint for each in rest)]  # noqa: UP007 - branches can be text
    cls = rest[0].cls if len(rest) == 1 else None
    return [
        _ConstraintTarget(cls, _read_in_scope(context, whole, rest[-1].scope))
        if each is rest[0]
        else _ConstraintTarget(each.cls, _read_in_scope(context, each.hint, each.scope))
        for each, is_apart in zip(branches, apart, strict=True)
        if each is rest[0] or is_apart
    ]


def _read_in_scope(context: HintContext, hint: Any, scope: HintScope) -> HostType:
    """Read *hint* as a host type; its names are resolved in *scope*."""
    return (context if scope is context.scope else context._replace(scope=scope)).read(hint)


def has_own_text(context: HintContext, hint: Any) -> bool:
    """Whether values of the `Annotated` *hint* are text in JSON but not in Python."""
    classes = {each.cls for each in _find_branches(context, hint.__origin__, context.scope)}
    return all(
        cls not in (Any, object) and is_checked_on_host(cls) for cls in classes - {type(None)}
    )


def _unwrap_hint(
    context: HintContext, hint: Any, scope: HintScope, around: tuple[Any, ...]
) -> tuple[Any, HintScope, tuple[Any, ...]]:
    """Resolve *hint*, which may be text, an alias or a type variable; None if unknown.

    Its scope and the names around it come with it.
    """
    while True:
        if isinstance(hint, TEXT):
            found = resolve_if_text(hint, scope)
            hint = None if isinstance(found, TEXT) else found
            continue
        if get_qualifier(hint) and typing.get_args(hint):
            hint = typing.get_args(hint)[0]
            continue
        name: Any = typing.get_origin(hint) or hint
        is_name = hasattr(hint, "__supertype__") or is_variable(hint) or is_alias(name)
        if not is_name:
            return hint, scope, around
        if len(around) > MAX_HINT_DEPTH or any(get_generic(known) == name for known in around):
            return None, scope, around
        around = (*around, name)
        if is_variable(hint):
            hint = _get_variable_value(context, hint)
            continue
        module = sys.modules.get(name.__module__ or "")
        scope = scope if module is None else scope.for_module(module)
        if is_alias(name):
            hint = _get_alias_value(name, typing.get_args(hint))
        else:
            hint = hint.__supertype__


def _get_variable_value(context: HintContext, variable: Any) -> Any:
    """Return the hint that replaces a type variable, or None."""
    for known in reversed(context.variables):
        if variable in known:
            return known[variable]
    if getattr(variable, "has_default", bool)():
        return variable.__default__
    constraints = variable.__constraints__
    return typing.Union[constraints] if constraints else variable.__bound__  # noqa: UP007


def _get_alias_value(alias: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the value of *alias*, or None if a name in it is not defined."""
    try:
        value = alias.__value__
    except NameError:
        return None
    return value[arguments] if arguments and getattr(value, "__parameters__", ()) else value


# what fits


def _is_host_only(cls: Any) -> bool:
    """Whether *cls* is an enum or a record, whose JSON differs from its values."""
    return is_enum(cls) or (isinstance(cls, type) and any(hasattr(cls, mark) for mark in _RECORDS))


def _make_constraint(bound: NumericLimit) -> Constraint:
    """Convert *bound* to a constraint; a `Decimal` becomes an equal JSON number.

    Raises `TypesigError` if there is none.
    """
    given, relation = bound.argument, bound.relation
    # Digits are checked on a decimal's object only.
    assert relation != "digits"
    if type(given).__name__ in ("Decimal", "Fraction"):
        for number in (int, float):
            try:
                # JSON's 0.1 is the decimal 0.1.
                if type(given)(str(number(given))) == given:
                    return Constraint(relation, number(given))
            except (ValueError, ArithmeticError):
                continue
    return Constraint(relation, given)


def _explain_misfit(context: HintContext, part: _ConstraintTarget, bound: NumericLimit) -> str:
    """Return the reason why *bound* does not apply to the branch *part*, or ""."""
    if bound.relation == "digits":
        is_decimal = isinstance(part.cls, type) and issubclass(part.cls, Decimal)
        return "" if is_decimal else "a value of it has no digits"
    if _is_checked_on_host(part, bound):
        is_sized = part.cls in (Any, object) or has_length(part.cls)
        return "a value of it has no length" if bound.measure == "length" and not is_sized else ""
    if _is_host_only(part.cls):
        if bound.measure == "length" and not has_length(part.cls):
            return "a value of it has no length"
        # Values of a class other than `object` that has `__ge__` can be compared.
        has_order = any("__ge__" in vars(ancestor) for ancestor in part.cls.__mro__[:-1])
        if bound.measure == "value" and is_enum(part.cls) and not has_order:
            return "a value of it has no order"
    try:
        constraint = _make_constraint(bound)
        if _add_constraint(context, part.found.type, constraint, bound.measure) is not None:
            return ""
    except TypesigError as error:
        return str(error)
    row = CONSTRAINTS[bound.relation]
    kinds = find_kinds(part.found.type)
    listed = "any value" if kinds is None else " or ".join(sorted(kinds - {"nil"}))
    return f"{_LENGTH if bound.measure == 'length' else row.word} does not apply to {listed}"


def _is_checked_on_host(part: _ConstraintTarget, bound: NumericLimit) -> bool:
    """Whether *bound* on the branch *part* is checked on Python values, not on JSON."""
    if part.cls in (Any, object):
        # A `Constraint` means of each kind what it means in a signature.
        return bound.measure is not None
    return is_checked_on_host(part.cls)


def _add_bounds(
    context: HintContext, part: _ConstraintTarget, bounds: list[NumericLimit], text: str | None
) -> HostType:
    """Return the host type of *part* limited by *bounds*, with the description *text*."""
    found = part.found
    checked = [bound for bound in bounds if _is_checked_on_host(part, bound)]
    for bound in bounds:
        if bound not in checked:
            t = _add_constraint(context, found.type, _make_constraint(bound), bound.measure)
            assert t is not None
            found = found._replace(type=t)
    if not checked and text is None:
        return found
    return with_bounds(context, found, checked, part.cls, text)


def _add_constraint(
    context: HintContext, t: nodes.Type, constraint: Constraint, measure: Measure | None
) -> nodes.Type | None:
    """Add *constraint* to the branches of *t* that have *measure*; None if none have it."""
    if isinstance(t, nodes.Maybe):
        inner = _add_constraint(context, t.inner, constraint, measure)
        return None if inner is None else make_maybe(inner)
    if measure is None:
        return make_refined(t, [constraint])
    target = context.findings.definitions.get(t.name, t) if isinstance(t, nodes.Ref) else t
    kinds = find_kinds(target)
    if kinds is None or not kinds & _MEASURED[measure] & constraint.row.kinds:
        return None
    if kinds <= _MEASURED[measure]:
        return make_refined(t, [constraint])
    match target:
        case nodes.Annotation(inner, text, title):
            within = _add_constraint(context, inner, constraint, measure)
            return None if within is None else make_noted(within, text, title)
        case nodes.Enum(values):
            test = constraint.test()
            fitting = [v for v in values if v.kind not in _MEASURED[measure] or test(v.thaw())]
            return make_enum(fitting) if fitting else None
        case nodes.Union(members):
            parts = [_add_constraint(context, member, constraint, measure) for member in members]
            return make_union(
                member if part is None else part
                for member, part in zip(members, parts, strict=True)
            )
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return None
        case _:
            assert_never(target)
