"""The parameters of a callable, as `inspect` reads them.

They have a class of their own since importing `inspect` takes longer than reading many functions:
it is imported only for what is not a plain function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import inspect

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
