"""Findings of decoding: duplicates, and data that was parsed from text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from typesig.validation.check_state import Finding

Step: TypeAlias = str | int


class DecodingFault:
    """A fault found in decoding: a duplicate, or data parsed from text.

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

    def to_finding(self, steps: Sequence[Step]) -> Finding:
        """Convert the fault to a finding at the path *steps*."""
        if self.code == "parsed":
            found = Finding("parsed", self.text, rule="data_from_string", warning=True)
        else:
            found = Finding(self.code, got=self.text)
        found.steps = [*steps]
        return found


class DecodingState(NamedTuple):
    """Options of decoding, and the faults found so far.

    #: faults: takes what there is to tell, or None if what is sent twice stays as it was sent
    #: reads: whether the JSON text of a list or a map is read where no text is meant
    #: reads_near: whether the tool's check reads near names
    """

    faults: list[DecodingFault] | None = None
    reads: bool = False
    reads_near: bool = False

    @property
    def seen(self) -> int:
        """The number of faults recorded so far."""
        return 0 if self.faults is None else len(self.faults)

    def tell(self, fault: DecodingFault) -> None:
        """Record *fault*, if faults are recorded."""
        if self.faults is not None:
            self.faults.append(fault)

    def extend_paths(self, seen: int, sent: tuple[Step, ...], own: tuple[Step, ...]) -> None:
        """Add outer steps *sent* and *own* to the paths of faults from index *seen* on."""
        for fault in (self.faults or [])[seen:]:
            fault.sent += sent
            fault.own += own


#: Nothing is told, and no text is read.
QUIET = DecodingState()
