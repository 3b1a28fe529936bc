"""Descriptions: that of a place beside that of the class whose values stand there; examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.algebra.constructors import maybe, noted, text_of
from typesig.algebra.nodes import Enum, Maybe, Noted, Record, Type
from typesig.errors import short
from typesig.extraction.docstrings.docs import read_docstring
from typesig.extraction.hints.context import HintContext
from typesig.extraction.hints.metadata import Notes
from typesig.limits import MAX_SHOWN


def class_text(context: HintContext, cls: Any) -> str | None:
    """Return the first paragraph of the docstring of *cls*, or None if nobody wrote it."""
    doc = vars(cls).get("__doc__")
    # A dataclass and a NamedTuple make one of their fields.
    if not isinstance(doc, str) or doc.startswith(f"{cls.__name__}("):
        return None
    text = read_docstring(doc).text
    return context.described(text) if text else None


def class_title(cls: Any) -> str | None:
    """Return the title that the configuration of *cls*, a class of pydantic, states, or None."""
    for name in ("model_config", "__pydantic_config__"):
        config = vars(cls).get(name)
        title = config.get("title") if isinstance(config, dict) else None
        if isinstance(title, str):
            return title
    return None


def titled(t: Type, title: str | None) -> Type:
    """Return *t* with the *title* of its place, which stands for that of its class.

    >>> from typesig.algebra.constructors import record, title_of
    >>> title_of(titled(noted(record([]), "An order.", "Order"), "What to book"))
    'What to book'
    """
    inner = t.inner if isinstance(t, Maybe) else t
    if title is not None and isinstance(inner, Noted) and inner.title is not None:
        within = noted(inner.inner, inner.text)
        t = maybe(within) if isinstance(t, Maybe) else within
    return noted(t, None, title)


def is_open(t: Type, notes: Notes) -> bool:
    """Tell whether a description of the place of *t*, a hint with *notes*, is still wanted."""
    return text_of(t) is None or (
        notes.text is None and (_is_noted_class(t) or notes.examples != ())
    )


def _is_noted_class(t: Type) -> bool:
    return isinstance(t, Noted) and isinstance(t.inner, Record | Enum)


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


def with_examples(t: Type, examples: Sequence[Any], are_all: bool) -> Type:
    """Return *t* with *examples*, plain data, behind its text.

    *are_all* tells whether there are no other examples.
    """
    if not examples:
        return t
    told = f"Examples: {', '.join(map(_json, examples))}{'' if are_all else ', …'}"
    before = text_of(t) if isinstance(t, Noted) else None
    if isinstance(t, Noted) and before:
        return noted(t.inner, _sentences(before, told), t.title)
    return noted(t, told)


def _json(value: Any) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else short(text)
