"""Descriptions: that of a place beside that of the class whose values stand there; examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.algebra.constructors import maybe, noted, text_of
from typesig.algebra.nodes import Maybe, Noted, Record, Type
from typesig.errors import short
from typesig.extraction.hints.metadata import Notes
from typesig.limits import MAX_EXAMPLES, MAX_SHOWN


def is_open(t: Type, notes: Notes) -> bool:
    """Tell whether a description of the place of *t*, a hint with *notes*, is still wanted."""
    return text_of(t) is None or (
        notes.text is None and (_is_noted_class(t) or notes.examples != ())
    )


def _is_noted_class(t: Type) -> bool:
    return isinstance(t, Noted) and isinstance(t.inner, Record)


def placed(t: Type, text: str | None, joins: bool = False) -> Type:
    """Return *t* with the *text* of its place, which stands before that of its class.

    With *joins* it stands before any other.

    >>> from typesig.algebra.constructors import record
    >>> text_of(placed(noted(record([]), "An order."), "what to book"))
    'what to book. An order.'
    """
    inner = t.inner if isinstance(t, Maybe) else t
    if not text or not isinstance(inner, Noted) or not (joins or _is_noted_class(inner)):
        return noted(t, text)
    within = maybe(inner.inner) if isinstance(t, Maybe) else inner.inner
    return noted(within, _sentences(text, inner.text or ""), inner.title)


def _sentences(text: str, more: str) -> str:
    return f"{text}{'' if text[-1] in '.!?:;' or not more else '.'} {more}".rstrip()


def with_notes(t: Type, notes: Notes) -> Type:
    """Return *t*, which has the text of *notes*, with their title and examples."""
    if notes.examples:
        told = _examples(notes.examples)
        before = text_of(t) if isinstance(t, Noted) else None
        if isinstance(t, Noted) and before:
            t = noted(t.inner, _sentences(before, told), t.title)
        else:
            t = noted(t, told)
    return noted(t, None, notes.title)


def _examples(values: Sequence[Any]) -> str:
    shown = [_json(value) for value in values[:MAX_EXAMPLES]]
    more = ", …" if len(values) > MAX_EXAMPLES else ""
    return f"Examples: {', '.join(shown)}{more}"


def _json(value: Any) -> str:
    import json

    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        # A value of Python's, such as a date.
        return short(value)
    return text if len(text) <= MAX_SHOWN else short(text)
