"""Read docstrings: simple ones directly, any other with `docstrings`.

The module that reads any docstring is loaded by the first that is not simple.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from typesig.extraction.docstrings.simple_docs import EMPTY, Doc, SimpleDoc, read_simple
from typesig.limits import MAX_DOCSTRING


def read_docstring(text: object) -> Doc:
    """Parse the docstring *text*; without sections, only its paragraphs."""
    if not isinstance(text, str):
        return EMPTY
    # A subclass may split and compare in a way of its own.
    plain = str.__str__(text)[:MAX_DOCSTRING]
    return _read(plain) if plain.strip() else EMPTY


@lru_cache(maxsize=512)
def _read(text: str) -> Doc:
    """Parse the non-empty docstring *text*, with details and parameter choices."""
    doc = _read_parts(text)
    if any(map(text.__contains__, _SIGNS)):
        doc = _with_details(doc, text)
    if "(choices:" not in text.lower():
        return doc
    from typesig.extraction.docstrings.choices import split_choices

    params, choices = split_choices(doc.params)
    return doc._replace(params=params, choices=choices)


#: Texts of which a docstring has one if it lists exceptions, or has notes in NumPy's style.
_SIGNS = ("aises", ":raise", ":except", "@raise", "@except", "---")


def _with_details(doc: Doc, text: str) -> Doc:
    """Return *doc*, the parts of *text*, with its notes and exceptions as details."""
    from typesig.extraction.docstrings.docstrings import STYLES
    from typesig.extraction.docstrings.raised import read_notes, read_raises

    # In other styles, and before these sections, notes are prose.
    sections = STYLES["numpy"][1].search(text)
    notes = None if sections is None else read_notes(text[sections.start() :])
    parts = [doc.details, notes, read_raises(text)]
    return doc._replace(details="\n\n".join(filter(None, parts)) or None)


def _read_parts(text: str) -> Doc:
    """Parse the summary, parameters and result in the docstring *text*."""
    found = read_simple(text)
    params = None if found is None else _get_one_line_params(found)
    if found is not None and params is not None:
        return Doc(found.text, params, found.returns, details=found.details)
    from typesig.extraction.docstrings import docstrings

    return docstrings.read_any(text) if found is None else docstrings.convert_simple(found)


def _get_one_line_params(found: SimpleDoc) -> dict[str, str] | None:
    """Map parameters of *found* to descriptions; None if one has a type or line breaks."""
    if found.returns is not None and "\n" in found.returns:
        return None
    params: dict[str, str] = {}
    for name, kind, text in found.params:
        if kind is not None or "\n" in text:
            return None
        if text:
            params.setdefault(name, text.strip())
    return params


def find_unknown_params(doc: Doc, names: Collection[str]) -> list[str]:
    """Return the parameters that *doc* describes and that are not among *names*."""
    return [name for name in doc.params if name not in names]
