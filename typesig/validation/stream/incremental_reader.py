"""A text that arrives in pieces: where its value begins, and what is known of it so far."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from typesig.validation.issues.issues import Issue
from typesig.validation.policy import Policy, RepairId
from typesig.validation.repair.framing import (
    INTRODUCED,
    KEY_BEFORE,
    THOUGHT_BEGINS,
    THOUGHT_ENDS,
    is_denial,
)
from typesig.validation.repair.lenient_text import QUOTES
from typesig.validation.repair.lone_json import find_target_types
from typesig.validation.stream.part_shapes import StreamTarget
from typesig.validation.stream.partial import Partial
from typesig.validation.stream.partial_builder import PartialBuilder
from typesig.validation.stream.scanner import Scanner
from typesig.validation.tables import Tables

# --- Where the value of an answer begins, found in a text that comes in pieces ---
# What stands before a value (a byte order mark, fences, other text, thoughts) is passed over where
# the reading of the whole text will pass over it, too; where that is not plain, nothing is found.

#: How many characters before a place are kept, to find what ends there.
_KEPT = 80

#: How many characters before a bracket are looked at.
_BEFORE = 40

_MARK = re.compile(
    rf"(?P<thought>{THOUGHT_BEGINS})"
    rf"|(?P<closed>{THOUGHT_ENDS})"
    r"|(?P<fence>^[ \t]{0,8}(?:`{3,20}|~{3,20})[ \t]{0,8}[\w+.-]{0,30}[ \t]{0,8}\r?\n)"
    r"|(?P<comment>/\*|<!--)"
    r"|(?P<open>[\[{])",
    re.MULTILINE | re.IGNORECASE,
)
_ENDS = re.compile(THOUGHT_ENDS, re.IGNORECASE)
_COMMENT = re.compile(r"[ \t]{0,20}(?://|#)")
_BLANK = re.compile(r"\s*+")


class ThoughtEndFinder:
    """Finder of closing reasoning tags in a stream that may lack the opening tags."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept = ""

    def find_ends(self, text: str) -> list[int]:
        """Return the indices behind closing reasoning tags in *text*."""
        whole, before = self._kept + text, len(self._kept)
        ends = [found.end() - before for found in _ENDS.finditer(whole)]
        # A tag that was found is not found again.
        self._kept = whole[max(before + ends[-1] if ends else 0, len(whole) - _KEPT) :]
        return ends


