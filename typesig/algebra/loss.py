"""Losses: what a notation could not say, as data."""

from __future__ import annotations

from typesig.algebra.frozen import Frozen


class Loss(Frozen):
    """One thing that was left out or widened.

    #: path: the place in the type, such as ("returns", "items")
    #: what: what could not be said; why: the reason; became: what stands in its place
    """

    __slots__ = ("became", "path", "what", "why")
    __match_args__ = ("path", "what", "why", "became")
    path: tuple[str, ...]
    what: str
    why: str
    became: str

    def __init__(self, path: tuple[str, ...], what: str, why: str, became: str) -> None:
        self._fill(path, what, why, became)

    def __str__(self) -> str:
        """Return the loss on one line."""
        place = ".".join(self.path)
        return f"{place + ': ' if place else ''}{self.what}: {self.why}; became {self.became}"
