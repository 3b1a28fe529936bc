"""Bounds in `Annotated`: each is about what it measures, the value or its length, and no other.

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
from typesig.algebra.constructors import enum, kinds_of, maybe, noted, refined, union
from typesig.algebra.rows.constraints import CONSTRAINTS, NUMBERS, SIZED, Constraint
from typesig.algebra.rows.values import Kind
from typesig.errors import TypesigError
from typesig.extraction.callables.aliases import generic_of, is_alias
from typesig.extraction.callables.generics import is_variable
from typesig.extraction.callables.resolve import HintScope
from typesig.extraction.hints.choice_hints import joined
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.fields import TEXT, qualifier_of, resolve_if_text
from typesig.extraction.hints.metadata import Bound, Measure, Notes
from typesig.extraction.hints.notes import placed
from typesig.extraction.host_bounds import (
    has_length,
    is_host,
    takes_offset,
    with_bounds,
    with_offset,
)
from typesig.extraction.hosts.enums import is_enum
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


class _Branch(NamedTuple):
    """A branch of a union, or a hint that is none; cls: its class, None if it has none."""

    hint: Any
    cls: Any
    scope: HintScope


class _Part(NamedTuple):
    """One branch, or several that are read as one; cls: the class of a single branch."""

    cls: Any
    found: HostType


def read_bounded(context: HintContext, hint: Any, notes: Notes) -> HostType:
    """Return the type of *hint*, in `Annotated`, with the bounds and the text of its *notes*."""
    if not notes.bounds and notes.offset is None:
        found = context.read(hint.__origin__)
        return found._replace(type=placed(found.type, notes.text))
    parts = _parts(context, _branches(context, hint.__origin__, context.scope))
    fitting: list[list[Bound]] = [[] for _ in parts]
    shown = next((part for part in parts if part.found.type is not nodes.NIL), parts[0])
    for bound in notes.bounds:
        reasons = [_misfit(context, part, bound) for part in parts]
        for place, reason in enumerate(reasons):
            if not reason:
                fitting[place].append(bound)
        if all(reasons):
            context.warn(hint, _misfit(context, shown, bound), _REMEDY)
    # A single host value tells its bounds in its description, after the text.
    is_told = sum(part.found.type is not nodes.NIL for part in parts) == 1
    without_offset = notes.offset is False
    is_told = is_told and any(
        is_host(part.cls) and (bounds or (without_offset and takes_offset(part.cls)))
        for part, bounds in zip(parts, fitting, strict=True)
    )
    text = notes.text if is_told else None
    if notes.offset is not None:
        parts = _with_offsets(context, hint, parts, notes.offset)
    made = [_bounded(context, *each, text) for each in zip(parts, fitting, strict=True)]
    found = made[0] if len(made) == 1 else joined(context, made)
    return found if is_told else found._replace(type=placed(found.type, notes.text))


def _with_offsets(context: HintContext, hint: Any, parts: list[_Part], needed: bool) -> list[_Part]:
    """Return *parts*, where dates and times have an offset if one is *needed*, else have none."""
    if not any(takes_offset(part.cls) for part in parts):
        context.warn(hint, "a value of it has no offset", _REMEDY)
    return [
        part._replace(found=with_offset(context, part.found, part.cls, needed))
        if takes_offset(part.cls)
        else part
        for part in parts
    ]


# the parts of a hint


def _branches(context: HintContext, hint: Any, scope: HintScope) -> list[_Branch]:
    """Return the branches of *hint*, those of unions within them too."""
    return _branches_within(context, hint, scope, context.aliases, {})


def _branches_within(
    context: HintContext,
    hint: Any,
    scope: HintScope,
    around: tuple[Any, ...],
    seen: dict[tuple[int, ...], Any],
) -> list[_Branch]:
    """Return the branches of *hint*, without those that were *seen* already.

    *around* are the names and unions around the hint, which may refer to themselves.
    """
    beside: tuple[Any, ...] = ()
    whole, inner, known = _unwrapped(context, hint, scope, around)
    while hasattr(whole, "__metadata__"):
        if any(whole is each for each in known):
            # `X = Annotated["X", …]`
            return [_Branch(hint, None, scope)]
        known = (*known, whole)
        beside = (*whole.__metadata__, *beside)
        whole, inner, known = _unwrapped(context, whole.__origin__, inner, known)
    if typing.get_origin(whole) not in _UNIONS:
        cls = typing.get_origin(whole) or whole
        return [_Branch(hint, cls if cls is Any or isinstance(cls, type) else None, scope)]
    if any(whole is each for each in known):
        return [_Branch(hint, None, scope)]
    place = (id(whole), *map(id, beside))
    if place in seen:
        return []
    # What is kept keeps its id.
    seen[place] = whole, beside
    branches, known = typing.get_args(whole), (*known, whole)
    if beside:
        branches = tuple(typing.Annotated[(branch, *beside)] for branch in branches)
    within = [_branches_within(context, each, inner, known, seen) for each in branches]
    return [found for each in within for found in each]


def _parts(context: HintContext, branches: list[_Branch]) -> list[_Part]:
    """Return the parts that *branches* are read as: what JSON measures as the host does is one."""
    apart = [_is_measured_apart(each) for each in branches]
    rest = [each for each, is_apart in zip(branches, apart, strict=True) if not is_apart]
    if len(branches) == 1 or not rest:
        return [_Part(each.cls, _read(context, each.hint, each.scope)) for each in branches]
    # `int | float` is one type.
    whole: Any = typing.Union[tuple(each.hint for each in rest)]  # noqa: UP007 - branches can be text
    cls = rest[0].cls if len(rest) == 1 else None
    return [
        _Part(cls, _read(context, whole, rest[-1].scope))
        if each is rest[0]
        else _Part(each.cls, _read(context, each.hint, each.scope))
        for each, is_apart in zip(branches, apart, strict=True)
        if each is rest[0] or is_apart
    ]


def _is_measured_apart(branch: _Branch) -> bool:
    return branch.cls is type(None) or is_host(branch.cls) or _is_host_only(branch.cls)


def _read(context: HintContext, hint: Any, scope: HintScope) -> HostType:
    return (context if scope is context.scope else context._replace(scope=scope)).read(hint)


def has_own_text(context: HintContext, hint: Any) -> bool:
    """Return whether values of *hint*, in `Annotated`, are texts only as JSON spells them."""
    classes = {each.cls for each in _branches(context, hint.__origin__, context.scope)}
    return all(cls not in (Any, object) and is_host(cls) for cls in classes - {type(None)})


def _unwrapped(
    context: HintContext, hint: Any, scope: HintScope, around: tuple[Any, ...]
) -> tuple[Any, HintScope, tuple[Any, ...]]:
    """Return what *hint*, a name, an alias or a variable, stands for, None if nothing is known.

    Its scope and the names around it come with it.
    """
    while True:
        if isinstance(hint, TEXT):
            found = resolve_if_text(hint, scope)
            hint = None if isinstance(found, TEXT) else found
            continue
        if qualifier_of(hint) and typing.get_args(hint):
            hint = typing.get_args(hint)[0]
            continue
        name: Any = typing.get_origin(hint) or hint
        is_name = hasattr(hint, "__supertype__") or is_variable(hint) or is_alias(name)
        if not is_name:
            return hint, scope, around
        if len(around) > MAX_HINT_DEPTH or any(generic_of(known) == name for known in around):
            return None, scope, around
        around = (*around, name)
        if is_variable(hint):
            hint = _value_of_variable(context, hint)
            continue
        module = sys.modules.get(name.__module__ or "")
        scope = scope if module is None else scope.within(module)
        if is_alias(name):
            hint = _value_of_alias(name, typing.get_args(hint))
        else:
            hint = hint.__supertype__


def _value_of_variable(context: HintContext, variable: Any) -> Any:
    """Return the hint that a type variable stands for, or None."""
    for known in reversed(context.variables):
        if variable in known:
            return known[variable]
    if getattr(variable, "has_default", bool)():
        return variable.__default__
    constraints = variable.__constraints__
    return typing.Union[constraints] if constraints else variable.__bound__  # noqa: UP007


def _value_of_alias(alias: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the hint that *alias* stands for, or None if a name in it is not defined."""
    try:
        value = alias.__value__
    except NameError:
        return None
    return value[arguments] if arguments and getattr(value, "__parameters__", ()) else value


