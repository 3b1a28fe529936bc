"""Arrays of numpy, known by module and name and never imported: lists within lists."""

from __future__ import annotations

import sys
import typing
from typing import Any

from typesig.algebra.constructors import union
from typesig.algebra.nodes import ANY, List, Ref, Type
from typesig.algebra.signature import fresh_name
from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hosts.decoders import Leaf, build_or_refuse


def is_array(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is an array of numpy."""
    cls = hint if origin is None else origin
    if not isinstance(cls, type):
        return False
    return any(c.__name__ == "ndarray" and c.__module__ == "numpy" for c in cls.__mro__)


def read_array(context: HintContext, _hint: Any, _origin: Any, arguments: Any) -> HostType:
    """Return the type of an array: lists as deep as its shape says, or of any depth."""
    shape, dtype = (*arguments, Any, Any)[:2]
    scalar = next(iter(typing.get_args(dtype)), Any)
    scalar = Any if isinstance(scalar, typing.TypeVar) else scalar
    item = ANY if scalar is Any else context.read(scalar).type
    options = {} if scalar is Any else {"dtype": scalar}

    def make(value: Any) -> Any:
        return sys.modules["numpy"].array(value, **options)

    return HostType(_lists(context, item, shape), Leaf(lambda value: build_or_refuse(make, value)))


def _lists(context: HintContext, item: Type, shape: Any) -> Type:
    """Return the type of lists of *item*, which are kept by name if they have any depth."""
    sizes = typing.get_args(shape)
    if sizes and Ellipsis not in sizes:
        for _ in sizes:
            item = List(item)
        return item
    if item == ANY or context.ptc_runner:
        return List(ANY)
    definitions = context.findings.definitions
    for name, known in definitions.items():
        if known == List(union([item, Ref(name)])):
            return Ref(name)
    taken = {*definitions, *context.findings.names.values()}
    name = fresh_name("Array", taken) if "Array" in taken else "Array"
    definitions[name] = List(union([item, Ref(name)]))
    return Ref(name)
