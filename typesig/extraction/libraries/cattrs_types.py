"""Classes with hooks of cattrs: the hooks decode and encode their objects.

cattrs is asked only if it is loaded, by its global converter, and only about what has no other
reader.
"""

from __future__ import annotations

import sys
from typing import Any

from typesig.extraction.hints.context import HintContext, HostType
from typesig.extraction.python_types.decoders import HostError, LeafDecoder, to_host_error

#: What a hook raises for data of another shape.
_REFUSALS = (TypeError, ValueError, LookupError, AttributeError)


def is_structured(hint: Any, origin: Any) -> bool:
    """Whether a structure hook is registered with cattrs for the class *hint*."""
    cls = hint if origin is None else origin
    if not isinstance(cls, type):
        return False
    cattrs = sys.modules["cattrs"]
    # What a new converter reads too has no hook of its own.
    return _has_hook(cattrs.global_converter, hint) and not _has_hook(cattrs.Converter(), hint)


def _has_hook(converter: Any, hint: Any) -> bool:
    """Whether the cattrs *converter* can structure values of *hint*."""
    try:
        converter.get_structure_hook(hint)
    except sys.modules["cattrs"].errors.StructureHandlerNotFoundError:
        return False
    return True


def read_structured(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return `:any`, with a warning, for *hint*, which cattrs decodes."""
    reason = "cattrs reads it, but does not tell what its JSON is"
    found = context.fall_back(hint, reason, "give an explicit signature")
    return found._replace(decode=LeafDecoder(lambda value: _build_object(value, hint)))


def _build_object(value: Any, hint: Any) -> Any:
    """Build an object of *hint* from the data *value* with the global cattrs converter."""
    cattrs = sys.modules["cattrs"]
    try:
        return cattrs.global_converter.structure(value, hint)
    except cattrs.errors.BaseValidationError as error:
        first, *more = [HostError(text) for text in cattrs.transform_error(error)]
        first.more.extend(more)
        raise first from error
    except _REFUSALS as error:
        problem = to_host_error(error)
        if isinstance(error, LookupError):
            # Its text is only the key.
            problem = HostError(f"{type(error).__name__}: {error}")
        raise problem from error


def dump_by_hook(value: Any) -> Any:
    """Return the data that cattrs writes for *value*; *value* if it has no hook."""
    cattrs = sys.modules.get("cattrs")
    return value if cattrs is None else cattrs.global_converter.unstructure(value)
