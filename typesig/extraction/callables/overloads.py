"""Overloads of a function, merged into one list of parameters and one hint of the result."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.extraction.callables.params import EMPTY, Param, Written
from typesig.extraction.callables.resolve import HintScope, Unresolved, resolve

_VARIABLE = ("VAR_POSITIONAL", "VAR_KEYWORD")


class Merged(NamedTuple):
    """What the overloads of a function are as one signature.

    #: number: how many there are
    #: params: the parameters; returns: the hint of the result
    """

    number: int
    params: tuple[Param, ...]
    returns: Any


def merged(
    inner: Any,
    params: tuple[Param, ...],
    returns: Any,
    read: Callable[[Any], Written | None],
    scope: HintScope,
) -> Merged:
    """Return the overloads of *inner*, whose own parameters and result are *params* and *returns*.

    The only overload with the most parameters gives the hints of the parameters, else the
    implementation does.  The result is what the implementation says, else what the overloads say
    that the parameters admit.  *read* reads the signature of an overload, and *scope* has the
    names in its hints.
    """
    written = typing.get_overloads(inner)
    read_ones = [read(getattr(each, "__func__", each)) for each in written]
    found = [each for each in read_ones if each is not None]
    if not found:
        return Merged(0, params, returns)
    most = max(len(each.params) for each in found)
    longest = [each for each in found if len(each.params) == most]
    params = _longest(params, longest[0]) if len(longest) == 1 else _unhinted(params, found)
    if returns is EMPTY or _resolved(returns, scope) is Any:
        values = {param.name: _values(param.annotation, scope) for param in params}
        admitted = [each for each in found if _admits(params, values, each, scope)] or longest
        returns = _either([each.returns for each in admitted])
    return Merged(len(found), params, returns)


def _longest(params: tuple[Param, ...], longest: Written) -> tuple[Param, ...]:
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


def _unhinted(params: tuple[Param, ...], found: list[Written]) -> tuple[Param, ...]:
    """Return *params* where those without a hint have those of all overloads in *found*."""
    out = []
    for param in params:
        same = [each.params[param.name] for each in found if param.name in each.params]
        hints = [each.annotation for each in same]
        known = param.annotation is not EMPTY or not hints or EMPTY in hints
        out.append(param if known else param._replace(annotation=_either(hints)))
    return tuple(out)


def _either(hints: list[Any]) -> Any:
    """Return the union of *hints*; no hint if one of them is none."""
    if EMPTY in hints:
        return EMPTY
    if all(hint == hints[0] for hint in hints):
        return hints[0]
    try:
        return typing.Union[tuple(hints)]  # noqa: UP007 - the hints may be text
    except (TypeError, SyntaxError):
        return Any


def _admits(
    params: tuple[Param, ...], values: dict[str, _Values], overload: Written, scope: HintScope
) -> bool:
    """Return whether arguments for *params* can be arguments for *overload*.

    *values* are those of the hints of *params*.
    """
    theirs = overload.params
    for param in params:
        if param.name in theirs:
            hint = theirs[param.name].annotation
            if param.annotation != hint and not _overlap(values[param.name], _values(hint, scope)):
                return False
        elif param.default is EMPTY and param.kind not in _VARIABLE:
            return False
    return True


class _Values(NamedTuple):
    """The values of a hint, as far as their classes tell.

    #: constants: those of a `Literal`, each with its class
    #: kinds: the classes of the constants, by id; classes: those of other values, by id
    """

    constants: set[tuple[Any, Any]]
    kinds: dict[int, Any]
    classes: dict[int, Any]


def _values(hint: Any, scope: HintScope) -> _Values:
    """Return the values of *hint*.

    By sets and ids, since a hint can be the union of those of thousands of overloads.
    """
    found = _Values(set(), {}, {})
    _add_values(hint, scope, found)
    return found


def _add_values(hint: Any, scope: HintScope, found: _Values) -> None:
    hint = _resolved(hint, scope)
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


def _overlap(one: _Values, other: _Values) -> bool:
    """Return whether a value can be of both."""
    if not one.constants.isdisjoint(other.constants) or one.classes.keys() & other.classes.keys():
        return True
    pairs = ((one.classes, other.classes), (one.classes, other.kinds), (one.kinds, other.classes))
    return any(
        _related(left, right)
        for lefts, rights in pairs
        for left in lefts.values()
        for right in rights.values()
    )


def _related(left: Any, right: Any) -> bool:
    """Return whether a value can be of both classes; true if it is not known."""
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


def _resolved(hint: Any, scope: HintScope) -> Any:
    if not isinstance(hint, str | typing.ForwardRef):
        return hint
    try:
        return resolve(hint if isinstance(hint, str) else hint.__forward_arg__, scope)
    except Unresolved:
        return Any
