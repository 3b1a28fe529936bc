"""Candidates: the JSON values that a text of a model may mean, in prose, fences and thoughts.

A text is walked once.  What looks like JSON and cannot be read ends the search, so that a part of
it is never taken for the whole.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.limits import MAX_ATTEMPTS, MAX_CANDIDATES
from typesig.validation.json_text import read_digits
from typesig.validation.policy import RepairId
from typesig.validation.repair.framing import (
    ALONE,
    BEFORE,
    BLANK,
    BRACKETS,
    CLAUSE,
    CLOSED_THOUGHT,
    CLOSING,
    COMMENT_ENDS,
    GAP,
    GOES_ON,
    IN_PATH,
    INDEX,
    INTRODUCED,
    JSON_BEGINS,
    KEY_BEFORE,
    LANGUAGES,
    LEAVING_OUT,
    MARK,
    NO_VALUE,
    REMARK,
    REMARKS,
    SHORT_FENCE,
    SURPLUS,
    THOUGHT,
    is_denial,
)
from typesig.validation.repair.lenient_json import ELLIPSIS, LEFT_OUT, LenientReader, find_wrapped
from typesig.validation.repair.lenient_text import Unreadable

#: Where a candidate stands: it is the whole text, several adjacent values as a list, in a fence, or
#: in prose.
Standing: TypeAlias = Literal["whole", "joined", "fenced", "loose"]


class Candidate(NamedTuple):
    """A value parsed from a text, with the position of each repair that it needed."""

    data: Any
    standing: Standing
    repairs: dict[RepairId, int]


class CandidateSearch:
    """Search for the JSON values in a text that is not valid JSON as a whole.

    #: candidates: in the order of the text; repairs: what was taken away around them
    #: refused: why the text is not read, whatever was found before; or None
    #: cut: why the text is refused if the bracket may not be added that is missing at its end
    #: failed: why the first brackets that were passed over are no value; or None
    #: prose: the parts of the text that are neither values nor thoughts
    #: says_more: whether some of it is no comment
    #: text_from: where the text begins behind thoughts; None if they do not end
    """

    __slots__ = (
        "_at", "_attempts", "_before", "_is_exact", "_is_unclosed", "_notes", "_remark_end",
        "_source", "candidates", "cut", "failed", "prose", "refused", "repairs", "says_more",
        "text_from",
    )  # fmt: skip

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._attempts = 0
        # Whether each value so far is JSON.
        self._is_exact = True
        # The text between the last mark and this one.
        self._before = ""
        # Whether a path such as `src/*` was found behind which no comment is closed.
        self._is_unclosed = False
        # Brackets that look like references to notes, in which no value was looked for.
        self._notes: list[tuple[int, int]] = []
        # Where a comment ended that may stand between others.
        self._remark_end = 0
        self.says_more = False
        self.cut: Unreadable | None = None
        self.candidates: list[Candidate] = []
        self.repairs: dict[RepairId, int] = {}
        self.refused: Unreadable | None = None
        self.failed: Unreadable | None = None
        self.prose: list[tuple[int, int]] = []
        self._begin()
        self.text_from: int | None = self._at
        if not (self._try_escaped_json() or self._try_scalar() or self._is_wrapped()):
            self._walk()
        self._apply_repairs()

    def _begin(self) -> None:
        """Skip a byte order mark, and reasoning without an opening tag."""
        if self._source.startswith("\ufeff"):
            self.repairs["byte_order_mark"] = 0
            self._source = " " + self._source[1:]
        first = THOUGHT.search(self._source)
        if first is None or JSON_BEGINS.match(self._source, self._at):
            return
        if first[1] or first[2]:
            self.repairs["reasoning"] = self._at
            self._at = first.end()

    def _try_escaped_json(self) -> bool:
        """Try to read JSON whose quotes are all escaped; return whether that worked."""
        text = self._source[self._at :].strip()
        quotes = text.replace("\\\\", "").replace('\\"', "")
        if text[:1] not in ("[", "{") or '"' in quotes or '\\"' not in text:
            return False
        try:
            data, _ = read_digits(json.loads(f'"{text}"', strict=False))
        except ValueError:
            return False
        self.candidates.append(Candidate(data, "whole", {"escaped_json": self._at}))
        return True

    def _try_scalar(self) -> bool:
        """Try to parse the entire text as one scalar; return whether that worked."""
        begin = BLANK.match(self._source, self._at).end()  # type: ignore[union-attr]  # may be empty
        if self._source[begin : begin + 1] in ("", "[", "{", "<", "`", "~"):
            return False
        reader = LenientReader(self._source, begin)
        try:
            data = reader.read_value()
        except Unreadable as error:
            if error.cut:
                self.refused = error
            return error.cut
        surplus = self._source[reader.end :].strip()
        if "," in surplus and type(data) in (int, float):
            # More digits could follow.
            return False
        if surplus.strip("}], \t\r\n"):
            return False
        reader.repairs.update({"extra_bracket": reader.end} if surplus.strip(",") else {})
        reader.repairs.update({"extra_comma": reader.end} if "," in surplus else {})
        self.candidates.append(Candidate(data, "whole", reader.repairs))
        return True

    def _is_wrapped(self) -> bool:
        """Try to parse the text as one value in a wrapper; return whether it is."""
        begin = BLANK.match(self._source, self._at).end()  # type: ignore[union-attr]  # may be empty
        found = find_wrapped(self._source, begin)
        self.candidates += [Candidate(each.data, "whole", each.repairs) for each in found]
        return bool(found)

    def _walk(self) -> None:
        """Visit all brackets, fences and reasoning tags of the text, up to a refusal."""
        source = self._source
        while self.refused is None:
            mark = MARK.search(source, self._at)
            self._add_prose(self._at, len(source) if mark is None else mark.start())
            if mark is None:
                self._read_leading_list()
                return
            self._before = source[self._at : mark.start()]
            self._at = mark.end()
            match mark.lastgroup:
                case "open":
                    self._read_bracket(mark.start())
                case "fence":
                    self._read_fence(mark)
                case "thought":
                    self._read_thought(mark)
                case "closed":
                    # What came before belongs to the thoughts.
                    self.candidates, self.prose, self.failed = [], [], None
                    self.repairs.setdefault("reasoning", mark.start())
                    self.text_from = self._at
                case "token":
                    self.repairs.setdefault("special_token", mark.start())
                case "comment":
                    self._skip_comment(mark)
                case _:
                    # A closing bracket that was not opened.
                    start = mark.start()
                    behind = BLANK.match(self._source, start + 1).end()  # type: ignore[union-attr]
                    is_inside = self._source[behind : behind + 1] in (",", ":")
                    if self.candidates or self.prose or is_inside:
                        self.refused = Unreadable(start, "a bracket closes nothing")
                    self.repairs.setdefault("extra_bracket", start)

    def _add_prose(self, start: int, end: int) -> None:
        """Record the text from *start* to *end* as prose, unless it is blank."""
        if not self._source[start:end].isspace() and start < end:
            self.prose.append((start, end))
            is_remark = REMARKS.fullmatch(self._source, start, end) is not None
            self.says_more = self.says_more or not is_remark

    def _read_thought(self, mark: re.Match[str]) -> None:
        """Skip the reasoning block that *mark* opens; refuse an unclosed block."""
        closed = CLOSED_THOUGHT.search(self._source, mark.end())
        if closed is None:
            self.refused = Unreadable(mark.start(), "the reasoning is not closed", cut=True)
            self.text_from = None
            return
        self.repairs.setdefault("reasoning", mark.start())
        self._at = closed.end()
        if not self.prose and not self.candidates:
            self.text_from = self._at

    def _skip_comment(self, mark: re.Match[str]) -> None:
        """Skip the comment that *mark* opens, and record it as prose."""
        ends = COMMENT_ENDS.get(mark[0])
        if ends is not None and not (self._is_unclosed and ends == "*/"):
            place = self._source.find(ends, mark.end())
            if place >= 0:
                self._at = self._remark_end = place + len(ends)
            elif IN_PATH.match(self._source, max(0, mark.start() - 1)):
                self._is_unclosed = True
            else:
                self.refused = Unreadable(mark.start(), "a comment is not closed", cut=True)
                return
        self._add_prose(mark.start(), self._at)

    def _read_bracket(self, start: int) -> None:
        """Parse the bracket at *start* as prose, as a footnote, or as a value."""
        source = self._source
        before = source[max(self.text_from or 0, start - BEFORE) : start]
        if source[start] == "[" and (before[-1:].isalnum() or before[-1:] in (")", "]", "_")):
            index = INDEX.match(source, start)
            if index is not None:
                self._pass(start, index.end())
                return
        note = NO_VALUE.match(source, start)
        if note is not None and not self._is_introduced(start, note.end(), before):
            self._notes.append((start, note.end()))
            self._pass(start, note.end())
        elif KEY_BEFORE.search(before):
            self.refused = Unreadable(start, "the brackets around the whole are missing")
        else:
            self._run(start, "loose")

    def _read_leading_list(self) -> None:
        """Parse the list of numbers at the start of a text without other values."""
        if len(self._notes) != 1 or self.candidates:
            return
        start, end = self._notes[0]
        source = self._source
        is_list = source[start] == "[" and "," in source[start:end]
        if is_list and not source[:start].strip() and not GOES_ON.search(source, end):
            self.prose.remove((start, end))
            self._run(start, "loose")

    def _is_introduced(self, start: int, end: int, before: str) -> bool:
        """Whether the bracket at *start* follows a colon, or is alone on its line."""
        behind_remark = self._remark_end and not self._source[self._remark_end : start].strip()
        found = INTRODUCED.search("" if behind_remark else before)
        if found is None or found[0].strip():
            return found is not None
        if ALONE.match(self._source, end):
            return True
        # An empty object, a comma and another object are items of a list.
        gap = GAP.match(self._source, end) if self._source[start] == "{" else None
        return gap is not None and gap["comma"] is not None

    def _pass(self, start: int, end: int) -> None:
        """Record the text from *start* to *end* as prose, and skip it."""
        self._add_prose(start, end)
        self._at = end

    def _run(self, start: int, standing: Standing) -> bool:
        """Parse the adjacent values from *start* on; return whether there are any."""
        source, values, place = self._source, list[Candidate](), start
        has_comma = False
        while True:
            reader = LenientReader(source, place)
            try:
                data = reader.read_value(self._is_exact)
                # The reader of JSON looks at the whole text when it finds an error.
                self._is_exact = self._is_exact and not reader.repairs
            except Unreadable as error:
                self._is_exact = False
                if not values and self._close_bracket(error, reader):
                    return self._run(start, standing)
                self._fail(error, reader, place)
                if values:
                    # Brackets behind a value may be a part of it.
                    self.refused = error
                return False
            values.append(Candidate(data, standing, reader.repairs))
            end = reader.end
            gap = GAP.match(source, end)
            if gap is None:
                break
            place = gap.end()
            has_comma = has_comma or gap["comma"] is not None
            if gap[0].strip(", \t\r\n"):
                reader.repairs.setdefault("comment", end)
                left_out = ELLIPSIS.search(source, end, place)
                if left_out is not None:
                    self.refused = Unreadable(left_out.start(), LEFT_OUT)
                    return False
        self.refused = self._read_suffix(start, end, values)
        if self.refused is None:
            self._keep(values, standing, has_comma)
        return self.refused is None

    def _read_suffix(self, start: int, end: int, values: list[Candidate]) -> Unreadable | None:
        """Skip surplus brackets, commas and remarks after *end*; return any error."""
        source, repairs = self._source, values[-1].repairs
        surplus = SURPLUS.match(source, end)
        brackets = surplus is not None and not {"}", "]"}.isdisjoint(surplus[0])
        if surplus is not None and ("," in surplus[0] or (brackets and len(values) == 1)):
            repairs.update({"extra_bracket": end} if brackets else {})
            repairs.update({"extra_comma": end} if "," in surplus[0] else {})
            end = surplus.end()
        place = BLANK.match(source, end).end()  # type: ignore[union-attr]  # may be empty
        if source[place : place + 1] == ",":
            place = BLANK.match(source, place + 1).end()  # type: ignore[union-attr]
            clause = CLAUSE.match(source, place)
            # Bare words behind a list could be more of its items.
            data = values[-1].data
            is_open = isinstance(data, list) and not all(isinstance(item, dict) for item in data)
            if clause is None or LEAVING_OUT.search(clause[0]) or is_open:
                return Unreadable(end, "there is more behind the value")
            repairs["extra_comma"], end = end, place
        if source[place : place + 1] in ("}", "]", ":") or source[end : end + 1] == '"':
            return Unreadable(end, "there is more behind the value")
        remark = REMARK.match(source, end)
        if remark is not None and "<" not in remark[0]:
            left_out = ELLIPSIS.search(remark[0])
            if left_out is not None:
                return Unreadable(end + left_out.start(), LEFT_OUT)
            self._add_prose(end, remark.end())
            end = remark.end()
        if ELLIPSIS.match(source, place):
            return Unreadable(place, LEFT_OUT)
        self._at = end
        return Unreadable(start, "the text denies the value") if is_denial(self._before) else None

    def _close_bracket(self, error: Unreadable, reader: LenientReader) -> bool:
        """Append the missing last bracket of a value; return whether it was added."""
        source, end = self._source, reader.end
        fenced = source.startswith("```", end)
        if self.cut or self.candidates or not error.cut or (end < len(source) and not fenced):
            return False
        # A number at the very end may go on, and a text whose last quote may be one within it.
        body = source[reader.start : end].rstrip()
        is_ended = source[end - 1] in '"]} \n\t\r' or fenced
        if not is_ended or body[-1] in ",:[{(" or (body[-1] == '"' and body[-2].isspace()):
            return False
        self.cut = error
        self.repairs["missing_bracket"] = end
        self._source = f"{source[:end]}{CLOSING[source[reader.start]]}{source[end:]}"
        return True

    def _keep(self, values: list[Candidate], standing: Standing, has_comma: bool) -> None:
        """Add *values* to the candidates, and also a list of all if they differ."""
        # The same value twice, without a comma, is an answer that was repeated.
        if len(values) > 1 and (has_comma or len(collect_distinct_data(values)) > 1):
            joined: dict[RepairId, int] = {"joined_values": self._at}
            for value in values:
                joined = {**value.repairs, **joined}
            self.candidates.append(Candidate([value.data for value in values], "joined", joined))
        if len(self.candidates) + len(values) <= MAX_CANDIDATES:
            self.candidates.extend(values)
        elif len(values) == 1:
            self.refused = Unreadable(self._at, "there are too many values")

    def _fail(self, error: Unreadable, reader: LenientReader, start: int) -> None:
        """Refuse the text if the unreadable brackets look like JSON, else skip them."""
        if self.cut is not None:
            self.refused = self.cut
            return
        self._attempts += 1
        if not (reader.solid or error.cut or self._attempts > MAX_ATTEMPTS):
            self.failed = self.failed or error
            open_ones: list[str] = []
            for bracket in BRACKETS.finditer(self._source, start):
                if bracket[0] in CLOSING:
                    open_ones.append(CLOSING[bracket[0]])
                elif open_ones.pop() != bracket[0]:
                    break
                if not open_ones:
                    self._pass(start, bracket.end())
                    return
        self.refused = error

    def _read_fence(self, mark: re.Match[str]) -> None:
        """Parse the value in the code fence at *mark*, if it contains nothing else."""
        source, ticks = self._source, mark["ticks"]
        closing = re.compile(rf"[ \t]*{ticks[0]}{{{len(ticks)},}}")
        begin = BLANK.match(source, mark.end()).end()  # type: ignore[union-attr]  # may be empty
        inner = MARK.match(source, begin)
        if inner is not None and inner.lastgroup == "fence":
            # A fence that holds a fence.
            begin = BLANK.match(source, inner.end()).end()  # type: ignore[union-attr]
        seen = len(self.candidates)
        brackets = source[begin : begin + 1] in ("[", "{")
        is_plain = mark["language"].casefold() in LANGUAGES
        held = self._run(begin, "fenced") if brackets else is_plain and self._read_lone_value(begin)
        if self.refused is not None:
            return
        if held:
            end = BLANK.match(source, self._at).end()  # type: ignore[union-attr]  # may be empty
            closed = closing.match(source, end) or SHORT_FENCE.match(source, end)
            if closed is not None or end == len(source):
                self._at = end if closed is None else closed.end()
                for one in self.candidates[seen:]:
                    one.repairs.setdefault("code_fence", mark.start())
            else:
                self.refused = Unreadable(end, "there is more behind the value")
            return
        line = re.compile(rf"^{closing.pattern}[ \t]*$", re.MULTILINE).search(source, mark.end())
        self._pass(mark.start(), len(source) if line is None else line.end())

    def _read_lone_value(self, begin: int) -> bool:
        """Parse the scalar in a code fence at *begin*; return whether it is valid."""
        reader = LenientReader(self._source, begin)
        try:
            data = reader.read_value()
        except Unreadable as error:
            self.failed = self.failed or error
            return False
        self._at = reader.end
        self.candidates.append(Candidate(data, "fenced", reader.repairs))
        return True

    def _apply_repairs(self) -> None:
        """Add the repairs of the surrounding text to all candidates."""
        if self.prose:
            self.repairs.setdefault("prose", self.prose[0][0])
        elif len(self.candidates) == 1 and self.candidates[0].standing == "loose":
            self.candidates = [self.candidates[0]._replace(standing="whole")]
        for one in self.candidates:
            one.repairs.update(self.repairs)


def collect_distinct_data(candidates: list[Candidate]) -> set[str]:
    """Return the set of JSON texts of the data of *candidates*."""
    return {json.dumps(each.data, sort_keys=True) for each in candidates}
