"""Sections of docstrings that are details: exceptions in any style, and notes in NumPy's."""

from __future__ import annotations

import inspect
import re

from typesig.extraction.docstrings.docstrings import join_lines

_FIELD = re.compile(r"[ \t]*[:@](?:raises?|except|exception)(?:[ \t]++([^:]*+))?:[ \t]*(.*)")
#: The titles of sections in NumPy's style that are prose.
_NOTES = ("Notes", "Warnings")
_RULE = re.compile(r"[ \t]*-{3,}[ \t]*")


def read_raises(text: str) -> str | None:
    r"""Return the exceptions in docstring *text* as a Google "Raises" section, or None.

    >>> print(read_raises("Do.\n\n:raises OSError: if there is no\n    such file"))
    Raises:
        OSError: if there is no such file
    """
    lines = inspect.cleandoc(text).split("\n")
    items: list[str] = []
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        field = _FIELD.fullmatch(line)
        if field is not None:
            end = _find_end(lines, at, _measure_margin(line))
            name = (field[1] or "").strip()
            said = " ".join([field[2], *map(str.strip, lines[at:end])]).strip()
            items.append(": ".join(filter(None, [name, said])))
            at = end
        elif line.strip().lower() == "raises:":
            end = _find_end(lines, at, _measure_margin(line))
            items += _read_items(lines[at:end], " ")
            at = end
        elif line.strip().lower() == "raises" and at < len(lines) and _RULE.fullmatch(lines[at]):
            end = _find_title(lines, at + 1)
            items += _read_items(lines[at + 1 : end], ": ")
            at = end
    shown = [f"    {join_lines(item)}" for item in items if item]
    return "\n".join(["Raises:", *shown]) if shown else None


def read_notes(text: str) -> str | None:
    r"""Return the notes and warnings in NumPy docstring *text* as sections, or None.

    >>> print(read_notes("Do.\n\nNotes\n-----\nMind it.\n\nRaises\n------\nOSError\n"))
    Notes:
        Mind it.
    """
    lines = inspect.cleandoc(text).split("\n")
    out: list[str] = []
    at = _find_title(lines, 0)
    while at < len(lines):
        end = _find_title(lines, at + 2)
        title = lines[at].strip().capitalize()
        if title in _NOTES:
            said = join_lines("\n".join(lines[at + 2 : end])).replace("\n", "\n    ")
            out.append(f"{title}:\n    {said}")
        at = end
    return "\n\n".join(out) or None


def _find_end(lines: list[str], start: int, margin: int) -> int:
    """Find the index after the lines from *start* that are indented beyond *margin*."""
    at = start
    while at < len(lines) and (not lines[at].strip() or _measure_margin(lines[at]) > margin):
        at += 1
    return at


def _find_title(lines: list[str], start: int) -> int:
    """Find the index of the next NumPy section title from *start*; len(*lines*) if none."""
    for at in range(start, len(lines) - 1):
        if lines[at].strip() and _RULE.fullmatch(lines[at + 1]):
            return at
    return len(lines)


def _read_items(lines: list[str], separator: str) -> list[str]:
    """Join the lines of each docstring section item, the first line with *separator*."""
    items: list[list[str]] = []
    level = 0
    for line in filter(str.strip, lines):
        margin = _measure_margin(line)
        if not items or margin <= level:
            items.append([line.strip()])
            level = margin
        else:
            items[-1].append(line.strip())
    return [separator.join(filter(None, [item[0], " ".join(item[1:])])) for item in items]


def _measure_margin(line: str) -> int:
    """Count the blanks at the start of *line*."""
    return len(line) - len(line.lstrip())
