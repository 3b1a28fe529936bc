"""The tools that a model may call before it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.errors import TypesigError
from typesig.providers.projection.projection import Projection
from typesig.tools.toolset import Toolset

if TYPE_CHECKING:
    from typesig.calls.arguments import Given
    from typesig.governance.pending import PendingCalls
    from typesig.providers.projection.call_handler import OnException, PageChoice
    from typesig.providers.projection.replies import HostItems
    from typesig.providers.registry.calls import WireCall
    from typesig.providers.registry.provider import ProviderName
    from typesig.tools.answers.request_guard import RequestGuard
    from typesig.validation.issues.ledger import Ledger


class HostValues(NamedTuple):
    """Values from the host for calls of tools; see `Projection.handle`."""

    given: Given | None = None
    on_exception: OnException | None = None
    pages: PageChoice | None = None
    host_items: HostItems | None = None


class AnswerTools(NamedTuple):
    """The projected tools of an ask, with the options for handling their calls."""

    projection: Projection
    host: HostValues
    ledger: Ledger | None
    guard: RequestGuard

    async def handle(self, calls: Sequence[WireCall] | PendingCalls) -> list[dict[str, Any]]:
        """Return the messages that answer *calls*."""
        turn, options = self.guard.turn, {**self.host._asdict(), "ledger": self.ledger}
        if self.guard.governance is not None:
            options["turn"] = turn
        return await self.projection._handle(turn.waiting, calls, self.guard.governance, **options)

    def check_sync(self) -> None:
        """Raise `TypesigError` if a tool is a coroutine function."""
        late = [name for name, one in self.projection.tools.items() if one.tool.is_async]
        if late:
            raise TypesigError(
                f"{', '.join(late)} cannot be called without await: write await contract.aask(…)"
            )


def make_projection(
    tools: object, provider: ProviderName, options: Mapping[str, Any]
) -> Projection | None:
    """Project *tools* for *provider*; None if *tools* is no toolset and no projection.

    Raises `TypesigError` for a projection for another provider.
    """
    if isinstance(tools, Toolset):
        project: Callable[..., Any] = tools.project
        made: Projection = project(provider, **options)
        return made
    if not isinstance(tools, Projection):
        return None
    if tools.provider != provider:
        raise TypesigError(
            f"the tools are projected for {tools.provider}, the client is {provider}"
        )
    return tools
