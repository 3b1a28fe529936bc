"""Entry points of `project`: a vendor's projection, or an engine's constraint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from typesig.errors import TypesigError, format_value
from typesig.providers.registry.provider import ENGINE_NAMES

if TYPE_CHECKING:
    from typesig.calls.protocols import AnswerContract, ToolsByName
    from typesig.providers.engines.engine import Constraint
    from typesig.providers.projection.answers import AnswerProjection
    from typesig.providers.projection.projection import Projection
    from typesig.validation.outcome.outcome import Outcome


T = TypeVar("T")
R = TypeVar("R")


def project(
    toolset: ToolsByName, read: Callable[..., R], provider: str | None, options: Mapping[str, Any]
) -> Projection | Constraint[R]:
    """Project *toolset* for *provider*; *read* is the reader of texts in a dialect.

    Without a provider, *options* has the `dialect` of an open model.
    """
    if provider is None:
        from typesig.providers.projection.dialects import DialectProjection

        return DialectProjection(toolset, get_dialect(options))
    if provider == "openai-grammar":
        from typesig.providers.projection.custom_tools import make_custom_tools

        return make_custom_tools(toolset, options)
    if provider in ENGINE_NAMES:
        from typesig.providers.engines.registry import build_tools_constraint

        return build_tools_constraint(provider, toolset, read, options)
    from typesig.providers.projection import projection

    return projection.project(toolset, provider, options)


def get_dialect(options: Mapping[str, Any]) -> object:
    """Get the `dialect` of *options*; raise `TypesigError` for any other option."""
    others = [name for name in options if name != "dialect"]
    if others:
        raise TypesigError(f"a dialect has no option {format_value(others[0])}")
    if "dialect" not in options:
        raise TypesigError(
            "project takes the name of a provider, or the dialect of an open model: write "
            'project("openai") or project(dialect="hermes")'
        )
    return options["dialect"]


def project_answer(
    contract: AnswerContract[T],
    read: Callable[[object], Outcome[T]],
    provider: str,
    options: Mapping[str, Any],
) -> AnswerProjection[T] | Constraint[Outcome[T]]:
    """Project *contract* for *provider*; *read* reads the answers of engines."""
    if provider in ENGINE_NAMES:
        from typesig.providers.engines.registry import build_answer_constraint

        return build_answer_constraint(provider, contract.signature, read, options)
    from typesig.providers.projection import answers

    return answers.project_answer(contract, provider, options)
