"""What a function of a tool is called with: data, which is checked, and objects of the program.

A framework passes on what a model sent, as data, or what it made of that itself.  Only data is to
be read; an object was made by code, and is passed as it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from typesig.algebra.rows.values import exact
from typesig.algebra.signature import Signature
from typesig.calls.binding import Binding, names_from_host
from typesig.extraction.hosts.host import HostParam

_VAR_POSITIONAL = inspect.Parameter.VAR_POSITIONAL


class Sorted(NamedTuple):
    """The arguments of one call.

    #: sent: the data by name; own: the objects, which *binding* takes from its host
    """

    sent: dict[str, Any]
    binding: Binding
    own: dict[str, Any]


class Sorting:
    """Sorts the arguments of calls by *shown*, the signature of a function, for *binding*."""

    __slots__ = ("_binding", "_fields", "_host", "_shown")

    def __init__(self, binding: Binding, shown: inspect.Signature) -> None:
        self._binding = binding
        self._shown = shown
        self._host = names_from_host(binding)
        self._fields = {field.name for field in binding.signature.params}

    def sorted(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Sorted:
        """Return the arguments of a call; raise `TypeError` as a function does for too many.

        An argument that is the parameter's own default is left out.
        """
        sent = self._named(args, kwargs)
        own: dict[str, Any] = {}
        for name, value in [*sent.items()]:
            param = self._shown.parameters.get(name)
            if param is not None and value is param.default:
                del sent[name]
            elif name in self._host and param is not None and (value is None or has_object(value)):
                # What a framework supplies itself, such as its context; no data of a model.
                own[name] = sent.pop(name)
            elif (name in self._fields or self._binding.takes_any) and has_object(value):
                own[name] = sent.pop(name)
        return Sorted(sent, _given_by_host(self._binding, own.keys() - self._host.keys()), own)

    def _named(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        named = self._shown.bind_partial(*args).arguments
        for name in kwargs:
            if name in named:
                raise TypeError(f"multiple values for argument {name!r}")
        several = (p.name for p in self._shown.parameters.values() if p.kind is _VAR_POSITIONAL)
        for name in several:
            if name in named:
                named[name] = [*named[name]]
        return {**named, **kwargs}


def _given_by_host(binding: Binding, names: set[str]) -> Binding:
    """Return *binding* as it is if its host supplies *names*, too."""
    if not names:
        return binding
    known = {param.name for param in binding.host.params}
    params = [
        param._replace(injected=True) if param.name in names else param
        for param in binding.host.params
    ]
    params += [HostParam(name, "KEYWORD_ONLY", injected=True) for name in sorted(names - known)]
    return binding._replace(
        signature=_without(binding.signature, frozenset(names)),
        host=binding.host._replace(params=tuple(params)),
    )


@lru_cache(maxsize=256)
def _without(signature: Signature, names: frozenset[str]) -> Signature:
    """Return *signature* without the parameters *names*."""
    params = tuple(field for field in signature.params if field.name not in names)
    definitions, extra, io = signature.definitions, signature.extra, signature.io
    return Signature(params, signature.returns, definitions, extra, io, signature.secrets)


def has_object(value: object) -> bool:
    """Tell whether *value* has a part that no text of JSON becomes, such as an object of a class.

    >>> has_object({"a": [1, None]}), has_object([b"a"])
    (False, True)
    """
    pending: list[Any] = [value]
    met: set[int] = set()
    while pending:
        part = pending.pop()
        if isinstance(part, Enum) or not isinstance(part, _DATA):
            return True
        if isinstance(part, tuple) and type(part) is not tuple:
            # One with names, which is an object.
            return True
        if not isinstance(part, _CONTAINERS) or id(part) in met:
            continue
        met.add(id(part))
        plain = exact(part)
        pending += [*plain.keys(), *plain.values()] if isinstance(plain, dict) else plain
    return False


_CONTAINERS = (dict, list, tuple, set, frozenset)
_DATA = (str, int, float, type(None), *_CONTAINERS)
