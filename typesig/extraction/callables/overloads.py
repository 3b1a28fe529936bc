"""Merge the overloads of a function into one list of parameters and one result hint."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.extraction.callables.hint_resolver import HintResolutionError, HintScope, resolve
from typesig.extraction.callables.params import EMPTY, CallableParts, Param

_VARIABLE = ("VAR_POSITIONAL", "VAR_KEYWORD")


class OverloadSummary(NamedTuple):
    """The parameters and result hint merged from the overloads of a function.

    #: number: how many there are
    #: params: the parameters; returns: the hint of the result
    """

    number: int
    params: tuple[Param, ...]
    returns: Any


def merge_overloads(
    inner: Any,
    params: tuple[Param, ...],
    returns: Any,
    read: Callable[[Any], CallableParts | None],
    scope: HintScope,
) -> OverloadSummary:
    """Merge the overloads of *inner* with its own *params* and *returns*.

    The only overload with the most parameters gives the hints of the parameters, else the
    implementation does.  The result is what the implementation says, else what the overloads say
    that the parameters admit.  *read* reads the signature of an overload, and *scope* has the
    names in its hints.
    """
    written = typing.get_overloads(inner)
    read_ones = [read(getattr(each, "__func__", each)) for each in written]
    found = [each for each in read_ones if each is not None]
    if not found:
        return OverloadSummary(0, params, returns)
    most = max(len(each.params) for each in found)
    longest = [each for each in found if len(each.params) == most]
    params = (
        _use_longest_hints(params, longest[0])
        if len(longest) == 1
        else _fill_missing_hints(params, found)
    )
    if returns is EMPTY or _resolve_hint(returns, scope) is Any:
        values = {param.name: _find_values(param.annotation, scope) for param in params}
        admitted = [
            each for each in found if _fits_overload(params, values, each, scope)
        ] or longest
        returns = _merge_hints([each.returns for each in admitted])
    return OverloadSummary(len(found), params, returns)


def _use_longest_hints(params: tuple[Param, ...], longest: CallableParts) -> tuple[Param, ...]:
    """Return *params* with the hints of the overload *longest*."""
    hinted = longest.params
    named = {p.name for p in params if p.kind not in _VARIABLE}
    variable = {p.kind for p in params if p.kind in _VARIABLE}
    if variable and not hinted.keys() <= named:
        # The implementation takes them as `*args, **kwargs`, and the overload names them.
        if "VAR_KEYWORD" in variable:
            return tuple(hinted.values())
        return tuple(
            p._replace(kind="POSITIONAL_ONLY") if p.kind == "POSITIONAL_OR_KEYWORD" else p
            for p in hinted.values()
        )
    return tuple(
        p._replace(annotation=hinted[p.name].annotation) if p.name in hinted else p for p in params
    )


def _fill_missing_hints(params: tuple[Param, ...], found: list[CallableParts]) -> tuple[Param, ...]:
    """Give parameters without a hint the union of their hints in the overloads."""
    out = []
    for param in params:
        same = [each.params[param.name] for each in found if param.name in each.params]
        hints = [each.annotation for each in same]
        known = param.annotation is not EMPTY or not hints or EMPTY in hints
        out.append(param if known else param._replace(annotation=_merge_hints(hints)))
    return tuple(out)


def _merge_hints(hints: list[Any]) -> Any:
    """Return the union of *hints*, or `EMPTY` if *hints* contains `EMPTY`."""
    if EMPTY in hints:
        return EMPTY
    if all(hint == hints[0] for hint in hints):
        return hints[0]
    try:
        return typing.Union[tuple(hints)]  # noqa: UP007 - the hints may be text
    except (TypeError, SyntaxError):
        return Any


def _fits_overload(
    params: tuple[Param, ...],
    values: dict[str, _ValueClasses],
    overload: CallableParts,
    scope: HintScope,
) -> bool:
    """Whether a call can match both the hints of *params* and those in *overload*.

    *values* are those of the hints of *params*.
    """
    theirs = overload.params
    for param in params:
        if param.name in theirs:
            hint = theirs[param.name].annotation
            if param.annotation != hint and not _is_overlapping(
                values[param.name], _find_values(hint, scope)
            ):
                return False
        elif param.default is EMPTY and param.kind not in _VARIABLE:
            return False
    return True


class _ValueClasses(NamedTuple):
    """The literal constants and the classes of the values that a hint accepts.

    #: constants: those of a `Literal`, each with its class
    #: kinds: the classes of the constants, by id; classes: those of other values, by id
    """

    constants: set[tuple[Any, Any]]
    kinds: dict[int, Any]
    classes: dict[int, Any]


def _find_values(hint: Any, scope: HintScope) -> _ValueClasses:
    """Return the constants and classes of *hint*.

    By sets and ids, since a hint can be the union of those of thousands of overloads.
    """
    found = _ValueClasses(set(), {}, {})
    _add_values(hint, scope, found)
    return found


def _add_values(hint: Any, scope: HintScope, found: _ValueClasses) -> None:
    """Add the classes and literal values that *hint* accepts to *found*."""
    hint = _resolve_hint(hint, scope)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        for branch in typing.get_args(hint):
            _add_values(branch, scope, found)
    elif origin is typing.Annotated:
        _add_values(hint.__origin__, scope, found)
    elif origin is typing.Literal:
        for value in typing.get_args(hint):
            cls = type(value)
            found.constants.add((cls, value))
            found.kinds[id(cls)] = cls
    else:
        cls = type(None) if hint is None else hint if origin is None else origin
        found.classes[id(cls)] = cls


def _is_overlapping(one: _ValueClasses, other: _ValueClasses) -> bool:
    """Whether the two hints can have a value in common."""
    if not one.constants.isdisjoint(other.constants) or one.classes.keys() & other.classes.keys():
        return True
    pairs = ((one.classes, other.classes), (one.classes, other.kinds), (one.kinds, other.classes))
    return any(
        _is_related(left, right)
        for lefts, rights in pairs
        for left in lefts.values()
        for right in rights.values()
    )


def _is_related(left: Any, right: Any) -> bool:
    """Whether an object can be an instance of both classes; true if unknown."""
    classes = (left, right)
    if Any in classes or not all(isinstance(each, type) for each in classes):
        return True
    # An int is taken where a float is asked for.
    one, other = (float if each is int else each for each in classes)
    try:
        return issubclass(one, other) or issubclass(other, one)
    except TypeError:
        # A TypedDict, or a protocol that is not checked at run time.
        return True


def _resolve_hint(hint: Any, scope: HintScope) -> Any:
    """Resolve *hint* in *scope* if it is text; Any if its names cannot be resolved."""
    if not isinstance(hint, str | typing.ForwardRef):
        return hint
    try:
        return resolve(hint if isinstance(hint, str) else hint.__forward_arg__, scope)
    except HintResolutionError:
        return Any
