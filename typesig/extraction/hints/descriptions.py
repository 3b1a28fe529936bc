"""Descriptions, titles and examples of places and of the classes used there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typesig.algebra.constructors import get_description, make_maybe, make_noted
from typesig.algebra.nodes import Annotation, Enum, Maybe, Record, Type
from typesig.errors import format_value
from typesig.extraction.docstrings.docs import read_docstring
from typesig.extraction.hints.context import HintContext
from typesig.extraction.hints.metadata import HintMetadata
from typesig.limits import MAX_SHOWN


def get_class_text(context: HintContext, cls: Any) -> str | None:
    """Return the first paragraph of the docstring of *cls*; None if generated or absent."""
    doc = vars(cls).get("__doc__")
    # A dataclass and a NamedTuple make one of their fields.
    if not isinstance(doc, str) or doc.startswith(f"{cls.__name__}("):
        return None
    text = read_docstring(doc).text
    return context.limit_text(text) if text else None


def get_class_title(cls: Any) -> str | None:
    """Return the title in the configuration of *cls*, a class of pydantic, or None."""
    for name in ("model_config", "__pydantic_config__"):
        config = vars(cls).get(name)
        title = config.get("title") if isinstance(config, dict) else None
        if isinstance(title, str):
            return title
    return None


def add_title(t: Type, title: str | None) -> Type:
    """Return *t* with *title*, a field's or parameter's, in place of its class's title.

    >>> from typesig.algebra.constructors import record, get_title
    >>> get_title(add_title(make_noted(record([]), "An order.", "Order"), "What to book"))
    'What to book'
    """
    inner = t.inner if isinstance(t, Maybe) else t
    if title is not None and isinstance(inner, Annotation) and inner.title is not None:
        within = make_noted(inner.inner, inner.text)
        t = make_maybe(within) if isinstance(t, Maybe) else within
    return make_noted(t, None, title)


def may_add_text(t: Type, notes: HintMetadata) -> bool:
    """Whether a field or parameter of type *t* with *notes* may get a description."""
    return get_description(t) is None or (
        notes.text is None and (_is_described_class(t) or notes.examples != ())
    )


def _is_described_class(t: Type) -> bool:
    """Whether *t* is a record or an enum with a description, such as its docstring."""
    return isinstance(t, Annotation) and isinstance(t.inner, Record | Enum)


def add_text(t: Type, text: str | None, joins: bool = False) -> Type:
    """Put *text*, a field's or parameter's, in front of the class description of *t*.

    With *joins* it stands before any other.

    >>> from typesig.algebra.constructors import record
    >>> get_description(add_text(make_noted(record([]), "An order."), "what to book"))
    'what to book. An order.'
    """
    inner = t.inner if isinstance(t, Maybe) else t
    if not text or not isinstance(inner, Annotation) or not (joins or _is_described_class(inner)):
        return make_noted(t, text)
    within = make_maybe(inner.inner) if isinstance(t, Maybe) else inner.inner
    return make_noted(within, _join_sentences(text, inner.text or ""), inner.title)


def _join_sentences(text: str, more: str) -> str:
    """Append *more* to the description *text*, with a full stop between if needed."""
    return f"{text}{'' if text[-1] in '.!?:;' or not more else '.'} {more}".rstrip()


def with_examples(t: Type, examples: Sequence[Any], are_all: bool) -> Type:
    """Append *examples*, as JSON text, to the description of the type *t*.

    *are_all* tells whether there are no other examples.
    """
    if not examples:
        return t
    told = f"Examples: {', '.join(map(_format_example, examples))}{'' if are_all else ', …'}"
    before = get_description(t) if isinstance(t, Annotation) else None
    if isinstance(t, Annotation) and before:
        return make_noted(t.inner, _join_sentences(before, told), t.title)
    return make_noted(t, told)


def _format_example(value: Any) -> str:
    """Write the example *value* as JSON text, shortened if it is long."""
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else format_value(text)
