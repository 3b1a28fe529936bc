"""Parameters of callables, and overloads merged into one list of them."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from typesig.extraction.callables.hint_resolver import HintResolutionError, HintScope, resolve

if TYPE_CHECKING:
    import inspect


# --- The parameters of a callable, as `inspect` reads them ---
# They have a class of their own since importing `inspect` takes longer than reading many functions:
# it is imported only for what is not a plain function.

#: The kinds of parameters, by the names that `inspect` has for them.
ParamKind = Literal[
    "POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"
]


class _EmptyMarker:
    """The class of `EMPTY`, the sentinel for a missing default or hint."""


EMPTY: Any = _EmptyMarker


class Param(NamedTuple):
    """A parameter of a callable.

    #: default, annotation: `EMPTY` if there is none
    """

    name: str
    kind: ParamKind
    default: Any = EMPTY
    annotation: Any = EMPTY


class CallableParts(NamedTuple):
    """The parameters of a callable by name, and the hint of its result or `EMPTY`."""

    params: dict[str, Param]
    returns: Any


def read_signature(signature: inspect.Signature) -> CallableParts:
    """Return the parameters and the result hint of *signature*."""
    nothing = signature.empty
    params = {
        name: Param(
            name,
            found.kind.name,  # type: ignore[arg-type]
            EMPTY if found.default is nothing else found.default,
            EMPTY if found.annotation is nothing else found.annotation,
        )
        for name, found in signature.parameters.items()
    }
    returns = signature.return_annotation
    return CallableParts(params, EMPTY if returns is nothing else returns)


def read_function_parts(function: types.FunctionType) -> tuple[tuple[Param, ...], Any]:
    """Return the parameters of *function* and the hint of its result, as `inspect` reads them."""
    code, hints = function.__code__, function.__annotations__
    names, count, named = code.co_varnames, code.co_argcount, code.co_kwonlyargcount
    by_place, defaults = code.co_posonlyargcount, function.__defaults__ or ()
    hint_of = hints.get
    kinds: list[ParamKind] = ["POSITIONAL_OR_KEYWORD"] * count
    for place in range(by_place):
        kinds[place] = "POSITIONAL_ONLY"
    given = [EMPTY] * (count - len(defaults)) + [*defaults]
    out: list[Param] = [
        _new(Param, (name, kind, default, hint_of(name, EMPTY)))
        for name, kind, default in zip(names, kinds, given, strict=False)
    ]
    behind, flags = count + named, code.co_flags
    if flags & _CO_VARARGS:
        name = names[behind]
        out.append(Param(name, "VAR_POSITIONAL", EMPTY, hint_of(name, EMPTY)))
        behind += 1
    if named:
        by_name = function.__kwdefaults__ or {}
        for name in names[count : count + named]:
            default = by_name.get(name, EMPTY)
            out.append(Param(name, "KEYWORD_ONLY", default, hint_of(name, EMPTY)))
    if flags & _CO_VARKEYWORDS:
        name = names[behind]
        out.append(Param(name, "VAR_KEYWORD", EMPTY, hint_of(name, EMPTY)))
    return tuple(out), hint_of("return", EMPTY)


#: The flags of code that takes `*args` and `**kwargs`, by their names in `inspect`.
_CO_VARARGS, _CO_VARKEYWORDS = 0x04, 0x08

#: Makes a value of all its parts, faster than by its name.
_new: Callable[[Any, tuple[Any, ...]], Any] = tuple.__new__


# --- Merge the overloads of a function into one list of parameters and one result hint ---

_VARIABLE = ("VAR_POSITIONAL", "VAR_KEYWORD")


def merge_overloads(
    inner: Any,
    params: tuple[Param, ...],
    returns: Any,
    read: Callable[[Any], CallableParts | None],
    scope: HintScope,
) -> tuple[int, tuple[Param, ...], Any]:
    """Merge the overloads of *inner* with its own *params* and *returns*; count them, too.

    The only overload with the most parameters gives the hints of the parameters, else the
    implementation does.  The result is what the implementation says, else what the overloads say
    that the parameters admit.  *read* reads the signature of an overload, and *scope* has the
    names in its hints.
    """
    written = typing.get_overloads(inner)
    read_ones = [read(getattr(each, "__func__", each)) for each in written]
    found = [each for each in read_ones if each is not None]
    if not found:
        return 0, params, returns
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
    return len(found), params, returns


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
