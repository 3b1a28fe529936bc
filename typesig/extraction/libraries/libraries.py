"""Hints of other libraries: tests for them, and readers that are loaded on first use.

Most programs have no such hint, and decorating functions should load nothing for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.hints.record_hints import get_class


def _make_reader(module: str, name: str) -> Callable[[HintContext, Any, Any, Any], HostType]:
    """Make a reader that imports *module* and calls its reader *name* on first use."""

    def read(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
        from importlib import import_module

        found: HostType = getattr(import_module(f"{__package__}.{module}"), name)(
            context, hint, origin, arguments
        )
        return found

    return read


read_asked = _make_reader("pydantic_types", "read_asked")
read_pydantic = _make_reader("classes", "read_pydantic")
read_attrs = _make_reader("classes", "read_attrs")
read_struct = _make_reader("classes", "read_struct")
read_structured = _make_reader("cattrs_types", "read_structured")


def is_read_by_pydantic(hint: Any, origin: Any) -> bool:
    """Whether *hint* is left to pydantic, which determines its JSON Schema."""
    if "pydantic" not in sys.modules and type(hint).__name__ != "SchemaHint":
        return False
    from typesig.extraction.libraries import pydantic_types

    return pydantic_types.is_read_by_pydantic(hint, origin)


def warn_of_unused(context: HintContext, hint: Any) -> None:
    """Warn of options of a pydantic `Field` that only apply in a model."""
    if "pydantic" in sys.modules:
        from typesig.extraction.libraries import pydantic_types

        pydantic_types.warn_of_unused(context, hint)


def is_pydantic(hint: Any, origin: Any) -> bool:
    """Whether *hint* is a model or dataclass of pydantic."""
    cls = get_class(hint, origin)
    return isinstance(cls, type) and "__pydantic_fields__" in cls.__dict__


def is_attrs(hint: Any, origin: Any) -> bool:
    """Whether *hint* is a class of attrs."""
    cls = get_class(hint, origin)
    return isinstance(cls, type) and "__attrs_attrs__" in cls.__dict__


def is_struct(hint: Any, origin: Any) -> bool:
    """Whether *hint* is a struct of msgspec."""
    cls = get_class(hint, origin)
    return isinstance(cls, type) and hasattr(cls, "__struct_config__")


def is_structured(hint: Any, origin: Any) -> bool:
    """Whether a structure hook is registered with cattrs for the class *hint*."""
    if "cattrs" not in sys.modules:
        return False
    from typesig.extraction.libraries import cattrs_types

    return cattrs_types.is_structured(hint, origin)
