"""The functions behind `project`: a vendor's projection, or an engine's constraint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from typesig.providers.rows.provider import ENGINE_NAMES

if TYPE_CHECKING:
    from typesig.calls.called import Asked, CalledByName
    from typesig.providers.engines.constraint import Constraint
    from typesig.providers.projection.answers import AnswerProjection
    from typesig.providers.projection.projection import Projection
    from typesig.validation.outcome.outcome import Outcome

T = TypeVar("T")
R = TypeVar("R")


def project(
    toolset: CalledByName, read: Callable[..., R], provider: str, options: Mapping[str, Any]
) -> Projection | Constraint[R]:
    """Return *toolset* as *provider* takes it; *read* reads a text in a dialect."""
    if provider == "openai-grammar":
        from typesig.providers.projection.custom import custom_tools

        return custom_tools(toolset, options)
    if provider in ENGINE_NAMES:
        from typesig.providers.engines.doors import constraint_of_tools

        return constraint_of_tools(provider, toolset, read, options)
    from typesig.providers.projection import projection

    return projection.project(toolset, provider, options)


def project_answer(
    contract: Asked[T],
    read: Callable[[object], Outcome[T]],
    provider: str,
    options: Mapping[str, Any],
) -> AnswerProjection[T] | Constraint[Outcome[T]]:
    """Return what *contract*, whose answers *read* reads, asks for, as *provider* takes it."""
    if provider in ENGINE_NAMES:
        from typesig.providers.engines.doors import constraint_of_answer

        return constraint_of_answer(provider, contract.signature, read, options)
    from typesig.providers.projection import answers

    return answers.project_answer(contract, provider, options)
