"""Warnings about hints that a signature cannot express, as data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from typesig.algebra.frozen import Frozen
from typesig.limits import MAX_ALIKE

#: What became of it.  `any`: the hint is `:any`.  `unhinted`: there is no hint, so it is `:any`.
#: `partial`: a part of what the hint or the docstring says is not in the signature.
#: `left_out`: a toolset does not have the callable.
WarningKind: TypeAlias = Literal["any", "unhinted", "partial", "left_out"]


class HintWarning(Frozen):
    """One thing that a signature does not express as the function's hints do.

    #: place: the parameter, "returns", or a path below one, such as "order.items"
    #: hint: the hint as text; reason: why it is not expressed; remedy: what to write instead
    #: kind: what became of it
    """

    __slots__ = ("hint", "kind", "place", "reason", "remedy")
    __match_args__ = ("place", "hint", "reason", "remedy", "kind")
    place: str
    hint: str
    reason: str
    remedy: str
    kind: WarningKind

    def __init__(self, place: str, hint: str, reason: str, remedy: str, kind: WarningKind) -> None:
        self._fill(place, hint, reason, remedy, kind)

    def __str__(self) -> str:
        """Return the warning on one line."""
        place = f"{self.place}: " if self.place else ""
        hint = f"{self.hint}: " if self.hint else ""
        return f"{place}{hint}{self.reason}; {self.remedy}"


def grouped(warnings: Iterable[HintWarning]) -> tuple[HintWarning, ...]:
    """Return *warnings*, where many within records with the same reason and remedy are one.

    It counts the places, and names the first hints.
    """
    alike: dict[tuple[str, ...], list[HintWarning]] = {}
    for warning in warnings:
        # A function has few parameters, and each is named.
        alone = "" if "." in warning.place else warning.place or warning.hint
        key = (warning.reason, warning.remedy, warning.kind, alone)
        alike.setdefault(key, []).append(warning)
    return tuple(
        warning
        for group in alike.values()
        for warning in (group if len(group) <= MAX_ALIKE else [_one_of(group)])
    )


def _one_of(group: list[HintWarning]) -> HintWarning:
    """Return the warning that stands for those of *group*."""
    first = group[0]
    hints = list(dict.fromkeys(warning.hint for warning in group if warning.hint))
    shown = ", ".join([*hints[:MAX_ALIKE], *(["…"] if len(hints) > MAX_ALIKE else [])])
    more = f"{first.place} and {len(group) - 1} more places"
    return HintWarning(more, shown, first.reason, first.remedy, first.kind)


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