# what fits


def _is_host_only(cls: Any) -> bool:
    """Return whether *cls* is of an enum or a record, whose JSON has more than its values do."""
    return is_enum(cls) or (isinstance(cls, type) and any(hasattr(cls, mark) for mark in _RECORDS))


def _constraint_of(bound: Bound) -> Constraint:
    """Return *bound* as a constraint, with the number of JSON that a `Decimal` equals.

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


def _has_order(cls: Any) -> bool:
    return any("__ge__" in vars(ancestor) for ancestor in cls.__mro__[:-1])


def _misfit(context: HintContext, part: _Part, bound: Bound) -> str:
    """Return why *bound* does not apply to *part*, or an empty text if it does."""
    if bound.relation == "digits":
        is_decimal = isinstance(part.cls, type) and issubclass(part.cls, Decimal)
        return "" if is_decimal else "a value of it has no digits"
    if _is_checked_on_host(part, bound):
        is_sized = part.cls in (Any, object) or has_length(part.cls)
        return "a value of it has no length" if bound.measure == "length" and not is_sized else ""
    if _is_host_only(part.cls):
        if bound.measure == "length" and not has_length(part.cls):
            return "a value of it has no length"
        if bound.measure == "value" and is_enum(part.cls) and not _has_order(part.cls):
            return "a value of it has no order"
    try:
        constraint = _constraint_of(bound)
        if _within(context, part.found.type, constraint, bound.measure) is not None:
            return ""
    except TypesigError as error:
        return str(error)
    row = CONSTRAINTS[bound.relation]
    kinds = kinds_of(part.found.type)
    listed = "any value" if kinds is None else " or ".join(sorted(kinds - {"nil"}))
    return f"{_LENGTH if bound.measure == 'length' else row.word} does not apply to {listed}"


def _is_checked_on_host(part: _Part, bound: Bound) -> bool:
    if part.cls in (Any, object):
        # A `Constraint` means of each kind what it means in a signature.
        return bound.measure is not None
    return is_host(part.cls)


def _bounded(context: HintContext, part: _Part, bounds: list[Bound], text: str | None) -> HostType:
    """Return the type of *part* with *bounds*, which apply to it."""
    found = part.found
    checked = [bound for bound in bounds if _is_checked_on_host(part, bound)]
    for bound in bounds:
        if bound not in checked:
            t = _within(context, found.type, _constraint_of(bound), bound.measure)
            assert t is not None
            found = found._replace(type=t)
    if not checked and text is None:
        return found
    return with_bounds(context, found, checked, part.cls, text)


def _within(
    context: HintContext, t: nodes.Type, constraint: Constraint, measure: Measure | None
) -> nodes.Type | None:
    """Return *t* where the parts that have the *measure* have the *constraint*; None if none do."""
    if isinstance(t, nodes.Maybe):
        inner = _within(context, t.inner, constraint, measure)
        return None if inner is None else maybe(inner)
    if measure is None:
        return refined(t, [constraint])
    target = context.findings.definitions.get(t.name, t) if isinstance(t, nodes.Ref) else t
    kinds = kinds_of(target)
    if kinds is None or not kinds & _MEASURED[measure] & constraint.row.kinds:
        return None
    if kinds <= _MEASURED[measure]:
        return refined(t, [constraint])
    match target:
        case nodes.Noted(inner, text, title):
            within = _within(context, inner, constraint, measure)
            return None if within is None else noted(within, text, title)
        case nodes.Enum(values):
            test = constraint.test()
            fitting = [v for v in values if v.kind not in _MEASURED[measure] or test(v.thaw())]
            return enum(fitting) if fitting else None
        case nodes.Union(members):
            parts = [_within(context, member, constraint, measure) for member in members]
            return union(
                member if part is None else part
                for member, part in zip(members, parts, strict=True)
            )
        case nodes.Leaf() | nodes.Container() | nodes.Through() | nodes.Not():
            return None
        case _:
            assert_never(target)
