"""The decorator that makes a tool of a function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from typesig.algebra.signature import Signature
from typesig.calls.functions import check_annotations, check_mode, check_target, check_texts
from typesig.errors import ExtractionError
from typesig.extraction.callables.options import make_options
from typesig.extraction.callables.warnings import ReadGuard
from typesig.tools.tool import Tool

if TYPE_CHECKING:
    from typing import Unpack

    from typesig.extraction.callables.options import OptionKeywords
    from typesig.validation.policy import ModeName, Policy

P = ParamSpec("P")
R = TypeVar("R")

_STATIC = (staticmethod, classmethod, functools.singledispatchmethod)


@overload
def tool(function: Callable[P, R], /) -> Tool[P, R]: ...
@overload
def tool(
    signature: str | Signature | list[Any] | tuple[Any, ...] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    title: str | None = None,
    annotations: Mapping[str, Any] | None = None,
    mode: ModeName | Policy | None = None,
    **options: Unpack[OptionKeywords],
) -> Callable[[Callable[P, R]], Tool[P, R]]: ...
def tool(
    target: Any = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    title: str | None = None,
    annotations: Mapping[str, Any] | None = None,
    mode: ModeName | Policy | None = None,
    **options: Unpack[OptionKeywords],
) -> Any:
    """Return a function as a `Tool`, or the decorator that makes one.

    Write `@tool`, or `@tool("(query :string) -> {hits :int}")` with an explicit signature (any
    source for `parse`), or keywords: the texts, the options of `extract`, and *mode*, the default
    mode of calls. Methods, class methods and static methods become tools, too; write `@tool` above
    `@classmethod`. Raises `ExtractionError` if there is neither a hint nor a signature, or if they
    do not match.

    >>> @tool("(query :string) -> {hits :int}")
    ... def count(query):
    ...     return {"hits": len(query)}
    >>> count.call({"query": "abc"}).value
    {'hits': 3}
    """
    given: Any = {
        "name": name, "description": description, "title": title,
        "annotations": annotations, "mode": mode,
    }  # fmt: skip
    if type(target) is FunctionType and not options:
        # Most decorators are bare; the tool checks the rest itself.
        return Tool(target, **given)
    chosen = make_options("tool", options)
    with ReadGuard(target):
        signature = None if _is_function(target) else target
    check_target(signature)
    check_texts(name=name, description=description, title=title)
    check_annotations(annotations)
    check_mode(mode)

    def decorate(function: Callable[P, R]) -> Tool[P, R]:
        if isinstance(function, Tool):
            raise ExtractionError(
                f"{function.name} is already a tool", "decorate the function once"
            )
        return Tool(function, signature, options=chosen, **given)

    return decorate(target) if signature is None and target is not None else decorate


def _is_function(target: object) -> bool:
    """Whether `@tool` decorates *target*: a callable or method, not a signature."""
    return isinstance(target, _STATIC) or (callable(target) and not isinstance(target, Signature))
