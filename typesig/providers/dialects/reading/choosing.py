"""The dialect that a text is written in."""

from __future__ import annotations

from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.events import DialectCall, Fault
from typesig.providers.dialects.reading.reader import events_of
from typesig.providers.dialects.rows import DIALECTS


def fitting(text: str) -> Dialect | None:
    """Return the dialect by which most calls of *text* are read, with the fewest faults, or None.

    Of equal ones it is the first row.

    >>> found = fitting('[TOOL_CALLS]add[ARGS]{"a": 1}')
    >>> found.name if found else found
    'mistral'
    """
    best: tuple[tuple[int, int], Dialect] | None = None
    for row in DIALECTS.values():
        if not any(mark in text for mark in (*row.opens, *row.bare)):
            continue
        events = events_of(text, row)
        calls = sum(isinstance(each, DialectCall) for each in events)
        rank = calls, -sum(isinstance(each, Fault) for each in events)
        if calls and (best is None or rank > best[0]):
            best = rank, row
    return None if best is None else best[1]
