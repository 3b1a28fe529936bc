"""Remedies for texts of dates, times and durations: the sent value in the right form, or the form.

A model copies what a remedy shows, so a remedy never has a value of its own.  To add a form, add
its row to `WRITTEN_FORMS` of the formats, and what reads its variants to `time_texts.READERS`.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, NamedTuple

from typesig.algebra.rows.formats import FORMATS, WRITTEN_FORMS
from typesig.algebra.rows.values import is_text

#: Longer texts are not read: no date, time or duration needs so many characters.
_LONGEST = 64


class Remedy(NamedTuple):
    """A remedy that is written when it is read.

    #: format: the expected format
    #: sent: the text that was sent, or None for a value of another kind
    """

    format: str
    sent: str | None = None

    def text(self) -> str:
        """Return the sent value in the format, else the form; empty if only the form is right."""
        sent = None if self.sent is None or len(self.sent) > _LONGEST else self.sent.strip()
        if sent is None:
            return self.form()
        shape = _mask_digits(sent)
        if shape == _mask_digits(WRITTEN_FORMS[self.format]):
            # 2026-02-30 has the form of a date, but there is no such day.
            return ""
        # Loaded for errors only.
        from typesig.validation.issues.time_texts import NO_TIME, READERS

        read = READERS[self.format](sent)
        if read is None:
            return self.form()
        if FORMATS[self.format](read):
            return f"write it as {read}"
        if read.endswith(NO_TIME):
            return f"write it as {read}Z"
        # Whatever else was read lacks only this.
        return f"add an offset: {read}±HH:MM, or Z for UTC"

    def form(self) -> str:
        """Return the remedy without anything of the sent value."""
        return f"write it as {WRITTEN_FORMS[self.format]}"


def make_remedy(format_name: str, value: object) -> Remedy | str:
    """Remedy for *value* where *format_name* is expected; empty for a format without a form."""
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
    """Return *text* with 0 for each digit, in which texts of one form are equal."""
    return re.sub(r"[+-]00:00$", "Z", re.sub(r"\.0+", "", _DIGIT.sub("0", text)))
