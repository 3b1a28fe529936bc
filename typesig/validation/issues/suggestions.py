"""The declared name, or the value of an enum, that is closest to a wrong one: "did you mean …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from typesig.algebra.rows.formats import FORMATS, WRITTEN_FORMS
from typesig.algebra.rows.values import is_text
from typesig.limits import MAX_NEAR, MAX_NEAR_NAME, MAX_NEAR_WORK
from typesig.validation.issues.words import fill_template

# --- Remedies for texts of dates, times and durations: the sent value in the right form, o ---
# A model copies what a remedy shows, so a remedy never has a value of its own.  To add a form, add
# its row to `WRITTEN_FORMS` of the formats, and what reads its variants to `time_texts.READERS`.

#: Longer texts are not read: no date, time or duration needs so many characters.
_LONGEST = 64


class Remedy(NamedTuple):
    """A hint with the expected text format, written on demand.

    #: format: the expected format
    #: sent: the text that was sent, or None for a value of another kind
    """

    format: str
    sent: str | None = None

    def write_text(self) -> str:
        """Write the sent text converted to the expected format, or an example of it."""
        sent = None if self.sent is None or len(self.sent) > _LONGEST else self.sent.strip()
        if sent is None:
            return self.write_form()
        shape = _mask_digits(sent)
        if shape == _mask_digits(WRITTEN_FORMS[self.format]):
            # 2026-02-30 has the form of a date, but there is no such day.
            return ""
        # Loaded for errors only.
        from typesig.validation.issues.time_texts import NO_TIME, READERS

        read = READERS[self.format](sent)
        if read is None:
            return self.write_form()
        if FORMATS[self.format](read):
            return f"write it as {read}"
        if read.endswith(NO_TIME):
            return f"write it as {read}Z"
        # Whatever else was read lacks only this.
        return f"add an offset: {read}±HH:MM, or Z for UTC"

    def write_form(self) -> str:
        """Write the expected format by an example, without the sent text."""
        return f"write it as {WRITTEN_FORMS[self.format]}"


def make_remedy(format_name: str, value: object) -> Remedy | str:
    """Make the hint that *value* should have the format *format_name*; empty if unknown."""
    if format_name not in WRITTEN_FORMS:
        return ""
    if issubclass(type(value), datetime):
        # A subclass may write itself in a way of its own, and so may its zone.
        known: Any = value
        plain = datetime.combine(datetime.date(known), datetime.time(known))
        return Remedy(format_name, plain.isoformat())
    return Remedy(format_name, str.__str__(value) if is_text(value) else None)


_DIGIT = re.compile(r"[0-9]|[YMDHS](?![a-z])")


def _mask_digits(text: str) -> str:
    """Replace each digit of *text* by 0, to compare the forms of two texts."""
    return re.sub(r"[+-]00:00$", "Z", re.sub(r"\.0+", "", _DIGIT.sub("0", text)))


class SuggestionQuery(NamedTuple):
    """A misspelt name or value, and the known names that may be meant.

    #: known: returns the texts that *word* is compared with, and what a message says for each
    """

    word: str
    known: Callable[[], Mapping[str, str]]


class SuggestionSearch:
    """Search for the known names closest to misspelt ones, with limited work."""

    __slots__ = ("_meant", "left")

    def __init__(self) -> None:
        self.left = MAX_NEAR_WORK
        self._meant: dict[tuple[str, tuple[str, ...]], str] = {}

    def find_hint(self, near: SuggestionQuery | Remedy) -> str:
        """Write the hint for *near*, a query or a remedy; empty if nothing is close."""
        if isinstance(near, Remedy):
            return near.write_text()
        word, known = near.word, near.known()
        if len(word) > MAX_NEAR_NAME or len(known) > MAX_NEAR:
            return ""
        self.left -= (len(word) + 1) * sum(map(len, known))
        return suggest_closest(word, known) if self.left >= 0 else ""

    def find_meant(self, word: str, names: tuple[str, ...]) -> str:
        """Find the only name of *names* that *word* misspells, or "".

        Closer than a hint, since a call is refused for it.  It is searched for once per check: the
        items of a list often have the same undeclared keys.
        """
        self.left -= 1 + len(names)
        if self.left < 0 or len(word) > MAX_NEAR_NAME or len(names) > MAX_NEAR:
            return ""
        found = self._meant.get((word, names))
        if found is None:
            self.left -= (len(word) + 1) * sum(map(len, names))
            found = _find_meant(word, names) if self.left >= 0 else ""
            if len(self._meant) < _MOST_MEANT:
                self._meant[word, names] = found
        return found


#: How many words one check remembers.
_MOST_MEANT = 1_000


def _find_meant(word: str, names: tuple[str, ...]) -> str:
    """Find the name in *names* that *word* most likely misspells, or ""."""
    likeness, name = max(
        [(_compute_likeness(word, each), each) for each in names], default=(0.0, "")
    )
    is_part = likeness >= _LEAST and (word in name or name in word)
    return name if likeness >= _MISSPELT or is_part else ""


def suggest_closest(word: str, known: Mapping[str, str]) -> str:
    """Return a hint for the entry of *known* closest to *word*, or an empty string."""
    likeness, near = max(
        [(_compute_likeness(word, each), each) for each in known], default=(0.0, "")
    )
    return fill_template("did you mean {}?", known[near]) if likeness >= _LEAST else ""


#: The likeness from which a text may have been meant.
_LEAST = 0.6

#: The likeness from which a word is a misspelling, unless one text is a part of the other.
_MISSPELT = 0.75


def may_be_like(length: int, other: int) -> bool:
    """Whether a text of *length* may be like one of the length *other*."""
    return min(length, other) >= _LEAST * (length + other) / 2


def _compute_likeness(word: str, other: str) -> float:
    """Compute the similarity of *word* and *other* as `difflib` does; 0 below `_LEAST`.

    This is the ratio of `difflib`, which takes ten times as long for texts as short as names.
    """
    whole = len(word) + len(other)
    if not whole:
        return 1.0
    least = _LEAST * whole / 2
    shorter, longer = (word, other) if len(word) < len(other) else (other, word)
    if len(shorter) < least:
        return 0.0
    left = longer
    for c in shorter:
        left = left.replace(c, "", 1)
    if len(longer) - len(left) < least:
        return 0.0
    return 2.0 * _count_matching(other, word) / whole


def _count_matching(first: str, second: str) -> int:
    """Count the characters in the matching blocks of *first* and *second*.

    The longest block is found first, of several the leftmost, and then those on both its sides.
    """
    pending, count = [(first, second)], 0
    while pending:
        a, b = pending.pop()
        start = size = at = 0
        while at + size < len(a):
            if a[at : at + size + 1] in b:
                start, size = at, size + 1
            else:
                at += 1
        if size:
            count += size
            there, end = b.find(a[start : start + size]), start + size
            if start and there:
                pending.append((a[:start], b[:there]))
            if end < len(a) and there + size < len(b):
                pending.append((a[end:], b[there + size :]))
    return count
