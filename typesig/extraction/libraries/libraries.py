"""Hints of other libraries: their marks, and readers whose modules are loaded by the first of them.

Most programs have no such hint, and decorating functions should load nothing for it.
"""

from __future__ import annotations

import sys
from typing import Any

from typesig.extraction.hints.context import HintContext, HostType


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


def read_asked(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type that pydantic has for *hint*."""
    from typesig.extraction.libraries import pydantic_types

    return pydantic_types.read_asked(context, hint, origin, arguments)


def is_pydantic(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a model or dataclass of pydantic."""
    cls = hint if origin is None else origin
    return isinstance(cls, type) and "__pydantic_fields__" in cls.__dict__


def read_pydantic(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type of a model or dataclass of pydantic."""
    from typesig.extraction.libraries import classes

    return classes.read_pydantic(context, hint, origin, arguments)


def is_attrs(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a class of attrs."""
    cls = hint if origin is None else origin
    return isinstance(cls, type) and "__attrs_attrs__" in cls.__dict__


def read_attrs(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the record of a class of attrs."""
    from typesig.extraction.libraries import classes

    return classes.read_attrs(context, hint, origin, arguments)


def is_struct(hint: Any, origin: Any) -> bool:
    """Return whether *hint* is a struct of msgspec."""
    cls = hint if origin is None else origin
    return isinstance(cls, type) and hasattr(cls, "__struct_config__")


def read_struct(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the record of a struct of msgspec."""
    from typesig.extraction.libraries import classes

    return classes.read_struct(context, hint, origin, arguments)


def is_structured(hint: Any, origin: Any) -> bool:
    """Return whether a hook was registered with cattrs for the class *hint*."""
    if "cattrs" not in sys.modules:
        return False
    from typesig.extraction.libraries import cattrs_types

    return cattrs_types.is_structured(hint, origin)


def read_structured(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Return the type of a class that only cattrs reads."""
    from typesig.extraction.libraries import cattrs_types

    return cattrs_types.read_structured(context, hint, origin, arguments)
