"""Feedback for a model: what it sent, with each error where it stands, for `Outcome.feedback`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, assert_never

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import NIL, Field, Record, Type
from typesig.algebra.redaction import redact, redact_types
from typesig.algebra.rows.values import get_kind
from typesig.algebra.signature import Signature, make_type_signature
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
from typesig.notations.texts.quoting import quote
from typesig.sentinels import ABSENT
from typesig.validation.check_state import READ, Subject
from typesig.validation.issues.excerpt import FIREWALLED, cut_line, cut_lines, quote_text
from typesig.validation.issues.issues import Issue, write_path
from typesig.validation.issues.suggestions import SuggestionQuery, SuggestionSearch
from typesig.validation.issues.words import WORDS, Words, WordsName, translate_text
from typesig.validation.outcome.annotated_input import (
    AnnotationNode,
    AnnotationTooLong,
    DetailLevel,
    InputAnnotator,
    KeyFinder,
    get_item,
    write_key,
)
from typesig.validation.outcome.check_context import OutcomeDetails
from typesig.validation.outcome.reports import get_heading, group_issues, write_notice
from typesig.validation.outcome.visibility import CUT, Shapes, Visibility


def write_feedback(told: OutcomeDetails, before: Iterable[Issue], words: Words) -> str:
    """Return the feedback on an outcome that has errors; see `Outcome.feedback`.

    *told* is what it tells, in *words*; *before* are the errors that the outcome before had.
    """
    known = frozenset(map(_get_identity, before))
    shape = (
        _write_shape(told.subject, words)
        if told.subject is not None and _is_model_input(told)
        else ""
    )
    # What was sent has its own remarks.
    behind = shape if _is_model_input(told) else write_notice(told.noticed, words)
    head, foot = get_heading(told.stage) + "\n", f"\n\n{behind}" if behind else ""
    room = MAX_FEEDBACK - len(head) - len(foot)
    most = MAX_FEEDBACK_LINES - f"{head}{foot}".count("\n")
    alike: list[_Complaint] = []
    for complaints in (_collect_complaints, _group_complaints):
        alike = complaints(told, known)
        draft = _Draft(told, alike, words)
        for detail in (DetailLevel(room, room), *_CUTS):
            if (written := draft.write_text(detail, room, most)) is not None:
                return head + written + foot
    # Not all of them have room: as many as fit are found by halving.
    fits, written, too_many = (
        0,
        _Draft(told, [], words).write_text(_CUTS[-1], room, most),
        len(alike),
    )
    while too_many - fits > 1:
        tried = (fits + too_many) // 2
        found = _Draft(told, alike[:tried], words).write_text(_CUTS[-1], room, most)
        fits, written, too_many = (
            (fits, written, tried) if found is None else (tried, found, too_many)
        )
    return f"{head}{written}{foot}"


_UNEXPECTED = ("extra", "dropped", "kept")

#: How much is written of parts without complaints when not all of them have room.
_CUTS = (
    DetailLevel(MAX_EXCERPT, MAX_FEEDBACK),
    DetailLevel(MAX_EXCERPT, 3),
    DetailLevel(MAX_EXCERPT, 0),
)


def _is_model_input(told: OutcomeDetails) -> bool:
    """Whether the errors concern data that a model sent."""
    match told.stage:
        case "input" | "answer":
            return True
        case "call" | "output" | "program" | "run":
            return False
        case _:
            assert_never(told.stage)


def _get_identity(issue: Issue) -> tuple[Any, ...]:
    """Return the attributes of *issue* by which repeated issues are recognized."""
    return issue.code, issue.path, issue.expected, issue.got


def _write_shape(subject: Subject, words: Words) -> str:
    """Write the line with the expected arguments or answer of *subject*, in *words*."""
    tool = subject.tool if subject.are_arguments else None
    return _write_shape_line(subject.type, subject.definitions, tool, words.name)


@lru_cache(maxsize=256)
def _write_shape_line(
    whole: Type, definitions: tuple[Definition, ...], tool: str | None, name: WordsName
) -> str:
    """Write the line with the expected type *whole*; *tool* is None for an answer."""
    words = WORDS[name]
    if tool is not None and isinstance(whole, Record):
        fits = words.arguments(redact(Signature(whole.fields, NIL, definitions, whole.extra)))
        called = f"A call that fits: {words.call.format(tool, fits)}"
        return cut_line(called if tool else f"Arguments that fit: {fits}", MAX_SHOWN)
    asked = words.answer(redact(make_type_signature(whole, definitions)))
    return cut_line(f"Answer with JSON that fits: {asked}", MAX_SHOWN)


class _Complaint(NamedTuple):
    """An error, with the number of similar errors at other paths.

    #: others: in how many other places it is; is_repeated: whether the outcome before had it
    """

    issue: Issue
    others: int
    is_repeated: bool

    def write_text(self, sentence: str) -> str:
        """Write *sentence*, the error message, with the number of similar errors."""
        again = "the same error as before: " if self.is_repeated else ""
        also = f" (and in {self.others} more places)" if self.others else ""
        if self.issue.code in ("tool", "passing", "program"):
            # Indented, so that they do not look like items.
            return (
                "\n  ".join(cut_lines(again + sentence, MAX_COMPLAINT, MAX_COMPLAINT_LINES)) + also
            )
        return f"{cut_line(again + sentence, MAX_COMPLAINT)}{also}"


def _collect_complaints(
    told: OutcomeDetails, before: frozenset[tuple[Any, ...]]
) -> list[_Complaint]:
    """Return one complaint for each error, or for each group of many errors."""
    if len(told.errors) > MAX_REPORT:
        return _group_complaints(told, before)
    return [_Complaint(issue, 0, _is_in(before, issue)) for issue in told.errors]


def _group_complaints(told: OutcomeDetails, before: frozenset[tuple[Any, ...]]) -> list[_Complaint]:
    """Group the similar errors of *told*, at most `MAX_REPORT` groups."""
    return [
        _Complaint(first, len(others), _is_in(before, first))
        for first, *others in group_issues(told.errors)[:MAX_REPORT]
    ]


def _is_in(before: frozenset[tuple[Any, ...]], issue: Issue) -> bool:
    """Whether *issue* repeats an issue of *before*, a collection of identities."""
    return bool(before) and _get_identity(issue) in before


class _Draft:
    """Feedback in progress: errors placed in the raw input or listed after it."""

    def __init__(
        self, told: OutcomeDetails, complaints: Sequence[_Complaint], words: Words
    ) -> None:
        self._words = words
        self._subject = told.subject if _is_model_input(told) else None
        self._finder = KeyFinder()
        self._visibility = Visibility(self._subject, self._find_wrong_values(told))
        self._search = SuggestionSearch()
        issues = (*told.errors, *told.warnings)
        self._unexpected = {issue.path for issue in issues if issue.code in _UNEXPECTED}
        self._root = AnnotationNode()
        self._behind: list[str] = []
        self._more = len(told.errors) + told.unseen
        for complaint in complaints:
            self._more -= 1 + complaint.others
            self._place_complaint(complaint)
        if self._subject is not None:
            for warning in _select_explanations(told.warnings, complaints):
                self._place_complaint(_Complaint(warning, 0, False))

    def _find_wrong_values(self, told: OutcomeDetails) -> set[int]:
        """Return the ids of values with errors, if the type may have hidden parts."""
        subject = self._subject
        if subject is None or not subject.may_hide:
            return set()
        # Where the errors beyond the limit are is not known.
        wrong = {id(subject.value)} if told.unseen else set()
        for issue in told.errors:
            path = issue.path[:-1] if issue.code == "missing" else issue.path
            value, is_there = subject.value, True
            for step in path:
                key = self._finder.find_key(value, step)
                if is_there := key is not ABSENT:
                    value = (
                        get_item(value, key)
                        if get_kind(value) == "list"
                        else dict.__getitem__(value, key)
                    )
                    continue
                # Of a list that was sent as one item or as text, this is the value.
                is_there = get_kind(value) != "map"
                break
            if is_there and not (issue.code == "missing" and get_kind(value) == "map"):
                wrong.add(id(value))
        return wrong

    def write_text(self, detail: DetailLevel, room: int, most: int) -> str | None:
        """Write the feedback; None if it exceeds *room* characters or *most* lines."""
        lines = []
        root = self._root
        if self._subject is not None and (root.own or root.lines or root.below):
            try:
                echo = InputAnnotator(self._visibility, detail, room, most)
                lines.append(echo.write_value(self._subject.value, root))
            except AnnotationTooLong:
                return None
        lines += [f"- {each}" for each in self._behind]
        if self._more:
            lines.append(f"- {CUT} and {self._more} more")
        whole = "\n".join(lines)
        return whole if len(whole) <= room and whole.count("\n") < most else None

    def _place_complaint(self, complaint: _Complaint) -> None:
        """Add *complaint* to the node at its path, or list it at the end."""
        issue = complaint.issue
        if self._subject is None:
            self._behind.append(complaint.write_text(issue._write_line(self._words)))
            return
        if self._subject.fault != READ:
            near = _write_fault_context(self._subject, self._visibility)
            self._behind.append(
                complaint.write_text(issue._write_line(self._words))
                + (f"\n  near: {near}" if near else "")
            )
            return
        is_hidden, is_missing = issue.hidden >= 0, issue.code == "missing"
        path = issue.path[: issue.hidden] if is_hidden else issue.path
        # The last name of a missing field leads nowhere, also if a key is spelled like it.
        place = self._follow_path(path[:-1] if is_missing and not is_hidden else path)
        mark, rest, said = place.mark, path[place.depth :], issue._write_message(self._words)
        match place.end:
            case "value" if is_hidden:
                mark.lines.append(complaint.write_text(f"{FIREWALLED}: {said}"))
            case "value" if is_missing and get_kind(place.value) == "map":
                mark.lines.append(complaint.write_text(self._write_missing(issue, place)))
            case "firewalled" if len(rest) == 1:
                mark.lines.append(complaint.write_text(f"{write_path(rest)}: {said}"))
            case "value" | "secret":
                mark.own.append(complaint.write_text(said))
            case "inside":
                mark.own.append(complaint.write_text(f"{write_path(rest)}: {said}"))
            case "firewalled" | "nowhere":
                self._behind.append(complaint.write_text(issue._write_line(self._words)))
            case _:
                assert_never(place.end)

    def _follow_path(self, path: tuple[str | int, ...]) -> _PathMatch:
        """Follow *path* into the raw input, and create nodes for its steps."""
        assert self._subject is not None
        see, mark, value = self._visibility, self._root, self._subject.value
        shapes = see.whole
        for depth, step in enumerate(path):
            if see.get_concealment(shapes, value):
                return _PathMatch(mark, value, shapes, depth, "secret")
            if depth == MAX_ECHO_DEPTH or get_kind(value) == "string":
                # A text that was read as JSON has places inside, too.
                return _PathMatch(mark, value, shapes, depth, "inside")
            key = self._finder.find_key(value, step)
            if key is ABSENT:
                return _PathMatch(mark, value, shapes, depth, "nowhere")
            if get_kind(value) == "list":
                mark, shapes = mark.get_child(key), see.get_item_shapes(shapes, key)
                value = get_item(value, key)
                continue
            entry = see.get_entry(shapes, write_key(key))
            if entry.firewalled:
                return _PathMatch(mark, value, shapes, depth, "firewalled")
            mark, shapes, value = mark.get_child(key), entry.shapes, dict.__getitem__(value, key)
            if entry.secret:
                return _PathMatch(mark, value, shapes, depth + 1, "secret")
        return _PathMatch(mark, value, shapes, len(path), "value")

    def _write_missing(self, issue: Issue, place: _PathMatch) -> str:
        """Write the comment about a missing field, with its type and a hint."""
        near = self._suggest_key(issue, place)
        name, names = str(issue.path[-1]), self._visibility.names
        fields = [
            Field(f.name, redact_types(f.type, names)[0], exact=f.exact)
            for f in self._visibility.get_entry(place.shapes, name).fields
        ]
        texts = {self._words.field(field) for field in fields}
        if len(texts) == 1:
            told = cut_line(texts.pop(), MAX_EXPECTED)
        else:
            told = f"{quote(name)}, expected {translate_text(issue.expected, self._words)}"
        return f"missing: {told}" + (f" ({near})" if near else "")

    def _suggest_key(self, issue: Issue, place: _PathMatch) -> str:
        """Return a hint with the undeclared key that is closest to a missing name, if any.

        A key that the check told of has its own remark, with the name that it is close to.
        """
        if dict.__len__(place.value) > MAX_NEAR:
            return ""
        known = {}
        for key in map(write_key, dict.keys(place.value)):
            entry = self._visibility.get_entry(place.shapes, key)
            is_told = (*issue.path[:-1], key) in self._unexpected
            if not (entry.fields or entry.firewalled or is_told):
                known[key] = f"it by {quote_text(key)}"
        return (
            self._search.find_hint(SuggestionQuery(str(issue.path[-1]), lambda: known))
            if known
            else ""
        )


class _PathMatch(NamedTuple):
    """Result of following a path into the raw input.

    #: mark: the innermost place; value: what is there; shapes: those of the value
    #: depth: the number of steps that lead there
    #: end: the value itself; a secret; a text or a depth with places inside that are not written;
    #:     a map in which the next name is firewalled; a value that does not have the next step
    """

    mark: AnnotationNode
    value: Any
    shapes: Shapes
    depth: int
    end: Literal["value", "secret", "inside", "firewalled", "nowhere"]


def _select_explanations(
    warnings: Sequence[Issue], complaints: Sequence[_Complaint]
) -> list[Issue]:
    """Select the warnings that explain errors: on their paths or about names."""
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


def _write_fault_context(subject: Subject, visibility: Visibility) -> str:
    """Write the text around the syntax error of *subject*; empty if private."""
    source, at = subject.value, subject.fault
    if isinstance(source, bytes):
        # The fault is counted in bytes only if they are not text.
        before = source[:at].decode(errors="replace")
        source = source.decode(errors="replace")
        at = len(before) if "\ufffd" in source else at
    if not source.strip() or not visibility.is_open or _FIREWALLED.search(source):
        return ""
    start, end = max(0, at - MAX_AROUND_FAULT), at + MAX_AROUND_FAULT
    before = cut_line(source[start:at].replace("\n", " "), 6 * MAX_AROUND_FAULT)
    after = cut_line(source[at:end], 6 * MAX_AROUND_FAULT)
    return f"{CUT if start else ''}{before}<here>{after}{CUT if end < len(source) else ''}"
