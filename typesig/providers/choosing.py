"""The functions behind `project`: a vendor's projection, or an engine's constraint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from typesig.errors import TypesigError, short
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
    toolset: CalledByName, read: Callable[..., R], provider: str | None, options: Mapping[str, Any]
) -> Projection | Constraint[R]:
    """Return *toolset* as *provider* takes it; *read* reads a text in a dialect.

    Without a provider, *options* has the `dialect` of an open model.
    """
    if provider is None:
        from typesig.providers.projection.dialects import DialectProjection

        return DialectProjection(toolset, dialect_in(options))
    if provider == "openai-grammar":
        from typesig.providers.projection.custom import custom_tools

        return custom_tools(toolset, options)
    if provider in ENGINE_NAMES:
        from typesig.providers.engines.doors import constraint_of_tools

        return constraint_of_tools(provider, toolset, read, options)
    from typesig.providers.projection import projection

    return projection.project(toolset, provider, options)


def dialect_in(options: Mapping[str, Any]) -> object:
    """Return the only one of *options*, the `dialect`; raise `TypesigError` for others."""
    others = [name for name in options if name != "dialect"]
    if others:
        raise TypesigError(f"a dialect has no option {short(others[0])}")
    if "dialect" not in options:
        raise TypesigError(
            "project takes the name of a provider, or the dialect of an open model: write "
            'project("openai") or project(dialect="hermes")'
        )
    return options["dialect"]


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
