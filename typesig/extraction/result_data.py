"""Data of classes in results, which the option `results` says how to get.

In: the class of a hint and what the option says of it, an attribute, a method or a callable.
Out: the type of the data, by the hint of that, and how a call gets them.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from inspect import getattr_static
from typing import Any

from typesig.algebra.nodes import ANY
from typesig.extraction.callables.params import EMPTY
from typesig.extraction.callables.warnings import get_exception_message
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hosts import encoders
from typesig.extraction.hosts.decoders import HostError
from typesig.extraction.serializer import write_by_plan


def read_result_data(context: HintContext, hint: Any) -> HostType | None:
    """Read *hint* by the option `results`, which sets how objects become data, or None."""
    cls = typing.get_origin(hint) or hint
    source = _source_of(context, cls)
    if source is None:
        return None
    context.findings.serializes = True
    # A class that returns itself has no data.
    given = context.options.results
    others = tuple([pair for pair in given if pair[1] is not source])
    context = context._replace(options=context.options._replace(results=others))
    data_hint, owner = _hint_of_data(cls, source, typing.get_args(hint))
    if data_hint is EMPTY:
        found = HostType(ANY)
    else:
        module = sys.modules.get(getattr(owner, "__module__", None) or "")
        scope = context.scope if module is None else context.scope.for_module(module)
        found = context._replace(scope=scope).read(data_hint)
    write = _writer(cls, source, found.encode)
    return found._replace(encode=encoders.LeafEncoder(lambda value: isinstance(value, cls), write))


def _source_of(context: HintContext, cls: Any) -> str | Callable[[Any], Any] | None:
    """Return the `results` option for *cls* or its nearest base class, or None."""
    if not isinstance(cls, type):
        return None
    known = dict(context.options.results)
    return next((known[each] for each in cls.__mro__ if each in known), None)


def _hint_of_data(cls: type, source: Any, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the hint of the data that *source* gets from *cls*, and its declarer."""
    if isinstance(source, type):
        # `list` of a `Page[Issue]` is a `list[Issue]`.
        return (source[arguments] if arguments else source), cls  # type: ignore[index]
    if isinstance(source, str):
        for owner in cls.__mro__:
            hints = getattr(owner, "__annotations__", {})
            if source in hints:
                return hints[source], owner
        source = getattr_static(cls, source, None)
        source = getattr(source, "fget", None) or getattr(source, "func", source)
        source = getattr(source, "__func__", source)
    return getattr(source, "__annotations__", {}).get("return", EMPTY), source


def _writer(cls: type, source: Any, encode: encoders.Encode) -> Callable[[Any], Any]:
    """Make a function that converts an object of *cls* to its data with *source*."""
    name = source if isinstance(source, str) else getattr(source, "__name__", repr(source))

    def write(value: Any) -> Any:
        try:
            if isinstance(source, str):
                data = getattr(value, source)
                data = data() if callable(data) else data
            else:
                data = source(value)
        except Exception as error:
            raise HostError(
                f"{name} of {cls.__name__} raises {get_exception_message(error)}"
            ) from error
        return write_by_plan(encode, data)

    return write
