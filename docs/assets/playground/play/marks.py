"""Places in a text where something is wrong, which the editor of the page underlines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

from play.pasted import Mistake
from play.texts import MAX_LINE, MAX_TOLD, cut
from typesig.errors import SignatureSyntaxError
from typesig.validation.issues.issues import Issue

#: Whether a mark is of an error or of a warning, in the words of CodeMirror.
Severity: TypeAlias = Literal["error", "warning"]

#: From the root of JSON data to a part of it: keys, and indexes as text.
Path: TypeAlias = tuple[str, ...]


class Span(NamedTuple):
    """Characters of a text, from *start* to before *end*."""

    start: int
    end: int


class Mark(NamedTuple):
    """A span of a text with the message of an error or warning."""

    span: Span
    severity: Severity
    message: str


class Place(NamedTuple):
    """Spans of a member of JSON data: its key (or its value, in a list), and its value."""

    key: Span
    value: Span


def to_json(marks: Iterable[Mark], text: str) -> list[dict[str, Any]]:
    """Return *marks* for JavaScript, whose texts have two units for some characters."""
    ends = sorted({place for mark in marks for place in mark.span})
    units, size, last = {}, 0, 0
    for end in ends:
        size += len(text[last:end].encode("utf-16-le", "surrogatepass")) // 2
        units[end], last = size, end
    return [
        {
            "from": units[mark.span.start],
            "to": units[mark.span.end],
            "severity": mark.severity,
            "message": cut(mark.message, MAX_LINE),
        }
        for mark in marks
    ]


def mark_error(error: BaseException, source: str) -> list[Mark]:
    """Return a mark of *error* in *source*, or nothing if its place is not known."""
    if isinstance(error, Mistake):
        return _mark_mistake(error, source)
    if isinstance(error, SignatureSyntaxError):
        start = _offset(source, error.line, error.column)
        return [_mark(source, Span(start, start + max(error.width, 1)), error.message)]
    message = str(error)
    span = _named_place(message, source)
    return [_mark(source, span, message)] if span else []


def _mark_mistake(mistake: Mistake, source: str) -> list[Mark]:
    if mistake.line is not None:
        return [_mark(source, _line(source, mistake.line), mistake.message)]
    error = mistake.__cause__
    if not isinstance(error, SyntaxError) or not error.lineno:
        return []
    start = _offset(source, error.lineno, error.offset or 1)
    end = _offset(source, error.end_lineno or error.lineno, error.end_offset or 1)
    return [_mark(source, Span(start, end), error.msg)]


def mark_issues(errors: Iterable[Issue], warnings: Iterable[Issue], text: str) -> list[Mark]:
    """Return marks of the *errors* and *warnings* about the JSON in *text*, up to a limit."""
    found: list[tuple[Issue, Severity]] = [(issue, "error") for issue in errors]
    found += [(issue, "warning") for issue in warnings]
    del found[MAX_TOLD:]
    places = find_places(text, {tuple(map(str, issue.path)) for issue, _ in found})
    marks = []
    for issue, severity in found:
        span = _named_place(issue.message, text) or _place(issue, places, text)
        marks.append(_mark(text, span, str(issue), severity))
    return marks


def _place(issue: Issue, places: dict[Path, Place], text: str) -> Span:
    path = tuple(map(str, issue.path))
    known = next((path[:size] for size in range(len(path), -1, -1) if path[:size] in places), None)
    if known is None:
        return Span(len(text) - len(text.lstrip()), len(text.rstrip()))
    key, value = places[known]
    if known != path:  # such as a field that is missing: mark where its object begins
        return Span(value.start, value.start + 1)
    return key if issue.code in {"extra", "key", "renamed", "dropped"} else value


def _mark(text: str, span: Span, message: str, severity: Severity = "error") -> Mark:
    """Return a mark that is within *text*, and has a character if *text* has one."""
    start = min(max(span.start, 0), max(len(text) - 1, 0))
    return Mark(Span(start, min(max(span.end, start + 1), len(text))), severity, message)


_NAMED = re.compile(r"\bline (\d{1,7}) column (\d{1,7})\b")


def _named_place(message: str, text: str) -> Span | None:
    """Return the place that *message* names by its line and column."""
    found = _NAMED.search(message)
    if found is None:
        return None
    start = _offset(text, int(found[1]), int(found[2]))
    return Span(start, start + 1)


def _offset(text: str, line: int, column: int) -> int:
    """Return the index in *text* of a *line* and a *column*, which count from 1."""
    return _line_start(text, line) + column - 1


def _line_start(text: str, line: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if not start:
            return len(text)
    return start


def _line(text: str, line: int) -> Span:
    """Return a *line* of *text* without its indentation and its end."""
    start = _line_start(text, line)
    whole = text[start:].partition("\n")[0]
    return Span(start + len(whole) - len(whole.lstrip()), start + len(whole.rstrip()))


# --- places of JSON data in the text of a model: messy JSON, and prose around it ---

_TOKEN = re.compile(
    r"""
    (?P<blank>\s++|//[^\n]*+|/\*.*?(?:\*/|\Z))
    | (?P<string>"(?:[^"\\]|\\.?)*+"?|'(?:[^'\\]|\\.?)*+'?)
    | (?P<open>[{\[]) | (?P<close>[}\]]) | (?P<colon>:) | (?P<comma>,)
    | (?P<word>[^\s,:{}\[\]"'/]++|/)
    """,
    re.VERBOSE | re.DOTALL,
)


#: Containers within each other whose members have a place of their own.
_MAX_DEPTH = 60


class _Container:
    """An object or a list that is open while a text is scanned."""

    def __init__(self, path: Path, key: Span, start: int, is_list: bool) -> None:
        self.path, self.key, self.start, self.is_list = path, key, start, is_list
        self.index = 0
        #: The name and span before a colon, and the span of the value that is being read.
        self.name: tuple[str, Span] | None = None
        self.value: Span | None = None
        self.text = ""

    def member(self, start: int) -> tuple[Path, Span]:
        """Return the path and the key of the value that begins at *start*."""
        if self.is_list:
            return (*self.path, str(self.index)), Span(start, start)
        name, key = self.name or (str(self.index), Span(start, start))
        return (*self.path, name), key


def find_places(text: str, wanted: set[Path]) -> dict[Path, Place]:
    """Return the places of the JSON data in *text*.

    If there are several pieces of data, the piece with the most *wanted* paths counts, and the last
    of equal ones.

    >>> find_places('Here: {"a": [1, 22]}', {("a", "1")})[("a", "1")].value
    Span(start=16, end=18)
    """
    best: dict[Path, Place] = {}
    for places in _pieces(text):
        if not best or len(wanted & places.keys()) >= len(wanted & best.keys()):
            best = places
    return best


def _pieces(text: str) -> Iterable[dict[Path, Place]]:
    places: dict[Path, Place] = {}
    stack: list[_Container] = []
    deeper = 0
    for token in _TOKEN.finditer(text):
        span = Span(*token.span())
        top = stack[-1] if stack else None
        match token.lastgroup:
            case "open" if len(stack) == _MAX_DEPTH:
                deeper += 1
            case "close" if deeper:
                deeper -= 1
            case _ if deeper:
                pass
            case "open":
                path, key = top.member(span.start) if top else ((), span)
                stack.append(_Container(path, key, span.start, token[0] == "["))
            case "close" if top:
                _end_member(top, places)
                stack.pop()
                places[top.path] = Place(top.key, Span(top.start, span.end))
                if stack:
                    stack[-1].value = None
                else:
                    yield places
                    places = {}
            case "comma" if top:
                _end_member(top, places)
                top.index, top.name = top.index + 1, None
            case "colon" if top and top.value and top.name is None and not top.is_list:
                top.name, top.value = (_name(top.text), top.value), None
            case "string" | "word" | "colon" if top:
                start = top.value.start if top.value else span.start
                top.value, top.text = Span(start, span.end), text[start : span.end]
            case _:
                pass
    for top in reversed(stack):  # the text ends early
        _end_member(top, places)
        places[top.path] = Place(top.key, Span(top.start, len(text)))
    if stack:
        yield places


def _end_member(top: _Container, places: dict[Path, Place]) -> None:
    """Note the place of the word or the string that ends in *top*, if there is one."""
    if top.value is not None:
        path, key = top.member(top.value.start)
        places[path] = Place(key if key.end > key.start else top.value, top.value)
        top.value = None


def _name(token: str) -> str:
    """Return the key that *token* writes, with or without quotes."""
    try:
        read = json.loads(token)
    except ValueError:
        return token.strip("\"'")
    return read if isinstance(read, str) else token
