"""What a server says of its lists after they were read: which have changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from typesig.mcp.transport.lifetimes import KINDS, LOG, Kind
from typesig.mcp.transport.sdk import sdk

#: Is called with the kind of the list that has changed.
OnChange: TypeAlias = Callable[[Kind], object]

#: The seconds until a server is asked again to tell of changes, if it has stopped: the first time,
#: and at most.
_AGAIN, _LONGEST = 1.0, 60.0


class Changes:
    """Kinds of lists that have changed, each kept once until it is asked for."""

    __slots__ = ("_event", "_kinds")

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._kinds: dict[Kind, None] = {}

    def note(self, kind: Kind) -> None:
        """Note that the list of *kind* has changed."""
        self._kinds[kind] = None
        self._event.set()

    async def next(self) -> list[Kind]:
        """Return the kinds that have changed since the last time, when there is one."""
        await self._event.wait()
        self._event.clear()
        found: list[Kind] = list(self._kinds)
        self._kinds.clear()
        return found


def handler(on_change: OnChange) -> Any:
    """Return the handler of a session's messages that calls *on_change*."""
    types = sdk("mcp_types")
    kinds: dict[type, Kind] = {
        types.PromptListChangedNotification: "prompts",
        types.ResourceListChangedNotification: "resources",
        types.ToolListChangedNotification: "tools",
    }

    async def handle(message: Any) -> None:
        kind = kinds.get(type(message))
        if kind is not None:
            _tell(on_change, kind)

    return handle


async def listen(session: Any, on_change: OnChange) -> None:
    """Ask the server of *session* to tell of changes, and call *on_change*, if it does.

    From 2026-07-28 on, a server tells only those who ask.  One that stops is asked again; what it
    told before that is lost, so all lists count as changed then.
    """
    subscriptions, error_of_protocol = sdk("mcp.client.subscriptions"), sdk().MCPError
    kinds: dict[type, Kind] = {
        subscriptions.PromptsListChanged: "prompts",
        subscriptions.ResourcesListChanged: "resources",
        subscriptions.ToolsListChanged: "tools",
    }
    wanted = {f"{kind}_list_changed": True for kind in KINDS}
    pause, is_again = _AGAIN, False
    while True:
        try:
            async with subscriptions.listen(session, **wanted) as events:
                if is_again:
                    tell_all(on_change)
                pause, is_again = _AGAIN, True
                with suppress(subscriptions.SubscriptionLost):
                    async for event in events:
                        _tell(on_change, kinds[type(event)])
        except (error_of_protocol, subscriptions.SubscriptionLost, TimeoutError) as error:
            LOG.debug("the server does not tell of changes: %s", error)
            if not is_again:
                return
            pause = min(2 * pause, _LONGEST)
        await asyncio.sleep(pause)


def tell_all(on_change: OnChange) -> None:
    """Call *on_change* for every kind of list."""
    for kind in KINDS:
        _tell(on_change, kind)


def _tell(on_change: OnChange, kind: Kind) -> None:
    try:
        on_change(kind)
    except Exception:
        # It must not end the connection.
        LOG.exception("on_change raised for the %s", kind)
