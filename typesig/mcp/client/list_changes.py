"""Notifications that the lists of a server have changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from typesig.mcp.transport.lifespans import KINDS, LOG, Kind
from typesig.mcp.transport.sdk import import_sdk

#: Is called with the kind of the list that has changed.
OnChange: TypeAlias = Callable[[Kind], object]

#: The seconds until a server is asked again to tell of changes, if it has stopped: the first time,
#: and at most.
_AGAIN, _LONGEST = 1.0, 60.0


class Changes:
    """Queue of the kinds of lists that have changed, without duplicates."""

    __slots__ = ("_event", "_kinds")

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._kinds: dict[Kind, None] = {}

    def note(self, kind: Kind) -> None:
        """Add *kind* to the kinds of lists that have changed."""
        self._kinds[kind] = None
        self._event.set()

    async def next(self) -> list[Kind]:
        """Wait for a change; return the kinds that have changed since the last call."""
        await self._event.wait()
        self._event.clear()
        found: list[Kind] = list(self._kinds)
        self._kinds.clear()
        return found


def make_message_handler(on_change: OnChange) -> Any:
    """Make the session's message handler, which calls *on_change*."""
    types = import_sdk("mcp_types")
    kinds: dict[type, Kind] = {
        getattr(types, f"{kind.removesuffix('s').title()}ListChangedNotification"): kind
        for kind in KINDS
    }

    async def handle(message: Any) -> None:
        kind = kinds.get(type(message))
        if kind is not None:
            _notify(on_change, kind)

    return handle


async def listen(session: Any, on_change: OnChange) -> None:
    """Subscribe to list changes of the server of *session*, and call *on_change* for each.

    From 2026-07-28 on, a server tells only those who ask.  One that stops is asked again; what it
    told before that is lost, so all lists count as changed then.
    """
    subscriptions, error_of_protocol = import_sdk("mcp.client.subscriptions"), import_sdk().MCPError
    kinds: dict[type, Kind] = {
        getattr(subscriptions, f"{kind.title()}ListChanged"): kind for kind in KINDS
    }
    wanted = {f"{kind}_list_changed": True for kind in KINDS}
    pause, is_again = _AGAIN, False
    while True:
        try:
            async with subscriptions.listen(session, **wanted) as events:
                if is_again:
                    notify_all(on_change)
                pause, is_again = _AGAIN, True
                with suppress(subscriptions.SubscriptionLost):
                    async for event in events:
                        _notify(on_change, kinds[type(event)])
        except (error_of_protocol, subscriptions.SubscriptionLost, TimeoutError) as error:
            LOG.debug("the server does not tell of changes: %s", error)
            if not is_again:
                return
            pause = min(2 * pause, _LONGEST)
        await asyncio.sleep(pause)


def notify_all(on_change: OnChange) -> None:
    """Call *on_change* for every kind of list."""
    for kind in KINDS:
        _notify(on_change, kind)


def _notify(on_change: OnChange, kind: Kind) -> None:
    """Call *on_change* with the *kind* of list that changed; log its exceptions."""
    try:
        on_change(kind)
    except Exception:
        # It must not end the connection.
        LOG.exception("on_change raised for the %s", kind)
