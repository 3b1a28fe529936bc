"""A text that arrives in pieces: where its value begins, and what is known of it so far."""

from __future__ import annotations

from typing import Literal, TypeAlias

from typesig.validation.issues.issues import Issue
from typesig.validation.mending.target_types import find_target_types
from typesig.validation.mending.value_start import ThoughtEndFinder, ValueStartFinder
from typesig.validation.rows.tables import Tables
from typesig.validation.stream.part_shapes import StreamTarget
from typesig.validation.stream.partial import Partial
from typesig.validation.stream.partial_builder import PartialBuilder
from typesig.validation.stream.scanner import Scanner

#: Whether the value can go on, has ended, or cannot be told of before the whole text is there.
State: TypeAlias = Literal["open", "ended", "unshown"]

#: What stands behind brackets with a number that are a value, not a note.
_BEHIND_VALUE = frozenset("\n\r.;`)<")


class IncrementalReader:
    """Reader of a value whose text arrives in pieces, without rescanning."""

    __slots__ = (
        "_begins", "_growing", "_growth", "_head", "_may_be_note", "_opening", "_scanner",
        "_tables", "_takes_prose", "_watch",
    )  # fmt: skip

    def __init__(self, growing: StreamTarget) -> None:
        names = {d.name: d.type for d in growing.definitions}
        # Text around JSON may be a part of a text that is wanted.
        wanted = find_target_types(growing.type, names)
        self._takes_prose = not wanted.text
        # The first line, as long as it may be that of a table, which is read as a whole.
        self._head = ""
        tables = wanted.get_tables()
        self._tables = tables if any(tables) else None
        self._growing = growing
        self._watch = ThoughtEndFinder()
        self._opening = ValueStartFinder(growing.policy, self._takes_prose)
        self._begins = 0
        self._reset()

    def _reset(self) -> None:
        """Discard the current value, and wait for another one to begin."""
        self._begins += 1
        self._growth = PartialBuilder(self._growing)
        self._scanner: Scanner | None = None
        self._may_be_note = False

    @property
    def state(self) -> State:
        """Whether the value is open, ended, or cannot be shown before the end."""
        scanner = self._scanner
        if self._opening.is_lost or (scanner is not None and scanner.is_stuck):
            return "unshown"
        return "ended" if scanner is not None and scanner.is_done else "open"

    def feed(self, text: str) -> None:
        """Process *text*, the next piece of the stream."""
        if self._tables is not None:
            text = self._release_head(text, self._tables)
        start = 0
        for end in self._watch.find_ends(text):
            self._read(text[start:end])
            start = end
            if self._opening.has_prose or self.state != "open":
                # All that came before belongs to thoughts, whose beginning the model was given.
                self._opening = ValueStartFinder(self._growing.policy, self._takes_prose)
                self._opening.need("reasoning")
                self._reset()
        self._read(text[start:])

    def _release_head(self, text: str, tables: Tables) -> str:
        """Buffer *text* at the beginning; return the text ready to process."""
        if not self._head and not text.strip("\r\n"):
            return text
        self._head += text
        line, end, _ = self._head.lstrip("\r\n").partition("\n")
        if not end and tables.may_begin(line):
            return ""
        self._opening.is_lost = bool(end) and tables.begins_with(line)
        self._tables = None
        return self._head

    @property
    def told(self) -> tuple[int, int]:
        """Counters of started values and of changes, to notice new partials."""
        return self._begins, self._growth.told

    def make_partial(self, fault: Issue | None = None) -> Partial:
        """Return the current partial; *fault* is the reason why reading failed."""
        is_within = self._scanner is not None and self._scanner.is_within
        return self._growth.make_partial(is_within, fault)

    def _read(self, text: str) -> None:
        """Search *text*, the next piece, for the start of the value, and scan it."""
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
                    self._opening.resume()
                    self._reset()
            elif scanner.is_done or scanner.is_stuck:
                return
            else:
                place = scanner.feed(text, place)
                self._may_be_note = self._is_like_note()

    def _scan(self) -> None:
        """Start a scanner at the bracket that opens the value."""
        repairs = self._growing.policy.repairs
        careful = not repairs.isdisjoint({"quotes_in_text", "triple_quotes"})
        self._scanner = Scanner(self._growth, careful, self._growth.keeps_digits)
        self._scanner.feed(self._opening.bracket)

    def _is_like_note(self) -> bool:
        """Whether the value may be a footnote reference or empty brackets."""
        data = self._growth.data
        if self._growth.outcome is None or self._opening.is_plain:
            return False
        if not isinstance(data, list):
            return bool(data == {})
        return all(type(item) is int and 0 <= item < 1_000 for item in data)
