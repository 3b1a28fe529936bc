"""Hints of other libraries: their marks, and readers whose modules are loaded by the first of them.

Most programs have no such hint, and decorating functions should load nothing for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.record_hints import class_of


def _reader(module: str, name: str) -> Callable[[HintContext, Any, Any, Any], HostType]:
    """Return the reader *name* of *module* of this package, which is loaded when it is called."""

    def read(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
        from importlib import import_module

        found: HostType = getattr(import_module(f"{__package__}.{module}"), name)(
            context, hint, origin, arguments
        )
        return found

    return read


read_asked = _reader("pydantic_types", "read_asked")
read_pydantic = _reader("classes", "read_pydantic")
read_attrs = _reader("classes", "read_attrs")
read_struct = _reader("classes", "read_struct")
read_structured = _reader("cattrs_types", "read_structured")


def is_asked(hint: Any, origin: Any) -> bool:
    """Return whether pydantic has to be asked what values of *hint* are."""
    if "pydantic" not in sys.modules and type(hint).__name__ != "SchemaHint":
        return False
    from typesig.extraction.libraries import pydantic_types

    return pydantic_types.is_asked(hint, origin)


def warn_of_unused(context: HintContext, hint: Any) -> None:
    """Warn of what a `Field` of pydantic in *hint* states only in a model."""
    if "pydantic" in sys.modules:
        from typesig.extraction.libraries import pydantic_types

        pydantic_types.warn_of_unused(context, hint)


def is_pydantic(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a model or dataclass of pydantic."""
    cls = class_of(hint, origin)
    return isinstance(cls, type) and "__pydantic_fields__" in cls.__dict__


def is_attrs(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a class of attrs."""
    cls = class_of(hint, origin)
    return isinstance(cls, type) and "__attrs_attrs__" in cls.__dict__


def is_struct(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a struct of msgspec."""
    cls = class_of(hint, origin)
    return isinstance(cls, type) and hasattr(cls, "__struct_config__")


def is_structured(hint: Any, origin: Any) -> bool:
    """Return whether a hook was registered with cattrs for the class *hint*."""
    if "cattrs" not in sys.modules:
        return False
    from typesig.extraction.libraries import cattrs_types

    return cattrs_types.is_structured(hint, origin)
