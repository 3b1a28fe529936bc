"""What decoding tells: what was sent twice, and what was read from text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from typesig.validation.rows.run import Found

Step: TypeAlias = str | int


class Fault:
    """One thing to tell; its paths grow from the inside out, as those of findings do.

    #: code, text: those of the issue: what is twice, or as what a text is read
    #: own: the path in the arguments as the tool takes them; sent: that in what was sent
    """

    __slots__ = ("code", "own", "sent", "text")

    def __init__(
        self,
        code: Literal["repeated", "twice", "parsed"],
        text: str,
        own: Iterable[Step] = (),
        sent: Iterable[Step] = (),
    ) -> None:
        self.code: Literal["repeated", "twice", "parsed"] = code
        self.text = text
        self.own: list[Step] = [*own]
        self.sent: list[Step] = [*sent]

    def found(self, steps: Sequence[Step]) -> Found:
        """Return the finding at the place that *steps* lead to."""
        if self.code == "parsed":
            found = Found("parsed", self.text, rule="data_from_string", warning=True)
        else:
            found = Found(self.code, got=self.text)
        found.steps = [*steps]
        return found


class Decoding(NamedTuple):
    """How values are decoded.

    #: faults: takes what there is to tell, or None if what is sent twice stays as it was sent
    #: reads: whether the JSON text of a list or a map is read where no text is meant
    #: reads_near: whether the tool's check reads near names
    """

    faults: list[Fault] | None = None
    reads: bool = False
    reads_near: bool = False

    @property
    def seen(self) -> int:
        """How many faults there are."""
        return 0 if self.faults is None else len(self.faults)

    def tell(self, fault: Fault) -> None:
        """Take *fault*, if faults are taken."""
        if self.faults is not None:
            self.faults.append(fault)

    def lead(self, seen: int, sent: tuple[Step, ...], own: tuple[Step, ...]) -> None:
        """Put *sent* and *own*, from the inside out, before the paths after the first *seen*."""
        for fault in (self.faults or [])[seen:]:
            fault.sent += sent
            fault.own += own


#: Nothing is told, and no text is read.
QUIET = Decoding()
