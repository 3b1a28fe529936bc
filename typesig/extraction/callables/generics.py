"""Type variables of generic classes, and their values in subclasses."""

from __future__ import annotations

import types
import typing
from typing import Any

#: The class of `Literal[…]`.
LITERAL = type(typing.Literal[0])
#: The classes of unions: of `Union[…]` and of `X | Y`, which are one from Python 3.14 on.
UNIONS = (type(typing.Union[int, str]), types.UnionType)  # noqa: UP007 - the other is the second
#: The classes of hints that cannot carry a mark: a class, and `list[T]`.
BARE = (type, types.GenericAlias)


def is_variable(argument: Any) -> bool:
    """Whether *argument* is a type variable."""
    return type(argument).__name__ == "TypeVar"


def get_type_params(owner: Any) -> tuple[Any, ...]:
    """Return the type parameters of a class or a function, as PEP 695 writes them."""
    return _get_own_tuple(owner, "__type_params__")


def get_parameters(cls: Any) -> tuple[Any, ...]:
    """Return the type parameters of a generic class."""
    return _get_own_tuple(cls, "__parameters__") or get_type_params(cls)


def _get_own_tuple(owner: Any, name: str) -> tuple[Any, ...]:
    """Return the attribute *name* of *owner* if it is a tuple, else an empty tuple."""
    try:
        # On `types.FunctionType` it is the descriptor of an attribute of functions.
        found = getattr(owner, name, ())
    except Exception:
        # The metaclass of a stranger's class may raise anything.
        return ()
    return found if isinstance(found, tuple) else ()


def collect_inherited(
    cls: Any, known: dict[Any, Any], seen: set[tuple[int, ...]] | None = None
) -> dict[Any, Any]:
    """Add the type arguments that *cls* gives to its generic bases to *known*.

    *seen* has the bases with their arguments, by their ids, that were read already.
    """
    out = dict(known)
    seen = set() if seen is None else seen
    for base in getattr(cls, "__orig_bases__", ()):
        origin = typing.get_origin(base)
        if origin is None and not isinstance(base, type):
            continue
        params = get_parameters(origin)
        given = [substitute_variables(argument, out) for argument in typing.get_args(base)]
        bound = [out.get(a, a) if is_variable(a) else a for a in getattr(base, "__args__", ())]
        place = (id(origin or base), *map(id, bound))
        if place in seen:
            continue
        seen.add(place)
        if params and origin is not typing.Generic:
            out = {**collect_inherited(origin, _bind_variables(params, given), seen), **out}
        elif isinstance(base, type):
            out = {**collect_inherited(base, {}, seen), **out}
    return out


def find_variables(hint: Any, owner: Any) -> dict[Any, Any]:
    """Map the type variables of the base class *owner* to their types in *hint*.

    >>> from collections import UserList
    >>> find_variables(UserList, list)
    {}
    """
    cls = typing.get_origin(hint) or hint
    params = get_parameters(cls)
    return _find_in_bases(cls, dict(zip(params, typing.get_args(hint), strict=False)), owner)


def _find_in_bases(cls: Any, known: dict[Any, Any], owner: Any) -> dict[Any, Any]:
    """Map the variables of base *owner* to types, from *known* variables of *cls*."""
    if cls is owner:
        return known
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        origin = typing.get_origin(base) or base
        if isinstance(origin, type) and owner in origin.__mro__:
            given = [substitute_variables(argument, known) for argument in typing.get_args(base)]
            return _find_in_bases(origin, _bind_variables(get_parameters(origin), given), owner)
    return {}


def _bind_variables(params: Any, given: list[Any]) -> dict[Any, Any]:
    """Map the type variables *params* to the types *given*, omitting unbound variables."""
    # A variable that stands for a variable, possibly for itself, is not bound.
    return {p: a for p, a in zip(params, given, strict=False) if not is_variable(a)}


def substitute_variables(argument: Any, known: dict[Any, Any]) -> Any:
    """Return *argument* with its type variables replaced by their values."""
    if is_variable(argument):
        return known.get(argument, argument)
    inner: Any = argument
    params = () if isinstance(argument, type) else getattr(inner, "__parameters__", ())
    return inner[tuple(known.get(param, param) for param in params)] if params else argument
