"""Feedback for a model: what it sent, with each error where it stands, for `Outcome.feedback`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, assert_never

from typesig.absence import ABSENT
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import NIL, Field, Record, Type
from typesig.algebra.rows.values import kind_of
from typesig.algebra.signature import Signature, lone
from typesig.algebra.views.redaction import redacted, redacted_types
from typesig.limits import (
    MAX_AROUND_FAULT,
    MAX_COMPLAINT,
    MAX_COMPLAINT_LINES,
    MAX_ECHO_DEPTH,
    MAX_EXCERPT,
    MAX_EXPECTED,
    MAX_FEEDBACK,
    MAX_FEEDBACK_LINES,
    MAX_NEAR,
    MAX_REPORT,
    MAX_SHOWN,
)
from typesig.notations.texts.quoting import quoted
from typesig.validation.issues.excerpt import FIREWALLED, line, lines, text
from typesig.validation.issues.issues import Issue, path_text
from typesig.validation.issues.near import Near, Search
from typesig.validation.issues.words import WORDS, Words, WordsName, in_words
from typesig.validation.outcome.echo import (
    Detail,
    Echo,
    Finder,
    Mark,
    TooLong,
    item_of,
    key_of,
)
from typesig.validation.outcome.notices import write_notice
from typesig.validation.outcome.told import Told
from typesig.validation.outcome.visibility import CUT, Shapes, Visibility
from typesig.validation.rows.reports import grouped, heading_of
from typesig.validation.rows.subject import READ, Subject


def feedback_of(told: Told, before: Iterable[Issue], words: Words) -> str:
    """Return the feedback on an outcome that has errors; see `Outcome.feedback`.

    *told* is what it tells, in *words*; *before* are the errors that the outcome before had.
    """
    known = frozenset(map(_identity, before))
    shape = _shape(told.subject, words) if told.subject is not None and _is_sent(told) else ""
    # What was sent has its own remarks.
    behind = shape if _is_sent(told) else write_notice(told.noticed, words)
    head, foot = heading_of(told.stage) + "\n", f"\n\n{behind}" if behind else ""
    room = MAX_FEEDBACK - len(head) - len(foot)
    most = MAX_FEEDBACK_LINES - f"{head}{foot}".count("\n")
    alike: list[_Complaint] = []
    for complaints in (_every, _alike):
        alike = complaints(told, known)
        draft = _Draft(told, alike, words)
        for detail in (Detail(room, room), *_CUTS):
            if (written := draft.written(detail, room, most)) is not None:
                return head + written + foot
    # Not all of them have room: as many as fit are found by halving.
    fits, written, too_many = 0, _Draft(told, [], words).written(_CUTS[-1], room, most), len(alike)
    while too_many - fits > 1:
        tried = (fits + too_many) // 2
        found = _Draft(told, alike[:tried], words).written(_CUTS[-1], room, most)
        fits, written, too_many = (
            (fits, written, tried) if found is None else (tried, found, too_many)
        )
    return f"{head}{written}{foot}"


_UNEXPECTED = ("extra", "dropped", "kept")

#: How much is written of parts without complaints when not all of them have room.
_CUTS = (Detail(MAX_EXCERPT, MAX_FEEDBACK), Detail(MAX_EXCERPT, 3), Detail(MAX_EXCERPT, 0))


def _is_sent(told: Told) -> bool:
    """Return whether the errors are of what a model sent."""
    match told.stage:
        case "input" | "answer":
            return True
        case "call" | "output" | "program" | "run":
            return False
        case _:
            assert_never(told.stage)


def _identity(issue: Issue) -> tuple[Any, ...]:
    return issue.code, issue.path, issue.expected, issue.got


def _shape(subject: Subject, words: Words) -> str:
    """Return the line that shows what fits, in *words*, as a model is shown it."""
    tool = subject.tool if subject.are_arguments else None
    return _shape_of(subject.type, subject.definitions, tool, words.name)


@lru_cache(maxsize=256)
def _shape_of(
    whole: Type, definitions: tuple[Definition, ...], tool: str | None, name: WordsName
) -> str:
    """Return the line of *whole*, in the words called *name*; *tool* is None for an answer."""
    words = WORDS[name]
    if tool is not None and isinstance(whole, Record):
        fits = words.arguments(redacted(Signature(whole.fields, NIL, definitions, whole.extra)))
        called = f"A call that fits: {words.call.format(tool, fits)}"
        return line(called if tool else f"Arguments that fit: {fits}", MAX_SHOWN)
    asked = words.answer(redacted(lone(whole, definitions)))
    return line(f"Answer with JSON that fits: {asked}", MAX_SHOWN)


class _Complaint(NamedTuple):
    """One error, and those like it.

    #: others: in how many other places it is; is_repeated: whether the outcome before had it
    """

    issue: Issue
    others: int
    is_repeated: bool

    def text(self, sentence: str) -> str:
        """Return *sentence*, which says what is wrong, on one line; that of a tool has its own."""
        again = "the same error as before: " if self.is_repeated else ""
        also = f" (and in {self.others} more places)" if self.others else ""
        if self.issue.code in ("tool", "passing", "program"):
            # Indented, so that they do not look like items.
            return "\n  ".join(lines(again + sentence, MAX_COMPLAINT, MAX_COMPLAINT_LINES)) + also
        return f"{line(again + sentence, MAX_COMPLAINT)}{also}"


def _every(told: Told, before: frozenset[tuple[Any, ...]]) -> list[_Complaint]:
    """Return a complaint for each error, or for those that are alike if there are many."""
    if len(told.errors) > MAX_REPORT:
        return _alike(told, before)
    return [_Complaint(issue, 0, _is_in(before, issue)) for issue in told.errors]


def _alike(told: Told, before: frozenset[tuple[Any, ...]]) -> list[_Complaint]:
    """Return a complaint for each group of errors that are alike, at most `MAX_REPORT`."""
    return [
        _Complaint(first, len(others), _is_in(before, first))
        for first, *others in grouped(told.errors)[:MAX_REPORT]
    ]


def _is_in(before: frozenset[tuple[Any, ...]], issue: Issue) -> bool:
    return bool(before) and _identity(issue) in before


class _Draft:
    """The complaints of one outcome, each at its place in what was sent or listed behind."""

    def __init__(self, told: Told, complaints: Sequence[_Complaint], words: Words) -> None:
        self._words = words
        self._subject = told.subject if _is_sent(told) else None
        self._finder = Finder()
        self._visibility = Visibility(self._subject, self._wrong(told))
        self._search = Search()
        issues = (*told.errors, *told.warnings)
        self._unexpected = {issue.path for issue in issues if issue.code in _UNEXPECTED}
        self._root = Mark()
        self._behind: list[str] = []
        self._more = len(told.errors) + told.unseen
        for complaint in complaints:
            self._more -= 1 + complaint.others
            self._place(complaint)
        if self._subject is not None:
            for warning in _explaining(told.warnings, complaints):
                self._place(_Complaint(warning, 0, False))

    def _wrong(self, told: Told) -> set[int]:
        """Return the ids of the values that have errors, if any of them may be hidden."""
        subject = self._subject
        if subject is None or not subject.may_hide:
            return set()
        # Where the errors beyond the limit are is not known.
        wrong = {id(subject.value)} if told.unseen else set()
        for issue in told.errors:
            path = issue.path[:-1] if issue.code == "missing" else issue.path
            value, is_there = subject.value, True
            for step in path:
                key = self._finder.found(value, step)
                if is_there := key is not ABSENT:
                    value = (
                        item_of(value, key)
                        if kind_of(value) == "list"
                        else dict.__getitem__(value, key)
                    )
                    continue
                # Of a list that was sent as one item or as text, this is the value.
                is_there = kind_of(value) != "map"
                break
            if is_there and not (issue.code == "missing" and kind_of(value) == "map"):
                wrong.add(id(value))
        return wrong

    def written(self, detail: Detail, room: int, most: int) -> str | None:
        """Return the text, or None if it has more than *room* characters or *most* lines."""
        lines = []
        root = self._root
        if self._subject is not None and (root.own or root.lines or root.below):
            try:
                echo = Echo(self._visibility, detail, room, most)
                lines.append(echo.written(self._subject.value, root))
            except TooLong:
                return None
        lines += [f"- {each}" for each in self._behind]
        if self._more:
            lines.append(f"- {CUT} and {self._more} more")
        whole = "\n".join(lines)
        return whole if len(whole) <= room and whole.count("\n") < most else None

    def _place(self, complaint: _Complaint) -> None:
        issue = complaint.issue
        if self._subject is None:
            self._behind.append(complaint.text(issue._line(self._words)))
            return
        if self._subject.fault != READ:
            near = _near(self._subject, self._visibility)
            self._behind.append(
                complaint.text(issue._line(self._words)) + (f"\n  near: {near}" if near else "")
            )
            return
        is_hidden, is_missing = issue.hidden >= 0, issue.code == "missing"
        path = issue.path[: issue.hidden] if is_hidden else issue.path
        # The last name of a missing field leads nowhere, also if a key is spelled like it.
        place = self._found(path[:-1] if is_missing and not is_hidden else path)
        mark, rest, said = place.mark, path[place.depth :], issue._message(self._words)
        match place.end:
            case "value" if is_hidden:
                mark.lines.append(complaint.text(f"{FIREWALLED}: {said}"))
            case "value" if is_missing and kind_of(place.value) == "map":
                mark.lines.append(complaint.text(self._missing(issue, place)))
            case "firewalled" if len(rest) == 1:
                mark.lines.append(complaint.text(f"{path_text(rest)}: {said}"))
            case "value" | "secret":
                mark.own.append(complaint.text(said))
            case "inside":
                mark.own.append(complaint.text(f"{path_text(rest)}: {said}"))
            case "firewalled" | "nowhere":
                self._behind.append(complaint.text(issue._line(self._words)))
            case _:
                assert_never(place.end)

    def _found(self, path: tuple[str | int, ...]) -> _Place:
        """Return how far *path* leads in what was sent; marks are made on the way."""
        assert self._subject is not None
        see, mark, value = self._visibility, self._root, self._subject.value
        shapes = see.whole
        for depth, step in enumerate(path):
            if see.conceals(shapes, value):
                return _Place(mark, value, shapes, depth, "secret")
            if depth == MAX_ECHO_DEPTH or kind_of(value) == "string":
                # A text that was read as JSON has places inside, too.
                return _Place(mark, value, shapes, depth, "inside")
            key = self._finder.found(value, step)
            if key is ABSENT:
                return _Place(mark, value, shapes, depth, "nowhere")
            if kind_of(value) == "list":
                mark, shapes = mark.at(key), see.item(shapes, key)
                value = item_of(value, key)
                continue
            entry = see.entry(shapes, key_of(key))
            if entry.firewalled:
                return _Place(mark, value, shapes, depth, "firewalled")
            mark, shapes, value = mark.at(key), entry.shapes, dict.__getitem__(value, key)
            if entry.secret:
                return _Place(mark, value, shapes, depth + 1, "secret")
        return _Place(mark, value, shapes, len(path), "value")

    def _missing(self, issue: Issue, place: _Place) -> str:
        """Return the remark about a missing field, with its type as the model was shown it."""
        near = self._near_key(issue, place)
        return self._lacking(issue, place.shapes) + (f" ({near})" if near else "")

    def _near_key(self, issue: Issue, place: _Place) -> str:
        """Return a hint with the undeclared key that is closest to a missing name, if any.

        A key that the check told of has its own remark, with the name that it is close to.
        """
        if dict.__len__(place.value) > MAX_NEAR:
            return ""
        known = {}
        for key in map(key_of, dict.keys(place.value)):
            entry = self._visibility.entry(place.shapes, key)
            is_told = (*issue.path[:-1], key) in self._unexpected
            if not (entry.fields or entry.firewalled or is_told):
                known[key] = f"it by {text(key)}"
        return self._search.hint(Near(str(issue.path[-1]), lambda: known)) if known else ""

    def _lacking(self, issue: Issue, shapes: Shapes) -> str:
        name = str(issue.path[-1])
        names = self._visibility.names
        fields = [
            Field(f.name, redacted_types(f.type, names)[0], exact=f.exact)
            for f in self._visibility.entry(shapes, name).fields
        ]
        texts = {self._words.field(field) for field in fields}
        if len(texts) == 1:
            return f"missing: {line(texts.pop(), MAX_EXPECTED)}"
        return f"missing: {quoted(name)}, expected {in_words(issue.expected, self._words)}"


class _Place(NamedTuple):
    """How far a path leads in what was sent.

    #: mark: the innermost place; value: what is there; shapes: those of the value
    #: depth: the number of steps that lead there
    #: end: the value itself; a secret; a text or a depth with places inside that are not written;
    #:     a map in which the next name is firewalled; a value that does not have the next step
    """

    mark: Mark
    value: Any
    shapes: Shapes
    depth: int
    end: Literal["value", "secret", "inside", "firewalled", "nowhere"]


def _explaining(warnings: Sequence[Issue], complaints: Sequence[_Complaint]) -> list[Issue]:
    """Select the warnings that explain errors: of a value around, a misspelt name, or the tool."""
    errors = [complaint.issue for complaint in complaints if complaint.issue.hidden < 0]
    lacking = {issue.path[:-1] for issue in errors if issue.code == "missing"}
    around = {issue.path[:end] for issue in errors for end in range(1, len(issue.path) + 1)}
    found = [
        each
        for each in warnings
        if each.hidden < 0
        and (
            each.path in around
            or each.code == "called"
            or (each.code == "dropped" and each.path[:-1] in lacking)
        )
    ]
    return found[:MAX_REPORT]


#: A name that may be firewalled, in text that could not be read.
_FIREWALLED = re.compile(r"""(?:["'][-_]|[{,\s]_)\w""")


def _near(subject: Subject, visibility: Visibility) -> str:
    """Return the text near the fault, or an empty one if it may be private."""
    source, at = subject.value, subject.fault
    if isinstance(source, bytes):
        # The fault is counted in bytes only if they are not text.
        before = source[:at].decode(errors="replace")
        source = source.decode(errors="replace")
        at = len(before) if "\ufffd" in source else at
    if not source.strip() or not visibility.is_open or _FIREWALLED.search(source):
        return ""
    start, end = max(0, at - MAX_AROUND_FAULT), at + MAX_AROUND_FAULT
    before = line(source[start:at].replace("\n", " "), 6 * MAX_AROUND_FAULT)
    after = line(source[at:end], 6 * MAX_AROUND_FAULT)
    return f"{CUT if start else ''}{before}<here>{after}{CUT if end < len(source) else ''}"
