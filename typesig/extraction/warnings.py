"""Warnings about hints that a signature cannot express, as data."""

from __future__ import annotations

import re

from typesig.algebra.frozen import Frozen


class HintWarning(Frozen):
    """One thing that a signature does not express as the function's hints do.

    #: place: the parameter, "returns", or a path below one, such as "order.items"
    #: hint: the hint as text; reason: why it is not expressed; remedy: what to write instead
    """

    __slots__ = ("hint", "place", "reason", "remedy")
    __match_args__ = ("place", "hint", "reason", "remedy")
    place: str
    hint: str
    reason: str
    remedy: str

    def __init__(self, place: str, hint: str, reason: str, remedy: str) -> None:
        self._fill(place, hint, reason, remedy)

    def __str__(self) -> str:
        """Return the warning on one line."""
        place = f"{self.place}: " if self.place else ""
        hint = f"{self.hint}: " if self.hint else ""
        return f"{place}{hint}{self.reason}; {self.remedy}"


def hint_text(hint: object) -> str:
    """Return *hint* as code, in at most 80 characters."""
    if isinstance(hint, str):
        text = hint
    elif isinstance(hint, type) and not hasattr(hint, "__args__"):
        text = hint.__qualname__.rpartition("<locals>.")[2]
    else:
        text = repr(hint).replace("typing.", "").replace("typing_extensions.", "")
    # The address in a repr differs from run to run.
    text = re.sub(r" at 0x[0-9A-Fa-f]+", "", text)
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= 80 else text[:79] + "…"
