"""A text that arrives in pieces: where its value begins, and what is known of it so far."""

from __future__ import annotations

from typing import Literal, TypeAlias

from typesig.validation.issues.issues import Issue
from typesig.validation.mending.opening import Opening, Watch
from typesig.validation.mending.wanted import wanted_of
from typesig.validation.rows.tables import Tables
from typesig.validation.stream.growing import Growth
from typesig.validation.stream.partial import Partial
from typesig.validation.stream.scanner import Scanner
from typesig.validation.stream.shapes import Growing

#: Whether the value can go on, has ended, or cannot be told of before the whole text is there.
State: TypeAlias = Literal["open", "ended", "unshown"]

#: What stands behind brackets with a number that are a value, not a note.
_BEHIND_VALUE = frozenset("\n\r.;`)<")


class Arrival:
    """The reading of a text that arrives in pieces; each character is read once."""

    __slots__ = (
        "_begins", "_growing", "_growth", "_head", "_may_be_note", "_opening", "_scanner",
        "_tables", "_takes_prose", "_watch",
    )  # fmt: skip

    def __init__(self, growing: Growing) -> None:
        names = {d.name: d.type for d in growing.definitions}
        # Text around JSON may be a part of a text that is wanted.
        wanted = wanted_of(growing.type, names)
        self._takes_prose = not wanted.text
        # The first line, as long as it may be that of a table, which is read as a whole.
        self._head = ""
        tables = wanted.tables()
        self._tables = tables if any(tables) else None
        self._growing = growing
        self._watch = Watch()
        self._opening = Opening(growing.policy, self._takes_prose)
        self._begins = 0
        self._forget()

    def _forget(self) -> None:
        """Begin again with an empty value."""
        self._begins += 1
        self._growth = Growth(self._growing)
        self._scanner: Scanner | None = None
        self._may_be_note = False

    @property
    def state(self) -> State:
        """Whether the value can go on."""
        scanner = self._scanner
        if self._opening.is_lost or (scanner is not None and scanner.is_stuck):
            return "unshown"
        return "ended" if scanner is not None and scanner.is_done else "open"

    def feed(self, text: str) -> None:
        """Read the next piece of the text."""
        if self._tables is not None:
            text = self._unheld(text, self._tables)
        start = 0
        for end in self._watch.ends(text):
            self._read(text[start:end])
            start = end
            if self._opening.has_prose or self.state != "open":
                # All that came before belongs to thoughts, whose beginning the model was given.
                self._opening = Opening(self._growing.policy, self._takes_prose)
                self._opening.need("reasoning")
                self._forget()
        self._read(text[start:])

    def _unheld(self, text: str, tables: Tables) -> str:
        """Return what may be read of the beginning of a text, with *text*, its next piece."""
        if not self._head and not text.strip("\r\n"):
            return text
        self._head += text
        line, end, _ = self._head.lstrip("\r\n").partition("\n")
        if not end and tables.may_begin(line):
            return ""
        self._opening.is_lost = bool(end) and tables.begin(line)
        self._tables = None
        return self._head

    @property
    def told(self) -> tuple[int, int]:
        """A number that changes when there is something to tell, after that of the beginnings."""
        return self._begins, self._growth.told

    def partial(self, fault: Issue | None = None) -> Partial:
        """Return what is known since the last partial; *fault* is why the text cannot be read."""
        is_within = self._scanner is not None and self._scanner.is_within
        return self._growth.partial(is_within, fault)

    def _read(self, text: str) -> None:
        place = 0
        while place < len(text):
            scanner = self._scanner
            if scanner is None:
                place = self._opening.feed(text, place)
                if self._opening.is_lost:
                    return
                if self._opening.bracket:
                    self._scan()
            elif scanner.is_done and self._may_be_note:
                self._may_be_note = False
                if text[place] not in _BEHIND_VALUE:
                    self._opening.go_on()
                    self._forget()
            elif scanner.is_done or scanner.is_stuck:
                return
            else:
                place = scanner.feed(text, place)
                self._may_be_note = self._is_like_note()

    def _scan(self) -> None:
        repairs = self._growing.policy.repairs
        careful = not repairs.isdisjoint({"quotes_in_text", "triple_quotes"})
        self._scanner = Scanner(self._growth, careful, self._growth.keeps_digits)
        self._scanner.feed(self._opening.bracket)

    def _is_like_note(self) -> bool:
        """Return whether the value may be a reference to a note, or empty brackets in a text."""
        data = self._growth.data
        if self._growth.outcome is None or self._opening.is_plain:
            return False
        if not isinstance(data, list):
            return bool(data == {})
        return all(type(item) is int and 0 <= item < 1_000 for item in data)
