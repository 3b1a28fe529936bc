"""The dialect of a text, calls of other dialects in it, and names without their counter."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from typesig.errors import Unsupported
from typesig.providers.dialect_parsing.reader import Reader, read_events
from typesig.providers.dialects.call_writer import write_calls
from typesig.providers.dialects.dialect import Dialect, HeadForm, TagForm
from typesig.providers.dialects.lexer import (
    FAULTS_WITHOUT_CALL,
    DialectCall,
    Event,
    Fault,
    Lexer,
    Told,
)
from typesig.providers.dialects.registry import DIALECTS

# --- Detect the dialect of a text, and calls of other dialects in it ---


class _Fit(NamedTuple):
    """The result of reading a text in one dialect; a higher rank is a better fit."""

    rank: tuple[int, ...]
    row: Dialect
    calls: list[DialectCall]


def find_dialect(text: str, names: Collection[str] | None = None) -> Dialect | None:
    """Find the dialect that reads the most calls in *text*; return None if none fits.

    Of equal ones it is that which leaves the fewest marks in the text, with the fewest faults, then
    that which reads the fewest calls in the form of another, then that whose own marks are there,
    then that which writes the calls in the same way, then the first.  With the *names* of tools, a
    call without marks is one of a tool.  Of a text without a call, it is the one that has most of
    its marks.

    >>> found = find_dialect('[TOOL_CALLS]add[ARGS]{"a": 1}')
    >>> found.name if found else found
    'mistral'
    """
    fits = [fit for row in DIALECTS.values() for fit in _iter_fits(text, row, names)]
    if not fits:
        return _find_most_marked(text)
    rank = max(fit.rank for fit in fits)
    best = [fit for fit in fits if fit.rank == rank]
    same = [fit for fit in best if len(best) > 1 and _contains_rendering(text, fit)]
    return (*same, *best)[0].row


def _iter_fits(text: str, row: Dialect, names: Collection[str] | None) -> Iterable[_Fit]:
    """Yield the fit of *text* to the dialect *row* if it has a call, complete or not."""
    own = () if row.section is None else row.section[:1]
    is_marked = any(mark in text for mark in (*row.opens, *own, *row.leads))
    if not is_marked and not any(bracket in text for bracket in row.bare):
        return
    reader = Reader(row)
    events = [*reader.feed(text), *reader.close()]
    calls = [each for each in events if isinstance(each, DialectCall)]
    faults = [each for each in events if isinstance(each, Fault)]
    is_known = is_marked or names is None or any(call.name in names for call in calls)
    if not (calls and is_known) and not (is_marked and faults):
        return
    left = len(_find_marks("".join(each.text for each in events if isinstance(each, Told))))
    written = (*row.opens[:1], *row.closes[:1], *(row.section or ()))
    missing = is_marked if row.bare else sum(mark not in text for mark in written)
    broken = len(select_calls(faults))
    rank = len(calls), -left, -broken, -len(faults), -reader.strange, -missing
    yield _Fit(rank, row, calls)


def select_calls(events: Iterable[Event]) -> list[DialectCall | Fault]:
    """Select the calls in *events*, and the faults that replace a call."""
    return [
        each
        for each in events
        if isinstance(each, DialectCall)
        or (isinstance(each, Fault) and each.kind not in FAULTS_WITHOUT_CALL)
    ]


def _find_most_marked(text: str) -> Dialect | None:
    """Find the dialect with most of its text and reasoning marks in *text*, or None."""
    counts = {row.name: sum(mark in text for mark in marks) for row, marks in _SPEECH}
    name = max(counts, key=lambda each: counts[each], default="")
    return DIALECTS[name] if counts.get(name) else None


def _contains_rendering(text: str, fit: _Fit) -> bool:
    """Whether *text* contains the calls exactly as the dialect of *fit* writes them."""
    try:
        return write_calls([(call.name, _read_data(call)) for call in fit.calls], fit.row) in text
    except (Unsupported, ValueError, RecursionError):
        return False


def _read_data(call: DialectCall) -> Mapping[str, Any]:
    """Arguments of *call* as a mapping; raise `ValueError` if they are not an object."""
    if not isinstance(call.arguments, str):
        return call.arguments
    data = json.loads(call.arguments)
    if not isinstance(data, dict):
        raise ValueError
    return data


def find_foreign(
    text: str, dialect: Dialect, names: Collection[str], is_alone: bool
) -> list[Fault]:
    """Find calls and marks of dialects other than *dialect* in *text*, as faults.

    A call without marks is one of the *names* of tools, in a text that *is_alone*, without a call
    in the dialect itself.  Places are those in *text*.
    """
    marks = _find_marks(text)
    spoken = [each for each in _CALL.finditer(text) if each[1] in names]
    is_bare = is_alone and any(bracket in text for bracket in "[{")
    found = find_dialect(text, names) if marks or is_bare else None
    if found is not None and found.name != dialect.name:
        calls = select_calls(read_events(text, found))
        if calls:
            return [Fault("foreign", each.at, each.name, found.name) for each in calls]
    if spoken and is_alone:
        return [Fault("broken", each.start(), each[1]) for each in spoken]
    return [Fault("marked", 0, "", _MARKS_OF_CALLS[mark]) for mark in marks[:1]]


#: How a JSON object begins that calls a tool.
_CALL = re.compile(
    r'\{\s*+"(?:tool_)?name"\s*+:\s*+"([^"\\]++)"\s*+,\s*+"(?:arguments|parameters)"\s*+:'
)


def _find_marks(text: str) -> list[str]:
    """Return the marks of calls of any dialect in *text*."""
    marks, at = list[str](), 0
    while at < len(text):
        start, end = _ANY_MARK.next(text, at, True)
        marks += [text[start:end]] if end > start else []
        at = max(end, start + 1)
    return marks


def _list_call_marks(row: Dialect) -> list[str]:
    """List the call marks of the dialect *row* that never occur in prose."""
    found = [*row.opens, *row.closes, *[mark for pair in row.sections for mark in pair]]
    if isinstance(row.form, TagForm):
        found += [row.form.key_open, row.form.value_open, row.form.value_end]
    return [mark for mark in found if mark[:1] in ("<", "[") and len(mark) > 6]


#: The marks of calls, each with the first dialect that has it.
_MARKS_OF_CALLS = {
    mark: row.name for row in reversed(DIALECTS.values()) for mark in _list_call_marks(row)
}
_ANY_MARK = Lexer(_MARKS_OF_CALLS, escapes=False)

#: The marks of each dialect around text and reasoning.
_SPEECH = [
    (row, tuple([mark for mark in (*row.others, *chain(*row.reasoning)) if mark[0] in "<["]))
    for row in DIALECTS.values()
]


# --- Names of tools in the heads of calls, whose counter may not be set off ---

_DIGITS = "0123456789"
_BETWEEN = "_:."


def resolve_tool_name(name: str, dialect: Dialect, names: Collection[str]) -> str:
    """Find the tool of *names* that a counted *name* means, or return *name* itself.

    Models of such a family write `functions_add_1` and `functions.add1`, too.  A name that may mean
    several tools is returned as it is.

    >>> from typesig.providers.dialects.registry import DIALECTS
    >>> resolve_tool_name("functions_add_1", DIALECTS["kimi-k2"], ["add"])
    'add'
    """
    form = dialect.form
    if not isinstance(form, HeadForm) or not form.counter or name in names:
        return name
    bare = name.removeprefix(form.prefix.rstrip(_BETWEEN)).lstrip(_BETWEEN)
    found = {name, bare}
    for each in (name, bare):
        count = len(each) - len(each.rstrip(_DIGITS))
        parts = [each[:-size] for size in range(1, count + 1)]
        found |= {*parts, *[part.rstrip(_BETWEEN) for part in parts]}
    meant = [each for each in sorted(found) if each in names]
    return meant[0] if len(meant) == 1 else name
