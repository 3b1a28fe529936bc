"""The request that a served call belongs to, as a tool gets it: progress, logging, cancellation."""

from __future__ import annotations

from typing import Any

from typesig.extraction.metadata import HostSupplied


class Request(metaclass=HostSupplied):
    """The request that a served call belongs to.

    A parameter with this hint is injected: a model never sees it.

    #: id: the request's id; meta: what the client sent beside the arguments
    """

    __slots__ = ("id", "meta")
    id: str | int | None
    meta: dict[str, Any]

    def __init__(self) -> None:
        self.id = None
        self.meta = {}
