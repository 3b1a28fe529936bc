"""A projection: the tools of a toolset as one provider takes them, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.loss import Loss

if TYPE_CHECKING:
    from typesig.providers.budgets import Excess
    from typesig.providers.profile import Profile
    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset


class Projected(NamedTuple):
    """One tool as a provider takes it.

    #: tool: the tool; name: its name in the definition, which the provider's calls have
    #: definition: the provider's definition; losses: what it does not say as the signature does
    """

    tool: Tool[..., Any]
    name: str
    definition: Mapping[str, Any]
    losses: tuple[Loss, ...]

    def decode(self, arguments: Any) -> Any:
        """Return the *arguments* of a call, text or data, as the tool takes them; never raises."""
        return arguments

    def encode(self, result: Any) -> Any:
        """Return an outcome or JSON data as the JSON data that the provider is sent as a result."""
        return result.for_model() if hasattr(result, "for_model") else result


class Projection:
    """The tools of a toolset as a provider takes them.

    #: provider: the name of the provider; profile: what it takes
    #: definitions: the definitions, in the order of the tools; losses: what they do not say
    #: tools: the tools by their names in the definitions
    #: toolset: the toolset, whose modes hold for calls
    """

    __slots__ = ("definitions", "losses", "profile", "provider", "tools", "toolset")
    provider: str
    profile: Profile
    definitions: tuple[dict[str, Any], ...]
    losses: tuple[Loss, ...]
    tools: Mapping[str, Projected]
    toolset: Toolset

    def check(self, counter: Callable[[str], int] | None = None) -> tuple[Excess, ...]:
        """Return what exceeds the provider's limits, the tool at fault named."""
        return ()

    def handle(
        self,
        message: Any,
        *,
        given: Mapping[str, Any] | None = None,
        on_exception: Callable[..., Any] | None = None,
    ) -> Any:
        """Return the provider's result messages for the calls in *message*."""
        from typesig.providers import handling

        return handling.handle(self, message, given=given, on_exception=on_exception)

    async def ahandle(
        self,
        message: Any,
        *,
        given: Mapping[str, Any] | None = None,
        on_exception: Callable[..., Any] | None = None,
    ) -> Any:
        """Return the same as `handle`, for coroutine functions too."""
        from typesig.providers import handling

        return await handling.ahandle(self, message, given=given, on_exception=on_exception)


def project(toolset: Toolset, provider: str, **profile: Any) -> Projection:
    """Return *toolset* as *provider* takes it."""
    from typesig.providers.profile import Profile

    made = object.__new__(Projection)
    tools = {one.name: Projected(one, one.name, {}, ()) for one in toolset}
    made.provider = provider
    made.profile = Profile(provider)
    made.definitions = tuple([dict(each.definition) for each in tools.values()])
    made.losses = ()
    made.tools = MappingProxyType(tools)
    made.toolset = toolset
    return made