class ValueStartFinder:
    """Search of a streamed text for the bracket that begins its value.

    #: bracket: the bracket, once it is found
    #: has_prose: whether other text stands before it
    #: is_plain: whether it stands where brackets with a number are no note
    #: is_lost: whether it cannot be found before the text has ended
    """

    __slots__ = (
        "_classified", "_context", "_in_fence", "_in_thought", "_is_clear", "_is_first",
        "_is_text", "_kept", "_line", "_pending", "_policy", "_prose", "bracket", "has_prose",
        "is_lost", "is_plain",
    )  # fmt: skip

    def __init__(self, policy: Policy, prose: bool) -> None:
        """*prose* is whether a value may stand in other text."""
        self._policy = policy
        self._prose = prose and "prose" in policy.repairs
        self._in_fence = self._in_thought = False
        self._is_first, self._is_text = True, False
        # Whether there are only blanks since the start, a fence or thoughts.
        self._is_clear = True
        self._kept = ""
        # The place in what is kept from which on text is not known as prose or a mark.
        self._classified = 0
        # The beginning of a line that is not kept as a whole.
        self._line: str | None = None
        self._pending = ""
        self._context = ""
        self.bracket = ""
        self.has_prose = False
        self.is_lost = False
        self.is_plain = False

    def feed(self, text: str, start: int = 0) -> int:
        """Search *text* from *start*; return the position after the searched part."""
        if self._is_first:
            start = self._read_beginning(text, start)
        if self._is_text:
            return len(text)
        offset, whole = len(self._kept), self._kept + text[start:]
        place, searched = offset, 0
        while not (self.bracket or self.is_lost) and place < len(whole):
            if self._pending:
                place = searched = self._decide(whole, place)
                continue
            mark = (_ENDS if self._in_thought else _MARK).search(whole, searched)
            if mark is None:
                place = len(whole)
            elif mark.end() <= offset:
                searched = mark.start() + 1
            else:
                place = searched = mark.end()
                self._take(mark, whole)
        if not self.bracket:
            self._keep(whole)
        return start + place - offset

    def _read_beginning(self, text: str, start: int) -> int:
        """Check the start of the stream for a byte order mark or a quote."""
        if not self._kept and text.startswith("\ufeff", start):
            start += 1
            self.need("byte_order_mark")
        begin = _BLANK.match(text, start).end()  # type: ignore[union-attr]  # may be empty
        if begin < len(text):
            self._is_first = False
            # The whole may be one text, in which brackets are nothing.
            self._is_text = self.has_prose = text[begin] in QUOTES and text[begin] != "`"
        return start

    def need(self, repair: RepairId) -> None:
        """Give up the search if the policy does not allow *repair*."""
        self.is_lost = self.is_lost or repair not in self._policy.repairs

    def resume(self) -> None:
        """Continue the search after brackets that turned out not to be a value."""
        self._kept, self._line, self._classified = "]", "]", 0
        self.bracket = ""
        self._is_clear = self._in_fence = self.is_plain = False
        self.has_prose = True

    def _classify(self, whole: str, end: int) -> None:
        """Record whether the text before *end* is blank or prose."""
        text = "" if self._in_thought else whole[self._classified : end]
        if text.strip():
            self._is_clear = False
            self.has_prose = self.has_prose or not self._in_fence
        self._classified = max(end, self._classified)

    def _keep(self, whole: str) -> None:
        """Keep the last characters of *whole*, as context for the next text."""
        cut = max(0, len(whole) - _KEPT)
        if cut:
            self._classify(whole, cut)
            self._classified -= cut
            begin = whole.rfind("\n", 0, cut) + 1
            if begin or self._line is None:
                self._line = whole[begin : begin + _BEFORE]
        self._kept = whole[cut:]

    def _take(self, mark: re.Match[str], whole: str) -> None:
        """Process *mark*, a bracket, fence or reasoning tag in the text *whole*."""
        if self._in_thought:
            self._in_thought, self._is_clear = False, True
            self._classified = mark.end()
            return
        self._classify(whole, mark.start())
        match mark.lastgroup:
            case "open":
                self._pending = mark[0]
                self._context = whole[max(0, mark.start() - _BEFORE) : mark.start()]
                if self._is_comment(whole, mark.start()):
                    self._pass()
                elif self._is_clear and mark[0] == "{":
                    self._accept()
                return
            case "fence":
                # Behind code that is no value, it is the end of that.
                self.has_prose = self.has_prose or self._in_fence
                self._in_fence = self._is_clear = not self._in_fence
                self.need("code_fence")
                before = whole[max(0, mark.start() - _BEFORE) : mark.start()]
                self.is_lost = self.is_lost or (self._in_fence and is_denial(before))
            case "thought":
                self._in_thought = True
                self.need("reasoning")
            case "closed":
                # What came before belongs to the thoughts.
                self._is_clear, self._in_fence, self.has_prose = True, False, False
                self.need("reasoning")
            case _:
                self.is_lost = True
        self._classified = mark.end()

    def _is_comment(self, whole: str, place: int) -> bool:
        """Whether index *place* of the text *whole* is in a line comment."""
        begin = whole.rfind("\n", 0, place) + 1
        line = whole if begin or self._line is None else self._line
        return _COMMENT.match(line, begin if line is whole else 0) is not None

    def _pass(self) -> None:
        """Skip the pending bracket, which does not begin a value."""
        self._pending = ""
        self._is_clear = False
        self.has_prose = self.has_prose or not self._in_fence

    def _decide(self, whole: str, place: int) -> int:
        """Accept or skip the pending bracket; return the next place to search."""
        place = _BLANK.match(whole, place).end()  # type: ignore[union-attr]  # may be empty
        if place == len(whole):
            return place
        behind, bracket = whole[place], self._pending
        if not self._is_value(bracket, behind):
            self._pass()
        else:
            self._accept()
        return place

    def _accept(self) -> None:
        """Accept the pending bracket as the start of the value."""
        self.is_plain = self.is_plain or self._in_fence
        if (self.has_prose and not self._prose) or is_denial(self._context):
            self.is_lost = True
        else:
            self.bracket, self._pending = self._pending, ""

    def _is_value(self, bracket: str, behind: str) -> bool:
        """Whether *bracket*, followed by the character *behind*, opens a value."""
        if self._is_clear:
            # `[THINK]` begins thoughts, `[x]` is a box in a list of tasks.
            return behind not in "Tx/"
        before = self._context
        if self._in_fence or (bracket == "[" and (before[-1:].isalnum() or before[-1:] in ")]_")):
            return False
        if KEY_BEFORE.search(before):
            self.is_lost = True
            return False
        found = INTRODUCED.search(before)
        self.is_plain = found is not None and bool(found[0].strip())
        if found is not None and bracket == "[":
            return behind not in "Tx/"
        return behind == '"' or (bracket == "[" and behind in "[{")


# --- A text that arrives in pieces: where its value begins, and what is known of it so far ---

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
