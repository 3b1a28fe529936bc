"""Faults: what was sent twice, so that no form of the tool's own has all of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from typesig.validation.run import Found

Step: TypeAlias = str | int


class Fault:
    """One fault; its paths grow from the inside out, as those of findings do.

    #: code, got: those of the issue
    #: own: the path in the arguments as the tool takes them; sent: that in what was sent
    """

    __slots__ = ("code", "got", "own", "sent")

    def __init__(
        self, code: Literal["repeated", "twice"], got: str, own: Step, sent: Iterable[Step]
    ) -> None:
        self.code: Literal["repeated", "twice"] = code
        self.got = got
        self.own: list[Step] = [own]
        self.sent: list[Step] = [*sent]

    def found(self, steps: Sequence[Step]) -> Found:
        """Return the error at the place that *steps* lead to."""
        found = Found(self.code, got=self.got)
        found.steps = [*steps]
        return found


#: What decoding finds, or None if what is sent twice stays as it was sent.
Faults: TypeAlias = list[Fault] | None
